"""The bot's automatic posts for a club: the club page, morning post, recap, season ends and welcomes."""
