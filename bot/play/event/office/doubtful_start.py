"""The question to the organiser shortly before the start, if players are missing or too few.

It's asked once per start, and not at all if everything is in order. From the call before the start on, the director
looks at the event after each registration, check-in and withdrawal. The organiser can postpone the event, start it
anyway or call the missing players. Without an answer, the event starts or is called off as its structure says.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.model.events import Entrant, EntrantState, Event, Notice, Phase
from bot.model.ids import Player, is_computer
from bot.play.event.floor.event_state import EventState, doubt_at
from bot.play.event.floor.floor import tell
from bot.play.event.office import stand_bys
from bot.pure.event.structure import NoShow

ASKED = "start_in_doubt"
"""Kind of the log entry that says that the organiser was asked about a start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """Missing or too few players shortly before the start."""

    here: int
    """Players who have checked in, or who are registered if there's no check-in."""
    registered: int
    need: int
    """Minimum number of players."""
    missing: tuple[Player, ...]
    """Players who haven't checked in, in order of registration."""
    called_off: bool
    """True if the event would be called off with the players it has now."""


def doubt_about(event: Event, entrants: Iterable[Entrant], *, stand_by: int) -> Doubt | None:
    """Return the problem of an event that's about to start; None if it has enough players and all are here.

    ``stand_by`` is the number of players on the waiting list who get free places at the start.
    An event without any players is no question, because no one waits for an answer.
    """
    people = [entrant for entrant in entrants if entrant.registered]
    checks, need = event.phase is Phase.CHECK_IN, event.structure.fewest
    away = [one.player for one in people if checks and one.state is EntrantState.REGISTERED]
    missing = tuple(player for player in away if not is_computer(player))
    here = len(people) - len(away)
    stay = here if event.structure.no_show is NoShow.DROP else len(people)
    stay = max(stay, min(stay + stand_by, event.structure.most))
    if not people or (stay >= need and not missing):
        return None
    return Doubt(here=here, registered=len(people), need=need, missing=missing, called_off=stay < need)


def _doubt(field: EventState) -> Doubt | None:
    return doubt_about(field.event, field.entrants.values(), stand_by=len(stand_bys.standing_by(field)))


def ask_at(field: EventState) -> list[int]:
    """Return when the organiser will be asked if nothing changes (ms); empty if they won't be."""
    at = doubt_at(field.event)
    if at is None or at <= field.s.now or _doubt(field) is None:
        return []
    return [at]


def ask_organiser(field: EventState) -> None:
    """If it's time and there's a problem, ask the organiser once about this start."""
    event, at = field.event, doubt_at(field.event)
    if at is None or event.starts_at is None or not at <= field.s.now < event.starts_at:
        return
    doubt = _doubt(field)
    asked = field.tx.events.last_fact(field.key, (ASKED,))
    if doubt is None or (asked is not None and asked.details["starts_at"] == event.starts_at):
        return
    field.note(ASKED, starts_at=event.starts_at)
    tell(
        field,
        Notice.MISSING,
        starts_at=event.starts_at,
        here=doubt.here,
        registered=doubt.registered,
        need=doubt.need,
        players=list(doubt.missing),
        called_off=doubt.called_off,
        stand_by=len(stand_bys.standing_by(field)),
        checks=event.phase is Phase.CHECK_IN,
    )
