"""Workers for tables: what is drawn, posted and called in their channels."""
