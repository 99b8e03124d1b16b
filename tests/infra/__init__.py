"""The world's answers, held against the real world: Redis, SMTP, files."""
