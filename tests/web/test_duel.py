"""The score of a hand as numbers: its sums are what was settled, in every game and with every limit."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model.ids import Player
from bot.model.tables import Limits
from bot.play.queries.results import PaidPair
from bot.pure.ofc.presets import CHINESE, PRESETS
from bot.pure.ofc.scoring import score_hand
from bot.pure.ofc.settlement import Stakes, WinCap, settled_pairs
from bot.pure.ofc.variants import Variant
from bot.text.words import words_for
from bot.web.duel import pair_scored
from bot.web.messages import PairScored
from bot.web.pages import Pages
from tests.play.test_family import CROWD, FEW
from tests.play.world import ANN, BOB, CLEO, World, best, entering
from tests.pure.ofc.games import any_boards, any_variant
from tests.web.open_pages import Json, kept
from tests.web.test_watching import all_see

EN = words_for("en")
STRANGER = Player("2001")
GAMES = [pytest.param(game, id=key, marks=() if key in FEW else pytest.mark.deep) for key, game in PRESETS.items()]


def parts_of(pair: PairScored) -> int:
    """The sum of all points that a pair names."""
    bonuses = pair.scoop + pair.majority + pair.two_rows + pair.total
    return sum(pair.rows) + bonuses + pair.royalties + pair.instead


@given(
    variant=any_variant(),
    seed=st.integers(0, 2**32),
    first=st.integers(0, 7),
    button=st.integers(0, 7),
    loss_cap=st.booleans(),
    cap=st.sampled_from(WinCap),
    final=st.booleans(),
)
def test_the_parts_of_each_pair_add_up_to_what_is_settled(
    variant: Variant, seed: int, first: int, button: int, loss_cap: bool, cap: WinCap, final: bool
) -> None:
    chance = Random(seed)
    count = chance.randint(variant.min_seats, variant.max_seats)
    score = score_hand(variant, any_boards(variant, chance, players=count))
    stakes = Stakes(point_value=10, loss_cap=loss_cap, win_cap=cap, bust_is_final=final)
    stacks = [chance.choice([0, 40, 200, 5_000]) for _ in range(count)]
    settled = settled_pairs(score, stacks=stacks, button=button % count, stakes=stakes)
    points: Counter[int] = Counter()
    chips: Counter[int] = Counter()
    for one in settled:
        paid = PaidPair(winner=one.payee, loser=one.payer, owed=one.owed, chips=one.chips)
        pair = pair_scored(variant, score, paid, EN, first=first % count)
        assert pair.first < pair.second
        near, far = ((seat + first) % count for seat in (pair.first, pair.second))
        ours = next(found for found in score.pairs if {*found[:2]} == {near, far}).seen_by(near)
        assert parts_of(pair) == pair.points == ours.points
        assert pair.owed == 10 * abs(pair.points) >= pair.chips
        royalties = score.boards[near].royalties - score.boards[far].royalties
        assert pair.royalties == (0 if ours.natural else royalties) or pair.why
        if pair.why:
            assert pair.rows == (0, 0, 0)
        if pair.points:
            assert pair.payer == (pair.second if pair.points > 0 else pair.first)
        payee = pair.first + pair.second - pair.payer
        points.update({near: pair.points, far: -pair.points})
        chips.update({(payee + first) % count: pair.chips, (pair.payer + first) % count: -pair.chips})
    assert [points[seat] for seat in range(count)] == list(score.points)
    expected: Counter[int] = Counter()
    for one in settled:
        expected.update({one.payee: one.chips, one.payer: -one.chips})
    assert chips == expected


def test_a_score_seen_from_the_other_side_and_back_is_the_same() -> None:
    score = score_hand(CHINESE, any_boards(CHINESE, Random(5), players=4))
    for pair in score.pairs:
        other = pair.seen_by(pair.second)
        assert other.points == -pair.points
        assert other.seen_by(pair.first) == pair == pair.seen_by(pair.first)


def check_sums(result: Json, seats: list[Json]) -> None:
    """The duel's sums are its seats' points and chips."""
    duel = result["duel"]
    for pair in duel["pairs"]:
        assert parts_of(PairScored(**pair)) == pair["points"]
    for number, seat in enumerate(duel["seats"]):
        mine = [pair for pair in duel["pairs"] if number in (pair["first"], pair["second"])]
        assert sum(pair["points"] if pair["first"] == number else -pair["points"] for pair in mine) == seat["points"]
        assert sum(-pair["chips"] if pair["payer"] == number else pair["chips"] for pair in mine) == seat["chips"]
        assert seats[number]["gained"] == EN.signed(seat["points"])
    assert len(duel["pairs"]) == len(duel["seats"]) * (len(duel["seats"]) - 1) // 2


@pytest.mark.parametrize("variant", GAMES)
async def test_pages_of_all_see_the_same_duel_from_their_sides(world: World, pages: Pages, variant: Variant) -> None:
    all_see(pages)
    seated = CROWD[: variant.max_seats]
    for cap in WinCap:
        limits = Limits(win_cap=cap)
        key = await world.table(*seated, variant=variant, point_value=10, buy_in=200, limits=limits)
        await world.start(key)
        await world.play_hand(key)
        settled = {one.player: one for one in (await world.play.result(key, 1)).results}
        for number, player in enumerate((*seated, None)):
            async with kept(pages, player or STRANGER) as page:
                await page.say(type="look", table=key.table)
                view = await page.look()
                check_sums(view["result"], view["seats"])
                first = number % len(seated)
                order = [*seated[first:], *seated[:first]]
                duel = view["result"]["duel"]["seats"]
                assert [seat["points"] for seat in duel] == [settled[one].points for one in order]
                assert [seat["chips"] for seat in duel] == [settled[one].chips for one in order]
                assert [seat["fantasyland"] for seat in duel] == [settled[one].fantasyland for one in order]
                came = await page.say(type="read", id="look-back", what="past", table=key.table, hand=1)
                (told,) = [message["past"] for message in came if message["type"] == "found"]
                assert told["result"]["duel"] == view["result"]["duel"]
        await world.play.close(key, reason="closed_by_admin")


async def test_the_next_hands_time_and_the_button_are_shown(world: World, pages: Pages) -> None:
    key = await world.started(ANN, BOB, CLEO)
    async with kept(pages, BOB) as page:
        view = await page.look()
        assert view["next_hand"] is None
        table = (await world.play.look(key)).table
        assert [seat["dealer"] for seat in view["seats"]] == [number == table.button for number in (1, 2, 0)]
        await world.play_hand(key)
        view = await page.look()
        assert view["next_hand"] == world.timers(key)["next_hand"] > world.now
        assert view["result"]["hand"] == 1
        await world.next_hand(key)
        view = await page.look()
        assert (view["result"], view["next_hand"]) == (None, None)


async def test_entering_fantasyland_and_staying_there_are_told_apart(world: World, pages: Pages) -> None:
    key = await world.table(ANN, BOB)
    await world.into_fantasyland(key, ANN)
    async with kept(pages, ANN) as page:
        own, other = page.view["result"]["duel"]["seats"]
        assert (own["fantasyland"], own["stays"], other["fantasyland"]) == (14, False, 0)
        assert (own["told"], other["told"]) == ("Fantasyland next hand, 14 cards", "")
        plans = await world.rig(key, lambda hand: entering(hand) == {ANN}, strategies={ANN: best})
        await world.next_hand(key)
        await world.play_hand(key, plans)
        own, other = (await page.look())["result"]["duel"]["seats"]
        assert (own["fantasyland"], own["stays"], other["fantasyland"]) == (14, True, 0)
        assert (own["told"], other["told"]) == ("Fantasyland again, 14 cards", "")
        assert not any("Fantasyland" in note for note in page.view["result"]["notes"])
