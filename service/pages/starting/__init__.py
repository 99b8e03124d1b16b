"""From the start page to a match that waits for its players."""
