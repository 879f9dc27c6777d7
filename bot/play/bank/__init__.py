"""The bank of a server: refills and bonuses, chips from player to player, and what managers do with chips."""
