"""Views: players see their own cards and face-up cards, and no others leave play."""

from dataclasses import replace

import pytest

from bot.model.hands import HandState
from bot.model.ids import Player, TableKey
from bot.play.queries.results import is_revealed
from bot.pure.ofc.cards import Card
from bot.pure.ofc.presets import CLASSIC, PINEAPPLE
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import SeatView
from tests.play.world import ANN, BOB, CLEO, EVE, World

EVERYBODY_ELSE = (ANN, CLEO, EVE, None)


async def seat_of(world: World, key: TableKey, eyes: Player | None, player: Player) -> SeatView:
    """Return a player's seat as ``eyes`` sees it."""
    hand = (await world.play.look(key, eyes)).hand
    assert hand is not None
    return next(seat for seat in hand.seats if seat.player == player)


def known(*rows: tuple[Card | None, ...]) -> list[bool]:
    """For each card whether its face is seen."""
    return [card is not None for row in rows for card in row]


async def test_dealt_cards_are_seen_by_their_owner_alone(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO)
    assert known((await seat_of(world, key, BOB, BOB)).held) == [True] * 5
    for eyes in EVERYBODY_ELSE:
        assert known((await seat_of(world, key, eyes, BOB)).held) == [False] * 5


async def test_a_hand_that_has_not_changed_is_not_looked_at_anew_and_each_has_a_view_of_it(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO)
    before = {eyes: (await world.play.look(key, eyes)).hand for eyes in (BOB, *EVERYBODY_ELSE)}
    for eyes, hand in before.items():
        assert (await world.play.look(key, eyes)).hand is hand
    assert len({id(hand) for hand in before.values()}) == len(before)
    await world.play_street(key)
    for eyes, hand in before.items():
        assert (await world.play.look(key, eyes)).hand != hand


async def test_cards_that_are_placed_are_seen_by_all_and_discards_by_their_owner(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO)
    await world.play_street(key)
    await world.place_cards(key, BOB, "FMD")
    mine = await seat_of(world, key, BOB, BOB)
    assert (known(*mine.rows), known(mine.discards), mine.held) == ([True] * 7, [True], ())
    for eyes in EVERYBODY_ELSE:
        seen = await seat_of(world, key, eyes, BOB)
        assert (seen.rows, known(seen.discards), seen.held) == (mine.rows, [False], ())


async def test_discards_stay_hidden_after_the_hand(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO)
    await world.play_hand(key)
    assert known((await seat_of(world, key, BOB, BOB)).discards) == [True] * 4
    for eyes in EVERYBODY_ELSE:
        assert known((await seat_of(world, key, eyes, BOB)).discards) == [False] * 4
    result = (await world.play.result(key, 1)).hand
    assert result is not None
    assert [known(seat.discards) for seat in result.seats] == [[False] * 4] * 3


async def test_a_fantasyland_board_lies_face_down_until_the_end(world: World) -> None:
    key = await world.table(ANN, BOB, CLEO)
    await world.into_fantasyland(key, BOB)
    await world.next_hand(key)
    await world.place_cards(key, BOB)
    for eyes in EVERYBODY_ELSE:
        seen = await seat_of(world, key, eyes, BOB)
        assert (known(*seen.rows), known(seen.held), known(seen.discards)) == ([False] * 13, [False] * 14, [False])
        assert seen.placed
    await world.play_hand(key)
    for eyes in EVERYBODY_ELSE:
        seen = await seat_of(world, key, eyes, BOB)
        assert (known(*seen.rows), known(seen.discards)) == ([True] * 13, [False])


async def test_a_voided_fantasyland_is_never_turned_up(world: World) -> None:
    key = await world.table(ANN, BOB, CLEO)
    await world.into_fantasyland(key, BOB)
    await world.next_hand(key)
    await world.place_cards(key, BOB)
    await world.play.close(key, reason="closed_by_admin")
    hand = (await world.play.result(key, 2)).hand
    assert hand is not None
    assert known(*hand.seats[1].rows) == [False] * 13


async def test_nobody_sees_a_score_before_the_end(world: World) -> None:
    key = await world.started(ANN, BOB)
    while (view := await world.play.look(key)).waiting:
        assert view.hand is not None
        assert view.hand.score is None
        await world.place_cards(key, view.waiting[0])
    view = await world.play.look(key)
    assert view.hand is not None
    assert view.hand.score is not None


@pytest.mark.parametrize(
    ("variant", "state", "open_now", "closed"),
    [
        (CLASSIC, HandState.PLAYING, False, False),
        (CLASSIC, HandState.SETTLED, True, True),
        (CLASSIC, HandState.VOID, True, True),
        (PINEAPPLE, HandState.PLAYING, False, False),
        (PINEAPPLE, HandState.SETTLED, False, True),
        (PINEAPPLE, HandState.VOID, False, True),
    ],
)
async def test_a_seed_is_public_when_no_hidden_card_hangs_on_it(
    world: World, variant: Variant, state: HandState, open_now: bool, closed: bool
) -> None:
    key = await world.started(ANN, BOB, variant=variant)
    table = (await world.play.look(key)).table
    record = replace(await world.record(key, 1), state=state)
    assert is_revealed(table, record) is open_now
    await world.play.close(key, reason="closed_by_admin")
    assert is_revealed((await world.play.look(key)).table, record) is closed
