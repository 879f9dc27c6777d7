-- Schema 3: events are called events. Their tables were called tournament, and the log of what happens at tables, event.
-- Values that rows hold stay as they are, but for the names of tables in mentioned. Constraints keep their names, since
-- SQLite can't rename them. PostgreSQL runs 0003_event_names.postgres.sql instead.

-- A trigger would be rewritten by a rename, and an index can't be renamed: both are made again below.
DROP TRIGGER event_is_final_update;
DROP TRIGGER event_is_final_delete;
DROP TRIGGER tournament_log_is_final_update;
DROP TRIGGER tournament_log_is_final_delete;
DROP INDEX event_by_hand;
DROP INDEX event_by_actor;
DROP INDEX event_lost_seat;
DROP INDEX game_table_tournament;
DROP INDEX tournament_kept_whole;
DROP INDEX tournament_alarm;
DROP INDEX tournament_undrawn;
DROP INDEX tournament_series;
DROP INDEX tournament_helped;
DROP INDEX tournament_by_organiser;
DROP INDEX tournament_table_by_event;
DROP INDEX tournament_match_by_winner;
DROP INDEX tournament_log_by_actor;
DROP INDEX tournament_outbox_by_event;
DROP INDEX tournament_draft_by_organiser;


-- What happens at a table: dealing, placing, results, seats.
ALTER TABLE event RENAME TO table_log;
CREATE INDEX table_log_by_hand ON table_log (guild_id, table_id, hand_no, seq);
CREATE INDEX table_log_by_actor ON table_log (actor, guild_id, table_id) WHERE actor IS NOT NULL;
CREATE INDEX table_log_lost_seat ON table_log (actor, guild_id, at) WHERE kind = 'table.lost_seat';
CREATE TRIGGER table_log_is_final_update BEFORE UPDATE ON table_log
    BEGIN SELECT RAISE(ABORT, 'events are final'); END;
CREATE TRIGGER table_log_is_final_delete BEFORE DELETE ON table_log
    BEGIN SELECT RAISE(ABORT, 'events are final'); END;

ALTER TABLE game_table RENAME COLUMN tournament_id TO event_id;
CREATE INDEX game_table_event ON game_table (guild_id, event_id) WHERE event_id IS NOT NULL;


-- Events -------------------------------------------------------------------------------------------------------------

ALTER TABLE tournament RENAME TO event;
ALTER TABLE event RENAME COLUMN tournament_id TO event_id;
CREATE INDEX event_kept_whole ON event (ended_at) WHERE kept_draw IS NOT NULL;
CREATE INDEX event_alarm ON event (alarm_at) WHERE alarm_at IS NOT NULL;
CREATE INDEX event_undrawn ON event (guild_id, event_id) WHERE drawn_version < version;
CREATE INDEX event_series ON event (guild_id, series) WHERE series <> '';
CREATE INDEX event_helped ON event (guild_id, event_id) WHERE helpers <> '[]';
CREATE INDEX event_by_organiser ON event (organiser, guild_id);

ALTER TABLE entrant RENAME COLUMN tournament_id TO event_id;

ALTER TABLE tournament_table RENAME TO event_table;
ALTER TABLE event_table RENAME COLUMN tournament_id TO event_id;
CREATE INDEX event_table_by_event ON event_table (guild_id, event_id, table_id);

ALTER TABLE tournament_match RENAME TO event_match;
ALTER TABLE event_match RENAME COLUMN tournament_id TO event_id;
CREATE INDEX event_match_by_winner ON event_match (winner, guild_id);

ALTER TABLE tournament_log RENAME TO event_log;
ALTER TABLE event_log RENAME COLUMN tournament_id TO event_id;
CREATE INDEX event_log_by_actor ON event_log (actor, guild_id) WHERE actor IS NOT NULL;
CREATE TRIGGER event_log_is_final_update BEFORE UPDATE ON event_log
    BEGIN SELECT RAISE(ABORT, 'events are final'); END;
CREATE TRIGGER event_log_is_final_delete BEFORE DELETE ON event_log
    BEGIN SELECT RAISE(ABORT, 'events are final'); END;

ALTER TABLE tournament_named RENAME TO event_named;
ALTER TABLE event_named RENAME COLUMN tournament_id TO event_id;

ALTER TABLE tournament_outbox RENAME TO event_outbox;
ALTER TABLE event_outbox RENAME COLUMN tournament_id TO event_id;
CREATE INDEX event_outbox_by_event ON event_outbox (guild_id, event_id, outbox_id);

ALTER TABLE tournament_draft RENAME TO event_draft;
CREATE INDEX event_draft_by_organiser ON event_draft (organiser, guild_id);

UPDATE mentioned SET source = 'event' WHERE source = 'tournament';
UPDATE mentioned SET source = 'event_draft' WHERE source = 'tournament_draft';
