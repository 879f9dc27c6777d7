"""Code specific to PostgreSQL: connections, migrations and its errors. It needs the extra ``postgres``."""
