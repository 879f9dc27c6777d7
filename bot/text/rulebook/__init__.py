"""The rule book, generated from the declarations of the games: one page per game, and the common rules."""
