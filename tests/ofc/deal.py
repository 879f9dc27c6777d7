"""The skeleton of a golden hand: ``python -m tests.ofc.deal KEY [SEED]`` prints it, to be laid and scored by hand.

SEED is any word; the same word gives the same hand, and another word other cards. What is left to write: the letters of
each ``rows``, the boards and the score. Each event carries a comment with its cards: take the comments out.
"""

from __future__ import annotations

import hashlib
import json
import sys

from bot.ofc.cards import Card, cards_text
from bot.ofc.deck import Entropy, deal_deck
from bot.ofc.hand import HandStatus, Lay, decide, evolve, replay, start
from bot.ofc.placement import automatic_placement
from bot.ofc.variants import PRESETS, Variant

TEXTS = ("1290000000000000001", "おはよう", "a b", "", "x", "text of player 6", "７", "8")
"""What the players add to the shuffle: an id, Japanese, blanks, nothing."""


def skeleton(variant: Variant, word: str) -> str:
    """JSON with a line of comment (``//``) above each event: whose cards are laid, and which."""
    seats = variant.min_seats + (variant.max_seats > variant.min_seats)
    seed = hashlib.sha256(f"{variant.key} {word}".encode()).digest()
    hand_id = f"{1 + seed[0]}.{1 + seed[1]}"
    players = [str(number * 10**17 + number) for number in range(1, seats + 1)]
    entropy = [Entropy(player, text) for player, text in zip(players, TEXTS, strict=False)]
    deck = deal_deck(variant, hand_id=hand_id, seed=seed, entropy=entropy)
    head = {
        **_spec(variant),
        "hand_id": hand_id,
        "seed": seed.hex(),
        "players": [{"player": add.player, "entropy": add.text} for add in entropy],
        "deck_order": cards_text(deck),
    }
    lines = [f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}," for key, value in head.items()]
    facts = ",\n".join(_events(variant, deck, players))
    return "\n".join(["{", *lines, f' "events": [\n{facts}\n ],', ' "boards": [],', ' "score": {}', "}"])


def _spec(variant: Variant) -> dict[str, object]:
    """How a golden hand names its game."""
    return {"variant": variant.key, **({"edition": variant.edition} if variant.edition > 1 else {})}


def _events(variant: Variant, deck: tuple[Card, ...], players: list[str]) -> list[str]:
    """The events of an ordinary hand in order, each with its comment."""
    log = start(variant, deck, players=players, fantasyland=[0] * len(players), button=0)
    told = [_event("hand_started", players=players, fantasyland=[0] * len(players), button=0)]
    told.append(_event("street_dealt", street=1))
    hand = replay(variant, deck, log)
    while hand.waiting:
        number, street, seat = hand.waiting[0], hand.street, hand.seats[hand.waiting[0]]
        comment = f"  // seat {number} holds {cards_text(seat.held)}: {hand.rule.lay} on the board, the rest D\n"
        told.append(comment + _event("cards_laid", seat=number, street=street, rows="." * len(seat.held), by="player"))
        rows = automatic_placement(seat.rows, seat.held, lay=hand.rule.lay)
        for fact in decide(hand, Lay(seat=number, rows=rows)):
            hand = evolve(hand, fact)
        if hand.street != street:
            told.append(_event("street_dealt", street=hand.street))
    assert hand.status is HandStatus.ENDED
    return [*told, _event("hand_ended")]


def _event(kind: str, **payload: object) -> str:
    return "  " + json.dumps({"kind": kind, "payload": {"v": 1, **payload}})


def main(arguments: list[str]) -> int:
    """Print the skeleton; 2 for a key that is none."""
    if not 1 <= len(arguments) <= 2 or arguments[0] not in PRESETS:
        print("python -m tests.ofc.deal KEY [SEED], with KEY one of:", *PRESETS, file=sys.stderr)
        return 2
    print(skeleton(PRESETS[arguments[0]], arguments[1] if len(arguments) > 1 else "1"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
