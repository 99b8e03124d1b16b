"""The shapes of what the API takes and gives, one instance of each; openapi.yaml is made of them."""
