"""Commands and buttons for tables and hands."""
