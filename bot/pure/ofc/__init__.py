"""The rules of Open-Face Chinese poker: values and pure functions, without I/O, clocks or randomness."""
