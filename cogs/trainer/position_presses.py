"""Placing the cards of a position by pressing and by typing, the same for puzzles and mistakes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Generic, TypeAlias, TypeVar

from discord import app_commands

from bot.base.meter import InteractionOutcome
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.reply import Reply
from bot.chat.services import Services
from bot.chat.table.screens.placement_draft import redrawn
from bot.chat.table.screens.typed_placement import TypedCardsError, read, slip_text, suggested, typed_in
from bot.chat.trainer.screens.position_panel import PositionPanel
from bot.chat.trainer.screens.puzzle import puzzle_in
from bot.model.puzzles import PuzzleName
from bot.model.refusals import Stale
from bot.play.trainer.mistake_views import CorrectionView, MistakeView
from bot.play.trainer.views import AnswerView, PuzzleView

Handler: TypeAlias = Callable[[Reply, Press, Sequence[str]], Awaitable[None]]
Asked: TypeAlias = PuzzleView | MistakeView
"""A position that its reader hasn't answered."""
P = TypeVar("P", bound=PositionPanel)
V = TypeVar("V")
DRAWING = ("card", "row", "undo")
"""The controls that change only the draft."""


class PositionPresses(ABC, Generic[P, V]):
    """The presses and typed placements of one kind of position, with panel ``P`` and views ``V``."""

    prefix: str
    """Prefix of the controls' verbs."""
    panel_of: type[P]
    look_first: str
    """Key of the sentence for an answer typed before there was a position."""
    put_off: str
    """Key of the sentence for a position that comes back tomorrow."""

    def __init__(self, services: Services) -> None:
        self.services = services

    def route(self, handlers: Mapping[str, Handler]) -> None:
        """Register the controls of the panel, and these others."""
        own: dict[str, Handler] = {
            **dict.fromkeys(DRAWING, self.draw),
            "confirm": self.confirm,
            "next": self.next,
            "later": self.later,
        }
        for verb, handler in {**own, **handlers}.items():
            self.services.gate.route(self.prefix + verb, self.present(handler), anywhere=True)

    @abstractmethod
    async def look(self, reply: Reply) -> None:
        """Show all screens whose buttons are suggested for typing, without any effect."""

    async def pressable(self, reply: Reply) -> None:
        """Show all screens whose buttons can be typed."""
        await self.look(reply)

    @abstractmethod
    async def given(self, reply: Reply) -> Asked | None:
        """Return the position that the player was given and hasn't answered."""

    @abstractmethod
    async def give(self, reply: Reply) -> V:
        """Return the position that the player was given, or choose one."""

    @abstractmethod
    async def put_aside(self, reply: Reply, name: PuzzleName) -> V:
        """Let a position come back tomorrow, and return the next one."""

    @abstractmethod
    async def look_at(self, reply: Reply, press: Press) -> V:
        """Return the position in a press; raises Refused if it's gone."""

    @abstractmethod
    async def answered(self, reply: Reply, panel: P, letters: str) -> V:
        """Answer a panel's position, and return what to show."""

    @abstractmethod
    async def show(self, reply: Reply, content: V | P, *, told: str = "") -> None:
        """Show a position, a panel with its draft, or an answer. ``told`` is a line above it."""

    # by pressing

    def present(self, handler: Handler) -> Handler:
        """Wrap a handler so that a late or repeated press shows the position's current state."""

        async def handled(reply: Reply, press: Press, values: Sequence[str]) -> None:
            try:
                await handler(reply, press, values)
            except Stale:
                reply.outcome = InteractionOutcome.STALE
                view = await self.look_at(reply, press)
                was_answered = isinstance(view, AnswerView | CorrectionView)
                await self.show(reply, view, told=reply.words("puzzle.answered_before") if was_answered else "")

        return handled

    async def _panel(self, reply: Reply, press: Press) -> P:
        """Return the pressed panel. Raises Refused if its position is gone, and Stale if it can't be answered."""
        view = await self.look_at(reply, press)
        if not isinstance(view, Asked) or view.name != puzzle_in(press):
            raise Stale
        return self.panel_of(view=view, draft=press.draft, chosen=press.chosen)

    async def draw(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Change the draft. If the player's settings say so, placing the last card also confirms."""
        verb = press.verb.removeprefix(self.prefix)
        panel = redrawn(await self._panel(reply, press), verb, press.argument, values)
        if verb == "row" and reply.member_settings.confirm_at_once and panel.can_confirm:
            await self._answer(reply, panel, panel.placement_draft.letters)
        else:
            await self.show(reply, panel)

    async def confirm(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Answer with the draft."""
        panel = await self._panel(reply, press)
        if not panel.placement_draft.complete:
            raise Stale
        await self._answer(reply, panel, panel.placement_draft.letters)

    async def _answer(self, reply: Reply, panel: P, letters: str) -> None:
        await self.show(reply, await self.answered(reply, panel, letters))

    async def next(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the next position."""
        await self.show(reply, await self.give(reply))

    async def later(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Let the position come back tomorrow, and show the next one."""
        await self.show(reply, await self.put_aside(reply, puzzle_in(press)), told=reply.words(self.put_off))

    # by typing

    async def typed(self, reply: Reply, cards: str) -> None:
        """Answer the position that the player was given. If they weren't given one, show one without answering it."""
        view = await self.given(reply)
        if view is not None:
            await self.answer_typed(reply, view, cards)
            return
        chosen, told = await self.give(reply), ""
        if isinstance(chosen, Asked):
            reply.outcome = InteractionOutcome.REFUSED
            told = reply.words(self.look_first)
        await self.show(reply, chosen, told=told)

    async def answer_typed(self, reply: Reply, view: Asked, cards: str) -> None:
        """Answer a position. If the typed cards aren't a placement, say why."""
        panel = self.panel_of(view=view)
        try:
            letters = typed_in(read(cards).text, panel)
        except TypedCardsError as slip:
            await reply.refuse(slip_text(slip, panel, reply.words, where=panel.title(reply.words)))
            return
        await self._answer(reply, panel, letters)

    async def meant(self, reply: Reply, do: str) -> Asked | None:
        """Return the position that typed cards would answer, with this text in ``do``."""
        return await self.given(reply)

    async def suggest(self, reply: Reply, current: str, do: str) -> list[app_commands.Choice[str]]:
        """Suggest placements that start with the typed text, naming their cards."""
        view = await self.meant(reply, do)
        if view is None:
            return []
        fitting = suggested(self.panel_of(view=view), current, reply.words, reply.member_settings)
        return [app_commands.Choice(name=name, value=typed) for name, typed in fitting]
