"""Pictures, such as card faces and boards. No other package uses Pillow."""
