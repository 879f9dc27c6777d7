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


-- Deletions ----------------------------------------------------------------------------------------------------------

-- Whom free text mentions, and in which table (source) of a server, so that a deletion finds it.
CREATE TABLE mentioned (
    player TEXT NOT NULL,
    guild_id INTEGER NOT NULL,
    source TEXT NOT NULL,
    CONSTRAINT mentioned_key PRIMARY KEY (player, guild_id, source)
) STRICT, WITHOUT ROWID;

-- What was written before is searched for numbers as long as Discord's ids.
INSERT INTO mentioned (player, guild_id, source)
WITH RECURSIVE written (guild_id, source, said) AS (
    SELECT guild_id, 'audit', reason FROM audit
    UNION ALL SELECT guild_id, 'freeze', reason FROM "freeze"
    UNION ALL SELECT guild_id, 'tournament', name || ' ' || series || ' ' || description || ' ' || structure
        FROM tournament
    UNION ALL SELECT guild_id, 'tournament_draft', draft FROM tournament_draft
    UNION ALL SELECT guild_id, 'season', name || ' ' || title FROM season
    UNION ALL SELECT guild_id, 'season_terms', title FROM season_terms
), numbered (guild_id, source, said) AS (
    SELECT guild_id, source, said FROM written WHERE
    replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(said, '0', '#'), '1', '#'), '2', '#'), '3', '#'), '4', '#'), '5', '#'), '6', '#'), '7', '#'), '8', '#'), '9', '#')
    LIKE '%###############%'
), place (at) AS (
    SELECT 1 UNION ALL SELECT at + 1 FROM place WHERE at < (SELECT MAX(length(said)) FROM numbered)
), tail (guild_id, source, said) AS (
    SELECT guild_id, source, substr(said, at) FROM numbered JOIN place ON at + 14 <= length(said)
    WHERE length(ltrim(substr(said, at, 15), '0123456789')) = 0
    AND (at = 1 OR length(ltrim(substr(said, at - 1, 1), '0123456789')) = 1)
)
SELECT DISTINCT substr(said, 1, length(said) - length(ltrim(said, '0123456789'))), guild_id, source FROM tail
WHERE length(said) - length(ltrim(said, '0123456789')) <= 20;

-- What a deletion doesn't give back, by a keyed hash of the server and the person; server 0 is for what belongs to none.
-- The number is that of a hand of the day, a table, an event or a year.
CREATE TABLE memory (
    guild_id INTEGER NOT NULL,
    person BLOB NOT NULL CONSTRAINT memory_person CHECK (length(person) = 32),
    kind TEXT NOT NULL CONSTRAINT memory_kind CHECK (kind IN ('try', 'removal', 'disqualification', 'vacation')),
    number INTEGER NOT NULL,
    used INTEGER NOT NULL CONSTRAINT memory_used CHECK (used > 0),
    until INTEGER NOT NULL,
    CONSTRAINT memory_key PRIMARY KEY (guild_id, person, kind, number)
) STRICT;
CREATE INDEX memory_until ON memory (until);


-- Recaps -------------------------------------------------------------------------------------------------------------

-- Events of the week beside its hands for chips, and the first of the largest of them as JSON.
ALTER TABLE recap ADD COLUMN event_hands INTEGER NOT NULL DEFAULT 0;
ALTER TABLE recap ADD COLUMN event_players INTEGER NOT NULL DEFAULT 0;
ALTER TABLE recap ADD COLUMN events INTEGER NOT NULL DEFAULT 0;
ALTER TABLE recap ADD COLUMN podium TEXT NOT NULL DEFAULT '[]';


-- Streams ------------------------------------------------------------------------------------------------------------

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
