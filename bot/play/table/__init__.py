"""Tables: lobby, seats, hosts, practice, pages and threads."""
