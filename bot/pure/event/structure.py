"""The structure of an event as data: its format, stacks, levels, breaks, rounds, prizes, and what makes it impossible.

Presets are declarations. The first is the tournament of the founding texts: 10,000 chips, and a point value of 50,
100, 200 ... that rises every four hands. The others carry the numbers of published event sheets, named beside each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from enum import Enum
from typing import Any

from bot.pure.event.limits import (
    MAX_COUNTED_EVENTS,
    MAX_ENTRANTS,
    MAX_ENTRY_FEE,
    MAX_GROUPED_PLAYERS,
    MAX_GROUPS,
    MAX_LEAGUE_ROUNDS,
    MAX_LEVEL_POINT_VALUE,
    MAX_LEVELS,
    MAX_PAID_PLACES,
    MAX_ROUND_ROBIN_PLAYERS,
    MAX_STARTING_STACK,
    MAX_SWISS_PLAYERS,
    MAX_THROUGH,
    MIN_GROUPED_PLAYERS,
    MIN_STACK_POINTS,
)
from bot.pure.event.pairings import Pairings
from bot.pure.event.scoring import Scoring
from bot.pure.event.seeding import SeededBy, Seeding
from bot.pure.ofc.settlement import WinCap
from bot.pure.ofc.variants import Variant

WHOLE = 100
"""All of the prize pool, in percent."""
LAST_DOUBLINGS = 20
"""How often the point value doubles after the last level, so that every freezeout ends."""


class Family(Enum):
    """The kind of measure that decides: chips over many tables, matches, or points over a fixed number of hands."""

    FREEZEOUT = "freezeout"
    KNOCKOUT = "knockout"
    ROUNDS = "rounds"


class Format(Enum):
    """How an event is played."""

    SIT_AND_GO = "sit_and_go"
    """A freezeout that starts when it is full."""
    TOURNAMENT = "tournament"
    """A freezeout over many tables at an hour that was announced."""
    SINGLE = "single"
    """Heads-up matches; who loses one is out."""
    DOUBLE = "double"
    """Heads-up matches; who loses two is out."""
    GROUPS = "groups"
    """Heads-up in groups, everybody against everybody; the best of each play a single elimination."""
    SHOOTOUT = "shootout"
    """Each table plays down to one, and the winners meet."""
    LEAGUE = "league"
    """Rounds of so many hands, and one more for each hand in Fantasyland; points add up."""
    DUPLICATE = "duplicate"
    """Every table gets the same decks; a player is compared with those who held the same cards."""

    @property
    def family(self) -> Family:
        """The family of the format."""
        if self in (Format.SIT_AND_GO, Format.TOURNAMENT):
            return Family.FREEZEOUT
        return Family.ROUNDS if self in (Format.LEAGUE, Format.DUPLICATE) else Family.KNOCKOUT

    @property
    def heads_up(self) -> bool:
        """True for a bracket."""
        return self in (Format.SINGLE, Format.DOUBLE, Format.GROUPS)


class NoShow(Enum):
    """The treatment of players who do not check in."""

    DROP = "drop"
    """They do not take part and get their fee back."""
    BLIND = "blind"
    """They have a seat, and the clock places for them until they come."""


class StructureError(Exception):
    """A structure that cannot be played: ``problem`` is a key of ``data/text`` under ``structure``."""

    def __init__(self, problem: str, **details: int | str) -> None:
        super().__init__(f"{problem} {details}")
        self.problem = problem
        self.details = details


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure:
    """Everything about an event that is decided before it begins, except its game, name, hour and place."""

    format: Format
    table_seats: int
    most: int
    """Entrants at most; a sit & go starts with so many."""
    least: int = 2
    """With fewer entrants it does not take place."""

    stack: int = 10_000
    """Chips of each entry; league and duplicate play for points and have none."""
    levels: tuple[int, ...] = (50, 100, 200, 400, 800, 1600, 3200, 6400)
    """Point values. After the last one each further level doubles it."""
    level_hands: int = 4
    """Hands a level; 0 where levels are counted in minutes."""
    level_minutes: int = 0
    break_levels: int = 0
    """A break comes after so many levels each; 0 for none."""
    break_minutes: int = 5
    late_levels: int = 0
    """One can register and enter again until the end of so many levels; 0 for until the start."""
    reentries: int = 0
    """How often one who is out may enter again."""
    win_cap: WinCap = WinCap.OWN_STACK
    bust_is_final: bool = True

    third_place: bool = False
    """The losers of a single elimination's semi-finals play for third place."""

    groups: int = 4
    """Groups at most, where there are groups; smaller fields make fewer."""
    through: int = 2
    """So many of each group go on."""

    seeding: Seeding = Seeding.USUAL
    """What decides who meets whom first, where the format has seeds."""
    handicap: bool = False
    """True where players who are rated below the best start with more; in friendly events alone."""

    rounds: int = 0
    """Rounds of a league or duplicate. Where everybody meets everybody the start says how many it takes."""
    pairings: Pairings = Pairings.DRAW
    """A league's alone."""
    round_hands: int = 0
    """Hands of each round."""
    round_hours: int = 0
    """A round begins so many hours after the one before at the earliest; 0 for at once."""

    fee: int = 0
    """Chips of the server that an entry costs; they make the prize pool."""
    bounty: int = 0
    """Chips of the fee on each head, for whoever takes a player's last chips."""
    bounty_grows: bool = False  # half of a bounty goes onto its winner's own head
    added: int = 0
    """Chips that the house adds to the prize pool."""
    payouts: tuple[int, ...] = ()
    """Percent of the pool by place; empty for the usual ones for so many entries."""
    titles: tuple[str, ...] = ()
    """Titles by place."""
    roles: tuple[int, ...] = ()
    """Roles of the server by place; 0 for none."""
    scoring: Scoring = Scoring.PLACE
    """How its series counts, where it belongs to one: the newest event of a series decides for all of them."""
    counted: int = 0
    """So many of a player's best events count there; 0 for all of them."""

    check_in_minutes: int = 0
    """Check-in opens so long before the start; 0 for none."""
    no_show: NoShow = NoShow.DROP
    threads: bool = True
    """Each table in a thread of its own; otherwise in the channel itself."""
    channels: tuple[int, ...] = ()
    """Channels of the server among which the tables are spread, beside the event's own."""

    @property
    def by_hands(self) -> bool:
        """True where levels are counted in hands."""
        return self.level_hands > 0

    def point_value(self, level: int) -> int:
        """The point value of a level, counted from 0."""
        if level < len(self.levels):
            return self.levels[level]
        return self.levels[-1] << min(level - len(self.levels) + 1, LAST_DOUBLINGS)

    def level_of(self, hand: int) -> int:
        """The level (from 0) of a table's hand (from 1), where levels are counted in hands."""
        return (hand - 1) // self.level_hands

    def tables_for(self, players: int) -> int:
        """The fewest tables that hold so many players."""
        return -(-players // self.table_seats)

    @property
    def playable(self) -> int:
        """With fewer entrants it cannot be played: decks that all tables share need a second table to compare with.

        At larger tables computers take the seats that people leave; between two a lone player has a bye.
        """
        if self.format is Format.GROUPS:
            return MIN_GROUPED_PLAYERS
        comparing = 2 * 2 if self.table_seats == 2 else self.table_seats + 1
        return comparing if self.format is Format.DUPLICATE else 2

    @property
    def has_seeds(self) -> bool:
        """True where seeds decide who meets whom first."""
        return self.format.family is Family.KNOCKOUT or self.format is Format.TOURNAMENT

    def seeded_by(self, series: str) -> SeededBy:
        """What its seeds come from, in that series; empty for none."""
        if self.seeding is Seeding.USUAL:
            return SeededBy.SERIES if self.format.heads_up and series else SeededBy.DRAW
        return SeededBy(self.seeding.value) if self.has_seeds else SeededBy.DRAW

    @property
    def at_stake(self) -> bool:
        """True where something is won that others count."""
        return bool(self.fee or self.added or any(self.titles) or any(self.roles))

    @property
    def may_be_filled(self) -> bool:
        """True where an organiser may give the last seats to computers, which then play as everybody does."""
        if self.at_stake:
            return False
        last_table = self.format in (Format.SIT_AND_GO, Format.TOURNAMENT, Format.SHOOTOUT)
        return last_table or (self.format is Format.DUPLICATE and self.table_seats == 2)

    def made_up(self, least_seats: int) -> bool:
        """True where computers that have no place take seats which people leave, in a game for so many."""
        if self.format is Format.DUPLICATE:
            return self.table_seats > 2
        return self.format is Format.LEAGUE and least_seats > 2

    @property
    def fewest(self) -> int:
        """With fewer entrants it does not take place by itself; an organiser may start it with what is playable."""
        return max(self.least, self.playable)

    def to_json(self) -> dict[str, Any]:
        """Plain values, read again by :func:`structure_from`."""
        return {
            name: value.value if isinstance(value, Enum) else list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
        }


_ENUMS: Mapping[str, type[Enum]] = {
    "format": Format,
    "win_cap": WinCap,
    "no_show": NoShow,
    "seeding": Seeding,
    "scoring": Scoring,
    "pairings": Pairings,
}
_TUPLES = ("levels", "payouts", "titles", "roles", "channels")


def structure_from(values: Mapping[str, Any]) -> Structure:
    """The structure of plain values; what a later version wrote beside them is left out."""
    known = {field.name for field in fields(Structure)}
    read: dict[str, Any] = {}
    for name, value in values.items():
        if name in _ENUMS:
            read[name] = _ENUMS[name](value)
        elif name in _TUPLES:
            read[name] = tuple(value)
        elif name in known:
            read[name] = value
    return Structure(**read)


RANGES: Mapping[str, tuple[int, int]] = {
    "most": (2, MAX_ENTRANTS),
    "groups": (2, MAX_GROUPS),
    "through": (1, MAX_THROUGH),
    "stack": (1, MAX_STARTING_STACK),
    "level_hands": (0, 100),
    "level_minutes": (0, 24 * 60),
    "break_levels": (0, MAX_LEVELS),
    "break_minutes": (0, 120),
    "late_levels": (0, MAX_LEVELS),
    "reentries": (0, 10),
    "rounds": (1, MAX_LEAGUE_ROUNDS),
    "round_hands": (1, 100),
    "round_hours": (0, 14 * 24),
    "fee": (0, MAX_ENTRY_FEE),
    "bounty": (0, MAX_ENTRY_FEE),
    "added": (0, MAX_ENTRY_FEE),
    "counted": (0, MAX_COUNTED_EVENTS),
    "check_in_minutes": (0, 24 * 60),
}
"""The smallest and the largest number of each field that doesn't depend on another one."""


def range_of(name: str, structure: Structure, *, most_seats: int) -> tuple[int, int]:
    """The smallest and the largest number that a field takes."""
    if name == "table_seats":
        return 2, most_seats
    return (replace(structure, least=2).fewest, structure.most) if name == "least" else RANGES[name]


def check(structure: Structure, variant: Variant) -> None:
    """Raise StructureError with the first thing that makes the event impossible."""
    for problem in structure_problems(structure, variant):
        raise problem


def structure_problems(structure: Structure, variant: Variant) -> list[StructureError]:
    """The first problem of each part of a structure, so that none hides those of another part."""
    found = []
    for part in _PARTS:
        try:
            part(structure, variant)
        except StructureError as problem:
            found.append(problem)
    return found


def _within(what: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise StructureError("out_of_range", what=what, least=least, most=most)


def _check_people(structure: Structure, variant: Variant) -> None:
    _within("table_seats", structure.table_seats, 2, variant.max_seats)
    if structure.format.heads_up and structure.table_seats != 2:
        raise StructureError("heads_up_seats")
    # First, since no number of seats helps there: a computer in a seat that gets free would need chips to win or lose.
    if structure.format.family is not Family.ROUNDS and variant.min_seats > 2:
        raise StructureError("game_needs_more", need=variant.min_seats)
    if variant.min_seats > structure.table_seats:
        raise StructureError("game_needs_seats", need=variant.min_seats)
    _within("most", structure.most, *RANGES["most"])
    if not 2 <= structure.least <= structure.most:
        raise StructureError("least_above_most", most=structure.most)
    if structure.format is Format.GROUPS:
        _within("groups", structure.groups, *RANGES["groups"])
        _within("through", structure.through, *RANGES["through"])
        if not MIN_GROUPED_PLAYERS <= structure.least <= structure.most <= MAX_GROUPED_PLAYERS:
            raise StructureError("groups_people", least=MIN_GROUPED_PLAYERS, most=MAX_GROUPED_PLAYERS)


def _check_levels(structure: Structure, _: Variant) -> None:
    if structure.format.family is Family.ROUNDS:
        return
    _within("stack", structure.stack, *RANGES["stack"])
    if not structure.levels or len(structure.levels) > MAX_LEVELS:
        raise StructureError("level_count", most=MAX_LEVELS)
    for value in structure.levels:
        _within("levels", value, 1, MAX_LEVEL_POINT_VALUE)
    if any(later < earlier for earlier, later in zip(structure.levels, structure.levels[1:], strict=False)):
        raise StructureError("levels_fall")
    if structure.format.family is Family.KNOCKOUT and not structure.by_hands:
        raise StructureError("matches_by_hands")
    if (structure.level_hands > 0) == (structure.level_minutes > 0):
        raise StructureError("hands_or_minutes")
    _within("level_hands", structure.level_hands, *RANGES["level_hands"])
    _within("level_minutes", structure.level_minutes, *RANGES["level_minutes"])
    if structure.stack < MIN_STACK_POINTS * structure.levels[0]:
        raise StructureError("stack_too_small", least=MIN_STACK_POINTS * structure.levels[0])


def _check_breaks(structure: Structure, _: Variant) -> None:
    if structure.format.family is Family.ROUNDS:
        return
    _within("break_levels", structure.break_levels, *RANGES["break_levels"])
    least, most = RANGES["break_minutes"]
    _within("break_minutes", structure.break_minutes, 1 if structure.break_levels else least, most)
    # Without hands per level, the levels' own problem says this already.
    if structure.format.family is Family.KNOCKOUT and structure.by_hands and structure.break_levels:
        raise StructureError("matches_by_hands")


def _check_late(structure: Structure, _: Variant) -> None:
    if structure.format is not Format.TOURNAMENT and (structure.late_levels or structure.reentries):
        raise StructureError("late_only_tournament")
    _within("late_levels", structure.late_levels, *RANGES["late_levels"])
    _within("reentries", structure.reentries, *RANGES["reentries"])
    if structure.reentries and not structure.late_levels:
        raise StructureError("reentry_needs_late")


def _check_rounds(structure: Structure, variant: Variant) -> None:
    if structure.format.family is not Family.ROUNDS:
        return
    _within("rounds", structure.rounds, *RANGES["rounds"])
    _within("round_hands", structure.round_hands, *RANGES["round_hands"])
    _within("round_hours", structure.round_hours, *RANGES["round_hours"])
    if structure.pairings is not Pairings.DRAW and structure.format is not Format.LEAGUE:
        raise StructureError("pairings_league")
    most = {Pairings.ALL: MAX_ROUND_ROBIN_PLAYERS, Pairings.SWISS: MAX_SWISS_PLAYERS}.get(
        structure.pairings, MAX_ENTRANTS
    )
    if structure.most > most:
        raise StructureError("pairings_most", most=most)
    if structure.format is Format.DUPLICATE:
        if variant.fantasyland is not None:
            raise StructureError("duplicate_fantasyland")
        if structure.round_hands % structure.table_seats:
            raise StructureError("duplicate_hands", seats=structure.table_seats)
        if structure.least < structure.fewest:
            raise StructureError("duplicate_tables", need=structure.fewest)


def _check_prizes(structure: Structure, _: Variant) -> None:
    _within("fee", structure.fee, *RANGES["fee"])
    if structure.bounty and structure.format.family is not Family.FREEZEOUT:
        raise StructureError("bounty_only_freezeout")
    if not 0 <= structure.bounty <= structure.fee:
        raise StructureError("bounty_above_fee", fee=structure.fee)
    _within("added", structure.added, *RANGES["added"])
    _within("counted", structure.counted, *RANGES["counted"])
    if structure.payouts:
        if len(structure.payouts) > MAX_PAID_PLACES or min(structure.payouts) < 1:
            raise StructureError("payout_places", most=MAX_PAID_PLACES)
        if sum(structure.payouts) != WHOLE:
            raise StructureError("payout_sum", sum=sum(structure.payouts))
        if any(later > earlier for earlier, later in zip(structure.payouts, structure.payouts[1:], strict=False)):
            raise StructureError("payouts_rise")


def _check_handicap(structure: Structure, _: Variant) -> None:
    if structure.handicap and structure.at_stake:
        raise StructureError("handicap_at_stake")
    if structure.handicap and structure.format is Format.DUPLICATE:
        raise StructureError("handicap_duplicate")


def _check_check_in(structure: Structure, _: Variant) -> None:
    _within("check_in_minutes", structure.check_in_minutes, *RANGES["check_in_minutes"])


_PARTS: tuple[Callable[[Structure, Variant], None], ...] = (
    _check_people,
    _check_rounds,
    _check_levels,
    _check_breaks,
    _check_late,
    _check_prizes,
    _check_handicap,
    _check_check_in,
)
"""The parts in the order in which people are asked for them."""


PRESETS: Mapping[str, Structure] = {
    # The founding texts.
    "chaipo": Structure(format=Format.TOURNAMENT, table_seats=3, most=128, check_in_minutes=15),
    "sit_and_go": Structure(
        format=Format.SIT_AND_GO, table_seats=3, most=3, least=3, levels=(50, 100, 150, 200, 300, 400, 600, 800)
    ),
    # Open-Face Chinese Poker event sheet of the Bicycle Casino.
    "bicycle": Structure(
        format=Format.TOURNAMENT,
        table_seats=3,
        most=200,
        stack=20_000,
        levels=(100, 200, 300, 400, 500, 700, 1000, 1500, 2000, 3000),
        level_hands=8,
        late_levels=4,
        reentries=1,
        break_levels=4,
        break_minutes=10,
        check_in_minutes=15,
    ),
    "heads_up": Structure(
        format=Format.SINGLE, table_seats=2, most=64, levels=(50, 100, 150, 200, 300, 400, 600, 800, 1200)
    ),
    "double": Structure(
        format=Format.DOUBLE, table_seats=2, most=64, levels=(50, 100, 150, 200, 300, 400, 600, 800, 1200)
    ),
    # Everybody plays several matches, so that each of them is short.
    "groups": Structure(
        format=Format.GROUPS,
        table_seats=2,
        most=32,
        least=4,
        stack=3000,
        levels=(50, 100, 150, 200, 300, 400, 600, 800, 1200),
        level_hands=2,
    ),
    "shootout": Structure(
        format=Format.SHOOTOUT, table_seats=3, most=81, least=4, levels=(50, 100, 150, 200, 300, 400, 600, 800)
    ),
    "league": Structure(format=Format.LEAGUE, table_seats=3, most=60, rounds=5, round_hands=6),
    "round_robin": Structure(
        format=Format.LEAGUE, table_seats=2, most=20, rounds=5, round_hands=6, pairings=Pairings.ALL
    ),
    "swiss": Structure(format=Format.LEAGUE, table_seats=2, most=60, rounds=5, round_hands=6, pairings=Pairings.SWISS),
    "duplicate": Structure(format=Format.DUPLICATE, table_seats=3, most=60, least=4, rounds=2, round_hands=6),
}
"""Structures to start from, by key; the first is the founding texts' own."""
