"""The draft of an event: its data, the page that shows it, and its rehearsal."""
