"""The field of an event, and what is done at its tables."""
