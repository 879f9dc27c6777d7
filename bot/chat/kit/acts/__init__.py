"""Commands of the shape ``do, player, table, value, reason``: their acts are declared, suggested, typed and pressed."""
