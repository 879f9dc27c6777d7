"""The desk of an event, with an overview and controls for its organisers."""
