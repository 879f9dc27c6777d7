"""The structure of an event in words: how it is played, levels, rounds, prizes, and what cannot be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.model.clock import Clock, Pace
from bot.model.ids import COMPUTERS
from bot.pure.event.bracket import Stage
from bot.pure.event.groups import group_count
from bot.pure.event.handicap import MOST_BELOW, worth
from bot.pure.event.limits import MAX_GROUPED_PLAYERS, MAX_ROUND_ROBIN_PLAYERS, MIN_GROUPED_PLAYERS
from bot.pure.event.pairings import Pairings
from bot.pure.event.payouts import shared_out, usual_payouts
from bot.pure.event.rounds import everybody, meetings
from bot.pure.event.scoring import Scoring, SeriesRule, points_of
from bot.pure.event.seeding import SeededBy, Seeding
from bot.pure.event.structure import Family, Format, NoShow, Structure, StructureError
from bot.pure.solver.levels import Level
from bot.text.durations import duration
from bot.text.words import Words, escape_name

MOST_FILLED = len(COMPUTERS[Level.CASUAL])
EXAMPLE_BELOW = 8
MOST_SHOWN = 9
"""Places of a list that are written out; the rest is counted."""


def format_name(form: Format, words: Words) -> str:
    """``Single elimination``."""
    return words(f"structure.format.{form.value}")


def kind_name(structure: Structure, words: Words) -> str:
    """The same, with the pairings of a league: ``Round-robin league``."""
    return words(f"structure.format.{structure.format.value}{_paired(structure)}")


def _paired(structure: Structure) -> str:
    """The end of the keys of sentences about a league's pairings; nothing for those of the draw."""
    return "" if structure.pairings is Pairings.DRAW else f"_{structure.pairings.value}"


def how_played(structure: Structure, words: Words, *, series: str = "") -> str:
    """One sentence: what decides the event. A bracket says what its seeds come from."""
    by = structure.seeded_by(series) if structure.format.heads_up else SeededBy.DRAW
    seeded = {SeededBy.DRAW: _paired(structure), SeededBy.SERIES: "_seeded"}.get(by, "_seeds")
    return words(f"structure.how.{structure.format.value}{seeded}")


def group_name(number: int, words: Words) -> str:
    """``Group A``."""
    return words("event.stage.group", round=letter_of(number))


def letter_of(number: int) -> str:
    """The letter of a group: ``A`` of the first."""
    return chr(ord("A") + number - 1)


def stage_text(key: str, stage: str, number: int, words: Words) -> str:
    """The sentence of a match's stage under ``key``; those that are counted say which round it is, or which group."""
    if stage == Stage.GROUP.value:
        return words(f"{key}.{stage}", round=letter_of(number))
    return words(f"{key}.{stage}", **({"round": number} if number else {}))


def series_rule(rule: SeriesRule, words: Words) -> str:
    """How a series scores its events, and how many of them count."""
    told = [words(f"structure.series.rule.{rule.scoring.value}")]
    told += [words("structure.series.counted", count=rule.counted)] if rule.counted else []
    return f"-# {words('structure.series.is', rule=words.side_by_side(told))}"


def series_numbers(scoring: Scoring, structure: Structure, players: int, words: Words, *, entries: int = 0) -> str:
    """The points of a series by place in a field of so many: of an event with this structure.

    ``entries`` are theirs with those of players who entered again, 0 for one each: prizes go by them.
    """
    points = _points_by_place(scoring, structure, players, words, entries=entries)
    return f"-# {words('structure.series.numbers', count=players, points=points)}"


def counted_text(counted: int, words: Words) -> str:
    """How many of a player's events count in a series."""
    return words("structure.series.best", count=counted) if counted else words("structure.series.all")


def scoring_example(scoring: Scoring, structure: Structure, entries: int, words: Words) -> str:
    """The same where it is chosen."""
    points = _points_by_place(scoring, structure, entries, words)
    return words("structure.series.example", count=entries, points=points)


def _points_by_place(scoring: Scoring, structure: Structure, players: int, words: Words, *, entries: int = 0) -> str:
    """``45, 26, 20 … 1``: the first places, and the last where it is not among them."""
    shares = shared_out(structure, entries or players, players)
    shown = [points_of(scoring, place, players, shares) for place in range(1, min(players, MOST_SHOWN) + 1)]
    # Where only some are paid, nothing is said over and over.
    shown = [number for number in shown if number] or shown[:1]
    text = ", ".join(map(words.number, shown))
    return text if len(shown) == players else f"{text} … {words.number(points_of(scoring, players, players, shares))}"


def place_name(place: int, words: Words) -> str:
    """``1st``, ``22nd``, ``13th``, or ``1位``."""
    key = "structure.place"
    return words(key, place=words.number(place) + words.language_of(key).ordinal(place))


def places_name(best: int, worst: int, words: Words) -> str:
    """``4th–5th``; ``5th`` where both are the same."""
    if best == worst:
        return place_name(best, words)
    return words("structure.places", best=place_name(best, words), worst=place_name(worst, words))


def by_fee(key: str, structure: Structure) -> str:
    """The sentence ``key`` of an event that costs something, or the one that speaks of no fee."""
    return key if structure.fee else f"{key}_free"


def by_refund(key: str, structure: Structure, *, started: bool = True) -> str:
    """The same of all fees that come back: bounties that were won by then don't."""
    return f"{key}_bounty" if structure.bounty and started else by_fee(key, structure)


def clock_text(clock: Clock, words: Words) -> str:
    """The pace of its tables."""
    key = f"lobby.pace.{clock.pace.value}"
    if clock.pace is Pace.NONE:
        return words(key)
    time = duration(clock.seconds, words)
    if clock.pace is Pace.LIVE:
        return words(key, time=time, bank=duration(clock.bank_ms // 1000, words))
    return words(key, time=time)


def structure_lines(structure: Structure, words: Words, *, fantasyland: bool = False) -> list[str]:
    """Everything that was decided beforehand but the prizes, a line each; ``fantasyland`` if the game has it."""
    rounds = structure.format.family is Family.ROUNDS
    return [
        _people(structure, words),
        *([words("structure.third_place")] if structure.third_place else []),
        *_groups(structure, words),
        *_seeding(structure, words),
        *_handicap(structure, words),
        *(round_lines(structure, words) if rounds else _chips(structure, words, fantasyland=fantasyland)),
        *_coming(structure, words),
        _where(structure, words),
    ]


def _groups(structure: Structure, words: Words) -> list[str]:
    """How many groups there are at most, and how many of each go on."""
    if structure.format is not Format.GROUPS:
        return []
    return [words("structure.groups", groups=structure.groups, count=structure.through)]


def _seeding(structure: Structure, words: Words) -> list[str]:
    """What an organiser has chosen the seeds to come from, and who comes last."""
    if not structure.has_seeds or structure.seeding not in (Seeding.RATING, Seeding.HAND):
        return []
    tables = "" if structure.format.heads_up else "_tables"
    return [words(f"structure.seeding.{structure.seeding.value}{tables}")]


def _handicap(structure: Structure, words: Words) -> list[str]:
    """What players rated below the best start with, with an example."""
    if not structure.handicap:
        return []
    if structure.format.family is Family.ROUNDS:
        return [words("structure.handicap.points")]
    each, example, most = (words.number(worth(below, structure)) for below in (1, EXAMPLE_BELOW, MOST_BELOW))
    key = "matches" if structure.format.family is Family.KNOCKOUT else "chips"
    return [words(f"structure.handicap.{key}", each=each, example=example, most=most)]


def computer_lines(structure: Structure, words: Words, *, least_seats: int, series: str) -> list[str]:
    """Whether computers may take seats that people leave, and as what they play."""
    if structure.made_up(least_seats):
        return [words("structure.computers_unranked")]
    if structure.may_be_filled and not series:
        return [words("structure.computers", count=min(MOST_FILLED, structure.most - 1))]
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
    """``50 → 100 → 200``."""
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
    """How many rounds of how many hands, and how far apart."""
    hands = words("structure.hands", count=structure.round_hands)
    if structure.pairings is Pairings.ALL:
        lines = [words("structure.rounds_all", hands=hands)]
    else:
        lines = [words("structure.rounds", count=structure.rounds, hands=hands)]
    if structure.round_hours:
        lines.append(words("structure.round_hours", time=duration(structure.round_hours * 3600, words)))
    return lines


def meeting_lines(structure: Structure, players: int, words: Words) -> list[str]:
    """How many rounds it takes until so many have all met, and how often the same two meet at most.

    Of groups, how many so many players make. Nothing where neither is asked.
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
    """The treatment of players who do not come."""
    if not structure.check_in_minutes:
        return []
    time = duration(structure.check_in_minutes * 60, words)
    kept = structure.no_show is NoShow.BLIND
    return [words("structure.check_in_blind" if kept else by_fee("structure.check_in_drop", structure), time=time)]


# Prizes


def prize_lines(structure: Structure, words: Words, *, prizes: Sequence[int] = (), pool: int = 0) -> list[str]:
    """The cost of an entry and what the places get; ``prizes`` are the chips by place as the pool stands now."""
    lines = [words("structure.fee", chips=words.number(structure.fee)) if structure.fee else words("structure.free")]
    if structure.bounty:
        key = "structure.bounty_grows" if structure.bounty_grows else "structure.bounty"
        lines.append(words(key, chips=words.number(structure.bounty)))
    if structure.added:
        lines.append(words("structure.added", chips=words.number(structure.added)))
    if pool:
        lines.append(words("structure.pool", chips=words.number(pool)))
    if prizes:
        lines.append(_by_place([words.number(prize) for prize in prizes], words, key="structure.prizes"))
    elif payouts := structure.payouts or _known_payouts(structure):
        lines.append(_by_place([words.percent(percent) for percent in payouts], words, key="structure.payouts"))
    elif structure.fee > structure.bounty or structure.added:
        lines.append(words("structure.usual_payouts"))
    return [*lines, *_honours(structure, words)]


def register_label(fee: int, words: Words) -> str:
    """Return the label of a button that registers, with its cost."""
    return words("terms.register", count=fee, chips=words.number(fee)) if fee else words("event.button.register")


def enter_late_label(fee: int, words: Words) -> str:
    """Return the label of a button that registers players late and enters others again, with its cost."""
    return words("terms.enter_late", count=fee, chips=words.number(fee)) if fee else words("event.button.enter_again")


def enter_again_label(fee: int, words: Words) -> str:
    """Return the label of a button that enters again, with its cost."""
    return words("terms.enter_again", count=fee, chips=words.number(fee)) if fee else words("event.button.enter_again")


def _known_payouts(structure: Structure) -> tuple[int, ...]:
    """The usual payouts where the number of entries is known beforehand and something is paid."""
    paid = structure.fee > structure.bounty or structure.added
    return usual_payouts(max(1, structure.most)) if structure.format is Format.SIT_AND_GO and paid else ()


def _honours(structure: Structure, words: Words) -> list[str]:
    """Titles and roles."""
    lines = []
    if any(structure.titles):
        lines.append(_by_place([escape_name(title) for title in structure.titles], words, key="structure.titles"))
    if any(structure.roles):
        roles = [f"<@&{role}>" if role else "" for role in structure.roles]
        lines.append(_by_place(roles, words, key="structure.roles"))
    return lines


def _by_place(things: Sequence[str], words: Words, *, key: str) -> str:
    """``Prizes: 1st 500 · 2nd 300``; places that get nothing are left out."""
    named = [f"{place_name(place, words)} {thing}" for place, thing in enumerate(things, start=1) if thing]
    shown = named[:MOST_SHOWN]
    if len(named) > len(shown):
        shown.append(words("event.more", count=len(named) - len(shown)))
    return words(key, places=words.facts(shown))


# Problems


def structure_problem(error: StructureError, words: Words) -> str:
    """Why an event cannot be played, and what to change: the sentence ``structure.problem.<problem>``."""
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
"""What the form calls fields that an event keeps under another name."""


def change_lines(changes: Sequence[tuple[str, Any, Any]], words: Words, *, brief: bool = False) -> list[str]:
    """A line for each field of an event that was changed: what it is now, and what it was, unless ``brief``.

    ``changes`` are its name, its plain value before, and the one after.
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
    """A field of an event as the form calls it, for example *Starting stack*."""
    asked = IN_FORM.get(name, (name,))
    return words(f"event_form.field.{asked[0] if len(asked) == 1 else name}")


_OPTIONS = frozenset(
    ("no_show", "seeding", "bust_is_final", "third_place", "bounty_grows", "pairings", "handicap", "threads")
)
"""Fields whose values the form names as options."""


def _field_value(name: str, value: Any, words: Words) -> str:
    """A plain value in words."""
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
