"""Heads-up brackets, single and double elimination, over seeds 1 .. n.

A bracket is a list of matches whose sides say where they come from; ``progress`` says what follows from the matches
that were won, so a wrong result is taken back by asking again without it. The field is filled with byes to a power of
two; the best seeds get them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import assert_never

MOST_PLAYERS = 512


class Side(Enum):
    """The part of a bracket that a match belongs to."""

    WINNERS = "winners"
    """Those without a loss; all of a single elimination."""
    LOSERS = "losers"
    """Those with one."""
    FINAL = "final"
    """The best of both; a second match where it is the first loss of the one from the winners' side."""


class Stage(Enum):
    """The name of a match, where a round has a name of its own."""

    ROUND = "round"
    """Of a single elimination."""
    SEMIFINAL = "semifinal"
    FINAL = "final"
    WINNERS = "winners"
    """A round among those without a loss, where there are others."""
    LOSERS = "losers"
    DECIDER = "decider"
    """The second final, between two who have lost once each."""


@dataclass(frozen=True, slots=True)
class Seed:
    """The player seeded ``number``, from 1."""

    number: int


@dataclass(frozen=True, slots=True)
class WinnerOf:
    """Who won the match with that number."""

    match: int


@dataclass(frozen=True, slots=True)
class LoserOf:
    """Who lost the match with that number."""

    match: int


@dataclass(frozen=True, slots=True)
class Bye:
    """Nobody: the other side goes on without playing."""


Source = Seed | WinnerOf | LoserOf | Bye


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Two sides that play for one place in a later match."""

    number: int
    """From 1; a match comes after those that it waits for."""
    round: int
    """From 1 on each side of the bracket."""
    side: Side
    a: Source
    b: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """All matches of an event, also those that byes decide, in the order of their numbers."""

    players: int
    double: bool
    matches: tuple[Match, ...] = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """The outcome of the matches that were won."""

    players: int
    ready: tuple[tuple[Match, int, int], ...]
    """Undecided matches whose seeds are known, with the seeds of ``a`` and ``b``."""
    champion: int | None
    out: Mapping[int, int]
    """Each seed that is out, and how far it got: a bigger number is further, equal ones lost in the same round."""
    beaten: frozenset[int]
    """The seeds that have lost once and are not out."""
    passed: Mapping[int, int]
    """The matches that each seed has come through, those that a bye decided included."""
    coming: Mapping[int, tuple[Match, Source]]
    """The next match of each seed that is still in, and who waits there: a seed, or who comes out of another match."""

    def standing(self, chips: Mapping[int, int] | None = None) -> tuple[int, ...]:
        """All seeds: the champion, those still in, then by how far they got; the better seed first among equals.

        Those still in stand by their losses, then by how far they have come, then by their chips in the match.
        """
        has = chips or {}
        return tuple(sorted(range(1, self.players + 1), key=lambda seed: (self.rank(seed, has), seed)))

    def rank(self, seed: int, chips: Mapping[int, int]) -> tuple[int, ...]:
        """What ranks a seed, the smallest first; those with the same are equals but for their seeds."""
        if seed in self.out:
            return (1, -self.out[seed], 0, 0, 0)
        last = max(self.out.values(), default=0) + 1
        return (seed != self.champion, -last, seed in self.beaten, -self.passed.get(seed, 0), -chips.get(seed, 0))


def stage_of(bracket: Bracket, number: int) -> tuple[Stage, int]:
    """The stage of the match with that number, and which of its rounds it is: 0 where they have no numbers."""
    match, last = bracket.matches[number - 1], bracket.matches[-1]
    if match.side is Side.FINAL:
        return (Stage.FINAL if match.round == 1 else Stage.DECIDER), 0
    if bracket.double:
        return (Stage.LOSERS if match.side is Side.LOSERS else Stage.WINNERS), match.round
    if match.round >= last.round - 1:
        return (Stage.FINAL if match is last else Stage.SEMIFINAL), 0
    return Stage.ROUND, match.round


def single(n: int) -> Bracket:
    """Who loses is out. Raises ValueError unless 2 to 512 play."""
    draft, alive, number = _Draft(), _entrants(n), 0
    while len(alive) > 1:
        number += 1
        alive, _ = draft.play(Side.WINNERS, number, alive)
    return Bracket(players=n, double=False, matches=tuple(draft.matches))


def double(n: int) -> Bracket:
    """Who loses twice is out. Raises ValueError unless 2 to 512 play.

    The last match is the second final, which is played only when the winner of the losers' side won the first.
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


class _Draft:
    """A bracket while its rounds are written down."""

    def __init__(self) -> None:
        self.matches: list[Match] = []

    def play(self, side: Side, number: int, entrants: Sequence[Source]) -> tuple[list[Source], list[Source]]:
        """One round among neighbours; who won and who lost, in their order."""
        first = len(self.matches) + 1
        for a, b in zip(entrants[::2], entrants[1::2], strict=True):
            self.matches.append(Match(number=len(self.matches) + 1, round=number, side=side, a=a, b=b))
        played = range(first, len(self.matches) + 1)
        return [WinnerOf(match) for match in played], [LoserOf(match) for match in played]


def _entrants(n: int) -> list[Source]:
    """The seeds where the best meet as late as can be: each round that all better seeds win pairs 1 with the last."""
    if not 2 <= n <= MOST_PLAYERS:
        raise ValueError(f"a bracket is for 2 to {MOST_PLAYERS} players")
    order = [1]
    while len(order) < n:
        order = [seed for better in order for seed in (better, 2 * len(order) + 1 - better)]
    return [Seed(seed) if seed <= n else Bye() for seed in order]


def _drop_masks(size: int) -> list[int]:
    """For the winners' rounds from the second on: the loser of match ``place ^ mask`` meets the survivor at ``place``.

    A survivor was sent down by somebody from the part of the bracket that their own round's mask names. The next mask
    is the one that was not used for longest, so that two players meet again as late as can be.
    """
    masks: list[int] = []
    used = [0]
    """All masks so far, seen with as many bits as the present round has; the first round drops straight."""
    for bits in reversed(range(size.bit_length() - 2)):
        every, top = (1 << bits) - 1, 1 << bits >> 1
        mask = max((every, top, every ^ top, 0), key=lambda choice: [*reversed(used), choice].index(choice))
        masks.append(mask)
        used = [before >> 1 for before in [*used, mask]]
    return masks


_Slot = Seed | Bye | None
"""The player who has come to a place; None while that is open."""


def progress(bracket: Bracket, winners: Mapping[int, int]) -> Progress:
    """Where the event stands, from the winning seed of each match that was played.

    Byes are passed by themselves. Raises ValueError for a winner of a match that they are not in, or that is not to be
    played (yet).
    """
    met: dict[int, tuple[_Slot, _Slot]] = {}
    ends: dict[int, tuple[_Slot, _Slot]] = {}
    for match in bracket.matches:
        met[match.number] = _sides(match, met, ends)
        ends[match.number] = _end(*met[match.number], winners.get(match.number))
    if not winners.keys() <= ends.keys():
        raise ValueError("there is no such match")
    champion = ends[len(bracket.matches)][0]
    losers = {number: loser for number, (_, loser) in ends.items()}
    out = _out(bracket, losers)
    return Progress(
        players=bracket.players,
        ready=tuple(
            (match, a.number, b.number)
            for match in bracket.matches
            for a, b in [met[match.number]]
            if isinstance(a, Seed) and isinstance(b, Seed) and ends[match.number][0] is None
        ),
        champion=champion.number if isinstance(champion, Seed) else None,
        out=out,
        beaten=frozenset(loser.number for loser in losers.values() if isinstance(loser, Seed)) - out.keys(),
        passed=Counter(winner.number for winner, _ in ends.values() if isinstance(winner, Seed)),
        coming={
            mine.number: (match, _known(source, other))
            for match in bracket.matches
            if ends[match.number][0] is None
            for mine, other, source in [(*met[match.number], match.b), (*met[match.number][::-1], match.a)]
            if isinstance(mine, Seed)
        },
    )


def _known(source: Source, slot: _Slot) -> Source:
    return source if slot is None else slot


def _sides(
    match: Match, met: Mapping[int, tuple[_Slot, _Slot]], ends: Mapping[int, tuple[_Slot, _Slot]]
) -> tuple[_Slot, _Slot]:
    a, b = _slot(match.a, ends), _slot(match.b, ends)
    if match.side is Side.FINAL and match.round == 2 and b is not None and b == met[match.number - 1][0]:
        # He won the first final without a loss: nothing is left to play.
        return Bye(), b
    return a, b


def _slot(source: Source, ends: Mapping[int, tuple[_Slot, _Slot]]) -> _Slot:
    match source:
        case Seed() | Bye():
            return source
        case WinnerOf(match=number):
            return ends[number][0]
        case LoserOf(match=number):
            return ends[number][1]
        case _:
            assert_never(source)


def _end(a: _Slot, b: _Slot, winner: int | None) -> tuple[_Slot, _Slot]:
    """Who wins and who loses."""
    if winner is not None:
        if not (isinstance(a, Seed) and isinstance(b, Seed) and winner in (a.number, b.number)):
            raise ValueError(f"seed {winner} cannot have won there")
        return (a, b) if winner == a.number else (b, a)
    if isinstance(b, Bye):
        return a, b
    if isinstance(a, Bye):
        return b, a
    return None, None


def _out(bracket: Bracket, losers: Mapping[int, _Slot]) -> dict[int, int]:
    side, lives = (Side.LOSERS, 2) if bracket.double else (Side.WINNERS, 1)
    rounds = max((match.round for match in bracket.matches if match.side is side), default=0)
    losses: Counter[int] = Counter()
    out: dict[int, int] = {}
    for match in bracket.matches:
        loser = losers[match.number]
        if isinstance(loser, Seed):
            losses[loser.number] += 1
            if losses[loser.number] == lives:
                out[loser.number] = rounds + 1 if match.side is Side.FINAL else match.round
    return out
