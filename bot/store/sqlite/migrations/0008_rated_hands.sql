-- Schema 8: for each pair of players, the number of hands that changed the ratings of both. A further hand with the same
-- opponent counts less. Hands with a player back from a deletion used to be included, although they change no ratings, so
-- stored ratings couldn't be recomputed from the results.

ALTER TABLE versus ADD COLUMN lessons INTEGER NOT NULL DEFAULT 0;

UPDATE versus SET lessons = (
    SELECT COUNT(*) FROM result r JOIN result o
        ON o.guild_id = r.guild_id AND o.table_id = r.table_id AND o.hand_no = r.hand_no AND o.player = versus.other
    WHERE r.guild_id = versus.guild_id AND r.player = versus.player AND r.ranked = 1 AND r.lesson > 0
);

-- The next start recomputes the ratings of these servers.
UPDATE rating_book SET model = 0 WHERE guild_id IN (SELECT guild_id FROM result WHERE ranked = 1 AND lesson = 0);
