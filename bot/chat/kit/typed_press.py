"""Pressing by typing: running a screen's buttons and menus by their labels.

A command that shows a screen has an option ``do``. It accepts the label of a button on the screen, and does what a
press on that button would do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from discord import app_commands

from bot.chat.kit.custom_ids import BUTTON_TEMPLATE, SELECT_TEMPLATE, Press, decode
from bot.chat.kit.text_only import named_button
from bot.chat.kit.widgets import BUTTON, SECTION, SELECT, Interaction, Part, Screen, walk
from bot.text.words import Words

LABEL_LENGTH = 100
"""Maximum length of a command's choice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedPress:
    """A button, or an option of a menu, that can be pressed by typing."""

    label: str
    press: Press
    values: Sequence[str] = ()


def typed_presses(screens: Iterable[Screen], words: Words) -> list[TypedPress]:
    """Return the enabled buttons and menu options on the screens, without duplicate labels."""
    found: dict[str, TypedPress] = {}
    for screen in screens:
        for one in _on(screen, words):
            found.setdefault(one.label.casefold(), one)
    return list(found.values())


def find_press(typed: str, presses: Sequence[TypedPress]) -> TypedPress | None:
    """Return the press for a typed label, or for the start of exactly one label; otherwise None."""
    wanted = typed.strip().casefold()
    whole = [one for one in presses if one.label.casefold() == wanted]
    begun = [one for one in presses if one.label.casefold().startswith(wanted)]
    return whole[0] if whole else begun[0] if len(begun) == 1 else None


def matching_labels(typed: str, presses: Sequence[TypedPress], *, most: int = 25) -> list[str]:
    """Return the labels that contain the typed text."""
    return [one.label for one in presses if typed.strip().casefold() in one.label.casefold()][:most]


def _on(screen: Screen, words: Words) -> Iterable[TypedPress]:
    beside = {id(part["accessory"]): part["components"] for part in screen.walk() if part["type"] == SECTION}
    for part in walk(screen.parts):
        if part["type"] == BUTTON and not part.get("disabled") and part.get("label"):
            texts = beside.get(id(part))
            label = part["label"] if texts is None else named_button(texts, part["label"], words)
            if match := BUTTON_TEMPLATE.fullmatch(str(part.get("custom_id", ""))):
                yield TypedPress(label=label[:LABEL_LENGTH].strip(), press=decode(match))
        elif part["type"] == SELECT:
            yield from _options(part)


def _options(menu: Part) -> Iterable[TypedPress]:
    match = SELECT_TEMPLATE.fullmatch(str(menu.get("custom_id", "")))
    for option in menu["options"] if match else ():
        if not option.get("default"):
            label = f"{menu.get('placeholder', '')}: {option['label']}"
            assert match is not None
            yield TypedPress(label=label[:LABEL_LENGTH].strip(), press=decode(match), values=(option["value"],))


# The option ``do`` of commands.

if TYPE_CHECKING:
    DoOption = str
else:
    DoOption = app_commands.Range[str, 0, LABEL_LENGTH]


def typed_number(interaction: Interaction, option: str = "table") -> int | None:
    """Return the number already typed in another option; None if there is none."""
    number = getattr(interaction.namespace, option, None)
    return number if isinstance(number, int) else None
