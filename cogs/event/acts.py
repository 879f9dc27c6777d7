"""Organisers' actions from buttons, forms, menus and commands, and undoing log entries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import discord

from bot.base.meter import InteractionOutcome
from bot.chat.event.acts.act import NO_PLAYER, NO_TABLE, Act, ActContext, ActUse, ParseContext, Subject, ValueKind
from bot.chat.event.acts.drawing import SURE, form, form_fields, names_player, sure_screen, undo_screen
from bot.chat.event.acts.organisers import TAKES_BACK, undone_by
from bot.chat.kit.custom_ids import Press, long_id
from bot.chat.kit.fragments import as_typed_before, refused_form
from bot.chat.kit.permissions_here import check_may_write, parse_people
from bot.chat.kit.presses import picked_values
from bot.chat.kit.reply import Reply
from bot.chat.services import Services
from bot.model.events import EventFact
from bot.model.ids import EventKey, Player, TableId
from bot.model.reasons import OrganiserReason, SeatReason, TableReason
from bot.play.event.organisers.organiser_desk import DeskView
from bot.pure.ofc.refusals import Refused
from bot.text.refusals import refusal
from bot.text.words import words_for
from bot.text.zones import zone_of
from cogs.event.which_event import EventAccess, authority_of, desk_of, event_of, official

UNKNOWN_MEMBER, UNKNOWN_USER = 10007, 10013
MAX_CHOICE_LENGTH = 9
"""Maximum digits of a number chosen from a menu."""
NO_RIGHT = (
    OrganiserReason.NOT_ORGANISER,
    OrganiserReason.PLAYS_HERE,
    OrganiserReason.PLAYED_HERE,
    OrganiserReason.TOO_LATE_TO_RULE,
    OrganiserReason.CALLED_OFF,
    OrganiserReason.NOT_ENDED,
    TableReason.MAY_NOT_WRITE,
)
"""Refusals that don't depend on the value, so there's no point in trying another one."""


class OrganisersActs:
    """Performs the actions in the table of :mod:`bot.chat.event.acts.organisers`.

    Each use case checks the organiser's rights again.
    """

    def __init__(self, services: Services) -> None:
        self._services = services
        self._events = services.events
        self._access = EventAccess(services)

    async def do(self, act: Act, reply: Reply, key: EventKey, **values: Any) -> str:
        """Perform an action and return the report, with a hint on how to undo it if that's possible; raises Refused."""
        return reply.words.side_by_side(
            [await self.done(act, reply, key, **values), *await self._undo_hint(act, reply, key)]
        )

    async def done(self, act: Act, reply: Reply, key: EventKey, **values: Any) -> str:
        """Perform an action and return the sentence that reports it; raises Refused."""
        assert act.does is not None
        use = await self.use(reply, key, **values)
        if act.members_only:
            await self._check_member(reply, use)
        if any(ask.kind is ValueKind.SERIES for ask in act.asks):
            await self._events.require_organiser(use.event.key, use.by)
            await self._access.require_series_visible(reply, use.choice)
        result = await act.does(use)
        said = act.said if isinstance(act.said, str) else act.said(use, result)
        return use.sentence(said, reply.words, result)

    async def _undo_hint(self, act: Act, reply: Reply, key: EventKey) -> list[str]:
        """Return a sentence that names the button to undo ``act``; an empty list if it can't be undone."""
        undo = undone_by(act)
        if undo is None:
            return []
        try:
            desk = await self._events.at_desk(key, official(reply))
        except Refused:  # the event is over, or the member no longer organises it
            return []
        newest = next(iter(desk.acts), None)
        if newest not in desk.undoable or newest.kind != act.logs or newest.actor != reply.player:
            return []
        return [reply.words("event_desk.undo_with", press=reply.words(f"event_desk.button.{undo.name}"))]

    async def pressed(self, act: Act, reply: Reply, press: Press, written: Sequence[str]) -> str:
        """Perform an action with the values of a button or menu and those ``written`` into its form."""
        key, values = event_of(reply, press), _carried(act, press)
        if names_player(act, press):
            chosen = parse_people(reply.interaction, picked_values(written[0]) if written else [])
            if not chosen:
                raise Refused(SeatReason.NOT_A_BOT)
            values["player"], written = chosen[0], written[1:]
        if written:
            reading = await self.reading(reply, key)
            # Forms of an earlier version may start with extra fields, for values that the button now carries.
            for ask, value in zip(reversed(act.asked(press.verb)), reversed(written), strict=False):
                if value.strip() or not ask.optional:
                    values[ask.of] = ask.read(value, reading)
        return await self.do(act, reply, key, **values)

    async def asks_whether(self, act: Act, reply: Reply, press: Press, written: Sequence[str]) -> bool:
        """Ask for confirmation of an action that bars the organiser or can't be undone; True if the question was shown.

        For actions with a form, the form already shows the warning, so there's no extra question.
        """
        if written or press.street == SURE:
            return False
        carried = _carried(act, press)
        about_it = ActContext(
            desk=await desk_of(self._services, reply, event_of(reply, press)),
            player=carried.get("player", NO_PLAYER),
            table=carried.get("table", NO_TABLE),
        )
        warnings = act.warnings(official(reply), about_it, reply.words) if act.offered(about_it) else []
        if warnings:
            await reply.show(sure_screen(act, press, warnings, reply.words))
        return bool(warnings)

    async def asks_whether_undone(self, reply: Reply, press: Press, desk: DeskView, fact: EventFact) -> bool:
        """Ask for confirmation before undoing ``fact``, if it has warnings; True if the question was shown."""
        warnings = [] if press.street == SURE else self.undo_warnings(reply, desk, fact)
        if warnings:
            await reply.show(undo_screen(press, fact.number, warnings, reply.words))
        return bool(warnings)

    def undo_warnings(self, reply: Reply, desk: DeskView, fact: EventFact) -> list[str]:
        """Return the warnings that an organiser should read before undoing ``fact``."""
        player = Player(str(fact.details.get("player", "")))
        return TAKES_BACK[fact.kind].warnings(official(reply), ActContext(desk=desk, player=player), reply.words)

    async def take_back(self, reply: Reply, key: EventKey, fact: EventFact, *, language: str) -> str:
        """Undo ``fact``. The reason is logged in the event's ``language``."""
        return await self.do(
            TAKES_BACK[fact.kind],
            reply,
            key,
            player=Player(str(fact.details.get("player", ""))),
            table=TableId(int(fact.details.get("table", 0))),
            number=fact.number,
            text=words_for(language)("event_desk.taken_back"),
        )

    def asks_first(self, act: Act, press: Press, written: Sequence[str]) -> bool:
        """True if a press only opens the form or page of an action."""
        if act.page is not None:
            return press.verb != act.confirms
        return not written and bool(act.asks or names_player(act, press))

    async def ask(self, act: Act, reply: Reply, press: Press, written: Sequence[str] = ()) -> None:
        """Show the form or page of an action; raises Refused unless the member organises the event.

        The form is filled in with ``written``, or with the values shown with a refusal.
        """
        key, values = event_of(reply, press), _carried(act, press)
        desk = await desk_of(self._services, reply, key)
        if act.may is not None:
            await act.may(await self.use(reply, key, **values))
        use = ActUse(events=self._events, event=desk.event, by=official(reply), cause=reply.cause, **values)
        case = ActContext(desk=desk, player=use.player, table=use.table)
        if act.page is not None:
            await reply.show(act.page(case, reply.words))
            return
        if act.shows_terms and act.terms is not None:
            press = replace(press, terms=act.terms(case))
        called = self._services.faces.names.plain(reply.guild, use.player, reply.words) if use.player else ""
        called = called or reply.words("event_desk.this_person")
        fields = form_fields(act, press, desk.event, reply.words, written)
        if not any(written):
            fields = as_typed_before(fields, reply.pressed_texts)
        await reply.ask(form(act, press, case, use, reply.words, fields=fields, called=called), again=press)

    async def show_refused(
        self, act: Act, reply: Reply, press: Press, written: Sequence[str], refused: Refused
    ) -> None:
        """Report why a form was refused, with the typed values and a button that reopens it."""
        reply.outcome = InteractionOutcome.REFUSED
        event = (await self._events.look(event_of(reply, press))).event
        fields = form_fields(act, press, event, reply.words)
        values = list(written)[-len(fields) :]
        await reply.show_refused(refused_form(refusal(refused, reply.words), fields, values, press, reply.words))

    async def reading(self, reply: Reply, key: EventKey) -> ParseContext:
        """Return the context for parsing typed values."""
        server, view = await self._services.play.server(reply.guild), await self._events.look(key)
        return ParseContext(
            event=view.event,
            words=reply.words,
            zone=zone_of(server, reply.words.language),
            now_ms=self._services.publisher.now(),
            tables={line.table.number: line.info.table for line in view.tables},
        )

    async def use(self, reply: Reply, key: EventKey, **values: Any) -> ActUse:
        """Return the use of an action by the member who pressed the button.

        Raises Refused if they may not write in the event's channel.
        """
        view = await self._events.look(key)
        event, player = view.event, values.get("player")
        check_may_write(reply.interaction, event.channel)
        server = await self._services.play.server(reply.guild)
        return ActUse(
            events=self._events,
            event=event,
            by=official(reply),
            cause=reply.cause,
            in_hand=any(table.playing and player in table.players for table in view.tables),
            authority=authority_of(reply.interaction, server, event.structure),
            zone=zone_of(server, reply.words.language),
            numbers=view.table_numbers,
            **values,
        )

    async def _check_member(self, reply: Reply, use: ActUse) -> None:
        """Raise Refused if the player is a bot or not in the server.

        The organiser's rights are checked first, because a button's id can be forged and each check costs a request to
        Discord.
        """
        await self._events.require_organiser(use.event.key, use.by)
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


def _carried(act: Act, press: Press) -> dict[str, Any]:
    """Return the values that a press carries, such as its player or table and the number chosen or shown."""
    values: dict[str, Any] = {"number": press.hand}
    if act.terms is not None:
        values["terms"] = press.terms
    if act.about is Subject.PLAYER:
        values["player"] = NO_PLAYER if names_player(act, press) else Player(str(long_id(press.argument)))
    elif act.about is Subject.TABLE:
        values["table"] = TableId(int(press.argument) if press.argument.isdecimal() else 0)
    return values


def chosen_number(act: Act, press: Press, values: Sequence[str]) -> Press | None:
    """Return the press that follows a choice from an action's menu; None if no number was chosen."""
    if not values or not values[0].isdecimal() or len(values[0]) > MAX_CHOICE_LENGTH:
        return None
    return replace(press, verb=act.chosen or act.menu, hand=int(values[0]))
