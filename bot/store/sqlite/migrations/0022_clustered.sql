-- The sums of one leaderboard lie side by side: read row by row from all over a large file they took ten times as long.

CREATE TABLE standing_new (
    guild_id INTEGER NOT NULL,
    span TEXT NOT NULL CONSTRAINT standing_span CHECK (span IN ('day', 'week', 'month', 'all', 'season')),
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
    CONSTRAINT standing_line PRIMARY KEY (guild_id, span, since, game, player)
) STRICT, WITHOUT ROWID;
INSERT INTO standing_new (guild_id, span, since, until, game, player, hands, points, chips, visits, stays, royalties,
    fouls, best)
SELECT guild_id, span, since, until, game, player, hands, points, chips, visits, stays, royalties, fouls, best
FROM standing ORDER BY guild_id, span, since, game, player;
DROP TABLE standing;
ALTER TABLE standing_new RENAME TO standing;
