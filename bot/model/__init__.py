"""Values that are stored, and what else every room says: pure, and below the store."""
