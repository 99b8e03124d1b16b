"""What keeps a household of processes going, piece by piece."""
