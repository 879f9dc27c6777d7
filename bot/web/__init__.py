"""The table as a page: what it is sent and asks, and the server of both. Whose eyes it has, others have told."""
