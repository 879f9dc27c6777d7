"""The page's own words, which are sent to it once per language."""

from __future__ import annotations

from bot.chat.kit.text_only import spoken_card
from bot.pure.ofc.cards import SUITS, Card, card_name
from bot.text.words import Words
from bot.web.drawing import FACE_DOWN
from bot.web.messages import WordsSent

_HANDS = ("category.", "hand.", "ranks.")
"""Sections about poker hands."""
_OTHERS = ("rules.low", "rules.royalties.low", "rules.better", "panel.low_so_far", "panel.no_low")


def sent_hands(words: Words) -> dict[str, str]:
    """Return the sentences that name hands, for the page to fill in."""
    keys = [*(key for key in words.entries if key.startswith(_HANDS)), *_OTHERS]
    told = {key: words(key, **{field: f"{{{field}}}" for field in words.entries[key].fields}) for key in keys}
    suits = ("clubs", "diamonds", "hearts", "spades")
    return told | {f"suit.{sign}": words(f"aloud.suit.{name}") for sign, name in zip(SUITS, suits, strict=True)}


def sent_words(words: Words) -> WordsSent:
    """Return the page's own words."""
    own = {key.removeprefix("page.words."): key for key in words.entries if key.startswith("page.words.")}
    shared = {
        "undo": "button.undo",
        "clear": "button.clear",
        "by_rank": "button.sort_rank",
        "by_suit": "button.sort_suit",
        "arrange": "board.arrange",
        "review": "review.button_label",
        "meanings": "review.button.how",
        "retry": "review.button.retry",
        "rules": "ways.button.rules",
        "replay": "replay.button",
        "history_file": "replay.button_file",
        "scoop": "result.scoop",
        "majority": "result.majority",
        "two_rows": "result.two_rows",
        "total": "result.total",
    }
    told = {
        name: words(key, **{field: f"{{{field}}}" for field in words.entries[key].fields})
        for name, key in {**own, **shared}.items()
    }
    told["joint"] = words.language.joint
    told["zero"] = words.signed(0)
    named = {card_name(card): spoken_card(card, words) for card in map(Card, range(54))}
    named[FACE_DOWN] = words("aloud.face_down")
    return WordsSent(language=words.language.code, words=told, cards=named, hands=sent_hands(words))
