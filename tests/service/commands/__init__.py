"""The commands that look after matches."""
