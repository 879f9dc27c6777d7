"""One person at once on a page, on the panel and with /place; others on whichever they like."""

from __future__ import annotations

import asyncio

import pytest

from bot.chat.table.posts.calls import SILENT_MS
from bot.pure.ofc.cards import DISCARD
from bot.run.playground.page_proxy import PageProxy
from bot.web.plain import BOLD, NORMAL
from tests.discord.club import Club, plain_letters
from tests.discord.forge import forge
from tests.web.open_pages import Open


async def test_a_move_on_the_panel_is_seen_on_the_page_and_the_other_way_round(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob")
    first = await club.on_turn()
    second = "bob" if first == "alice" else "alice"
    async with opened.eyes(club, first) as one, opened.eyes(club, second) as two:
        await club.play_turn(first)
        await one.sees(lambda view: view["mine"] is None)
        await two.sees(lambda view: view["yours"])
        assert [len(seat["latest"]) for seat in two.view["seats"]] == [0, 5]
        letters = plain_letters(await club.look(1, second))
        assert (await two.ask("confirm", letters))["outcome"] == "done"
        await one.sees(lambda view: view["yours"])
        await club.settle()
        # The table's message and the panel show what was placed on the page.
        panel = await club.open_panel(first)
        assert club.words()("panel.street", street=2, streets=5) in panel.text
        assert panel.has("card", "0")


async def test_whoever_looks_through_the_playgrounds_door_is_called_by_their_name(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob")
    club.bot.services.faces.names.forget()  # like after a restart
    async with opened.eyes(club, "alice") as page:
        before = page.own["name"]
    door = PageProxy(club.world, doing=opened.pages.doing)
    assert door.token(str(club.members["alice"].id))
    async with opened.eyes(club, "alice") as page:
        assert page.own["name"] == "Alice" != before


async def test_a_draft_on_the_panel_goes_on_on_the_page(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob")
    name = await club.on_turn()
    async with opened.eyes(club, name) as page:
        panel = await club.open_panel(name)
        panel = await club.tap(name, panel, panel.find("row", "B"))
        await page.sees(lambda view: view["mine"]["draft"]["letters"] == "B....")
        await page.draft("BM...")
        # The page shows the hands that its cards make before the draft is saved.
        shown = ""
        while "Middle 1/5" not in shown:
            shown = " ".join((await club.open_panel(name)).labels())


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_a_panel_that_a_page_has_overtaken_shows_what_was_moved_there(
    club: Club, opened: Open, language: str
) -> None:
    players = ("alice", "bob") if language == "en" else ("hanako", "bob")
    await club.open_table(*players)
    if await club.on_turn() == "bob":
        await club.play_turn("bob")
    name = players[0]
    panel = await club.open_panel(name)
    panel = await club.tap(name, panel, panel.find("row", "B"))
    edits = len(club.backend.http_requests)
    async with opened.eyes(club, name) as page:
        for letters in ("BM...", "BMM..", "BMMF."):
            await page.draft(letters)
    assert len(club.backend.http_requests) == edits, "a tap on the page costs no request"
    # The page is closed, and the panel shows one card of the three that are placed.
    shown = await club.tap(name, panel, panel.find("row", "F"))
    assert club.words(name)("panel.moved_beside") in shown.text
    assert ":0B1M2M3F:" in shown.find("row", "F")["custom_id"], "the press moved nothing"
    # Play continues with the current panel.
    shown = await club.tap(name, shown, shown.find("row", "F"))
    assert club.words(name)("panel.moved_beside") not in shown.text
    assert shown.has("confirm"), "the fifth card was placed beside those four"
    async with opened.eyes(club, name) as page:
        street = club.private(name)[-1].text
        assert (await page.ask("confirm", "BMMFF"))["outcome"] == "done"
    await club.settle()
    assert club.private(name)[-1].text != street, "with Confirm on the page the panel follows by itself"
    assert not club.private(name)[-1].has("confirm")


async def test_typing_confirm_means_what_was_moved_on_the_page_last(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob")
    name = await club.on_turn()
    panel = await club.open_panel(name)
    await club.tap(name, panel, panel.find("row", "F"))
    async with opened.eyes(club, name) as page:
        await page.draft("BBMMF")
    await club.slash(name, "place", cards="confirm!!")
    view = await club.look(1, name)
    assert view.hand is not None
    (mine,) = [seat for seat in view.hand.seats if seat.player == club.player(name)]
    assert [sum(card is not None for card in row) for row in mine.rows] == [1, 2, 2]


async def test_a_turn_that_was_confirmed_on_the_panel_is_not_changed_by_the_page(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob")
    name = await club.on_turn()
    async with opened.eyes(club, name) as page:
        intent = page.intent("confirm", "FMMBB")
        await club.play_turn(name)
        facts = await club.facts()
        await page.say(**intent)
        answer = await page.until(lambda told: told["type"] == "answer")
        assert answer["outcome"] == "stale"
        assert await club.facts() == facts
        assert sum(map(len, page.own["rows"])) == 5


async def test_a_panel_that_is_older_than_the_page_is_shown_anew(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob")
    name = await club.on_turn()
    letters = plain_letters(await club.look(1, name))
    panel = await club.place(name, await club.open_panel(name), letters)
    confirm = panel.find("confirm")
    async with opened.eyes(club, name) as page:
        assert (await page.ask("confirm", "FMMBB"))["outcome"] == "done"
        facts = await club.facts()
        late = await forge(club, name, club.private(name)[-1], confirm["custom_id"])
        assert late.said
        assert await club.facts() == facts


async def test_confirm_on_both_at_once_is_one_placement(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob")
    for street in range(1, 4):
        for _ in range(2):
            name = await club.on_turn()
            letters = plain_letters(await club.look(1, name))
            panel = await club.place(name, await club.open_panel(name), letters)
            async with opened.eyes(club, name) as page:
                laid = await club.count("cards_laid")
                asked = letters.replace(DISCARD, ".")
                pressed, answer = await asyncio.gather(
                    club.press(name, panel, panel.find("confirm")), page.ask("confirm", asked)
                )
                assert pressed is not None
                assert answer["outcome"] in ("done", "stale"), street
                assert await club.count("cards_laid") == laid + 1


async def test_who_moves_cards_on_the_page_is_not_called_as_if_they_were_silent(club: Club, opened: Open) -> None:
    club.lobby_seconds = SILENT_MS // 1000 + 1
    await club.open_table("alice", "bob")
    assert await club.on_turn() == "bob"
    async with opened.eyes(club, "bob") as page:
        for letters in ("F....", "FM..."):
            await club.pass_time(15)
            await page.draft(letters)
        assert club.calls() == []
        await club.pass_time(22)
        assert len(club.calls()) == 1


async def test_a_typed_placement_is_seen_on_the_page(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob")
    name = await club.on_turn()
    async with opened.eyes(club, name) as page:
        await club.type_turn(name)
        await page.sees(lambda view: view["mine"] is None)


async def test_who_sat_out_is_back_with_a_placement_on_the_page(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob")
    for _ in range(40):
        away = [place.seat for place in (await club.look()).places if place.seat.away]
        if away:
            break
        await club.pass_time(30)
    name = club.name_of(away[0].player)
    async with opened.eyes(club, name) as page:
        assert "back" in [offer["verb"] for offer in page.view["offers"]]
        assert (await page.ask("back"))["outcome"] == "done"
        await page.sees(lambda view: "back" not in [offer["verb"] for offer in view["offers"]])


async def test_a_private_table_is_nobody_elses_page(club: Club, opened: Open) -> None:
    await club.slash("alice", "ofc practice")
    async with opened.eyes(club, "alice") as alice, opened.eyes(club, "bob", table=1) as bob:
        assert alice.view["mine"]
        assert bob.view["table"] == 0
        assert bob.view["title"] == club.words()("page.no_table")
        assert "use /ofc practice" in bob.view["status"]
        guided = club.words()("ways.button.guided_hand")
        assert f"A {BOLD}{guided}{NORMAL} stays in its own message" in bob.view["status"]


async def test_what_is_asked_on_pages_is_counted(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob")
    name = await club.on_turn()
    async with opened.eyes(club, name) as page:
        await page.draft("FMMBB")
        await page.ask("confirm", "FMM..")
        await page.ask("confirm", "FMMBB")
    told = club.bot.metrics.render().decode()
    for verb, outcome in (("draft", "done"), ("confirm", "refused"), ("confirm", "done")):
        assert f'chaipo_interactions_total{{kind="page",name="{verb}",outcome="{outcome}"}} 1.0' in told


async def test_while_nothing_can_be_written_the_page_says_so(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob")
    name = await club.on_turn()
    async with opened.eyes(club, name) as page:
        club.troubles.append(13)  # SQLITE_FULL
        answer = await page.ask("confirm", "FMMBB")
        club.troubles.clear()
        assert answer["outcome"] == "storage_trouble"
        assert answer["said"] == club.words()("gate.storage_trouble")
        assert (await page.ask("confirm", "FMMBB"))["outcome"] == "done"
    club.forgiven.append("storage trouble")
