"""The groups of an event that ends in a bracket: their tables as everybody may see them, and who goes on."""

from __future__ import annotations

from dataclasses import dataclass

from bot.event.bracket import Progress
from bot.event.groups import qualified
from bot.event.structure import Format
from bot.model.ids import Player
from bot.play.event.field import Field, bracket_in, bracket_progress


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRow:
    """One player of a group, with the matches won and lost there."""

    player: Player
    won: int
    lost: int
    through: bool
    """True for one who goes on, once that is settled."""
    by_draw: bool
    """True where nothing but the draw, or the seeds, rank them beside somebody else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupTable:
    """A group, the best first; a place in it is sure once the bracket is drawn."""

    number: int
    rows: tuple[GroupRow, ...]
    drawn: bool

    @property
    def through(self) -> list[Player]:
        """Those who go on."""
        return [row.player for row in self.rows if row.through]

    @property
    def behind(self) -> list[Player]:
        """Those who do not, or all while that is open."""
        return [row.player for row in self.rows if not row.through]

    def to_json(self) -> list[list[Player]]:
        """Who goes on, who stays behind, and who was ranked by nothing but the draw: as a notice tells it."""
        return [self.through, self.behind, [row.player for row in self.rows if self.drawn and row.by_draw]]


def group_tables(field: Field, made: Progress) -> tuple[GroupTable, ...]:
    """The groups as they stand; none in other formats."""
    if field.event.format is not Format.GROUPS:
        return ()
    people = {entrant.number: entrant.player for entrant in field.entrants.values() if entrant.number}
    on = {made.won[number] for number in bracket_in(field).places if number in made.won}
    return tuple(
        GroupTable(
            number=number,
            rows=tuple(
                GroupRow(
                    player=people[row.seed], won=row.won, lost=row.lost, through=row.seed in on, by_draw=row.by_draw
                )
                for row in rows
            ),
            drawn=made.drawn,
        )
        for number, rows in enumerate(made.tables, start=1)
    )


def told(field: Field) -> dict[str, object]:
    """The groups as a notice tells them; nothing in other formats."""
    made = group_tables(field, bracket_progress(field)) if field.event.format is Format.GROUPS else ()
    return {"groups": [group.to_json() for group in made]} if made else {}


def draw_bracket(field: Field, made: Progress) -> None:
    """Write who goes on into the places of the bracket; whoever was disqualified by now leaves theirs to the next."""
    bracket = bracket_in(field)
    people = {entrant.number: entrant for entrant in field.entrants.values() if entrant.number}
    gone = {number for number, entrant in people.items() if entrant.disqualified}
    on = qualified(made.tables, bracket.through, gone)
    for match, seed in zip(bracket.places, on, strict=False):
        field.tx.save_match(field.key, match, people[seed].player)
    field.note("groups_over", players=[people[seed].player for seed in on])
