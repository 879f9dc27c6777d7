"""What organisers can do at an event, each declared once with its button, form, command and sentences."""
