"""Keeping what was played."""
