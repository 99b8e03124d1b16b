"""The post and clock face, with the real Redis, the real SMTP and the real worker processes."""
