-- Finding others to play with, and not being seated with some.

-- Players with whom a player will not be seated. Only that player is ever told.
CREATE TABLE seat_refusal (
    guild_id INTEGER NOT NULL,
    player TEXT NOT NULL,
    other TEXT NOT NULL,
    at INTEGER NOT NULL,
    CONSTRAINT seat_refusal_key PRIMARY KEY (guild_id, player, other),
    CONSTRAINT seat_refusal_of_another CHECK (player <> other)
) STRICT;
CREATE INDEX seat_refusal_by_other ON seat_refusal (guild_id, other);

-- The players for whom a table was opened, as JSON.
ALTER TABLE game_table ADD COLUMN invited TEXT NOT NULL DEFAULT '[]';
-- A queue deals by itself once so many sit; 0 where the host starts.
ALTER TABLE game_table ADD COLUMN starts_with INTEGER NOT NULL DEFAULT 0;
-- Until when a player waits in a queue (ms).
ALTER TABLE seat ADD COLUMN waits_until INTEGER;
-- When the role was last told of a new table (ms), and of which.
ALTER TABLE server ADD COLUMN told_at INTEGER;
ALTER TABLE server ADD COLUMN told_table INTEGER;
