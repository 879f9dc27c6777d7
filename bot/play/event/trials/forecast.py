"""How long an event lasts: it is played through many times with hands of chance, by its own structure.

Three things decide it: how fast people play (``Tempo``), how much changes hands (``Swing``), and the structure. None of
them is known exactly, so a forecast is a range over many evenings. It sketches what the director does as far as the
length needs it, because the director itself would take too long. Times are milliseconds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from math import exp
from random import Random
from typing import Final

from bot.play.event.trials.simulator import Simulator, Swing, Tempo
from bot.pure.event.bracket import Bracket, Bye, FromGroups, LoserOf, Seed, Side, Source, double, grouped, single
from bot.pure.event.handicap import usual_stacks
from bot.pure.event.limits import MIN_GROUPED_PLAYERS
from bot.pure.event.rounds import settled
from bot.pure.event.seating import table_sizes
from bot.pure.event.structure import Family, Format, Structure
from bot.pure.ofc.settlement import WinCap
from bot.pure.ofc.variants import Variant

SECOND, MINUTE, HOUR = 1000, 60_000, 3_600_000
MOST_TRIALS, LEAST_TRIALS = 80, 8
TRIED_PEOPLE: Final = 800
"""So many people are played through in all trials together: a large field evens chance out by itself."""
MOST_HANDS = 2000
"""Of one table: a structure whose levels never bite is told as long."""
LOW, HIGH = 0.05, 0.95
"""Nine of ten evenings that are played through end between these."""
SHORTER, LONGER = 0.92, 1.1
"""Real ones spread a little more, most of all upwards: of 240 of the bot's own 88 % ended between those two alone."""
END_TRIALS = 24
"""So many are enough for a middle."""
EVENING_SPREAD = 0.2
"""Of the logarithm of a whole evening's tempo: tonight's people are not the usual ones."""
USUAL_PEOPLE = 12
"""So many come to a club's evening."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """How long an event lasts from its start: its middle, and the range of nine evenings out of ten."""

    people: int
    low: int
    middle: int
    high: int


def usual_people(structure: Structure) -> int:
    """For so many it is told how long it lasts before it is known who comes: a full Sit & Go, or a usual evening.

    One at least, whatever was written.
    """
    full = structure.most if structure.format is Format.SIT_AND_GO else max(structure.fewest, USUAL_PEOPLE)
    return max(1, min(structure.most, full))


def expected_people(structure: Structure, registered: int) -> int:
    """The same for an event for which so many have registered already: those, once they are enough to start."""
    return registered if registered >= max(1, structure.fewest) else usual_people(structure)


def forecast(
    structure: Structure, game: Variant, tempo: Tempo, swing: Swing, *, people: int, seed: int = 0
) -> Forecast:
    """Play an event of so many people through; the same seed gives the same. Raises ValueError for fewer than two."""
    if people < 2:
        raise ValueError("nobody plays alone")
    structure = settled(structure, people)
    trials = max(LEAST_TRIALS, min(MOST_TRIALS, TRIED_PEOPLE // people))
    random = Random(f"{seed} {people}")
    evenings = [_Evening(structure, game, tempo, swing, random) for _ in range(trials)]
    lengths = [evening.length(people) for evening in evenings]

    def quantile(share: float, by: float) -> int:
        spread = sorted(evening.stretched(length, by) for evening, length in zip(evenings, lengths, strict=True))
        return round(spread[min(trials - 1, int(share * trials))])

    low, middle, high = quantile(LOW, SHORTER), quantile(0.5, 1), quantile(HIGH, LONGER)
    return Forecast(people=people, low=low, middle=middle, high=high)


@dataclass(frozen=True, slots=True, kw_only=True)
class Progressed:
    """How far an event has come."""

    passed: int
    """How long it has been played (ms)."""
    tables: Sequence[Sequence[int]] = ()
    """The stacks of a freezeout, by table; elsewhere nothing is known of it."""
    hands: int = 0
    """Ordinary hands dealt, at the table that has dealt fewest; in a league or duplicate event, of its round."""
    round: int = 0
    """The round of a league or duplicate event that is played, from 1."""
    round_passed: int = 0
    """How long ago that round began (ms)."""
    breaks: int = 0
    """Breaks that have begun."""


def left(
    structure: Structure, game: Variant, tempo: Tempo, swing: Swing, *, people: int, progress: Progressed, seed: int = 0
) -> int | None:
    """How much longer it takes, the middle (ms); None where no evening that was played through was as long as this.

    A freezeout goes on from its stacks, rounds from the one that is played. Of other formats only those evenings count
    that have not ended by now.
    """
    random = Random(f"{seed} {people}")
    trials = max(LEAST_TRIALS, min(END_TRIALS, TRIED_PEOPLE // max(1, people)))
    evenings = [_Evening(structure, game, tempo, swing, random) for _ in range(trials)]
    if progress.tables:
        lengths = [evening.freezeout_from(progress) for evening in evenings]
    elif progress.round:
        lengths = [evening.rounds_from(progress, people) for evening in evenings]
    else:
        lengths = [evening.length(people) - progress.passed for evening in evenings]
    longer = sorted(length for length in lengths if length > 0)
    return round(longer[len(longer) // 2]) if longer else None


_PAIRS: Final = [[(a, b) for b in range(seats) for a in range(b)] for seats in range(10)]
"""By the number of seats, whom each of them meets."""


class _Evening:
    """One possible evening of the event."""

    def __init__(self, structure: Structure, game: Variant, tempo: Tempo, swing: Swing, random: Random) -> None:
        self._structure = structure
        self._tempo = tempo
        self._random = random
        self._hands = Simulator(game, tempo, swing, random, slowness=exp(random.gauss(0.0, EVENING_SPREAD)))
        self._waits: list[tuple[float, float]] = []
        """Parts of it that can't be shorter than planned, as playing time and planned time: breaks, rounds by hours."""

    def stretched(self, length: float, by: float) -> float:
        """Return the evening's ``length`` with its playing times multiplied ``by``. Planned times stay as they are."""
        kept = sum(max(played * by, planned) - max(played, planned) * by for played, planned in self._waits)
        return length * by + kept

    def length(self, people: int) -> float:
        """From the start until somebody has won."""
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
        """From its deal to the next one's."""
        return self._hands.hand_lasts(players) + self._tempo.between

    def _pay(self, stacks: list[float], point_value: int) -> None:
        """Settle a hand between these stacks: by pairs, nobody pays more than they have, nor wins more than the cap."""
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
        """A match, or a table of a shoot-out, from its opening until one has all chips."""
        structure = self._structure
        stacks = [*map(float, usual_stacks(structure, players))]
        passed, ordinary = self._tempo.seating, 0
        for _ in range(MOST_HANDS):
            passed += self._hand(len(stacks))
            self._pay(stacks, structure.point_value(structure.level_of(ordinary + 1)))
            stacks = [stack for stack in stacks if stack > 0]
            if len(stacks) < 2:
                break
            ordinary += not self._hands.somebody_enters_fantasyland(len(stacks))
        return passed

    def _groups(self, people: int) -> float:
        """Each round of all groups begins when the one before is over; then comes the bracket."""
        structure = self._structure
        people = max(MIN_GROUPED_PLAYERS, people)
        bracket, passed = grouped(people, groups=structure.groups, through=structure.through), 0.0
        of_rounds = Counter(match.round for match in bracket.matches if match.side is Side.GROUP)
        for matches in of_rounds.values():
            passed += max(self._heads_up_table(2) for _ in range(matches))
        return passed + self._bracket(single(len(bracket.places)))

    def _bracket(self, bracket: Bracket) -> float:
        """Each match begins when both sides have come out of theirs."""
        over: dict[int, float] = {}
        real: dict[int, int] = {}

        def source(side: Source) -> tuple[float, bool]:
            """When somebody comes from there, and whether anybody does."""
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
                    continue  # the one without a loss has won the first
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

    def rounds_from(self, progress: Progressed, people: int) -> float:
        """From now to the end: the rest of the round that is played, or of the wait for the next, and all after it."""
        first = self._ordinary_hands(people, self._structure.round_hands - progress.hands)
        if progress.round < self._structure.rounds:
            first = max(first, self._structure.round_hours * HOUR - progress.round_passed)
        return first + self._rounds(people, after=progress.round)

    def _ordinary_hands(self, people: int, count: int) -> float:
        """So many ordinary hands at a table, without those in Fantasyland."""
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
        # Computers take the seats that are missing where a game or a comparison needs them.
        players = max(players, 2)
        passed = self._tempo.seating
        for _ in range(self._structure.round_hands):
            passed += self._hand(players)
            while self._hands.somebody_enters_fantasyland(players):
                passed += self._hand(players)
        return passed

    def _freezeout(self, people: int) -> float:
        sizes = table_sizes(people, self._structure.table_seats)
        stacks = usual_stacks(self._structure, people)
        if self._structure.handicap:
            self._random.shuffle(stacks)
        left = iter(map(float, stacks))
        tables = [[*islice(left, size)] for size in sizes]
        return self._play_down(tables, begins=self._tempo.seating)

    def freezeout_from(self, progress: Progressed) -> float:
        """From now to the end, with the stacks that there are."""
        tables = [[float(stack) for stack in stacks] for stacks in progress.tables]
        begins = float(progress.passed)
        return self._play_down(tables, begins=begins, dealt=progress.hands, breaks=progress.breaks) - begins

    def _play_down(self, tables: list[list[float]], *, begins: float, dealt: int = 0, breaks: int = 0) -> float:
        """Play these stacks down to one; returns when that is, counted from the start of the event."""
        structure = self._structure
        people = entries = sum(map(len, tables))
        clocks = [begins] * len(tables)
        slowest_before = begins
        rested = breaks * structure.break_minutes * float(MINUTE)
        for hand in range(dealt, dealt + MOST_HANDS):
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
            tables, clocks = self._evened(tables, clocks)
        return max(clocks)

    def _evened(self, tables: list[list[float]], clocks: list[float]) -> tuple[list[list[float]], list[float]]:
        """As few tables as hold everybody; their players come from the others, and wait for the hands there."""
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
