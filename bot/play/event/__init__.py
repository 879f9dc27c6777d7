"""Community events, in layers: trials and organisers, then the office, the formats and the floor.

Each layer imports only those below it. Events use tables directly. Tables reach events only through
:class:`bot.play.session.session.EventHooks`, which the office implements.
"""
