"""Organisers' acts, done by a press, a form, a menu, a command, or to take back an entry of the log."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Sequence
from dataclasses import replace
from typing import Any

import discord
from discord import app_commands

from bot.base.clean_text import one_line
from bot.base.meter import Outcome
from bot.chat.event.acts.act import NO_PLAYER, Act, Case, Subject, Use
from bot.chat.event.acts.drawing import form, press_of
from bot.chat.event.acts.organisers import TAKES_BACK
from bot.chat.kit.command_words import described
from bot.chat.kit.custom_ids import Press, long_id
from bot.chat.kit.permissions_here import check_may_write
from bot.chat.kit.reply import Reply
from bot.chat.kit.widgets import Interaction
from bot.chat.services import Services
from bot.model.events import EventFact
from bot.model.ids import EventKey, Player, TableId
from bot.model.limits import LONGEST_ANNOUNCEMENT
from bot.model.reasons import OrganiserReason, SeatReason
from bot.play.event.organisers.organiser import check_organiser
from bot.pure.ofc.refusals import Refused
from bot.text.refusals import refusal
from bot.text.words import escape_name, words_for
from cogs.event.which_event import Number, Subcommand, WhichEvent, event_of, official, subcommand

UNKNOWN_MEMBER, UNKNOWN_USER = 10007, 10013
LONGEST_CHOICE = 9
"""Maximum digits of a number chosen from a menu."""


class OrganisersActs:
    """Does the acts of the table. Each use case checks again whether the person who asks may do it."""

    def __init__(self, services: Services, which: WhichEvent) -> None:
        self._services = services
        self._events = services.events
        self._which = which

    async def do(self, act: Act, reply: Reply, key: EventKey, **values: Any) -> str:
        """Do an act and return the sentence that reports it; raises Refused."""
        assert act.does is not None
        use = await self._use(reply, key, **values)
        if act.members_only:
            await self._check_member(reply, use)
        result = await act.does(use)
        said = act.said if isinstance(act.said, str) else act.said(use, result)
        return use.sentence(said, reply.words, result)

    async def pressed(self, act: Act, reply: Reply, press: Press, written: Sequence[str]) -> str:
        """Do an act with what a button or menu carries and what was written into its form."""
        values: dict[str, Any] = _carried(act, press)
        # A form may be of an earlier version, with fields for what the button already said.
        for ask, value in zip(reversed(act.asked(press.verb)), reversed(written), strict=False):
            values[ask.of] = ask.read(value)
        return await self.do(act, reply, event_of(reply, press), **values)

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

    async def ask(self, act: Act, reply: Reply, press: Press) -> None:
        """Show the form of an act; raises Refused for people who don't organise the event."""
        key, values = event_of(reply, press), _carried(act, press)
        desk = await self._events.at_desk(key, official(reply))
        if act.may is not None:
            await act.may(await self._use(reply, key, **values))
        use = Use(events=self._events, event=desk.event, by=official(reply), cause=reply.cause, **values)
        case = Case(desk=desk, player=use.player, table=use.table)
        called = self._services.faces.names.plain(reply.guild, use.player, reply.words) if use.player else ""
        called = called or reply.words("event_desk.this_person")
        await reply.ask(form(act, press, case, use, reply.words, called=called), again=press)

    async def keep_typed(self, reply: Reply, typed: Sequence[str], act: Awaitable[None]) -> None:
        """Do what a form was written for. If it's refused, show what was typed, so that it isn't lost."""
        try:
            await act
        except Refused as refused:
            reply.outcome = Outcome.REFUSED
            # No form takes more, but not every press comes from a form.
            told = "\n".join(filter(None, map(one_line, typed)))[:LONGEST_ANNOUNCEMENT]
            kept = [f"> {escape_name(line)}" for line in told.splitlines()]
            kept[:0] = [reply.words("event.refuse.typed")] if kept else []
            await reply.say("\n".join([refusal(refused, reply.words), *kept]))

    async def _use(self, reply: Reply, key: EventKey, **values: Any) -> Use:
        """A use by whoever presses; raises Refused if they may not write where the event is announced."""
        event = (await self._events.look(key)).event
        check_may_write(reply.interaction, event.channel)
        return Use(events=self._events, event=event, by=official(reply), cause=reply.cause, **values)

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

    def command(self, act: Act) -> Subcommand:
        """Return the act's subcommand: the player it's about, what it asks for, and the event."""
        person = {"player": (discord.User, "option_player")} if act.about is Subject.PLAYER else {}
        asked = {} if act.sure else {ask.option: (ask.kind, ask.describes) for ask in act.asks}
        options = person | asked

        async def run(interaction: Interaction, event: int | None = None, **given: Any) -> None:
            values = {ask.of: given[ask.option] for ask in act.asks if ask.option in given}
            if person:
                values["player"] = Player(str(given["player"].id))

            async def body(reply: Reply, key: EventKey) -> None:
                if act.sure:
                    await self.typed(act, reply, key, **values)
                else:
                    await reply.say(await self.do(act, reply, key, **values))

            await self._which.run(interaction, event, body)

        # discord.py reads a command's options from the signature of its callback.
        keyword = inspect.Parameter.KEYWORD_ONLY
        made = [inspect.Parameter(name, keyword, annotation=kind) for name, (kind, _) in options.items()]
        first = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Interaction)
        last = inspect.Parameter("event", keyword, annotation=Number | None, default=None)
        run.__signature__ = inspect.Signature([first, *made, last])  # type: ignore[attr-defined]
        told = {name: described(key) for name, (_, key) in options.items()}
        app_commands.describe(**told, event=described("option_event"))(run)
        return subcommand(act.command, run, event=self._which.suggested)

    async def typed(self, act: Act, reply: Reply, key: EventKey, *, player: Player = NO_PLAYER) -> None:
        """Open the form of an act whose command asks once more."""
        desk = await self._events.at_desk(key, official(reply))
        await self.ask(act, reply, press_of(act, Case(desk=desk, player=player)))


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
