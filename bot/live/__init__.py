"""Workers that live as long as the bot and talk to Discord: messages kept true, threads, requests in their turn."""
