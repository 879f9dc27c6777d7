"""The options of an organiser's typed action: the player or table, then the values of its form."""

from __future__ import annotations

from collections.abc import Sequence

from bot.chat.event.acts.act import Act, EventActField, Subject, ValueKind
from bot.chat.event.acts.target import EventTarget, people_for, person_named, table_named, tables_for
from bot.chat.kit.acts.act import ActField, Option
from bot.chat.kit.faces import DisplayNames
from bot.chat.kit.reply import Reply
from bot.chat.kit.typed_choice import NamedChoice


def build_asks(act: Act, names: DisplayNames) -> tuple[ActField[EventTarget], ...]:
    """Return the options of an action."""
    about = {
        Subject.EVENT: (),
        Subject.PLAYER: (_player(act, names),),
        Subject.TABLE: (_table(act, names),),
    }
    return (*about[act.about], *(_value(ask, names) for ask in act.asks))


def _player(act: Act, names: DisplayNames) -> ActField[EventTarget]:
    def choices(reply: Reply, target: EventTarget) -> Sequence[NamedChoice[str]]:
        desk = target.desk
        if desk is None:
            return []
        return [person_named(desk, player, names, reply.guild, reply.words) for player in people_for(act, target)]

    return ActField(
        option=Option.PLAYER,
        label="event_acts.field.player",
        choices=choices,
        members=act.members_only,
        anyone=act.late,  # a ruling's use case says best why it isn't possible
        max_length=100,
    )


def _table(act: Act, names: DisplayNames) -> ActField[EventTarget]:
    def choices(reply: Reply, target: EventTarget) -> Sequence[NamedChoice[str]]:
        return [table_named(table, names, reply.guild, reply.words) for table in tables_for(act, target)]

    return ActField(option=Option.TABLE, label="event_acts.field.table", choices=choices, max_length=100)


def _value(ask: EventActField, names: DisplayNames) -> ActField[EventTarget]:
    def tables(reply: Reply, target: EventTarget) -> Sequence[NamedChoice[str]]:
        found = () if target.desk is None else target.desk.tables
        return [table_named(table, names, reply.guild, reply.words) for table in found]

    def series(reply: Reply, target: EventTarget) -> Sequence[NamedChoice[str]]:
        return [NamedChoice(name=name, value=name) for name in target.series]

    def chosen(reply: Reply, target: EventTarget) -> Sequence[NamedChoice[str]]:
        return [NamedChoice(name=reply.words(key), value=value) for value, key in ask.choices]

    label, hint = "event.why.label", "event.why.hint"
    if ask.field:
        label, hint = f"event_desk.field.{ask.field}", f"event_desk.hint.{ask.field}"
    of_kind = {ValueKind.CHOICE: chosen, ValueKind.SERIES: series}
    named = tables if ask.option is Option.TABLE else of_kind.get(ask.kind)
    free = ask.kind is ValueKind.SERIES
    return ActField(
        option=ask.option,
        label=label,
        hint=hint,
        max_length=max(ask.max_length, 100) if named and not free else ask.max_length,
        long=ask.long,
        optional=ask.optional and not free,  # a missing name doesn't mean no series
        choices=named,
        free=free,
    )
