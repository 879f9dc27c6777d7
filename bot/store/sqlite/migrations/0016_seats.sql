-- Seats whose players sit out, bring more chips or change places between hands, and players who were removed.

-- The table's last hand when they began to sit out; null while they play.
ALTER TABLE seat ADD COLUMN out_since INTEGER;
ALTER TABLE seat ADD COLUMN tops_up INTEGER NOT NULL DEFAULT 0 CONSTRAINT seat_tops_up CHECK (tops_up IN (0, 1));
ALTER TABLE seat ADD COLUMN moves_to INTEGER;
ALTER TABLE game_table ADD COLUMN removed TEXT NOT NULL DEFAULT '[]';
