"""Setup of ``/event``, which every member can use."""

from __future__ import annotations

from bot.chat.client import Client
from bot.chat.services import Services
from cogs.event.acts import OrganisersActs
from cogs.event.creation import EventCreation
from cogs.event.desk import ExposedDesks, OrganisersDesk
from cogs.event.event_command import event_command
from cogs.event.rehearsing import RehearsalPages
from cogs.event.seeds import OrganisersSeeds
from cogs.event.start_poll import StartPolls
from cogs.event.taking_part import EventParticipation
from cogs.event.tools import OrganisersTools
from cogs.event.typed_acts import EventParts
from cogs.event.which_event import EventAccess


def event_parts(services: Services) -> EventParts:
    """Create the handlers of event actions and route all their buttons."""
    which = EventAccess(services)
    acts = OrganisersActs(services)
    desk = OrganisersDesk(services, acts)
    OrganisersSeeds(services, desk)
    creation = EventCreation(services, which)
    return EventParts(
        services=services,
        tools=OrganisersTools(acts, desk),
        taking_part=EventParticipation(services, which, desk.open),
        creation=creation,
        poll=StartPolls(services, which, creation),
        rehearsing=RehearsalPages(services, which, creation),
        desk=desk,
        acts=acts,
    )


async def setup(bot: Client) -> None:
    """Register the command."""
    bot.tree.add_command(event_command(bot.services, event_parts(bot.services)))
    await bot.add_cog(ExposedDesks(bot.services))
