"""The formats of events: freezeouts, knockouts, rounds."""
