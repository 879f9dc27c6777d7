"""Promise 9: damage is noticed, and the backup works. Its tests belong here."""
