-- The first schema. Keys begin with the guild; ids are 64-bit integers, times are milliseconds since 1970, chips are whole.
-- Log and ledger are append-only: triggers refuse to change what has happened.

-- One running process writes this now and then; on start it tells for how long the bot was away.
CREATE TABLE heartbeat (
    one INTEGER PRIMARY KEY CONSTRAINT heartbeat_one CHECK (one = 1),
    alive_at INTEGER NOT NULL
) STRICT;

-- An account is a wallet (owner = user), a seat's stack at a table (owner = user or computer), or the mint.
CREATE TABLE account (
    account_id INTEGER PRIMARY KEY,
    guild_id INTEGER NOT NULL,
    kind TEXT NOT NULL CONSTRAINT account_kind CHECK (kind IN ('mint', 'wallet', 'seat')),
    table_id INTEGER NOT NULL DEFAULT 0,
    owner TEXT NOT NULL DEFAULT '',
    balance INTEGER NOT NULL DEFAULT 0 CONSTRAINT account_never_negative CHECK (kind = 'mint' OR balance >= 0),
    CONSTRAINT account_once UNIQUE (guild_id, kind, table_id, owner)
) STRICT;

-- Double entry: one row moves chips from payer to payee. A cause moves them once.
CREATE TABLE transfer (
    transfer_id INTEGER PRIMARY KEY,
    guild_id INTEGER NOT NULL,
    payer INTEGER NOT NULL REFERENCES account (account_id),
    payee INTEGER NOT NULL REFERENCES account (account_id),
    amount INTEGER NOT NULL CONSTRAINT transfer_positive CHECK (amount > 0),
    kind TEXT NOT NULL,
    table_id INTEGER,
    hand_no INTEGER,
    cause TEXT NOT NULL,
    at INTEGER NOT NULL,
    CONSTRAINT transfer_not_to_oneself CHECK (payer <> payee),
    CONSTRAINT transfer_once UNIQUE (guild_id, cause, payer, payee, kind)
) STRICT;
CREATE INDEX transfer_by_payer ON transfer (payer, transfer_id);
CREATE INDEX transfer_by_payee ON transfer (payee, transfer_id);

CREATE TRIGGER transfer_moves_chips AFTER INSERT ON transfer BEGIN
    UPDATE account SET balance = balance - NEW.amount WHERE account_id = NEW.payer;
    UPDATE account SET balance = balance + NEW.amount WHERE account_id = NEW.payee;
END;
CREATE TRIGGER transfer_is_final_update BEFORE UPDATE ON transfer BEGIN SELECT RAISE(ABORT, 'transfers are final'); END;
CREATE TRIGGER transfer_is_final_delete BEFORE DELETE ON transfer BEGIN SELECT RAISE(ABORT, 'transfers are final'); END;

CREATE TABLE game_table (
    guild_id INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    channel_id INTEGER NOT NULL,
    host TEXT NOT NULL,
    language TEXT NOT NULL,
    variant TEXT NOT NULL,
    point_value INTEGER NOT NULL CONSTRAINT game_table_point_value CHECK (point_value >= 0),
    buy_in INTEGER NOT NULL CONSTRAINT game_table_buy_in CHECK (buy_in >= 0),
    max_seats INTEGER NOT NULL,
    turn_seconds INTEGER NOT NULL,
    state TEXT NOT NULL CONSTRAINT game_table_state CHECK (state IN ('lobby', 'playing', 'between', 'closed')),
    hand_no INTEGER NOT NULL DEFAULT 0,
    button INTEGER NOT NULL DEFAULT 0,
    turn_since INTEGER,
    commitment BLOB NOT NULL,
    sealed_seed BLOB NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    drawn_version INTEGER NOT NULL DEFAULT 0,
    message_id INTEGER,
    retired_id INTEGER,
    call_id INTEGER,
    created_at INTEGER NOT NULL,
    closed_reason TEXT,
    CONSTRAINT game_table_key PRIMARY KEY (guild_id, table_id)
) STRICT;
CREATE INDEX game_table_open ON game_table (guild_id, channel_id) WHERE state <> 'closed';
CREATE INDEX game_table_undrawn ON game_table (guild_id, table_id) WHERE drawn_version < version;

CREATE TABLE seat (
    guild_id INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    seat_no INTEGER NOT NULL,
    player TEXT NOT NULL,
    computer INTEGER NOT NULL CONSTRAINT seat_computer CHECK (computer IN (0, 1)),
    dealt_in INTEGER NOT NULL CONSTRAINT seat_dealt_in CHECK (dealt_in IN (0, 1)),
    leaving INTEGER NOT NULL CONSTRAINT seat_leaving CHECK (leaving IN (0, 1)),
    away INTEGER NOT NULL CONSTRAINT seat_away CHECK (away IN (0, 1)),
    timeouts INTEGER NOT NULL,
    fantasyland INTEGER NOT NULL,
    entropy TEXT NOT NULL,
    CONSTRAINT seat_key PRIMARY KEY (guild_id, table_id, seat_no),
    CONSTRAINT seat_once UNIQUE (guild_id, table_id, player),
    CONSTRAINT seat_table FOREIGN KEY (guild_id, table_id) REFERENCES game_table (guild_id, table_id)
) STRICT;
CREATE INDEX seat_by_player ON seat (guild_id, player);

-- One row a hand number, without gaps. The deck is never stored: sealed_seed and entropy give it back.
CREATE TABLE hand (
    guild_id INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    hand_no INTEGER NOT NULL,
    variant TEXT NOT NULL,
    state TEXT NOT NULL CONSTRAINT hand_state CHECK (state IN ('playing', 'settled', 'void', 'undealt')),
    reason TEXT,
    commitment BLOB NOT NULL,
    sealed_seed BLOB NOT NULL,
    entropy TEXT NOT NULL,
    point_value INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    CONSTRAINT hand_key PRIMARY KEY (guild_id, table_id, hand_no)
) STRICT;

-- What happened, in order. seq is the lock of a table; a cause (an interaction) has one effect.
CREATE TABLE event (
    guild_id INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    hand_no INTEGER NOT NULL,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    actor TEXT,
    cause TEXT CONSTRAINT event_cause_once UNIQUE,
    at INTEGER NOT NULL,
    CONSTRAINT event_key PRIMARY KEY (guild_id, table_id, seq)
) STRICT;
CREATE INDEX event_by_hand ON event (guild_id, table_id, hand_no, seq);
CREATE TRIGGER event_is_final_update BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events are final'); END;
CREATE TRIGGER event_is_final_delete BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'events are final'); END;

-- What a hand meant for a player: the leaderboard counts these.
CREATE TABLE result (
    guild_id INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    hand_no INTEGER NOT NULL,
    player TEXT NOT NULL,
    points INTEGER NOT NULL,
    chips INTEGER NOT NULL,
    fantasyland INTEGER NOT NULL,
    foul INTEGER NOT NULL CONSTRAINT result_foul CHECK (foul IN (0, 1)),
    ranked INTEGER NOT NULL CONSTRAINT result_ranked CHECK (ranked IN (0, 1)),
    at INTEGER NOT NULL,
    CONSTRAINT result_key PRIMARY KEY (guild_id, table_id, hand_no, player)
) STRICT;
CREATE INDEX result_by_player ON result (guild_id, player) WHERE ranked = 1;

-- Deadlines as data: one of a kind at a table.
CREATE TABLE timer (
    guild_id INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    CONSTRAINT timer_key PRIMARY KEY (guild_id, table_id, kind)
) STRICT;
CREATE INDEX timer_by_due ON timer (due_at);

-- Messages that must be posted once, in order.
CREATE TABLE outbox (
    outbox_id INTEGER PRIMARY KEY,
    guild_id INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    hand_no INTEGER NOT NULL,
    at INTEGER NOT NULL
) STRICT;
