"""Open panels while answers are on their way: each shows how things stand, and none is drawn twice for it."""

import asyncio

import pytest

from bot.text.words import words_for
from tests.standin.rest import Fault, Request
from tests.standin.room import Room
from tests.standin.sent import Sent
from tests.standin.standin import custom_ids
from tests.standin.things import Message, User

SLOW = 0.5
"""Seconds that Discord takes for an answer."""


async def seated(room: Room) -> tuple[User, User]:
    """Two players of a hand, first the one who is on turn."""
    users = room.user(0), room.user(1)
    await room.open(*users)
    first = (await room.look()).waiting[0]
    return users if str(users[0].id) == first else (users[1], users[0])


async def complete(room: Room, user: User, letters: str = "BBBBB") -> Message:
    """The player's open panel, with a whole street on it."""
    panel = await room.tap(user, room.table(), "hand")
    for letter in letters:
        panel = await room.tap(user, panel, "row", letter)
    return panel


def confirm(room: Room, user: User, panel: Message) -> Sent:
    (custom_id,) = custom_ids(panel, "confirm")
    return room.discord.press(user, panel, custom_id)


def edited(room: Room) -> list[str]:
    """The tokens by which panels were edited without a press."""
    return [request.path.split("/")[3] for request in room.discord.requests if request.kind == "original.edit"]


async def test_a_panel_is_not_drawn_anew_while_its_own_answer_is_on_its_way(room: Room) -> None:
    first, second = await seated(room)
    theirs = await complete(room, second)
    panel = await complete(room, first)
    room.discord.requests.clear()
    room.discord.hook = lambda request: Fault(delay=SLOW) if request.kind == "callback" else None
    await confirm(room, first, panel).finished()
    await room.drawn()
    assert len(edited(room)) == 1
    assert words_for("en")("panel.ready") in theirs.text
    assert not list(custom_ids(panel, "row"))


async def test_what_happens_while_an_answer_is_on_its_way_is_shown_after_it(room: Room) -> None:
    first, second = await seated(room)
    theirs = await complete(room, second)
    panel = await complete(room, first)

    def hook(request: Request) -> Fault | None:
        return Fault(delay=SLOW) if request.kind == "callback" and f"/{slow.id}/" in request.path else None

    slow = confirm(room, first, panel)
    room.discord.hook = hook
    await asyncio.sleep(SLOW / 5)
    await confirm(room, second, theirs).finished()
    await slow.finished()
    await room.drawn()
    assert len(list(custom_ids(panel, "card"))) == 3


@pytest.mark.parametrize("done", [True, False])
async def test_a_panel_whose_answer_was_lost_is_brought_up_to_date(room: Room, done: bool) -> None:
    first, _ = await seated(room)
    panel = await complete(room, first)
    room.discord.hook = lambda request: Fault(error=TimeoutError(), done=done) if request.kind == "callback" else None
    await confirm(room, first, panel).finished()
    await room.drawn()
    assert not list(custom_ids(panel, "row"))
