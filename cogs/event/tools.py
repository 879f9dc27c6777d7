"""Handlers of desk buttons from earlier versions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.chat.event.acts.organisers import BY_NAME
from bot.chat.event.screens.draft.event_choices import ONCE, REPEATS
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.reply import Reply
from cogs.event.acts import OrganisersActs
from cogs.event.desk import OrganisersDesk
from cogs.event.which_event import event_of


class OrganisersTools:
    """Handlers of desk buttons from earlier versions, and of buttons that aren't actions."""

    def __init__(self, acts: OrganisersActs, desk: OrganisersDesk) -> None:
        self._acts = acts
        self.never_minded: Callable[[Reply], None] = lambda reply: None
        """Called with the reply when a member answers no to a question."""
        desk.route("ev_keep", self._never_mind)
        desk.route("ev_repeat", self._repeat)

    async def _never_mind(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        self.never_minded(reply)
        return reply.words("event.ask.kept")

    async def _repeat(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        """Set the repeat interval chosen with a button of an earlier version."""
        key, every = event_of(reply, press), press.argument
        return await self._acts.do(BY_NAME["repeat"], reply, key, choice=every if every in REPEATS else ONCE)
