"""Texts about the structure of events: format, levels, rounds, prizes and problems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.model.clock import Clock, Pace
from bot.model.ids import COMPUTERS
from bot.pure.event.bracket import Stage
from bot.pure.event.groups import group_count
from bot.pure.event.handicap import MAX_GAP, worth
from bot.pure.event.limits import MAX_GROUPED_PLAYERS, MAX_ROUND_ROBIN_PLAYERS, MIN_GROUPED_PLAYERS
from bot.pure.event.pairings import Pairings
from bot.pure.event.payouts import default_payouts, shared_out
from bot.pure.event.rounds import everybody, meetings
from bot.pure.event.scoring import Scoring, SeriesRule, points_of
from bot.pure.event.seeding import SeededBy, Seeding
from bot.pure.event.structure import Family, Format, Leaving, NoShow, Structure, StructureError
from bot.pure.solver.levels import Level
from bot.text.durations import duration
from bot.text.words import Words, escape_name

MAX_COMPUTERS = len(COMPUTERS[Level.CASUAL])
EXAMPLE_BELOW = 8
MAX_SHOWN = 9
"""Maximum number of places listed. The rest are only counted."""
MAX_SCORED = 5
"""Maximum number of places listed with their series points, before the last one."""


def format_name(form: Format, words: Words) -> str:
    """Return the name of a format, such as ``Single elimination``."""
    return words(f"structure.format.{form.value}")


def kind_name(structure: Structure, words: Words) -> str:
    """Return the name of a format, including the pairings of a league, such as ``Round-robin league``."""
    return words(f"structure.format.{structure.format.value}{_paired(structure)}")


def _paired(structure: Structure) -> str:
    """Return the key suffix for a league's pairings; empty for random pairings."""
    return "" if structure.pairings is Pairings.DRAW else f"_{structure.pairings.value}"


def how_played(structure: Structure, words: Words, *, series: str = "") -> str:
    """Return a sentence about how the event is decided, with the source of a bracket's seeds."""
    by = structure.seeded_by(series) if structure.format.heads_up else SeededBy.DRAW
    seeded = {SeededBy.DRAW: _paired(structure), SeededBy.SERIES: "_seeded"}.get(by, "_seeds")
    return words(f"structure.how.{structure.format.value}{seeded}")


def group_name(number: int, words: Words) -> str:
    """Return the name of a group, such as ``Group A``."""
    return words("event.stage.group", round=group_letter(number))


def group_letter(number: int) -> str:
    """Return the letter of a group, ``A`` for the first."""
    return chr(ord("A") + number - 1)


def stage_text(key: str, stage: str, number: int, words: Words) -> str:
    """Return the sentence below ``key`` for a match's stage, with its round number or group letter."""
    if stage == Stage.GROUP.value:
        return words(f"{key}.{stage}", round=group_letter(number))
    return words(f"{key}.{stage}", **({"round": number} if number else {}))


def series_rule(rule: SeriesRule, words: Words) -> str:
    """Return the line about how a series is scored and how many events count."""
    return f"-# {series_rule_text(rule, words)}"


def series_rule_text(rule: SeriesRule, words: Words) -> str:
    """Return how a series is scored and how many events count, without Discord's markup."""
    told = [words(f"structure.series.rule.{rule.scoring.value}")]
    told += [words("structure.series.counted", count=rule.counted)] if rule.counted else []
    return words("structure.series.is", rule=words.side_by_side(told))


def series_numbers(scoring: Scoring, structure: Structure, players: int, words: Words, *, entries: int = 0) -> str:
    """Return the line with a series' points by place, for an event with this structure and ``players`` players.

    ``entries`` includes re-entries, because prizes depend on them; 0 means one per player.
    """
    points = _points_by_place(scoring, structure, players, words, entries=entries)
    return f"-# {words('structure.series.numbers', count=players, points=points)}"


def counted_text(counted: int, words: Words) -> str:
    """Return the number of a player's events that count in a series, in words."""
    return words("structure.series.best", count=counted) if counted else words("structure.series.all")


def scoring_example(scoring: Scoring, structure: Structure, entries: int, words: Words) -> str:
    """Return an example of the points by place, for the form."""
    points = _points_by_place(scoring, structure, entries, words)
    return words("structure.series.example", count=entries, points=points)


def _points_by_place(scoring: Scoring, structure: Structure, players: int, words: Words, *, entries: int = 0) -> str:
    """Return the points of the first places and the last one, such as ``1st 45 · 2nd 26 … 12th 1``."""
    shares = shared_out(structure, entries or players, players)
    shown = [points_of(scoring, place, players, shares) for place in range(1, min(players, MAX_SCORED) + 1)]
    # If only some places get points, the zeros of the others aren't repeated.
    shown = [number for number in shown if number] or shown[:1]
    text = words.facts(_scored(place, number, words) for place, number in enumerate(shown, start=1))
    if len(shown) == players:
        return text
    return f"{text} … {_scored(players, points_of(scoring, players, players, shares), words)}"


def _scored(place: int, points: int, words: Words) -> str:
    return f"{place_name(place, words)} {words.number(points)}"


def place_name(place: int, words: Words) -> str:
    """Return the name of a place, such as ``1st``, ``22nd``, ``13th`` or ``1位``."""
    key = "structure.place"
    return words(key, place=words.number(place) + words.language_of(key).ordinal(place))


def places_name(best: int, worst: int, words: Words) -> str:
    """Return the name of a range of places, such as ``4th–5th``, or ``5th`` if both are equal."""
    if best == worst:
        return place_name(best, words)
    return words("structure.places", best=place_name(best, words), worst=place_name(worst, words))


def by_fee(key: str, structure: Structure) -> str:
    """Return ``key`` for an event with a fee, otherwise the key of the sentence without one."""
    return key if structure.fee else f"{key}_free"


def by_refund(key: str, structure: Structure, *, started: bool = True) -> str:
    """Return the key of a sentence about refunds. Bounties already won aren't refunded."""
    return f"{key}_bounty" if structure.bounty and started else by_fee(key, structure)


def clock_text(clock: Clock, words: Words) -> str:
    """Return the text of a clock."""
    key = f"lobby.pace.{clock.pace.value}"
    if clock.pace is Pace.NONE:
        return words(key)
    time = duration(clock.seconds, words)
    if clock.pace is Pace.LIVE:
        return words(key, time=time, bank=duration(clock.bank_ms // 1000, words))
    return words(key, time=time)


def structure_lines(structure: Structure, words: Words, *, fantasyland: bool = False) -> list[str]:
    """Return the lines about an event's structure, except prizes. ``fantasyland`` is True if the game has it."""
    return [*play_lines(structure, words, fantasyland=fantasyland), _where(structure, words)]


def play_lines(structure: Structure, words: Words, *, fantasyland: bool = False) -> list[str]:
    """Return the lines about an event's structure, except prizes and the channels of its tables."""
    rounds = structure.format.family is Family.ROUNDS
    return [
        _people(structure, words),
        *([words("structure.third_place")] if structure.third_place else []),
        *_groups(structure, words),
        *_seeding(structure, words),
        *_handicap(structure, words),
        *(round_lines(structure, words) if rounds else _chips(structure, words, fantasyland=fantasyland)),
        *_coming(structure, words),
        *_leaving(structure, words),
    ]


def _groups(structure: Structure, words: Words) -> list[str]:
    """Return the line about the maximum number of groups and how many players advance from each."""
    if structure.format is not Format.GROUPS:
        return []
    return [words("structure.groups", groups=structure.groups, count=structure.through)]


def _seeding(structure: Structure, words: Words) -> list[str]:
    """Return the line about the organiser's choice of seeding, and the order of unseeded players."""
    if not structure.has_seeds or structure.seeding not in (Seeding.RATING, Seeding.HAND):
        return []
    tables = "" if structure.format.heads_up else "_tables"
    return [words(f"structure.seeding.{structure.seeding.value}{tables}")]


def _handicap(structure: Structure, words: Words) -> list[str]:
    """Return the line about the handicap for everyone except the best-rated player, with an example."""
    if not structure.handicap:
        return []
    if structure.format.family is Family.ROUNDS:
        return [words("structure.handicap.points")]
    each, example, most = (words.number(worth(below, structure)) for below in (1, EXAMPLE_BELOW, MAX_GAP))
    key = "matches" if structure.format.family is Family.KNOCKOUT else "chips"
    return [words(f"structure.handicap.{key}", each=each, example=example, most=most)]


def computer_lines(structure: Structure, words: Words, *, min_seats: int, series: str) -> list[str]:
    """Return the line about computer players in empty seats, if they're possible."""
    if structure.made_up(min_seats):
        return [words("structure.computers_unranked")]
    if structure.may_be_filled and not series:
        return [words("structure.computers", count=min(MAX_COMPUTERS, structure.most - 1))]
    return []


def _where(structure: Structure, words: Words) -> str:
    key = "structure.threads" if structure.threads else "structure.channel"
    if not structure.channels:
        return words(key)
    return words(f"{key}_more", channels=words.list([f"<#{channel}>" for channel in structure.channels]))


def _people(structure: Structure, words: Words) -> str:
    if structure.format is Format.SIT_AND_GO and structure.least == structure.most:
        return words("structure.people_full", count=structure.most, seats=structure.table_seats)
    return words(
        "structure.people",
        most=words.number(structure.most),
        seats=structure.table_seats,
        least=words.number(structure.least),
    )


def _chips(structure: Structure, words: Words, *, fantasyland: bool) -> list[str]:
    levels = _levels(structure, words, fantasyland=fantasyland)
    lines = [words("structure.stack", chips=words.number(structure.stack)), levels]
    if structure.break_levels:
        minutes = words("duration.minutes", count=structure.break_minutes)
        lines.append(words("structure.breaks", count=structure.break_levels, time=minutes))
    if structure.late_levels:
        lines.append(words("structure.late", count=structure.late_levels))
        again = "structure.reentries_paid" if structure.fee else "structure.reentries"
        lines.append(words(again, count=structure.reentries) if structure.reentries else words("structure.no_reentry"))
    lines.append(words("lobby.most_won", cap=words(f"lobby.win_cap.{structure.win_cap.value}")))
    if structure.bust_is_final:
        lines.append(words("lobby.bust_is_final"))
    return lines


def rising(levels: Sequence[int], words: Words) -> str:
    """Return the levels in short form, such as ``50 → 100 → 200``."""
    return (words.dot if words.heard else " → ").join(map(words.number, levels))


def _levels(structure: Structure, words: Words, *, fantasyland: bool) -> str:
    levels = rising(structure.levels, words)
    if not structure.by_hands and not structure.level_minutes:
        return words("structure.levels_only", levels=levels)
    if structure.by_hands:
        key = "structure.levels_hands_fantasyland" if fantasyland else "structure.levels_hands"
        return words(key, levels=levels, count=structure.level_hands)
    return words("structure.levels_minutes", levels=levels, count=structure.level_minutes)


def round_lines(structure: Structure, words: Words) -> list[str]:
    """Return the lines about the number of rounds, the hands per round, and the time between rounds."""
    hands = words("structure.hands", count=structure.round_hands)
    if structure.pairings is Pairings.ALL:
        lines = [words("structure.rounds_all", hands=hands)]
    else:
        lines = [words("structure.rounds", count=structure.rounds, hands=hands)]
    if structure.round_hours:
        lines.append(words("structure.round_hours", time=duration(structure.round_hours * 3600, words)))
    return lines


def meeting_lines(structure: Structure, players: int, words: Words) -> list[str]:
    """Return the line about how many rounds it takes until all ``players`` have met, and how often two can meet.

    For a group stage, it's about the number of groups. Empty for other events.
    """
    if structure.format is Format.GROUPS and MIN_GROUPED_PLAYERS <= players <= MAX_GROUPED_PLAYERS:
        groups, through = group_count(players, structure.groups, structure.through)
        return [words("structure.grouped", people=players, groups=groups, count=through)]
    if structure.pairings is not Pairings.ALL or not 2 <= players <= MAX_ROUND_ROBIN_PLAYERS:
        return []
    rounds = everybody(players, structure.table_seats)
    _, most = meetings(rounds, players)
    key = "structure.meet_once" if most == 1 else "structure.meet"
    return [words(key, people=players, count=len(rounds), **({} if most == 1 else {"most": most}))]


def _coming(structure: Structure, words: Words) -> list[str]:
    """Return the line about players who don't check in."""
    if not structure.check_in_minutes:
        return []
    time = duration(structure.check_in_minutes * 60, words)
    kept = structure.no_show is NoShow.BLIND
    return [words("structure.check_in_blind" if kept else by_fee("structure.check_in_drop", structure), time=time)]


def _leaving(structure: Structure, words: Words) -> list[str]:
    """Return the line about players who leave a freezeout, if they don't keep their seat."""
    removed = structure.format.family is Family.FREEZEOUT and structure.leaving is Leaving.REMOVE
    return [words("structure.leaving_remove")] if removed else []


# Prizes


def prize_lines(
    structure: Structure, words: Words, *, prizes: Sequence[int] = (), pool: int = 0, growing: bool = False
) -> list[str]:
    """Return the lines about fees and prizes.

    ``prizes`` are the chips by place from the current pool. ``growing`` is true while more fees can be paid.
    """
    lines = fee_lines(structure, words)
    if pool:
        so_far = growing and adds_fees(structure)
        lines.append(words("structure.pool_so_far" if so_far else "structure.pool", chips=words.number(pool)))
    if prizes:
        lines.append(_by_place(_amounts(structure, prizes, words), words, key="structure.prizes"))
    payouts = fixed_payouts(structure)
    if not prizes or (growing and payouts and len(payouts) != len(prizes)):
        lines += payout_lines(structure, words)
    return [*lines, *_honours(structure, words), ties_line(structure, words)]


def fee_lines(structure: Structure, words: Words) -> list[str]:
    """Return the lines about the entry fee, the bounty in it, and the chips added to the prize pool."""
    lines = [words("structure.fee", chips=words.number(structure.fee)) if structure.fee else words("structure.free")]
    if structure.bounty:
        key = "structure.bounty_grows" if structure.bounty_grows else "structure.bounty"
        lines.append(words(key, chips=words.number(structure.bounty)))
    if structure.added:
        lines.append(words("structure.added", chips=words.number(structure.added)))
    return lines


def payout_lines(structure: Structure, words: Words) -> list[str]:
    """Return the line about how the prize pool is split; empty without prizes."""
    if payouts := fixed_payouts(structure):
        return [_by_place([words.percent(percent) for percent in payouts], words, key="structure.payouts")]
    return [words("structure.usual_payouts")] if _has_pool(structure) else []


def adds_fees(structure: Structure) -> bool:
    """True if a part of each entry fee goes into the prize pool."""
    return structure.fee > structure.bounty


def register_label(fee: int, words: Words) -> str:
    """Return the label of the register button, with the cost."""
    return words("terms.register", count=fee, chips=words.number(fee)) if fee else words("event.button.register")


def enter_late_label(fee: int, words: Words) -> str:
    """Return the label of a button for both late registration and re-entry, with the cost."""
    return words("terms.enter_late", count=fee, chips=words.number(fee)) if fee else words("event.button.enter_again")


def enter_again_label(fee: int, words: Words) -> str:
    """Return the label of the re-entry button, with the cost."""
    return words("terms.enter_again", count=fee, chips=words.number(fee)) if fee else words("event.button.enter_again")


def fixed_payouts(structure: Structure) -> tuple[int, ...]:
    """Return the percentages of the prize pool by place; empty if they depend on the number of entries.

    In a Sit & Go, that number is known in advance.
    """
    known = structure.format is Format.SIT_AND_GO and _has_pool(structure)
    return structure.payouts or (default_payouts(max(1, structure.most)) if known else ())


def _has_pool(structure: Structure) -> bool:
    return adds_fees(structure) or structure.added > 0


def _honours(structure: Structure, words: Words) -> list[str]:
    """Return the lines about titles and roles."""
    lines = []
    if any(structure.titles):
        lines.append(_by_place([escape_name(title) for title in structure.titles], words, key="structure.titles"))
    if any(structure.roles):
        roles = [f"<@&{role}>" if role else "" for role in structure.roles]
        lines.append(_by_place(roles, words, key="structure.roles"))
    return lines


def ties_line(structure: Structure, words: Words) -> str:
    """Return the line about equal players, or about the losers of the same round of a bracket."""
    return words(f"structure.ties.{'bracket' if structure.format.heads_up else structure.ties.value}")


def _amounts(structure: Structure, prizes: Sequence[int], words: Words) -> list[str]:
    """Return the prizes by place, with their shares of the pool if those are fixed."""
    amounts = [words.number(prize) if prize else "" for prize in prizes]
    payouts = fixed_payouts(structure)
    if len(payouts) != len(prizes):
        return amounts
    shares = (words.percent(percent) for percent in payouts)
    return [amount and f"{amount} ({share})" for amount, share in zip(amounts, shares, strict=True)]


def _by_place(things: Sequence[str], words: Words, *, key: str) -> str:
    """Return a list by place, such as ``Prizes: 1st 500 · 2nd 300``, leaving out places that get nothing."""
    named = [f"{place_name(place, words)} {thing}" for place, thing in enumerate(things, start=1) if thing]
    shown = named[:MAX_SHOWN]
    if len(named) > len(shown):
        shown.append(words("event.more", count=len(named) - len(shown)))
    return words(key, places=words.facts(shown))


# Problems


def structure_problem(error: StructureError, words: Words) -> str:
    """Return why an event can't be played and how to fix it (``structure.problem.<problem>``)."""
    return words(f"structure.problem.{error.problem}", **{k: _said(k, v, words) for k, v in error.details.items()})


def _said(name: str, value: int | str, words: Words) -> str | int:
    if name == "what":
        return words(f"structure.what.{value}")
    return words.number(value) if isinstance(value, int) else value


IN_FORM: Mapping[str, tuple[str, ...]] = {
    "starts_at": ("when",),
    "seconds": ("time",),
    "roles": ("role_1", "role_2", "role_3"),
}
"""Form names of the fields that have a different name in an event."""


def change_lines(changes: Sequence[tuple[str, Any, Any]], words: Words, *, brief: bool = False) -> list[str]:
    """Return a line for each changed field of an event, with the new value and, unless ``brief``, the old one.

    ``changes`` are tuples of name, plain old value and plain new value.
    """
    if brief:
        return [
            words("event_form.changed.brief", field=field_name(name, words), after=_field_value(name, after, words))
            for name, _, after in changes
        ]
    return [
        words(
            "event_form.changed.line",
            field=field_name(name, words),
            after=_field_value(name, after, words),
            before=_field_value(name, before, words),
        )
        for name, before, after in changes
    ]


def field_name(name: str, words: Words) -> str:
    """Return the form's name for an event's field, for example *Starting stack*."""
    asked = IN_FORM.get(name, (name,))
    return words(f"event_form.field.{asked[0] if len(asked) == 1 else name}")


_OPTIONS = frozenset(
    (
        *("no_show", "leaving", "seeding", "bust_is_final", "third_place", "bounty_grows", "pairings", "handicap"),
        *("threads", "ties", "page"),
    )
)
"""Fields whose values are options in the form."""


def _field_value(name: str, value: Any, words: Words) -> str:
    """Return a plain value in words."""
    if name == "scoring":
        return words(f"structure.series.by.{value}")
    if name == "counted":
        return counted_text(value, words)
    if not value and not isinstance(value, bool):
        return words("event_form.changed.none")
    match name:
        case "starts_at":
            return f"<t:{value // 1000}:F>"
        case "pace" | "win_cap":
            return words(f"{'lobby.pace_choice' if name == 'pace' else 'lobby.win_cap'}.{value}")
        case "seconds":
            return duration(value, words)
        case _ if name in _OPTIONS:
            option = value if isinstance(value, str) else "yes" if value else "no"
            return words(f"event_form.option.{name}.{option}")
        case "role":
            return f"<@&{value}>"
        case "channel":
            return f"<#{value}>"
    if isinstance(value, str):
        return escape_name(value)
    if isinstance(value, Sequence):
        each = {"roles": "role", "channels": "channel"}.get(name, "")
        return ", ".join(_field_value(each, part, words) for part in value)
    return words.number(value)
