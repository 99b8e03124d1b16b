"""Four Forges, ruling by ruling."""
