"""Seeds of an event, from series points, ratings or an organiser's order.

They are read when the draw is made and written to the event's log, so later changes have no effect.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.model.events import Entrant, Event
from bot.model.ids import EventKey, Player
from bot.model.standings import LeaderboardOrder
from bot.play.event.floor.event_state import EventState
from bot.play.event.formats.counting import series_points_so_far
from bot.play.session.session import Session
from bot.pure.event.draw import Seeds
from bot.pure.event.seeding import SeededBy, Seeding, seed_order, spread
from bot.pure.rating.model import Rating, group_of
from bot.store.transaction import Tx

THOUSAND = 1000
"""Ratings are compared in thousandths of a point, so that a record holds only integers."""


def seeds_of(field: EventState, drawn: Sequence[str]) -> Seeds:
    """Return the seeds of the drawn players, based on the current data."""
    by = field.event.structure.seeded_by(field.event.series)
    figures = _figures(field, [Player(player) for player in drawn], by)
    order = seed_order(drawn, figures, by)
    return Seeds(by=by, seeds=tuple((player, figures.get(player)) for player in order))


def _figures(field: EventState, players: Sequence[Player], by: SeededBy) -> Mapping[str, int]:
    s, event = field.s, field.event
    match by:
        case SeededBy.SERIES:
            points = series_points_so_far(s.tx, event.key.guild, event.series)
            return {player: points[player] for player in players if points.get(player)}
        case SeededBy.RATING:
            return {player: round(rating.least * THOUSAND) for player, rating in ratings(s, event, players).items()}
        case SeededBy.HAND:
            return {entrant.player: place for place, entrant in enumerate(by_hand(field), start=1)}
        case SeededBy.DRAW:
            return {}


def ratings(s: Session, event: Event, players: Sequence[Player]) -> dict[str, Rating]:
    """Return the current ratings of the players who are ranked in the event's game.

    Players who hide their rating are left out.
    """
    group, guild = group_of(event.variant.key), event.key.guild
    found = s.tx.ratings.ratings(guild, group.key, players) if group is not None and players else {}
    hidden = s.tx.choices.hidden_players(guild) if found else set()
    return {
        player: rating.by(s.now)
        for player, rating in found.items()
        if rating.hands >= LeaderboardOrder.RATING.min_hands and player not in hidden
    }


def by_hand(field: EventState) -> list[Entrant]:
    """Return the entrants that an organiser has seeded, best seed first."""
    given = (e for e in field.entrants.values() if e.seeded and (e.registered or e.playing))
    return sorted(given, key=lambda entrant: entrant.seeded)


def fixed_seeds(tx: Tx, key: EventKey) -> Seeds | None:
    """Return the seeds fixed at the start; None if only the draw decided."""
    fact = tx.events.last_fact(key, ("seeded",))
    if fact is None:
        return None
    return Seeds(
        by=SeededBy(fact.details["seeded_by"]),
        seeds=tuple((str(player), figure) for player, figure in fact.details["seeds"]),
    )


def told(field: EventState) -> dict[str, object]:
    """Return the seeds for a notice; empty if there are none or the organiser kept the default seeding."""
    seeds = None if field.event.structure.seeding is Seeding.DEFAULT else fixed_seeds(field.tx, field.key)
    if seeds is None:
        return {}
    return {"seeds": [list(seed) for seed in seeds.seeds if seed[1] is not None], "seeded_by": seeds.by.value}


def tables(field: EventState) -> tuple[tuple[str, ...], ...]:
    """Return the first tables made by the seeds, each in the order of the draw; empty without seeds."""
    seeds = fixed_seeds(field.tx, field.key)
    if seeds is None:
        return ()
    numbers = {entrant.player: entrant.number for entrant in field.entrants.values()}
    made = spread(seeds.order, field.event.structure.table_seats)
    return tuple(tuple(sorted(players, key=lambda player: numbers[Player(player)])) for players in made)
