-- Who was deleted, and the tables whose hands still name them: the hands of a table from next_hand to last_hand are yet
-- to be rewritten, and are read with the pseudonym meanwhile.

CREATE TABLE leaving (
    guild_id INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    player TEXT NOT NULL,
    pseudonym TEXT NOT NULL,
    next_hand INTEGER NOT NULL,
    last_hand INTEGER NOT NULL,
    CONSTRAINT leaving_key PRIMARY KEY (guild_id, table_id, pseudonym),
    CONSTRAINT leaving_table FOREIGN KEY (guild_id, table_id) REFERENCES game_table (guild_id, table_id),
    CONSTRAINT leaving_hands CHECK (next_hand <= last_hand)
) STRICT;
CREATE INDEX leaving_by_player ON leaving (player, guild_id, table_id);
