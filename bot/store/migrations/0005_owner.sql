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
