-- Schema 7: events with a public web page, and badges only for places that were played for. The page's address is a random
-- word, empty while there's no page.

ALTER TABLE event ADD COLUMN page TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX event_by_page ON event (page) WHERE page <> '';

-- A place on the podium or a win in a big event used to earn its badge without a card placed in that event.
DELETE FROM badge WHERE badge.badge IN ('event_podium', 'big_event_won') AND NOT EXISTS (
    SELECT 1 FROM entrant n JOIN event t ON t.guild_id = n.guild_id AND t.event_id = n.event_id
    WHERE n.guild_id = badge.guild_id AND n.player = badge.player AND n.played = 1
        AND n.place BETWEEN 1 AND CASE badge.badge WHEN 'event_podium' THEN 3 ELSE 1 END
        AND t.phase = 'ended' AND t.structure NOT LIKE '%"handicap":true%'
        AND NOT EXISTS (
            SELECT 1 FROM entrant c
            WHERE c.guild_id = n.guild_id AND c.event_id = n.event_id AND c.player LIKE 'computer-%'
        )
        AND (
            SELECT COUNT(*) FROM entrant o WHERE o.guild_id = n.guild_id AND o.event_id = n.event_id AND o.place > 0
        ) >= CASE badge.badge WHEN 'event_podium' THEN 8 ELSE 16 END
);
