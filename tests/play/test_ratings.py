"""Ratings of a server: taught by the hands that are settled, and the same when they are worked out once more."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.model.ids import TableKey
from bot.model.ratings import MODEL, Book
from bot.model.standings import Asked, Order, Place
from bot.play.session.session import Session
from bot.solver.levels import Level
from bot.store.rating_books import replayed
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
        assert tx.rating_book(GUILD) == Book(model=MODEL, lessons=5)
        ratings = tx.all_ratings(GUILD)
        hands = {player: rating.hands for (_, player), rating in ratings.items()}
        assert hands == {ANN: 3, BOB: 5, CLEO: 3, EVE: 2}
        made = replayed(tx, GUILD)
        assert (made.ratings, made.luck) == (ratings, tx.all_luck(GUILD))

    await world.sessions.read(look)
    await world.close()


async def test_a_check_finds_ratings_that_the_results_do_not_make(tmp_path: Path) -> None:
    world = World(tmp_path)
    await played(world)
    await world.close()
    world.do(f"UPDATE rating SET mean = mean + 1 WHERE player = '{ANN}'")
    world.do("UPDATE luck SET squares = squares + 1")
    assert findings(world) == [
        f"server {GUILD}: the rating of '{ANN}' in 'pineapple' is not what the results make",
        f"server {GUILD}: the luck of 'pineapple' is not what the results make",
    ]


async def test_a_start_makes_what_another_model_has_made(tmp_path: Path) -> None:
    world = World(tmp_path)
    await played(world)
    before = await world.sessions.read(lambda s: s.tx.all_ratings(GUILD))
    await world.close()
    world.do("UPDATE rating SET mean = 0")
    world.do("UPDATE rating_book SET model = 0")
    assert findings(world) == []
    await world.open()
    assert await world.sessions.read(lambda s: s.tx.all_ratings(GUILD)) == before
    assert findings(world) == []
    await world.close()


async def test_nobody_is_rated_for_hands_with_computers(tmp_path: Path) -> None:
    world = World(tmp_path)
    await world.open()
    key = await world.table(ANN, BOB, point_value=0)
    await world.play.join_computer(key, ANN, level=Level.CLUB, cause=world.cause())
    await world.play.start(key, ANN, cause=world.cause())
    await world.play_hand(key)
    assert await world.sessions.read(lambda s: s.tx.rating_book(GUILD)) is None
    await world.close()


@pytest.mark.parametrize("least", [1, 4])
async def test_a_leaderboard_by_rating_lists_those_with_enough_hands(
    tmp_path: Path, least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(tmp_path)
    await played(world)

    def look(s: Session) -> None:
        tx = s.tx
        every = {player: rating for (_, player), rating in tx.all_ratings(GUILD).items() if rating.hands >= least}
        wanted = sorted(every, key=lambda player: -every[player].least)
        lines = tx.best_rated(GUILD, "pineapple", least=least, limit=9, skip=0)
        assert [line.player for line in lines] == wanted
        assert tx.rated(GUILD, "pineapple", least=least) == len(wanted)
        for place, line in enumerate(lines, 1):
            assert tx.rated_place(GUILD, "pineapple", line.player, least=least) == (line, Place(rank=place))
        assert tx.rated_place(GUILD, "classic", ANN, least=least) is None

    await world.sessions.read(look)
    board = await world.play.leaderboard(GUILD, Asked(Order.RATING), ANN, page=0, lines=10)
    assert (board.group, list(board.lines), board.games) == ("pineapple", [], ["pineapple"])
    await world.close()
