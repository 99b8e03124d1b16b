"""Penny Ante, ruling by ruling."""
