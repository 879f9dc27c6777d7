"""The morning post and the weekly recap: due times, and contents that match the database."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import count
from zoneinfo import ZoneInfo

import pytest

from bot.model.bulletins import Bulletin, BulletinKind, PlayerPair, Recap, RecapLine
from bot.model.careers import Badge, EarnedBadge
from bot.model.clock import DAY, HOUR, MINUTE
from bot.model.daily import begins_at, day_at
from bot.model.events import Official
from bot.model.hands import Result
from bot.model.ids import COMPUTERS, Player, TableId, TableKey
from bot.play.daily.morning import Morning
from bot.play.event.office.registration import PlannedEvent
from bot.play.session.session import Session
from bot.pure.event.structure import PRESETS
from bot.pure.ofc.presets import PINEAPPLE
from bot.pure.solver.levels import Level
from bot.store.personal import RECAP_LISTS
from tests.play.daily.test_daily_hands import played, to_day
from tests.play.world import ANN, BOB, CHANNEL, CLEO, DAN, GUILD, PER_TURN, START, World
from tests.store.samples import RECAP

pytestmark = pytest.mark.on_both
BERLIN = "Europe/Berlin"
HIDDEN_CHANNEL = 71
MORNING = Bulletin(kind=BulletinKind.MORNING, channel=CHANNEL, hour=9, zone="UTC")


def at(text: str, zone: str = BERLIN) -> int:
    """A moment by the clocks of a zone, in milliseconds."""
    return round(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


def posted_in(bulletin: Bulletin, since: str, days: int) -> list[str]:
    """The hours, by the clocks of its zone, of all that are posted by a bot that looks every ten minutes."""
    zone, now, told = ZoneInfo(bulletin.zone), at(since, bulletin.zone), []
    bulletin = replace(bulletin, chosen_at=bulletin.chosen_at or now - 1)
    end = f"{datetime.fromisoformat(since) + timedelta(days=days)}"
    for moment in range(now, at(end, bulletin.zone), 10 * MINUTE):
        if (due := bulletin.due(moment)) is not None:
            bulletin = replace(bulletin, told=due)
            told.append(f"{datetime.fromtimestamp(due / 1000, zone):%m-%d %H:%M}")
            assert moment - due < 10 * MINUTE
    return told


# when each is due


@pytest.mark.parametrize(("since", "skipped"), [("2027-03-26", "03-28"), ("2026-10-23", "10-25")])
def test_one_comes_each_day_at_its_hour_also_when_the_clocks_are_put_forward_or_back(since: str, skipped: str) -> None:
    for hour in range(24):
        found = posted_in(Bulletin(kind=BulletinKind.MORNING, channel=1, hour=hour, zone=BERLIN), f"{since} 00:00", 5)
        days = [f"{date.fromisoformat(since) + timedelta(days=ahead):%m-%d}" for ahead in range(5)]
        shown = [f"{hour + (day == '03-28' and hour == 2):02}" for day in days]
        assert found == [f"{day} {each}:00" for day, each in zip(days, shown, strict=True)], hour
        assert any(line.startswith(skipped) for line in found)


def test_of_an_hour_that_comes_twice_the_first_is_meant() -> None:
    twice = Bulletin(kind=BulletinKind.MORNING, channel=1, hour=2, zone=BERLIN)
    first = at("2026-10-25 00:00", "UTC")
    assert [twice.due(first), twice.due(first - 1)] == [first, None]
    assert replace(twice, told=first).due(first + HOUR) is None


def test_a_recap_comes_once_a_week_whatever_day_is_chosen_next() -> None:
    recap = Bulletin(kind=BulletinKind.RECAP, channel=1, hour=9, weekday=0, zone=BERLIN)
    assert posted_in(recap, "2026-10-12 00:00", 21) == ["10-12 09:00", "10-19 09:00", "10-26 09:00"]
    tuesday = replace(recap, weekday=1, told=at("2026-10-12 09:00"), chosen_at=at("2026-10-12 12:00"))
    assert posted_in(tuesday, "2026-10-12 12:00", 14) == ["10-20 09:00"]
    assert tuesday.next_after(at("2026-10-12 12:00")) == at("2026-10-20 09:00")


def test_an_hour_that_is_long_over_is_left_out_and_none_is_made_up() -> None:
    at_nine = replace(MORNING, told=9 * HOUR)
    assert at_nine.due(DAY + 12 * HOUR) == DAY + 9 * HOUR
    assert at_nine.due(DAY + 12 * HOUR + 1) is None
    assert at_nine.due(5 * DAY + 9 * HOUR) == 5 * DAY + 9 * HOUR
    assert replace(at_nine, channel=None).due(5 * DAY + 9 * HOUR) is None


def test_a_second_one_of_the_same_day_comes_for_nobody_who_changes_the_hour() -> None:
    later = replace(MORNING, hour=11, told=9 * HOUR, chosen_at=10 * HOUR)
    assert [later.due(11 * HOUR), later.due(DAY + 11 * HOUR)] == [None, DAY + 11 * HOUR]
    assert later.next_after(10 * HOUR) == DAY + 11 * HOUR
    earlier = replace(MORNING, hour=7, chosen_at=8 * HOUR)
    assert [earlier.due(8 * HOUR), earlier.due(DAY + 7 * HOUR)] == [None, DAY + 7 * HOUR]


async def test_hours_are_counted_by_the_zone_that_the_server_chooses(world: World) -> None:
    chosen = await world.bulletins.change(
        GUILD, BulletinKind.MORNING, lambda before: replace(before, channel=1, zone="UTC")
    )
    assert chosen.chosen_at == world.now
    await world.play.choose_for_server(GUILD, lambda server: replace(server, zone="Asia/Tokyo"))
    assert (await world.bulletins.of(GUILD, BulletinKind.MORNING)).zone == "Asia/Tokyo"
    assert not (await world.bulletins.of(GUILD, BulletinKind.RECAP)).zone


async def test_turning_one_off_and_on_brings_no_second_one_that_day(world: World) -> None:
    async def choose(channel: int | None) -> None:
        await world.bulletins.change(
            GUILD, BulletinKind.MORNING, lambda before: replace(before, channel=channel, zone="UTC", hour=9)
        )

    world.now = START - START % DAY + 9 * HOUR - 1
    await choose(1)
    world.now += 1
    bulletin = await world.bulletins.of(GUILD, BulletinKind.MORNING)
    assert await world.bulletins.begin(GUILD, bulletin, world.now)
    # Whether that one arrived is not known by now: the day has had its post.
    await choose(None)
    assert await world.bulletins.every() == []
    await choose(2)
    again = await world.bulletins.of(GUILD, BulletinKind.MORNING)
    assert again.due(world.now) is None
    assert again.due(world.now + DAY) == world.now + DAY
    assert not await world.bulletins.begin(GUILD, bulletin, world.now)


# the streak


async def played_on(world: World, *days: int, player: Player = ANN, private: bool = False) -> None:
    """Let ``player`` finish a hand on each of these days after the clock's first."""
    key = await world.table(player, BOB)
    if private:
        world.do("UPDATE game_table SET private = 1 WHERE table_id = ?", key.table)
    for number, day in enumerate(days):
        line = Result(player=player, points=0, chips=0, fantasyland=0, foul=False, ranked=False, game="pineapple")

        def add(s: Session, number: int = number, day: int = day, line: Result = line) -> None:
            s.tx.results.add(key, number + 1, [line], at=START + day * DAY)

        await world.sessions.write(add)


async def told(world: World, day: int, bulletin: Bulletin = MORNING) -> Morning:
    """Return the post an hour after a day's hand."""
    world.now = START + day * DAY + HOUR
    return await world.bulletins.morning(GUILD, bulletin, world.now, open_channels=[CHANNEL])


async def test_a_streak_counts_days_and_forgives_one_a_week(world: World) -> None:
    await played_on(world, 0, 1, 2, *range(4, 12), 13, 15)
    streaks = {day: await told(world, day) for day in (1, 2, 3, 4, 10, 11, 12, 13, 14, 15, 17, 18)}
    lengths = {day: morning.streak for day, morning in streaks.items()}
    # The freeze that day 3 takes is back seven days later; day 12 takes it again, and day 14 ends the streak.
    assert lengths == {1: 2, 2: 3, 3: 3, 4: 4, 10: 10, 11: 11, 12: 11, 13: 12, 14: 12, 15: 1, 17: 1, 18: 0}
    assert {day for day, morning in streaks.items() if morning.freeze} == {1, 2, 3, 11, 12, 15, 17, 18}
    # The morning after a missed day, before anyone has played.
    world.now = START + 4 * DAY - HOUR
    morning = await world.bulletins.morning(GUILD, MORNING, world.now, open_channels=[CHANNEL])
    assert (morning.streak, morning.missed, morning.freeze) == (3, True, True)


async def test_practice_alone_and_computers_keep_no_streak(world: World) -> None:
    await played_on(world, 0, 1, 2, private=True)
    await played_on(world, 0, 1, 2, player=COMPUTERS[Level.MASTER][0])
    assert not (await told(world, 2)).says_something
    await played_on(world, 1, 2, player=CLEO)
    assert (await told(world, 2)).streak == 2


async def test_days_are_those_of_the_servers_zone(world: World) -> None:
    # At eight in the morning of UTC it is evening in Auckland, and three hours later the next day there.
    key = await world.table(ANN, BOB)
    line = Result(player=ANN, points=0, chips=0, fantasyland=0, foul=False, ranked=False, game="pineapple")
    for number, moment in enumerate((START, START + 3 * HOUR)):

        def add(s: Session, number: int = number, moment: int = moment) -> None:
            s.tx.results.add(key, number + 1, [line], at=moment)

        await world.sessions.write(add)
    world.now = START + 4 * HOUR
    streaks = {}
    for zone in ("UTC", "Pacific/Auckland"):
        bulletin = replace(MORNING, zone=zone)
        streaks[zone] = (await world.bulletins.morning(GUILD, bulletin, world.now, open_channels=[CHANNEL])).streak
    midnight = datetime.fromtimestamp((START + 3 * HOUR) / 1000, ZoneInfo("Pacific/Auckland"))
    assert midnight.hour < 3
    assert streaks == {"UTC": 1, "Pacific/Auckland": 2}


# the daily hand that is over


async def known_here(world: World, *players: Player) -> None:
    """They have pressed something in the server."""
    for player in players:
        await world.play.show_hand(GUILD, player, "d1")


async def test_the_daily_hand_is_told_once_it_is_over_with_its_ranking_the_best_board_and_a_masters(
    world: World,
) -> None:
    day = day_at(world.now) + 1
    to_day(world, day)
    await known_here(world, ANN, BOB, CLEO)
    ann, bob = await played(world, ANN), await played(world, BOB, foul=True)
    await played(world, DAN)  # from another server
    assert ann.standing is not None
    assert bob.standing is not None
    same_day = await world.bulletins.morning(GUILD, MORNING, world.now, open_channels=[CHANNEL])
    assert same_day.ranked is None, "nobody is told of a hand that others may still play"
    world.now = begins_at(day + 1) + HOUR
    morning = await world.bulletins.morning(GUILD, MORNING, world.now, open_channels=[CHANNEL])
    assert morning.ranked is not None
    lines = [(place.rank, player, points) for place, player, points in morning.ranked.lines]
    assert lines == [(1, ANN, ann.standing.mine.points), (2, BOB, -6)]
    assert (morning.ranked.people, morning.ranked.best) == (2, ann.standing.mine)
    assert morning.ranked.master == ann.standing.master
    await world.play.change_member_settings(
        GUILD, ANN, lambda member_settings: replace(member_settings, profile_visible=False)
    )
    hidden = await world.bulletins.morning(GUILD, MORNING, world.now, open_channels=[CHANNEL])
    assert hidden.ranked is not None
    assert [player for _, player, _ in hidden.ranked.lines] == [BOB]
    # A bulletin that told it already, on a day whose clocks were put forward, says nothing of it.
    again = await world.bulletins.morning(
        GUILD, replace(MORNING, told=world.now - MINUTE), world.now, open_channels=[CHANNEL]
    )
    assert not again.says_something


async def test_nothing_is_told_where_nobody_has_played(world: World) -> None:
    await known_here(world, ANN)
    morning = await world.bulletins.morning(GUILD, MORNING, world.now, open_channels=[CHANNEL])
    assert not morning.says_something


# the week


SINCE, UNTIL = START, START + 7 * DAY


async def recap_of(world: World, *, seen: Collection[int] = (CHANNEL,)) -> Recap:
    """The recap of the week that begins with the clock."""
    world.now = max(world.now, UNTIL + 9 * HOUR)
    recap = await world.bulletins.recap(GUILD, since=SINCE, until=UNTIL, channel=CHANNEL, open_channels=seen)
    assert recap is not None
    return recap


async def hands_at(world: World, key: TableKey, *, hands: int) -> None:
    """Whole hands, played plainly."""
    for _ in range(hands):
        await world.play_hand(key)
        await world.next_hand(key)


async def added(world: World, key: TableKey, at: int, **chips: int) -> None:
    """Store a hand's chip results by player name, at ten chips per point."""
    names = {"ann": ANN, "bob": BOB, "cleo": CLEO, "dan": DAN}
    results = [
        Result(
            player=names[name],
            points=won // 10,
            chips=won,
            fantasyland=0,
            foul=False,
            ranked=True,
            game="pineapple",
            seat=seat,
            royalties=max(0, won // 20),
        )
        for seat, (name, won) in enumerate(chips.items())
    ]
    await world.sessions.write(lambda s: s.tx.results.add(key, next(NUMBERS), results, at=at))


NUMBERS = count(1000)


async def test_a_week_of_real_hands_is_told_as_the_database_has_it(world: World) -> None:
    first, second = await world.started(ANN, BOB), await world.started(ANN, BOB, CLEO)
    await hands_at(world, first, hands=5)
    await hands_at(world, second, hands=2)
    for key in (first, second):
        await world.play.close(key, reason="closed_by_admin")
    recap = await recap_of(world)
    # The next hand was dealt and is void.
    assert (recap.number, recap.hands, recap.players) == (1, 7, 3)
    sums = world.ask(
        "SELECT player, SUM(chips), COUNT(*) FROM result WHERE ranked = 1 GROUP BY player ORDER BY SUM(chips) DESC"
    )
    assert list(recap.top) == [RecapLine(player=Player(who), chips=int(won), hands=n) for who, won, n in sums]
    ((royalties,),) = world.ask("SELECT MAX(royalties) FROM result WHERE foul = 0")
    assert [highlight.number for highlight in recap.boards[:1]] == [royalties] * bool(royalties)
    assert list(recap.pairs) == [
        PlayerPair(first=a, second=b, hands=7 if (a, b) == (ANN, BOB) else 2)
        for a, b in [(ANN, BOB), (ANN, CLEO), (BOB, CLEO)]
    ]
    (finish,) = recap.finishes
    totals = dict(world.ask("SELECT player, SUM(points) FROM result WHERE table_id = ? GROUP BY player", first.table))
    assert (finish.table, finish.hands) == (first.table, 5)
    assert finish.points == int(totals[finish.winner]) - int(totals[finish.second]) >= 0
    assert recap.lucky
    assert recap.unlucky
    for highlight in (recap.lucky[0], recap.unlucky[0]):
        past = await world.play.past(TableKey(guild=GUILD, table=highlight.table), highlight.hand_no, highlight.player)
        review = await world.play.review(past, _hear)
        assert review.account.luck is not None
        assert highlight.number == round(10 * review.account.luck), "luck is what a review says"
    assert recap.lucky[0].number > 0 > recap.unlucky[0].number


async def _hear(_: int) -> None:
    """Ignore the number of callers waiting for a review."""


async def test_a_recap_is_kept_once_and_told_again_without_those_who_hide_since_or_are_gone(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO)
    await hands_at(world, key, hands=2)
    await world.play.close(key, reason="closed_by_admin")
    await known_here(world, ANN, BOB, CLEO)
    recap = await recap_of(world)
    assert await recap_of(world) == recap
    assert await world.bulletins.numbered(GUILD, 0) == (recap, 1)
    assert await world.bulletins.numbered(GUILD, 9) == (recap, 1)
    assert recap.people == {ANN, BOB, CLEO}
    await world.play.change_member_settings(
        GUILD, BOB, lambda member_settings: replace(member_settings, profile_visible=False)
    )
    again, _ = await world.bulletins.numbered(GUILD, 1)
    assert again is not None
    assert again.people == {ANN, CLEO}
    ((kept,),) = world.ask("SELECT COUNT(*) FROM recap_named WHERE player = ?", CLEO)
    assert kept == 1
    assert (await world.sessions.read(lambda s: s.tx.privacy.told(CLEO, "recaps")))[GUILD][0]["number"] == 1
    world.now += DAY
    await world.privacy.delete(CLEO)
    columns = RECAP_LISTS
    (row,) = world.ask(f"SELECT {', '.join(columns)} FROM recap")
    assert CLEO not in "".join(row)
    assert "gone-" in "".join(row)
    left, _ = await world.bulletins.numbered(GUILD, 1)
    assert left is not None
    assert left.people == {ANN}
    assert world.ask("SELECT COUNT(*) FROM recap_named WHERE player = ?", CLEO) == [(0,)]


async def test_nobody_who_hides_and_no_table_that_not_everybody_sees_is_named(world: World) -> None:
    shown, hidden = await world.table(ANN, BOB), await world.table(CLEO, DAN, channel=HIDDEN_CHANNEL)
    for number in range(6):
        await added(world, shown, SINCE + number * HOUR, ann=50, bob=-50)
        await added(world, hidden, SINCE + number * HOUR, cleo=400, dan=-400)
    for key in (shown, hidden):
        await world.play.close(key, reason="closed_by_admin")
    assert await world.bulletins.week_channels(GUILD, since=SINCE) == [CHANNEL, HIDDEN_CHANNEL]
    await world.play.change_member_settings(
        GUILD, BOB, lambda member_settings: replace(member_settings, profile_visible=False)
    )
    recap = await recap_of(world)
    assert (recap.hands, recap.players) == (6, 2), "who hides is counted, and no hand that not everybody sees"
    assert recap.people == {ANN}, "neither who hides nor who has played out of sight"
    assert {highlight.player for highlight in recap.boards} == {ANN}
    assert [line.player for line in recap.top] == [ANN]
    assert [*recap.finishes, *recap.pairs] == []
    ((names,),) = world.ask("SELECT COUNT(*) FROM recap_named WHERE player = ?", BOB)
    assert names == 0
    assert recap.of_nobodys_table().boards == ()


async def test_nothing_of_a_hidden_channel_earns_a_line(world: World) -> None:
    """Six hands are not seen by everyone, and one is: with badges by a hand, by an event and by a season."""
    shown, hidden = await world.table(ANN, BOB), await world.table(CLEO, DAN, channel=HIDDEN_CHANNEL)
    await added(world, shown, SINCE, ann=50, bob=-50)
    for number in range(6):
        await added(world, hidden, SINCE + number * HOUR, cleo=400, dan=-400)
    badges = [
        (ANN, Badge.ROYAL_FLUSH, shown.table),
        (CLEO, Badge.GREAT_BOARD, hidden.table),
        (CLEO, Badge.EVENT_WON, 0),
        (DAN, Badge.EVENT_HOSTED, 0),
        (BOB, Badge.SEASON_WON, 0),
    ]
    earned = [
        (player, EarnedBadge(badge=badge, at=SINCE + HOUR, table=TableId(table), hand_no=1 if table else 0))
        for player, badge, table in badges
    ]
    await world.sessions.write(lambda s: s.tx.badges.award(GUILD, earned))
    recap = await recap_of(world)
    assert {(one.player, one.badge) for one in recap.badges} == {(ANN, "royal_flush"), (BOB, "season_won")}
    assert [(pair.first, pair.second, pair.hands) for pair in recap.pairs] == [(ANN, BOB, 1)]
    assert recap.people == {ANN, BOB}
    world.do("DELETE FROM recap")
    world.do("DELETE FROM recap_named")
    everything = await recap_of(world, seen=(CHANNEL, HIDDEN_CHANNEL))
    assert everything.people == {ANN, BOB, CLEO, DAN}, "the test would see nothing"
    assert {one.badge for one in everything.badges} == {"royal_flush", "great_board", "season_won"}


async def test_a_streak_counts_hands_that_everyone_sees(world: World) -> None:
    for days, channel in ((2, CHANNEL), (1, HIDDEN_CHANNEL), (0, HIDDEN_CHANNEL)):
        await added(world, await world.table(ANN, BOB, channel=channel), START - days * DAY, ann=50, bob=-50)
    world.now = START + HOUR
    for seen, days in (([CHANNEL], 1), ([CHANNEL, HIDDEN_CHANNEL], 3)):
        assert (await world.bulletins.morning(GUILD, MORNING, world.now, open_channels=seen)).streak == days


async def event(world: World, name: str, *players: Player, channel: int = CHANNEL) -> None:
    """An event that these have played to its end, the first of them in front."""
    plan = PlannedEvent(
        guild=GUILD,
        channel=channel,
        organiser=players[0],
        language="en",
        name=name,
        variant=PINEAPPLE,
        structure=PRESETS["chaipo"],
        clock=PER_TURN,
        starts_at=world.now + HOUR,
    )
    key = (await world.events.create(plan, cause=world.cause())).key
    for player in players:
        await world.events.register(key, player, cause=world.cause())
    await world.events.start(key, Official(player=players[0], manager=True), cause=world.cause())
    (table,) = world.ask("SELECT table_id FROM game_table WHERE event_id = ? LIMIT 1", key.number)
    results = [
        Result(player=player, points=0, chips=0, fantasyland=0, foul=False, ranked=False, game="pineapple", seat=seat)
        for seat, player in enumerate(players)
    ]
    at_table = TableKey(guild=GUILD, table=TableId(table[0]))
    await world.sessions.write(lambda s: s.tx.results.add(at_table, next(NUMBERS), results, at=world.now))
    for place, player in enumerate(players, 1):
        world.do(
            "UPDATE entrant SET place = ?, prize = ?, state = 'out' WHERE event_id = ? AND player = ?",
            *(place, 100 if place == 1 else 0, key.number, player),
        )
    world.do("UPDATE event SET phase = 'ended', ended_at = ? WHERE event_id = ?", world.now, key.number)
    await world.restart()


async def test_a_week_of_events_tells_them_apart_from_cash_and_names_every_champion(world: World) -> None:
    names = [f"Cup {number}" for number in range(5)]
    for number, name in enumerate(names):
        await event(world, name, *((ANN, BOB, CLEO) if number == 3 else (BOB, ANN)))
    await event(world, "Secret", CLEO, DAN, ANN, BOB, channel=HIDDEN_CHANNEL)
    recap = await recap_of(world)
    assert (recap.hands, recap.players) == (0, 0)
    assert (recap.event_hands, recap.event_players, recap.events) == (5, 3, 5)
    assert [(one.event, one.player) for one in recap.victories] == [
        (name, ANN if number == 3 else BOB) for number, name in enumerate(names)
    ]
    assert [(one.event, one.people, one.place, one.player, one.won) for one in recap.podium] == [
        ("Cup 3", 3, place, player, won) for place, player, won in ((1, ANN, 100), (2, BOB, 0), (3, CLEO, 0))
    ]
    assert await world.sessions.read(lambda s: s.tx.bulletins.recap(GUILD, 1)) == recap
    # Players who make their profile private later are left out everywhere.
    await world.play.change_member_settings(
        GUILD, ANN, lambda member_settings: replace(member_settings, profile_visible=False)
    )
    later, _ = await world.bulletins.numbered(GUILD, 1)
    assert later is not None
    assert [one.player for one in later.podium] == [BOB, CLEO]
    assert {one.player for one in later.victories} == {BOB}


async def test_only_the_weeks_own_hands_count_and_climbers_went_up_in_it(world: World) -> None:
    key = await world.table(ANN, BOB, CLEO, seats=3)
    await added(world, key, SINCE - 1, ann=300, bob=100, cleo=-400)
    await added(world, key, SINCE, bob=500, ann=-500)
    await added(world, key, SINCE + DAY, cleo=90, bob=-90)
    await added(world, key, UNTIL - 1, dan=10, ann=-10)
    await added(world, key, UNTIL, ann=5000, dan=-5000)
    recap = await recap_of(world)
    assert (recap.hands, recap.players) == (3, 4)
    assert [(line.player, line.chips) for line in recap.top] == [(BOB, 410), (CLEO, 90), (DAN, 10), (ANN, -510)]
    # Before: Ann 300, Bob 100, Cleo -400. At the end: Bob 510, Dan 10, Ann -210, Cleo -310. Dan is new.
    assert [(climb.player, climb.places, climb.rank) for climb in recap.climbs] == [(BOB, 1, 1)]
    assert recap.finishes == [], "the table is still open"


async def test_who_beats_a_master_at_a_daily_hand_of_the_week_is_named(world: World) -> None:
    day = day_at(SINCE) + 2
    to_day(world, day)
    await known_here(world, ANN, BOB)
    ann = await played(world, ANN)
    await played(world, BOB, foul=True)
    assert ann.standing is not None
    # The tests' master is a computer that plays like Ann: let it have done worse.
    world.now = begins_at(day + 1) + HOUR
    await world.daily.over(day)
    streets = ["FFFMM", "MMD", "MBD", "BBD", "BBD"]
    world.do("UPDATE challenge SET master = ? WHERE day = ?", f"[{streets}]".replace("'", '"'), day)
    nothing = await world.bulletins.recap(GUILD, since=SINCE, until=UNTIL, channel=CHANNEL, open_channels=[CHANNEL])
    assert nothing is None, "the morning posts have told it"
    await added(world, await world.table(CLEO, DAN), SINCE + DAY, cleo=50, dan=-50)
    recap = await recap_of(world)
    assert ann.standing.mine.points > -6
    assert list(recap.masters) == [ANN]
    assert recap.hands == 1


async def test_a_week_in_which_nothing_was_played_has_no_recap(world: World) -> None:
    world.now = UNTIL + HOUR
    none = await world.bulletins.recap(GUILD, since=SINCE, until=UNTIL, channel=CHANNEL, open_channels=[CHANNEL])
    assert none is None
    assert world.ask("SELECT COUNT(*) FROM recap") == [(0,)]
    assert await world.bulletins.numbered(GUILD, 0) == (None, 0)


def test_the_week_of_a_recap_is_seven_days_of_its_zone() -> None:
    recap = Bulletin(kind=BulletinKind.RECAP, channel=1, hour=9, weekday=0, zone=BERLIN)
    since, until = recap.week_before(at("2026-10-26 09:00"))
    assert (since, until) == (at("2026-10-19 00:00"), at("2026-10-26 00:00"))
    assert until - since == 7 * DAY + HOUR, "an hour more: the clocks were put back"


def test_everybody_whom_a_recap_names_can_be_left_out() -> None:
    assert len(RECAP.people) == 2
    assert not RECAP.without(RECAP.people).people
    told = RECAP.of_nobodys_table()
    left = {name for name in RECAP_LISTS if getattr(told, name)}
    assert left == {"climbs", "masters", "dailies"}, "what is on leaderboards, and hands of a day"
    assert told.climbs == RECAP.climbs
