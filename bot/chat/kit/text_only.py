"""Screens for players who use *Text only*. They make sense when read aloud, in order, without pictures, symbols or
colours.

``Words.aloud`` chooses the version of a sentence written for these players, if there is one. This module does what all
screens have in common: it names cards, and makes a button next to a text say its purpose.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from bot.chat.kit.widgets import BLOCK, BUTTON, SECTION, SELECT, TEXT, Part, Screen
from bot.model.choices import DeckColours, MemberSettings
from bot.model.tables import Table
from bot.pure.ofc.cards import JOKERS, Card, rank_of
from bot.text.cards import card_text, rank_name
from bot.text.words import Words, words_for

WORDS_ALONE = MemberSettings(text_only=True, deck=DeckColours.WORDS)
"""Settings for public messages in a server that has chosen *Text only*."""
SUITS = {"♣": "clubs", "♦": "diamonds", "♥": "hearts", "♠": "spades"}
_CARD = r"(?:(?:10|[2-9JQKA])[♣♦♥♠]|🃏)"
_CARDS = re.compile(rf"(?<![0-9A-Za-z]){_CARD}(?:\s+{_CARD})*")
_ONE = re.compile(rf"{_CARD}")
_HEAD = re.compile(r"\*\*(.+?)[：:]?\*\*")
_MENTION = re.compile(r"<@!?\d+>[,、]? *")
"""A mention. Discord shows its name only in texts, not in labels."""
_MARKDOWN = re.compile(r"\*\*|^#+ |^-# |`")
_MAX_LABEL_LENGTH = 80
NOTHING = "–"
"""Placeholder for a text that is empty after the conversion."""


def words_wished(member_settings: MemberSettings, here: Words) -> Words:
    """Return the words for a player with these settings. ``here`` are the locale's, used if no language was chosen."""
    words = words_for(member_settings.language) if member_settings.language else here
    return words.aloud if member_settings.text_only else words


def words_at(table: Table) -> Words:
    """Return the words for public messages about a table."""
    words = words_for(table.language)
    return words.aloud if table.in_words else words


def aloud(shown: Screen, words: Words, member_settings: MemberSettings) -> Screen:
    """Return the screen for ``member_settings``. It must have been drawn with the words from :func:`words_wished`."""
    return Screen(_without_empty(shown.parts, words, member_settings)) if member_settings.text_only else shown


def for_everybody(shown: Screen, table: Table, words: Words) -> Screen:
    """Return a table's public screen, in *Text only* if its server has chosen that."""
    return aloud(shown, words, WORDS_ALONE) if table.in_words else shown


def spoken(text: str, words: Words, member_settings: MemberSettings) -> str:
    """Return ``text`` without empty lines and with cards in words, unless the player has chosen short cards."""
    if not member_settings.text_only:
        return text
    text = text.replace("\ufe0e", "")
    if member_settings.deck is DeckColours.WORDS:
        text = _CARDS.sub(lambda found: _cards(found[0], words), text)
    text = text.replace("🃏", words("aloud.joker"))
    return "\n".join(line for line in text.split("\n") if line)


def _cards(found: str, words: Words) -> str:
    return words("aloud.pause").join(_card(card, words) for card in _ONE.findall(found))


def spoken_card(card: Card, words: Words) -> str:
    """Return a card's name, such as ``ace of spades``."""
    return _card(card_text(card).replace("\ufe0e", ""), words)


def _card(card: str, words: Words) -> str:
    if card == "🃏":
        return words("aloud.joker")
    rank, suit = card[:-1].lower(), SUITS[card[-1]]
    return words("aloud.card", rank=words(f"aloud.rank.{rank}"), suit=words(f"aloud.suit.{suit}"))


def group_cards(cards: Sequence[Card], words: Words, *, by_suit: bool) -> str:
    """Return cards concisely, as in ``ace: spades, hearts. nine: clubs`` or ``spades: ace, ten. hearts: nine``."""
    groups: dict[str, list[str]] = {}
    for card in cards:
        text = card_text(card).replace("\ufe0e", "")
        if text == "🃏":
            groups.setdefault(words("aloud.joker"), [])
            continue
        rank, suit = words(f"aloud.rank.{text[:-1].lower()}"), words(f"aloud.suit.{SUITS[text[-1]]}")
        groups.setdefault(suit if by_suit else rank, []).append(rank if by_suit else suit)
    pause = words("aloud.pause")
    told = [words("aloud.of", what=head, does=pause.join(rest)) if rest else head for head, rest in groups.items()]
    return words("aloud.stop").join(told)


def ranks(cards: Sequence[Card], words: Words) -> str:
    """Return the ranks of a row whose hand is named next to it. That name mentions a flush, so suits add nothing."""
    return words("aloud.pause").join(rank_heard(card, words) for card in cards)


def rank_heard(card: Card, words: Words) -> str:
    """Return a rank's name, such as ``ace``."""
    return words("aloud.joker") if card in JOKERS else words(f"aloud.rank.{rank_name(rank_of(card)).lower()}")


def _without_empty(parts: Sequence[Part], words: Words, member_settings: MemberSettings) -> list[Part]:
    """Return the parts without texts that are empty after the conversion, such as a board of empty rows."""
    heard = [_part(part, words, member_settings) for part in parts]
    return [part for part in heard if part["type"] != TEXT or part["content"] != NOTHING]


def _part(part: Part, words: Words, member_settings: MemberSettings) -> Part:
    changed: dict[str, Any] = dict(part)
    # Text that players typed themselves is shown unchanged.
    if part["type"] == TEXT and not part["content"].startswith(BLOCK):
        changed["content"] = spoken(part["content"], words, member_settings).strip() or NOTHING
    if "components" in part:
        inside = part["components"]
        if part["type"] == SECTION:  # a section must keep its text
            changed["components"] = [_part(one, words, member_settings) for one in inside]
        else:
            changed["components"] = _without_empty(inside, words, member_settings)
    if part["type"] == SECTION:
        changed["accessory"] = _label_with_subject(part["components"], part["accessory"], words, member_settings)
    if part["type"] == BUTTON and "label" in part:
        changed["label"] = _label(part["label"], words, member_settings)
        changed.pop("emoji", None)
    if part["type"] == SELECT:
        changed["options"] = [_option(option, words, member_settings) for option in part["options"]]
    if "placeholder" in part:
        changed["placeholder"] = _label(part["placeholder"], words, member_settings)
    return changed


def _label(label: str, words: Words, member_settings: MemberSettings) -> str:
    """Return a button's label without markdown, which Discord doesn't render there."""
    return _MARKDOWN.sub("", spoken(label, words, member_settings))[:_MAX_LABEL_LENGTH] or label


def _option(option: Mapping[str, Any], words: Words, member_settings: MemberSettings) -> dict[str, Any]:
    told = {name: _label(option[name], words, member_settings) for name in ("label", "description") if option.get(name)}
    # Panels that are kept up to date pass through here twice.
    if option.get("default") and not told["label"].endswith(words("aloud.chosen", card="")):
        told["label"] = words("aloud.chosen", card=told["label"])[:_MAX_LABEL_LENGTH]
    return {**{name: value for name, value in option.items() if name != "emoji"}, **told}


def _label_with_subject(texts: Sequence[Part], button: Part, words: Words, member_settings: MemberSettings) -> Part:
    """Return ``button`` with its subject in the label, because players who tab between buttons skip ``texts``."""
    spoken_texts = [{**text, "content": spoken(text["content"], words, member_settings)} for text in texts]
    return {
        **button,
        "label": named_button(spoken_texts, _label(button.get("label", ""), words, member_settings), words),
    }


def named_button(texts: Sequence[Part], label: str, words: Words) -> str:
    """Return the label for a button next to ``texts``, such as ``Bob: Remove``; ``label`` if it names the subject."""
    first = _MENTION.sub("", texts[0]["content"].split("\n")[0])
    head = _HEAD.search(first)
    # A seat's number doesn't say who sits there.
    what = _MARKDOWN.sub("", head[1] if head and not head[1].isdigit() else first).rstrip(" :：.。,、")
    if not what or what.casefold() in label.casefold():
        return label
    room = _MAX_LABEL_LENGTH - len(words("aloud.of", what="", does=label))
    return words("aloud.of", what=what[:room], does=label)
