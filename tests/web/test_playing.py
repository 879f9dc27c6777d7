"""Playing on a page: drafts, repeated and late actions, and hidden information."""

from __future__ import annotations

import asyncio
import json
from contextlib import AbstractAsyncContextManager
from dataclasses import replace

import pytest

from bot.chat.kit.gate import Rate, Rates
from bot.model.choices import DeckColours
from bot.model.clock import Clock, Pace
from bot.model.ids import Player, TableKey
from bot.model.tables import Terms
from bot.play.table.lobby import TableOffer
from bot.pure.ofc.placement import automatic_placement
from bot.pure.ofc.presets import CHINESE, PINEAPPLE
from bot.pure.ofc.variants import Variant
from bot.text.words import words_for
from bot.web.messages import MAX_BYTES
from bot.web.pages import MAX_PAGES_PER_PLAYER, Pages
from bot.web.tokens import VALID_MS, PageReader, Tokens
from tests.play.world import ANN, BOB, CHANNEL, CLEO, CLUB, GUILD, OTHER_GUILD, World
from tests.web.open_pages import WAIT_SECONDS, Kept, kept, pages_of

EN = words_for("en")


async def acts(world: World, key: TableKey) -> tuple[Player, Player]:
    """Return the player to act and the other one."""
    first = await world.turn(key)
    return first, BOB if first == ANN else ANN


async def facts(world: World) -> int:
    """Return the number of facts in the log."""
    return len(world.ask("SELECT * FROM table_log"))


async def test_a_street_is_drafted_and_confirmed(world: World, pages: Pages) -> None:
    key = await world.started(ANN, BOB)
    first, second = await acts(world, key)
    async with kept(pages, first) as page, kept(pages, second) as other:
        assert page.view["yours"]
        assert page.view["status"] == "Your turn"
        assert page.view["mine"]["draft"]["confirm"] == {
            "verb": "confirm",
            "label": "Confirm",
            "ready": False,
            "danger": False,
        }
        told = await page.draft("BBBB.")
        assert not told["confirm"]["ready"]
        told = await page.draft("BBBBB")
        assert told["confirm"]["ready"]
        assert told["hands"][2]
        assert (await page.ask("confirm", "BBBBB"))["outcome"] == "done"
        assert page.view["mine"] is None
        assert page.own["placed"]
        await other.look()
        (seat,) = [seat for seat in other.view["seats"] if not seat["you"]]
        assert sorted(seat["rows"][2]) == sorted(page.own["rows"][2])
        assert sorted(seat["latest"]) == sorted(page.own["rows"][2])


async def test_it_says_what_becomes_of_the_card_left_over(world: World, pages: Pages) -> None:
    key = await world.started(ANN, BOB)
    rest = EN("panel.discards_rest", count=1)
    async with kept(pages, ANN) as ann, kept(pages, BOB) as bob:
        for street in range(2):
            for _ in range(2):
                player = await world.turn(key)
                page = ann if player == ANN else bob
                await page.look()
                told = page.view["mine"]["draft"]["asked"]
                assert told.split("\n")[0] == (rest if street else EN("page.place"))
                await world.place_cards(key, player)


@pytest.mark.parametrize("variant", [PINEAPPLE, CHINESE])
async def test_how_a_board_is_set_is_told_until_its_first_card_lies(
    world: World, pages: Pages, variant: Variant
) -> None:
    key = await world.table(ANN, BOB, variant=variant)
    if variant.at_once:
        await world.start(key)
    else:
        await world.into_fantasyland(key, ANN)
        await world.next_hand(key)
    async with kept(pages, ANN) as page:
        assert page.view["mine"]["draft"]["asked"] == EN("page.place")
        count = len(page.view["mine"]["cards"])
        assert EN("page.place") not in (await page.draft("B".ljust(count, ".")))["asked"]
        assert (await page.draft("." * count))["asked"] == EN("page.place")


async def test_a_row_tells_its_hand_its_royalty_and_a_certain_foul(world: World, pages: Pages) -> None:
    key = await world.started(ANN, BOB)
    levels, royalties = set(), 0
    async with kept(pages, ANN) as ann, kept(pages, BOB) as bob:
        for _ in range(10):
            player = await world.turn(key)
            page = ann if player == ANN else bob
            await page.look()
            hand = (await world.play.look(key, player)).hand
            assert hand is not None
            assert hand.mine is not None
            # Front first, because every other row has to beat it.
            rooms = [3 - len(hand.mine.rows[0]), 5 - len(hand.mine.rows[1]), 5 - len(hand.mine.rows[2])]
            letters = "".join(letter * room for letter, room in zip("FMB", rooms, strict=True))[: hand.to_place]
            letters += "." * (len(hand.mine.held) - len(letters))
            told = await page.draft(letters)
            levels.add(told["level"])
            royalties += any("+" in made for made in told["hands"])
            if told["level"] == "foul":
                assert told["confirm"]["label"] == "Confirm foul"
                assert told["confirm"]["danger"]
                assert "Foul" in told["warning"]
            assert (await page.ask("confirm", letters))["outcome"] == "done"
    assert {"danger", "foul"} <= levels


async def test_what_was_confirmed_before_the_turn_is_placed_in_it_or_taken_back(world: World, pages: Pages) -> None:
    key = await world.started(ANN, BOB)
    first, second = await acts(world, key)
    async with kept(pages, second) as page:
        told = await page.draft("FMMBB")
        assert told["confirm"]["verb"] == "ahead"
        assert told["confirm"]["label"] == EN("board.confirm_ahead")
        assert (await page.ask("ahead", "FMMBB"))["outcome"] == "done"
        ahead = page.view["mine"]
        assert ahead["draft"]["confirm"]["verb"] == "take_back"
        # Confirmed cards can't be moved, not even by their player, until they are taken back.
        assert (await page.draft("BBBBB"))["outcome"] == "stale"
        assert (await page.ask("take_back"))["outcome"] == "done"
        assert page.view["mine"]["draft"]["letters"] == "FMMBB"
        await page.ask("ahead", "FMMBB")
        await world.place_cards(key, first)
        await page.look()
        assert [len(row) for row in page.own["rows"]] == [1, 2, 2]


async def test_a_page_that_saw_an_earlier_street_places_nothing(world: World, pages: Pages) -> None:
    key = await world.started(ANN, BOB)
    first, second = await acts(world, key)
    async with kept(pages, first) as page:
        intent = page.intent("confirm", "BBBBB")
        await world.place_cards(key, first, "FMMBB")
        await world.place_cards(key, second)
        before = await facts(world)
        *_, answer = await page.say(**intent)
        assert answer["outcome"] == "stale"
        assert answer["said"] == "That's already done. This page is up to date now."
        assert await facts(world) == before
        # The answer comes behind the view that it speaks of.
        assert [len(row) for row in page.own["rows"]] == [1, 2, 2]


async def test_a_fantasyland_board_that_was_set_is_not_changed_by_an_older_page(world: World, pages: Pages) -> None:
    key = await world.table(ANN, BOB)
    await world.into_fantasyland(key, ANN)
    await world.next_hand(key)
    async with kept(pages, ANN) as old, kept(pages, ANN) as new:
        assert len(new.view["mine"]["cards"]) == 14
        assert new.view["mine"]["whole"]
        assert new.own["note"].startswith("setting"), "first what is to be done now"
        arranged = await new.ask("arrange")
        assert arranged["outcome"] == "done"
        assert sorted(arranged["letters"]) == sorted("FFFMMMMMBBBBBD")
        intent = old.intent("confirm", "BFFFMMMMMBBBBD")
        assert (await new.ask("confirm", arranged["letters"]))["outcome"] == "done"
        drawn = new.view["mine"]["draft"]
        assert (drawn["asked"], drawn["confirm"]["ready"]) == ("", False), "what is set already is not to be confirmed"
        *_, answer = await old.say(**intent)
        assert answer["outcome"] == "stale"
        assert old.view["mine"]["draft"]["letters"] == arranged["letters"]
        # A player may rearrange Fantasyland until the others have finished.
        swapped = arranged["letters"].translate(str.maketrans("MB", "BM"))
        assert (await old.draft(swapped))["confirm"]["ready"]
        assert (await old.ask("confirm", swapped))["outcome"] == "done"
        assert old.view["mine"]["draft"]["letters"] == swapped


async def test_an_intent_that_is_sent_twice_is_done_once(world: World, pages: Pages) -> None:
    await world.started(ANN, BOB)
    first = await world.turn(TableKey(guild=GUILD, table=(await world.play.tables_of(GUILD, ANN))[0].key.table))
    async with kept(pages, first) as page, kept(pages, first) as again:
        intent = page.intent("confirm", "BBBBB")
        came = await asyncio.gather(page.say(**intent), again.say(**intent))
        assert [answers[-1]["outcome"] for answers in came] == ["done", "done"]
        laid = world.ask("SELECT count(*) FROM table_log WHERE kind = 'cards_laid'")
        assert laid == [(1,)]


async def test_others_cannot_make_the_bot_forget_what_it_has_answered(
    world: World, pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = await world.started(ANN, BOB)
    first, second = await acts(world, key)
    monkeypatch.setattr("bot.web.pages.MAX_ANSWERS", 3)
    async with kept(pages, first) as page, kept(pages, second) as other:
        intent = page.intent("confirm", "BBBBB")
        assert (await page.say(**intent))[-1]["outcome"] == "done"
        for number in range(5):
            assert (await other.ask("back", id=f"another-{number}"))["outcome"]
        assert (await page.say(**intent))[-1]["outcome"] == "done", "the answer is that of the first time"
        for number in range(3):
            await page.ask("back", id=f"another-{number}")
        assert (await page.say(**intent))[-1]["outcome"] == "stale", "but one's own are not kept for ever"


async def test_an_answer_is_remembered_for_the_server_in_which_it_was_given(world: World, pages: Pages) -> None:
    here = await world.started(ANN, BOB)
    there = await world.table(ANN, BOB, guild=OTHER_GUILD)
    await world.start(there)
    (first, _), (other, _) = await acts(world, here), await acts(world, there)
    assert first == other, "it is the same player's turn in both"
    async with kept(pages, first) as page, kept(pages, first, guild=OTHER_GUILD) as elsewhere:
        told = [
            (await one.say(**one.intent("confirm", "BBBBB") | {"id": "the-same-id"}))[-1] for one in (page, elsewhere)
        ]
        assert [answer["outcome"] for answer in told] == ["done", "done"]
    assert world.ask("SELECT count(*) FROM table_log WHERE kind = 'cards_laid'") == [(2,)]


async def test_nobody_is_sent_what_is_no_news_to_them(world: World, pages: Pages) -> None:
    key = await world.started(ANN, BOB)
    first, second = await acts(world, key)
    async with kept(pages, first) as page, kept(pages, second) as other:
        before = len(other.came)
        for letters in ("B....", "BM...", "BMF..", "....."):
            await page.draft(letters)
            await other.look()
        assert len(other.came) == before
        await page.ask("confirm", "BBBBB")
        await other.look()
        assert [told["type"] for told in other.came[before:]] == ["change"]
        # Of the view, only what has changed.
        assert {"title", "tables", "row_names"}.isdisjoint(other.came[-1]["parts"])


async def test_a_page_that_opens_again_is_told_that_nothing_is_new(world: World, pages: Pages) -> None:
    key = await world.started(ANN, BOB)
    first, second = await acts(world, key)
    async with kept(pages, second) as page:
        state = page.state
    async with kept(pages, second, table=key.table, has=state) as page:
        assert [told["type"] for told in page.came] == ["words", "current"]
    await world.place_cards(key, first)
    async with kept(pages, second, table=key.table, has=state) as page:
        assert [told["type"] for told in page.came] == ["words", "snapshot"]


async def test_pages_are_woken_by_what_happens(world: World, pages: Pages) -> None:
    key = await world.started(ANN, BOB)
    first, second = await acts(world, key)
    async with kept(pages, second) as page:
        before = page.view
        await world.place_cards(key, first)
        async with asyncio.timeout(WAIT_SECONDS):
            while page.view == before:  # noqa: ASYNC110  (nothing else happens)
                await asyncio.sleep(0)
        assert page.view["yours"]


async def test_a_draft_that_was_made_elsewhere_is_shown(world: World, pages: Pages) -> None:
    key = await world.started(ANN, BOB)
    async with kept(pages, ANN) as page, kept(pages, ANN) as beside:
        await page.draft("FB...")
        await beside.look()
        assert beside.view["mine"]["draft"]["letters"] == "FB..."
        view = await world.play.look(key, ANN)
        assert view.mine is not None
        assert view.mine.seat.draft == "FB..."


async def test_a_finished_hand_tells_what_each_pair_has_paid(world: World, pages: Pages) -> None:
    key = await world.table(ANN, BOB, CLEO)
    async with kept(pages, ANN) as page:
        await world.into_fantasyland(key, ANN)
        await page.look()
        result = page.view["result"]
        assert result["title"] == "Result of hand 1"
        assert len(result["totals"]) == 3
        assert len(result["pairs"]) == 3
        assert [line for line in result["pairs"] if " wins 180 chips from Player " in line] == result["pairs"][-2:]
        assert all(seat["gained"] for seat in page.view["seats"])
        assert all(sum(map(len, seat["rows"])) == 13 for seat in page.view["seats"])
        assert not any(mark in line for line in [*result["totals"], *result["pairs"]] for mark in ("**", "<@"))
        assert "<t:" in page.view["status"]  # the page counts down to it


async def practised(world: World) -> TableKey:
    """Ann practises in private."""
    terms = Terms(variant=PINEAPPLE, point_value=0, buy_in=0, max_seats=3, clock=Clock(pace=Pace.NONE, seconds=0))
    offer = TableOffer(guild=GUILD, channel=CHANNEL, host=ANN, language="en", terms=terms, computers=CLUB[:1])
    return (await world.play.practise(offer, cause=world.cause())).key


async def test_practice_goes_on_from_the_page(world: World, pages: Pages) -> None:
    key = await practised(world)
    async with kept(pages, ANN) as page, kept(pages, BOB) as stranger:
        assert stranger.view["table"] == 0
        while not page.view["result"]:
            if page.view["yours"]:
                letters = await world.letters(key, ANN)
                assert (await page.ask("confirm", letters))["outcome"] == "done"
            await world.later(0)
            await page.look()
        assert [offer["verb"] for offer in page.view["offers"]] == ["next_hand", "retry"]
        assert page.view["result"]["totals"]
        assert page.view["status"] == "", "the result says it"
        assert (await page.ask("next_hand"))["outcome"] == "done"
        assert page.view["about"].startswith("Hand 2")
        await stranger.look()
        assert stranger.view["table"] == 0


async def test_why_practice_ended_is_said_once(world: World, pages: Pages) -> None:
    key = await practised(world)
    async with kept(pages, ANN) as page:
        await world.play.stop(key, ANN, cause=world.cause())
        await page.look()
        said = [page.view["status"], *page.view["result"]["totals"]]
        assert "\n".join(said).count(EN("closed.practice_stopped")) == 1
        assert page.view["result"]["totals"] == [EN("result.void", reason="").strip()]


async def test_namesakes_and_right_to_left_names_are_told_apart_on_the_page(world: World, pages: Pages) -> None:
    await world.started(ANN, BOB, CLEO)
    for player, name, username in ((ANN, "Ayabe", "ann"), (BOB, "ayabe", "bob"), (CLEO, "שרה", "cleo")):
        pages.saw(PageReader(guild=GUILD, player=player, locale="en"), name, username=username)
    async with kept(pages, ANN) as page:
        shown = [seat["name"] for seat in page.view["seats"]]
        assert sorted(shown) == ["Ayabe (ann)", "ayabe (bob)", "\u2068שרה\u2069"]


async def test_a_placement_that_cannot_be_is_refused_in_a_sentence(world: World, pages: Pages) -> None:
    key = await world.started(ANN, BOB)
    first, _ = await acts(world, key)
    async with kept(pages, first) as page:
        before = await facts(world)
        for letters in ("FFFFB", "BB", "....." * 2, "B....", ""):
            answer = await page.ask("confirm", letters)
            assert answer["outcome"] == "refused", letters
            assert answer["said"]
        assert await facts(world) == before
        assert (await page.draft("FFFF."))["outcome"] == "refused"


async def test_somebody_elses_table_cannot_be_asked_for(world: World, pages: Pages) -> None:
    key = await world.started(ANN, BOB)
    async with kept(pages, CLEO, table=key.table) as page:
        assert page.view["table"] == 0
        first, _ = await acts(world, key)
        async with kept(pages, first) as own:
            intent = own.intent("confirm", "BBBBB")
        *_, answer = await page.say(**intent)
        assert answer["outcome"] == "stale"
        *_, answer = await page.say(**intent | {"table": 999, "id": "another-one"})
        assert answer["outcome"] == "refused"
        assert (await world.play.look(key)).waiting == (first,)


async def test_who_is_too_fast_is_told_when_to_go_on(world: World) -> None:
    slow = Rates(private=Rate(burst=3, a_minute=6))
    pages = pages_of(world, rates=slow)
    await world.started(ANN, BOB)
    async with kept(pages, ANN) as page:
        outcomes = [await page.draft(letters) for letters in ("F....", "M....", "B....", "F....")]
        assert [told["type"] for told in outcomes] == ["drafted", "drafted", "drafted", "answer"]
        assert "Slow down" in outcomes[-1]["said"]


async def test_a_reader_chooses_language_and_colours(world: World, pages: Pages) -> None:
    await world.started(ANN, BOB)
    async with kept(pages, ANN, locale="ja") as page:
        assert page.words["language"] == "ja"
        assert page.view["row_names"] == ["上段", "中段", "下段"]
        assert page.words["cards"]["As"] == "スペードのエース"
        await world.play.change_member_settings(
            GUILD, ANN, lambda member_settings: replace(member_settings, language="en", deck=DeckColours.TWO)
        )
        await page.look()
        assert page.words["language"] == "en"
        assert page.view["row_names"] == ["Front", "Middle", "Back"]
        assert page.view["colours"] == "two"


async def test_one_of_several_tables_is_chosen(world: World, pages: Pages) -> None:
    one = await world.started(ANN, BOB)
    two = await world.started(ANN, CLEO, channel=CHANNEL + 1, variant=CHINESE)
    async with kept(pages, ANN) as page:
        assert {choice["table"] for choice in page.view["tables"]} == {one.table, two.table}
        for key in (one, two, one):
            await page.say(type="look", table=key.table)
            assert page.view["table"] == key.table
            assert [choice["table"] for choice in page.view["tables"] if choice["chosen"]] == [key.table]


async def test_the_menu_says_which_table_waits_and_when_its_time_runs_out(world: World, pages: Pages) -> None:
    one = await world.started(ANN, BOB)
    two = await world.started(ANN, BOB, channel=CHANNEL + 1, clock=Clock(pace=Pace.NONE, seconds=0))
    async with kept(pages, ANN) as page:
        for player in (ANN, BOB):
            for key in (one, two):
                while await world.turn(key) != player:
                    await world.place_cards(key, await world.turn(key))
            await page.look()
            told = {choice["table"]: (choice["waits"], choice["until"]) for choice in page.view["tables"]}
            until = (await world.play.look(one, ANN)).until(ANN)
            assert told == {one.table: (player == ANN, until), two.table: (player == ANN, None)}
            assert (until is not None) == (player == ANN)


async def test_a_table_that_has_closed_is_shown_to_who_sat_there_alone(world: World, pages: Pages) -> None:
    key = await world.started(ANN, BOB)
    async with kept(pages, ANN) as page, kept(pages, CLEO) as stranger:
        await world.play_hand(key)
        await page.look()
        open_still = [seat["discards"] for seat in page.view["seats"]]
        await world.play.close(key, reason="closed_by_admin")
        assert not (await world.play.look(key)).table.open
        await page.look()
        assert page.view["table"] == key.table
        assert page.view["result"]
        assert [seat["discards"] for seat in page.view["seats"]] == open_still, "one's own discards as before"
        assert [len({*discards}) for discards in open_still] == [4, 1], "four cards, and four backs"
        await stranger.say(type="look", table=key.table)
        assert stranger.view["table"] == 0


async def test_a_live_table_tells_how_much_of_the_time_is_banked(world: World, pages: Pages) -> None:
    key = await world.started(ANN, BOB, clock=Clock(pace=Pace.LIVE, seconds=60))
    first, second = await acts(world, key)
    async with kept(pages, first) as page, kept(pages, second) as other:
        view = await world.play.look(key, first)
        assert view.mine is not None
        assert page.view["bank"] == other.view["bank"] == view.mine.seat.bank_ms > 0
        assert page.view["until"] == world.now + view.mine.seat.left_ms + page.view["bank"]


async def test_a_view_is_small(world: World, pages: Pages) -> None:
    key = await world.started(ANN, BOB, CLEO)
    longest = 0
    async with kept(pages, ANN) as page:
        while (await world.play.look(key)).waiting:
            await world.place_cards(key, await world.turn(key))
            await page.look()
            longest = max(longest, len(json.dumps(page.view, ensure_ascii=False).encode()))
    assert 1_000 < longest < 4_500


async def test_the_oldest_of_too_many_pages_is_closed(world: World, pages: Pages) -> None:
    await world.started(ANN, BOB)
    others: list[AbstractAsyncContextManager[object]] = []
    async with kept(pages, ANN) as first:
        reader = first.page.reader
        for _ in range(MAX_PAGES_PER_PLAYER - 1):
            # Releasing a page closes it.
            others.append(pages.opened(reader, Kept(pages=pages), table=0, has=""))
            await others[-1].__aenter__()
        assert first.bye is None
        async with kept(pages, BOB) as somebody, kept(pages, ANN):
            assert first.bye is not None
            assert not first.bye.again
            assert somebody.bye is None


def test_a_token_is_one_persons_and_ends() -> None:
    now = [0]
    tokens = Tokens(now_ms=lambda: now[0])
    ann, bob = (PageReader(guild=GUILD, player=player, locale="en-US") for player in (ANN, BOB))
    given, other = tokens.give(ann), tokens.give(bob)
    assert tokens.reader(given) == replace(ann, until=VALID_MS)
    assert tokens.reader(other) == replace(bob, until=VALID_MS)
    assert tokens.reader(given[:-1]) is None
    assert tokens.reader("") is None
    tokens.revoke(ANN)
    assert tokens.reader(given) is None
    assert tokens.reader(other) == replace(bob, until=VALID_MS)
    now[0] = VALID_MS
    assert tokens.reader(other) is None
    assert not any(token in repr(vars(tokens)) for token in (given, other))


def test_the_longest_message_of_a_page_is_let_through() -> None:
    letters = automatic_placement(((), (), ()), [0] * 17, to_place=13)  # type: ignore[list-item]
    intent = {"type": "intent", "id": "x" * 40, "verb": "take_back", "table": 2**53 - 1, "turn": "t" * 40}
    assert len(json.dumps(intent | {"letters": letters})) < MAX_BYTES / 10
