"""The rule book, written from the declarations of the games: a page a game, and what all games share."""
