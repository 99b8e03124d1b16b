"""What the HTTP face promises."""
