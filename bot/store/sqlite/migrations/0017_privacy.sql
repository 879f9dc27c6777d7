-- What people may ask for of what is kept about them, and servers that the bot has left.

-- The deck of a hand whose players' entropy was deleted, hidden by the hand's seed; null while it follows from both.
ALTER TABLE hand ADD COLUMN kept_deck BLOB;

-- Since when the bot is no member of the server any more; null while it is.
ALTER TABLE server ADD COLUMN left_at INTEGER;
