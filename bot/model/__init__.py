"""Stored values, and other values shared by all packages. Pure, and below the store."""
