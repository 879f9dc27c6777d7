-- Schema 2: what version 1.0 stores beyond schema 1.

-- Members who had left the server when the bot last asked Discord about them. A row goes as soon as its player uses the
-- bot in that server again.
CREATE TABLE departed (
    guild_id INTEGER NOT NULL,
    player TEXT NOT NULL,
    at INTEGER NOT NULL,
    CONSTRAINT departed_key PRIMARY KEY (guild_id, player)
) STRICT;
CREATE INDEX departed_by_player ON departed (player, guild_id);

-- Whether others may share hands with a player by a link. Off at first, also for those who are here already: until now
-- a link worked unless somebody hid their profile.
ALTER TABLE member ADD COLUMN hands_shared INTEGER NOT NULL DEFAULT 0
    CONSTRAINT member_hands_shared CHECK (hands_shared IN (0, 1));
