"""The desk of an event: an overview for its organisers, and their controls."""
