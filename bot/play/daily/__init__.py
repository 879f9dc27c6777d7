"""Daily and weekly hands: the same deck for everyone, one attempt each, for points only."""
