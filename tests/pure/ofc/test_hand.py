"""The hand: deal, turns, Fantasyland, giving up, and every game of the family."""

from dataclasses import replace
from random import Random

import pytest

from bot.pure.ofc.cards import Card, cards_text, full_deck, parse_cards
from bot.pure.ofc.hand import Action, Hand, HandStatus, PlaceCards, Surrender, Void, decide, seat_of
from bot.pure.ofc.log import (
    CardsPlaced,
    FantasylandDealt,
    FantasylandSet,
    HandEnded,
    HandStarted,
    HandVoided,
    PlacedBy,
    SeatForfeited,
    SeatSurrendered,
    StreetDealt,
)
from bot.pure.ofc.naturals import Natural
from bot.pure.ofc.presets import (
    CHINESE,
    CLASSIC,
    DOUBLE_CLASSIC,
    DOUBLE_PINEAPPLE,
    JOKER_PINEAPPLE,
    OPEN_THIRTEEN,
    PINEAPPLE,
    PROGRESSIVE,
    THIRTEEN,
    TURBO,
    TURBO_PINEAPPLE,
    ULTIMATE,
)
from bot.pure.ofc.refusals import Reason, Refused
from bot.pure.ofc.variants import DealMode, Variant
from tests.pure.ofc.games import (
    ALL_TOGETHER,
    CLASSIC_DRAWN,
    CLASSIC_TOGETHER,
    DRAWN_OWN_CLOCK,
    FIRST_TOGETHER,
    NATURALS,
    OPEN_THIRTEEN_ONCE,
    OWN_CLOCK,
    PINEAPPLE_DRAWN,
    SURRENDER,
    VARIANTS,
    Forfeit,
    Played,
    any_hand,
    on_the_clock,
    opened,
    replay,
)

FIRST = "BBBBB"
LATER = ("MMD", "MMD", "MFD", "FFD")
SET = "BBBBBMMMMMFFFD"


def held(hand: Hand) -> list[str]:
    """The cards in each seat's hand."""
    return [cards_text(seat.held) for seat in hand.seats]


def deck_text(start: int, end: int) -> str:
    """A slice of the canonical deck."""
    return cards_text(full_deck()[start:end])


def streets(played: Played, *, until: int = 5) -> Played:
    """Every open seat places its pineapple streets in turn, up to and with street ``until``."""
    while played.hand.placing and played.hand.street <= until:
        letters = FIRST if played.hand.street == 1 else LATER[played.hand.street - 2]
        played = played.place_cards(played.hand.waiting[0], letters)
    return played


def refused(hand: Hand, action: Action) -> Refused:
    """Return the refusal of an action."""
    with pytest.raises(Refused) as caught:
        decide(hand, action)
    return caught.value


@pytest.mark.parametrize(
    ("seats", "button", "order"),
    [(2, 0, [1, 0]), (2, 1, [0, 1]), (3, 0, [1, 2, 0]), (3, 1, [2, 0, 1]), (3, 2, [0, 1, 2])],
)
def test_7_1_first_seat_left_of_the_button_acts_first_and_the_button_last(
    seats: int, button: int, order: list[int]
) -> None:
    played = opened(PINEAPPLE, seats=seats, button=button)
    for letters in (FIRST, *LATER):
        for seat in order:
            assert played.hand.waiting == [seat]
            played = played.place_cards(seat, letters)
    assert played.hand.status is HandStatus.ENDED
    assert played.hand.waiting == []


def test_7_1_heads_up_the_button_acts_last() -> None:
    assert opened(PINEAPPLE, seats=2, button=0).hand.waiting == [1]
    assert opened(PINEAPPLE, seats=2, button=1).hand.waiting == [0]


def test_7_1_cards_are_dealt_clockwise_from_the_left_of_the_button() -> None:
    played = opened(PINEAPPLE, seats=3, button=1)
    assert held(played.hand) == [deck_text(5, 10), deck_text(10, 15), deck_text(0, 5)]
    assert held(streets(played, until=1).hand) == [deck_text(18, 21), deck_text(21, 24), deck_text(15, 18)]
    assert held(streets(played, until=2).hand) == [deck_text(27, 30), deck_text(30, 33), deck_text(24, 27)]


def test_7_1_a_street_is_dealt_when_everybody_has_placed_the_one_before() -> None:
    played = opened(PINEAPPLE, seats=2).place_cards(1, FIRST)
    assert (played.hand.street, played.hand.dealt) == (1, 10)
    played = played.place_cards(0, FIRST)
    assert (played.hand.street, played.hand.dealt) == (2, 16)
    assert played.log[-2:] == (
        CardsPlaced(seat=0, street=1, rows=FIRST, by=PlacedBy.PLAYER),
        StreetDealt(street=2),
    )


def test_7_1_any_row_may_stay_empty_on_the_first_street() -> None:
    seat = opened(PINEAPPLE).place_cards(1, "MMMMM").hand.seats[1]
    assert (cards_text(seat.rows[1]), seat.rows[0], seat.rows[2]) == (deck_text(0, 5), (), ())


def test_7_1_no_row_takes_more_than_its_size() -> None:
    hand = opened(PINEAPPLE).hand
    answer = refused(hand, PlaceCards(seat=1, rows="FFFFB"))
    assert (answer.reason, answer.details) == (Reason.ROW_FULL, {"row": "front", "size": 3})
    assert "front" in str(answer)
    assert (
        refused(
            opened(PINEAPPLE).place_cards(1, FIRST).place_cards(0, FIRST).hand, PlaceCards(seat=1, rows="BMD")
        ).details["row"]
        == "back"
    )


def test_7_2_classic_places_five_and_then_one_at_a_time() -> None:
    played = opened(CLASSIC, seats=4)
    for letters in (FIRST, *"MMMMMFFF"):
        for seat in (1, 2, 3, 0):
            played = played.place_cards(seat, letters)
    assert (played.hand.status, played.hand.dealt) == (HandStatus.ENDED, 52)
    assert [seat.discards for seat in played.hand.seats] == [()] * 4


def test_7_2_pineapple_places_two_of_three_and_discards_one() -> None:
    played = streets(opened(PINEAPPLE, seats=3))
    assert (played.hand.status, played.hand.dealt) == (HandStatus.ENDED, 51)
    assert [len(seat.discards) for seat in played.hand.seats] == [4, 4, 4]
    hand = streets(opened(PINEAPPLE), until=1).hand
    for letters, placed in (("MMM", 0), ("MDD", 2)):
        answer = refused(hand, PlaceCards(seat=1, rows=letters))
        assert (answer.reason, answer.details) == (Reason.WRONG_COUNT, {"to_place": 2, "discard": 1}), placed


@pytest.mark.parametrize("letters", ["", "BBBB", "BBBBBB", "BBBB.", "bbbbb", "BBBBX"])
def test_7_2_a_placement_has_one_letter_for_each_card(letters: str) -> None:
    assert refused(opened(PINEAPPLE).hand, PlaceCards(seat=1, rows=letters)).reason is Reason.BAD_PLACEMENT


def test_7_2_turbo_places_five_four_and_four() -> None:
    played = opened(TURBO, seats=4)
    for letters in (FIRST, "MMMM", "MFFF"):
        for seat in (1, 2, 3, 0):
            played = played.place_cards(seat, letters)
    assert (played.hand.status, played.hand.dealt) == (HandStatus.ENDED, 52)


def test_7_3_the_boards_are_turned_up_and_scored_at_the_end() -> None:
    hand = streets(opened(PINEAPPLE)).hand
    assert [seat.shown for seat in hand.seats] == [(3, 5, 5), (3, 5, 5)]
    assert len(hand.score.boards) == 2


def test_8_3_fantasyland_is_dealt_before_street_one_clockwise_from_the_left_of_the_button() -> None:
    played = opened(PINEAPPLE, seats=3, fantasyland=[14, 0, 14], button=0)
    assert held(played.hand) == [deck_text(14, 28), deck_text(28, 33), deck_text(0, 14)]
    assert played.log == (
        HandStarted(players=("p0", "p1", "p2"), fantasyland=(14, 0, 14), button=0),
        FantasylandDealt(),
        StreetDealt(street=1),
    )


def test_8_3_seats_in_fantasyland_are_skipped_in_the_streets() -> None:
    played = opened(PINEAPPLE, seats=3, fantasyland=[0, 14, 0], button=0)
    order = []
    while played.hand.placing:
        order.append(played.hand.waiting[0])
        played = played.place_cards(order[-1], FIRST if played.hand.street == 1 else LATER[played.hand.street - 2])
    assert order == [2, 0] * 5
    assert played.hand.waiting == [1]


def test_8_3_fantasyland_may_be_set_early_and_again_until_the_others_have_finished() -> None:
    played = opened(PINEAPPLE, fantasyland=[14, 0]).place_cards(0, SET)
    assert played.log[-1] == FantasylandSet(seat=0, rows=SET, by=PlacedBy.PLAYER)
    played = streets(played, until=3).place_cards(0, SET[::-1])
    assert cards_text(played.hand.seats[0].discards) == deck_text(0, 14)[:2] == "2c"
    played = streets(played)
    assert played.hand.status is HandStatus.ENDED
    assert cards_text(played.hand.seats[0].rows[0]) == deck_text(1, 4)


def test_8_3_the_hand_waits_for_a_fantasyland_that_is_not_set() -> None:
    played = streets(opened(PINEAPPLE, fantasyland=[14, 0]))
    assert (played.hand.status, played.hand.waiting) == (HandStatus.PLAYING, [0])
    played = played.place_cards(0, SET)
    assert played.hand.status is HandStatus.ENDED


def test_8_3_a_fantasyland_is_set_whole() -> None:
    hand = opened(PINEAPPLE, fantasyland=[14, 0]).hand
    assert refused(hand, PlaceCards(seat=0, rows=SET[:-1])).reason is Reason.BAD_PLACEMENT
    answer = refused(hand, PlaceCards(seat=0, rows=SET.replace("F", "D", 1)))
    assert (answer.reason, answer.details) == (Reason.WRONG_COUNT, {"to_place": 13, "discard": 1})
    assert refused(hand, PlaceCards(seat=0, rows=SET.replace("F", "B", 1))).reason is Reason.ROW_FULL


def test_8_3_everybody_in_fantasyland_sets_at_the_same_time() -> None:
    played = opened(PINEAPPLE, seats=3, fantasyland=[14, 14, 14])
    assert (played.hand.street, played.hand.waiting) == (0, [1, 2, 0])
    played = played.place_cards(0, SET).place_cards(2, SET)
    assert played.hand.waiting == [1]
    played = played.place_cards(0, SET[::-1]).place_cards(1, SET)
    assert (played.hand.status, played.hand.dealt) == (HandStatus.ENDED, 42)


def test_8_3_after_the_end_no_card_is_left_in_a_hand() -> None:
    hand = streets(opened(PINEAPPLE, fantasyland=[14, 0]).place_cards(0, SET)).hand
    assert [seat.held for seat in hand.seats] == [(), ()]


def test_8_2_ultimate_deals_three_seats_seventeen_cards() -> None:
    played = opened(ULTIMATE, seats=3, fantasyland=[17, 17, 17])
    assert played.hand.dealt == 51
    for seat in range(3):
        played = played.place_cards(seat, SET + "DDD")
    assert [len(seat.discards) for seat in played.hand.seats] == [4, 4, 4]


def test_out_of_turn_is_refused() -> None:
    played = opened(PINEAPPLE, seats=3)
    assert refused(played.hand, PlaceCards(seat=0, rows=FIRST)).reason is Reason.NOT_YOUR_TURN
    assert refused(played.place_cards(1, FIRST).hand, PlaceCards(seat=1, rows=FIRST)).reason is Reason.ALREADY_PLACED


def test_a_hand_that_is_over_takes_no_action() -> None:
    ended, voided = streets(opened(PINEAPPLE)).hand, opened(PINEAPPLE).then(Void(reason="lost_seed")).hand
    assert (ended.status, voided.status) == (HandStatus.ENDED, HandStatus.VOIDED)
    for hand in (ended, voided):
        for action in (PlaceCards(seat=1, rows=FIRST), Void(reason="again")):
            assert refused(hand, action).reason is Reason.HAND_OVER
        assert hand.waiting == []


def test_a_void_ends_the_hand_where_it_is() -> None:
    played = opened(PINEAPPLE, seats=3, fantasyland=[0, 14, 0]).then(Void(reason="lost_seed"))
    assert played.log[-1] == HandVoided(reason="lost_seed")
    assert played.hand.seats[1].shown == (0, 0, 0)


def test_10_a_player_who_gives_up_is_scored_as_a_foul_and_the_others_play_on() -> None:
    played = opened(PINEAPPLE, seats=3).then(Forfeit(seat=2))
    assert played.log[-1] == SeatForfeited(seat=2)
    assert played.hand.waiting == [1]
    played = streets(played)
    result = played.hand.score
    assert result.boards[2].foul
    assert result.boards[2].rows is None
    assert played.hand.status is HandStatus.ENDED


def test_10_a_player_who_gives_up_in_turn_passes_it_on() -> None:
    played = opened(PINEAPPLE, seats=3).then(Forfeit(seat=1))
    assert played.hand.waiting == [2]
    played = played.place_cards(2, FIRST).then(Forfeit(seat=0))
    assert (played.hand.street, played.hand.waiting) == (2, [2])


def test_10_nobodys_cards_depend_on_who_gave_up() -> None:
    straight, broken = opened(PINEAPPLE, seats=3), opened(PINEAPPLE, seats=3).then(Forfeit(seat=2))
    for until in (1, 2, 3):
        there, here = streets(straight, until=until).hand, streets(broken, until=until).hand
        assert [cards_text(there.seats[seat].held) for seat in (0, 1)] == [
            cards_text(here.seats[seat].held) for seat in (0, 1)
        ]
        assert len(here.seats[2].held) == 5 + 3 * until


def test_10_a_player_who_gave_up_does_not_act_again() -> None:
    played = opened(PINEAPPLE, seats=3, fantasyland=[0, 0, 14]).then(Forfeit(seat=1), Forfeit(seat=2))
    for seat, letters in ((1, FIRST), (2, SET)):
        assert refused(played.hand, PlaceCards(seat=seat, rows=letters)).reason is Reason.GAVE_UP


def test_10_a_fantasyland_that_gives_up_is_not_waited_for() -> None:
    played = streets(opened(PINEAPPLE, fantasyland=[14, 0])).then(Forfeit(seat=0))
    assert played.hand.status is HandStatus.ENDED
    assert played.hand.score.boards[0].foul


def test_10_when_all_open_seats_give_up_fantasyland_is_still_set() -> None:
    played = opened(PINEAPPLE, fantasyland=[14, 0]).then(Forfeit(seat=1))
    assert (played.hand.street, played.hand.waiting) == (1, [0])
    assert played.place_cards(0, SET).hand.status is HandStatus.ENDED


def test_10_when_everybody_gives_up_the_hand_ends_level() -> None:
    played = opened(PINEAPPLE).then(Forfeit(seat=0), Forfeit(seat=1))
    assert played.log[-1] == HandEnded()
    assert played.hand.score.points == (0, 0)


def test_a_player_has_a_seat_or_is_refused() -> None:
    hand = opened(PINEAPPLE, seats=3).hand
    assert [seat_of(hand, player) for player in ("p0", "p1", "p2")] == [0, 1, 2]
    with pytest.raises(Refused, match="not_seated"):
        seat_of(hand, "p3")


def test_7_1_first_together_places_street_one_face_down_and_the_rest_in_turn() -> None:
    played = opened(FIRST_TOGETHER, seats=3)
    assert played.hand.waiting == [1, 2, 0]
    played = played.place_cards(0, FIRST).place_cards(1, FIRST)
    assert played.hand.waiting == [2]
    assert [seat.shown for seat in played.hand.seats] == [(0, 0, 0)] * 3
    played = played.place_cards(2, FIRST)
    assert [seat.shown for seat in played.hand.seats] == [(0, 0, 5)] * 3
    assert played.hand.waiting == [1]
    assert played.place_cards(1, LATER[0]).hand.seats[1].shown == (0, 2, 5)


def test_7_1_all_together_turns_each_street_up_when_everybody_has_placed_it() -> None:
    played = opened(ALL_TOGETHER, seats=3, fantasyland=[0, 14, 0])
    for letters in (FIRST, *LATER):
        assert played.hand.waiting == [2, 0]
        before = played.hand.seats[0].shown
        played = played.place_cards(0, letters)
        assert played.hand.seats[0].shown == before
        played = played.place_cards(2, letters)
        assert played.hand.seats[0].shown != before
    assert played.hand.seats[1].shown == (0, 0, 0)
    assert played.place_cards(1, SET).hand.seats[1].shown == (3, 5, 5)


@pytest.mark.parametrize("variant", [FIRST_TOGETHER, ALL_TOGETHER, CLASSIC_TOGETHER])
def test_together_the_street_is_turned_up_too_when_the_last_one_gives_up(variant: Variant) -> None:
    played = opened(variant, seats=3).place_cards(0, FIRST).place_cards(1, FIRST).then(Forfeit(seat=2))
    assert [seat.shown for seat in played.hand.seats] == [(0, 0, 5), (0, 0, 5), (0, 0, 0)]
    assert played.hand.street == 2


def test_together_nobody_places_twice() -> None:
    played = opened(ALL_TOGETHER, seats=3).place_cards(0, FIRST)
    assert refused(played.hand, PlaceCards(seat=0, rows=FIRST)).reason is Reason.ALREADY_PLACED


def test_7_2_turbo_pineapple_places_five_and_twice_four_of_six() -> None:
    played = opened(TURBO_PINEAPPLE, seats=3)
    for letters in (FIRST, "MMMMDD", "DDMFFF"):
        for seat in (1, 2, 0):
            played = played.place_cards(seat, letters)
    assert (played.hand.status, played.hand.dealt) == (HandStatus.ENDED, 51)
    assert [len(seat.discards) for seat in played.hand.seats] == [4, 4, 4]
    answer = refused(
        opened(TURBO_PINEAPPLE).place_cards(1, FIRST).place_cards(0, FIRST).hand, PlaceCards(seat=1, rows="MMMMMD")
    )
    assert answer.details == {"to_place": 4, "discard": 2}


def test_7_2_eight_players_share_two_decks() -> None:
    played = opened(DOUBLE_CLASSIC, seats=8)
    for letters in (FIRST, *"MMMMMFFF"):
        for seat in (*range(1, 8), 0):
            played = played.place_cards(seat, letters)
    assert (played.hand.status, played.hand.dealt) == (HandStatus.ENDED, 104)


ROWS = "FFFMMMMMBBBBB"


def test_11_1_chinese_poker_is_set_at_once_face_down_and_turned_up_together() -> None:
    played = opened(CHINESE, seats=4)
    assert held(played.hand) == [deck_text(39, 52), *(deck_text(13 * seat, 13 * seat + 13) for seat in range(3))]
    assert played.hand.waiting == [1, 2, 3, 0]
    for seat, left in ((3, [1, 2, 0]), (1, [2, 0]), (0, [2])):
        played = played.place_cards(seat, ROWS)
        assert played.hand.waiting == left
        assert [seat.shown for seat in played.hand.seats] == [(0, 0, 0)] * 4
    assert refused(played.hand, PlaceCards(seat=3, rows=ROWS)).reason is Reason.ALREADY_PLACED
    played = played.place_cards(2, ROWS)
    assert (played.hand.status, played.log[-1]) == (HandStatus.ENDED, HandEnded())
    assert [seat.shown for seat in played.hand.seats] == [(3, 5, 5)] * 4


def test_11_1_a_board_that_is_set_at_once_has_thirteen_cards() -> None:
    hand = opened(CHINESE, seats=2).hand
    assert refused(hand, PlaceCards(seat=1, rows=ROWS[1:])).reason is Reason.BAD_PLACEMENT
    assert refused(hand, PlaceCards(seat=1, rows="D" + ROWS[1:])).details == {"to_place": 13, "discard": 0}
    assert refused(hand, PlaceCards(seat=1, rows="B" + ROWS[1:])).reason is Reason.ROW_FULL


def stacked(variant: Variant, *hands: str) -> Played:
    """Return a hand with these cards dealt, starting to the left of the button."""
    first = [card for cards in hands for card in parse_cards(cards)]
    deck = (*first, *(card for card in full_deck() if card not in first))
    return opened(variant, seats=4, deck=deck)


DRAGON, FLUSHES, STRAIGHTS, SIX_PAIRS = NATURALS


def test_11_2_a_natural_is_declared_with_the_board_and_counts_at_the_showdown() -> None:
    played = stacked(THIRTEEN, DRAGON).then(PlaceCards(seat=1, rows=ROWS, declare=True))
    assert played.log[-1] == CardsPlaced(seat=1, street=1, rows=ROWS, by=PlacedBy.PLAYER, natural="complete_straight")
    assert played.hand.seats[1].natural is Natural.COMPLETE_STRAIGHT
    played = played.place_cards(2, ROWS).place_cards(3, ROWS).place_cards(0, ROWS)
    assert played.hand.score.boards[1].natural is Natural.COMPLETE_STRAIGHT
    assert played.hand.score.points[1] == 39


def test_11_2_a_natural_that_is_not_declared_is_lost() -> None:
    played = stacked(THIRTEEN, DRAGON).place_cards(1, ROWS)
    assert played.hand.seats[1].natural is None
    played = played.place_cards(2, ROWS).place_cards(3, ROWS).place_cards(0, ROWS)
    assert [pair.natural for pair in played.hand.score.pairs] == [0] * 6


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        (DRAGON, "complete_straight"),
        (FLUSHES, "three_flushes"),
        (STRAIGHTS, "three_straights"),
        (SIX_PAIRS, "six_pairs"),
    ],
)
def test_11_2_the_cards_say_which_natural_is_declared(cards: str, name: str) -> None:
    fact = stacked(THIRTEEN, cards).then(PlaceCards(seat=1, rows=ROWS, declare=True)).log[-1]
    assert isinstance(fact, CardsPlaced)
    assert fact.natural == name


def test_11_2_the_strongest_natural_that_the_game_knows_is_declared() -> None:
    both = "AsKsQsJhTh9h8h7h9d8d7d6d5d"
    without = replace(THIRTEEN, naturals={Natural.SIX_PAIRS: 3, Natural.THREE_STRAIGHTS: 4})
    hands = [stacked(game, both).then(PlaceCards(seat=1, rows=ROWS, declare=True)).hand for game in (THIRTEEN, without)]
    assert [hand.seats[1].natural for hand in hands] == [Natural.THREE_FLUSHES, Natural.THREE_STRAIGHTS]


def test_11_2_what_is_no_natural_cannot_be_declared() -> None:
    nothing = "AsAdKhQcJs9d8h7c6s5d4h4c3c"
    for played in (stacked(THIRTEEN, nothing), stacked(CHINESE, DRAGON), opened(OPEN_THIRTEEN, seats=4)):
        letters = FIRST if len(played.hand.seats[1].held) == 5 else ROWS
        assert refused(played.hand, PlaceCards(seat=1, rows=letters, declare=True)).reason is Reason.NO_NATURAL
        assert played.place_cards(1, letters).hand.seats[1].natural is None


def test_11_2_a_natural_needs_a_placement_all_the_same() -> None:
    hand = stacked(THIRTEEN, DRAGON).hand
    assert refused(hand, PlaceCards(seat=1, rows="B" * 13, declare=True)).reason is Reason.ROW_FULL


def test_11_4_a_player_who_surrenders_pays_the_price_and_shows_nothing() -> None:
    played = opened(SURRENDER, seats=3).then(Surrender(seat=2))
    assert played.log[-1] == SeatSurrendered(seat=2)
    assert played.hand.waiting == [1, 0]
    played = played.place_cards(0, ROWS).place_cards(1, ROWS)
    result = played.hand.score
    assert played.hand.status is HandStatus.ENDED
    assert (result.boards[2].surrendered, result.boards[2].rows) == (True, None)
    assert [pair.natural for pair in result.pairs] == [0, 2, 2]
    assert len(played.hand.seats[2].held) == 13


def test_11_4_the_last_one_to_surrender_ends_the_hand() -> None:
    played = opened(SURRENDER, seats=3).place_cards(0, ROWS).then(Surrender(seat=2), Surrender(seat=1))
    assert played.log[-1] == HandEnded()
    assert played.hand.score.points == (4, -2, -2)


def test_11_4_surrender_is_refused_where_the_game_does_not_know_it() -> None:
    for variant in (CHINESE, THIRTEEN, PINEAPPLE):
        assert refused(opened(variant, seats=2).hand, Surrender(seat=1)).reason is Reason.NO_SURRENDER


def test_11_4_surrender_comes_before_the_board_and_only_once() -> None:
    played = opened(SURRENDER, seats=3).place_cards(1, ROWS).then(Surrender(seat=2))
    assert refused(played.hand, Surrender(seat=1)).reason is Reason.ALREADY_PLACED
    for action in (Surrender(seat=2), PlaceCards(seat=2, rows=ROWS)):
        assert refused(played.hand, action).reason is Reason.GAVE_UP
    gone = opened(SURRENDER, seats=3).then(Forfeit(seat=2))
    assert refused(gone.hand, Surrender(seat=2)).reason is Reason.GAVE_UP


def test_11_5_open_thirteen_draws_from_the_stock_in_ones_turn() -> None:
    played = opened(OPEN_THIRTEEN, seats=4)
    assert held(played.hand) == [deck_text(15, 20), *(deck_text(5 * seat, 5 * seat + 5) for seat in range(3))]
    for seat in (1, 2, 3, 0):
        played = played.place_cards(seat, FIRST)
    for street in range(2, 10):
        for place, seat in enumerate((1, 2, 3, 0)):
            top = 20 + 4 * (street - 2) + place
            assert (played.hand.dealt, played.hand.waiting) == (top + 1, [seat])
            assert held(played.hand) == [deck_text(top, top + 1) if seat == other else "" for other in range(4)]
            played = played.place_cards(seat, "MMMMMFFF"[street - 2])
    assert (played.hand.status, played.hand.dealt) == (HandStatus.ENDED, 52)


@pytest.mark.parametrize("variant", [CLASSIC_DRAWN, PINEAPPLE_DRAWN, DRAWN_OWN_CLOCK, OPEN_THIRTEEN])
def test_7_1_dealing_in_turn_gives_everybody_the_cards_that_dealing_by_streets_gives(variant: Variant) -> None:
    by_street = replace(variant, deal_mode=DealMode.STREET)
    for cards in variant.fantasyland.numbers if variant.fantasyland else (0,):
        fantasyland = [0, cards, *[0] * (variant.max_seats - 2)]
        ends = [
            on_the_clock(opened(game, seats=variant.max_seats, fantasyland=fantasyland, button=1)).hand
            for game in (variant, by_street)
        ]
        assert [(seat.rows, seat.discards) for seat in ends[0].seats] == [
            (seat.rows, seat.discards) for seat in ends[1].seats
        ]
        assert ends[0].dealt == ends[1].dealt


def test_7_1_a_log_of_a_game_dealt_by_streets_is_a_log_of_the_same_game_dealt_in_turn() -> None:
    once = on_the_clock(opened(OPEN_THIRTEEN_ONCE, seats=4))
    again = replay(OPEN_THIRTEEN, once.hand.deck, once.log)
    assert again.score == once.hand.score


def test_7_1_a_player_who_gives_up_in_turn_passes_the_draw_on() -> None:
    old = replace(CLASSIC_DRAWN, max_seats=3)
    played = opened(old, seats=3).then(Forfeit(seat=1))
    assert [len(seat.held) for seat in played.hand.seats] == [0, 5, 5]


def test_8_3_fantasyland_on_its_own_clock_is_waited_for_from_the_deal() -> None:
    played = opened(OWN_CLOCK, seats=3, fantasyland=[0, 14, 0])
    assert played.hand.waiting == [2, 1]
    assert played.place_cards(2, FIRST).hand.waiting == [0, 1]
    set_early = played.place_cards(1, SET)
    assert set_early.hand.waiting == [2]
    assert opened(PROGRESSIVE, seats=3, fantasyland=[0, 14, 0]).hand.waiting == [2]


def test_8_3_fantasyland_on_its_own_clock_is_set_once() -> None:
    played = opened(OWN_CLOCK, fantasyland=[14, 0]).place_cards(0, SET)
    assert refused(played.hand, PlaceCards(seat=0, rows=SET)).reason is Reason.ALREADY_SET
    assert opened(PROGRESSIVE, fantasyland=[14, 0]).place_cards(0, SET).place_cards(0, SET)


def test_8_3_the_others_play_on_while_fantasyland_is_set() -> None:
    played = streets(opened(OWN_CLOCK, fantasyland=[14, 0]))
    assert (played.hand.status, played.hand.waiting) == (HandStatus.PLAYING, [0])
    assert played.place_cards(0, SET).hand.status is HandStatus.ENDED


def test_11_5_open_thirteen_places_five_together_and_the_rest_one_by_one_in_turn() -> None:
    played = opened(OPEN_THIRTEEN, seats=4)
    assert played.hand.waiting == [1, 2, 3, 0]
    played = played.place_cards(0, FIRST).place_cards(3, FIRST).place_cards(2, FIRST)
    assert [seat.shown for seat in played.hand.seats] == [(0, 0, 0)] * 4
    played = played.place_cards(1, FIRST)
    assert [seat.shown for seat in played.hand.seats] == [(0, 0, 5)] * 4
    for letters in "MMMMMFFF":
        for seat in (1, 2, 3, 0):
            assert played.hand.waiting == [seat]
            played = played.place_cards(seat, letters)
    assert (played.hand.status, played.hand.dealt) == (HandStatus.ENDED, 52)


def test_6_jokers_are_dealt_and_placed_like_any_card() -> None:
    deck = (*parse_cards("X12c2d2h2s"), *parse_cards("X23c3d3h3s"), *full_deck()[8:])
    played = opened(JOKER_PINEAPPLE, deck=deck).place_cards(1, "FBBBB").place_cards(0, "BFFMM")
    assert [cards_text(row) for row in played.hand.seats[1].rows] == ["X1", "", "2c2d2h2s"]
    assert [cards_text(row) for row in played.hand.seats[0].rows] == ["3c3d", "3h3s", "X2"]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.key)
def test_every_declaration_plays_through_at_random(variant: Variant) -> None:
    for seed in range(20):
        *_, played = any_hand(variant, Random(seed))
        assert played.hand.status in (HandStatus.ENDED, HandStatus.VOIDED)


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.key)
def test_10_every_declaration_plays_through_on_the_clock_alone(variant: Variant) -> None:
    rule = variant.fantasyland
    some = max(rule.entry.values()) if rule else 0
    played = on_the_clock(opened(variant, seats=variant.max_seats, fantasyland=[some] + [0] * (variant.max_seats - 1)))
    assert played.hand.status is HandStatus.ENDED
    assert sum(played.hand.score.points) == 0


def test_progressive_and_double_deck_seat_what_they_declare() -> None:
    assert opened(PROGRESSIVE, seats=3, fantasyland=[17, 16, 15]).hand.dealt == 48
    assert opened(DOUBLE_PINEAPPLE, seats=6, fantasyland=[14] * 6).hand.dealt == 84


def test_the_log_alone_makes_the_hand_again() -> None:
    played = streets(opened(PINEAPPLE, seats=3, fantasyland=[0, 14, 0])).place_cards(1, SET)
    assert replay(PINEAPPLE, full_deck(), played.log) == played.hand


def test_a_hand_is_never_changed() -> None:
    played = opened(PINEAPPLE)
    before = replace(played.hand)
    played.place_cards(1, FIRST)
    assert played.hand == before
    assert played.hand.deck == tuple(map(Card, range(52)))
