"""Pieces that screens of all rooms share: colours, names, times, the length of a text."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from discord import ButtonStyle, SelectOption

from bot.chat.kit.custom_ids import Press, game_argument
from bot.chat.kit.modals import AnyField, FormChoice, FormField, FormFile, FormPick, Named
from bot.chat.kit.presses import ids_of, picked
from bot.chat.kit.widgets import ACTION_ROW, BLOCK, Part, Screen, button, link, rows_of, screen
from bot.model.ids import TableId, is_computer, is_gone
from bot.model.tables import Table
from bot.pure.ofc.variants import Variant
from bot.pure.rating.model import Rating
from bot.text.fingerprint import fingerprint
from bot.text.players import computer_name, gone_name
from bot.text.words import Words

TABLE_COLOUR = 0x2E7D5B
TURN_COLOUR = 0xE0A82E
RESULT_COLOUR = 0x5B6EE1
QUIET_COLOUR = 0x80848E
FOUL_COLOUR = 0xC0392B
SHORT = 8
"""Characters of a fingerprint where it is not told whole."""
MOST_TEXT = 4000
"""Characters of text in one message."""
MOST_OPTIONS = 25
"""Options of one menu: Discord takes no more."""


def player_name(player: str, words: Words) -> str:
    """A mention (which names the person and is never sent as a ping), or the computer's name."""
    if is_computer(player):
        return computer_name(player, words)
    if is_gone(player):
        return gone_name(player, words)
    return f"<@{player}>"


def next_match_lines(
    coming: Mapping[str, Any], words: Words, *, key: str = "structure.next_match", player: str = ""
) -> list[str]:
    """Whom somebody meets next in a bracket, as ``next_match`` tells it; nothing where that is open or they are out.

    Sentences that are no answer to them name the ``player``.
    """
    who: dict[str, str] = {"player": player} if player else {}
    if "opponent" in coming:
        return [words(f"{key}.known", opponent=player_name(coming["opponent"], words), **who)]
    of = [player_name(one, words) for one in coming.get("of", ())]
    if not of:
        return [words(f"{key}.open", **who)] if coming else []
    result = "loser" if coming["loses"] else "winner"
    if len(of) == 1:  # who plays them isn't known yet
        return [words(f"{key}.{result}_of_one", first=of[0], **who)]
    return [words(f"{key}.{result}", first=of[0], second=of[1], **who)]


def next_stage(coming: Mapping[str, Any]) -> str:
    """The stage of the match that ``next_match`` tells of; empty where it tells of none."""
    return str(next(iter(coming.get("stage", ())), ""))


def and_more(count: int, words: Words) -> list[str]:
    """The line below a list that was cut; none where nothing was."""
    return [words("event.more", count=count)] if count > 0 else []


def names(players: list[str], words: Words) -> str:
    """``A, B and C``."""
    return words.list([player_name(player, words) for player in players])


def game_line(game: Variant, words: Words) -> str:
    """The game in a sentence; what a house has changed in it is told apart."""
    return words(f"variant.{game.key}.summary")


def moment(milliseconds: int) -> str:
    """A time that counts down by itself in the reader's client."""
    return f"<t:{milliseconds // 1000}:R>"


STEPS = {"first": "⏮", "back": "◀", "next": "▶", "last": "⏭"}
"""Buttons that turn pages."""


def step_label(way: str, words: Words) -> str:
    """The label of a button of ``STEPS``, in words for readers of *Text only*."""
    return words(f"aloud.{way}") if words.heard else STEPS[way]


def rating_text(rating: Rating, words: Words) -> str:
    """``+0.8 ± 0.3``."""
    mean, off = words.signed_decimal(rating.mean, decimals=1), words.decimal(rating.off, decimals=1)
    return words("leaderboard.rating", mean=mean, off=off)


def day_of(milliseconds: int) -> str:
    """A day and an hour, in the reader's own zone."""
    return f"<t:{milliseconds // 1000}:f>"


def table_link(table: Table) -> str:
    """The address of a table's message, or of its channel while it has none."""
    where = f"https://discord.com/channels/{table.key.guild}/{table.channel}"
    return where if table.message is None else f"{where}/{table.message}"


def text_length(view: Screen) -> int:
    """How many characters of text a message shows, its texts on lines of their own; Discord takes 4,000."""
    length, parts = 0, [*view.parts]
    while parts:
        part = parts.pop()
        if "content" in part:
            length += len(part["content"]) + 1
        elif part["type"] != ACTION_ROW:
            parts += part.get("components", ())
    return length


def short_hash(digest: bytes) -> str:
    """The first eight digits of a commitment that is told in digits."""
    return f"`{digest.hex()[:SHORT]}`"


def short_fingerprint(digest: bytes) -> str:
    """The beginning of a fingerprint: who wants to check it finds it whole where it was posted."""
    return f"`{fingerprint(digest)[:SHORT]}`"


# Buttons that lead the same way from many screens; what they show is an answer of its own.

NOWHERE = Press(verb="help", table=TableId(0))
"""A press that speaks of no table; its verb is still to be chosen."""


def how_to_play(words: Words) -> Part:
    """The game on one screen, for those who see it for the first time."""
    return button(NOWHERE.but("howto"), words("ways.button.how_to_play"))


def guided_hand(words: Words, *, style: ButtonStyle = ButtonStyle.secondary) -> Part:
    """The tutorial: a hand in private, street by street."""
    return button(NOWHERE.but("learn"), words("ways.button.guided_hand"), style=style)


def lesson(words: Words) -> Part:
    """The tutorial for those who ask how one plays, beside a menu that stays."""
    return button(NOWHERE.but("lesson"), words("ways.button.guided_hand"))


def rules_of(game: Variant, words: Words) -> Part:
    """The rules of the game that is played."""
    return button(NOWHERE.but("rulebook", game_argument(game)), words("ways.button.rules"))


def verify_hand(table: Table, hand_no: int, words: Words, *, disabled: bool = False) -> Part:
    """Check that a finished hand was dealt fairly."""
    press = Press(verb="verify", table=table.key.table, tag=table.tag, hand=hand_no)
    return button(press, words("ways.button.verify"), disabled=disabled)


def how_checked(words: Words) -> Part:
    """How a deal is fixed beforehand, and how anybody checks it."""
    return button(NOWHERE.but("fairness"), words("fairness.button"))


def practise(words: Words) -> Part:
    """A hand against the computer at once."""
    return button(NOWHERE.but("practise"), words("ways.button.practise"), style=ButtonStyle.primary)


def daily_hand(words: Words) -> Part:
    """Today's hand, in a message of the presser's own."""
    return button(NOWHERE.but("daily"), words("ways.button.daily"), style=ButtonStyle.success)


def for_the_ear(words: Words) -> Part:
    """How one plays with a screen reader, and the switch."""
    return button(NOWHERE.but("by_ear"), words("aloud.reader.button"))


def page_ways(url: str, words: Words, press: Press, *, inside: bool) -> list[Part]:
    """The ways to a page of one's own: in a browser at ``url``, where there is one, and ``inside`` Discord."""
    ways = [link(url, words("button.open_page"))] if url else []
    return [*ways, button(press.but("launch"), words("button.launch"))] if inside else ways


def watch_ways(urls: Mapping[TableId, str], words: Words) -> list[Part]:
    """The ways to pages on which tables are watched, by their addresses."""
    return [link(url, words("button.watch_page", table=table)) for table, url in urls.items()]


def open_table(words: Words) -> Part:
    """A table in this channel, of the usual game."""
    return button(NOWHERE.but("open"), words("ways.button.open_table"), style=ButtonStyle.success)


# A form that was refused: the message tells why and shows what was typed, and the form that it opens has all of it.
# Channels, roles and people stand below the block: a block shows their numbers where a text shows their names.

_NOTHING = "-"
_BESIDE = " / "
_SIGNS = {"`": "ˋ", "\n": "⏎"}
"""Signs that would end the block or its line, and how they stand in it."""
LONGEST_CHOICE = 300
"""Of what a field shows in which something was chosen: a raw interaction may hold more than any form lets."""
_MENTIONS: Mapping[Named, str] = {Named.CHANNEL: "<#{}>", Named.ROLE: "<@&{}>", Named.USER: "<@{}>"}
_MENTIONED = re.compile(r"<(?:#|@&|@)(\d+)>")


def refused_form(why: str, fields: Sequence[AnyField], values: Sequence[str], again: Press, words: Words) -> Screen:
    """Why a form was refused, what was typed, and the way back to it: ``again`` asks for it."""
    filled = list(zip(fields, values, strict=False))
    typed = [_shown(field, value) for field, value in filled if not isinstance(field, FormPick)]
    named = [_named(field, value) for field, value in filled if isinstance(field, FormPick)]
    chose_file = any(isinstance(field, FormFile) and picked(value) for field, value in filled)
    return screen(
        why,
        "\n".join([BLOCK, *typed, BLOCK, *named]),
        words("gate.form_kept_no_file" if chose_file else "gate.form_kept"),
        *rows_of([button(again, words("gate.open_form"), style=ButtonStyle.primary)]),
        colour=FOUL_COLOUR,
    )


def as_typed_before(
    fields: Sequence[AnyField], texts: Iterable[str], *, known: Container[int] | None = None
) -> list[AnyField]:
    """The fields with what a message of :func:`refused_form` shows; as they are where there is none.

    Of channels, roles and people only those are chosen that are ``known``, where that is told: Discord refuses a form
    that names one that is gone.
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
    """True for the texts of a message of :func:`refused_form`."""
    kept = [words(key).removeprefix("-# ") for key in ("gate.form_kept", "gate.form_kept_no_file")]
    return any(sentence in text for text in texts for sentence in kept)


def _shown(field: AnyField, value: str) -> str:
    if isinstance(field, FormChoice):
        value = _BESIDE.join(option.label for option in field.options if option.value in picked(value))
    if isinstance(field, FormFile):
        value = ""  # Discord keeps no file for a second try
    value = value[: field.most if isinstance(field, FormField) else LONGEST_CHOICE].strip()
    for sign, instead in _SIGNS.items():
        value = value.replace(sign, instead)
    return value or _NOTHING


def shown_value(field: AnyField, value: str) -> str:
    """Return a field's value as a text shows it."""
    return _named(field, value) if isinstance(field, FormPick) else _shown(field, value)


def _named(field: FormPick, value: str) -> str:
    """The channels, roles or people of a field, as a text names them; nothing else of what was sent."""
    ids = ids_of(picked(value))[: field.most]
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
