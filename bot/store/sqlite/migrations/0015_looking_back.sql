-- Looking back: a player's hands in the order in which they were played, and where each hand's result is told.

ALTER TABLE hand ADD COLUMN told_in INTEGER;
ALTER TABLE hand ADD COLUMN told_by INTEGER;
CREATE INDEX result_of_player ON result (guild_id, player, at, table_id, hand_no);
