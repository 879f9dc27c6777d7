"""Tables and hands on Discord: their screens and posts."""
