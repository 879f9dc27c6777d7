-- Schema 9: stand-ins for organisers, and pings when an event opens.

-- Whether members with the organisers' role may run every event that they don't play in, and the role that is pinged
-- when an event opens; null is none.
ALTER TABLE server ADD COLUMN stand_ins INTEGER NOT NULL DEFAULT 0
    CONSTRAINT server_stand_ins CHECK (stand_ins IN (0, 1));
ALTER TABLE server ADD COLUMN event_role INTEGER;

-- 0 for players who aren't pinged when a series opens a date after one that they played on.
ALTER TABLE member ADD COLUMN series_calls INTEGER NOT NULL DEFAULT 1
    CONSTRAINT member_series_calls CHECK (series_calls IN (0, 1));
