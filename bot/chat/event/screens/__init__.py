"""Screens of events: the draft that makes one, registration, standings, the desk."""
