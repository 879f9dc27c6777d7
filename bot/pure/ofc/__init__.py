"""The rules of Open-Face Chinese poker: values and pure functions, no I/O, no clock, no chance."""
