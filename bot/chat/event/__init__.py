"""Events on Discord: their screens, posts, and what organisers do."""
