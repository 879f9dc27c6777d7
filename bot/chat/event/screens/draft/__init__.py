"""The draft of an event: the sheet that its organiser fills in, the page that shows it, and a rehearsal of it."""
