"""Commands and buttons of tables and hands."""
