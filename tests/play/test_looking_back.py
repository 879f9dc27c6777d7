"""Reviews of finished hands: access, known cards and retries."""

from dataclasses import replace

import pytest

from bot.chat.table.screens.review import encode_retry, parse_retry
from bot.model.ids import TableKey
from bot.model.reasons import HandReason
from bot.model.refusals import Stale
from bot.play.queries.replays import PastHand
from bot.play.queries.reviews import MAX_REVIEWS_PER_MINUTE, MINUTE_MS, Retry, Review
from bot.pure.ofc.presets import CHINESE, CLASSIC, PINEAPPLE
from tests.play.world import ANN, BOB, CLEO, World


async def nothing(done: int) -> None:
    del done


async def played(world: World, variant=PINEAPPLE) -> TableKey:  # type: ignore[no-untyped-def]
    key = await world.table(ANN, BOB, variant=variant)
    await world.start(key)
    await world.play_hand(key)
    return key


async def test_a_past_hand_holds_what_its_player_saw_and_no_more(world: World) -> None:
    key = await played(world)
    past = await world.play.past(key, 1, ANN)
    assert [moment.street for moment in past.moments] == [1, 2, 3, 4, 5]
    other = 1 - past.seat
    views = [past.end, *(moment.view for moment in past.moments), *(deal.view for deal in past.deals)]
    assert all(card is None for view in views for card in view.seats[other].discards)
    assert all(deal.left is None and deal.view.you == past.seat for deal in past.deals)


async def test_who_did_not_play_a_hand_is_refused_and_so_is_one_that_is_not_over(world: World) -> None:
    key = await played(world)
    with world.refuses(HandReason.NOT_IN_HAND, hand=1):
        await world.play.past(key, 1, CLEO)
    with world.refuses(HandReason.NO_SUCH_HAND, last=1):
        await world.play.past(key, 2, ANN)
    await world.next_hand(key)
    with world.refuses(HandReason.NOT_REVEALED_YET, hand=2):
        await world.play.past(key, 2, ANN)
    await world.play.close(key, reason="closed_by_admin")
    with world.refuses(HandReason.HAND_WAS_VOID, hand=2):
        await world.play.past(key, 2, ANN)


async def test_a_review_is_thought_out_once_and_then_remembered(world: World) -> None:
    key = await played(world, CHINESE)
    past = await world.play.past(key, 1, ANN)
    heard: list[int] = []

    async def told(done: int) -> None:
        heard.append(done)

    first = await world.play.review(past, told)
    assert len(first.decisions) == len(past.moments) == len(heard)
    assert first.account.points == past.end.score.points[past.seat] if past.end.score else False
    assert await world.play.review(await world.play.past(key, 1, ANN), told) is first
    assert len(heard) == 1


async def test_review_after_review_is_a_matter_of_time(world: World) -> None:
    key = await played(world, CHINESE)
    past = await world.play.past(key, 1, ANN)
    others = [replace(past, name=f"{past.name}/{number}") for number in range(MAX_REVIEWS_PER_MINUTE + 1)]
    for other in others[:-1]:
        await world.play.review(other, nothing)
    with world.refuses(HandReason.TOO_MANY_REVIEWS, count=60):
        await world.play.review(others[-1], nothing)
    assert isinstance(await world.play.review(others[0], nothing), Review)  # cached reviews cost nothing
    await world.later(MINUTE_MS)
    assert isinstance(await world.play.review(others[-1], nothing), Review)


def as_played(past: PastHand, start: int) -> Retry:
    """A try that places what was placed."""
    retry = Retry(past=past, start=start)
    for moment in past.moments[start:]:
        retry = retry.then(moment.letters)
    return retry


@pytest.mark.parametrize("variant", [PINEAPPLE, CLASSIC, CHINESE], ids=lambda variant: variant.key)
async def test_the_same_placements_come_to_the_same_score(world: World, variant) -> None:  # type: ignore[no-untyped-def]
    past = await world.play.past(await played(world, variant), 1, ANN)
    for start in range(len(past.moments)):
        retry = as_played(past, start)
        assert retry.over
        assert retry.score == past.end.score


async def test_a_try_sees_the_others_as_they_were_and_its_own_cards_as_they_are(world: World) -> None:
    past = await world.play.past(await played(world), 1, ANN)
    retry = Retry(past=past, start=2)
    then = past.moments[2].view
    assert retry.view.seats[1 - past.seat] == then.seats[1 - past.seat]
    assert retry.view.mine == then.mine
    held = then.mine.held if then.mine else ()
    moved = retry.then(past.moments[2].letters)
    assert moved.view.mine
    assert moved.view.mine.held == past.moments[3].view.seats[past.seat].held
    assert set(held) <= {card for row in (*moved.view.mine.rows, moved.view.mine.discards) for card in row}


async def test_where_a_try_stands_is_read_back_from_its_button(world: World) -> None:
    for variant in (PINEAPPLE, CLASSIC, CHINESE):
        past = await world.play.past(await played(world, variant), 1, ANN)
        for start in range(len(past.moments)):
            retry = Retry(past=past, start=start)
            while not retry.over:
                assert parse_retry(past, f"rank-{encode_retry(retry)}") == ("rank", retry)
                assert len(f"rank-{encode_retry(retry)}") <= 16
                retry = retry.then(past.moments[start + len(retry.letters)].letters)


@pytest.mark.parametrize("letters", [("BBBBB", "FFD", "FFD"), ("BBBB",), ("DDDDD",), ("XXXXX",), ("FFFFB",)])
async def test_letters_that_nobody_could_place_make_no_try(world: World, letters: tuple[str, ...]) -> None:
    past = await world.play.past(await played(world), 1, ANN)
    with pytest.raises(Stale):
        Retry(past=past, start=0, letters=letters).check()
