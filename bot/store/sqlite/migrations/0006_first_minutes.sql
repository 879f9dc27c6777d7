-- What servers and players choose for themselves, the welcome, and tables that are private or quiet.

-- Null is what everybody has who has chosen nothing: Discord's language, the bot's own game, point value and clock.
ALTER TABLE server ADD COLUMN language TEXT;
ALTER TABLE server ADD COLUMN game TEXT;
ALTER TABLE server ADD COLUMN point_value INTEGER CONSTRAINT server_point_value CHECK (point_value >= 0);
ALTER TABLE server ADD COLUMN pace TEXT;
ALTER TABLE server ADD COLUMN turn_seconds INTEGER CONSTRAINT server_turn_seconds CHECK (turn_seconds >= 0);
-- Where tables may be opened, as a list of ids; an empty one is anywhere.
ALTER TABLE server ADD COLUMN channels TEXT NOT NULL DEFAULT '[]';
ALTER TABLE server ADD COLUMN threads INTEGER NOT NULL DEFAULT 0 CONSTRAINT server_threads CHECK (threads IN (0, 1));
-- Who may open tables, and who is told of new ones; null is everybody, and nobody.
ALTER TABLE server ADD COLUMN host_role INTEGER;
ALTER TABLE server ADD COLUMN told_role INTEGER;
-- When the welcome was sent, where, and the message; without a message it may not have arrived.
ALTER TABLE server ADD COLUMN welcomed_at INTEGER;
ALTER TABLE server ADD COLUMN welcome_channel INTEGER;
ALTER TABLE server ADD COLUMN welcome_message INTEGER;

-- A server in which the bot has played needs no welcome any more.
INSERT INTO server (guild_id, zone)
SELECT guild_id, '' FROM (
    SELECT guild_id FROM game_table UNION SELECT guild_id FROM account UNION SELECT guild_id FROM tournament
    UNION SELECT guild_id FROM house_game UNION SELECT guild_id FROM member
) AS known
WHERE guild_id NOT IN (SELECT guild_id FROM server);
UPDATE server SET welcomed_at = 0;

ALTER TABLE member ADD COLUMN calls TEXT NOT NULL DEFAULT 'after_silence'
    CONSTRAINT member_calls CHECK (calls IN ('at_once', 'after_silence', 'never'));
ALTER TABLE member ADD COLUMN confirm_at_once INTEGER NOT NULL DEFAULT 0
    CONSTRAINT member_confirm_at_once CHECK (confirm_at_once IN (0, 1));
ALTER TABLE member ADD COLUMN deck TEXT NOT NULL DEFAULT 'four_colours'
    CONSTRAINT member_deck CHECK (deck IN ('four_colours', 'two_colours'));
ALTER TABLE member ADD COLUMN size TEXT NOT NULL DEFAULT 'large'
    CONSTRAINT member_size CHECK (size IN ('large', 'compact'));
ALTER TABLE member ADD COLUMN text_only INTEGER NOT NULL DEFAULT 0
    CONSTRAINT member_text_only CHECK (text_only IN (0, 1));

-- A practice table that its player alone sees; a table that calls nobody.
ALTER TABLE game_table ADD COLUMN private INTEGER NOT NULL DEFAULT 0
    CONSTRAINT game_table_private CHECK (private IN (0, 1));
ALTER TABLE game_table ADD COLUMN quiet INTEGER NOT NULL DEFAULT 0
    CONSTRAINT game_table_quiet CHECK (quiet IN (0, 1));
