"""Tools and views for an event's organisers."""
