-- The whole family: a table's limits and rising point values, and a server's own games.

ALTER TABLE game_table ADD COLUMN limits TEXT NOT NULL DEFAULT '{}';

-- A game of a server: a preset with overrides, under a name of its own.
CREATE TABLE house_game (
    guild_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    spec TEXT NOT NULL,
    changed_by TEXT NOT NULL,
    changed_at INTEGER NOT NULL,
    CONSTRAINT house_game_key PRIMARY KEY (guild_id, name)
) STRICT;
