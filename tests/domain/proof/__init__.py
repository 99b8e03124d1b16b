"""What an export proves, and every way to tamper with one."""
