"""Why play refuses something. Every reason has a sentence in ``data/text`` under ``refused``."""

from __future__ import annotations

from enum import Enum


class PlayReason(Enum):
    """Reasons beside those of the rules (``bot.ofc.refusals.Reason``)."""

    NO_TABLE = "no_table"
    TABLE_CLOSED = "table_closed"
    TABLE_FULL = "table_full"
    """``seats``."""
    ALREADY_SEATED = "already_seated"
    NOT_AT_TABLE = "not_at_table"
    NOT_ENOUGH_CHIPS = "not_enough_chips"
    """``need`` and ``have``."""
    NOT_HOST = "not_host"
    ALREADY_STARTED = "already_started"
    TOO_FEW_PLAYERS = "too_few_players"
    """``need`` and ``have``."""
    TOO_MANY_SEATS = "too_many_seats"
    """``least`` and ``most`` seats of the game."""
    BUY_IN_TOO_SMALL = "buy_in_too_small"
    """``least`` chips."""
    COMPUTER_NEEDS_PRACTICE = "computer_needs_practice"
    NO_HAND = "no_hand"
    NO_SUCH_HAND = "no_such_hand"
    """``last``: the newest hand of the table."""
    NOT_REVEALED_YET = "not_revealed_yet"
    """``hand``."""
    SEED_LOST = "seed_lost"
    """``hand``."""
    ENTROPY_TOO_LONG = "entropy_too_long"
    """``most`` characters."""
    BAD_GAME_NAME = "bad_game_name"
    """``most`` characters."""
    TOO_MANY_GAMES = "too_many_games"
    """``most`` games of a server."""
    BAD_LEVELS = "bad_levels"
    BOOKS_WRONG = "books_wrong"
    BAD_TIME = "bad_time"
    """``shortest`` and ``longest``: seconds that the pace takes."""
    NO_SUCH_GAME = "no_such_game"
    """``why``: a sentence of its own."""
    TOO_MANY_TABLES = "too_many_tables"
    """``most`` open tables of one player."""
    TOO_MANY_LOBBIES = "too_many_lobbies"
    """``most`` tables that one person has opened and that wait for players."""
    CHANNEL_WAITS = "channel_waits"
    """``most`` tables of a channel that wait for players."""
    CHANNEL_FULL = "channel_full"
    """``most`` open tables of a channel."""
    SERVER_FULL = "server_full"
    """``most`` open tables of a server."""
    OWN_COMPUTERS_BUSY = "own_computers_busy"
    SERVER_COMPUTERS_BUSY = "server_computers_busy"
    """``most`` computers' seats of a server."""
    COMPUTERS_BUSY = "computers_busy"
    """``most`` computers' seats of the whole bot."""
    NOT_HERE = "not_here"
    """``channels``: ids, with commas between them, of those where tables may be opened."""
    MAY_NOT_HOST = "may_not_host"
    """``role``: the one whose holders may."""
    MAY_NOT_WRITE = "may_not_write"
    """People who may not write in a channel do not make the bot write there."""

    # events
    NO_EVENT = "no_event"
    EVENT_OVER = "event_over"
    EVENT_RUNS = "event_runs"
    EVENT_NOT_RUNNING = "event_not_running"
    EVENT_TABLE = "event_table"
    """Seats at an event's table are given by the event."""
    EVENT_FULL = "event_full"
    """``most`` entrants."""
    ALREADY_REGISTERED = "already_registered"
    NOT_REGISTERED = "not_registered"
    REGISTRATION_CLOSED = "registration_closed"
    NO_MORE_ENTRIES = "no_more_entries"
    """``most`` entries of one player."""
    FEE_TOO_HIGH = "fee_too_high"
    """``need`` and ``have``."""
    NO_CHECK_IN = "no_check_in"
    ALREADY_CHECKED_IN = "already_checked_in"
    DISQUALIFIED = "disqualified"
    SERVES_PENALTY = "serves_penalty"
    """``hands`` that the clock still lays."""
    BAD_EVENT_NAME = "bad_event_name"
    """``most`` characters."""
    START_TOO_EARLY = "start_too_early"
    START_TOO_LATE = "start_too_late"
    TOO_MANY_EVENTS = "too_many_events"
    """``most`` events of a server that are not over."""
    TOO_MANY_OWN_EVENTS = "too_many_own_events"
    """``most`` events of one organiser that are not over."""
    TOO_FEW_ENTRANTS = "too_few_entrants"
    """``need`` and ``have``."""
    NOT_ORGANISER = "not_organiser"
    PLAYS_HERE = "plays_here"
    """An organiser who plays in the event has no power over its play."""
    HAS_RULED = "has_ruled"
    """An organiser who has decided about an event's play does not enter it."""
    NOT_IN_THIS_EVENT = "not_in_this_event"
    """The reader is neither in the event nor one of its organisers."""
    NO_ADDED_POWER = "no_added_power"
    NO_ROLE_POWER = "no_role_power"
    NOT_IN_EVENT = "not_in_event"
    ALREADY_PAUSED = "already_paused"
    NOT_PAUSED = "not_paused"
    BAD_PENALTY = "bad_penalty"
    """``most`` hands."""
    BAD_AMOUNT = "bad_amount"
    """``most`` chips or points."""
    NO_REASON = "no_reason"
    STACK_TOO_SMALL_FOR_THAT = "stack_too_small_for_that"
    """``have`` chips."""
    WAIT_FOR_HAND = "wait_for_hand"
    NO_MOVES_HERE = "no_moves_here"
    NO_SUCH_TABLE_THERE = "no_such_table_there"
    NO_SEAT_THERE = "no_seat_there"
    BAD_ANNOUNCEMENT = "bad_announcement"
    """``most`` characters."""
    TOO_MANY_ANNOUNCEMENTS = "too_many_announcements"
    """``most`` an hour, and ``wait``: seconds until the next one."""
    NO_HELPER = "no_helper"
    ALREADY_HELPER = "already_helper"
    TOO_MANY_HELPERS = "too_many_helpers"
    """``most``."""
    NO_SERIES = "no_series"
    NOT_DRAWN_YET = "not_drawn_yet"


BRAKES = frozenset(
    {
        PlayReason.TOO_MANY_TABLES,
        PlayReason.TOO_MANY_LOBBIES,
        PlayReason.CHANNEL_WAITS,
        PlayReason.CHANNEL_FULL,
        PlayReason.SERVER_FULL,
        PlayReason.OWN_COMPUTERS_BUSY,
        PlayReason.SERVER_COMPUTERS_BUSY,
        PlayReason.COMPUTERS_BUSY,
        PlayReason.TOO_MANY_EVENTS,
        PlayReason.TOO_MANY_OWN_EVENTS,
        PlayReason.TOO_MANY_ANNOUNCEMENTS,
    }
)
"""Those that keep one person or server from spending what belongs to others."""


class Stale(Exception):  # noqa: N818 - an answer to the player, no error
    """A press that comes too late or twice: it has no effect, the present state is shown instead."""
