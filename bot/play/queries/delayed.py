"""The public state of a table a whole street late, for streams.

It's replayed from the hand's log, so it depends on nothing but the log and the time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import reduce
from itertools import takewhile

from bot.model.hands import HandRecord
from bot.model.ids import Player, TableKey
from bot.model.tables import Seat, TableState
from bot.play.queries.views import SeatStack, TableView, UnredactedTable, look, told
from bot.play.session.session import Session
from bot.pure.ofc.hand import Hand, HandStatus, evolve
from bot.pure.ofc.log import CardsPlaced, Fact

LATE_STREETS = 2
"""Number of later streets that must have begun before a street is shown, so that a whole street is in between."""
LATE_MS = 30_000
"""Maximum delay after the end of a hand, where no street follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LateTable:
    """A table with the cards that may be shown late. It never leaves play."""

    table: UnredactedTable | None
    """None before anything may be shown."""
    due: int | None = None
    """When the end of a hand may be shown, even if nothing changes (ms); None if nothing is due."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LateView:
    """A table as a stream may show it."""

    view: TableView | None
    """None before anything may be shown."""
    due: int | None
    """When the end of a hand may be shown, even if nothing changes (ms); None if nothing is due."""


def look_late(s: Session, key: TableKey) -> LateTable:
    """Return a table as everyone may see it late; raises Refused."""
    seen = look(s, key)
    table = seen.table
    if not table.hand_no:
        return LateTable(table=seen)
    begun, due = 0, None
    for hand_no in range(table.hand_no, 0, -1):
        record = s.tx.hands.get(key, hand_no)
        if record is None:
            break
        hand, ended = told(s, key, record), record.ended_at
        over = hand is None or hand.status is not HandStatus.PLAYING
        if over and (begun >= LATE_STREETS or ended is None or s.now >= ended + LATE_MS):
            return LateTable(table=seen if hand_no == table.hand_no else _at_end(seen, record, hand), due=due)
        if hand is None:
            break
        if over and ended is not None:
            due = ended + LATE_MS
        # The last street's end is the hand's end.
        street = hand.street - 1 if over else hand.street - LATE_STREETS
        if street > 0:
            return LateTable(table=_after(s, seen, record, hand, street), due=due)
        begun += max(1, hand.street) + over
    return LateTable(table=None, due=due)


def _at_end(seen: UnredactedTable, record: HandRecord, hand: Hand | None) -> UnredactedTable | None:
    """Return the table after an earlier hand; None if that hand is lost."""
    if hand is None:
        return None
    stacks = {place.seat.player: place.stack for place in seen.places}
    return _with(seen, record, hand, TableState.BETWEEN, stacks)


def _after(s: Session, seen: UnredactedTable, record: HandRecord, hand: Hand, street: int) -> UnredactedTable:
    """Return the table when all players had placed ``street``."""
    facts = takewhile(lambda fact: not _places_later(fact, street), s.tx.hands.facts(seen.table.key, record.hand_no))
    then = reduce(evolve, facts, Hand(variant=hand.variant, deck=hand.deck))
    stacks = s.tx.ledger.stacks_before(seen.table.key, record.hand_no, at=record.started_at)
    return _with(seen, record, then, TableState.PLAYING, stacks)


def _places_later(fact: Fact, street: int) -> bool:
    return isinstance(fact, CardsPlaced) and fact.street > street


def _with(
    seen: UnredactedTable, record: HandRecord, hand: Hand, state: TableState, stacks: Mapping[Player, int]
) -> UnredactedTable:
    """Return the table with an earlier state of a hand, and nothing that has happened since."""
    numbers = {place.seat.player: place.seat.number for place in seen.places}
    players = [Player(seat.player) for seat in hand.seats]
    return replace(
        seen,
        table=replace(seen.table, hand_no=record.hand_no, state=state),
        places=tuple(
            SeatStack(
                seat=Seat(number=numbers.get(player, number), player=player, dealt_in=True),
                stack=stacks.get(player, 0),
            )
            for number, player in enumerate(players)
        ),
        record=record,
        hand=hand,
        announce_by=None,
        next_hand_at=None,
        lobby_until=None,
        postings=(),
    )
