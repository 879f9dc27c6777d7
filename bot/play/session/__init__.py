"""A transaction in progress and its resources: secrets, decks, chips and interfaces."""
