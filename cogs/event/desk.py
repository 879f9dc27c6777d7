"""The organiser's desk: one private page with menus and buttons for running an event."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

import discord
from discord.ext import commands

from bot.base.meter import InteractionOutcome
from bot.chat.event.acts.act import NO_PLAYER, NO_TABLE, Act, ActContext, Subject
from bot.chat.event.acts.drawing import act_press, controls
from bot.chat.event.acts.organisers import ACTS, BY_NAME
from bot.chat.event.screens.desk.details import AT_TABLE, person_screen, table_screen, too_late_text
from bot.chat.event.screens.desk.late import late_screen
from bot.chat.event.screens.desk.page import (
    OTHER,
    PAGE,
    UNDO,
    DeskContext,
    desk_screen,
    over_screen,
    pen_for,
    people_screen,
)
from bot.chat.kit.custom_ids import Press, long_id
from bot.chat.kit.fragments import MAX_OPTIONS, QUIET_COLOUR
from bot.chat.kit.gate import PressKind
from bot.chat.kit.kept_messages import remove
from bot.chat.kit.permissions_here import check_may_write, missing_permissions, parse_people, seen_by_all
from bot.chat.kit.reply import PressHandler, Reply
from bot.chat.kit.widgets import notice
from bot.chat.services import Services
from bot.model.events import Event
from bot.model.ids import EventKey, GuildId, Player, TableId
from bot.model.reasons import EventReason, OrganiserReason, SeatReason
from bot.play.event.organisers.organiser_desk import DeskTable, DeskView
from bot.pure.ofc.refusals import Refused
from bot.text.words import escape_name
from cogs.event.acts import NO_RIGHT, OrganisersActs, chosen_number
from cogs.event.which_event import chosen_player, desk_of, event_of, official

Done = Callable[[Reply, Press, Sequence[str]], Awaitable[str | None]]
"""Handles a press and returns the sentence that reports it; None if it asked for confirmation."""
MAX_FETCHED_NAMES = 10
"""Maximum number of names to fetch before a desk is shown, for example after a restart. Later drawings fetch the rest.
"""
NAMES_SECONDS = 2.0
"""Timeout for fetching names before a desk is shown."""


class OrganisersDesk:
    """The desk, which organisers can also open with an event's **Details**. It reports each action performed."""

    def __init__(self, services: Services, acts: OrganisersActs) -> None:
        self._services = services
        self._events = services.events
        self._acts = acts
        pages: dict[str, PressHandler] = {
            "ev_desk": self.open,
            "ev_tools": self.open,
            "ev_d_people": self.people,
            "ev_d_person": self.person,
            "ev_player": self.former_menu,
            "ev_d_guest": self.guest,
            "ev_d_table": self.table,
        }
        for verb, handler in pages.items():
            services.gate.route(verb, handler)
        services.gate.route("ev_d_more", self.more, kind=PressKind.PUBLIC)
        for act in ACTS:
            if act.does is not None:
                self._route(act)
        for verb, done in {
            "ev_d_undo": self.take_back,
            "ev_d_keep": self._keep,
            "ev_d_let_go": self._stop_keeping,
            "ev_d_later": self._postpone_a_little,
        }.items():
            self.route(verb, done)

    def route(self, verb: str, does: Done) -> None:
        """Route ``verb`` so that the press shows the desk with the sentence that ``does`` returns."""

        async def handler(reply: Reply, press: Press, values: Sequence[str]) -> None:
            if (said := await does(reply, press, values)) is not None:
                await self._show_done(reply, press, said)

        self._services.gate.route(verb, handler, kind=PressKind.PUBLIC)

    def _route(self, act: Act) -> None:
        """Route the buttons, forms and menu of an action."""

        async def does(reply: Reply, press: Press, values: Sequence[str]) -> None:
            await self._show_done(reply, press, await self._acts.pressed(act, reply, press, values))

        async def pressed(reply: Reply, press: Press, values: Sequence[str]) -> None:
            if self._acts.asks_first(act, press, values):
                await self._acts.ask(act, reply, press)
                return
            if await self._acts.asks_whether(act, reply, press, values):
                return
            try:
                await does(reply, press, values)
            except Refused as refused:
                if not values or refused.reason in NO_RIGHT:
                    raise
                await self._acts.show_refused(act, reply, press, values, refused)

        async def chosen_from_menu(reply: Reply, press: Press, values: Sequence[str]) -> None:
            if list(values) == [OTHER]:
                await self._acts.ask(act, reply, replace(press, verb=act.verb))
                return
            chosen = chosen_number(act, press, values)
            if chosen is None:
                await self._show_subject(act, reply, press)
            elif act.chosen:
                await self._acts.ask(act, reply, chosen)
            elif not await self._acts.asks_whether(act, reply, chosen, []):
                await does(reply, chosen, [])

        async def asked_again(reply: Reply, press: Press, values: Sequence[str]) -> None:
            """Show the current desk, because the terms have changed in the meantime."""
            await self._show_done(reply, press, reply.words(act.meanwhile))

        asks = None if act.terms is None else asked_again
        for verb in act.verbs:
            self._services.gate.route(verb, pressed, kind=PressKind.PUBLIC, asks=asks)
        if menu := act.menu or act.former_menu:
            kind = PressKind.PRIVATE if act.chosen else PressKind.PUBLIC
            self._services.gate.route(menu, chosen_from_menu, kind=kind)

    # screens

    async def open(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the desk. If the event is over, show only a note saying so, without buttons."""
        key = event_of(reply, press)
        try:
            await self._open(reply, key)
        except Refused as refused:
            if refused.reason is not EventReason.EVENT_OVER:
                raise
            await reply.show(over_screen((await self._events.look(key)).event, reply.words))

    async def _open(self, reply: Reply, key: EventKey, *, said: str = "") -> None:
        desk = await self._look(reply, key)
        named = [line.entrant.player for line in desk.people[:MAX_OPTIONS]]
        named += [waiting.player for waiting in desk.view.waiting[:MAX_OPTIONS]]
        named += [player for table in desk.tables[:MAX_OPTIONS] for player in table.line.players]
        named += [Player(str(fact.details["player"])) for fact in desk.undoable if "player" in fact.details]
        offered = controls(ActContext(desk=desk), Subject.EVENT, reply.words)
        drawn = late_screen if desk.event.phase.over else desk_screen
        await reply.show(drawn(desk, await self.context(reply, named), offered, said=said))

    async def _look(self, reply: Reply, key: EventKey) -> DeskView:
        return await desk_of(self._services, reply, key)

    async def context(self, reply: Reply, players: Sequence[Player]) -> DeskContext:
        """Return the context for a screen. Fetches missing names of ``players``, up to MAX_FETCHED_NAMES of them."""
        known = self._services.faces.names
        if unknown := known.to_ask(reply.guild, dict.fromkeys(players)):
            await self._services.seated_names.ask(reply.guild, unknown[:MAX_FETCHED_NAMES], seconds=NAMES_SECONDS)
        return pen_for(known, reply.guild, reply.words, mark=reply.interaction.id >> 22)

    async def people(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show a page of the event's players, with a search for other members."""
        desk = await self._look(reply, event_of(reply, press))
        named = [line.entrant.player for line in desk.people[press.hand * PAGE : (press.hand + 1) * PAGE]]
        await reply.show(people_screen(desk, await self.context(reply, named), page=press.hand))

    async def person(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Open the page of a player chosen from the menu of the event's players."""
        self._note_use(reply, press)
        if list(values) == [OTHER]:
            await self.people(reply, press, values)
            return
        await self._person(reply, event_of(reply, press), chosen_player(values))

    async def guest(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Open the page of any member, found by name."""
        chosen = parse_people(reply.interaction, values)
        if values and not chosen:
            raise Refused(SeatReason.NOT_A_BOT)
        self._note_use(reply, press)
        await self._person(reply, event_of(reply, press), chosen[0] if chosen else None)

    async def former_menu(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Handle a player menu of an earlier version, which lists the event's players or searches all members."""
        found_by_name = "resolved" in (reply.interaction.data or {})
        await (self.guest if found_by_name else self.person)(reply, press, values)

    async def _person(self, reply: Reply, key: EventKey, player: Player | None) -> None:
        if player is None:
            await self._open(reply, key)
            return
        desk = await self._look(reply, key)
        offered = controls(ActContext(desk=desk, player=player), Subject.PLAYER, reply.words)
        await reply.show(person_screen(desk, player, await self.context(reply, [player]), offered))

    async def table(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Open the page of a table chosen from the menu."""
        self._note_use(reply, press)
        await self._table(reply, event_of(reply, press), values[0] if values else "")

    async def _table(self, reply: Reply, key: EventKey, chosen: str) -> None:
        if not chosen:
            await self._open(reply, key)
            return
        desk = await self._look(reply, key)
        table = _table(desk, chosen)
        offered = controls(ActContext(desk=desk, table=table.id), Subject.TABLE, reply.words)
        await reply.show(table_screen(desk, table, await self.context(reply, table.line.players), offered))

    async def _show_subject(self, act: Act, reply: Reply, press: Press) -> None:
        player = Player(str(long_id(press.argument))) if act.about is Subject.PLAYER else None
        await self._person(reply, event_of(reply, press), player)

    async def more(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Handle a choice from the menu *More* of the desk, a player or a table."""
        self._note_use(reply, press)
        key, chosen = event_of(reply, press), values[0] if values else ""
        at_table = press.argument.startswith(AT_TABLE)
        table = press.argument.removeprefix(AT_TABLE) if at_table else ""
        player = Player(str(long_id(press.argument))) if press.argument and not at_table else NO_PLAYER
        act = BY_NAME.get(chosen)
        if chosen.startswith(UNDO):
            said = await self.take_back(reply, press, [chosen.removeprefix(UNDO)])
            if said is not None:
                await self._show_done(reply, press, said)
        elif at_table and (someone := chosen_player(values)) is not None:
            await self._person(reply, key, someone)
        elif act is not None:
            case = ActContext(
                desk=await self._look(reply, key),
                player=player,
                table=TableId(int(table)) if table.isdecimal() else NO_TABLE,
            )
            meant = act_press(act, case)
            if act.about is Subject.TABLE:
                meant = replace(meant, hand=press.hand)
            if act.apart:
                reply.reply_separately()
            await self._services.gate.handle(reply, meant, [])
        elif at_table:
            await self._table(reply, key, table)
        else:
            await self._person(reply, key, player or None)

    def _note_use(self, reply: Reply, press: Press) -> None:
        """Redraw a kept desk, because Discord doesn't send a choice that its menu already shows."""
        if reply.interaction.message is not None and reply.replaces is None:
            self._services.event_publisher.desk_used(event_of(reply, press))

    async def _show_done(self, reply: Reply, press: Press, said: str) -> None:
        """Show the desk with ``said``, or only ``said`` if the member can no longer open the desk."""
        key = event_of(reply, press)
        try:
            await self._open(reply, key, said=said)
        except Refused:
            if not said:
                raise
            event = (await self._events.look(key)).event
            over = event.phase.over
            # If the event isn't over, the member is no longer a co-organiser.
            await reply.show(over_screen(event, reply.words, said=said) if over else notice(said, colour=QUIET_COLOUR))

    # actions that need more than an entry of the table

    async def _keep(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        """Keep the desk in this channel. Raises Refused if everyone can see the channel."""
        key, channel = event_of(reply, press), reply.interaction.channel_id or 0
        await self._look(reply, key)
        if seen_by_all(reply.interaction.channel) is not False:
            raise Refused(OrganiserReason.READ_BY_ALL)
        check_may_write(reply.interaction)
        if missing_permissions(reply.interaction):
            raise Refused(OrganiserReason.MAY_NOT_KEEP)
        before = await self._events.keep_desk(key, official(reply), channel=channel, cause=reply.cause)
        if before.desk_channel != channel:
            await self._remove(reply, before)
        return reply.words("event_desk.done.kept")

    async def _stop_keeping(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        """Stop keeping the desk in a channel."""
        key = event_of(reply, press)
        await self._look(reply, key)
        await self._remove(reply, await self._events.stop_keeping_desk(key, official(reply), cause=reply.cause))
        return reply.words("event_desk.done.let_go")

    async def _postpone_a_little(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        """Postpone the start that the question before the start showed."""
        key = event_of(reply, press)
        check_may_write(reply.interaction, (await self._events.look(key)).event.channel)
        event = await self._events.postpone_a_little(key, official(reply), terms=press.terms, cause=reply.cause)
        starts_at = (event.starts_at or 0) // 1000
        told = "postponed" if event.repeat is None else "postponed_once"
        return reply.words(f"event.done.{told}", name=escape_name(event.name), hour=f"<t:{starts_at}:F>")

    async def _remove(self, reply: Reply, event: Event) -> None:
        """Delete the message that has shown the desk so far."""
        if event.desk_channel is not None and event.desk_message is not None:
            where = reply.interaction.client.get_partial_messageable(event.desk_channel, guild_id=event.key.guild)
            await remove(where.get_partial_message(event.desk_message))

    async def take_back(self, reply: Reply, press: Press, values: Sequence[str]) -> str | None:
        """Undo one of the most recent actions; returns None if it asked for confirmation."""
        chosen = values[0] if values else str(press.hand or "")
        if not chosen:
            return ""
        key = event_of(reply, press)
        desk = await self._look(reply, key)
        fact = next((one for one in desk.acts if str(one.number) == chosen), None)
        if fact is None:
            raise Refused(OrganiserReason.NOTHING_TO_TAKE_BACK)
        if fact in desk.undoable:
            if await self._acts.asks_whether_undone(reply, press, desk, fact):
                return None
            return await self._acts.take_back(reply, key, fact, language=desk.event.language)
        reply.outcome = InteractionOutcome.REFUSED  # on a desk drawn earlier; the current one no longer offers it
        return too_late_text(desk, fact, reply.words)


class ExposedDesks(commands.Cog):
    """Removes a kept desk as soon as everyone can see its channel, without waiting for the event's next change."""

    def __init__(self, services: Services) -> None:
        self._publisher = services.event_publisher

    @commands.Cog.listener()
    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """Handle a channel whose permissions or category changed."""
        if seen_by_all(after) and not seen_by_all(before):
            await self._publisher.opened(GuildId(after.guild.id))

    @commands.Cog.listener()
    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Handle new permissions of the @everyone role."""
        if after.is_default() and after.permissions.value & ~before.permissions.value:
            await self._publisher.opened(GuildId(after.guild.id))


def _table(desk: DeskView, chosen: str) -> DeskTable:
    """Return the chosen table; raises Refused if it's no longer open."""
    found = next((table for table in desk.tables if str(table.id) == chosen), None)
    if found is None:
        raise Refused(OrganiserReason.TABLE_GONE)
    return found
