-- Schema 7: an event numbers its tables from 1.

-- The table's number within its event, for people. Open tables of one event have different numbers, and a later round
-- uses the numbers again. NULL outside events, and for tables opened before: they're called by their table_id.
ALTER TABLE game_table ADD COLUMN number_in_event INTEGER
    CONSTRAINT game_table_number_in_event CHECK (number_in_event > 0);
CREATE UNIQUE INDEX game_table_number_in_event ON game_table (guild_id, event_id, number_in_event)
    WHERE number_in_event IS NOT NULL AND state <> 'closed';
