"""Rules and what follows from them: games, events, ratings, notation, the solver. Importable without the bot."""
