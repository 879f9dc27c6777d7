"""Casual and club computers err as people do: each leaning shows in a position made for it, and not without it."""

from dataclasses import asdict, replace
from functools import reduce
from random import Random

import pytest

from bot.pure.ofc.cards import full_deck
from bot.pure.ofc.hand import PlaceCards, decide, evolve
from bot.pure.ofc.presets import PINEAPPLE, PRESETS
from bot.pure.ofc.view import HandView, view_for
from bot.pure.solver.biases import Biases
from bot.pure.solver.levels import CASUAL_LATER, CASUAL_LEANS, CLUB_LEANS, Computers, Level
from bot.pure.solver.possible_futures import choose_placement
from tests.pure.solver.test_levels import on_street, opened, redealt, seen

CHANCES = 16
"""Random seeds per position."""
LAST_STREETS = 200
NEXT_TO_NONE = Biases(flushes=1e-9)
"""Uses the code for biases, but without any noticeable bias."""
COMPUTERS = Computers(lambda _: None)


def choices(view: HandView, biases: Biases, *, chances: int = CHANCES, looks: tuple[int, int] = (60, 8)) -> list[str]:
    boards, sees = looks
    return [choose_placement(view, boards=boards, seen=sees, biases=biases, salt=salt) for salt in range(chances)]


CHASED = (
    on_street(3, "Kc/8d8s/JhTh4h", "2hJcTd", opponent="Ks3h/9h7hAs/Qh6hJdJs", discards="5h"),
    "flushes",
    3.0,
    "B__",
    0.6,
)  # seven hearts are gone: jacks and tens make two pairs
TOO_EARLY = (
    on_street(3, "Qc/7d3d/9s9h5c", "QdJs2h", opponent="Kc/4c4d8s/JcJd6h6c", discards="2d"),
    "fantasyland",
    4.0,
    "F__",
    0.3,
)  # queens above a seven and a three
MIDDLE_FIRST = (
    on_street(3, "Kc5s/7d7c4s/9h3d", "4d9s3c", opponent="Qc/5c5d8s/JcJd6h6c", discards="2d"),
    "two_pair",
    4.0,
    "M__",
    0.5,
)  # sevens and fours above a pair, where nines and threes would go below
FRONT_PAIRED = (
    on_street(3, "3c/7d7cKs/TsTh4d", "3s7hTd", opponent="Qc/5c5d8s/JcJd6h6c", discards="2d"),
    "front",
    6.0,
    "F__",
    0.3,
)  # a pair of threes, where three tens and three sevens are there to be made
ALL_GONE = (
    on_street(4, "KcKd2s/8d8s/QhQdQs7c", "5c6c7h", opponent="As3h/6h6d6sJc/8h8cThTs", discards="4c4d"),
    "dead_cards",
    1.0,
    "_M_",
    0.5,
)  # all other sixes are visible, and no fives are
AT_THE_END = (
    on_street(5, "Qh3d/7c7dKs2s/9h9dThTc5c", "QdKh4s", opponent="Kd9s/4c4d8s8h/JhJd6h6c", discards="2d9c3c"),
    "order",
    1.0,
    "F__",
    1.0,
)  # queens above sevens
POSITIONS = [CHASED, TOO_EARLY, MIDDLE_FIRST, FRONT_PAIRED, ALL_GONE, AT_THE_END]


def like(letters: str, pattern: str) -> bool:
    return all(one in ("_", letter) for letter, one in zip(letters, pattern, strict=True))


@pytest.mark.parametrize(("view", "name", "strength", "pattern", "often"), POSITIONS, ids=[one[1] for one in POSITIONS])
def test_a_leaning_shows_where_it_is_tempted_and_not_without_it(
    view: HandView, name: str, strength: float, pattern: str, often: float
) -> None:
    without, swayed = (
        sum(like(letters, pattern) for letters in choices(view, biases)) / CHANCES
        for biases in (NEXT_TO_NONE, replace(Biases(), **{name: strength}))
    )
    assert without <= 0.1, "a sound player is not tempted"
    assert swayed >= often


def test_every_leaning_has_a_position_made_for_it() -> None:
    assert {name for _, name, *_ in POSITIONS} == set(asdict(Biases()))


def test_a_club_player_errs_in_every_way_a_little() -> None:
    casual, club = asdict(CASUAL_LEANS), asdict(CLUB_LEANS)
    assert all(0 < club[name] < casual[name] / 2 for name in casual)


@pytest.mark.parametrize(
    ("street", "board", "held"),
    [(3, "Kc/AdAc5s/JhTh4h", "As9c2d"), (3, "Kc/8s5s/AhAdTh", "Ac3h6c"), (2, "2c/AdAc/Jh7h", "As9c2d")],
)
def test_a_third_ace_is_not_thrown_away(street: int, board: str, held: str) -> None:
    view = on_street(street, board, held, opponent="Ks3d/9h7d/Qd6dJdJs", discards="")
    found = choices(view, CASUAL_LEANS, looks=CASUAL_LATER)
    assert all(letters[0] in "MB" for letters in found)


@pytest.mark.parametrize(("biases", "least", "most"), [(CASUAL_LEANS, 0.09, 0.21), (CLUB_LEANS, 0.01, 0.08)])
def test_a_tempting_foul_on_the_last_street_is_made_at_the_rate_that_is_set(
    biases: Biases, least: float, most: float
) -> None:
    view, *_ = AT_THE_END
    fouls = sum(letters[0] == "F" for letters in choices(view, biases, chances=LAST_STREETS))
    assert least <= fouls / LAST_STREETS <= most


def test_a_low_that_is_none_is_not_taken_for_one_at_the_end() -> None:
    view = on_street(
        5,
        "Kh2d/Ts9s5d4c/AhAd7d7c3s",
        "8cTdJc",
        opponent="Qd8c/8d6c3h2h/JhJd6h6d",
        discards="2s3c4c",
        variant=PRESETS["two_seven"],
    )
    assert choices(view, Biases(order=1.0), chances=1)[0][0] == "M"


def test_other_cards_in_the_dark_change_no_mistake() -> None:
    """A player who forgets what is gone and chases everything knows no more than before."""
    all_in = Biases(flushes=2, fantasyland=2, two_pair=2, front=2, dead_cards=1, order=1)
    hand = opened(PINEAPPLE, seed=12, seats=2)
    while hand.waiting:
        seat = hand.waiting[0]
        view = view_for(hand, str(seat))
        hidden = [card for card in full_deck() if card not in seen(view)]
        Random(1).shuffle(hidden)
        other = view_for(redealt(hand, seat, hidden), str(seat))
        choice = choose_placement(view, boards=12, seen=6, biases=all_in)
        assert choose_placement(other, boards=12, seen=6, biases=all_in) == choice
        hand = reduce(evolve, decide(hand, PlaceCards(seat=seat, rows=choice)), hand)


def test_a_level_places_as_its_leanings_say() -> None:
    """Each level uses its own biases, in a position that both would play soundly without them."""
    view, *_ = AT_THE_END
    boards, sees = CASUAL_LATER
    for level, biases in ((Level.CASUAL, CASUAL_LEANS), (Level.CLUB, CLUB_LEANS)):
        looks = {"boards": boards, "seen": sees} if level is Level.CASUAL else {}
        assert COMPUTERS.choose(view, level) == choose_placement(view, biases=biases, **looks)
