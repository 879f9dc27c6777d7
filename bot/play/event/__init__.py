"""Community events: registration, the director who seats, balances, counts and ends them, and the organiser's tools.

Events know tables; tables know events by :class:`bot.play.session.session.EventDesk` only, which ``office.desk`` answers.
"""
