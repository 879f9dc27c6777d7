"""Absences of players who have left an event, from the event's log.

Players who leave a league or duplicate event between rounds are out of it without a disqualification. Their points
stay, and they may come back. Players who leave a freezeout keep their seat and are auto-placed until they're back, or
they give up, as the structure says. In knockouts, players who leave give up.
"""

from __future__ import annotations

from collections import defaultdict

from bot.model.events import Entrant, EntrantState, Event, Phase
from bot.model.ids import Player
from bot.model.reasons import EventReason
from bot.play.event.floor.event_state import EventState
from bot.pure.event.structure import Family
from bot.pure.ofc.refusals import Refused
from bot.store.transaction import Tx

LEFT, GONE, BACK = "left", "left_server", "came_back"
"""Log entries. Each has the ``player`` and the current ``round``, which is the last one that they play or miss."""
LEFT_SEAT, BACK_IN_SEAT = "left_seat", "back_in_seat"
"""Log entries for players who leave the seat of a freezeout to the bot, and come back. Each has the ``player``."""
GAVE_UP, ENTERED_AGAIN = "gave_up", "entered_again"
"""Log entries for giving up, with the ``player``, and for a re-entry."""


def has_left(event: Event, entrant: Entrant) -> bool:
    """True if the entrant left between rounds and wasn't disqualified."""
    rounds = event.format.family is Family.ROUNDS
    return rounds and entrant.state is EntrantState.OUT and not entrant.disqualified


def left_after(field: EventState) -> dict[Player, int]:
    """Return the last round of each player who has left and isn't back, including disqualified ones."""
    if not any(has_left(field.event, entrant) for entrant in field.entrants.values()):
        return {}
    return {player: rounds[-1] for player, rounds in _departures(field.tx, field.event).items() if len(rounds) % 2}


def returnable(field: EventState) -> set[Player]:
    """Return the players who have left and may come back.

    In leagues and duplicate events, half of the rounds mustn't be over, unless the player has missed none. In the round
    that they left in, they haven't missed any.
    """
    event = field.event
    if event.phase is not Phase.RUNNING:
        return set()
    if event.format.family is not Family.ROUNDS:
        return {player for player in empty_seats(field) if field.entrants[player].playing}
    playing = bool(field.spots)
    early = 2 * (event.round - playing) < event.structure.rounds
    return {player for player, after in left_after(field).items() if early or (playing and after == event.round)}


def may_return(field: EventState, player: Player) -> bool:
    """True if a player who has left may come back."""
    return player in returnable(field)


def refusal_to_leave_again(field: EventState, player: Player) -> Refused:
    """Return the refusal for a player who has left already, by whether they may come back."""
    if may_return(field, player):
        return Refused(EventReason.HAS_LEFT)
    return Refused(EventReason.HAS_LEFT_FOR_GOOD)


def missed_rounds(field: EventState) -> dict[Player, int]:
    """Return the number of finished rounds that each player has missed, without players who have missed none."""
    missed: dict[Player, int] = {}
    for player, rounds in _departures(field.tx, field.event).items():
        until = [*rounds, field.event.round] if len(rounds) % 2 else rounds
        missed[player] = sum(back - left for left, back in zip(until[::2], until[1::2], strict=True))
    return {player: count for player, count in missed.items() if count}


def absent_in(field: EventState, number: int) -> set[Player]:
    """Return the players who had left before a round, and came back after it or not at all."""
    absent = set[Player]()
    for player, rounds in _departures(field.tx, field.event).items():
        gaps = zip(rounds[::2], [*rounds[1::2], number], strict=False)
        if any(left < number <= back for left, back in gaps):
            absent.add(player)
    return absent


def empty_seats(field: EventState) -> set[Player]:
    """Return the players who have left a freezeout without giving up, and haven't come back.

    A player who acts at the table is back.
    """
    return {player for player in _left_seats(field) if not field.entrants[player].playing or is_away(field, player)}


def returned(field: EventState) -> set[Player]:
    """Return the players who have left a freezeout and play again, without having said that they're back."""
    return {player for player in _left_seats(field) if not is_away(field, player) and field.entrants[player].playing}


def is_away(field: EventState, player: Player) -> bool:
    """True if a player is auto-placed, or will be at their next table."""
    spot = field.spot_of(player)
    if spot is None:
        return field.entrants[player].absent
    return next(seat.away for seat in spot.seats if seat.player == player)


def _left_seats(field: EventState) -> set[Player]:
    """Return the players who have left their seat and haven't re-entered or come back, according to the log."""
    if field.event.format.family is not Family.FREEZEOUT or field.event.structure.gives_up:
        return set()
    return _still(field, LEFT_SEAT, (BACK_IN_SEAT, ENTERED_AGAIN))


def gave_up(field: EventState) -> set[Player]:
    """Return the players who have given up and haven't re-entered. Until the end of their hand, they're still in."""
    if not field.event.structure.gives_up:
        return set()
    return _still(field, GAVE_UP, (ENTERED_AGAIN,))


def leavers(field: EventState) -> set[Player]:
    """Return the players who have left their seat, or have given up."""
    return empty_seats(field) | gave_up(field)


def _still(field: EventState, kind: str, ends: tuple[str, ...]) -> set[Player]:
    """Return the players with a log entry of ``kind`` that none of ``ends`` has followed."""
    newest = {Player(str(fact.details["player"])): fact.number for fact in field.tx.events.facts(field.key, kind)}
    if not newest:
        return set()
    ended = [fact for end in ends for fact in field.tx.events.facts(field.key, end)]
    since = {(fact.details.get("player") or fact.actor, fact.number) for fact in ended}
    return {
        player
        for player, number in newest.items()
        if player in field.entrants and not any(other == player and later > number for other, later in since)
    }


def _departures(tx: Tx, event: Event) -> dict[Player, list[int]]:
    """Return the rounds after which each player left and came back, in turn."""
    found: dict[Player, list[int]] = defaultdict(list)
    for fact in tx.events.facts(event.key, LEFT, GONE, BACK):
        if "round" in fact.details:
            found[Player(str(fact.details["player"]))].append(int(fact.details["round"]))
    return found
