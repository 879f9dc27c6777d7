"""The state of an event, and actions at its tables."""
