"""What is PostgreSQL's own: the connections, the migrations, and what its errors mean. It needs the extra ``postgres``."""
