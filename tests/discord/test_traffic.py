"""An evening's traffic in its channel doesn't grow: posts and pings of a table, a hand and an event."""

from __future__ import annotations

import pytest

from tests.discord.club import Club
from tests.traffic import FIELDS, event, noise, table

HANDS = 3


async def test_a_hand_posts_its_table_and_its_result_and_pings_nobody_who_plays(club: Club) -> None:
    opened, hands, closed = (await table(club, hands=HANDS, silent=False)).values()
    assert (opened.posts, opened.pings) == (3, 0)
    assert (hands.posts, hands.pings) == (2 * HANDS, 0)
    assert hands.words <= 70 * HANDS
    assert hands.lines <= 12 * HANDS
    assert hands.edits <= 15 * HANDS, "one for each street of three players"
    assert hands.deletes <= HANDS
    assert 0 < hands.requests <= 6 * hands.answered
    assert (closed.posts, closed.pings) == (1, 0)


async def test_somebody_who_is_silent_costs_one_post_and_one_ping(club: Club) -> None:
    _, hands, _ = (await table(club, hands=HANDS, silent=True)).values()
    assert (hands.posts, hands.pings) == (3 * HANDS, HANDS)
    assert hands.deletes == 2 * HANDS, "the call is removed once they have placed"


async def test_an_event_posts_two_messages_and_calls_each_entrant_once(club: Club) -> None:
    registering, starting = (await event(club)).values()
    assert (registering.posts, registering.pings) == (2, 0)
    assert registering.words <= 60
    assert registering.fullest <= 50
    assert (starting.posts, starting.pings) == (4, 12)
    assert starting.words <= 130


MAX_POSTS = {
    "Tournament": (15, 3),
    "Single elimination": (15, 4),
    "Double elimination": (26, 4),
    "Swiss": (9, 4),
    "League": (8, 3),
    "Duplicate": (12, 4),
}
"""Posts of an event in its channel, and notices of threads among them.

As many as when no two reports are due together, which depends on the machine.
"""


@pytest.mark.slow
@pytest.mark.parametrize("title", FIELDS)
async def test_an_event_posts_little_and_starts_a_thread_per_table_of_its_first_round(club: Club, title: str) -> None:
    structure, people = FIELDS[title]
    counted = await noise(club, structure, people)
    posts, threads = MAX_POSTS[title]
    assert counted.posts <= posts
    assert counted.notices <= threads
    assert counted.notices == structure.tables_for(people)
