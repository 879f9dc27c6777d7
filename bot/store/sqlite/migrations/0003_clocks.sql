-- Clocks that fit the game: paces, a clock for each seat, outages, and what each player wishes.

ALTER TABLE game_table ADD COLUMN pace TEXT NOT NULL DEFAULT 'per_turn';
-- For how long the clocks stood still since the present turn began, in milliseconds.
ALTER TABLE game_table ADD COLUMN stood_still INTEGER NOT NULL DEFAULT 0;
-- Whom the message call_id calls: hand, street, players; so that nobody is called twice after a restart.
ALTER TABLE game_table ADD COLUMN called TEXT NOT NULL DEFAULT '';
UPDATE game_table SET pace = 'relaxed' WHERE turn_seconds >= 300;

-- When the seat's turn runs out and when its player is reminded; null while it is not his turn.
ALTER TABLE seat ADD COLUMN deadline INTEGER;
ALTER TABLE seat ADD COLUMN remind_at INTEGER;
ALTER TABLE seat ADD COLUMN reminded INTEGER NOT NULL DEFAULT 0;
-- What is left of the budget of a hand and of the time bank at a live table.
ALTER TABLE seat ADD COLUMN left_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE seat ADD COLUMN bank_ms INTEGER NOT NULL DEFAULT 0;
CREATE INDEX seat_deadline ON seat (guild_id) WHERE deadline IS NOT NULL;

-- Parts of Discord that are away now (a shard and how many there are), and since when.
CREATE TABLE outage (
    shard_id INTEGER NOT NULL,
    shard_count INTEGER NOT NULL CONSTRAINT outage_shards CHECK (shard_count > 0),
    since INTEGER NOT NULL,
    CONSTRAINT outage_key PRIMARY KEY (shard_id, shard_count)
) STRICT;

-- What a player has chosen in a server.
CREATE TABLE member (
    guild_id INTEGER NOT NULL,
    player TEXT NOT NULL,
    reminders INTEGER NOT NULL CONSTRAINT member_reminders CHECK (reminders IN (0, 1)),
    CONSTRAINT member_key PRIMARY KEY (guild_id, player)
) STRICT;
