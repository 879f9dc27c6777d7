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
