"""Hand histories: exact round trips, other readers, and refused files."""

import io
import json
import warnings
from pathlib import Path
from random import Random

import pytest

from bot.base.installation import HOME
from bot.pure.notation.files import RESULTS, HistoryError, as_json, as_toml, read_history
from bot.pure.notation.history import UNKNOWN, HandHistory, build_history, cards_shown
from bot.pure.ofc.view import view_for
from tests.pure.notation import independent_reader
from tests.pure.notation.hands import any_history, ended
from tests.pure.ofc.games import VARIANTS

PAGE = (HOME / "docs/notation.md").read_text(encoding="utf-8")
EXAMPLE = PAGE.split("```toml\n")[1].split("```")[0]


def check(history: HandHistory) -> None:
    """Both forms of the file come back the same, with the same score; a stranger and PokerKit read them."""
    toml, written = as_toml(history), as_json(history)
    for text in (toml, written):
        read = read_history(text)
        assert not read.wrong
        assert (as_toml(read.history), as_json(read.history)) == (toml, written)
        assert read.history.hand.score == history.hand.score
        assert read.history.facts == history.facts
        independent_reader.check(text)
    # Imported here because it takes half a second, which every process that collects the tests would pay.
    from pokerkit.notation import HandHistory as PokerKitHistory

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        loaded = PokerKitHistory.load(io.BytesIO(toml.encode()))
    assert loaded.actions == json.loads(written)["actions"]
    assert loaded.user_defined_fields["_points"] == json.loads(written)["_points"]


def test_hands_of_all_games_come_back_byte_by_byte() -> None:
    chance = Random(16)
    for number in range(60):
        check(any_history(chance, number))


@pytest.mark.deep
def test_a_hundred_thousand_hands_come_back_byte_by_byte() -> None:
    chance = Random(17)
    for number in range(100_000):
        check(any_history(chance, number))


def test_the_example_of_the_page_is_a_file() -> None:
    read = read_history(EXAMPLE)
    assert not read.wrong
    assert as_toml(read.history) == EXAMPLE
    independent_reader.check(EXAMPLE)
    begun = PAGE.split("```json\n")[1].split("```")[0]
    assert as_json(read.history).startswith(begun)


def test_no_file_tells_a_card_that_its_reader_may_not_know() -> None:
    chance = Random(18)
    for number in range(120):
        played = ended(VARIANTS[number % len(VARIANTS)], chance)
        hand, reader = played.hand, chance.randrange(-1, len(played.hand.seats))
        shown = cards_shown(hand.variant, hand.deck, played.log, to=[reader] if reader >= 0 else [])
        told = [place for place, card in enumerate(shown) if card != UNKNOWN]
        view = view_for(hand, hand.seats[reader].player if reader >= 0 else None)
        seen = {
            getattr(card, "place", None)
            for seat in view.seats
            for card in (*seat.held, *seat.discards, *(card for row in seat.rows for card in row))
        }
        assert set(told) <= seen, hand.variant.key
        assert shown == tuple(card if place in told else UNKNOWN for place, card in enumerate(hand.deck[: hand.dealt]))


def test_all_who_played_know_each_card_together() -> None:
    played = ended(VARIANTS[0], Random(1))
    seats = range(len(played.hand.seats))
    history = build_history(played.hand, played.log, hand_id="1/2/3", to=seats, stacks=[0, 0, 0], chips=[0, 0, 0])
    assert history.whole
    assert history.cards == played.hand.deck[: played.hand.dealt]
    assert sorted(history.deck) == sorted(played.hand.deck)


@pytest.mark.parametrize("key", [*RESULTS, "finishing_stacks"])
def test_a_wrong_result_is_named(key: str) -> None:
    fields = independent_reader.parsed(EXAMPLE.replace("time = 21:04:05", 'time = "21:04:05"'))
    value = fields[key][0]
    fields[key][0] = value[::-1] if isinstance(value, str) else not value if isinstance(value, bool) else value + 1
    assert read_history(json.dumps(fields)).wrong == (key,)


def changed(old: str, new: str) -> str:
    assert old in EXAMPLE
    return EXAMPLE.replace(old, new, 1)


DEEP = [
    f"{part}{f'{dot}{part}' * 200_000} = 1"
    for part, dot in [("a", "."), ("a", " . "), ('"a"', "."), ("'.'", "."), (r'"\""', "."), ("é", ".")]
] + [f"[a{'.a' * 200_000}]", f"b = {{a{'.a' * 200_000} = 1}}", f'# "\na{".a" * 200_000} = 1', '"\\' * 500_000]
"""Keys with so many parts that a TOML reader would take minutes."""


def test_dots_in_a_text_are_no_key() -> None:
    file = read_history(changed('hand = "900000000000000009/12/7"', f'hand = "{"a. " * 15}"'))
    assert file.history.hand_id == "a. " * 15


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "its _format is not"),
        ("no file", "it must be TOML, or a JSON object"),
        ("{", "it must be TOML, or a JSON object"),
        *((deep, "it must be TOML, or a JSON object") for deep in DEEP),
        ('{"_format": "\\ud800"}', "it must be TOML, or a JSON object"),
        (changed("chaipo/hand/v1", "chaipo/hand/v2"), "its _format is not chaipo/hand/v1"),
        (changed('"pineapple"', '"whist"'), "its game is unknown"),
        (changed('"pineapple"', '"pineapple"\n_house = {jokers = "7"}'), "its game is unknown"),
        (changed('"pineapple"', '"pineapple"\n_house = {jokers = 7}'), "its game is malformed"),
        (changed('"pineapple"', '"pineapple"\n_edition = 99'), "its game is of an unknown edition"),
        (changed("_seats = [2, 0, 1]", "_seats = [0, 2, 1]"), "its _seats are not clockwise"),
        (changed("_seats = [2, 0, 1]", "_seats = [0, 1]"), "_seats must be a list with a whole number for each player"),
        (changed('"computer-1"', '"200000000000000002"'), "its players do not fit at one table"),
        (changed("_fantasyland = [0, 0, 14]", "_fantasyland = [0, 0, 20]"), "Fantasyland never has that many cards"),
        (changed("month = 11", "month = 13"), "its time is missing or not UTC"),
        (changed('"UTC"', '"Asia/Tokyo"'), "its time is missing or not UTC"),
        (changed('hand = "900000000000000009/12/7"', "hand = 7"), "hand must be text"),
        (changed("_point_value = 10", ""), "it has no _point_value"),
        (changed("6s7c6hQh4c", "6s7c6hQh4x"), "is not a card"),
        (changed("6s7c6hQh4c", "6s7c6hQhAs"), "As is dealt more often"),
        (changed("6s7c6hQh4c", "6s7c6hQh??"), "a card that was placed is face down"),
        (changed('"p2 pl BBBMM"', '"p2 pl BBBMD"'), "'p2 pl BBBMD' is not an action, or is not possible there"),
        (changed('"p2 pl BBBMM"', '"p9 pl BBBMM"'), "'p9 pl BBBMM' is not an action, or is not possible there"),
        (changed('"p2 pl BBBMM"', '"p2 cc"'), "'p2 cc' is not an action, or is not possible there"),
        (changed('  "p2 pl FMD"\n', ""), "the actions end before"),
        (changed("d dh p3 9s", "d dh p1 9s"), "the cards are not dealt in the order of this game"),
    ],
)
def test_what_is_no_hand_history_is_refused_with_its_reason(text: str, said: str) -> None:
    with pytest.raises(HistoryError) as refused:
        read_history(text)
    assert said in str(refused.value)


def test_a_remark_behind_an_action_means_nothing() -> None:
    assert not read_history(changed('"p2 pl BBBMM"', '"p2 pl BBBMM # well placed"')).wrong


def test_the_reader_of_the_tests_uses_nothing_of_the_bot() -> None:
    source = Path(independent_reader.__file__).read_text(encoding="utf-8")
    assert "from bot" not in source
    assert "import bot" not in source
