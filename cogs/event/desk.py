"""``/event-admin desk``: the evening on one private page, from which it is run by menus and buttons alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import discord
from discord.ext import commands

from bot.live.kept_messages import remove
from bot.live.services import Services
from bot.meter import Outcome
from bot.model.events import Event, EventFact
from bot.model.ids import EventKey, GuildId, Player, TableId
from bot.model.refusals import PlayReason
from bot.ofc.refusals import Refused
from bot.play.event.organisers.evening import DeskTable, DeskView
from bot.text.words import words_for
from bot.ui.custom_ids import Press, long_id
from bot.ui.event.desk.details import act_text, person_screen, table_screen, too_late_text
from bot.ui.event.desk.page import MOST_MENUS, PAGE, Pen, desk_screen, over_screen, pen_for, people_screen
from bot.ui.event.tools import announcement_form, reason_form
from bot.ui.fragments import MOST_OPTIONS, player_name
from bot.ui.gate import PressKind
from bot.ui.permissions_here import check_may_write, missing_permissions, people_of, seen_by_all
from bot.ui.reply import PressHandler, Reply
from cogs.event.tools import Done, OrganisersTools
from cogs.event.which_event import Subcommand, WhichEvent, chosen_player, event_of, official

UNKNOWN_MEMBER, UNKNOWN_USER = 10007, 10013
MOST_ASKED = 10
"""Names that are asked for before a desk is shown, as after a restart; the next drawing asks for more."""
NAMES_SECONDS = 2.0
"""A desk waits so long at most for them."""


class OrganisersDesk:
    """The desk. Whoever presses is asked again by each use case whether they may; what was done is said on the desk."""

    def __init__(self, services: Services, which: WhichEvent, tools: OrganisersTools) -> None:
        self._services = services
        self._events = services.events
        self._which = which
        self._tools = tools
        private: dict[str, PressHandler] = {
            "ev_desk": self.open,
            "ev_d_people": self.people,
            "ev_d_person": self.person,
            "ev_d_guest": self.guest,
            "ev_d_table": self.table,
        }
        for verb, handler in private.items():
            services.gate.route(verb, handler)
        acts: dict[str, Done] = {
            "ev_d_call": self._call,
            "ev_d_call_at": self._call_table,
            "ev_d_call_all": self._call_missing,
            "ev_d_register": self._register,
            "ev_d_check_in": self._check_in,
            "ev_d_unlist": self._unlist,
            "ev_d_away": self._sit_out,
            "ev_d_back": self._bring_back,
            "ev_d_stay": self._stay,
            "ev_d_help": self._help,
            "ev_d_unhelp": self._unhelp,
            "ev_d_back_in": self._reinstate,
            "ev_d_pause": self._pause,
            "ev_d_resume": self._resume,
            "ev_d_hold": self._hold,
            "ev_d_release": self._release,
            "ev_d_undo": self._take_back,
            "ev_d_keep": self._keep,
            "ev_d_let_go": self._let_go,
        }
        # A menu's choice asks for the reason; the form does it.
        services.gate.route("ev_d_penal", self.choose_penalty)
        services.gate.route("ev_d_to", self.choose_move)
        written: dict[str, Done] = {
            "ev_d_penalty": self._penalty,
            "ev_d_move": self._move,
            "ev_d_out": self._disqualify,
            "ev_d_void": self._end_hand,
            "ev_d_say": self._say,
        }
        tools.route(acts, written, show=self._show_done, ask=self._ask)

    def command(self) -> Subcommand:
        """``/event-admin desk``."""
        return self._which.command("desk", self._open, kind=PressKind.PRIVATE)

    # screens

    async def open(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The desk, as things stand now; once the event is over it says so, and nothing can be pressed."""
        key = event_of(reply, press)
        try:
            await self._open(reply, key)
        except Refused as refused:
            if refused.reason is not PlayReason.EVENT_OVER:
                raise
            await reply.show(over_screen((await self._events.look(key)).event, reply.words))

    async def _open(self, reply: Reply, key: EventKey, *, said: str = "") -> None:
        desk = await self._look(reply, key)
        named = [line.entrant.player for line in desk.people[: MOST_MENUS * MOST_OPTIONS]]
        named += [player for table in desk.tables[:MOST_OPTIONS] for player in table.line.players]
        await reply.show(desk_screen(desk, await self.pen(reply, named), said=said))

    async def _look(self, reply: Reply, key: EventKey) -> DeskView:
        return await self._events.at_desk(key, official(reply))

    async def pen(self, reply: Reply, players: Sequence[Player]) -> Pen:
        """What a screen is written with; some of the names that are not known are asked for, as Discord has room."""
        known = self._services.faces.names
        if unknown := known.to_ask(reply.guild, dict.fromkeys(players)):
            await self._services.seated_names.ask(reply.guild, unknown[:MOST_ASKED], seconds=NAMES_SECONDS)
        return pen_for(known, reply.guild, reply.words, mark=reply.interaction.id >> 22)

    async def people(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """A page of those who take part."""
        desk = await self._look(reply, event_of(reply, press))
        named = [line.entrant.player for line in desk.people[press.hand * PAGE : (press.hand + 1) * PAGE]]
        await reply.show(people_screen(desk, await self.pen(reply, named), page=press.hand))

    async def person(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Somebody was chosen from a menu of the event's people."""
        await self._person(reply, event_of(reply, press), chosen_player(values))

    async def guest(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Anybody was found by name."""
        chosen = people_of(reply.interaction, values)
        if values and not chosen:
            raise Refused(PlayReason.NOT_A_BOT)
        await self._person(reply, event_of(reply, press), chosen[0] if chosen else None)

    async def _person(self, reply: Reply, key: EventKey, player: Player | None) -> None:
        if player is None:
            await self._open(reply, key)
            return
        desk = await self._look(reply, key)
        await reply.show(person_screen(desk, player, await self.pen(reply, [player])))

    async def table(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """A table was chosen from the menu."""
        key = event_of(reply, press)
        if not values:
            await self._open(reply, key)
            return
        desk = await self._look(reply, key)
        table = _table(desk, values[0])
        await reply.show(table_screen(desk, table, await self.pen(reply, table.line.players)))

    async def _show_done(self, reply: Reply, press: Press, said: str) -> None:
        await self._open(reply, event_of(reply, press), said=said)

    async def _ask(self, reply: Reply, press: Press) -> None:
        """Show the form of an act to those who may do it."""
        desk = await self._look(reply, event_of(reply, press))
        if press.verb == "ev_d_say":
            await reply.ask(announcement_form(press, reply.words), again=press)
            return
        title = reply.words(f"event_desk.form.{press.verb.removeprefix('ev_d_')}", **self._about(reply, press))
        said = act_text(desk, press.verb, _player(press), reply.words, hands=press.hand)
        await reply.ask(reason_form(press, title, reply.words, said=said), again=press)

    def _about(self, reply: Reply, press: Press) -> dict[str, str | int]:
        """Who or what a form speaks of."""
        if press.verb == "ev_d_void":
            return {"table": press.argument}
        player = self._services.faces.names.plain(reply.guild, _player(press), reply.words)
        values: dict[str, str | int] = {"player": player or reply.words("event_desk.this_person")}
        if press.verb == "ev_d_move":
            values["table"] = press.hand
        return values | ({"count": press.hand} if press.verb == "ev_d_penalty" else {})

    async def choose_penalty(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """So many hands."""
        await self._chosen(reply, press, values, verb="ev_d_penalty")

    async def choose_move(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """That table."""
        await self._chosen(reply, press, values, verb="ev_d_move")

    async def _chosen(self, reply: Reply, press: Press, values: Sequence[str], *, verb: str) -> None:
        if not values or not values[0].isdecimal() or len(values[0]) > 9:
            await self._person(reply, event_of(reply, press), _player(press))
            return
        await self._ask(reply, replace(press, verb=verb, hand=int(values[0])))

    # acts

    async def _call(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        key = event_of(reply, press)
        by = await self._tools.speaker(reply, key)
        called = await self._events.call_person(key, by, _player(press), cause=reply.cause)
        return self._called(reply, called)

    async def _call_table(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        key = event_of(reply, press)
        by = await self._tools.speaker(reply, key)
        called = await self._events.call_table(key, by, table=_table_id(press), cause=reply.cause)
        return self._called(reply, called)

    async def _call_missing(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        key = event_of(reply, press)
        called = await self._events.call_missing(key, await self._tools.speaker(reply, key), cause=reply.cause)
        return self._called(reply, called)

    def _called(self, reply: Reply, called: Sequence[Player]) -> str:
        return reply.words("event_desk.done.called", count=len(called))

    async def _register(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        return await self._enter(reply, event_of(reply, press), _player(press))

    async def _enter(self, reply: Reply, key: EventKey, player: Player) -> str:
        by = await self._tools.speaker(reply, key)
        await self._check_member(reply, key, player)
        await self._events.register_for(key, by, player, cause=reply.cause)
        return reply.words("event_desk.done.registered", player=player_name(player, reply.words))

    async def _check_member(self, reply: Reply, key: EventKey, player: Player) -> None:
        """Raise Refused for somebody who is not in the server any more, and for a bot.

        Discord is asked for organisers alone: an id in a button can be anybody's.
        """
        await self._look(reply, key)
        guild = reply.interaction.guild
        try:
            member = await guild.fetch_member(int(player)) if guild is not None else None
        except discord.HTTPException as error:
            if error.code not in (UNKNOWN_MEMBER, UNKNOWN_USER):
                raise
            member = None
        if member is None:
            raise Refused(PlayReason.THEY_LEFT)
        if member.bot:
            raise Refused(PlayReason.NOT_A_BOT)

    async def _check_in(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        key, player = event_of(reply, press), _player(press)
        await self._events.check_in_for(key, await self._tools.speaker(reply, key), player, cause=reply.cause)
        return reply.words("event_desk.done.checked_in", player=player_name(player, reply.words))

    async def _unlist(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        return await self._tools.unlist(reply, event_of(reply, press), _player(press))

    async def _sit_out(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        return await self._attend(reply, event_of(reply, press), _player(press), away=True)

    async def _bring_back(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        return await self._attend(reply, event_of(reply, press), _player(press), away=False)

    async def _attend(self, reply: Reply, key: EventKey, player: Player, *, away: bool) -> str:
        by = await self._tools.speaker(reply, key)
        await self._events.attend(key, by, player, away=away, cause=reply.cause)
        said = "event_desk.done.sat_out" if away else "event_desk.done.brought_back"
        return reply.words(said, player=player_name(player, reply.words))

    async def _stay(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        return await self._not_move(reply, event_of(reply, press), _player(press))

    async def _not_move(self, reply: Reply, key: EventKey, player: Player) -> str:
        await self._events.stay(key, await self._tools.speaker(reply, key), player, cause=reply.cause)
        return reply.words("event_desk.done.stays", player=player_name(player, reply.words))

    async def _help(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        await self._check_member(reply, event_of(reply, press), _player(press))
        return await self._tools.share(reply, event_of(reply, press), _player(press), remove=False)

    async def _unhelp(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        return await self._tools.share(reply, event_of(reply, press), _player(press), remove=True)

    async def _reinstate(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        return await self._tools.reinstate(reply, event_of(reply, press), _player(press))

    async def _penalty(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        key = event_of(reply, press)
        return await self._tools.punish(reply, key, _player(press), hands=press.hand, why=values[0])

    async def _move(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        key = event_of(reply, press)
        return await self._tools.seat(reply, key, _player(press), table=TableId(press.hand), why=values[0])

    async def _disqualify(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        key, player = event_of(reply, press), _player(press)
        by = await self._tools.speaker(reply, key)
        await self._events.disqualify(key, by, player, why=values[0], cause=reply.cause)
        return reply.words("event.done.disqualified", player=player_name(player, reply.words))

    async def _end_hand(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        key, table = event_of(reply, press), _table_id(press)
        by = await self._tools.speaker(reply, key)
        await self._events.end_hand(key, by, table=table, hand_no=press.hand, why=values[0], cause=reply.cause)
        return reply.words("event_desk.done.hand_ended", table=table)

    async def _say(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        return await self._tools.say(reply, event_of(reply, press), values[0])

    async def _pause(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        return await self._tools.pause(reply, event_of(reply, press))

    async def _resume(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        return await self._tools.resume(reply, event_of(reply, press))

    async def _hold(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        return await self._hold_table(reply, event_of(reply, press), _table_id(press), held=True)

    async def _release(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        return await self._hold_table(reply, event_of(reply, press), _table_id(press), held=False)

    async def _hold_table(self, reply: Reply, key: EventKey, table: TableId, *, held: bool) -> str:
        by = await self._tools.speaker(reply, key)
        await self._events.hold(key, by, table=table, held=held, cause=reply.cause)
        return reply.words("event_desk.done.held" if held else "event_desk.done.released", table=table)

    async def _keep(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        """Keep the desk in this channel, which not everyone may see."""
        key, channel = event_of(reply, press), reply.interaction.channel_id or 0
        if seen_by_all(reply.interaction.channel) is not False:
            raise Refused(PlayReason.READ_BY_ALL)
        check_may_write(reply.interaction)
        if missing_permissions(reply.interaction):
            raise Refused(PlayReason.MAY_NOT_KEEP)
        before = await self._events.keep_desk(key, official(reply), channel=channel, cause=reply.cause)
        if before.desk_channel != channel:
            await self._remove(reply, before)
        return reply.words("event_desk.done.kept")

    async def _let_go(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        """Keep it nowhere any more."""
        key = event_of(reply, press)
        await self._remove(reply, await self._events.let_desk_go(key, official(reply), cause=reply.cause))
        return reply.words("event_desk.done.let_go")

    async def _remove(self, reply: Reply, event: Event) -> None:
        """Delete the message that showed the desk so far."""
        if event.desk_channel is not None and event.desk_message is not None:
            where = reply.interaction.client.get_partial_messageable(event.desk_channel, guild_id=event.key.guild)
            await remove(where.get_partial_message(event.desk_message))

    async def _take_back(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        """Take one of the newest acts back, if that is still possible."""
        if not values:
            return ""
        key = event_of(reply, press)
        desk = await self._look(reply, key)
        fact = next((one for one in desk.acts if str(one.number) == values[0]), None)
        if fact is None:
            raise Refused(PlayReason.NOTHING_TO_TAKE_BACK)
        if fact in desk.undoable:
            return await self._undo(reply, key, fact, language=desk.event.language)
        reply.outcome = Outcome.REFUSED  # of a desk drawn earlier: the one that is shown now offers it no more
        return too_late_text(desk, fact, reply.words)

    async def _undo(self, reply: Reply, key: EventKey, fact: EventFact, *, language: str) -> str:
        player, table = Player(str(fact.details.get("player", ""))), TableId(int(fact.details.get("table", 0)))
        match fact.kind:
            case "disqualified":
                return await self._tools.reinstate(reply, key, player)
            case "registered_for":
                return await self._tools.unlist(reply, key, player)
            case "unregistered":
                return await self._enter(reply, key, player)
            case "penalty":
                by, why = await self._tools.speaker(reply, key), words_for(language)("event_desk.taken_back")
                await self._events.lift_penalty(key, by, number=fact.number, why=why, cause=reply.cause)
                return reply.words("event.done.penalty_off", player=player_name(player, reply.words))
            case "sat_out":
                return await self._attend(reply, key, player, away=False)
            case "to_be_moved":
                return await self._not_move(reply, key, player)
            case "helper" | "helper_removed":
                return await self._tools.share(reply, key, player, remove=fact.kind == "helper")
            case "held":
                return await self._hold_table(reply, key, table, held=False)
            case _:
                return await self._tools.resume(reply, key)


class OpenedChannels(commands.Cog):
    """Desks that are kept in a channel go as soon as everybody sees it, and not with the next change of their event."""

    def __init__(self, services: Services) -> None:
        self._publisher = services.event_publisher

    @commands.Cog.listener()
    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """A channel was changed: its own permissions, or it was moved to another category."""
        if seen_by_all(after) and not seen_by_all(before):
            await self._publisher.opened(GuildId(after.guild.id))

    @commands.Cog.listener()
    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """What everybody may do in the server was changed."""
        if after.is_default() and after.permissions.value & ~before.permissions.value:
            await self._publisher.opened(GuildId(after.guild.id))


def _player(press: Press) -> Player:
    return Player(str(long_id(press.argument)))


def _table_id(press: Press) -> TableId:
    return TableId(int(press.argument) if press.argument.isdecimal() else 0)


def _table(desk: DeskView, chosen: str) -> DeskTable:
    """The table that was chosen; raises Refused where it isn't open any more."""
    found = next((table for table in desk.tables if str(table.number) == chosen), None)
    if found is None:
        raise Refused(PlayReason.TABLE_GONE)
    return found
