"""An independent model of a bracket: a tree of matches, queried from its root for the winner and loser of each node.

It shares no code with the bot's list of matches, and is compared with what the bot shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.model.events import EntrantState
from bot.model.ids import Player
from bot.play.event.floor.event_state import EventState, next_match
from bot.play.event.formats import brackets
from bot.play.event.office import views

Node = tuple[str, int, int]
"""Side, round, and place from the top; rounds of the winners' side count from the leaves, which are round 0."""
NOBODY = 0
"""A bye. None stands for a player who isn't known yet."""
DROPS = {
    2: [],
    4: [[0]],
    8: [[1, 0], [0]],
    16: [[3, 2, 1, 0], [0, 1], [0]],
    32: [[7, 6, 5, 4, 3, 2, 1, 0], [2, 3, 0, 1], [0, 1], [0]],
}
"""The match whose loser fills each place of the losers' bracket, by bracket size and round."""
FINAL, AGAIN, THIRD = ("F", 1, 0), ("F", 2, 0), ("T", 1, 0)


@dataclass(slots=True, kw_only=True)
class Bracket:
    """A bracket of seeds, counted from 1, and its results so far."""

    players: int
    double: bool
    third: bool
    won: dict[Node, int] = field(default_factory=dict)
    disqualified: set[int] = field(default_factory=set)
    gave_up: set[int] = field(default_factory=set)
    _came: dict[tuple[str, Node], int | None] = field(default_factory=dict)
    _came_by: int = 0
    """After how many matches what is kept was found: a match that is won stays won."""

    @property
    def gone(self) -> set[int]:
        """The seeds that lose all their remaining matches."""
        return self.disqualified | self.gave_up

    @property
    def rounds(self) -> int:
        return (self.players - 1).bit_length()

    @property
    def top(self) -> Node:
        return ("W", self.rounds, 0)

    def sides(self, node: Node) -> tuple[tuple[str, Node], tuple[str, Node]]:
        """Return the sources of both sides of a node, each the winner or loser of another node."""
        side, number, place = node
        if side == "W":
            return ("winner", ("W", number - 1, 2 * place)), ("winner", ("W", number - 1, 2 * place + 1))
        if node == THIRD:
            return ("loser", ("W", self.rounds - 1, 0)), ("loser", ("W", self.rounds - 1, 1))
        if node == FINAL:
            last = ("L", 2 * self.rounds - 2, 0) if self.rounds > 1 else self.top
            return ("winner", self.top), ("winner" if self.rounds > 1 else "loser", last)
        if node == AGAIN:
            return ("loser", FINAL), ("winner", FINAL)
        if number == 1:
            return ("loser", ("W", 1, 2 * place)), ("loser", ("W", 1, 2 * place + 1))
        if number % 2:
            return ("winner", ("L", number - 1, 2 * place)), ("winner", ("L", number - 1, 2 * place + 1))
        dropped = DROPS[1 << self.rounds][number // 2 - 1][place]
        return ("winner", ("L", number - 1, place)), ("loser", ("W", number // 2 + 1, dropped))

    def who(self, comes: tuple[str, Node]) -> int | None:
        """Return the seed from a source, NOBODY for a bye, or None if it's still open."""
        if self._came_by != len(self.won):
            self._came, self._came_by = {}, len(self.won)
        if comes not in self._came:
            self._came[comes] = self._find(comes)
        return self._came[comes]

    def _find(self, comes: tuple[str, Node]) -> int | None:
        how, node = comes
        if node[:2] == ("W", 0):
            seed = self._leaf(node[2])
            return seed if seed <= self.players else NOBODY
        a, b = (self.who(one) for one in self.sides(node))
        if a == NOBODY or b == NOBODY:
            through = b if a == NOBODY else a
            return NOBODY if how == "loser" else through
        if a is None or b is None or node not in self.won:
            return None
        return self.won[node] if how == "winner" else a + b - self.won[node]

    def _leaf(self, place: int) -> int:
        """Return the seed of a leaf. In each half, the better seed is on the opposite side of its next opponent."""
        seed = 1
        for depth in range(1, self.rounds + 1):
            if place >> (self.rounds - depth) & 1:
                seed = (1 << depth) + 1 - seed
        return seed

    def nodes(self) -> list[Node]:
        """All nodes that can be played."""
        rounds = self.rounds
        made: list[Node] = [("W", k, i) for k in range(1, rounds + 1) for i in range(1 << (rounds - k))]
        if self.double:
            losers = range(1, 2 * rounds - 1)
            made += [("L", k, i) for k in losers for i in range(1 << max(0, rounds - 1 - (k + 1) // 2))]
            made.append(FINAL)
            if FINAL in self.won and self.won[FINAL] != self.who(("winner", self.top)):
                made.append(AGAIN)
        elif self.third and rounds > 1:
            made.append(THIRD)
        return made

    def pair(self, node: Node) -> tuple[int | None, int | None]:
        a, b = self.sides(node)
        return self.who(a), self.who(b)

    def ready(self) -> dict[frozenset[int], Node]:
        """The matches that can be played, by their players."""
        found = {}
        for node in self.nodes():
            a, b = self.pair(node)
            if a and b and node not in self.won:
                found[frozenset((a, b))] = node
        return found

    def walk_overs(self, playing: set[frozenset[int]]) -> None:
        """Advance the opponents of players who are gone, except in matches that are being played."""
        while gone := [node for pair, node in self.ready().items() if pair & self.gone and pair not in playing]:
            a, b = self.pair(gone[0])
            assert a
            assert b
            self.won[gone[0]] = b if a in self.gone else a

    def losses(self, seed: int) -> list[Node]:
        """Return the matches that a seed has lost."""
        return [
            node for node in self.nodes() if node in self.won and seed in self.pair(node) and self.won[node] != seed
        ]

    @property
    def champion(self) -> int | None:
        if AGAIN in self.nodes():
            return self.won.get(AGAIN)
        return self.won.get(FINAL) if self.double else self.who(("winner", self.top))

    def coming(self, seed: int) -> Node | None:
        """Return a seed's next match."""
        return next((node for node in self.nodes() if seed in self.pair(node) and self._open(node)), None)

    def _open(self, node: Node) -> bool:
        a, b = self.pair(node)
        return node not in self.won and NOBODY not in (a, b)

    def next_of(self, seed: int) -> object:
        """Return a seed's next opponent: a seed, the players of an unfinished match, or open."""
        node = self.coming(seed)
        if node is None:
            return None
        other = next(comes for comes in self.sides(node) if self.who(comes) != seed)
        found = self.who(other)
        if found:
            return found
        while NOBODY in self.pair(other[1]):
            other = next(comes for comes in self.sides(other[1]) if self.who(comes) is None)
        pair = set(self.pair(other[1]))
        return "open" if None in pair else (frozenset(pair), other[0])

    def is_out(self, seed: int) -> bool:
        return seed != self.champion and self.coming(seed) is None

    def life_lost(self, seed: int) -> bool:
        """True if a player has lost a match and isn't out."""
        return bool(self.losses(seed)) and not self.is_out(seed)

    def order(self, chips: dict[int, int]) -> list[int]:
        """Return the undisqualified seeds by standing."""

        def rank(seed: int) -> tuple[int, ...]:
            passed = sum(self.who(("winner", node)) == seed for node in self.nodes())
            lost = self.losses(seed)
            if seed == self.champion:
                return (0, 0, 0, 0, seed)
            if not self.is_out(seed) and (self.double or not lost):
                return (1, len(lost), -passed, -chips.get(seed, 0), seed)
            side, number, _ = lost[-1]
            if not self.double and self.third and side == "W" and number == self.rounds - 1 and self.rounds > 1:
                third = self.who(("winner", THIRD))
                if third is None:
                    return (2, -10 * (number + 1), -passed, -chips.get(seed, 0), seed)
                return (2, -10 * (number + 1) + (0 if third == seed else 1), 0, 0, seed)
            if side == "T":
                third = self.won[THIRD]
                return (2, -10 * self.rounds + (0 if third == seed else 1), 0, 0, seed)
            far = 100 if side == "F" or (not self.double and number == self.rounds) else number
            return (2, -10 * far, 0, 0, seed)

        return sorted((seed for seed in range(1, self.players + 1) if seed not in self.disqualified), key=rank)


def plain(coming: Mapping[str, Any], seeds: Mapping[Player, int]) -> object:
    """Return the model's description of the next match that the bot tells a player."""
    if not coming:
        return None
    if "opponent" in coming:
        return seeds[coming["opponent"]]
    of = coming.get("of") or []
    if len(of) != 2:
        return "open"
    return frozenset(seeds[one] for one in of), "loser" if coming["loses"] else "winner"


def differences(model: Bracket, seeds: Mapping[Player, int], now: EventState) -> list[str]:
    """Return where each player's status, lives, place and next opponent differ from the model's."""
    view, shown, found = views.event_view(now.s, now), brackets.bracket_view(now), []
    fair = [line for line in view.lines if not line.entrant.disqualified]
    chips = {seeds[line.entrant.player]: line.chips for line in fair}
    told, known = [seeds[line.entrant.player] for line in fair], model.order(chips)
    if told != known:
        found.append(f"the order is {told}, not {known}")
    if {seeds[line.entrant.player] for line in view.lines} - {*told} != model.disqualified:
        found.append("others are disqualified")
    for line in fair if not view.event.phase.over else ():
        seed, out = seeds[line.entrant.player], line.entrant.state is EntrantState.OUT
        beaten = model.life_lost(seed)
        if out != (model.is_out(seed) or seed in model.gave_up):
            found.append(f"seed {seed} is {line.entrant.state}")
        if (line.beaten, line.for_third) != (model.double and beaten, not model.double and model.third and beaten):
            found.append(f"seed {seed} is told {line.beaten}, {line.for_third} of a lost life")
        if (coming := plain(next_match(now, seed), seeds)) != model.next_of(seed):
            found.append(f"seed {seed} is told {coming} of the next match, not {model.next_of(seed)}")
    # After the end, whoever is first by the results: the winner of the final may have been disqualified since.
    first = known[0] if view.event.phase.over else model.champion
    champion = next((player for player, seed in seeds.items() if seed == first), None)
    if shown.champion != champion:
        found.append(f"{shown.champion} is the champion, not {champion}")
    beaten_by = sorted((seeds[one.loser], seeds[one.winner]) for one in shown.lines if one.loser and one.winner)
    lost = [(seed, node) for node in model.won for seed in model.pair(node) if seed and seed != model.won[node]]
    if beaten_by != sorted((seed, model.won[node]) for seed, node in lost):
        found.append(f"the bracket shows {beaten_by}")
    return found
