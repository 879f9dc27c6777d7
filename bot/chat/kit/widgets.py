"""Screens of buttons and menus that survive restarts, because their custom ids contain everything a press needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from zlib import crc32

import discord
from discord import ui
from typing_extensions import override

from bot.chat.kit.custom_ids import Press

Interaction = discord.Interaction[Any]
FIRST_MENU = 1_000
"""The lowest number for menus. Discord assigns smaller numbers to unnumbered parts."""
MENUS = 2_000_000_000
BUTTONS_PER_ROW = 4
"""Maximum number of buttons per row, because phones wrap the fifth."""


Part = Mapping[str, Any]
"""A component as Discord's JSON. discord.py's objects would take more time per press than the rest of the screen."""

(
    ACTION_ROW,
    BUTTON,
    SELECT,
    USER_SELECT,
    CHANNEL_SELECT,
    SECTION,
    TEXT,
    GALLERY,
    FILE,
    SEPARATOR,
    CONTAINER,
) = (
    *(1, 2, 3, 5, 8, 9),
    *(10, 12, 13, 14, 17),
)
"""Discord's component types."""
SELECTS = (SELECT, USER_SELECT, CHANNEL_SELECT)
"""Component types of menus."""
MEDIA = (GALLERY, FILE)
"""Component types that show a message's files."""
WRITTEN_IN = (0, 2, 5, 13)
"""Discord's types of channels with messages, except threads and forums."""
HOLD_THREADS = (0, 5)
"""Types of channels that can have threads."""
SMALL, LARGE = 1, 2
"""Spacing of a separator."""
BLOCK = "```"
"""Delimiter of a code block, for text shown as it was typed."""


class Screen(ui.LayoutView):
    """A message made of components, ready to send. discord.py neither keeps it nor listens to it."""

    def __init__(self, parts: Sequence[Part]) -> None:
        # The base class isn't initialised, because it prepares a view for listening.
        self.parts = tuple(parts)

    @override
    def to_components(self) -> list[dict[str, Any]]:
        """Return the components that discord.py sends."""
        return [dict(part) for part in self.parts]

    @override
    def has_components_v2(self) -> bool:
        """Always True, because a message made of components has no other content."""
        return True

    @property  # type: ignore[explicit-override]  # mypy asks for it despite the decorator below
    @override
    def timeout(self) -> float | None:
        """Always None, because discord.py doesn't listen to screens."""
        return None

    @timeout.setter
    @override
    def timeout(self, value: float | None) -> None:
        raise TypeError("a screen has no listener")

    @override
    def is_finished(self) -> bool:
        """Always True, because discord.py doesn't listen to screens."""
        return True

    @override
    def is_dispatchable(self) -> bool:
        """Always False, because discord.py doesn't listen to screens."""
        return False

    def and_below(self, *parts: Part) -> Screen:
        """Return the screen with ``parts`` below it."""
        return Screen((*self.parts, *parts))

    def and_above(self, told: str) -> Screen:
        """Return the screen with a line above it."""
        return Screen((text(told), *self.parts))

    def walk(self) -> Iterator[Part]:
        """Yield every component, including nested ones."""
        return walk(self.parts)

    @override
    def __repr__(self) -> str:
        return f"<Screen {self.parts}>"


def walk(parts: Iterable[Part]) -> Iterator[Part]:
    """Yield every component, including nested ones."""
    for part in parts:
        yield part
        yield from walk(part.get("components", ()))
        if "accessory" in part:
            yield part["accessory"]


def button(
    press: Press | str,
    label: str | None,
    *,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    emoji: discord.PartialEmoji | None = None,
    disabled: bool = False,
) -> Part:
    """Return a button with ``press``, which may also be an encoded custom id."""
    part: dict[str, Any] = {
        "type": BUTTON,
        "style": style.value,
        "custom_id": f"c1:{press}",
        "disabled": disabled,
    }
    if label:
        part["label"] = label
    if emoji is not None:
        part["emoji"] = emoji.to_dict()
    return part


def link(url: str, label: str) -> Part:
    """Return a button that opens ``url``."""
    return {"type": BUTTON, "style": discord.ButtonStyle.link.value, "url": url, "label": label}


def select(
    press: Press | str,
    options: Sequence[discord.SelectOption],
    *,
    placeholder: str,
    most: int = 1,
    number: int | None = None,
) -> Part:
    """Return a row with a menu for choosing up to ``most`` of ``options``, including none.

    ``number`` distinguishes the menu from earlier ones in its place. By default, it's derived from the custom id and
    the current choices.
    """
    menu = {"type": SELECT, "options": [option.to_dict() for option in options]}
    return _menu(menu, press, placeholder, most=min(most, len(options)), number=number)


def user_select(press: Press, *, placeholder: str, most: int = 1, number: int | None = None) -> Part:
    """Return a row with a menu for choosing up to ``most`` members of the server."""
    return _menu({"type": USER_SELECT}, press, placeholder, most=most, number=number)


def channel_select(
    press: Press,
    *,
    chosen: Sequence[int] = (),
    placeholder: str,
    most: int = 1,
    kinds: Sequence[int] = WRITTEN_IN,
    number: int | None = None,
) -> Part:
    """Return a row with a menu of the server's channels with messages."""
    values = [{"id": str(channel), "type": "channel"} for channel in chosen]
    menu = {"type": CHANNEL_SELECT, "channel_types": kinds, "default_values": values}
    return _menu(menu, press, placeholder, most=most, number=number)


def _menu(menu: Part, press: Press | str, placeholder: str, *, most: int, number: int | None = None) -> Part:
    carried: dict[str, Any] = {
        "custom_id": f"s1:{press}",
        "placeholder": placeholder[:150],
        "min_values": 0,
        "max_values": most,
    }
    # A client keeps showing the choice in a menu as long as its number is unchanged. The choice may have been refused,
    # or another manager may have changed the values since, so the number depends on the current values.
    holds = [option["value"] for option in menu.get("options", ()) if option["default"]]
    holds += [one["id"] for one in menu.get("default_values", ())]
    named = " ".join([carried["custom_id"], *holds])
    numbered = FIRST_MENU + crc32(named.encode()) % MENUS if number is None else number
    return {"type": ACTION_ROW, "components": [{**menu, **carried, "id": numbered}]}


def number_in(drawing: int, place: int) -> int:
    """Return a menu's number in a drawing. It changes every time, because clients would keep showing an old choice."""
    return FIRST_MENU + drawing % 100_000_000 * 16 + place


def button_rows(buttons: Sequence[Part]) -> list[Part]:
    """Return the buttons in rows of at most four, evenly filled (five make three and two)."""
    rows = -(-len(buttons) // BUTTONS_PER_ROW)
    size = -(-len(buttons) // rows) if rows else 1
    return [{"type": ACTION_ROW, "components": buttons[start : start + size]} for start in range(0, len(buttons), size)]


def rows_in_threes(buttons: Sequence[Part]) -> list[Part]:
    """Return the buttons in rows of three, so that longer labels fit a phone's width."""
    return [{"type": ACTION_ROW, "components": buttons[start : start + 3]} for start in range(0, len(buttons), 3)]


def text(content: str) -> Part:
    """Return a text component."""
    return {"type": TEXT, "content": content}


def separator(*, line: bool, room: int = SMALL) -> Part:
    """Return spacing between two parts, with or without a line."""
    return {"type": SEPARATOR, "divider": line, "spacing": room}


def section(content: str, accessory: Part) -> Part:
    """Return a text with a button next to it."""
    return {"type": SECTION, "components": [text(content)], "accessory": accessory}


MAX_DESCRIPTION_LENGTH = 1024
"""Maximum characters of a picture's description."""


def gallery(name: str, *, description: str) -> Part:
    """Return the component for the attached picture ``name``."""
    shown = {"media": {"url": f"attachment://{name}"}, "description": description[:MAX_DESCRIPTION_LENGTH]}
    return {"type": GALLERY, "items": [shown]}


def file_part(name: str) -> Part:
    """Return the component for the attached file ``name``. Files without a component aren't shown."""
    return {"type": FILE, "file": {"url": f"attachment://{name}"}}


def apart(blocks: Sequence[str]) -> list[str | Part]:
    """Return text blocks with spacing between them."""
    parts: list[str | Part] = []
    for block in blocks:
        parts += [separator(line=False), block] if parts else [block]
    return parts


def screen(*parts: str | Part, colour: int) -> Screen:
    """Return a message with a single container. Strings become text components."""
    shown = [text(part) if isinstance(part, str) else part for part in parts]
    return Screen([{"type": CONTAINER, "components": shown, "accent_color": colour}])


def notice(text: str, *, colour: int) -> Screen:
    """Return a message with a short text."""
    return screen(text, colour=colour)
