"""Create a golden hand: ``python -m tests.pure.ofc.deal KEY [PLACEMENT ...]`` prints its file.

It deals the game KEY and applies the placements in the order of turns. A placement is a letter per card in the order
dealt (``FMBBB``), followed by ``!`` to declare a natural, or ``surrender``. The file is printed in the format of golden
hands, and each player's cards go to standard error, so that you can add one placement after the other. Missing
placements have dots instead of letters, and boards are written once none is missing. A person has to work out the
score, whose numbers are printed as 0.
"""

from __future__ import annotations

import hashlib
import json
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from bot.base.command_help import HelpFormatter, examples
from bot.pure.ofc.cards import BOARD_CARDS, EMPTY, cards_text
from bot.pure.ofc.deck import Entropy, deal_deck
from bot.pure.ofc.hand import Action, Hand, PlaceCards, Surrender
from bot.pure.ofc.log import Fact, kind_of, to_json
from bot.pure.ofc.notation import DECLARED, board_text
from bot.pure.ofc.placement import automatic_placement
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.scoring import HandScore
from bot.pure.ofc.variants import Variant
from tests.pure.ofc.games import Played, opened

Json = dict[str, Any]
TEXTS = ("1290000000000000001", "おはよう", "a b", "", "x", "text of player 6", "７", "8")
"""The players' shuffle texts: an id, Japanese, blanks and nothing."""
SURRENDER = "surrender"
OF_MANY_LINES = ("players", "events", "boards", "score", "pairs")


class DealError(ValueError):
    """A hand that cannot be dealt or placed as it is asked for; the text says why."""


def golden(variant: Variant, *placements: str, word: str = "1", fantasyland: Sequence[int] = ()) -> tuple[Json, str]:
    """A golden hand with these placements, and who holds which cards, a line for each placement.

    ``word`` chooses the cards, ``fantasyland`` is what each seat is dealt there. Raises DealError.
    """
    head, played = _opened(variant, word=word, fantasyland=fantasyland)
    events, left = [_written(fact) for fact in played.log], [*placements]
    told: list[str] = []
    while played.hand.waiting:
        given = left.pop(0) if left else ""
        told.append(f"{_asked(played.hand, sure=len(told) <= len(placements))} {given or '?'}")
        known = len(played.log)
        try:
            played = played.then(_action(played.hand, given))
        except Refused as refused:
            raise DealError(f"{told[-1]} is refused: {refused}") from refused
        events += [_written(fact, blank=not given) for fact in played.log[known:]]
    if left:
        raise DealError(f"the hand is over before {' '.join(left)}")
    whole = len(told) <= len(placements)
    boards = [board_text(seat.rows) if whole else "" for seat in played.hand.seats]
    score = _blank(score_record(played.hand.score))
    return {**head, "events": events, "boards": boards, "score": score}, "\n".join(told)


def _opened(variant: Variant, *, word: str, fantasyland: Sequence[int]) -> tuple[Json, Played]:
    """The head of a golden hand, and the hand just dealt."""
    seats = len(fantasyland) or variant.min_seats + (variant.max_seats > variant.min_seats)
    sizes = (0, *(variant.fantasyland.numbers if variant.fantasyland else ()))
    if not variant.min_seats <= seats <= variant.max_seats or not set(fantasyland) <= set(sizes):
        written = ",".join(map(str, fantasyland))
        choices = f"{' or '.join(map(str, sizes))} for each of {variant.min_seats} to {variant.max_seats} seats"
        raise DealError(f"{written} is not dealt in {variant.key}: write {choices}")
    seed = hashlib.sha256(f"{variant.key} {word}".encode()).digest()
    hand_id = f"{1 + seed[0]}.{1 + seed[1]}"
    players = [str(number * 10**17 + number) for number in range(1, seats + 1)]
    entropy = [Entropy(player, text) for player, text in zip(players, TEXTS, strict=False)]
    deck = deal_deck(variant, hand_id=hand_id, seed=seed, entropy=entropy)
    head = {
        "variant": variant.key,
        **({"edition": variant.edition} if variant.edition > 1 else {}),
        "hand_id": hand_id,
        "seed": seed.hex(),
        "players": [{"player": add.player, "entropy": add.text} for add in entropy],
        "deck_order": cards_text(deck),
    }
    return head, opened(variant, players=players, fantasyland=fantasyland, deck=deck)


def _asked(hand: Hand, *, sure: bool) -> str:
    """Return the next player and cards, such as ``seat 1, street 2: 2 of AsKd2c on Qs//5c5d``.

    The board is included while it's certain, that is, until the first missing placement.
    """
    number = hand.waiting[0]
    seat = hand.seats[number]
    held = cards_text(seat.held)
    if seat.fantasyland:
        return f"seat {number}, Fantasyland: {BOARD_CARDS} of {held}:"
    board = f" on {board_text(seat.rows)}" if sure else ""
    return f"seat {number}, street {hand.street}: {hand.rule.to_place} of {held}{board}:"


def _action(hand: Hand, given: str) -> Action:
    """Return the action of a placement, or any legal action if it's missing."""
    number = hand.waiting[0]
    seat = hand.seats[number]
    if given == SURRENDER:
        return Surrender(seat=number)
    if given:
        return PlaceCards(seat=number, rows=given.removesuffix(DECLARED), declare=given.endswith(DECLARED))
    rows, to_place = (EMPTY, BOARD_CARDS) if seat.fantasyland else (seat.rows, hand.rule.to_place)
    return PlaceCards(seat=number, rows=automatic_placement(rows, seat.held, to_place=to_place))


def _written(fact: Fact, *, blank: bool = False) -> Json:
    payload = to_json(fact)
    if blank and "rows" in payload:
        payload["rows"] = "." * len(payload["rows"])
    return {"kind": kind_of(fact), "payload": payload}


def score_record(score: HandScore) -> Json:
    """A score as golden hands write it."""
    return {
        "fouls": [scored.foul for scored in score.boards],
        "royalties": [scored.royalties for scored in score.boards],
        "fantasyland": [scored.next_fantasyland for scored in score.boards],
        "naturals": [scored.natural and scored.natural.key for scored in score.boards],
        "surrendered": [scored.surrendered for scored in score.boards],
        "pairs": [
            {
                "seats": [pair.first, pair.second],
                "rows": list(pair.rows),
                "row_points": list(pair.row_points),
                "scoop": pair.scoop,
                "bonus": pair.bonus,
                "royalties": pair.royalties,
                "natural": pair.natural,
                "points": pair.points,
            }
            for pair in score.pairs
        ],
        "points": list(score.points),
    }


def _blank(value: Any) -> Any:
    """Return the same structure with results replaced by false, 0 and null."""
    if isinstance(value, dict):
        return {key: item if key == "seats" else _blank(item) for key, item in value.items()}
    if isinstance(value, list):
        return list(map(_blank, value))
    return type(value)() if isinstance(value, int) else None


def text_of(value: Any, *, depth: int = 0) -> str:
    """A golden hand as its file holds it: an event, a board, a pair a line."""
    pad = "\n" + " " * (depth + 1)
    if isinstance(value, dict):
        parts = [
            f'"{key}": {text_of(item, depth=depth + 1) if key in OF_MANY_LINES else _line(item)}'
            for key, item in value.items()
        ]
    else:
        parts = list(map(_line, value))
    first, last = "{}" if isinstance(value, dict) else "[]"
    return f"{first}{pad}{f',{pad}'.join(parts)}{pad[:-1]}{last}"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _each(text: str) -> list[int]:
    return list(map(int, text.split(",")))


def parser() -> ArgumentParser:
    """Return the command line."""
    parser = ArgumentParser(
        prog="python -m tests.pure.ofc.deal",
        description="Deal a golden hand and print its file, with the scores left at 0 for you to work out. The cards "
        "of each player go to standard error, so that you can add one placement after the other.",
        epilog=examples("pineapple", "classic FMBBB BBMMF --word other"),
        formatter_class=HelpFormatter,
    )
    parser.add_argument("key", choices=PRESETS, metavar="KEY", help=f"the game, one of: {', '.join(PRESETS)}")
    parser.add_argument(
        "placements",
        nargs="*",
        metavar="PLACEMENT",
        help="a letter per card in the order dealt, such as FMBBB; the placements follow the order of turns",
    )
    parser.add_argument("--word", default="1", help="word that determines the deck")
    parser.add_argument(
        "--fantasyland",
        type=_each,
        default=(),
        metavar="CARDS",
        help="Fantasyland cards of each seat, such as 0,14,0 (default: none)",
    )
    return parser


def main(arguments: Sequence[str]) -> int:
    """Print the hand; returns 2 if it can't be dealt or placed."""
    asked = parser().parse_args(arguments)
    try:
        hand, told = golden(PRESETS[asked.key], *asked.placements, word=asked.word, fantasyland=asked.fantasyland)
    except DealError as error:
        print(error, file=sys.stderr)
        return 2
    print(told, file=sys.stderr)
    print(text_of(hand))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
