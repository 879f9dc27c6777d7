"""What is PostgreSQL's own: connections, migrations, and what its errors mean. It needs the extra ``postgres``."""
