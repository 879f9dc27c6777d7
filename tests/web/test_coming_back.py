"""One person on page, panel and ``/place`` at once, in two tabs, and over restarts: nothing twice, nothing lost."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from functools import partial

import pytest

from bot.pure.ofc.cards import DISCARD
from bot.text.words import words_for
from tests.discord.club import Club, plain_letters
from tests.discord.test_placing import cards_of
from tests.web.open_pages import Json, Open, Sight, key_of, link_in, linked

EN = words_for("en")


@pytest.fixture
def page_url() -> str:
    return "https://cards.example.org"


async def key(club: Club, name: str) -> dict[str, str]:
    """Return the page's credentials from the link on a member's hand."""
    return key_of(link_in(await club.open_panel(name)))


async def opened(sight: Sight, key: dict[str, str], **said: object) -> Json:
    """Open a page; returns the first view, or why there is none."""
    await sight.say(type="open", **key, **said)
    return await sight.until(lambda told: told["type"] in ("snapshot", "current", "bye"))


async def answer(sight: Sight, intent: Json) -> Json:
    """Return the answer to an intent."""
    return await sight.until(lambda told: told["type"] == "answer" and told["id"] == intent["id"])


async def test_page_panel_and_place_at_once_are_one_placement(club: Club) -> None:
    await club.open_table("alice", "bob")
    async with linked(club) as door:
        for street in range(1, 4):
            for _ in range(2):
                name = await club.on_turn()
                seen = await club.look(1, name)
                letters = plain_letters(seen)
                panel = await club.place(name, await club.open_panel(name), letters)
                # Letters would place the next street ahead where the page was first: the cards are named.
                typed = " ".join(f"{card} {letter}" for card, letter in zip(cards_of(seen), letters, strict=True))
                async with door.socket() as page:
                    await opened(page, key_of(link_in(panel)))
                    laid = await club.count("cards_laid")
                    intent = page.intent("confirm", letters.replace(DISCARD, "."))
                    # SimCord handles one press or command at a time, so they alternate next to the page's actions.
                    ways: list[Callable[[], Awaitable[object]]] = [
                        partial(club.press, name, panel, panel.find("confirm")),
                        partial(club.slash, name, "place", cards=typed),
                    ]
                    await asyncio.gather(ways[street % 2](), page.say(**intent))
                    if street % 2 == 0:
                        await ways[1]()
                    assert (await answer(page, intent))["outcome"] in ("done", "stale"), street
                    assert await club.count("cards_laid") == laid + 1


async def test_two_tabs_show_the_same_and_confirm_once(club: Club) -> None:
    await club.open_table("alice", "bob")
    name = await club.on_turn()
    async with linked(club) as door, door.socket() as one, door.socket() as two:
        known = await key(club, name)
        await opened(one, known)
        await opened(two, known)  # like a duplicated tab
        await one.draft("FMM..")
        await two.sees(lambda view: view["mine"]["draft"]["letters"] == "FMM..")
        facts = await club.count("cards_laid")
        intents = [one.intent("confirm", "FMMBB"), two.intent("confirm", "BBMMF")]
        await asyncio.gather(one.say(**intents[0]), two.say(**intents[1]))
        answers = [await answer(one, intents[0]), await answer(two, intents[1])]
        assert sorted(told["outcome"] for told in answers) == ["done", "stale"]
        late = next(told for told in answers if told["outcome"] == "stale")
        assert late["said"] == EN("page.too_late")
        assert await club.count("cards_laid") == facts + 1
        await one.sees(lambda view: view["mine"] is None)
        await two.sees(lambda view: view["mine"] is None)
        assert one.own["rows"] == two.own["rows"]


async def test_after_a_restart_the_page_goes_on_and_what_was_done_is_not_done_again(club: Club) -> None:
    await club.open_table("alice", "bob")
    name = await club.on_turn()
    async with linked(club) as door, door.socket() as page:
        known = await key(club, name)
        await opened(page, known)
        await page.draft("FMMB.")
        done = page.intent("confirm", "FMMBB")
        await page.say(**done)
        assert (await answer(page, done))["outcome"] == "done"
        await club.play_turn(await club.on_turn())
        view = await page.sees(lambda view: view["yours"])
        await page.draft("B..")
        undone = page.intent("confirm", "BM.")
    laid = await club.count("cards_laid")
    await club.restart(down_seconds=30)
    async with linked(club) as door, door.socket() as page:
        # The answer to the first action was lost, and the second was sent while the connection was down.
        told = await opened(page, known, table=view["table"])
        assert told["type"] == "snapshot"
        assert page.view["mine"]["draft"]["letters"] == "B.."
        for intent, outcome in ((done, "stale"), (undone, "done"), (undone, "done")):
            await page.say(**intent)
            assert (await answer(page, intent))["outcome"] == outcome
        assert await club.count("cards_laid") == laid + 1


async def test_while_the_bot_stops_pages_are_told_so_and_links_from_before_are_used_up(club: Club) -> None:
    await club.open_table("alice", "bob")
    unused = await key(club, "alice")
    async with linked(club) as door, door.socket() as page:
        await opened(page, await key(club, "bob"))
        door.pages.close()
        told = await page.until(lambda told: told["type"] == "bye")
        assert told == {"type": "bye", "said": EN("page.stopping"), "again": True, "to": ""}
    await club.restart()
    async with linked(club) as door, door.socket() as page:
        assert (await opened(page, unused))["said"] == EN("page.link_over")
    async with linked(club) as door, door.socket() as page:
        assert (await opened(page, await key(club, "alice")))["type"] == "snapshot"


async def test_the_hand_has_another_link_as_soon_as_one_was_used(club: Club) -> None:
    await club.open_table("alice", "bob")
    panel = await club.open_panel("alice")
    before = link_in(panel)
    async with linked(club) as door, door.socket() as page:
        await opened(page, key_of(before))
        async with asyncio.timeout(60):
            while link_in(panel) == before:
                await club.settle()
        async with door.socket() as another:
            assert (await opened(another, key_of(link_in(panel))))["type"] == "snapshot"


async def test_while_nothing_can_be_written_a_link_is_not_used_up(club: Club) -> None:
    await club.open_table("alice", "bob")
    known = await key(club, "alice")
    async with linked(club) as door:
        club.troubles.append(13)  # SQLITE_FULL
        async with door.socket() as page:
            told = await opened(page, known)
            assert told == {"type": "bye", "said": EN("page.later"), "again": True, "to": ""}
        club.troubles.clear()
        async with door.socket() as page:
            assert (await opened(page, known))["type"] == "snapshot"
    club.forgiven.append("storage trouble")


async def moved(club: Club, door: Open, page: Sight, *, to: str) -> Json:
    """Let another process take over the server, as learned from the leases; returns the page's message."""

    async def url_of(guild: int) -> str:
        return to

    links, guild = club.bot.links, club.key().guild
    links._url_of = url_of  # noqa: SLF001  (as leases tell it)
    serving: list[object] = []
    club.bot.leased = serving  # type: ignore[assignment]
    links.handed_over(lambda one: one == guild)
    return await page.until(lambda told: told["type"] == "bye")


@pytest.mark.parametrize("to", ["https://b.example.org", "https://cards.example.org", ""])
async def test_a_page_whose_server_another_process_serves_is_sent_there(club: Club, to: str) -> None:
    await club.open_table("alice", "bob")
    async with linked(club) as door, door.socket() as page:
        known = await key(club, "alice")
        await opened(page, known)
        elsewhere = "https://b.example.org/table" if to == "https://b.example.org" else ""
        told = await moved(club, door, page, to=to)
        assert told == {"type": "bye", "said": EN("page.moved"), "again": True, "to": elsewhere}
        async with door.socket() as again:
            told = await opened(again, known)
            said = EN("page.moved" if elsewhere else "page.later")
            assert told == {"type": "bye", "said": said, "again": True, "to": elsewhere}
        club.bot.leased = None


async def test_whoever_has_the_link_of_a_hand_is_sent_where_its_server_is_served(club: Club) -> None:
    await club.open_table("alice", "bob")
    await club.type_hand()
    await club.share_hands("alice", "bob")
    table = club.key()
    link = await club.play.hand_link(table, 1, club.player("alice"))

    async def url_of(guild: int) -> str:
        return "https://b.example.org"

    async with linked(club) as door, door.socket() as page, door.socket() as again:
        club.bot.links._url_of = url_of  # noqa: SLF001  (as leases tell it)
        club.bot.leased = []
        told = await opened(page, {"token": link})
        club.bot.leased = None
        assert told == {"type": "bye", "said": EN("page.moved"), "again": True, "to": "https://b.example.org/table"}
        assert (await opened(again, {"token": link}))["type"] == "snapshot"


async def test_what_comes_once_the_server_is_anothers_is_neither_done_nor_answered(club: Club) -> None:
    await club.open_table("alice", "bob")
    name = await club.on_turn()
    async with linked(club) as door, door.socket() as page:
        await opened(page, await key(club, name))
        facts = await club.facts()
        club.bot.leased = []
        await page.say(**page.intent("confirm", "FMMBB"))
        await page.say(type="ping")
        told = await moved(club, door, page, to="https://b.example.org")
        assert told["to"] == "https://b.example.org/table"
        assert not [one for one in page.came if one["type"] in ("answer", "pong")]
        assert await club.facts() == facts
        club.bot.leased = None
        assert json.dumps(page.came).count("bye") == 1
