"""Best boards and a computer opponent: pure functions of the cards and of what a player may see."""
