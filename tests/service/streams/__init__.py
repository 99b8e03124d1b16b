"""Streams: matches told as they happen."""
