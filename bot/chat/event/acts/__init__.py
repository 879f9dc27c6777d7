"""Organisers' actions at events. Each is declared once, with its button, form, command and texts."""
