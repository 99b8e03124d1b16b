"""Fourfold, ruling by ruling."""
