"""All that is PostgreSQL's own: connections, migrations, the meaning of its errors. It needs the extra ``postgres``."""
