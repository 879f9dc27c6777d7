"""The replay of a finished hand, with a step per street and the result as the last step, and the list of past hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from discord import SelectOption

from bot.chat.kit.custom_ids import Press, game_tag, long_id, short_id
from bot.chat.kit.faces import DisplayNames, Faces
from bot.chat.kit.fragments import QUIET_COLOUR, RESULT_COLOUR, first_fitting, names, step_label
from bot.chat.kit.modals import AnyField, FormChoice
from bot.chat.kit.presses import MAX_ID_LENGTH
from bot.chat.kit.widgets import Part, Screen, button, button_rows, screen, select, separator
from bot.chat.table.screens.boards import Size, placed_by, row_text, seat_rows
from bot.chat.table.screens.lobby import hand_title
from bot.chat.table.screens.picture import pair_lines
from bot.chat.table.screens.result import result_board, signs_differ, verify_ways, why_fouled
from bot.model.hands import HandAge, HandFilter, HandOutcome
from bot.model.ids import COMPUTERS, GuildId, Player, TableId, TableKey, is_computer
from bot.play.queries.replays import Frame, PastLine, PastPage, Replay, SeatFrame
from bot.pure.ofc.cards import ROWS, Card, Row
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.view import Facing
from bot.text.cards import row_label
from bot.text.games import full_name, preset_name
from bot.text.words import Words

STEPS = {"rp_first": "first", "rp_back": "back", "rp_next": "next", "rp_last": "last"}
"""The buttons that move through a hand, and where they lead."""
NEW = "➕"
"""Marks cards that were placed on the current street."""


def parse_step(press: Press, last: int) -> int:
    """Return the step that a press leads to. ``last`` is the result."""
    steps = {"rp_first": 0, "rp_back": press.street - 1, "rp_next": press.street + 1, "rp_last": last}
    return max(0, min(steps.get(press.verb, press.street), last))


def replay_screen(replay: Replay, step: int, words: Words, faces: Faces) -> Screen:
    """Draw a step for its reader only, with buttons for the other steps, the review and sharing."""
    return _draw(replay, step, words, faces, ways=[*_through(replay, step, words), *_ways_on(replay, step, words)])


def shown_to_all(replay: Replay, step: int, words: Words, faces: Faces) -> Screen:
    """Draw a step for the channel. Members can open their own replay from it."""
    open_replay = button(_press(replay, "replay", step), words("replay.button"))
    return _draw(replay, step, words, faces, ways=button_rows([open_replay, *verify_ways(replay.result, words)]))


def _draw(replay: Replay, step: int, words: Words, faces: Faces, *, ways: list[Part]) -> Screen:
    """Draw the step in the largest size that fits. Eight boards barely fit."""

    def drawn(size: Size) -> Screen:
        if step == replay.last:
            boards = [*_result(replay, words, faces, size), *_pairs(replay, words, faces, size)]
        else:
            boards = _street(replay, step, words, faces, size)
        return screen(_heading(replay, step, words), *boards, *ways, colour=RESULT_COLOUR)

    return first_fitting(map(drawn, (Size.SMALL, Size.TIGHT, Size.BARE)))


def _heading(replay: Replay, step: int, words: Words) -> str:
    hand, table = replay.result.record.hand_no, replay.result.table
    played_at = hand_title(table, replay.result.record.point_value, words)
    if step == replay.last:
        title = words("replay.end", hand=hand)
    else:
        title = words("replay.street", hand=hand, street=replay.frames[step].street, count=len(replay.frames))
    lines = [f"### {title}", f"-# {played_at}"]
    if link := message_link(replay.result.table.key, replay.result.record.told_in, replay.result.record.told_by):
        lines.append(f"-# [{words('replay.message')}]({link})")
    return "\n".join(lines)


def message_link(key: TableKey, channel: int | None, message: int | None) -> str:
    """Return the link to the message with a hand's result; empty if there is none."""
    return f"https://discord.com/channels/{key.guild}/{channel}/{message}" if channel and message else ""


# The streets


def _street(replay: Replay, step: int, words: Words, faces: Faces, size: Size) -> list[str | Part]:
    frame = replay.frames[step]
    boards = [_seat(replay, frame, number, words, faces, size) for number in range(len(frame.seats))]
    return _separate_boards(boards)


def _seat(replay: Replay, frame: Frame, number: int, words: Words, faces: Faces, size: Size) -> str:
    seat = frame.seats[number]
    name = faces.names.of(replay.result.table.key.guild, seat.player, words)
    if number == replay.end.button:
        name = words.facts([name, words("replay.dealer_button")])
    if seat.fantasyland:
        return words.facts([name, words("replay.in_fantasyland", count=seat.fantasyland)])
    notes = placed_by(clock=seat.by_clock, fallback=seat.by_fallback)
    name = words.facts([name, *map(words, notes)], unbroken=True)
    lines = [name, *filter(None, (_row(row, seat, words, faces, size) for row in ROWS))]
    if seat.discards and size is not Size.BARE:
        lines.append(words("replay.discards", cards=faces.row(seat.discards)))
    return "\n".join(lines)


def _row(row: Row, seat: SeatFrame, words: Words, faces: Faces, size: Size) -> str:
    """Return a row's cards, with the current street's marked; empty for an empty row in text only."""
    before, placed = seat.before[row.place], seat.placed[row.place]
    if words.heard:
        return _row_text(row, before, placed, words, faces)
    letter = "" if size is Size.BARE else f"`{words(f'board.mark.{row.key}')}` "
    shown = [faces.row(cards) for cards in (before, placed)]
    marked = f"{NEW}{shown[1]}" if placed else ""
    return letter + (" ".join(filter(None, (shown[0], marked))) or "·")


def _row_text(row: Row, before: Facing, placed: Facing, words: Words, faces: Faces) -> str:
    """Return ``Front: four of hearts. New: seven of spades.``"""
    label = row_label(row, words, strict=False)
    if before and placed:
        return words("aloud.row_grown", row=label, cards=faces.row(before), new=faces.row(placed))
    if placed:
        return words("aloud.row_begun", row=label, new=faces.row(placed))
    return words("aloud.row", row=label, cards=faces.row(before)) if before else ""


def _separate_boards(boards: list[str]) -> list[str | Part]:
    parts: list[str | Part] = []
    for board in boards:
        parts += [separator(line=False), board] if parts else [board]
    return parts


# The result


def _result(replay: Replay, words: Words, faces: Faces, size: Size) -> list[str | Part]:
    view, end = replay.result, replay.end
    assert end.score is not None
    boards = []
    for number, (seat, board) in enumerate(zip(end.seats, end.score.boards, strict=True)):
        if size is Size.SMALL:
            told = result_board(view, seat, board, words, faces)
        else:
            rows = seat_rows(seat, end.variant)
            lines = [row_text(row, cards, "", words, faces, size=size) for row, cards in zip(ROWS, rows, strict=True)]
            told = "\n".join([faces.names.of(view.table.key.guild, seat.player, words), *lines])
        mine: list[Card] = [card for card in seat.discards if card is not None]
        if mine and not end.variant.open_discards and size is Size.SMALL:
            told += f"\n{words('replay.discards', cards=faces.row(mine))}"
        if why := why_fouled(seat, board, end.variant, words):
            told += f"\n{words.adorned('⛔', why)}"
        boards.append(f"{told}\n{_points(replay, number, words)}")
    return _separate_boards(boards)


def _pairs(replay: Replay, words: Words, faces: Faces, size: Size) -> list[str | Part]:
    """Return the amounts that players won from each other, as in the result.

    Empty if the boards fill the page.
    """
    if size is Size.BARE:
        return []
    names = [faces.names.of(replay.result.table.key.guild, seat.player, words) for seat in replay.end.seats]
    return [separator(line=True), "\n".join(pair_lines(replay.result, names, words))]


def _points(replay: Replay, number: int, words: Words) -> str:
    view, end = replay.result, replay.end
    assert end.score is not None
    points = end.score.points[number]
    shown = words.signed(points)
    if not view.record.point_value:
        return words("replay.points", points=shown, count=abs(points))
    chips = next(result.chips for result in view.results if result.player == end.seats[number].player)
    won = words("result.chips", chips=words.signed(chips), count=abs(chips))
    key = "replay.points_but_chips" if signs_differ(points, chips) else "replay.points_and_chips"
    return words(key, points=shown, chips=won, count=abs(points))


# The buttons


def _press(replay: Replay, verb: str, step: int) -> Press:
    table = replay.result.table
    return Press(verb=verb, table=table.key.table, tag=table.tag, hand=replay.result.record.hand_no, street=step)


def _through(replay: Replay, step: int, words: Words) -> list[Part]:
    """Return the four buttons that move through a hand; empty if it has only one step."""
    if not replay.frames:
        return []
    ends = {"rp_first": 0, "rp_back": 0, "rp_next": replay.last, "rp_last": replay.last}
    return button_rows(
        [
            button(_press(replay, verb, step), step_label(way, words), disabled=step == ends[verb])
            for verb, way in STEPS.items()
        ]
    )


def _ways_on(replay: Replay, step: int, words: Words) -> list[Part]:
    """Return the buttons for the player's own review and for sharing or, at a practice table, for the file.

    The last step has buttons for the file and the deal's proof.
    """
    show = button(_press(replay, "rp_show", step), words("replay.show_all"))
    file = button(_press(replay, "rp_file", step), words("replay.button_file"))
    review = [button(_press(replay, "review", 0), words("review.button_label"))] if replay.end.you is not None else []
    return button_rows([*review, file if replay.result.table.private else show])


# A player's own hands, newest first, with filters. Each hand opens its replay.

HANDS: Final = 8
"""Number of hands per page. With long names and links, this many just fit in a message."""
LAST_PAGE: Final = 99_999
_WITHIN, _OUTCOMES = tuple(HandAge), tuple(HandOutcome)
_NO_GAME: Final = 0


def build_press(wanted: HandFilter, *, page: int, verb: str) -> Press:
    """Return a press that carries the filters: game, opponent, period and outcome."""
    return Press(
        verb=verb,
        table=TableId(_encode_game(wanted.game)),
        hand=page,
        street=_OUTCOMES.index(wanted.outcome) * len(_WITHIN) + _WITHIN.index(wanted.within),
        argument=_format_player(wanted.opponent) if wanted.opponent else "",
    )


def parse_filter(press: Press) -> HandFilter:
    """Return the filters that a press carries."""
    outcome, within = divmod(press.street, len(_WITHIN))
    return HandFilter(
        game=next((key for key in PRESETS if _encode_game(key) == press.table), ""),
        opponent=_parse_player(press.argument),
        within=_WITHIN[within],
        outcome=_OUTCOMES[outcome] if outcome < len(_OUTCOMES) else HandOutcome.ANY,
    )


def _format_player(player: Player) -> str:
    return short_id(int(player)) if player.isdigit() else player


def _parse_player(argument: str) -> Player | None:
    if is_computer(argument):
        return Player(argument)
    number = long_id(argument)
    return Player(str(number)) if number else None


def _encode_game(game: str) -> int:
    """Encode a game as a number that fits a press's table number."""
    return int(game_tag(game)[:7], 16) if game else _NO_GAME


def history_screen(found: PastPage, words: Words, people: DisplayNames, *above: Part) -> Screen:
    """Draw a page of hands, or the reason that there are none. ``above`` holds menus for other pages."""
    heading = f"### {words('history.title')}\n-# {_filters(found.wanted, words)}"
    ways = [*_page_buttons(found, words), *_filter_buttons(found, words)]
    if not found.lines:
        empty = words("history.no_more" if found.page else "history.empty")
        return screen(heading, empty, *above, *button_rows(ways), colour=QUIET_COLOUR)
    lines = "\n".join(_line(line, words) for line in found.lines)
    return screen(heading, lines, *above, _hand_menu(found, words, people), *button_rows(ways), colour=RESULT_COLOUR)


# The filters, which share one form

ANYTHING: Final = "any"
"""The menu value that means no filter."""
MAX_OPPONENTS: Final = 24


def filter_fields(
    wanted: HandFilter, opponents: Sequence[Player], guild: GuildId, words: Words, people: DisplayNames
) -> list[AnyField]:
    """Return the form's fields with the current choices. ``opponents`` are the players to choose from."""
    known = [wanted.opponent, *(one for one in opponents if one != wanted.opponent)] if wanted.opponent else opponents
    games = {ANYTHING: words("history.every_game")} | {key: preset_name(game, words) for key, game in PRESETS.items()}
    players = {ANYTHING: words("history.anyone")} | {
        str(one): people.plain(guild, one, words) for one in known[:MAX_OPPONENTS] if one is not None
    }
    within = {one.value: words(f"history.within.{one.value}") for one in HandAge}
    outcome = {one.value: words(f"history.outcome.{one.value}") for one in HandOutcome}
    chosen = {"game": wanted.game or ANYTHING, "opponent": wanted.opponent or ANYTHING}
    chosen |= {"within": wanted.within.value, "outcome": wanted.outcome.value}
    offered = {"game": games, "opponent": players, "within": within, "outcome": outcome}
    return [
        FormChoice(
            label=words(f"history.field.{name}"),
            options=[
                SelectOption(label=label[:100], value=value, default=value == chosen[name])
                for value, label in options.items()
            ],
        )
        for name, options in offered.items()
    ]


def filtered(values: Sequence[str]) -> HandFilter:
    """Return the filters entered in a form. Values that the form doesn't offer are ignored."""
    game, opponent, within, outcome = [*values, *[""] * 4][:4]
    computers = {player for known in COMPUTERS.values() for player in known}
    known = opponent in computers or (opponent.isascii() and opponent.isdigit() and len(opponent) <= MAX_ID_LENGTH)
    return HandFilter(
        game=game if game in PRESETS else "",
        opponent=Player(opponent) if known else None,
        within=next((one for one in HandAge if one.value == within), HandAge.EVER),
        outcome=next((one for one in HandOutcome if one.value == outcome), HandOutcome.ANY),
    )


def _filter_buttons(found: PastPage, words: Words) -> list[Part]:
    """Return the button for the filters, unless there is nothing to filter."""
    if not found.lines and found.wanted == HandFilter():
        return []
    return [button(build_press(found.wanted, page=0, verb="hist_filter"), words("history.filter"))]


def _filters(wanted: HandFilter, words: Words) -> str:
    game = preset_name(PRESETS[wanted.game], words) if wanted.game in PRESETS else words("history.every_game")
    told = [game, words(f"history.within.{wanted.within.value}"), words(f"history.outcome.{wanted.outcome.value}")]
    if wanted.opponent:
        told.append(words("history.against", players=names([wanted.opponent], words)))
    return words.facts(told)


def _line(line: PastLine, words: Words) -> str:
    """Return ``+13 · Pineapple OFC · vs Bob · yesterday · result``."""
    mine, record = line.mine, line.record
    told = [
        words("history.fouled" if mine.foul else "history.points", points=words.signed(mine.points)),
        full_name(record.variant, words),
        words("history.against", players=names(list(line.others), words)),
        f"<t:{(record.ended_at or record.started_at) // 1000}:R>",
    ]
    if link := message_link(line.table.key, record.told_in, record.told_by):
        told.append(f"[{words('history.message')}]({link})")
    return words.facts(told)


def _hand_menu(found: PastPage, words: Words, people: DisplayNames) -> Part:
    """Return the menu that opens a hand of this page."""
    options = [_option(line, words, people) for line in found.lines]
    return select(
        build_press(found.wanted, page=found.page, verb="hist_open"), options, placeholder=words("history.open")
    )


def _option(line: PastLine, words: Words, people: DisplayNames) -> SelectOption:
    key, hand = line.table.key, line.record.hand_no
    others = words.list([people.plain(key.guild, player, words) for player in line.others])
    label = words("history.hand", points=words.signed(line.mine.points), table=line.table.number, hand=hand)
    about = words.facts([full_name(line.record.variant, words), words("history.against", players=others)])
    return SelectOption(label=label[:100], value=f"{key.table}/{hand}", description=about[:100])


def _page_buttons(found: PastPage, words: Words) -> list[Part]:
    """Return the buttons *Newer* and *Older*; empty if all hands fit on one page."""
    if not found.page and not found.more:
        return []
    newer = build_press(found.wanted, page=max(0, found.page - 1), verb="hist_page")
    older = build_press(found.wanted, page=found.page + 1, verb="hist_page")
    return [
        button(newer, words("history.newer"), disabled=not found.page),
        button(older, words("history.older"), disabled=not found.more),
    ]
