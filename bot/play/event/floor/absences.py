"""Absences of players who have left a league or duplicate event between rounds, from the event's log.

They are out of the event without a disqualification. Their points stay, and they may come back.
"""

from __future__ import annotations

from collections import defaultdict

from bot.model.events import Entrant, EntrantState, Event
from bot.model.ids import Player
from bot.play.event.floor.event_state import EventState
from bot.pure.event.structure import Family
from bot.store.transaction import Tx

LEFT, GONE, BACK = "left", "left_server", "came_back"
"""Log entries. Each has the ``player`` and the current ``round``, which is the last one that they play or miss."""


def has_left(event: Event, entrant: Entrant) -> bool:
    """True if the entrant left between rounds and wasn't disqualified."""
    rounds = event.format.family is Family.ROUNDS
    return rounds and entrant.state is EntrantState.OUT and not entrant.disqualified


def left_after(field: EventState) -> dict[Player, int]:
    """Return the last round of each player who has left and isn't back, including disqualified ones."""
    if not any(has_left(field.event, entrant) for entrant in field.entrants.values()):
        return {}
    return {player: rounds[-1] for player, rounds in _departures(field.tx, field.event).items() if len(rounds) % 2}


def missed_rounds(field: EventState) -> dict[Player, int]:
    """Return the number of finished rounds that each player has missed, without players who have missed none."""
    missed: dict[Player, int] = {}
    for player, rounds in _departures(field.tx, field.event).items():
        until = [*rounds, field.event.round] if len(rounds) % 2 else rounds
        missed[player] = sum(back - left for left, back in zip(until[::2], until[1::2], strict=True))
    return {player: count for player, count in missed.items() if count}


def _departures(tx: Tx, event: Event) -> dict[Player, list[int]]:
    """Return the rounds after which each player left and came back, in turn."""
    facts = [
        fact for kind in (LEFT, GONE, BACK) for fact in tx.events.facts(event.key, kind) if "round" in fact.details
    ]
    found: dict[Player, list[int]] = defaultdict(list)
    for fact in sorted(facts, key=lambda fact: fact.number):
        found[Player(str(fact.details["player"]))].append(int(fact.details["round"]))
    return found
