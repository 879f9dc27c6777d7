"""A feature's addition to another feature's post."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.chat.kit.widgets import Part


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedParts:
    """Texts and buttons that are added to a post."""

    drawings: Iterator[Sequence[str]]
    """The blocks of text, from the fullest drawing to the shortest. The post takes the first that fits."""
    buttons: Sequence[Part] = ()
