"""Guides, docs and histories as pages."""
