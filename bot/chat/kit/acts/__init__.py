"""Commands of the form ``do, player, table, value, reason``: declaring, suggesting, parsing and running their acts."""
