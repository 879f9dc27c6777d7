"""What is shown of tables and hands: the only way from play to a presenter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from bot.ofc.deck import Entropy
from bot.ofc.proof import make_proof
from bot.ofc.refusals import Refused
from bot.ofc.view import HandView, view_for
from bot.play.model import HandRecord, HandState, Player, Result, Seat, Table, TableKey, TableState, Timer, hand_id
from bot.play.ports import HandLostError, SeedLostError
from bot.play.refusals import PlayReason
from bot.play.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A seat with the chips in front of it."""

    seat: Seat
    stack: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """A table through the eyes of one player, or of everybody (``you`` is None or not seated)."""

    table: Table
    places: tuple[Place, ...]
    hand: HandView | None
    """The running hand, or the last one while the table pauses; None when there is none to show."""
    next_hand_at: int | None
    lobby_until: int | None
    you: Player | None

    @property
    def turn_until(self) -> int | None:
        """When the first of those whose turn it is runs out of time; None where no countdown is shown."""
        return min(
            (until for place in self.places if (until := self.until(place.seat.player)) is not None), default=None
        )

    def until(self, player: str) -> int | None:
        """When a player's turn runs out; None while it is not his turn, or where no countdown is shown."""
        place = self.place_of(player)
        return place.seat.deadline if place and self.table.clock.shown else None

    @property
    def mine(self) -> Place | None:
        """The viewer's own place."""
        return next((place for place in self.places if place.seat.player == self.you), None)

    @property
    def waiting(self) -> tuple[Player, ...]:
        """The players that the hand waits for."""
        if self.hand is None:
            return ()
        return tuple(Player(seat.player) for seat in self.hand.seats if seat.waiting)

    def place_of(self, player: str) -> Place | None:
        """The place of a player, or None when he has left."""
        return next((place for place in self.places if place.seat.player == player), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultView:
    """A finished hand as everybody sees it. ``hand`` is None when its seed or its log was lost."""

    table: Table
    record: HandRecord
    hand: HandView | None
    results: tuple[Result, ...]
    seed: bytes | None
    """Only once it is revealed."""


def look(s: Session, key: TableKey, you: Player | None) -> TableView:
    """A table as ``you`` may see it; raises Refused."""
    table, stacks, timers = s.table(key), s.tx.stacks(key), s.tx.timers(key)
    return TableView(
        table=table,
        places=tuple(Place(seat=seat, stack=stacks.get(seat.player, 0)) for seat in s.tx.seats(key)),
        hand=_hand_view(s, table, you),
        next_hand_at=timers.get(Timer.NEXT_HAND),
        lobby_until=timers.get(Timer.LOBBY),
        you=you,
    )


def _hand_view(s: Session, table: Table, you: Player | None) -> HandView | None:
    if table.state not in (TableState.PLAYING, TableState.BETWEEN):
        return None
    record = s.tx.hand(table.key, table.hand_no)
    if record is not None and record.state is HandState.UNDEALT:
        return None
    return _view(s, table.key, table.hand_no, you)


def _view(s: Session, key: TableKey, hand_no: int, you: Player | None) -> HandView | None:
    try:
        return view_for(s.hand(key, hand_no)[1], you)
    except HandLostError:
        return None


def revealed(table: Table, record: HandRecord) -> bool:
    """True once a hand's seed is public: after the hand, or at the table's end where discards stay secret."""
    if record.state is HandState.PLAYING:
        return False
    return not table.open or not record.variant.hides_discards


def result_of(s: Session, key: TableKey, hand_no: int) -> ResultView:
    """A finished hand; raises Refused for one that is not finished."""
    table = s.table(key)
    record = _finished(s, table, hand_no)
    return ResultView(
        table=table,
        record=record,
        hand=None if record.state is HandState.UNDEALT else _view(s, key, hand_no, None),
        results=tuple(s.tx.results(key, hand_no)),
        seed=_seed(s, key, record) if revealed(table, record) else None,
    )


def _finished(s: Session, table: Table, hand_no: int) -> HandRecord:
    record = s.tx.hand(table.key, hand_no)
    if record is None:
        raise Refused(PlayReason.NO_SUCH_HAND, last=table.hand_no)
    if record.state is HandState.PLAYING:
        raise Refused(PlayReason.NOT_REVEALED_YET, hand=hand_no)
    return record


def _seed(s: Session, key: TableKey, record: HandRecord) -> bytes | None:
    try:
        return s.vault.unseal(record.sealed_seed, hand_id=hand_id(key, record.hand_no))
    except SeedLostError:
        return None


def proof_of(s: Session, key: TableKey, hand_no: int) -> Mapping[str, Any]:
    """The record with which a stranger recomputes the deck of a revealed hand; raises Refused."""
    table = s.table(key)
    record = _finished(s, table, hand_no)
    if not revealed(table, record):
        raise Refused(PlayReason.NOT_REVEALED_YET, hand=hand_no)
    seed = _seed(s, key, record)
    if seed is None:
        raise Refused(PlayReason.SEED_LOST, hand=hand_no)
    entropy = [Entropy(player, text) for player, text in record.stirred_by]
    name = record.deal_name(hand_id(key, hand_no))
    proof = make_proof(record.variant, hand_id=name, seed=seed, entropy=entropy)
    return replace(proof, commitment=record.commitment).to_json()
