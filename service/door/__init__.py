"""Who comes in: whose token, from where, how often, and what browsers are told to keep to."""
