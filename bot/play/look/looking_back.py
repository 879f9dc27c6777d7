"""Looking back at a finished hand, through the eyes of somebody who played it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.model.errors import HandLostError
from bot.model.hands import HandState
from bot.model.ids import Player, TableKey
from bot.model.refusals import PlayReason
from bot.model.tables import Table
from bot.ofc.cards import BOARD_CARDS
from bot.ofc.refusals import Refused
from bot.ofc.view import HandView, view_for
from bot.play.look.views import finished
from bot.play.session.session import Session
from bot.solver.deals import Deal, deals_of, in_sight
from bot.solver.review import Moment, moments


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
    record = s.tx.hand(told.key, told.hand_no) if told else None
    if told is not None and record is not None:
        s.tx.save_hand(told.key, replace(record, told_in=told.channel, told_by=told.message))
    s.tx.posted(number)


def past_hand(s: Session, key: TableKey, hand_no: int, player: Player) -> PastHand:
    """A hand as its player may look back at it; raises Refused for one that is not over, void, lost or not theirs."""
    table = s.table_for(key, player)
    record = finished(s, table, hand_no)
    if player not in {seated for seated, _ in record.entropy}:
        raise Refused(PlayReason.NOT_IN_HAND, hand=hand_no)
    if record.state is not HandState.SETTLED:
        raise Refused(PlayReason.HAND_WAS_VOID, hand=hand_no)
    try:
        hand = s.hand(key, hand_no)
    except HandLostError:
        raise Refused(PlayReason.HAND_LOST, hand=hand_no) from None
    facts = s.tx.facts(key, hand_no)
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
