"""Seats: who sits where, what one's own seat can do now, and what the host can do about the others."""
