"""The world's answers to what the domain asks, one file per port."""
