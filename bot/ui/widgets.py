"""Buttons and selects that survive restarts: what they carry stands in their custom ids, and no view is kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, assert_never
from zlib import crc32

import discord
from discord import ui
from typing_extensions import override

from bot.model.ids import TableId
from bot.ui.custom_ids import BUTTON_TEMPLATE, MODAL_TEMPLATE, SELECT_TEMPLATE, Press, decode

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
    ROLE_SELECT,
    CHANNEL_SELECT,
    SECTION,
    TEXT,
    GALLERY,
    FILE,
    SEPARATOR,
    CONTAINER,
) = (
    *(1, 2, 3, 5, 6, 8, 9),
    *(10, 12, 13, 14, 17),
)
"""Discord's types of components."""
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


def pressed(interaction: Interaction) -> tuple[Press, Sequence[str]] | None:
    """The press and chosen or written values of a component or a modal, or None for any other interaction.

    Presses are taken from the raw interaction: discord.py hands a DynamicItem only those whose custom id is still on
    the message, drops the second press of a double click on a panel that was redrawn in between, and forgets modals at
    a restart. So screens and forms are finished when they are made: discord.py then neither keeps nor listens to them.
    """
    data: Any = interaction.data
    kinds = (discord.InteractionType.component, discord.InteractionType.modal_submit)
    if interaction.type not in kinds or not data:
        return None
    custom_id = str(data.get("custom_id", ""))
    templates = (BUTTON_TEMPLATE, SELECT_TEMPLATE, MODAL_TEMPLATE)
    match = next((found for template in templates if (found := template.fullmatch(custom_id))), None)
    if match is None:
        return Press(verb="", table=TableId(0)), ()  # no id of this bot: it is answered like any unknown verb
    values = data.get("values") or (_written(data["components"]) if data.get("components") else ())
    # Half of a surrogate pair cannot be written as UTF-8, and so not be stored.
    return decode(match), tuple(str(value).encode("utf-8", "replace").decode("utf-8") for value in values)


def _written(components: Sequence[Any]) -> Iterator[str]:
    """What was written into the fields of a modal, or chosen in them, in order: one text for each field."""
    for component in components:
        if "values" in component:
            yield BETWEEN.join(map(str, component["values"]))
        elif "value" in component:
            yield component["value"] or ""
        yield from _written(component.get("components") or ())
        if "component" in component:
            yield from _written([component["component"]])


@dataclass(frozen=True, slots=True, kw_only=True)
class FormField:
    """One field of a modal."""

    label: str
    value: str = ""
    most: int = 100
    long: bool = False
    hint: str = ""
    optional: bool = False
    """True where an empty field says something."""


BETWEEN = ","
"""What stands between the values of a field of a modal in which several were chosen."""
MOST_FIELDS = 5
"""Fields that Discord takes in a modal."""
MOST_RADIOS = 10
"""Options that it takes where one is chosen with one tap."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormChoice:
    """A field of a modal in which one of some options is chosen; those that are chosen already say so themselves."""

    label: str
    options: Sequence[discord.SelectOption]
    hint: str = ""
    several: bool = False
    """True where any number may be chosen, none as well."""
    optional: bool = False
    """True where none may be chosen."""


class Named(Enum):
    """What a server has that is chosen from all that there are."""

    CHANNEL = "channel"
    ROLE = "role"
    USER = "user"


@dataclass(frozen=True, slots=True, kw_only=True)
class FormPick:
    """A field of a modal in which channels, a role or a person of the server are chosen."""

    label: str
    kind: Named
    chosen: Sequence[int] = ()
    hint: str = ""
    most: int = 1
    kinds: Sequence[int] = WRITTEN_IN
    """Of channels, Discord's types."""
    optional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FormFile:
    """A field of a modal that takes a file, or none; its value is what Discord calls the file."""

    label: str
    hint: str = ""


AnyField = FormField | FormChoice | FormPick | FormFile


def modal(press: Press, title: str, fields: Sequence[AnyField], *, said: str = "") -> ui.Modal:
    """A form that carries ``press``; what is written and chosen comes back as its values, one for each field.

    ``said`` stands above the fields.
    """
    form = ui.Modal(title=title[:45], custom_id=f"m1:{press}", timeout=None)
    if said:
        form.add_item(ui.TextDisplay(said))
    for field in fields:
        form.add_item(ui.Label(text=field.label[:45], description=field.hint[:100] or None, component=_control(field)))
    form.stop()
    return form


def _control(field: AnyField) -> ui.Item[Any]:
    match field:
        case FormField():
            return ui.TextInput(
                style=discord.TextStyle.paragraph if field.long else discord.TextStyle.short,
                default=field.value or None,
                max_length=field.most,
                required=not (field.long or field.optional),
            )
        case FormChoice():
            return _choice(field)
        case FormPick():
            return _pick(field)
        case FormFile():
            return ui.FileUpload(required=False, min_values=0, max_values=1)
    assert_never(field)


def _choice(field: FormChoice) -> ui.Item[Any]:
    """Tapped once where Discord has room for all options, else a menu."""
    options = list(field.options)
    if field.several:
        boxes = [
            discord.CheckboxGroupOption(
                label=one.label, value=one.value, description=one.description, default=one.default
            )
            for one in options
        ]
        return ui.CheckboxGroup(options=boxes, min_values=0, max_values=len(boxes), required=False)
    if 1 < len(options) <= MOST_RADIOS:
        radios = [
            discord.RadioGroupOption(label=one.label, value=one.value, description=one.description, default=one.default)
            for one in options
        ]
        return ui.RadioGroup(options=radios, required=not field.optional)
    return ui.Select(options=options, required=not field.optional, min_values=int(not field.optional))


def _pick(field: FormPick) -> ui.Item[Any]:
    least, chosen = int(not field.optional), field.chosen[: field.most]
    kind = discord.SelectDefaultValueType(field.kind.value)
    values = [discord.SelectDefaultValue(id=one, type=kind) for one in chosen]
    if field.kind is Named.USER:
        return ui.UserSelect(
            required=not field.optional, min_values=least, max_values=field.most, default_values=values
        )
    if field.kind is Named.ROLE:
        return ui.RoleSelect(
            required=not field.optional, min_values=least, max_values=field.most, default_values=values
        )
    return ui.ChannelSelect(
        channel_types=[discord.ChannelType(kind) for kind in field.kinds],
        required=not field.optional,
        min_values=least,
        max_values=field.most,
        default_values=values,
    )


def picked(value: str) -> list[str]:
    """The values of a field of a modal in which several were chosen."""
    return [one for one in value.split(BETWEEN) if one]


LONGEST_ID = 19
"""Digits of an id of Discord."""


def ids_of(values: Sequence[str]) -> list[int]:
    """Those of the chosen values that are ids of Discord."""
    return [int(value) for value in values if value.isascii() and value.isdigit() and len(value) <= LONGEST_ID]


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


def role_select(press: Press, *, chosen: int | None, placeholder: str, number: int | None = None) -> Part:
    """A row with a select of one of the server's roles."""
    menu = {"type": ROLE_SELECT, "default_values": [{"id": str(chosen), "type": "role"}] if chosen else []}
    return _menu(menu, press, placeholder, most=1, number=number)


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
