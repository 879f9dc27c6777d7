"""Trial runs: how long an event lasts, and how it goes, before it is played."""
