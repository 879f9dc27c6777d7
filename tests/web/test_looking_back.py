"""Looking back on a page: replays, reviews, files, records and links, and another try at a hand."""

from __future__ import annotations

import json
import tomllib
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import Any

from bot.model.ids import Player, TableKey
from bot.model.reasons import HandReason
from bot.play.terms import of_seat
from bot.pure.notation.files import read_history
from bot.pure.ofc.presets import CHINESE, ULTIMATE
from bot.pure.ofc.proof import check_proof
from bot.text.words import words_for
from bot.web.pages import MAX_PAGES_PER_PLAYER, Pages
from bot.web.plain import BOLD, NORMAL, marked, plain
from bot.web.tokens import PageReader
from tests.play.world import ANN, BOB, CLEO, DAN, EVE, GUILD, World
from tests.web.open_pages import Json, Kept, kept
from tests.web.test_playing import practised

EN, JA = words_for("en"), words_for("ja")
HOME, CAFE = "203.0.113.1", "203.0.113.2"


async def read(page: Kept, what: str, table: int = 1, hand: int = 1) -> Json:
    """Ask for something; returns what was found, or the answer that says why nothing was."""
    came = await page.say(type="read", id=f"read-{what}", what=what, table=table, hand=hand)
    return next((told for told in came if told["type"] == "found"), came[-1])


async def allow_links(world: World, *players: Player, allowed: bool = True) -> None:
    """Let others share the hands of these players, or not."""
    for player in players:
        await world.play.change_member_settings(
            GUILD, player, lambda member_settings: replace(member_settings, hands_shared=allowed)
        )


async def shared(world: World, *players: Player, **told: Any) -> TableKey:
    """A table whose first hand is over, and whose players share their hands."""
    await allow_links(world, *players)
    return await played(world, *players, **told)


async def played(world: World, *players: Player, **told: Any) -> TableKey:
    """A table whose first hand is over."""
    key = await world.table(*players, **told)
    await world.start(key)
    await world.play_hand(key)
    return key


async def test_a_hand_is_told_street_by_street_to_its_result(world: World, pages: Pages) -> None:
    await played(world, ANN, BOB)
    async with kept(pages, ANN) as page:
        past = (await read(page, "past"))["past"]
        *streets, end = past["steps"]
        assert [step["title"] for step in streets] == [
            EN("replay.street", hand=1, street=street, count=5) for street in range(1, 6)
        ]
        assert end["title"] == EN("replay.end", hand=1)
        assert [seat["you"] for seat in end["seats"]] == [True, False]
        placed = [sum(map(len, step["seats"][1]["rows"])) for step in past["steps"]]
        assert placed == [5, 7, 9, 11, 13, 13]
        assert all(len(step["seats"][1]["latest"]) == (2 if number else 5) for number, step in enumerate(streets))
        # The page shows only the reader's own discards.
        assert [len(step["seats"][0]["discards"]) for step in streets] == [0, 1, 1, 1, 1]
        assert not any(step["seats"][1]["discards"] for step in streets)
        assert past["result"]["title"] == EN("result.title", hand=1)
        assert past["played"]
        assert past["told"] == []


async def test_a_review_says_what_each_street_has_cost(world: World, pages: Pages) -> None:
    await played(world, ANN, BOB)
    async with kept(pages, ANN) as page:
        past = (await read(page, "review"))["past"]
        assert all(step["value"] for step in past["steps"][:-1])
        assert past["told"]
        placed = EN("review.placed").strip("*:")
        assert placed in str(past["steps"][0]["value"])
        assert {line["mark"] for line in past["told"] if line["kind"] == "item"} <= {"right", "wrong", "other"}
        verdicts = " ".join(line["text"] for line in past["told"] if line["mark"])
        streets = [EN("review.street", street=street) for street in range(1, 6)]
        assert [street for street in streets if street in verdicts] == streets, "a verdict on each street"
        # The meanings of its numbers are next to them, in the words of the review in the channel.
        meanings = " ".join(line["text"] for line in past["meanings"])
        for key in ("review.how", "review.luck_how"):
            assert EN(key) in meanings
            assert EN(key) not in str(past["told"])
        assert (await read(page, "past"))["past"]["meanings"] == []
    async with kept(pages, BOB) as page:
        assert await page.say(type="ping") == [{"type": "pong"}]


async def test_a_whole_board_that_was_set_at_once_has_one_step(world: World, pages: Pages) -> None:
    await played(world, ANN, BOB, variant=CHINESE)
    async with kept(pages, ANN) as page:
        assert len((await read(page, "past"))["past"]["steps"]) == 1
        (step,) = (await read(page, "review"))["past"]["steps"]
        assert step["value"]


async def test_only_who_may_see_a_hand_reads_it(world: World, pages: Pages) -> None:
    key = await played(world, ANN, BOB)
    pages.watching.seen_by_all = lambda channel: False
    async with kept(pages, EVE) as page:
        for what in ("past", "file", "record", "link", "rules"):
            assert (await read(page, what))["said"] == EN("refused.channel_hidden")
        assert (await read(page, "review"))["outcome"] == "refused"
        pages.watching.seen_by_all = lambda channel: True
        found = await read(page, "past")
        assert not found["past"]["played"]
        assert not any(seat["discards"] for step in found["past"]["steps"][:-1] for seat in step["seats"])
        assert (await read(page, "past", hand=2))["outcome"] == "refused"
        assert (await read(page, "past", table=77))["outcome"] == "refused"
    await world.next_hand(key)
    async with kept(pages, ANN) as page:
        assert (await read(page, "past", hand=2))["said"] == EN("refused.not_revealed_yet", hand=2)


async def test_its_file_and_its_record_are_those_of_discord(world: World, pages: Pages) -> None:
    key = await played(world, ANN, BOB, variant=ULTIMATE)
    pages.saw(PageReader(guild=GUILD, player=ANN, locale="en-US"), "Ann Lee", username="ann")
    async with kept(pages, ANN) as page:
        found = await read(page, "file")
        assert found["name"] == "chaipo-1-1.phh"
        assert read_history(found["text"])
        assert (await read(page, "record"))["said"] == EN("refused.not_revealed_before_closing", hand=1, table=1)
        await world.play.close(key, reason="empty")
        found = await read(page, "record")
        assert found["name"] == "chaipo-1-1.json"
        assert check_proof(json.loads(found["text"])).ok
        assert found["names"] == {ANN: "Ann Lee"}, "nobody has told what Bob is called"
        assert "Ann Lee" not in found["text"]


async def test_the_rules_are_those_of_the_table(world: World, pages: Pages) -> None:
    await played(world, ANN, BOB, variant=CHINESE)
    async with kept(pages, ANN) as page:
        chapters = (await read(page, "rules"))["chapters"]
        assert len(chapters) > 1
        assert all(chapter["title"] and chapter["lines"] for chapter in chapters)
        assert EN("variant.chinese.name") in chapters[0]["lines"][0]["text"]
        lines = [line for chapter in chapters for line in chapter["lines"]]
        assert {line["kind"] for line in lines} == {"heading", "text", "item", "table"}
        tables = [line for line in lines if line["kind"] == "table"]
        assert all(row and len(row) == len(line["head"]) for line in tables for row in line["rows"])
        cells = [cell for line in tables for row in (line["head"], *line["rows"]) for cell in row]
        texts = [*cells, *(line["text"] for line in lines)]
        assert not [text for text in texts if text.startswith(("#", "- ")) or "**" in text or "|" in text]
        assert any(BOLD in text for text in texts)


# links


@asynccontextmanager
async def guest(pages: Pages, link: str, words: Any = EN, *, address: str = HOME) -> AsyncIterator[Kept]:
    """Open a page for a visitor who came by a link."""
    reader = await pages.guest(link, words, address=address)
    assert reader is not None
    line = Kept(pages=pages)
    async with pages.opened(reader, line, table=0, has="", link=link) as page:
        line.page = page
        await line.look()
        yield line


async def hand_link(pages: Pages, player: Player = ANN) -> str:
    async with kept(pages, player) as page:
        return str((await read(page, "link"))["text"])


async def test_whoever_has_the_link_sees_that_hand_and_nothing_else(world: World, pages: Pages) -> None:
    key = await shared(world, ANN, BOB)
    link = await hand_link(pages)
    await world.next_hand(key)
    async with guest(pages, link, JA) as page, guest(pages, link, address=CAFE) as other:
        assert page.view["seats"] == []
        assert page.view["tables"] == []
        assert page.page.reader.player != other.page.reader.player
        past = (await read(page, "past"))["past"]
        assert past["steps"][-1]["title"] == JA("replay.end", hand=1)
        assert not any(seat["discards"] for step in past["steps"][:-1] for seat in step["seats"])
        for what, table, hand in (("past", 1, 2), ("past", 2, 1), ("rules", 1, 0)):
            assert (await read(page, what, table, hand))["said"] == plain(JA("refused.hand_not_shared"), str)
        assert (await read(page, "review"))["outcome"] == "refused"
        page.page.looks = True
        await page.say(type="look", table=1)
        assert page.view["seats"] == []
        before = len(world.ask("SELECT * FROM table_log"))
        for verb in ("back", "join", "leave", "rebuy", "stream"):
            answer = await page.ask(verb, table=1, turn=of_seat((await world.play.look(key)).table.terms))
            assert (answer["outcome"], answer["said"]) == ("refused", marked(JA("page.look_again"), str))
        assert len(world.ask("SELECT * FROM table_log")) == before
        assert world.ask("SELECT * FROM stream_link") == []


async def test_a_link_ends_with_a_hidden_profile_and_with_deleted_data(world: World, pages: Pages) -> None:
    key = await shared(world, ANN, BOB)
    link = await hand_link(pages)
    async with guest(pages, link) as page:
        await world.play.change_member_settings(
            GUILD, BOB, lambda member_settings: replace(member_settings, profile_visible=False)
        )
        assert (await read(page, "past"))["said"] == plain(EN("refused.hand_not_shared"), str)
        assert await pages.guest(link, EN, address=HOME) is None
        async with kept(pages, ANN) as own:
            assert (await read(own, "link"))["said"] == plain(EN("refused.hand_not_shared"), str)
        await world.play.change_member_settings(
            GUILD, BOB, lambda member_settings: replace(member_settings, profile_visible=True)
        )
        assert (await read(page, "past"))["type"] == "found"
        await world.play.close(key, reason="empty")
        await world.privacy.delete(BOB)
        world.play.forget(BOB)
        assert (await read(page, "past"))["said"] == plain(EN("refused.hand_not_shared"), str)
        assert await pages.guest(link, EN, address=HOME) is None


async def test_a_link_cannot_be_guessed_or_bent(world: World, pages: Pages) -> None:
    key = await shared(world, ANN, BOB)
    await world.next_hand(key)
    await world.play_hand(key)
    link = await hand_link(pages)
    assert len(link) == 5 + 48
    assert str(GUILD) not in link
    bent = [link[:place] + ("B" if link[place] == "A" else "A") + link[place + 1 :] for place in range(5, len(link))]
    bent += [link[:-1], link + "A", "hand.", "hand....", link + "\n", f"hand.{'A' * 48}", f"hand.{'_' * 48}"]
    for other in bent:
        assert await pages.guest(other, EN, address=HOME) is None, other
    with world.refuses(HandReason.HAND_NOT_SHARED):
        await world.play.hand_of(bent[1])


async def test_a_link_of_an_earlier_version_opens_what_all_share_now(world: World, pages: Pages) -> None:
    await played(world, ANN, BOB)
    old = f"hand.{GUILD}.1.1.{world.vault.marks(f'hand.{GUILD}.1.1')[0].hex()[:32]}"
    assert await pages.guest(old, EN, address=HOME) is None
    await allow_links(world, ANN, BOB)
    async with guest(pages, old) as page:
        assert (await read(page, "past", table=1, hand=1))["type"] == "found"
    assert await pages.guest(old.replace(".1.1.", ".1.2."), EN, address=HOME) is None


async def test_a_hand_is_shared_once_everybody_in_it_has_allowed_that(world: World, pages: Pages) -> None:
    await played(world, ANN, BOB, CLEO)
    refused = plain(EN("refused.hand_not_shared"), str)
    for player in (ANN, BOB, CLEO):
        async with kept(pages, ANN) as page:
            assert (await read(page, "link"))["said"] == refused
        await allow_links(world, player)
    link = await hand_link(pages)
    async with guest(pages, link) as page:
        assert (await read(page, "past"))["type"] == "found"
        await allow_links(world, CLEO, allowed=False)
        assert (await read(page, "past"))["said"] == refused
        assert await pages.guest(link, EN, address=HOME) is None


async def test_a_guest_learns_seats_and_names_and_no_id_stack_or_time(world: World, pages: Pages) -> None:
    await shared(world, ANN, BOB)
    pages.saw(PageReader(guild=GUILD, player=ANN, locale="en-US"), "Ann Lee", username="ann")
    async with kept(pages, ANN) as own:
        file = (await read(own, "file"))["text"]
    known = tomllib.loads(file)
    assert known["players"] == [BOB, ANN], "the button comes last"
    assert any(known["starting_stacks"])
    assert str(GUILD) in known["hand"]
    link = await hand_link(pages)
    async with guest(pages, link) as page:
        told = await read(page, "file", table=0, hand=0)
        shown = tomllib.loads(told["text"])
        assert shown["players"] == ["p2", "Ann Lee"]
        assert len(shown["actions"]) == len(known["actions"])
        assert shown["_boards"] == known["_boards"]
        assert not any([*shown["starting_stacks"], *shown["finishing_stacks"], shown["_point_value"], shown["hand"]])
        assert not shown.keys() & {"time", "day", "month", "year", "time_zone"}
        assert not read_history(told["text"]).wrong
        assert (await read(page, "record"))["said"] == plain(EN("refused.record_not_shared"), str)
        past = await read(page, "past", table=0, hand=0)
        assert "Ann Lee" in [seat["name"] for seat in past["past"]["steps"][-1]["seats"]]
        assert not any(seat["chips"] for step in past["past"]["steps"] for seat in step["seats"])
        assert (await read(page, "link"))["text"] == link
        everything = json.dumps(page.came)
    for secret in (f'"{ANN}"', f'"{BOB}"', f'"{GUILD}"', f"{GUILD}/", "starting_stacks = [1"):
        assert secret not in everything.replace("\\", ""), secret


async def test_a_guest_is_not_offered_a_record_that_they_are_refused(world: World, pages: Pages) -> None:
    key = await shared(world, ANN, BOB)
    link = await hand_link(pages)
    await world.play.close(key, reason="empty")
    async with kept(pages, ANN) as page:
        assert (await read(page, "past"))["past"]["provable"]
        assert (await read(page, "record"))["type"] == "found"
    async with guest(pages, link) as page:
        assert not (await read(page, "past", table=0, hand=0))["past"]["provable"]
        assert (await read(page, "record"))["said"] == plain(EN("refused.record_not_shared"), str)


async def test_guests_of_one_address_have_the_pages_of_one_person(world: World, pages: Pages) -> None:
    await shared(world, ANN, BOB)
    link = await hand_link(pages)
    async with AsyncExitStack() as stack:
        open_ = [await stack.enter_async_context(guest(pages, link)) for _ in range(MAX_PAGES_PER_PLAYER + 3)]
        other = await stack.enter_async_context(guest(pages, link, address=CAFE))
        assert [bool(one.bye) for one in open_] == [True] * 3 + [False] * MAX_PAGES_PER_PLAYER
        assert other.bye is None


# another try


async def test_while_a_hand_is_tried_again_its_own_table_calls(world: World, pages: Pages) -> None:
    key = await played(world, ANN, BOB)
    async with kept(pages, ANN) as page:
        assert (await page.ask("retry"))["outcome"] == "done"
        assert page.view["tables"] == []
        await world.next_hand(key)
        while await world.turn(key) != ANN:
            await world.place_cards(key, BOB)
        await page.look()
        assert EN("review.retry.note") in page.view["status"]
        (call,) = page.view["tables"]
        assert (call["table"], call["waits"], call["chosen"]) == (key.table, True, False)
        assert call["until"] == (await world.play.look(key, ANN)).until(ANN)
        await page.say(type="look", table=key.table)
        assert page.view["yours"]
        assert page.view["tables"] == []


async def test_the_same_cards_are_tried_again_and_compared(world: World, pages: Pages) -> None:
    key = await played(world, ANN, BOB)
    before = len(world.ask("SELECT * FROM table_log"))
    async with kept(pages, ANN) as page:
        offer = next(offer for offer in page.view["offers"] if offer["verb"] == "retry")
        assert (await page.ask("retry"))["outcome"] == "done"
        assert EN("review.retry.note") in page.view["status"]
        assert page.view["mine"]["to_place"] == 5
        assert not page.view["yours"]
        assert await page.say(**page.intent("surrender")) != []
        dealt: list[str] = []
        for street in range(5):
            mine = page.view["mine"]
            dealt += mine["cards"]
            rooms = [3 - len(page.own["rows"][0]), 5 - len(page.own["rows"][1]), 5 - len(page.own["rows"][2])]
            free = "".join(letter * room for letter, room in zip("BMF", reversed(rooms), strict=True))
            letters = free[: mine["to_place"]].rjust(len(mine["cards"]), ".")  # others than in the hand go out
            drafted = await page.draft(letters)
            clock = (EN(f"panel.clock_{what}").removeprefix("-# ") for what in ("confirms", "completes", "drops"))
            assert not any(told in drafted["asked"] for told in clock), "no clock runs"
            assert drafted["confirm"] == {
                "verb": "confirm",
                "label": page.came[-1]["confirm"]["label"],
                "ready": True,
                "danger": page.came[-1]["confirm"]["danger"],
            }
            intent = page.intent("confirm", letters)
            assert (await page.ask("confirm", letters))["outcome"] == "done"
            if not street:
                *_, again = await page.say(**intent | {"id": "another-one"})
                assert again["outcome"] == "stale"
        assert page.view["mine"] is None
        assert "points" in page.view["result"]["totals"][0]
        assert sum(map(len, page.own["rows"])) == 13
        # The discards are those of the retry. Each dealt card appears once, next to all boards.
        own = [*(card for row in page.own["rows"] for card in row), *page.own["discards"]]
        assert sorted(own) == sorted(dealt)
        shown = [*page.own["discards"], *(card for seat in page.view["seats"] for row in seat["rows"] for card in row)]
        assert len(shown) == len(set(shown)) == 13 + 4 + 13
        assert [one["verb"] for one in page.view["offers"]] == ["retry", "end_retry"]
        assert (await page.ask("end_retry"))["outcome"] == "done"
        assert page.view["result"]["title"] == EN("result.title", hand=1)
        assert offer in page.view["offers"]
    assert len(world.ask("SELECT * FROM table_log")) == before
    assert (await world.play.look(key)).table.hand_no == 1


async def test_nobody_tries_a_hand_that_they_have_not_played(world: World, pages: Pages) -> None:
    await played(world, ANN, BOB)
    pages.watching.seen_by_all = lambda channel: True
    async with kept(pages, DAN) as page:
        assert [offer["verb"] for offer in page.view["offers"]] == ["join"]
        answer = await page.ask("retry", table=1, turn="1.0")
        assert answer["said"] == EN("refused.not_in_hand", hand=1)
        for turn in ("", "1", "1.9", "x.y", "2.0"):
            assert (await page.ask("retry", table=1, turn=turn))["outcome"] in ("stale", "refused")
    assert isinstance(page.page.reader, PageReader)


async def test_a_master_is_asked_for_a_hint_in_practice_alone(world: World, pages: Pages) -> None:
    await world.started(ANN, BOB)
    async with kept(pages, ANN) as page:
        assert "hint" not in [offer["verb"] for offer in page.view["offers"]]
        assert (await page.ask("hint"))["said"] == EN("refused.hints_are_for_practice")


async def test_a_hint_names_two_placements(world: World, pages: Pages) -> None:
    key = await practised(world)
    async with kept(pages, ANN) as page:
        while not page.view["yours"]:
            await world.later(0)
            await page.look()
        turn = page.view["mine"]["turn"]
        answer = await page.ask("hint")
        assert (answer["outcome"], answer["said"]) == ("done", "")
        hint = answer["hint"]
        assert hint["turn"] == turn, "it's over with these cards"
        assert hint["title"].strip() == f"{BOLD}Hint{NORMAL} · street 1"
        first, second = hint["placements"]
        assert first["letters"] != second["letters"]
        assert all(set(one["letters"]) <= set("FMB") and len(one["letters"]) == 5 for one in (first, second))
        assert len(first["facts"].split("\n")) == 1
        assert len(second["facts"].split("\n")) == 2, "and what it costs compared with the first"
        assert page.view["table"] == key.table
        # Each suggestion is a complete placement.
        assert (await page.draft(first["letters"]))["confirm"]["ready"]
        assert (await page.ask("confirm", first["letters"]))["outcome"] == "done"
        assert page.view["mine"] is None or page.view["mine"]["turn"] != turn


async def test_a_review_shows_the_masters_placement_on_the_board_and_it_can_be_placed(
    world: World, pages: Pages
) -> None:
    await played(world, ANN, BOB)
    async with kept(pages, ANN) as page:
        steps = (await read(page, "review"))["past"]["steps"]
        betters = {number: step["better"] for number, step in enumerate(steps) if step["better"]}
        assert betters, "plain placements are never all the master's"
        for number, better in betters.items():
            own, its = steps[number]["seats"][0], better["seat"]
            assert better["start"] == number
            assert its["rows"] != own["rows"]
            assert sum(map(len, its["rows"])) == sum(map(len, own["rows"]))
            dealt = [*own["latest"], *own["discards"]]
            assert sorted([*its["latest"], *its["discards"]]) == sorted(dealt), "the same cards, placed otherwise"
        number, better = next(iter(betters.items()))
        retry = await page.ask("retry", table=1, turn=f"1.{better['start']}")
        assert retry["outcome"] == "done"
        assert (await page.draft(better["letters"]))["confirm"]["ready"]
        assert (await page.ask("confirm", better["letters"]))["outcome"] == "done"
        shown = page.own if page.view["result"] is None else page.view["seats"][0]
        assert [*map(sorted, shown["rows"])] == [*map(sorted, better["seat"]["rows"])]
        past = (await read(page, "past"))["past"]
        assert not any(step["better"] for step in past["steps"]), "a replay alone judges nothing"
