"""Discord: the kit all features share, the pictures, and for tables, club and events their screens and posts."""
