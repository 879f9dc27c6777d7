"""``/event`` for everybody and ``/event-admin`` for organisers: groups whose commands stand in rooms of their own."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.chat.client import Client
from bot.chat.kit.command_words import described
from bot.chat.services import Services
from cogs.event.acts import OrganisersActs
from cogs.event.creation import EventCreation
from cogs.event.desk import OpenedChannels, OrganisersDesk
from cogs.event.event_command import event_command
from cogs.event.rehearsing import Rehearsing
from cogs.event.seeds import OrganisersSeeds
from cogs.event.start_poll import StartPollCommand
from cogs.event.taking_part import TakingPart
from cogs.event.tools import OrganisersTools
from cogs.event.typed_acts import EventParts
from cogs.event.which_event import WhichEvent

ORGANISERS = discord.Permissions(manage_events=True)
"""Who is shown the organisers' commands, until a server says otherwise in its settings."""


def event_groups(services: Services) -> tuple[app_commands.Group | app_commands.Command[Any, ..., Any], ...]:
    """Taking part in events with the page on which one is prepared, and the organiser's tools.

    Subcommands cannot be hidden one by one: what few may use is a group of its own.
    """
    which = WhichEvent(services)
    everybody = app_commands.guild_only(app_commands.Group(name="event", description=described("event")))
    organisers = app_commands.guild_only(
        app_commands.Group(name="event-admin", description=described("event_admin"), default_permissions=ORGANISERS)
    )
    acts = OrganisersActs(services, which)
    desk = OrganisersDesk(services, which, acts)
    tools = OrganisersTools(services, acts, desk)
    OrganisersSeeds(services, desk)
    # Discord shows subcommands in the order in which they were added.
    taking_part, creation = TakingPart(services, which), EventCreation(services, which)
    poll = StartPollCommand(services, which, creation)
    for command in (*taking_part.commands(), *creation.commands(), poll.command()):
        everybody.add_command(command)
    rehearsing = Rehearsing(services, which, creation)
    commands = (
        desk.command(),
        *tools.commands(),
        *creation.organisers_commands(),
        *rehearsing.organisers_commands(),
    )
    for command in commands:
        organisers.add_command(command)
    parts = EventParts(
        services=services,
        taking_part=taking_part,
        creation=creation,
        poll=poll,
        rehearsing=rehearsing,
        desk=desk,
        acts=acts,
    )
    return everybody, organisers, event_command(services, parts)


async def setup(bot: Client) -> None:
    """Load the commands."""
    for group in event_groups(bot.services):
        bot.tree.add_command(group)
    await bot.add_cog(OpenedChannels(bot.services))
