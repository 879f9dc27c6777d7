"""Discord: the kit shared by all features, the pictures, and the screens and posts for tables, club and events."""
