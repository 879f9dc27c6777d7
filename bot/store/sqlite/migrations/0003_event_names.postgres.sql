-- Schema 3 on PostgreSQL: renames only, so nothing is built again.

ALTER TABLE event RENAME TO table_log;
ALTER INDEX event_by_hand RENAME TO table_log_by_hand;
ALTER INDEX event_by_actor RENAME TO table_log_by_actor;
ALTER INDEX event_lost_seat RENAME TO table_log_lost_seat;
ALTER TRIGGER event_is_final_update ON table_log RENAME TO table_log_is_final_update;
ALTER TRIGGER event_is_final_delete ON table_log RENAME TO table_log_is_final_delete;
ALTER FUNCTION event_is_final_update() RENAME TO table_log_is_final_update;
ALTER FUNCTION event_is_final_delete() RENAME TO table_log_is_final_delete;

ALTER TABLE game_table RENAME COLUMN tournament_id TO event_id;
ALTER INDEX game_table_tournament RENAME TO game_table_event;

ALTER TABLE tournament RENAME TO event;
ALTER TABLE event RENAME COLUMN tournament_id TO event_id;
ALTER INDEX tournament_kept_whole RENAME TO event_kept_whole;
ALTER INDEX tournament_alarm RENAME TO event_alarm;
ALTER INDEX tournament_undrawn RENAME TO event_undrawn;
ALTER INDEX tournament_series RENAME TO event_series;
ALTER INDEX tournament_helped RENAME TO event_helped;
ALTER INDEX tournament_by_organiser RENAME TO event_by_organiser;

ALTER TABLE entrant RENAME COLUMN tournament_id TO event_id;

ALTER TABLE tournament_table RENAME TO event_table;
ALTER TABLE event_table RENAME COLUMN tournament_id TO event_id;
ALTER INDEX tournament_table_by_event RENAME TO event_table_by_event;

ALTER TABLE tournament_match RENAME TO event_match;
ALTER TABLE event_match RENAME COLUMN tournament_id TO event_id;
ALTER INDEX tournament_match_by_winner RENAME TO event_match_by_winner;

ALTER TABLE tournament_log RENAME TO event_log;
ALTER TABLE event_log RENAME COLUMN tournament_id TO event_id;
ALTER INDEX tournament_log_by_actor RENAME TO event_log_by_actor;
ALTER TRIGGER tournament_log_is_final_update ON event_log RENAME TO event_log_is_final_update;
ALTER TRIGGER tournament_log_is_final_delete ON event_log RENAME TO event_log_is_final_delete;
ALTER FUNCTION tournament_log_is_final_update() RENAME TO event_log_is_final_update;
ALTER FUNCTION tournament_log_is_final_delete() RENAME TO event_log_is_final_delete;

ALTER TABLE tournament_named RENAME TO event_named;
ALTER TABLE event_named RENAME COLUMN tournament_id TO event_id;

ALTER TABLE tournament_outbox RENAME TO event_outbox;
ALTER TABLE event_outbox RENAME COLUMN tournament_id TO event_id;
ALTER SEQUENCE tournament_outbox_outbox_id_seq RENAME TO event_outbox_outbox_id_seq;
ALTER INDEX tournament_outbox_by_event RENAME TO event_outbox_by_event;

ALTER TABLE tournament_draft RENAME TO event_draft;
ALTER INDEX tournament_draft_by_organiser RENAME TO event_draft_by_organiser;

UPDATE mentioned SET source = 'event' WHERE source = 'tournament';
UPDATE mentioned SET source = 'event_draft' WHERE source = 'tournament_draft';
