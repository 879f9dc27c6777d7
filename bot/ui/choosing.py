"""Answers to pages of choices: a choice is written, and then the page is shown as it is now."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace

from bot.meter import Outcome
from bot.ofc.refusals import Refused
from bot.text.refusals import refusal
from bot.ui.choice_page import C, Change, ChoiceError, ChoicePage, PageState, R, Reader, TypedRow, mark_after
from bot.ui.custom_ids import Press
from bot.ui.gate import Gate
from bot.ui.reply import PressHandler, Reply

Guard = Callable[[PressHandler], PressHandler]
"""Lets those presses through whose presser may choose."""


def answer_page(
    page: ChoicePage[R, C],
    gate: Gate,
    *,
    state: Callable[[Reply], Awaitable[PageState[R, C]]],
    keep: Callable[[Reply, Change[R]], Awaitable[None]],
    then: Callable[[Reply], Awaitable[None]] | None = None,
    guard: Guard = lambda handler: handler,
) -> None:
    """Route the presses of all rows: ``keep`` writes a choice, the page is shown, and ``then`` follows a kept one."""

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
                reply.outcome, problem, mark = Outcome.REFUSED, why_refused(refused, reply), mark_after(press)
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


def why_refused(refused: ChoiceError | Refused, reply: Reply) -> str:
    """Return the sentence that says why a choice was refused."""
    if isinstance(refused, ChoiceError):
        return reply.words(refused.key, **refused.values)
    return refusal(refused, reply.words)
