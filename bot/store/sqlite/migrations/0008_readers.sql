-- What players choose for what they alone read, and tables of their own that are played in threads.

-- Null is the language that Discord tells.
ALTER TABLE member ADD COLUMN language TEXT;

-- Whether its hands are to be played in a thread, and the channel of that thread once they are.
ALTER TABLE game_table ADD COLUMN threaded INTEGER NOT NULL DEFAULT 0
    CONSTRAINT game_table_threaded CHECK (threaded IN (0, 1));
ALTER TABLE game_table ADD COLUMN home_id INTEGER;
