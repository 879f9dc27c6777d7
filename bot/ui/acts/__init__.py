"""Acts: what people can do, each declared once with its button, its form, its command and its sentences."""
