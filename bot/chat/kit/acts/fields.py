"""The values of acts: parsing typed texts, showing them again after a refusal, and suggestions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.base.clean_text import one_line
from bot.chat.kit.acts.act import ActField, ActInputs, ActValues, Option, T, TypedAct
from bot.chat.kit.acts.matching import best_fit, in_order
from bot.chat.kit.command_words import option_name
from bot.chat.kit.reply import Reply
from bot.chat.kit.typed_choice import NamedChoice, said_names
from bot.chat.kit.widgets import BLOCK
from bot.model.reasons import ActReason, ServerReason
from bot.pure.ofc.refusals import Refused
from bot.text.languages import LANGUAGES
from bot.text.words import Words, escape_name, words_for

_MENTION = re.compile(r"<@!?(\d{1,20})>")
_ID = re.compile(r"\d{15,20}")
_TABLE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")
"""A table's number, optionally with the number of the hand in progress there."""
_LINE = re.compile(r"([^:：]+)[:：] ?(.*)")
_INSISTS = re.compile(r"\s*[!！]{2}\s*$")
MAX_QUOTED_LENGTH = 60


def insists(given: ActInputs) -> bool:
    """True if the reason ends with ``!!``, which confirms the act."""
    return _INSISTS.search(given.reason) is not None


def without_insisting(given: ActInputs) -> ActInputs:
    """Return the values without the ``!!`` at the end of the reason."""
    return given.but(Option.REASON, _INSISTS.sub("", given.reason))


def is_missing(act: TypedAct[T], given: ActInputs) -> bool:
    """True if a required value is missing."""
    return any(not asked.optional and not given.of(asked.option) for asked in act.asks)


def read_values(act: TypedAct[T], reply: Reply, target: T, given: ActInputs) -> ActValues:
    """Return the parsed values of an act; raises Refused."""
    read = ActValues()
    for asked in act.asks:
        text = given.of(asked.option)
        if not text:
            continue
        if len(text) > asked.max_length:
            raise Refused(ActReason.TOO_LONG, most=asked.max_length)
        read = replace(read, **_value(asked, reply, target, text))
    return read


def _value(asked: ActField[T], reply: Reply, target: T, text: str) -> dict[str, Any]:
    named = [] if asked.choices is None else asked.choices(reply, target)
    if asked.option is Option.PLAYER:
        return {"player": player_meant(text, named, reply.words, anyone=asked.anyone or asked.members)}
    if asked.option is Option.TABLE:
        # The hand is the one that was in progress when the table was chosen, even if another one is now.
        chosen = _TABLE.fullmatch(text)
        if chosen is None or chosen[2] is None:
            chosen = _TABLE.fullmatch(the_one_meant(text, named, reply.words))
        return {"table": int(chosen[1]), "hand": int(chosen[2] or 0)} if chosen else {}
    written = asked.free or asked.choices is None
    value = asked.read(reply, target, text) if written else the_one_meant(text, named, reply.words)
    return {asked.option.value: value}


def player_meant(text: str, named: Sequence[NamedChoice[str]], words: Words, *, anyone: bool = False) -> str:
    """Return the player for a mention, id or name; raises Refused. ``anyone`` allows players outside ``named``."""
    mentioned = _MENTION.fullmatch(text) or _ID.fullmatch(text)
    known = {one.value for one in named}
    if mentioned is not None:
        who = mentioned[mentioned.lastindex or 0]
        if anyone or who in known:
            return who
        raise Refused(ActReason.NOT_AMONG, player=who)
    if text in known:
        return text
    return the_one_meant(text.removeprefix("@"), named, words)


def the_one_meant(text: str, named: Sequence[NamedChoice[str]], words: Words) -> str:
    """Return the unique best match for ``text``. Otherwise, raises Refused with the matches or all names."""
    if any(text == one.value for one in named):
        return text
    found = best_fit(text, named)
    if len(found) == 1:
        return found[0].value
    typed = escape_name(one_line(text)[:MAX_QUOTED_LENGTH])
    if not named:
        raise Refused(ActReason.NOTHING_TO_CHOOSE, typed=typed)
    names = said_names(found or named, words)
    raise Refused(ServerReason.SEVERAL_FIT if found else ServerReason.NONE_FITS, typed=typed, names=names)


def suggestions_for(asked: ActField[T], reply: Reply, target: T, typed: str) -> list[NamedChoice[str]]:
    """Return the suggestions for an option."""
    return [] if asked.choices is None else in_order(typed, asked.choices(reply, target))


# Typed values are kept in the message that refuses them or asks for more. The next press reads them from there.


def shown(given: ActInputs, words: Words, names: Mapping[Option, str] | None = None) -> str:
    """Return the typed values, one line per option; empty if there are none.

    ``names`` replace the values of their options. Players are mentioned outside the code block, where mentions work.
    """
    lines, mentions = list[str](), list[str]()
    for option in Option:
        typed = one_line((names or {}).get(option) or given.of(option))
        if option is Option.PLAYER and (found := _MENTION.fullmatch(typed) or _ID.fullmatch(typed)):
            mentions.append(f"{option_name(option.value, words)}: <@{found[found.lastindex or 0]}>")
        elif typed:
            lines.append(f"{option_name(option.value, words)}: {typed.replace('`', 'ˋ')}")
    block = [BLOCK, *lines, BLOCK] if lines else []
    return "\n".join([*block, *mentions])


def typed_names(act: TypedAct[T], reply: Reply, target: T, given: ActInputs) -> dict[Option, str]:
    """Return the names of chosen values. They can be parsed again."""
    names = dict[Option, str]()
    for asked in act.asks:
        named = [] if asked.choices is None else asked.choices(reply, target)
        chosen = next((one for one in named if one.value == given.of(asked.option)), None)
        is_person = asked.option is Option.PLAYER and chosen is not None and _ID.fullmatch(chosen.value)
        if chosen is not None and not is_person and len(chosen.said or chosen.name) <= asked.max_length:
            names[asked.option] = chosen.said or chosen.name
    return names


def shown_before(texts: Iterable[str]) -> ActInputs:
    """Parse the typed values from the texts of a message that contains :func:`shown`."""
    given = ActInputs()
    for text in texts:
        block, mentions = _split_code_block(text)
        for line in block:
            if (match := _LINE.fullmatch(line)) and (option := _named(match[1])):
                given = given.but(option, match[2].replace("ˋ", "`"))
        for line in mentions:
            if (match := _LINE.fullmatch(line)) and _named(match[1]) is Option.PLAYER:
                found = _MENTION.search(match[2])
                given = given.but(Option.PLAYER, found[0] if found else "")
        if given != ActInputs():
            break
    return given


def _split_code_block(text: str) -> tuple[list[str], list[str]]:
    """Return the lines of the code block at the start of a text, and the lines after it."""
    lines = text.split("\n")
    if lines[0] == BLOCK and BLOCK in lines[1:]:
        end = lines.index(BLOCK, 1)
        return lines[1:end], lines[end + 1 :]
    return [], lines if len(lines) == 1 else []


def _named(name: str) -> Option | None:
    for option in Option:
        if name in (option_name(option.value, words_for(code)) for code in LANGUAGES):
            return option
    return None
