-- Schema 8: clubs that mostly play events. Recaps list the players with the most season points in the week's events, and
-- a club page can rank by events or chips, depending on where most hands are played. Pages from before keep their order.
ALTER TABLE recap ADD COLUMN event_points TEXT NOT NULL DEFAULT '[]';
ALTER TABLE club_page ADD COLUMN follows_play INTEGER NOT NULL DEFAULT 0
    CONSTRAINT club_page_follows_play CHECK (follows_play IN (0, 1));
