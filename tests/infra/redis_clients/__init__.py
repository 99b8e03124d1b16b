"""Clients by an address."""
