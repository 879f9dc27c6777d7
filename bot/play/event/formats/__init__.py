"""Event formats: freezeouts, knockouts and rounds."""
