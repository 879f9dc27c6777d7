"""Use cases: what people do with tables, hands and chips. Declares the ports it needs; knows no Discord and no SQL."""
