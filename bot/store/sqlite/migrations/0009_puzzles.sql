-- Schema 9: the trainer. Positions and solutions are in the bot's files, under names that are digests. The database holds
-- how difficult people find them, what they answered, and which puzzles come back when.

CREATE TABLE puzzle (
    puzzle TEXT NOT NULL CONSTRAINT puzzle_key PRIMARY KEY,
    -- The difficulty on the scale of solvers, in millionths.
    mean INTEGER NOT NULL,
    deviation INTEGER NOT NULL,
    -- First attempts only: later ones know the answer.
    tries INTEGER NOT NULL CONSTRAINT puzzle_tries CHECK (tries >= 0),
    solved INTEGER NOT NULL,
    withdrawn INTEGER NOT NULL DEFAULT 0 CONSTRAINT puzzle_withdrawn CHECK (withdrawn IN (0, 1)),
    CONSTRAINT puzzle_solved CHECK (solved BETWEEN 0 AND tries)
) STRICT;

-- How many people chose a placement in their first attempt. It stays when a person's attempts are deleted.
CREATE TABLE puzzle_choice (
    puzzle TEXT NOT NULL,
    letters TEXT NOT NULL,
    people INTEGER NOT NULL CONSTRAINT puzzle_choice_people CHECK (people > 0),
    CONSTRAINT puzzle_choice_key PRIMARY KEY (puzzle, letters),
    CONSTRAINT puzzle_choice_puzzle FOREIGN KEY (puzzle) REFERENCES puzzle (puzzle)
) STRICT;

CREATE TABLE solver (
    player TEXT NOT NULL CONSTRAINT solver_key PRIMARY KEY,
    mean INTEGER NOT NULL,
    deviation INTEGER NOT NULL,
    tries INTEGER NOT NULL CONSTRAINT solver_tries CHECK (tries >= 0),
    rated_at INTEGER NOT NULL,
    theme TEXT,
    games TEXT NOT NULL,
    harder INTEGER NOT NULL,
    shown TEXT NOT NULL
) STRICT;

CREATE TABLE puzzle_attempt (
    player TEXT NOT NULL,
    number INTEGER NOT NULL,
    puzzle TEXT NOT NULL,
    letters TEXT NOT NULL,
    -- Hundredths of a point.
    cost INTEGER NOT NULL CONSTRAINT puzzle_attempt_cost CHECK (cost >= 0),
    solved INTEGER NOT NULL CONSTRAINT puzzle_attempt_solved CHECK (solved IN (0, 1)),
    rated INTEGER NOT NULL CONSTRAINT puzzle_attempt_rated CHECK (rated IN (0, 1)),
    -- Millionths of the solver's rating.
    moved INTEGER NOT NULL,
    at INTEGER NOT NULL,
    cause TEXT NOT NULL CONSTRAINT puzzle_attempt_cause_once UNIQUE,
    forgiven INTEGER NOT NULL DEFAULT 0 CONSTRAINT puzzle_attempt_forgiven CHECK (forgiven IN (0, 1)),
    CONSTRAINT puzzle_attempt_key PRIMARY KEY (player, number),
    CONSTRAINT puzzle_attempt_puzzle FOREIGN KEY (puzzle) REFERENCES puzzle (puzzle)
) STRICT;
CREATE INDEX puzzle_attempt_of_puzzle ON puzzle_attempt (puzzle, player);
CREATE UNIQUE INDEX puzzle_attempt_first ON puzzle_attempt (player, puzzle) WHERE rated = 1;

CREATE TABLE repetition (
    player TEXT NOT NULL,
    puzzle TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    last_at INTEGER,
    -- Millionths, of the package fsrs.
    stability INTEGER,
    difficulty INTEGER,
    CONSTRAINT repetition_key PRIMARY KEY (player, puzzle),
    CONSTRAINT repetition_learned CHECK ((stability IS NULL) = (last_at IS NULL)
        AND (difficulty IS NULL) = (last_at IS NULL))
) STRICT;
CREATE INDEX repetition_due ON repetition (player, due_at);
CREATE INDEX repetition_of_puzzle ON repetition (puzzle);

-- The puzzle of the day: part of the morning post where managers want it, and its answers, which are secret until the day ends.

ALTER TABLE bulletin ADD COLUMN puzzle INTEGER NOT NULL DEFAULT 0 CONSTRAINT bulletin_puzzle CHECK (puzzle IN (0, 1));

CREATE TABLE day_puzzle (
    guild_id INTEGER NOT NULL,
    number INTEGER NOT NULL CONSTRAINT day_puzzle_number CHECK (number > 0),
    puzzle TEXT NOT NULL,
    -- The hour of the post that asks it, and the end of the day.
    asked_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL CONSTRAINT day_puzzle_ends CHECK (ends_at > asked_at),
    -- Null until all answers are rated.
    people INTEGER,
    solved INTEGER,
    CONSTRAINT day_puzzle_key PRIMARY KEY (guild_id, number),
    CONSTRAINT day_puzzle_people CHECK ((people IS NULL) = (solved IS NULL) AND solved BETWEEN 0 AND people)
) STRICT;
CREATE INDEX day_puzzle_open ON day_puzzle (ends_at);
CREATE INDEX day_puzzle_of_puzzle ON day_puzzle (puzzle);

CREATE TABLE day_answer (
    guild_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    player TEXT NOT NULL,
    letters TEXT NOT NULL,
    at INTEGER NOT NULL,
    cause TEXT NOT NULL CONSTRAINT day_answer_cause_once UNIQUE,
    rated INTEGER NOT NULL DEFAULT 0 CONSTRAINT day_answer_rated CHECK (rated IN (0, 1)),
    CONSTRAINT day_answer_key PRIMARY KEY (guild_id, number, player),
    CONSTRAINT day_answer_day FOREIGN KEY (guild_id, number) REFERENCES day_puzzle (guild_id, number)
) STRICT;
CREATE INDEX day_answer_of_player ON day_answer (player);

-- My mistakes. The hands of players who have opened it are judged; what isn't judged yet is found by a query. The cards
-- follow from the hands' logs.

CREATE TABLE learner (
    player TEXT NOT NULL CONSTRAINT learner_key PRIMARY KEY,
    since INTEGER NOT NULL,
    shown TEXT NOT NULL
) STRICT;

CREATE TABLE judged_hand (
    player TEXT NOT NULL,
    guild_id INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    hand_no INTEGER NOT NULL,
    -- When the hand ended.
    at INTEGER NOT NULL,
    CONSTRAINT judged_hand_key PRIMARY KEY (player, guild_id, table_id, hand_no),
    CONSTRAINT judged_hand_hand FOREIGN KEY (guild_id, table_id, hand_no) REFERENCES hand (guild_id, table_id, hand_no)
) STRICT;
CREATE INDEX judged_hand_of_hand ON judged_hand (guild_id, table_id, hand_no);

CREATE TABLE judged_decision (
    player TEXT NOT NULL,
    guild_id INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    hand_no INTEGER NOT NULL,
    number INTEGER NOT NULL,
    street INTEGER NOT NULL,
    at INTEGER NOT NULL,
    -- Hundredths of a point; 0 unless it was a clear mistake.
    lost INTEGER NOT NULL CONSTRAINT judged_decision_lost CHECK (lost >= 0),
    theme TEXT,
    CONSTRAINT judged_decision_key PRIMARY KEY (player, guild_id, table_id, hand_no, number),
    CONSTRAINT judged_decision_hand FOREIGN KEY (player, guild_id, table_id, hand_no)
        REFERENCES judged_hand (player, guild_id, table_id, hand_no)
) STRICT;
CREATE INDEX judged_decision_by_time ON judged_decision (player, at);

CREATE TABLE mistake (
    player TEXT NOT NULL,
    mistake TEXT NOT NULL,
    guild_id INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    hand_no INTEGER NOT NULL,
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    -- The best placements and what the others cost, as JSON with letters and numbers.
    correction TEXT NOT NULL,
    whole INTEGER NOT NULL CONSTRAINT mistake_whole CHECK (whole IN (0, 1)),
    due_at INTEGER NOT NULL,
    last_at INTEGER,
    -- Millionths, of the package fsrs.
    stability INTEGER,
    difficulty INTEGER,
    tries INTEGER NOT NULL CONSTRAINT mistake_tries CHECK (tries >= 0),
    letters TEXT NOT NULL,
    -- Hundredths of a point.
    cost INTEGER NOT NULL CONSTRAINT mistake_cost CHECK (cost >= 0),
    solved INTEGER NOT NULL CONSTRAINT mistake_solved CHECK (solved IN (0, 1)),
    cause TEXT CONSTRAINT mistake_cause_once UNIQUE,
    -- 1 until it's known whether its position makes a puzzle for everyone.
    candidate INTEGER NOT NULL DEFAULT 0 CONSTRAINT mistake_candidate CHECK (candidate IN (0, 1)),
    CONSTRAINT mistake_key PRIMARY KEY (player, mistake),
    CONSTRAINT mistake_decision FOREIGN KEY (player, guild_id, table_id, hand_no, number)
        REFERENCES judged_decision (player, guild_id, table_id, hand_no, number),
    CONSTRAINT mistake_learned CHECK ((stability IS NULL) = (last_at IS NULL)
        AND (difficulty IS NULL) = (last_at IS NULL) AND (cause IS NULL) = (last_at IS NULL)
        AND (tries = 0) = (last_at IS NULL))
) STRICT;
CREATE INDEX mistake_of_decision ON mistake (player, guild_id, table_id, hand_no, number);
CREATE INDEX mistake_due ON mistake (player, due_at);
CREATE INDEX mistake_candidates ON mistake (at) WHERE candidate = 1;

-- 0 for players who want no line about their largest mistake after a hand.
ALTER TABLE member ADD COLUMN mistake_line INTEGER NOT NULL DEFAULT 1
    CONSTRAINT member_mistake_line CHECK (mistake_line IN (0, 1));

-- Puzzles that the bot has found in hands. No column says whose, where or when.

CREATE TABLE found_puzzle (
    puzzle TEXT NOT NULL CONSTRAINT found_puzzle_key PRIMARY KEY,
    game TEXT NOT NULL,
    -- The edition of the game's rules.
    edition INTEGER NOT NULL,
    -- What it's chosen by, so that only chosen puzzles are read whole. The difficulty is in millionths.
    theme TEXT NOT NULL,
    mean INTEGER NOT NULL,
    deviation INTEGER NOT NULL,
    -- The puzzle as a line of JSON, as in the bot's files.
    line TEXT NOT NULL,
    -- The version of the bot that has verified it.
    verified_by TEXT NOT NULL
) STRICT;

-- 0 for players whose positions don't become puzzles.
ALTER TABLE member ADD COLUMN gives_puzzles INTEGER NOT NULL DEFAULT 1
    CONSTRAINT member_gives_puzzles CHECK (gives_puzzles IN (0, 1));
