"""Differences between a game and the standard game, for readers who know that one: like Pineapple OFC, but ..."""

from __future__ import annotations

from bot.pure.ofc.house_rules import says_something, value_of
from bot.pure.ofc.overrides import OVERRIDES
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.ranks import WHEEL_LOW
from bot.pure.ofc.variants import Variant
from bot.text.cards import ranks_text
from bot.text.house_rules import override_text
from bot.text.rulebook.deal import deck_line, seats_line, streets_in_short
from bot.text.rulebook.royalties import has_low_middle
from bot.text.words import Words

EVERYDAY = next(iter(PRESETS.values()))
"""The standard game, used for comparisons and scoring examples."""
_TOLD_BY_CARDS = frozenset({"seats", "decks", "jokers"})
"""Overrides already covered by the lines about players and cards."""
_MAX_ROYALTIES = 2
"""Maximum number of changed royalties to list. If there are more, a single sentence mentions them."""


def differences(variant: Variant, words: Words) -> list[str]:
    """Return the changes from the standard game, one line each; empty for games that are better described in full.

    These games have boards set in one go, rows that pay by hand, or house rules, which their page lists first.
    """
    if variant.house or variant.at_once or variant.row_values != EVERYDAY.row_values:
        return []
    return [*_cards_and_deal(variant, words), *_overridden(variant, words), *_royalties(variant, words)]


def _cards_and_deal(variant: Variant, words: Words) -> list[str]:
    lines = []
    if (variant.min_seats, variant.max_seats) != (EVERYDAY.min_seats, EVERYDAY.max_seats):
        lines.append(seats_line(variant, words))
    if (variant.decks, variant.jokers) != (EVERYDAY.decks, EVERYDAY.jokers):
        lines.append(deck_line(variant, words))
    if variant.streets != EVERYDAY.streets:
        lines.append(words("rules.like.deal", deal=streets_in_short(variant, words)))
    if has_low_middle(variant):
        lines.append(words("rules.like.low"))
    return lines


def _changed(variant: Variant) -> list[str]:
    """Return the keys of the overrides whose values differ between this game and the standard one."""
    return [
        key
        for key in OVERRIDES
        if (says_something(variant, key) or says_something(EVERYDAY, key))
        and value_of(variant, key) != value_of(EVERYDAY, key)
    ]


def _overridden(variant: Variant, words: Words) -> list[str]:
    """Return lines for the differing rules that overrides can express, except royalties."""
    lines = []
    for key in _changed(variant):
        missing = key.startswith("fantasyland.") and variant.fantasyland is None
        if not missing and key not in _TOLD_BY_CARDS and not key.startswith("royalty."):
            lines.append(override_text(key, value_of(variant, key), words, variant))
    rule = variant.fantasyland
    if rule and rule.wheel_cards and has_low_middle(variant):
        cards = {"cards": words.number(rule.wheel_cards), "both": words.number(rule.both_cards)}
        lines.append(words("rules.like.wheel", low=ranks_text(WHEEL_LOW), **cards))
    return lines


def _royalties(variant: Variant, words: Words) -> list[str]:
    changed = [key for key in _changed(variant) if key.startswith("royalty.")]
    if len(changed) > _MAX_ROYALTIES:
        return [words("rules.like.royalties")]
    return [override_text(key, value_of(variant, key), words, variant) for key in changed]
