"""What a history proves by itself: written as an export, read with suspicion, played again by the rules."""
