"""A finished hand told again street by street, to whoever asks: discards as the game shows them, and one's own.

A shared link opens what everybody may see, elsewhere than where it was played, once all players have allowed it.
Nothing of it is stored. It carries a keyed hash of the hand's name, so none can be guessed, and the name itself under a
key, so that it tells nothing. Whether it opens anything is asked each time, so it ends when one of the players takes
back their leave, hides their profile or has their data deleted.
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
from bot.model.hands import HandRecord, HandState, Result, Wanted
from bot.model.ids import GuildId, Player, TableId, TableKey, is_computer, is_gone
from bot.model.reasons import HandReason
from bot.model.tables import Table
from bot.play.hand import hand_log
from bot.play.look.results import ResultView, finished, result_of, revealed
from bot.play.session.session import Session
from bot.pure.notation.history import HandHistory, history_of
from bot.pure.ofc.cards import BOARD_CARDS, EMPTY, Card, RowCards
from bot.pure.ofc.hand import Hand, evolve
from bot.pure.ofc.log import Fact
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.view import HandView, view_for
from bot.pure.solver.luck import Deal, deals_of, in_sight
from bot.pure.solver.review import Moment, moments


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatFrame:
    """A seat after a street."""

    player: str
    fantasyland: int
    """Cards that it holds in Fantasyland until the end; 0 outside."""
    before: RowCards = EMPTY
    """The cards placed before."""
    placed: RowCards = EMPTY
    """The cards placed on this street."""
    discards: tuple[Card, ...] = ()
    """The cards discarded on this street, where the reader may know them."""
    by_clock: bool = False
    """True where the clock has placed this street."""
    by_fallback: bool = False
    """True if a lower level placed this street for the computer player in the seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """All seats after a street."""

    street: int
    seats: tuple[SeatFrame, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """A hand that is over, street by street; its end is the result."""

    result: ResultView
    end: HandView
    """The boards at the end, through the reader's eyes."""
    frames: tuple[Frame, ...]
    """One for each street that was dealt; none where all boards were set at once."""

    @property
    def last(self) -> int:
        """The number of the last step, which shows the result; the streets are steps from 0 on."""
        return len(self.frames)


def frames_of(hand: Hand, facts: Sequence[Fact], you: str | None) -> tuple[Frame, ...]:
    """The streets of a hand that is over, as ``you`` may look back at them.

    What was placed face down is told where it was placed: all of it lies face up by now. What was never turned up,
    the cards of those who surrendered, is in no frame.
    """
    end = view_for(hand, you)
    states = _states(hand, facts)
    frames = []
    for street in range(1, hand.street + 1):
        seats = [_seat_frame(states, end, street, seat) for seat in range(len(hand.seats))]
        frames.append(Frame(street=street, seats=tuple(seats)))
    return () if hand.variant.at_once else tuple(frames)


def _states(hand: Hand, facts: Sequence[Fact]) -> list[Hand]:
    """The hand after each fact."""
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
    """The cards that a seat has placed and discarded up to a street."""
    known = [state.seats[seat] for state in states if state.seats and state.seats[seat].placed_street <= street]
    return (known[-1].rows, known[-1].discards) if known else (EMPTY, ())


@dataclass(frozen=True, slots=True, kw_only=True)
class PastLine:
    """One of a player's hands, as it is told in a line."""

    table: Table
    record: HandRecord
    mine: Result
    others: tuple[Player, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PastPage:
    """One page of a player's hands, newest first."""

    wanted: Wanted
    page: int
    """From 0 on."""
    lines: tuple[PastLine, ...]
    more: bool
    """True where older ones follow."""


def past_page(s: Session, guild: GuildId, player: Player, wanted: Wanted, *, page: int, lines: int) -> PastPage:
    """A page of the hands that a player looks for among their own, newest first."""
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


def replay_of(s: Session, key: TableKey, hand_no: int, you: Player | None) -> Replay:
    """A hand to be told again; raises Refused for one that is not over, void or lost."""
    hand, _ = _ended(s, key, hand_no, you)
    return Replay(
        result=result_of(s, key, hand_no, you),
        end=view_for(hand, you),
        frames=frames_of(hand, s.tx.hands.facts(key, hand_no), you),
    )


def history_file(s: Session, key: TableKey, hand_no: int, you: Player | None) -> HandHistory:
    """A hand as its file tells it to ``you``; raises Refused. Once the deck is public, so is every discard."""
    hand, record = _ended(s, key, hand_no, you)
    table = s.table(key, you)
    mine = {number for number, seat in enumerate(hand.seats) if seat.player == you}
    players = [Player(seat.player) for seat in hand.seats]
    won = {result.player: result.chips for result in s.tx.results.of(key, hand_no)}
    stacks = s.tx.ledger.stacks_before(key, hand_no, at=record.started_at)
    return history_of(
        hand,
        s.tx.hands.facts(key, hand_no),
        hand_id=record.id_at(key),
        to=range(len(players)) if revealed(table, record) else mine,
        stacks=[stacks.get(player, 0) for player in players],
        chips=[won[player] for player in players],
        point_value=record.point_value,
        started=f"{datetime.fromtimestamp(record.started_at // 1000, UTC):%Y-%m-%dT%H:%M:%S}",
    )


def _ended(s: Session, key: TableKey, hand_no: int, you: Player | None) -> tuple[Hand, HandRecord]:
    table = s.table(key, you)
    record = finished(s, table, hand_no)
    if record.state is not HandState.SETTLED:
        raise Refused(HandReason.HAND_WAS_VOID, hand=hand_no)
    try:
        return hand_log.hand_of(s, key, hand_no), record
    except HandLostError:
        raise Refused(HandReason.HAND_LOST, hand=hand_no) from None


# Looking back at a finished hand, through the eyes of somebody who played it.


@dataclass(frozen=True, slots=True, kw_only=True)
class PastHand:
    """A finished hand as one player saw it, decision by decision: no card that they may not know."""

    name: str
    """The hand's id, which no other hand has."""
    table: Table
    hand_no: int
    player: Player
    seat: int
    end: HandView
    moments: tuple[Moment, ...]
    deals: tuple[Deal, ...]
    """The player's own deals."""

    @property
    def whole(self) -> bool:
        """True where the player's board came to be full: it can be tried again."""
        mine = self.end.mine
        return bool(self.moments) and mine is not None and sum(map(len, mine.rows)) == BOARD_CARDS


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldResult:
    """Where the result of a hand is told."""

    key: TableKey
    hand_no: int
    channel: int
    message: int


def posted(s: Session, number: int, told: ToldResult | None) -> None:
    """Note that a message was posted, and where it tells a result."""
    record = s.tx.hands.get(told.key, told.hand_no) if told else None
    if told is not None and record is not None:
        s.tx.hands.save(told.key, replace(record, told_in=told.channel, told_by=told.message))
    s.tx.outbox.posted(number)


def past_hand(s: Session, key: TableKey, hand_no: int, player: Player) -> PastHand:
    """A hand as its player may look back at it; raises Refused for one that is not over, void, lost or not theirs."""
    table = s.table(key, player)
    record = finished(s, table, hand_no)
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
        player=player,
        seat=seat,
        end=view_for(hand, player),
        moments=tuple(moments(hand.variant, hand.deck, facts, seat)),
        deals=tuple(in_sight(deal) for deal in deals_of(hand.variant, hand.deck, facts) if deal.view.you == seat),
    )


MARK_BYTES = 16
"""Of the keyed hash: 128 bits."""
OF_A_HAND = "hand."
"""What the link of a hand begins with, and no other."""
_NAME = struct.Struct(">QQI")
"""A server, a table and a hand."""
_LINK = re.compile(r"hand\.([0-9A-Za-z_-]{48})")
_OLD_LINK = re.compile(rf"hand\.(\d{{1,19}})\.(\d{{1,15}})\.(\d{{1,9}})\.([0-9a-f]{{{2 * MARK_BYTES}}})")
"""A link of before version 1.0, which told the server's id."""


def link_of(s: Session, key: TableKey, hand_no: int, you: Player | None) -> str:
    """The last part of the address that shows a hand; raises Refused where one of its players doesn't allow it."""
    s.table(key, you)
    _demand_allowed(s, key, hand_no)
    mark = s.vault.marks(_named(key, hand_no))[0][:MARK_BYTES]
    hidden = _masked(_NAME.pack(key.guild, key.table, hand_no), s.vault.marks(_mask_of(mark))[0])
    return OF_A_HAND + urlsafe_b64encode(mark + hidden).decode()


def hand_of(s: Session, link: str) -> tuple[TableKey, int]:
    """The hand that a link shows; raises Refused for a link that is none, or doesn't open anything any more."""
    for key, hand_no, mark in _meant_by(s, link):
        marks = [own[:MARK_BYTES] for own in s.vault.marks(_named(key, hand_no))]
        if any(hmac.compare_digest(mark, own) for own in marks):
            _demand_allowed(s, key, hand_no)
            return key, hand_no
    raise Refused(HandReason.HAND_NOT_SHARED)


def _meant_by(s: Session, link: str) -> list[tuple[TableKey, int, bytes]]:
    """The hands that a link may mean, one for each key, and its mark: it fits one of them, unless it was forged."""
    if found := _OLD_LINK.fullmatch(link):
        guild, table, hand_no = map(int, found.group(1, 2, 3))
        return [(TableKey(guild=GuildId(guild), table=TableId(table)), hand_no, bytes.fromhex(found[4]))]
    if (found := _LINK.fullmatch(link)) is None:
        return []
    given = urlsafe_b64decode(found[1])
    mark, hidden = given[:MARK_BYTES], given[MARK_BYTES:]
    names = [_NAME.unpack(_masked(hidden, mask)) for mask in s.vault.marks(_mask_of(mark))]
    return [(TableKey(guild=GuildId(name[0]), table=TableId(name[1])), name[2], mark) for name in names]


def _mask_of(mark: bytes) -> str:
    return f"link.{mark.hex()}"


def _masked(name: bytes, mask: bytes) -> bytes:
    return bytes(one ^ other for one, other in zip(name, mask, strict=False))


def shared_file(s: Session, key: TableKey, hand_no: int, names: Mapping[str, str]) -> HandHistory:
    """A hand as its file tells it to a guest: seats and ``names``, without ids, stacks and time; raises Refused."""
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
    """The names, with a number behind each that stands there already."""
    made: list[str] = []
    for name in names:
        number, one = 1, name
        while one in made:
            number += 1
            one = f"{name} ({number})"
        made.append(one)
    return made


def demand_postable(s: Session, key: TableKey, hand_no: int, you: Player, channel: int) -> None:
    """Raise Refused for a hand with somebody else who hides their profile, but for where its result stands anyway."""
    table = s.table(key)
    others = [result.player for result in s.tx.results.of(key, hand_no) if result.player != you]
    if channel not in (table.channel, table.home) and s.tx.choices.hidden_players(key.guild).intersection(others):
        raise Refused(HandReason.REPLAY_NOT_SHOWN, channel=f"<#{table.home or table.channel}>")


def _named(key: TableKey, hand_no: int) -> str:
    return f"hand.{key.guild}.{key.table}.{hand_no}"


def _demand_allowed(s: Session, key: TableKey, hand_no: int) -> None:
    """Raise Refused unless all who have played it share their hands, and let others look at their profile."""
    table = s.table(key)
    finished(s, table, hand_no)
    people = [result.player for result in s.tx.results.of(key, hand_no) if not is_computer(result.player)]
    shared = not table.private and people
    if not shared or not all(_shares(s, key.guild, one) for one in people):
        raise Refused(HandReason.HAND_NOT_SHARED)


def _shares(s: Session, guild: GuildId, player: Player) -> bool:
    wishes = s.tx.choices.wishes(guild, player)
    return wishes.hands_shared and wishes.profile_visible and not is_gone(player)
