"""Phrases: who may send them, how often, and who hears them. They are stored and posted nowhere."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Any, get_args

import pytest

from bot.model.ids import TableKey
from bot.text.words import Words, words_for
from bot.web.messages import InvalidMessageError, Phrase, heard
from bot.web.page_words import sent_words
from bot.web.pages import Pages
from bot.web.phrases import MAX_PHRASES_PER_MINUTE, MINUTE_MS, PAUSE_MS
from tests.discord.club import Club
from tests.play.world import ANN, BOB, CLEO, DAN, EVE, World
from tests.web.open_pages import Json, Kept, Open, kept
from tests.web.test_playing import practised
from tests.web.test_what_pages_know import streamed

EN, JA = words_for("en"), words_for("ja")


async def say(page: Kept, phrase: Phrase = "nice_hand", **other: Any) -> Json:
    """Send a phrase from a page; returns the answer."""
    return await page.ask("say", turn="", phrase=phrase, **other)


def said(page: Kept) -> list[tuple[str, str]]:
    """Who has said what, as this page was told."""
    return [(told["name"], told["phrase"]) for told in page.came if told["type"] == "phrase"]


def all_see(pages: Pages) -> None:
    """Make every channel public."""
    pages.watching.seen_by_all = lambda channel: True


async def facts(world: World, key: TableKey) -> int:
    """Return how much is written about a table: its log and the version of its message."""
    view = await world.play.look(key)
    return view.table.version + (await world.sessions.seen(key)).logged


async def test_all_who_have_the_table_open_hear_a_phrase_and_nobody_else(world: World, pages: Pages) -> None:
    all_see(pages)
    key = await world.started(ANN, BOB)
    other = await world.started(CLEO, DAN)
    before = await facts(world, key)
    async with AsyncExitStack() as opened:
        ann, bob, cleo, eve = [await opened.enter_async_context(kept(pages, one)) for one in (ANN, BOB, CLEO, EVE)]
        second = await opened.enter_async_context(kept(pages, ANN))
        elsewhere = await opened.enter_async_context(kept(pages, EVE, table=other.table))
        stream = await opened.enter_async_context(streamed(pages, key, BOB))
        await stream.look()
        assert eve.view["table"] == key.table
        assert elsewhere.view["table"] == cleo.view["table"] == other.table
        answer = await say(ann)
        assert answer["outcome"] == "done"
        assert not answer["said"]
        name = ann.own["name"]
        for page in (ann, bob, eve, second):
            assert said(page) == [(name, "nice_hand")]
            assert name in [seat["name"] for seat in page.view["seats"]], "as on the seat"
            assert next(told for told in page.came if told["type"] == "phrase")["table"] == key.table
        assert [said(page) for page in (cleo, elsewhere, stream)] == [[], [], []]
    assert await facts(world, key) == before


async def test_only_those_with_a_seat_send_phrases(world: World, pages: Pages) -> None:
    all_see(pages)
    key = await world.started(ANN, BOB)
    async with kept(pages, ANN) as ann, kept(pages, EVE) as eve, streamed(pages, key, ANN) as stream:
        assert (ann.view["phrases"], eve.view["phrases"]) == (True, False)
        answer = await say(eve)
        assert answer["outcome"] == "refused"
        assert answer["said"] == EN("refused.not_at_this_table", table=key.table).replace("`", "")
        await stream.look()
        assert not stream.view["phrases"]
        assert await stream.say(**stream.intent("say") | {"phrase": "wow"}) == []
        assert [said(page) for page in (ann, eve, stream)] == [[], [], []]


async def test_a_table_that_may_not_be_watched_is_not_heard(world: World, pages: Pages) -> None:
    all_see(pages)
    key = await world.started(ANN, BOB)
    async with kept(pages, ANN) as ann, kept(pages, EVE) as eve:
        assert eve.view["table"] == key.table
        # The page still shows the table's last view: it hears nothing from the moment on.
        pages.watching.seen_by_all = lambda channel: False
        assert (await say(ann))["outcome"] == "done"
        assert (len(said(ann)), len(said(eve))) == (1, 0)


async def test_whoever_has_left_the_table_says_no_more(world: World, pages: Pages) -> None:
    key = await world.table(ANN, BOB, CLEO)
    async with kept(pages, BOB) as bob, kept(pages, ANN) as ann:
        assert bob.view["phrases"]
        await world.leave(key, BOB)
        answer = await say(bob, table=key.table)
        assert answer["outcome"] == "refused"
        assert (await say(ann))["outcome"] == "done"
        assert [len(said(page)) for page in (ann, bob)] == [1, 0]


async def test_a_player_says_one_thing_at_a_time(world: World, pages: Pages) -> None:
    await world.started(ANN, BOB)
    async with kept(pages, ANN) as ann, kept(pages, BOB) as bob:
        assert (await say(ann))["outcome"] == "done"
        world.now += PAUSE_MS - 1_001
        refused = await say(ann, "wow")
        assert (refused["outcome"], refused["said"]) == ("refused", EN("refused.too_many_phrases", count=2))
        assert (await say(bob, "thanks"))["outcome"] == "done", "each has their own limit"
        world.now += 1_001
        assert (await say(ann, "wow"))["outcome"] == "done", "a refusal counts for nothing"
        assert [phrase for _, phrase in said(bob)] == ["nice_hand", "thanks", "wow"]


async def test_a_player_says_six_things_a_minute(world: World, pages: Pages) -> None:
    await world.started(ANN, BOB)
    async with kept(pages, ANN) as ann:
        for _ in range(MAX_PHRASES_PER_MINUTE):
            assert (await say(ann))["outcome"] == "done"
            world.now += PAUSE_MS
        left = (MINUTE_MS - MAX_PHRASES_PER_MINUTE * PAUSE_MS) // 1000
        refused = await say(ann)
        assert refused["said"] == EN("refused.too_many_phrases", count=left)
        world.now += left * 1000
        assert (await say(ann))["outcome"] == "done"
        assert len(said(ann)) == MAX_PHRASES_PER_MINUTE + 1


async def test_the_limit_is_one_per_table(world: World, pages: Pages) -> None:
    first = await world.started(ANN, BOB)
    second = await world.started(ANN, CLEO)
    async with kept(pages, ANN, table=first.table) as one, kept(pages, ANN, table=second.table) as two:
        assert (await say(one))["outcome"] == (await say(two))["outcome"] == "done"
        assert (len(said(one)), len(said(two))) == (1, 1)


async def test_a_clock_that_is_set_back_mutes_nobody(world: World, pages: Pages) -> None:
    await world.started(ANN, BOB)
    async with kept(pages, ANN) as ann:
        world.now += 3_600_000
        assert (await say(ann))["outcome"] == "done"
        world.now -= 3_600_000
        assert (await say(ann))["outcome"] == "done"


async def test_a_phrase_that_is_sent_again_is_said_once(world: World, pages: Pages) -> None:
    await world.started(ANN, BOB)
    async with kept(pages, ANN) as ann, kept(pages, BOB) as bob:
        intent = ann.intent("say") | {"turn": "", "phrase": "wow"}
        first, again = [(await ann.say(**intent))[-1] for _ in range(2)]
        assert first == again
        assert len(said(bob)) == 1


async def test_nobody_talks_to_computers(world: World, pages: Pages) -> None:
    key = await practised(world)
    async with kept(pages, ANN) as ann:
        assert ann.view["table"] == key.table
        assert not ann.view["phrases"]
        assert (await say(ann))["said"] == EN("refused.no_one_to_talk_to")
        assert [seat["computer"] for seat in ann.view["seats"]] == [False, True]
    with_one = await world.started(BOB, point_value=0, computers=1)
    async with kept(pages, BOB) as bob:
        assert bob.view["table"] == with_one.table
        assert not bob.view["phrases"]
        await world.join(with_one, CLEO)
        await bob.look()
        assert bob.view["phrases"], "a person has come"


async def test_a_phrase_is_one_of_eight(world: World, pages: Pages) -> None:
    key = await world.started(ANN, BOB)
    async with kept(pages, ANN) as ann:
        for phrase in get_args(Phrase):
            assert (await say(ann, phrase))["outcome"] == "done"
            world.now += MINUTE_MS
        assert len({phrase for _, phrase in said(ann)}) == 8
        assert (await ann.ask("say", turn=""))["outcome"] == "stale"
    text = '{"type":"intent","id":"abcdefgh","verb":"say","table":%d,"turn":"","phrase":"%s"}'
    assert heard(text % (key.table, "wow"))
    with pytest.raises(InvalidMessageError):
        heard(text % (key.table, "You are a fish"))


@pytest.mark.parametrize("words", [EN, JA], ids=["en", "ja"])
def test_each_reader_has_all_phrases_in_their_language(words: Words) -> None:
    told = sent_words(words).words
    texts = [told[f"phrase_{phrase}"] for phrase in get_args(Phrase)]
    assert len({*texts}) == 8
    assert all(texts)


async def test_a_retry_is_not_interrupted(world: World, pages: Pages) -> None:
    key = await world.started(ANN, BOB)
    async with kept(pages, ANN) as ann, kept(pages, BOB) as bob:
        await world.play_hand(key)
        await ann.look()
        assert (await ann.ask("retry"))["outcome"] == "done"
        assert not ann.view["phrases"]
        await say(bob)
        assert (len(said(ann)), len(said(bob))) == (0, 1)
        assert (await say(ann, table=key.table))["outcome"] == "stale"
        await ann.ask("end_retry")
        assert (await say(ann))["outcome"] == "done"


async def test_each_reader_is_told_the_name_that_they_see(club: Club, opened: Open) -> None:
    await club.open_table("alice", "hanako")
    await club.settle()
    posted = [screen.text for screen in club.public()]
    async with opened.eyes(club, "alice") as alice, opened.eyes(club, "hanako") as hanako:
        answer = await alice.ask("say", turn="", phrase="good_luck")
        assert answer["outcome"] == "done"
        told = await hanako.until(lambda message: message["type"] == "phrase")
        names = [seat["name"] for seat in hanako.view["seats"] if not seat["you"]]
        assert [told["name"]] == names
        refused = await hanako.ask("say", turn="", phrase="thanks")
        assert refused["outcome"] == "done"
        again = await hanako.ask("say", turn="", phrase="thanks")
        assert again["said"] == JA("refused.too_many_phrases", count=5)
    await club.settle()
    assert [screen.text for screen in club.public()] == posted != []
