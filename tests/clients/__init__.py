"""Clients that machines make from openapi.yaml: they compile, and each plays a whole match of each game."""
