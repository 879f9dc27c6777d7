"""What the bot posts for a club by itself: the club page, the morning post, the recap, season ends, welcomes."""
