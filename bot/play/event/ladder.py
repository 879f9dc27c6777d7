"""The rounds of a shoot-out: who sat where, who won, and which table is the final."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.model.events import EventTable
from bot.model.ids import EventKey, Player, TableId
from bot.play.event.field import Field
from bot.store.transaction import Tx


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """A round of a shoot-out: its tables with their players and winners, and who came through without one."""

    round: int
    tables: tuple[tuple[TableId, tuple[Player, ...], Player | None], ...]
    byes: tuple[Player, ...]

    @property
    def final(self) -> bool:
        """True for the round whose one table has everybody who is left."""
        return self.left == 1

    @property
    def left(self) -> int:
        """How many come through it."""
        return len(self.tables) + len(self.byes)


def rungs(field: Field) -> Iterator[Rung]:
    """The rounds of a shoot-out. A table's players are those of its hands, or those who sit there."""
    key, sat = field.key, field.tx.sat_at(field.key)
    won = {fact.details["table"]: Player(fact.details["player"]) for fact in field.tx.event_facts(key, "won")}
    tables = field.tx.event_tables(key, over=True)
    alive = {entrant.player for entrant in field.entrants.values() if entrant.number}
    for number in sorted({table.round for table in tables}):
        lines, seated = [], set[Player]()
        for info in (table for table in tables if table.round == number):
            spot = field.spots.get(info.table)
            here = dict.fromkeys([*sat.get(info.table, ()), *(seat.player for seat in (spot.seats if spot else ()))])
            players = tuple(here) or ((won[info.table],) if info.table in won else ())
            lines.append((info.table, players, won.get(info.table)))
            seated |= set(players)
        # Whoever is alone at a table has won it.
        byes = [player for player in alive - seated if field.entrants[player].score >= number]
        yield Rung(round=number, tables=tuple(lines), byes=tuple(sorted(byes)))
        alive = {winner for _, _, winner in lines if winner} | set(byes)


def is_final(tx: Tx, key: EventKey, info: EventTable) -> bool:
    """True for the table that a shoot-out ends with: the only one of its round, past which nobody has come."""
    tables = [one for one in tx.event_tables(key, over=True) if one.round == info.round]
    through = sum(entrant.score >= info.round for entrant in tx.entrants(key))
    return len(tables) == 1 and through <= info.over
