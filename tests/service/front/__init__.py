"""The front against clients of every kind."""
