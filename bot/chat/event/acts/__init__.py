"""Organisers' acts at events. Each is declared once with its button, form, command and sentences."""
