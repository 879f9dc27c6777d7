"""Registration, the director, and the papers of an event."""
