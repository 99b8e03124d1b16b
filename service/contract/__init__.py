"""openapi.yaml and what it is made from: operations, samples and words."""
