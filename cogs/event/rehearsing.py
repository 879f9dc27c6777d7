"""Rehearsals: an event is simulated immediately, and only the organiser sees the messages that it would post."""

from __future__ import annotations

from collections.abc import Sequence

from bot.chat.event.screens.draft.form import form_screen
from bot.chat.event.screens.draft.rehearsal import going_on_screen, rehearsal_screen
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.chat.services import Services
from bot.model.ids import EventKey
from bot.model.reasons import EventReason
from bot.play.event.office.registration import PlannedEvent
from bot.play.event.trials.forecast import default_players
from bot.play.event.trials.rehearsal import max_rehearsed
from bot.pure.ofc.refusals import Refused
from cogs.event.creation import EventCreation
from cogs.event.which_event import EventAccess, official

WITH = "with"
"""The argument of the menu for the number of players."""


class RehearsalPages:
    """The rehearsal button on a draft's page, and the pages of the result."""

    def __init__(self, services: Services, which: EventAccess, creation: EventCreation) -> None:
        self._services = services
        self._events = services.events
        self._which = which
        self._creation = creation
        services.gate.route("ev_rehearse", self.pressed)

    async def pressed(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Rehearse in a new message if the draft's button was pressed, or turn the pages of a rehearsal."""
        chosen = values[0] if press.argument == WITH and values else press.argument
        people = int(chosen) if chosen.isdecimal() else 0
        if press.argument:
            await self.show(reply, press.table, people, page=press.hand)
        else:
            await in_a_new_message(self._first)(reply, press, values)

    async def _first(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        await self.show(reply, press.table, 0, page=0)

    async def show(self, reply: Reply, number: int, people: int, *, page: int) -> None:
        """Simulate an event with ``people`` players and show one page of its posts.

        If ``number`` is 0, it's the draft. If ``people`` is 0, it's the default number of players.
        """
        found = await self._planned(reply, number)
        if found is None:
            return
        number, plan, usual = found
        people = people or min(usual, max_rehearsed(plan.structure))
        if not page:
            await reply.show(going_on_screen(plan.name, people, reply.words))
        played = await self._events.rehearse(plan, people=people)
        await reply.show(rehearsal_screen(played, number, page, reply.words))

    async def _planned(self, reply: Reply, number: int) -> tuple[int, PlannedEvent, int] | None:
        """Return the event's number (0 for a draft), its plan, and its default number of players.

        None if a reply has already been sent, because the member may not organise or the draft is incomplete.
        """
        if number:
            return await self._announced(reply, number)
        draft = await self._creation.drafts.read(reply)
        if draft.view is not None:
            return await self._announced(reply, draft.view.event.key.number)
        if not await self._which.may_announce(reply):
            return None
        page = await self._creation.page(reply, draft)
        if not page.possible:
            await reply.show(form_screen(page, reply.words))
            return None
        return 0, await self._creation.plan(reply, draft.choices), default_players(draft.choices.structure)

    async def _announced(self, reply: Reply, number: int) -> tuple[int, PlannedEvent, int]:
        key = EventKey(guild=reply.guild, number=number)
        await self._which.require_visible(reply, key)
        view = await self._events.look(key)
        event = view.event
        await self._events.require_organiser(key, official(reply))
        if not event.phase.before:
            raise Refused(EventReason.EVENT_OVER if event.phase.over else EventReason.EVENT_RUNS)
        plan = PlannedEvent(
            guild=event.key.guild,
            channel=event.channel,
            organiser=event.organiser,
            language=event.language,
            name=event.name,
            variant=event.variant,
            structure=event.structure,
            clock=event.clock,
            starts_at=event.starts_at,
            series=event.series,
            description=event.description,
        )
        usual = default_players(event.structure)
        return number, plan, max(usual, len(view.lines))
