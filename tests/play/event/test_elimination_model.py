"""Elimination events compared with a small model of each player's status after every match.

The model is a tree of matches, queried from its root for the winner and loser of each node. It shares no code with the
bot's list of matches.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from random import Random

import pytest

from bot.model.events import EntrantState, Notice, Phase
from bot.model.ids import Player
from bot.model.reasons import EventReason
from bot.play.event.floor.event_state import next_match
from bot.play.event.office import leaving
from bot.play.event.organisers import organiser
from bot.pure.event.structure import Format
from tests.play.event.event_world import MINUTE, Scene, somebody, structure

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
class Model:
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


KINDS = {
    "single": structure(Format.SINGLE, most=20),
    "third": structure(Format.SINGLE, most=20, third_place=True),
    "double": structure(Format.DOUBLE, most=20),
}


class Run:
    """An event with random results, next to its model."""

    def __init__(self, kind: str, players: int, seed: int) -> None:
        self.scene = Scene()
        self.chance = Random(f"{kind} {players} {seed}")
        self.kind = kind
        people = [somebody(number) for number in range(players)]
        self.begin(people)
        self.model = Model(players=len(self.seeds), double=kind == "double", third=kind == "third")
        self.compared = 0

    def begin(self, people: list[Player]) -> None:
        """Start it; now and then with a check-in that some miss."""
        scene, plan = self.scene, KINDS[self.kind]
        some_miss = self.chance.random() < 0.3
        missed = self.chance.sample(people, self.chance.randrange(len(people) - 1)) if some_miss else []
        if missed:
            scene.announce(replace(plan, check_in_minutes=5), minutes=10)
            scene.register(*people)
            scene.wait(6 * MINUTE)
            scene.check_in(*[one for one in people if one not in missed])
            scene.wait(6 * MINUTE)
            scene.go_on()
        else:
            scene.begin(plan, *people)
        entrants = scene.field().entrants.values()
        self.seeds = {entrant.player: entrant.number for entrant in entrants if entrant.number}
        assert set(self.seeds) == set(people) - set(missed)

    def play(self) -> int:
        """Play to the end; returns the number of comparisons with the model."""
        self.compare()
        while not self.scene.event.phase.over:
            luck = self.chance.random()
            (self.disqualify if luck < 0.04 else self.give_up if luck < 0.12 else self.match)()
            self.compare()
        assert self.model.champion in self.model.disqualified or self.scene.event.phase is Phase.ENDED
        return self.compared

    def match(self) -> None:
        """Let a player win their match, sometimes after a hand without a decision."""
        scene, model = self.scene, self.model
        pair = self.chance.choice(list(scene.tables().values()))
        winner, loser = self.chance.sample(pair, 2)
        fair = [one for one in pair if self.seeds[one] not in model.gone]
        if len(fair) < 2:
            scene.hand(scene.table_of(winner))  # A disqualified player leaves the table afterwards.
            winner, loser = (fair[0], next(one for one in pair if one != fair[0])) if fair else (winner, loser)
        elif self.chance.random() < 0.3:
            scene.hand(scene.table_of(winner), {(winner, loser): self.chance.randint(1, 5)})
            scene.go_on()
            return
        else:
            scene.knock_out(winner, loser)
        told = len(scene.notices(Notice.MATCH))
        node = model.ready()[frozenset((self.seeds[winner], self.seeds[loser]))]
        if not fair:
            a, b = model.pair(node)
            assert a
            assert b
            model.won[node] = b  # like between matches
        else:
            model.won[node] = self.seeds[winner]
        # This holds before the opponents of disqualified players advance.
        self.told(winner, loser, told)
        scene.go_on()

    def told(self, winner: Player, loser: Player, before: int) -> None:
        """The post of the match says what the model says."""
        pair = (winner, loser)
        posts = self.scene.notices(Notice.MATCH)[::-1]
        last = next((one for one in posts if (one["winner"], one["loser"]) == pair), None)
        model = self.model
        fair = not model.disqualified & {self.seeds[winner], self.seeds[loser]}
        if not fair or not any(model.coming(seed) for seed in self.seeds.values()):
            return
        assert last is not None
        gave_up = self.seeds[loser] in model.gave_up
        assert last["out"] == (gave_up or model.is_out(self.seeds[loser]))
        assert last.get("gave_up", False) == gave_up
        assert last["champion"] == (model.champion == self.seeds[winner])
        assert self.plain(last["next_of_winner"]) == model.next_of(self.seeds[winner])
        assert self.plain(last["next_of_loser"]) == (None if gave_up else model.next_of(self.seeds[loser]))
        left = sum(model.coming(seed) is not None for seed in self.seeds.values())
        assert last["left"] == (0 if model.champion else left)
        assert last["hands"] >= 1

    def disqualify(self) -> None:
        """Disqualify a player, who may be at a table or waiting."""
        field = self.scene.field()
        left = [one.player for one in field.playing if not one.disqualified]
        if len(left) < 3:
            return
        gone = self.chance.choice(left)
        self.model.disqualified.add(self.seeds[gone])
        self.scene.organise(organiser.disqualify, gone, why="rude")
        self.scene.go_on()

    def give_up(self) -> None:
        """Let a player give up. Their match may be won already, or no match may be left."""
        scene, model = self.scene, self.model
        field = scene.field()
        player = self.chance.choice([one.player for one in field.playing if not one.disqualified] or [somebody(0)])
        if not field.entrants[player].playing or field.entrants[player].disqualified:
            return
        own, met = self.seeds[player], model.next_of(self.seeds[player])
        leave = partial(leaving.leave, key=scene.key, player=player, cause=scene.cause())
        if met is None:
            scene.refused(EventReason.NO_MATCH_LEFT, lambda: scene.write(leave))
        elif met in model.gone:
            scene.refused(EventReason.OPPONENT_GONE, lambda: scene.write(leave))
        else:
            model.gave_up.add(own)
            scene.write(leave)
            scene.go_on()

    def plain(self, coming: dict[str, object]) -> object:
        """Return the model's description of the next match."""
        if not coming:
            return None
        if "opponent" in coming:
            return self.seeds[coming["opponent"]]  # type: ignore[index]
        of = coming.get("of") or []
        assert isinstance(of, list)
        if len(of) != 2:
            return "open"
        return frozenset(self.seeds[one] for one in of), "loser" if coming["loses"] else "winner"

    def compare(self) -> None:
        """Compare each player's status, lives, place and next opponent with the model's."""
        scene, model = self.scene, self.model
        tables = {frozenset(self.seeds[one] for one in pair) for pair in scene.tables().values()}
        if scene.event.phase.over:
            tables = set()
        model.walk_overs(tables)
        field, view = scene.field(), scene.view()
        if scene.event.phase is Phase.CANCELLED:
            assert model.disqualified
            return
        over = scene.event.phase.over
        fair = [line for line in view.lines if not line.entrant.disqualified]
        chips = {self.seeds[line.entrant.player]: line.chips for line in fair}
        assert [self.seeds[line.entrant.player] for line in fair] == model.order(chips)
        gone = {self.seeds[line.entrant.player] for line in view.lines} - {self.seeds[x.entrant.player] for x in fair}
        assert gone == model.disqualified
        for line in fair:
            seed = self.seeds[line.entrant.player]
            state = line.entrant.state
            if not over:
                assert (state is EntrantState.OUT) == (model.is_out(seed) or seed in model.gave_up), (seed, state)
                assert line.beaten == (model.double and model.life_lost(seed))
                assert line.for_third == (not model.double and model.life_lost(seed))
                assert self.plain(next_match(field, seed)) == model.next_of(seed), seed
            self.compared += 1
        shown = scene.bracket()
        # After the end, whoever is first by the results: the winner of the final may have been disqualified since.
        champion = model.order(chips)[0] if over else model.champion
        assert shown.champion == next((one for one, seed in self.seeds.items() if seed == champion), None)
        beaten = sorted((self.seeds[x.loser], self.seeds[x.winner]) for x in shown.lines if x.loser and x.winner)
        lost = [(seed, node) for node in model.won for seed in model.pair(node) if seed and seed != model.won[node]]
        expected = [(seed, model.won[node]) for seed, node in lost]
        assert beaten == sorted(expected)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("players", [2, 3, 5, 7, 9, pytest.param(17, marks=pytest.mark.deep)])
def test_each_is_told_what_a_small_model_says(kind: str, players: int) -> None:
    run = Run(kind, players, 0)
    assert run.play() >= 2 * len(run.seeds), "before the first match, and after it"


@pytest.mark.deep
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("players", range(2, 18))
def test_each_is_told_what_a_small_model_says_in_two_hundred_events(kind: str, players: int) -> None:
    assert sum(Run(kind, players, seed).play() for seed in range(200)) >= 200 * 2
