"""The number of posts of a hand, and the people it calls: measured on the wire, with players who are there."""

import asyncio
from collections import Counter

import pytest

from bot.model.tables import TableState
from tests.discord.club import plain_letters
from tests.standin.wired_bot import WiredBot

THINKING_SECONDS = 15
NEXT_HAND_SECONDS = 14
STREETS = 5


def posted(wired: WiredBot) -> int:
    """The messages posted to the channel."""
    return sum(request.kind == "send" for request in wired.discord.requests)


def called(wired: WiredBot) -> int:
    """The number of players that messages notify."""
    return sum(len(request.notified) for request in wired.discord.requests)


async def play_thoughtfully(wired: WiredBot) -> None:
    """Play the running hand with thinking time on each street."""
    while waiting := (await wired.look()).waiting:
        await asyncio.sleep(THINKING_SECONDS)
        await wired.place_cards(next(user for user in map(wired.user, range(3)) if str(user.id) == waiting[0]))
        await wired.drawn()


@pytest.mark.parametrize("players", [2, 3])
async def test_a_hand_of_people_who_are_there_is_two_messages_and_calls_nobody(wired: WiredBot, players: int) -> None:
    await wired.open(*(wired.user(number) for number in range(players)))
    await play_thoughtfully(wired)
    await asyncio.sleep(NEXT_HAND_SECONDS)
    await wired.drawn()
    wired.discord.requests.clear()
    await play_thoughtfully(wired)
    await asyncio.sleep(NEXT_HAND_SECONDS)
    await wired.drawn()
    assert (posted(wired), called(wired)) == (2, 0), "the result, and the table of the next hand"
    asked = Counter(request.kind for request in wired.discord.requests if request.kind in ("send", "edit", "delete"))
    assert asked == {"send": 2, "edit": STREETS * players, "delete": 1}, "an edit a turn, and the table posted anew"


async def test_practice_asks_nothing_of_the_budget(wired: WiredBot) -> None:
    learner = wired.user(0)
    await wired.discord.slash(learner, wired.channel, "ofc practice").finished()
    for _ in range(STREETS):
        await asyncio.sleep(THINKING_SECONDS)
        typed = plain_letters(await wired.look(learner))
        await wired.discord.slash(learner, wired.channel, "place", cards=f"{typed}!!", table=1).finished()
    await asyncio.sleep(NEXT_HAND_SECONDS)
    await wired.drawn()
    assert {request.kind for request in wired.discord.requests} & {"send", "edit", "delete"} == set()
    view = await wired.look()
    assert (view.table.state, view.table.hand_no) == (TableState.BETWEEN, 1), "the next hand comes when it is asked for"
