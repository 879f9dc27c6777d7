"""Requests for seats: only private answers, one drawing of the table, and no post."""

import asyncio

from bot.chat.table.screens.seats_screen import SeatAction, player_argument
from bot.model.ids import Player
from bot.play.session.policy import Policy
from tests.standin.standin import custom_ids
from tests.standin.wired_bot import WiredBot

POLICY = Policy()


async def test_private_choices_are_answered_in_private_and_posted_nowhere(wired: WiredBot) -> None:
    host, guest = wired.user(0), wired.user(1)
    await wired.open(host, guest)
    wired.discord.requests.clear()
    seats = await wired.tap(guest, wired.table(), "seats")
    for action in (SeatAction.SIT_OUT, SeatAction.BACK):
        seats = await wired.tap(guest, seats, "seat", action.value)
    await wired.choose(guest, seats, "sit", "2")
    await wired.drawn()
    assert [request.kind for request in wired.discord.requests if request.kind == "send"] == []
    assert len({request.path for request in wired.discord.requests if request.kind == "edit"}) <= 1
    assert (await wired.look(guest)).mine.seat.moves_to == 2  # type: ignore[union-attr]


async def test_a_player_who_was_removed_goes_when_the_hand_is_over_and_finds_no_way_back(wired: WiredBot) -> None:
    host, guest = wired.user(0), wired.user(1)
    await wired.open(host, guest)
    seats = await wired.tap(host, wired.table(), "seats")
    person = await wired.choose(host, seats, "seat_of", player_argument(Player(str(guest.id))))
    await wired.tap(host, person, "remove")
    assert (await wired.look(guest)).mine.seat.leaving  # type: ignore[union-attr]
    await wired.play_hand()
    await asyncio.sleep(POLICY.next_hand_ms / 1000 + 2)
    await wired.drawn()
    assert (await wired.look(guest)).mine is None
    theirs = await wired.tap(guest, wired.table(), "seats")
    assert not list(custom_ids(theirs, "sit"))
