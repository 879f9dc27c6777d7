-- Community events: their structure and state, who takes part, their tables, and a log of their own.

ALTER TABLE game_table ADD COLUMN tournament_id INTEGER;
CREATE INDEX game_table_tournament ON game_table (guild_id, tournament_id) WHERE tournament_id IS NOT NULL;
-- The name and entropy of a deck that several tables are dealt; null for a deck of the hand's own.
ALTER TABLE hand ADD COLUMN shared TEXT;

CREATE TABLE tournament (
    guild_id INTEGER NOT NULL,
    tournament_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    organiser TEXT NOT NULL,
    helpers TEXT NOT NULL,
    channel_id INTEGER NOT NULL,
    language TEXT NOT NULL,
    variant TEXT NOT NULL,
    structure TEXT NOT NULL,
    pace TEXT NOT NULL,
    turn_seconds INTEGER NOT NULL,
    series TEXT NOT NULL,
    phase TEXT NOT NULL
        CONSTRAINT tournament_phase CHECK (phase IN ('registering', 'check_in', 'running', 'ended', 'cancelled')),
    starts_at INTEGER,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    ended_at INTEGER,
    reason TEXT NOT NULL,
    commitment BLOB NOT NULL,
    sealed_seed BLOB NOT NULL,
    seed BLOB,
    level INTEGER NOT NULL,
    level_ends_at INTEGER,
    breaks INTEGER NOT NULL,
    break_until INTEGER,
    paused INTEGER NOT NULL CONSTRAINT tournament_paused CHECK (paused IN (0, 1)),
    round INTEGER NOT NULL,
    round_began_at INTEGER,
    moment INTEGER NOT NULL,
    hand_for_hand INTEGER NOT NULL CONSTRAINT tournament_hand_for_hand CHECK (hand_for_hand IN (0, 1)),
    final_table INTEGER NOT NULL CONSTRAINT tournament_final_table CHECK (final_table IN (0, 1)),
    board INTEGER NOT NULL,
    compared INTEGER NOT NULL,
    board_commitment BLOB NOT NULL,
    board_sealed BLOB NOT NULL,
    reminded INTEGER NOT NULL CONSTRAINT tournament_reminded CHECK (reminded IN (0, 1)),
    alarm_at INTEGER,
    version INTEGER NOT NULL,
    drawn_version INTEGER NOT NULL,
    message_id INTEGER,
    scheduled_id INTEGER,
    scheduled_as TEXT NOT NULL,
    CONSTRAINT tournament_key PRIMARY KEY (guild_id, tournament_id)
) STRICT;
CREATE INDEX tournament_alarm ON tournament (alarm_at) WHERE alarm_at IS NOT NULL;
CREATE INDEX tournament_undrawn ON tournament (guild_id, tournament_id) WHERE drawn_version < version;
CREATE INDEX tournament_series ON tournament (guild_id, series) WHERE series <> '';

CREATE TABLE entrant (
    guild_id INTEGER NOT NULL,
    tournament_id INTEGER NOT NULL,
    player TEXT NOT NULL,
    state TEXT NOT NULL
        CONSTRAINT entrant_state CHECK (state IN ('registered', 'checked_in', 'playing', 'out', 'withdrawn')),
    registered_at INTEGER NOT NULL,
    cause TEXT NOT NULL,
    entries INTEGER NOT NULL,
    number INTEGER NOT NULL,
    score INTEGER NOT NULL,
    hands INTEGER NOT NULL,
    out_moment INTEGER NOT NULL,
    out_stack INTEGER NOT NULL,
    out_order INTEGER NOT NULL,
    place INTEGER NOT NULL,
    prize INTEGER NOT NULL,
    disqualified INTEGER NOT NULL CONSTRAINT entrant_disqualified CHECK (disqualified IN (0, 1)),
    penalty INTEGER NOT NULL,
    move_to INTEGER,
    absent INTEGER NOT NULL CONSTRAINT entrant_absent CHECK (absent IN (0, 1)),
    CONSTRAINT entrant_key PRIMARY KEY (guild_id, tournament_id, player),
    CONSTRAINT entrant_tournament FOREIGN KEY (guild_id, tournament_id)
        REFERENCES tournament (guild_id, tournament_id)
) STRICT;
CREATE INDEX entrant_by_player ON entrant (guild_id, player);

CREATE TABLE tournament_table (
    guild_id INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    tournament_id INTEGER NOT NULL,
    round INTEGER NOT NULL,
    match INTEGER NOT NULL,
    played INTEGER NOT NULL,
    extra INTEGER NOT NULL CONSTRAINT tournament_table_extra CHECK (extra IN (0, 1)),
    accounted INTEGER NOT NULL,
    board INTEGER NOT NULL,
    waits TEXT NOT NULL,
    threaded INTEGER NOT NULL CONSTRAINT tournament_table_threaded CHECK (threaded IN (0, 1)),
    over INTEGER NOT NULL CONSTRAINT tournament_table_over CHECK (over IN (0, 1)),
    CONSTRAINT tournament_table_key PRIMARY KEY (guild_id, table_id),
    CONSTRAINT tournament_table_table FOREIGN KEY (guild_id, table_id) REFERENCES game_table (guild_id, table_id)
) STRICT;
CREATE INDEX tournament_table_by_event ON tournament_table (guild_id, tournament_id, table_id);

CREATE TABLE tournament_match (
    guild_id INTEGER NOT NULL,
    tournament_id INTEGER NOT NULL,
    match INTEGER NOT NULL,
    winner TEXT NOT NULL,
    CONSTRAINT tournament_match_key PRIMARY KEY (guild_id, tournament_id, match)
) STRICT;

-- What happened in an event, in order, for ever; a press has one effect.
CREATE TABLE tournament_log (
    guild_id INTEGER NOT NULL,
    tournament_id INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    details TEXT NOT NULL,
    actor TEXT,
    cause TEXT CONSTRAINT tournament_log_cause_once UNIQUE,
    at INTEGER NOT NULL,
    CONSTRAINT tournament_log_key PRIMARY KEY (guild_id, tournament_id, seq)
) STRICT;
CREATE TRIGGER tournament_log_is_final_update BEFORE UPDATE ON tournament_log
    BEGIN SELECT RAISE(ABORT, 'events are final'); END;
CREATE TRIGGER tournament_log_is_final_delete BEFORE DELETE ON tournament_log
    BEGIN SELECT RAISE(ABORT, 'events are final'); END;

-- Messages of events that must be posted once, in order.
CREATE TABLE tournament_outbox (
    outbox_id INTEGER PRIMARY KEY,
    guild_id INTEGER NOT NULL,
    tournament_id INTEGER NOT NULL,
    notice TEXT NOT NULL,
    details TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE INDEX tournament_outbox_by_event ON tournament_outbox (guild_id, tournament_id, outbox_id);

-- An event that somebody is still preparing.
CREATE TABLE tournament_draft (
    guild_id INTEGER NOT NULL,
    organiser TEXT NOT NULL,
    draft TEXT NOT NULL,
    at INTEGER NOT NULL,
    CONSTRAINT tournament_draft_key PRIMARY KEY (guild_id, organiser)
) STRICT;

-- What a server has chosen.
CREATE TABLE server (
    guild_id INTEGER NOT NULL CONSTRAINT server_key PRIMARY KEY,
    organiser_role INTEGER,
    zone TEXT NOT NULL
) STRICT;
