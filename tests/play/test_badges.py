"""Badges and records against a small model that looks at the whole history again, over histories of chance."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from bot.model.careers import RULES, TOLD_WITH_A_HAND, Badge, BadgeStat, EarnedBadge, RecordEntry, RecordKind
from bot.model.daily import Streak
from bot.model.hands import Result
from bot.model.ids import EVERYTHING, Player, TableId, TableKey
from bot.model.standings import LeaderboardSpan
from bot.play.badges import MONTHS_AT_ONCE, give_months, note_hand
from bot.play.bank import seasons
from bot.play.session.session import Session
from bot.store.invariants import QUESTIONS
from tests.databases import ask, do
from tests.play.world import ANN, BOB, CLEO, DAN, EVE, GUILD, START, World

pytestmark = pytest.mark.on_both
PEOPLE = (ANN, BOB, CLEO, DAN, EVE, *(Player(str(number)) for number in range(1006, 1014)))
GAMES = ("pineapple", "classic", "turbo", "progressive", "ultimate", "thirteen")
HOUR = 3_600_000
OFF = {question.sql: question.text for question in QUESTIONS if question.kind in ("careers", "standings")}
WON = {Badge.FIVE_WINS: 5, Badge.TEN_WINS: 10}
STAYED = {Badge.FIRST_FANTASYLAND: 1, Badge.THREE_FANTASYLANDS: 3, Badge.FIVE_FANTASYLANDS: 5}


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """An open bot."""
    world = World(tmp_path)
    await world.open()
    yield world
    await world.close()


@dataclass(frozen=True)
class Played:
    """A hand that was settled."""

    table: int
    number: int
    at: int
    season: int
    results: Sequence[Result]


def won_in_row(here: Sequence[Result]) -> int:
    """Return the length of a winning streak at a table, counted from its last hand."""
    return len(list(takewhile(lambda one: one.points > 0, here)))


def lands_in_row(here: Sequence[Result]) -> int:
    """Return the number of consecutive Fantasylands in it, each but the first earned in the previous one."""
    played = 0
    for one, before in zip(here, [*here[1:], None], strict=True):
        if not one.in_fantasyland:
            break
        played += 1
        if before is None or not before.fantasyland:
            break
    return played


@dataclass
class Model:
    """Model of past hands, and of the badges they earn. Each badge has its hand, or None if no hand shows it yet."""

    hands: list[Played] = field(default_factory=list)
    streaks: dict[Player, int] = field(default_factory=dict)
    badges: dict[tuple[Player, Badge, int], tuple[int, int] | None] = field(default_factory=dict)
    over: list[int] = field(default_factory=list)

    def of(self, player: Player) -> Iterator[tuple[Played, Result]]:
        """Their hands for chips, the last first."""
        for hand in reversed(self.hands):
            yield from ((hand, one) for one in hand.results if one.player == player and one.ranked)

    def earn(self, player: Player, badge: Badge, since: int = 0, told: tuple[int, int] | None = None) -> None:
        """Once."""
        self.badges.setdefault((player, badge, since), told)

    def play(self, hand: Played) -> None:
        """Another hand, and all that follows from it."""
        self.hands.append(hand)
        this = (hand.table, hand.number)
        for mine in (one for one in hand.results if one.ranked):
            player = mine.player
            for badge in self.by_hand(hand, mine) if mine.played else ():
                self.earn(player, badge, told=this)
            for badge in self.by_sums(player):
                self.earn(player, badge, told=this)
            for (who, badge, since), told in self.badges.items():
                if who == player and told is None:
                    self.badges[who, badge, since] = this

    def by_hand(self, hand: Played, mine: Result) -> Iterator[Badge]:
        """Yield the badges for the hand itself."""
        here = [one for played, one in self.of(mine.player) if played.table == hand.table]
        yield from (badge for badge, least in WON.items() if won_in_row(here) >= least)
        earned = lands_in_row(here) + 1 if mine.fantasyland else 0
        yield from (badge for badge, least in STAYED.items() if earned >= least)
        facts = {
            Badge.ROYAL_FLUSH: mine.royal,
            Badge.GREAT_BOARD: mine.royalties >= 30,
            Badge.BIG_HAND: mine.points >= 50,
            Badge.WHOLE_TABLE: mine.met >= 2 and mine.scoops == mine.met,
            Badge.FOUR_SEATED: mine.met >= 3,
        }
        yield from (badge for badge, true in facts.items() if true)

    def by_sums(self, player: Player) -> Iterator[Badge]:
        """Yield the badges for all of the player's hands together."""
        mine = list(self.of(player))
        met = Counter(one.player for hand, _ in mine for one in hand.results if one.player != player)
        streak = self.streaks.get(player, 0)
        facts = {
            Badge.HANDS_100: len(mine) >= 100,
            Badge.HANDS_1000: len(mine) >= 1000,
            Badge.FIVE_GAMES: len({one.game for _, one in mine}) >= 5,
            Badge.FIFTY_FANTASYLANDS: sum(one.fantasyland > 0 for _, one in mine) >= 50,
            Badge.TEN_OPPONENTS: len(met) >= 10,
            Badge.HUNDRED_TOGETHER: max(met.values()) >= 100,
            Badge.DAILY_WEEK: streak >= 7,
            Badge.DAILY_MONTH: streak >= 30,
            Badge.DAILY_HUNDRED: streak >= 100,
        }
        yield from (badge for badge, true in facts.items() if true)

    def end_season(self, number: int) -> None:
        """A season is over."""
        self.over.append(number)
        won: Counter[Player] = Counter()
        for hand in self.hands:
            if hand.season == number:
                for one in hand.results:
                    if one.ranked:
                        won[one.player] += one.chips
        for player, chips in won.items():
            ahead = sum(other > chips for other in won.values())
            if chips > 0 and ahead == 0:
                self.earn(player, Badge.SEASON_WON)
            if chips > 0 and ahead < 3 and len(won) >= 8:
                self.earn(player, Badge.SEASON_PODIUM)
            played = Counter(hand.season for hand, _ in self.of(player))
            if sum(played[over] >= 10 for over in self.over) >= 3:
                self.earn(player, Badge.THREE_SEASONS)

    def end_months(self, now: int) -> None:
        """Every month before this one is over."""
        months: dict[tuple[int, int], dict[Player, Counter[str]]] = {}
        for hand in self.hands:
            day = datetime.fromtimestamp(hand.at / 1000, UTC)
            for one in hand.results:
                if one.ranked:
                    own = months.setdefault((day.year, day.month), {}).setdefault(one.player, Counter())
                    own.update(hands=1, chips=one.chips, lands=int(one.fantasyland > 0))
        this = datetime.fromtimestamp(now / 1000, UTC)
        for (year, month), people in months.items():
            if (year, month) == (this.year, this.month) or len(people) < 4:
                continue
            since = int(datetime(year, month, 1, tzinfo=UTC).timestamp()) * 1000
            for what, badge in {
                "chips": Badge.MONTH_CHIPS,
                "hands": Badge.MONTH_HANDS,
                "lands": Badge.MONTH_FANTASYLANDS,
            }.items():
                most = max(own[what] for own in people.values())
                for player, own in people.items():
                    if own[what] == most > 0:
                        self.earn(player, badge, since)

    def best(self, kind: RecordKind, game: str, hidden: set[Player]) -> tuple[int, int, int, Player] | None:
        """The record of a kind, the first of equals, among those who may be named."""
        found: list[tuple[int, int, int, int, Player]] = []
        for number, hand in enumerate(self.hands):
            for mine in hand.results:
                if not mine.ranked or not mine.played or mine.player in hidden or game not in ("", mine.game):
                    continue
                earlier = Model(hands=self.hands[: number + 1])
                here = [one for played, one in earlier.of(mine.player) if played.table == hand.table]
                won, lands = won_in_row(here), lands_in_row(here)
                value = {
                    RecordKind.ROYALTIES: mine.royalties,
                    RecordKind.POINTS: mine.points,
                    RecordKind.SCOOP: mine.points if mine.scoops == mine.met else 0,
                    RecordKind.CHIPS: mine.chips,
                    RecordKind.LANDS: lands if lands > 1 else 0,
                    RecordKind.WINS: won if won > 1 else 0,
                }[kind]
                if value > 0:
                    found.append((-value, number, hand.table, hand.number, mine.player))
        if not found:
            return None
        value, _, table, hand_no, player = min(found)
        return -value, table, hand_no, player


def a_hand(chance: random.Random, model: Model, table: int, number: int, *, at: int, season: int) -> Played:
    """Return a random hand, in which winning and staying in Fantasyland are frequent."""
    people = chance.sample(PEOPLE[: chance.choice((4, 5, len(PEOPLE)))], k=chance.choice((2, 2, 3, 4)))
    ranked = chance.random() < 0.9
    game = chance.choice(GAMES[: 1 + len(model.hands) // 40])
    results = []
    for seat, player in enumerate(people):
        here = [one for played, one in model.of(player) if played.table == table]
        last = here[0] if here else None
        in_land = last is not None and last.fantasyland > 0 and chance.random() < 0.95
        points = chance.choice((-60, -9, 0, 4, 12, 30, 49, 50, 61))
        met = len(people) - 1
        results.append(
            Result(
                player=player,
                points=abs(points) if last and last.points > 0 and chance.random() < 0.6 else points,
                chips=chance.choice((-300, 0, 10, 10, 200)),
                fantasyland=14 if chance.random() < (0.75 if in_land else 0.3) else 0,
                foul=False,
                ranked=ranked,
                game=game,
                royalties=chance.randrange(32),
                in_fantasyland=in_land,
                seat=seat,
                met=met,
                scoops=met if chance.random() < 0.2 else 0,
                royal=chance.random() < 0.02,
                played=chance.random() < 0.9,
            )
        )
    return Played(table, number, at, season, results)


async def settle(world: World, hand: Played) -> None:
    """Store the results of a hand, and record the badges that it earned."""

    def job(s: Session) -> None:
        key = TableKey(guild=GUILD, table=TableId(hand.table))
        kept = s.tx.results.add(key, hand.number, hand.results, at=s.now, season=hand.season)
        note_hand(s, key, hand.number, kept)

    await world.sessions.write(job)


def saved_streak(s: Session, *, player: Player, days: int) -> None:
    """A streak of daily hands that was so many days long at its best."""
    s.tx.daily.save_streak(player, Streak(last=1, days=1, best=days))


def best_feat(s: Session, *, kind: RecordKind, game: str) -> RecordEntry | None:
    """The record that is shown."""
    return s.tx.badges.best_feat(GUILD, kind, game)


async def kept(world: World) -> dict[tuple[Player, Badge, int], tuple[int, int] | None]:
    """The badges as they are kept."""
    of_each = await world.sessions.read(lambda s: s.tx.badges.of_each(GUILD, PEOPLE))
    return {
        (player, one.badge, one.since): (one.table, one.hand_no) if one.table else None
        for player, earned in of_each.items()
        for one in earned
    }


def wrong(world: World) -> list[Any]:
    """Return errors in badges and sums. No transfers moved the chips of these hands."""
    return [(text, tuple(row)) for sql, text in OFF.items() for row in ask(world.place, sql) if "against" not in text]


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.deep)])
async def test_badges_and_records_are_what_the_whole_history_says(world: World, seed: int) -> None:
    chance, model = random.Random(seed), Model()
    numbers, season = Counter[int](), 0
    for step in range(240):
        world.now += chance.randrange(20 * HOUR)
        act = chance.random()
        if act < 0.02:
            await world.sessions.write(lambda s: seasons.start(s, GUILD, ANN, "", cause=world.cause()))
            if season:
                model.end_season(season)
            season += 1
        elif act < 0.1:
            who, days = chance.choice(PEOPLE), chance.choice((6, 7, 30, 100))
            model.streaks[who] = days
            await world.sessions.write(partial(saved_streak, player=who, days=days))
        elif act < 0.12:
            await world.restart()
        await world.clock.beat()
        model.end_months(world.now)
        table = chance.randrange(1, 4)
        numbers[table] += 1 + (chance.random() < 0.1)  # a hand between them was void
        hand = a_hand(chance, model, table, numbers[table], at=world.now, season=season)
        await settle(world, hand)
        model.play(hand)
        if step % 60 == 59:
            assert await kept(world) == model.badges
    assert await kept(world) == model.badges
    earned = {badge for _, badge, _ in model.badges}
    missing = {Badge.HANDS_1000, *(badge for badge, rule in RULES.items() if rule.counted in OF_EVENTS)}
    assert set(Badge) - earned <= missing | RARE, "the history was long enough to see them"
    assert wrong(world) == []
    hidden = {Player("1006"), ANN}
    for player in hidden:
        await world.play.change_member_settings(
            GUILD, player, lambda member_settings: replace(member_settings, profile_visible=False)
        )
    seen = 0
    for kind in (kind for kind in RecordKind if kind is not RecordKind.EVENT):
        for game in ("", *GAMES):
            found = await world.sessions.read(partial(best_feat, kind=kind, game=game))
            best = model.best(kind, game, hidden)
            assert (found and (found.value, found.table, found.hand_no, found.player)) == best, (kind, game)
            seen += best is not None
    assert seen > 30


OF_EVENTS = (BadgeStat.EVENTS, BadgeStat.EVENTS_WON, BadgeStat.EVENT_BEATEN, BadgeStat.PODIUM, BadgeStat.HOSTED)
RARE = {Badge.SEASON_PODIUM, Badge.THREE_SEASONS, Badge.HUNDRED_TOGETHER, Badge.TEN_WINS}
"""Those that not every history of chance has."""


async def a_month(world: World, *, chips: Sequence[int], at: int) -> None:
    """Each of so many people plays one hand for chips, and wins so many."""
    world.now = at
    people = PEOPLE[: len(chips)]
    results = [
        Result(player=player, points=0, chips=won, fantasyland=0, foul=False, ranked=True, game="pineapple", met=1)
        for player, won in zip(people, chips, strict=True)
    ]
    await settle(world, Played(1, at // HOUR, at, 0, results))


async def of_months(world: World) -> list[tuple[Player, EarnedBadge]]:
    of_each = await world.sessions.read(lambda s: s.tx.badges.of_each(GUILD, PEOPLE))
    return sorted(
        ((player, one) for player, earned in of_each.items() for one in earned if one.badge is Badge.MONTH_CHIPS),
        key=lambda found: (found[1].since, found[0]),
    )


async def test_a_months_badges_are_given_once_at_its_end_and_a_kill_in_between_changes_nothing(world: World) -> None:
    first, second = LeaderboardSpan.MONTH.bounds(START)
    await a_month(world, chips=(50, 50, -20, -80), at=second - HOUR)
    await world.clock.beat()
    assert await of_months(world) == [], "it isn't over"
    world.now = second

    def killed(s: Session) -> None:
        give_months(s, EVERYTHING.serves)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await world.sessions.write(killed)
    assert await of_months(world) == []
    await world.restart(after_ms=3 * HOUR)
    for _ in range(3):
        await world.clock.beat()
    given = await of_months(world)
    assert [(player, one.since, one.table) for player, one in given] == [(ANN, first, 0), (BOB, first, 0)]
    await a_month(world, chips=(-5, 5, 0, 0), at=second + 5 * HOUR)
    number = (second + 5 * HOUR) // HOUR
    assert [one.hand_no for _, one in await of_months(world)] == [number, number], "their next hand tells it"
    await a_month(world, chips=(-5, 5, 0, 0), at=second + 6 * HOUR)
    assert [one.hand_no for _, one in await of_months(world)] == [number, number], "and no other"
    world.now = LeaderboardSpan.MONTH.bounds(second)[1]
    await world.clock.beat()
    assert [(player, one.since) for player, one in await of_months(world)][2:] == [(BOB, second)]
    assert wrong(world) == []


async def test_a_month_that_ends_for_many_servers_is_given_to_some_of_them_at_a_time(world: World) -> None:
    since, until = LeaderboardSpan.MONTH.bounds(START)
    await a_month(world, chips=(50, 50, -20, -80), at=START)
    others = [GUILD + number for number in range(1, MONTHS_AT_ONCE + 3)]
    do(world.place, f"INSERT INTO badge_month VALUES {', '.join(f'({guild}, {since})' for guild in others)}")
    world.now = until
    left = []
    for _ in range(3):
        await world.clock.beat()
        left.append(len(world.ask("SELECT 1 FROM badge_month")))
    assert left == [3, 0, 0]
    assert len(await of_months(world)) == 2


async def test_a_month_of_fewer_than_four_has_no_badges(world: World) -> None:
    await a_month(world, chips=(50, -20, -30), at=START)
    world.now = LeaderboardSpan.MONTH.bounds(START)[1]
    await world.clock.beat()
    assert await of_months(world) == []
    assert wrong(world) == []


async def test_the_thousandth_hand_earns_its_badge(world: World) -> None:
    await a_month(world, chips=(1, -1), at=START)
    for hands, has in ((998, False), (999, True)):
        do(world.place, f"UPDATE standing SET hands = {hands} WHERE span = 'all' AND player = '{ANN}'")
        await a_month(world, chips=(1, -1), at=world.now + HOUR)
        assert ((ANN, Badge.HANDS_1000, 0) in await kept(world)) is has


async def test_the_books_find_badges_and_feats_that_should_not_be(world: World) -> None:
    for number in range(6):
        await a_month(world, chips=(50, 20, -20, -50), at=START + number * HOUR)
    world.now = LeaderboardSpan.MONTH.bounds(START)[1]
    await world.clock.beat()
    assert wrong(world) == []
    since = LeaderboardSpan.MONTH.bounds(START)[0]
    for change in (
        f"DELETE FROM badge WHERE badge = 'month_chips' AND player = '{ANN}'",
        f"INSERT INTO badge VALUES ({GUILD}, '{BOB}', 'month_chips', 1, 0, 0, {since})",
        f"INSERT INTO badge VALUES ({GUILD}, '{BOB}', 'hands_100', 1, 0, 0, 0)",
        "DELETE FROM feat WHERE kind = 'chips'",
        f"INSERT INTO feat VALUES ({GUILD}, 'royalties', 'classic', '{BOB}', 9, 1, 1, 1)",
        f"INSERT INTO feat VALUES ({GUILD}, 'event', 'classic', '', 9, 1, 1, 0)",
        f"UPDATE result SET wins_in_row = 4 WHERE player = '{ANN}' AND hand_no = {(START + HOUR) // HOUR}",
    ):
        before = len(wrong(world))
        do(world.place, change)
        assert len(wrong(world)) > before, change


def test_every_badge_has_its_rule_and_those_of_months_and_seasons_are_told_by_a_hand() -> None:
    assert set(RULES) == set(Badge)
    assert list(RULES) == list(Badge), "the shelf is in the order of the rules"
    assert all(rule.least > 0 for rule in RULES.values())
    assert {
        badge for badge in Badge if badge.value.startswith(("month", "season", "three_seasons"))
    } == TOLD_WITH_A_HAND
