"""Limits and defaults for players, managers and organisers, each with the file that uses it.

For formats of events, they're in ``bot/pure/event/limits.py``, for clocks in ``bot/model/clock.py``, and for games in
``bot/pure/ofc/presets.py``. Operators' settings are in ``bot/base/settings.py`` and ``bot/base/operator_defaults.py``.
"""

from bot.model.clock import DAY, HOUR, MINUTE

# Tables

DEFAULT_POINT_VALUE = 10
"""Default chips per point. ``bot/chat/club/screens/setup.py``"""
MAX_POINT_VALUE = 1_000_000
"""Maximum chips per point. ``bot/chat/club/screens/setup_forms.py`` and ``bot/chat/table/screens/new_table.py``"""
MAX_BUY_IN = 1_000_000_000
"""Maximum buy-in in chips. ``bot/chat/table/screens/new_table.py``"""
MAX_HANDS_PER_LEVEL = 100
"""Maximum hands per level at a table with rising stakes. ``bot/chat/table/screens/new_table.py``"""
DEFAULT_BUY_IN_POINTS = 100
"""Default buy-in, in points. ``bot/play/table/lobby.py``"""
MIN_BUY_IN_POINTS = 20
"""Minimum buy-in, in points. ``bot/play/session/chips.py``"""
DEFAULT_HANDS_PER_LEVEL = 4
"""Default hands per level at a table with rising stakes. ``bot/play/table/rematch.py``"""
CORRESPONDENCE_LOBBY_MS = 3 * DAY
"""Minimum time that the lobby of a correspondence table waits. ``bot/play/table/lobby.py``

For other tables, see the operator's setting ``LOBBY_MINUTES``.
"""
MAX_MISSED_HANDS = 10
"""Maximum number of consecutive hands a player can miss before losing their seat. ``bot/play/hand/dealing_in.py``"""
MAX_INVITED_PLAYERS = 5
"""Maximum number of players in one invitation. ``bot/chat/table/screens/lobby.py``"""
MAX_SHUFFLE_TEXT_LENGTH = 64
"""Maximum length of the text that a player adds to the shuffle. ``bot/play/api/play.py``"""
DEFAULT_QUEUE_SEATS = 3
"""Number of players at which a queue starts, if the game allows it. ``bot/play/matchmaking.py``"""

# Concurrent tables: the defaults for ``Policy``

MAX_TABLES_PER_PLAYER = 5
"""Maximum open tables per player, excluding correspondence tables. ``bot/play/session/policy.py``"""
MAX_CORRESPONDENCE_TABLES_PER_PLAYER = 25
"""Maximum open correspondence tables per player. ``bot/play/session/policy.py``"""
MAX_LOBBIES_PER_PLAYER = 5
"""Maximum open lobbies per host. ``bot/play/session/policy.py``"""
MAX_LOBBIES_PER_CHANNEL = 15
"""Maximum open lobbies per channel. ``bot/play/session/policy.py``"""
MAX_TABLES_PER_CHANNEL = 50
"""Maximum open tables per channel. ``bot/play/session/policy.py``"""
MAX_TABLES_PER_SERVER = 200
"""Maximum open tables per server. ``bot/play/session/policy.py``"""
TIMEOUTS_UNTIL_AWAY = 2
"""Number of consecutive timeouts after which a player sits out. ``bot/play/session/policy.py``"""
IDLE_PRACTICE_MS = 2 * 3_600_000
"""Time without a press after which a practice table closes. ``bot/play/session/policy.py``"""

# Players

VACATION_PER_YEAR_MS = 30 * DAY
"""Vacation from correspondence tables per player, year and server. ``bot/play/table/vacations.py``"""
CALL_AFTER_SILENCE_SECONDS = 20
"""Time without a press after which a player is pinged for their turn. ``bot/model/choices.py``"""
MAX_REFUSED_PLAYERS = 100
"""Maximum number of players that a player can refuse to sit with, per server. ``bot/play/table/blocked_players.py``"""
PAGE_LOGIN_MS = 12 * HOUR
"""Time that a page stays logged in. ``bot/play/table/pages.py``"""
MAX_PAGE_LOGINS = 12
"""Maximum logged-in pages per player and server. The oldest is logged out. ``bot/play/table/pages.py``"""

# Puzzles

MAX_FOUND_PUZZLES = 500
"""Maximum number of puzzles that the bot has found, in the whole database. ``bot/play/trainer/found_puzzles.py``"""
KEPT_FOR_HANDS = 100
"""How many of these only finished hands may add. ``bot/play/trainer/found_puzzles.py``"""
FEW_PUZZLES = 20
"""Number of puzzles below which a solver has few left, so the bot makes more. ``bot/play/trainer/shortage.py``"""

# Servers

MAX_HOUSE_GAMES = 25
"""Maximum custom games per server. ``bot/play/table/house_games.py``"""
MAX_HOUSE_GAME_NAME_LENGTH = 40
"""Maximum length of a custom game's name. ``bot/play/table/house_games.py``"""
MAX_TEMPLATES = 25
"""Maximum table templates per server. ``bot/play/matchmaking.py``"""
MAX_TEMPLATE_NAME_LENGTH = 32
"""Maximum length of a template's name. ``bot/play/matchmaking.py``"""
MAX_SEASON_NAME_LENGTH = 40
"""Maximum length of a season's name. ``bot/play/bank/seasons.py``"""
MAX_REASON_LENGTH = 200
"""Maximum length of the reason for a manager's or organiser's action. ``bot/play/event/organisers/organiser.py``"""
DEFAULT_POST_HOUR = 9
"""Default hour of the morning post and the recap, in the server's time zone. ``bot/model/bulletins.py``"""

# Events

MAX_EVENT_NAME_LENGTH = 60
"""Maximum length of an event's name. ``bot/play/event/office/registration.py``"""
MAX_SERIES_NAME_LENGTH = 40
"""Maximum length of a series' name. ``bot/play/event/office/registration.py``"""
MAX_SERIES_DATES = 99
"""Maximum dates planned for a series. ``bot/play/event/organisers/series_acts.py``"""
MAX_EVENT_DESCRIPTION_LENGTH = 400
"""Maximum length of an event's description. ``bot/play/event/office/registration.py``"""
MAX_OPEN_EVENTS = 25
"""Maximum unfinished events per server. ``bot/play/event/office/registration.py``"""
MAX_OPEN_EVENTS_PER_ORGANISER = 10
"""Maximum unfinished events per organiser. ``bot/play/event/office/registration.py``"""
MIN_EVENT_LEAD_MS = MINUTE
"""Minimum time from the announcement to the start. ``bot/play/event/office/registration.py``"""
MAX_EVENT_LEAD_MS = 366 * DAY
"""Maximum time from the announcement to the start. ``bot/play/event/office/registration.py``"""
MIN_PLACE_OFFER_MS = 10 * MINUTE
"""Minimum time to take a place from the waiting list, unless the start is nearer.
``bot/play/event/office/waiting_list.py``"""
MAX_PLACE_OFFER_MS = 12 * HOUR
"""Maximum time to take a place from the waiting list. ``bot/play/event/office/waiting_list.py``"""
MAX_START_POLLS = 5
"""Maximum open polls on a start time per server. ``bot/play/event/office/start_polls.py``"""
MAX_CO_ORGANISERS = 10
"""Maximum co-organisers per event. ``bot/play/event/organisers/organiser.py``"""
MAX_PENALTY_HANDS = 20
"""Maximum number of hands in a penalty. ``bot/play/event/organisers/organiser.py``"""
MAX_ADJUSTMENT = 10_000_000
"""Maximum adjustment of a player's chips or points by an organiser. ``bot/play/event/organisers/organiser.py``"""
MAX_ANNOUNCEMENT_LENGTH = 1500
"""Maximum length of an organiser's message. ``bot/play/event/organisers/organiser.py``"""
MAX_ANNOUNCEMENTS_PER_HOUR = 6
"""Maximum messages from organisers per event and hour. ``bot/play/event/organisers/organiser.py``"""
MAX_EVENT_CALLS_PER_HOUR = 12
"""Maximum pings of missing players per event and hour. ``bot/play/event/organisers/calls.py``"""
