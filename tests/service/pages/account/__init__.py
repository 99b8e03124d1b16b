"""Signing in, settings, matches and mail of one player, as pages."""
