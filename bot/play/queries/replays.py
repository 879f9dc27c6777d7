"""Replays of finished hands, street by street, with the discards that the viewer may know.

A shared link shows the public view outside the hand's channel, if all players allow it. Links aren't stored. A link
contains a keyed hash of the hand's name, so it can't be guessed, and the name in encrypted form, so it reveals nothing.
Permission is checked on each request, so a link stops working when a player stops sharing, hides their profile or is
deleted.
"""

from __future__ import annotations

import hmac
import re
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from bot.model.errors import HandLostError
from bot.model.hands import HandFilter, HandRecord, HandState, Result
from bot.model.ids import GuildId, Player, TableId, TableKey, is_computer, is_pseudonym
from bot.model.reasons import HandReason
from bot.model.tables import Table
from bot.play.hand import hand_log
from bot.play.queries.results import ResultView, is_revealed, require_finished, result_of
from bot.play.session.session import Session
from bot.pure.notation.history import HandHistory, build_history
from bot.pure.ofc.cards import BOARD_CARDS, EMPTY, Card, RowCards
from bot.pure.ofc.hand import Hand, evolve
from bot.pure.ofc.log import Fact
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.view import HandView, view_for
from bot.pure.solver.luck import StreetDeal, in_sight, iter_deals
from bot.pure.solver.review import DecisionPoint, moments


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatFrame:
    """A seat after a street."""

    player: str
    fantasyland: int
    """Number of cards held in Fantasyland until the end; 0 outside it."""
    before: RowCards = EMPTY
    """Cards placed before this street."""
    placed: RowCards = EMPTY
    """Cards placed on this street."""
    discards: tuple[Card, ...] = ()
    """Cards discarded on this street, if the viewer may know them."""
    by_clock: bool = False
    """True if this street was auto-placed."""
    by_fallback: bool = False
    """True if a lower level placed this street for the seat's computer player."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """All seats after a street."""

    street: int
    seats: tuple[SeatFrame, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """A finished hand, street by street. The last step shows the result."""

    result: ResultView
    end: HandView
    """The final boards as the viewer may see them."""
    frames: tuple[Frame, ...]
    """One frame per street; empty if all boards were set in one go."""

    @property
    def last(self) -> int:
        """Number of the last step, which shows the result. Streets are steps, counted from 0."""
        return len(self.frames)


def build_frames(hand: Hand, facts: Sequence[Fact], you: str | None) -> tuple[Frame, ...]:
    """Return the streets of a finished hand as ``you`` may see them.

    Cards placed face down appear where they were placed, because all are face up at the end. The cards of players who
    surrendered stay hidden.
    """
    end = view_for(hand, you)
    states = _states(hand, facts)
    frames = []
    for street in range(1, hand.street + 1):
        seats = [_seat_frame(states, end, street, seat) for seat in range(len(hand.seats))]
        frames.append(Frame(street=street, seats=tuple(seats)))
    return () if hand.variant.at_once else tuple(frames)


def _states(hand: Hand, facts: Sequence[Fact]) -> list[Hand]:
    """Return the hand's state after each fact."""
    state, states = Hand(variant=hand.variant, deck=hand.deck), list[Hand]()
    for fact in facts:
        state = evolve(state, fact)
        states.append(state)
    return states


def _seat_frame(states: Sequence[Hand], end: HandView, street: int, seat: int) -> SeatFrame:
    mine = end.seats[seat]
    if mine.fantasyland:
        return SeatFrame(player=mine.player, fantasyland=mine.fantasyland)
    before, after = (_rows_when(states, seat, number) for number in (street - 1, street))
    front, middle, back = (now[len(then) :] for then, now in zip(before[0], after[0], strict=True))
    shown = mine.discards[len(before[1]) : len(after[1])]
    return SeatFrame(
        player=mine.player,
        fantasyland=0,
        before=before[0],
        placed=(front, middle, back),
        discards=tuple(card for card in shown if card is not None),
        by_clock=street in mine.by_clock,
        by_fallback=street in mine.by_fallback,
    )


def _rows_when(states: Sequence[Hand], seat: int, street: int) -> tuple[RowCards, tuple[Card, ...]]:
    """Return a seat's rows and discards up to a street."""
    known = [state.seats[seat] for state in states if state.seats and state.seats[seat].placed_street <= street]
    return (known[-1].rows, known[-1].discards) if known else (EMPTY, ())


@dataclass(frozen=True, slots=True, kw_only=True)
class PastLine:
    """Summary of one of a player's hands."""

    table: Table
    record: HandRecord
    mine: Result
    others: tuple[Player, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PastPage:
    """One page of a player's hands, newest first."""

    wanted: HandFilter
    page: int
    """From 0 on."""
    lines: tuple[PastLine, ...]
    more: bool
    """True if there are older ones."""


def past_page(s: Session, guild: GuildId, player: Player, wanted: HandFilter, *, page: int, lines: int) -> PastPage:
    """Return a page of a player's own hands that match ``wanted``, newest first."""
    found = s.tx.results.hands_of(guild, player, wanted, now=s.now, limit=lines + 1, skip=page * lines)
    told = tuple(_line(s, key, hand_no, player) for key, hand_no in found[:lines])
    return PastPage(wanted=wanted, page=page, lines=told, more=len(found) > lines)


def _line(s: Session, key: TableKey, hand_no: int, player: Player) -> PastLine:
    results, record = s.tx.results.of(key, hand_no), s.tx.hands.get(key, hand_no)
    assert record is not None
    return PastLine(
        table=s.table(key),
        record=record,
        mine=next(result for result in results if result.player == player),
        others=tuple(result.player for result in results if result.player != player),
    )


def build_replay(s: Session, key: TableKey, hand_no: int, you: Player | None) -> Replay:
    """Return a replay; raises Refused if the hand isn't over, or is void or lost."""
    hand, _ = _ended(s, key, hand_no, you)
    return Replay(
        result=result_of(s, key, hand_no, you),
        end=view_for(hand, you),
        frames=build_frames(hand, s.tx.hands.facts(key, hand_no), you),
    )


def history_file(s: Session, key: TableKey, hand_no: int, you: Player | None) -> HandHistory:
    """Return the history file of a hand for ``you``; raises Refused. Once its deck is public, it has all discards."""
    hand, record = _ended(s, key, hand_no, you)
    table = s.table(key, you)
    mine = {number for number, seat in enumerate(hand.seats) if seat.player == you}
    players = [Player(seat.player) for seat in hand.seats]
    won = {result.player: result.chips for result in s.tx.results.of(key, hand_no)}
    stacks = s.tx.ledger.stacks_before(key, hand_no, at=record.started_at)
    return build_history(
        hand,
        s.tx.hands.facts(key, hand_no),
        hand_id=record.id_at(key),
        to=range(len(players)) if is_revealed(table, record) else mine,
        stacks=[stacks.get(player, 0) for player in players],
        chips=[won[player] for player in players],
        point_value=record.point_value,
        started=f"{datetime.fromtimestamp(record.started_at // 1000, UTC):%Y-%m-%dT%H:%M:%S}",
    )


def _ended(s: Session, key: TableKey, hand_no: int, you: Player | None) -> tuple[Hand, HandRecord]:
    table = s.table(key, you)
    record = require_finished(s, table, hand_no)
    if record.state is not HandState.SETTLED:
        raise Refused(HandReason.HAND_WAS_VOID, hand=hand_no)
    try:
        return hand_log.hand_of(s, key, hand_no), record
    except HandLostError:
        raise Refused(HandReason.HAND_LOST, hand=hand_no) from None


# Finished hands from one player's point of view.


@dataclass(frozen=True, slots=True, kw_only=True)
class PastHand:
    """A finished hand as one player saw it, decision by decision, without cards they may not know."""

    name: str
    """The hand's unique id."""
    table: Table
    hand_no: int
    point_value: int
    """Chips per point in this hand."""
    player: Player
    seat: int
    end: HandView
    moments: tuple[DecisionPoint, ...]
    deals: tuple[StreetDeal, ...]
    """The player's own deals."""

    @property
    def whole(self) -> bool:
        """True if the player's board was completed, so the hand can be retried."""
        mine = self.end.mine
        return bool(self.moments) and mine is not None and sum(map(len, mine.rows)) == BOARD_CARDS


@dataclass(frozen=True, slots=True, kw_only=True)
class PostedResult:
    """The message that shows a hand's result."""

    key: TableKey
    hand_no: int
    channel: int
    message: int


def posted(s: Session, number: int, told: PostedResult | None) -> None:
    """Record that a message was posted, and which result it shows."""
    record = s.tx.hands.get(told.key, told.hand_no) if told else None
    if told is not None and record is not None:
        s.tx.hands.save(told.key, replace(record, told_in=told.channel, told_by=told.message))
    s.tx.outbox.posted(number)


def past_hand(s: Session, key: TableKey, hand_no: int, player: Player) -> PastHand:
    """Return a hand for its player; raises Refused if it isn't over, is void or lost, or isn't theirs."""
    table = s.table(key, player)
    record = require_finished(s, table, hand_no)
    if player not in {seated for seated, _ in record.entropy}:
        raise Refused(HandReason.NOT_IN_HAND, hand=hand_no)
    if record.state is not HandState.SETTLED:
        raise Refused(HandReason.HAND_WAS_VOID, hand=hand_no)
    try:
        hand = hand_log.hand_of(s, key, hand_no)
    except HandLostError:
        raise Refused(HandReason.HAND_LOST, hand=hand_no) from None
    facts = s.tx.hands.facts(key, hand_no)
    seat = next(number for number, seat in enumerate(hand.seats) if seat.player == player)
    return PastHand(
        name=record.id_at(table.key),
        table=table,
        hand_no=hand_no,
        point_value=record.point_value,
        player=player,
        seat=seat,
        end=view_for(hand, player),
        moments=tuple(moments(hand.variant, hand.deck, facts, seat)),
        deals=tuple(in_sight(deal) for deal in iter_deals(hand.variant, hand.deck, facts) if deal.view.you == seat),
    )


MARK_BYTES = 16
"""Bytes kept of the keyed hash (128 bits)."""
OF_A_HAND = "hand."
"""Prefix of links to hands."""
_NAME = struct.Struct(">QQI")
"""Layout of a hand's name: server, table and hand number."""
_LINK = re.compile(r"hand\.([0-9A-Za-z_-]{48})")
_OLD_LINK = re.compile(rf"hand\.(\d{{1,19}})\.(\d{{1,15}})\.(\d{{1,9}})\.([0-9a-f]{{{2 * MARK_BYTES}}})")
"""A link from before version 1.0, which contained the server's id."""


def hand_link(s: Session, key: TableKey, hand_no: int, you: Player | None) -> str:
    """Return the last part of a hand's address; raises Refused if one of its players doesn't allow sharing."""
    s.table(key, you)
    _require_shared(s, key, hand_no)
    mark = s.vault.marks(_named(key, hand_no))[0][:MARK_BYTES]
    hidden = _mask(_NAME.pack(key.guild, key.table, hand_no), s.vault.marks(_mask_of(mark))[0])
    return OF_A_HAND + urlsafe_b64encode(mark + hidden).decode()


def hand_of(s: Session, link: str) -> tuple[TableKey, int]:
    """Return the hand that a link shows; raises Refused if the link is invalid or no longer allowed."""
    for key, hand_no, mark in _meant_by(s, link):
        marks = [own[:MARK_BYTES] for own in s.vault.marks(_named(key, hand_no))]
        if any(hmac.compare_digest(mark, own) for own in marks):
            _require_shared(s, key, hand_no)
            return key, hand_no
    raise Refused(HandReason.HAND_NOT_SHARED)


def _meant_by(s: Session, link: str) -> list[tuple[TableKey, int, bytes]]:
    """Return a link's candidate hands, one per key, each with the link's mark. A genuine link fits one of them."""
    if found := _OLD_LINK.fullmatch(link):
        guild, table, hand_no = map(int, found.group(1, 2, 3))
        return [(TableKey(guild=GuildId(guild), table=TableId(table)), hand_no, bytes.fromhex(found[4]))]
    if (found := _LINK.fullmatch(link)) is None:
        return []
    given = urlsafe_b64decode(found[1])
    mark, hidden = given[:MARK_BYTES], given[MARK_BYTES:]
    names = [_NAME.unpack(_mask(hidden, mask)) for mask in s.vault.marks(_mask_of(mark))]
    return [(TableKey(guild=GuildId(name[0]), table=TableId(name[1])), name[2], mark) for name in names]


def _mask_of(mark: bytes) -> str:
    return f"link.{mark.hex()}"


def _mask(name: bytes, mask: bytes) -> bytes:
    return bytes(one ^ other for one, other in zip(name, mask, strict=False))


def shared_file(s: Session, key: TableKey, hand_no: int, names: Mapping[str, str]) -> HandHistory:
    """Return a hand's history file for guests, with ``names`` but without ids, stacks and times; raises Refused."""
    told = history_file(s, key, hand_no, None)
    called = _distinct([names.get(seat.player, "") or f"p{number}" for number, seat in enumerate(told.hand.seats, 1)])
    seats = tuple(replace(seat, player=name) for seat, name in zip(told.hand.seats, called, strict=True))
    nothing = (0,) * len(seats)
    return replace(
        told,
        hand_id="",
        hand=replace(told.hand, seats=seats),
        stacks=nothing,
        chips=nothing,
        point_value=0,
        started="",
    )


def _distinct(names: Sequence[str]) -> list[str]:
    """Return the names, with a number appended to repeated ones."""
    made: list[str] = []
    for name in names:
        number, one = 1, name
        while one in made:
            number += 1
            one = f"{name} ({number})"
        made.append(one)
    return made


def require_postable(s: Session, key: TableKey, hand_no: int, you: Player, channel: int) -> None:
    """Raise Refused if another player of the hand hides their profile, except where its result is shown anyway."""
    table = s.table(key)
    others = [result.player for result in s.tx.results.of(key, hand_no) if result.player != you]
    if channel not in (table.channel, table.home) and s.tx.choices.hidden_players(key.guild).intersection(others):
        raise Refused(HandReason.REPLAY_NOT_SHOWN, channel=f"<#{table.home or table.channel}>")


def _named(key: TableKey, hand_no: int) -> str:
    return f"hand.{key.guild}.{key.table}.{hand_no}"


def _require_shared(s: Session, key: TableKey, hand_no: int) -> None:
    """Raise Refused unless all its human players share their hands and have visible profiles."""
    table = s.table(key)
    require_finished(s, table, hand_no)
    people = [result.player for result in s.tx.results.of(key, hand_no) if not is_computer(result.player)]
    shared = not table.private and people
    if not shared or not all(_shares(s, key.guild, one) for one in people):
        raise Refused(HandReason.HAND_NOT_SHARED)


def _shares(s: Session, guild: GuildId, player: Player) -> bool:
    member_settings = s.tx.choices.member_settings(guild, player)
    return member_settings.hands_shared and member_settings.profile_visible and not is_pseudonym(player)
