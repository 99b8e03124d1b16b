"""How well games of our own making are balanced, measured by self-play: each module writes the report that lies beside its game's data."""
