"""Webhooks: who wants to hear of what at which address, what waits to be told there, and the telling itself (Standard Webhooks)."""
