-- The schema, by what it is for: the bot, chips, tables and hands, results, choices, events, daily hands, processes.
--
-- Keys begin with the server (guild_id). Ids are 64-bit integers, times are milliseconds since 1970, chips are whole. A
-- player is a user's id or a computer's name, as a text. Logs and the ledger are append-only: triggers named *_is_final_*
-- refuse to change what has happened. A cause is the interaction that asked for something, which it does once.


-- The bot ------------------------------------------------------------------------------------------------------------

-- Whose database this is: the id of an application of Discord, or 'playground'. Without a row the next start decides.
CREATE TABLE owner (
    one INTEGER PRIMARY KEY CONSTRAINT owner_one CHECK (one = 1),
    name TEXT NOT NULL
) STRICT;

-- Written every few seconds while the bot runs: at a start it says for how long the bot was away.
CREATE TABLE heartbeat (
    one INTEGER PRIMARY KEY CONSTRAINT heartbeat_one CHECK (one = 1),
    alive_at INTEGER NOT NULL,
    -- Which database this is, and how often it was written here: a copy put back is behind what is kept beside the key.
    database_id TEXT NOT NULL DEFAULT '',
    beats INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Each start on a database that was put back from a copy begins an epoch. Hands, tables and events made in it are named
-- by it, so that no restore gives a name twice.
CREATE TABLE epoch (
    epoch_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL CONSTRAINT epoch_once UNIQUE,
    -- When the copy was last written to before it was put back, and when the bot started on it.
    copied_at INTEGER,
    at INTEGER NOT NULL
) STRICT;

-- Parts of Discord that are away now (a shard and how many there are), and since when.
CREATE TABLE outage (
    shard_id INTEGER NOT NULL,
    shard_count INTEGER NOT NULL CONSTRAINT outage_shards CHECK (shard_count > 0),
    since INTEGER NOT NULL,
    CONSTRAINT outage_key PRIMARY KEY (shard_id, shard_count)
) STRICT;


-- Chips --------------------------------------------------------------------------------------------------------------

-- A wallet (owner = user), a seat's stack at a table (owner = user or computer), or the mint.
CREATE TABLE account (
    account_id INTEGER PRIMARY KEY,
    guild_id INTEGER NOT NULL,
    kind TEXT NOT NULL CONSTRAINT account_kind CHECK (kind IN ('mint', 'wallet', 'seat')),
    table_id INTEGER NOT NULL DEFAULT 0,
    owner TEXT NOT NULL DEFAULT '',
    balance INTEGER NOT NULL DEFAULT 0 CONSTRAINT account_never_negative CHECK (kind = 'mint' OR balance >= 0),
    CONSTRAINT account_once UNIQUE (guild_id, kind, table_id, owner)
) STRICT;
CREATE INDEX account_by_owner ON account (owner, guild_id);

-- Double entry: one row moves chips from payer to payee. A cause moves them once.
CREATE TABLE transfer (
    transfer_id INTEGER PRIMARY KEY,
    guild_id INTEGER NOT NULL,
    payer INTEGER NOT NULL CONSTRAINT transfer_payer REFERENCES account (account_id),
    payee INTEGER NOT NULL CONSTRAINT transfer_payee REFERENCES account (account_id),
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

-- What a server's bank gives; without a row everything is as it is by default.
CREATE TABLE bank (
    guild_id INTEGER NOT NULL CONSTRAINT bank_key PRIMARY KEY,
    refill_to INTEGER NOT NULL CONSTRAINT bank_refill_to CHECK (refill_to >= 0),
    refill_hours INTEGER NOT NULL CONSTRAINT bank_refill_hours CHECK (refill_hours > 0),
    bonus INTEGER NOT NULL CONSTRAINT bank_bonus CHECK (bonus >= 0),
    bonus_hours INTEGER NOT NULL CONSTRAINT bank_bonus_hours CHECK (bonus_hours > 0),
    account_days INTEGER NOT NULL CONSTRAINT bank_account_days CHECK (account_days >= 0),
    hands INTEGER NOT NULL CONSTRAINT bank_hands CHECK (hands >= 0),
    transfer_cap INTEGER NOT NULL CONSTRAINT bank_transfer_cap CHECK (transfer_cap >= 0),
    transfer_fee INTEGER NOT NULL CONSTRAINT bank_transfer_fee CHECK (transfer_fee BETWEEN 0 AND 100),
    -- Where what managers do is told; null is nowhere.
    audit_channel INTEGER
) STRICT;

-- Players who may not move chips, and why.
CREATE TABLE freeze (
    guild_id INTEGER NOT NULL,
    player TEXT NOT NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL,
    CONSTRAINT freeze_key PRIMARY KEY (guild_id, player)
) STRICT;
CREATE INDEX freeze_by_player ON freeze (player, guild_id);

-- What managers did, in order.
CREATE TABLE audit (
    guild_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    manager TEXT NOT NULL,
    -- Null where it concerns nobody: the terms, a prize pool.
    player TEXT,
    action TEXT NOT NULL
        CONSTRAINT audit_action CHECK (action IN (
                'give', 'take', 'set', 'freeze', 'unfreeze', 'terms', 'add', 'add_playing', 'won'
            )),
    chips INTEGER NOT NULL,
    reason TEXT NOT NULL,
    cause TEXT NOT NULL,
    at INTEGER NOT NULL,
    CONSTRAINT audit_key PRIMARY KEY (guild_id, number),
    CONSTRAINT audit_once UNIQUE (guild_id, cause)
) STRICT;
CREATE INDEX audit_by_player ON audit (player, guild_id, number);
CREATE INDEX audit_by_manager ON audit (manager, guild_id);
CREATE TRIGGER audit_is_final_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is final'); END;
CREATE TRIGGER audit_is_final_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is final'); END;


-- Tables and hands ---------------------------------------------------------------------------------------------------

CREATE TABLE game_table (
    guild_id INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    channel_id INTEGER NOT NULL,
    host TEXT NOT NULL,
    language TEXT NOT NULL,
    in_words INTEGER NOT NULL DEFAULT 0 CONSTRAINT game_table_in_words CHECK (in_words IN (0, 1)),
    -- What is played, and for what.
    variant TEXT NOT NULL,
    point_value INTEGER NOT NULL CONSTRAINT game_table_point_value CHECK (point_value >= 0),
    buy_in INTEGER NOT NULL CONSTRAINT game_table_buy_in CHECK (buy_in >= 0),
    limits TEXT NOT NULL DEFAULT '{}',
    max_seats INTEGER NOT NULL,
    pace TEXT NOT NULL DEFAULT 'per_turn',
    turn_seconds INTEGER NOT NULL,
    -- A practice table, which its player alone sees; a table that calls nobody.
    private INTEGER NOT NULL DEFAULT 0 CONSTRAINT game_table_private CHECK (private IN (0, 1)),
    quiet INTEGER NOT NULL DEFAULT 0 CONSTRAINT game_table_quiet CHECK (quiet IN (0, 1)),
    -- Whoever sees its channel may watch it on a page, unless its host has decided otherwise.
    watched INTEGER NOT NULL DEFAULT 1 CONSTRAINT game_table_watched CHECK (watched IN (0, 1)),
    -- A correspondence table whose clocks stand on Saturday and Sunday.
    weekends_off INTEGER NOT NULL DEFAULT 0 CONSTRAINT game_table_weekends_off CHECK (weekends_off IN (0, 1)),
    -- The players for whom it was opened, and those who were removed from it, as JSON.
    invited TEXT NOT NULL DEFAULT '[]',
    removed TEXT NOT NULL DEFAULT '[]',
    -- A queue deals by itself once so many sit; 0 where the host starts.
    starts_with INTEGER NOT NULL DEFAULT 0,
    -- The event that it belongs to.
    tournament_id INTEGER,
    -- Where it stands.
    state TEXT NOT NULL CONSTRAINT game_table_state CHECK (state IN ('lobby', 'playing', 'between', 'closed')),
    closed_reason TEXT,
    created_at INTEGER NOT NULL,
    hand_no INTEGER NOT NULL DEFAULT 0,
    button INTEGER NOT NULL DEFAULT 0,
    turn_since INTEGER,
    -- For how long the clocks stood still since the present turn began, in milliseconds.
    stood_still INTEGER NOT NULL DEFAULT 0,
    -- The decks: the root of a tree and its secret. ``tree_from`` is the tree's first hand, 0 where the commitment is to
    -- the seed of one hand.
    commitment BLOB NOT NULL,
    sealed_seed BLOB NOT NULL,
    tree_from INTEGER NOT NULL DEFAULT 0,
    epoch TEXT NOT NULL DEFAULT '',
    -- Its messages: what is to be drawn, what is drawn, and where. The root's message has it whole and is never edited.
    version INTEGER NOT NULL DEFAULT 1,
    drawn_version INTEGER NOT NULL DEFAULT 0,
    message_id INTEGER,
    retired_id INTEGER,
    call_id INTEGER,
    root_message_id INTEGER,
    -- Whom the message call_id calls: hand, street, players; so that nobody is called twice after a restart.
    called TEXT NOT NULL DEFAULT '',
    -- Whether its hands are to be played in a thread, and the channel of that thread once they are.
    threaded INTEGER NOT NULL DEFAULT 0 CONSTRAINT game_table_threaded CHECK (threaded IN (0, 1)),
    home_id INTEGER,
    CONSTRAINT game_table_key PRIMARY KEY (guild_id, table_id)
) STRICT;
CREATE INDEX game_table_open ON game_table (guild_id, channel_id) WHERE state <> 'closed';
CREATE INDEX game_table_undrawn ON game_table (guild_id, table_id) WHERE drawn_version < version;
CREATE INDEX game_table_tournament ON game_table (guild_id, tournament_id) WHERE tournament_id IS NOT NULL;
CREATE INDEX game_table_invited ON game_table (guild_id, table_id) WHERE invited <> '[]';
CREATE INDEX game_table_by_host ON game_table (host, guild_id);

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
    -- When the turn runs out and when its player is reminded; null while it is not their turn.
    deadline INTEGER,
    remind_at INTEGER,
    reminded INTEGER NOT NULL DEFAULT 0,
    -- What is left of the budget of a hand and of the time bank at a live table.
    left_ms INTEGER NOT NULL DEFAULT 0,
    bank_ms INTEGER NOT NULL DEFAULT 0,
    -- Until when a player waits in a queue.
    waits_until INTEGER,
    -- The table's last hand when they began to sit out; null while they play.
    out_since INTEGER,
    tops_up INTEGER NOT NULL DEFAULT 0 CONSTRAINT seat_tops_up CHECK (tops_up IN (0, 1)),
    moves_to INTEGER,
    -- The hand that its player wishes to begin before its time; 0 for none.
    ready_for INTEGER NOT NULL DEFAULT 0,
    -- What its player has placed and not confirmed: a letter for each card held, the turn that it is for (hand.street), and
    -- the press by which they confirmed it before that turn. No card stands in it; nobody else is shown it.
    draft TEXT NOT NULL DEFAULT '',
    draft_for TEXT NOT NULL DEFAULT '',
    ahead TEXT,
    CONSTRAINT seat_key PRIMARY KEY (guild_id, table_id, seat_no),
    CONSTRAINT seat_once UNIQUE (guild_id, table_id, player),
    CONSTRAINT seat_table FOREIGN KEY (guild_id, table_id) REFERENCES game_table (guild_id, table_id)
) STRICT;
CREATE INDEX seat_by_player ON seat (player, guild_id);
CREATE INDEX seat_deadline ON seat (guild_id) WHERE deadline IS NOT NULL;

-- One row a hand number, without gaps. The deck is never stored: seed and entropy give it back.
CREATE TABLE hand (
    guild_id INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    hand_no INTEGER NOT NULL,
    variant TEXT NOT NULL,
    point_value INTEGER NOT NULL,
    state TEXT NOT NULL CONSTRAINT hand_state CHECK (state IN ('playing', 'settled', 'void', 'undealt')),
    reason TEXT,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    commitment BLOB NOT NULL,
    sealed_seed BLOB NOT NULL,
    entropy TEXT NOT NULL,
    -- Where the hand's seed stands in the tree, and who was dealt what; null for a hand that was committed to by itself.
    deal TEXT,
    -- The name and entropy of a deck that several tables are dealt; null for a deck of the hand's own.
    shared TEXT,
    -- The deck of a hand whose players' entropy was deleted, hidden by the hand's seed; null while it follows from both.
    kept_deck BLOB,
    -- The whole entropy of such a hand, hidden by the seed, for as long as its record stays whole.
    kept_entropy BLOB,
    -- The channel and the message that show its result.
    told_in INTEGER,
    told_by INTEGER,
    CONSTRAINT hand_key PRIMARY KEY (guild_id, table_id, hand_no)
) STRICT;
CREATE INDEX hand_kept_whole ON hand (guild_id, table_id) WHERE kept_entropy IS NOT NULL;

-- What happened at a table, in order. seq is the lock of a table.
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
CREATE INDEX event_by_actor ON event (actor, guild_id, table_id) WHERE actor IS NOT NULL;
-- Who asks for their games has thousands of others.
CREATE INDEX event_lost_seat ON event (actor, guild_id, at) WHERE kind = 'table.lost_seat';
CREATE TRIGGER event_is_final_update BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events are final'); END;
CREATE TRIGGER event_is_final_delete BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'events are final'); END;

-- Who was deleted, and the tables whose hands still name them: the hands of a table from next_hand to last_hand are yet
-- to be rewritten, and are read with the pseudonym meanwhile.
-- Who was deleted, by a keyed hash of the server and the person: until then they are no newcomer there.
CREATE TABLE remembered (
    guild_id INTEGER NOT NULL,
    person BLOB NOT NULL CONSTRAINT remembered_person CHECK (length(person) = 32),
    until INTEGER NOT NULL,
    frozen INTEGER NOT NULL CONSTRAINT remembered_frozen CHECK (frozen IN (0, 1)),
    -- What they had sent on their last day, and when they last had a refill and the bonus; 0 for never.
    sent INTEGER NOT NULL CONSTRAINT remembered_sent CHECK (sent >= 0),
    sent_at INTEGER NOT NULL,
    refill_at INTEGER NOT NULL,
    bonus_at INTEGER NOT NULL,
    CONSTRAINT remembered_key PRIMARY KEY (guild_id, person)
) STRICT;
CREATE INDEX remembered_until ON remembered (until);
CREATE TABLE leaving (
    guild_id INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    player TEXT NOT NULL,
    pseudonym TEXT NOT NULL,
    next_hand INTEGER NOT NULL,
    last_hand INTEGER NOT NULL,
    CONSTRAINT leaving_key PRIMARY KEY (guild_id, table_id, pseudonym),
    CONSTRAINT leaving_table FOREIGN KEY (guild_id, table_id) REFERENCES game_table (guild_id, table_id),
    CONSTRAINT leaving_hands CHECK (next_hand <= last_hand)
) STRICT;
CREATE INDEX leaving_by_player ON leaving (player, guild_id, table_id);

-- Alarms of a table: one of a kind.
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


-- Results, leaderboards, ratings and profiles ------------------------------------------------------------------------

-- What a hand meant for a player.
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
    game TEXT NOT NULL DEFAULT '',
    -- Where the player sat, from 0 on in the order of seats.
    seat INTEGER NOT NULL DEFAULT 0,
    -- What the board collected, and whether it was set in Fantasyland.
    royalties INTEGER NOT NULL DEFAULT 0,
    in_fantasyland INTEGER NOT NULL DEFAULT 0 CONSTRAINT result_in_fantasyland CHECK (in_fantasyland IN (0, 1)),
    -- How many opponents the board was compared with, how many of them it scooped, and whether it held a royal flush.
    met INTEGER NOT NULL DEFAULT 0,
    scoops INTEGER NOT NULL DEFAULT 0,
    royal INTEGER NOT NULL DEFAULT 0 CONSTRAINT result_royal CHECK (royal IN (0, 1)),
    -- In hands for chips: how many the player has won in a row at the table, and how many Fantasylands in a row they have
    -- played there, this hand included.
    wins_in_row INTEGER NOT NULL DEFAULT 0,
    lands_in_row INTEGER NOT NULL DEFAULT 0,
    -- 0 for a board of which its player placed no card, not even in a draft: it earns no badge.
    played INTEGER NOT NULL DEFAULT 1 CONSTRAINT result_played CHECK (played IN (0, 1)),
    -- The season in which the hand ended; 0 for none.
    season INTEGER NOT NULL DEFAULT 0,
    -- The number of the lesson that the hand was for ratings, by server; 0 for none. A board that several tables were
    -- dealt is one.
    lesson INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT result_key PRIMARY KEY (guild_id, table_id, hand_no, player)
) STRICT;
CREATE INDEX result_of_player ON result (player, guild_id, at, table_id, hand_no);
-- A player's last hands for chips are found by one search.
CREATE INDEX result_form ON result (guild_id, player, at, table_id, hand_no, points) WHERE ranked = 1;
-- What was played in a week, and the last day on which anything was.
CREATE INDEX result_by_time ON result (guild_id, at);
CREATE INDEX result_by_lesson ON result (guild_id, lesson) WHERE lesson > 0;

-- Sums of results, so that a leaderboard takes the same time however much was played: one row a player, game and span
-- of time, and one for all games together (an empty game). ``since`` is 0 for all time, and the number of a season. The
-- sums of one leaderboard lie side by side: read row by row from all over a large file they took ten times as long.
CREATE TABLE standing (
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
) STRICT, WITHOUT ROWID;
CREATE INDEX standing_by_player ON standing (player, guild_id);

-- Spans of a server's own, by month or by hand, whose sums are kept for ever.
CREATE TABLE season (
    guild_id INTEGER NOT NULL,
    number INTEGER NOT NULL CONSTRAINT season_number CHECK (number > 0),
    name TEXT NOT NULL,
    began_at INTEGER NOT NULL,
    -- When it ends by itself; null where a manager ends it.
    until INTEGER,
    -- Null while it runs.
    ended_at INTEGER,
    -- What its champions get and where its end is told, as it was when the season ended.
    role_id INTEGER,
    -- Who has chosen that role, and vouches for it; null without one.
    role_by TEXT,
    title TEXT NOT NULL DEFAULT '',
    channel_id INTEGER,
    -- When its end was about to be posted; null before that.
    sending_at INTEGER,
    -- 0 while its role has still to be given, or its end to be posted; then what could not be done.
    told INTEGER NOT NULL DEFAULT 1 CONSTRAINT season_told CHECK (told IN (0, 1)),
    role_missed INTEGER NOT NULL DEFAULT 0 CONSTRAINT season_role_missed CHECK (role_missed IN (0, 1)),
    post_missed INTEGER NOT NULL DEFAULT 0 CONSTRAINT season_post_missed CHECK (post_missed IN (0, 1)),
    CONSTRAINT season_key PRIMARY KEY (guild_id, number)
) STRICT;
CREATE UNIQUE INDEX season_running ON season (guild_id) WHERE ended_at IS NULL;
CREATE INDEX season_due ON season (until) WHERE ended_at IS NULL AND until IS NOT NULL;
CREATE INDEX season_untold ON season (guild_id, number) WHERE told = 0;
CREATE INDEX season_by_role_chooser ON season (role_by, guild_id);

CREATE TABLE season_terms (
    guild_id INTEGER NOT NULL CONSTRAINT season_terms_key PRIMARY KEY,
    monthly INTEGER NOT NULL CONSTRAINT season_terms_monthly CHECK (monthly IN (0, 1)),
    reset_chips INTEGER NOT NULL CONSTRAINT season_terms_reset CHECK (reset_chips IN (0, 1)),
    -- What the champions of a season get, and where its end is told.
    role_id INTEGER,
    role_by TEXT,
    title TEXT NOT NULL DEFAULT '',
    channel_id INTEGER
) STRICT;
CREATE INDEX season_terms_by_role_chooser ON season_terms (role_by, guild_id);

-- A poll about when to play, until what came of it was told.
CREATE TABLE start_poll (
    guild_id INTEGER NOT NULL,
    poll_no INTEGER NOT NULL,
    channel_id INTEGER NOT NULL,
    language TEXT NOT NULL,
    zone TEXT NOT NULL,
    -- The times in milliseconds, the earliest first, as JSON; and for how many hours it is open.
    times TEXT NOT NULL,
    hours INTEGER NOT NULL,
    asked_at INTEGER NOT NULL,
    -- Where it stands, once it was posted, and when Discord closes it.
    message_id INTEGER,
    closes_at INTEGER NOT NULL,
    CONSTRAINT start_poll_key PRIMARY KEY (guild_id, poll_no)
) STRICT;

-- The message of a server that shows its leaderboard, tables and next event, and is kept up to date.
CREATE TABLE club_page (
    guild_id INTEGER NOT NULL CONSTRAINT club_page_key PRIMARY KEY,
    channel_id INTEGER NOT NULL,
    ranked_by TEXT NOT NULL,
    span TEXT NOT NULL,
    game TEXT NOT NULL,
    in_words INTEGER NOT NULL CONSTRAINT club_page_in_words CHECK (in_words IN (0, 1)),
    at_bottom INTEGER NOT NULL CONSTRAINT club_page_at_bottom CHECK (at_bottom IN (0, 1)),
    message_id INTEGER,
    -- A digest of what the message shows, and since when it shows it.
    shown TEXT NOT NULL,
    shown_at INTEGER NOT NULL
) STRICT;

-- The posts that a server has chosen to read by themselves, each once a day or a week at an hour of its zone.
CREATE TABLE bulletin (
    guild_id INTEGER NOT NULL,
    kind TEXT NOT NULL CONSTRAINT bulletin_kind CHECK (kind IN ('morning', 'recap')),
    -- Null where it is turned off.
    channel_id INTEGER,
    hour INTEGER NOT NULL CONSTRAINT bulletin_hour CHECK (hour BETWEEN 0 AND 23),
    -- From Monday (0) on, for a recap.
    weekday INTEGER NOT NULL CONSTRAINT bulletin_weekday CHECK (weekday BETWEEN 0 AND 6),
    zone TEXT NOT NULL,
    in_words INTEGER NOT NULL CONSTRAINT bulletin_in_words CHECK (in_words IN (0, 1)),
    -- When its hour was chosen, the hour of the last one that was seen to, and that of one that may have arrived.
    chosen_at INTEGER NOT NULL,
    told INTEGER NOT NULL,
    sending INTEGER NOT NULL,
    CONSTRAINT bulletin_key PRIMARY KEY (guild_id, kind)
) STRICT;

-- What a week of a server was, as it is told again. Its lists are JSON.
CREATE TABLE recap (
    guild_id INTEGER NOT NULL,
    number INTEGER NOT NULL CONSTRAINT recap_number CHECK (number > 0),
    since INTEGER NOT NULL,
    until INTEGER NOT NULL,
    -- Where it was posted.
    channel_id INTEGER NOT NULL,
    hands INTEGER NOT NULL,
    players INTEGER NOT NULL,
    top TEXT NOT NULL,
    climbs TEXT NOT NULL,
    boards TEXT NOT NULL,
    lucky TEXT NOT NULL,
    unlucky TEXT NOT NULL,
    finishes TEXT NOT NULL,
    masters TEXT NOT NULL,
    pairs TEXT NOT NULL,
    victories TEXT NOT NULL,
    badges TEXT NOT NULL,
    dailies TEXT NOT NULL,
    CONSTRAINT recap_key PRIMARY KEY (guild_id, number),
    CONSTRAINT recap_once UNIQUE (guild_id, until)
) STRICT;

-- Whom a recap names, so that it is found.
CREATE TABLE recap_named (
    player TEXT NOT NULL,
    guild_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    CONSTRAINT recap_named_key PRIMARY KEY (player, guild_id, number)
) STRICT, WITHOUT ROWID;

-- What is known of each player's skill, by group of games. Points are written in millionths.
CREATE TABLE rating (
    guild_id INTEGER NOT NULL,
    game_group TEXT NOT NULL,
    player TEXT NOT NULL,
    mean INTEGER NOT NULL,
    deviation INTEGER NOT NULL CONSTRAINT rating_deviation CHECK (deviation > 0),
    hands INTEGER NOT NULL CONSTRAINT rating_hands CHECK (hands > 0),
    -- When it was last taught something.
    at INTEGER NOT NULL,
    CONSTRAINT rating_key PRIMARY KEY (guild_id, game_group, player)
) STRICT;
CREATE INDEX rating_by_player ON rating (player, guild_id);

CREATE TABLE luck (
    guild_id INTEGER NOT NULL,
    game_group TEXT NOT NULL,
    squares INTEGER NOT NULL,
    freedom INTEGER NOT NULL,
    CONSTRAINT luck_key PRIMARY KEY (guild_id, game_group)
) STRICT;

-- By which model a server's ratings were made, 0 for none yet, and how many lessons there were.
CREATE TABLE rating_book (
    guild_id INTEGER NOT NULL CONSTRAINT rating_book_key PRIMARY KEY,
    model INTEGER NOT NULL,
    lessons INTEGER NOT NULL
) STRICT;

-- A player's profile, of all hands for chips. The best board is that with the most royalties, the first of equals; table
-- 0 for none yet.
CREATE TABLE career (
    guild_id INTEGER NOT NULL,
    player TEXT NOT NULL,
    met INTEGER NOT NULL,
    scoops INTEGER NOT NULL,
    best_royalties INTEGER NOT NULL,
    best_table INTEGER NOT NULL,
    best_hand INTEGER NOT NULL,
    CONSTRAINT career_key PRIMARY KEY (guild_id, player)
) STRICT;
CREATE INDEX career_by_player ON career (player, guild_id);

-- Two players in the hands for chips that both played, once from each side: how often the player made more points than
-- the other, or fewer, and the chips that went from the other to them.
CREATE TABLE versus (
    guild_id INTEGER NOT NULL,
    player TEXT NOT NULL,
    other TEXT NOT NULL,
    hands INTEGER NOT NULL,
    ahead INTEGER NOT NULL,
    behind INTEGER NOT NULL,
    chips INTEGER NOT NULL,
    CONSTRAINT versus_key PRIMARY KEY (guild_id, player, other)
) STRICT;
CREATE INDEX versus_by_player ON versus (player, guild_id);
CREATE INDEX versus_by_other ON versus (other, guild_id);

-- What a player is proud of, each once in a server, or once for a month: with the hand that earned it, or else that whose
-- result tells of it; table 0 where there is none. ``since`` is when that month began, 0 for what is earned once for ever.
CREATE TABLE badge (
    guild_id INTEGER NOT NULL,
    player TEXT NOT NULL,
    badge TEXT NOT NULL,
    at INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    hand_no INTEGER NOT NULL,
    since INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT badge_key PRIMARY KEY (guild_id, player, badge, since)
) STRICT;
CREATE INDEX badge_by_player ON badge (player, guild_id);

-- Months with hands for chips whose badges are yet to be given: they are once the month is over.
CREATE TABLE badge_month (
    guild_id INTEGER NOT NULL,
    since INTEGER NOT NULL,
    CONSTRAINT badge_month_key PRIMARY KEY (guild_id, since)
) STRICT;
CREATE INDEX badge_month_due ON badge_month (since);

-- The best that each player has done at each game in hands for chips, the first of equals: what a server's records are
-- found in. Of the kind 'event' the players of the largest event, whose number stands as the table, without a player.
CREATE TABLE feat (
    guild_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    game TEXT NOT NULL,
    player TEXT NOT NULL,
    value INTEGER NOT NULL,
    at INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    hand_no INTEGER NOT NULL,
    CONSTRAINT feat_key PRIMARY KEY (guild_id, kind, game, player)
) STRICT;
CREATE INDEX feat_best ON feat (guild_id, kind, value DESC, at, table_id, hand_no);
CREATE INDEX feat_best_at_game ON feat (guild_id, kind, game, value DESC, at, table_id, hand_no);
CREATE INDEX feat_by_player ON feat (player, guild_id);


-- What servers and players have chosen -------------------------------------------------------------------------------

-- Null is what everybody has who has chosen nothing: Discord's language, the bot's own game, point value and clock.
CREATE TABLE server (
    guild_id INTEGER NOT NULL CONSTRAINT server_key PRIMARY KEY,
    language TEXT,
    zone TEXT NOT NULL,
    game TEXT,
    point_value INTEGER CONSTRAINT server_point_value CHECK (point_value >= 0),
    pace TEXT,
    turn_seconds INTEGER CONSTRAINT server_turn_seconds CHECK (turn_seconds >= 0),
    -- Where tables may be opened, as a list of ids; an empty one is anywhere.
    channels TEXT NOT NULL DEFAULT '[]',
    threads INTEGER NOT NULL DEFAULT 0 CONSTRAINT server_threads CHECK (threads IN (0, 1)),
    -- Whether what everybody reads at new tables is written in words alone.
    in_words INTEGER NOT NULL DEFAULT 0 CONSTRAINT server_in_words CHECK (in_words IN (0, 1)),
    -- Who may hold events and who may open tables, and who is told of new ones; null is nobody but managers, everybody,
    -- and nobody.
    organiser_role INTEGER,
    host_role INTEGER,
    told_role INTEGER,
    -- Who has chosen that role, and vouches for it; null without one.
    told_role_by TEXT,
    -- When the role was last told of a new table, and of which.
    told_at INTEGER,
    told_table INTEGER,
    -- When the welcome was sent, where, and the message; without a message it may not have arrived.
    welcomed_at INTEGER,
    welcome_channel INTEGER,
    welcome_message INTEGER,
    -- Since when the bot is no member of the server any more; null while it is.
    left_at INTEGER
) STRICT;
CREATE INDEX server_by_role_chooser ON server (told_role_by, guild_id);

CREATE TABLE member (
    guild_id INTEGER NOT NULL,
    player TEXT NOT NULL,
    -- Null is the language that Discord tells.
    language TEXT,
    reminders INTEGER NOT NULL CONSTRAINT member_reminders CHECK (reminders IN (0, 1)),
    calls TEXT NOT NULL DEFAULT 'after_silence'
        CONSTRAINT member_calls CHECK (calls IN ('at_once', 'after_silence', 'never')),
    confirm_at_once INTEGER NOT NULL DEFAULT 0 CONSTRAINT member_confirm_at_once CHECK (confirm_at_once IN (0, 1)),
    deck TEXT NOT NULL DEFAULT 'four_colours'
        CONSTRAINT member_deck CHECK (deck IN ('four_colours', 'two_colours', 'words')),
    size TEXT NOT NULL DEFAULT 'large' CONSTRAINT member_size CHECK (size IN ('large', 'compact')),
    text_only INTEGER NOT NULL DEFAULT 0 CONSTRAINT member_text_only CHECK (text_only IN (0, 1)),
    -- 0 for players who keep their profile to themselves.
    profile_visible INTEGER NOT NULL DEFAULT 1 CONSTRAINT member_profile_visible CHECK (profile_visible IN (0, 1)),
    -- The hand that they were shown last: t and the number of a table, d and that of a hand of a day; r for another try.
    shown TEXT NOT NULL DEFAULT '',
    -- A vacation, 0 for none, and how much of a year's allowance vacations before it have taken (milliseconds).
    vacation_from INTEGER NOT NULL DEFAULT 0,
    vacation_until INTEGER NOT NULL DEFAULT 0,
    vacation_year INTEGER NOT NULL DEFAULT 0,
    vacation_used INTEGER NOT NULL DEFAULT 0,
    -- Hours of the day, by the clocks of a zone: from when until when calls by correspondence are held, and when one
    -- digest a day is sent in their place.
    zone TEXT NOT NULL DEFAULT '',
    quiet_from INTEGER CONSTRAINT member_quiet_from CHECK (quiet_from BETWEEN 0 AND 23),
    quiet_until INTEGER NOT NULL DEFAULT 8 CONSTRAINT member_quiet_until CHECK (quiet_until BETWEEN 0 AND 23),
    digest_at INTEGER CONSTRAINT member_digest_at CHECK (digest_at BETWEEN 0 AND 23),
    -- When the next digest is due (milliseconds), 0 for none. The last one, or without a message the channel in which
    -- one may have arrived.
    digest_due INTEGER NOT NULL DEFAULT 0,
    digest_channel INTEGER,
    digest_message INTEGER,
    CONSTRAINT member_key PRIMARY KEY (guild_id, player)
) STRICT;
CREATE INDEX member_by_player ON member (player, guild_id);
CREATE INDEX member_digest ON member (digest_due) WHERE digest_due > 0;

-- Players with whom a player will not be seated. Only that player is ever told.
CREATE TABLE seat_refusal (
    guild_id INTEGER NOT NULL,
    player TEXT NOT NULL,
    other TEXT NOT NULL,
    at INTEGER NOT NULL,
    CONSTRAINT seat_refusal_key PRIMARY KEY (guild_id, player, other),
    CONSTRAINT seat_refusal_of_another CHECK (player <> other)
) STRICT;
CREATE INDEX seat_refusal_by_player ON seat_refusal (player, guild_id);
CREATE INDEX seat_refusal_by_other ON seat_refusal (other, guild_id);

-- Who may open a table's page by a token, of which only the digest is kept; times are milliseconds.
CREATE TABLE page_token (
    digest BLOB NOT NULL CONSTRAINT page_token_key PRIMARY KEY,
    guild_id INTEGER NOT NULL,
    player TEXT NOT NULL,
    locale TEXT NOT NULL,
    given_at INTEGER NOT NULL,
    until INTEGER NOT NULL,
    CONSTRAINT page_token_lasts CHECK (until > given_at)
) STRICT;
CREATE INDEX page_token_by_player ON page_token (player, guild_id);

-- A game of a server: a preset with overrides, under a name of its own.
CREATE TABLE house_game (
    guild_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    spec TEXT NOT NULL,
    changed_by TEXT NOT NULL,
    changed_at INTEGER NOT NULL,
    CONSTRAINT house_game_key PRIMARY KEY (guild_id, name)
) STRICT;
CREATE INDEX house_game_by_changer ON house_game (changed_by, guild_id);

-- Names that managers give to tables, for others to be opened like them.
CREATE TABLE table_template (
    guild_id INTEGER NOT NULL,
    -- The name without regard to case and width.
    folded TEXT NOT NULL,
    name TEXT NOT NULL,
    table_id INTEGER NOT NULL,
    saved_by TEXT NOT NULL,
    saved_at INTEGER NOT NULL,
    CONSTRAINT table_template_key PRIMARY KEY (guild_id, folded),
    CONSTRAINT table_template_table FOREIGN KEY (guild_id, table_id) REFERENCES game_table (guild_id, table_id)
) STRICT;
CREATE INDEX table_template_by_saver ON table_template (saved_by, guild_id);


-- Events -------------------------------------------------------------------------------------------------------------

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
    description TEXT NOT NULL DEFAULT '',
    -- How often it is held, in which time zone and at which minute of its day, as JSON; null for once.
    repeat_rule TEXT,
    -- What its repetition is called in calendars, empty for none; and how often the events before it in it have changed.
    repeats_as TEXT NOT NULL DEFAULT '',
    repeats_changes INTEGER NOT NULL DEFAULT 0,
    -- Where it stands.
    phase TEXT NOT NULL
        CONSTRAINT tournament_phase CHECK (phase IN ('registering', 'check_in', 'running', 'ended', 'cancelled')),
    starts_at INTEGER,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    ended_at INTEGER,
    reason TEXT NOT NULL,
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
    reminded INTEGER NOT NULL CONSTRAINT tournament_reminded CHECK (reminded IN (0, 1)),
    alarm_at INTEGER,
    -- The draw: its seed lies open once it was made. Then the decks that all tables of a duplicate event are dealt.
    epoch TEXT NOT NULL DEFAULT '',
    commitment BLOB NOT NULL,
    sealed_seed BLOB NOT NULL,
    seed BLOB,
    -- Who was drawn with what they added, hidden by the seed, while the record stays whole after somebody was deleted.
    kept_draw BLOB,
    decks_epoch TEXT NOT NULL DEFAULT '',
    board_commitment BLOB NOT NULL,
    board_sealed BLOB NOT NULL,
    -- What it had committed to for them before restores, as JSON: it is shown in the end.
    former_decks TEXT NOT NULL DEFAULT '[]',
    calls TEXT NOT NULL DEFAULT '[]',
    -- Its messages, and what Discord lists among the server's events.
    version INTEGER NOT NULL,
    drawn_version INTEGER NOT NULL,
    message_id INTEGER,
    scheduled_id INTEGER,
    scheduled_as TEXT NOT NULL,
    -- Where its organisers keep their desk, and the message that shows it.
    desk_channel INTEGER,
    desk_message INTEGER,
    CONSTRAINT tournament_key PRIMARY KEY (guild_id, tournament_id)
) STRICT;
CREATE INDEX tournament_kept_whole ON tournament (ended_at) WHERE kept_draw IS NOT NULL;
CREATE INDEX tournament_alarm ON tournament (alarm_at) WHERE alarm_at IS NOT NULL;
CREATE INDEX tournament_undrawn ON tournament (guild_id, tournament_id) WHERE drawn_version < version;
CREATE INDEX tournament_series ON tournament (guild_id, series) WHERE series <> '';
CREATE INDEX tournament_helped ON tournament (guild_id, tournament_id) WHERE helpers <> '[]';
CREATE INDEX tournament_by_organiser ON tournament (organiser, guild_id);

CREATE TABLE entrant (
    guild_id INTEGER NOT NULL,
    tournament_id INTEGER NOT NULL,
    player TEXT NOT NULL,
    state TEXT NOT NULL
        CONSTRAINT entrant_state CHECK (state IN ('registered', 'checked_in', 'playing', 'out', 'withdrawn')),
    registered_at INTEGER NOT NULL,
    cause TEXT NOT NULL,
    -- What they put into the shuffle of their next hand at a table that the event gives them; empty once they sit.
    adds TEXT NOT NULL DEFAULT '',
    entries INTEGER NOT NULL,
    number INTEGER NOT NULL,
    -- The seed that an organiser has given them by hand; 0 for none.
    seeded INTEGER NOT NULL DEFAULT 0,
    score INTEGER NOT NULL,
    hands INTEGER NOT NULL,
    out_moment INTEGER NOT NULL,
    out_stack INTEGER NOT NULL,
    out_order INTEGER NOT NULL,
    place INTEGER NOT NULL,
    prize INTEGER NOT NULL,
    -- Once it is over: whether a card in it was placed by the player.
    played INTEGER NOT NULL DEFAULT 0 CONSTRAINT entrant_played CHECK (played IN (0, 1)),
    -- The bounty on their head, which lies in the pool, and what they have won of others'.
    head INTEGER NOT NULL DEFAULT 0 CONSTRAINT entrant_head CHECK (head >= 0),
    bounties INTEGER NOT NULL DEFAULT 0 CONSTRAINT entrant_bounties CHECK (bounties >= 0),
    disqualified INTEGER NOT NULL CONSTRAINT entrant_disqualified CHECK (disqualified IN (0, 1)),
    penalty INTEGER NOT NULL,
    move_to INTEGER,
    absent INTEGER NOT NULL CONSTRAINT entrant_absent CHECK (absent IN (0, 1)),
    CONSTRAINT entrant_key PRIMARY KEY (guild_id, tournament_id, player),
    CONSTRAINT entrant_tournament FOREIGN KEY (guild_id, tournament_id)
        REFERENCES tournament (guild_id, tournament_id)
) STRICT;
CREATE INDEX entrant_by_player ON entrant (player, guild_id);

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
    held INTEGER NOT NULL DEFAULT 0 CONSTRAINT tournament_table_held CHECK (held IN (0, 1)),
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
CREATE INDEX tournament_match_by_winner ON tournament_match (winner, guild_id);

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
CREATE INDEX tournament_log_by_actor ON tournament_log (actor, guild_id) WHERE actor IS NOT NULL;
CREATE TRIGGER tournament_log_is_final_update BEFORE UPDATE ON tournament_log
    BEGIN SELECT RAISE(ABORT, 'events are final'); END;
CREATE TRIGGER tournament_log_is_final_delete BEFORE DELETE ON tournament_log
    BEGIN SELECT RAISE(ABORT, 'events are final'); END;

-- Whom the lines of an event's log name in their details, so that their lines are found.
CREATE TABLE tournament_named (
    player TEXT NOT NULL,
    guild_id INTEGER NOT NULL,
    tournament_id INTEGER NOT NULL,
    CONSTRAINT tournament_named_key PRIMARY KEY (player, guild_id, tournament_id)
) STRICT, WITHOUT ROWID;

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
CREATE INDEX tournament_draft_by_organiser ON tournament_draft (organiser, guild_id);


-- Daily hands --------------------------------------------------------------------------------------------------------

-- The daily hand and the weekly one: the same deck for everybody, one try each, for points alone. They belong to no
-- server.
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
CREATE INDEX attempt_by_player ON attempt (player);

-- What happened in a try, in order.
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
CREATE INDEX attempt_fact_by_player ON attempt_fact (player);
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


-- Several processes that share the servers of one bot, on PostgreSQL. SQLite has one, and no row here. ---------------

-- Each start is another process: one that was given up for dead never comes back under its number. alive_at is by the
-- clock of the process, as all clocks of play, and expires_at by that of the database.
CREATE TABLE process (
    process_id INTEGER PRIMARY KEY,
    shard_count INTEGER NOT NULL CONSTRAINT process_shard_count CHECK (shard_count > 0),
    alive_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    -- A process that leaves keeps what it has until others are ready for it, and takes nothing.
    leaves INTEGER NOT NULL DEFAULT 0 CONSTRAINT process_leaves CHECK (leaves IN (0, 1)),
    -- What the database calls its connections: those of a dead process are ended, since it may be frozen amid a
    -- transaction.
    connections TEXT NOT NULL DEFAULT '',
    -- Where it serves tables' pages; empty where it serves none.
    page_url TEXT NOT NULL DEFAULT ''
) STRICT;

-- Who serves a shard. A row is made and taken away, never changed: whoever writes for a server holds it meanwhile.
CREATE TABLE shard_lease (
    shard_id INTEGER NOT NULL,
    process_id INTEGER NOT NULL CONSTRAINT shard_lease_process REFERENCES process (process_id) ON DELETE CASCADE,
    -- The newest press (its id) that the process before has answered: what came later is the next one's.
    answered_to INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT shard_lease_key PRIMARY KEY (shard_id)
) STRICT;

-- Who is to have a shard that another process still serves. It is ready once it is connected.
CREATE TABLE heir (
    shard_id INTEGER NOT NULL CONSTRAINT heir_shard REFERENCES shard_lease (shard_id) ON DELETE CASCADE,
    process_id INTEGER NOT NULL CONSTRAINT heir_process REFERENCES process (process_id) ON DELETE CASCADE,
    ready INTEGER NOT NULL DEFAULT 0 CONSTRAINT heir_ready CHECK (ready IN (0, 1)),
    CONSTRAINT heir_key PRIMARY KEY (shard_id)
) STRICT;

-- When the next login to Discord may be made, by the bucket that Discord counts it in.
CREATE TABLE login_gate (
    bucket INTEGER NOT NULL,
    free_at INTEGER NOT NULL,
    CONSTRAINT login_gate_key PRIMARY KEY (bucket)
) STRICT;

-- Servers whose books do not balance: one process looks at them, and all keep chips out there.
CREATE TABLE frozen_server (
    guild_id INTEGER NOT NULL,
    CONSTRAINT frozen_server_key PRIMARY KEY (guild_id)
) STRICT;
