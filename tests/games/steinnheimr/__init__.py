"""Blacksmiths of Steinnheimr, ruling by ruling."""
