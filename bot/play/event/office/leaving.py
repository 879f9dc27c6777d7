"""Leaving an event that has started, and coming back.

In leagues and duplicate events, players finish the current round and aren't paired from the next one on. They keep
their points, and are ranked by them like everyone else. Until half of the rounds are played they may come back. Rounds
that they miss score 0, like a bye. Their fee stays in the pool.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.model.events import Entrant, EntrantState, Event, Phase
from bot.model.ids import EventKey, Player
from bot.model.reasons import EventReason
from bot.play import terms as terms_of
from bot.play.event.floor import absences, floor
from bot.play.event.floor.event_state import EventState, ranked, ranks, read_field
from bot.play.session.session import Session
from bot.pure.event.structure import Family
from bot.pure.ofc.refusals import Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveOffer:
    """The cost of leaving an event now, as its question shows it."""

    event: Event
    entrant: Entrant
    place: int
    """Current place, which other players may overtake."""
    tied: bool
    seated: bool
    """True if the player has hands to finish in this round."""
    returns_before: int
    """The player can come back while fewer rounds than this are finished; 0 if it's too late already."""

    @property
    def missed(self) -> int:
        """Number of rounds that the player misses if they don't come back."""
        return self.event.structure.rounds - self.event.round


def offer(s: Session, key: EventKey, player: Player) -> LeaveOffer:
    """Return the cost of leaving now. Raises Refused if the player can't leave."""
    field = read_field(s, key)
    entrant = _leaver(field, player)
    _, keys = ranked(field)
    place, tied = ranks(keys)[player]
    rounds = field.event.structure.rounds
    # The round that's being played will be finished before the player is missed.
    return LeaveOffer(
        event=field.event,
        entrant=entrant,
        place=place,
        tied=tied,
        seated=field.spot_of(player) is not None,
        returns_before=-(-rounds // 2) if 2 * field.event.round < rounds else 0,
    )


def leave(s: Session, key: EventKey, player: Player, *, terms: str | None = None, cause: str) -> Entrant:
    """Leave after the current round, under the ``terms`` that the question showed. Raises Refused or OtherTerms."""
    s.once(cause)
    field = read_field(s, key)
    entrant = _leaver(field, player)
    terms_of.demand(terms, terms_of.of_leaving(field.event))
    return step_out(field, entrant, kind=absences.LEFT, actor=player, cause=cause)


def step_out(
    field: EventState, entrant: Entrant, *, kind: str, actor: Player | None = None, cause: str | None = None
) -> Entrant:
    """Let a player leave after the current round. ``kind`` is the log entry."""
    field.note(kind, actor=actor, cause=cause, player=entrant.player, round=field.event.round)
    out = replace(field.entrants[entrant.player], state=EntrantState.OUT, out_moment=floor.next_moment(field))
    entrant = field.save_entrant(out)
    field.show()
    field.s.events_to_direct.add(field.key)
    return entrant


def come_back(s: Session, key: EventKey, player: Player, *, cause: str) -> Entrant:
    """Return to an event that the player has left. They are paired from the next round on. Raises Refused."""
    s.once(cause)
    field = read_field(s, key)
    entrant = _entrant(field, player)
    if entrant.playing:
        raise Refused(EventReason.ALREADY_PLAYING)
    if not absences.has_left(field.event, entrant):
        raise Refused(EventReason.OUT_FOR_GOOD)
    if not may_return(field, player):
        raise Refused(EventReason.TOO_LATE_TO_RETURN, rounds=field.event.structure.rounds)
    field.note(absences.BACK, actor=player, cause=cause, player=player, round=field.event.round)
    entrant = field.save_entrant(replace(entrant, state=EntrantState.PLAYING, out_moment=0, absent=False))
    field.show()
    s.events_to_direct.add(key)
    return entrant


def may_return(field: EventState, player: Player) -> bool:
    """True if a player who has left may come back: until half of the rounds are played, or while they've missed none.

    In the round that they left in, they haven't missed any.
    """
    event, after = field.event, absences.left_after(field).get(player)
    if event.phase is not Phase.RUNNING or after is None:
        return False
    finished = event.round - bool(field.spots)
    return 2 * finished < event.structure.rounds or (bool(field.spots) and after == event.round)


def _leaver(field: EventState, player: Player) -> Entrant:
    """Return the entrant if they may leave now. Raises Refused."""
    entrant = _entrant(field, player)
    if absences.has_left(field.event, entrant):
        raise Refused(EventReason.HAS_LEFT)
    if not entrant.playing:
        raise Refused(EventReason.OUT_FOR_GOOD)
    if field.event.format.family is not Family.ROUNDS:
        raise Refused(EventReason.EVENT_RUNS)
    if field.event.round >= field.event.structure.rounds:
        raise Refused(EventReason.LAST_ROUND)
    return entrant


def _entrant(field: EventState, player: Player) -> Entrant:
    """Return an entrant of a running event who isn't disqualified. Raises Refused."""
    if field.event.phase.over:
        raise Refused(EventReason.EVENT_OVER)
    entrant = field.entrants.get(player)
    if entrant is None or entrant.state is EntrantState.WITHDRAWN:
        raise Refused(EventReason.NOT_REGISTERED, register=field.event.language)
    if field.event.phase.before:
        raise Refused(EventReason.EVENT_NOT_RUNNING)
    if entrant.disqualified:
        raise Refused(EventReason.DISQUALIFIED)
    return entrant
