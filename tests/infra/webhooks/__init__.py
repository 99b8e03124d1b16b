"""Webhooks, below everything that decides about them."""
