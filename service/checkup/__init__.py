"""The doctor, and what is looked at: processes, Redis, keeping, the mail and its domain."""
