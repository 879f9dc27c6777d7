"""Screens of a table: the public message, the private panel, the result."""
