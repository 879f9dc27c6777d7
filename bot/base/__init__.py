"""What every part may use: settings, logs, measurements, and where the bot finds its own files."""
