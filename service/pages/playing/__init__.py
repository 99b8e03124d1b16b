"""Where links lead: invitation, turn, what is agreed on, the match to look at."""
