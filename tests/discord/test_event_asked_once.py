"""Acts that organisers confirm, because they can't be undone or bar them from their event."""

from __future__ import annotations

import pytest

from bot.chat.event.screens.desk.page import UNDO
from bot.model.events import Official, Phase
from bot.model.ids import EventKey
from cogs.event.event_command import NAME
from tests.discord.club import Club, Screen
from tests.discord.test_event_desk import (
    announced,
    anyone,
    desk_of,
    guests_of,
    line,
    meant,
    mention,
    open_desk,
    person,
    question,
    running,
)
from tests.in_turn import in_turn

READERS = ["bob", "hanako"]


async def is_in(club: Club, key: EventKey, who: str) -> bool:
    """True if a player is on the event's list."""
    return (await desk_of(club, key)).view.line_of(club.player(who)) is not None


async def unregister(club: Club, name: str, who: str) -> Screen:
    """Press *Unregister* on a player's page of the desk."""
    one = await person(club, name, await open_desk(club, name), who)
    return await club.tap(name, one, one.find("ev_d_unlist"))


@pytest.mark.parametrize("name", READERS)
async def test_the_first_ruling_is_asked_once_because_it_bars_from_the_event(club: Club, name: str) -> None:
    words, key = club.words(name), await announced(club, name)
    await guests_of(club, key, 2)
    asked = await unregister(club, name, "guest0")
    assert words("event_desk.bars") in asked.text
    assert asked.has("ev_desk"), "a way back"
    assert await is_in(club, key, "guest0")
    await club.register(name)
    assert await is_in(club, key, name), "being asked bars nobody"
    await club.withdraw(name)
    done = await meant(club, name, asked)
    assert words("event.done.unregistered_free", player=mention(club, "guest0")) in done.text
    assert not await is_in(club, key, "guest0")
    second = await unregister(club, name, "guest1")
    assert question(second) is None, "they know it by now"
    assert not await is_in(club, key, "guest1")
    assert (await club.slash(name, NAME, do="register")).text == words("refused.has_ruled")


@pytest.mark.parametrize("name", ["alice", "bob", "hanako"])
@pytest.mark.parametrize("way", ["desk", "typed"])
async def test_who_takes_their_own_registration_back_at_the_desk_withdraws_and_may_return(
    club: Club, name: str, way: str
) -> None:
    words, key = club.words(name), await announced(club, name)
    await club.register(name)
    if way == "typed" and name == "alice":
        done = await club.slash(name, NAME, do="unregister", player=mention(club, name))
    else:
        done = await unregister(club, name, name)
    assert words("event.done.withdrawn_free", name="Night") in done.text
    assert not await is_in(club, key, name)
    assert (await desk_of(club, key)).acts == (), "it's told as any withdrawal, not as a ruling"
    await club.register(name)
    assert await is_in(club, key, name)


@in_turn("name", *READERS)
async def test_a_manager_who_plays_reads_what_a_ruling_means_for_them(club: Club, name: str) -> None:
    key = await announced(club, name)
    await guests_of(club, key, 1)
    await club.register("alice")
    asked = await unregister(club, "alice", "guest0")
    assert club.words("alice")("event_desk.bars_registered") in asked.text
    await meant(club, "alice", asked)
    assert not await is_in(club, key, "guest0")
    assert await is_in(club, key, "alice")


@in_turn("name", *READERS)
async def test_a_typed_ruling_is_asked_once_and_done_when_typed_again(club: Club, name: str) -> None:
    words, key = club.words(name), await announced(club, name)
    await guests_of(club, key, 2)
    asked = await club.slash(name, NAME, do="unregister", player=mention(club, "guest0"))
    assert words("event_desk.bars") in asked.text
    assert await is_in(club, key, "guest0")
    await club.slash(name, NAME, do="unregister", player=mention(club, "guest0"))
    assert not await is_in(club, key, "guest0")
    await club.slash(name, NAME, do="unregister", player=mention(club, "guest1"))
    assert not await is_in(club, key, "guest1"), "the second one isn't asked"


@in_turn("name", *READERS)
async def test_the_button_of_a_typed_ruling_does_it(club: Club, name: str) -> None:
    words, (key, people) = club.words(name), await running(club, name, late_levels=5)
    asked = await club.slash(name, NAME, do="penalty", player=mention(club, people[0]), value="2", reason="slow")
    assert words("event_desk.bars") in asked.text
    done = await meant(club, name, asked)
    assert words("event.done.penalty", player=mention(club, people[0]), count=2) in done.text
    assert (await line(club, key, people[0])).entrant.penalty == 2


@in_turn("name", *READERS)
async def test_a_form_of_a_ruling_says_that_it_bars(club: Club, name: str) -> None:
    words, (_, people) = club.words(name), await running(club, name, late_levels=5)
    form = await club.command_form(name, NAME, do="penalty", player=mention(club, people[0]))
    assert words("event_desk.bars") in str(form.modal)
    one = await person(club, name, await open_desk(club, name), people[0])
    form = await club.ask(name, one, one.find("ev_d_out"))
    assert words("event_desk.bars") in str(form.modal)


@in_turn("name", *READERS)
async def test_nothing_is_asked_once_nobody_can_enter_any_more(club: Club, name: str) -> None:
    key, people = await running(club, name)
    one = await person(club, name, await open_desk(club, name), people[0])
    done = await club.tap(name, one, one.find("ev_d_away"))
    assert question(done) is None
    assert (await line(club, key, people[0])).away


@in_turn("name", *READERS)
async def test_a_fee_that_goes_back_is_asked_each_time(club: Club, name: str) -> None:
    words, key = club.words(name), await announced(club, name, fee=100)
    await guests_of(club, key, 2)
    for guest in ("guest0", "guest1"):
        asked = await unregister(club, name, guest)
        assert words("event_desk.final.fee") in asked.text
        assert await is_in(club, key, guest)
        await meant(club, name, asked)
        assert not await is_in(club, key, guest)


@in_turn("name", *READERS)
async def test_taking_a_disqualification_back_bars_and_is_asked(club: Club, name: str) -> None:
    words, key = club.words(name), await announced(club, name)
    await guests_of(club, key, 1)
    by = Official(player=club.player("alice"), manager=True)
    await club.bot.services.events.disqualify(key, by, club.player("guest0"), why="late", cause="out")
    desk = await open_desk(club, name)
    (fact,) = (await desk_of(club, key)).undoable
    asked = await club.choose(name, desk, desk.find("ev_d_undo"), [f"{UNDO}{fact.number}"])
    assert words("event_desk.bars") in asked.text
    assert (await desk_of(club, key)).undoable == (fact,)
    done = await meant(club, name, asked)
    assert words("event.done.reinstated_before", player=mention(club, "guest0")) in done.text
    assert (await desk_of(club, key)).event.phase is Phase.REGISTERING


@in_turn("name", *READERS)
async def test_the_page_of_seeds_says_that_they_bar(club: Club, name: str) -> None:
    words, key = club.words(name), await announced(club, name, seeding="hand")
    await guests_of(club, key, 2)
    page = await club.slash(name, NAME, do="seeds")
    assert words("event_desk.bars") in page.text


@in_turn("name", *READERS)
async def test_another_organiser_is_removed_by_one_press(club: Club, name: str) -> None:
    key = await announced(club, name)
    helper = "alice"
    await club.slash(name, NAME, do="co-organiser", player=str(club.members[helper].id))
    own = await anyone(club, name, await open_desk(club, name), club.members[helper])
    await club.tap(name, own, own.find("ev_d_unhelp"))
    assert (await desk_of(club, key)).event.helpers == (), "another press takes that back"
