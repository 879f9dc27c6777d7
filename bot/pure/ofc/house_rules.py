"""House rules: a preset with overrides, as data stored with every hand.

An override is ``key=value`` in text, such as ``royalty.back.royal_flush=50``, ``fantasyland.entry=KK`` or ``jokers=2``.
``house_variant`` makes the game or raises VariantError with the reason, after the same checks as for a preset.
``to_spec`` and ``parse_spec`` convert a game to JSON and back, so old hands can be replayed after the rules have
changed.

A spec names its edition of the rules. A spec without one has the first edition, and its games never change, even if the
current edition would read the spec differently or refuse it.

Source: docs/servers.md, "Games of your own".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from difflib import get_close_matches
from typing import Any

from bot.pure.ofc.cards import ACE, BOARD_CARDS, KING, QUEEN, RANKS, Row
from bot.pure.ofc.overrides import CATEGORIES, NATURALS, OFF, ON, OVERRIDES, ROW_VALUES, WHEEL, Fields, apply
from bot.pure.ofc.presets import EDITION, FIRST_EDITION, PRESETS
from bot.pure.ofc.royalties import STEEPER_BACK, Royalties
from bot.pure.ofc.variants import TRIPS, Fantasyland, MiddleRank, Variant, VariantError, entry_name


def _says_nothing(variant: Variant, key: str) -> VariantError | None:
    """Return the reason that an override can't change anything in this game; None if it can."""
    low = variant.middle is MiddleRank.DEUCE_TO_SEVEN
    # With two decks every card has a second copy, and a joker may always be that copy.
    if key == "joker_may_copy" and (not variant.jokers or variant.decks > 1):
        return VariantError("needs_joker_of_one_deck")
    if key == "double_ace_flush" and not variant.jokers:
        return VariantError("needs_jokers")
    if key in ("strict_rows", "fantasyland.stay_middle") and low:
        return VariantError("needs_high_middle")
    if key == "fantasyland.wheel_stays" and not low:
        return VariantError("needs_low_middle")
    if key == "discards" and variant.max_cards == BOARD_CARDS:
        return VariantError("needs_discards")
    if key == "button" and variant.fantasyland is None:
        return VariantError("button_needs_fantasyland")
    return None


def _never_paid(variant: Variant, key: str) -> VariantError | None:
    """Return the reason that this game never pays for the hand in ``key``; None if it can."""
    family, _, place = key.partition(".")
    row, _, hand = place.partition(".")
    low = variant.middle is MiddleRank.DEUCE_TO_SEVEN
    if family == "natural" and not variant.naturals:
        return VariantError("no_naturals")
    if row == "low":
        return None if low else VariantError("needs_low_middle")
    if row == "middle" and low:
        return VariantError("needs_high_middle")
    if hand in CATEGORIES and CATEGORIES[hand] not in variant.possible(Row[row.upper()]):
        return VariantError("never_paid", row=row, hand=hand)
    return None


def says_something(variant: Variant, key: str) -> bool:
    """True if an override can change something in this game without always being refused."""
    if key.startswith("fantasyland.") and variant.fantasyland is None:
        return False
    if key == "fantasyland" and PRESETS[variant.key].fantasyland is None:
        return False
    if key == "naturals" and (variant.jokers or not variant.at_once):
        return False
    if key == "surrender" and not variant.at_once:
        return False
    if key == "order" and variant.at_once:
        return False
    if key == "deal" and all(map(variant.together, range(1, len(variant.streets) + 1))):
        return False
    if key == "jokers" and variant.middle is MiddleRank.DEUCE_TO_SEVEN:
        return False
    return _says_nothing(variant, key) is None and _never_paid(variant, key) is None


def value_of(variant: Variant, key: str) -> str:
    """Return the value of an override that leaves this game unchanged; empty if there isn't one.

    If the house has set the override, return its text.
    """
    if key in variant.house:
        return variant.house[key]
    family, _, place = key.partition(".")
    if family == "royalty":
        return str(_royalty_of(variant.royalties, place))
    if key in ROW_VALUES:
        return str(variant.row_value(*ROW_VALUES[key]))
    if key in NATURALS:
        return str(variant.naturals.get(NATURALS[key], 0))
    if family == "fantasyland" and place:
        return _fantasyland_value(variant.fantasyland, place) if variant.fantasyland else ""
    values = {
        "seats": variant.max_seats,
        "decks": variant.decks,
        "jokers": variant.jokers,
        "joker_may_copy": _switched(variant.joker_may_copy),
        "double_ace_flush": _switched(variant.double_ace_flush),
        "order": variant.order.value,
        "strict_rows": _switched(variant.strict_rows),
        "row_point": variant.row_point,
        "scoop_bonus": variant.scoop_bonus,
        "majority_bonus": variant.majority_bonus,
        "two_rows_bonus": variant.two_rows_bonus,
        "total_bonus": variant.total_bonus,
        "discards": "open" if variant.open_discards else "hidden",
        "button": "freeze" if variant.freeze_button else "rotate",
        "surrender": variant.surrender,
        "naturals": _switched(variant.naturals),
        "fantasyland": _switched(variant.fantasyland),
        "royalties": "steeper_back" if variant.royalties.back == STEEPER_BACK.back else "standard",
        "deal": variant.deal_mode.value,
        "results": "netted" if variant.netted_results else "pairs",
    }
    return str(values[key])


def _switched(value: object) -> str:
    return ON if value else OFF


def _royalty_of(royalties: Royalties, place: str) -> int:
    """Return the points for a place such as ``back.flush``, ``front.QQ`` or ``low.9``."""
    row, _, hand = place.partition(".")
    if row == "low":
        return royalties.wheel_low if hand == WHEEL else royalties.lows.get(int(hand), 0)
    if row != "front":
        return {"middle": royalties.middle, "back": royalties.back}[row].get(CATEGORIES[hand], 0)
    table = royalties.front_pairs if len(hand) == 2 else royalties.front_trips
    return table.get(RANKS.index(hand[0]) + 2, 0)


def _fantasyland_value(rule: Fantasyland, place: str) -> str:
    pairs = [rank for rank in rule.entry if rank != TRIPS]
    if place == "entry":
        return entry_name(min(pairs, default=TRIPS))
    if place == "cards":
        # The first number also applies to players who stay.
        base = rule.stay_cards or min(rule.entry.values())
        numbers = [rule.entry.get(rank, base) for rank in (QUEEN, KING, ACE, TRIPS)]
        return str(numbers[0]) if len(set(numbers)) == 1 else ",".join(map(str, numbers))
    if place == "repeat":
        return "same" if rule.stay_cards is None else "base"
    if place == "wheel_stays":
        return _switched(rule.wheel_stays)
    if place == "clock":
        return "own" if rule.own_clock else "after_others"
    stay = rule.stay_middle if place == "stay_middle" else rule.stay_back
    return stay.name.lower() if stay else "none"


def house_variant(preset: str, overrides: Mapping[str, str], *, name: str = "", edition: int = EDITION) -> Variant:
    """Return the preset with overrides applied; raises VariantError with the reason in ``problem`` and ``details``.

    Only the complete game is checked, so overrides that are valid together may come in any order.

    >>> house_variant("pineapple", {"fantasyland.cards": "15"}, name="Ours").fantasyland.max_cards
    15
    """
    presets = FIRST_EDITION if edition == 1 else PRESETS
    if preset not in presets:
        raise VariantError("no_such_game", value=preset[:20], choices=", ".join(presets))
    unknown = [key for key in overrides if key not in OVERRIDES]
    if unknown:
        raise VariantError(
            "no_such_override",
            value=unknown[0][:40],
            choices=", ".join(get_close_matches(unknown[0][:40], OVERRIDES, 3, 0.0)),
        )
    house = {key: overrides[key].strip() for key in OVERRIDES if key in overrides}
    draft: Fields = {field.name: getattr(presets[preset], field.name) for field in fields(Variant) if field.init}
    if house:
        draft["edition"] = edition
        apply(draft, house)
    variant = Variant(**{**draft, "house": house, "house_name": name})
    for key in house:
        nothing = _says_nothing(variant, key)
        if nothing is None and variant.edition > 1:
            nothing = _never_paid(variant, key)
        if nothing:
            nothing.override = key
            raise nothing
    return variant


def to_spec(variant: Variant) -> dict[str, Any]:
    """Return the game as JSON: its preset, the house's overrides and name, and the edition unless it's the first."""
    spec: dict[str, Any] = {"preset": variant.key}
    if variant.house:
        spec["house"] = dict(variant.house)
    if variant.house_name:
        spec["name"] = variant.house_name
    if variant.edition > 1:
        spec["edition"] = variant.edition
    return spec


def parse_spec(spec: Mapping[str, Any]) -> Variant:
    """Return the game of a spec; raises VariantError if it's invalid."""
    preset, house, name, edition = spec["preset"], spec.get("house", {}), spec.get("name", ""), spec.get("edition", 1)
    presets = FIRST_EDITION if edition == 1 else PRESETS
    if preset in presets and not house and not name:
        return presets[preset]
    return house_variant(preset, house, name=name, edition=edition)


def renew(variant: Variant) -> Variant:
    """Return the game in the current edition, or unchanged if that edition refuses it."""
    try:
        return house_variant(variant.key, variant.house, name=variant.house_name)
    except VariantError:
        return variant
