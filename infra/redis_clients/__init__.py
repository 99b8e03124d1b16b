"""Clients of Redis by its address: one server, a master that Sentinel knows, or a cluster."""
