-- Ratings: what is known of each player's skill, by group of games, and the order in which hands have taught it.

-- Where the player sat, from 0 on in the order of seats.
ALTER TABLE result ADD COLUMN seat INTEGER NOT NULL DEFAULT 0;
-- The number of the lesson that the hand was, by server; 0 for none. A board that several tables were dealt is one.
ALTER TABLE result ADD COLUMN lesson INTEGER NOT NULL DEFAULT 0;
UPDATE result SET lesson = told.lesson FROM (
    SELECT guild_id, table_id, hand_no,
        ROW_NUMBER() OVER (PARTITION BY guild_id ORDER BY MIN(at), table_id, hand_no) AS lesson
    FROM result WHERE ranked = 1 AND game <> '' GROUP BY guild_id, table_id, hand_no
) AS told
WHERE told.guild_id = result.guild_id AND told.table_id = result.table_id AND told.hand_no = result.hand_no;
CREATE INDEX result_by_lesson ON result (guild_id, lesson) WHERE lesson > 0;

-- Points are written in millionths.
CREATE TABLE rating (
    guild_id INTEGER NOT NULL,
    game_group TEXT NOT NULL,
    player TEXT NOT NULL,
    mean INTEGER NOT NULL,
    deviation INTEGER NOT NULL CONSTRAINT rating_deviation CHECK (deviation > 0),
    hands INTEGER NOT NULL CONSTRAINT rating_hands CHECK (hands > 0),
    CONSTRAINT rating_key PRIMARY KEY (guild_id, game_group, player)
) STRICT;

CREATE TABLE luck (
    guild_id INTEGER NOT NULL,
    game_group TEXT NOT NULL,
    squares INTEGER NOT NULL,
    freedom INTEGER NOT NULL,
    CONSTRAINT luck_key PRIMARY KEY (guild_id, game_group)
) STRICT;

-- By which model a server's ratings were made, 0 for none yet, and how many lessons there were.
CREATE TABLE rating_book (
    guild_id INTEGER NOT NULL CONSTRAINT rating_book_key PRIMARY KEY,
    model INTEGER NOT NULL,
    lessons INTEGER NOT NULL
) STRICT;
INSERT INTO rating_book (guild_id, model, lessons) SELECT guild_id, 0, MAX(lesson) FROM result WHERE lesson > 0
GROUP BY guild_id;
