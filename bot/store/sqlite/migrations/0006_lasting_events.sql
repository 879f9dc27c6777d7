-- Schema 6: rulings on finished events, tables numbered within their event, event points first in clubs that mostly play
-- events, stand-ins for organisers, and pings when an event opens.

-- A player's place and prize at the end of an event, before any rulings. Both are 0 until then.
ALTER TABLE entrant ADD COLUMN end_place INTEGER NOT NULL DEFAULT 0;
ALTER TABLE entrant ADD COLUMN end_prize INTEGER NOT NULL DEFAULT 0;
UPDATE entrant SET end_place = place, end_prize = prize WHERE place > 0;

-- The managers' log also has rulings. SQLite can't change a constraint, so the table is made again. PostgreSQL runs
-- 0006_lasting_events.postgres.sql instead.
DROP TRIGGER audit_is_final_update;
DROP TRIGGER audit_is_final_delete;
DROP INDEX audit_by_player;
DROP INDEX audit_by_manager;
ALTER TABLE audit RENAME TO former_audit;
CREATE TABLE audit (
    guild_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    manager TEXT NOT NULL,
    -- Null where it concerns nobody: the terms, a prize pool, an event's series.
    player TEXT,
    action TEXT NOT NULL
        CONSTRAINT audit_action CHECK (action IN (
                'give', 'take', 'set', 'freeze', 'unfreeze', 'terms', 'add', 'add_playing', 'won', 'ruling'
            )),
    chips INTEGER NOT NULL,
    reason TEXT NOT NULL,
    cause TEXT NOT NULL,
    at INTEGER NOT NULL,
    CONSTRAINT audit_key PRIMARY KEY (guild_id, number),
    CONSTRAINT audit_once UNIQUE (guild_id, cause)
) STRICT;
INSERT INTO audit (guild_id, number, manager, player, action, chips, reason, cause, at)
SELECT guild_id, number, manager, player, action, chips, reason, cause, at FROM former_audit;
DROP TABLE former_audit;
CREATE INDEX audit_by_player ON audit (player, guild_id, number);
CREATE INDEX audit_by_manager ON audit (manager, guild_id);
CREATE TRIGGER audit_is_final_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is final'); END;
CREATE TRIGGER audit_is_final_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is final'); END;

-- The table's number within its event, for people. Open tables of one event have different numbers, and a later round
-- uses the numbers again. NULL outside events, and for tables opened before: they're called by their table_id.
ALTER TABLE game_table ADD COLUMN number_in_event INTEGER
    CONSTRAINT game_table_number_in_event CHECK (number_in_event > 0);
CREATE UNIQUE INDEX game_table_number_in_event ON game_table (guild_id, event_id, number_in_event)
    WHERE number_in_event IS NOT NULL AND state <> 'closed';

-- For clubs that mostly play events: recaps list the players with the most season points in the week's events, and
-- a club page can rank by events or chips, depending on where most hands are played. Pages from before keep their order.
ALTER TABLE recap ADD COLUMN event_points TEXT NOT NULL DEFAULT '[]';
ALTER TABLE club_page ADD COLUMN follows_play INTEGER NOT NULL DEFAULT 0
    CONSTRAINT club_page_follows_play CHECK (follows_play IN (0, 1));

-- Whether members with the organisers' role may run every event that they don't play in, and the role that is pinged
-- when an event opens; null is none.
ALTER TABLE server ADD COLUMN stand_ins INTEGER NOT NULL DEFAULT 0
    CONSTRAINT server_stand_ins CHECK (stand_ins IN (0, 1));
ALTER TABLE server ADD COLUMN event_role INTEGER;

-- 0 for players who aren't pinged when a series opens a date after one that they played on.
ALTER TABLE member ADD COLUMN series_calls INTEGER NOT NULL DEFAULT 1
    CONSTRAINT member_series_calls CHECK (series_calls IN (0, 1));
