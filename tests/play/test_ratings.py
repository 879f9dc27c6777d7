"""Ratings of a server: taught by the hands that are settled, and the same when they are worked out once more."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.model.clock import DAY, HOUR
from bot.model.ids import TableKey
from bot.model.standings import LeaderboardOrder, LeaderboardQuery, RankingPlace
from bot.play.session.session import Session
from bot.pure.rating.model import MODEL, Rating, RatingVersion
from bot.pure.solver.levels import Level
from bot.store.rating_checks import replayed
from tests.play.test_restore import findings
from tests.play.world import ANN, BOB, CLEO, EVE, GUILD, World


async def played(world: World) -> TableKey:
    """Two tables with three and two hands, and a practice table with a computer."""
    await world.open()
    for players, hands in (((ANN, BOB, CLEO), 3), ((BOB, EVE), 2)):
        key = await world.started(*players)
        for number in range(hands):
            if number:
                await world.next_hand(key)
            await world.play_hand(key)
    return key


@pytest.mark.on_both
async def test_ratings_are_what_the_results_make(tmp_path: Path) -> None:
    world = World(tmp_path)
    await played(world)

    def look(s: Session) -> None:
        tx = s.tx
        assert tx.ratings.rating_book(GUILD) == RatingVersion(model=MODEL, lessons=5)
        ratings = tx.ratings.all_ratings(GUILD)
        hands = {player: rating.hands for (_, player), rating in ratings.items()}
        assert hands == {ANN: 3, BOB: 5, CLEO: 3, EVE: 2}
        made = replayed(tx, GUILD)
        assert (made.ratings, made.luck) == (ratings, tx.ratings.all_luck(GUILD))

    await world.sessions.read(look)
    await world.close()


async def test_a_check_finds_ratings_that_the_results_do_not_make(tmp_path: Path) -> None:
    world = World(tmp_path)
    await played(world)
    await world.close()
    world.do(f"UPDATE rating SET mean = mean + 1 WHERE player = '{ANN}'")
    world.do("UPDATE luck SET squares = squares + 1")
    assert findings(world) == [
        f"server {GUILD}: the rating of '{ANN}' in 'pineapple' does not follow from the results",
        f"server {GUILD}: the luck of 'pineapple' does not follow from the results",
    ]


async def test_a_start_makes_what_another_model_has_made(tmp_path: Path) -> None:
    world = World(tmp_path)
    await played(world)
    before = await world.sessions.read(lambda s: s.tx.ratings.all_ratings(GUILD))
    await world.close()
    world.do("UPDATE rating SET mean = 0")
    world.do("UPDATE rating_book SET model = 0")
    assert findings(world) == []
    await world.open()
    assert await world.sessions.read(lambda s: s.tx.ratings.all_ratings(GUILD)) == before
    assert findings(world) == []
    await world.close()


async def test_nobody_is_rated_for_hands_with_computers(tmp_path: Path) -> None:
    world = World(tmp_path)
    await world.open()
    key = await world.table(ANN, BOB, point_value=0)
    await world.play.join_computer(key, ANN, level=Level.CLUB, cause=world.cause())
    await world.play.start(key, ANN, cause=world.cause())
    await world.play_hand(key)
    assert await world.sessions.read(lambda s: s.tx.ratings.rating_book(GUILD)) is None
    await world.close()


@pytest.mark.parametrize("least", [1, 4])
async def test_a_leaderboard_by_rating_lists_those_with_enough_hands(
    tmp_path: Path, least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(tmp_path)
    await played(world)

    def look(s: Session) -> None:
        tx = s.tx
        every = {
            player: rating for (_, player), rating in tx.ratings.all_ratings(GUILD).items() if rating.hands >= least
        }
        wanted = sorted(every, key=lambda player: -every[player].least)
        lines = tx.ratings.best_rated(GUILD, "pineapple", now=s.now, least=least, limit=9, skip=0)
        assert [line.player for line in lines] == wanted
        assert tx.ratings.rated(GUILD, "pineapple", least=least) == len(wanted)
        for place, line in enumerate(lines, 1):
            found = tx.ratings.rated_place(GUILD, "pineapple", line.player, now=s.now, least=least)
            assert found == (line, RankingPlace(rank=place))
        assert tx.ratings.rated_place(GUILD, "classic", ANN, now=s.now, least=least) is None

    await world.sessions.read(look)
    board = await world.play.leaderboard(GUILD, LeaderboardQuery(LeaderboardOrder.RATING), ANN, page=0, lines=10)
    assert (board.group, list(board.lines), board.games) == ("pineapple", [], ["pineapple"])
    await world.close()


def known_less(s: Session) -> None:
    """The leader falls behind an equally certain player who played later, and is shown with the lower certainty."""
    tx, at = s.tx, s.now - 400 * DAY
    tx.ratings.save_ratings(
        GUILD,
        "pineapple",
        {
            ANN: Rating(mean=1.5, deviation=0.2, hands=900, at=at),
            BOB: Rating(mean=1.2, deviation=0.2, hands=900, at=s.now - 30 * DAY),
            CLEO: Rating(mean=1.9, deviation=1.6, hands=900, at=at),
            EVE: Rating(mean=1.7, deviation=1.499, hands=900, at=at),
        },
    )
    every = {player: rating.by(s.now) for (_, player), rating in tx.ratings.all_ratings(GUILD).items()}
    lines = tx.ratings.best_rated(GUILD, "pineapple", now=s.now, least=25, limit=9, skip=0)
    assert [line.player for line in lines] == [BOB, ANN, CLEO, EVE]
    assert {line.player: line.rating for line in lines} == every
    assert {player: round(rating.off, 2) for player, rating in every.items()} == {
        ANN: 1.48,
        BOB: 0.39,
        CLEO: 3.14,
        EVE: 2.94,
    }
    for place, line in enumerate(lines, 1):
        found = tx.ratings.rated_place(GUILD, "pineapple", line.player, now=s.now, least=25)
        assert found == (line, RankingPlace(rank=place))
    first = tx.ratings.best_rated(GUILD, "pineapple", now=at, least=25, limit=1, skip=0)
    assert [line.player for line in first] == [ANN]


@pytest.mark.on_both
async def test_who_was_away_for_long_is_listed_by_what_is_still_known(tmp_path: Path) -> None:
    world = World(tmp_path)
    await world.open()
    await world.sessions.write(known_less)
    board = await world.play.leaderboard(GUILD, LeaderboardQuery(LeaderboardOrder.RATING), ANN, page=0, lines=1)
    assert [line.player for line in board.lines] == [BOB, ANN]
    assert board.own_place == RankingPlace(rank=2)
    shown = (await world.play.profile(GUILD, ANN, ANN)).rating
    assert shown is not None
    assert round(shown.off, 2) == 1.48
    await world.close()


@pytest.mark.on_both
async def test_ratings_are_made_again_from_results_with_the_time_away(tmp_path: Path) -> None:
    world = World(tmp_path)
    key = await played(world)
    before = await world.sessions.read(lambda s: s.tx.ratings.all_ratings(GUILD))
    world.now += 200 * DAY
    await world.next_hand(key)
    await world.play_hand(key)

    def look(s: Session) -> None:
        kept, made = s.tx.ratings.all_ratings(GUILD), replayed(s.tx, GUILD)
        assert made.ratings == kept
        assert kept["pineapple", BOB].at == s.now
        assert kept["pineapple", ANN].at < s.now - 200 * DAY + HOUR
        assert kept["pineapple", ANN] == before["pineapple", ANN]
        assert kept["pineapple", BOB].deviation > before["pineapple", BOB].deviation, "one more hand, and 200 days"

    await world.sessions.read(look)
    assert findings(world) == []
    await world.close()
