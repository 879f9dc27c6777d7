"""Screens for events: the draft, registration, standings and the organisers' desk."""
