"""One play of a game by people: commands are decided into events, events evolve the match, and their fold is all there is to know."""
