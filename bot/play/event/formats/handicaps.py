"""Handicaps of an event: what they would be as ratings stand, and what they are once it has started.

They are written into the event's log at the start: what ratings become afterwards changes nothing. Late players have
none, and whoever enters again has the same as before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.model.events import Event
from bot.model.ids import EventKey, Player, is_computer
from bot.play.event.floor.field import Field
from bot.play.event.formats import seeding
from bot.play.session.session import Session
from bot.pure.event import handicap
from bot.pure.event.rounds import settled
from bot.pure.event.structure import Family
from bot.store.transaction import Tx


@dataclass(frozen=True, slots=True, kw_only=True)
class Handicap:
    """What one player starts with beyond the others."""

    player: Player
    below: int
    """Tenths of a point below the best rated."""
    amount: int
    """Chips, or points of a league."""


def coming(s: Session, event: Event, players: Sequence[Player]) -> tuple[Handicap, ...]:
    """The handicaps of these players as ratings stand, the greatest in front."""
    people = [player for player in players if not is_computer(player)]
    if len(people) < 2:
        return ()
    structure = settled(event.structure, len(players))
    # As they are shown: with one decimal.
    shown = {player: round(10 * round(rating.mean, 1)) for player, rating in seeding.ratings(s, event, people).items()}
    made = handicap.head_starts(shown, structure)
    return tuple(
        Handicap(player=Player(player), below=below, amount=amount) for player, (below, amount) in made.items()
    )


def give(field: Field) -> None:
    """Fix the handicaps of those who were drawn; a league adds them to its scores at once."""
    if not field.event.structure.handicap:
        return
    made = coming(field.s, field.event, [entrant.player for entrant in field.playing])
    field.note("handicapped", handicaps=[[one.player, one.below, one.amount] for one in made])
    if field.event.format.family is Family.ROUNDS:
        for one in made:
            entrant = field.entrants[one.player]
            field.save_entrant(replace(entrant, score=entrant.score + one.amount))


def noted(tx: Tx, key: EventKey) -> tuple[Handicap, ...]:
    """The handicaps with which the event began; empty before, and where nobody has one."""
    fact = tx.events.last_fact(key, ("handicapped",))
    told = [] if fact is None else fact.details["handicaps"]
    return tuple(Handicap(player=Player(str(player)), below=below, amount=amount) for player, below, amount in told)


def told(field: Field) -> dict[str, object]:
    """Who starts with how much more, as plain values; nothing where nobody does."""
    made = noted(field.tx, field.key) if field.event.structure.handicap else ()
    return {"handicaps": [[one.player, one.amount] for one in made]} if made else {}


def stack_of(field: Field, player: Player) -> int:
    """The chips of one entry, or of one match."""
    structure, given = field.event.structure, 0
    if structure.handicap:
        given = next((one.amount for one in noted(field.tx, field.key) if one.player == player), 0)
    return structure.stack + given
