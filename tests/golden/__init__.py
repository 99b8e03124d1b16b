"""Exports as they were written when their format was new, and the heads that they end in: they must verify for ever."""
