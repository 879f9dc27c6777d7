"""How tournaments seat, draw, pair and pay: values and pure functions, no I/O, no clock, no chance."""
