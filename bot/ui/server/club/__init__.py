"""What a server's players come back for: seasons."""
