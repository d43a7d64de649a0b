"""What a match is and what may happen to it. Standard library only."""
