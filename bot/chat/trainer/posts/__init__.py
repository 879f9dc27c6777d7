"""Parts of automatic posts about puzzles."""
