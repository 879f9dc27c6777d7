"""The table of who can do what, in both languages, against the code that asks: each power is tried at each row."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

import discord
import pytest

from bot.event.structure import PRESETS
from bot.installation import HOME
from bot.model.clock import Clock, Pace
from bot.model.events import Event
from bot.model.ids import Player
from bot.ofc.presets import PINEAPPLE
from bot.ofc.refusals import Refused
from bot.play.event.organiser import Official, check_organiser
from bot.play.event.registration import Plan
from bot.play.event.vouching import check_promises, check_repeats
from bot.ui.given_roles import could_give
from tests.discord.club import Club
from tests.discord.test_event_form import guild_of

PAGES = ("servers.md", "servers.ja.md")
ROWS = (
    "play",
    "open",
    "create",
    "run",
    "enter",
    "read the log",
    "repeat",
    "add chips",
    "give roles",
    "hand over",
    "remove",
    "manage",
)
"""The rows of the table, from above."""
POWERS = {
    "server": ("*Manage Server*", "「サーバー管理」"),
    "events": ("*Manage Events*", "「イベントの管理」"),
    "roles": ("*Manage Roles*", "「ロールの管理」"),
    "chosen": ("a role", "選んだロール"),
    "organiser": ("Its organiser", "公開した人"),
    "helper": ("co-organisers", "共同主催者"),
    "host": ("The table's host", "卓のホスト"),
}
"""How a cell names each power."""
OF_DISCORD = {"server": "manage_guild", "events": "manage_events", "roles": "manage_roles"}


def cells(page: str) -> dict[str, str]:
    """Who, of each row of the table of who can do what."""
    text = (HOME / "docs" / page).read_text(encoding="utf-8")
    (table,) = re.findall(r"^## (?:Who can do what|誰が何をできるか)\n\n.*\n.*\n((?:\|.*\n)+)", text, re.MULTILINE)
    rows = [row.split("|")[2] for row in table.splitlines()]
    assert len(rows) == len(ROWS)
    return dict(zip(ROWS, rows, strict=True))


def passes(check: Callable[[], None]) -> bool:
    """True where a check refuses nothing."""
    try:
        check()
    except Refused:
        return False
    return True


async def works(act: Awaitable[object]) -> bool:
    """True where an act is not refused."""
    try:
        await act
    except Refused:
        return False
    return True


async def event_by(club: Club, player: Player) -> Event:
    """An event that somebody has announced, when they had the power."""
    plan = Plan(
        guild=guild_of(club),
        channel=club.channel.id,
        organiser=player,
        language="en",
        name="Night",
        variant=PINEAPPLE,
        structure=PRESETS["sit_and_go"],
        clock=Clock(pace=Pace.PER_TURN, seconds=60),
        starts_at=None,
    )
    return await club.bot.services.events.create(plan, cause=f"created by {player}")


async def tried(club: Club, power: str) -> dict[str, bool]:
    """What Bob may do, who has this one power and no other."""
    guild, bob, services = guild_of(club), club.player("bob"), club.bot.services
    wanted = {OF_DISCORD[power]: True} if power in OF_DISCORD else {}
    given = club.guild.create_role("Power", permissions=discord.Permissions(**wanted))
    club.backend.add_member_role(club.guild.id, club.members["bob"].id, given.id)
    prize = club.guild.create_role("Prize")
    hosts = given if power == "chosen" else club.guild.create_role("Hosts")
    await club.open_table("bob" if power == "host" else "alice", "hanako", "bob" if power != "host" else "alice")
    await club.play.choose_for_server(guild, partial(replace, host_role=hosts.id, organiser_role=hosts.id))
    asked = await club.slash("bob", "event create")
    theirs, other = await event_by(club, bob), await event_by(club, Player("99"))
    # Discord is asked who Bob is now.
    authority = await services.event_publisher._vouched(await services.events.look(theirs.key))  # noqa: SLF001
    if power == "helper":
        await services.events.co_organiser(other.key, Official(player=Player("99")), bob, remove=False, cause="helps")
    of = theirs if power == "organiser" else (await services.events.look(other.key)).event
    server = club.bot.get_guild(club.guild.id)
    assert server is not None
    member, role = await server.fetch_member(club.members["bob"].id), server.get_role(prize.id)
    assert role is not None
    rich = replace(PRESETS["sit_and_go"], added=1)
    hanako, manager = club.player("hanako"), authority.manager
    # Who is host no more is none for what follows, so players are removed first.
    removed = await works(services.seating.remove(club.key(), bob, hanako, manager=manager, cause="removes"))
    handed = await works(services.seating.hand_over(club.key(), bob, club.player("alice"), cause="hands over"))
    may = {
        "run": passes(lambda: check_organiser(of, Official(player=bob, manager=manager))),
        "repeat": passes(lambda: check_repeats(PRESETS["sit_and_go"], authority)),
        "add chips": passes(lambda: check_promises(rich, authority)),
        "give roles": could_give(member, role),
        "create": asked.has("ev_form_publish"),
        "read the log": await works(services.events.log(of.key, Official(player=bob, manager=manager))),
        "remove": removed,
        "hand over": handed,
    }
    before = len(await club.play.open_tables(guild))
    await club.slash("bob", "ofc play")
    return may | {"open": len(await club.play.open_tables(guild)) > before}


@pytest.mark.parametrize("power", [*POWERS, "none"])
async def test_each_power_opens_what_the_pages_say_and_nothing_else(club: Club, power: str) -> None:
    may = await tried(club, power)
    assert may.pop("repeat") == may["create"], "the row says: those who could publish it"
    for number, page in enumerate(PAGES):
        who = cells(page)
        told = {row: power != "none" and POWERS[power][number] in who[row] for row in may}
        if power in ("organiser", "helper"):
            told["read the log"] = ("organisers", "主催者")[number] in who["read the log"]
        if power == "server":
            told["give roles"] = False  # Named there as what is needed besides.
        assert told == may, page
