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


class Stale(Exception):
    """A press that comes too late or twice: it has no effect, the present state is shown instead."""
