"""Posts of whole events: each post in the event's channel has its reason, and hands add none."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from bot.model.events import Phase
from bot.model.ids import EventKey
from bot.pure.event.structure import PRESETS as STRUCTURES
from bot.pure.event.structure import Format
from tests.standin.rest import Request
from tests.standin.test_events import HOUR, NO_FANTASYLAND, Evening, place_cards
from tests.standin.wired_bot import WiredBot

SHORT = {"stack": 1000, "levels": (50, 100, 200), "level_hands": 1}
MAX_REQUESTS = 32
"""Limit for a hand of two or three players: one drawing per street and player, in a bot that never delays one."""


def kind_of(request: Request, channel: int) -> str:
    """Return ``send channel``, ``edit threads`` and so on, or only the kind for requests without a place."""
    if request.kind not in ("send", "edit"):
        return request.kind
    return f"{request.kind} {'channel' if f'/channels/{channel}/' in request.path else 'threads'}"


async def play_out(evening: Evening, key: EventKey) -> tuple[list[Request], int]:
    """Play until the event is over; returns the requests to Discord, and the number of hands."""
    wired, hands, asked = evening.wired, set(), list[Request]()
    wired.discord.requests.clear()
    while not (await evening.event(key)).phase.over:
        for table in await evening.tables(key):
            view = await wired.bot.services.play.look(table)
            if view.waiting:
                await place_cards(evening, table, hands=True)
                hands.add((table, view.table.hand_no))
        await asyncio.sleep(5)
        await evening.shown()
        asked += wired.discord.requests
        wired.discord.requests.clear()
    assert (await evening.event(key)).phase is Phase.ENDED
    return asked, len(hands)


@pytest.mark.parametrize(
    ("preset", "changes", "people", "posts"),
    [
        # The first two matches, the final's table, the end.
        ("heads_up", SHORT, 4, 4),
        # The first round's table, the end with the cross-table.
        ("league", {"rounds": 2, "round_hands": 2}, 4, 2),
        # A sheet for each of four decks, the first round's places, the end.
        ("duplicate", {"rounds": 2, "round_hands": 2, "table_seats": 2, "threads": True}, 4, 6),
        # The first round's ladder with the final's table, the end.
        ("shootout", {**SHORT, "table_seats": 2}, 4, 2),
        # the third place and the end
        ("sit_and_go", SHORT, 3, 2),
    ],
)
async def test_a_round_has_its_posts_and_a_hand_none(
    wired: WiredBot, preset: str, changes: dict[str, Any], people: int, posts: int
) -> None:
    evening, structure = Evening(wired), replace(STRUCTURES[preset], **changes)
    full = structure.format is Format.SIT_AND_GO
    key = await evening.announce(structure, starts_in=None if full else HOUR, variant=NO_FANTASYLAND)
    await evening.register(key, *range(1, people + 1))
    if not full:
        await evening.start(key)
    asked, hands = await play_out(evening, key)
    seen = Counter(kind_of(request, evening.wired.channel.id) for request in asked)
    sent = [request for request in asked if kind_of(request, evening.wired.channel.id) == "send channel"]
    told = [json.dumps(request.json, ensure_ascii=False) for request in sent]
    # Reports that are due together share a post.
    assert 2 <= len(told) <= posts, told
    assert "The event is over." in told[-1]
    assert hands > 3
    assert seen["edit channel"] <= 2 * hands + posts + people, seen
    assert len(asked) <= MAX_REQUESTS * hands, seen
