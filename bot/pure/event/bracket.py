"""Heads-up brackets over seeds 1 to n: single elimination, double elimination, and groups before a single elimination.

A bracket is a list of matches. Each side of a match is a seed, or the winner or loser of an earlier match.
``progress`` computes the state from the results, so correcting a result means calling it again without the wrong one.

Byes fill the field up to a power of two and go to the best seeds. Group matches come first, then one place per
qualifier: a match without an opponent, decided when all groups are over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import assert_never

from bot.pure.event.groups import GroupLine, group_count, group_table
from bot.pure.event.limits import MAX_BRACKET_PLAYERS, MAX_GROUPED_PLAYERS, MIN_GROUPED_PLAYERS
from bot.pure.event.rounds import everybody
from bot.pure.event.seeding import bracket_order, deal_snake

MAX_LAST_MATCHES = 2
"""Maximum number of matches that can be played at the end of a bracket: the final and the one for third place."""


class Side(Enum):
    """The part of a bracket that a match belongs to."""

    WINNERS = "winners"
    """Players without a loss; in a single elimination, the whole bracket."""
    LOSERS = "losers"
    """Players with one loss."""
    FINAL = "final"
    """The winners of both sides, with a second match if the winners' side loses the first."""
    THIRD = "third"
    """Match for third place between the losers of a single elimination's semi-finals."""
    GROUP = "group"
    """Round robin within a group, before the bracket."""
    PLACE = "place"
    """A qualifier's place in the bracket. It isn't played."""


class Stage(Enum):
    """Name of a match's round."""

    ROUND = "round"
    """An early round of a single elimination."""
    SEMIFINAL = "semifinal"
    FINAL = "final"
    WINNERS = "winners"
    """A round on the winners' side of a double elimination."""
    LOSERS = "losers"
    DECIDER = "decider"
    """The second final, between two players with one loss each."""
    THIRD = "third"
    """The match for third place."""
    WINNERS_FINAL = "winners_final"
    """The last round on the winners' side of a double elimination. Its winner reaches the grand final."""
    LOSERS_FINAL = "losers_final"
    GRAND = "grand"
    """The first final of a double elimination."""
    GROUP = "group"
    """A group match. The round number is the group's."""


@dataclass(frozen=True, slots=True)
class Seed:
    """The player with seed ``number``, counted from 1."""

    number: int


@dataclass(frozen=True, slots=True)
class WinnerOf:
    """The winner of the match with number ``match``."""

    match: int


@dataclass(frozen=True, slots=True)
class LoserOf:
    """The loser of the match with number ``match``."""

    match: int


@dataclass(frozen=True, slots=True)
class Bye:
    """No player. The other side advances without playing."""


@dataclass(frozen=True, slots=True)
class FromGroups:
    """The player who qualifies for the place from the groups."""


Source = Seed | WinnerOf | LoserOf | Bye | FromGroups
Slot = Seed | Bye | None
"""The player on one side of a match; None while that isn't known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A match between two sides."""

    number: int
    """Number from 1. A match has a higher number than the matches it depends on."""
    round: int
    """Round from 1, counted separately on each side of the bracket."""
    side: Side
    a: Source
    b: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """All matches of an event in the order of their numbers, including those decided by byes."""

    players: int
    double: bool
    third: bool = False
    """True if the second-to-last match is for third place."""
    matches: tuple[Match, ...] = field(repr=False)
    groups: tuple[tuple[int, ...], ...] = ()
    """The seeds of each group, if there are groups."""
    through: int = 0
    """Number of qualifiers per group."""

    @property
    def places(self) -> tuple[int, ...]:
        """The numbers of the qualifiers' places, in seeding order."""
        return tuple(match.number for match in self.matches if match.side is Side.PLACE)

    def round_of(self, match: Match) -> int:
        """Return a match's round in the whole event. Rounds of the bracket follow those of the groups."""
        before = max((one.round for one in self.matches if one.side is Side.GROUP), default=0)
        return match.round if match.side is Side.GROUP else before + match.round


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """State of an event after the matches played so far."""

    players: int
    ready: tuple[tuple[Match, int, int], ...]
    """Undecided matches whose players are known, with the seeds of ``a`` and ``b``."""
    champion: int | None
    out: Mapping[int, int]
    """How far each eliminated seed got. Higher is further, and seeds with equal numbers lost in the same round."""
    beaten: frozenset[int]
    """Seeds with one loss that are still in."""
    passed: Mapping[int, int]
    """Number of matches that each seed has won, including byes."""
    coming: Mapping[int, tuple[Match, Source]]
    """Next match of each seed that is still in, with the opponent: a seed, or the result of another match."""
    sides: Mapping[int, tuple[Slot, Slot]]
    """The players of each match, as far as they're known."""
    won: Mapping[int, int]
    """Winner of each decided match, including byes."""
    tables: tuple[tuple[GroupLine, ...], ...] = ()
    """The table of each group."""
    drawn: bool = True
    """False while the groups are playing for places in the bracket."""
    third: int = 0
    """How far the winner of the match for third place gets; 0 if there's no such match."""

    @property
    def over(self) -> bool:
        """True if all matches have been played."""
        return self.champion is not None and not self.ready

    def standing(self, chips: Mapping[int, int] | None = None) -> tuple[int, ...]:
        """Return all seeds in ranking order: the champion, those still in, then the others by how far they got.

        Seeds that are still in are ordered by losses, then by matches won, then by ``chips`` in their current match.
        Ties go to the better seed.
        """
        has = chips or {}
        return tuple(sorted(range(1, self.players + 1), key=lambda seed: (self.rank(seed, has), seed)))

    def rank(self, seed: int, chips: Mapping[int, int]) -> tuple[int, ...]:
        """Return a seed's sort key, lowest first. Equal keys mean a tie apart from the seeds."""
        far, has = -self.passed.get(seed, 0), -chips.get(seed, 0)
        if seed in self.out:
            won = self.out[seed] < 0 and next(row.won for table in self.tables for row in table if row.seed == seed)
            return (1, -self.out[seed], -won, 0, 0)
        if self.third and seed in self.beaten:
            return (1, -self.third, 0, far, has)
        last = max([*self.out.values(), self.third]) + 1
        return (seed != self.champion, -last, seed in self.beaten, far, has)


def stage_of(bracket: Bracket, number: int) -> tuple[Stage, int]:
    """Return the stage of match ``number`` and the round within it; 0 if the stage has no rounds."""
    match, last = bracket.matches[number - 1], bracket.matches[-1]
    if isinstance(match.a, Seed) and match.side is Side.GROUP:
        home = match.a.number
        return Stage.GROUP, next(at for at, group in enumerate(bracket.groups, start=1) if home in group)
    if match.side is Side.THIRD:
        return Stage.THIRD, 0
    if match.side is Side.FINAL:
        return (Stage.GRAND if match.round == 1 else Stage.DECIDER), 0
    if bracket.double:
        losers, grand = match.side is Side.LOSERS, bracket.matches[-2]
        if WinnerOf(number) in (grand.a, grand.b):
            return (Stage.LOSERS_FINAL if losers else Stage.WINNERS_FINAL), 0
        return (Stage.LOSERS if losers else Stage.WINNERS), match.round
    if match.round >= last.round - 1:
        return (Stage.FINAL if match is last else Stage.SEMIFINAL), 0
    return Stage.ROUND, match.round


def single(n: int, *, third: bool = False) -> Bracket:
    """Return a single elimination of ``n`` players, with a match for third place if ``third``.

    With fewer than four players, only one loses a semi-final, and is third without a match. Raises
    ValueError unless ``n`` is 2 to 512.
    """
    draft, alive, beaten, number = _Draft(), _entrants(n), list[Source](), 0
    while len(alive) > 1:
        number += 1
        if third and len(alive) == 2 and beaten:
            draft.play(Side.THIRD, number, beaten)
        alive, beaten = draft.play(Side.WINNERS, number, alive)
    matches = tuple(draft.matches)
    return Bracket(players=n, double=False, third=any(match.side is Side.THIRD for match in matches), matches=matches)


def double(n: int) -> Bracket:
    """Return a double elimination of ``n`` players. Raises ValueError unless ``n`` is 2 to 512.

    The last match is the second final. It's played only if the winner of the losers' side wins the first.
    """
    draft, alive, number = _Draft(), _entrants(n), 1
    masks = _drop_masks(len(alive))
    alive, second = draft.play(Side.WINNERS, number, alive)
    while len(alive) > 1:
        number += 1
        alive, dropped = draft.play(Side.WINNERS, number, alive)
        second, _ = draft.play(Side.LOSERS, 2 * number - 3, second)
        mask = masks[number - 2]
        meeting = [side for place, left in enumerate(second) for side in (left, dropped[place ^ mask])]
        second, _ = draft.play(Side.LOSERS, 2 * number - 2, meeting)
    best, beaten = draft.play(Side.FINAL, 1, [*alive, *second])
    draft.play(Side.FINAL, 2, [*beaten, *best])
    return Bracket(players=n, double=True, matches=tuple(draft.matches))


def grouped_bracket(n: int, *, groups: int, through: int) -> Bracket:
    """Return groups followed by a single elimination. Raises ValueError unless ``n`` is 4 to 64.

    ``groups`` and ``through`` are upper limits, which :func:`group_count` fits to the number of players.
    """
    if not MIN_GROUPED_PLAYERS <= n <= MAX_GROUPED_PLAYERS:
        raise ValueError(f"groups are for {MIN_GROUPED_PLAYERS} to {MAX_GROUPED_PLAYERS} players")
    count, through = group_count(n, groups, through)
    made = deal_snake(range(1, n + 1), count)
    plans = [everybody(len(members), 2) for members in made]
    draft, number = _Draft(), 0
    for number in range(max(map(len, plans))):
        for members, plan in zip(made, plans, strict=True):
            for a, b in plan[number] if number < len(plan) else ():
                draft.play(Side.GROUP, number + 1, [Seed(members[a]), Seed(members[b])])
    on = count * through
    ways, _ = draft.play(Side.PLACE, 1, [FromGroups(), Bye()] * on)
    alive = [ways[source.number - 1] if isinstance(source, Seed) else source for source in _entrants(on)]
    number = 0
    while len(alive) > 1:
        number += 1
        alive, _ = draft.play(Side.WINNERS, number, alive)
    return Bracket(players=n, double=False, matches=tuple(draft.matches), groups=made, through=through)


class _Draft:
    """A bracket under construction."""

    def __init__(self) -> None:
        self.matches: list[Match] = []

    def play(self, side: Side, number: int, entrants: Sequence[Source]) -> tuple[list[Source], list[Source]]:
        """Add a round that pairs neighbours; return the winners and the losers in order."""
        first = len(self.matches) + 1
        for a, b in zip(entrants[::2], entrants[1::2], strict=True):
            self.matches.append(Match(number=len(self.matches) + 1, round=number, side=side, a=a, b=b))
        played = range(first, len(self.matches) + 1)
        return [WinnerOf(match) for match in played], [LoserOf(match) for match in played]


def _entrants(n: int) -> list[Source]:
    """Return the seeds in bracket order, filled up with byes, so that the best seeds meet as late as possible."""
    if not 2 <= n <= MAX_BRACKET_PLAYERS:
        raise ValueError(f"a bracket is for 2 to {MAX_BRACKET_PLAYERS} players")
    return [Seed(seed) if seed <= n else Bye() for seed in bracket_order(n)]


def _drop_masks(size: int) -> list[int]:
    """Return a mask for each winners' round from the second on.

    The loser of match ``place ^ mask`` drops to meet the survivor at ``place``. The survivors' own losses were to
    players from the part of the bracket that an earlier mask selects. So each round uses the least recently used mask,
    which puts off rematches for as long as possible.
    """
    masks: list[int] = []
    used = [0]
    """All masks so far, cut to the bits of the current round. The first round drops straight down."""
    for bits in reversed(range(size.bit_length() - 2)):
        every, top = (1 << bits) - 1, 1 << bits >> 1
        mask = max((every, top, every ^ top, 0), key=lambda choice: [*reversed(used), choice].index(choice))
        masks.append(mask)
        used = [before >> 1 for before in [*used, mask]]
    return masks


def progress(bracket: Bracket, winners: Mapping[int, int]) -> Progress:
    """Compute the state of the event from the winning seed of each played match. Byes are decided automatically.

    Raises ValueError if a winner isn't in their match, or if the match can't be played yet or at all.
    """
    met: dict[int, tuple[Slot, Slot]] = {}
    ends: dict[int, tuple[Slot, Slot]] = {}
    drawn = not bracket.groups or bracket.places[0] in winners
    for match in bracket.matches:
        if match.side is Side.PLACE:
            # If a group has no further player to qualify, its place becomes a bye.
            comes = winners.get(match.number, 0)
            met[match.number] = (Seed(comes) if comes else Bye() if drawn else None, Bye())
            ends[match.number] = met[match.number]
            continue
        met[match.number] = _sides(match, met, ends)
        ends[match.number] = _end(*met[match.number], winners.get(match.number))
    if not winners.keys() <= ends.keys():
        raise ValueError("there is no such match")
    champion = ends[len(bracket.matches)][0]
    losers = {number: loser for number, (_, loser) in ends.items()}
    won = {number: winner.number for number, (winner, _) in ends.items() if isinstance(winner, Seed)}
    out = _out(bracket, losers, won)
    of_groups = [match for match in bracket.matches if match.side is Side.GROUP]
    results = [(won[match.number], _number(losers[match.number])) for match in of_groups if match.number in won]
    tables = tuple(group_table(members, results) for members in bracket.groups)
    if drawn:
        on = {won[number] for number in bracket.places if number in won}
        out |= {row.seed: -at for table in tables for at, row in enumerate(table, start=1) if row.seed not in on}
    # All groups play the same round concurrently.
    plays = min((match.round for match in of_groups if match.number not in won), default=0)
    in_groups = {match.number for match in of_groups}
    return Progress(
        players=bracket.players,
        ready=tuple(
            (match, a.number, b.number)
            for match in bracket.matches
            for a, b in [met[match.number]]
            if isinstance(a, Seed)
            and isinstance(b, Seed)
            and ends[match.number][0] is None
            and (match.round == plays or match.number not in in_groups)
        ),
        champion=champion.number if isinstance(champion, Seed) else None,
        out=out,
        beaten=frozenset(
            loser.number for number, loser in losers.items() if isinstance(loser, Seed) and number not in in_groups
        )
        - out.keys(),
        passed=Counter(winner for number, winner in won.items() if not (drawn and number in in_groups)),
        sides=met,
        won=won,
        third=_third(bracket),
        tables=tables,
        drawn=drawn,
        # Iterating in reverse keeps the first of a player's remaining group matches.
        coming={
            mine.number: (match, _resolve_source(bracket, met, source, other))
            for match in reversed(bracket.matches)
            if ends[match.number][0] is None
            for mine, other, source in [(*met[match.number], match.b), (*met[match.number][::-1], match.a)]
            if isinstance(mine, Seed)
        },
    )


def walked_over(bracket: Bracket, winners: Mapping[int, int], gone: Collection[int]) -> dict[int, int]:
    """Return the winners of the played matches, and of those that seeds who are ``gone`` lose without playing."""
    won = dict(winners)
    while True:
        ready = ((match, a, b) for match, a, b in progress(bracket, won).ready if a in gone or b in gone)
        if (lost := next(ready, None)) is None:
            return won
        match, a, b = lost
        won[match.number] = b if a in gone else a


def decides(bracket: Bracket, winners: Mapping[int, int], gone: Collection[int]) -> bool:
    """True if the winner of a match wins the event, because the others are ``gone``."""
    won = walked_over(bracket, winners, gone)
    made = progress(bracket, won)
    if made.champion is not None or len(made.ready) > MAX_LAST_MATCHES:
        return False
    return any(
        all(progress(bracket, walked_over(bracket, {**won, match.number: seed}, gone)).champion for seed in (a, b))
        for match, a, b in made.ready
    )


def _number(slot: Slot) -> int:
    return slot.number if isinstance(slot, Seed) else 0


def _resolve_source(bracket: Bracket, met: Mapping[int, tuple[Slot, Slot]], source: Source, slot: Slot) -> Source:
    """Return the player of a side if known, else the match that decides it. Matches with a bye are skipped."""
    if slot is not None:
        return slot
    while isinstance(source, WinnerOf) and any(isinstance(side, Bye) for side in met[source.match]):
        before = bracket.matches[source.match - 1]
        source = before.a if met[before.number][0] is None else before.b
    return source


def _sides(
    match: Match, met: Mapping[int, tuple[Slot, Slot]], ends: Mapping[int, tuple[Slot, Slot]]
) -> tuple[Slot, Slot]:
    a, b = _slot(match.a, ends), _slot(match.b, ends)
    if match.side is Side.FINAL and match.round == 2 and b is not None and b == met[match.number - 1][0]:
        # The winners' side won the first final, so there is no second one.
        return Bye(), b
    return a, b


def _slot(source: Source, ends: Mapping[int, tuple[Slot, Slot]]) -> Slot:
    match source:
        case Seed() | Bye():
            return source
        case FromGroups():
            return None
        case WinnerOf(match=number):
            return ends[number][0]
        case LoserOf(match=number):
            return ends[number][1]
        case _:
            assert_never(source)


def _end(a: Slot, b: Slot, winner: int | None) -> tuple[Slot, Slot]:
    """Return the winner and the loser of a match; None while undecided."""
    if winner is not None:
        if not (isinstance(a, Seed) and isinstance(b, Seed) and winner in (a.number, b.number)):
            raise ValueError(f"seed {winner} cannot have won there")
        return (a, b) if winner == a.number else (b, a)
    if isinstance(b, Bye):
        return a, b
    if isinstance(a, Bye):
        return b, a
    return None, None


def _third(bracket: Bracket) -> int:
    """Return how far the winner of the match for third place gets; the loser of the final gets one step further."""
    return bracket.matches[-1].round if bracket.third else 0


def _out(bracket: Bracket, losers: Mapping[int, Slot], won: Mapping[int, int]) -> dict[int, int]:
    side, lives = (Side.LOSERS, 2) if bracket.double else (Side.WINNERS, 1)
    rounds = max((match.round for match in bracket.matches if match.side is side), default=0)
    third = bracket.matches[-2] if bracket.third else None
    # With a match for third place, losers of the semi-finals aren't eliminated until it's over.
    waits = {source.match for source in (third.a, third.b) if isinstance(source, LoserOf)} if third else set()
    losses: Counter[int] = Counter()
    out: dict[int, int] = {}
    for match in bracket.matches:
        loser = losers[match.number]
        if match is third:
            if match.number in won:
                out[won[match.number]] = rounds
            if isinstance(loser, Seed):
                out[loser.number] = rounds - 1
        elif isinstance(loser, Seed) and match.number not in waits and match.side is not Side.GROUP:
            losses[loser.number] += 1
            if losses[loser.number] == lives:
                further = match.side is Side.FINAL or (third is not None and match is bracket.matches[-1])
                out[loser.number] = rounds + 1 if further else match.round
    return out
