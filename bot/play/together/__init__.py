"""Finding others to play with: the next free seat, queues, news of tables."""
