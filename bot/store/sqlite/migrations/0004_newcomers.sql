-- Schema 4: who has placed a whole hand, and the table that somebody is about to open.

-- Whether a player has confirmed a whole hand: until then their panel says what to tap. Whoever was shown a hand before
-- counts as somebody who has.
ALTER TABLE member ADD COLUMN has_confirmed INTEGER NOT NULL DEFAULT 0
    CONSTRAINT member_has_confirmed CHECK (has_confirmed IN (0, 1));
UPDATE member SET has_confirmed = 1 WHERE shown <> '';

-- The choices for a table that was not opened yet, as JSON of numbers and of words that the bot knows.
ALTER TABLE member ADD COLUMN new_table TEXT NOT NULL DEFAULT '';
