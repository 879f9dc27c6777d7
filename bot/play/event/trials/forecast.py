"""Forecasts of an event's length, from many simulated evenings with the event's structure.

The length depends on the speed of play (``PlaySpeed``), the spread of results (``HandSpread``) and the structure. None
of them is known exactly, so a forecast is a range. It imitates the director in simplified form, because the real one
would be too slow. All times are in milliseconds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from math import exp
from random import Random
from typing import Final

from bot.play.event.trials.simulator import HandSpread, PlaySpeed, Simulator
from bot.pure.event.bracket import (
    Bracket,
    Bye,
    FromGroups,
    LoserOf,
    Seed,
    Side,
    Source,
    double,
    grouped_bracket,
    single,
)
from bot.pure.event.handicap import default_stacks
from bot.pure.event.limits import MIN_GROUPED_PLAYERS
from bot.pure.event.rounds import settle_rounds
from bot.pure.event.seating import table_sizes
from bot.pure.event.structure import Family, Format, Structure
from bot.pure.ofc.settlement import WinCap
from bot.pure.ofc.variants import Variant

SECOND, MINUTE, HOUR = 1000, 60_000, 3_600_000
MAX_TRIALS, MIN_TRIALS = 80, 8
TRIED_PEOPLE: Final = 800
"""Total number of players simulated over all trials. Large fields need fewer trials, because chance evens out."""
MAX_HANDS = 2000
"""Maximum hands per table, for structures whose levels never end the event."""
LOW, HIGH = 0.05, 0.95
"""Quantiles of the range. Nine out of ten simulated evenings end within it."""
SHORTER, LONGER = 0.92, 1.1
"""Factors that widen the range, because real events vary more, especially upwards.

Without them, 88 % of 240 events ended within the range.
"""
END_TRIALS = 24
"""Number of trials that is enough for a median."""
EVENING_SPREAD = 0.2
"""Standard deviation of the logarithm of an evening's speed, because players differ from evening to evening."""
DEFAULT_PLAYERS = 12
"""Number of players at a typical club evening."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """An event's length from its start: the median, and the range of nine out of ten evenings."""

    people: int
    low: int
    middle: int
    high: int


def default_players(structure: Structure) -> int:
    """Return the number of players to forecast for before registration: a full Sit & Go or a typical evening.

    It's at least one, even if the structure is invalid.
    """
    full = structure.most if structure.format is Format.SIT_AND_GO else max(structure.fewest, DEFAULT_PLAYERS)
    return max(1, min(structure.most, full))


def expected_people(structure: Structure, registered: int) -> int:
    """Return the number of players to forecast for: ``registered`` if that's enough to start, else the default."""
    return registered if registered >= max(1, structure.fewest) else default_players(structure)


def forecast(
    structure: Structure, game: Variant, tempo: PlaySpeed, swing: HandSpread, *, people: int, seed: int = 0
) -> Forecast:
    """Forecast an event with ``people`` players. The same seed gives the same result.

    Raises ValueError for fewer than two players.
    """
    if people < 2:
        raise ValueError("a forecast needs at least two players")
    structure = settle_rounds(structure, people)
    trials = max(MIN_TRIALS, min(MAX_TRIALS, TRIED_PEOPLE // people))
    random = Random(f"{seed} {people}")
    evenings = [_SimulatedEvening(structure, game, tempo, swing, random) for _ in range(trials)]
    lengths = [evening.length(people) for evening in evenings]

    def quantile(share: float, by: float) -> int:
        spread = sorted(evening.stretched(length, by) for evening, length in zip(evenings, lengths, strict=True))
        return round(spread[min(trials - 1, int(share * trials))])

    low, middle, high = quantile(LOW, SHORTER), quantile(0.5, 1), quantile(HIGH, LONGER)
    return Forecast(people=people, low=low, middle=middle, high=high)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventProgress:
    """The progress of a running event."""

    passed: int
    """Time since the start (ms)."""
    tables: Sequence[Sequence[int]] = ()
    """Stacks of a freezeout by table. Empty for other formats."""
    hands: int = 0
    """Ordinary hands dealt at the slowest table; in a league or duplicate event, only those of the current round."""
    round: int = 0
    """Current round of a league or duplicate event, from 1."""
    round_passed: int = 0
    """Time since that round began (ms)."""
    breaks: int = 0
    """Number of breaks that have begun."""


def left(
    structure: Structure,
    game: Variant,
    tempo: PlaySpeed,
    swing: HandSpread,
    *,
    people: int,
    progress: EventProgress,
    seed: int = 0,
) -> int | None:
    """Return the median of the remaining time (ms); None if every simulated evening was over by now.

    A freezeout continues from its stacks, and rounds from the current one. In other formats, only evenings that haven't
    ended by now count.
    """
    random = Random(f"{seed} {people}")
    trials = max(MIN_TRIALS, min(END_TRIALS, TRIED_PEOPLE // max(1, people)))
    evenings = [_SimulatedEvening(structure, game, tempo, swing, random) for _ in range(trials)]
    if progress.tables:
        lengths = [evening.freezeout_from(progress) for evening in evenings]
    elif progress.round:
        lengths = [evening.rounds_from(progress, people) for evening in evenings]
    else:
        lengths = [evening.length(people) - progress.passed for evening in evenings]
    longer = sorted(length for length in lengths if length > 0)
    return round(longer[len(longer) // 2]) if longer else None


_PAIRS: Final = [[(a, b) for b in range(seats) for a in range(b)] for seats in range(10)]
"""Pairs of seats, by the number of seats."""


class _SimulatedEvening:
    """One simulated evening of the event."""

    def __init__(
        self, structure: Structure, game: Variant, tempo: PlaySpeed, swing: HandSpread, random: Random
    ) -> None:
        self._structure = structure
        self._tempo = tempo
        self._random = random
        self._hands = Simulator(game, tempo, swing, random, slowness=exp(random.gauss(0.0, EVENING_SPREAD)))
        self._waits: list[tuple[float, float]] = []
        """Parts that can't be shorter than planned, such as breaks, each as its playing time and planned time."""

    def stretched(self, length: float, by: float) -> float:
        """Return the evening's ``length`` with its playing times multiplied by ``by``. Planned times stay unchanged."""
        kept = sum(max(played * by, planned) - max(played, planned) * by for played, planned in self._waits)
        return length * by + kept

    def length(self, people: int) -> float:
        """Return the time from the start until the event is won."""
        structure = self._structure
        if structure.format is Format.GROUPS:
            return self._groups(people)
        if structure.format.heads_up:
            bracket = (
                double(people) if structure.format is Format.DOUBLE else single(people, third=structure.third_place)
            )
            return self._bracket(bracket)
        if structure.format is Format.SHOOTOUT:
            return self._shootout(people)
        if structure.format.family is Family.ROUNDS:
            return self._rounds(people)
        return self._freezeout(people)

    # one hand

    def _hand(self, players: int) -> float:
        """Return the time from a hand's deal to the next deal."""
        return self._hands.hand_lasts(players) + self._tempo.between

    def _pay(self, stacks: list[float], point_value: int) -> None:
        """Settle a hand between ``stacks`` in pairs. No player pays more than their stack or wins more than the cap."""
        cap, luck = self._structure.win_cap, self._hands.luck(len(stacks))
        before = tuple(stacks)
        room = list(before) if cap is WinCap.OWN_STACK else [float("inf")] * len(stacks)
        pairs = (
            _PAIRS[len(stacks)]
            if len(stacks) < 3
            else self._random.sample(_PAIRS[len(stacks)], k=len(_PAIRS[len(stacks)]))
        )
        for a, b in pairs:
            winner, loser = (a, b) if luck[a] > luck[b] else (b, a)
            chips = float(round(abs(luck[a] - luck[b])) * point_value)
            chips = min(chips, stacks[loser], room[winner])
            if cap is WinCap.PER_OPPONENT:
                chips = min(chips, before[winner])
            stacks[winner] += chips
            stacks[loser] -= chips
            room[winner] -= chips

    # formats

    def _heads_up_table(self, players: int) -> float:
        """Return the time from the opening of a match or shoot-out table until one player has all chips."""
        structure = self._structure
        stacks = [*map(float, default_stacks(structure, players))]
        passed, ordinary = self._tempo.seating, 0
        for _ in range(MAX_HANDS):
            passed += self._hand(len(stacks))
            self._pay(stacks, structure.point_value(structure.level_of(ordinary + 1)))
            stacks = [stack for stack in stacks if stack > 0]
            if len(stacks) < 2:
                break
            ordinary += not self._hands.somebody_enters_fantasyland(len(stacks))
        return passed

    def _groups(self, people: int) -> float:
        """Return the length of the groups, whose rounds start together, and of the bracket after them."""
        structure = self._structure
        people = max(MIN_GROUPED_PLAYERS, people)
        bracket, passed = grouped_bracket(people, groups=structure.groups, through=structure.through), 0.0
        of_rounds = Counter(match.round for match in bracket.matches if match.side is Side.GROUP)
        for matches in of_rounds.values():
            passed += max(self._heads_up_table(2) for _ in range(matches))
        return passed + self._bracket(single(len(bracket.places)))

    def _bracket(self, bracket: Bracket) -> float:
        """Return the length of a bracket. Each match begins when both players have finished their previous one."""
        over: dict[int, float] = {}
        real: dict[int, int] = {}

        def source(side: Source) -> tuple[float, bool]:
            """Return when a side's player arrives, and True if one arrives at all."""
            if isinstance(side, Bye):
                return 0.0, False
            if isinstance(side, Seed | FromGroups):
                return 0.0, True
            known = real.get(side.match, 0)
            comes = known == 2 if isinstance(side, LoserOf) else known > 0
            return over.get(side.match, 0.0), comes

        last = 0.0
        finals = 0
        for match in bracket.matches:
            if match.side is Side.FINAL:
                finals += 1
                if finals > 1 and self._random.random() < 0.5:
                    continue  # the unbeaten player has won the first final
            came = [source(side) for side in (match.a, match.b)]
            begins = max(at for at, _ in came)
            real[match.number] = sum(comes for _, comes in came)
            over[match.number] = begins + (self._heads_up_table(2) if real[match.number] == 2 else 0.0)
            last = max(last, over[match.number])
        return last

    def _shootout(self, people: int) -> float:
        passed = 0.0
        while people > 1:
            sizes = table_sizes(people, self._structure.table_seats)
            passed += max(self._heads_up_table(size) if size > 1 else 0.0 for size in sizes)
            people = len(sizes)
        return passed

    def rounds_from(self, progress: EventProgress, people: int) -> float:
        """Return the time from now to the end: the rest of this round (or wait for the next), and all later rounds."""
        first = self._ordinary_hands(people, self._structure.round_hands - progress.hands)
        if progress.round < self._structure.rounds:
            first = max(first, self._structure.round_hours * HOUR - progress.round_passed)
        return first + self._rounds(people, after=progress.round)

    def _ordinary_hands(self, people: int, count: int) -> float:
        """Return the time of ``count`` ordinary hands at a table, without Fantasyland hands."""
        size = max(2, max(table_sizes(people, self._structure.table_seats)))
        return sum(self._hand(size) for _ in range(count))

    def _rounds(self, people: int, *, after: int = 0) -> float:
        structure = self._structure
        passed = 0.0
        for number in range(after + 1, structure.rounds + 1):
            played = max(self._round(size) for size in table_sizes(people, structure.table_seats))
            planned = structure.round_hours * HOUR if number < structure.rounds else 0
            self._waits.append((played, planned))
            passed += max(played, planned)
        return passed

    def _round(self, players: int) -> float:
        # Computers fill the seats that the game or a comparison requires.
        players = max(players, 2)
        passed = self._tempo.seating
        for _ in range(self._structure.round_hands):
            passed += self._hand(players)
            while self._hands.somebody_enters_fantasyland(players):
                passed += self._hand(players)
        return passed

    def _freezeout(self, people: int) -> float:
        sizes = table_sizes(people, self._structure.table_seats)
        stacks = default_stacks(self._structure, people)
        if self._structure.handicap:
            self._random.shuffle(stacks)
        left = iter(map(float, stacks))
        tables = [[*islice(left, size)] for size in sizes]
        return self._play_down(tables, begins=self._tempo.seating)

    def freezeout_from(self, progress: EventProgress) -> float:
        """Return the time from now to the end, with the current stacks."""
        tables = [[float(stack) for stack in stacks] for stacks in progress.tables]
        begins = float(progress.passed)
        return self._play_down(tables, begins=begins, dealt=progress.hands, breaks=progress.breaks) - begins

    def _play_down(self, tables: list[list[float]], *, begins: float, dealt: int = 0, breaks: int = 0) -> float:
        """Play the stacks down to one, and return the time of the end, counted from the start of the event."""
        structure = self._structure
        people = entries = sum(map(len, tables))
        clocks = [begins] * len(tables)
        slowest_before = begins
        rested = breaks * structure.break_minutes * float(MINUTE)
        for hand in range(dealt, dealt + MAX_HANDS):
            now = max(clocks)
            level = (
                hand // structure.level_hands
                if structure.by_hands
                else int((now - rested) // (structure.level_minutes * MINUTE))
            )
            if structure.break_levels and level // structure.break_levels > breaks:
                breaks, rest = level // structure.break_levels, structure.break_minutes * MINUTE
                clocks, rested = [now + rest] * len(tables), rested + rest
                self._waits.append((0.0, rest))
            slowest, value = max(clocks), structure.point_value(level)
            for number, stacks in enumerate(tables):
                # No table is more than one hand ahead of another.
                dealt_at = max(clocks[number], slowest_before) if structure.by_hands else clocks[number]
                clocks[number] = dealt_at + self._hand(len(stacks))
                self._pay(stacks, value)
                if self._hands.somebody_enters_fantasyland(len(stacks)):
                    clocks[number] += self._hand(len(stacks))
                    self._pay(stacks, value)
            slowest_before = slowest
            out = sum(stack <= 0 for stacks in tables for stack in stacks)
            tables = [[stack for stack in stacks if stack > 0] for stacks in tables]
            if out and level < structure.late_levels and entries < people * (1 + structure.reentries):
                again = sum(self._hands.enters_again() for _ in range(out))
                entries += again
                tables[0] += [float(structure.stack)] * again
            if sum(map(len, tables)) < 2:
                break
            tables, clocks = self._balance(tables, clocks)
        return max(clocks)

    def _balance(self, tables: list[list[float]], clocks: list[float]) -> tuple[list[list[float]], list[float]]:
        """Return the tables after breaking and balancing, and their clocks.

        Moved players wait for the hand at their new table.
        """
        stacks = [stack for table in tables for stack in table]
        sizes = table_sizes(len(stacks), self._structure.table_seats)
        if (
            len(sizes) == len(tables)
            and min(map(len, tables)) > 1
            and max(map(len, tables)) <= self._structure.table_seats
        ):
            return tables, clocks
        self._random.shuffle(stacks)
        kept = sorted(clocks)[len(tables) - len(sizes) :] if len(sizes) <= len(tables) else [max(clocks)] * len(sizes)
        dealt, begin = [], 0
        for size in sizes:
            dealt.append(stacks[begin : begin + size])
            begin += size
        return dealt, kept
