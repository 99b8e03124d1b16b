"""Streams: what happens in a match, told to whoever listens as it happens (server-sent events). They are coroutines, and hold no worker."""
