"""Limits of event formats, each with the file that uses it."""

MAX_ENTRANTS = 512
"""``bot/pure/event/structure.py``"""
MAX_BRACKET_PLAYERS = 512
"""``bot/pure/event/bracket.py``"""
MAX_ROUND_ROBIN_PLAYERS = 40
"""Limits the number of rounds and the time to find a schedule. ``bot/pure/event/rounds.py``"""
MAX_SWISS_PLAYERS = 128
"""Everyone waits while the tables of a round are computed. ``bot/pure/event/structure.py``"""
MAX_LEAGUE_ROUNDS = 60
"""Rounds of a league. Presets set their own number. ``bot/pure/event/structure.py``"""
MAX_LEVELS = 30
"""Levels of a freezeout. ``bot/pure/event/structure.py``"""
MAX_LEVEL_POINT_VALUE = 1_000_000
"""Chips per point. ``bot/pure/event/structure.py``"""
MAX_STARTING_STACK = 100_000_000
"""``bot/pure/event/structure.py``"""
MIN_STACK_POINTS = 20
"""Minimum starting stack, in points of the first level. With less, the first hand could decide the event.
``bot/pure/event/structure.py``"""
MAX_ENTRY_FEE = 1_000_000
"""``bot/pure/event/structure.py``"""
MAX_PAID_PLACES = 50
"""``bot/pure/event/structure.py``"""
MIN_GROUPED_PLAYERS = 4
"""With fewer players, there's no second group. ``bot/pure/event/groups.py``"""
MAX_GROUPED_PLAYERS = 64
"""``bot/pure/event/bracket.py``"""
MAX_GROUP_SIZE = 8
"""``bot/pure/event/groups.py``"""
MAX_GROUPS = 16
"""``bot/pure/event/structure.py``"""
MAX_THROUGH = 2
"""Qualifiers per group. ``bot/pure/event/structure.py``"""
MAX_COUNTED_EVENTS = 24
"""Events of a series that count per player, if not all do. ``bot/pure/event/structure.py``"""
