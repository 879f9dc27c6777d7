"""Roles given by the bot: none that opens a channel or gives power, and none beyond its giver's own rights."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

import discord
import pytest
from simcord import RoleHandle
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.model.choices import ServerSettings
from bot.model.events import Official, Phase
from bot.model.hands import Result
from bot.model.ids import EventKey, GuildId, Player
from bot.play.session.session import Session
from tests.backstage import transactions_of
from tests.discord.club import Club, Screen, sit_and_go_of_two
from tests.discord.forms import enter, enter_in_setup, settings_page
from tests.discord.test_event_form import page, promise

MEMBERS_POWERS = discord.Permissions(view_channel=True)


def hide(club: Club, *roles: RoleHandle) -> None:
    """Hide a channel from everyone without one of these roles."""
    room = club.guild.create_text_channel("vault")
    everyone = Overwrite(target_id=club.guild.id, type=OverwriteType.ROLE, allow=0, deny=MEMBERS_POWERS.value)
    club.backend.set_overwrite(room.id, everyone)
    for role in roles:
        opened = Overwrite(target_id=role.id, type=OverwriteType.ROLE, allow=MEMBERS_POWERS.value, deny=0)
        club.backend.set_overwrite(room.id, opened)


def empower(club: Club, name: str, **powers: bool) -> None:
    """Give a member these permissions, by a role below all later ones."""
    role = club.guild.create_role("Powers", permissions=discord.Permissions(**powers))
    club.backend.add_member_role(club.guild.id, club.members[name].id, role.id)


def has(club: Club, name: str, role: RoleHandle) -> bool:
    """True if a member has a role."""
    return role.id in club.backend.get_member(club.guild.id, club.members[name].id).role_ids


async def choose_told(club: Club, name: str, role: RoleHandle) -> Screen:
    """Choose the role to ping for new tables."""
    return await enter_in_setup(club, name, "told role", [role])


async def put_out(club: Club, key: EventKey, name: str) -> None:
    """Eliminate a player from an event of two, which ends it."""
    events, manager = club.bot.services.events, Official(player=Player("99"), manager=True)
    await events.disqualify(key, manager, club.player(name), why="no show", cause="puts out")
    await club.pass_time(30)
    await club.bot.services.event_publisher.drawn()
    await club.settle()
    assert (await events.look(key)).event.phase is Phase.ENDED


async def win(club: Club, winner: str, loser: str) -> None:
    """Let a member win chips from another in the current season."""

    def won(s: Session) -> None:
        results = [
            Result(player=club.player(name), points=chips, chips=chips, fantasyland=0, foul=False, ranked=True)
            for name, chips in ((winner, 6), (loser, -6))
        ]
        s.tx.results.add(club.key(), 1, results, at=s.now, season=1)

    await transactions_of(club.play).write(won)


async def server(club: Club) -> ServerSettings:
    """Return the server's settings."""
    return await club.play.server(GuildId(club.guild.id))


# the role to ping for new tables


@pytest.mark.parametrize("channel_power", [False, True])
async def test_who_only_manages_the_server_gives_nobody_a_role(club: Club, channel_power: bool) -> None:
    empower(club, "bob", manage_guild=True)
    role = club.guild.create_role("Inner circle")
    if channel_power:
        # In a channel the same bit is *Manage Permissions*, and gives no roles.
        bit = discord.Permissions(manage_roles=True).value
        own = Overwrite(target_id=club.members["bob"].id, type=OverwriteType.MEMBER, allow=bit, deny=0)
        club.backend.set_overwrite(club.channel.id, own)
    shown = await choose_told(club, "bob", role)
    assert club.words("bob")("setup.told_role_not_yours", role=role.mention) in shown.text
    assert (await server(club)).told_role is None
    assert not (await settings_page(club, "bob", "news")).has("news")
    assert (await choose_told(club, "alice", role)).has("su_roles")
    assert (await server(club)).told_role == role.id, "the owner could give it"
    assert (await settings_page(club, "bob", "news")).has("news")


async def test_who_gives_roles_chooses_none_above_their_own(club: Club) -> None:
    empower(club, "bob", manage_guild=True, manage_roles=True)
    above = club.guild.create_role("Above", position=9)
    shown = await choose_told(club, "bob", above)
    assert club.words("bob")("setup.told_role_not_yours", role=above.mention) in shown.text
    assert (await server(club)).told_role is None


async def _hosting(club: Club, role: RoleHandle) -> None:
    await club.play.choose_for_server(club.key().guild, partial(replace, host_role=role.id))


async def _organising(club: Club, role: RoleHandle) -> None:
    await club.play.choose_for_server(club.key().guild, partial(replace, organiser_role=role.id))


async def _opening(club: Club, role: RoleHandle) -> None:
    hide(club, role)


BECOMES = pytest.mark.parametrize("becomes", [_opening, _hosting, _organising], ids=["opens", "hosts", "organises"])


@BECOMES
async def test_a_role_that_became_more_than_a_name_is_not_given_any_more(
    club: Club, becomes: Callable[[Club, RoleHandle], Awaitable[None]]
) -> None:
    role = club.guild.create_role("Players", mentionable=True)
    await choose_told(club, "alice", role)
    settings = await settings_page(club, "bob", "news")
    press = settings.find("news")
    await becomes(club, role)
    await club.press("bob", settings, press)
    assert not has(club, "bob", role), "the button of an old message gives nothing"
    assert not (await settings_page(club, "bob", "news")).has("news")
    shown = await club.slash("alice", "setup")
    assert club.words("alice")("setup.told_role_kept", role=role.mention) in shown.text
    assert (await server(club)).told_role == role.id, "it may still be pinged"


@pytest.mark.parametrize("power", ["manage_guild", "manage_roles"])
async def test_members_take_a_role_while_whoever_chose_it_could_choose_it(club: Club, power: str) -> None:
    powers = {"manage_guild": True, "manage_roles": True}
    above = club.guild.create_role("Above", position=2, permissions=discord.Permissions(**powers))
    role = club.guild.create_role("Players", mentionable=True)
    club.backend.add_member_role(club.guild.id, club.members["bob"].id, above.id)
    await choose_told(club, "bob", role)
    settings = await settings_page(club, "hanako", "news")
    left = discord.Permissions(**{**powers, power: False})
    club.backend.edit_role(club.guild.id, above.id, {"permissions": str(left.value)})
    await club.press("hanako", settings, settings.find("news"))
    assert not has(club, "hanako", role)
    assert not (await settings_page(club, "hanako", "news")).has("news")
    shown = await club.slash("alice", "setup")
    assert club.words("alice")("setup.told_role_kept", role=role.mention) in shown.text
    await choose_told(club, "alice", club.guild.create_role("Other"))
    await choose_told(club, "alice", role)
    settings = await settings_page(club, "hanako", "news")
    await club.press("hanako", settings, settings.find("news"))
    assert has(club, "hanako", role), "another manager has chosen it again"


async def test_a_role_that_opens_no_channel_is_given_though_others_do(club: Club) -> None:
    other, role = club.guild.create_role("Inner circle"), club.guild.create_role("Players")
    hide(club, other)
    shown = await choose_told(club, "alice", role)
    assert club.words("alice")("setup.told_role_kept", role=role.mention) not in shown.text
    settings = await settings_page(club, "bob", "news")
    await club.press("bob", settings, settings.find("news"))
    assert has(club, "bob", role)


# prizes


@BECOMES
async def test_a_prize_that_became_more_than_a_name_is_neither_promised_nor_given(
    club: Club, becomes: Callable[[Club, RoleHandle], Awaitable[None]]
) -> None:
    role, other = club.guild.create_role("Champion"), club.guild.create_role("Winner")
    event = await sit_and_go_of_two(club, "Night", "alice", "bob", roles=(role.id,))
    shown = await page(club, name="Night", when="in 2 hours")
    await becomes(club, role)
    shown = await promise(club, shown, 1, role)
    said = "role_opens" if becomes is _opening else "role_office"
    assert club.words("alice")(f"event_form.{said}") in shown.text
    assert role.mention not in shown.text
    assert other.mention in (await promise(club, shown, 1, other)).text
    await put_out(club, event.key, "bob")
    assert not any(has(club, name, role) for name in ("alice", "bob"))


async def test_a_prize_that_is_only_a_name_is_given(club: Club) -> None:
    role = club.guild.create_role("Champion")
    event = await sit_and_go_of_two(club, "Night", "alice", "bob", roles=(role.id,))
    await put_out(club, event.key, "bob")
    assert (has(club, "alice", role), has(club, "bob", role)) == (True, False)


# champions of a season


@BECOMES
async def test_champions_get_no_role_that_is_more_than_a_name(
    club: Club, becomes: Callable[[Club, RoleHandle], Awaitable[None]]
) -> None:
    words, role = club.words("alice"), club.guild.create_role("Champion")
    await becomes(club, role)
    shown = await club.slash("alice", "setup", topic="seasons")
    shown = await enter(club, "alice", shown, "champion role", [role])
    said = "opens" if becomes is _opening else "office"
    assert words(f"given_role.{said}", role=role.mention) in shown.text
    assert (await club.bot.services.bank.seasons(club.key().guild)).terms.role is None


@pytest.mark.parametrize("power", ["manage_guild", "manage_roles"])
@pytest.mark.parametrize("loses", [False, True], ids=["keeps", "loses"])
async def test_champions_get_a_role_while_whoever_chose_it_could_choose_it(club: Club, power: str, loses: bool) -> None:
    bank, guild = club.bot.services.bank, club.key().guild
    role, powers = club.guild.create_role("Champion"), {"manage_guild": True, "manage_roles": True}
    above = club.guild.create_role("Above", position=2, permissions=discord.Permissions(**powers))
    club.backend.add_member_role(club.guild.id, club.members["bob"].id, above.id)
    shown = await club.slash("bob", "setup", topic="seasons")
    await enter(club, "bob", shown, "champion role", [role])
    assert (await bank.seasons(guild)).terms.role_by == club.player("bob")
    await bank.start_season(guild, club.player("bob"), "", cause="starts")
    await win(club, "hanako", "alice")
    await bank.end_season(guild, club.player("bob"), cause="ends")
    if loses:
        left = discord.Permissions(**{**powers, power: False})
        club.backend.edit_role(club.guild.id, above.id, {"permissions": str(left.value)})
    await club.bot.services.season_ends.sweep()
    await club.bot.services.season_ends.done()
    assert has(club, "hanako", role) is not loses
    missed = club.words("alice")("season.role_missed", season="Season 1", role=role.mention)
    assert (missed in (await club.slash("alice", "setup", topic="seasons")).text) is loses


async def test_a_role_of_moderators_is_an_office(club: Club) -> None:
    words, role = (
        club.words("alice"),
        club.guild.create_role("Mods", permissions=discord.Permissions(mute_members=True)),
    )
    shown = await club.slash("alice", "setup", topic="seasons")
    shown = await enter(club, "alice", shown, "champion role", [role])
    assert words("given_role.office", role=role.mention) in shown.text
