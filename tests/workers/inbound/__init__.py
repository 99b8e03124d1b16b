"""Mails that came in."""
