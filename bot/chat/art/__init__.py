"""Pictures: card faces and boards. The only room that says Pillow."""
