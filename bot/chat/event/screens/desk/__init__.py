"""The desk of an event: what its organisers see of the evening, and what they do from there."""
