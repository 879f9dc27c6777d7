"""Screens for readers of text only: what is heard makes sense alone, in order, without pictures, signs or colours.

Every private screen passes here on its way to such a reader, so that no screen has to think of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from bot.model.choices import DeckColours, Wishes
from bot.model.tables import Table
from bot.ofc.cards import Card
from bot.text.words import Words, card_text
from bot.ui.widgets import BLOCK, BUTTON, SECTION, SELECT, TEXT, Part, Screen

WORDS_ALONE = Wishes(text_only=True, deck=DeckColours.WORDS)
"""What everybody reads where a server has chosen words."""
SUITS = {"♣": "clubs", "♦": "diamonds", "♥": "hearts", "♠": "spades"}
_CARD = r"(?:(?:10|[2-9JQKA])[♣♦♥♠]|🃏)"
_CARDS = re.compile(rf"(?<![0-9A-Za-z]){_CARD}(?:\s+{_CARD})*")
_ONE = re.compile(rf"{_CARD}")
_SQUARES = re.compile("[🟩🟨🟥][🟩🟨🟥⭐⛔ \n]+")
_HEAD = re.compile(r"\*\*(.+?)[：:]?\*\*")
_MENTION = re.compile(r"<@!?\d+>[ ·・]*")
"""A name that only a text can have drawn."""
_MARKDOWN = re.compile(r"\*\*|^#+ |^-# |`")
_MOST_LABEL = 80
SIGNS = {
    "→": "to",
    "←": "back",
    "▸": "over",
    "›": "than",
    "≤": "not_above",
    "≦": "not_above",
    "±": "about",
    "➕": "new",
    "🤖": "computer",
    "✓": "placed",
    "✕": "discarded",
}
"""Signs that carry a meaning, and the sentences of ``aloud`` that say it; what is around them is said without a gap."""
STEPS = {"⏮": "first", "◀": "back", "▶": "next", "⏭": "last"}
"""Buttons that are nothing but a sign."""
MEDALS = {"🥇": "1.", "🥈": "2.", "🥉": "3."}
SQUARES = {"🟩": "same_row", "🟨": "other_row", "🟥": "thrown", "⛔": "foul", "⭐": "fantasyland"}
_SIGNED = re.compile(f"[ \u00a0]*([{''.join(SIGNS)}])[ \u00a0]*")
_ALONE = re.compile(r"💤(?=\s*$)", re.MULTILINE)
ADORNS = re.compile("[🚫❄⚠⛔🌈🔥🧊🔒⭐⏸☕✋🏁💤🏖🏆✅⏳⏰💡🏅🔸🪄👑💸🚪❌🔘◀👋🟩🟨🟥▫]")
"""What screen readers name at length, or skip, beside words that say the same. Other signs, as in names, stay."""
_RANGE = re.compile(r"(?<=\d)[–〜～](?=\d)")
_FORMULA = re.compile(r" ?[(（][^()（）]*[≤≦<＜][^()（）]*[)）]")
"""What a sentence has said before, once more in signs."""
_GAP = re.compile("[ \u00a0]*[·・][ \u00a0]*|\u2002")


def aloud(shown: Screen, words: Words, wishes: Wishes) -> Screen:
    """The screen as this reader has chosen to read it."""
    return Screen([_part(part, words, wishes) for part in shown.parts]) if wishes.text_only else shown


def for_everybody(shown: Screen, table: Table, words: Words) -> Screen:
    """What everybody reads of a table, in words alone where its server has chosen that."""
    return aloud(shown, words, WORDS_ALONE) if table.in_words else shown


def spoken(text: str, words: Words, wishes: Wishes) -> str:
    """The same for a text: cards and signs in words, and what only adorns left out."""
    if not wishes.text_only:
        return text
    text = _SQUARES.sub(lambda found: _squares(found[0], words), text.replace("\ufe0e", "").replace("\ufe0f", ""))
    for medal, place in MEDALS.items():
        text = text.replace(medal, place)
    if wishes.deck is DeckColours.WORDS:
        text = _CARDS.sub(lambda found: _cards(found[0], words), text)
        text = re.sub(
            "[♣♦♥♠]+", lambda found: words.list([words(f"aloud.suit.{SUITS[one]}") for one in found[0]]), text
        )
    text = _FORMULA.sub("", text).replace("🃏", words("aloud.joker"))
    text = _ALONE.sub(words("aloud.sitting_out"), text)
    text = _SIGNED.sub(lambda found: words(f"aloud.{SIGNS[found[1]]}"), text)
    text = _RANGE.sub(words("aloud.to_number"), text)
    text = re.sub("  +", " ", ADORNS.sub("", text))
    lines = (_GAP.sub(words("aloud.pause"), line).strip(" ,、") for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _cards(found: str, words: Words) -> str:
    return words("aloud.pause").join(_card(card, words) for card in _ONE.findall(found))


def spoken_card(card: Card, words: Words) -> str:
    """``ace of spades``."""
    return _card(card_text(card).replace("\ufe0e", ""), words)


def _card(card: str, words: Words) -> str:
    if card == "🃏":
        return words("aloud.joker")
    rank, suit = card[:-1].lower(), SUITS[card[-1]]
    return words("aloud.card", rank=words(f"aloud.rank.{rank}"), suit=words(f"aloud.suit.{suit}"))


def grouped(cards: Sequence[Card], words: Words, *, by_suit: bool) -> str:
    """Many cards in few words: ``ace: spades, hearts. nine: clubs``, or ``spades: ace, ten. hearts: nine``."""
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
    """The cards of a row whose hand is told beside them, a flush too: their suits say no more."""
    texts = [card_text(card).replace("\ufe0e", "") for card in cards]
    return words("aloud.pause").join(
        words("aloud.joker") if text == "🃏" else words(f"aloud.rank.{text[:-1].lower()}") for text in texts
    )


def _squares(found: str, words: Words) -> str:
    """Thirteen coloured squares as three numbers, and what stands behind them."""
    counts = Counter(found)
    told = [words(f"aloud.{SQUARES[one]}", count=counts[one]) for one in "🟩🟨🟥" if counts[one]]
    told += [words(f"aloud.{SQUARES[one]}") for one in "⛔⭐" if counts[one]]
    return words("aloud.pause").join(told) + ("\n" if found.endswith("\n") else "")


def _part(part: Part, words: Words, wishes: Wishes) -> Part:
    changed: dict[str, Any] = dict(part)
    # What somebody has typed is given back to them as they typed it.
    if part["type"] == TEXT and not part["content"].startswith(BLOCK):
        changed["content"] = spoken(part["content"], words, wishes) or "–"
    if "components" in part:
        changed["components"] = [_part(one, words, wishes) for one in part["components"]]
    if part["type"] == SECTION:
        changed["accessory"] = _beside(part["components"], part["accessory"], words, wishes)
    if part["type"] == BUTTON and "label" in part:
        changed["label"] = _label(part["label"], words, wishes)
    if part["type"] == SELECT:
        changed["options"] = [_option(option, words, wishes) for option in part["options"]]
    if "placeholder" in part:
        changed["placeholder"] = _label(part["placeholder"], words, wishes)
    return changed


def _label(label: str, words: Words, wishes: Wishes) -> str:
    """What a button is called; Discord draws no markdown there."""
    if label in STEPS:
        return words(f"aloud.{STEPS[label]}")
    return _MARKDOWN.sub("", spoken(label, words, wishes))[:_MOST_LABEL] or label


def _option(option: Mapping[str, Any], words: Words, wishes: Wishes) -> dict[str, Any]:
    told = {name: _label(option[name], words, wishes) for name in ("label", "description") if option.get(name)}
    # A panel that is kept up to date passes here twice.
    if option.get("default") and not told["label"].endswith(words("aloud.chosen", card="")):
        told["label"] = words("aloud.chosen", card=told["label"])[:_MOST_LABEL]
    return {**option, **told}


def _beside(texts: Sequence[Part], button: Part, words: Words, wishes: Wishes) -> Part:
    """The button beside a text: it says of what, since one who goes from button to button doesn't hear the text."""
    label = _label(button.get("label", ""), words, wishes)
    first = _MENTION.sub("", texts[0]["content"].split("\n")[0])
    head = _HEAD.search(first)
    # A seat's number alone says nothing of who sits there.
    what = _label(head[1] if head and not head[1].isdigit() else first, words, wishes).rstrip(" :：.。,、")
    if not what or label.startswith(what):
        return {**button, "label": label}
    room = _MOST_LABEL - len(words("aloud.of", what="", does=label))
    return {**button, "label": words("aloud.of", what=what[:room], does=label)}
