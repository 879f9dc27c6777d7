"""Discord words and widgets: custom ids, the gate, screens. Draws views; knows neither the hidden hand nor SQL."""
