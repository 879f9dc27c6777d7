"""The rule book, generated from the declarations of the games, with one page per game and the common rules."""
