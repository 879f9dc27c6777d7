"""Code specific to SQLite: the file and its copies, connections and migrations. Only this package names a driver."""
