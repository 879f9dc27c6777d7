-- The daily hand and the weekly one: the same deck for everybody, one try each, for points alone. They belong to no server.

CREATE TABLE challenge (
    challenge_id INTEGER NOT NULL CONSTRAINT challenge_key PRIMARY KEY,
    series TEXT NOT NULL CONSTRAINT challenge_series CHECK (series IN ('daily', 'weekly')),
    -- Whole days of UTC since 1970.
    day INTEGER NOT NULL,
    game TEXT NOT NULL,
    name TEXT NOT NULL CONSTRAINT challenge_name_once UNIQUE,
    commitment BLOB NOT NULL,
    sealed_seed BLOB NOT NULL,
    epoch TEXT NOT NULL,
    -- The seed itself, once the day is over.
    seed BLOB,
    lost INTEGER NOT NULL DEFAULT 0 CONSTRAINT challenge_lost CHECK (lost IN (0, 1)),
    -- What a master places, as letters: they tell no card.
    master TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX challenge_of_day ON challenge (series, day);
CREATE INDEX challenge_sealed ON challenge (day) WHERE seed IS NULL AND lost = 0;

-- One try for each person.
CREATE TABLE attempt (
    challenge_id INTEGER NOT NULL,
    player TEXT NOT NULL,
    begun_at INTEGER NOT NULL,
    points INTEGER,
    ended_at INTEGER,
    shared_in INTEGER,
    CONSTRAINT attempt_key PRIMARY KEY (challenge_id, player),
    CONSTRAINT attempt_ended CHECK ((points IS NULL) = (ended_at IS NULL)),
    CONSTRAINT attempt_challenge FOREIGN KEY (challenge_id) REFERENCES challenge (challenge_id)
) STRICT;

-- What happened in a try, in order. A cause (an interaction) has one effect.
CREATE TABLE attempt_fact (
    challenge_id INTEGER NOT NULL,
    player TEXT NOT NULL,
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    cause TEXT CONSTRAINT attempt_fact_cause_once UNIQUE,
    at INTEGER NOT NULL,
    CONSTRAINT attempt_fact_key PRIMARY KEY (challenge_id, player, seq),
    CONSTRAINT attempt_fact_attempt FOREIGN KEY (challenge_id, player) REFERENCES attempt (challenge_id, player)
) STRICT;
CREATE TRIGGER attempt_fact_is_final_update BEFORE UPDATE ON attempt_fact
BEGIN SELECT RAISE(ABORT, 'facts are final'); END;
CREATE TRIGGER attempt_fact_is_final_delete BEFORE DELETE ON attempt_fact
BEGIN SELECT RAISE(ABORT, 'facts are final'); END;

-- How many people have finished with so many points: a place among all is found without looking at each of them.
CREATE TABLE challenge_count (
    challenge_id INTEGER NOT NULL,
    points INTEGER NOT NULL,
    people INTEGER NOT NULL CONSTRAINT challenge_count_people CHECK (people > 0),
    CONSTRAINT challenge_count_key PRIMARY KEY (challenge_id, points),
    CONSTRAINT challenge_count_challenge FOREIGN KEY (challenge_id) REFERENCES challenge (challenge_id)
) STRICT;

CREATE TABLE streak (
    player TEXT NOT NULL CONSTRAINT streak_key PRIMARY KEY,
    last_day INTEGER NOT NULL,
    days INTEGER NOT NULL CONSTRAINT streak_days CHECK (days > 0),
    best INTEGER NOT NULL,
    frozen INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT streak_best CHECK (best >= days)
) STRICT;
