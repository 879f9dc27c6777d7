"""Use cases: what people do with tables, hands and chips. Knows no Discord and no SQL of its own."""
