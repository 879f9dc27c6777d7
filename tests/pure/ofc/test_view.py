"""Views of a hand and their permitted contents."""

from bot.pure.ofc.cards import full_deck, parse_cards
from bot.pure.ofc.hand import HandStatus, PlaceCards, Surrender, Void
from bot.pure.ofc.log import PlacedBy
from bot.pure.ofc.naturals import Natural
from bot.pure.ofc.presets import CHINESE, OPEN_THIRTEEN, PINEAPPLE, THIRTEEN
from bot.pure.ofc.view import HandView, SeatView, face_down, unseen, view_for
from tests.pure.ofc.games import (
    ALL_TOGETHER,
    CLASSIC_DRAWN,
    DRAWN_OWN_CLOCK,
    FIRST_TOGETHER,
    OPEN_DISCARDS,
    OPEN_TOGETHER,
    OWN_CLOCK,
    SURRENDER,
    Forfeit,
    Played,
    on_the_clock,
    opened,
    text_of,
)

FIRST = "BBBBB"
SET = "BBBBBMMMMMFFFD"


def eyes(played: Played, player: str | None) -> HandView:
    """The view of a player, or of the public."""
    return view_for(played.hand, player)


def shown(seat: SeatView) -> str:
    """A seat's board, with ``--`` for cards face down."""
    return "/".join(map(text_of, seat.rows))


def test_7_1_a_hand_is_seen_by_its_owner_alone() -> None:
    played = opened(PINEAPPLE)
    assert text_of(eyes(played, "p1").seats[1].held) == "2c2d2h2s3c"
    for others in ("p0", None, "stranger"):
        assert text_of(eyes(played, others).seats[1].held) == "-" * 10


def test_7_1_boards_are_open_and_discards_are_hidden() -> None:
    played = opened(PINEAPPLE).place_cards(1, FIRST).place_cards(0, FIRST).place_cards(1, "FMD")
    for others in ("p0", None):
        seat = eyes(played, others).seats[1]
        assert (shown(seat), text_of(seat.discards)) == ("4h/4s/2c2d2h2s3c", "--")
    assert text_of(eyes(played, "p1").seats[1].discards) == "5c"


def latest(seat: SeatView) -> str:
    """Return a seat's last placement as far as it's visible."""
    return "/".join(map(text_of, seat.latest))


def test_what_a_seat_placed_last_is_seen_once_it_lies_face_up() -> None:
    played = opened(PINEAPPLE).place_cards(1, FIRST)
    assert latest(eyes(played, "p0").seats[1]) == "//2c2d2h2s3c"
    played = played.place_cards(0, FIRST).place_cards(1, "FMD")
    for others in ("p0", None):
        assert latest(eyes(played, others).seats[1]) == "4h/4s/"
        assert latest(eyes(played, others).seats[0]) == "//3d3h3s4c4d"
    together = opened(ALL_TOGETHER).place_cards(0, FIRST)
    assert latest(eyes(together, "p1").seats[0]) == "//"
    assert latest(eyes(together.place_cards(1, FIRST), "p1").seats[0]) == "//3d3h3s4c4d"
    unseen_by = opened(OWN_CLOCK, fantasyland=[14, 0]).place_cards(1, FIRST)
    assert latest(eyes(unseen_by, "p0").seats[1]) == "//", "nobody who sets a Fantasyland unseen knows it"
    assert latest(face_down(eyes(played, "p0")).seats[1]) == "//"


def test_7_1_discards_stay_hidden_after_the_hand() -> None:
    played = opened(PINEAPPLE, fantasyland=[14, 0]).place_cards(0, SET).place_cards(1, FIRST)
    for letters in ("MMD", "MMD", "MFD", "FFD"):
        played = played.place_cards(1, letters)
    view = eyes(played, None)
    assert view.status is HandStatus.ENDED
    assert [text_of(seat.discards) for seat in view.seats] == ["--", "-" * 8]
    assert text_of(eyes(played, "p0").seats[0].discards) == "5d"


def test_7_1_open_discards_are_seen_where_the_house_says_so() -> None:
    played = opened(OPEN_DISCARDS).place_cards(1, FIRST).place_cards(0, FIRST).place_cards(1, "FMD")
    assert text_of(eyes(played, None).seats[1].discards) == "5c"


def test_7_1_cards_dealt_in_turn_lie_face_up_for_all_and_nobody_knows_them_before() -> None:
    played = opened(CLASSIC_DRAWN)
    for player in ("p0", "p1", None, "stranger"):
        view = eyes(played, player)
        assert [text_of(seat.held) for seat in view.seats] == ["", "2c2d2h2s3c"]
    view = eyes(played.place_cards(1, FIRST), "p1")
    assert [text_of(seat.held) for seat in view.seats] == ["3d3h3s4c4d", ""]


def test_11_5_the_first_street_of_open_thirteen_is_dealt_unseen() -> None:
    played = opened(OPEN_THIRTEEN, seats=4)
    assert [text_of(seat.held) for seat in eyes(played, "p1").seats] == ["-" * 10, "2c2d2h2s3c", "-" * 10, "-" * 10]
    for seat in (1, 2, 3, 0):
        played = played.place_cards(seat, FIRST)
    assert [text_of(seat.held) for seat in eyes(played, "p0").seats] == ["", "7c", "", ""]


def test_7_1_fantasyland_is_dealt_unseen_where_streets_are_dealt_face_up() -> None:
    played = opened(DRAWN_OWN_CLOCK, seats=3, fantasyland=[14, 0, 0]).place_cards(1, FIRST).place_cards(2, FIRST)
    assert text_of(eyes(played, "p1").seats[0].held) == "-" * 28


def test_8_3_a_player_who_sets_fantasyland_on_a_clock_of_its_own_sees_no_other_board() -> None:
    played = opened(OWN_CLOCK, seats=3, fantasyland=[14, 0, 15]).place_cards(1, FIRST)
    for player in ("p0", "p2", None, "stranger"):
        view = eyes(played, player)
        assert view.conceals
        assert shown(view.seats[1]) == "//----------"
    assert shown(eyes(played, "p1").seats[1]) == "//" + text_of(played.hand.seats[1].rows[2])
    played = played.place_cards(0, SET)
    assert shown(eyes(played, None).seats[1]) == "//----------"
    assert "--" not in shown(eyes(played, "p0").seats[1])
    played = played.place_cards(2, SET[:-1] + "DD")
    for player in ("p0", "p2", None, "stranger"):
        assert "--" not in shown(eyes(played, player).seats[1])
    assert not eyes(played, None).conceals


def test_a_hand_face_down_holds_no_card() -> None:
    hidden = face_down(
        eyes(opened(OPEN_DISCARDS).place_cards(1, "FMMBB").place_cards(0, FIRST).place_cards(1, "FMD"), "p1")
    )
    assert [(shown(seat), text_of(seat.held), text_of(seat.discards)) for seat in hidden.seats] == [
        ("//----------", "", ""),
        ("/----/----------", "", ""),
    ]


def test_8_3_a_player_who_sets_fantasyland_does_not_see_to_which_rows_the_cards_went() -> None:
    played = opened(OWN_CLOCK, fantasyland=[14, 0]).place_cards(1, "FMMBB").place_cards(1, "FMD")
    assert shown(eyes(played, "p0").seats[1]) == "/----/----------"
    assert text_of(eyes(played, "p0").seats[1].discards) == ""


def test_7_1_open_discards_of_fantasyland_wait_for_the_end() -> None:
    played = opened(OPEN_DISCARDS, fantasyland=[14, 0]).place_cards(0, SET)
    assert text_of(eyes(played, "p1").seats[0].discards) == "--"
    played = played.then(Forfeit(seat=1))
    assert text_of(eyes(played, "p1").seats[0].discards) == "5d"


def test_7_1_open_discards_of_a_street_placed_together_wait_for_it() -> None:
    played = (
        opened(OPEN_TOGETHER)
        .place_cards(0, FIRST)
        .place_cards(1, FIRST)
        .place_cards(0, "MMD")
        .place_cards(1, "MMD")
        .place_cards(0, "MMD")
    )
    assert text_of(eyes(played, None).seats[0].discards) == "5s--"
    assert text_of(eyes(played.place_cards(1, "MMD"), None).seats[0].discards) == "5s7d"


def test_8_3_a_fantasyland_board_lies_face_down_until_the_end() -> None:
    played = opened(PINEAPPLE, fantasyland=[14, 0]).place_cards(0, SET)
    for others in ("p1", None):
        seat = eyes(played, others).seats[0]
        assert shown(seat) == "------/----------/----------"
        assert (text_of(seat.held), text_of(seat.discards)) == ("-" * 28, "--")
        assert (seat.placed, seat.fantasyland) == (True, 14)
    own = eyes(played, "p0")
    assert own.mine is not None
    assert shown(own.mine) == "4h4s5c/3d3h3s4c4d/2c2d2h2s3c"
    assert own.to_place == 13


def test_8_3_a_voided_hand_turns_no_fantasyland_up() -> None:
    played = opened(PINEAPPLE, fantasyland=[14, 0]).place_cards(0, SET).then(Void(reason="lost_seed"))
    view = eyes(played, "p1")
    assert (view.status, view.over, view.score) == (HandStatus.VOIDED, True, None)
    assert shown(view.seats[0]) == "------/----------/----------"


def test_a_street_placed_together_is_not_seen_until_everybody_has_placed_it() -> None:
    for variant in (FIRST_TOGETHER, ALL_TOGETHER):
        played = opened(variant).place_cards(0, FIRST)
        for others in ("p1", None):
            assert (shown(eyes(played, others).seats[0]), eyes(played, others).seats[0].placed) == ("//", True)
        assert shown(eyes(played, "p0").seats[0]) == "//3d3h3s4c4d"
        assert shown(eyes(played.place_cards(1, FIRST), None).seats[0]) == "//3d3h3s4c4d"


def test_the_rows_of_a_street_placed_together_are_told_to_nobody_who_has_to_place_it() -> None:
    played = opened(ALL_TOGETHER).place_cards(0, FIRST).place_cards(1, "MMMBB")
    for letters in ("FMD", "MMD", "DMF"):
        for others in ("p1", None):
            assert eyes(played.place_cards(0, letters), others) == eyes(played.place_cards(0, "DFF"), others)
        assert shown(eyes(played.place_cards(0, letters), "p1").seats[0]) == "//3d3h3s4c4d"


def test_a_last_street_placed_together_is_a_whole_board_face_down() -> None:
    played = opened(ALL_TOGETHER)
    for letters in (FIRST, "MMD", "MMD", "MFD"):
        played = played.place_cards(0, letters).place_cards(1, letters)
    assert shown(eyes(played.place_cards(0, "FFD"), "p1").seats[0]).count("--") == 2


def test_a_view_says_who_is_waited_for_and_who_has_placed() -> None:
    played = opened(PINEAPPLE, seats=3).place_cards(1, FIRST).then(Forfeit(seat=0))
    view = eyes(played, "p2")
    assert [(seat.placed, seat.waiting, seat.forfeited) for seat in view.seats] == [
        (False, False, True),
        (True, False, False),
        (False, True, False),
    ]
    assert (view.you, view.button, view.street, view.status, view.over) == (2, 0, 1, HandStatus.PLAYING, False)


def test_a_view_says_how_many_cards_are_placed_now() -> None:
    played = opened(PINEAPPLE)
    assert eyes(played, "p1").to_place == 5
    assert eyes(played.place_cards(1, FIRST).place_cards(0, FIRST), "p1").to_place == 2
    assert eyes(opened(PINEAPPLE, fantasyland=[14, 14]), None).to_place == 0
    assert eyes(opened(PINEAPPLE, fantasyland=[14, 14]), "p0").to_place == 13


def test_a_stranger_has_no_seat_of_their_own() -> None:
    view = eyes(opened(PINEAPPLE), "stranger")
    assert (view.you, view.mine) == (None, None)
    assert view == eyes(opened(PINEAPPLE), None)


def test_7_3_an_ended_hand_shows_its_boards_and_its_score() -> None:
    played = opened(PINEAPPLE, fantasyland=[14, 14]).place_cards(0, SET).place_cards(1, SET)
    view = eyes(played, None)
    assert view.score == played.hand.score
    assert [shown(seat).count("-") for seat in view.seats] == [0, 0]
    assert [text_of(seat.held) for seat in view.seats] == ["", ""]


ROWS = "FFFMMMMMBBBBB"


def test_11_1_boards_set_at_once_lie_face_down_until_all_are_set() -> None:
    played = opened(CHINESE, seats=3).place_cards(1, ROWS).place_cards(0, ROWS)
    assert [shown(seat) for seat in eyes(played, None).seats] == [
        "------/----------/----------",
        "------/----------/----------",
        "//",
    ]
    own = eyes(played, "p1").mine
    assert own
    assert shown(own) == "2c2d2h/2s3c3d3h3s/4c4d4h4s5c"
    played = played.place_cards(2, ROWS)
    assert "-" not in "".join(shown(seat) for seat in eyes(played, None).seats)


DRAGON = "As2d3c4h5s6d7c8h9sTdJcQhKs"


def with_dragon() -> Played:
    """Return a hand of 十三張 with a complete straight declared by ``p1``."""
    first = parse_cards(DRAGON)
    deck = (*first, *(card for card in full_deck() if card not in first))
    return opened(THIRTEEN, seats=4, deck=deck).then(PlaceCards(seat=1, rows=ROWS, declare=True))


def test_11_2_a_declared_natural_is_known_to_its_player_alone_until_the_showdown() -> None:
    played = with_dragon()
    assert [eyes(played, player).seats[1].natural for player in ("p0", "p2", None)] == [None] * 3
    assert eyes(played, "p1").seats[1].natural is Natural.COMPLETE_STRAIGHT
    played = played.place_cards(2, ROWS).place_cards(3, ROWS).place_cards(0, ROWS)
    assert [eyes(played, player).seats[1].natural for player in ("p0", None)] == [Natural.COMPLETE_STRAIGHT] * 2


def test_11_2_a_hand_with_a_declared_natural_looks_like_any_other() -> None:
    first = parse_cards(DRAGON)
    deck = (*first, *(card for card in full_deck() if card not in first))
    quiet = opened(THIRTEEN, seats=4, deck=deck).place_cards(1, ROWS)
    for player in ("p0", "p2", None):
        assert eyes(with_dragon(), player) == eyes(quiet, player)


def test_11_4_a_surrender_cannot_be_told_from_a_board_that_is_set() -> None:
    surrendered = opened(SURRENDER, seats=3).then(Surrender(seat=1))
    placed = opened(SURRENDER, seats=3).place_cards(1, ROWS)
    for player in ("p0", "p2", None):
        assert eyes(surrendered, player) == eyes(placed, player)
    voided = [played.then(Void(reason="lost_seed")) for played in (surrendered, placed)]
    assert eyes(voided[0], "p0") == eyes(voided[1], "p0")


def test_11_4_a_player_who_surrenders_sees_it_and_their_cards() -> None:
    own = eyes(opened(SURRENDER, seats=3).then(Surrender(seat=1)), "p1").seats[1]
    assert (own.surrendered, own.placed, own.waiting) == (True, False, False)
    assert text_of(own.held) == "2c2d2h2s3c3d3h3s4c4d4h4s5c"


def test_11_4_a_surrender_is_known_at_the_end_and_its_cards_never() -> None:
    played = opened(SURRENDER, seats=3).then(Surrender(seat=1)).place_cards(2, ROWS).place_cards(0, ROWS)
    seat = eyes(played, "p0").seats[1]
    assert (seat.surrendered, shown(seat), text_of(seat.held)) == (True, "//", "-" * 26)
    assert "-" not in shown(eyes(played, None).seats[2])


def test_a_seat_shows_that_the_clock_placed_its_last_cards() -> None:
    played = opened(PINEAPPLE).then(PlaceCards(seat=1, rows=FIRST, by=PlacedBy.CLOCK))
    view = eyes(played, "p0")
    assert [seat.clocked for seat in view.seats] == [False, True]
    played = played.place_cards(0, FIRST)
    view = eyes(played, None)
    assert [seat.clocked for seat in view.seats] == [False, True], "until they place their next cards"
    view = eyes(played.place_cards(1, "FMD"), None)
    assert [seat.clocked for seat in view.seats] == [False, False]


def test_a_board_set_in_fantasyland_by_the_clock_is_known_at_the_end() -> None:
    played = opened(PINEAPPLE, fantasyland=[14, 0]).then(PlaceCards(seat=0, rows=SET, by=PlacedBy.CLOCK))
    assert not any(seat.clocked for seat in eyes(played, "p1").seats)
    view = eyes(on_the_clock(played), None)
    assert [seat.clocked for seat in view.seats] == [True, True]


def test_a_board_is_untouched_where_the_clock_placed_all_of_it() -> None:
    streets = len(PINEAPPLE.streets)
    away = on_the_clock(opened(PINEAPPLE, fantasyland=[14, 0]))
    assert [seat.untouched(streets) for seat in eyes(away, None).seats] == [True, True]
    late = on_the_clock(opened(PINEAPPLE, fantasyland=[14, 0]).place_cards(0, SET).place_cards(1, FIRST))
    assert [seat.untouched(streets) for seat in eyes(late, None).seats] == [False, False]


def test_the_cards_a_player_has_not_seen_are_those_that_lie_on_no_board_in_sight() -> None:
    played = opened(PINEAPPLE).place_cards(1, FIRST).place_cards(0, FIRST).place_cards(1, "FMD")
    deck = set(full_deck())
    boards = set(parse_cards("4h4s2c2d2h2s3c" + "".join(text_of(row) for row in played.hand.seats[0].rows)))
    hidden = parse_cards("5c")
    assert set(unseen(eyes(played, "p1"))) == deck - boards - set(hidden), "the player knows the card they discarded"
    opponent = eyes(played, "p0")
    assert set(unseen(opponent)) == deck - boards - {card for card in opponent.seats[0].held if card is not None}


def test_the_cards_of_a_fantasyland_that_is_set_are_counted_once() -> None:
    played = opened(PINEAPPLE, fantasyland=[14, 0])
    held = set(played.hand.seats[0].held)
    assert len(held) == 14
    assert set(unseen(eyes(played, "p0"))) == set(full_deck()) - held
    assert set(unseen(eyes(played.place_cards(0, SET), "p0"))) == set(full_deck()) - held
    assert held <= set(unseen(eyes(played.place_cards(0, SET), "p1")))
