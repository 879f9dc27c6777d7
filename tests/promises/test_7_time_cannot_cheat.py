"""Promise 7: time cannot cheat. Its tests belong here."""
