-- Seasons: spans of a server's own, by month or by hand, whose sums are kept for ever.

CREATE TABLE season (
    guild_id BIGINT NOT NULL,
    number BIGINT NOT NULL CONSTRAINT season_number CHECK (number > 0),
    name TEXT NOT NULL,
    began_at BIGINT NOT NULL,
    -- When it ends by itself; null where a manager ends it.
    until BIGINT,
    -- Null while it runs.
    ended_at BIGINT,
    CONSTRAINT season_key PRIMARY KEY (guild_id, number)
);
CREATE UNIQUE INDEX season_running ON season (guild_id) WHERE ended_at IS NULL;
CREATE INDEX season_due ON season (until) WHERE ended_at IS NULL AND until IS NOT NULL;

CREATE TABLE season_terms (
    guild_id BIGINT NOT NULL CONSTRAINT season_terms_key PRIMARY KEY,
    monthly BIGINT NOT NULL CONSTRAINT season_terms_monthly CHECK (monthly IN (0, 1)),
    reset_chips BIGINT NOT NULL CONSTRAINT season_terms_reset CHECK (reset_chips IN (0, 1))
);

-- The season in which the hand ended; 0 for none.
ALTER TABLE result ADD COLUMN season BIGINT NOT NULL DEFAULT 0;

-- It also knows the span 'season': `since` is its number then.
ALTER TABLE standing DROP CONSTRAINT standing_span;
ALTER TABLE standing ADD CONSTRAINT standing_span CHECK (span IN ('day', 'week', 'month', 'all', 'season'));
