"""Posts of three processes, of which one is killed when Discord has taken a post and before it hears of that."""

from __future__ import annotations

import asyncio
import re
import signal
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.chat.clockwork import SWEEP_EVERY
from bot.model.bulletins import Bulletin, BulletinKind
from bot.model.clock import DAY, HOUR
from bot.store.personal import RECAP_LISTS
from tests.databases import Server, ask, do
from tests.processes.house import House, house
from tests.standin.bot_process import BotProcess
from tests.standin.rest import Request
from tests.standin.standin import custom_ids
from tests.standin.things import Message

SHARDS = 6
PATIENCE_SECONDS = 600
POSTS = {
    "morning": re.compile(r"c1:daily:0:0:0:::[0-9a-f]{6}"),
    "recap": re.compile(r"c1:recaps:0:0:0:::[0-9a-f]{6}"),
    "page": re.compile(r"c1:ranks:0:"),
    "season": re.compile(r"c1:ranks:1\.[0-9a-f]{6}:"),
}
"""Unique parts of the custom ids of each kind of post."""
_BULLETIN = (
    "INSERT INTO bulletin (guild_id, kind, channel_id, hour, weekday, zone, in_words, chosen_at, told, sending) "
    "VALUES (?, ?, ?, ?, ?, 'UTC', 1, 0, 0, 0)"
)
_RECAP = (
    f"INSERT INTO recap (guild_id, number, since, until, channel_id, hands, players, {', '.join(RECAP_LISTS)}) "
    f"VALUES (?, 1, ?, ?, ?, 3, 2, {', '.join(['?'] * len(RECAP_LISTS))})"
)
_PAGE = (
    "INSERT INTO club_page (guild_id, channel_id, ranked_by, span, game, in_words, at_bottom, shown, shown_at) "
    "VALUES (?, ?, 'chips', 'all', '', 1, 0, '', 0)"
)
_SEASON = (
    "INSERT INTO season (guild_id, number, name, began_at, ended_at, channel_id, told) VALUES (?, 1, '', 0, ?, ?, 0)"
)
_WON = (
    "INSERT INTO standing (guild_id, span, since, until, game, player, hands, points, chips, visits, stays, royalties, "
    "fouls, best) VALUES (?, 'season', 1, 1, '', ?, 1, ?, ?, 0, 0, 0, 0, 0)"
)
_RESULT = (
    "INSERT INTO result (guild_id, table_id, hand_no, player, points, chips, fantasyland, foul, ranked, at) "
    "SELECT guild_id, table_id, ?, '1', 0, 0, 0, 0, 0, ? FROM game_table"
)
_OLD = 1000
"""From this number on hands were never dealt: only the streak of a server is counted from them."""


class Killer:
    """Kills the first process that sends one of a kind."""

    def __init__(self, played: House, kind: str) -> None:
        self.victim: BotProcess | None = None
        self._played, self._kind = played, POSTS[kind]
        played.discord.hook = self._asked

    def _asked(self, request: Request) -> None:
        if self.victim is not None or request.kind != "send" or not self._kind.search(request.body):
            return
        (channel,) = [channel for channel in self._played.channels if str(channel.id) in request.path]
        self.victim = self._played.owners(self._played.channels.index(channel))[0]
        self.victim.signal(signal.SIGKILL)


def standing(played: House, kind: str) -> Sequence[list[Message]]:
    """Return the existing posts by server."""
    return [
        [message for message in channel.public() if any(map(POSTS[kind].search, custom_ids(message)))]
        for channel in played.channels
    ]


def choose(played: House) -> None:
    """Turn on all posts in every server. Each has contents, and is due now."""
    now = datetime.now(UTC)
    for day in (1, 2):
        do(played.address, _RESULT, (_OLD + day, round(now.timestamp() * 1000) - day * DAY))
    for channel in played.channels:
        guild = channel.guild.id
        for kind in BulletinKind:
            do(played.address, _BULLETIN, (guild, kind.value, channel.id, now.hour, now.weekday()))
        recap = Bulletin(kind=BulletinKind.RECAP, channel=channel.id, hour=now.hour, weekday=now.weekday(), zone="UTC")
        at = round(now.timestamp() * 1000) // HOUR * HOUR
        since, until = recap.week_before(at)
        do(played.address, _RECAP, (guild, since, until, channel.id, *["[]"] * len(RECAP_LISTS)))
        do(played.address, _PAGE, (guild, channel.id))
        for player, won in (("1", 5), ("2", -5)):
            do(played.address, _WON, (guild, player, won, won))
        do(played.address, _SEASON, (guild, round(datetime.now(UTC).timestamp() * 1000), channel.id))


@pytest.mark.deep
@pytest.mark.parametrize("kind", POSTS)
async def test_each_post_is_sent_once_though_one_process_is_killed_while_it_sends(
    server: Server, tmp_path: Path, kind: str
) -> None:
    async with house(server, tmp_path, shards=SHARDS, logins_at_once=2) as played:
        await played.start(3)
        await played.ready()
        await played.open_slow_tables()
        killer = Killer(played, kind)
        await asyncio.to_thread(choose, played)
        await played.discord.until(lambda: all(all(standing(played, one)) for one in POSTS), seconds=PATIENCE_SECONDS)
        await asyncio.sleep(2 * SWEEP_EVERY + 5)
        assert killer.victim is not None
        assert killer.victim.ended == -signal.SIGKILL
        assert {one: [len(sent) for sent in standing(played, one)] for one in POSTS} == {
            one: [1] * SHARDS for one in POSTS
        }
        noted = ask(played.address, "SELECT COUNT(*) FROM bulletin WHERE told > 0")
        pages = ask(played.address, "SELECT COUNT(*) FROM club_page WHERE message_id IS NOT NULL")
        ends = ask(played.address, "SELECT COUNT(*) FROM season WHERE told = 1 AND post_missed = 0")
        assert (noted, pages, ends) == ([(2 * SHARDS,)], [(SHARDS,)], [(SHARDS,)])
        do(played.address, "DELETE FROM result WHERE hand_no > ?", (_OLD,))
        do(played.address, "DELETE FROM standing WHERE span = 'season'")
        assert played.wrong() == []
