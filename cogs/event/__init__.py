"""The commands of community events."""
