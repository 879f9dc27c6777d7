"""Heads-up brackets over seeds 1 .. n: single and double elimination, and groups followed by a single one.

A bracket is a list of matches whose sides say where they come from; ``progress`` says what follows from the matches
that were won, so a wrong result is taken back by asking again without it. The field is filled with byes to a power of
two; the best seeds get them. The matches of groups come first, then a place for each who goes on: a match without an
opponent, whose winner is known once all groups are over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import assert_never

from bot.pure.event.groups import Row, group_count, group_table
from bot.pure.event.limits import MAX_BRACKET_PLAYERS, MAX_GROUPED_PLAYERS, MIN_GROUPED_PLAYERS
from bot.pure.event.rounds import everybody
from bot.pure.event.seeding import bracket_order, dealt


class Side(Enum):
    """The part of a bracket that a match belongs to."""

    WINNERS = "winners"
    """Those without a loss; all of a single elimination."""
    LOSERS = "losers"
    """Those with one."""
    FINAL = "final"
    """The best of both; a second match where it is the first loss of the one from the winners' side."""
    THIRD = "third"
    """The losers of a single elimination's semi-finals, where they play for third place."""
    GROUP = "group"
    """Everybody against everybody of a group, before the bracket."""
    PLACE = "place"
    """Somebody's way out of the groups into the bracket; nothing is played for it."""


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
    THIRD = "third"
    """The match for third place."""
    WINNERS_FINAL = "winners_final"
    """The last round on either side of a double elimination; who wins it is in the grand final."""
    LOSERS_FINAL = "losers_final"
    GRAND = "grand"
    """The first final of a double elimination."""
    GROUP = "group"
    """A match of the group with that number."""


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


@dataclass(frozen=True, slots=True)
class FromGroups:
    """Whoever goes on from the groups to that place."""


Source = Seed | WinnerOf | LoserOf | Bye | FromGroups
Slot = Seed | Bye | None
"""The player who has come to a place; None while that is open."""


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
    third: bool = False
    """True where the losers of the semi-finals play for third place: the match before the last one."""
    matches: tuple[Match, ...] = field(repr=False)
    groups: tuple[tuple[int, ...], ...] = ()
    """The seeds of each group, where there are groups."""
    through: int = 0
    """So many of each group go on."""

    @property
    def places(self) -> tuple[int, ...]:
        """The numbers of the matches by which people come out of the groups, in the order of the bracket's seeds."""
        return tuple(match.number for match in self.matches if match.side is Side.PLACE)

    def round_of(self, match: Match) -> int:
        """The round of the whole event in which a match is played: a bracket's come after those of its groups."""
        before = max((one.round for one in self.matches if one.side is Side.GROUP), default=0)
        return match.round if match.side is Side.GROUP else before + match.round


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
    sides: Mapping[int, tuple[Slot, Slot]]
    """Who has come to both sides of each match."""
    won: Mapping[int, int]
    """The winner of each match that is decided, also by a bye."""
    tables: tuple[tuple[Row, ...], ...] = ()
    """The table of each group."""
    drawn: bool = True
    """False while groups play for who is in the bracket."""
    third: int = 0
    """How far those get who can only be third any more; 0 where there is no match for third place."""

    @property
    def over(self) -> bool:
        """True when all that is to be played was played."""
        return self.champion is not None and not self.ready

    def standing(self, chips: Mapping[int, int] | None = None) -> tuple[int, ...]:
        """All seeds: the champion, those still in, then by how far they got; the better seed first among equals.

        Those still in stand by their losses, then by how far they have come, then by their chips in the match.
        """
        has = chips or {}
        return tuple(sorted(range(1, self.players + 1), key=lambda seed: (self.rank(seed, has), seed)))

    def rank(self, seed: int, chips: Mapping[int, int]) -> tuple[int, ...]:
        """What ranks a seed, the smallest first; those with the same are equals but for their seeds."""
        far, has = -self.passed.get(seed, 0), -chips.get(seed, 0)
        if seed in self.out:
            won = self.out[seed] < 0 and next(row.won for table in self.tables for row in table if row.seed == seed)
            return (1, -self.out[seed], -won, 0, 0)
        if self.third and seed in self.beaten:
            return (1, -self.third, 0, far, has)
        last = max([*self.out.values(), self.third]) + 1
        return (seed != self.champion, -last, seed in self.beaten, far, has)


def stage_of(bracket: Bracket, number: int) -> tuple[Stage, int]:
    """The stage of the match with that number, and which of its rounds it is: 0 where they have no numbers."""
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
    """Who loses is out; the losers of the semi-finals may play for third place. Raises ValueError unless 2 to 512 play.

    With fewer than four players nobody but one loses a semi-final, and that one is third.
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


def grouped(n: int, *, groups: int, through: int) -> Bracket:
    """So many groups, then single elimination. Raises ValueError unless 4 to 64 play."""
    if not MIN_GROUPED_PLAYERS <= n <= MAX_GROUPED_PLAYERS:
        raise ValueError(f"groups are for {MIN_GROUPED_PLAYERS} to {MAX_GROUPED_PLAYERS} players")
    count, through = group_count(n, groups, through)
    made = dealt(range(1, n + 1), count)
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
    if not 2 <= n <= MAX_BRACKET_PLAYERS:
        raise ValueError(f"a bracket is for 2 to {MAX_BRACKET_PLAYERS} players")
    return [Seed(seed) if seed <= n else Bye() for seed in bracket_order(n)]


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


def progress(bracket: Bracket, winners: Mapping[int, int]) -> Progress:
    """Where the event stands, from the winning seed of each match that was played.

    Byes are passed by themselves. Raises ValueError for a winner of a match that they are not in, or that is not to be
    played (yet).
    """
    met: dict[int, tuple[Slot, Slot]] = {}
    ends: dict[int, tuple[Slot, Slot]] = {}
    drawn = not bracket.groups or bracket.places[0] in winners
    for match in bracket.matches:
        if match.side is Side.PLACE:
            # Where a group has nobody more to send, its place is a bye for whoever meets it.
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
    # All groups play the same round at the same time.
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
        # Of several that somebody has still to play in a group, the first.
        coming={
            mine.number: (match, _known(bracket, met, source, other))
            for match in reversed(bracket.matches)
            if ends[match.number][0] is None
            for mine, other, source in [(*met[match.number], match.b), (*met[match.number][::-1], match.a)]
            if isinstance(mine, Seed)
        },
    )


def _number(slot: Slot) -> int:
    return slot.number if isinstance(slot, Seed) else 0


def _known(bracket: Bracket, met: Mapping[int, tuple[Slot, Slot]], source: Source, slot: Slot) -> Source:
    """Who comes from there, or out of which match: of one with a bye, whoever is its only player comes through."""
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
        # That player won the first final without a loss: nothing is left to play.
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


def _third(bracket: Bracket) -> int:
    """How far the winner of the match for third place gets: as far as the final, whose loser gets one further."""
    return bracket.matches[-1].round if bracket.third else 0


def _out(bracket: Bracket, losers: Mapping[int, Slot], won: Mapping[int, int]) -> dict[int, int]:
    side, lives = (Side.LOSERS, 2) if bracket.double else (Side.WINNERS, 1)
    rounds = max((match.round for match in bracket.matches if match.side is side), default=0)
    third = bracket.matches[-2] if bracket.third else None
    # Who loses a semi-final is out once the match for third place is over.
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
