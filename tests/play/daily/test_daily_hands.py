"""The daily and the weekly hand: one committed deck for everyone, one try, and no early disclosure."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import override

from bot.model.clock import DAY
from bot.model.daily import ChallengeId, DailyPlace, Series, begins_at, day_at, game_of
from bot.model.errors import ComputationFailedError
from bot.model.ids import Player
from bot.model.reasons import DailyReason
from bot.play.daily.views import AttemptView
from bot.play.queries.reviews import MAX_SECONDS
from bot.pure.ofc.hand import HandStatus
from bot.pure.ofc.presets import JOKER_PINEAPPLE, PINEAPPLE, PROGRESSIVE, THIRTEEN
from bot.pure.ofc.proof import check_proof
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.view import HandView
from bot.run.cli.sealed import opened_by
from bot.run.wiring import daily_master
from bot.store.sqlite.backup import back_up
from bot.store.sqlite.database import MIGRATIONS
from bot.workers.worker_pool import WorkerPool
from tests.databases import REFUSED
from tests.play.test_restore import findings, put_back
from tests.play.world import ANN, BOB, CLEO, World, quickly


async def today(world: World, player: Player = ANN, series: Series = Series.DAILY) -> AttemptView:
    """Return a player's view of today's hand."""
    view = await world.daily.today(player)
    if world.think is quickly:
        await world.daily.done()
    if series is Series.DAILY:
        return view
    return await world.daily.look(next(hand.number for hand in view.beside if hand.series is series), player)


async def begun(world: World, player: Player = ANN, series: Series = Series.DAILY) -> ChallengeId:
    """Let a player begin today's hand."""
    number = (await today(world, player, series)).of.number
    await world.daily.begin(number, player, cause=world.cause())
    return number


async def street(world: World, number: ChallengeId, player: Player, rows: str | None = None) -> str:
    """Place one street for a player, by default like a computer player."""
    hand = (await world.daily.look(number, player)).hand
    assert hand is not None
    rows = rows or await quickly(hand)
    await world.daily.place(number, player, street=hand.street, rows=rows, cause=world.cause())
    return rows


async def finish(world: World, number: ChallengeId, player: Player, *, foul: bool = False) -> AttemptView:
    """Play a player's hand to its end."""
    while not (view := await world.daily.look(number, player)).standing:
        assert view.hand is not None
        await street(world, number, player, _front_first(view.hand) if foul else None)
    return view


async def played(world: World, player: Player = ANN, *, foul: bool = False) -> AttemptView:
    """Let a player play today's hand."""
    return await finish(world, await begun(world, player), player, foul=foul)


def _front_first(view: HandView) -> str:
    """Place from the front on, which fouls with the seeds of these tests."""
    assert view.mine
    free = [letter for letter, row in zip("FMB", view.mine.rows, strict=True) for _ in range(_size(letter) - len(row))]
    return "".join(free[: view.to_place]) + "D" * (len(view.mine.held) - view.to_place)


def _size(letter: str) -> int:
    return 3 if letter == "F" else 5


def to_day(world: World, day: int) -> None:
    """Set the clock to the morning of a day."""
    world.now = begins_at(day) + 8 * 3_600_000


def to_sunday(world: World, game: object) -> None:
    """Set the clock to the next Sunday with this game."""
    day = day_at(world.now)
    to_day(world, next(other for other in range(day, day + 30) if game_of(Series.WEEKLY, other) is game))


# one deck


async def test_everybody_is_dealt_the_same_cards_in_every_street(world: World) -> None:
    number = await begun(world, ANN)
    await begun(world, BOB)
    for _ in range(5):
        (one, other) = [(await world.daily.look(number, player)).hand for player in (ANN, BOB)]
        assert one is not None
        assert other is not None
        assert one.mine is not None
        assert other.mine is not None
        assert one.mine.held == other.mine.held
        await street(world, number, ANN)
        await street(world, number, BOB, _front_first(other))


async def test_it_is_committed_to_before_anybody_begins_and_a_day_ahead(world: World) -> None:
    view = await today(world)
    before, tomorrow = view.of.commitment, view.tomorrow
    assert len(before) == 32
    await played(world)
    assert (await today(world)).of.commitment == before
    world.now += DAY
    assert (await today(world)).of.commitment == tomorrow
    assert tomorrow != before


async def test_the_hand_of_a_day_is_made_once_whoever_asks_first(world: World) -> None:
    seen = await asyncio.gather(*(today(world, player) for player in (ANN, BOB, CLEO)))
    assert len({view.of.number for view in seen}) == 1
    await world.restart(after_ms=1000)
    assert (await today(world)).of == seen[0].of


async def test_looking_shows_no_card_before_it_was_begun(world: World) -> None:
    view = await today(world)
    assert (view.hand, view.standing) == (None, None)
    await played(world, BOB)
    view = await today(world, ANN)
    assert (view.hand, view.standing, view.people) == (None, None, 1)


async def test_a_hand_shows_its_player_nothing_that_is_to_come(world: World) -> None:
    number = await begun(world)
    seen: set[int] = set()
    for cards in (5, 8, 11, 14, 17):
        hand = (await world.daily.look(number, ANN)).hand
        assert hand is not None
        assert hand.mine is not None
        seen |= {card for card in hand.mine.held if card is not None}
        assert len(seen) == cards
        assert hand.score is None
        await street(world, number, ANN)


async def test_a_review_tells_what_its_player_has_seen_and_placed_and_nobody_else_before_they_have_played(
    world: World,
) -> None:
    number = await begun(world)
    placed, seen = [], []
    for _ in range(5):
        view = await world.daily.look(number, ANN)
        assert view.standing is None
        assert view.hand is not None
        assert view.hand.mine is not None
        placed.append(await quickly(view.hand))
        seen.append(view.hand.mine.held)
        await street(world, number, ANN)
    standing = (await world.daily.look(number, ANN)).standing
    assert standing is not None
    assert [one.cards for one in standing.streets] == seen
    assert [one.mine for one in standing.streets] == placed
    assert (await world.daily.look(number, BOB)).standing is None


# one try


async def test_it_ends_with_points_beside_those_of_a_master(world: World) -> None:
    view = await played(world)
    assert view.hand is not None
    assert view.hand.status is HandStatus.ENDED
    assert view.standing is not None
    mine, master = view.standing.mine, view.standing.master
    assert [len(row) for row in mine.rows] == [3, 5, 5]
    assert [len(row) for row in master.rows] == [3, 5, 5]
    assert mine == master, "both were placed by the same computer"
    assert view.standing.place is None


async def test_a_foul_costs_six_points(world: World) -> None:
    view = await played(world, foul=True)
    assert view.standing is not None
    assert (view.standing.mine.foul, view.standing.mine.points) == (True, -6)


async def test_nobody_begins_twice(world: World) -> None:
    number = await begun(world)
    with world.stale():
        await world.daily.begin(number, ANN, cause=world.cause())
    await finish(world, number, ANN)
    with world.refuses(DailyReason.DAY_PLAYED):
        await world.daily.begin(number, ANN, cause=world.cause())


async def test_two_presses_at_once_begin_one_try(world: World) -> None:
    number = (await today(world)).of.number
    tries = [world.daily.begin(number, ANN, cause=world.cause()) for _ in range(3)]
    done = await asyncio.gather(*tries, return_exceptions=True)
    assert [one is None for one in done].count(True) == 1
    assert world.ask("SELECT COUNT(*) FROM attempt") == [(1,)]


async def test_a_street_is_placed_once(world: World) -> None:
    number = await begun(world)
    cause = world.cause()
    await world.daily.place(number, ANN, street=1, rows="BBBMM", cause=cause)
    for again in (cause, world.cause()):
        with world.stale():
            await world.daily.place(number, ANN, street=1, rows="MMMBB", cause=again)


async def test_what_cannot_be_placed_changes_nothing(world: World) -> None:
    number = await begun(world)
    with world.changes_nothing(), pytest.raises(Exception, match="wrong_count"):
        await world.daily.place(number, ANN, street=1, rows="DDDDD", cause=world.cause())
    with world.stale():
        await world.daily.place(number, BOB, street=1, rows="BBBMM", cause=world.cause())
    with world.stale():
        await world.daily.place(ChallengeId(99), ANN, street=1, rows="BBBMM", cause=world.cause())


async def test_a_finished_hand_takes_no_more_cards(world: World) -> None:
    number = await begun(world)
    await finish(world, number, ANN)
    for street_no in (1, 5, 6):
        with world.stale():
            await world.daily.place(number, ANN, street=street_no, rows="BBD", cause=world.cause())


async def test_a_try_goes_on_after_a_restart(world: World) -> None:
    number = await begun(world)
    first = await street(world, number, ANN)
    await world.restart(after_ms=3_600_000)
    view = await world.daily.look(number, ANN)
    assert view.hand is not None
    assert view.hand.mine is not None
    assert (view.hand.street, len(first)) == (2, 5)
    assert (await finish(world, number, ANN)).standing is not None


# midnight


async def test_at_midnight_utc_it_is_over_also_in_the_middle_of_a_hand(world: World) -> None:
    number = await begun(world)
    await street(world, number, ANN)
    day = day_at(world.now)
    world.now = begins_at(day + 1) - 1
    await street(world, number, ANN)
    assert (await world.daily.look(number, ANN)).closed is None
    world.now += 1
    assert (await world.daily.look(number, ANN)).closed is DailyReason.DAY_OVER
    with world.refuses(DailyReason.DAY_OVER):
        await street(world, number, ANN)
    with world.refuses(DailyReason.DAY_OVER):
        await world.daily.begin(number, BOB, cause=world.cause())
    solved = await world.daily.solved(number, ANN)
    assert (solved.people, solved.mine) == (0, None), "what was not finished counts for nothing"
    assert (await today(world)).streak == 0


async def test_its_cards_and_its_seed_are_told_only_when_nobody_can_play_it_any_more(world: World) -> None:
    number = await begun(world)
    await finish(world, number, ANN)
    until = begins_at(day_at(world.now) + 1)
    for ask in (lambda: world.daily.solved(number, ANN), lambda: world.daily.proof(number)):
        with world.refuses(DailyReason.DAY_NOT_OVER, until=str(until // 1000)):
            await ask()
    assert world.ask("SELECT COUNT(*) FROM challenge WHERE seed IS NOT NULL") == [(0,)]
    world.now = until
    assert (await today(world)).previous == number
    solved = await world.daily.solved(number, BOB)
    assert [len(cards) for cards, _ in solved.streets] == [5, 3, 3, 3, 3]
    assert (solved.people, solved.mine) == (1, None)


async def test_what_was_revealed_gives_the_deck_that_was_committed_to(world: World) -> None:
    view = await played(world)
    world.now += DAY
    record = await world.daily.proof(view.of.number)
    assert check_proof(record).ok
    assert record["commitment"] == view.of.commitment.hex()
    solved = await world.daily.solved(view.of.number, ANN)
    dealt = [card for cards, _ in solved.streets for card in cards]
    assert list(check_proof(record).deck[:17]) == dealt


async def test_a_hand_that_nobody_has_played_is_solved_too(world: World) -> None:
    number = (await today(world)).of.number
    world.now += DAY
    solved = await world.daily.solved(number, ANN)
    assert (solved.people, solved.best) == (0, None)
    assert [len(row) for row in solved.master.rows] == [3, 5, 5]


# among all


async def test_places_are_counted_by_points(world: World) -> None:
    fouled = await played(world, BOB, foul=True)
    other = await played(world, CLEO, foul=True)
    best = await played(world, ANN)
    assert fouled.standing is not None
    assert other.standing is not None
    assert best.standing is not None
    assert best.standing.mine.points > -6
    places = [(await today(world, player)).standing for player in (ANN, BOB, CLEO)]
    assert [standing and standing.place for standing in places] == [
        DailyPlace(others=2, beaten=2, equal=0),
        DailyPlace(others=2, beaten=0, equal=1),
        DailyPlace(others=2, beaten=0, equal=1),
    ]
    assert (await today(world)).people == 3
    assert findings(world) == []


# streaks


async def test_days_in_a_row_make_a_streak_that_one_missed_day_does_not_break(world: World) -> None:
    for length in (1, 2, 3):
        assert (await played(world)).streak == length
        world.now += DAY
    world.now += DAY
    assert ((await today(world)).streak, (await today(world)).freeze) == (3, True)
    view = await played(world)
    assert (view.streak, view.freeze) == (4, False)
    world.now += 2 * DAY
    assert (await today(world)).streak == 0
    assert (await played(world)).streak == 1


async def test_a_weekly_hand_is_no_day_of_a_streak(world: World) -> None:
    to_sunday(world, PROGRESSIVE)
    await finish(world, await begun(world, ANN, Series.WEEKLY), ANN)
    assert (await today(world)).streak == 0
    assert (await played(world)).streak == 1


# Sundays


@pytest.mark.parametrize("game", [PROGRESSIVE, JOKER_PINEAPPLE, THIRTEEN], ids=lambda game: game.key)
async def test_on_sundays_a_game_of_another_kind_is_played_beside_it(world: World, game: object) -> None:
    to_sunday(world, game)
    (view, other) = (await today(world), await today(world, ANN, Series.WEEKLY))
    assert (view.of.game, other.of.game) == (PINEAPPLE, game)
    assert (view.beside, other.beside) == ((other.of,), (view.of,))
    number = await begun(world, ANN, Series.WEEKLY)
    view = await finish(world, number, ANN)
    assert view.standing is not None
    assert view.people == 1
    world.now += DAY
    assert (await today(world)).beside == ()
    assert check_proof(await world.daily.proof(number)).ok
    assert (await world.daily.solved(number, ANN)).mine == view.standing.mine
    to_day(world, day_at(world.now) + 6)
    assert (await today(world, ANN, Series.WEEKLY)).previous == number
    assert findings(world) == []


async def test_a_board_that_is_set_at_once_is_played_against_three_masters_who_are_the_same_for_all(
    world: World,
) -> None:
    to_sunday(world, THIRTEEN)
    number = await begun(world, ANN, Series.WEEKLY)
    await begun(world, BOB, Series.WEEKLY)
    hand = (await world.daily.look(number, ANN)).hand
    assert hand is not None
    assert [seat.placed for seat in hand.seats] == [False, True, True, True]
    assert all(card is None for seat in hand.seats[1:] for row in seat.rows for card in row), "nothing is turned up"
    one, other = await finish(world, number, ANN), await finish(world, number, BOB)
    assert one.standing is not None
    assert other.standing is not None
    assert one.standing.mine == other.standing.mine


# sharing


async def test_a_result_is_posted_once_in_a_channel(world: World) -> None:
    number = await begun(world)
    with world.stale():
        await world.daily.share(number, ANN, channel=70)
    await finish(world, number, ANN)
    await world.daily.share(number, ANN, channel=70)
    with world.refuses(DailyReason.SHARED_HERE):
        await world.daily.share(number, ANN, channel=70)
    await world.daily.share(number, ANN, channel=71)
    with world.stale():
        await world.daily.share(number, BOB, channel=70)


# a master


async def test_a_master_thinks_once_about_a_hand_however_many_begin_it(world: World) -> None:
    seen: list[HandView] = []

    async def think(view: HandView) -> str:
        seen.append(view)
        await asyncio.sleep(0)
        return await quickly(view)

    world.think = think
    number = (await today(world)).of.number
    await asyncio.gather(*(world.daily.begin(number, player, cause=world.cause()) for player in (ANN, BOB, CLEO)))
    assert len(seen) == 5
    assert all(view.mine is not None and len(view.seats) == 1 for view in seen)


async def test_what_a_master_has_placed_is_kept_in_letters_and_told_to_nobody_before_they_have_played(
    world: World,
) -> None:
    number = await begun(world)
    await street(world, number, ANN)
    ((kept,),) = world.ask("SELECT master FROM challenge WHERE challenge_id = ?", number)
    assert set(kept) <= set('[]",FMBD')
    assert (await world.daily.look(number, ANN)).standing is None


# errors


@pytest.mark.of_sqlite
async def test_after_a_restore_the_day_has_another_deck_and_who_has_played_may_play_that(
    world: World, tmp_path: Path
) -> None:
    view = await played(world)
    await begun(world, BOB)
    copy = tmp_path / "copy.db"
    back_up(world.path, copy, MIGRATIONS, secrets=opened_by(world.vault))
    await played(world, CLEO)
    await put_back(world, copy, after_ms=1000)
    assert findings(world) == []
    again = await today(world)
    assert again.of.number != view.of.number
    assert again.of.commitment != view.of.commitment
    assert again.hand is None
    with world.refuses(DailyReason.DAY_DEALT_ANEW):
        await street(world, view.of.number, BOB)
    assert (await played(world)).streak == 1, "one day is one day"
    world.now += DAY
    assert check_proof(await world.daily.proof(view.of.number)).ok
    assert findings(world) == []


async def test_a_deck_whose_key_is_lost_is_replaced_and_never_shown(real_world: World) -> None:
    world = real_world
    view = await today(world)
    await begun(world)
    await world.close()
    world.key_file.unlink()
    await world.open()
    again = await today(world)
    assert again.of.number != view.of.number
    with world.refuses(DailyReason.DAY_DEALT_ANEW):
        await world.daily.begin(view.of.number, BOB, cause=world.cause())
    with world.refuses(DailyReason.DAY_LOST):
        await world.daily.look(view.of.number, ANN)
    world.now += DAY
    await today(world)
    with world.refuses(DailyReason.DAY_LOST):
        await world.daily.solved(view.of.number, ANN)


@pytest.mark.parametrize(
    ("damage", "found"),
    [
        ("UPDATE challenge_count SET people = 5", "hand 1 of the day counts 5 tries of -6 points, but 1 were finished"),
        ("UPDATE attempt SET points = 7", "hand 1 of the day counts 0 tries of 7 points, but 1 were finished"),
        ("UPDATE attempt SET points = NULL, ended_at = NULL", "has points or an end, but not both"),
        ("INSERT INTO attempt (challenge_id, player, begun_at) VALUES (2, '9', 1)", "has 0 entries"),
        ("UPDATE challenge SET commitment = sealed_seed", "hand 1 of the day: the seed is not the committed one"),
        ("UPDATE challenge SET sealed_seed = commitment", "hand 1 of the day: the key that sealed the seed of daily"),
        ("INSERT INTO attempt_fact VALUES (1, '1001', 99, 'odd', '{}', NULL, 1)", "cannot be replayed"),
    ],
)
async def test_a_check_finds_damage(world: World, damage: str, found: str) -> None:
    await played(world, foul=True)
    assert findings(world) == []
    world.do(damage)
    assert any(found in line for line in findings(world)), findings(world)


async def test_what_was_placed_cannot_be_changed(world: World) -> None:
    await begun(world)
    for change in ("UPDATE attempt_fact SET payload = '{}'", "DELETE FROM attempt_fact"):
        with pytest.raises(REFUSED, match="facts are final"):
            world.do(change)


async def nobody(view: HandView) -> str:
    """Fail to compute."""
    raise ComputationFailedError


async def test_a_result_waits_until_a_master_can_think_and_nothing_of_it_is_lost(world: World) -> None:
    world.think = nobody
    number = await begun(world)
    while (view := await world.daily.look(number, ANN)).hand and view.hand.street < 5:
        await street(world, number, ANN)
    await street(world, number, ANN)
    with pytest.raises(Refused, match="no_master"):
        await world.daily.look(number, ANN)
    assert (await today(world, BOB)).people == 1
    world.think = quickly
    assert (await world.daily.look(number, ANN)).standing is not None


async def test_what_a_master_has_thought_out_is_not_thought_out_again(world: World) -> None:
    asked: list[int] = []

    async def often_interrupted(view: HandView) -> str:
        asked.append(view.street)
        if len(asked) in (2, 5):
            raise ComputationFailedError
        return await quickly(view)

    world.think = nobody
    number = await begun(world)
    while (view := await world.daily.look(number, ANN)).hand and view.hand.street < 5:
        await street(world, number, ANN)
    await street(world, number, ANN)
    world.think = often_interrupted
    for _ in range(2):
        with pytest.raises(Refused, match="no_master"):
            await world.daily.look(number, ANN)
    assert (await world.daily.look(number, ANN)).standing is not None
    assert asked == [1, 2, 2, 3, 4, 4, 5], "street by street, each until it was found"


async def test_a_master_of_the_day_has_the_time_of_a_review(world: World) -> None:
    class Watched(WorkerPool):
        """Remembers how long a thought might have taken."""

        def __init__(self) -> None:
            super().__init__()
            self.seconds: list[float] = []

        @override
        async def think(self, *args: Any, **options: Any) -> Any:
            self.seconds.append(options["seconds"])
            return "FFFFF"

    view = (await world.daily.look(await begun(world), ANN)).hand
    assert view is not None
    watched = Watched()
    await daily_master(watched)(view)
    assert watched.seconds == [MAX_SECONDS]


async def test_a_master_of_the_day_plays_for_what_the_day_counts(world: World) -> None:
    """By the number of cards: no next hand is played, so that what it would win is nothing to them."""
    asked: list[Mapping[int, float]] = []

    class Noting(WorkerPool):
        """Notes what a thought plays for."""

        @override
        async def think(self, job: Any, **options: Any) -> Any:
            asked.append(job.keywords["entering"])
            return "FFFFF"

    view = (await world.daily.look(await begun(world), ANN)).hand
    assert view is not None
    await daily_master(Noting())(view)
    await daily_master(Noting())(replace(view, variant=PROGRESSIVE))
    assert asked == [{14: 10}, {14: 10, 15: 15, 16: 20, 17: 25}]


async def test_where_boards_are_set_at_once_nobody_begins_before_the_masters_have_set_theirs(world: World) -> None:
    to_sunday(world, THIRTEEN)
    world.think = nobody
    number = (await today(world, ANN, Series.WEEKLY)).of.number
    with world.refuses(DailyReason.NO_MASTER):
        await world.daily.begin(number, ANN, cause=world.cause())
    world.think = quickly
    await world.daily.begin(number, ANN, cause=world.cause())


async def test_a_bot_that_stops_while_a_master_thinks_has_another_one_think_later(world: World) -> None:
    async def never(view: HandView) -> str:
        await asyncio.sleep(1000)
        raise AssertionError

    world.think = never
    number = await begun(world)
    world.think = quickly
    await world.restart()
    assert (await finish(world, number, ANN)).standing is not None
