-- What the champions of a season get, and where its end is told.

ALTER TABLE season_terms ADD COLUMN role_id INTEGER;
ALTER TABLE season_terms ADD COLUMN title TEXT NOT NULL DEFAULT '';
ALTER TABLE season_terms ADD COLUMN channel_id INTEGER;

-- As it was when the season ended.
ALTER TABLE season ADD COLUMN role_id INTEGER;
ALTER TABLE season ADD COLUMN title TEXT NOT NULL DEFAULT '';
ALTER TABLE season ADD COLUMN channel_id INTEGER;
-- 0 while its role has still to be given, or its end to be posted; then what could not be done.
ALTER TABLE season ADD COLUMN told INTEGER NOT NULL DEFAULT 1 CONSTRAINT season_told CHECK (told IN (0, 1));
ALTER TABLE season ADD COLUMN role_missed INTEGER NOT NULL DEFAULT 0
    CONSTRAINT season_role_missed CHECK (role_missed IN (0, 1));
ALTER TABLE season ADD COLUMN post_missed INTEGER NOT NULL DEFAULT 0
    CONSTRAINT season_post_missed CHECK (post_missed IN (0, 1));
CREATE INDEX season_untold ON season (guild_id, number) WHERE told = 0;
