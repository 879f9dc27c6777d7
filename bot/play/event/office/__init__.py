"""Registration, the director, and an event's records and views."""
