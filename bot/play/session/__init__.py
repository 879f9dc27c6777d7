"""One transaction in progress, and what it needs: secrets, decks, chips, protocols."""
