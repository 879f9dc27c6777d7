"""Withdrawing before the start: asked first if it's typed or can't be undone, and always with its cost."""

from __future__ import annotations

from bot.model.ids import EventKey
from cogs.event.event_command import NAME
from tests.discord.club import Club
from tests.discord.test_event_asked_once import is_in, unregister
from tests.discord.test_event_desk import announced, guests_of, meant
from tests.discord.test_event_waiting import FEE, full, waiting
from tests.discord.test_late_rulings import manager
from tests.in_turn import in_turn

GUESTS = ("erin", "kenji")
"""An English and a Japanese reader, neither of whom organises the event."""


async def registered_guest(club: Club, who: str, *, fee: int = 0) -> EventKey:
    """Return an event in which a newcomer is registered, with places left."""
    club.newcomer(who, locale="ja" if who == "kenji" else "en-US")
    key = await announced(club, "bob", most=4, fee=fee)
    await club.register(who)
    return key


@in_turn("who", *GUESTS)
async def test_cancel_by_a_guest_is_refused_and_leads_to_a_withdrawal_that_asks(club: Club, who: str) -> None:
    key, words = await registered_guest(club, who), club.words(who)
    cancel = words("event_acts.name.cancel")
    for typed in (cancel, "Cancel", "キャンセル"):
        refused = await club.slash(who, NAME, do=typed)
        assert words("event_acts.why.organisers", act=cancel) in refused.text
        assert await is_in(club, key, who)
    asked = await club.click(who, refused, words("event_acts.name.withdraw"))
    assert asked is not None
    assert words("event.withdraw.ask", name="Night") in asked.text
    assert words("event.withdraw.again") in asked.text
    assert await is_in(club, key, who)
    done = await meant(club, who, asked)
    assert words("event.done.withdrawn_free", name="Night") in done.text
    assert not await is_in(club, key, who)


@in_turn("who", *GUESTS)
async def test_everything_that_means_withdraw_asks_when_typed(club: Club, who: str) -> None:
    key, words = await registered_guest(club, who), club.words(who)
    for typed in (words("event_acts.name.withdraw"), "cancel my registration", "leave", "参加をキャンセル"):
        asked = await club.slash(who, NAME, do=typed)
        assert words("event.withdraw.ask", name="Night") in asked.text
        assert await is_in(club, key, who)
        await club.pass_time(61)  # typed again within a minute, it would be the answer


@in_turn("who", *GUESTS)
async def test_a_press_withdraws_at_once_while_one_can_register_again(club: Club, who: str) -> None:
    key, words = await registered_guest(club, who), club.words(who)
    shown = await club.slash(who, NAME, do=words("event_acts.name.show"))
    done = await club.press(who, shown, shown.find("ev_withdraw"))
    assert done is not None
    assert words("event.done.withdrawn_free", name="Night") in done.text
    assert not await is_in(club, key, who)


@in_turn("who", *GUESTS)
async def test_a_press_asks_if_the_place_goes_to_the_next_in_line(club: Club, who: str) -> None:
    key, words = await registered_guest(club, who, fee=FEE), club.words(who)
    await guests_of(club, key, 3)
    club.newcomer("dave")
    await club.register("dave")
    shown = await club.slash(who, NAME, do=words("event_acts.name.show"))
    asked = await club.press(who, shown, shown.find("ev_withdraw"))
    assert asked is not None
    assert words("event.withdraw.next") in asked.text
    assert words("event.withdraw.refund", count=FEE, chips=words.number(FEE)) in asked.text
    assert await is_in(club, key, who)
    stays = await club.press(who, asked, asked.button(words("event.button.stay")))
    assert stays is not None
    again = await club.press(who, stays, stays.find("ev_withdraw"))
    assert again is not None
    await meant(club, who, again)
    assert not await is_in(club, key, who)


@in_turn("who", *GUESTS)
async def test_leaving_the_list_asks_if_others_wait_behind(club: Club, who: str) -> None:
    key = await full(club)
    club.newcomer(who, locale="ja" if who == "kenji" else "en-US")
    words = club.words(who)
    await club.register(who)
    joined = await club.slash(who, NAME, do=words("event_acts.name.show"))
    club.newcomer("dave")
    await club.register("dave")
    asked = await club.press(who, joined, joined.find("ev_withdraw"))
    assert asked is not None
    assert words("event.withdraw.ask_list", name="Night") in asked.text
    assert words("event.withdraw.end_of_list") in asked.text
    assert await waiting(club, key) == [who, "dave"]
    await club.withdraw("guest0")
    kept = await club.slash(who, NAME, do=words("event_acts.name.withdraw"))
    assert words("event.withdraw.kept_next") in kept.text
    left = await meant(club, who, kept)
    assert left.text == words("event.waiting.left", name="Night")
    alone = await club.slash("dave", NAME, do="withdraw")
    assert club.words("dave")("event.withdraw.kept_free") in alone.text


@in_turn("name", "alice", "kenji")
async def test_a_manager_who_has_ruled_is_warned_that_there_is_no_way_back(club: Club, name: str) -> None:
    if name == "kenji":
        manager(club, name)
    words, key = club.words(name), await announced(club, "bob")
    await guests_of(club, key, 2)
    await club.register(name)
    await meant(club, name, await unregister(club, name, "guest0"))
    shown = await club.slash(name, NAME, do=words("event_acts.name.show"))
    asked = await club.press(name, shown, shown.find("ev_withdraw"))
    assert asked is not None
    assert words("event.withdraw.ruled") in asked.text
    assert words("event.withdraw.again") not in asked.text
    at_desk = await unregister(club, name, name)
    assert words("event_desk.final.ruled") in at_desk.text
    assert await is_in(club, key, name)
    await meant(club, name, asked)
    assert not await is_in(club, key, name)
    assert (await club.slash(name, NAME, do=words("event_acts.name.enter"))).text == words("refused.has_ruled")
