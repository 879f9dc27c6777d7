-- Schema 2: what version 1.0 stores beyond schema 1.

-- Whether others may share hands with a player by a link. Off at first, also for those who are here already: until now
-- a link worked unless somebody hid their profile.
ALTER TABLE member ADD COLUMN hands_shared INTEGER NOT NULL DEFAULT 0
    CONSTRAINT member_hands_shared CHECK (hands_shared IN (0, 1));

-- Whose address shows a server's tables in streaming software. A keyed hash of the name completes the address.
CREATE TABLE stream_link (
    player TEXT NOT NULL,
    guild_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    locale TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    CONSTRAINT stream_link_key PRIMARY KEY (player, guild_id)
) STRICT;
CREATE UNIQUE INDEX stream_link_by_name ON stream_link (guild_id, name);
