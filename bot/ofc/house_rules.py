"""House rules: a preset with overrides, as data. The same constructor checks them, and they are kept with every hand.

An override is ``key=value`` in text, such as ``royalty.back.royal_flush=50``, ``fantasyland.entry=KK`` or ``jokers=2``.
``house_variant`` makes the game or raises VariantError with the reason; ``spec_of`` and ``variant_of`` turn a game into
JSON and back, so that old hands replay after the house has changed its mind.

A spec says by which edition it is to be read. One without a number is of the first, whose games are played and paid for
ever as they were, even where the present edition would read it otherwise or refuse it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any

from bot.ofc.cards import ACE, KING, QUEEN, RANKS
from bot.ofc.naturals import Natural
from bot.ofc.ranks import LOWEST_TOP, Category
from bot.ofc.rows import BOARD_CARDS, Row
from bot.ofc.royalties import HIGH_CATEGORIES, STANDARD, STEEPER_BACK, Royalties
from bot.ofc.variants import (
    EDITION,
    FIRST_EDITION,
    FRONT_CATEGORIES,
    PRESETS,
    THIRTEEN,
    TRIPS,
    DealMode,
    Fantasyland,
    MiddleRank,
    TurnOrder,
    Variant,
    VariantError,
    entry_name,
)

Fields = dict[str, Any]
"""The fields of a variant while they are changed: nothing is judged before all of them are there."""
Change = Callable[[Fields, str], None]
MOST_POINTS = 1000
ON, OFF = "on", "off"
_SWITCH = {ON: True, OFF: False}


def _number(value: str, *, least: int = 0, most: int = MOST_POINTS) -> int:
    if not value.isascii() or not value.isdigit() or len(value) > 5 or not least <= int(value) <= most:
        raise VariantError("not_a_number", value=value[:20], least=least, most=most)
    return int(value)


def _choice(value: str, choices: Mapping[str, Any]) -> Any:
    if value not in choices:
        raise VariantError("not_a_choice", value=value[:20], choices=", ".join(choices))
    return choices[value]


def _numbered(field: str, *, least: int = 0, most: int = MOST_POINTS) -> Change:
    def change(draft: Fields, value: str) -> None:
        draft[field] = _number(value, least=least, most=most)

    return change


def _chosen(field: str, choices: Mapping[str, Any]) -> Change:
    def change(draft: Fields, value: str) -> None:
        draft[field] = _choice(value, choices)

    return change


def _seats(draft: Fields, value: str) -> None:
    """So many at most; a game for four may be played by fewer when the house says so."""
    seats = _number(value, least=2, most=8)
    draft |= {"max_seats": seats, "min_seats": min(seats, draft["min_seats"])}


# Fantasyland


def _fantasyland(draft: Fields, value: str) -> None:
    draft["fantasyland"] = _rule(draft) if _choice(value, _SWITCH) else None


def _rule(draft: Fields) -> Fantasyland:
    rule: Fantasyland | None = draft["fantasyland"]
    if rule is None:
        raise VariantError("no_fantasyland")
    return rule


def _ruled(field: str, choices: Mapping[str, Any]) -> Change:
    def change(draft: Fields, value: str) -> None:
        draft["fantasyland"] = replace(_rule(draft), **{field: _choice(value, choices)})

    return change


def _entry(draft: Fields, value: str) -> None:
    """Entry from this pair on; the numbers of cards stay as they are."""
    rule = _rule(draft)
    lowest = _choice(value, {RANKS[rank - 2] * 2: rank for rank in range(2, ACE + 1)} | {"trips": ACE + 1})
    fewest = min(rule.entry.values())
    entry = {rank: rule.entry.get(rank, fewest) for rank in range(lowest, ACE + 1)}
    draft["fantasyland"] = replace(rule, entry={**entry, TRIPS: rule.entry[TRIPS]})


def _cards(draft: Fields, value: str) -> None:
    """One number for every entry, or four: QQ and lower pairs, KK, AA and three of a kind.

    Where 7-5-4-3-2 enters, it counts as the lowest entry.
    """
    rule = _rule(draft)
    numbers = [_number(part.strip(), least=13, most=17) for part in value.split(",")]
    if len(numbers) not in (1, 4):
        raise VariantError("one_or_four_numbers", value=value[:20])
    by_front = dict(zip((QUEEN, KING, ACE, TRIPS), numbers * (4 // len(numbers)), strict=True))
    draft["fantasyland"] = replace(
        rule,
        entry={rank: by_front.get(rank, numbers[0]) for rank in rule.entry},
        stay_cards=None if rule.stay_cards is None else numbers[0],
        wheel_cards=rule.wheel_cards and numbers[0],
    )


def _repeat(draft: Fields, value: str) -> None:
    """A stay has a number of its own, or as many cards as before. Where it has one already, that stays."""
    rule = _rule(draft)
    fewest = min(rule.entry.values())
    base = fewest if draft["edition"] == 1 else rule.stay_cards or fewest
    draft["fantasyland"] = replace(rule, stay_cards=_choice(value, {"base": base, "same": None}))


# Royalties


def _royalty_table(draft: Fields, value: str) -> None:
    if _choice(value, {"standard": False, "steeper_back": True}):
        draft["royalties"] = replace(draft["royalties"], back=STEEPER_BACK.back)


_CATEGORIES = {category.name.lower(): category for category in Category if category is not Category.LOW}


def _royalty(table: str, hand: Category | int) -> Change:
    def change(draft: Fields, value: str) -> None:
        royalties: Royalties = draft["royalties"]
        pays = {**getattr(royalties, table), hand: _number(value)}
        changed: dict[str, Any] = {table: pays}
        draft["royalties"] = replace(royalties, **changed)

    return change


WHEEL = "7-5-4-3-2"
LOWS = {f"royalty.low.{rank}": rank for rank in range(LOWEST_TOP, 6, -1)}


def _low_royalty(rank: int) -> Change:
    def change(draft: Fields, value: str) -> None:
        royalties: Royalties = draft["royalties"]
        draft["royalties"] = replace(royalties, lows={**royalties.lows, rank: _number(value)})

    return change


def _wheel_royalty(draft: Fields, value: str) -> None:
    draft["royalties"] = replace(draft["royalties"], wheel_low=_number(value))


def _five_of_a_kind(draft: Fields, house: Mapping[str, str]) -> None:
    """Five of a kind pays what the deck makes of it, where the house does not say.

    50 and 100 with jokers, or 100 and 100 where the back is steeper; with two decks alone as much as a royal flush.
    """
    if draft["decks"] == 1 and not draft["jokers"]:
        return
    with_jokers = STEEPER_BACK if house.get("royalties") == "steeper_back" else STANDARD
    for row in ("middle", "back"):
        table: Mapping[Category, int] = getattr(draft["royalties"], row)
        if f"royalty.{row}.five_of_a_kind" in house or Category.FIVE_OF_A_KIND not in table:
            continue
        as_jokers: Mapping[Category, int] = getattr(with_jokers, row)
        points = as_jokers[Category.FIVE_OF_A_KIND] if draft["jokers"] else table[Category.ROYAL_FLUSH]
        changed: dict[str, Any] = {row: {**table, Category.FIVE_OF_A_KIND: points}}
        draft["royalties"] = replace(draft["royalties"], **changed)


# What rows and naturals win


ROW_VALUES = {
    f"row.{row.key}.{category.name.lower()}": (row, category)
    for row in Row
    for category in (FRONT_CATEGORIES if row is Row.FRONT else HIGH_CATEGORIES)
}
NATURALS = {f"natural.{natural.key}": natural for natural in Natural}


def _row_value(row: Row, category: Category) -> Change:
    def change(draft: Fields, value: str) -> None:
        draft["row_values"] = {**draft["row_values"], (row, category): _number(value)}

    return change


def _natural(natural: Natural) -> Change:
    """What a natural pays in a game that has some; without points it is none."""

    def change(draft: Fields, value: str) -> None:
        points = {**draft["naturals"], natural: _number(value)}
        if not draft["naturals"]:
            raise VariantError("no_naturals")
        draft["naturals"] = {known: pays for known, pays in points.items() if pays}

    return change


OVERRIDES: Mapping[str, Change] = {
    "seats": _seats,
    "decks": _numbered("decks", least=1, most=2),
    "jokers": _numbered("jokers", most=2),
    "joker_may_copy": _chosen("joker_may_copy", _SWITCH),
    "double_ace_flush": _chosen("double_ace_flush", _SWITCH),
    "order": _chosen("order", {order.value: order for order in TurnOrder}),
    "strict_rows": _chosen("strict_rows", _SWITCH),
    "row_point": _numbered("row_point"),
    "scoop_bonus": _numbered("scoop_bonus"),
    "majority_bonus": _numbered("majority_bonus"),
    "two_rows_bonus": _numbered("two_rows_bonus"),
    "total_bonus": _numbered("total_bonus"),
    "discards": _chosen("open_discards", {"open": True, "hidden": False}),
    "button": _chosen("freeze_button", {"freeze": True, "rotate": False}),
    "surrender": _numbered("surrender"),
    "naturals": _chosen("naturals", {ON: THIRTEEN.naturals, OFF: {}}),
    "fantasyland": _fantasyland,
    "fantasyland.entry": _entry,
    "fantasyland.cards": _cards,
    "fantasyland.repeat": _repeat,
    "fantasyland.stay_middle": _ruled(
        "stay_middle",
        {"none": None, "full_house": Category.FULL_HOUSE, "four_of_a_kind": Category.FOUR_OF_A_KIND},
    ),
    "fantasyland.stay_back": _ruled(
        "stay_back", {"four_of_a_kind": Category.FOUR_OF_A_KIND, "straight_flush": Category.STRAIGHT_FLUSH}
    ),
    "fantasyland.wheel_stays": _ruled("wheel_stays", _SWITCH),
    "royalties": _royalty_table,
    **{f"royalty.front.{rank * 2}": _royalty("front_pairs", number) for number, rank in enumerate(RANKS, start=2)},
    **{f"royalty.front.{rank * 3}": _royalty("front_trips", number) for number, rank in enumerate(RANKS, start=2)},
    **{f"royalty.{row}.{name}": _royalty(row, _CATEGORIES[name]) for row in ("middle", "back") for name in _CATEGORIES},
    # Custom ids count on the places of those above: what is new stands behind them.
    "deal": _chosen("deal_mode", {mode.value: mode for mode in DealMode}),
    "fantasyland.clock": _ruled("own_clock", {"after_others": False, "own": True}),
    "results": _chosen("netted_results", {"pairs": False, "netted": True}),
    **{key: _low_royalty(rank) for key, rank in LOWS.items()},
    f"royalty.low.{WHEEL}": _wheel_royalty,
    **{key: _row_value(row, category) for key, (row, category) in ROW_VALUES.items()},
    **{key: _natural(natural) for key, natural in NATURALS.items()},
}
"""Every override by its key."""
_FIRST = ("fantasyland", "fantasyland.repeat")
"""What is applied before the others, which are applied in their order: a stay keeps its number when entry changes."""
POINTS_OF_HANDS = ("royalty.", "row.", "natural.")
"""How the keys of overrides begin that say what a single hand pays."""


def _says_nothing(variant: Variant, key: str) -> VariantError | None:
    """Why an override could change nothing in this game; None where it can."""
    low = variant.middle is MiddleRank.DEUCE_TO_SEVEN
    # With two decks a second copy of every card exists, and a joker may always be it.
    if key == "joker_may_copy" and (not variant.jokers or variant.decks > 1):
        return VariantError("needs_joker_of_one_deck")
    if key == "double_ace_flush" and not variant.jokers:
        return VariantError("needs_jokers")
    if key in ("strict_rows", "fantasyland.stay_middle") and low:
        return VariantError("needs_high_middle")
    if key == "fantasyland.wheel_stays" and not low:
        return VariantError("needs_low_middle")
    if key == "discards" and variant.most_cards == BOARD_CARDS:
        return VariantError("needs_discards")
    if key == "button" and variant.fantasyland is None:
        return VariantError("button_needs_fantasyland")
    return None


def _never_paid(variant: Variant, key: str) -> VariantError | None:
    """Why nothing can be paid for a single hand; None where something can."""
    family, _, place = key.partition(".")
    row, _, hand = place.partition(".")
    low = variant.middle is MiddleRank.DEUCE_TO_SEVEN
    if family == "natural" and not variant.naturals:
        return VariantError("no_naturals")
    if row == "low":
        return None if low else VariantError("needs_low_middle")
    if row == "middle" and low:
        return VariantError("needs_high_middle")
    if hand in _CATEGORIES and _CATEGORIES[hand] not in variant.possible(Row[row.upper()]):
        return VariantError("never_paid", row=row, hand=hand)
    return None


def says_something(variant: Variant, key: str) -> bool:
    """False for an override that could change nothing in this game, or only be refused."""
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
    """What an override would have to say to leave this game as it is; empty where nothing can.

    A house that has written something gets that back.
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
    """The points of ``back.flush``, ``front.QQ`` or ``low.9``."""
    row, _, hand = place.partition(".")
    if row == "low":
        return royalties.wheel_low if hand == WHEEL else royalties.lows.get(int(hand), 0)
    if row != "front":
        return {"middle": royalties.middle, "back": royalties.back}[row].get(_CATEGORIES[hand], 0)
    table = royalties.front_pairs if len(hand) == 2 else royalties.front_trips
    return table.get(RANKS.index(hand[0]) + 2, 0)


def _fantasyland_value(rule: Fantasyland, place: str) -> str:
    pairs = [rank for rank in rule.entry if rank != TRIPS]
    if place == "entry":
        return entry_name(min(pairs, default=TRIPS))
    if place == "cards":
        # The first number is that of a stay as well.
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
    """The preset with overrides applied; raises VariantError with the reason in ``problem`` and ``details``.

    Only the whole is judged: overrides that are possible together may come in any order.
    """
    presets = FIRST_EDITION if edition == 1 else PRESETS
    if preset not in presets:
        raise VariantError("no_such_game", value=preset[:20], choices=", ".join(presets))
    unknown = [key for key in overrides if key not in OVERRIDES]
    if unknown:
        raise VariantError("no_such_override", value=unknown[0][:40])
    house = {key: overrides[key].strip() for key in OVERRIDES if key in overrides}
    draft: Fields = {field.name: getattr(presets[preset], field.name) for field in fields(Variant)}
    if house:
        draft["edition"] = edition
        _apply(draft, house)
    variant = Variant(**{**draft, "house": house, "house_name": name})
    for key in house:
        nothing = _says_nothing(variant, key)
        if nothing is None and variant.edition > 1:
            nothing = _never_paid(variant, key)
        if nothing:
            nothing.override = key
            raise nothing
    return variant


def _apply(draft: Fields, house: Mapping[str, str]) -> None:
    first = draft["edition"] == 1
    for key in house if first else sorted(house, key=lambda key: key not in _FIRST):
        try:
            OVERRIDES[key](draft, house[key])
        except VariantError as error:
            error.override = key
            raise
    if not first:
        _five_of_a_kind(draft, house)


def spec_of(variant: Variant) -> dict[str, Any]:
    """The game as JSON: its preset, the overrides and name of a house, and the edition where it is not the first."""
    spec: dict[str, Any] = {"preset": variant.key}
    if variant.house:
        spec["house"] = dict(variant.house)
    if variant.house_name:
        spec["name"] = variant.house_name
    if variant.edition > 1:
        spec["edition"] = variant.edition
    return spec


def variant_of(spec: Mapping[str, Any]) -> Variant:
    """The game of a spec; raises VariantError."""
    preset, house, name, edition = spec["preset"], spec.get("house", {}), spec.get("name", ""), spec.get("edition", 1)
    presets = FIRST_EDITION if edition == 1 else PRESETS
    if preset in presets and not house and not name:
        return presets[preset]
    return house_variant(preset, house, name=name, edition=edition)


def renewed(variant: Variant) -> Variant:
    """The game as a house would make it today; one that is refused today stays as it was made."""
    try:
        return house_variant(variant.key, variant.house, name=variant.house_name)
    except VariantError:
        return variant
