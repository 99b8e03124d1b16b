"""The whole of it, started as a user starts it: every process real, every word over HTTP or by mail."""
