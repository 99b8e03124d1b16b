"""The long runs: random matches by the thousand on a real Redis, and processes killed by the hundred around people who play by mail."""
