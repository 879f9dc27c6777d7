-- Events that are held again and again.

-- How often, in which time zone and at which minute of its day, as JSON; null for once.
ALTER TABLE tournament ADD COLUMN repeat_rule TEXT;
