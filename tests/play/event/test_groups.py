"""Groups followed by a bracket, compared with a small model of pairings, advancing players and standings.

The model knows the results, the disqualifications and the documented rules. It shares no code with the bot.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

import pytest

from bot.model.events import EntrantState, Notice, Phase
from bot.model.ids import Player
from bot.play.event.formats import brackets
from bot.play.event.office import views
from bot.play.event.organisers import organiser
from bot.pure.event.structure import Format, StructureError
from tests.play.event.event_world import MINUTE, A, B, C, D, E, F, Scene, somebody, structure

PLAN = structure(Format.GROUPS, most=40, least=4)


class Evening(Scene):
    """Groups and their bracket, next to the model's state."""

    def __init__(self, people: int, *, groups: int, through: int, seed: int, **changes: Any) -> None:
        super().__init__()
        self.chance = Random(seed)
        self.plan = replace(PLAN, groups=groups, through=through, **changes)
        self.begin(self.plan, *(somebody(number) for number in range(people)))
        self.number = {entrant.player: entrant.number for entrant in self.field().entrants.values()}
        order = sorted(self.number, key=self.number.__getitem__)
        (started,) = self.notices(Notice.STARTED)
        self.groups = [list(map(Player, behind)) for _, behind, _ in started["groups"]]
        count = len(self.groups)
        laps = [order[start : start + count] for start in range(0, people, count)]
        dealt: list[list[Player]] = [[] for _ in range(count)]
        for at, lap in enumerate(laps):
            for place, player in enumerate(lap):
                dealt[place if at % 2 == 0 else count - 1 - place].append(player)
        assert [sorted(group) for group in self.groups] == [sorted(group) for group in dealt]
        self.restores = 0
        self.won: dict[Player, list[Player]] = defaultdict(list)
        """Opponents that each player has beaten in their group, in play or by walkover."""
        self.given: set[frozenset[Player]] = set()
        self.gone: set[Player] = set()
        self.on: list[Player] = []
        self.beaten: dict[Player, int] = {}
        """The bracket round in which a player lost."""

    @property
    def pairs(self) -> dict[int, frozenset[Player]]:
        """The matches that are played, by table."""
        return {number: frozenset(players) for number, players in self.tables().items()}

    def home(self, player: Player) -> int:
        """Return a player's group."""
        return next(at for at, group in enumerate(self.groups) if player in group)

    def row(self, player: Player) -> tuple[int, int]:
        """Matches won and lost in the group."""
        return len(self.won[player]), sum(player in beaten for beaten in self.won.values())

    def table(self, group: list[Player]) -> list[list[Player]]:
        """A group by wins, then by wins among those who are equal, again while that parts them."""

        def parted(tied: list[Player]) -> list[list[Player]]:
            wins = {one: sum(other in tied for other in self.won[one]) for one in tied}
            parts = [[one for one in tied if wins[one] == count] for count in sorted(set(wins.values()), reverse=True)]
            return [tied] if len(parts) == 1 else [small for part in parts for small in parted(part)]

        return parted(sorted(group, key=self.number.__getitem__))

    def play(self, *, disqualified: float = 0.0, restored: float = 0.0) -> int:
        """Play to the end; returns how many lines were compared."""
        compared, last = self.compare(), 0
        while not self.event.phase.over:
            if self.chance.random() < disqualified and len([p for p in self.field().playing if not p.disqualified]) > 2:
                self.disqualify(
                    self.chance.choice([one.player for one in self.field().playing if not one.disqualified])
                )
            else:
                self.match(last)
            if self.chance.random() < restored:
                self.now += 1000  # a start takes its time
                self.restore()
                self.go_on()
                self.restores += 1
            compared += self.compare()
            last += 1
            assert last < 2000
        return compared

    def match(self, turn: int) -> None:
        """Let a player win a match."""
        table = self.chance.choice(sorted(self.pairs))
        pair = sorted(self.pairs[table], key=self.number.__getitem__)
        fair = [one for one in pair if one not in self.gone]
        if len(fair) == 2:
            winner, loser = self.chance.sample(pair, 2)
            self.knock_out(winner, loser)
        else:
            winner, loser = (fair or pair)[0], next(one for one in pair if one != (fair or pair)[0])
            self.hand(table)
        self.go_on()
        assert table not in self.pairs, turn

    def disqualify(self, one: Player) -> None:
        """Disqualify a player."""
        self.gone.add(one)
        self.organise(organiser.disqualify, one, why="rude")
        self.go_on()

    def learn(self) -> None:
        """Update the model from the match results in the log."""
        self.won.clear()
        self.beaten.clear()
        shown = self.write(lambda s: brackets.look(s, self.key))
        for line in shown.lines:
            if line.winner is None or line.loser is None:
                continue
            if self.home(line.winner) == self.home(line.loser) and line.stage[0].value == "group":
                assert line.stage[1] == self.home(line.winner) + 1
                self.won[line.winner].append(line.loser)
            else:
                self.beaten[line.loser] = line.match.round
        for fact in self.log("groups_over"):
            self.on = list(map(Player, fact.details["players"]))

    def compare(self) -> int:
        """Compare the bot's reports with the model."""
        if self.event.phase is Phase.CANCELLED:
            assert self.gone
            return 1
        self.learn()
        view = self.view()
        seated = [player for pair in self.pairs.values() for player in pair] if not self.event.phase.over else []
        assert len(seated) == len(set(seated))
        for told, group in zip(view.groups, self.groups, strict=True):
            assert [row.player for row in told.rows] == [one for alike in self.table(group) for one in alike]
            alike = {one for tied in self.table(group) if len(tied) > 1 for one in tied}
            for row in told.rows:
                assert (row.won, row.lost) == self.row(row.player)
                assert row.through == (row.player in self.on)
                assert row.by_draw == (row.player in alike)
        if not self.on:
            self.compare_groups(seated)
        else:
            self.compare_bracket()
        return len(view.lines)

    def compare_groups(self, seated: list[Player]) -> None:
        """Check that, during group play, each player sits with group members or is shown the next opponent."""
        view = self.view()
        assert view.in_groups
        for pair in self.pairs.values():
            assert len({self.home(one) for one in pair}) == 1
        for line in view.lines:
            player = line.entrant.player
            if player in seated or player in self.gone:
                continue
            assert line.entrant.state is EntrantState.PLAYING
            met = {*self.won[player], *(one for one in self.won if player in self.won[one])}
            left = set(self.groups[self.home(player)]) - met - {player}
            assert (line.coming.get("opponent") in left) if left else "opponent" not in line.coming
            spot = next(iter(view.tables), None)
            if spot is not None:
                standing = views.standing(self.session(), spot.table, player)
                assert dict(standing.coming) == dict(line.coming)

    def compare_bracket(self) -> None:
        """Check that the bracket has the best undisqualified players of each group, ahead of the others."""
        view = self.view()
        before = {fact.details["player"] for fact in self.log("disqualified") if fact.number < self.over_at}
        for group in self.groups:
            fair = [one for alike in self.table(group) for one in alike if one not in before]
            through = next(told for told in view.groups if told.rows[0].player in group).through
            assert set(through) == set(fair[: self.through])
        fair_lines = [line for line in view.lines if line.entrant.player not in self.gone]
        on = [line.entrant.player in self.on for line in fair_lines]
        assert on == sorted(on, reverse=True), "whoever stays behind stands behind"
        behind = [line.entrant.player for line in fair_lines if line.entrant.player not in self.on]
        ranks = [
            (next(row for told in view.groups for row, one in enumerate(told.rows) if one.player == player),
             -self.row(player)[0], self.number[player])
            for player in behind
        ]  # fmt: skip
        assert ranks == sorted(ranks)
        for player in behind:
            assert self.entrant(player).state is EntrantState.OUT
        for line in fair_lines:
            player = line.entrant.player
            if player in self.on and self.event.phase is Phase.RUNNING:
                assert line.entrant.playing == (player not in self.beaten)

    @property
    def over_at(self) -> int:
        """The number of the line of the log that says who goes on."""
        return self.log("groups_over")[0].number

    @property
    def through(self) -> int:
        """Return the number of players per group who advance."""
        return 1 if len(self.number) < 6 else self.plan.through


@pytest.mark.parametrize("people", [4, 5, 6, 7, 9, 13])
def test_each_is_told_what_a_small_model_says(people: int) -> None:
    world = Evening(people, groups=4, through=2 if people % 2 else 1, seed=people)
    assert world.play(restored=0.1 if people > 6 else 0.5) >= people
    assert world.restores
    assert world.event.phase is Phase.ENDED
    assert world.places()[0] in world.on
    (told,) = [one["groups"] for one in world.notices(Notice.ROUND) if "groups" in one]
    assert [sorted(through) for through, _, _ in told] == [
        sorted(one for one in group if one in world.on) for group in world.groups
    ]
    world.check_books()


@pytest.mark.parametrize("seed", range(8))
def test_disqualifications_give_matches_away_and_let_the_next_move_up(seed: int) -> None:
    world = Evening(4 + seed, groups=3, through=1 + seed % 2, seed=seed)
    world.play(disqualified=0.15)
    assert world.event.phase.over
    world.check_books()


@pytest.mark.deep
@pytest.mark.parametrize("people", range(4, 33))
def test_each_is_told_what_a_small_model_says_in_many_events(people: int) -> None:
    restores = 0
    for seed in range(6):
        world = Evening(people, groups=2 + seed % 7, through=1 + seed % 2, seed=seed)
        world.play(disqualified=0.05 * (seed % 3), restored=0.1)
        assert world.event.phase.over
        world.check_books()
        restores += world.restores
    assert restores


def test_the_next_of_the_group_moves_up_before_the_bracket_and_not_after_it() -> None:
    world = Evening(6, groups=2, through=1, seed=1)
    by = {number: player for player, number in world.number.items()}
    best = by[1]
    while not (world.event.round == 3 and len(world.pairs) == 1):
        pair = min(world.pairs.values(), key=lambda pair: world.home(min(pair)) != world.home(best))
        world.knock_out(*sorted(pair, key=world.number.__getitem__))
        world.go_on()
    # The best has won the group, and waits for the last match of the other one.
    world.learn()
    assert len(world.won[best]) == 2
    (left,) = world.pairs.values()
    assert best not in left
    world.organise(organiser.disqualify, best, why="rude")
    world.knock_out(*sorted(left, key=world.number.__getitem__))
    world.go_on()
    world.learn()
    assert world.on == [by[2], by[4]]
    assert world.notices(Notice.ROUND)[-1]["stages"] == [["final", 0]]
    # No one moves up after this, because the opponent has won by walkover.
    world.organise(organiser.disqualify, by[2], why="rude")
    world.hand(next(iter(world.pairs)))
    world.go_on()
    assert world.event.phase is Phase.ENDED
    assert world.places()[:4] == [by[4], by[3], by[5], by[6]]


def test_who_was_disqualified_in_a_group_is_not_taken_back_once_a_match_was_given_away() -> None:
    world = Evening(8, groups=2, through=2, seed=3)
    gone = next(iter(world.pairs.values()))
    one = min(gone)
    world.organise(organiser.disqualify, one, why="rude")
    assert one in world.view().reinstatable
    for table in list(world.pairs):
        pair = world.pairs[table]
        if one in pair:
            world.hand(table)
        else:
            world.knock_out(*sorted(pair))
        world.go_on()
    assert world.entrant(one).state is EntrantState.OUT, "the second match is given away"
    assert one not in world.view().reinstatable


def test_a_pause_keeps_the_bracket_from_being_drawn() -> None:
    world = Evening(4, groups=2, through=1, seed=2)
    first, second = world.pairs
    winner, loser = sorted(world.pairs[first])
    world.knock_out(winner, loser)
    world.go_on()
    world.organise(organiser.pause)
    winner, loser = sorted(world.pairs[second])
    world.knock_out(winner, loser)
    world.go_on()
    assert world.view().in_groups
    world.organise(organiser.resume)
    world.go_on()
    assert not world.view().in_groups
    assert [table.stage for table in world.view().tables] == [next(iter(world.view().tables)).stage]


def test_prizes_go_by_the_places_of_the_whole_field() -> None:
    world = Evening(6, groups=2, through=2, seed=5, added=1000, payouts=(50, 30, 20))
    world.play()
    assert world.event.phase is Phase.ENDED
    assert [world.entrant(one).prize for one in world.places()[:4]] == [500, 300, 100, 100]
    assert set(world.places()[:4]) == set(world.on)
    world.check_books()


def test_those_who_stay_behind_are_told_in_one_post_and_matches_of_groups_in_none() -> None:
    world = Evening(12, groups=4, through=1, seed=6)
    world.play()
    assert [one["stage"][0] for one in world.notices(Notice.MATCH)] == ["semifinal"] * 2, "the end tells the final"
    outs = [one["players"] for one in world.notices(Notice.OUT)]
    assert len(outs) <= 2, "the losers of semi-finals alone"


def test_three_are_too_few() -> None:
    world = Scene()
    world.announce(replace(PLAN, check_in_minutes=5), minutes=10)
    world.register(A, B, C, D, E, F)
    world.wait(6 * MINUTE)
    world.check_in(A, B, C)
    world.wait(6 * MINUTE)
    world.go_on()
    assert world.event.phase is Phase.CANCELLED
    assert world.event.reason == "too_few"


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"groups": 1}, "out_of_range"),
        ({"groups": 17}, "out_of_range"),
        ({"through": 0}, "out_of_range"),
        ({"through": 3}, "out_of_range"),
        ({"most": 65}, "groups_people"),
        ({"least": 3}, "groups_people"),
        ({"table_seats": 3}, "heads_up_seats"),
    ],
)
def test_what_cannot_be_played_is_named(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(StructureError) as refused:
        Scene().announce(replace(PLAN, **changes))
    assert refused.value.problem == problem


def test_a_pair_of_one_group_meets_again_in_the_final_alone() -> None:
    for seed in range(3):
        world = Evening(9, groups=3, through=2, seed=seed)
        world.play()
        shown = world.bracket()
        for line in shown.lines:
            if line.stage[0].value not in ("group", "final"):
                assert len({world.home(one) for one in line.players if one}) == len([x for x in line.players if x])
        pairs = Counter(frozenset(x.players) for x in shown.lines if x.stage[0].value == "group")
        assert pairs == Counter(frozenset(pair) for group in world.groups for pair in combinations(group, 2))
