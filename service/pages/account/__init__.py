"""Who somebody is here: signing in, settings, their matches, their mail."""
