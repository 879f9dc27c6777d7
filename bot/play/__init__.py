"""Use cases of tables, hands and chips, independent of Discord and SQL."""
