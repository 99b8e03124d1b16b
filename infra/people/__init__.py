"""Who plays here: their records, keys, wishes and sessions, and how they are forgotten."""
