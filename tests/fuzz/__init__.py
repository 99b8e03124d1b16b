"""Schemathesis asks the running server whatever openapi.yaml allows, and what it does not."""
