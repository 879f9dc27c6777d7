"""The formats: what each of them asks of its tables, and what is told of it."""
