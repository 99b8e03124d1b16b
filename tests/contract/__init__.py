"""What the last release promised to clients, and whether today's API still keeps it."""
