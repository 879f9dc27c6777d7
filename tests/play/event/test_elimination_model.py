"""Elimination events compared with a small model of each player's status after every match."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from random import Random

import pytest

from bot.model.events import Notice, Phase
from bot.model.ids import Player
from bot.model.reasons import EventReason
from bot.play.event.office import leaving
from bot.play.event.organisers import organiser
from bot.pure.event.structure import Format
from tests.play.event.bracket_model import Bracket, differences, plain
from tests.play.event.event_world import MINUTE, Scene, somebody, structure

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
        self.model = Bracket(players=len(self.seeds), double=kind == "double", third=kind == "third")
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
        assert plain(last["next_of_winner"], self.seeds) == model.next_of(self.seeds[winner])
        assert plain(last["next_of_loser"], self.seeds) == (None if gave_up else model.next_of(self.seeds[loser]))
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

    def compare(self) -> None:
        """Compare each player's status, lives, place and next opponent with the model's."""
        scene, model = self.scene, self.model
        tables = {frozenset(self.seeds[one] for one in pair) for pair in scene.tables().values()}
        if scene.event.phase.over:
            tables = set()
        model.walk_overs(tables)
        if scene.event.phase is Phase.CANCELLED:
            assert model.disqualified
            return
        now = scene.field()
        assert not differences(model, self.seeds, now)
        self.compared += sum(not entrant.disqualified for entrant in now.entrants.values())


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
