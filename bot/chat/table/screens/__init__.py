"""Screens of a table: the public message, the private panel, the result, the review, and the rules of its game."""
