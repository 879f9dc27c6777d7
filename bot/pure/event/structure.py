"""Structure of an event as data: format, stacks, levels, breaks, rounds and prizes, with validation and presets.

The first preset is the tournament in the founding texts: 10,000 chips, and a point value of 50, 100, 200 ... that rises
every four hands. The others use the numbers of published event sheets, each named next to its preset.
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
from bot.pure.event.ties import Ties
from bot.pure.ofc.settlement import WinCap
from bot.pure.ofc.variants import Variant

WHOLE = 100
"""The whole prize pool, in percent."""
LAST_DOUBLINGS = 20
"""Maximum doublings of the point value after the last level. They ensure that every freezeout ends."""


class Family(Enum):
    """Group of formats: chips over many tables, knockout matches, or points over a fixed number of hands."""

    FREEZEOUT = "freezeout"
    KNOCKOUT = "knockout"
    ROUNDS = "rounds"


class Format(Enum):
    """Format of an event."""

    SIT_AND_GO = "sit_and_go"
    """A freezeout that starts when it's full."""
    TOURNAMENT = "tournament"
    """A freezeout over many tables with a scheduled start."""
    SINGLE = "single"
    """Heads-up single elimination."""
    DOUBLE = "double"
    """Heads-up double elimination."""
    GROUPS = "groups"
    """Heads-up round robin in groups, then a single elimination of the best players of each group."""
    SHOOTOUT = "shootout"
    """Each table plays down to one winner, and the winners play each other."""
    LEAGUE = "league"
    """Rounds of a fixed number of hands, plus one per hand in Fantasyland. Points add up."""
    DUPLICATE = "duplicate"
    """All tables get the same decks, and players are compared with those who held the same cards."""

    @property
    def family(self) -> Family:
        """The format's family."""
        if self in (Format.SIT_AND_GO, Format.TOURNAMENT):
            return Family.FREEZEOUT
        return Family.ROUNDS if self in (Format.LEAGUE, Format.DUPLICATE) else Family.KNOCKOUT

    @property
    def heads_up(self) -> bool:
        """True if the format has a bracket."""
        return self in (Format.SINGLE, Format.DOUBLE, Format.GROUPS)


class NoShow(Enum):
    """Treatment of players who don't check in."""

    DROP = "drop"
    """They don't take part, and their fee is refunded."""
    BLIND = "blind"
    """They get a seat and are auto-placed until they arrive."""


class Leaving(Enum):
    """Treatment of players who leave a freezeout that has started."""

    BLIND = "blind"
    """They keep their seat and are auto-placed until they're back or out of chips."""
    REMOVE = "remove"
    """They give up for good, and their chips leave play."""


class StructureError(Exception):
    """The structure can't be played. ``problem`` is a key of ``data/text`` under ``structure``."""

    def __init__(self, problem: str, **details: int | str) -> None:
        super().__init__(f"{problem} {details}")
        self.problem = problem
        self.details = details


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure:
    """An event's rules, fixed before it starts. Its game, name, start and channel are stored elsewhere."""

    format: Format
    table_seats: int
    most: int
    """Maximum number of entrants. A sit & go starts when it's reached."""
    least: int = 2
    """Minimum number of entrants. With fewer, the event is cancelled."""

    stack: int = 10_000
    """Starting chips per entry. Leagues and duplicate events play for points and have none."""
    levels: tuple[int, ...] = (50, 100, 200, 400, 800, 1600, 3200, 6400)
    """Point value per level. After the last one, it doubles with each further level."""
    level_hands: int = 4
    """Hands per level; 0 if levels are timed."""
    level_minutes: int = 0
    """Minutes per level; 0 if levels are counted in hands."""
    break_levels: int = 0
    """Levels between breaks; 0 for no breaks."""
    break_minutes: int = 5
    late_levels: int = 0
    """Levels during which players can still register or re-enter; 0 to close registration at the start."""
    reentries: int = 0
    """Maximum re-entries per player."""
    win_cap: WinCap = WinCap.OWN_STACK
    bust_is_final: bool = True

    third_place: bool = False
    """True if the losers of a single elimination's semi-finals play for third place."""

    groups: int = 4
    """Maximum number of groups. Smaller fields have fewer."""
    through: int = 2
    """Qualifiers per group."""

    seeding: Seeding = Seeding.DEFAULT
    """Seeding, if the format has seeds."""
    handicap: bool = False
    """True if lower-rated players start with more. Friendly events only."""

    rounds: int = 0
    """Rounds of a league or duplicate event. If everyone meets everyone, the number is set at the start."""
    pairings: Pairings = Pairings.DRAW
    """Pairing method. Leagues only."""
    round_hands: int = 0
    """Hands per round."""
    round_hours: int = 0
    """Minimum hours between the starts of two rounds; 0 for no minimum."""

    fee: int = 0
    """Entry fee in the server's chips, which goes into the prize pool."""
    bounty: int = 0
    """Part of the fee that is a bounty on the player, paid to the player who takes their last chips."""
    bounty_grows: bool = False
    """True if half of a bounty is added to the winner's own bounty."""
    added: int = 0
    """Chips that the server adds to the prize pool."""
    payouts: tuple[int, ...] = ()
    """Percent of the pool by place; empty for the default."""
    ties: Ties = Ties.DRAW
    """Rule for equal players. The default is that of events which were announced before they had a choice."""
    titles: tuple[str, ...] = ()
    """Titles by place."""
    roles: tuple[int, ...] = ()
    """Discord roles by place; 0 for none."""
    scoring: Scoring = Scoring.PLACE
    """Season points in its series. The newest event of a series sets the rule for all of them."""
    counted: int = 0
    """Number of a player's best events that count in the series; 0 for all."""

    check_in_minutes: int = 0
    """Minutes before the start when check-in opens; 0 for no check-in."""
    no_show: NoShow = NoShow.DROP
    leaving: Leaving = Leaving.BLIND
    """Freezeouts only. In knockouts, players who leave give up."""
    threads: bool = True
    """True to play each table in its own thread, False to play in the channel."""
    channels: tuple[int, ...] = ()
    """Additional channels to spread the tables over."""

    @property
    def by_hands(self) -> bool:
        """True if levels are counted in hands."""
        return self.level_hands > 0

    def point_value(self, level: int) -> int:
        """Return the point value of a level, counted from 0."""
        if level < len(self.levels):
            return self.levels[level]
        return self.levels[-1] << min(level - len(self.levels) + 1, LAST_DOUBLINGS)

    def level_of(self, hand: int) -> int:
        """Return the level (from 0) of a table's hand (from 1), if levels are counted in hands."""
        return (hand - 1) // self.level_hands

    def tables_for(self, players: int) -> int:
        """Return the minimum number of tables for ``players``."""
        return -(-players // self.table_seats)

    @property
    def playable(self) -> int:
        """Minimum number of entrants with which the event can be played.

        A duplicate event needs a second table for comparison. At larger tables, computers fill empty seats. At tables
        of two, a player without an opponent has a bye.
        """
        if self.format is Format.GROUPS:
            return MIN_GROUPED_PLAYERS
        comparing = 2 * 2 if self.table_seats == 2 else self.table_seats + 1
        return comparing if self.format is Format.DUPLICATE else 2

    @property
    def has_seeds(self) -> bool:
        """True if seeds decide the first opponents."""
        return self.format.family is Family.KNOCKOUT or self.format is Format.TOURNAMENT

    def seeded_by(self, series: str) -> SeededBy:
        """Return the source of the event's seeds; ``series`` is the name of its series, or empty."""
        if self.seeding is Seeding.DEFAULT:
            return SeededBy.SERIES if self.format.heads_up and series else SeededBy.DRAW
        return SeededBy(self.seeding.value) if self.has_seeds else SeededBy.DRAW

    @property
    def gives_up(self) -> bool:
        """True if players who leave after the start give up for good."""
        removed = self.format.family is Family.FREEZEOUT and self.leaving is Leaving.REMOVE
        return removed or self.format.family is Family.KNOCKOUT

    @property
    def shares_places(self) -> bool:
        """True if equal players share a place. In a bracket, the losers of the same round always do."""
        return self.format.heads_up or self.ties is Ties.SHARE

    @property
    def at_stake(self) -> bool:
        """True if there is something to win: chips, titles or roles."""
        return bool(self.fee or self.added or any(self.titles) or any(self.roles))

    @property
    def may_be_filled(self) -> bool:
        """True if an organiser may fill the last seats with computers, which then play like everyone else."""
        if self.at_stake:
            return False
        last_table = self.format in (Format.SIT_AND_GO, Format.TOURNAMENT, Format.SHOOTOUT)
        return last_table or (self.format is Format.DUPLICATE and self.table_seats == 2)

    def made_up(self, min_seats: int) -> bool:
        """True if computers fill empty seats without being ranked; ``min_seats`` is the game's minimum."""
        if self.format is Format.DUPLICATE:
            return self.table_seats > 2
        return self.format is Format.LEAGUE and min_seats > 2

    @property
    def fewest(self) -> int:
        """Minimum number of entrants for an automatic start. An organiser may start with ``playable`` entrants."""
        return max(self.least, self.playable)

    def to_json(self) -> dict[str, Any]:
        """Return JSON-compatible values, which :func:`structure_from` reads."""
        return {
            name: value.value if isinstance(value, Enum) else list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
        }


def for_new_event(structure: Structure) -> Structure:
    """Return the structure for an event that is announced now.

    Brackets have no choice of :attr:`Structure.ties`. Those from before there was one get today's season points.
    """
    return replace(structure, ties=Ties.SHARE) if structure.format.heads_up else structure


_ENUMS: Mapping[str, type[Enum]] = {
    "format": Format,
    "win_cap": WinCap,
    "no_show": NoShow,
    "leaving": Leaving,
    "seeding": Seeding,
    "scoring": Scoring,
    "pairings": Pairings,
    "ties": Ties,
}
_TUPLES = ("levels", "payouts", "titles", "roles", "channels")


def structure_from(values: Mapping[str, Any]) -> Structure:
    """Read a structure from JSON-compatible values, ignoring unknown fields of later versions."""
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
"""Minimum and maximum of each field that doesn't depend on another field."""


def range_of(name: str, structure: Structure, *, max_seats: int) -> tuple[int, int]:
    """Return the minimum and maximum of a field."""
    if name == "table_seats":
        return 2, max_seats
    return (replace(structure, least=2).fewest, structure.most) if name == "least" else RANGES[name]


def check(structure: Structure, variant: Variant) -> None:
    """Raise StructureError for the first problem that prevents the event."""
    for problem in structure_problems(structure, variant):
        raise problem


def structure_problems(structure: Structure, variant: Variant) -> list[StructureError]:
    """Return the first problem in each part of a structure, so that no part hides another's problem."""
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
    # Checked first, because no number of seats helps there: a computer in a vacated seat would need chips to win or
    # lose.
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
    # Without hands per level, the check of the levels already reports this.
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
"""The parts in the order of the form."""


_SHEETS: Mapping[str, Structure] = {
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
    # Everyone plays several matches, so each one is short.
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
PRESETS: Mapping[str, Structure] = {key: replace(sheet, ties=Ties.SHARE) for key, sheet in _SHEETS.items()}
"""Predefined structures by key. The first one comes from the founding texts. In all of them, equals share a place."""
