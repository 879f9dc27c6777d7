"""Community events, in rooms that know only those below them: trials and organisers, the office, formats, the floor.

Events know tables; tables know events by :class:`bot.play.session.session.EventDesk` only, which the office answers.
"""
