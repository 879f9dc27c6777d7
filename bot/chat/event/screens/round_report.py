"""Results of rounds in leagues and duplicate events: tables, the cross-table, and the sheet of one deck.

Numbers come before each name, formatted as code so that they align on a phone too. Names are mentions, which code can't
contain. The sheet of a deck compares each seat's boards from the same cards at all tables, and with masters. It's only
shown after every table has played the deck.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from bot.chat.art.result_picture import DrawnBoard, draw_result
from bot.chat.event.screens.screen import about
from bot.chat.event.screens.standings import compared_points, rank_text
from bot.chat.kit.faces import DisplayNames
from bot.chat.kit.fragments import RESULT_COLOUR, and_more, moment, player_name
from bot.chat.kit.widgets import MAX_DESCRIPTION_LENGTH, Part, Screen, button, button_rows, gallery, screen
from bot.chat.table.screens.picture import drawn_board, scored, told_board
from bot.model.ids import Player
from bot.play.event.floor.sheets import DeckView
from bot.play.event.office.views import EventView
from bot.play.queries.results import ResultView
from bot.pure.event.pairings import Pairings
from bot.pure.event.rounds import match_points
from bot.pure.event.structure import Format
from bot.pure.ofc.scoring import BoardScore
from bot.pure.ofc.view import HandView
from bot.text.cards import hand_text
from bot.text.event_structure import place_name
from bot.text.words import Words, escape_name

MAX_ROWS = 40
"""Maximum number of players in a report."""
MAX_COLUMNS = 4
"""Maximum number of rounds with their own column, the last ones."""
MAX_WIDTH = 22
"""Maximum width of the numbers before a name. The name follows on the same line of a phone, 390 pixels wide."""
MAX_CROSS_TABLE_PLAYERS = 6
"""Maximum number of players in a cross-table."""
NOTHING = "·"


def round_report(report: Mapping[str, Any], view: EventView, words: Words) -> list[str]:
    """Return the standings after a round, line by line.

    Each line has place, movement and total. The points of the last rounds are in the same line if they fit, or else in
    a second table below.
    """
    rows, last = list(report["rows"]), int(report["round"])
    shown = rows[:MAX_ROWS]
    swiss = view.event.structure.pairings is Pairings.SWISS
    percents = view.event.format is Format.DUPLICATE
    if words.heard:
        lines = [_row_text(row, _last_numbers(last), view, words) for row in shown]
        explained = [words("event_round.percents")] if percents else []
        return [*lines, *and_more(len(rows) - len(shown), words), *explained]
    moves = any(row["before"] for row in shown)
    columns = [["", *(rank_text(row["place"], words, tied=row["tied"]) for row in shown)]]
    columns += [["", *(movement(row) for row in shown)]] if moves else []
    if percents:
        columns.append([words("event_round.points"), *(_compared(row, view, words) for row in shown)])
        columns.append([words("event_round.percent"), *(_percent(row["share"], words) for row in shown)])
    else:
        columns.append([words("event_round.total"), *(words.signed(row["score"]) for row in shown)])
    columns += [[words("event_round.met"), *(words.signed(row["met"]) for row in shown)]] if swiss else []
    each = _round_columns(shown, last, view, words)
    fits = table_width([*columns, *each]) <= MAX_WIDTH
    said = _table([*columns, *each] if fits else columns, shown, view, words, last=last)
    said += and_more(len(rows) - len(shown), words)
    if percents:
        said.append(words("event_round.percents"))
    if swiss:
        said.append(words("event_round.met_what"))
    return [*said, *(_absences(shown, last, view, words) if fits else _by_round(shown, last, view, words))]


def _last_numbers(last: int) -> range:
    return range(max(1, last - MAX_COLUMNS + 1), last + 1)


def _round_columns(rows: Sequence[Mapping[str, Any]], last: int, view: EventView, words: Words) -> list[list[str]]:
    """Return a column with the points or percentages of each of the last rounds."""
    kind, told = ("shares", _share) if view.event.format is Format.DUPLICATE else ("rounds", _signed)
    each = [(number, [row[kind][number - 1] for row in rows]) for number in _last_numbers(last)]
    return [[f"R{number}", *(NOTHING if one is None else told(one, words) for one in made)] for number, made in each]


def _table(
    columns: Sequence[Sequence[str]], rows: Sequence[Mapping[str, Any]], view: EventView, words: Words, *, last: int
) -> list[str]:
    """Return an aligned table with the players' names and, for those who have left, their last round."""
    head, *lines = align_columns(columns)
    named = [words.facts([player_name(row["player"], words), *_left(row, last, view, words)]) for row in rows]
    return [f"`{head}`", *(f"`{line}` {name}" for line, name in zip(lines, named, strict=True))]


def _left(row: Mapping[str, Any], last: int, view: EventView, words: Words) -> list[str]:
    """Return the round after which a player left; empty for everyone else."""
    line = view.line_of(row["player"])
    if line is None or line.left_after is None or line.left_after > last:
        return []
    return [words("event.state.left", round=line.left_after)]


def _by_round(rows: Sequence[Mapping[str, Any]], last: int, view: EventView, words: Words) -> list[str]:
    """Return a table of the last rounds alone, in the order of the standings."""
    columns = _round_columns(rows, last, view, words)
    while table_width(columns) > MAX_WIDTH:
        columns = columns[1:]
    lines = _table(columns, rows, view, words, last=0)  # the table above says who has left
    return ["", words("event_round.by_round"), *lines, *_absences(rows, last, view, words)]


def _absences(rows: Sequence[Mapping[str, Any]], last: int, view: EventView, words: Words) -> list[str]:
    """Return the meaning of a dot in the column of a round, if players who hadn't left have one."""
    kind = "shares" if view.event.format is Format.DUPLICATE else "rounds"
    if any(_missed(row, number, kind, view) for row in rows for number in _last_numbers(last)):
        return [words(f"event_round.no_{kind}")]
    return []


def _missed(row: Mapping[str, Any], number: int, kind: str, view: EventView) -> bool:
    """True if a player has nothing in a round that they hadn't left before."""
    line = view.line_of(row["player"])
    gone = line is not None and line.left_after is not None and line.left_after < number
    return row[kind][number - 1] is None and not gone


def _row_text(row: Mapping[str, Any], numbers: Sequence[int], view: EventView, words: Words) -> str:
    """Return a player's row as a sentence: place, movement, total, and the points of each of the last rounds."""
    percents, swiss = view.event.format is Format.DUPLICATE, view.event.structure.pairings is Pairings.SWISS
    player, place = player_name(row["player"], words), place_name(row["place"], words)
    key = "event_round.heard_tied" if row["tied"] else "event_round.heard"
    total = _percent(row["share"], words) if percents else words.signed(row["score"])
    told = [words(key, player=player, place=place, total=total)]
    if percents:
        told.append(_points_per_comparison(row, view, words))
    if up := row["before"] - row["place"] if row["before"] else 0:
        told.append(words("event_round.heard_up" if up > 0 else "event_round.heard_down", count=abs(up)))
    if swiss:
        told.append(words("event_round.heard_met", points=words.signed(row["met"])))
    return words.facts([*told, *_round_texts(row, numbers, view, words), *_left(row, numbers[-1], view, words)])


def _round_texts(row: Mapping[str, Any], numbers: Sequence[int], view: EventView, words: Words) -> Iterator[str]:
    """Yield the points or the percentage of each of these rounds that the player hadn't left before."""
    kind, show = ("shares", _percent) if view.event.format is Format.DUPLICATE else ("rounds", _signed)
    for number in numbers:
        one = row[kind][number - 1]
        if one is not None:
            yield words("event_round.heard_round", round=number, points=show(one, words))
        elif _missed(row, number, kind, view):
            yield words("event_round.heard_bye" if kind == "rounds" else "event_round.heard_nothing", round=number)


def _rounds_text(row: Mapping[str, Any], last: int, view: EventView, words: Words) -> str:
    """Return a player and the last rounds as a sentence."""
    rounds = _round_texts(row, _last_numbers(last), view, words)
    return words.facts([player_name(row["player"], words), *rounds])


def report_lines(details: Mapping[str, Any], view: EventView, words: Words) -> list[str]:
    """Return the report on the previous round, with a line per player; empty if the notice has none."""
    report = details.get("report")
    return [_over(report, view, words), *round_report(report, view, words), ""] if report else []


def final_table(
    details: Mapping[str, Any], view: EventView, against: Mapping[Player, Mapping[Player, int]], words: Words
) -> list[str]:
    """Return the final result: the standings, or a cross-table for few players, and the last rounds."""
    report = details.get("final")
    if not report:
        return []
    crossed = cross_table(view, against, words) if against else []
    if not crossed:
        return ["", *round_report(report, view, words)]
    rows, last = report["rows"], report["round"]
    if words.heard:
        return [
            "",
            *crossed,
            "",
            words("event_round.by_round"),
            *(_rounds_text(row, last, view, words) for row in rows),
        ]
    return ["", *crossed, *_by_round(rows, last, view, words)]


def _over(report: Mapping[str, Any], view: EventView, words: Words) -> str:
    """Return a text such as ``Round 1 of 2 is over. 3 hands each so far.``

    If there were more hands than the rounds have, some were in Fantasyland.
    """
    hands = [row["hands"] for row in report["rows"]]
    structure = view.event.structure
    least, most = min(hands, default=0), max(hands, default=0)
    over = words("event_round.over", round=report["round"], rounds=structure.rounds)
    also = "_fantasyland" if most > report["round"] * structure.round_hands else ""
    if least == most:
        return words.side_by_side([over, words(f"event_round.hands{also}", count=most)])
    return words.side_by_side([over, words(f"event_round.hands_between{also}", least=least, most=most)])


def next_text(number: int, starts_at: int, view: EventView, words: Words) -> str:
    """Return the start time of the next round, as a heading for its pairings."""
    rounds = view.event.structure.rounds
    return words("event_round.next", round=number, rounds=rounds, when=moment(starts_at))


def cross_table(view: EventView, against: Mapping[Player, Mapping[Player, int]], words: Words) -> list[str]:
    """Return all results between players; empty if there are too many players for the width of a phone."""
    people = [line.entrant.player for line in view.fair]
    if not 2 < len(people) <= MAX_CROSS_TABLE_PLAYERS:
        return []
    if words.heard:
        return [words("event_round.heard_cross"), *_cross_table_text(view, against, words)]
    table = [["", *(words.number(line.place) for line in view.fair), words("event_round.total")]]
    for column, line in enumerate(view.fair):
        own = against.get(line.entrant.player, {})
        cells = [NOTHING if other not in own else words.signed(own[other]) for other in people]
        cells[column] = "■"
        table.append([rank_text(line.place, words, tied=line.tied), *cells, words.signed(line.entrant.score)])
    lines = align_columns([list(column) for column in zip(*table, strict=True)])
    named = [f"`{line}` {player_name(player, words)}" for player, line in zip(people, lines[1:], strict=True)]
    return [words("event_round.cross"), f"`{lines[0]}`", *named]


def _cross_table_text(view: EventView, against: Mapping[Player, Mapping[Player, int]], words: Words) -> list[str]:
    """Return a sentence per player with their result against each of the others."""
    told = []
    for line in view.fair:
        own = against.get(line.entrant.player, {})
        player, place = player_name(line.entrant.player, words), place_name(line.place, words)
        key = "event_round.heard_tied" if line.tied else "event_round.heard"
        said = [words(key, player=player, place=place, total=words.signed(line.entrant.score))]
        said += [
            words("event_round.heard_against", player=player_name(other, words), points=words.signed(points))
            for other, points in own.items()
        ]
        told.append(words.facts(said))
    return told


def _points_per_comparison(row: Mapping[str, Any], view: EventView, words: Words) -> str:
    """Return the points per comparison behind a share of match points, in words."""
    return words("event.compared", points=_compared(row, view, words))


def _compared(row: Mapping[str, Any], view: EventView, words: Words) -> str:
    """Return the points per comparison behind a share of match points."""
    line = view.line_of(row["player"])
    if line is None:
        return words.signed(row["score"])
    return compared_points(view, replace(line.entrant, score=row["score"], hands=row["hands"]), words)


def movement(row: Mapping[str, Any]) -> str:
    """Return the movement: ``▲2`` for two places up, ``▼1`` for one down. An equals sign would mean a shared place."""
    up = row["before"] - row["place"]
    return f"▲{up}" if up > 0 else f"▼{-up}" if up < 0 else NOTHING


def _signed(points: int, words: Words) -> str:
    return words.signed(points)


def _percent(thousandths: int, words: Words) -> str:
    return words.decimal(thousandths / 10, decimals=1) + words.language.percent


def _share(thousandths: int, words: Words) -> str:
    """Return a round's share of the match points as a whole percentage."""
    return words.percent(round(thousandths / 10))


def align_columns(columns: Sequence[Sequence[str]]) -> list[str]:
    """Return the rows of a table with right-aligned columns."""
    widths = [max(map(_width, column)) for column in columns]
    return [
        " ".join(" " * (width - _width(cell)) + cell for cell, width in zip(row, widths, strict=True))
        for row in zip(*columns, strict=True)
    ]


def table_width(columns: Sequence[Sequence[str]]) -> int:
    """Return the width of an aligned table."""
    return sum(max(map(_width, column)) for column in columns) + len(columns) - 1


def _width(text: str) -> int:
    """Return the width of a text in code. East Asian letters count as two."""
    return sum(1 + (unicodedata.east_asian_width(letter) in "WF") for letter in text)


PICTURE = "deck.png"
MAX_LINES = 24
"""Maximum number of boards on a sheet, split between the seats."""
MAX_REPLAYS = 4
"""Maximum number of tables with their own button."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _SeatResult:
    """A seat's result at one table."""

    table: int
    player: str
    points: int
    share: Fraction
    view: ResultView | None
    """None if the hand can no longer be read."""


def sheet_screen(
    view: EventView, sheet: DeckView, words: Words, *, picture: str = "", masters: HandView | None = None
) -> Screen:
    """Draw the sheet. ``picture`` describes the boards attached as ``deck.png``; empty for none."""
    structure, deck = view.event.structure, sheet.deck
    title = words("event_notice.title", name=escape_name(view.event.name))
    decks = structure.rounds * structure.round_hands
    head = words("deck_sheet.title", deck=deck.number, decks=decks, round=deck.round, count=len(deck.points))
    parts: list[str | Part] = [f"### {title}\n{head}"]
    if picture:
        parts += [gallery(PICTURE, description=picture), words("deck_sheet.pictured")]
    parts += ["\n".join(_seat(sheet, seat, words, masters)) for seat in range(len(_seats(sheet)))]
    parts.append(words("deck_sheet.explained" if masters is None else "deck_sheet.explained_masters"))
    return screen(
        *parts, *button_rows(_replay_buttons(view, sheet, words, asked=masters is not None)), colour=RESULT_COLOUR
    )


def _replay_buttons(view: EventView, sheet: DeckView, words: Words, *, asked: bool) -> list[Part]:
    """Return buttons to replay each table street by street, and to see how masters play the deck."""
    press, ways = replace(about(view.event), hand=sheet.deck.number), list[Part]()
    for result in list(sheet.results.values())[:MAX_REPLAYS]:
        way = replace(press, verb="replay", table=result.table.key.table, tag=result.table.tag)
        way = replace(way, hand=result.record.hand_no)
        ways.append(button(way, words("deck_sheet.replay", table=result.table.number)))
    return ways if asked else [*ways, button(press.but("ev_masters"), words("deck_sheet.masters"))]


def _seats(sheet: DeckView) -> Sequence[int]:
    return next(iter(sheet.deck.points.values()))


def _seat_results(sheet: DeckView, seat: int) -> list[_SeatResult]:
    """Return a seat's results at all tables, best first."""
    deck = sheet.deck
    matched = deck.matched
    made = [
        _SeatResult(
            table=sheet.number_of(table),
            player=deck.seats[table][seat],
            points=points[seat],
            share=Fraction(matched[table][seat], deck.most),
            view=sheet.results.get(table),
        )
        for table, points in deck.points.items()
    ]
    return sorted(made, key=lambda one: (-one.points, one.table))


def _seat(sheet: DeckView, seat: int, words: Words, masters: HandView | None) -> list[str]:
    """Return a seat's boards at all tables, best first. If there are many, only the best and the worst are shown."""
    made = _seat_results(sheet, seat)
    room = max(2, MAX_LINES // len(_seats(sheet)))
    shown = made if len(made) <= room else [*made[: room - 1], made[-1]]
    head = words("deck_sheet.button" if seat == sheet.button else "deck_sheet.seat", seat=seat + 1)
    lines = [head, *(_line(one, seat, made, words) for one in shown)]
    if len(shown) < len(made):
        lines.insert(-1, words("event.more", count=len(made) - len(shown)))
    if masters is not None:
        lines.append(_masters_line(sheet, seat, masters, words))
    return lines


def _line(one: _SeatResult, seat: int, made: Sequence[_SeatResult], words: Words) -> str:
    """Return a line such as ``+12 · 75% · Bob (table 2): pair of queens / two pair / flush``."""
    best, worst = made[0].points, made[-1].points
    mark = "" if best == worst else "🔼" if one.points == best else "🔽" if one.points == worst else ""
    numbers = f"**{_numbers(one.points, one.share, words)}**"
    who = words("deck_sheet.player", player=player_name(one.player, words), table=one.table)
    board = one.view.hand.score.boards[seat] if one.view and one.view.hand and one.view.hand.score else None
    told = board_text(board, words) if board else ""
    return words.facts([words.adorned(mark, numbers) if mark else numbers, who, told])


def _masters_line(sheet: DeckView, seat: int, hand: HandView, words: Words) -> str:
    """Return the line of a seat's master, compared as if they were one more table."""
    assert hand.score is not None
    field = {**sheet.deck.points, 0: tuple(hand.score.points)}
    points, share = hand.score.points[seat], Fraction(match_points(field)[0][seat], 2 * (len(field) - 1))
    return words.facts(
        [
            words.adorned("🎓", f"**{_numbers(points, share, words)}**"),
            words("deck_sheet.master"),
            board_text(hand.score.boards[seat], words),
        ]
    )


def board_text(board: BoardScore, words: Words) -> str:
    """Return a board such as ``pair of queens / two pair, kings and fives / ace-high flush``, or say that it's foul."""
    if board.surrendered:
        return words("result.surrendered")
    told = " / ".join(hand_text(row.strength, words) for row in board.rows or ())
    return words.facts([words("board.note_foul"), told]) if board.foul else told


def _numbers(points: int, share: Fraction, words: Words) -> str:
    """Return numbers such as ``+12 (75%)``."""
    return f"{words.signed(points)} ({words.percent(round(100 * share))})"


# The picture shows each seat's best board next to its worst. With two tables, that's all boards.


def can_draw(sheet: DeckView) -> bool:
    """True if all boards of the picture can be read."""
    return all(one.view is not None and scored(one.view) for one in _ends(sheet))


def _ends(sheet: DeckView) -> list[_SeatResult]:
    found = []
    for seat in range(len(_seats(sheet))):
        made = _seat_results(sheet, seat)
        found += [made[0], made[-1]]
    return found


def sheet_picture(sheet: DeckView, names: DisplayNames, words: Words) -> bytes:
    """Draw the boards as a PNG in rows of two. Run it in an executor."""
    return draw_result([_drawn(one, number // 2, names, words) for number, one in enumerate(_ends(sheet))])


def describe_picture(sheet: DeckView, names: DisplayNames, words: Words) -> str:
    """Return the picture's description for screen readers."""
    for cards in (True, False):
        told = words.side_by_side(
            [
                words(
                    "deck_sheet.told",
                    seat=number // 2 + 1,
                    table=one.table,
                    board=told_board(one.view, number // 2, names, words, cards=cards) if one.view else "",
                )
                for number, one in enumerate(_ends(sheet))
            ]
        )
        if len(told) <= MAX_DESCRIPTION_LENGTH:
            break
    return told[:MAX_DESCRIPTION_LENGTH]


def _drawn(one: _SeatResult, seat: int, names: DisplayNames, words: Words) -> DrawnBoard:
    assert one.view is not None
    drawn = drawn_board(one.view, seat, names, words)
    return replace(drawn, name=words("deck_sheet.drawn", seat=seat + 1, player=drawn.name, table=one.table))
