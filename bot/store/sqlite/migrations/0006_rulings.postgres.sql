-- Schema 6 on PostgreSQL: the constraint is changed in place.

ALTER TABLE entrant ADD COLUMN end_place BIGINT NOT NULL DEFAULT 0;
ALTER TABLE entrant ADD COLUMN end_prize BIGINT NOT NULL DEFAULT 0;
UPDATE entrant SET end_place = place, end_prize = prize WHERE place > 0;

ALTER TABLE audit DROP CONSTRAINT audit_action;
ALTER TABLE audit ADD CONSTRAINT audit_action CHECK (action IN (
    'give', 'take', 'set', 'freeze', 'unfreeze', 'terms', 'add', 'add_playing', 'won', 'ruling'
));
