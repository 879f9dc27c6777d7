"""``/event``: one group, whose commands stand in rooms of their own."""

from __future__ import annotations

from discord import app_commands

from bot.live.client import Client
from bot.live.services import Services
from bot.ui.command_words import described
from cogs.event.creation import EventCreation
from cogs.event.taking_part import TakingPart
from cogs.event.tools import OrganisersTools
from cogs.event.which_event import WhichEvent


def event_group(services: Services) -> app_commands.Group:
    """The organiser's tools, the page on which an event is prepared, and taking part in events."""
    which = WhichEvent(services)
    group = app_commands.guild_only(app_commands.Group(name="event", description=described("event")))
    # Discord shows subcommands in the order in which they were added.
    for room in (OrganisersTools(services, which), EventCreation(services), TakingPart(services, which)):
        for command in room.commands():
            group.add_command(command)
    return group


async def setup(bot: Client) -> None:
    """Load the commands."""
    bot.tree.add_command(event_group(bot.services))
