"""Why play refuses something, and errors for which nobody is to blame.

Every reason has a sentence in ``data/text`` under ``refused``. Nobody is to blame for a hand that is lost, a store in
trouble, a thought that did not come.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, TypeVar


class PlayReason(Enum):
    """Reasons beside those of the rules (``bot.ofc.refusals.Reason``)."""

    NO_TABLE = "no_table"
    TABLE_CLOSED = "table_closed"
    TABLE_FULL = "table_full"
    """``seats``."""
    ALREADY_SEATED = "already_seated"
    NOT_AT_TABLE = "not_at_table"
    """At none of the server's."""
    NOT_AT_THIS_TABLE = "not_at_this_table"
    """``table``."""
    LOST_SEAT = "lost_seat"
    """``table``: they have missed too many hands there."""
    CHANNEL_HIDDEN = "channel_hidden"
    """They may not see the channel in which it is."""
    NOT_ENOUGH_CHIPS = "not_enough_chips"
    """``need`` and ``have``."""
    NOT_HOST = "not_host"
    ONLY_HOST_STARTS = "only_host_starts"
    ALREADY_STARTED = "already_started"
    TOO_FEW_PLAYERS = "too_few_players"
    """``need`` and ``have``."""
    TOO_MANY_SEATS = "too_many_seats"
    """``least`` and ``most`` seats of the game."""
    BUY_IN_TOO_SMALL = "buy_in_too_small"
    """``least`` chips."""
    HINTS_ARE_FOR_PRACTICE = "hints_are_for_practice"
    COMPUTER_NEEDS_PRACTICE = "computer_needs_practice"
    NO_HAND = "no_hand"
    NO_SUCH_HAND = "no_such_hand"
    """``last``: the newest hand of the table."""
    NOT_REVEALED_YET = "not_revealed_yet"
    """``hand``: it's still being played, here or elsewhere."""
    NOT_REVEALED_BEFORE_CLOSING = "not_revealed_before_closing"
    """``hand``, of a game whose discards stay hidden until ``table`` has closed."""
    SEED_LOST = "seed_lost"
    """``hand``."""
    HAND_LOST = "hand_lost"
    """``hand``: its deck or its log cannot be read any more."""
    HAND_WAS_VOID = "hand_was_void"
    NO_WHOLE_BOARD = "no_whole_board"
    """Of a hand whose player never came to fill their board."""
    HAND_NOT_SHARED = "hand_not_shared"
    RECORD_NOT_SHARED = "record_not_shared"
    """``hand``."""
    REPLAY_NOT_SHOWN = "replay_not_shown"
    """``channel``: that in which the hand was played."""
    NOT_IN_HAND = "not_in_hand"
    """``hand``."""
    NO_HAND_THERE = "no_hand_there"
    """The message is not the result of a hand."""
    TOO_MANY_REVIEWS = "too_many_reviews"
    """``count`` seconds until the next one."""
    INVITED_BEFORE = "invited_before"
    TOO_MANY_INVITATIONS = "too_many_invitations"
    """``count`` seconds until so many more."""
    REVIEW_LATER = "review_later"
    """The computer is busy thinking elsewhere."""
    NAMES_SOMEONE = "names_someone"
    """A text that is kept for ever mentions a person."""
    ENTROPY_TOO_LONG = "entropy_too_long"
    """``most`` characters."""
    BAD_GAME_NAME = "bad_game_name"
    """``most`` characters."""
    TOO_MANY_GAMES = "too_many_games"
    """``most`` games of a server."""
    BAD_TEMPLATE_NAME = "bad_template_name"
    """``most`` characters."""
    TEMPLATE_NAME_TAKEN = "template_name_taken"
    TOO_MANY_TEMPLATES = "too_many_templates"
    """``most`` templates of a server."""
    NO_TEMPLATE = "no_template"
    NO_CASH_TABLE = "no_cash_table"
    TEMPLATE_OR_TABLE = "template_or_table"
    """A table can be like one other only."""
    BAD_LEVELS = "bad_levels"
    BOOKS_WRONG = "books_wrong"
    BAD_TIME = "bad_time"
    WEEKENDS_NEED_DAYS = "weekends_need_days"
    """``shortest`` and ``longest``: seconds that the pace takes."""
    NO_SUCH_GAME = "no_such_game"
    """``why``: a sentence of its own."""
    VACATION_UNREAD = "vacation_unread"
    VACATION_PAST = "vacation_past"
    VACATION_TOO_LONG = "vacation_too_long"
    TOO_MANY_TABLES = "too_many_tables"
    TOO_MANY_SLOW_TABLES = "too_many_slow_tables"
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

    SEVERAL_FIT = "several_fit"
    """``typed``: a part of several ``names``."""
    NONE_FITS = "none_fits"
    """``typed``: a part of none of the ``names``."""

    # seats of a table
    NO_SUCH_SEAT = "no_such_seat"
    """``seats``."""
    SEAT_TAKEN = "seat_taken"
    REMOVED = "removed"
    HAS_CHIPS = "has_chips"
    """``have``."""
    REBUY_FIRST = "rebuy_first"
    WALLET_SHORT = "wallet_short"
    """``need`` and ``have``."""
    NO_TOP_UPS = "no_top_ups"
    STACK_FULL = "stack_full"
    """``most``."""
    TOPS_UP_ALREADY = "tops_up_already"
    NOTHING_AT_STAKE = "nothing_at_stake"
    SITS_OUT_ALREADY = "sits_out_already"
    NOT_SEATED_HERE = "not_seated_here"
    WAITS_IN_QUEUE = "waits_in_queue"
    COMPUTER_IS_NO_HOST = "computer_is_no_host"

    # who sits with whom
    OWN_SEAT_REFUSAL = "own_seat_refusal"
    """The player has chosen not to sit with somebody who is there."""
    NO_SEAT_FOR_YOU = "no_seat_for_you"
    """Somebody there has chosen not to sit with the player, who is not told so."""
    OWN_GUEST_REFUSAL = "own_guest_refusal"
    """``player``: the one that they have chosen not to sit with."""
    NOT_ONESELF = "not_oneself"
    NOT_A_BOT = "not_a_bot"
    PROFILE_HIDDEN = "profile_hidden"
    TOO_MANY_SEAT_REFUSALS = "too_many_seat_refusals"
    """``most`` others that one player refuses."""

    # the bank
    FROZEN = "frozen"
    """``why``: the manager's reason, which is for the player alone."""
    STILL_FROZEN = "still_frozen"
    """They were frozen when they had their data deleted. ``when``: seconds since 1970 at which that is forgotten."""
    PAYEE_FROZEN = "payee_frozen"
    """``player``: the one who can't be sent chips; why is theirs to know."""
    NO_CLAIM = "no_claim"
    CLAIMED_ALREADY = "claimed_already"
    """``when``: seconds since 1970 at which the next period begins."""
    ABOVE_FLOOR = "above_floor"
    """``floor`` and ``have``."""
    ACCOUNT_TOO_YOUNG = "account_too_young"
    """``days`` that an account must be old."""
    TOO_FEW_HANDS = "too_few_hands"
    """``need`` and ``have``."""
    NO_TRANSFERS = "no_transfers"
    NOT_TO_ONESELF = "not_to_oneself"
    FEE_TAKES_ALL = "fee_takes_all"
    """``least``: chips of which something arrives."""
    TRANSFER_CAP = "transfer_cap"
    """``most`` that may still be sent today."""
    NOT_SO_MANY_CHIPS = "not_so_many_chips"
    """``have``."""
    NOT_SO_MANY_TO_TAKE = "not_so_many_to_take"
    """``have``: what is in the player's wallet."""
    NO_WALLET = "no_wallet"
    NOT_FROZEN = "not_frozen"
    BAD_CHIPS = "bad_chips"
    """``most``."""
    BAD_TERMS = "bad_terms"
    NO_SEASON = "no_season"
    OTHER_SEASON = "other_season"
    """``number``: the season that runs, or ran last; the page that was pressed shows an older one."""
    SEASON_NAME_TOO_LONG = "season_name_too_long"
    # the hands of a day
    DAY_OVER = "day_over"
    DAY_NOT_OVER = "day_not_over"
    """``until``: when it is, in seconds since 1970."""
    DAY_PLAYED = "day_played"
    DAY_DEALT_ANEW = "day_dealt_anew"
    """Its deck may be known, or cannot be had any more: the day has another one."""
    DAY_LOST = "day_lost"
    """The key to its seed is gone."""
    NO_MASTER = "no_master"
    """Nobody could think for a master just now."""
    SHARED_HERE = "shared_here"

    # data about people
    STILL_PLAYING = "still_playing"
    """Somebody who wants to be deleted sits at a table, takes part in an event, or has a hand of a day to finish."""
    DRAW_WITHHELD = "draw_withheld"
    """Somebody who was drawn has had their data deleted."""

    # events
    NO_EVENT = "no_event"
    EVENT_OVER = "event_over"
    EVENT_RUNS = "event_runs"
    TOO_LATE_TO_CHANGE = "too_late_to_change"
    """The event has started. ``fields`` are those that stay, with commas between them."""
    EVENT_NOT_RUNNING = "event_not_running"
    EVENT_TABLE = "event_table"
    """Seats at an event's table are given by the event."""
    EVENT_FULL = "event_full"
    """``most`` entrants."""
    ALREADY_REGISTERED = "already_registered"
    """``withdraw``: the language of the message with that button."""
    ALREADY_PLAYING = "already_playing"
    NOT_REGISTERED = "not_registered"
    """``register``: the language of the message with that button."""
    REGISTRATION_CLOSED = "registration_closed"
    NO_MORE_ENTRIES = "no_more_entries"
    """``most`` entries of one player."""
    FEE_TOO_HIGH = "fee_too_high"
    """``need`` and ``have``."""
    NO_CHECK_IN = "no_check_in"
    ALREADY_CHECKED_IN = "already_checked_in"
    DISQUALIFIED = "disqualified"
    SERVES_PENALTY = "serves_penalty"
    """``hands`` that the clock still places."""
    BAD_EVENT_NAME = "bad_event_name"
    """``most`` characters."""
    START_PASSED = "start_passed"
    START_TOO_EARLY = "start_too_early"
    START_TOO_LATE = "start_too_late"
    BAD_DESCRIPTION = "bad_description"
    NO_START_TIME = "no_start_time"
    NOTHING_CHANGED = "nothing_changed"
    CHANGED_MEANWHILE = "changed_meanwhile"
    CAP_TOO_LOW = "cap_too_low"
    FEE_TOO_LATE = "fee_too_late"
    AGREED_ALREADY = "agreed_already"
    """``count`` people have registered for it as it is."""
    NOT_SEEDED_BY_HAND = "not_seeded_by_hand"
    LEVEL_REACHED = "level_reached"
    ADDED_STAYS = "added_stays"
    """It starts once it is full, and cannot be held at a time."""
    TOO_MANY_EVENTS = "too_many_events"
    """``most`` events of a server that are not over."""
    TOO_MANY_OWN_EVENTS = "too_many_own_events"
    """``most`` events of one organiser that are not over."""
    TOO_FEW_ENTRANTS = "too_few_entrants"
    """``need`` and ``have``."""
    NOT_FILLABLE = "not_fillable"
    """``most`` computers."""
    NOT_ORGANISER = "not_organiser"
    PLAYS_HERE = "plays_here"
    """An organiser who plays in the event has no power over its play."""
    HAS_RULED = "has_ruled"
    """An organiser who has decided about an event's play does not enter it."""
    NOT_IN_THIS_EVENT = "not_in_this_event"
    """The reader is neither in the event nor one of its organisers."""
    NO_ADDED_POWER = "no_added_power"
    NO_ROLE_POWER = "no_role_power"
    NO_REPEAT_POWER = "no_repeat_power"
    POLL_TIMES = "poll_times"
    """``least`` and ``most`` times."""
    POLL_TOO_LONG = "poll_too_long"
    """``count`` hours."""
    BAD_POLL_TIME = "bad_poll_time"
    """The ``time`` as it was written."""
    TOO_MANY_POLLS = "too_many_polls"
    """``most`` polls."""
    NO_POLLS_HERE = "no_polls_here"
    CHANGING_ANOTHER = "changing_another"
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
    MASTERS_BUSY = "masters_busy"
    REHEARSAL_BUSY = "rehearsal_busy"
    BAD_REHEARSAL = "bad_rehearsal"
    """``least`` and ``most`` people, ``asked`` for."""
    NOT_DISQUALIFIED = "not_disqualified"
    DISQUALIFIED_FOR_GOOD = "disqualified_for_good"
    ALREADY_HELPER = "already_helper"
    TOO_MANY_HELPERS = "too_many_helpers"
    """``most``."""
    NO_SERIES = "no_series"
    SERIES_HIDDEN = "series_hidden"
    """``series``: its name."""
    NOT_DRAWN_YET = "not_drawn_yet"
    # An organiser acts for somebody else, or at one table.
    FEE_IS_THEIRS = "fee_is_theirs"
    """``fee`` chips that only the player can agree to; ``register``: the language of the message with that button."""
    THEY_ARE_IN = "they_are_in"
    THEY_ARE_OUT = "they_are_out"
    """They have had all their entries."""
    THEY_HAVE_RULED = "they_have_ruled"
    THEY_ARE_DISQUALIFIED = "they_are_disqualified"
    THEY_SERVE_PENALTY = "they_serve_penalty"
    THEY_CHECKED_IN = "they_checked_in"
    THEY_SIT_OUT = "they_sit_out"
    THEY_PLAY = "they_play"
    THEY_LEFT = "they_left"
    """The server."""
    NOBODY_MISSES = "nobody_misses"
    TOO_MANY_EVENT_CALLS = "too_many_event_calls"
    """``most`` an hour, and ``wait``: seconds until the next one."""
    CALLED_JUST_NOW = "called_just_now"
    TABLE_GONE = "table_gone"
    ONE_DECK_FOR_ALL = "one_deck_for_all"
    """A table of a duplicate event can't be treated apart from the others."""
    TABLE_PAUSED = "table_paused"
    TABLE_NOT_PAUSED = "table_not_paused"
    NO_HAND_RUNS = "no_hand_runs"
    NOT_MOVING = "not_moving"
    MAY_NOT_KEEP = "may_not_keep"
    """The bot may not write here."""
    READ_BY_ALL = "read_by_all"
    """Everyone in the server sees this channel."""
    NOTHING_TO_TAKE_BACK = "nothing_to_take_back"
    NO_BRACKET = "no_bracket"


BRAKES = frozenset(
    {
        PlayReason.TOO_MANY_TABLES,
        PlayReason.TOO_MANY_SLOW_TABLES,
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
        PlayReason.TOO_MANY_EVENT_CALLS,
        PlayReason.TOO_MANY_INVITATIONS,
    }
)
"""Those that keep one person or server from spending what belongs to others."""


class Stale(Exception):  # noqa: N818 - an answer to the player, no error
    """A press that comes too late or twice: it has no effect, the present state is shown instead."""


class OtherTerms(Stale):
    """A press under other terms than those that hold now. Nothing has changed; the current terms are shown."""


State = TypeVar("State", bound=Enum)


class NoThoughtError(Exception):
    """Nobody could think it out: it may go well another time."""


class HandLostError(Exception):
    """A hand that cannot be told any more: it cannot go on and is voided, and never guessed."""

    reason: ClassVar[str]
    """Why, as a key of ``data/text`` under ``closed``."""


class SeedLostError(HandLostError):
    """A sealed seed that cannot be opened."""

    reason = "seed_lost"


class BadLogError(HandLostError):
    """A log that makes no hand: it was damaged, or written by something else."""

    reason = "bad_log"


class StorageTroubleError(Exception):
    """The storage cannot write now (locked, full, failing). Nothing was changed and nothing is lost."""


class StorageDoubtError(StorageTroubleError):
    """The storage was lost while it wrote: what was asked for is there whole, or not at all, and nobody knows which."""


class ForbiddenMoveError(Exception):
    """A defect: a table, an event or an entrant would go where nothing goes from the state it is in."""


def check_move(moves: Mapping[State, frozenset[State]], before: State, after: State) -> None:
    """Raise ForbiddenMoveError where no move leads from ``before`` to ``after``; staying is no move."""
    if after is not before and after not in moves[before]:
        raise ForbiddenMoveError(f"{type(before).__name__} does not go from {before.value} to {after.value}")


# What one press has written: what is safe on the disk stays done, whatever fails after it.


@dataclass(slots=True, kw_only=True)
class Deeds:
    """Of one press, with all that is done for it."""

    written: bool = False
    """True once something that it asked for is on the disk."""
    missed: bool = False
    """True once something could not be written."""


_deeds: ContextVar[Deeds | None] = ContextVar("deeds", default=None)


@contextmanager
def noting_deeds() -> Iterator[Deeds]:
    """While it lasts what is written is noted as done by one press."""
    before, deeds = _deeds.get(), Deeds()
    _deeds.set(deeds)
    try:
        yield deeds
    finally:
        _deeds.set(before)


def note_deed(*, well: bool) -> None:
    """Something was written, or could not be."""
    deeds = _deeds.get()
    if deeds is not None:
        deeds.written |= well
        deeds.missed |= not well
