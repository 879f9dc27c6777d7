"""A position of the trainer with the draft of an answer, the same for puzzles and mistakes."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property

from typing_extensions import override

from bot.chat.kit.custom_ids import Press
from bot.chat.table.screens.placement_draft import PlacementPanel
from bot.play.trainer.mistake_views import MistakeView
from bot.play.trainer.views import PuzzleView
from bot.pure.ofc.view import HandView
from bot.pure.trainer.position import view_of
from bot.text.words import Words


@dataclass(frozen=True, kw_only=True)
class PositionPanel(PlacementPanel):
    """A position with the draft of its answer."""

    view: PuzzleView | MistakeView

    @property
    @abstractmethod
    def about(self) -> Press:
        """A press about the position, with the panel's verb."""

    @property
    @abstractmethod
    def prefix(self) -> str:
        """Prefix of the controls' verbs, which distinguishes them from the table's controls of the same name."""

    @abstractmethod
    def title(self, words: Words) -> str:
        """Return a title that names the game."""

    @cached_property
    @override
    def hand(self) -> HandView:
        """The position as a player's view of a hand."""
        return view_of(self.view.position, self.view.variant)

    @cached_property
    @override
    def press(self) -> Press:
        """The data that every control of this panel carries."""
        draft = self.placement_draft
        return replace(self.about, street=self.hand.street, draft=draft.draft, chosen=draft.next_card)

    @override
    def control(self, verb: str, argument: str = "") -> str:
        """Return a control's custom id."""
        return super().control(self.prefix + verb, argument)
