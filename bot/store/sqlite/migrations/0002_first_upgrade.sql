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
