"""Hand history files: reading and writing them as PHH-style TOML or as JSON.

Keys are those of PHH, plus our own, which start with an underscore. Lists with one value per player are in the order
``p1``, ``p2`` ..., from the left of the button to the button.

Source: docs/notation.md, "The file", "Keys".
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from bot.pure.notation.history import UNKNOWN, ActionError, HandHistory, dealt_in, format_actions, replay_actions
from bot.pure.ofc.cards import card_name, full_deck
from bot.pure.ofc.hand import Hand, audit
from bot.pure.ofc.house_rules import parse_spec, to_spec
from bot.pure.ofc.log import LogError
from bot.pure.ofc.notation import board_text
from bot.pure.ofc.presets import EDITION
from bot.pure.ofc.variants import Variant, VariantError

FORMAT = "chaipo/hand/v1"
VARIANT = "OFC"
RESULTS = ("_boards", "_points", "_royalties", "_fouls", "_next_fantasyland")
"""Keys of the results. They follow from the actions, but save readers from having to replay the hand."""
_STARTED = re.compile(
    r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]", re.ASCII
)
Fields = dict[str, Any]
T = TypeVar("T")


TOML, JSON = ".phh", ".json"
"""File name extensions."""
_DEEP_KEY = re.compile(r"""(?<![\w\\-])(?:(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){16}""")
"""A key with many dots, which never occurs in a hand. The TOML parser takes quadratic time for it."""


class HistoryError(ValueError):
    """A file isn't a valid hand; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryFile:
    """A hand read from a file."""

    history: HandHistory
    wrong: tuple[str, ...]
    """Keys of results that don't match the hand; empty if the file is correct."""


def fields_of(history: HandHistory) -> Fields:
    """Return the file's keys and values in order."""
    hand, order = history.hand, history.hand.clockwise
    ends = [stack + won for stack, won in zip(history.stacks, history.chips, strict=True)]
    return {
        "variant": VARIANT,
        "antes": [0] * len(order),
        "starting_stacks": _by_turn(hand, history.stacks),
        "actions": format_actions(hand.variant, history.cards, history.facts),
        "hand": history.hand_id,
        **_time(history.started),
        "players": [hand.seats[seat].player for seat in order],
        "finishing_stacks": _by_turn(hand, ends),
        "_format": FORMAT,
        "_seats": order,
        **_game(hand.variant),
        "_point_value": history.point_value,
        "_fantasyland": [hand.seats[seat].fantasyland for seat in order],
        **_results(hand),
    }


def _by_turn(hand: Hand, values: Sequence[T]) -> list[T]:
    """Reorder values from seat order to the order of the players' numbers."""
    return [values[seat] for seat in hand.clockwise]


def _time(started: str) -> Fields:
    if not started:
        return {}
    date, _, time = started.partition("T")
    year, month, day = map(int, date.split("-"))
    return {"time": time, "time_zone": "UTC", "day": day, "month": month, "year": year}


def _game(variant: Variant) -> Fields:
    spec = to_spec(variant)
    keys = {"_game": "preset", "_edition": "edition", "_house": "house", "_house_name": "name"}
    return {key: spec[name] for key, name in keys.items() if name in spec}


def _results(hand: Hand) -> Fields:
    score = hand.score
    boards = _by_turn(hand, score.boards)
    return {
        "_boards": _by_turn(hand, [board_text(seat.rows) for seat in hand.seats]),
        "_points": _by_turn(hand, score.points),
        "_royalties": [board.royalties for board in boards],
        "_fouls": [board.foul for board in boards],
        "_next_fantasyland": [board.next_fantasyland for board in boards],
    }


# From fields back to a hand.


def history_from(fields: Fields) -> HistoryFile:
    """Return the hand described by the keys, and the results that don't match it; raises HistoryError."""
    if fields.get("_format") != FORMAT:
        raise HistoryError(f"its _format is not {FORMAT}, the only one supported")
    players = _texts(fields, "players")
    seats = _seats(fields, len(players))
    variant = _variant(fields)
    _check_seats(variant, players, fantasyland := _numbers(fields, "_fantasyland", len(players)))
    # Back to seat order.
    places = [seats.index(seat) for seat in range(len(seats))]
    lines = [line.partition("#")[0].rstrip() for line in _texts(fields, "actions")]
    hand = _played(
        variant,
        lines,
        players=[players[place] for place in places],
        fantasyland=[fantasyland[place] for place in places],
        button=seats[-1],
    )
    starts, ends = (_numbers(fields, key, len(players)) for key in ("starting_stacks", "finishing_stacks"))
    history = HandHistory(
        hand_id=_text(fields, "hand"),
        cards=dealt_in(lines),
        facts=hand[1],
        hand=hand[0],
        stacks=tuple(starts[place] for place in places),
        chips=tuple(ends[place] - starts[place] for place in places),
        point_value=_number(fields, "_point_value"),
        started=_started(fields),
    )
    return HistoryFile(history=history, wrong=_wrong(history, fields))


def _variant(fields: Fields) -> Variant:
    keys = {"preset": "_game", "house": "_house", "name": "_house_name", "edition": "_edition"}
    spec = {name: fields[key] for name, key in keys.items() if key in fields}
    house = spec.get("house", {})
    plain = isinstance(house, Mapping) and all(isinstance(rule, str) for rule in house.values())
    if not plain or not isinstance(spec.get("preset"), str) or not isinstance(spec.get("name", ""), str):
        raise HistoryError("its game is malformed")
    if type(edition := spec.get("edition", 1)) is not int or not 1 <= edition <= EDITION:
        raise HistoryError("its game is of an unknown edition")
    try:
        return parse_spec(spec)
    except VariantError:
        raise HistoryError("its game is unknown, or its house rules do not fit it") from None


def _check_seats(variant: Variant, players: Sequence[str], fantasyland: Sequence[int]) -> None:
    if not 2 <= len(players) <= variant.max_seats or len(set(players)) < len(players):
        raise HistoryError("its players do not fit at one table of this game")
    sizes = (0, *variant.fantasyland.numbers) if variant.fantasyland else (0,)
    if not set(fantasyland) <= set(sizes):
        raise HistoryError("Fantasyland never has that many cards in this game")


def _played(
    variant: Variant, lines: Sequence[str], *, players: Sequence[str], fantasyland: Sequence[int], button: int
) -> tuple[Hand, tuple[Any, ...]]:
    try:
        hand, facts = replay_actions(variant, lines, players=players, fantasyland=fantasyland, button=button)
        _check_cards(variant, hand)
        audit(variant, hand.deck, facts)
    except ActionError as error:
        raise HistoryError(str(error)) from error
    except LogError as error:
        raise HistoryError(f"its actions are not those of this game: {error}") from error
    return hand, facts


def _check_cards(variant: Variant, hand: Hand) -> None:
    if any(card == UNKNOWN for seat in hand.seats for row in seat.rows for card in row):
        raise HistoryError("a card that was placed is face down")
    known = Counter(card for card in hand.deck if card != UNKNOWN)
    surplus = known - Counter(full_deck(decks=variant.decks, jokers=variant.jokers))
    for card in surplus:
        raise HistoryError(f"{card_name(card)} is dealt more often than this game's deck contains it")


def _wrong(history: HandHistory, fields: Fields) -> tuple[str, ...]:
    found = _results(history.hand)
    wrong = [key for key in RESULTS if key in fields and fields[key] != found[key]]
    return (*wrong, *(["finishing_stacks"] if sum(history.chips) else []))


def _seats(fields: Fields, count: int) -> list[int]:
    """Return the players' seats, which must be clockwise with the button last."""
    seats = _numbers(fields, "_seats", count)
    first = seats[0] if seats else 0
    if seats != [(first + place) % count for place in range(count)]:
        raise HistoryError("its _seats are not clockwise from the left of the button")
    return seats


def _started(fields: Fields) -> str:
    if "time" not in fields:
        return ""
    year, month, day = (_number(fields, key) for key in ("year", "month", "day"))
    started = f"{year:04}-{month:02}-{day:02}T{fields['time']}"
    if not _STARTED.fullmatch(started) or fields.get("time_zone") != "UTC":
        raise HistoryError("its time is missing or not UTC")
    return started


def _value(fields: Fields, key: str) -> Any:
    if key not in fields:
        raise HistoryError(f"it has no {key}")
    return fields[key]


def _text(fields: Fields, key: str) -> str:
    value = _value(fields, key)
    if not isinstance(value, str):
        raise HistoryError(f"{key} must be text")
    return value


def _number(fields: Fields, key: str) -> int:
    value = _value(fields, key)
    if type(value) is not int:
        raise HistoryError(f"{key} must be a whole number")
    return value


def _texts(fields: Fields, key: str) -> list[str]:
    value = _value(fields, key)
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise HistoryError(f"{key} must be a list of strings")
    return value


def _numbers(fields: Fields, key: str, count: int) -> list[int]:
    value = _value(fields, key)
    if not isinstance(value, list) or len(value) != count or not all(type(each) is int for each in value):
        raise HistoryError(f"{key} must be a list with a whole number for each player")
    return value


def as_toml(history: HandHistory) -> str:
    """Return the file as PHH-style TOML."""
    return "".join(f"{key} = {_toml(key, value)}\n" for key, value in fields_of(history).items())


def as_json(history: HandHistory) -> str:
    """Return the file as a JSON object, one key per line."""
    lines = [f"  {_quote(key)}: {_json(key, value)}" for key, value in fields_of(history).items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _toml(key: str, value: Any) -> str:
    if key == "time":
        return str(value)
    if key == "actions":
        return _lines(value, end=",\n", close="]")
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_quote(name)} = {_quote(rule)}" for name, rule in value.items()) + "}"
    return _quote(value)


def _json(key: str, value: Any) -> str:
    return _lines(value, end=",\n", close="  ]", indent="    ") if key == "actions" else _quote(value)


def _lines(lines: Iterable[str], *, end: str, close: str, indent: str = "  ") -> str:
    """Format a list with one text per line."""
    return "[\n" + end.join(f"{indent}{_quote(line)}" for line in lines) + "\n" + close


def _quote(value: Any) -> str:
    """Format a text, a number or a list in the syntax that TOML and JSON share."""
    # JSON doesn't escape DEL, which TOML forbids.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def read_history(text: str) -> HistoryFile:
    """Read a hand from TOML or JSON; raises HistoryError.

    >>> read_history("variant = 'NT'")
    Traceback (most recent call last):
    bot.pure.notation.files.HistoryError: its _format is not chaipo/hand/v1, the only one supported
    """
    return history_from(_parse(text))


def _parse(text: str) -> Fields:
    try:
        if text.lstrip().startswith("{"):
            found: Fields = json.loads(text)
            json.dumps(found, ensure_ascii=False).encode()  # a lone surrogate can be read but not encoded
            return found
        if _DEEP_KEY.search(text):
            raise ValueError("a key with many dots")
        fields: Fields = tomllib.loads(text)
    except (ValueError, RecursionError):
        raise HistoryError("it must be TOML, or a JSON object") from None
    return fields | ({"time": fields["time"].isoformat()} if hasattr(fields.get("time"), "isoformat") else {})
