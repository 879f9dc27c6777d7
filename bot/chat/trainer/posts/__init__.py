"""Private messages of the trainer that follow what their player does elsewhere."""
