"""The bot's status for managers, about their server only."""

import sqlite3

import discord
import pytest

from bot import __version__
from bot.base.installation import version_text
from bot.chat.club.screens.status import BotStatus, status_text
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from tests.discord.club import Club
from tests.discord.forge import forge

MANAGE = discord.Permissions(manage_guild=True)


def manager(club: Club, name: str) -> None:
    """Make a member a manager of the server."""
    role = club.guild.create_role("managers", permissions=MANAGE)
    club.backend.get_guild(club.guild.id).members[club.members[name].id].role_ids.append(role.id)


async def test_a_healthy_bot_says_so_in_the_readers_language(club: Club) -> None:
    manager(club, "hanako")
    await club.pass_time(90)
    await club.slash("bob", "ofc play")
    for name in ("alice", "hanako"):
        words = club.words(name)
        answer = await club.slash(name, "setup", topic="status")
        title = f"**{words('status.title', version=version_text(__version__))}**"
        lines = answer.text[answer.text.index(title) :].splitlines()
        assert lines[3:8] == [
            words("status.tables", count=1),
            words("status.storage_ok"),
            words("status.messages_ok"),
            words("status.clocks_run"),
            words("status.computers_quick"),
        ]
        assert words("duration.minutes", count=1) in lines[1]
        assert words("status.latency", count=0) == lines[2]
        assert answer.message.is_ephemeral


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_says_whether_computers_think_as_well_as_they_can(language: str) -> None:
    words = words_for(language)
    for quickly, key in ((True, "status.computers_quick"), (False, "status.computers_ok")):
        shown = BotStatus(
            version=__version__,
            started_at=0,
            now=60_000,
            latency_seconds=0.1,
            tables=1,
            behind=0,
            lag_seconds=0,
            storage_works=True,
            clocks_run=True,
            thinks_quickly=quickly,
        )
        assert status_text(shown, words).splitlines()[-1] == words(key)


async def test_it_tells_nothing_of_other_servers(club: Club) -> None:
    other = club.elsewhere("Elsewhere")
    await other.slash("bob", "ofc play")
    await club.settle()
    other.forbid("send_messages")
    words = club.words("alice")
    answer = await club.slash("alice", "setup", topic="status")
    assert words("status.tables", count=0) in answer.text
    assert "Elsewhere" not in answer.text
    assert words("status.tables", count=1) in (await other.slash("alice", "setup", topic="status")).text


async def test_a_full_disk_is_told_and_so_is_that_clocks_stand_still(club: Club) -> None:
    words = club.words("alice")
    await club.open_table("alice", "bob")
    panel = await club.place("bob", await club.open_panel("bob"), "BBBBB")
    club.troubles.append(sqlite3.SQLITE_FULL)
    club.forgiven += ["storage trouble", "the turn clock failed"]
    await forge(club, "bob", panel, panel.find("confirm")["custom_id"])
    answer = await club.slash("alice", "setup", topic="status")
    assert words("status.storage_trouble") in answer.text
    assert words("status.clocks_stand") in answer.text
    club.troubles.clear()
    await club.pass_time(15)
    answer = await club.slash("alice", "setup", topic="status")
    assert words("status.storage_ok") in answer.text
    assert words("status.clocks_run") in answer.text


@pytest.mark.parametrize("count", [1, 2])
async def test_messages_that_are_behind_are_counted(club: Club, count: int) -> None:
    words = club.words("alice")
    for _ in range(count):
        await club.slash("alice", "ofc play")
    await club.settle()
    query = "UPDATE game_table SET version = version + 1"
    await club.disk.write(lambda connection: connection.execute(query).rowcount)
    answer = await club.slash("alice", "setup", topic="status")
    assert words("status.messages_behind", count=count) in answer.text
