"""The rules, the match, the log's words and the proof: pure values and functions, no I/O, no clock, no randomness."""
