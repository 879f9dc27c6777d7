"""Weaknesses of an event's structure, found in a single rehearsal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from bot.model.clock import HOUR, MINUTE, Pace
from bot.play.event.trials.rehearsal import Rehearsal
from bot.pure.event.payouts import default_payouts
from bot.pure.event.structure import Family, Format, Structure

SOON_OVER_MS = 15 * MINUTE
LONG_MS = 5 * HOUR
"""Length of an evening without pauses."""
WITHOUT_BREAK_MS = 3 * HOUR
LEVELS_OVER_SOON_MS = 20 * MINUTE
QUICK = (Pace.LIVE, Pace.PER_TURN, Pace.NONE)
"""Clocks for which players stay at the table the whole time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A weakness that the organiser should know about. ``key`` is its sentence's key under ``rehearsal.fault``."""

    key: str
    minutes: int = 0
    """A length of time in the sentence."""
    counts: dict[str, int] = field(default_factory=dict)
    """Other numbers in the sentence."""


def faults(played: Rehearsal) -> list[Fault]:
    """Return the weaknesses, most important first."""
    structure, evening = played.question.plan.structure, played.question.plan.clock.pace in QUICK
    found = [] if played.ended else [Fault(key="never_ends", counts={"count": played.hands})]
    if structure.format.family is Family.FREEZEOUT:
        found += [*_levels(played, structure), *_breaks(played, structure), *_late(played, structure)]
    if evening and played.ended and not structure.round_hours:
        found += _length(played, structure)
    return [*found, *_prizes(played, structure)]


def _minutes(ms: int) -> int:
    return max(1, round(ms / MINUTE))


def _levels(played: Rehearsal, structure: Structure) -> Iterator[Fault]:
    stages, last = played.stages, len(structure.levels)
    reached = max((stage.number for stage in stages), default=1)
    begins = next((stage.begins for stage in stages if stage.number >= last), None)
    if begins is None and played.ended and reached * 2 <= last:
        yield Fault(key="few_levels", counts={"count": reached, "levels": last})
    elif begins is not None and last > 1 and begins <= LEVELS_OVER_SOON_MS:
        yield Fault(key="last_level_soon", minutes=_minutes(begins))
    elif begins is not None and reached > last and begins * 2 < played.lasts:
        yield Fault(key="past_levels", minutes=_minutes(begins), counts={"count": reached - last})
    first = stages[0] if stages else None
    if first is not None and structure.format is Format.TOURNAMENT and first.out * 2 > first.people > 3:
        yield Fault(key="half_out_in_first_level", counts={"out": first.out, "people": first.people})


def _breaks(played: Rehearsal, structure: Structure) -> Iterator[Fault]:
    if structure.break_levels and not played.breaks and played.ended:
        yield Fault(key="break_never")
    if played.breaks:
        begins = played.breaks[0][0]
        out = sum(stage.out for stage in played.stages if stage.begins < begins)
        if out * 2 >= played.question.people:
            yield Fault(key="half_out_before_break", counts={"out": out, "people": played.question.people})
    ends = [0, *(ended for _, ended in played.breaks)]
    begun = [*(begins for begins, _ in played.breaks), played.lasts]
    longest = max(after - before for before, after in zip(ends, begun, strict=True))
    if played.question.plan.clock.pace in QUICK and longest >= WITHOUT_BREAK_MS:
        yield Fault(key="no_break", minutes=_minutes(longest))


def _late(played: Rehearsal, structure: Structure) -> Iterator[Fault]:
    late = structure.late_levels
    if late and played.ended and max(stage.number for stage in played.stages) <= late:
        yield Fault(key="late_to_the_end", counts={"count": late})


def _length(played: Rehearsal, structure: Structure) -> Iterator[Fault]:
    if played.lasts >= LONG_MS:
        yield Fault(key="long", minutes=_minutes(played.lasts))
    elif played.lasts <= SOON_OVER_MS and structure.format is not Format.SIT_AND_GO:
        yield Fault(key="short", minutes=_minutes(played.lasts))


def _prizes(played: Rehearsal, structure: Structure) -> Iterator[Fault]:
    people = played.question.people
    paid = len(structure.payouts or default_payouts(played.entries)) if structure.fee or structure.added else 0
    if paid > people:
        yield Fault(key="more_prizes_than_people", counts={"count": paid, "people": people})
    elif people > 4 and paid * 2 > people:
        yield Fault(key="most_are_paid", counts={"count": paid, "people": people})
    given = max(len(structure.titles), len(structure.roles))
    if given > people:
        yield Fault(key="more_titles_than_people", counts={"count": given, "people": people})
    if structure.payouts and not (structure.fee or structure.added):
        yield Fault(key="nothing_to_pay")
