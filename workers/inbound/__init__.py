"""Mails that came in: opened (`opening`), sorted (`sorting`), whose they are (`speaker`), what was written (`written`) and is wished (`wishes`)."""
