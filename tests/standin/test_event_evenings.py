"""Whole evenings of leagues and groups, whose posts are parsed and compared with the database."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from bot.model.events import Phase
from bot.pure.event.pairings import Pairings
from bot.pure.event.structure import PRESETS as STRUCTURES
from bot.pure.event.structure import Structure
from tests.play.event.event_world import SMALL_GROUPS
from tests.standin.test_event_posts import kind_of, play_out
from tests.standin.test_events import NO_FANTASYLAND, WORDS, Evening
from tests.standin.things import Message
from tests.standin.wired_bot import WiredBot

LEAGUE = Structure(format=STRUCTURES["league"].format, table_seats=2, most=8, rounds=3, round_hands=1)
NAMED = re.compile(r"<@(\d+)>")
ROW = re.compile(r"^`([^`]+)` <@(\d+)>$", re.MULTILINE)
TABLE = re.compile(r"^<#(\d+)>: (.+)$", re.MULTILINE)
"""A table, by its thread."""
_SETTLED = """
SELECT t.round, g.channel_id, r.player, SUM(r.points)
FROM result r JOIN event_table t USING (guild_id, table_id) JOIN game_table g USING (guild_id, table_id)
GROUP BY t.round, g.channel_id, r.player
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A line of a table of a round: the place, all points, and the last round's; None for who had a bye."""

    place: str
    score: int
    last: int | None


def rows_of(post: Message) -> dict[str, Told]:
    """The tables of a round, by player. The rounds are in a second table if they don't fit next to the total."""
    found = {}
    table, _, by_round = post.text.partition(WORDS("event_round.by_round"))
    for cells, player in ROW.findall(table):
        place, *rest = cells.split()
        numbers = rest[rest[0].startswith(("▲", "▼", "·")) :]
        found[player] = Told(place=place, score=number_of(numbers[0]) or 0, last=number_of(numbers[-1]))
    second = {player: number_of(cells.split()[-1]) for cells, player in ROW.findall(by_round)}
    assert second.keys() in (set(), found.keys()), "both tables list the same players"
    return {player: replace(told, last=second.get(player, told.last)) for player, told in found.items()}


def number_of(cell: str) -> int | None:
    """A cell's number; None for a dot."""
    return None if cell == "·" else int(cell.replace("\N{MINUS SIGN}", "-"))


class Rounds:
    """The results of each round, from the database."""

    def __init__(self, folder: Path) -> None:
        self.points: dict[int, dict[str, int]] = defaultdict(dict)
        self.tables: dict[int, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        with closing(sqlite3.connect(folder / "chaipo.db")) as connection:
            for number, thread, player, points in connection.execute(_SETTLED):
                self.points[number][player] = points
                self.tables[number][thread].add(player)
            self.matches = dict(connection.execute("SELECT match, winner FROM event_match"))

    @property
    def pairs(self) -> Counter[frozenset[str]]:
        """Return how often two players have met."""
        return Counter(frozenset(players) for tables in self.tables.values() for players in tables.values())

    def ranked(self, last: int) -> dict[str, int]:
        """All points after a round."""
        people = {player for points in self.points.values() for player in points}
        return {player: sum(self.points[at].get(player, 0) for at in range(1, last + 1)) for player in people}

    def assert_tells(self, post: Message, last: int) -> None:
        """Check that a post's table matches the round and is sorted by points."""
        told, scores = rows_of(post), self.ranked(last)
        assert {player: line.score for player, line in told.items()} == scores, "it tells of everybody"
        assert {player: line.last for player, line in told.items()} == {
            player: self.points[last].get(player) for player in scores
        }
        places = [int(line.place.strip("=")) for line in told.values()]
        assert places == sorted(places)
        assert all(before.score >= after.score for before, after in pairwise(told.values()))

    def assert_pairs(self, post: Message, number: int, people: Sequence[str]) -> None:
        """A post names the tables of this round with those who have played there, and who has none."""
        named = {int(thread): set(NAMED.findall(players)) for thread, players in TABLE.findall(post.text)}
        assert named == self.tables[number]
        seated = set().union(*named.values())
        byes = WORDS("event_round.byes", players="").strip()
        out = next((set(NAMED.findall(line)) for line in post.text.splitlines() if line.startswith(byes)), set())
        assert seated | out == set(people)
        assert not seated & out


@pytest.fixture
def evening(wired: WiredBot) -> Evening:
    return Evening(wired)


async def played(evening: Evening, structure: Structure, people: int) -> list[Message]:
    """Play a whole evening; returns what the event's channel got from the first card on, the end last."""
    key = await evening.announce(structure, variant=NO_FANTASYLAND)
    await evening.press_register(*range(1, people + 1))
    await evening.start(key)
    stand = set(evening.wired.channel.messages)
    asked, _ = await play_out(evening, key)
    assert (await evening.event(key)).phase is Phase.ENDED
    posts = [message for message in evening.wired.channel.public() if message.id not in stand]
    sent = [one for one in asked if kind_of(one, evening.wired.channel.id) == "send channel"]
    assert len(posts) == len(sent), "nothing was posted to be taken away again"
    byes = {player for post in posts for player in NAMED.findall(post.text)}
    assert {player for one in sent for player in one.notified} <= byes
    assert WORDS("event_notice.ended", player="#").split("#")[0] in posts[-1].text
    return posts


async def test_each_post_of_a_round_robin_is_true_and_everybody_has_met_everybody(
    evening: Evening, tmp_path: Path
) -> None:
    posts = await played(evening, replace(LEAGUE, pairings=Pairings.ALL), 6)
    rounds, people = Rounds(tmp_path), evening.players(range(1, 7))
    assert len(posts) == 5, "a post for each round but the first, and the end"
    for number, post in enumerate(posts[:-1], start=1):
        assert WORDS("event_round.over", round=number, rounds=5) in post.text
        rounds.assert_tells(post, number)
        rounds.assert_pairs(post, number + 1, people)
    assert rounds.pairs == Counter(frozenset(two) for two in combinations(people, 2))
    # The cross-table's entries before each name add up to the points.
    cross_table, by_round, each = posts[-1].text.partition(WORDS("event_round.by_round"))
    crossed = ROW.findall(cross_table)
    assert {player: number_of(cells.split()[-1]) for cells, player in crossed} == rounds.ranked(5)
    assert by_round
    assert {player: [number_of(cell) for cell in cells.split()] for cells, player in ROW.findall(each)} == {
        player: [rounds.points[number][player] for number in range(2, 6)] for player in people
    }
    first = NAMED.search(posts[-1].text)
    assert first is not None
    assert rounds.ranked(5)[first[1]] == max(rounds.ranked(5).values())


async def test_each_post_of_a_swiss_league_is_true_and_nobody_has_met_or_sat_out_twice(
    evening: Evening, tmp_path: Path
) -> None:
    posts = await played(evening, replace(LEAGUE, pairings=Pairings.SWISS), 7)
    rounds, people = Rounds(tmp_path), evening.players(range(1, 8))
    assert len(posts) == 3
    for number, post in enumerate(posts[:-1], start=1):
        rounds.assert_tells(post, number)
        rounds.assert_pairs(post, number + 1, people)
    rounds.assert_tells(posts[-1], 3)
    assert len(rounds.pairs) == 9
    assert max(rounds.pairs.values()) == 1
    sat_out = [set(people) - set(points) for points in rounds.points.values()]
    assert [len(some) for some in sat_out] == [1, 1, 1]
    assert len(set().union(*sat_out)) == 3


async def test_each_post_of_groups_and_their_bracket_is_true(evening: Evening, tmp_path: Path) -> None:
    posts = await played(evening, SMALL_GROUPS, 6)
    rounds = Rounds(tmp_path)
    (drawn,) = [post for post in posts if WORDS("event_notice.stage.semifinal") in post.text]
    groups = [line for line in drawn.text.splitlines() if re.match(r"\*\*Group [AB]\*\* · ", line)]
    assert len(groups) == 2
    through = []
    for line in groups:
        on, behind = (NAMED.findall(part) for part in line.split(" · ")[1:])
        assert (len(on), len(behind)) == (2, 1)
        met = [two for two in combinations([*on, *behind], 2) if rounds.pairs[frozenset(two)]]
        assert len(met) == 3, "everybody of a group has met"
        through += on
    semifinals = [set(NAMED.findall(players)) for _, players in TABLE.findall(drawn.text)]
    assert sorted(player for two in semifinals for player in two) == sorted(through)
    (final,) = [post for post in posts if WORDS("event_notice.stage.final") in post.text]
    ((_, finalists),) = TABLE.findall(final.text)
    assert len(set(NAMED.findall(finalists)) & semifinals[0]) == 1
    champion = NAMED.search(posts[-1].text)
    assert champion is not None
    assert champion[1] in NAMED.findall(finalists)
    assert rounds.matches[max(rounds.matches)] == champion[1]
    assert len(rounds.matches) == 6 + 4 + 3, "those of the groups, the places in the bracket, those in it"
