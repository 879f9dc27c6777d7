"""Leaving an event that has started, and coming back.

In leagues and duplicate events, players finish the current round and aren't paired from the next one on. They keep
their points, and are ranked by them like everyone else. Until half of the rounds are played they may come back. Rounds
that they miss score 0, like a bye. Their fee stays in the pool.

In brackets, players give up: they lose all their remaining matches, so their opponents advance. A running hand is
auto-placed to its end first. They are placed as if they had lost these matches at the table.

In freezeouts, players keep their seat by default, as in TDA's rules. They are auto-placed until they come back or are
out of chips, and win whatever they'd win at the table. If the structure says so, they give up instead. After the hand
and any Fantasyland, their chips leave play. They take the place of a player who busts at that moment. Their bounty goes
into the prize pool. They may re-enter as if they had busted, and then the bounty is on their head again. In shoot-outs,
players always give up, because the winners wait for each table.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.model.events import Entrant, EntrantState, Event
from bot.model.ids import EventKey, Player, is_computer
from bot.model.reasons import EventReason
from bot.play import terms as terms_of
from bot.play.event.floor import absences, floor
from bot.play.event.floor.event_state import (
    EventState,
    bracket_in,
    bracket_progress,
    match_winners,
    rank_entrants,
    ranks,
    read_field,
)
from bot.play.event.office import views
from bot.play.session.session import Session
from bot.pure.event.bracket import Seed, decides, progress, walked_over
from bot.pure.event.seating import tables_needed
from bot.pure.event.structure import Family, Format
from bot.pure.ofc.refusals import Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveOffer:
    """The cost of leaving an event now, as its question shows it."""

    event: Event
    entrant: Entrant
    place: int
    """Current place, which other players may overtake; 0 before the first hand has ended."""
    tied: bool
    seated: bool
    """True if the player has hands to finish in this round."""
    in_round: bool
    """True if any table still plays this round."""
    returns_before: int
    """The player can come back while fewer rounds than this are finished; 0 if only until this round ends."""
    others: int
    """Number of players who'd be left."""
    ends: bool
    """True if the event would end with this round."""

    @property
    def terms(self) -> str:
        """The terms for the question's button."""
        return terms_of.of_leaving(self.event, ends=self.ends)

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
    champion: Player | None = None
    """The player who wins the event by it; None if no one does."""
    decides: bool = False
    """True if it makes a match of others decide the event."""
    ends: bool = False
    """True if it ends the event."""

    @property
    def terms(self) -> str:
        """The terms for the question's button."""
        ends = (self.champion, self.decides, self.ends) if self.champion or self.decides or self.ends else ()
        return terms_of.of_giving_up(self.event, self.match, ends=ends)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsOffer:
    """The cost of leaving a freezeout or shoot-out now, as its question shows it."""

    event: Event
    in_hand: bool
    """True if the player's hand is in progress."""
    chips: int
    """Stack, which leaves play if the player gives up."""
    place: int
    """Current place, which other players may overtake; 0 before the first hand has ended."""
    tied: bool
    prize: int
    """Prize of the current place; 0 if others share it."""
    out_place: int
    """Place of a player who busts now."""
    out_prize: int
    """Prize of that place."""
    head: int
    """Bounty on the player."""
    enters_again: bool
    """True if the player could re-enter after giving up now."""
    last: Player | None = None
    """The only player left after giving up now, who wins the event; None if there are several."""
    ends: bool = False
    """True if giving up now ends the event."""

    @property
    def terms(self) -> str:
        """The terms for the question's button. Leaving a seat costs nothing that coming back doesn't undo."""
        costs = (self.out_place, self.out_prize, self.head, self.enters_again) if self.event.structure.gives_up else ()
        return terms_of.of_leaving_chips(self.event, costs, ends=self.ends)


Offer = LeaveOffer | GiveUpOffer | ChipsOffer


def offer(s: Session, key: EventKey, player: Player) -> Offer:
    """Return the cost of leaving now. Raises Refused if the player can't leave."""
    return _offer(read_field(s, key), player)


def _offer(field: EventState, player: Player) -> Offer:
    entrant = _leaver(field, player)
    if field.event.format.heads_up:
        return _give_up_offer(field, entrant)
    if field.event.format.family is Family.ROUNDS:
        return _leave_offer(field, entrant)
    return _chips_offer(field, entrant)


def _chips_offer(field: EventState, entrant: Entrant) -> ChipsOffer:
    """Return the cost of leaving a freezeout or shoot-out. Raises Refused if everyone else has given up."""
    event, player, held = field.event, entrant.player, field.stacks()
    leaves = absences.gave_up(field)
    rivals = [e for e in field.playing if e.player != player and not e.disqualified and e.player not in leaves]
    if event.structure.gives_up and not rivals:
        raise Refused(EventReason.OTHERS_GONE)
    _, keys = rank_entrants(field, held)
    place, tied = ranks(keys)[player]
    out = replace(entrant, state=EntrantState.OUT, out_moment=event.moment + 1, out_stack=held[player], out_order=0)
    then, _ = rank_entrants(replace(field, entrants={**field.entrants, player: out}), held)
    prizes = views.prizes_now(field, views.pool_now(field))
    alone = len(rivals) == 1 and not is_computer(rivals[0].player)
    ends = event.structure.gives_up and (alone or all(is_computer(rival.player) for rival in rivals))
    enters_again = not ends and views.registration_open(event) and entrant.entries <= event.structure.reentries
    spot = field.spot_of(player)
    return ChipsOffer(
        event=event,
        in_hand=spot is not None and not spot.idle,
        chips=held[player],
        place=place if _has_ranks(field) else 0,
        tied=tied,
        prize=0 if tied else _prize_at(prizes, place),
        out_place=1 + then.index(out),
        out_prize=_prize_at(prizes, 1 + then.index(out)),
        head=entrant.head,
        enters_again=enters_again,
        last=rivals[0].player if ends and alone else None,
        ends=ends,
    )


def _prize_at(prizes: tuple[int, ...], place: int) -> int:
    """Return the prize of a place, 0 if it isn't paid."""
    return prizes[place - 1] if place <= len(prizes) else 0


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
    found = GiveUpOffer(
        event=field.event,
        match=match,
        opponent=opponent,
        in_hand=spot is not None and not spot.idle,
        lives=field.event.format is Format.DOUBLE and entrant.number not in made.beaten,
    )
    return _with_outcome(field, entrant, found)


def _with_outcome(field: EventState, entrant: Entrant, found: GiveUpOffer) -> GiveUpOffer:
    """Return the offer with what giving up means for the end of the event."""
    seeded = {one.number: one for one in field.entrants.values() if one.number}
    gone = {seed for seed, one in seeded.items() if one.disqualified or not one.playing}
    left = seeded.keys() - gone - {entrant.number}
    bracket, winners = bracket_in(field), match_winners(field)
    if len(left) == 1:  # also before the groups are over
        return replace(found, champion=seeded[next(iter(left))].player, ends=True)
    if not bracket_progress(field).drawn:
        return found
    without = {*gone, entrant.number}
    before, after = (progress(bracket, walked_over(bracket, winners, absent)) for absent in (gone, without))
    champion = after.champion if before.champion is None else None
    return replace(
        found,
        champion=seeded[champion].player if champion in left else None,
        decides=decides(bracket, winners, without) and not decides(bracket, winners, gone),
        ends=after.over,
    )


def _leave_offer(field: EventState, entrant: Entrant) -> LeaveOffer:
    player = entrant.player
    _, keys = rank_entrants(field)
    place, tied = ranks(keys)[player]
    others = sum(one.player != player for one in field.playing)
    # The round that's being played will be finished before the player is missed.
    return LeaveOffer(
        event=field.event,
        entrant=entrant,
        place=place if _has_ranks(field) else 0,
        tied=tied,
        seated=field.spot_of(player) is not None,
        in_round=bool(field.spots),
        returns_before=returns_before(field.event),
        others=others,
        ends=ends_with_round(field.event, others),
    )


def _has_ranks(field: EventState) -> bool:
    """True once a hand has ended. Before that, everyone's place is chance."""
    return any(entrant.hands for entrant in field.entrants.values())


def ends_with_round(event: Event, players: int) -> bool:
    """True if a league or duplicate event with this many ``players`` left can't play another round."""
    seats = event.structure.table_seats
    if event.hides_shared_decks:
        tables = players // 2 if seats == 2 else tables_needed(players, seats)  # a table for two needs both
        return tables < 2
    return players < 2


def returns_before(event: Event) -> int:
    """Return how many rounds end the right to come back once finished; 0 if only those who missed none can."""
    rounds = event.structure.rounds
    return -(-rounds // 2) if 2 * event.round < rounds else 0


def leave(s: Session, key: EventKey, player: Player, *, terms: str | None = None, cause: str) -> Entrant:
    """Leave a running event, or give up in it, under the ``terms`` that the question showed.

    Raises Refused or OtherTerms.
    """
    s.check_not_repeated(cause)
    field = read_field(s, key)
    made, entrant = _offer(field, player), field.entrants[player]
    terms_of.require_unchanged(terms, made.terms)
    return _leave(field, entrant, made, cause=cause)


def leave_departed(field: EventState, player: Player) -> None:
    """Let a player who has left the server leave the event. They stay if nothing is left to leave."""
    try:
        made = _offer(field, player)
    except Refused:
        return
    field.note(absences.GONE, player=player)
    _leave(field, field.entrants[player], made, cause=None)


def _leave(field: EventState, entrant: Entrant, made: Offer, *, cause: str | None) -> Entrant:
    player = entrant.player
    if isinstance(made, GiveUpOffer):
        if made.in_hand:
            floor.attend(field, player, away=True)
        entrant = _step_out(field, entrant)
        field.note(absences.GAVE_UP, actor=player, cause=cause, player=player, match=made.match)
        return entrant
    if isinstance(made, ChipsOffer):
        kind = absences.GAVE_UP if field.event.structure.gives_up else absences.LEFT_SEAT
        field.note(kind, actor=player, cause=cause, player=player)
        floor.attend(field, player, away=True)
        return _changed(field, player)
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
    return _changed(field, entrant.player)


def _changed(field: EventState, player: Player) -> Entrant:
    """Return the player, and let the event show and follow the change."""
    field.show()
    field.s.events_to_direct.add(field.key)
    return field.entrants[player]


def come_back(s: Session, key: EventKey, player: Player, *, cause: str) -> Entrant:
    """Return to an event that the player has left. Raises Refused.

    In leagues and duplicate events, they are paired from the next round on. In freezeouts, they play on immediately,
    unless they serve a penalty.
    """
    s.check_not_repeated(cause)
    field = read_field(s, key)
    entrant = _entrant(field, player)
    if entrant.playing and player in absences.gave_up(field):
        raise Refused(EventReason.OUT_FOR_GOOD)
    if entrant.playing and absences.may_return(field, player):
        field.note(absences.BACK_IN_SEAT, actor=player, cause=cause, player=player)
        floor.attend(field, player, away=entrant.penalty > 0)
        return _changed(field, player)
    if entrant.playing:
        raise Refused(EventReason.ALREADY_PLAYING)
    if not absences.has_left(field.event, entrant):
        raise Refused(EventReason.OUT_FOR_GOOD)
    if not absences.may_return(field, player):
        raise Refused(EventReason.TOO_LATE_TO_RETURN, rounds=field.event.structure.rounds)
    field.note(absences.BACK, actor=player, cause=cause, player=player, round=field.event.round)
    entrant = field.save_entrant(replace(entrant, state=EntrantState.PLAYING, out_moment=0, absent=False))
    field.show()
    s.events_to_direct.add(key)
    return entrant


def _leaver(field: EventState, player: Player) -> Entrant:
    """Return the entrant if they may leave now. Raises Refused."""
    entrant = _entrant(field, player)
    if absences.has_left(field.event, entrant):
        raise absences.refusal_to_leave_again(field, player)
    if not entrant.playing:
        raise Refused(EventReason.OUT_FOR_GOOD)
    if field.event.format.family is not Family.ROUNDS:
        _check_seated(field, player)
        return entrant
    if field.event.round >= field.event.structure.rounds:
        raise Refused(EventReason.LAST_ROUND)
    return entrant


def _check_seated(field: EventState, player: Player) -> None:
    """Raise Refused if the player has left their seat, or if they are giving up after this hand."""
    if player in absences.gave_up(field):
        raise Refused(EventReason.OUT_FOR_GOOD)
    if player in absences.empty_seats(field):
        raise Refused(EventReason.HAS_LEFT)


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
