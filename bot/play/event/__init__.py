"""Community events: registration, the director who seats, balances, counts and ends them, and the organiser's tools.

People say *event*; the code says *tournament*, because an event here is a line of the log.
"""
