-- Schema 6: rulings on finished events.

-- A player's place and prize at the end of an event, before any rulings. Both are 0 until then.
ALTER TABLE entrant ADD COLUMN end_place INTEGER NOT NULL DEFAULT 0;
ALTER TABLE entrant ADD COLUMN end_prize INTEGER NOT NULL DEFAULT 0;
UPDATE entrant SET end_place = place, end_prize = prize WHERE place > 0;


-- The managers' log also has rulings. SQLite can't change a constraint, so the table is made again. PostgreSQL runs
-- 0006_rulings.postgres.sql instead.
DROP TRIGGER audit_is_final_update;
DROP TRIGGER audit_is_final_delete;
DROP INDEX audit_by_player;
DROP INDEX audit_by_manager;
ALTER TABLE audit RENAME TO former_audit;
CREATE TABLE audit (
    guild_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    manager TEXT NOT NULL,
    -- Null where it concerns nobody: the terms, a prize pool, an event's series.
    player TEXT,
    action TEXT NOT NULL
        CONSTRAINT audit_action CHECK (action IN (
                'give', 'take', 'set', 'freeze', 'unfreeze', 'terms', 'add', 'add_playing', 'won', 'ruling'
            )),
    chips INTEGER NOT NULL,
    reason TEXT NOT NULL,
    cause TEXT NOT NULL,
    at INTEGER NOT NULL,
    CONSTRAINT audit_key PRIMARY KEY (guild_id, number),
    CONSTRAINT audit_once UNIQUE (guild_id, cause)
) STRICT;
INSERT INTO audit (guild_id, number, manager, player, action, chips, reason, cause, at)
SELECT guild_id, number, manager, player, action, chips, reason, cause, at FROM former_audit;
DROP TABLE former_audit;
CREATE INDEX audit_by_player ON audit (player, guild_id, number);
CREATE INDEX audit_by_manager ON audit (manager, guild_id);
CREATE TRIGGER audit_is_final_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is final'); END;
CREATE TRIGGER audit_is_final_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is final'); END;
