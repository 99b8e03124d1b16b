"""The HTTP face: pages, JSON API, and the command."""
