"""Organisers' acts, done by a press, a form, a menu, a command, or to take back an entry of the log."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import discord
from discord import app_commands

from bot.base.meter import Outcome
from bot.chat.event.acts.act import NO_PLAYER, NO_TABLE, Act, Ask, Case, Kind, Reading, Subject, Use
from bot.chat.event.acts.drawing import fields_of, form, press_of
from bot.chat.event.acts.organisers import ACTS, TAKES_BACK
from bot.chat.kit.acts.act import Option
from bot.chat.kit.command_words import described, named
from bot.chat.kit.custom_ids import Press, long_id
from bot.chat.kit.fragments import as_typed_before, refused_form
from bot.chat.kit.permissions_here import check_may_write
from bot.chat.kit.reply import Reply
from bot.chat.kit.widgets import Interaction
from bot.chat.services import Services
from bot.model.events import EventFact
from bot.model.ids import EventKey, Player, TableId
from bot.model.reasons import OrganiserReason, SeatReason, TableReason
from bot.play.event.organisers.organiser import check_organiser
from bot.pure.ofc.refusals import Refused
from bot.text.refusals import refusal
from bot.text.words import words_for
from bot.text.zones import zone_of
from cogs.event.which_event import Number, Subcommand, WhichEvent, authority_of, event_of, official, subcommand

UNKNOWN_MEMBER, UNKNOWN_USER = 10007, 10013
LONGEST_CHOICE = 9
"""Maximum digits of a number chosen from a menu."""
NO_RIGHT = (OrganiserReason.NOT_ORGANISER, OrganiserReason.PLAYS_HERE, TableReason.MAY_NOT_WRITE)
"""Refusals that no other value could change."""
NOTHING_GIVEN: Mapping[Option, str] = MappingProxyType({})


class OrganisersActs:
    """Does the acts of the table. Each use case checks again whether the person who asks may do it."""

    def __init__(self, services: Services, which: WhichEvent) -> None:
        self._services = services
        self._events = services.events
        self._which = which

    async def do(self, act: Act, reply: Reply, key: EventKey, **values: Any) -> str:
        """Do an act and return the sentence that reports it; raises Refused."""
        assert act.does is not None
        use = await self.use(reply, key, **values)
        if act.members_only:
            await self._check_member(reply, use)
        result = await act.does(use)
        said = act.said if isinstance(act.said, str) else act.said(use, result)
        return use.sentence(said, reply.words, result)

    async def pressed(self, act: Act, reply: Reply, press: Press, written: Sequence[str]) -> str:
        """Do an act with what a button or menu carries and what was written into its form."""
        key, values = event_of(reply, press), _carried(act, press)
        if written:
            reading = await self.reading(reply, key)
            # A form may be of an earlier version, with fields for what the button already said.
            for ask, value in zip(reversed(act.asked(press.verb)), reversed(written), strict=False):
                values[ask.of] = ask.read(value, reading)
        return await self.do(act, reply, key, **values)

    async def typed(
        self,
        act: Act,
        reply: Reply,
        key: EventKey,
        *,
        player: Player = NO_PLAYER,
        table: TableId = NO_TABLE,
        given: Mapping[Option, str] = NOTHING_GIVEN,
    ) -> None:
        """Do an act that was typed with all that it needs. Otherwise open its form or its page.

        The form has what was ``given``, by option. What can't be taken back is asked once more.
        """
        case = Case(desk=await self._events.at_desk(key, official(reply)), player=player, table=table)
        press = press_of(act, case)
        written = [given.get(ask.option, "") for ask in act.asks]
        if act.does is None:
            await self._services.gate.handle(reply, press, [])
        elif act.sure or not all(written):
            await self.ask(act, reply, press, written)
        else:
            try:
                said = await self.pressed(act, reply, press, written)
            except Refused as refused:
                if not written or refused.reason in NO_RIGHT:
                    raise
                await self.show_refused(act, reply, press, written, refused)
            else:
                await reply.say(said)

    async def take_back(self, reply: Reply, key: EventKey, fact: EventFact, *, language: str) -> str:
        """Take an entry of the log back. The reason is given in the event's ``language``."""
        return await self.do(
            TAKES_BACK[fact.kind],
            reply,
            key,
            player=Player(str(fact.details.get("player", ""))),
            table=TableId(int(fact.details.get("table", 0))),
            number=fact.number,
            text=words_for(language)("event_desk.taken_back"),
        )

    async def ask(self, act: Act, reply: Reply, press: Press, written: Sequence[str] = ()) -> None:
        """Show the form or the page of an act; raises Refused for people who don't organise the event.

        The form has what was ``written``, or what a refusal that was pressed shows.
        """
        key, values = event_of(reply, press), _carried(act, press)
        desk = await self._events.at_desk(key, official(reply))
        if act.may is not None:
            await act.may(await self.use(reply, key, **values))
        use = Use(events=self._events, event=desk.event, by=official(reply), cause=reply.cause, **values)
        case = Case(desk=desk, player=use.player, table=use.table)
        if act.page is not None:
            await reply.show(act.page(case, reply.words))
            return
        called = self._services.faces.names.plain(reply.guild, use.player, reply.words) if use.player else ""
        called = called or reply.words("event_desk.this_person")
        fields = fields_of(act, press, desk.event, reply.words, written)
        if not any(written):
            fields = as_typed_before(fields, reply.pressed_texts)
        await reply.ask(form(act, press, case, use, reply.words, fields=fields, called=called), again=press)

    async def show_refused(
        self, act: Act, reply: Reply, press: Press, written: Sequence[str], refused: Refused
    ) -> None:
        """Say why a form was refused, with what was typed and the way back to it."""
        reply.outcome = Outcome.REFUSED
        event = (await self._events.look(event_of(reply, press))).event
        fields = fields_of(act, press, event, reply.words)
        values = list(written)[-len(fields) :]
        await reply.show_refused(refused_form(refusal(refused, reply.words), fields, values, press, reply.words))

    async def reading(self, reply: Reply, key: EventKey) -> Reading:
        """Return what the meaning of typed values depends on."""
        server = await self._services.play.server(reply.guild)
        return Reading(
            event=(await self._events.look(key)).event,
            words=reply.words,
            zone=zone_of(server, reply.words.language),
            now_ms=self._services.publisher.now(),
        )

    async def use(self, reply: Reply, key: EventKey, **values: Any) -> Use:
        """A use by whoever presses; raises Refused if they may not write where the event is announced."""
        view = await self._events.look(key)
        event, player = view.event, values.get("player")
        check_may_write(reply.interaction, event.channel)
        server = await self._services.play.server(reply.guild)
        return Use(
            events=self._events,
            event=event,
            by=official(reply),
            cause=reply.cause,
            in_hand=any(table.playing and player in table.players for table in view.tables),
            authority=authority_of(reply.interaction, server, event.structure),
            zone=zone_of(server, reply.words.language),
            **values,
        )

    async def _check_member(self, reply: Reply, use: Use) -> None:
        """Raise Refused if the player isn't in the server or is a bot.

        Discord is only asked for organisers, because the id in a button can be anybody's.
        """
        check_organiser(use.event, use.by)
        guild = reply.interaction.guild
        try:
            member = await guild.fetch_member(int(use.player)) if guild is not None else None
        except discord.HTTPException as error:
            if error.code not in (UNKNOWN_MEMBER, UNKNOWN_USER):
                raise
            member = None
        if member is None:
            raise Refused(OrganiserReason.THEY_LEFT)
        if member.bot:
            raise Refused(SeatReason.NOT_A_BOT)

    # commands

    def commands(self) -> list[Subcommand]:
        """The subcommands of the table."""
        by_name: dict[str, list[Act]] = {}
        for act in ACTS:
            if act.command:
                by_name.setdefault(act.command, []).append(act)
        return [self._command(*sorted(acts, key=lambda act: bool(act.flag))) for acts in by_name.values()]

    def _command(self, act: Act, other: Act | None = None) -> Subcommand:
        """Return a subcommand: the player it's about, what it asks for, and the event. A flag chooses ``other``."""
        person = {"player": (discord.User, "option_player")} if act.about is Subject.PLAYER else {}
        asked = {} if act.sure else {ask.typed_as: (_type_of(ask), ask.describes) for ask in act.asks}
        required = person | asked

        async def run(interaction: Interaction, event: int | None = None, **given: Any) -> None:
            meant = other if other is not None and given.get(other.flag) else act
            whom = Player(str(given["player"].id)) if person else NO_PLAYER
            values = {ask.option: str(given[ask.typed_as]) for ask in act.asks if ask.typed_as in given}

            async def body(reply: Reply, key: EventKey) -> None:
                await self.typed(meant, reply, key, player=whom, given=values)

            await self._which.run(interaction, event, body)

        # discord.py reads a command's options from the signature of its callback.
        keyword = inspect.Parameter.KEYWORD_ONLY
        made = [inspect.Parameter(name, keyword, annotation=kind) for name, (kind, _) in required.items()]
        first = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Interaction)
        last = inspect.Parameter("event", keyword, annotation=Number | None, default=None)
        told = {name: described(key) for name, (_, key) in required.items()}
        if other is not None:
            made.append(inspect.Parameter(other.flag, keyword, annotation=bool, default=False))
            told[other.flag] = described(f"option_{other.flag}")
        run.__signature__ = inspect.Signature([first, *made, last])  # type: ignore[attr-defined]
        app_commands.describe(**told, event=described("option_event"))(run)
        for ask in act.asks if asked else ():
            if ask.kind is Kind.CHOICE:
                offered = [app_commands.Choice(name=named(key), value=value) for value, key in ask.choices]
                app_commands.choices(**{ask.typed_as: offered})(run)
        return subcommand(act.command, run, event=self._which.suggested)


def _type_of(ask: Ask) -> Any:
    """Return the type of a command's option, with its limits."""
    if ask.kind is Kind.CHOICE:
        return str
    if ask.kind is Kind.NUMBER:
        return app_commands.Range[int, ask.smallest, ask.largest]
    return app_commands.Range[str, 1, ask.longest]


def _carried(act: Act, press: Press) -> dict[str, Any]:
    """Return what a press says: whom or what it's about, and the number that was chosen or shown."""
    values: dict[str, Any] = {"number": press.hand}
    if act.about is Subject.PLAYER:
        values["player"] = Player(str(long_id(press.argument)))
    elif act.about is Subject.TABLE:
        values["table"] = TableId(int(press.argument) if press.argument.isdecimal() else 0)
    return values


def chosen_number(act: Act, press: Press, values: Sequence[str]) -> Press | None:
    """Return the press that follows a choice from an act's menu; None if no number was chosen."""
    if not values or not values[0].isdecimal() or len(values[0]) > LONGEST_CHOICE:
        return None
    return replace(press, verb=act.chosen or act.menu, hand=int(values[0]))
