"""A second verifier, written from docs/fairness-spec.ja.md only, for hands, draws and the decks of duplicate events.

    python tests/pure/ofc/japanese_verifier.py RECORD.json

prints the error in the record, or that it's right. It imports nothing from the bot or from the other verifier.
"""

import json
import re
import sys
from collections.abc import Iterator
from hashlib import sha256
from hmac import digest
from pathlib import Path
from typing import Any

Record = dict[str, Any]
LABELS = re.compile(r"start|round [1-9]\d*|moment \d+")


def number(value: int) -> bytes:
    """数: four bytes."""
    return value.to_bytes(4, "big")


def frame(*parts: str | bytes) -> bytes:
    """枠: a list of texts and bytes as one byte string."""
    encoded = [part.encode() if isinstance(part, str) else part for part in parts]
    return number(len(encoded)) + b"".join(number(len(part)) + part for part in encoded)


def hashed(*parts: str | bytes) -> bytes:
    """The SHA-256 of a frame."""
    return sha256(frame(*parts)).digest()


def stream(seed: bytes, message: bytes) -> Iterator[int]:
    """乱数列: bytes, as many as are asked for."""
    block = 0
    while True:
        yield from digest(seed, message + number(block), "sha256")
        block += 1


def shuffled(things: list[str], seed: bytes, message: bytes, *, size: int) -> list[str]:
    """フィッシャー–イェーツ, with numbers of so many bytes."""
    order, bytes_left, values = [*things], stream(seed, message), 256**size
    for last in range(len(order) - 1, 0, -1):
        limit = values - values % (last + 1)
        while (value := int.from_bytes([next(bytes_left) for _ in range(size)], "big")) >= limit:
            pass
        other = value % (last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def canonical(deck: Record) -> list[str]:
    """もとの山札."""
    cards = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    return [*cards * int(deck["decks"]), *(f"X{joker}" for joker in range(1, deck["jokers"] + 1))]


def root_of(record: Record) -> bytes:
    """ルート, up the path; empty where the tree could not have begun there."""
    here, place = hashed("chaipo/deal/v2/leaf", record["hand_id"], bytes.fromhex(record["seed"])), record["leaf"]
    for beside in map(bytes.fromhex, record["path"]):
        pair = (beside, here) if place % 2 else (here, beside)
        here, place = hashed("chaipo/deal/v2/node", *pair), place // 2
    names = record["hand_id"].split("/")
    names[2] = str(int(names[2]) - record["leaf"])
    if int(names[2]) < 1:
        return b""
    return hashed("chaipo/deal/v2/root", "/".join(names), here)


def message_of(record: Record) -> bytes:
    """メッセージ: all that is public and goes into the shuffle."""
    people = [text for seat in record["players"] for text in (seat["player"], seat["entropy"])]
    if record["algorithm"] == "chaipo/deal/v1":
        return frame("chaipo/deal/v1", record["hand_id"], *people)
    house = record.get("house", {})
    game = "".join([record["variant"], *(f"\n{key}={house[key]}" for key in sorted(house))])
    if "edition" in record:
        game += f"\nedition={record['edition']}"
    dealt = f"{record['dealt']['button']}:{','.join(map(str, record['dealt']['fantasyland']))}"
    return frame("chaipo/deal/v2", record["hand_id"], game, dealt, *people)


def of_hand(record: Record) -> str | None:
    """Return the error in a hand's record."""
    seed = bytes.fromhex(record["seed"])
    if record["algorithm"] == "chaipo/deal/v1":
        if hashed("chaipo/deal/v1/commit", record["hand_id"], seed).hex() != record["commitment"]:
            return "commitment"
    elif len(record["path"]) != 8 or not 0 <= record["leaf"] < 256 or root_of(record).hex() != record["root"]:
        return "root"
    if record.get("withheld"):
        return "withheld"
    made = shuffled(canonical(record["deck"]), seed, message_of(record), size=1)
    return None if "".join(made) == record["deck_order"] else "deck"


def commitment(event: str, seed: str) -> str:
    """コミットメント of a draw."""
    return hashed("chaipo/draw/v1/commit", event, bytes.fromhex(seed)).hex()


def masters(record: Record) -> list[Record]:
    """もとのシード of a duplicate event, the oldest first, each with its event."""
    found = [*record.get("former_decks", []), *([record["decks"]] if "decks" in record else [])]
    return [{"event": record["event"], **each} for each in found]


def of_draw(record: Record) -> str | None:
    """Return the error in a draw's record."""
    decks = [{**each, "event": f"{each['event']}/boards"} for each in masters(record)]
    if any(commitment(each["event"], each["seed"]) != each["commitment"] for each in (record, *decks)):
        return "commitment"
    drawn, added = record["order"], record["entropy"]
    if not drawn or len({*drawn}) < len(drawn) or not LABELS.fullmatch(record["label"]):
        return "who"
    if (record["label"] == "start" and sorted(drawn) != sorted(player for player, _ in added)) or (
        record["label"] != "start" and added
    ):
        return "who"
    people = [text for pair in added for text in pair]
    message = frame("chaipo/draw/v1", record["event"], record["label"], *people)
    before = sorted(drawn, key=lambda player: (len(player), player))
    made = shuffled(before, bytes.fromhex(record["seed"]), message, size=4)
    return None if made == drawn else "order"


def of_deck(record: Record, draw: Record) -> str | None:
    """Return the error in a duplicate event's deck, given the draw's record with all masters."""
    event, board = record["hand_id"].rsplit("/board/", 1)
    seeds = {each["event"]: bytes.fromhex(each["seed"]) for each in masters(draw)}
    if event not in seeds or digest(seeds[event], f"board {board}".encode(), "sha256").hex() != record["seed"]:
        return "seed"
    texts = dict(draw["entropy"])
    added = hashed_list([text for player in draw["order"] for text in (player, texts[player])])
    return of_hand(record) if record["players"] == [{"player": "event", "entropy": added}] else "entropy"


def of_table(record: Record, draw: Record) -> str | None:
    """Return the error in a hand at an event's table, given the event's record with all masters (イベントの卓)."""
    server, table, hand, *epoch = record["hand_id"].split("/")
    first = "/".join([server, table, str(int(hand) - record["leaf"]), *epoch])
    # The masters of the hand's epoch: 復元のあとの木は新しいシードから, those before from the one before.
    known = [each for each in masters(draw) if each["event"].split("/")[3:] == epoch]
    for each in known:
        secret = digest(bytes.fromhex(each["seed"]), frame("chaipo/deal/v2/tree", first), "sha256")
        if digest(secret, frame("chaipo/deal/v2/seed", record["hand_id"]), "sha256").hex() == record["seed"]:
            return of_hand(record)
    return "seed"


def hashed_list(texts: list[str]) -> str:
    """The SHA-256 of the frame of texts, in hexadecimal."""
    return hashed(*texts).hex()


def problem(record: Record) -> str | None:
    """Return the error in a record of either kind; None if it's right."""
    return of_draw(record) if record["algorithm"] == "chaipo/draw/v1" else of_hand(record)


if __name__ == "__main__":
    found = problem(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    print("right" if found is None else f"WRONG: {found}")
    sys.exit(found is not None)
