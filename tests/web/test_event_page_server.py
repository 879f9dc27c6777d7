"""Addresses of events' pages: how they're found, kept, limited and taken down, on the real bot."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from copy import copy
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import discord
import pytest
from aiohttp import ClientSession, web
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.model.events import Official
from bot.model.ids import EventKey, GuildId, Player
from bot.ops.visitors import listening
from bot.pure.event.pairings import Pairings
from bot.pure.ofc.cards import Card, card_name
from bot.run.playground.page_proxy import ROUTES, PageProxy
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from bot.web.addresses import EVENT
from bot.web.events.pages import EventPages, File, chosen_words
from bot.web.server import MAX_REQUESTS, PageServer
from tests.backstage import transactions_of
from tests.discord.club import Club, Screen, open_club
from tests.discord.messages import walk
from tests.discord.test_event_desk import announced, desk_of, guests_of, meant, person, running
from tests.discord.test_event_form import fields_of, open_events, opened, write
from tests.discord.test_event_rounds import ended
from tests.discord.test_late_rulings import manager, rulings_page, written
from tests.discord.test_powers import make_host
from tests.in_turn import in_turn

URL = "https://cards.example.org"
HOST = "cards.example.org"
SEE = discord.Permissions(view_channel=True).value


@pytest.fixture
def page_url() -> str:
    return URL


@dataclass
class Clock:
    """A clock that stands still."""

    at: float = 0.0

    def __call__(self) -> float:
        return self.at


@dataclass
class Door:
    """A server of pages, and its visitor."""

    http: ClientSession
    port: int
    clock: Clock

    def get(self, path: str, **headers: str) -> Any:
        return self.request("GET", path, **headers)

    def request(self, method: str, path: str, **headers: str) -> Any:
        sent = {"Host": HOST} | {name.replace("_", "-"): value for name, value in headers.items()}
        return self.http.request(method, f"http://127.0.0.1:{self.port}{path}", headers=sent, allow_redirects=False)


def event_pages(club: Club, clock: Callable[[], float], **others: Any) -> EventPages:
    """The events' pages of the club's bot, with another clock."""
    services = club.bot.services
    found = transactions_of(club.play).bus
    made = club.bot.links.event_pages
    assert made is not None
    seen_by_all = made._seen_by_all  # noqa: SLF001
    return EventPages(services.events, services.faces.names, found, clock=clock, seen_by_all=seen_by_all, **others)


@asynccontextmanager
async def door(club: Club, *, host: str = HOST, **others: Any) -> AsyncIterator[Door]:
    """Serve the pages of the club's bot by a clock that stands still; under its own address if ``host`` is empty."""
    clock, hosts = Clock(), list[str]()
    links = copy(club.bot.links)
    links.event_pages = event_pages(club, clock, **others)
    server = PageServer(club.bot.pages, hosts=lambda: hosts, origin=URL, links=links, clock=clock)
    log = logging.getLogger("visitors of events")
    async with (
        listening(server.routes(), host="127.0.0.1", port=0, most=64, logger=log) as port,
        ClientSession() as http,
    ):
        hosts.append(host or f"127.0.0.1:{port}")
        yield Door(http, port, clock)


@pytest.fixture
def reads(club: Club, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """All readings from the store from now on."""
    transactions, made = transactions_of(club.play), list[object]()
    read = transactions.read

    async def noted(job: Callable[[Any], Any]) -> Any:
        made.append(job)
        return await read(job)

    monkeypatch.setattr(club.bot.services.events, "_read", noted)
    return made


def page_of(screen: Screen) -> str:
    """The path of the event's page in its message; empty without one."""
    found = [str(part["url"]) for part in walk(screen.components) if EVENT in str(part.get("url"))]
    assert len(found) <= 1
    return found[0].removeprefix(URL) if found else ""


async def message_of(club: Club) -> Screen:
    """The event's message, as it is now."""
    await club.bot.services.event_publisher.drawn()
    await club.settle()
    newest = next(screen for screen in reversed(club.public()) if screen.has("ev_details"))  # or the results below it
    number = int(newest.find("ev_details")["custom_id"].split(":")[2].partition(".")[0])
    view = await club.bot.services.events.look(EventKey(guild=GuildId(club.guild.id), number=number))
    return next(screen for screen in club.public() if screen.id == view.event.message)


@in_turn("name", "bob", "hanako")
async def test_the_message_links_to_the_page_until_it_is_removed(club: Club, name: str) -> None:
    key = await announced(club, name, page=True)
    path, words = page_of(await message_of(club)), club.words(name)
    assert words("event.button.page") in json.dumps((await message_of(club)).components, ensure_ascii=False)
    event = (await club.bot.services.events.look(key)).event
    assert club.bot.services.event_publisher.page_of(event) == URL + path
    async with door(club) as shown:
        for code in LANGUAGES:
            async with shown.get(f"{path}?lang={code}") as answer:
                assert answer.status == 200
                assert words_for(code)("event_page.state.registering") in await answer.text()
        await guests_of(club, key, 2)
        async with shown.get(path) as answer:
            assert "guest1" in await answer.text()
        desk = await club.slash(name, "event", do="desk")
        asked = await club.tap(name, desk, desk.find("ev_d_page_off"))
        assert words("event_desk.final.page") in asked.text
        async with shown.get(path) as answer:
            assert answer.status == 200, "nothing is decided yet"
        done = await meant(club, name, asked)
        assert words("event_desk.done.page_removed") in done.text
        for ending in ("", ".json", ".csv"):
            async with shown.get(path + ending) as answer:
                assert answer.status == 404, "at once, although it was kept"
        await club.settle()
        assert page_of(await message_of(club)) == ""
        assert not (await club.slash(name, "event", do="desk")).has("ev_d_page_off")
        said = await club.slash(name, "event", do=words("event_acts.name.page_off"))
        assert said.text
        assert (await desk_of(club, key)).event.page == ""


@in_turn("name", "alice", "hanako")
async def test_the_form_offers_a_page_where_the_bot_serves_pages(club: Club, name: str) -> None:
    await make_host(club, name)
    shown = await club.draft(name, preset="chaipo", when="in 2 hours")
    words = club.words(name)
    shown = await write(club, shown, by=name, page="yes")
    assert words("event_form.option.page.yes") in shown.text
    await club.press(name, shown, shown.find("ev_form_publish"))
    (event,) = await open_events(club)
    assert event.page
    await club.settle()
    assert page_of(await message_of(club)) == f"{EVENT}/{event.page}"
    changing = await club.slash(name, "event", do="change")
    changing = await write(club, changing, by=name, page="no")
    await club.press(name, changing, changing.find("ev_form_publish"))
    (event,) = await open_events(club)
    assert not event.page


async def test_where_the_bot_serves_no_pages_the_form_offers_none(tmp_path: Any) -> None:
    async with open_club(tmp_path) as club:
        shown = await club.draft("alice", preset="chaipo")
        form = await opened(club, shown, "season")
        assert club.words("alice")("event_form.field.page") not in fields_of(form)
        key = await announced(club, "alice", page=True)
        assert page_of(await message_of(club)) == ""
        assert (await desk_of(club, key)).event.page


async def test_the_playground_serves_the_pages_at_its_own_address(tmp_path: Any) -> None:
    hosts = list[str]()
    async with open_club(tmp_path) as club:
        proxy = PageProxy(club.world, doing=club.bot.pages.doing)

        async def served(request: web.Request) -> web.StreamResponse:
            return await proxy.answer(request, hosts=lambda: hosts)

        logger = logging.getLogger("visitors of the playground")
        routes = dict.fromkeys(ROUTES, served)
        async with listening(routes, host="127.0.0.1", port=0, most=64, logger=logger) as port, ClientSession() as http:
            address = f"http://127.0.0.1:{port}"
            proxy.serve_at(address)
            form = await opened(club, await club.draft("alice", preset="chaipo"), "season")
            assert club.words("alice")("event_form.field.page") in fields_of(form)
            await announced(club, "alice", page=True)
            (link,) = [
                str(part["url"]) for part in walk((await message_of(club)).components) if EVENT in str(part.get("url"))
            ]
            assert link.startswith(f"{address}{EVENT}/")
            async with http.get(link) as answer:
                assert answer.status == 403, "only by the playground's own names"
            hosts.append(f"127.0.0.1:{port}")
            async with http.get(link) as answer:
                assert answer.status == 200
                assert words_for("en")("event_page.state.registering") in await answer.text()
            async with http.get(f"{address}{EVENT}/{'x' * 24}") as answer:
                assert answer.status == 404


async def test_a_page_has_a_strict_policy_and_is_asked_for_each_time(club: Club) -> None:
    await announced(club, "bob", page=True)
    path = page_of(await message_of(club))
    async with door(club) as shown:
        async with shown.get(path) as answer:
            policy, tag = answer.headers["Content-Security-Policy"], answer.headers["ETag"]
            assert policy.startswith("default-src 'none'; ")
            assert "unsafe" not in policy
            assert answer.headers["Cache-Control"] == "public, no-cache"
            assert answer.headers["X-Robots-Tag"].startswith("noindex")
            assert answer.headers["Referrer-Policy"] == "no-referrer"
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Vary"] == "Accept-Language"
            assert "Set-Cookie" not in answer.headers
        async with shown.get(path, If_None_Match=tag) as answer:
            assert (answer.status, await answer.read()) == (304, b"")
        async with shown.get(path, If_None_Match=tag, Accept_Language="ja") as answer:
            assert answer.status == 200, "it's another text"
            assert answer.headers["Content-Language"] == "ja"
        for ending, kind in ((".json", "application/json"), (".csv", "text/csv")):
            async with shown.get(path + ending) as answer:
                assert answer.headers["Content-Type"] == f"{kind}; charset=utf-8"
                assert answer.headers["Access-Control-Allow-Origin"] == "*"


async def test_a_kept_page_reads_nothing_however_often_it_is_asked_for(club: Club, reads: list[object]) -> None:
    await announced(club, "bob", page=True)
    path = page_of(await message_of(club))
    async with door(club) as shown:
        for _ in range(2):
            for ending in ("", ".json", ".csv", "?lang=ja"):
                async with shown.get(path + ending) as answer:
                    assert answer.status == 200
        reads.clear()
        for number in range(MAX_REQUESTS // 2):
            async with shown.get(path, Accept_Language=("ja", "en")[number % 2]) as answer:
                assert answer.status == 200
        assert not reads


async def test_guessed_addresses_read_nothing_and_name_no_event(club: Club, reads: list[object]) -> None:
    key = await announced(club, "bob", page=True)
    path = page_of(await message_of(club))
    guesses = [f"{EVENT}/{letter * 24}" for letter in "abcdefghij-_"]
    guesses += [f"{EVENT}/{key.number}", f"{EVENT}/{key.guild}", f"{EVENT}/{key.guild}-{key.number}"]
    guesses += [path[:-1], path + "x", path + ".xml", path.swapcase(), path + ".json.csv", f"{EVENT}/" + "a" * 1_500]
    guesses += [f"{EVENT}/%2e%2e%2ftable", f"{EVENT}/%00", f"{EVENT}/'%20OR%201=1", f"{EVENT}/", EVENT]
    async with door(club) as shown:
        async with shown.get(path) as answer:
            assert answer.status == 200
        reads.clear()
        for guess in guesses:
            async with shown.get(guess) as answer:
                assert answer.status == 404, guess
                assert "Night" not in await answer.text()
        assert not reads
        async with shown.get(f"{EVENT}/" + "a" * 3_000) as answer:
            assert answer.status == 400


@in_turn("language", "en", "ja")
async def test_a_removed_page_and_a_guessed_one_say_the_same_in_the_readers_language(club: Club, language: str) -> None:
    key = await announced(club, "bob", page=True)
    path, words = page_of(await message_of(club)), words_for(language)
    bob = Official(player=club.player("bob"))
    async with door(club) as shown:
        async with shown.get(path) as answer:
            assert answer.status == 200
        await club.bot.services.events.remove_page(key, bob, cause="removed")
        answers = []
        for address in (path, f"{EVENT}/{'x' * 24}", f"{EVENT}/x", f"{path}x", f"{path}?lang={language}"):
            async with shown.get(address, Accept_Language=f"fr, {language};q=0.5") as answer:
                told = await answer.text()
                headers = {name: value for name, value in answer.headers.items() if name != "Date"}
                answers.append((answer.status, told, headers))
        status, told, headers = answers[0]
        assert status == 404
        assert all(other == answers[0] for other in answers)
        assert escape(words("event_page.missing")) in told
        assert escape(words("event_page.missing_advice")) in told
        assert f'<html lang="{language}">' in told
        assert (headers["Content-Language"], headers["Cache-Control"]) == (language, "no-store")
        assert headers["Content-Security-Policy"].startswith("default-src 'none'; ")
        assert "Night" not in told
        for ending in (".json", ".csv"):
            async with shown.get(path + ending) as answer:
                assert (answer.status, await answer.text()) == (404, "404: Not Found")


@in_turn("language", "en", "ja")
async def test_the_page_of_a_full_event_leads_to_the_waiting_list(club: Club, language: str) -> None:
    key = await announced(club, "bob", page=True, most=2, fee=150)
    path, words = page_of(await message_of(club)), words_for(language)
    async with door(club) as shown:
        for full in (False, True):
            if full:
                await guests_of(club, key, 2)
            async with shown.get(f"{path}?lang={language}") as answer:
                told = await answer.text()
            assert (words("event_page.full") in told) is full
            assert (words("event_page.join_list") in told) is full
            assert escape(words("structure.fee", chips=150)) in told
            async with shown.get(f"{path}.json") as answer:
                document = json.loads(await answer.text())
            assert (document["full"], document["fee"], document["players"]) == (full, 150, 2 * full)


async def test_a_managers_correction_shows_in_the_round_on_the_page(club: Club) -> None:
    key, people = await running(
        club, "bob", "league", guests=4, page=True, rounds=1, round_hands=1, table_seats=2, pairings=Pairings.SWISS
    )
    path = page_of(await message_of(club))
    await ended(club, key)
    manager(club, "mary")
    async with door(club) as shown:

        async def document() -> Any:
            async with shown.get(f"{path}.json?lang=en") as answer:
                return json.loads(await answer.text())

        before = await document()
        assert (before["state"], before["rulings"]) == ("ended", [])
        one = await person(club, "mary", await rulings_page(club, "mary"), people[0])
        await written(club, "mary", one, "ev_d_correct", "-7", "two accounts", "1")
        after = await document()
        (ruling,) = after["rulings"]
        assert (ruling["kind"], ruling["player"]["name"], ruling["amount"]) == ("points", people[0], -7)
        (match,) = [table for table in after["pairings"][0]["pairings"] if table["corrected"]]
        (former,) = [table for table in before["pairings"][0]["pairings"] if table["players"] == match["players"]]
        for player, points, was in zip(match["players"], match["points"], former["points"], strict=True):
            assert points - was == (-7 if player["name"] == people[0] else 7)
        async with shown.get(f"{path}?lang=en") as answer:
            told = await answer.text()
        words = words_for("en")
        assert words("event_page.corrected") in told
        assert words("event_page.rulings") in told
        assert "two accounts" not in told


async def test_only_reading_is_possible_and_only_under_the_bots_own_name(club: Club) -> None:
    await announced(club, "bob", page=True)
    path = page_of(await message_of(club))
    async with door(club) as shown:
        for method in ("HEAD", "POST", "PUT", "DELETE", "OPTIONS"):
            async with shown.request(method, path) as answer:
                assert answer.status == 405, method
        async with shown.get(path, Host="evil.example") as answer:
            assert answer.status == 403


async def test_who_hammers_a_page_is_asked_to_wait(club: Club) -> None:
    await announced(club, "bob", page=True)
    path = page_of(await message_of(club))
    async with door(club) as shown:
        told = []
        for _ in range(MAX_REQUESTS + 5):
            async with shown.get(path) as answer:
                told.append(answer.status)
        assert told == [200] * MAX_REQUESTS + [429] * 5


async def test_a_page_follows_every_change_at_once(club: Club) -> None:
    key, people = await running(club, "bob", "league", guests=4, page=True)
    path = page_of(await message_of(club))
    async with door(club) as shown:

        async def document() -> Any:
            async with shown.get(f"{path}.json?lang=en") as answer:
                return json.loads(await answer.text())

        before = await document()
        assert (before["state"], before["paused"]) == ("running", False)
        assert {line["player"]["name"] for line in before["standings"]} == set(people)
        assert len(before["pairings"]) == 1
        desk = await club.slash("bob", "event", do="desk")
        await club.tap("bob", desk, desk.find("ev_d_pause"))
        assert (await document())["paused"]
        guild, player = GuildId(club.guild.id), club.player(people[1])
        await club.play.change_member_settings(guild, player, lambda one: replace(one, profile_visible=False))
        names = {line["player"]["name"] for line in (await document())["standings"]}
        assert names == {None, *people} - {people[1]}
        await club.play.note_departed(guild, [club.player(people[2])])
        shown.clock.at += 60
        names = {line["player"]["name"] for line in (await document())["standings"]}
        assert names == {None, *people} - set(people[1:3])
    assert (await desk_of(club, key)).event.page


async def test_nothing_of_a_running_hand_is_told(club: Club) -> None:
    await running(club, "bob", "league", guests=4, page=True)
    path = page_of(await message_of(club))
    async with door(club) as shown:

        async def told() -> list[str]:
            files = []
            for ending in ("", "?lang=ja", ".json", ".csv"):
                async with shown.get(path + ending) as answer:
                    files.append(await answer.text())
            return files

        before = await told()
        for _ in range(2):
            await club.play_turn(await club.on_turn())
        view = await club.look(1)
        assert view.hand is not None
        assert any(card for seat in view.hand.seats for row in seat.rows for card in row), "cards were placed meanwhile"
        shown.clock.at += 60  # so that it's read and made again
        assert await told() == before
        await club.play_hand()
        after = await told()
        assert after != before, "the result is public"
        names = [card_name(card) for card in map(Card, range(54))]
        assert not [name for name in names if any(f">{name}<" in one or f'"{name}"' in one for one in after)]


async def test_a_channel_that_is_hidden_from_everyone_is_not_told(club: Club) -> None:
    await announced(club, "bob", page=True)
    path = page_of(await message_of(club))
    async with door(club) as shown:
        async with shown.get(f"{path}.json") as answer:
            message = (await open_events(club))[0].message
            register = json.loads(await answer.text())["register"]
            assert register == f"https://discord.com/channels/{club.guild.id}/{club.channel.id}/{message}"
        everyone = Overwrite(target_id=club.guild.id, type=OverwriteType.ROLE, allow=0, deny=SEE)
        club.backend.set_overwrite(club.channel.id, everyone)
        await club.settle()
        shown.clock.at += 60
        for ending in ("", ".json", ".csv"):
            async with shown.get(path + ending) as answer:
                told = await answer.text()
            assert str(club.channel.id) not in told
            assert str(club.guild.id) not in told
            assert club.channel.name not in told


async def test_a_page_of_another_process_is_where_that_process_is(club: Club) -> None:
    await announced(club, "bob", page=True)
    path, asked = page_of(await message_of(club)), list[GuildId]()
    where = ["https://two.example.org/cards"]

    async def elsewhere(guild: GuildId) -> str:
        asked.append(guild)
        return where[0]

    async with door(club, serves=lambda guild: False, elsewhere=elsewhere) as shown:
        for _ in range(20):
            async with shown.get(f"{path}.json?lang=ja") as answer:
                assert answer.status == 307
                assert answer.headers["Location"] == f"https://two.example.org/cards{path}.json?lang=ja"
                assert answer.headers["Cache-Control"] == "no-store"
        assert asked == [GuildId(club.guild.id)], "the other process was looked up once"
        where[0], shown.clock.at = "", 60.0
        async with shown.get(path) as answer:
            assert (answer.status, answer.headers["Retry-After"]) == (503, "5")
        async with shown.get(f"{EVENT}/{'a' * 24}") as answer:
            assert answer.status == 404


async def test_an_address_that_another_process_has_made_is_found_in_time(club: Club, reads: list[object]) -> None:
    key = await announced(club, "bob", page=True)
    address = page_of(await message_of(club)).removeprefix(f"{EVENT}/")
    clock = Clock()
    pages = event_pages(club, clock)

    async def found() -> File | None:
        return await pages.file(address, "html", lambda language: chosen_words("", "", language))

    assert await found()
    # The other process's commits aren't seen here.
    pages._committed = lambda changed: None  # type: ignore[method-assign]  # noqa: SLF001
    pages.clear()
    assert await found()
    assert (await desk_of(club, key)).event.page == address


async def test_many_readers_at_once_share_one_reading(club: Club, reads: list[object]) -> None:
    await announced(club, "bob", page=True)
    address = page_of(await message_of(club)).removeprefix(f"{EVENT}/")
    pages = event_pages(club, Clock())
    reads.clear()
    files = await asyncio.gather(
        *(pages.file(address, "html", lambda language: chosen_words("", "", language)) for _ in range(50))
    )
    assert len({file.tag for file in files if file is not None}) == 1
    assert None not in files
    assert len(reads) == 2, "the addresses, and the event"


async def test_names_that_are_not_known_yet_are_asked_for_once_and_shown_later(club: Club) -> None:
    key = await announced(club, "bob", page=True)
    guests = await guests_of(club, key, 2)
    address = page_of(await message_of(club)).removeprefix(f"{EVENT}/")
    names, asked = club.bot.services.faces.names, list[list[Player]]()
    members = {club.player(guest): club.members[guest] for guest in guests}
    names.forget()

    async def learn(guild: GuildId, players: Any) -> None:
        asked.append(list(players))

    clock = Clock()
    pages = event_pages(club, clock, learn=learn)

    async def told() -> str:
        file = await pages.file(address, "html", lambda language: words_for("en"))
        assert file is not None
        return file.body.decode()

    assert words_for("en")("event_page.unnamed", number=1) in await told()
    assert asked == [list(members)]
    for player, member in members.items():
        names.saw(key.guild, player, f"Known {member.name}", username=member.name)
    await told()
    assert len(asked) == 1, "the page is kept for a moment"
    clock.at += 10
    assert "Known guest0" in await told()
    assert len(asked) == 1


@in_turn("name", "bob", "hanako")
@pytest.mark.parametrize("way", ["details", "typed"])
async def test_an_organiser_who_played_removes_the_page_of_a_finished_event(club: Club, name: str, way: str) -> None:
    """They may not rule on its results, nor open the rest of the desk."""
    key, words = await announced(club, name, "league", page=True, rounds=1, round_hands=1), club.words(name)
    await club.register(name)
    await guests_of(club, key, 3)
    await _played(club, key, name)
    path = page_of(await message_of(club))
    async with door(club) as shown:
        async with shown.get(path) as answer:
            assert words_for("en")("event_page.state.ended") in await answer.text() or name == "hanako"
        if way == "details":
            message = await message_of(club)
            details = await club.tap(name, message, message.find("ev_details"))
            others = await club.tap("guest0", message, message.find("ev_details"))
            assert not others.has("ev_d_page_off")
            assert not details.has("ev_desk"), "they have played"
            asked = await club.tap(name, details, details.find("ev_d_page_off"))
        else:
            asked = await club.slash(name, "event", do=words("event_acts.name.page_off"))
        assert words("event_desk.final.page") in asked.text
        done = await meant(club, name, asked)
        assert words("event_desk.done.page_removed") in done.text
        async with shown.get(path) as answer:
            assert answer.status == 404


async def test_the_page_of_a_cancelled_event_can_be_removed_too(club: Club) -> None:
    key = await announced(club, "bob", page=True)
    by = Official(player=club.player("bob"))
    await club.bot.services.events.cancel(key, by, why="rain", cause="cancelled")
    path = page_of(await message_of(club))
    async with door(club) as shown:
        async with shown.get(path) as answer:
            assert words_for("en")("event_page.state.cancelled") in await answer.text()
        desk = await club.slash("bob", "event", do="details")
        asked = await club.tap("bob", desk, desk.find("ev_d_page_off"))
        done = await meant(club, "bob", asked)
        assert club.words("bob")("event_desk.done.page_removed") in done.text
        async with shown.get(path) as answer:
            assert answer.status == 404


async def _played(club: Club, key: EventKey, name: str) -> None:
    """Start the event, and let time place all cards until its end."""
    await club.bot.services.events.start(key, Official(player=club.player(name)), cause="begun")
    await club.bot.services.event_publisher.drawn()
    while not (await club.bot.services.events.look(key)).event.phase.over:
        await club.pass_hours(1)
    await club.settle()
