"""The end of a season on the wire: one post with a picture, and a role that goes from one champion to the next."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import chain, count, repeat
from pathlib import Path

import discord
import pytest

from bot.chat.clockwork import SWEEP_EVERY
from bot.chat.club.screens.leaderboard import SEASON_PICTURE
from bot.model.hands import Result
from bot.model.ids import GuildId, Player, TableId, TableKey
from bot.model.standings import Season
from bot.play.session.session import Session
from tests.backstage import transactions_of
from tests.standin.rest import MISSING_PERMISSIONS, Fault, Request
from tests.standin.things import FREE_ROLE, Message, User
from tests.standin.wired_bot import WiredBot, make_bot

MANAGER = Player("1")
ROLE = FREE_ROLE
TITLE = "King of the North"
PRESSES = count()


async def a_season(
    wired: WiredBot, winner: User, loser: User, *, chosen_by: int = 0, mark_posted: bool = True
) -> Season:
    """Play a season with a winner; returns it after its announcement, or at its end.

    The server's owner has chosen the role, unless ``chosen_by`` names another user.
    """
    bank, guild = wired.bot.services.bank, GuildId(wired.channel.guild.id)
    by = Player(str(wired.user(chosen_by).id))
    await bank.change_seasons(
        guild,
        MANAGER,
        lambda terms: replace(terms, role=ROLE, role_by=by, channel=wired.channel.id, title=TITLE),
        cause=str(next(PRESSES)),
    )
    begun = await bank.start_season(guild, MANAGER, "", cause=str(next(PRESSES)))
    assert begun.running is not None
    number = begun.running.number

    def win(s: Session) -> None:
        results = [
            Result(player=Player(str(user.id)), points=points, chips=points, fantasyland=0, foul=False, ranked=True)
            for user, points in ((winner, 6), (loser, -6))
        ]
        key = TableKey(guild=guild, table=TableId(1))
        s.tx.results.add(key, number, results, at=s.now, season=number)

    await transactions_of(wired.bot.services.play).write(win)
    await bank.end_season(guild, MANAGER, cause=str(next(PRESSES)))
    if mark_posted:
        await asyncio.sleep(SWEEP_EVERY + 2)
        await wired.bot.services.season_ends.done()
    last = (await bank.seasons(guild)).last
    assert last is not None
    return last


def let_the_bot(wired: WiredBot, *permissions: str) -> None:
    """Give the bot's role these permissions in addition to everyone's."""
    guild = wired.channel.guild
    guild.bot_permissions = discord.Permissions(**dict.fromkeys(permissions, True)).value
    wired.discord.feed("GUILD_CREATE", guild.payload)


def champions(wired: WiredBot) -> list[int]:
    """Return the users with the role."""
    return [user for user, roles in wired.channel.guild.roles.items() if ROLE in roles]


def posts(wired: WiredBot) -> list[Message]:
    return [message for message in wired.channel.public() if TITLE in message.text]


def asked(wired: WiredBot, kind: str) -> list[str]:
    return [request.method for request in wired.discord.requests if request.kind == kind]


async def test_the_end_is_posted_once_with_a_picture_and_the_role_goes_on(wired: WiredBot) -> None:
    let_the_bot(wired, "manage_roles", "attach_files")
    ann, bob = wired.user(1), wired.user(2)
    season = await a_season(wired, ann, bob)
    (post,) = posts(wired)
    assert f"attachment://{SEASON_PICTURE}" in post.body
    assert champions(wired) == [ann.id]
    assert (season.told, season.role_missed, season.post_missed) == (True, False, False)
    await asyncio.sleep(2 * SWEEP_EVERY)
    assert (posts(wired), asked(wired, "role")) == ([post], ["PUT"])
    await a_season(wired, bob, ann)
    assert champions(wired) == [bob.id]
    assert asked(wired, "role") == ["PUT", "DELETE", "PUT"]
    await a_season(wired, bob, ann)
    assert champions(wired) == [bob.id]
    assert asked(wired, "role")[3:] == ["PUT"]


async def test_what_discord_refuses_stops_nothing_and_is_noted(wired: WiredBot) -> None:
    let_the_bot(wired, "manage_roles", "attach_files")

    def refused(request: Request) -> Fault | None:
        return Fault(status=403, code=MISSING_PERMISSIONS) if request.kind in ("role", "send") else None

    wired.discord.hook = refused
    season = await a_season(wired, wired.user(1), wired.user(2))
    assert (season.told, season.role_missed, season.post_missed) == (True, True, True)
    assert asked(wired, "role") == ["PUT"]


async def test_discord_is_not_asked_for_what_the_bot_is_known_not_to_be_allowed(wired: WiredBot) -> None:
    let_the_bot(wired)
    season = await a_season(wired, wired.user(1), wired.user(2))
    assert (season.role_missed, season.post_missed) == (True, False)
    assert asked(wired, "role") == []
    (post,) = posts(wired)
    assert SEASON_PICTURE not in post.body
    assert f"<@{wired.user(1).id}>" in post.text


async def test_a_role_is_not_given_for_somebody_who_could_not_give_it(wired: WiredBot) -> None:
    let_the_bot(wired, "manage_roles", "attach_files")
    season = await a_season(wired, wired.user(1), wired.user(2), chosen_by=3)
    assert (season.told, season.role_missed, season.post_missed) == (True, True, False)
    assert asked(wired, "role") == []
    season = await a_season(wired, wired.user(1), wired.user(2))
    assert (season.role_missed, champions(wired)) == (False, [wired.user(1).id])


async def test_who_hides_gets_the_role_and_is_named_nowhere_and_nobody_is_called(wired: WiredBot) -> None:
    let_the_bot(wired, "manage_roles")
    guild, ann, bob = GuildId(wired.channel.guild.id), wired.user(1), wired.user(2)
    for hides, named in (((ann,), (bob,)), ((ann, bob), ())):
        for user in hides:
            player = Player(str(user.id))
            await wired.bot.services.play.change_member_settings(
                guild, player, lambda member_settings: replace(member_settings, profile_visible=False)
            )
        await a_season(wired, ann, bob)
        post = max((one for one in wired.channel.public() if ":ranks:" in one.body), key=lambda one: one.id)
        assert [user for user in (ann, bob) if str(user.id) in post.text] == [*named]
        assert TITLE not in post.text, "the champion hides"
        assert champions(wired) == [ann.id]
    assert not [request for request in wired.discord.requests if request.notified]


@pytest.mark.parametrize("reads_history", [True, False])
async def test_an_end_that_a_killed_process_has_posted_and_not_noted_stands_once_long_after(
    wired: WiredBot, tmp_path: Path, reads_history: bool
) -> None:
    let_the_bot(wired, *(["read_message_history"] if reads_history else []))
    lost = chain([Fault(error=TimeoutError(), done=True)], repeat(Fault(error=TimeoutError())))

    def hook(request: Request) -> Fault | None:
        """Discord has the post, and answers nothing any more from then on."""
        return next(lost) if posts(wired) or (request.kind == "send" and TITLE in request.body) else None

    wired.discord.hook = hook
    season = await a_season(wired, wired.user(1), wired.user(2))
    assert not season.told
    (posted,) = posts(wired)
    await wired.discord.stop()
    wired.discord.hook = None
    await asyncio.sleep(3600)
    wired.bot = await make_bot(wired.discord, tmp_path)
    await wired.discord.start(wired.bot)
    await asyncio.sleep(SWEEP_EVERY + 2)
    await wired.bot.services.season_ends.done()
    assert [one.id for one in posts(wired)] == [posted.id]
    last = (await wired.bot.services.bank.seasons(GuildId(wired.channel.guild.id))).last
    assert last is not None
    assert (last.told, last.post_missed) == (True, False)


@pytest.mark.parametrize("reads_history", [True, False])
async def test_an_end_of_which_a_bot_that_stopped_has_told_nothing_is_told_by_the_one_that_comes_back(
    wired: WiredBot, tmp_path: Path, reads_history: bool
) -> None:
    let_the_bot(wired, *(["read_message_history"] if reads_history else []))
    season = await a_season(wired, wired.user(1), wired.user(2), mark_posted=False)
    assert (season.told, posts(wired)) == (False, [])
    wired.discord.hook = lambda request: Fault(error=TimeoutError())
    await wired.discord.stop()
    wired.discord.hook = None
    await asyncio.sleep(600)
    wired.bot = await make_bot(wired.discord, tmp_path)
    await wired.discord.start(wired.bot)
    await asyncio.sleep(3 * SWEEP_EVERY)
    await wired.bot.services.season_ends.done()
    (post,) = posts(wired)
    assert f"<@{wired.user(1).id}>" in post.text
