"""The actions of ``/event`` on the member's draft: filling it in, publishing it and deleting it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.chat.event.acts.target import EventTarget
from bot.chat.event.screens.draft.event_choices import TOPICS
from bot.chat.event.screens.draft.form import FORM, LASTING, THIS_DATE
from bot.chat.kit.acts.act import ActField, ActValues, Option, TypedAct
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.gate import Gate
from bot.chat.kit.reply import Reply
from bot.chat.kit.typed_choice import NamedChoice
from bot.model.ids import TableId
from cogs.event.creation import EventCreation

DraftAct = TypedAct[EventTarget]
Does = Callable[[Reply, EventTarget, ActValues], Awaitable[str]]
MAX_TOPIC_LENGTH = 60


def draft_acts(creation: EventCreation, gate: Gate) -> tuple[DraftAct, ...]:
    """Return the actions."""

    async def fill_in(reply: Reply, target: EventTarget, values: ActValues) -> str:
        await gate.handle(reply, FORM.but("ev_form_ask", values.value or ""), [])
        return ""

    async def publish(reply: Reply, target: EventTarget, values: ActValues) -> str:
        await creation.publish_typed(reply, values.value or "")
        return ""

    async def drop(reply: Reply, target: EventTarget, values: ActValues) -> str:
        await gate.handle(reply, Press(verb="ev_form_drop", table=TableId(0), hand=1), [])
        return ""

    topic: ActField[EventTarget] = ActField(
        option=Option.VALUE, label="event_acts.field.topic", max_length=MAX_TOPIC_LENGTH, optional=True, choices=_topics
    )
    dates: ActField[EventTarget] = ActField(
        option=Option.VALUE, label="event_acts.field.dates", max_length=MAX_TOPIC_LENGTH, optional=True, choices=_dates
    )
    return (
        _act("draft", fill_in, asks=(topic,)),
        _act("publish", publish, asks=(dates,)),
        _act("drop_draft", drop, sure=True),
    )


def _act(key: str, does: Does, *, asks: tuple[ActField[EventTarget], ...] = (), sure: bool = False) -> DraftAct:
    return TypedAct(
        key=key,
        name=f"event_acts.name.{key}",
        says=f"event_acts.says.{key}",
        also=f"event_acts.also.{key}",
        when=lambda target: target.event is None and target.announces,
        does=does,
        asks=asks,
        likely=lambda target: False,
        sure=sure,
    )


def _dates(reply: Reply, target: EventTarget) -> list[NamedChoice[str]]:
    """Return the dates that a change to a repeating event can hold for."""
    return [
        NamedChoice(name=reply.words("event_form.save_once"), value=THIS_DATE),
        NamedChoice(name=reply.words("event_form.save_lasting"), value=LASTING),
    ]


def _topics(reply: Reply, target: EventTarget) -> list[NamedChoice[str]]:
    """Return all forms of the page by name. Forms that share a topic have their own names."""
    return [
        NamedChoice(name=reply.words(f"event_form.{'part' if part != topic else 'sections'}.{part}"), value=part)
        for topic, parts in TOPICS.items()
        for part in parts
    ]
