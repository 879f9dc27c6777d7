"""``make page``: write the boards on which the page and the bot must agree, from the rules of ``bot/pure/ofc``.

The page judges its reader's rows itself (``page/rows``). ``tests/web/test_built.py`` makes the file again from the
bot's rules, and ``tests/web/state/rows.test.mjs`` compares it with the page's. The draws of a row are the page's own,
so they're counted here from their definition, card by card.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from math import comb
from random import Random
from typing import Any

from bot.base.installation import HOME
from bot.pure.ofc.cards import JOKERS, ROWS, Card, Row, RowCards, cards_text, full_deck, parse_cards, rank_of, suit_of
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.outlook import filled
from bot.pure.ofc.placement import preview
from bot.pure.ofc.ranks import (
    MAX_LOW_RANK,
    Category,
    Strength,
    category_of,
    encode_strength,
    partial_strength,
    top_rank,
)
from bot.pure.ofc.scoring import next_fantasyland, possible_strengths
from bot.pure.ofc.variants import MiddleRank, Variant
from bot.text.cards import hand_text
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from bot.web.page_words import sent_hands, sent_words
from bot.web.row_rules import row_rules
from tests.pure.ofc.games import VARIANTS

GOLDEN = HOME / "tests" / "web" / "state" / "rows.json"
BOARDS = 20
"""Boards per game, in addition to the known ones."""
KNOWN = (
    "QsQd2c/5c5d5h9s9c/AhKhQhJhTh",
    "KsKd3c/2c2d2h4s5c/6s6d6h6c7d",
    "2s2d2c/4c4d4h4s9c/9h8h7h6h5h",
    "AsAd9c/3c4d5h6s7c/KhQhJh9h8h",
    "JsJd2c/7h5d4c3s2h/TsTd5h5c6d",
    "QsQd2c/9h8d5c3s2s/AhKd7s4cJh",
    "AsKdQc/AcKhQh2d3d/AdKcQs2c4c",
    "Qs2d2h/2c3c4c5c7c/8s8d8h8c3d",
)
"""Boards with hands that are rarely dealt."""
FIVES = {"jokers": "2s2d2c/4c4d4h4sX1/9h9c9d9sX2", "decks": "2s2d2c/4c4d4h4s4c/9h9c9d9s9h"}
"""Boards with five of a kind, in games with two jokers or two decks."""
HOUSES = (
    house_variant("pineapple", {"fantasyland.stay_middle": "full_house", "royalty.back.flush": "7"}),
    house_variant("pineapple", {"fantasyland.entry": "JJ", "royalty.front.55": "1", "royalty.front.AAA": "40"}),
    house_variant("joker_pineapple", {"joker_may_copy": "off", "double_ace_flush": "on"}),
    house_variant("joker_pineapple", {"jokers": "1", "royalties": "steeper_back"}),
    house_variant("two_seven", {"fantasyland.wheel_stays": "on", "royalty.low.10": "1"}),
    house_variant("classic", {"strict_rows": "on", "fantasyland.entry": "trips"}),
)
_SEQUENCES = {Category.STRAIGHT, Category.FLUSH, Category.STRAIGHT_FLUSH}
_STRAIGHT_FLUSHES = {Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH}
_ENTRY_VALUE = 7
"""An entry's value in points when draws are compared."""


def games() -> Iterator[tuple[str, Variant]]:
    """Yield one game for each set of rules that judge rows."""
    seen = []
    for variant in (*VARIANTS, *HOUSES):
        rules = row_rules(variant)
        if rules not in seen:
            seen.append(rules)
            house = "".join(f" {key}={value}" for key, value in variant.house.items())
            yield variant.key + house, variant


def cards_of(variant: Variant) -> tuple[Card, ...]:
    return full_deck(decks=variant.decks, jokers=variant.jokers)


def boards(variant: Variant, chance: Random) -> Iterator[tuple[RowCards, int]]:
    """Yield boards of all sizes, from cards that make many hands, each with a number of Fantasyland cards."""
    pools = (
        lambda card: True,
        lambda card: card in JOKERS or rank_of(card) > 8,
        lambda card: card in JOKERS or suit_of(card) > 1,
        lambda card: card in JOKERS or rank_of(card) < 9,
        lambda card: card in JOKERS or rank_of(card) % 3 == 0 or suit_of(card) == 2,
    )
    fives = [text for rule, text in FIVES.items() if getattr(variant, rule) > 1 and variant.has_five_of_a_kind]
    for text in (*KNOWN, *fives):
        front, middle, back = map(parse_cards, text.split("/"))
        for held in (0, variant.fantasyland.max_cards) if variant.fantasyland else (0,):
            yield (front, middle, back), held
            if variant.jokers:
                yield ((*front[:2], JOKERS[0]), middle, (*back[:4], JOKERS[-1]) if variant.jokers > 1 else back), held
    for number in range(BOARDS):
        pool = [card for card in cards_of(variant) if pools[number % len(pools)](card)]
        chance.shuffle(pool)
        if variant.jokers and number % 2:
            pool.sort(key=lambda card: card not in JOKERS)
        sizes = [chance.randint(0, row.size) if number % 3 else row.size for row in ROWS]
        dealt = pool[: sum(sizes)]
        chance.shuffle(dealt)
        front, middle, back = (tuple(dealt.pop() for _ in range(size)) for size in sizes)
        rows: RowCards = (front, middle, back)
        if number % 4 == 1:
            rest = Counter(cards_of(variant)) - Counter((*front, *middle, *back))
            rows = filled(variant, rows, tuple(sorted(rest.elements()))) or rows
        held = chance.choice((0, *variant.fantasyland.numbers)) if variant.fantasyland else 0
        yield rows, held


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """A hand that a row can become."""

    category: str
    rank: int
    needed: int
    left: int
    points: int
    entry: int
    ranks: tuple[int, ...]


@dataclass(slots=True)
class _Count:
    """The choices of cards that make a hand."""

    needed: int
    ways: int = 0
    helping: set[Card] = field(default_factory=set)


def _best(variant: Variant, row: Row, cards: tuple[Card, ...]) -> Strength:
    if len(cards) == row.size:
        return possible_strengths(variant, row, cards)[0]
    natural = [card for card in cards if card not in JOKERS]
    return partial_strength(natural, jokers=len(cards) - len(natural))


def _targets(variant: Variant, row: Row, now: Strength, made: Strength, needed: int) -> list[Strength]:
    """Return the hands that ``made`` counts for: one by its rank in the front, by category in the other rows."""
    before, after = category_of(now), category_of(made)
    if row is Row.MIDDLE and variant.middle is MiddleRank.DEUCE_TO_SEVEN:
        return [encode_strength(Category.LOW, ())] if after is Category.LOW else []
    if row is Row.FRONT:
        return [encode_strength(after, (top_rank(made),))] if needed == 1 and after > before else []
    wanted = {after} | (_SEQUENCES if after in _STRAIGHT_FLUSHES else set())
    if needed == 2:
        wanted = {category for category in wanted if category > Category.THREE_OF_A_KIND}
    if needed == 3:
        wanted &= {Category.FLUSH}
    return [encode_strength(category, ()) for category in wanted if category > before]


def draws(variant: Variant, row: Row, cards: tuple[Card, ...], unseen: Sequence[Card]) -> list[Draw]:
    """Return what a row can become with up to two unseen cards, or three for a flush or a low, the best draw first."""
    room = row.size - len(cards)
    now = _best(variant, row, cards)
    low = row is Row.MIDDLE and variant.middle is MiddleRank.DEUCE_TO_SEVEN
    may_be_low = category_of(now) is Category.HIGH_CARD and top_rank(now) <= MAX_LOW_RANK
    if not room or len(cards) < (1 if row is Row.FRONT else 2) or (low and (room > 3 or not may_be_low)):
        return []
    suited = row is not Row.FRONT and len({suit_of(card) for card in cards if card not in JOKERS}) == 1
    found: dict[Strength, _Count] = {}
    for needed in range(room if low else 1, min(room, 3 if low or suited else 2) + 1):
        for added in combinations(unseen, needed):
            for target in _targets(variant, row, now, _best(variant, row, cards + added), needed):
                count = found.setdefault(target, _Count(needed))
                if count.needed == needed:
                    count.ways += 1
                    count.helping.update(added)

    def order(one: tuple[Strength, _Count]) -> tuple[float, float, int]:
        target, count = one
        chance = count.ways / comb(len(unseen), count.needed)
        value = _points(variant, row, target) + (_ENTRY_VALUE if _entry(variant, row, target) else 0)
        return -value * chance, -chance, -target

    return [
        Draw(
            category=category_of(target).name.lower(),
            rank=top_rank(target),
            needed=count.needed,
            left=sum(card in count.helping for card in unseen),
            points=_points(variant, row, target),
            entry=_entry(variant, row, target),
            ranks=tuple(sorted({rank_of(card) for card in count.helping if card not in JOKERS})),
        )
        for target, count in sorted(found.items(), key=order)
    ]


def _points(variant: Variant, row: Row, target: Strength) -> int:
    return 0 if category_of(target) is Category.LOW else variant.royalties.of(row, target)


def _entry(variant: Variant, row: Row, target: Strength) -> int:
    return next_fantasyland(variant, (target,) * 3, held=0) if row is Row.FRONT else 0


def rows_to_draw(variant: Variant, chance: Random) -> Iterator[tuple[Row, tuple[Card, ...], tuple[Card, ...]]]:
    """Yield unfinished rows, with other cards that the reader has seen."""
    texts = {
        Row.FRONT: ("Qh", "Qh7c", "KdKs", "5c", "Ah2d"),
        Row.MIDDLE: ("ThTd7c", "8s9dJc", "2h5h", "4c4d8h8s", "3c5d7h", "9h7h4h2h"),
        Row.BACK: ("8h9hTh", "5s6s", "TcTdTh", "AsKsQsJs", "4c5d6h8s", "2c2d", "9dKc", "6c7c8c9c"),
    }
    for row, known in texts.items():
        for number, text in enumerate(known):
            cards = parse_cards(text)
            if variant.jokers and number % 3 == 1:
                cards = (*cards[:-1], JOKERS[0])
            rest = list((Counter(cards_of(variant)) - Counter(cards)).elements())
            others = tuple(chance.sample(rest, len(rest) // (2 if variant.decks == 1 else 3)))
            yield row, cards, others


def golden() -> dict[str, Any]:
    """Return the contents of the file."""
    made: list[dict[str, Any]] = []
    for name, variant in games():
        chance = Random(name)
        made.append(
            {
                "game": name,
                "rules": asdict(row_rules(variant)),
                "boards": [_board(variant, rows, held) for rows, held in boards(variant, chance)],
                "draws": [_draws(variant, *each) for each in rows_to_draw(variant, chance)],
            }
        )
    codes = sorted({strength for game in made for board in game["boards"] for strength in board["strengths"]})
    named = [strength for strength in codes if strength][:: max(1, len(codes) // 60)]
    named += [min(code for code in codes if code >> 20 == category) for category in Category]
    words = {code: words_for(code) for code in LANGUAGES}
    return {
        "games": made,
        "hands": {code: sent_hands(own) for code, own in words.items()},
        "words": {code: _of_rows(sent_words(own).words) for code, own in words.items()},
        "names": {
            code: {str(strength): hand_text(Strength(strength), own) for strength in sorted(set(named))}
            for code, own in words.items()
        },
    }


def _of_rows(words: Mapping[str, str]) -> dict[str, str]:
    """Return the page's words about rows."""
    return {
        key: said
        for key, said in words.items()
        if key.startswith(("row_", "pays_")) or key in ("joint", "named", "pause")
    }


def _board(variant: Variant, rows: RowCards, held: int) -> Mapping[str, Any]:
    seen = preview(variant, rows, fantasyland=held)
    return {
        "rows": "/".join(map(cards_text, rows)),
        "held": held,
        "strengths": seen.strengths,
        "royalties": seen.royalties,
        "order": seen.order.value,
        "clash": [row.place for row in seen.clash] if seen.clash else None,
        "fantasyland": seen.next_fantasyland,
    }


def _draws(variant: Variant, row: Row, cards: tuple[Card, ...], others: tuple[Card, ...]) -> Mapping[str, Any]:
    unseen = tuple((Counter(cards_of(variant)) - Counter(cards) - Counter(others)).elements())
    found = [asdict(draw) for draw in draws(variant, row, cards, unseen)]
    return {"row": row.place, "cards": cards_text(cards), "others": cards_text(others), "draws": found}


def text() -> str:
    """Return the file, with each board and each draw on a line."""
    told = golden()
    lines = ["{", '"games": [']
    for number, game in enumerate(told["games"]):
        lines.append(f'{{"game": {json.dumps(game["game"])}, "rules": {json.dumps(game["rules"])},')
        for part, end in (("boards", "],"), ("draws", "]}")):
            lines += [f'"{part}": [', ",\n".join(json.dumps(one, separators=(",", ":")) for one in game[part]), end]
        lines[-1] += "," if number < len(told["games"]) - 1 else ""
    rest = (json.dumps(told[part], ensure_ascii=False) for part in ("hands", "words", "names"))
    return "\n".join([*lines, "],", '"hands": {},\n"words": {},\n"names": {}'.format(*rest), "}", ""])
