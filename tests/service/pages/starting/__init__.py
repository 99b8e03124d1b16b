"""The start form and what it leads to."""
