"""Preparing an event, or changing one that was announced: the page, its menus and forms, and publishing it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from discord import app_commands

from bot.clean_text import one_line
from bot.event.structure import PRESETS, Format, StructureError
from bot.live.services import Services
from bot.model.ids import EventKey
from bot.model.refusals import PlayReason
from bot.ofc.refusals import Refused
from bot.ofc.variants import Variant, VariantError
from bot.play.event.organiser import check_organiser
from bot.play.event.registration import LONGEST_NAME, Plan, Problem, problems
from bot.play.event.vouching import Authority
from bot.text.event_structure import change_lines
from bot.text.hours import is_counted_from_now, read_hour
from bot.text.words import escape_name, words_for
from bot.text.zones import zone_of
from bot.ui.brakes import PressKind
from bot.ui.command_words import described, named
from bot.ui.custom_ids import Press
from bot.ui.event.form import FORM, MOST_CHANNELS, FormPage, form_screen, section_form
from bot.ui.event.plan import (
    changes_of,
    changing_sheet,
    copied,
    open_fields,
    plan_of,
    played_game,
    put_aside,
    told,
    usual_name,
    usual_people,
)
from bot.ui.event.sheet import (
    Sheet,
    chosen_fields,
    fitted,
    section_of,
    sections,
    sheet_from,
    too_long,
    with_channels,
    with_choice,
    with_game,
    with_hour,
    with_preset,
    with_role,
    with_written,
    written_fields,
    written_value,
)
from bot.ui.fragments import QUIET_COLOUR
from bot.ui.game_choice import find_game
from bot.ui.given_roles import gives_roles, role_problem
from bot.ui.permissions_here import (
    check_may_write,
    chosen_channels,
    may_post,
    missing_for_threads,
    public_language,
)
from bot.ui.reply import PressHandler, Reply
from bot.ui.widgets import Interaction, notice
from cogs.event.which_event import (
    Number,
    Subcommand,
    WhichEvent,
    authority_of,
    housed,
    official,
    spread,
    subcommand,
)

TIMED = next(key for key, structure in PRESETS.items() if structure.format is not Format.SIT_AND_GO)
"""What somebody means who says when it starts, and no more."""
KINDS: list[app_commands.Choice[str]] = [
    app_commands.Choice(name=named(f"structure.preset.{key}"), value=key) for key in PRESETS
]
"""Where an event may start from."""
ROLE_PLACES = ("1", "2", "3")
LACKING = "event.refuse.missing_permissions"
"""What is said in a channel where the bot cannot hold an event."""


class EventCreation:
    """The page of somebody who prepares an event. Everything on it is kept, so that it outlives the message."""

    def __init__(self, services: Services, which: WhichEvent) -> None:
        self._services = services
        self._which = which
        self._events = services.events
        for verb, handler in {
            "ev_form_open": self.open_section,
            "ev_form_preset": self.set_preset,
            "ev_form_game": self.set_game,
            "ev_form_set": self.set_choice,
            "ev_form_role": self.set_role,
            "ev_form_channels": self.set_channels,
            "ev_form_ask": self.ask,
            "ev_form_text": self.set_text,
            "ev_form_drop": self.throw_away,
        }.items():
            services.gate.route(verb, self.organising(handler))
        publish = self.organising(self._explaining(self.publish))
        services.gate.route("ev_form_publish", publish, kind=PressKind.PUBLIC)

    def commands(self) -> list[Subcommand]:
        """The one command; all else is pressed on the page."""
        return [subcommand("create", self.create, like=self._which.suggested)]

    def organisers_commands(self) -> list[Subcommand]:
        """Those of ``/event-admin``; behind **Organise** there is a button too."""
        return [self._which.command_and_button("edit", "ev_change", self.change)]

    def organising(self, handler: PressHandler) -> PressHandler:
        """Only for those who may organise, asked again at each press."""

        async def organising(reply: Reply, press: Press, values: Sequence[str]) -> None:
            sheet = await self.sheet(reply)
            if sheet.of:
                event = (await self._events.look(_event_of(reply, sheet))).event
                check_organiser(event, official(reply))
            if sheet.of or await self._which.may_announce(reply):
                await handler(reply, press, values)

        return organising

    def _explaining(self, handler: PressHandler) -> PressHandler:
        """What is refused because of something on the page is answered with the page, which says why."""

        async def explaining(reply: Reply, press: Press, values: Sequence[str]) -> None:
            try:
                await handler(reply, press, values)
            except (Refused, StructureError, VariantError) as error:
                page = await self.page(reply, await self.sheet(reply))
                if page.possible and isinstance(error, Refused):
                    raise
                await reply.show(form_screen(page, reply.words))

        return explaining

    @app_commands.describe(
        preset=described("option_preset"),
        name=described("option_event_name"),
        when=described("option_when"),
        like=described("option_like_event"),
    )
    @app_commands.choices(preset=KINDS)
    async def create(
        self,
        interaction: Interaction,
        preset: str = "",
        name: app_commands.Range[str, 0, LONGEST_NAME] = "",
        when: app_commands.Range[str, 0, 60] = "",
        like: Number | None = None,
    ) -> None:
        """Open the page; what was prepared before is still on it."""

        async def body(reply: Reply) -> None:
            if not await self._which.may_announce(reply) or not await may_post(reply, LACKING):
                return
            sheet = await self.sheet(reply) if like is None else await self._copied(reply, like)
            timed = TIMED if when.strip() and sheet.form is Format.SIT_AND_GO else ""
            if kind := preset or timed:
                sheet = await self._fitted(reply, with_preset(sheet, kind))
            if named := one_line(name):
                sheet = replace(sheet, name=named)
            if when.strip():
                sheet = await self._with_hour(reply, sheet, when)
            await self._keep(reply, sheet)

        await self._services.gate.run(interaction, body)

    async def change(self, reply: Reply, key: EventKey) -> None:
        """Open the page with an event that was announced; what was being prepared is put aside."""
        event = (await self._events.look(key)).event
        check_organiser(event, official(reply))
        if event.phase.over:
            raise Refused(PlayReason.EVENT_OVER)
        sheet = await self.sheet(reply)
        if sheet.of != event.key.number:
            sheet = changing_sheet(event, zone=await self._zone(reply), aside=sheet)
        await self._keep(reply, sheet)

    # the draft

    async def _copied(self, reply: Reply, number: int) -> Sheet:
        """A sheet like that of an event of this server; raises Refused where there is none."""
        key = EventKey(guild=reply.guild, number=number)
        await self._which.demand_seen(reply, key)
        found = await self._events.look(key)
        return copied(found.event, zone=await self._zone(reply), now=self._now())

    async def sheet(self, reply: Reply) -> Sheet:
        """What was prepared so far; an old or damaged draft begins afresh."""
        draft = await self._events.draft(reply.guild, reply.player)
        sheet = (None if draft is None else sheet_from(draft.values)) or Sheet()
        if not sheet.of:
            return sheet
        try:
            event = (await self._events.look(_event_of(reply, sheet))).event
        except Refused:
            return put_aside(sheet) or Sheet()
        if event.phase.over:
            return put_aside(sheet) or Sheet()
        return replace(sheet, open=open_fields(event))

    async def _keep(self, reply: Reply, sheet: Sheet, **shown: Any) -> None:
        """Keep the draft and draw the page."""
        await self._events.save_draft(reply.guild, reply.player, sheet.to_json())
        await self._draw(reply, sheet, **shown)

    async def _draw(self, reply: Reply, sheet: Sheet, *, section: str = "", **shown: Any) -> None:
        """Draw the page with a section open; ``shown`` are more of its fields."""
        page = await self.page(reply, sheet)
        known = section if section in sections(sheet) else ""
        await reply.show(form_screen(replace(page, section=known, **shown), reply.words))

    async def page(self, reply: Reply, sheet: Sheet) -> FormPage:
        """The page as it stands: its game, its problems, and what the bot may do here."""
        game: Variant | VariantError
        found: list[Problem] = []
        event = None
        try:
            if sheet.of:
                event = (await self._events.look(_event_of(reply, sheet))).event
                game = event.variant
                found = await self._events.may_change(
                    event.key, official(reply), changes_of(sheet), await self._authority(reply, sheet)
                )
            else:
                plan = await self.plan(reply, sheet)
                game, found = plan.variant, problems(plan, now=self._now())
        except VariantError as error:
            game = error
        lasts = None
        if isinstance(game, Variant) and not any(isinstance(problem, StructureError) for problem in found):
            people, structure = usual_people(sheet), sheet.structure
            lasts = await self._events.forecast(reply.guild, structure, game, sheet.clock, people=people)
        return FormPage(
            sheet=housed(reply, await self._named(reply, sheet)),
            guild=reply.guild,
            organiser=reply.player if event is None else event.organiser,
            event=event,
            lasts=lasts,
            games=await self._services.play.games(reply.guild),
            game=game,
            problems=found,
            zone=await self._zone(reply),
            now=self._now(),
            no_threads=missing_for_threads(reply.interaction) if sheet.structure.threads else [],
            may_give_roles=gives_roles(reply.interaction),
        )

    async def plan(self, reply: Reply, sheet: Sheet) -> Plan:
        """The event as play announces it; raises VariantError where its game cannot be played."""
        server = await self._services.play.server(reply.guild)
        return plan_of(
            housed(reply, await self._named(reply, sheet)),
            played_game(sheet, await find_game(self._services.play, reply.guild, sheet.game)),
            guild=reply.guild,
            channel=reply.interaction.channel_id or 0,
            organiser=reply.player,
            authority=await self._authority(reply, sheet),
            language=public_language(reply.interaction, server).code,
            zone=await self._zone(reply),
        )

    async def _authority(self, reply: Reply, sheet: Sheet) -> Authority:
        """What the reader may promise at an event like this."""
        return authority_of(reply.interaction, await self._services.play.server(reply.guild), sheet.structure)

    async def _named(self, reply: Reply, sheet: Sheet) -> Sheet:
        """The sheet with a name also where none was written."""
        return sheet if sheet.name or sheet.of else replace(sheet, name=await self._usual_name(reply, sheet))

    async def _usual_name(self, reply: Reply, sheet: Sheet) -> str:
        """``Alice's Sit & Go``, in the language of those who will read it."""
        server = await self._services.play.server(reply.guild)
        words = words_for(public_language(reply.interaction, server).code)
        return usual_name(sheet, reply.interaction.user.display_name, words)

    async def _zone(self, reply: Reply) -> str:
        """The time zone in which hours are written."""
        return zone_of(await self._services.play.server(reply.guild), reply.words.language)

    def _now(self) -> int:
        return self._services.publisher.now()

    async def _with_hour(self, reply: Reply, sheet: Sheet, text: str) -> Sheet:
        """The hour as it was written."""
        hour = read_hour(text, zone=await self._zone(reply), now_ms=self._now())
        return with_hour(sheet, text, hour)

    async def _fitted(self, reply: Reply, sheet: Sheet) -> Sheet:
        """The sheet with seats that its game allows."""
        try:
            return fitted(sheet, await find_game(self._services.play, reply.guild, sheet.game))
        except VariantError:
            return sheet

    # menus and forms

    async def open_section(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """A section was chosen: one that is only written opens its form at once."""
        sheet, section = await self.sheet(reply), values[0] if values else ""
        if written_fields(section, sheet) and not chosen_fields(section, sheet):
            await self._ask(reply, sheet, section)
        else:
            await self._draw(reply, sheet, section=section)

    async def set_preset(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """A kind of event was chosen."""
        sheet = await self.sheet(reply)
        if values and values[0] in PRESETS:
            sheet = await self._fitted(reply, with_preset(sheet, values[0]))
        await self._keep(reply, sheet)

    async def set_game(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """A game was chosen."""
        sheet = await self.sheet(reply)
        try:
            if values:
                sheet = with_game(sheet, values[0], await find_game(self._services.play, reply.guild, values[0]))
        except VariantError:
            pass  # deleted meanwhile: the page comes back without it
        await self._keep(reply, sheet, section="game")

    async def set_choice(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """A value was chosen from one of the menus."""
        sheet = await self.sheet(reply)
        try:
            if values:
                sheet = with_choice(sheet, press.argument, values[0])
        except ValueError:
            pass  # an older version's menu
        await self._keep(reply, sheet, section=section_of(press.argument))

    async def set_role(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """A role was chosen for a place."""
        sheet = await self.sheet(reply)
        place = int(press.argument) if press.argument in ROLE_PLACES else 0
        role = int(values[0]) if values and values[0].isdecimal() else 0
        server = await self._services.play.server(reply.guild)
        problem = role_problem(reply.interaction, role, server) if role else None
        if not problem and place:
            sheet = with_role(sheet, place - 1, role)
        await self._keep(reply, sheet, section="roles", refused_role=problem)

    async def set_channels(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """More channels were chosen for tables."""
        chosen = chosen_channels(reply.interaction, values)[:MOST_CHANNELS]
        others = [channel for channel in chosen if channel != reply.interaction.channel_id]
        sheet = spread(reply, with_channels(await self.sheet(reply), others))
        refused = [channel for channel in others if channel not in sheet.structure.channels]
        await self._keep(reply, sheet, section="place", refused_channels=refused)

    async def ask(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Open a section's form."""
        sheet = await self.sheet(reply)
        if not written_fields(press.argument, sheet):
            await self._draw(reply, sheet)
            return
        await self._ask(reply, sheet, press.argument)

    async def _ask(self, reply: Reply, sheet: Sheet, section: str) -> None:
        form = section_form(await self._named(reply, sheet), section, reply.words)
        await reply.ask(form, again=FORM.but("ev_form_ask", section))

    async def set_text(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """A form was written."""
        sheet = await self.sheet(reply)
        written = dict(zip(written_fields(press.argument, sheet), values, strict=False))
        when = written.pop("when", sheet.when)
        if too_long("when", when):
            written["when"], when = when, sheet.when
        same = " ".join(when.split()) == sheet.when
        # The same words again: from now on, where nothing else was changed or that time has passed.
        alone = all(written_value(sheet, name, reply.words) == text for name, text in written.items())
        again = is_counted_from_now(when) and (alone or (sheet.starts_at or 0) <= self._now())
        if not same or sheet.starts_at is None or ("when" not in written and again):
            sheet = await self._with_hour(reply, sheet, when)
        sheet = with_written(sheet, list(written), list(written.values()))
        if not sheet.of and sheet.name == await self._usual_name(reply, sheet):
            sheet = replace(sheet, name="")
        await self._keep(reply, sheet, section=press.argument)

    # the end

    async def throw_away(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Forget the draft, after asking once."""
        if not press.hand:
            await self._draw(reply, await self.sheet(reply), leaving=True)
            return
        sheet = await self.sheet(reply)
        await self._forget(reply, sheet)
        text = "event_form.left_unchanged" if sheet.of else "event_form.thrown_away"
        await reply.show(notice(reply.words(text), colour=QUIET_COLOUR))

    async def _forget(self, reply: Reply, sheet: Sheet) -> None:
        """The page is done with; what was put aside for it comes back."""
        aside = put_aside(sheet)
        if aside is None:
            await self._events.forget_draft(reply.guild, reply.player)
        else:
            await self._events.save_draft(reply.guild, reply.player, aside.to_json())

    async def publish(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Announce the event in this channel, or change the one that was announced."""
        sheet = await self.sheet(reply)
        if sheet.of:
            await self._change(reply, sheet)
            return
        if not await may_post(reply, LACKING):
            return
        plan = await self.plan(reply, sheet)
        await self._which.demand_series_seen(reply, one_line(plan.series))
        event = await self._events.create(plan, cause=reply.cause)
        text = reply.words("event.done.created", name=escape_name(event.name), number=event.key.number)
        await reply.show(notice(text, colour=QUIET_COLOUR))

    async def _change(self, reply: Reply, sheet: Sheet) -> None:
        """Change the event as the sheet says; raises Refused."""
        key = _event_of(reply, sheet)
        check_may_write(reply.interaction, (await self._events.look(key)).event.channel)
        changes = changes_of(sheet)
        if "series" in changes:
            await self._which.demand_series_seen(reply, one_line(sheet.series))
        authority = await self._authority(reply, sheet)
        event = await self._events.change(key, official(reply), changes, cause=reply.cause, authority=authority)
        await self._forget(reply, sheet)
        said = [reply.words("event.done.changed", name=escape_name(event.name))]
        said += change_lines(told(changes), reply.words)
        await reply.show(notice("\n".join(said), colour=QUIET_COLOUR))


def _event_of(reply: Reply, sheet: Sheet) -> EventKey:
    """The event that a sheet would change."""
    return EventKey(guild=reply.guild, number=sheet.of)
