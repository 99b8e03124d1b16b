"""How much anybody may ask of a site in a time: what is allowed, and the count of it that all processes share."""
