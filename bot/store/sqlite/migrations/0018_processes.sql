-- Several processes that share the servers of one bot, on PostgreSQL. SQLite has one, and nothing stands here.

-- Each start is another process: who was given up for dead never comes back under its number. Times are milliseconds;
-- alive_at is by the clock of the process, as all clocks of play, and expires_at by that of the database.
CREATE TABLE process (
    process_id INTEGER PRIMARY KEY,
    shard_count INTEGER NOT NULL CONSTRAINT process_shard_count CHECK (shard_count > 0),
    alive_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;

-- Who serves a shard. A row is made and taken away, never changed: whoever writes for a server holds it meanwhile.
CREATE TABLE shard_lease (
    shard_id INTEGER NOT NULL,
    process_id INTEGER NOT NULL CONSTRAINT shard_lease_process REFERENCES process (process_id) ON DELETE CASCADE,
    PRIMARY KEY (shard_id)
) STRICT;

-- When the next login to Discord may be made, by the bucket that Discord counts it in.
CREATE TABLE login_gate (
    bucket INTEGER NOT NULL,
    free_at INTEGER NOT NULL,
    PRIMARY KEY (bucket)
) STRICT;
