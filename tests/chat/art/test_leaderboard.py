"""The picture of a leaderboard: every line fits, and phones can read it."""

from io import BytesIO

from PIL import Image, ImageChops

from bot.chat.art.podium import _LINES_HEAD, CROWNED, LINE, WIDTH, Champions, DrawnLine, draw_leaderboard

LONG = "第12回 金曜夜のオープンフェイス・チャイニーズポーカー選手権大会"


def picture(*names: str, value: str = "+0.8 ± 0.3", own: int | None = None) -> Image.Image:
    lines = [
        DrawnLine(rank=place, place=str(place), name=name, value=value, hands="hands: 12,411", own=place == own)
        for place, name in enumerate(names, start=1)
    ]
    return Image.open(BytesIO(draw_leaderboard(heading="Leaderboard: rating", lines=lines)))


def line_of(drawn: Image.Image, place: int) -> Image.Image:
    return drawn.crop((0, _LINES_HEAD + LINE * (place - 1), WIDTH, _LINES_HEAD + LINE * place))


def test_it_has_a_line_for_each_player() -> None:
    assert picture("Ann", "Bob").width == WIDTH
    assert picture("Ann", "Bob").height - picture("Ann").height == LINE


def test_a_long_name_leaves_room_for_what_was_won() -> None:
    long, short = (picture(name, value="−12,345,678") for name in (LONG, "Ann"))
    right = (WIDTH - 620, 0, WIDTH, LINE)
    same = ImageChops.difference(line_of(long, 1).crop(right), line_of(short, 1).crop(right))
    assert same.getbbox() is None


def test_the_line_of_the_one_who_looks_is_marked_and_no_other() -> None:
    plain, marked = picture("Ann", "Bob"), picture("Ann", "Bob", own=2)
    assert ImageChops.difference(line_of(plain, 1), line_of(marked, 1)).getbbox() is None
    assert ImageChops.difference(line_of(plain, 2), line_of(marked, 2)).getbbox() is not None


def test_it_is_small_enough_to_be_sent_at_every_page() -> None:
    lines = [DrawnLine(rank=place, place=f"{place}=", name=LONG, value="+1", hands="3") for place in range(1, 12)]
    assert len(draw_leaderboard(heading=LONG, lines=lines)) < 256 * 1024


def test_long_names_of_champions_stay_within_the_picture() -> None:
    drawn = draw_leaderboard(heading="Season 3", lines=[], crowned=Champions(names=LONG * 3, title=LONG * 3))
    band = Image.open(BytesIO(drawn)).crop((0, _LINES_HEAD + 30, WIDTH, _LINES_HEAD + CROWNED - 40))
    empty = draw_leaderboard(heading="Season 3", lines=[], crowned=Champions(names="", title=""))
    same = Image.open(BytesIO(empty)).crop((0, _LINES_HEAD + 30, WIDTH, _LINES_HEAD + CROWNED - 40))
    box = ImageChops.difference(band, same).getbbox()
    assert box is not None
    assert box[0] > 24
    assert box[2] < WIDTH - 24
