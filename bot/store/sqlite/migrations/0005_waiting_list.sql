-- Schema 5: waiting lists of events.

-- Players who wait for a place in a full event. A row goes when its player gets a place or leaves the list, and at the
-- latest when the event starts. While offered_until is set, a free place is kept for the player until then.
CREATE TABLE waiting_player (
    guild_id INTEGER NOT NULL,
    event_id INTEGER NOT NULL,
    player TEXT NOT NULL,
    turn INTEGER NOT NULL,
    since INTEGER NOT NULL,
    offered_until INTEGER,
    CONSTRAINT waiting_player_key PRIMARY KEY (guild_id, event_id, player),
    CONSTRAINT waiting_player_event FOREIGN KEY (guild_id, event_id) REFERENCES event (guild_id, event_id)
) STRICT;
CREATE INDEX waiting_player_by_player ON waiting_player (player, guild_id);
