"""The overrides for house games, and the change that each makes to a game (``OVERRIDES``, by key).

An override changes a draft, the fields of a variant before validation. ``apply`` makes all of a house's changes.
Keys and values are permanent, because they are stored with every hand that uses them.

Source: docs/servers.md, "Games of your own".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from bot.pure.ofc.cards import ACE, KING, QUEEN, RANKS, Row
from bot.pure.ofc.naturals import Natural
from bot.pure.ofc.presets import THIRTEEN
from bot.pure.ofc.ranks import MAX_LOW_RANK, Category
from bot.pure.ofc.royalties import HIGH_CATEGORIES, STANDARD, STEEPER_BACK, Royalties
from bot.pure.ofc.variants import FRONT_CATEGORIES, TRIPS, DealMode, Fantasyland, TurnOrder, VariantError

Fields = dict[str, Any]
"""The fields of a variant while they are being changed. They are validated only after all changes."""
Change = Callable[[Fields, str], None]
MAX_POINTS = 1000
ON, OFF = "on", "off"
_SWITCH = {ON: True, OFF: False}


def _number(value: str, *, least: int = 0, most: int = MAX_POINTS) -> int:
    if not value.isascii() or not value.isdigit() or len(value) > 5 or not least <= int(value) <= most:
        raise VariantError("not_a_number", value=value[:20], least=least, most=most)
    return int(value)


def _choice(value: str, choices: Mapping[str, Any]) -> Any:
    if value not in choices:
        raise VariantError("not_a_choice", value=value[:20], choices=", ".join(choices))
    return choices[value]


def _numbered(field: str, *, least: int = 0, most: int = MAX_POINTS) -> Change:
    def change(draft: Fields, value: str) -> None:
        draft[field] = _number(value, least=least, most=most)

    return change


def _chosen(field: str, choices: Mapping[str, Any]) -> Change:
    def change(draft: Fields, value: str) -> None:
        draft[field] = _choice(value, choices)

    return change


def _seats(draft: Fields, value: str) -> None:
    """Set the maximum number of seats, and lower the minimum if that's higher."""
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
    """Set the lowest pair that enters Fantasyland. The numbers of cards stay unchanged."""
    rule = _rule(draft)
    lowest = _choice(value, {RANKS[rank - 2] * 2: rank for rank in range(2, ACE + 1)} | {"trips": ACE + 1})
    fewest = min(rule.entry.values())
    entry = {rank: rule.entry.get(rank, fewest) for rank in range(lowest, ACE + 1)}
    draft["fantasyland"] = replace(rule, entry={**entry, TRIPS: rule.entry[TRIPS]})


def _cards(draft: Fields, value: str) -> None:
    """Set one number of cards for every entry, or four: QQ and lower pairs, KK, AA and three of a kind.

    If 7-5-4-3-2 enters, it gets the number of the lowest entry.
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
    """Give a stay a fixed number of cards or the previous number. A fixed number that's already set is kept."""
    rule = _rule(draft)
    fewest = min(rule.entry.values())
    base = fewest if draft["edition"] == 1 else rule.stay_cards or fewest
    draft["fantasyland"] = replace(rule, stay_cards=_choice(value, {"base": base, "same": None}))


# Royalties


def _royalty_table(draft: Fields, value: str) -> None:
    if _choice(value, {"standard": False, "steeper_back": True}):
        draft["royalties"] = replace(draft["royalties"], back=STEEPER_BACK.back)


CATEGORIES = {category.name.lower(): category for category in Category if category is not Category.LOW}


def _royalty(table: str, hand: Category | int) -> Change:
    def change(draft: Fields, value: str) -> None:
        royalties: Royalties = draft["royalties"]
        pays = {**getattr(royalties, table), hand: _number(value)}
        changed: dict[str, Any] = {table: pays}
        draft["royalties"] = replace(royalties, **changed)

    return change


WHEEL = "7-5-4-3-2"
LOWS = {f"royalty.low.{rank}": rank for rank in range(MAX_LOW_RANK, 6, -1)}


def _low_royalty(rank: int) -> Change:
    def change(draft: Fields, value: str) -> None:
        royalties: Royalties = draft["royalties"]
        draft["royalties"] = replace(royalties, lows={**royalties.lows, rank: _number(value)})

    return change


def _wheel_royalty(draft: Fields, value: str) -> None:
    draft["royalties"] = replace(draft["royalties"], wheel_low=_number(value))


def _five_of_a_kind(draft: Fields, house: Mapping[str, str]) -> None:
    """Set the royalty for five of a kind by the deck, unless the house sets it.

    With jokers it's 100 in the middle and 50 on the back (100 with ``steeper_back``). With two decks and no jokers it
    pays as much as a royal flush.
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


# Points for rows and naturals


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
    """Return a change of the points for a natural, in a game with naturals; 0 removes the natural."""

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
    **{f"royalty.{row}.{name}": _royalty(row, CATEGORIES[name]) for row in ("middle", "back") for name in CATEGORIES},
    # Custom ids depend on the positions of the keys above, so new ones go below.
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
"""Overrides applied before the others, so that a stay keeps its number when the entry changes."""
POINTS_OF_HANDS = ("royalty.", "row.", "natural.")
"""Prefixes of the overrides that set the points for a single hand."""


def apply(draft: Fields, house: Mapping[str, str]) -> None:
    """Apply every override of a house to the draft, as its edition defines.

    Raises VariantError with the key of the invalid override.
    """
    first = draft["edition"] == 1
    for key in house if first else sorted(house, key=lambda key: key not in _FIRST):
        try:
            OVERRIDES[key](draft, house[key])
        except VariantError as error:
            error.override = key
            raise
    if not first:
        _five_of_a_kind(draft, house)
