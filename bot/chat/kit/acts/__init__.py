"""Commands with the options ``do, player, table, value, reason``: declaring, suggesting, parsing and running acts."""
