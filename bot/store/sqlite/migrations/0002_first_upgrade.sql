-- Schema 2: what version 1.0 stores beyond schema 1.

-- Whether others may share hands with a player by a link. Off at first, also for those who are here already: until now
-- a link worked unless somebody hid their profile.
ALTER TABLE member ADD COLUMN hands_shared INTEGER NOT NULL DEFAULT 0
    CONSTRAINT member_hands_shared CHECK (hands_shared IN (0, 1));
