-- Whose database this is: the id of an application of Discord, or 'playground'. Without a row the next start decides.

CREATE TABLE owner (
    one INTEGER PRIMARY KEY CONSTRAINT owner_one CHECK (one = 1),
    name TEXT NOT NULL
) STRICT;

-- The playground used to play in the bot's own file. What it alone has used, with its one server, is the playground's.
INSERT INTO owner (one, name) SELECT 1, 'playground'
WHERE (SELECT MIN(guild_id) FROM game_table) = 1096000000000000001
    AND (SELECT MAX(guild_id) FROM game_table) = 1096000000000000001
    AND NOT EXISTS (SELECT 1 FROM account WHERE guild_id <> 1096000000000000001)
    AND NOT EXISTS (SELECT 1 FROM tournament WHERE guild_id <> 1096000000000000001);

-- One commitment to the decks of a table's next hands, and names that no restore gives twice.

-- Each start on a database that was put back from a copy begins an epoch: hands, tables and events made in it are named by it.
CREATE TABLE epoch (
    epoch_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL CONSTRAINT epoch_once UNIQUE,
    -- When the copy was last written to before it was put back, and when the bot started on it.
    copied_at INTEGER,
    at INTEGER NOT NULL
) STRICT;

-- The first hand of the tree whose root is in ``commitment`` and whose secret is in ``sealed_seed``; 0 where they are
-- those of one hand, as they were before there were trees.
ALTER TABLE game_table ADD COLUMN tree_from INTEGER NOT NULL DEFAULT 0;
ALTER TABLE game_table ADD COLUMN epoch TEXT NOT NULL DEFAULT '';
-- The message that has the root whole and is never edited.
ALTER TABLE game_table ADD COLUMN root_message_id INTEGER;

-- Where the hand's seed stands in the tree, and who was dealt what; null for a hand that was committed to by itself.
ALTER TABLE hand ADD COLUMN deal TEXT;

ALTER TABLE tournament ADD COLUMN epoch TEXT NOT NULL DEFAULT '';
ALTER TABLE tournament ADD COLUMN decks_epoch TEXT NOT NULL DEFAULT '';
