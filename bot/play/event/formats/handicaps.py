"""Handicaps of an event: a preview from current ratings, and the final ones fixed at the start.

The final ones are written to the event's log, so later rating changes have no effect. Latecomers get none,
and a re-entry gets the same handicap again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.model.events import Event
from bot.model.ids import EventKey, Player, is_computer
from bot.play.event.floor.event_state import EventState
from bot.play.event.formats import seeding
from bot.play.session.session import Session
from bot.pure.event import handicap
from bot.pure.event.rounds import settle_rounds
from bot.pure.event.structure import Family
from bot.store.transaction import Tx


@dataclass(frozen=True, slots=True, kw_only=True)
class Handicap:
    """A player's head start."""

    player: Player
    below: int
    """Distance to the best rating, in tenths of a point."""
    amount: int
    """Chips or, in a league, points."""


def coming(s: Session, event: Event, players: Sequence[Player]) -> tuple[Handicap, ...]:
    """Return the handicaps of ``players`` by their current ratings, largest first."""
    people = [player for player in players if not is_computer(player)]
    if len(people) < 2:
        return ()
    structure = settle_rounds(event.structure, len(players))
    # Rounded to one decimal, as ratings are shown.
    shown = {player: round(10 * round(rating.mean, 1)) for player, rating in seeding.ratings(s, event, people).items()}
    made = handicap.head_starts(shown, structure)
    return tuple(
        Handicap(player=Player(player), below=below, amount=amount) for player, (below, amount) in made.items()
    )


def give(field: EventState) -> None:
    """Fix the handicaps of the drawn players. A league adds them to the scores now."""
    if not field.event.structure.handicap:
        return
    made = coming(field.s, field.event, [entrant.player for entrant in field.playing])
    field.note("handicapped", handicaps=[[one.player, one.below, one.amount] for one in made])
    if field.event.format.family is Family.ROUNDS:
        for one in made:
            entrant = field.entrants[one.player]
            field.save_entrant(replace(entrant, score=entrant.score + one.amount))


def fixed_handicaps(tx: Tx, key: EventKey) -> tuple[Handicap, ...]:
    """Return the handicaps fixed at the start; empty before the start or if there are none."""
    fact = tx.events.last_fact(key, ("handicapped",))
    told = [] if fact is None else fact.details["handicaps"]
    return tuple(Handicap(player=Player(str(player)), below=below, amount=amount) for player, below, amount in told)


def told(field: EventState) -> dict[str, object]:
    """Return the players' head starts as plain values; empty if there are none."""
    made = fixed_handicaps(field.tx, field.key) if field.event.structure.handicap else ()
    return {"handicaps": [[one.player, one.amount] for one in made]} if made else {}


def stack_of(field: EventState, player: Player) -> int:
    """Return the starting stack of an entry or a match, including the player's handicap."""
    structure, given = field.event.structure, 0
    if structure.handicap:
        given = next((one.amount for one in fixed_handicaps(field.tx, field.key) if one.player == player), 0)
    return structure.stack + given
