-- Templates of a server: names that managers give to tables, for others to be opened like them.

CREATE TABLE table_template (
    guild_id INTEGER NOT NULL,
    -- The name without regard to case and width.
    folded TEXT NOT NULL,
    name TEXT NOT NULL,
    table_id INTEGER NOT NULL,
    saved_by TEXT NOT NULL,
    saved_at INTEGER NOT NULL,
    CONSTRAINT table_template_key PRIMARY KEY (guild_id, folded),
    CONSTRAINT table_template_table FOREIGN KEY (guild_id, table_id) REFERENCES game_table (guild_id, table_id)
) STRICT;
