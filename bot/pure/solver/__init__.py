"""Best boards and computer players, as pure functions of the cards and a player's view."""
