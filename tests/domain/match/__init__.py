"""The domain's tests: no Redis, no network, no clock."""
