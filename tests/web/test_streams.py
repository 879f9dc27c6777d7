"""The address for streaming software: access, contents, duration and revocation."""

from __future__ import annotations

import json

import pytest

from bot.model.ids import Player
from bot.model.limits import PAGE_LOGIN_MS
from bot.text.words import words_for
from bot.web.messages import Verb
from bot.web.pages import Pages
from tests.discord.club import Club
from tests.play.world import ANN, BOB, EVE, GUILD, World
from tests.web.open_pages import Kept, Open, kept, key_of, link_in, pages_of
from tests.web.test_personal_links import URL, opening, panel_link
from tests.web.test_watching import all_see
from tests.web.test_what_pages_know import cards_in

EN = words_for("en")


@pytest.fixture
def page_url() -> str:
    return URL


async def hand_link(pages: Pages, player: Player, verb: Verb = "stream") -> str:
    """Return the last part of a player's stream address."""
    async with kept(pages, player) as page:
        answer = await page.ask(verb)
        assert answer["outcome"] == "done", answer
        return str(answer["stream"])


async def test_a_link_for_streams_stays_the_same_until_its_owner_renews_or_ends_it(world: World, pages: Pages) -> None:
    await world.started(ANN, BOB)
    first = await hand_link(pages, ANN)
    assert first.startswith(f"stream.{GUILD}.")
    assert ANN not in first, "the address names no one"
    assert await hand_link(pages, ANN) == first
    assert await hand_link(pages, BOB) != first
    world.now += 100 * PAGE_LOGIN_MS
    assert await pages.stream(first) is not None
    await world.restart()
    pages = pages_of(world)
    assert (found := await pages.stream(first)) is not None
    assert found.player == ANN
    second = await hand_link(pages, ANN, "stream_renew")
    assert second != first
    assert await pages.stream(first) is None
    assert await pages.stream(second) is not None
    assert await hand_link(pages, ANN, "stream_end") == ""
    assert await pages.stream(second) is None


@pytest.mark.parametrize("bent", ["", "stream.", "stream.1.2.3", "{0}0", "stream.0{1}", "{2}"])
async def test_a_link_for_streams_cannot_be_guessed_or_bent(world: World, pages: Pages, bent: str) -> None:
    link = await hand_link(pages, ANN)
    start, guild, name, mark = link.split(".")
    other = ".".join([start, guild, name, mark[::-1]])
    assert await pages.stream(link) is not None
    assert await pages.stream(bent.format(link, link.removeprefix("stream."), other)) is None


async def test_what_comes_by_a_link_for_streams_only_shows_and_never_acts(world: World, pages: Pages) -> None:
    all_see(pages)
    key = await world.started(ANN, BOB)
    reader = await pages.stream(await hand_link(pages, ANN))
    assert reader is not None
    line = Kept(pages=pages)
    async with pages.opened(reader, line, table=key.table, has="") as page, kept(pages, ANN) as own:
        line.page = page
        await line.look()
        hand = own.view["mine"]["cards"]
        assert len(hand) == 5
        before = (await world.play.look(key)).table
        asked = [
            own.drawn("F....") | {"type": "draft"},
            *(own.intent(verb, "FMMBB") for verb in ("confirm", "ahead", "watched", "stream_renew", "stream_end")),
            {"type": "look", "table": key.table},
            *({"type": "read", "id": "look-back", "what": what, "table": 1, "hand": 1} for what in ("rules", "past")),
        ]
        for message in asked:
            assert await line.say(**message) == [], message
        assert await line.say(type="ping") == [{"type": "pong"}]
        assert (await world.play.look(key)).table == before
        assert await hand_link(pages, ANN) == reader.stream
        while (view := await world.play.look(key)).waiting:
            await world.place_cards(key, view.waiting[0])
            await line.look()
        # It has shown cards, and its owner's own no earlier than everyone's.
        assert sum(len(row) for seat in line.view["seats"] for row in seat["rows"]) > 10
        assert line.view["mine"] is None
        assert not any(seat["you"] for seat in line.view["seats"])
        firsts = [number for number, told in enumerate(line.came) if cards_in(told) & set(hand)]
        assert firsts
        assert firsts[0] > 0
        assert line.view["offers"] == []


async def test_a_stream_of_no_table_says_so_and_goes_on_with_the_next_one(world: World, pages: Pages) -> None:
    reader = await pages.stream(await hand_link(pages, EVE))
    assert reader is not None
    line = Kept(pages=pages)
    async with pages.opened(reader, line, table=7, has="") as page:
        line.page = page
        assert (await line.look())["status"] == EN("page.no_stream")
        all_see(pages)
        key = await world.started(ANN, BOB)
        page.looks = True
        assert (await line.look())["table"] == key.table
        assert line.view["status"] == EN("page.soon")


async def test_a_page_by_a_link_for_streams_closes_none_of_its_owners_pages(world: World, pages: Pages) -> None:
    reader = await pages.stream(await hand_link(pages, ANN))
    assert reader is not None
    async with kept(pages, ANN) as own:
        lines = [Kept(pages=pages) for _ in range(8)]
        opened = [pages.opened(reader, line, table=0, has="") for line in lines]
        for one in opened:
            await one.__aenter__()
        assert own.bye is None
        assert [bool(line.bye) for line in lines] == [True, True, *[False] * 6]
        for one in opened:
            await one.__aexit__(None, None, None)


async def stream_of(club: Club, door: Open, name: str) -> str:
    """Return a member's stream link, requested on their page."""
    async with door.socket() as sight:
        await opening(sight, **key_of(await panel_link(club, name)))
        return str((await sight.ask("stream"))["stream"])


async def test_it_opens_without_a_ticket_and_ends_with_its_owners_pages(club: Club, door: Open) -> None:
    await club.open_table("alice", "bob")
    link = await stream_of(club, door, "alice")
    for _ in range(2):
        async with door.socket() as sight:
            first = await opening(sight, token=link)
            assert first["type"] == "snapshot"
            assert first["view"]["mine"] is None
    async with door.socket() as sight:
        await opening(sight, token=link)
        await club.bot.links.close(club.key().guild, club.player("alice"))
        told = await sight.until(lambda told: told["type"] == "bye")
        assert not told["again"]
    async with door.socket() as sight:
        told = await opening(sight, token=link)
        assert told == {"type": "bye", "said": EN("page.stream_over"), "again": False, "to": ""}


async def test_renewing_it_closes_what_the_old_one_has_opened(club: Club, door: Open) -> None:
    await club.open_table("alice", "bob")
    async with door.socket() as own, door.socket() as sight:
        await opening(own, **key_of(await panel_link(club, "alice")))
        link = (await own.ask("stream"))["stream"]
        await opening(sight, token=link)
        renewed = (await own.ask("stream_renew"))["stream"]
        assert renewed not in ("", link)
        assert (await sight.until(lambda told: told["type"] == "bye"))["again"] is False
        await own.say(type="ping")
        assert (await own.until(lambda told: told["type"] == "pong")) == {"type": "pong"}


async def test_who_deletes_their_data_has_no_link_for_streams_any_more(club: Club, door: Open) -> None:
    await club.open_table("alice", "bob")
    link = await stream_of(club, door, "bob")
    await club.play_hand()
    await club.play.close(club.key(), reason="closed_by_admin")
    export = await club.bot.services.privacy.kept_about(club.player("bob"))
    assert [len(rows["stream_links"]) for rows in export.servers.values()] == [1]
    async with door.socket() as sight:
        assert (await opening(sight, token=link))["type"] == "snapshot"
        ask = await club.slash("bob", "ofc settings", topic=club.words("bob")("privacy.button.ask"))
        await club.tap("bob", ask, ask.find("own_delete"))
        await sight.until(lambda told: told["type"] == "bye")
    async with door.socket() as sight:
        assert (await opening(sight, token=link))["said"] == EN("page.stream_over")


async def test_who_leaves_the_server_has_no_link_for_streams_any_more(club: Club, door: Open) -> None:
    await club.open_table("alice", "bob")
    link = await stream_of(club, door, "alice")
    whose = club.key().guild, club.player("alice")
    async with door.socket() as sight:
        await opening(sight, token=link)
        assert whose in club.bot.links.readers(), "Discord is asked whether they are still there"
        await club.bot.links.left(*whose)
        assert (await sight.until(lambda told: told["type"] == "bye"))["again"] is False
    async with door.socket() as sight:
        assert (await opening(sight, token=link))["type"] == "bye"


# to watch


@pytest.mark.parametrize("name", ["carol", "hanako"])
async def test_whoever_has_no_seat_finds_a_link_to_watch(club: Club, door: Open, name: str) -> None:
    if name == "carol":
        club.newcomer("carol")
    await club.open_table("alice", "bob")
    words = club.words(name)
    for screen in (await club.slash(name, "ofc table", do="tables"), await club.open_panel(name)):
        url = link_in(screen)
        assert words("button.watch_page", table=1) in json.dumps(screen.components, ensure_ascii=False)
        assert url.startswith(f"{URL}/table#")
    async with door.socket() as sight:
        first = await opening(sight, **key_of(url))
        assert first["view"]["table"] == 1
        assert first["view"]["watches"]
        assert len(first["view"]["seats"]) == 2


async def test_no_link_to_watch_leads_to_a_table_that_may_not_be_watched(club: Club, door: Open) -> None:
    number = await club.open_table("alice", "bob")
    await club.play.let_watch(club.key(number), club.player("alice"), watched=False)
    for screen in (await club.slash("hanako", "ofc table", do="tables"), await club.open_panel("hanako")):
        assert "table#" not in json.dumps(screen.components)
    assert f"{number}" in (await club.slash("hanako", "ofc table", do="tables")).text
    # Players at the table have their own access.
    await club.play.let_watch(club.key(number), club.player("alice"), watched=True)
    assert club.words()("button.watch_page", table=number) not in json.dumps(
        (await club.slash("alice", "ofc table", do="tables")).components
    )
