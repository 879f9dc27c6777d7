"""The standings: a total order of an event's people, at any time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

from bot.event.bracket import Bracket, Progress, double, progress, single
from bot.event.payouts import series_points
from bot.event.structure import Family, Format
from bot.model.events import Entrant, EntrantState, SeriesLine
from bot.model.ids import EventKey, Player
from bot.play.event.field import Field
from bot.store.transaction import Tx


def ranking(field: Field) -> list[Entrant]:
    """Everybody who takes part, the first in front; disqualified players come last.

    Freezeout: by chips, then by being put out later; those put out together by their chips at the start of that hand,
    then clockwise from the button. Bracket: by how far one came, then by seed. Shoot-out: by tables won, then by hands
    survived. League and duplicate: by points. What is still equal is decided by the draw.
    """
    people = [entrant for entrant in field.entrants.values() if entrant.state is not EntrantState.WITHDRAWN]
    if people and all(entrant.place for entrant in people):
        return sorted(people, key=lambda entrant: entrant.place)
    fair = [entrant for entrant in people if not entrant.disqualified]
    rest = sorted((e for e in people if e.disqualified), key=lambda e: (-e.out_moment, e.number))
    return [*_by_format(field, fair), *rest]


def series_lines(tx: Tx, keys: Sequence[EventKey]) -> list[SeriesLine]:
    """The leaderboard of these events, which have ended."""
    points: dict[Player, int] = defaultdict(int)
    events: dict[Player, int] = defaultdict(int)
    wins: dict[Player, int] = defaultdict(int)
    won: dict[Player, int] = defaultdict(int)
    for key in keys:
        placed = [entrant for entrant in tx.entrants(key) if entrant.place]
        for entrant in placed:
            points[entrant.player] += 0 if entrant.disqualified else series_points(entrant.place, len(placed))
            events[entrant.player] += 1
            wins[entrant.player] += entrant.place == 1
            won[entrant.player] += entrant.prize
    lines = [SeriesLine(player=p, points=points[p], events=events[p], wins=wins[p], prize=won[p]) for p in points]
    return sorted(lines, key=lambda line: (-line.points, -line.wins, line.events, line.player))


def _by_format(field: Field, people: list[Entrant]) -> list[Entrant]:
    form = field.event.format
    if form.heads_up and field.event.started_at:
        order = {seed: place for place, seed in enumerate(bracket_progress(field).standing())}
        return sorted(people, key=lambda entrant: order.get(entrant.number, len(order)))
    if form.family is Family.ROUNDS:
        return sorted(people, key=lambda entrant: (-entrant.score, entrant.number))
    if form is Format.SHOOTOUT:
        return sorted(people, key=lambda e: (not e.playing, -e.score, -e.hands, -e.out_stack, e.out_order, e.number))
    chips = {entrant.player: field.chips(entrant.player) for entrant in people if entrant.playing}
    return sorted(people, key=lambda entrant: _freezeout_order(entrant, chips))


def _freezeout_order(entrant: Entrant, chips: dict[Player, int]) -> tuple[bool, int, int, int, int]:
    if entrant.playing:
        return False, -chips[entrant.player], 0, 0, entrant.number
    return True, -entrant.out_moment, -entrant.out_stack, entrant.out_order, entrant.number


@lru_cache(maxsize=64)
def bracket_of(form: Format, seeds: int) -> Bracket:
    """The bracket of so many."""
    return double(seeds) if form is Format.DOUBLE else single(seeds)


def bracket_progress(field: Field) -> Progress:
    """How far a bracket has come."""
    seeds = {entrant.player: entrant.number for entrant in field.entrants.values() if entrant.number}
    winners = {match: seeds[winner] for match, winner in field.tx.matches(field.key).items()}
    return progress(bracket_in(field), winners)


def bracket_in(field: Field) -> Bracket:
    """The bracket of an event that has begun."""
    drawn = sum(entrant.number > 0 for entrant in field.entrants.values())
    return bracket_of(field.event.format, max(2, drawn))
