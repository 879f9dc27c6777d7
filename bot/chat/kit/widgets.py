"""Screens of buttons and menus that survive restarts, because their custom ids carry all that a press needs."""

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
"""Menus are numbered from here on: Discord gives parts without a number smaller ones."""
MENUS = 2_000_000_000
BUTTONS_A_ROW = 4
"""Phones wrap the fifth."""


Part = Mapping[str, Any]
"""A component as Discord's JSON has it: discord.py's objects of them cost a press more than what they show."""

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
"""Discord's types of components."""
SELECTS = (SELECT, USER_SELECT, CHANNEL_SELECT)
"""Those that are menus."""
MEDIA = (GALLERY, FILE)
"""Those that show files of their message."""
WRITTEN_IN = (0, 2, 5, 13)
"""Discord's types of channels that hold messages, without threads and forums."""
HOLD_THREADS = (0, 5)
"""Those of them below which there are threads."""
SMALL, LARGE = 1, 2
"""Room beside a separator."""
BLOCK = "```"
"""What stands around a text that is shown as it was typed."""


class Screen(ui.LayoutView):
    """A message whose components are ready to be sent; discord.py neither keeps it nor listens to it."""

    def __init__(self, parts: Sequence[Part]) -> None:
        # Not the base's: what it prepares is for views that are listened to.
        self.parts = tuple(parts)

    @override
    def to_components(self) -> list[dict[str, Any]]:
        """What discord.py sends."""
        return [dict(part) for part in self.parts]

    @override
    def has_components_v2(self) -> bool:
        """A message of components has no other content."""
        return True

    @property  # type: ignore[explicit-override]  # mypy asks for it despite the decorator below
    @override
    def timeout(self) -> float | None:
        """It has none, because nobody listens to it."""
        return None

    @timeout.setter
    @override
    def timeout(self, value: float | None) -> None:
        raise TypeError("nobody listens to a screen")

    @override
    def is_finished(self) -> bool:
        """Nobody listens to it."""
        return True

    @override
    def is_dispatchable(self) -> bool:
        """Nor ever will."""
        return False

    def and_below(self, *parts: Part) -> Screen:
        """The same with more below it."""
        return Screen((*self.parts, *parts))

    def and_above(self, told: str) -> Screen:
        """The same with a line above it."""
        return Screen((text(told), *self.parts))

    def walk(self) -> Iterator[Part]:
        """Every component, also those within others."""
        return walk(self.parts)

    @override
    def __repr__(self) -> str:
        return f"<Screen {self.parts}>"


def walk(parts: Iterable[Part]) -> Iterator[Part]:
    """Every component, also those within others."""
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
    """A button that carries ``press``, which may be given as its custom id has it."""
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
    """A button that leads to an address."""
    return {"type": BUTTON, "style": discord.ButtonStyle.link.value, "url": url, "label": label}


def select(
    press: Press | str,
    options: Sequence[discord.SelectOption],
    *,
    placeholder: str,
    most: int = 1,
    number: int | None = None,
) -> Part:
    """A row with a select of up to ``most`` of ``options`` that carries ``press``; choosing none is allowed.

    ``number`` tells it from others that stand in its place at another time; without one, its id and what holds do.
    """
    menu = {"type": SELECT, "options": [option.to_dict() for option in options]}
    return _menu(menu, press, placeholder, most=min(most, len(options)), number=number)


def user_select(press: Press, *, placeholder: str, most: int = 1, number: int | None = None) -> Part:
    """A row with a select of up to ``most`` of the server's people."""
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
    """A row with a select of the server's channels in which people write."""
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
    # A client keeps what was chosen in a menu for as long as it takes it for the same one. So what holds is a part of
    # its number: another manager may have chosen since, or the choice was refused.
    holds = [option["value"] for option in menu.get("options", ()) if option["default"]]
    holds += [one["id"] for one in menu.get("default_values", ())]
    named = " ".join([carried["custom_id"], *holds])
    numbered = FIRST_MENU + crc32(named.encode()) % MENUS if number is None else number
    return {"type": ACTION_ROW, "components": [{**menu, **carried, "id": numbered}]}


def number_in(drawing: int, place: int) -> int:
    """A menu's number in a drawing of its message: a client would keep what was chosen there in the one before."""
    return FIRST_MENU + drawing % 100_000_000 * 16 + place


def rows_of(buttons: Sequence[Part]) -> list[Part]:
    """The buttons in rows of at most four, evenly filled (five make three and two)."""
    rows = -(-len(buttons) // BUTTONS_A_ROW)
    size = -(-len(buttons) // rows) if rows else 1
    return [{"type": ACTION_ROW, "components": buttons[start : start + size]} for start in range(0, len(buttons), size)]


def rows_in_threes(buttons: Sequence[Part]) -> list[Part]:
    """The buttons in rows of three: longer labels fit a phone's width."""
    return [{"type": ACTION_ROW, "components": buttons[start : start + 3]} for start in range(0, len(buttons), 3)]


def text(content: str) -> Part:
    """A text."""
    return {"type": TEXT, "content": content}


def separator(*, line: bool, room: int = SMALL) -> Part:
    """Room between what is above and below, with or without a line."""
    return {"type": SEPARATOR, "divider": line, "spacing": room}


def section(content: str, accessory: Part) -> Part:
    """A text with a button beside it."""
    return {"type": SECTION, "components": [text(content)], "accessory": accessory}


MOST_DESCRIPTION = 1024
"""Characters that Discord takes of a picture's description."""


def gallery(name: str, *, description: str) -> Part:
    """The attached picture of this name."""
    shown = {"media": {"url": f"attachment://{name}"}, "description": description[:MOST_DESCRIPTION]}
    return {"type": GALLERY, "items": [shown]}


def attached(name: str) -> Part:
    """The attached file of this name: a message made of components shows a file only where one names it."""
    return {"type": FILE, "file": {"url": f"attachment://{name}"}}


def apart(blocks: Sequence[str]) -> list[str | Part]:
    """Blocks of text with room between them."""
    parts: list[str | Part] = []
    for block in blocks:
        parts += [separator(line=False), block] if parts else [block]
    return parts


def screen(*parts: str | Part, colour: int) -> Screen:
    """A message of one container; texts become text displays."""
    shown = [text(part) if isinstance(part, str) else part for part in parts]
    return Screen([{"type": CONTAINER, "components": shown, "accent_color": colour}])


def notice(text: str, *, colour: int) -> Screen:
    """A message of one sentence or a few."""
    return screen(text, colour=colour)
