-- Schema 7: events with a public web page. The page's address is a random word, empty while there's no page.

ALTER TABLE event ADD COLUMN page TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX event_by_page ON event (page) WHERE page <> '';
