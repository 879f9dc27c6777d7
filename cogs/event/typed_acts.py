"""The actions of ``/event`` in the order of suggestions: taking part, viewing, preparing and organising."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from discord import ButtonStyle

from bot.chat.event.acts.act import MAX_TIME_LENGTH, Act, ActContext, ActUse, Subject
from bot.chat.event.acts.drawing import act_press
from bot.chat.event.acts.organisers import ACTS, BY_NAME, undone_by
from bot.chat.event.acts.target import NEWEST, EventTarget, people_for, tables_for
from bot.chat.event.acts.typed_asks import build_asks
from bot.chat.event.screens.desk.page import pen_for, what_undone
from bot.chat.event.screens.screen import SURE, about
from bot.chat.event.screens.taking_part import withdraw_lines
from bot.chat.kit.acts.act import ActField, ActValues, Confirmation, Option, TypedAct, everything
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import NOWHERE
from bot.chat.kit.reply import Reply
from bot.chat.kit.shown_terms import ShownTerms
from bot.chat.kit.typed_choice import NamedChoice
from bot.chat.services import Services
from bot.model.events import Event, Phase
from bot.model.ids import EventKey, Player, TableId
from bot.model.reasons import PlanReason
from bot.play import terms as terms_of
from bot.play.event.office.start_polls import MAX_HOURS
from bot.play.event.organisers.organiser_desk import DeskView
from bot.play.event.trials.rehearsal import MAX_PLAYERS
from bot.play.terms import UNSEEN
from bot.pure.ofc.refusals import Refused
from bot.text.numbers import MAX_NUMBER_LENGTH, whole_number
from cogs.event.acts import OrganisersActs
from cogs.event.creation import EventCreation
from cogs.event.desk import OrganisersDesk
from cogs.event.draft_acts import draft_acts
from cogs.event.rehearsing import RehearsalPages
from cogs.event.start_poll import StartPolls
from cogs.event.taking_part import EventParticipation
from cogs.event.tools import OrganisersTools

Does = Callable[[Reply, EventTarget, ActValues], Awaitable[str]]
EventAct = TypedAct[EventTarget]
MAX_TIMES_LENGTH = 400
MAX_SERIES_LENGTH = 40
ENDS_HANDS = "end_hand"
"""The action that is confirmed only when typed. Its button is on its table's page."""
OWN_ENTRIES = ("show", "rehearse")
"""Organisers' actions with a separate entry, because any member may view and a rehearsal takes a number of players."""
LIKELY_BEFORE = {"desk", "start", "change", "say", "call_missing", "postpone", "cancel"}
LIKELY_NOW = {"desk", "pause", "resume", "say", "call_missing", "penalty", "sit_out", "back_in_play", "take_back"}
"""Organisers' actions suggested before any text is typed: before the start, and while the event is running."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventParts:
    """The handlers that perform the actions."""

    services: Services
    tools: OrganisersTools
    taking_part: EventParticipation
    creation: EventCreation
    poll: StartPolls
    rehearsing: RehearsalPages
    desk: OrganisersDesk
    acts: OrganisersActs


def event_acts(parts: EventParts) -> tuple[EventAct, ...]:
    """Return the actions of ``/event``, most likely first."""
    typed = {
        act.name: organisers_act(act, parts) for act in ACTS if (act.verb or act.menu) and act.name not in OWN_ENTRIES
    }
    first = ("start", "pause", "resume", "call_missing", "say", "penalty", "sit_out", "back_in_play", "move")
    rest = [act for name, act in typed.items() if name not in first]
    return (
        *taking_part_acts(parts),
        _act("desk", _press("ev_desk", parts), when=_organises, likely=_soon("desk")),
        *(typed[name] for name in first),
        take_back(parts),
        *looking_acts(parts),
        *server_acts(parts),
        *draft_acts(parts.creation, parts.services.gate),
        *rest,
        *rehearsing_acts(parts),
        copy(parts),
        everything(lambda target: target.event is None),
    )


def _act(key: str, does: Does, *, when: Callable[[EventTarget], bool], **more: Any) -> EventAct:
    return TypedAct(
        key=key,
        name=f"event_acts.name.{key}",
        says=f"event_acts.says.{key}",
        also=f"event_acts.also.{key}",
        when=when,
        does=does,
        **more,
    )


def _press(verb: str, parts: EventParts) -> Does:
    """Return a function that handles the press of an event button as if its terms hadn't been shown."""

    async def does(reply: Reply, target: EventTarget, values: ActValues) -> str:
        press = _about(target).but(verb, terms=UNSEEN)
        await parts.services.gate.handle(reply, press, [])
        return ""

    return does


def _about(target: EventTarget) -> Press:
    return NOWHERE if target.event is None else about(target.event)


def _event(target: EventTarget) -> Event:
    assert target.event is not None
    return target.event


def _desk(target: EventTarget) -> DeskView:
    assert target.desk is not None
    return target.desk


def _is_event(target: EventTarget) -> bool:
    return target.event is not None


def _takes_part(target: EventTarget) -> bool:
    return target.glance is not None and target.glance.takes_part


def _organises(target: EventTarget) -> bool:
    return target.desk is not None


def _soon(name: str) -> Callable[[EventTarget], bool]:
    """Return a predicate that's True if the organisers' action ``name`` is likely in the event's phase."""

    def likely(target: EventTarget) -> bool:
        if target.phase is not None and target.phase.over:
            return False
        before = target.phase is not None and target.phase.before
        return name in (LIKELY_BEFORE if before else LIKELY_NOW)

    return likely


# Every member


def taking_part_acts(parts: EventParts) -> tuple[EventAct, ...]:
    """Return the actions for taking part."""
    seen, leaving, standing = ShownTerms(), ShownTerms(), ShownTerms()

    def agreeing(verb: str) -> Does:
        """Return a function that handles the press of a button with a fee, which is shown the first time."""

        async def does(reply: Reply, target: EventTarget, values: ActValues) -> str:
            event = _event(target)
            terms = terms_of.of_event(event)
            agreed = seen.take(reply, event.key) == terms
            if not agreed and event.structure.fee:
                seen.remember(reply, event.key, terms)
            press = _about(target).but(verb, terms=terms if agreed else UNSEEN)
            try:
                await parts.services.gate.handle(reply, press, [])
            except Refused:
                seen.take(reply, event.key)  # the refusal showed no terms
                raise
            waiting = (await parts.services.events.look(event.key)).waiting_of(reply.player)
            if waiting is not None and waiting.offered_until is None:
                # They joined the waiting list, so no terms were shown.
                seen.take(reply, event.key)
            return ""

        return does

    async def come(reply: Reply, target: EventTarget, values: ActValues) -> str:
        event, terms = _event(target), UNSEEN
        if target.waits and event.structure.fee:
            # A place at the start costs the fee. Typed a second time, it answers the question of the first.
            shown = terms_of.of_event(event)
            if standing.take(reply, event.key) == shown:
                terms = shown
            else:
                standing.remember(reply, event.key, shown)
        try:
            await parts.services.gate.handle(reply, _about(target).but("ev_checkin", terms=terms), [])
        except Refused:
            standing.take(reply, event.key)  # the refusal showed no terms
            raise
        return ""

    async def withdraw(reply: Reply, target: EventTarget, values: ActValues) -> str:
        event = _event(target)
        press = replace(_about(target).but("ev_withdraw", terms=UNSEEN), street=SURE)
        if event.phase is Phase.RUNNING:
            terms = (await parts.services.events.leave_offer(event.key, reply.player)).terms
            # Typed a second time, it answers the question of the first.
            if leaving.take(reply, event.key) == terms:
                press = _about(target).but("ev_leave", terms=terms)
            else:
                leaving.remember(reply, event.key, terms)
        await parts.services.gate.handle(reply, press, [])
        return ""

    async def asks_to_withdraw(reply: Reply, target: EventTarget, values: ActValues) -> Confirmation | None:
        if target.phase is None or not target.phase.before:
            return None
        said = withdraw_lines(await parts.services.events.withdrawal(_event(target).key, reply.player), reply.words)
        return Confirmation(said="\n".join(said), terms=terms_of.of_form(said), style=ButtonStyle.danger)

    return (
        _act("come", come, when=lambda target: target.may_check_in, explains=_is_event),
        _act("take", agreeing("ev_take"), when=lambda target: target.waits, explains=_is_event),
        _act("enter", agreeing("ev_register"), when=lambda target: target.may_register, explains=_is_event),
        _act("pass", _press("ev_pass", parts), when=lambda target: target.waits, explains=_is_event),
        _act(
            "withdraw",
            withdraw,
            when=lambda target: target.may_withdraw,
            asks_once=asks_to_withdraw,
            explains=_is_event,
        ),
        _act("come_back", _press("ev_return", parts), when=lambda target: target.may_come_back, explains=_is_event),
    )


def looking_acts(parts: EventParts) -> tuple[EventAct, ...]:
    """Return the read-only actions."""

    async def log(reply: Reply, target: EventTarget, values: ActValues) -> str:
        await parts.taking_part.log(reply, _event(target).key)
        return ""

    def drawn(target: EventTarget) -> bool:
        event = target.event
        return event is not None and event.format.heads_up and event.phase in (Phase.RUNNING, Phase.ENDED)

    return (
        _act(
            "standings",
            _press("ev_standings", parts),
            when=_is_open,
            likely=lambda target: target.phase is Phase.RUNNING,
            prefers=_takes_part,
        ),
        _act("bracket", _press("ev_bracket", parts), when=drawn, likely=_is_open, prefers=_takes_part),
        _act(
            "results",
            _press("ev_results", parts),
            when=lambda target: target.phase is not None and target.phase.over,
            likely=lambda target: target.rank <= NEWEST,
        ),
        _act("show", _press("ev_show", parts), when=lambda target: target.event is not None, likely=_is_open),
        _act(
            "calendar",
            _press("ev_calendar", parts),
            when=lambda target: target.event is not None and target.event.starts_at is not None,
            likely=lambda target: target.phase is not None and target.phase.before,
            explains=_is_event,
        ),
        _act(
            "log",
            log,
            when=lambda target: target.may_read_log,
            likely=lambda target: target.phase is Phase.RUNNING,
            explains=_is_event,
        ),
    )


def _is_open(target: EventTarget) -> bool:
    return target.phase is not None and not target.phase.over


def server_acts(parts: EventParts) -> tuple[EventAct, ...]:
    """Return the actions that aren't about an event."""

    async def series(reply: Reply, target: EventTarget, values: ActValues) -> str:
        await parts.taking_part.show_series(reply, values.value or "")
        return ""

    async def create(reply: Reply, target: EventTarget, values: ActValues) -> str:
        await parts.creation.open(reply, when=values.value or "")
        return ""

    async def poll(reply: Reply, target: EventTarget, values: ActValues) -> str:
        hours = whole_number(values.extra) if values.extra else None
        if values.extra and (hours is None or not 1 <= hours <= MAX_HOURS):
            raise Refused(PlanReason.BAD_POLL_HOURS, most=MAX_HOURS)
        await parts.poll.post(reply, values.value, hours=hours)
        return ""

    async def fresh_list(reply: Reply, target: EventTarget, values: ActValues) -> str:
        await parts.services.gate.handle(reply, NOWHERE.but("events"), [])
        return ""

    return (
        _act("list", fresh_list, when=lambda target: target.event is None, kept=True),
        _act(
            "create",
            create,
            when=lambda target: target.event is None and target.announces,
            kept=True,
            asks=(_asked("start", max_length=MAX_TIME_LENGTH, optional=True),),
        ),
        _act(
            "poll",
            poll,
            when=lambda target: target.event is None and target.announces,
            likely=lambda target: False,
            asks=(
                _asked("times", max_length=MAX_TIMES_LENGTH),
                _asked("hours", max_length=MAX_NUMBER_LENGTH, optional=True, option=Option.EXTRA),
            ),
        ),
        _act(
            "series",
            series,
            when=lambda target: target.event is None,
            likely=lambda target: False,
            listed=lambda target: bool(target.series),
            asks=(
                _asked(
                    "series",
                    max_length=MAX_SERIES_LENGTH,
                    optional=True,
                    choices=lambda reply, target: [NamedChoice(name=name, value=name) for name in target.series],
                    free=True,
                ),
            ),
        ),
    )


def _asked(field: str, *, max_length: int, option: Option = Option.VALUE, **more: Any) -> ActField[EventTarget]:
    return ActField(
        option=option,
        label=f"event_acts.field.{field}",
        hint=f"event_acts.hint.{field}",
        max_length=max_length,
        **more,
    )


# Organisers


def organisers_act(act: Act, parts: EventParts) -> EventAct:
    """Return the typed version of an organisers' action."""

    def possible(target: EventTarget) -> bool:
        desk = target.desk
        if desk is None or not act.open_to(target.reader, ActContext(desk=desk)):
            return False
        if act.about is Subject.EVENT:
            return act.offered(ActContext(desk=desk))
        # Any member of the server can be registered or made a co-organiser.
        if act.members_only:
            return act.offered(ActContext(desk=desk, player=NO_ONE))
        found = people_for(act, target) if act.about is Subject.PLAYER else tables_for(act, target)
        return next(iter(found), None) is not None

    async def read_by(
        reply: Reply, target: EventTarget, values: ActValues, *, fully: bool = True
    ) -> tuple[EventKey, dict[str, Any]]:
        """Return the event and the action's values. Without ``fully``, values that can't be parsed are left out."""
        key, read = _event(target).key, {"player": Player(values.player), "table": TableId(values.table)}
        if act.about is Subject.TABLE:
            read["number"] = values.hand
        reading = await parts.acts.reading(reply, key)
        for ask in act.asks:
            if ask.option is Option.TABLE:
                read[ask.of] = values.table
                continue
            written = getattr(values, ask.option.value)
            try:
                if written:
                    read[ask.of] = ask.read(str(written), reading)
            except Refused:
                if fully:
                    raise
        return key, read

    async def does(reply: Reply, target: EventTarget, values: ActValues) -> str:
        if act.does is None:
            await parts.services.gate.handle(reply, act_press(act, target.case), [])
            return ""
        key, read = await read_by(reply, target, values)
        if act.terms is not None:
            read["terms"] = act.terms(target.case)
        return await parts.acts.done(act, reply, key, **read)

    async def means(reply: Reply, target: EventTarget, values: ActValues) -> str:
        key, read = await read_by(reply, target, values, fully=False)
        meant: ActUse = await parts.acts.use(reply, key, **read)
        if act.may is not None:
            await act.may(meant)
        about_it = ActContext(desk=_desk(target), player=meant.player, table=meant.table)
        known = act.about is Subject.EVENT or meant.player or meant.table
        told = [act.means(about_it, meant, reply.words)] if act.means is not None and known else []
        # Other actions show their warnings in a separate question, even if they have no form.
        told += act.warnings(target.reader, about_it, reply.words) if sure else []
        return "\n".join(filter(None, told))

    async def asks_once(reply: Reply, target: EventTarget, values: ActValues) -> Confirmation | None:
        about_it = ActContext(desk=_desk(target), player=Player(values.player), table=TableId(values.table))
        if act.terms is not None:
            said = await means(reply, target, values)
            return Confirmation(said=said, terms=act.terms(about_it), style=ButtonStyle.danger)
        return _warned(act.warnings(target.reader, about_it, reply.words))

    async def question(reply: Reply, target: EventTarget, values: ActValues) -> None:
        await parts.acts.ask(act, reply, act_press(act, target.case))

    back, sure = undone_by(act), act.sure or act.name == ENDS_HANDS
    return _act(
        act.name,
        does,
        when=possible,
        likely=_soon(act.name),
        asks=build_asks(act, parts.services.faces.names),
        sure=sure,
        asks_once=None if sure else asks_once,
        explains=lambda target: (
            _organises(target)
            and act.does is not None
            and act.about is Subject.EVENT
            and all(ask.optional for ask in act.asks if ask.option is Option.VALUE)
            and not any(ask.option is not Option.VALUE for ask in act.asks)
            and not act.page
        ),
        means=means if act.terms is None and (sure or act.means is not None or act.may is not None) else None,
        question=question if act.page is not None else None,
        undo=""
        if back is None
        else back.name
        if back.verb and not back.asks and back.about is Subject.EVENT
        else "take_back",
    )


def _warned(warnings: Sequence[str]) -> Confirmation | None:
    """Return a question with ``warnings``; None if there are none."""
    if not warnings:
        return None
    return Confirmation(said="\n".join(warnings), terms=terms_of.of_form(warnings), style=ButtonStyle.danger)


NO_ONE = Player("0")
"""A player who isn't in the event."""


def take_back(parts: EventParts) -> EventAct:
    """Return the action that undoes one of the most recent actions."""

    def choices(reply: Reply, target: EventTarget) -> list[NamedChoice[str]]:
        desk = target.desk
        if desk is None:
            return []
        context = pen_for(parts.services.faces.names, reply.guild, reply.words, mark=0)
        return [NamedChoice(name=what_undone(desk, fact, context), value=str(fact.number)) for fact in desk.undoable]

    async def does(reply: Reply, target: EventTarget, values: ActValues) -> str:
        meant = replace(_about(target), street=SURE)
        return await parts.desk.take_back(reply, meant, [values.value]) or ""

    async def asks_once(reply: Reply, target: EventTarget, values: ActValues) -> Confirmation | None:
        fact = next((one for one in _desk(target).undoable if str(one.number) == values.value), None)
        return None if fact is None else _warned(parts.acts.undo_warnings(reply, _desk(target), fact))

    return _act(
        "take_back",
        does,
        when=lambda target: target.desk is not None and bool(target.desk.undoable),
        likely=_soon("take_back"),
        asks_once=asks_once,
        asks=(ActField(option=Option.VALUE, label="event_acts.field.done", max_length=100, choices=choices),),
    )


def rehearsing_acts(parts: EventParts) -> tuple[EventAct, ...]:
    """Return the actions that rehearse an event or a draft in private."""

    async def does(reply: Reply, target: EventTarget, values: ActValues) -> str:
        people = whole_number(values.value) if values.value else 0
        if people is None or (values.value and not 2 <= people <= MAX_PLAYERS):
            raise Refused(PlanReason.BAD_REHEARSED, most=MAX_PLAYERS)
        await parts.rehearsing.show(reply, target.number, people, page=0)
        return ""

    asks = (_asked("rehearsed", max_length=MAX_NUMBER_LENGTH, optional=True),)
    return (
        _act(
            "rehearse",
            does,
            when=lambda target: target.desk is not None and target.case.before,
            likely=lambda target: False,
            asks=asks,
            explains=_is_event,
        ),
        _act(
            "rehearse_draft",
            does,
            when=lambda target: target.event is None and target.announces and target.drafts,
            likely=lambda target: False,
            asks=asks,
        ),
    )


def copy(parts: EventParts) -> EventAct:
    """Return the action that copies an event into a new draft."""

    async def does(reply: Reply, target: EventTarget, values: ActValues) -> str:
        await parts.creation.open(reply, when=values.value or "", like=_event(target).key.number)
        return ""

    return _act(
        "copy",
        does,
        when=lambda target: target.event is not None and target.announces,
        likely=lambda target: False,
        asks=(_asked("start", max_length=MAX_TIME_LENGTH, optional=True),),
    )


def is_organisers(act: EventAct) -> bool:
    """True if the action is only available to organisers of the event."""
    return (act.key in BY_NAME and act.key != "show") or act.key in ("desk", "take_back", "rehearse")
