"""The picture of a month: all of it fits, and a bar is as long as its value."""

from dataclasses import replace
from io import BytesIO

from PIL import Image

from bot.chat.art.felt import FELT, GOLD, IVORY, PALE
from bot.chat.art.mistake_month import (
    HEAD,
    HEADING,
    LABEL,
    LINE,
    MARGIN,
    ROW,
    VALUE,
    WIDTH,
    DrawnBar,
    DrawnBars,
    DrawnMonth,
    draw_month,
)

BARS = DrawnBars(
    heading="By street",
    bars=(DrawnBar(label="Street 1", value=0.4, shown="0.40"), DrawnBar(label="Street 2", value=0.1, shown="0.10")),
)
MONTH = DrawnMonth(title="Points lost in November 2026", lines=("0.25 points per decision",), sections=(BARS,))
LEFT, RIGHT = MARGIN + LABEL, WIDTH - MARGIN - VALUE


def picture(month: DrawnMonth) -> Image.Image:
    return Image.open(BytesIO(draw_month(month))).convert("RGB")


def bar_at(shown: Image.Image, number: int) -> list[tuple[int, int, int]]:
    """Return the colours along the middle of a bar."""
    y = HEAD + LINE + HEADING + number * ROW + ROW // 2
    return [shown.getpixel((x, y)) for x in range(LEFT + 2, RIGHT - 2)]  # type: ignore[misc]


def test_bars_are_as_long_as_their_values() -> None:
    shown = picture(MONTH)
    long, short = (bar_at(shown, number).count(GOLD) for number in range(2))
    assert long == RIGHT - LEFT - 4
    assert abs(short - long / 4) < 4
    assert FELT in bar_at(shown, 1)


def test_nothing_lost_has_no_bar() -> None:
    none = replace(BARS, bars=tuple(replace(bar, value=0.0) for bar in BARS.bars))
    assert GOLD not in bar_at(picture(replace(MONTH, sections=(none,))), 0)


def test_a_mark_shows_the_months_before_also_where_they_were_worse() -> None:
    marked = replace(BARS, bars=(replace(BARS.bars[0], before=0.8), BARS.bars[1]), key="the months before")
    shown = picture(replace(MONTH, sections=(marked,)))
    colours = bar_at(shown, 0)
    assert colours[-3] == IVORY
    assert abs(colours.count(GOLD) - (RIGHT - LEFT) / 2) < 4
    assert shown.height == picture(MONTH).height + ROW


def test_a_note_has_a_line_below_the_bars() -> None:
    noted = replace(BARS, note="Only streets where a choice mattered.")
    shown, plain = picture(replace(MONTH, sections=(noted, BARS))), picture(replace(MONTH, sections=(BARS, BARS)))
    assert shown.height == plain.height + ROW
    line = HEAD + LINE + HEADING + len(BARS.bars) * ROW
    assert PALE in {shown.getpixel((x, y)) for x in range(MARGIN, WIDTH // 2) for y in range(line, line + ROW)}


def test_long_words_move_nothing_else() -> None:
    long = replace(BARS, bars=(replace(BARS.bars[0], label="ファンタジーランドに入れる確率を上げる" * 2), BARS.bars[1]))
    shown = picture(replace(MONTH, sections=(long,)))
    assert shown.size == picture(MONTH).size
    assert bar_at(shown, 0) == bar_at(picture(MONTH), 0)
    assert len(draw_month(MONTH)) < 128 * 1024
