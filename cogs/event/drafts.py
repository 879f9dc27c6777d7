"""Drafts of events, which are loaded for each press and saved afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.chat.event.screens.draft.event_choices import (
    EventChoices,
    choices_from_json,
    chosen_value,
    clamp_seats,
    with_channels,
    with_choice,
    with_game,
    with_hour,
    with_preset,
    with_role,
    with_rule,
)
from bot.chat.event.screens.draft.form import MAX_CHANNELS, is_chosen
from bot.chat.event.screens.draft.plan import (
    choices_for_changing,
    copied,
    open_fields,
    put_aside,
    starting_at,
    without_late,
)
from bot.chat.kit.game_choice import find_game
from bot.chat.kit.given_roles import role_problem
from bot.chat.kit.permissions_here import chosen_channels
from bot.chat.kit.presses import parse_ids, picked_values
from bot.chat.kit.reply import Reply
from bot.chat.services import Services
from bot.model.ids import EventKey
from bot.play.event.office.views import EventView
from bot.pure.event.structure import PRESETS
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.variants import VariantError
from bot.text.hours import TimeDoubt, read_hour
from bot.text.zones import zone_of
from cogs.event.which_event import EventAccess, spread


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenDraft:
    """The choices, and the announced event that they change; ``view`` is None for a new event."""

    choices: EventChoices
    view: EventView | None = None
    late: Sequence[str] = ()
    """The fields whose changes were dropped because the event has started."""


class Drafts:
    """Loads and saves drafts. All values on the page outlive its message."""

    def __init__(self, services: Services, which: EventAccess) -> None:
        self._services = services
        self._which = which
        self._events = services.events

    async def read(self, reply: Reply) -> OpenDraft:
        """Return the member's draft.

        If it's outdated or damaged, a new one is started. If its event is over, the draft that was set aside is
        restored.
        """
        draft = await self._read(reply)
        return replace(draft, choices=self._knowing_pages(draft.choices))

    async def _read(self, reply: Reply) -> OpenDraft:
        kept = await self._events.draft(reply.guild, reply.player)
        choices = (None if kept is None else choices_from_json(kept.values)) or EventChoices()
        if not choices.of:
            return OpenDraft(choices=choices)
        try:
            view = await self._events.look(event_of(reply, choices))
        except Refused:
            return OpenDraft(choices=put_aside(choices) or EventChoices())
        if view.event.phase.over:
            return OpenDraft(choices=put_aside(choices) or EventChoices())
        choices = replace(choices, open=open_fields(view.event))
        choices, late = without_late(choices, zone=await self.zone(reply))
        return OpenDraft(choices=choices, view=view, late=late)

    async def turned_to(self, reply: Reply, view: EventView) -> OpenDraft:
        """Return a draft for changing an announced event. The current draft is set aside."""
        draft = await self.read(reply)
        if draft.choices.of == view.event.key.number:
            return draft
        choices = choices_for_changing(view.event, zone=await self.zone(reply), aside=draft.choices)
        return OpenDraft(choices=self._knowing_pages(choices), view=view)

    async def copied(self, reply: Reply, number: int) -> EventChoices:
        """Return choices copied from the server's event ``number``; raises Refused if there is none."""
        key = EventKey(guild=reply.guild, number=number)
        await self._which.require_visible(reply, key)
        found = await self._events.look(key)
        choices = self._knowing_pages(copied(found.event, zone=await self.zone(reply), now=self.now()))
        return await self.as_its_series(reply, choices)

    async def as_its_series(self, reply: Reply, choices: EventChoices) -> EventChoices:
        """If the series already exists, return the choices with its spelling and its rule, set by its newest event."""
        if not choices.series:
            return choices
        name = await self._events.series_meant(reply.guild, choices.series, except_of=choices.of)
        choices = replace(choices, series=name)
        rule = await self._events.series_rule(reply.guild, name)
        return choices if rule is None else with_rule(choices, rule)

    def _knowing_pages(self, choices: EventChoices) -> EventChoices:
        """Return the choices, noting whether the bot serves web pages."""
        return replace(choices, pages=bool(self._services.page_links.public_url))

    async def keep(self, reply: Reply, choices: EventChoices) -> None:
        """Save the draft."""
        await self._events.save_draft(reply.guild, reply.player, choices.to_json())

    async def forget(self, reply: Reply, choices: EventChoices) -> None:
        """Delete the draft and restore the one that was set aside for it."""
        aside = put_aside(choices)
        if aside is None:
            await self._events.forget_draft(reply.guild, reply.player)
        else:
            await self.keep(reply, aside)

    async def with_hour(self, reply: Reply, choices: EventChoices, text: str) -> EventChoices:
        """Return the choices with the start typed as ``text``."""
        hour = read_hour(text, zone=await self.zone(reply), now_ms=self.now())
        return with_hour(choices, text, hour)

    async def clamp_seats(self, reply: Reply, choices: EventChoices) -> EventChoices:
        """Return the choices with a number of seats that their game allows."""
        try:
            return clamp_seats(choices, await find_game(self._services.play, reply.guild, choices.game))
        except VariantError:
            return choices

    async def with_chosen(
        self, reply: Reply, choices: EventChoices, chosen: Mapping[str, str]
    ) -> tuple[EventChoices, dict[str, Any]]:
        """Return the choices after input in menus or a form, and the page fields for refused values.

        Deleted games and values that aren't offered change nothing.
        """
        refused: dict[str, Any] = {}
        for name, value in chosen.items():
            if name == "channels":
                choices, refused["refused_channels"] = self._with_channels(reply, choices, value)
            elif name.startswith("role_"):
                choices, problem = await self._with_role(reply, choices, int(name[-1]), value)
                refused["refused_role"] = refused.get("refused_role") or problem
            elif value and is_chosen(name) and value != chosen_value(choices, name):
                choices = await self._with_value(reply, choices, name, value)
        return choices, refused

    async def _with_value(self, reply: Reply, choices: EventChoices, name: str, value: str) -> EventChoices:
        try:
            if name == "preset":
                return await self.clamp_seats(reply, with_preset(choices, value)) if value in PRESETS else choices
            if name == "game":
                return with_game(choices, value, await find_game(self._services.play, reply.guild, value))
            return with_choice(choices, name, value)
        except (ValueError, KeyError):
            return choices  # a deleted game

    async def _with_role(self, reply: Reply, choices: EventChoices, place: int, value: str) -> tuple[EventChoices, Any]:
        role = next(iter(parse_ids([value])), 0)
        server = await self._services.play.server(reply.guild)
        same = role in choices.structure.roles[place - 1 : place]
        problem = role_problem(reply.interaction, role, server) if role and not same else None
        return (choices if problem else with_role(choices, place - 1, role)), problem

    def _with_channels(self, reply: Reply, choices: EventChoices, value: str) -> tuple[EventChoices, list[int]]:
        chosen = chosen_channels(reply.interaction, picked_values(value))[:MAX_CHANNELS]
        others = [channel for channel in chosen if channel != reply.interaction.channel_id]
        choices = spread(reply, with_channels(choices, others))
        return choices, [channel for channel in others if channel not in choices.structure.channels]

    async def zone(self, reply: Reply) -> str:
        """Return the time zone for typed times."""
        return zone_of(await self._services.play.server(reply.guild), reply.words.language)

    async def at_time(self, reply: Reply, choices: EventChoices, at: int) -> EventChoices:
        """Return the choices with the start ``at`` (ms)."""
        return replace(starting_at(choices, at, await self.zone(reply)), doubt=TimeDoubt.NONE)

    def now(self) -> int:
        """Return the current time (ms)."""
        return self._services.publisher.now()


def event_of(reply: Reply, choices: EventChoices) -> EventKey:
    """Return the key of the event that the choices change."""
    return EventKey(guild=reply.guild, number=choices.of)
