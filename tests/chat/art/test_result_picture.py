"""The picture of a hand's result, which is drawn after each hand."""

from io import BytesIO

from PIL import Image

from bot.chat.art import felt
from bot.chat.art.felt import FELT, IVORY, NIGHT
from bot.chat.art.result_picture import (
    BOARD,
    GAP,
    MARGIN,
    NAME,
    PAIR,
    WIDTH,
    DrawnBoard,
    DrawnPair,
    DrawnRow,
    draw_result,
)

CARDS = (("Ah", "Ad", "Qc"), ("9s", "9h", "8d", "4c", "4s"), ("Ts", "Js", "Qs", "Ks", "As"))


def board(name: str = "alice", hand: str = "two pair", note: str = "") -> DrawnBoard:
    front, middle, back = (
        DrawnRow(letter=letter, cards=cards, hand=hand, royalty="+3")
        for letter, cards in zip("FMB", CARDS, strict=True)
    )
    return DrawnBoard(name=name, note=note, points="+6", won=True, rows=(front, middle, back))


def test_what_was_drawn_before_is_stamped() -> None:
    """Drawing letters and cards again took three quarters of a picture's time, for every fortieth press."""
    draw_result([board(), board("bob")])
    texts, cards = felt.text_stamp.cache_info().misses, felt.card_stamp.cache_info().misses
    draw_result([board("bob"), board(), board("bob")])
    assert (texts, cards) == (felt.text_stamp.cache_info().misses, felt.card_stamp.cache_info().misses)


def test_a_long_name_is_cut_and_not_the_foul_beside_it() -> None:
    long = "Alexandra the Second of Somewhere"
    short, cut, legal = (beside_the_name(name, note) for name, note in (("Al", "foul"), (long, "foul"), ("Al", "")))
    assert short == cut != legal


def beside_the_name(name: str, note: str) -> bytes:
    """Return the picture's pixels between the first board's name and its points."""
    picture = Image.open(BytesIO(draw_result([board(name, note=note), board()]))).convert("RGB")
    return picture.crop((335, MARGIN, 410, MARGIN + NAME)).tobytes()


def test_a_stamp_leaves_the_ground_as_it_is() -> None:
    picture = Image.open(BytesIO(draw_result([board()]))).convert("RGB")
    assert picture.getpixel((4, 4)) == FELT
    assert picture.getpixel((WIDTH // 2, MARGIN + BOARD - 4)) == NIGHT
    assert IVORY in {colour for _, colour in picture.getcolors(1 << 20) or []}


def test_the_pairs_stand_below_the_boards_and_their_numbers_are_never_cut() -> None:
    long = "Alexandra the Second of Somewhere"
    pairs = [
        DrawnPair(winner=winner, between="vs", loser=loser, points="+12", chips="1,600 of 2,400 chips")
        for winner, loser in (("Al", "Bo"), (long, "Bo"), ("Al", long), (long, long))
    ]
    plain, told = (Image.open(BytesIO(draw_result([board()] * 3, shown))).convert("RGB") for shown in ((), pairs))
    assert told.height > plain.height
    kept = (0, 0, WIDTH, plain.height - MARGIN)
    assert told.crop(kept).tobytes() == plain.crop(kept).tobytes()
    lines = [plain.height - MARGIN + GAP + GAP // 2 + n * PAIR + PAIR // 2 for n in range(len(pairs))]
    numbers = [told.crop((640, line - 18, WIDTH - 2 * MARGIN, line + 18)).tobytes() for line in lines]
    names = [told.crop((2 * MARGIN, line - 18, 540, line + 18)).tobytes() for line in lines]
    assert len(set(numbers)) == 1
    assert len(set(names)) == len(pairs)
