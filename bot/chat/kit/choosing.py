"""Handlers for pages and forms of choices, which store a choice and then show the updated page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace

from bot.base.meter import InteractionOutcome
from bot.chat.kit.choice_form import ChoiceForm, Former, FormRow
from bot.chat.kit.choice_page import (
    C,
    Change,
    ChoiceError,
    ChoicePage,
    PageState,
    R,
    Reader,
    TypedRow,
    build_press,
    mark_after,
)
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.form_terms import FormOutdatedError, require_current
from bot.chat.kit.fragments import as_typed_before, refused_form
from bot.chat.kit.gate import Gate
from bot.chat.kit.permissions_here import known_ids
from bot.chat.kit.reply import PressHandler, Reply
from bot.chat.kit.widgets import Screen
from bot.model.refusals import Stale
from bot.pure.ofc.refusals import Refused
from bot.text.refusals import refusal

Guard = Callable[[PressHandler], PressHandler]
"""Wraps a handler so that only players with permission to choose reach it."""


def answer_page(
    page: ChoicePage[R, C],
    gate: Gate,
    *,
    state: Callable[[Reply], Awaitable[PageState[R, C]]],
    keep: Callable[[Reply, Change[R]], Awaitable[None]],
    then: Callable[[Reply], Awaitable[None]] | None = None,
    guard: Guard = lambda handler: handler,
) -> None:
    """Route the presses on all rows. ``keep`` stores a choice, and ``then`` runs after the page is shown."""

    def choosing(readers: Mapping[str, Reader[R]]) -> PressHandler:
        async def choose(reply: Reply, press: Press, values: Sequence[str]) -> None:
            reader = readers.get(press.argument) or readers.get("")
            kept, problem, mark = False, "", ""
            try:
                change = None if reader is None else reader(press, values, reply.words)
                if change is not None:
                    await keep(reply, change)
                    kept = True
            except (ChoiceError, Refused) as refused:
                reply.outcome, problem, mark = (
                    InteractionOutcome.REFUSED,
                    why_refused(refused, reply),
                    mark_after(press),
                )
            await reply.show(page.screen(replace(await state(reply), problem=problem, mark=mark)))
            if then is not None and kept:
                await then(reply)

        return choose

    def asking(row: TypedRow[R, C]) -> PressHandler:
        async def ask(reply: Reply, press: Press, values: Sequence[str]) -> None:
            await reply.ask(row.form(await state(reply)), again=press)

        return ask

    for verb, readers in page.readers().items():
        gate.route(verb, guard(choosing(readers)))
    for row in page.rows:
        if isinstance(row, TypedRow):
            gate.route(row.verb, guard(asking(row)))


def answer_form(
    form: ChoiceForm[R, C],
    gate: Gate,
    *,
    state: Callable[[Reply, Press], Awaitable[PageState[R, C]]],
    keep: Callable[[Reply, Press, Change[R]], Awaitable[Screen | None]],
    show: Callable[[Reply, str], Awaitable[None]],
    guard: Guard = lambda handler: handler,
) -> None:
    """Route a form's button, its submission and the controls that it replaced. ``keep`` stores the choices.

    ``show`` shows the page afterwards, with the reason if a press on a former control was refused. ``keep`` may return
    another screen to show instead, such as a question. A refused form is offered again with all the entered values. The
    change passed to ``keep`` also refuses a form if the values it showed have changed since.
    """

    async def ask(reply: Reply, press: Press, values: Sequence[str]) -> None:
        now = await state(reply, press)
        fields = as_typed_before(form.fields(now), reply.pressed_texts, known=known_ids(reply.interaction))
        await reply.ask(form.modal(now, fields, press.argument), again=build_press(form.ask, press.argument))

    async def take(reply: Reply, press: Press, values: Sequence[str]) -> None:
        now = await state(reply, press)
        fields = form.fields(now)
        if len(values) != len(fields):
            raise Stale

        def change(before: R) -> R:
            require_current(press, form.fields(replace(now, record=before)), values, reply.words)
            return form.change(values, now)(before)

        try:
            following = await keep(reply, press, change)
        except (ChoiceError, FormOutdatedError, Refused) as refused:
            reply.outcome, again = InteractionOutcome.REFUSED, build_press(form.ask, press.argument)
            await reply.show_refused(refused_form(why_refused(refused, reply), fields, values, again, reply.words))
            return
        await (show(reply, "") if following is None else reply.show(following))

    def answering(row: FormRow[R, C], entered: Former[R, C]) -> PressHandler:
        async def press_former(reply: Reply, press: Press, values: Sequence[str]) -> None:
            now, problem, following = await state(reply, press), "", None
            value = entered(press, values, now)
            try:
                if value is not None:
                    following = await keep(reply, press, row.read(value, now))
            except (ChoiceError, Refused) as refused:
                reply.outcome, problem = InteractionOutcome.REFUSED, why_refused(refused, reply)
            await (show(reply, problem) if following is None else reply.show(following))

        return press_former

    gate.route(form.ask, guard(ask))
    gate.route(form.answer, guard(take))
    for verb, row, entered in form.former():
        gate.route(verb, guard(answering(row, entered)))


def why_refused(refused: ChoiceError | FormOutdatedError | Refused, reply: Reply) -> str:
    """Return the reason for a refusal as a sentence."""
    if isinstance(refused, FormOutdatedError):
        return refused.said
    if isinstance(refused, ChoiceError):
        return reply.words(refused.key, **refused.values)
    return refusal(refused, reply.words)
