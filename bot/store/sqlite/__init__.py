"""All that is SQLite's own: the file and its copies, the connections, the migrations. Only here a driver is named."""
