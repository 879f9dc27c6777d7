"""Personal links: recipients, access, duration and revocation."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from aiohttp import WSServerHandshakeError

from bot.model.limits import MAX_PAGE_LOGINS, PAGE_LOGIN_MS
from bot.text.words import words_for
from bot.web import personal_links
from bot.web.addresses import PAGE, SOCKET
from bot.web.personal_links import GOOD_MS, YOUNG_MS
from tests.discord.club import Club, open_club
from tests.discord.forms import settings_page
from tests.discord.test_event_form import page, publish
from tests.web.open_pages import Json, Open, Sight, key_of, link_in, linked

URL = "https://cards.example.org"
EN = words_for("en")


@pytest.fixture
def page_url() -> str:
    return URL


async def panel_link(club: Club, name: str, table: int = 1) -> str:
    """Return the link on a member's hand."""
    return link_in(await club.open_panel(name, table))


async def opening(sight: Sight, **said: str) -> Json:
    """Open a page; returns the first view, or why there is none."""
    await sight.say(type="open", **said)
    return await sight.until(lambda told: told["type"] in ("snapshot", "current", "bye"))


async def test_the_hand_and_my_games_lead_to_the_page_and_nothing_that_others_see(club: Club) -> None:
    await club.open_table("alice", "hanako")
    await club.play_turn(await club.on_turn())
    for name in ("alice", "hanako"):
        for show in (
            partial(club.slash, name, "hand"),
            partial(club.open_panel, name),
            partial(club.slash, name, "ofc table", do="mine"),
        ):
            screen = await show()
            link = link_in(screen)
            assert link.startswith(f"{URL}/table#{club.guild.id}.")
            assert club.words(name)("button.open_page") in json.dumps(screen.components, ensure_ascii=False)
    public = json.dumps([screen.components for screen in club.public()])
    assert len(club.public()) >= 1
    assert "table#" not in public
    watched = json.dumps((await club.slash("bob", "ofc table", do="mine")).components)
    assert club.words("bob")("button.watch_page", table=1) in watched
    assert club.words("bob")("button.open_page") not in watched, "there is no table to open"


async def test_the_welcome_of_an_events_table_leads_to_the_page(club: Club) -> None:
    """The reply to a registration becomes the player's hand as soon as they have a seat."""
    await publish(club, await page(club))
    for name in ("alice", "bob", "hanako"):
        event = club.public()[-1]
        await club.press(name, event, event.find("ev_register"))
    await club.pass_time(40)
    for name in ("alice", "bob", "hanako"):
        (welcome,) = [screen for screen in club.private(name) if link_in(screen)]
        assert link_in(welcome).startswith(URL)


async def test_where_there_is_no_address_nothing_leads_to_a_page(tmp_path: Path) -> None:
    async with open_club(tmp_path) as club:
        await club.open_table("alice", "bob")
        for screen in (await club.open_panel("alice"), await club.slash("alice", "ofc table", do="mine")):
            assert link_in(screen) == ""
        settings = await settings_page(club, "alice", "pages_close")
        assert not settings.has("pages_close")
        assert not (await settings_page(club, "alice", "wish_shared")).has("wish_shared")
        # In the playground, pages have their own entry, and hands can be shared from them.
        club.bot.links.served = True
        settings = await settings_page(club, "alice", "pages_close")
        assert not settings.has("pages_close")
        settings = await settings_page(club, "alice", "wish_shared")
        settings = await club.tap("alice", settings, settings.find("wish_shared"))
        assert club.words("alice")("settings.shared.on") in settings.text


async def test_a_ticket_is_good_once_and_the_pages_token_from_then_on(club: Club, door: Open) -> None:
    await club.open_table("alice", "bob")
    key = key_of(await panel_link(club, "alice"))
    async with door.socket() as sight:
        assert (await opening(sight, **key))["type"] == "snapshot"
        assert sight.view["mine"]
        assert sight.own["name"] == "Alice"
    async with door.socket() as again:
        told = await opening(again, **key, state=sight.state)
        assert told["type"] == "current"
    async with door.socket() as other:
        told = await opening(other, **key_of(f"#{key['ticket']}"))
        assert told == {"type": "bye", "said": EN("page.link_over"), "again": False, "to": ""}
    # The next message has another ticket.
    fresh = key_of(await panel_link(club, "alice"))
    assert fresh["ticket"] != key["ticket"]
    async with door.socket() as other:
        assert (await opening(other, **fresh))["type"] == "snapshot"


async def test_a_link_leads_to_the_table_on_which_it_stands(club: Club, door: Open) -> None:
    await club.open_table("alice", "bob")
    await club.slash("alice", "ofc practice")
    second = link_in(next(one for one in reversed(club.private("alice")) if link_in(one)))
    for table, link in ((1, await panel_link(club, "alice")), (2, second)):
        async with door.socket() as sight:
            assert (await opening(sight, **key_of(link)))["type"] == "snapshot"
            assert sight.view["table"] == table


async def test_the_same_unused_ticket_stands_on_every_drawing_until_it_is_old(club: Club) -> None:
    await club.open_table("alice", "bob")
    links = club.bot.links
    guild, player = club.key().guild, club.player("alice")
    first = links.link(guild, player, "en-US")
    assert links.link(guild, player, "en-US") == first
    assert links.link(guild, club.player("bob"), "en-US") != first
    assert links.link(guild, player, "ja") != first
    first = links.link(guild, player, "ja")
    club.backend.advance_clock(YOUNG_MS / 1000 + 1)
    assert links.link(guild, player, "ja") != first


async def test_a_ticket_runs_out(club: Club, door: Open) -> None:
    await club.slash("alice", "ofc practice")
    (panel,) = [screen for screen in club.private("alice") if link_in(screen)]
    key = key_of(link_in(panel))
    club.backend.advance_clock(GOOD_MS / 1000 + 1)
    async with door.socket() as sight:
        assert (await opening(sight, **key))["said"] == EN("page.link_over")


async def test_a_token_runs_out_with_the_evening_on_a_page_that_is_open_too(club: Club, door: Open) -> None:
    await club.slash("alice", "ofc practice")
    (panel,) = [screen for screen in club.private("alice") if link_in(screen)]
    key = key_of(link_in(panel))
    async with door.socket() as sight:
        await opening(sight, **key)
        club.backend.advance_clock(PAGE_LOGIN_MS / 1000 + 1)
        await sight.say(type="ping")
        told = await sight.until(lambda told: told["type"] in ("pong", "bye"))
        assert told["said"] == EN("page.not_known")
    async with door.socket() as sight:
        assert (await opening(sight, **key))["said"] == EN("page.link_over")


@pytest.mark.parametrize(("locale", "code"), [("en-GB", "en"), ("ja-JP", "ja")])
async def test_who_opens_the_link_of_a_hidden_hand_is_told_why(
    club: Club, door: Open, opened: Open, locale: str, code: str
) -> None:
    await club.open_table("alice", "bob")
    await club.play_hand()
    await club.share_hands("alice", "bob")
    async with opened.eyes(club, "alice") as sight:
        await sight.say(type="read", id="the-link", what="link", table=1, hand=1)
        link = (await sight.until(lambda told: told["type"] == "found"))["text"]
    for way in (door, opened):
        async with way.socket(**{"Accept-Language": locale}) as sight:
            assert (await opening(sight, token=link))["type"] == "snapshot"
    await club.play.change_member_settings(
        club.key().guild, club.player("bob"), lambda member_settings: replace(member_settings, profile_visible=False)
    )
    # The answer to a link that was never valid is the same.
    for token in (link, f"hand.{club.guild.id}.1.1.{'0' * 32}"):
        for way in (door, opened):
            async with way.socket(**{"Accept-Language": locale}) as sight:
                told = await opening(sight, token=token)
                assert told == {"type": "bye", "said": words_for(code)("page.hand_hidden"), "again": False, "to": ""}


async def test_whoever_allows_links_to_their_hands_does_so_in_the_settings(club: Club, door: Open) -> None:
    settings, words = await settings_page(club, "alice", "wish_shared"), club.words("alice")
    told = []
    for _ in range(2):
        told.append(words("settings.shared.on") in settings.text)
        assert (words("settings.shared.off") in settings.text) is not told[-1]
        settings = await club.tap("alice", settings, settings.find("wish_shared"))
    assert told == [False, True], "it is off at first"


async def test_nobody_comes_in_by_anything_else(club: Club, door: Open) -> None:
    await club.open_table("alice", "bob")
    key = key_of(await panel_link(club, "alice"))
    async with door.socket() as sight:
        assert (await opening(sight, **key))["type"] == "snapshot"
    guild, own = key["token"].split(".")
    fresh = key_of(await panel_link(club, "alice"))
    forged = [
        {"token": key["token"][:-1] + ("0" if key["token"][-1] != "0" else "1")},
        {"token": f"{int(guild) + 1}.{own}"},
        {"token": f"{10**19 - 1}.{own}"},
        {"token": f"{guild}.short"},
        {"token": own},
        {"token": f"{guild}.{own}\n"},
        {"token": "", "ticket": fresh["ticket"]},
        # A ticket for one server gives no token for another.
        {"token": f"{int(guild) + 1}.{own[::-1]}", "ticket": fresh["ticket"]},
    ]
    for said in forged:
        async with door.socket() as sight:
            told = await opening(sight, **said)
            assert told["said"] in (EN("page.link_over"), EN("page.not_understood")), said
            assert not sight.view


async def test_an_installed_app_that_starts_without_a_link_says_how_to_get_one(club: Club, door: Open) -> None:
    await club.open_table("alice", "bob")
    for language, code in (("en-GB", "en"), ("ja", "ja")):
        async with door.socket(**{"Accept-Language": language}) as sight:
            told = await opening(sight, token="")
            assert (told["said"], told["again"]) == (words_for(code)("page.no_link"), False)


async def test_close_my_pages_closes_what_is_open_and_every_way_back(club: Club, door: Open) -> None:
    await club.open_table("alice", "bob")
    key, unused = key_of(await panel_link(club, "alice")), ""
    bobs = key_of(await panel_link(club, "bob"))
    async with door.socket() as alice, door.socket() as bob:
        await opening(alice, **key)
        await opening(bob, **bobs)
        unused = await panel_link(club, "alice")
        settings = await settings_page(club, "alice", "pages_close")
        assert EN("settings.pages.text") in settings.text
        closed = await club.tap("alice", settings, settings.find("pages_close"))
        assert EN("settings.pages.closed") in closed.text
        told = await alice.until(lambda told: told["type"] == "bye")
        assert told == {"type": "bye", "said": EN("page.closed"), "again": False, "to": ""}
        await bob.say(type="ping")
        await bob.until(lambda told: told["type"] == "pong")
    for back in (key, key_of(unused)):
        async with door.socket() as sight:
            assert (await opening(sight, **back))["said"] == EN("page.link_over")
    async with door.socket() as sight:
        assert (await opening(sight, **key_of(await panel_link(club, "alice"))))["type"] == "snapshot"


async def test_who_deletes_their_data_has_no_page_and_no_link_any_more(club: Club, door: Open) -> None:
    await club.open_table("alice", "bob")
    key = key_of(await panel_link(club, "bob"))
    async with door.socket() as sight:
        await opening(sight, **key)
        await club.play_hand()
        await club.play.close(club.key(), reason="closed_by_admin")
        unused = club.bot.links.link(club.key().guild, club.player("bob"), "en-US")
        export = await club.bot.services.privacy.kept_about(club.player("bob"))
        assert [len(rows["pages"]) for rows in export.servers.values()] == [1]
        ask = await club.slash("bob", "ofc settings", topic=club.words("bob")("privacy.button.ask"))
        await club.tap("bob", ask, ask.find("own_delete"))
        told = await sight.until(lambda told: told["type"] == "bye")
        assert told["said"] == EN("page.closed")
    for back in (key, key_of(unused)):
        async with door.socket() as sight:
            assert (await opening(sight, **back))["said"] == EN("page.link_over")


async def test_whoever_was_deleted_at_another_process_loses_their_page_here(club: Club, door: Open) -> None:
    await club.open_table("alice", "bob")
    async with door.socket() as alice, door.socket() as bob:
        await opening(alice, **key_of(await panel_link(club, "alice")))
        await opening(bob, **key_of(await panel_link(club, "bob")))
        await club.play.close_pages(club.key().guild, club.player("bob"))  # like another process
        club.bot.clockwork.deleted_elsewhere()
        assert (await bob.until(lambda told: told["type"] == "bye"))["said"] == EN("page.closed")
        await alice.say(type="ping")
        await alice.until(lambda told: told["type"] == "pong")


async def test_of_one_persons_tokens_only_the_newest_are_kept(club: Club, door: Open) -> None:
    await club.open_table("alice", "bob")
    keys = []
    for _ in range(MAX_PAGE_LOGINS + 1):
        link = club.bot.links.link(club.key().guild, club.player("alice"), "en-US")
        keys.append(key_of(link))
        club.backend.advance_clock(0.01)
        async with door.socket() as sight:
            assert (await opening(sight, **keys[-1]))["type"] == "snapshot"
    for key, known in ((keys[0], False), (keys[1], True), (keys[-1], True)):
        async with door.socket() as sight:
            assert ((await opening(sight, **key))["type"] == "snapshot") is known


async def test_neither_ticket_nor_token_is_written_into_a_log(
    club: Club, door: Open, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    await club.open_table("alice", "bob")
    key = key_of(await panel_link(club, "alice"))
    async with door.socket() as sight:
        await opening(sight, **key)
        await sight.say(type="nonsense", token=key["token"])
        await sight.until(lambda told: told["type"] == "bye")
    async with door.socket() as sight:
        await opening(sight, **key_of(f"#{key['ticket']}"))
    said = "\n".join(f"{record.getMessage()} {record.exc_text or ''}" for record in caplog.records)
    assert len(caplog.records) > 5
    for secret in (key["token"], key["ticket"], key["token"].partition(".")[2]):
        assert secret not in said


async def test_only_the_public_name_and_its_own_origin_lead_in(club: Club, door: Open) -> None:
    await club.open_table("alice", "bob")
    for host in (f"127.0.0.1:{door.port}", "evil.example", "cards.example.org.evil.example", ""):
        async with door.http.get(f"{door.origin}{PAGE}", headers={"Host": host}) as answer:
            assert answer.status in (400, 403), host
    for origin in (door.origin, "http://cards.example.org", "https://cards.example.org.evil.example", "null", ""):
        with pytest.raises(WSServerHandshakeError) as refused:
            async with door.socket(Origin=origin):
                pass
        assert refused.value.status == 403, origin
    async with door.http.get(f"{door.origin}{PAGE}", headers=door.headers) as answer:
        assert answer.status == 200
        policy = answer.headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in policy
        assert "wss://cards.example.org" in policy
        assert answer.headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize("method", ["HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "BREW"])
async def test_other_methods_and_addresses_are_answered_with_nothing(club: Club, door: Open, method: str) -> None:
    for path in (PAGE, SOCKET):
        async with door.http.request(method, f"{door.origin}{path}", headers=door.headers, data="x" * 50) as answer:
            assert answer.status in (400, 404, 405), (method, path)
            assert "nonce" not in await answer.text()
    for path in ("/", "/table/", "/api/2/socket", "/table/../api", "/%2e%2e/etc/passwd", "/health", "/metrics"):
        async with door.http.get(f"{door.origin}{path}", headers=door.headers) as answer:
            assert answer.status in (400, 404), path


async def test_an_address_with_a_path_is_served_with_it_and_without(tmp_path: Path) -> None:
    async with open_club(tmp_path, page_url=f"{URL}/ofc") as club, linked(club) as door:
        door.url = URL
        await club.open_table("alice", "bob")
        assert (await panel_link(club, "alice")).startswith(f"{URL}/ofc/table#")
        for path in ("/ofc/table", "/table"):
            async with door.http.get(f"{door.origin}{path}", headers=door.headers) as answer:
                assert answer.status == 200


async def test_old_tickets_are_forgotten_and_never_too_many_are_kept(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await club.open_table("alice", "bob")
    links, guild = club.bot.links, club.key().guild
    monkeypatch.setattr(personal_links, "MAX_TICKETS", 3)
    made = [links.link(guild, club.player(name), locale) for name in ("alice", "bob") for locale in ("en", "ja", "fr")]
    assert len(set(made)) == 6
    assert len(links._known) == 3  # noqa: SLF001  (nobody else tells how many are kept)


async def test_the_largest_hand_has_room_for_the_link_and_the_button_that_opens_it_in_discord(tmp_path: Path) -> None:
    """A message has forty parts at most, and a row four buttons, which the watch over all messages holds."""
    from tests.discord.test_whole_hands import SEED

    async with open_club(tmp_path, page_url=URL, client_secret="secret") as club:
        club.seeds.append(SEED)
        await club.open_table("alice", "bob")
        await club.play_hand()
        for name in ("alice", "bob"):
            panel = await club.open_panel(name)
            assert link_in(panel)
            assert panel.has("launch")
            assert (await club.slash(name, "ofc table", do="mine")).has("launch")


@pytest.mark.parametrize(
    ("url", "secret", "keys"),
    [
        (URL, "secret", ["page_on", "activity_on"]),
        (URL, "", ["page_on", "activity_off"]),
        ("", "", ["page_off"]),
    ],
)
async def test_the_check_says_which_doors_are_open(tmp_path: Path, url: str, secret: str, keys: list[str]) -> None:
    said = {key: EN(f"doctor.{key}") for key in ("page_off", "activity_on", "activity_off")}
    said["page_on"] = EN("doctor.page_on", address=URL)
    async with open_club(tmp_path, page_url=url, client_secret=secret) as club:
        page = await club.slash("alice", "setup")
        shown = await club.tap("alice", page, page.find("su_doctor"))
        assert [key for key in said if said[key] in shown.text] == [key for key in said if key in keys]
