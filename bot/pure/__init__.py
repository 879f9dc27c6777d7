"""The rules and everything based on them: games, events, ratings, notation, the solver. Importable without the bot."""
