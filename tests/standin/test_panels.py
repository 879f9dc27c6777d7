"""Open panels while answers are on their way: each shows how things stand, and none is drawn twice for it."""

import asyncio

import pytest

from bot.text.words import words_for
from tests.standin.rest import Fault, Request
from tests.standin.sent import Sent
from tests.standin.standin import custom_ids
from tests.standin.things import Message, User
from tests.standin.wired_bot import WiredBot

SLOW = 0.5
"""Seconds that Discord takes for an answer."""


async def seated(wired: WiredBot) -> tuple[User, User]:
    """Two players of a hand, first the one who is on turn."""
    users = wired.user(0), wired.user(1)
    await wired.open(*users)
    first = (await wired.look()).waiting[0]
    return users if str(users[0].id) == first else (users[1], users[0])


async def complete(wired: WiredBot, user: User, letters: str = "BBBBB") -> Message:
    """The player's open panel, with a whole street on it."""
    panel = await wired.tap(user, wired.table(), "hand")
    for letter in letters:
        panel = await wired.tap(user, panel, "row", letter)
    return panel


def confirm(wired: WiredBot, user: User, panel: Message) -> Sent:
    (custom_id,) = custom_ids(panel, "confirm")
    return wired.discord.press(user, panel, custom_id)


def edited(wired: WiredBot) -> list[str]:
    """The tokens by which panels were edited without a press."""
    return [request.path.split("/")[3] for request in wired.discord.requests if request.kind == "original.edit"]


async def test_a_panel_is_not_drawn_anew_while_its_own_answer_is_on_its_way(wired: WiredBot) -> None:
    first, second = await seated(wired)
    theirs = await complete(wired, second)
    panel = await complete(wired, first)
    wired.discord.requests.clear()
    wired.discord.hook = lambda request: Fault(delay=SLOW) if request.kind == "callback" else None
    await confirm(wired, first, panel).finished()
    await wired.drawn()
    assert len(edited(wired)) == 1
    assert words_for("en")("panel.ready") in theirs.text
    assert not list(custom_ids(panel, "row"))


async def test_what_happens_while_an_answer_is_on_its_way_is_shown_after_it(wired: WiredBot) -> None:
    first, second = await seated(wired)
    theirs = await complete(wired, second)
    panel = await complete(wired, first)

    def hook(request: Request) -> Fault | None:
        return Fault(delay=SLOW) if request.kind == "callback" and f"/{slow.id}/" in request.path else None

    slow = confirm(wired, first, panel)
    wired.discord.hook = hook
    await asyncio.sleep(SLOW / 5)
    await confirm(wired, second, theirs).finished()
    await slow.finished()
    await wired.drawn()
    assert len(list(custom_ids(panel, "card"))) == 3


@pytest.mark.parametrize("done", [True, False])
async def test_a_panel_whose_answer_was_lost_is_brought_up_to_date(wired: WiredBot, done: bool) -> None:
    first, _ = await seated(wired)
    panel = await complete(wired, first)
    wired.discord.hook = lambda request: Fault(error=TimeoutError(), done=done) if request.kind == "callback" else None
    await confirm(wired, first, panel).finished()
    await wired.drawn()
    assert not list(custom_ids(panel, "row"))
