"""The API, held against a real Redis and against openapi.yaml."""
