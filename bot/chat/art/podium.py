"""Pictures of events and leaderboards: the podium with the last hand's boards, an event's cover, and lists of players.

Phones show them at a third of their width, so the smallest letters are 34 of 1200 pixels (24 of 800 on the cover).
Drawing takes a few tenths of a second, so run it in an executor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageDraw, ImageFilter

from bot.chat.art.faces import RANKS, SUITS, Colour
from bot.chat.art.felt import FELT, GOLD, INK, IVORY, NIGHT, PALE, card_face, drawable, felt, png, write

WIDTH: Final = 1200
COVER_SIZE: Final = (800, 320)
MIN_COVER_TEXT_SIZE: Final = 24
"""Size of the smallest letters on the cover in pixels. The cover is smaller than other pictures."""
MAX_BOARDS: Final = 3

SILVER: Final[Colour] = (206, 213, 222)
BRONZE: Final[Colour] = (214, 146, 92)

HEAD: Final = 206
"""Height of the lines above the podium."""
STAGE: Final = 486
"""Height of the podium, including the names above it. If many players share first place, it's higher."""
STEP_WIDTH: Final = 352
NAME_LINE: Final = 60
"""Distance between the names of players who share a step."""
MAX_NAMES: Final = 3
MARGIN: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class PodiumStep:
    """The players on a step of the podium, with lines of text about their prizes. Empty lines are left out."""

    place: int
    names: tuple[str, ...]
    """Names of the players who share the place, up to ``MAX_NAMES``."""
    prize: str = ""
    title: str = ""
    points: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedBoard:
    """A board of the last hand: three rows of card names such as ``As``, or ``back`` for a face-down card."""

    name: str
    rows: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]


def draw_podium(
    *, heading: str, game: str, places: Sequence[PodiumStep], boards: Sequence[PlacedBoard] = (), last_hand: str = ""
) -> bytes:
    """Draw the podium as a PNG, 1200 pixels wide: the top three players, and up to three boards below them."""
    shown = boards[:MAX_BOARDS]
    below = _Boards(shown)
    steps = [step for step in places if step.place in _STEPS]
    stage = max([STAGE, *map(_height, steps)])
    canvas = felt((WIDTH, HEAD + stage + (below.height if shown else MARGIN)))
    _draw_heading(canvas, heading, game)
    # Two steps are centred on the picture, because otherwise they'd be on one side of its middle.
    second = any(step.place == 2 for step in steps)
    aside = 0 if len(steps) != 2 else (STEP_WIDTH + 8) // 2 * (1 if second else -1)
    for step in steps:
        _draw_step(canvas, step, aside=aside, foot=HEAD + stage - 16)
    if shown:
        below.draw(canvas, top=HEAD + stage, label=last_hand)
    return png(canvas)


def draw_cover(*, heading: str, game: str) -> bytes:
    """Draw the cover of a scheduled event as a PNG of 800 x 320 pixels."""
    width, height = COVER_SIZE
    canvas = felt(COVER_SIZE)
    _fan(canvas, centre=(width - 166, height - 22))
    room = width - 384
    write(canvas, heading, (42, 122), size=60, least=MIN_COVER_TEXT_SIZE, room=room, colour=GOLD, lines=3)
    write(canvas, game, (42, 250), size=34, least=MIN_COVER_TEXT_SIZE, room=room, colour=IVORY, lines=2)
    return png(canvas)


def _draw_heading(canvas: Image.Image, heading: str, game: str) -> None:
    room = WIDTH - 4 * MARGIN
    write(canvas, heading, (WIDTH // 2, 78), size=68, room=room, colour=GOLD, anchor="mm", lines=2)
    write(canvas, game, (WIDTH // 2, 168), size=36, room=room, colour=PALE, anchor="mm")


# The podium


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """Position of a step: its centre, the height of its block, and its metal."""

    x: int
    height: int
    metal: Colour


_STEPS: Final = {
    1: _Step(x=WIDTH // 2, height=326, metal=GOLD),
    2: _Step(x=WIDTH // 2 - STEP_WIDTH - 8, height=274, metal=SILVER),
    3: _Step(x=WIDTH // 2 + STEP_WIDTH + 8, height=240, metal=BRONZE),
}
_DIGIT: Final = 96
_SMALL_DIGIT: Final = 56
_ROOMY: Final = 2
"""Maximum number of lines that still leave room for a large number on the lowest step."""


def _height(step: PodiumStep) -> int:
    """Return the height of a step with its foot, its names and the winner's crown."""
    names = 46 + NAME_LINE * (len(step.names) - 1) + NAME_LINE // 2
    return 16 + _STEPS[step.place].height + names + (68 if step.place == 1 else 0)


def _draw_step(canvas: Image.Image, step: PodiumStep, *, aside: int, foot: int) -> None:
    """Draw a metal block with the number, title and prize on it, and the names above."""
    where = _STEPS[step.place]
    x = where.x + aside
    left = x - STEP_WIDTH // 2
    top = foot - where.height
    canvas.paste(
        _block((STEP_WIDTH, where.height), where.metal), (left, top), _rounded_mask((STEP_WIDTH, where.height), 18)
    )
    lines = [text for text in (step.title, step.points, step.prize) if drawable(text)]
    number = top + (where.height - 12 - 56 * len(lines)) // 2
    digit = _DIGIT if len(lines) <= _ROOMY else _SMALL_DIGIT
    write(canvas, str(step.place), (x, number), size=digit, room=200, colour=INK, anchor="mm")
    for place, text in enumerate(lines):
        spot = (x, foot - 44 - 56 * (len(lines) - 1 - place))
        write(canvas, text, spot, size=40, room=STEP_WIDTH - 28, colour=INK, anchor="mm")
    lowest, colour = top - 46, GOLD if step.place == 1 else IVORY
    for above, name in enumerate(reversed(step.names)):
        write(canvas, name, (x, lowest - NAME_LINE * above), size=52, room=STEP_WIDTH - 4, colour=colour, anchor="mm")
    if step.place == 1:
        crown(canvas, (x, lowest - NAME_LINE * (len(step.names) - 1) - 64))


def _block(size: tuple[int, int], metal: Colour) -> Image.Image:
    """Return a block lit from above, with a foot that is bright enough for the letters there."""
    block = Image.new("RGB", size, metal)
    dark = Image.linear_gradient("L").resize(size).point([level // 6 for level in range(256)])
    block.paste((0, 0, 0), (0, 0), dark)
    light = tuple((255 + 2 * part) // 3 for part in metal)
    block.paste(light, (0, 0, size[0], 10))
    return block


def _rounded_mask(size: tuple[int, int], radius: int) -> Image.Image:
    """Return a mask with rounded upper corners."""
    width, height = size
    mask = Image.new("L", (width * 2, height * 2))
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, width * 2 - 1, height * 2 + 2 * radius), 2 * radius, fill=255)
    return mask.resize(size, Image.Resampling.BOX)


def crown(canvas: Image.Image, centre: tuple[int, int]) -> None:
    """Draw a crown, 84 pixels wide."""
    width, height = 84, 54
    mask = Image.new("L", (width * 4, height * 4))
    draw = ImageDraw.Draw(mask)
    outline = [(0.06, 0.78), (0.0, 0.22), (0.27, 0.5), (0.5, 0.06), (0.73, 0.5), (1.0, 0.22), (0.94, 0.78)]
    draw.polygon([(x * (width * 4 - 1), y * height * 4) for x, y in outline], fill=255)
    draw.rectangle((0.06 * width * 4, 0.84 * height * 4, 0.94 * width * 4, height * 4), fill=255)
    small = mask.resize((width, height), Image.Resampling.BOX)
    canvas.paste(GOLD, (centre[0] - width // 2, centre[1] - height // 2), small)


# The boards of the last hand


class _Boards:
    """Boards side by side, with their cards as large as possible."""

    def __init__(self, boards: Sequence[PlacedBoard]) -> None:
        self._boards = boards
        count = max(1, len(boards))
        self._column = (WIDTH - 2 * MARGIN) // count
        self._card = min(92, (self._column - 24) // 5 - 4)

    @property
    def height(self) -> int:
        """Height of this part, including the line above and the names."""
        return 78 + 58 + 3 * (self._card + 4) + 34

    def draw(self, canvas: Image.Image, *, top: int, label: str) -> None:
        """Draw a dark background with the label and the boards."""
        ground = Image.new("L", (WIDTH - 2 * MARGIN, self.height - 28))
        ImageDraw.Draw(ground).rounded_rectangle((0, 0, ground.width - 1, ground.height - 1), 20, fill=118)
        canvas.paste((0, 0, 0), (MARGIN, top), ground)
        write(canvas, label, (WIDTH // 2, top + 36), size=36, room=WIDTH - 4 * MARGIN, colour=PALE, anchor="mm")
        for number, board in enumerate(self._boards):
            self._draw_board(canvas, board, middle=MARGIN + self._column * number + self._column // 2, top=top + 66)

    def _draw_board(self, canvas: Image.Image, board: PlacedBoard, *, middle: int, top: int) -> None:
        room = self._column - 40
        write(canvas, board.name, (middle, top + 26), size=38, room=room, colour=IVORY, anchor="mm")
        side = self._card
        for place, cards in enumerate(board.rows):
            left = middle - (len(cards) * (side + 4) - 4) // 2
            for number, name in enumerate(cards):
                face = card_face(name, side)
                canvas.paste(face, (left + number * (side + 4), top + 58 + place * (side + 4)), face)


def _fan(canvas: Image.Image, *, centre: tuple[int, int]) -> None:
    """Draw a royal flush as a fan of five cards."""
    side = 120
    for number, rank in enumerate(RANKS[-5:]):
        angle = 50 - 25 * number
        sheet = Image.new("RGBA", (side * 4, side * 4))
        sheet.paste(card_face(rank + SUITS[0], side), (side * 2 - side // 2, side * 2 - side - 104))
        turned = sheet.rotate(angle, Image.Resampling.BICUBIC)
        shadow = Image.new("RGBA", turned.size)
        shadow.putalpha(turned.getchannel("A").filter(ImageFilter.GaussianBlur(6)).point([v // 2 for v in range(256)]))
        spot = (centre[0] - side * 2, centre[1] - side * 2)
        canvas.paste(shadow, (spot[0] - 4, spot[1] + 4), shadow)
        canvas.paste(turned, spot, turned)


# A leaderboard as a picture, with a line for each player that is readable on a phone. Drawing takes about 0.1 seconds,
# so run it in an executor.

_LINES_HEAD: Final = 150
LINE: Final = 84
FOOT: Final = 36
CROWNED: Final = 206
"""Height of the champions' part."""
_MEDALS: Final = {1: GOLD, 2: SILVER, 3: BRONZE}
_PLACE, _NAME, _VALUE, _HANDS = MARGIN + 52, MARGIN + 124, WIDTH - 356, WIDTH - MARGIN - 20
"""Horizontal positions: the middle of places, the start of names, and the end of values and of hands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnLine:
    """A player's line: the place as a number and as text, and the other texts."""

    rank: int
    place: str
    name: str
    value: str
    hands: str
    own: bool = False
    """True for the viewer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Champions:
    """The champions and their title."""

    names: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnList:
    """Lines below a heading."""

    heading: str
    lines: tuple[DrawnLine, ...]


def draw_lists(lists: Sequence[DrawnList]) -> bytes:
    """Return several lists below each other as a PNG, 1200 pixels wide."""
    drawn = [_list(one.heading, one.lines) for one in lists]
    canvas = Image.new("RGB", (WIDTH, sum(one.height for one in drawn)), NIGHT)
    top = 0
    for one in drawn:
        canvas.paste(one, (0, top))
        top += one.height
    return png(canvas)


def draw_leaderboard(*, heading: str, lines: Sequence[DrawnLine], crowned: Champions | None = None) -> bytes:
    """Draw the lines below the heading and any champions, as a PNG 1200 pixels wide."""
    return png(_list(heading, lines, crowned))


def _list(heading: str, lines: Sequence[DrawnLine], crowned: Champions | None = None) -> Image.Image:
    # The background is flat, because a picture that is drawn for every page has to be small and fast.
    top = _LINES_HEAD + (CROWNED if crowned else 0)
    canvas = Image.new("RGB", (WIDTH, top + LINE * len(lines) + FOOT), NIGHT)
    write(
        canvas, heading, (WIDTH // 2, _LINES_HEAD // 2 + 8), size=60, room=WIDTH - 4 * MARGIN, colour=GOLD, anchor="mm"
    )
    if crowned:
        _crown(canvas, crowned)
    for number, line in enumerate(lines):
        _draw(canvas, line, top=top + LINE * number)
    return canvas


def _crown(canvas: Image.Image, crowned: Champions) -> None:
    ground = (MARGIN - 12, _LINES_HEAD - 22, WIDTH - MARGIN + 12, _LINES_HEAD + CROWNED - 30)
    ImageDraw.Draw(canvas).rounded_rectangle(ground, 18, fill=FELT)
    crown(canvas, (WIDTH // 2, _LINES_HEAD + 22))
    room = WIDTH - 4 * MARGIN
    write(canvas, crowned.names, (WIDTH // 2, _LINES_HEAD + 82), size=60, room=room, colour=IVORY, anchor="mm")
    write(canvas, crowned.title, (WIDTH // 2, _LINES_HEAD + 148), size=42, room=room, colour=GOLD, anchor="mm")


def _draw(canvas: Image.Image, line: DrawnLine, *, top: int) -> None:
    middle, draw = top + LINE // 2, ImageDraw.Draw(canvas)
    if line.own:
        draw.rounded_rectangle((MARGIN - 12, top + 4, WIDTH - MARGIN + 12, top + LINE - 4), 18, fill=FELT)
    medal = _MEDALS.get(line.rank)
    if medal:
        draw.ellipse((_PLACE - 34, middle - 34, _PLACE + 34, middle + 34), fill=medal)
    write(
        canvas,
        line.place,
        (_PLACE, middle),
        size=42,
        room=60 if medal else 110,
        colour=INK if medal else PALE,
        anchor="mm",
    )
    # Players without a rank have left the server.
    name, value = (IVORY, GOLD) if line.rank else (PALE, PALE)
    write(canvas, line.name, (_NAME, middle), size=46, room=_VALUE - 260 - _NAME, colour=name)
    write(canvas, line.value, (_VALUE, middle), size=46, room=250, colour=value, anchor="rm")
    write(canvas, line.hands, (_HANDS, middle), size=36, room=_HANDS - _VALUE - 20, colour=PALE, anchor="rm")
