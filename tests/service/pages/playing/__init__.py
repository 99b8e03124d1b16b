"""Links, and the pages that play."""
