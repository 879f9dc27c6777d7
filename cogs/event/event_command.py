"""``/event``, the only command for events. Its actions are typed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from discord import app_commands

from bot.chat.event.acts.organisers import BY_NAME
from bot.chat.event.acts.target import HERE, NEWEST, OPEN, OVER, OWN, EventTarget
from bot.chat.event.screens.desk.details import too_late_text
from bot.chat.kit.acts.act import ActInputs, Option, TypedAct
from bot.chat.kit.acts.command import ActCommand, Choice
from bot.chat.kit.command_words import description_for
from bot.chat.kit.permissions_here import may_see, sees
from bot.chat.kit.reply import Reply
from bot.chat.kit.typed_choice import normalise
from bot.chat.kit.widgets import Interaction
from bot.chat.services import Services
from bot.model.event_rulings import RULINGS, UNDONE
from bot.model.events import Event, Phase
from bot.model.ids import EventKey
from bot.model.reasons import TableReason
from bot.model.refusals import Stale
from bot.play.event.organisers.organiser_desk import DeskView
from bot.play.event.organisers.overview import EventGlance
from bot.pure.ofc.refusals import Refused
from bot.text.words import Words, escape_name
from bot.text.zones import zone_of
from cogs.event.acts import NO_RIGHT
from cogs.event.typed_acts import EventParts, event_acts, is_organisers
from cogs.event.which_event import authority_of, not_allowed, official, visible_series

NAME = "event"
VERB = "ev_act"
_NUMBER = re.compile(r"\d+")
Text = app_commands.Range[str, 0, 100]
LongText = app_commands.Range[str, 0, 400]


class EventSource:
    """Source of the events that a member may see and the possible actions on them."""

    def __init__(self, services: Services, parts: EventParts) -> None:
        self._services = services
        self._events = services.events
        self.acts = event_acts(parts)

    async def targets(self, reply: Reply, typed: str) -> Sequence[EventTarget]:
        """Return the targets, most likely first.

        This channel's events are followed by the member's own, other open ones, past ones, and finally the server.
        """
        interaction, by = reply.interaction, official(reply)
        channel = interaction.channel_id or 0
        wanted, numbers = normalise(typed), _NUMBER.findall(typed)

        def is_named(event: Event) -> bool:
            return str(event.key.number) in numbers or normalise(event.name) in wanted

        found = await self._events.overview_for(reply.guild, by, channel=channel, named=is_named)
        server = EventTarget(
            reader=by,
            announces=authority_of(interaction, found.server).announces,
            drafts=found.drafts,
            organiser_role=found.server.organiser_role,
            series=visible_series(interaction, found.series),
            zone=zone_of(found.server, reply.words.language),
            now=self._services.publisher.now(),
        )
        targets, over = list[EventTarget](), 0
        for glance in found.events:
            own = glance.takes_part or (glance.desk is not None and by.organises(glance.event))
            if not (own or may_see(interaction, glance.event.channel)):
                continue
            over += glance.event.phase is Phase.ENDED
            newest = over == 1 and glance.event.phase is Phase.ENDED
            rank, here = _rank(glance, channel, newest=newest), _is_here(glance, channel)
            targets.append(replace(server, glance=glance, rank=rank, here=here))
        return [*sorted(targets, key=lambda target: target.rank), server]

    async def target(self, reply: Reply, number: int, tag: str) -> EventTarget:
        """Return a button's event, or the server if ``number`` is 0.

        Raises Refused for an event that the member may not see.
        """
        by = official(reply)
        server = await self._services.play.server(reply.guild)
        announces = authority_of(reply.interaction, server).announces
        if not number:
            series = visible_series(reply.interaction, await self._events.series(reply.guild))
            return EventTarget(
                reader=by,
                announces=announces,
                drafts=await self._events.draft(reply.guild, reply.player) is not None,
                organiser_role=server.organiser_role,
                series=series,
            )
        glance = await self._events.glance_for(EventKey(guild=reply.guild, number=number), by)
        if tag and tag != glance.event.tag:
            raise Stale
        own = glance.takes_part or (glance.desk is not None and by.organises(glance.event))
        if not (own or await sees(reply.interaction, glance.event.channel)):
            raise Refused(TableReason.CHANNEL_HIDDEN)
        here = _is_here(glance, reply.interaction.channel_id or 0)
        return EventTarget(
            glance=glance, reader=by, announces=announces, organiser_role=server.organiser_role, here=here
        )

    def why_not(self, reply: Reply, act: TypedAct[EventTarget], targets: Sequence[EventTarget]) -> str:
        """Return why ``act`` isn't possible: the state of the nearest event, or who may do it."""
        words, name = reply.words, reply.words(act.name)
        near = [target for target in targets if target.event is not None]
        if is_organisers(act):
            own = BY_NAME.get(act.key)
            if own is not None and own.late:
                return words("event_acts.why.late", act=name)
            near = [target for target in near if target.glance is not None and target.glance.organises]
            if not near:
                return words("event_acts.why.organisers", act=name)
            desks = [target for target in near if target.desk is not None]
            if own is not None and desks and not any(own.open_to(target.reader, target.case) for target in desks):
                stands_in = not any(target.reader.organises(target.case.event) for target in desks)
                return words("refused.stands_in" if stands_in else "refused.plays_here")
        elif act.key in ("create", "poll", "copy", "rehearse_draft") and not any(one.announces for one in targets):
            return not_allowed(next(target.organiser_role for target in targets), words)
        elif act.key == "rehearse_draft":
            return words("event_acts.why.no_draft")
        elif act.key == "bracket":
            eliminations = [one for one in near if one.event is not None and one.event.format.heads_up]
            if near and not eliminations:
                other = "results" if near[0].event is not None and near[0].event.phase.over else "standings"
                return words("event_acts.why.no_bracket", act=words(f"event_acts.name.{other}"))
            near = eliminations
        event = near[0].event if near else None
        if event is None:
            return words("event_acts.why.no_event", act=name)
        if act.key == "take_back" and near[0].desk is not None and event.phase is Phase.ENDED:
            return _nothing_to_undo(near[0].desk, words)
        if act.key == "series_end" and not event.series and not event.phase.over:
            return words("refused.not_in_series")
        return words(f"event_acts.why.{event.phase.value}", act=name, name=escape_name(event.name))


def _nothing_to_undo(desk: DeskView, words: Words) -> str:
    """Return why no ruling on a finished event can be undone."""
    newest = next((fact for fact in desk.acts if fact.kind in (*RULINGS, UNDONE)), None)
    if newest is None:
        return words("refused.nothing_to_take_back")
    if newest.kind == UNDONE:
        return words("event_acts.why.ruling_undone", name=escape_name(desk.event.name))
    return too_late_text(desk, newest, words)


def _is_here(glance: EventGlance, channel: int) -> bool:
    return not glance.event.phase.over and (glance.plays_here or glance.event.channel == channel)


def _rank(glance: EventGlance, channel: int, *, newest: bool) -> int:
    if glance.event.phase.over:
        return NEWEST if newest else OVER
    if _is_here(glance, channel):
        return HERE
    return OWN if glance.takes_part else OPEN


def event_command(services: Services, parts: EventParts) -> app_commands.Command[Any, ..., Any]:
    """Return ``/event``."""
    acts = ActCommand(services.gate, EventSource(services, parts), verb=VERB, no_right=NO_RIGHT)
    parts.tools.never_minded = acts.forget

    @app_commands.command(name=NAME, description=description_for("event"))
    @app_commands.guild_only()
    @app_commands.describe(
        do=description_for("option_act"),
        player=description_for("option_event_player"),
        table=description_for("option_event_table"),
        value=description_for("option_value"),
        reason=description_for("option_reason"),
    )
    async def event(
        interaction: Interaction,
        do: Text,
        player: Text = "",
        table: Text = "",
        value: LongText = "",
        reason: LongText = "",
    ) -> None:
        await acts.run(interaction, do, ActInputs(player=player, table=table, value=value, reason=reason))

    @event.autocomplete("do")
    async def suggest_do(interaction: Interaction, current: str) -> list[Choice]:
        return await acts.suggest_do(interaction, current)

    @event.autocomplete("player")
    async def suggest_player(interaction: Interaction, current: str) -> list[Choice]:
        return await acts.suggest(Option.PLAYER, interaction, current)

    @event.autocomplete("table")
    async def suggest_table(interaction: Interaction, current: str) -> list[Choice]:
        return await acts.suggest(Option.TABLE, interaction, current)

    @event.autocomplete("value")
    async def suggest_value(interaction: Interaction, current: str) -> list[Choice]:
        return await acts.suggest(Option.VALUE, interaction, current)

    return event
