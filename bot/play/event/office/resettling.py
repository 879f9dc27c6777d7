"""Places, prizes and badges of a finished event after rulings on it.

They always follow from the end of the event and the rulings in force, never from earlier rulings. So the rulings can be
undone in any order, and without rulings everything is as it was at the end.

A struck player is disqualified, and the places below move up. If points were corrected, the standings are computed
again.

Prizes are those of the new places. Chips that aren't due any more are taken back through the event's pool, as far as
the player's wallet goes. Players who are due more are paid exactly those chips, the best place first. So the prizes of
an event always have the same sum. Bounties stay with those who won them at the tables.

The log has a line for each ruling, and one for each that was undone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.model.careers import Badge
from bot.model.event_rulings import CORRECTED, STRUCK
from bot.model.event_standings import points_in
from bot.model.events import Entrant, EntrantState, EventFact
from bot.model.ids import Player
from bot.play import badges
from bot.play.event.floor.event_state import EventState, final_places, rank_entrants
from bot.play.event.office import permissions
from bot.play.event.office.director import prizes_won
from bot.play.session.chips import pool_of
from bot.pure.event.payouts import resettled
from bot.pure.event.scoring import BY_PLACE


@dataclass(frozen=True, slots=True, kw_only=True)
class Gain:
    """The effect of a ruling on a player who has a place."""

    player: Player
    place: int
    tied: bool
    chips: int
    """Change in their wallet."""
    points: int | None
    """Their points of the event for its series; None if they haven't changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resettled:
    """The changes made by a ruling, or by undoing one."""

    moved: tuple[tuple[Player, int, int], ...] = ()
    """The players with a new place: the former and the new one. The place of a disqualified player is 0."""
    chips: Mapping[Player, int]
    """Changes in wallets, without players whose wallet stays the same."""
    gains: tuple[Gain, ...] = ()
    """The players whose place, prize or series points have changed, by their new places. Disqualified ones are left
    out."""
    missing: int = 0
    """Chips that players should have given back but didn't have."""
    lost: tuple[tuple[Player, Badge, int], ...] = ()
    """Badges taken back, each with the time when it was earned."""

    @property
    def taken(self) -> int:
        """Chips taken back, all of which other players were paid."""
        return -sum(change for change in self.chips.values() if change < 0)

    def told(self) -> dict[str, object]:
        """Return the changes for the notice."""
        gains = [[one.player, one.place, one.tied, one.chips, one.points] for one in self.gains]
        return {**self._moved(), "gains": gains}

    def logged(self) -> dict[str, object]:
        """Return the changes for the log, which also needs the badges to restore."""
        return {**self._moved(), "lost": [[player, badge.value, at] for player, badge, at in self.lost]}

    def _moved(self) -> dict[str, object]:
        return {"moved": [list(one) for one in self.moved], "taken": self.taken, "missing": self.missing}


def resettle(field: EventState, kinds: Collection[str], changed: Sequence[Entrant]) -> Resettled:
    """Save the ``changed`` entrants, compute the event's places, prizes and badges again, and move the chips.

    ``kinds`` are the kinds of the rulings in force. Struck players count as disqualified.
    """
    facts = field.tx.events.rulings(field.key)
    number = len(facts) + 1
    before, points_before = dict(field.entrants), _series_points(field)
    for entrant in changed:
        field.save_entrant(entrant)
    order, finals = _ranked(field, kinds)
    due = _due(field, order, finals, kinds)
    paid = {entrant.player: entrant.prize for entrant in order}
    now = resettled(paid, due, field.tx.entrants.wallets_in(field.key))
    for entrant in order:
        player = entrant.player
        field.save_entrant(replace(field.entrants[player], place=finals[player], prize=now[player]))
    changes = {player: now[player] - paid[player] for player in now if now[player] != paid[player]}
    _move_chips(field, changes, number=number)
    shown = [(player, _shown_place(before[player]), _shown_place(field.entrants[player])) for player in finals]
    moved = tuple(one for one in shown if one[1] != one[2])
    return Resettled(
        moved=moved,
        chips=changes,
        gains=_gains(field, {player for player, *_ in moved}, changes, points_before),
        missing=sum(max(0, now[player] - due[player]) for player in now),
        lost=_correct_badges(field, [player for player in finals if finals[player] != before[player].place], facts),
    )


def _series_points(field: EventState) -> dict[Player, int]:
    """Return the players' points of the event for its series; empty without one."""
    event = field.event
    if not event.series:
        return {}
    ended = field.tx.events.ended(field.key.guild, series=event.series)
    this = next((one for one in ended if one.number == field.key.number), None)
    rule = field.tx.events.series_rule(field.key.guild, event.series) or BY_PLACE
    return {} if this is None else points_in(this, rule.scoring)


def _gains(
    field: EventState, moved: Collection[Player], changes: Mapping[Player, int], points_before: Mapping[Player, int]
) -> tuple[Gain, ...]:
    points = _series_points(field)
    fair = [one for one in field.entrants.values() if one.place and not one.disqualified]
    sharing = Counter(one.place for one in fair)
    changed = {one.player for one in fair if points.get(one.player) != points_before.get(one.player)}
    return tuple(
        Gain(
            player=one.player,
            place=one.place,
            tied=sharing[one.place] > 1,
            chips=changes.get(one.player, 0),
            points=points.get(one.player) if one.player in changed else None,
        )
        for one in sorted(fair, key=lambda one: (one.place, one.number))
        if one.player in moved or one.player in changes or one.player in changed
    )


def _shown_place(entrant: Entrant) -> int:
    return 0 if entrant.disqualified else entrant.place


def _ranked(field: EventState, kinds: Collection[str]) -> tuple[list[Entrant], dict[Player, int]]:
    """Return the entrants with a place, best first, and their places."""
    people = [entrant for entrant in field.entrants.values() if entrant.state is not EntrantState.WITHDRAWN]
    people.sort(key=lambda entrant: (entrant.end_place, entrant.number))
    if CORRECTED in kinds:
        unplaced = replace(field, entrants={one.player: replace(one, place=0) for one in field.entrants.values()})
        order, keys = rank_entrants(unplaced)
        return [field.entrants[one.player] for one in order], final_places(unplaced, order, keys)
    if STRUCK not in kinds:
        return people, {entrant.player: entrant.end_place for entrant in people}
    fair = [entrant for entrant in people if not entrant.disqualified]
    rest = [entrant for entrant in people if entrant.disqualified]
    ends = [entrant.end_place for entrant in fair]
    finals = {entrant.player: 1 + ends.index(entrant.end_place) for entrant in fair}
    finals |= {entrant.player: at for at, entrant in enumerate(rest, start=len(fair) + 1)}
    return [*fair, *rest], finals


def _due(
    field: EventState, order: Collection[Entrant], finals: Mapping[Player, int], kinds: Collection[str]
) -> dict[Player, int]:
    """Return the prizes that the players should have, in the order of places."""
    if not {STRUCK, CORRECTED}.intersection(kinds):
        return {entrant.player: entrant.end_prize for entrant in order}
    pool = sum(entrant.end_prize for entrant in order)
    won = prizes_won(field, [entrant for entrant in order if not entrant.disqualified], finals, pool=pool)
    return {entrant.player: won.get(entrant.player, 0) for entrant in order}


def _move_chips(field: EventState, changes: Mapping[Player, int], *, number: int) -> None:
    """Take chips back into the pool, and pay all of them out. ``number`` makes each ruling's transfers unique."""
    guild, pool, ledger = field.key.guild, pool_of(field.key), field.tx.ledger
    cause, at = f"event:{field.key.number}:ruling:{number}", field.s.now
    for player, change in sorted(changes.items(), key=lambda one: one[1]):  # the chips must be there to be paid
        if change < 0:
            ledger.hand_over(guild, payer=player, payee=pool, chips=-change, kind="prize_back", cause=cause, at=at)
        else:
            ledger.hand_over(guild, payer=pool, payee=player, chips=change, kind="prize", cause=cause, at=at)
        if field.event.structure.added:
            permissions.audit_won(field, player, change, ruling=number)


def _correct_badges(
    field: EventState, players: list[Player], facts: Collection[EventFact]
) -> tuple[tuple[Player, Badge, int], ...]:
    known = {badge.value: badge for badge in Badge}
    taken = {
        (Player(player), known[badge]): at
        for fact in facts
        for player, badge, at in fact.details.get("lost", ())
        if badge in known
    }
    lost = badges.correct_event(field.s, field.event, players, taken)
    return tuple((player, one.badge, one.at) for player, one in lost)
