"""Letters: what a mail says (`letter`, `writing`), in which words and look (`templates`, `written`), in which envelope (`envelope`)."""
