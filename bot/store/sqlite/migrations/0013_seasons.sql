-- Seasons: spans of a server's own, by month or by hand, whose sums are kept for ever.

CREATE TABLE season (
    guild_id INTEGER NOT NULL,
    number INTEGER NOT NULL CONSTRAINT season_number CHECK (number > 0),
    name TEXT NOT NULL,
    began_at INTEGER NOT NULL,
    -- When it ends by itself; null where a manager ends it.
    until INTEGER,
    -- Null while it runs.
    ended_at INTEGER,
    CONSTRAINT season_key PRIMARY KEY (guild_id, number)
) STRICT;
CREATE UNIQUE INDEX season_running ON season (guild_id) WHERE ended_at IS NULL;
CREATE INDEX season_due ON season (until) WHERE ended_at IS NULL AND until IS NOT NULL;

CREATE TABLE season_terms (
    guild_id INTEGER NOT NULL CONSTRAINT season_terms_key PRIMARY KEY,
    monthly INTEGER NOT NULL CONSTRAINT season_terms_monthly CHECK (monthly IN (0, 1)),
    reset_chips INTEGER NOT NULL CONSTRAINT season_terms_reset CHECK (reset_chips IN (0, 1))
) STRICT;

-- The season in which the hand ended; 0 for none.
ALTER TABLE result ADD COLUMN season INTEGER NOT NULL DEFAULT 0;

-- The same table, which also knows the span 'season': `since` is its number then.
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
    CONSTRAINT standing_key PRIMARY KEY (guild_id, span, since, game, player)
) STRICT;
INSERT INTO standing_new (guild_id, span, since, until, game, player, hands, points, chips, visits, stays, royalties,
    fouls, best)
SELECT guild_id, span, since, until, game, player, hands, points, chips, visits, stays, royalties, fouls, best
FROM standing;
DROP TABLE standing;
ALTER TABLE standing_new RENAME TO standing;
