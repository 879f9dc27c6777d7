"""The public web pages of events."""
