"""Seats on the page: joining under the terms shown, rebuys, top-ups, sitting out and leaving, and what's refused."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

import pytest

from bot.chat.kit.gate import Rate, Rates
from bot.chat.table.screens.own_seat import left_text
from bot.model.ids import Player, TableKey
from bot.model.tables import Limits, TableState
from bot.play.session.session import Session
from bot.play.table.lobby import Departure
from bot.play.terms import OLDER, UNSEEN, of_seat
from bot.text.words import words_for
from bot.web.pages import Pages
from bot.web.plain import marked, plain
from tests.play.test_hands import seated as seats_of
from tests.play.test_seats import bust, leave_in_wallet, nobody_in_fantasyland, place, rebuy, wallet
from tests.play.world import ANN, BOB, CLEO, DAN, EVE, World
from tests.web.open_pages import Json, Kept, kept, pages_of
from tests.web.test_knocked_out import begun
from tests.web.test_watching import all_see, told

EN, JA = words_for("en"), words_for("ja")
TERMS = "0123456789ab"
"""Terms of no seat."""


def offer_of(page: Kept, verb: str) -> Json | None:
    """Return the button for ``verb``; None if there is none."""
    return next((offer for offer in page.view["offers"] if offer["verb"] == verb), None)


def verbs(page: Kept) -> set[str]:
    """Return the verbs about the reader's seat."""
    own = {"join", "rebuy", "top_up", "sit_out", "leave", "back", "start", "invite"}
    return {offer["verb"] for offer in page.view["offers"]} & own


async def everything(world: World) -> list[Any]:
    """Return all that an action without effect must not change."""
    return [world.ask(f"SELECT * FROM {table}") for table in ("table_log", "transfer", "seat", "game_table")]


async def seated(world: World, key: TableKey) -> list[Player]:
    """Return the players at a table, by seat."""
    return [Player(player) for player in await seats_of(world, key)]


async def raise_buy_in(world: World, key: TableKey, chips: int) -> None:
    """Give a table another buy-in, as if it had been opened with it."""

    def job(s: Session) -> None:
        table = s.table(key)
        s.save(replace(table, terms=replace(table.terms, buy_in=chips)))

    await world.sessions.write(job)


def shown(key: str, **values: str | int) -> str:
    """Return a sentence as the page shows it, without emojis."""
    return plain(EN(key, **values), str)


# taking a seat


@pytest.mark.parametrize("locale", ["en-US", "ja"])
async def test_the_terms_are_shown_before_the_press_that_takes_a_seat(world: World, pages: Pages, locale: str) -> None:
    all_see(pages)
    words = JA if locale == "ja" else EN
    key = await world.table(ANN)
    async with kept(pages, EVE, locale=locale) as page:
        assert page.view["watches"]
        assert page.view["seatless"]
        offer = offer_of(page, "join")
        assert offer is not None
        assert (offer["label"], offer["sure"]) == (words("button.join"), words("terms.join", count=1000, chips="1,000"))
        text = offer["text"].split("\n")
        assert words("table.stakes", value="10") in text[0]
        assert words("lobby.pace.per_turn", time=words("duration.minutes", count=1)) in text
        assert words("lobby.buy_in", chips="1,000") in text
        had = await wallet(world, EVE)
        assert (await page.ask("join"))["outcome"] == "done"
        assert page.view["table"] == key.table
        assert not page.view["seatless"]
        assert verbs(page) == {"leave", "invite", "sit_out"}
        assert await wallet(world, EVE) == had - 1000
    assert await seated(world, key) == [ANN, EVE]


async def test_a_seat_at_a_practice_table_takes_no_chips(world: World, pages: Pages) -> None:
    all_see(pages)
    key = await world.table(ANN, point_value=0)
    async with kept(pages, EVE) as page:
        offer = offer_of(page, "join")
        assert offer is not None
        assert offer["sure"] == EN("button.join")
        assert EN("table.practice") in offer["text"]
        assert "Buy-in" not in offer["text"]
        assert (await page.ask("join"))["outcome"] == "done"
    assert await seated(world, key) == [ANN, EVE]


async def test_whoever_joins_during_a_hand_plays_the_next(world: World, pages: Pages) -> None:
    all_see(pages)
    key = await world.started(ANN, BOB)
    async with kept(pages, CLEO) as page:
        assert (await page.ask("join"))["outcome"] == "done"
        assert EN("lobby.joined_next_hand", table=1) in page.view["status"]
        await world.play_hand(key)
        await world.next_hand(key)
        await page.look()
        assert len(page.view["seats"]) == 3


@pytest.mark.parametrize("turn", ["", UNSEEN, OLDER, TERMS, "x" * 40])
@pytest.mark.parametrize("verb", ["join", "rebuy", "top_up"])
async def test_nothing_is_taken_under_terms_that_were_not_shown(
    world: World, pages: Pages, verb: str, turn: str
) -> None:
    all_see(pages)
    key = await bust(world, CLEO, want=nobody_in_fantasyland) if verb != "join" else await world.table(ANN)
    await raise_buy_in(world, key, 500)
    async with kept(pages, {"join": EVE, "rebuy": BOB, "top_up": CLEO}[verb], table=key.table) as page:
        assert offer_of(page, verb) is not None
        before = await everything(world)
        answer = await page.ask(verb, turn=turn)
        assert answer["outcome"] == "stale"
        assert answer["said"] == EN("terms.changed" if verb == "join" else "terms.amount")
        assert await everything(world) == before
        assert (await page.ask(verb))["outcome"] == "done"
        assert await everything(world) != before


async def test_terms_that_have_changed_are_shown_and_agreed_to_again(world: World, pages: Pages) -> None:
    all_see(pages)
    limits = Limits(levels=(10, 20), level_hands=1)
    key = await world.started(ANN, BOB, point_value=10, buy_in=5000, limits=limits)
    async with kept(pages, EVE) as page:
        old = page.intent("join")
        await world.play_hand(key)
        await world.next_hand(key)
        assert (await world.play.look(key)).table.terms.point_value == 20
        before = await everything(world)
        *_, answer = await page.say(**old)
        assert (answer["outcome"], answer["said"]) == ("stale", EN("terms.changed"))
        assert await everything(world) == before
        offer = offer_of(page, "join")
        assert offer is not None
        assert offer["turn"] == of_seat((await world.play.look(key)).table.terms) != old["turn"]
        assert EN("table.stakes", value="20") in offer["text"]
        assert (await page.ask("join"))["outcome"] == "done"


async def refused(world: World, page: Kept, verb: str, **other: Any) -> str:
    """Ask for something that's refused and changes nothing; returns the sentence."""
    before = await everything(world)
    answer = await page.ask(verb, **other)
    assert answer["outcome"] == "refused", answer
    assert await everything(world) == before
    said: str = answer["said"]
    return said


async def test_a_seat_that_cannot_be_taken_is_refused_with_a_sentence(world: World, pages: Pages) -> None:
    all_see(pages)
    key = await world.table(ANN, BOB, seats=3)
    turn = of_seat((await world.play.look(key)).table.terms)
    async with kept(pages, EVE) as page:
        await leave_in_wallet(world, EVE, 999)
        said = await refused(world, page, "join")
        assert said == shown("refused.not_enough_chips", need="1,000", have="999")
        await leave_in_wallet(world, EVE, 1000)
        pages.watching.seen_by_all = lambda channel: False
        assert await refused(world, page, "join") == shown("refused.channel_hidden")
        all_see(pages)
        await page.say(type="look", table=key.table)
        await world.join(key, CLEO)
        assert await refused(world, page, "join", turn=turn) == shown("refused.table_full", seats=3)
        assert offer_of(page, "join") is None
        await world.seating.remove(key, ANN, CLEO, manager=False, cause=world.cause())
        await page.look()
        assert offer_of(page, "join") is not None
        await world.play.close(key, reason="closed_by_admin")
        assert await refused(world, page, "join", turn=turn, table=1) == shown("refused.table_closed")
        assert await refused(world, page, "join", turn=turn, table=77) == shown("refused.no_table")


async def test_whoever_was_removed_is_offered_no_seat_and_gets_none(world: World, pages: Pages) -> None:
    all_see(pages)
    key = await world.table(ANN, BOB)
    await world.seating.remove(key, ANN, BOB, manager=False, cause=world.cause())
    turn = of_seat((await world.play.look(key)).table.terms)
    async with kept(pages, BOB, table=key.table) as page:
        assert page.view["table"] == key.table
        assert offer_of(page, "join") is None
        assert await refused(world, page, "join", turn=turn) == shown("refused.removed")


async def test_a_private_table_takes_nobody(world: World, pages: Pages) -> None:
    all_see(pages)
    key = await world.table(ANN, point_value=0, computers=1)
    world.do("UPDATE game_table SET private = 1")
    async with kept(pages, EVE) as page:
        assert page.view["table"] == 0
        turn = of_seat((await world.play.look(key, ANN)).table.terms)
        await refused(world, page, "join", turn=turn, table=key.table)


async def test_a_table_that_others_watch_no_more_keeps_its_page_and_loses_its_offer(world: World, pages: Pages) -> None:
    all_see(pages)
    key, other = await world.table(ANN), await world.started(BOB, CLEO)
    async with kept(pages, EVE, table=key.table) as page:
        await world.play.let_watch(key, ANN, watched=False)
        await page.look()
        assert page.view["table"] == other.table
        await page.say(type="look", table=99)
        assert page.view["table"] == other.table, "a table that doesn't exist"
        await world.play.close(other, reason="closed_by_admin")
        await page.look()
        assert offer_of(page, "join") is None
        await page.say(type="look", table=other.table)
        assert page.view["title"]


async def test_a_seat_is_taken_once_from_two_pages(world: World, pages: Pages) -> None:
    all_see(pages)
    key = await world.table(ANN)
    async with kept(pages, EVE) as one, kept(pages, EVE) as two:
        late = two.intent("join")
        first = one.intent("join")
        assert (await one.say(**first))[-1]["outcome"] == "done"
        after = await everything(world)
        assert (await one.say(**first))[-1]["outcome"] == "done", "the same intent has the same answer"
        *_, answer = await two.say(**late)
        assert (answer["outcome"], answer["said"]) == ("stale", EN("page.too_late"))
        assert await everything(world) == after
    # After a restart, nobody remembers the answer. The log does.
    fresh = pages_of(world)
    all_see(fresh)
    await world.leave(key, EVE)
    async with kept(fresh, EVE) as page:
        after = await everything(world)
        *_, answer = await page.say(**first)
        assert answer["outcome"] == "stale"
        assert await everything(world) == after


async def test_seats_are_taken_at_the_rate_of_public_presses(world: World) -> None:
    pages = pages_of(world, rates=Rates(private=Rate(burst=50, a_minute=60), public=Rate(burst=2, a_minute=6)))
    all_see(pages)
    await world.table(ANN)
    async with kept(pages, EVE) as page:
        assert (await page.ask("join"))["outcome"] == "done"
        assert (await page.ask("sit_out"))["outcome"] == "done"
        assert (await page.ask("back"))["said"] == EN("gate.too_fast", count=10)
        assert (await page.say(type="read", id="the-rules", what="rules", table=1))[-1]["outcome"] == "done"


# chips


async def test_whoever_is_out_of_chips_rebuys_on_the_page(world: World, pages: Pages) -> None:
    key = await bust(world, CLEO, want=nobody_in_fantasyland)
    async with kept(pages, BOB) as page:
        assert verbs(page) == {"rebuy", "leave"}
        assert page.view["status"].split("\n")[-1] == shown("seats.broke")
        offer = offer_of(page, "rebuy")
        assert offer is not None
        assert offer["label"] == EN("seats.button.rebuy_of", chips="200")
        late = page.intent("rebuy")
        answer = await page.ask("rebuy")
        assert (answer["outcome"], answer["said"]) == ("done", EN("seats.said.rebought"))
        assert (await place(world, key, BOB)).stack == 200
        assert "rebuy" not in verbs(page)
        assert await refused(world, page, "rebuy", turn=late["turn"]) == shown("refused.has_chips", have="200")


async def test_a_rebuy_of_another_amount_is_asked_for_again(world: World, pages: Pages) -> None:
    key = await bust(world, CLEO, want=nobody_in_fantasyland)
    await raise_buy_in(world, key, 5000)
    await leave_in_wallet(world, BOB, 350)
    async with kept(pages, BOB) as page:
        assert offer_of(page, "rebuy") is not None
        await leave_in_wallet(world, BOB, 300)
        before = await everything(world)
        answer = await page.ask("rebuy")
        assert (answer["outcome"], answer["said"]) == ("stale", EN("terms.amount"))
        assert await everything(world) == before
        offer = offer_of(page, "rebuy")
        assert offer is not None
        assert offer["label"] == EN("seats.button.rebuy_of", chips="300")
        assert (await page.ask("rebuy"))["outcome"] == "done"
        assert (await place(world, key, BOB)).stack == 300


async def test_a_wallet_too_short_for_a_rebuy_is_told_where_chips_come_from(world: World, pages: Pages) -> None:
    await bust(world, CLEO)
    await leave_in_wallet(world, BOB, 150)
    async with kept(pages, BOB, locale="ja") as page:
        offer = offer_of(page, "rebuy")
        assert offer is not None
        assert offer["label"] == JA("seats.button.rebuy")
        said = await refused(world, page, "rebuy")
        assert said == marked(JA("refused.wallet_short", need="200", have="150"), str)


@pytest.mark.parametrize("playing", [False, True])
async def test_a_stack_is_topped_up_now_or_after_the_hand(world: World, pages: Pages, *, playing: bool) -> None:
    key = await bust(world, CLEO, want=nobody_in_fantasyland)
    await raise_buy_in(world, key, 1000)
    await rebuy(world, key, BOB)
    if playing:
        await world.next_hand(key)
    stack = (await place(world, key, CLEO)).stack
    async with kept(pages, CLEO) as page:
        offer = offer_of(page, "top_up")
        assert offer is not None
        now, later = EN("seats.button.top_up", chips=str(1000 - stack)), EN("seats.button.top_up_to", chips="1,000")
        assert offer["label"] == (later if playing else now)
        assert (await page.ask("top_up"))["outcome"] == "done"
        assert offer_of(page, "top_up") is None
        assert (await place(world, key, CLEO)).stack == (stack if playing else 1000)


async def test_a_stack_that_is_full_is_offered_no_chips(world: World, pages: Pages) -> None:
    key = await world.table(ANN, BOB)
    async with kept(pages, ANN) as page:
        assert verbs(page) == {"start", "leave", "invite", "sit_out"}
        assert await refused(world, page, "top_up", turn=TERMS) == shown("refused.stack_full", most="1,000")
        assert await refused(world, page, "rebuy", turn=TERMS) == shown("refused.has_chips", have="1,000")
    assert (await world.play.look(key)).table.state is TableState.LOBBY


# staying and leaving


async def test_a_player_sits_out_and_comes_back_on_the_page(world: World, pages: Pages) -> None:
    key = await world.started(ANN, BOB, CLEO)
    async with kept(pages, CLEO) as page:
        assert verbs(page) == {"leave", "sit_out"}
        assert (await page.ask("sit_out"))["outcome"] == "done"
        assert (await place(world, key, CLEO)).seat.sits_out
        assert verbs(page) == {"leave", "back"}
        assert await refused(world, page, "sit_out") == shown("refused.sits_out_already")
        answer = await page.ask("back")
        assert (answer["outcome"], answer["said"]) == ("done", EN("lobby.stays", table=1))
        assert verbs(page) == {"leave", "sit_out"}


async def test_whoever_leaves_during_a_hand_plays_it_to_its_end_or_stays(world: World, pages: Pages) -> None:
    all_see(pages)
    key = await world.started(ANN, BOB, CLEO)
    async with kept(pages, CLEO) as page:
        answer = await page.ask("leave")
        assert (answer["outcome"], answer["said"]) == ("done", marked(EN("lobby.leaving", table=1), str))
        stay = offer_of(page, "back")
        assert stay is not None
        assert stay["label"] == EN("button.do_not_leave")
        assert verbs(page) == {"back", "sit_out"}
        assert (await page.ask("back"))["said"] == EN("lobby.stays", table=1)
        await page.ask("leave")
        late = page.intent("leave", "") | {"turn": "an-older-one"}
        assert (await page.say(**late))[-1]["outcome"] == "stale"
        await world.play_hand(key)
        await world.later(world.policy.next_hand_ms)
        await told(pages)
        assert CLEO not in await seated(world, key)
        assert page.view["seatless"]
        assert "join" in verbs(page), "they may come again"


async def test_a_page_that_is_left_leads_to_other_tables_and_back(world: World, pages: Pages) -> None:
    all_see(pages)
    key, other = await world.table(ANN, BOB), await world.started(CLEO, DAN)
    async with kept(pages, BOB, table=key.table) as page:
        answer = await page.ask("leave")
        assert answer["said"] == EN("lobby.left", table=1, count=1000, chips="1,000")
        await told(pages)
        assert page.view["table"] == key.table
        assert page.view["seatless"]
        assert [one["table"] for one in page.view["tables"] if not one["chosen"]] == [other.table]
        assert verbs(page) == {"join"}
        assert (await page.ask("join"))["outcome"] == "done"
    assert BOB in await seated(world, key)


@pytest.mark.parametrize(
    ("chips", "said"),
    [
        (None, EN("lobby.leaving", table=1)),
        (0, "You left table 1."),
        (1, "You left table 1. Your 1 chip is back in your wallet."),
        (1_500, "You left table 1. Your 1,500 chips are back in your wallet."),
    ],
)
async def test_whoever_leaves_hears_how_many_chips_came_back(world: World, chips: int | None, said: str) -> None:
    table = (await world.play.look(await world.table(ANN, BOB))).table
    assert left_text(Departure(table=table, chips=chips), EN) == said


async def test_seats_of_private_tables_and_of_others_are_nobody_elses(world: World, pages: Pages) -> None:
    all_see(pages)
    key = await world.started(ANN, BOB)
    async with kept(pages, EVE) as page:
        for verb in ("leave", "sit_out", "back", "rebuy", "top_up"):
            before = await everything(world)
            answer = await page.ask(verb, turn=TERMS)
            assert answer["outcome"] in ("refused", "stale"), verb
            assert answer["said"]
            assert await everything(world) == before, verb
    assert await seated(world, key) == [ANN, BOB]


@pytest.mark.parametrize("number", [0, 77, 2**53 - 1])
async def test_no_verb_minds_a_table_that_does_not_exist(world: World, pages: Pages, number: int) -> None:
    await world.started(ANN, BOB)
    async with AsyncExitStack() as stack:
        page = await stack.enter_async_context(kept(pages, ANN))
        before = await everything(world)
        for verb in ("join", "leave", "sit_out", "back", "rebuy", "top_up", "start"):
            answer = await page.ask(verb, table=number, turn=TERMS)
            assert (answer["outcome"], answer["said"]) == ("refused", shown("refused.no_table")), verb
        assert await everything(world) == before


async def test_whoever_sits_out_of_an_event_comes_back_on_the_page(world: World, pages: Pages) -> None:

    first, *_ = await begun(world)
    player: Player = (await seated(world, first))[0]
    async with kept(pages, player) as page:
        assert verbs(page) == {"sit_out"}
        answer = await page.ask("sit_out")
        assert answer["said"] == marked(EN("event_table.sits_out", table=page_number(page, world)), str)
        assert verbs(page) == {"back"}
        assert (await page.ask("back"))["outcome"] == "done"
        assert verbs(page) == {"sit_out"}
        assert await refused(world, page, "rebuy", turn=TERMS) == shown("refused.event_table")


def page_number(page: Kept, world: World) -> int:
    """Return the number that people call the page's table by."""
    return int(page.view["title"].split()[1])
