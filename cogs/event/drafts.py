"""Drafts of events, loaded for each press and saved again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.chat.event.screens.draft.event_choices import (
    EventChoices,
    chosen_value,
    fitted,
    sheet_from,
    with_channels,
    with_choice,
    with_game,
    with_hour,
    with_preset,
    with_role,
    with_rule,
)
from bot.chat.event.screens.draft.form import MOST_CHANNELS, is_chosen
from bot.chat.event.screens.draft.plan import changing_sheet, copied, open_fields, put_aside, starting_at, without_late
from bot.chat.kit.game_choice import find_game
from bot.chat.kit.given_roles import role_problem
from bot.chat.kit.permissions_here import chosen_channels
from bot.chat.kit.presses import ids_of, picked
from bot.chat.kit.reply import Reply
from bot.chat.services import Services
from bot.model.ids import EventKey
from bot.play.event.office.views import EventView
from bot.pure.event.structure import PRESETS
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.variants import VariantError
from bot.text.hours import Doubt, read_hour
from bot.text.zones import zone_of
from cogs.event.which_event import EventAccess, spread


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenDraft:
    """A sheet, and the announced event that it changes; ``view`` is None for a new event."""

    sheet: EventChoices
    view: EventView | None = None
    late: Sequence[str] = ()
    """The fields whose changes were dropped because the event has started."""


class Drafts:
    """Loads and saves drafts. All values on the page survive its message."""

    def __init__(self, services: Services, which: EventAccess) -> None:
        self._services = services
        self._which = which
        self._events = services.events

    async def read(self, reply: Reply) -> OpenDraft:
        """Return the member's draft.

        It starts from scratch if it's outdated or damaged. If its event is over, the draft that was set aside returns.
        """
        kept = await self._events.draft(reply.guild, reply.player)
        sheet = (None if kept is None else sheet_from(kept.values)) or EventChoices()
        if not sheet.of:
            return OpenDraft(sheet=sheet)
        try:
            view = await self._events.look(event_of(reply, sheet))
        except Refused:
            return OpenDraft(sheet=put_aside(sheet) or EventChoices())
        if view.event.phase.over:
            return OpenDraft(sheet=put_aside(sheet) or EventChoices())
        sheet = replace(sheet, open=open_fields(view.event))
        sheet, late = without_late(sheet, zone=await self.zone(reply))
        return OpenDraft(sheet=sheet, view=view, late=late)

    async def turned_to(self, reply: Reply, view: EventView) -> OpenDraft:
        """Return a draft that changes an announced event. The current draft is set aside."""
        draft = await self.read(reply)
        if draft.sheet.of == view.event.key.number:
            return draft
        return OpenDraft(sheet=changing_sheet(view.event, zone=await self.zone(reply), aside=draft.sheet), view=view)

    async def copied(self, reply: Reply, number: int) -> EventChoices:
        """Return a sheet copied from the server's event ``number``; raises Refused if there is none."""
        key = EventKey(guild=reply.guild, number=number)
        await self._which.demand_seen(reply, key)
        found = await self._events.look(key)
        sheet = copied(found.event, zone=await self.zone(reply), now=self.now())
        return await self.as_its_series(reply, sheet)

    async def as_its_series(self, reply: Reply, sheet: EventChoices) -> EventChoices:
        """Return the sheet with its series' rule, which the newest event sets, if the series exists already."""
        rule = await self._events.series_rule(reply.guild, sheet.series) if sheet.series else None
        return sheet if rule is None else with_rule(sheet, rule)

    async def keep(self, reply: Reply, sheet: EventChoices) -> None:
        """Save the draft."""
        await self._events.save_draft(reply.guild, reply.player, sheet.to_json())

    async def forget(self, reply: Reply, sheet: EventChoices) -> None:
        """Delete the draft and restore the one that was set aside for it."""
        aside = put_aside(sheet)
        if aside is None:
            await self._events.forget_draft(reply.guild, reply.player)
        else:
            await self.keep(reply, aside)

    async def with_hour(self, reply: Reply, sheet: EventChoices, text: str) -> EventChoices:
        """Return the sheet with the start written in ``text``."""
        hour = read_hour(text, zone=await self.zone(reply), now_ms=self.now())
        return with_hour(sheet, text, hour)

    async def fitted(self, reply: Reply, sheet: EventChoices) -> EventChoices:
        """Return the sheet with a number of seats that its game allows."""
        try:
            return fitted(sheet, await find_game(self._services.play, reply.guild, sheet.game))
        except VariantError:
            return sheet

    async def with_chosen(
        self, reply: Reply, sheet: EventChoices, chosen: Mapping[str, str]
    ) -> tuple[EventChoices, dict[str, Any]]:
        """Return the sheet after choices in menus or a form, and the page's fields for refused ones.

        A value that isn't offered and a deleted game change nothing.
        """
        refused: dict[str, Any] = {}
        for name, value in chosen.items():
            if name == "channels":
                sheet, refused["refused_channels"] = self._with_channels(reply, sheet, value)
            elif name.startswith("role_"):
                sheet, problem = await self._with_role(reply, sheet, int(name[-1]), value)
                refused["refused_role"] = refused.get("refused_role") or problem
            elif value and is_chosen(name) and value != chosen_value(sheet, name):
                sheet = await self._with_value(reply, sheet, name, value)
        return sheet, refused

    async def _with_value(self, reply: Reply, sheet: EventChoices, name: str, value: str) -> EventChoices:
        try:
            if name == "preset":
                return await self.fitted(reply, with_preset(sheet, value)) if value in PRESETS else sheet
            if name == "game":
                return with_game(sheet, value, await find_game(self._services.play, reply.guild, value))
            return with_choice(sheet, name, value)
        except (ValueError, KeyError):
            return sheet  # a deleted game

    async def _with_role(self, reply: Reply, sheet: EventChoices, place: int, value: str) -> tuple[EventChoices, Any]:
        role = next(iter(ids_of([value])), 0)
        server = await self._services.play.server(reply.guild)
        same = role in sheet.structure.roles[place - 1 : place]
        problem = role_problem(reply.interaction, role, server) if role and not same else None
        return (sheet if problem else with_role(sheet, place - 1, role)), problem

    def _with_channels(self, reply: Reply, sheet: EventChoices, value: str) -> tuple[EventChoices, list[int]]:
        chosen = chosen_channels(reply.interaction, picked(value))[:MOST_CHANNELS]
        others = [channel for channel in chosen if channel != reply.interaction.channel_id]
        sheet = spread(reply, with_channels(sheet, others))
        return sheet, [channel for channel in others if channel not in sheet.structure.channels]

    async def zone(self, reply: Reply) -> str:
        """Return the time zone for written times."""
        return zone_of(await self._services.play.server(reply.guild), reply.words.language)

    async def at_time(self, reply: Reply, sheet: EventChoices, at: int) -> EventChoices:
        """Return the sheet with the start ``at`` (ms)."""
        return replace(starting_at(sheet, at, await self.zone(reply)), doubt=Doubt.NONE)

    def now(self) -> int:
        """Return the current time (ms)."""
        return self._services.publisher.now()


def event_of(reply: Reply, sheet: EventChoices) -> EventKey:
    """Return the key of the event that a sheet changes."""
    return EventKey(guild=reply.guild, number=sheet.of)
