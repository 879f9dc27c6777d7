"""Tables: the lobby, seats, hosts, practice and where a table is played."""
