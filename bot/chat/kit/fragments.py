"""Parts shared by the screens of all packages, such as colours, names, times and common buttons."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from discord import ButtonStyle, SelectOption

from bot.chat.kit.custom_ids import Press, game_argument
from bot.chat.kit.modals import AnyField, FormChoice, FormField, FormFile, FormPick, PickKind
from bot.chat.kit.presses import parse_ids, picked_values
from bot.chat.kit.widgets import ACTION_ROW, BLOCK, Part, Screen, button, button_rows, link, screen
from bot.model.ids import TableId, is_computer, is_pseudonym
from bot.model.tables import Table
from bot.pure.ofc.variants import Variant
from bot.pure.rating.model import Rating
from bot.text.fingerprint import fingerprint
from bot.text.players import computer_name, deleted_name
from bot.text.words import Words

TABLE_COLOUR = 0x2E7D5B
TURN_COLOUR = 0xE0A82E
RESULT_COLOUR = 0x5B6EE1
QUIET_COLOUR = 0x80848E
FOUL_COLOUR = 0xC0392B
SHORT = 8
"""Number of characters in a shortened fingerprint."""
MAX_TEXT_LENGTH = 4000
"""Maximum number of characters in a message's texts."""
MAX_OPTIONS = 25
"""Maximum number of options that Discord allows in a menu."""


def player_name(player: str, words: Words) -> str:
    """Return a mention (which shows the name and is never sent as a ping), or the computer's name."""
    if is_computer(player):
        return computer_name(player, words)
    if is_pseudonym(player):
        return deleted_name(player, words)
    return f"<@{player}>"


def next_match_lines(
    coming: Mapping[str, Any], words: Words, *, key: str = "structure.next_match", player: str = ""
) -> list[str]:
    """Return a player's next match in a bracket, from ``next_match`` data; empty if ``coming`` is.

    If ``player`` is given, the sentences name that player instead of addressing the reader.
    """
    who: dict[str, str] = {"player": player} if player else {}
    if "opponent" in coming:
        return [words(f"{key}.known", opponent=player_name(coming["opponent"], words), **who)]
    of = [player_name(one, words) for one in coming.get("of", ())]
    if not of:
        return [words(f"{key}.open", **who)] if coming else []
    result = "loser" if coming["loses"] else "winner"
    if len(of) == 1:  # the opponent in the match isn't known yet
        return [words(f"{key}.{result}_of_one", first=of[0], **who)]
    return [words(f"{key}.{result}", first=of[0], second=of[1], **who)]


def next_stage(coming: Mapping[str, Any]) -> str:
    """Return the stage of the match in ``next_match`` data; empty if it has none."""
    return str(next(iter(coming.get("stage", ())), ""))


def and_more(count: int, words: Words) -> list[str]:
    """Return the line below a truncated list of people; empty if the list is complete."""
    return [words("event.more_people", count=count)] if count > 0 else []


def names(players: list[str], words: Words) -> str:
    """Return a list of names, such as ``A, B and C``."""
    return words.list([player_name(player, words) for player in players])


def game_line(game: Variant, words: Words) -> str:
    """Return a one-sentence summary of the game, without a server's custom rules."""
    return words(f"variant.{game.key}.summary")


def moment(milliseconds: int) -> str:
    """Return a relative time, which the reader's client keeps up to date."""
    return f"<t:{milliseconds // 1000}:R>"


STEPS = {"first": "⏮", "back": "◀", "next": "▶", "last": "⏭"}
"""Symbols on the buttons that turn pages."""


def step_label(way: str, words: Words) -> str:
    """Return the label of a button in ``STEPS``: in words for readers of *Text only*, otherwise its symbol."""
    return words(f"aloud.{way}") if words.heard else STEPS[way]


def rating_text(rating: Rating, words: Words) -> str:
    """Return a rating, such as ``+0.8 ± 0.3``."""
    mean, off = words.signed_decimal(rating.mean, decimals=1), words.decimal(rating.off, decimals=1)
    return words("leaderboard.rating", mean=mean, off=off)


def date_mark(milliseconds: int) -> str:
    """Return a date and time in the reader's own time zone."""
    return f"<t:{milliseconds // 1000}:f>"


def table_link(table: Table) -> str:
    """Return the URL of a table's message, or of its channel if it has none yet."""
    where = f"https://discord.com/channels/{table.key.guild}/{table.channel}"
    return where if table.message is None else f"{where}/{table.message}"


def text_length(view: Screen) -> int:
    """Return the number of characters in a message's texts, plus one for each text. Discord's limit is 4,000."""
    length, parts = 0, [*view.parts]
    while parts:
        part = parts.pop()
        if "content" in part:
            length += len(part["content"]) + 1
        elif part["type"] != ACTION_ROW:
            parts += part.get("components", ())
    return length


def first_fitting(drawings: Iterable[Screen], *, spare: int = 0) -> Screen:
    """Return the first drawing whose text fits into a message with ``spare`` characters left, or else the last one.

    Raises ValueError if there are no drawings. Later ones are only drawn if they're needed.
    """
    drawn: Screen | None = None
    for drawn in drawings:
        if text_length(drawn) + spare <= MAX_TEXT_LENGTH:
            break
    if drawn is None:
        raise ValueError("there is nothing to draw")
    return drawn


def short_hash(digest: bytes) -> str:
    """Return the first eight hexadecimal digits of a commitment."""
    return f"`{digest.hex()[:SHORT]}`"


def short_fingerprint(digest: bytes) -> str:
    """Return the start of a fingerprint. Players who want to check it find it in full where it was posted."""
    return f"`{fingerprint(digest)[:SHORT]}`"


# Buttons shared by many screens. Each of them opens a separate reply.

NOWHERE = Press(verb="help", table=TableId(0))
"""A press without a table, whose verb is still to be set."""


def how_to_play(words: Words) -> Part:
    """Return the button for the introduction to the game, a single screen for new players."""
    return button(NOWHERE.but("howto"), words("ways.button.how_to_play"))


def guided_hand(words: Words, *, style: ButtonStyle = ButtonStyle.secondary) -> Part:
    """Return the button for the tutorial, a private hand played street by street."""
    return button(NOWHERE.but("learn"), words("ways.button.guided_hand"), style=style)


def lesson(words: Words) -> Part:
    """Return the tutorial's button for a message whose menu stays usable."""
    return button(NOWHERE.but("lesson"), words("ways.button.guided_hand"))


def rules_button(game: Variant, words: Words) -> Part:
    """Return the button for the rules of ``game``."""
    return button(NOWHERE.but("rulebook", game_argument(game)), words("ways.button.rules"))


def verify_hand(table: Table, hand_no: int, words: Words, *, disabled: bool = False) -> Part:
    """Return the button that checks that a finished hand was dealt fairly."""
    press = Press(verb="verify", table=table.key.table, tag=table.tag, hand=hand_no)
    return button(press, words("ways.button.verify"), disabled=disabled)


def how_checked(words: Words) -> Part:
    """Return the button that explains how decks are fixed in advance and how to check them."""
    return button(NOWHERE.but("fairness"), words("fairness.button"))


def practise(words: Words) -> Part:
    """Return the button that starts a hand against the computer."""
    return button(NOWHERE.but("practise"), words("ways.button.practise"), style=ButtonStyle.primary)


def daily_hand(words: Words) -> Part:
    """Return the button for the daily hand, which opens in a private message."""
    return button(NOWHERE.but("daily"), words("ways.button.daily"), style=ButtonStyle.success)


def puzzle(words: Words) -> Part:
    """Return the button for a puzzle, which opens in a private message."""
    return button(NOWHERE.but("puzzle"), words("ways.button.puzzle"))


def my_mistakes(words: Words) -> Part:
    """Return the button for the reader's own mistakes, which open in a private message."""
    return button(NOWHERE.but("mistakes"), words("ways.button.mistakes"))


def for_the_ear(words: Words) -> Part:
    """Return the button for the guide to playing with a screen reader, which also has the setting for it."""
    return button(NOWHERE.but("by_ear"), words("aloud.reader.button"))


def page_buttons(url: str, words: Words, press: Press, *, inside: bool) -> list[Part]:
    """Return the buttons for a player's page: in a browser if ``url`` isn't empty, and ``inside`` Discord."""
    ways = [link(url, words("button.open_page"))] if url else []
    return [*ways, button(press.but("launch"), words("button.launch"))] if inside else ways


def watch_button(press: Press, words: Words) -> Part:
    """Return the button of a public message that gives each reader their own links for watching."""
    return button(press, words("button.watch"))


def watch_ways(urls: Iterable[tuple[int, str]], words: Words) -> list[Part]:
    """Return the links to pages for watching tables, given by number and address. The number 0 means all of them."""
    return [link(url, _watches(number, words)) for number, url in urls]


def _watches(number: int, words: Words) -> str:
    return words("button.watch_page", table=number) if number else words("button.watch_all")


def open_table(words: Words) -> Part:
    """Return the button that opens a table with the default game in this channel."""
    return button(NOWHERE.but("open"), words("ways.button.open_table"), style=ButtonStyle.success)


# A refused form. Its message shows the reason and the typed values, and has a button that opens the form with these
# values. Channels, roles and players are listed below the code block, because inside it they'd appear as ids, not
# names.

_NOTHING = "-"
_BESIDE = " / "
_SIGNS = {"`": "ˋ", "\n": "⏎"}
"""Characters that would end the block or a line in it, and their replacements."""
MAX_CHOICE_LENGTH = 300
"""Maximum length shown for a field of choices. It's limited because a raw interaction can exceed the form's limit."""
_MENTIONS: Mapping[PickKind, str] = {PickKind.CHANNEL: "<#{}>", PickKind.ROLE: "<@&{}>", PickKind.USER: "<@{}>"}
_MENTIONED = re.compile(r"<(?:#|@&|@)(\d+)>")


def refused_form(
    why: str, fields: Sequence[AnyField], values: Sequence[str], again: Press, words: Words, *, saves: bool = True
) -> Screen:
    """Return the reason for a refusal, the typed values, and a button with ``again``, which reopens the form.

    ``saves`` is False for a form that stores nothing.
    """
    filled = list(zip(fields, values, strict=False))
    typed = [_shown(field, value) for field, value in filled if not isinstance(field, FormPick)]
    named = [_mention_all(field, value) for field, value in filled if isinstance(field, FormPick)]
    chose_file = any(isinstance(field, FormFile) and picked_values(value) for field, value in filled)
    return screen(
        why,
        "\n".join([BLOCK, *typed, BLOCK, *named]),
        words("gate.form_kept_no_file" if chose_file else "gate.form_kept" if saves else "gate.form_waits"),
        *button_rows([button(again, words("gate.open_form"), style=ButtonStyle.primary)]),
        colour=FOUL_COLOUR,
    )


def as_typed_before(
    fields: Sequence[AnyField], texts: Iterable[str], *, known: Container[int] | None = None
) -> list[AnyField]:
    """Return the fields with the values from a :func:`refused_form` in ``texts``; unchanged if that has none.

    If ``known`` isn't None, only channels, roles and players in it are selected, because Discord rejects a form that
    names a deleted one.
    """
    block = next((text for text in texts if text.startswith(BLOCK + "\n") and f"\n{BLOCK}" in text), "")
    typed, _, named = block.removeprefix(BLOCK + "\n").partition(f"\n{BLOCK}")
    lines, mentions = typed.split("\n"), named.split("\n")[1:]
    picks = sum(isinstance(field, FormPick) for field in fields)
    if not block or (len(lines), len(mentions)) != (len(fields) - picks, picks):
        return [*fields]
    written, chosen = iter(lines), iter(mentions)
    return [
        _picked(field, next(chosen), known) if isinstance(field, FormPick) else _filled(field, next(written))
        for field in fields
    ]


def is_refused_form(texts: Iterable[str], words: Words) -> bool:
    """True if ``texts`` come from a :func:`refused_form`."""
    kept = [words(key).removeprefix("-# ") for key in ("gate.form_kept", "gate.form_kept_no_file")]
    return any(sentence in text for text in texts for sentence in kept)


def _shown(field: AnyField, value: str) -> str:
    if isinstance(field, FormChoice):
        value = _BESIDE.join(option.label for option in field.options if option.value in picked_values(value))
    if isinstance(field, FormFile):
        value = ""  # Discord doesn't keep files for a second attempt
    value = value[: field.most if isinstance(field, FormField) else MAX_CHOICE_LENGTH].strip()
    for sign, instead in _SIGNS.items():
        value = value.replace(sign, instead)
    return value or _NOTHING


def shown_value(field: AnyField, value: str) -> str:
    """Return a field's value as shown in a text."""
    return _mention_all(field, value) if isinstance(field, FormPick) else _shown(field, value)


def _mention_all(field: FormPick, value: str) -> str:
    """Return mentions of a field's channels, roles or players. Anything that isn't an id is left out."""
    ids = parse_ids(picked_values(value))[: field.most]
    return " ".join(_MENTIONS[field.kind].format(one) for one in ids) or _NOTHING


def _picked(field: FormPick, line: str, known: Container[int] | None) -> FormPick:
    chosen = [int(one) for one in _MENTIONED.findall(line)]
    return replace(field, chosen=[one for one in chosen if known is None or one in known])


def _filled(field: AnyField, line: str) -> AnyField:
    typed = "" if line == _NOTHING else line
    if isinstance(field, FormField):
        for sign, instead in _SIGNS.items():
            typed = typed.replace(instead, sign)
        return replace(field, value=typed[: field.most])
    if isinstance(field, FormChoice):
        labels = typed.split(_BESIDE)
        options = [
            SelectOption(label=one.label, value=one.value, description=one.description, default=one.label in labels)
            for one in field.options
        ]
        return replace(field, options=options)
    return field
