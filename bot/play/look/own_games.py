"""The tables of one player, as they look for what waits for them: how each stands, and what happened without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.model.ids import Player, TableKey
from bot.ofc.log import CardsPlaced, FantasylandSet
from bot.play.look.views import TableSeen, TableView, look
from bot.play.session.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """What has happened at a table without one of its players, since they last did something there."""

    placed: tuple[tuple[int, int], ...]
    """The turns that the clock placed for them, each a hand and a street; street 0 in Fantasyland."""
    points: tuple[int, ...]
    """What they have won or lost in the hands that have ended, in order."""
    without: int
    """Hands that were dealt without them."""


def missed_by(s: Session, key: TableKey, player: Player) -> Missed:
    """What a player has missed at their table: nothing once they have left it. Raises Refused."""
    table, seats = s.table(key), s.tx.seats(key)
    seat = next((seat for seat in seats if seat.player == player), None)
    if seat is None:
        return Missed(placed=(), points=(), without=0)
    placed: list[tuple[int, int]] = []
    for hand_no, fact in s.tx.by_clock_since(key, player):
        record = s.tx.hand(key, hand_no)
        seated = [one for one, _ in record.entropy] if record else []
        if not isinstance(fact, CardsPlaced | FantasylandSet) or seated[fact.seat : fact.seat + 1] != [player]:
            continue
        turn = hand_no, 0 if isinstance(fact, FantasylandSet) else fact.street
        if turn not in placed:
            placed.append(turn)
    points = s.tx.points_since(key, player, hand_no=placed[0][0]) if placed else []
    without = 0 if seat.out_since is None else table.hand_no - seat.out_since
    return Missed(placed=tuple(placed), points=tuple(points), without=without)


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What a player's own look at their table tells beside the table."""

    last: int | None
    """The points of their last hand there; None before the first."""
    missed: Missed | None
    """None where the clock has placed nothing for them since they last acted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A table as one of its players sees it among their others."""

    view: TableView
    beside: Beside


def beside(s: Session, tables: Sequence[TableKey], player: Player) -> list[Beside]:
    """What is told beside each of a player's tables; raises Refused."""
    told = []
    for key in tables:
        late = s.seat(s.table(key), player).timeouts
        missed = missed_by(s, key, player) if late else None
        told.append(Beside(last=s.tx.last_points(key, player), missed=missed))
    return told


def everywhere(s: Session, player: Player) -> list[TableSeen]:
    """The open tables of a player in all servers."""
    return [look(s, key) for key in s.tx.tables_everywhere(player)]
