"""Stored values, and other values shared by all packages. They are pure, and below the store."""
