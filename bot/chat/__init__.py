"""Discord: the kit shared by all features, pictures, and the screens and posts for tables, clubs and events."""
