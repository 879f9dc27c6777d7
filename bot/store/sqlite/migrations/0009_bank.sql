-- Chips for those who have none left, and what those who manage a server do with chips.

-- What a server's bank gives; without a row everything is as it is by default.
CREATE TABLE bank (
    guild_id INTEGER NOT NULL CONSTRAINT bank_key PRIMARY KEY,
    refill_to INTEGER NOT NULL CONSTRAINT bank_refill_to CHECK (refill_to >= 0),
    refill_hours INTEGER NOT NULL CONSTRAINT bank_refill_hours CHECK (refill_hours > 0),
    bonus INTEGER NOT NULL CONSTRAINT bank_bonus CHECK (bonus >= 0),
    bonus_hours INTEGER NOT NULL CONSTRAINT bank_bonus_hours CHECK (bonus_hours > 0),
    account_days INTEGER NOT NULL CONSTRAINT bank_account_days CHECK (account_days >= 0),
    hands INTEGER NOT NULL CONSTRAINT bank_hands CHECK (hands >= 0),
    transfer_cap INTEGER NOT NULL CONSTRAINT bank_transfer_cap CHECK (transfer_cap >= 0),
    transfer_fee INTEGER NOT NULL CONSTRAINT bank_transfer_fee CHECK (transfer_fee BETWEEN 0 AND 100),
    -- Where what managers do is told; null is nowhere.
    audit_channel INTEGER
) STRICT;

-- Players who may not move chips, and why.
CREATE TABLE freeze (
    guild_id INTEGER NOT NULL,
    player TEXT NOT NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL,
    CONSTRAINT freeze_key PRIMARY KEY (guild_id, player)
) STRICT;

-- What managers did, in order. A cause (an interaction) has one effect.
CREATE TABLE audit (
    guild_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    manager TEXT NOT NULL,
    -- Null where it concerns nobody: the terms.
    player TEXT,
    action TEXT NOT NULL CONSTRAINT audit_action CHECK (action IN ('give', 'take', 'set', 'freeze', 'unfreeze', 'terms')),
    chips INTEGER NOT NULL,
    reason TEXT NOT NULL,
    cause TEXT NOT NULL,
    at INTEGER NOT NULL,
    CONSTRAINT audit_key PRIMARY KEY (guild_id, number),
    CONSTRAINT audit_once UNIQUE (guild_id, cause)
) STRICT;
CREATE INDEX audit_by_player ON audit (guild_id, player, number);
CREATE TRIGGER audit_is_final_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is final'); END;
CREATE TRIGGER audit_is_final_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is final'); END;
