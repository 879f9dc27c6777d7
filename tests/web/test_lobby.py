"""A table that deals no hand, on the page: it's started, left and shown to others there, and keeps its last result."""

from __future__ import annotations

import pytest

from bot.model.tables import TableState
from bot.text.words import words_for
from bot.web.pages import Pages
from bot.web.plain import plain
from tests.play.world import ANN, BOB, CHANNEL, CLEO, GUILD, World
from tests.web.open_pages import Kept, kept
from tests.web.test_watching import told

EN, JA = words_for("en"), words_for("ja")


def offered(page: Kept) -> list[str]:
    """The verbs of the buttons, without those that tables have at any time."""
    always = ("let_watch", "unwatch", "retry", "sit_out", "top_up")
    return [offer["verb"] for offer in page.view["offers"] if offer["verb"] not in always]


async def test_a_lobby_is_started_from_the_page(world: World, pages: Pages) -> None:
    key = await world.table(ANN)
    async with kept(pages, ANN, locale="ja") as host, kept(pages, BOB) as guest:
        assert offered(host) == ["leave", "invite"]
        alone = host.intent("leave")
        await world.join(key, BOB)
        await told(pages)
        await host.look()
        await guest.look()
        assert offered(host) == ["start", "leave", "invite"]
        assert offered(guest) == ["leave", "invite"]
        label = JA("button.start")
        assert label in [offer["label"] for offer in host.view["offers"]]
        # Nothing else is said: who is "dealt in next hand" joins a hand that runs.
        assert host.view["status"] == plain(JA("lobby.may_start_here", table=key.table, start=label), str)
        assert guest.view["status"] == plain(EN("lobby.joined_ready", table=key.table, start=EN("button.start")), str)
        assert (await guest.ask("start", turn=host.intent("start")["turn"]))["outcome"] == "refused"
        start = host.intent("start")
        assert (await host.ask("start"))["outcome"] == "done"
        assert host.view["status"]
        assert (await world.play.look(key)).table.state is TableState.PLAYING
        assert offered(host) == ["leave"]
        for late in (start, alone):
            *_, answer = await host.say(**late | {"id": f"again-{late['verb']}"})
            assert answer["outcome"] == "stale"
        assert len((await world.play.look(key)).places) == 2


async def test_a_lobby_is_left_from_the_page(world: World, pages: Pages) -> None:
    key = await world.table(ANN, BOB)
    async with kept(pages, BOB) as page:
        answer = await page.ask("leave")
        assert (answer["outcome"], answer["said"]) == ("done", EN("lobby.left", table=1, count=1000, chips="1,000"))
        assert page.view["title"] == EN("page.no_table")
    assert [place.seat.player for place in (await world.play.look(key)).places] == [ANN]


async def test_others_are_called_with_the_address_of_the_table(world: World, pages: Pages) -> None:
    key = await world.table(ANN)
    async with kept(pages, ANN) as page:
        found, answer = await page.say(type="read", id="invitation", what="invite", table=key.table)
        assert answer["outcome"] == "done"
        assert found["text"].startswith(f"https://discord.com/channels/{GUILD}/{CHANNEL}")
    # At a full table, no one is pinged.
    for player in (BOB, CLEO):
        await world.join(key, player)
    async with kept(pages, ANN) as page:
        assert offered(page) == ["start", "leave"]


@pytest.mark.parametrize("joins", [False, True])
async def test_a_result_stays_while_too_few_are_left_for_the_next_hand(world: World, pages: Pages, joins: bool) -> None:
    key = await world.started(ANN, BOB)
    async with kept(pages, ANN) as page:
        await world.leave(key, BOB)
        await world.play_hand(key)
        await world.later(world.policy.next_hand_ms)
        assert (await world.play.look(key)).table.state is TableState.LOBBY
        await page.look()
        assert page.view["result"]["title"] == EN("result.title", hand=1)
        assert [sum(map(len, seat["rows"])) for seat in page.view["seats"]] == [13, 13]
        assert offered(page) == ["leave", "invite"]
        assert page.view["past"] == 1
        if joins:
            # New players are shown next to the boards until the table continues.
            await world.join(key, CLEO)
            await page.look()
            assert [sum(map(len, seat["rows"])) for seat in page.view["seats"]] == [13, 13, 0]
            await world.later(world.policy.next_hand_ms)
            await page.look()
            assert len(page.view["seats"]) == 2
            assert page.view["result"] is None
