-- A shard changes hands without a pause: the next process connects first, and is given the lease then.

-- A process that leaves keeps what it has until others are ready for it, and takes nothing.
ALTER TABLE process ADD COLUMN leaves INTEGER NOT NULL DEFAULT 0 CONSTRAINT process_leaves CHECK (leaves IN (0, 1));

-- What the database calls its connections: those of a dead process are ended, since it may be frozen amid a transaction.
ALTER TABLE process ADD COLUMN connections TEXT NOT NULL DEFAULT '';

-- Counts what was written for servers that others serve, such as a deletion: each forgets what it knows when it moves.
ALTER TABLE process ADD COLUMN forgets INTEGER NOT NULL DEFAULT 0;

-- The newest press (its id) that the process before has answered: what came later is the next one's.
ALTER TABLE shard_lease ADD COLUMN answered_to INTEGER NOT NULL DEFAULT 0;

-- Who is to have a shard that another process still serves. It is ready once it is connected.
CREATE TABLE heir (
    shard_id INTEGER NOT NULL CONSTRAINT heir_shard REFERENCES shard_lease (shard_id) ON DELETE CASCADE,
    process_id INTEGER NOT NULL CONSTRAINT heir_process REFERENCES process (process_id) ON DELETE CASCADE,
    ready INTEGER NOT NULL DEFAULT 0 CONSTRAINT heir_ready CHECK (ready IN (0, 1)),
    PRIMARY KEY (shard_id)
) STRICT;

-- Servers whose books do not balance: one process looks at them, and all keep chips out there.
CREATE TABLE frozen_server (
    guild_id INTEGER NOT NULL,
    PRIMARY KEY (guild_id)
) STRICT;
