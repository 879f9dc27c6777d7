"""Open panels while responses are in flight. Each shows the current state, without extra drawings."""

import asyncio

import pytest

from bot.model.tables import Timer
from bot.text.words import words_for
from tests.backstage import transactions_of
from tests.discord.club import plain_letters
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
    """Return the tokens used to edit panels without a press."""
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


# position of panels


def private(wired: WiredBot, user: User) -> list[Message]:
    """Return a user's existing private messages."""
    return [message for message in wired.channel.messages.values() if message.owner == user.id]


async def between_hands(wired: WiredBot) -> tuple[User, User]:
    """Two players whose hand is over; the first has an open panel, above the message of the hand to come."""
    first, second = await seated(wired)
    await wired.tap(first, wired.table(), "hand")
    while waiting := (await wired.look()).waiting:
        user = first if str(first.id) == waiting[0] else second
        view = await wired.look(user)
        await wired.discord.slash(user, wired.channel, "place", cards=plain_letters(view)).finished()
        await wired.drawn()
    return first, second


async def deal_next(wired: WiredBot) -> None:
    """The pause is over."""
    await transactions_of(wired.bot.services.play).write(
        lambda s: s.tx.timers.set_timer(wired.key, Timer.NEXT_HAND, s.now)
    )
    await wired.bot.clockwork.timekeeper.tick()
    await wired.drawn()


def panels_of(wired: WiredBot, user: User) -> list[Message]:
    return [message for message in private(wired, user) if list(custom_ids(message, "row"))]


async def test_moving_costs_one_message_and_one_deletion_for_each_player(wired: WiredBot) -> None:
    first, second = await between_hands(wired)
    wired.discord.requests.clear()
    await deal_next(wired)
    kinds = [request.kind for request in wired.discord.requests]
    assert (kinds.count("followup"), kinds.count("original.delete")) == (2, 2)
    for player in (first, second):
        (panel,) = panels_of(wired, player)
        assert panel.id > wired.table().id


@pytest.mark.parametrize("fault", [Fault(status=404, code=10015), Fault(error=TimeoutError())], ids=["gone", "slow"])
async def test_a_move_that_fails_leaves_the_panel_where_it_was(wired: WiredBot, fault: Fault) -> None:
    first, _ = await between_hands(wired)
    wired.discord.hook = lambda request: fault if request.kind == "followup" else None
    await deal_next(wired)
    (panel,) = panels_of(wired, first)
    assert panel.id < wired.table().id
    tries = len([request for request in wired.discord.requests if request.kind == "followup"])
    wired.bot.services.publisher.changed(wired.key)
    await wired.drawn()
    assert len([request for request in wired.discord.requests if request.kind == "followup"]) == tries
    await wired.tap(first, panel, "row", "B")


@pytest.mark.parametrize("slow", ["followup", "original.delete"])
async def test_a_panel_that_is_pressed_while_it_moves_is_one_panel_afterwards(wired: WiredBot, slow: str) -> None:
    await between_hands(wired)
    host = wired.user(0)  # The panel opened by Start belongs to the first player to act.
    (old,) = private(wired, host)[-1:]
    begun = asyncio.Event()

    def hook(request: Request) -> Fault | None:
        if request.kind != slow:
            return None
        begun.set()
        return Fault(delay=SLOW)

    wired.discord.hook = hook
    dealing = asyncio.create_task(deal_next(wired))
    await begun.wait()
    row = next(one for one in custom_ids(old, "row") if one.endswith(":B"))
    await wired.discord.press(host, old, row).finished()
    await dealing
    wired.discord.hook = None
    await wired.drawn()
    (panel,) = panels_of(wired, host)
    assert panel.id > wired.table().id
    await wired.tap(host, panel, "row", "M")
    assert len(panels_of(wired, host)) == 1
