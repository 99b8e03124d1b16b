"""What the schemas take and refuse."""
