"""Limits of the formats of events, each with the file of the rule that it belongs to."""

MAX_ENTRANTS = 512
"""``bot/pure/event/structure.py``"""
MAX_BRACKET_PLAYERS = 512
"""``bot/pure/event/bracket.py``"""
MAX_ROUND_ROBIN_PLAYERS = 40
"""One round fewer at tables of two, and a search that stays short. ``bot/pure/event/rounds.py``"""
MAX_SWISS_PLAYERS = 128
"""Their tables are found while everyone waits for the round. ``bot/pure/event/structure.py``"""
MAX_LEAGUE_ROUNDS = 60
"""Rounds of a league. Presets choose their own. ``bot/pure/event/structure.py``"""
MAX_LEVELS = 30
"""Levels of a freezeout. ``bot/pure/event/structure.py``"""
MAX_LEVEL_POINT_VALUE = 1_000_000
"""Chips per point. ``bot/pure/event/structure.py``"""
MAX_STARTING_STACK = 100_000_000
"""``bot/pure/event/structure.py``"""
MIN_STACK_POINTS = 20
"""Points of the first level. With fewer, the first hand decides. ``bot/pure/event/structure.py``"""
MAX_ENTRY_FEE = 1_000_000
"""``bot/pure/event/structure.py``"""
MAX_PAID_PLACES = 50
"""``bot/pure/event/structure.py``"""
MIN_GROUPED_PLAYERS = 4
"""Fewer have no second group. ``bot/pure/event/groups.py``"""
MAX_GROUPED_PLAYERS = 64
"""``bot/pure/event/bracket.py``"""
MAX_GROUP_SIZE = 8
"""``bot/pure/event/groups.py``"""
MAX_GROUPS = 16
"""``bot/pure/event/structure.py``"""
MAX_THROUGH = 2
"""Players of a group who go through. ``bot/pure/event/structure.py``"""
MAX_COUNTED_EVENTS = 24
"""Events of a series that count for a player, unless all do. ``bot/pure/event/structure.py``"""
