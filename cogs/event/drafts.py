"""What somebody has chosen so far for an event, read once for each press and kept again."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.live.services import Services
from bot.model.ids import EventKey
from bot.ofc.refusals import Refused
from bot.play.event.views import EventView
from bot.text.hours import Doubt, read_hour
from bot.text.zones import zone_of
from bot.ui.event.draft.plan import changing_sheet, copied, open_fields, put_aside, starting_at
from bot.ui.event.draft.sheet import Sheet, sheet_from, with_hour, with_rule
from bot.ui.reply import Reply
from cogs.event.which_event import WhichEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """The sheet, and the event that it would change; None for one that is still to be announced."""

    sheet: Sheet
    view: EventView | None = None


class Drafts:
    """Reads and keeps them. Everything on the page outlives its message."""

    def __init__(self, services: Services, which: WhichEvent) -> None:
        self._services = services
        self._which = which
        self._events = services.events

    async def read(self, reply: Reply) -> Draft:
        """What was prepared so far; an old or damaged draft begins afresh, as does that of an event that is over."""
        kept = await self._events.draft(reply.guild, reply.player)
        sheet = (None if kept is None else sheet_from(kept.values)) or Sheet()
        if not sheet.of:
            return Draft(sheet=sheet)
        try:
            view = await self._events.look(event_of(reply, sheet))
        except Refused:
            return Draft(sheet=put_aside(sheet) or Sheet())
        if view.event.phase.over:
            return Draft(sheet=put_aside(sheet) or Sheet())
        return Draft(sheet=replace(sheet, open=open_fields(view.event)), view=view)

    async def turned_to(self, reply: Reply, view: EventView) -> Draft:
        """The draft with an event that was announced; what was being prepared is put aside."""
        draft = await self.read(reply)
        if draft.sheet.of == view.event.key.number:
            return draft
        return Draft(sheet=changing_sheet(view.event, zone=await self.zone(reply), aside=draft.sheet), view=view)

    async def copied(self, reply: Reply, number: int) -> Sheet:
        """A sheet like that of an event of this server; raises Refused where there is none."""
        key = EventKey(guild=reply.guild, number=number)
        await self._which.demand_seen(reply, key)
        found = await self._events.look(key)
        sheet = copied(found.event, zone=await self.zone(reply), now=self.now())
        return await self.as_its_series(reply, sheet)

    async def as_its_series(self, reply: Reply, sheet: Sheet) -> Sheet:
        """The sheet with the rule of a series that there is already: its newest event decides how it counts."""
        rule = await self._events.series_rule(reply.guild, sheet.series) if sheet.series else None
        return sheet if rule is None else with_rule(sheet, rule)

    async def keep(self, reply: Reply, sheet: Sheet) -> None:
        """Keep what was chosen."""
        await self._events.save_draft(reply.guild, reply.player, sheet.to_json())

    async def forget(self, reply: Reply, sheet: Sheet) -> None:
        """The page is done with; what was put aside for it comes back."""
        aside = put_aside(sheet)
        if aside is None:
            await self._events.forget_draft(reply.guild, reply.player)
        else:
            await self.keep(reply, aside)

    async def with_hour(self, reply: Reply, sheet: Sheet, text: str) -> Sheet:
        """The hour as it was written."""
        hour = read_hour(text, zone=await self.zone(reply), now_ms=self.now())
        return with_hour(sheet, text, hour)

    async def zone(self, reply: Reply) -> str:
        """The time zone in which hours are written."""
        return zone_of(await self._services.play.server(reply.guild), reply.words.language)

    async def at_time(self, reply: Reply, sheet: Sheet, at: int) -> Sheet:
        """The sheet with this hour (ms)."""
        return replace(starting_at(sheet, at, await self.zone(reply)), doubt=Doubt.NONE)

    def now(self) -> int:
        """Milliseconds."""
        return self._services.publisher.now()


def event_of(reply: Reply, sheet: Sheet) -> EventKey:
    """The event that a sheet would change."""
    return EventKey(guild=reply.guild, number=sheet.of)
