"""A verifier written from docs/fairness-spec.md only. It imports nothing from the bot.

    python independent_verifier.py RECORD.json

prints the error in the record, or that it's right and the root that must have been posted beforehand.
"""

import base64
import hashlib
import hmac
import json
import sys
from pathlib import Path
from typing import Any

V1, V2 = b"chaipo/deal/v1", b"chaipo/deal/v2"


def number(value: int) -> bytes:
    """32 bits, big-endian."""
    return value.to_bytes(4, "big")


def frame(parts: list[bytes]) -> bytes:
    """The parts as one byte string."""
    joined = number(len(parts))
    for part in parts:
        joined += number(len(part)) + part
    return joined


def sha256(*parts: bytes) -> bytes:
    """The hash of a frame."""
    return hashlib.sha256(frame(list(parts))).digest()


def is_second(record: dict[str, Any]) -> bool:
    """True for a record of version 2."""
    return bool(record["algorithm"] == V2.decode())


def published(record: dict[str, Any]) -> bytes:
    """Return the digest that must have been published before the hand."""
    seed, hand_id = bytes.fromhex(record["seed"]), record["hand_id"].encode()
    if not is_second(record):
        return sha256(V1 + b"/commit", hand_id, seed)
    here, place = sha256(V2 + b"/leaf", hand_id, seed), record["leaf"]
    for beside in map(bytes.fromhex, record["path"]):
        pair = (here, beside) if place % 2 == 0 else (beside, here)
        here, place = sha256(V2 + b"/node", *pair), place // 2
    server, table, number, *epoch = record["hand_id"].split("/")
    first = "/".join([server, table, str(int(number) - record["leaf"]), *epoch])
    return sha256(V2 + b"/root", first.encode(), here)


def message(record: dict[str, Any]) -> bytes:
    """Everything public that goes into the shuffle."""
    parts = [V2 if is_second(record) else V1, record["hand_id"].encode()]
    if is_second(record):
        rules = [f"{key}={value}" for key, value in sorted(record.get("house", {}).items())]
        rules += [f"edition={record['edition']}"] if "edition" in record else []
        cards = ",".join(str(count) for count in record["dealt"]["fantasyland"])
        parts += ["\n".join([record["variant"], *rules]).encode(), f"{record['dealt']['button']}:{cards}".encode()]
    for player in record["players"]:
        parts += [player["player"].encode(), player["entropy"].encode()]
    return frame(parts)


def stream(record: dict[str, Any], length: int) -> bytes:
    """The first ``length`` bytes, or a few more."""
    seed, public = bytes.fromhex(record["seed"]), message(record)
    made = b""
    while len(made) < length:
        made += hmac.new(seed, public + number(len(made) // 32), hashlib.sha256).digest()
    return made


def canonical_deck(record: dict[str, Any]) -> list[str]:
    """Return the deck before the shuffle."""
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    decks: int = record["deck"]["decks"]
    jokers: int = record["deck"]["jokers"]
    return deck * decks + ["X1", "X2"][:jokers]


def shuffled_deck(record: dict[str, Any]) -> list[str]:
    """The cards as they are dealt."""
    deck = canonical_deck(record)
    # Less than half of each byte's values are rejected, so this is more than enough.
    chance = iter(stream(record, 64 * len(deck)))
    for i in range(len(deck) - 1, 0, -1):
        b = next(chance)
        while b >= 256 - (256 % (i + 1)):
            b = next(chance)
        j = b % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def deals(record: dict[str, Any], streets: list[int]) -> list[tuple[int, list[str]]]:
    """Seat and cards of every deal, in order, of a hand that is played to its end."""
    deck, dealt = shuffled_deck(record), record["dealt"]
    seats = len(record["players"])
    clockwise = [(dealt["button"] + 1 + step) % seats for step in range(seats)]
    made = []
    for seat in clockwise:
        if dealt["fantasyland"][seat]:
            made.append((seat, dealt["fantasyland"][seat]))
    for count in streets:
        made += [(seat, count) for seat in clockwise if not dealt["fantasyland"][seat]]
    result, place = [], 0
    for seat, count in made:
        result.append((seat, deck[place : place + count]))
        place += count
    return result


def problem(record: dict[str, Any]) -> str | None:
    """Return the error in a record; None if it's right. It doesn't check the game itself."""
    if record["algorithm"] not in (V1.decode(), V2.decode()):
        return "unknown algorithm"
    if record["root" if is_second(record) else "commitment"] != published(record).hex():
        return "commitment does not match"
    if record["deck_order"] != "".join(shuffled_deck(record)):
        return "deck differs"
    return None


if __name__ == "__main__":
    given = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    found = problem(given)
    root = published(given)
    fingerprint = base64.b32encode(root).decode().lower()[:26]
    sys.stdout.write(f"{found or f'right, if this was posted beforehand: {fingerprint} ({root.hex()})'}\n")
    raise SystemExit(1 if found else 0)
