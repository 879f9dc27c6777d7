"""Watching on a page: public boards at public tables, with a delay of one street for streams."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from bot.model.ids import Player, TableKey
from bot.play.queries.delayed import LATE_MS
from bot.pure.event.structure import PRESETS, Structure
from bot.pure.ofc.cards import card_name
from bot.text.words import words_for
from bot.web.messages import Bye, View
from bot.web.page import Page
from bot.web.pages import Pages
from bot.web.tokens import PageReader
from bot.web.watching import MAX_BOARDS
from tests.play.test_every_record import DUPLICATE, event
from tests.play.world import ANN, BOB, CHANNEL, CLEO, DAN, EVE, GUILD, World
from tests.web.open_pages import Json, Kept, kept
from tests.web.test_playing import practised

EN = words_for("en")
STRANGER = Player("8001")
BRACKET = replace(PRESETS["heads_up"], threads=False, check_in_minutes=0)


def all_see(pages: Pages) -> None:
    """Make every channel public."""
    pages.watching.seen_by_all = lambda channel: True


async def told(pages: Pages) -> None:
    """Wait until all that was written has come to the pages that it concerns."""
    # A commit tells its listeners before its caller goes on, so by now the pages know that they have work to do.
    while _work_left(pages):  # noqa: ASYNC110  (several tasks end it)
        await asyncio.sleep(0.001)


def _work_left(pages: Pages) -> bool:
    telling = pages._telling  # noqa: SLF001
    if telling is not None and not telling.done():
        return True
    return pages._turn.locked() or any(page.woken.is_set() or page.drawing.locked() for page in pages.all)  # noqa: SLF001


def placed(view: Json) -> int:
    """Return the number of face-up cards on all boards."""
    return sum(code != "?" for seat in view["seats"] for row in seat["rows"] for code in row)


async def test_whoever_sits_nowhere_watches_what_the_message_shows(world: World, pages: Pages) -> None:
    all_see(pages)
    key = await world.started(ANN, BOB)
    async with kept(pages, EVE) as page:
        assert page.view["watches"]
        assert [seat["you"] for seat in page.view["seats"]] == [False, False]
        assert page.view["mine"] is None
        assert [offer["verb"] for offer in page.view["offers"]] == ["join"]
        for _ in range(4):
            await world.place_cards(key, await world.turn(key))
            await page.look()
            hand = (await world.play.look(key)).hand
            assert hand is not None
            told = [{card_name(card) for row in seat.rows for card in row if card is not None} for seat in hand.seats]
            shown = [{code for row in seat["rows"] for code in row} for seat in page.view["seats"]]
            assert shown == told
        assert placed(page.view) == 14
        waits = EN("panel.waiting", players="…").split("…")[0].strip("*")
        assert page.view["status"].startswith(waits)
        await world.play_hand(key)
        await page.look()
        assert page.view["result"]["title"] == EN("result.title", hand=1)
        assert page.view["past"] == 1


async def test_moves_come_by_themselves_and_nothing_else_does(world: World, pages: Pages) -> None:
    all_see(pages)
    key = await world.started(ANN, BOB)
    other = await world.started(CLEO, DAN)
    looked: list[Player] = []
    eyes = pages._page_views  # noqa: SLF001
    view = eyes.view

    async def noted(page: Page) -> View:
        looked.append(page.reader.player)
        return await view(page)

    eyes.view = noted  # type: ignore[method-assign]
    async with kept(pages, EVE, table=key.table) as page:
        await told(pages)
        looked.clear()
        await world.place_cards(other, await world.turn(other))
        await told(pages)
        assert looked == []
        await world.place_cards(key, await world.turn(key))
        await told(pages)
        assert looked == [EVE]
        assert page.came[-1]["type"] == "change"
        assert placed(page.view) == 5


async def test_a_table_that_not_everybody_sees_is_watched_by_nobody(world: World, pages: Pages) -> None:
    hidden = await world.started(ANN, BOB)
    private = await practised(world)
    async with kept(pages, EVE) as page:
        assert page.view["table"] == 0
        all_see(pages)
        page.page.looks = True
        assert (await page.look())["table"] == hidden.table
        for other in (private.table, 99):
            await page.say(type="look", table=other)
            assert page.view["table"] == hidden.table
        pages.watching.seen_by_all = lambda channel: channel != CHANNEL
        page.page.looks = True
        assert (await page.look())["table"] == 0
    pages.watching.seen_by_all = lambda channel: False
    async with kept(pages, ANN) as page:
        assert page.view["mine"] is not None or page.view["seats"], "one's own table has nothing to do with it"


async def test_the_host_decides_whether_others_watch(world: World, pages: Pages) -> None:
    all_see(pages)
    key = await world.started(ANN, BOB)
    async with kept(pages, ANN) as host, kept(pages, BOB) as guest, kept(pages, EVE) as page:
        switches = {"let_watch", "unwatch"}
        offered = [(offer["verb"], offer["label"]) for offer in host.view["offers"] if offer["verb"] in switches]
        assert offered == [("unwatch", EN("page.unwatch"))]
        assert not [offer for offer in guest.view["offers"] if offer["verb"] in switches]
        pages.saw(PageReader(guild=GUILD, player=ANN, locale="en-US"), "Ann Lee", username="ann")
        assert (await guest.ask("unwatch", turn=""))["said"] == EN("refused.not_host", player="Ann Lee")
        assert page.view["table"] == key.table
        for _ in range(2):  # A second press, or a page that is behind, acts by the state that its button showed.
            answer = await host.ask("unwatch", turn="seen long ago")
            assert answer["said"] == EN("page.watched_off")
        assert (await page.look())["table"] == 0
        assert page.view["seats"] == []
        await page.say(type="look", table=key.table)
        assert page.view["table"] == 0
        # A page of an older version doesn't say which of the two is wanted: nothing changes, and it is shown.
        assert (await host.ask("watched"))["outcome"] == "stale"
        assert (await page.look())["table"] == 0
        assert (await host.ask("let_watch"))["said"] == EN("page.watched_on")
        await page.say(type="look", table=key.table)
        assert page.view["table"] == key.table


@pytest.mark.parametrize("removed", [False, True], ids=["left", "removed"])
@pytest.mark.parametrize("watched", [True, False], ids=["watched", "not watched"])
async def test_whoever_is_gone_from_a_table_keeps_their_last_hand_and_sees_the_next_as_others_do(
    world: World, pages: Pages, *, removed: bool, watched: bool
) -> None:
    all_see(pages)
    key = await world.started(ANN, BOB, CLEO)
    await world.play.let_watch(key, ANN, watched=watched)
    async with kept(pages, CLEO, table=key.table) as page, kept(pages, EVE, table=key.table) as other:
        await world.play_hand(key)
        if removed:
            await world.seating.remove(key, ANN, CLEO, manager=False, cause=world.cause())
        else:
            await world.leave(key, CLEO)
        await page.look()
        assert page.view["table"] == key.table
        assert any(page.own["discards"]), "what they have discarded is theirs to know"
        assert page.view["result"]
        assert (await world.next_hand(key)).table.hand_no == 2
        assert (await world.play.look(key, CLEO)).mine is None
        again, *_ = await page.say(type="read", id="look-back", what="rules", table=key.table, hand=0)
        assert again["type"] == ("found" if watched else "answer")
        for _ in range(3):
            await world.place_cards(key, await world.turn(key))
            await page.look()
            await other.look()
            assert page.view["table"] == (key.table if watched else 0)
            assert page.view["watches"] == watched
            offers = [[offer["verb"] for offer in one.view["offers"]] for one in (page, other)]
            assert offers == [["join"] if watched and not removed else [], ["join"] if watched else []]
            assert page.view["seats"] == other.view["seats"]
            await page.say(type="look", table=key.table)
            assert page.view["seats"] == other.view["seats"]
        await world.play.close(key, reason="closed_by_admin")
        for one in (page, other):
            await one.look()
        assert page.view["result"] == other.view["result"]
        assert watched or page.view["result"] is None


async def test_a_player_may_watch_another_table_and_comes_back_to_theirs(world: World, pages: Pages) -> None:
    all_see(pages)
    own = await world.started(ANN, BOB)
    other = await world.started(CLEO, DAN)
    async with kept(pages, ANN) as page:
        assert [(one["table"], one["watch"], one["chosen"]) for one in page.view["tables"]] == [
            (own.table, False, True),
            (other.table, True, False),
        ]
        await page.say(type="look", table=other.table)
        assert page.view["watches"]
        assert [offer["verb"] for offer in page.view["offers"]] == ["join"]
        await world.place_cards(other, await world.turn(other))
        assert (await page.look())["watches"]
        await page.say(type="look", table=own.table)
        assert not page.view["watches"]
        assert page.view["seats"][0]["you"]


async def test_a_new_table_comes_to_whoever_has_nothing_to_look_at(world: World, pages: Pages) -> None:
    all_see(pages)
    async with kept(pages, EVE) as page:
        assert page.view["table"] == 0
        key = await world.started(ANN, BOB)
        await told(pages)
        assert page.view["table"] == key.table


# events


async def opened_event(world: World, structure: Structure) -> list[TableKey]:
    """An event of six that has begun, with its first hands dealt; returns its tables."""
    key = await event(world, structure)
    await world.later(world.policy.seating_ms)
    tables = [line.table.key for line in (await world.events.look(key)).tables]
    for table in tables:
        assert (await world.play.look(table)).hand is not None
    return tables


async def test_an_event_is_watched_with_its_bracket_and_its_other_tables(world: World, pages: Pages) -> None:
    all_see(pages)
    feature, *others = await opened_event(world, BRACKET)
    async with kept(pages, EVE, table=feature.table) as page:
        shown = page.view["event"]
        assert shown["title"] == "Friday"
        assert any("Player" in line for line in shown["standings"]), shown["standings"]
        heads = [shown["standings"][number] for number in shown["headings"]]
        assert heads[:3] == ["Round 1", "Semi-final", "Final"]
        assert not any(" vs " in line for line in heads), heads
        assert [board["table"] for board in shown["boards"]] == [other.table for other in others]
        assert all(len(board["seats"]) == 2 for board in shown["boards"])
        before = shown["boards"]
        await world.play_street(others[0])
        await told(pages)
        assert page.view["event"]["boards"] != before
        assert page.view["event"]["boards"][1:] == before[1:]
        await page.say(type="look", table=others[0].table)
        assert page.view["event"]["boards"][0]["table"] == feature.table
    # Players have only their own table.
    player = (await world.play.look(feature)).waiting[0]
    async with kept(pages, player) as page:
        assert page.view["event"] is None


async def test_while_others_play_the_same_deck_nobody_watches_its_cards(world: World, pages: Pages) -> None:
    all_see(pages)
    feature, *others = await opened_event(world, DUPLICATE)
    async with kept(pages, EVE, table=feature.table) as page:
        await world.play_hand(feature)
        await page.look()
        boards = [page.view["seats"], *(board["seats"] for board in page.view["event"]["boards"])]
        assert len(boards) == 1 + len(others)
        codes = [code for seats in boards for seat in seats for row in seat["rows"] for code in row]
        assert codes
        assert set(codes) == {"?"}
        assert page.view["result"] is None
        for what in ("past", "file", "record"):
            (answer,) = await page.say(type="read", id="look-back", what=what, table=feature.table, hand=1)
            assert answer["outcome"] == "refused"


# for streams


class Stream(Kept):
    """A page for a stream."""


@asynccontextmanager
async def streaming(pages: Pages, player: Player, key: TableKey) -> AsyncIterator[Stream]:
    """Open a stream's page."""
    line = Stream(pages=pages)
    reader = PageReader(guild=GUILD, player=player, locale="en-US")
    async with pages.opened(reader, line, table=key.table, has="", overlay=True) as line.page:
        await line.look()
        yield line


async def test_a_stream_is_a_whole_street_late_even_for_who_plays(world: World, pages: Pages) -> None:
    all_see(pages)
    key = await world.started(ANN, BOB)
    async with kept(pages, EVE) as live, streaming(pages, ANN, key) as late:
        assert late.view["seats"] == []
        assert late.view["status"] == EN("page.soon")
        streets = []
        while (view := await world.play.look(key)).waiting:
            await world.place_cards(key, view.waiting[0])
            await live.look()
            await late.look()
            hand = (await world.play.look(key)).hand
            assert hand is not None
            # A stream shows the cards from two streets ago and nothing newer. At the end, it doesn't show the last
            # street yet.
            streets.append(6 if hand.over else hand.street)
            assert placed(late.view) == (0, 0, 10, 14, 18, 22)[streets[-1] - 1]
            assert late.view["mine"] is None
            assert not any(seat["you"] for seat in late.view["seats"])
        assert streets == [1, 2, 2, 3, 3, 4, 4, 5, 5, 6]
        assert placed(live.view) == 26
        assert not late.view["result"]
        world.now += LATE_MS
        await late.look()
        assert placed(late.view) == 26
        assert late.view["result"]["title"] == EN("result.title", hand=1)


async def boards_after(world: World, pages: Pages, key: TableKey, streets: int) -> list[list[Any]]:
    """Play so many streets, and return the boards that everyone sees then."""
    for _ in range(streets):
        await world.play_street(key)
    async with kept(pages, EVE, table=key.table) as live:
        return rows_of(live.view)


def rows_of(view: Json) -> list[list[Any]]:
    return [seat["rows"] for seat in view["seats"]]


async def test_a_stream_that_opens_during_a_hand_shows_what_is_a_street_old_at_once(world: World, pages: Pages) -> None:
    all_see(pages)
    key = await world.started(ANN, BOB)
    second = await boards_after(world, pages, key, 2)
    assert await boards_after(world, pages, key, 1) != second
    async with streaming(pages, ANN, key) as late:
        assert rows_of(late.view) == second
        assert (late.view["until"], late.view["bank"], late.view["result"]) == (None, 0, None)
        assert all(seat["until"] is None for seat in late.view["seats"])


async def test_a_stream_that_is_drawn_once_after_many_turns_skips_no_card(world: World, pages: Pages) -> None:
    all_see(pages)
    key = await world.started(ANN, BOB)
    async with streaming(pages, ANN, key) as late:
        third = await boards_after(world, pages, key, 3)
        await boards_after(world, pages, key, 1)
        await world.place_cards(key, await world.turn(key))
        await late.look()
        assert rows_of(late.view) == third


async def test_nothing_of_a_hands_end_reaches_a_stream_early(world: World, pages: Pages) -> None:
    all_see(pages)
    key = await world.started(ANN, BOB)
    before = [seat["chips"] for seat in (await looked_at(pages, key)).view["seats"]]
    fourth = await boards_after(world, pages, key, 4)
    await world.play_street(key)
    await world.leave(key, BOB)
    end = await looked_at(pages, key)
    assert end.view["result"]
    assert [seat["chips"] for seat in end.view["seats"]] != before
    world.now += LATE_MS - 1
    async with streaming(pages, ANN, key) as late:
        assert rows_of(late.view) == fourth
        assert [seat["chips"] for seat in late.view["seats"]] == before
        assert (late.view["result"], late.view["next_hand"], late.view["past"]) == (None, None, 0)
        assert all(not seat["gained"] and set(seat["discards"]) <= {"?"} for seat in late.view["seats"])
        world.now += 1
        await late.look()
        assert late.view["result"] == end.view["result"]


async def test_a_stream_that_opens_in_the_next_hand_shows_the_last_one_until_its_cards_are_old(
    world: World, pages: Pages
) -> None:
    all_see(pages)
    key = await world.started(ANN, BOB)
    fourth = await boards_after(world, pages, key, 4)
    await world.play_street(key)
    end = (await looked_at(pages, key)).view
    await world.later(world.policy.next_hand_ms)
    assert (await world.play.look(key)).table.hand_no == 2
    assert world.policy.next_hand_ms < LATE_MS
    for begun in (False, True):
        # The result comes with the next hand's second street, or half a minute after the end.
        async with streaming(pages, ANN, key) as late:
            assert rows_of(late.view) == (rows_of(end) if begun else fourth)
            assert bool(late.view["result"]) is begun
        await world.play_street(key)
    async with streaming(pages, ANN, key) as late:
        assert placed(late.view) == 10
        assert late.view["result"] is None


async def test_a_stream_gets_the_result_half_a_minute_late_although_nobody_plays_on(world: World, pages: Pages) -> None:
    all_see(pages)
    key = await world.started(ANN, BOB)
    await world.play_hand(key)
    await world.later(world.policy.next_hand_ms)
    world.now += LATE_MS
    async with streaming(pages, ANN, key) as late:
        assert (placed(late.view), late.view["result"]["title"]) == (26, EN("result.title", hand=1))


async def looked_at(pages: Pages, key: TableKey) -> Kept:
    """A page that has seen the table as everyone does."""
    async with kept(pages, EVE, table=key.table) as page:
        return page


async def test_a_stream_may_be_told_to_end(world: World, pages: Pages) -> None:
    all_see(pages)
    key = await world.started(ANN, BOB)
    async with streaming(pages, ANN, key) as late:
        pages.close()
        assert isinstance(late.bye, Bye)


async def test_a_view_that_cannot_be_drawn_is_answered_by_a_code_that_is_in_the_log(
    world: World, pages: Pages, caplog: pytest.LogCaptureFixture
) -> None:
    all_see(pages)
    key = await world.started(ANN, BOB)

    def broken(channel: int) -> bool:
        raise RuntimeError("the roof has fallen in")

    async with kept(pages, EVE) as page:
        assert page.view["watches"]
        pages.watching.seen_by_all = broken
        page.page.looks = True
        await world.place_cards(key, await world.turn(key))
        await told(pages)
        answers = [message for message in page.came if message["type"] == "answer"]
        logged = [record for record in caplog.records if record.levelname == "ERROR"]
        assert answers
        assert {answer["outcome"] for answer in answers} == {"failed"}
        assert [answer["said"] for answer in answers] == [
            EN("gate.incident", code=record.incident).replace("`", "")  # type: ignore[attr-defined]
            for record in logged
        ]
        assert all(record.exc_info for record in logged)


# other tables beside the one that is watched


async def test_other_tables_come_on_request_and_show_what_everyone_sees(world: World, pages: Pages) -> None:
    all_see(pages)
    key, other = await world.started(ANN, BOB), await world.started(CLEO, DAN)
    async with kept(pages, EVE, table=key.table) as page, kept(pages, STRANGER, table=other.table) as there:
        assert (page.view["others"], page.view["beside"]) == (1, [])
        await page.say(type="look", table=key.table, beside=True)
        (board,) = page.view["beside"]
        assert (board["table"], len(board["seats"])) == (other.table, 2)
        for _ in range(4):
            await world.place_cards(other, await world.turn(other))
            await told(pages)
            assert page.view["beside"][0]["seats"] == there.view["seats"]
        assert placed({"seats": page.view["beside"][0]["seats"]}) == 14
        await page.say(type="look", table=key.table)
        assert page.view["beside"] == []
        before = len(page.came)
        await world.place_cards(other, await world.turn(other))
        await told(pages)
        assert page.came[before:] == [], "whoever looks at one table is told nothing of others"


async def test_no_more_tables_than_a_page_can_show_come_beside_it(world: World, pages: Pages) -> None:
    all_see(pages)
    key = await world.started(ANN, BOB)
    for number in range(MAX_BOARDS + 2):
        await world.table(Player(str(7_000 + number)))
    async with kept(pages, EVE, table=key.table) as page:
        assert page.view["others"] == MAX_BOARDS
        await page.say(type="look", table=key.table, beside=True)
        assert len(page.view["beside"]) == MAX_BOARDS


async def test_a_table_leaves_the_others_once_its_host_wants_no_watchers(world: World, pages: Pages) -> None:
    all_see(pages)
    key, other = await world.started(ANN, BOB), await world.started(CLEO, DAN)
    async with kept(pages, EVE, table=key.table) as page, kept(pages, CLEO) as host:
        await page.say(type="look", table=key.table, beside=True)
        assert [board["table"] for board in page.view["beside"]] == [other.table]
        await host.ask("unwatch")
        await told(pages)
        assert page.view["beside"] == []
        before = len(page.came)
        await world.place_cards(other, await world.turn(other))
        await told(pages)
        assert page.came[before:] == []


async def test_whoever_plays_or_streams_gets_no_other_tables(world: World, pages: Pages) -> None:
    all_see(pages)
    key = await world.started(ANN, BOB)
    await world.started(CLEO, DAN)
    async with kept(pages, ANN) as own:
        await own.say(type="look", table=key.table, beside=True)
        assert own.view["seats"][0]["you"]
        assert (own.view["others"], own.view["beside"]) == (0, [])
    line = Kept(pages=pages)
    reader = PageReader(guild=GUILD, player=EVE, locale="en-US")
    async with pages.opened(reader, line, table=key.table, has="", overlay=True) as line.page:
        assert await line.say(type="look", table=key.table, beside=True) == []
        await line.look()
        await world.play_hand(key)
        await line.look()
        world.now += LATE_MS
        await line.look()
        assert placed(line.view) == 26
        assert (line.view["others"], line.view["beside"]) == (0, [])


async def test_a_stream_leaves_a_table_whose_host_wants_no_watchers(world: World, pages: Pages) -> None:
    all_see(pages)
    key = await world.started(ANN, BOB)
    line = Kept(pages=pages)
    reader = PageReader(guild=GUILD, player=EVE, locale="en-US")
    async with (
        pages.opened(reader, line, table=key.table, has="", overlay=True) as line.page,
        kept(pages, ANN) as host,
    ):
        for _ in range(6):
            await line.look()
            await world.place_cards(key, await world.turn(key))
        await line.look()
        assert placed(line.view)
        await host.ask("unwatch")
        await told(pages)
        assert (line.view["table"], line.view["seats"]) == (0, [])
        before = len(line.came)
        await world.play_hand(key)
        await told(pages)
        assert line.came[before:] == []
