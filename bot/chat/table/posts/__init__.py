"""What the bot posts for a table by itself: its message, results, calls, threads, and open panels that it redraws."""
