"""Leaving an event that has started, and coming back.

In leagues and duplicate events, players finish the current round and aren't paired from the next one on. They keep
their points, and are ranked by them like everyone else. Until half of the rounds are played they may come back. Rounds
that they miss score 0, like a bye. Their fee stays in the pool.

In brackets, players give up: they lose all their remaining matches, so their opponents advance. A running hand is
auto-placed to its end first. They are placed as if they had lost these matches at the table.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.model.events import Entrant, EntrantState, Event, Phase
from bot.model.ids import EventKey, Player
from bot.model.reasons import EventReason
from bot.play import terms as terms_of
from bot.play.event.floor import absences, floor
from bot.play.event.floor.event_state import EventState, bracket_progress, rank_entrants, ranks, read_field
from bot.play.session.session import Session
from bot.pure.event.bracket import Seed
from bot.pure.event.structure import Family, Format
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
    def terms(self) -> str:
        """The terms for the question's button."""
        return terms_of.of_leaving(self.event)

    @property
    def missed(self) -> int:
        """Number of rounds that the player misses if they don't come back."""
        return self.event.structure.rounds - self.event.round


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveUpOffer:
    """The cost of giving up in a bracket now, as its question shows it."""

    event: Event
    match: int
    """The match that the player loses first."""
    opponent: Player | None
    """Their opponent in it; None if that's still open."""
    in_hand: bool
    """True if their hand is in progress."""
    lives: bool
    """True if the player would have another life after losing the match."""

    @property
    def terms(self) -> str:
        """The terms for the question's button."""
        return terms_of.of_giving_up(self.event, self.match)


def offer(s: Session, key: EventKey, player: Player) -> LeaveOffer | GiveUpOffer:
    """Return the cost of leaving now. Raises Refused if the player can't leave."""
    return _offer(read_field(s, key), player)


def _offer(field: EventState, player: Player) -> LeaveOffer | GiveUpOffer:
    entrant = _leaver(field, player)
    return _give_up_offer(field, entrant) if field.event.format.heads_up else _leave_offer(field, entrant)


def _give_up_offer(field: EventState, entrant: Entrant) -> GiveUpOffer:
    """Return the cost of giving up. Raises Refused if no match is left, or if the opponent is gone already."""
    made, spot = bracket_progress(field), field.spot_of(entrant.player)
    people = {e.number: e.player for e in field.entrants.values() if e.number}
    opponent: Player | None = None
    if spot is not None:
        match = spot.info.match
        opponent = next((seat.player for seat in spot.seats if seat.player != entrant.player), None)
    elif entrant.number in made.coming:
        coming, source = made.coming[entrant.number]
        match, opponent = coming.number, people[source.number] if isinstance(source, Seed) else None
    else:
        raise Refused(EventReason.NO_MATCH_LEFT)
    if opponent is not None and (field.entrants[opponent].disqualified or not field.entrants[opponent].playing):
        raise Refused(EventReason.OPPONENT_GONE)
    return GiveUpOffer(
        event=field.event,
        match=match,
        opponent=opponent,
        in_hand=spot is not None and not spot.idle,
        lives=field.event.format is Format.DOUBLE and entrant.number not in made.beaten,
    )


def _leave_offer(field: EventState, entrant: Entrant) -> LeaveOffer:
    player = entrant.player
    _, keys = rank_entrants(field)
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
    """Leave after the current round, or give up in a bracket, under the ``terms`` that the question showed.

    Raises Refused or OtherTerms.
    """
    s.check_not_repeated(cause)
    field = read_field(s, key)
    made, entrant = _offer(field, player), field.entrants[player]
    terms_of.require_unchanged(terms, made.terms)
    if isinstance(made, GiveUpOffer):
        if made.in_hand:
            floor.attend(field, player, away=True)
        entrant = _step_out(field, entrant)
        field.note("gave_up", actor=player, cause=cause, player=player, match=made.match)
        return entrant
    return step_out(field, entrant, kind=absences.LEFT, actor=player, cause=cause)


def step_out(
    field: EventState, entrant: Entrant, *, kind: str, actor: Player | None = None, cause: str | None = None
) -> Entrant:
    """Let a player leave after the current round. ``kind`` is the log entry."""
    field.note(kind, actor=actor, cause=cause, player=entrant.player, round=field.event.round)
    return _step_out(field, entrant)


def _step_out(field: EventState, entrant: Entrant) -> Entrant:
    out = replace(field.entrants[entrant.player], state=EntrantState.OUT, out_moment=floor.next_moment(field))
    entrant = field.save_entrant(out)
    field.show()
    field.s.events_to_direct.add(field.key)
    return entrant


def come_back(s: Session, key: EventKey, player: Player, *, cause: str) -> Entrant:
    """Return to an event that the player has left. They are paired from the next round on. Raises Refused."""
    s.check_not_repeated(cause)
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
    """True if a player who has left may come back. Half of the rounds mustn't be over, unless they've missed none.

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
        if field.event.format.heads_up:
            return entrant
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
