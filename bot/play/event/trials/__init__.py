"""Trial runs that predict an event's length and course."""
