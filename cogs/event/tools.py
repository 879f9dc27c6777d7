"""The commands of organisers."""

from __future__ import annotations

from collections.abc import Sequence

from bot.chat.event.acts.organisers import BY_NAME
from bot.chat.event.screens.draft.sheet import ONCE, REPEATS
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.reply import Reply
from bot.chat.services import Services
from cogs.event.acts import OrganisersActs
from cogs.event.desk import OrganisersDesk
from cogs.event.which_event import Subcommand, event_of

ORDER = (
    *("cancel", "start", "pause", "resume", "message", "postpone", "repeat", "penalty", "disqualify", "unregister"),
    *("adjust", "move", "co-organiser"),
)
"""The commands as Discord shows them."""


class OrganisersTools:
    """The commands of ``/event-admin``: those of the table of acts."""

    def __init__(self, services: Services, acts: OrganisersActs, desk: OrganisersDesk) -> None:
        self._services = services
        self._acts = acts
        desk.route("ev_keep", self._never_mind)
        desk.route("ev_repeat", self._repeat)

    def commands(self) -> list[Subcommand]:
        """The commands, in the order of Discord's list."""
        return sorted(self._acts.commands(), key=lambda command: ORDER.index(command.name))

    async def _never_mind(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        return reply.words("event.ask.kept")

    async def _repeat(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        """A button of an earlier version says how often."""
        key, every = event_of(reply, press), press.argument
        return await self._acts.do(BY_NAME["repeat"], reply, key, choice=every if every in REPEATS else ONCE)
