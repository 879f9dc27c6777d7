"""What people may ask for of what is kept about them, and what becomes of servers that the bot has left."""
