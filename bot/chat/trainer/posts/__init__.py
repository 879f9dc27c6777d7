"""Parts of automatic posts about puzzles, and private messages that follow what their player does elsewhere."""
