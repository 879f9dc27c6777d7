-- Schema 6 on PostgreSQL: the constraint of the managers' log is changed in place.

ALTER TABLE entrant ADD COLUMN end_place BIGINT NOT NULL DEFAULT 0;
ALTER TABLE entrant ADD COLUMN end_prize BIGINT NOT NULL DEFAULT 0;
UPDATE entrant SET end_place = place, end_prize = prize WHERE place > 0;

ALTER TABLE audit DROP CONSTRAINT audit_action;
ALTER TABLE audit ADD CONSTRAINT audit_action CHECK (action IN (
    'give', 'take', 'set', 'freeze', 'unfreeze', 'terms', 'add', 'add_playing', 'won', 'ruling'
));

-- The table's number within its event, for people. Open tables of one event have different numbers, and a later round
-- uses the numbers again. NULL outside events, and for tables opened before: they're called by their table_id.
ALTER TABLE game_table ADD COLUMN number_in_event BIGINT
    CONSTRAINT game_table_number_in_event CHECK (number_in_event > 0);
CREATE UNIQUE INDEX game_table_number_in_event ON game_table (guild_id, event_id, number_in_event)
    WHERE number_in_event IS NOT NULL AND state <> 'closed';

-- For clubs that mostly play events: recaps list the players with the most season points in the week's events, and
-- a club page can rank by events or chips, depending on where most hands are played. Pages from before keep their order.
ALTER TABLE recap ADD COLUMN event_points TEXT NOT NULL DEFAULT '[]';
ALTER TABLE club_page ADD COLUMN follows_play BIGINT NOT NULL DEFAULT 0
    CONSTRAINT club_page_follows_play CHECK (follows_play IN (0, 1));

-- Whether members with the organisers' role may run every event that they don't play in, and the role that is pinged
-- when an event opens; null is none.
ALTER TABLE server ADD COLUMN stand_ins BIGINT NOT NULL DEFAULT 0
    CONSTRAINT server_stand_ins CHECK (stand_ins IN (0, 1));
ALTER TABLE server ADD COLUMN event_role BIGINT;

-- 0 for players who aren't pinged when a series opens a date after one that they played on.
ALTER TABLE member ADD COLUMN series_calls BIGINT NOT NULL DEFAULT 1
    CONSTRAINT member_series_calls CHECK (series_calls IN (0, 1));
