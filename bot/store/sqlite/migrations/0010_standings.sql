-- Sums of results by player, so that a leaderboard takes the same time however much was played.

ALTER TABLE result ADD COLUMN game TEXT NOT NULL DEFAULT '';
-- What the board collected, and whether it was set in Fantasyland; neither was kept before.
ALTER TABLE result ADD COLUMN royalties INTEGER NOT NULL DEFAULT 0;
ALTER TABLE result ADD COLUMN in_fantasyland INTEGER NOT NULL DEFAULT 0
    CONSTRAINT result_in_fantasyland CHECK (in_fantasyland IN (0, 1));
UPDATE result SET game = COALESCE((
    SELECT CASE WHEN h.variant LIKE '{%' THEN json_extract(h.variant, '$.preset') ELSE h.variant END FROM hand h
    WHERE h.guild_id = result.guild_id AND h.table_id = result.table_id AND h.hand_no = result.hand_no
), '');

-- One row a player, game and span of time, and one for all games together (an empty game). They are kept in the
-- transaction that settles; `since` is 0 for all time.
CREATE TABLE standing (
    guild_id INTEGER NOT NULL,
    span TEXT NOT NULL CONSTRAINT standing_span CHECK (span IN ('day', 'week', 'month', 'all')),
    since INTEGER NOT NULL,
    until INTEGER NOT NULL,
    game TEXT NOT NULL,
    player TEXT NOT NULL,
    hands INTEGER NOT NULL,
    points INTEGER NOT NULL,
    chips INTEGER NOT NULL,
    visits INTEGER NOT NULL,
    stays INTEGER NOT NULL,
    royalties INTEGER NOT NULL,
    fouls INTEGER NOT NULL,
    best INTEGER NOT NULL,
    CONSTRAINT standing_key PRIMARY KEY (guild_id, span, since, game, player)
) STRICT;

CREATE TEMP TABLE told AS
SELECT guild_id, at, game, player, points, chips, fantasyland, foul FROM result WHERE ranked = 1
UNION ALL SELECT guild_id, at, '', player, points, chips, fantasyland, foul FROM result WHERE ranked = 1;
CREATE TEMP TABLE spanned AS
SELECT 'day' AS span, at - at % 86400000 AS since, at - at % 86400000 + 86400000 AS until, told.* FROM told
UNION ALL
SELECT 'week', at - (at + 259200000) % 604800000, at - (at + 259200000) % 604800000 + 604800000, told.* FROM told
UNION ALL
SELECT 'month', CAST(strftime('%s', at / 1000, 'unixepoch', 'start of month') AS INTEGER) * 1000,
    CAST(strftime('%s', at / 1000, 'unixepoch', 'start of month', '+1 month') AS INTEGER) * 1000, told.* FROM told
UNION ALL
SELECT 'all', 0, 9223372036854775807, told.* FROM told;
INSERT INTO standing (guild_id, span, since, until, game, player, hands, points, chips, visits, stays, royalties, fouls, best)
SELECT guild_id, span, since, until, game, player, COUNT(*), SUM(points), SUM(chips),
    COUNT(CASE WHEN fantasyland > 0 THEN 1 END), 0, 0, SUM(foul), MAX(points)
FROM spanned GROUP BY guild_id, span, since, until, game, player;
DROP TABLE spanned;
DROP TABLE told;
