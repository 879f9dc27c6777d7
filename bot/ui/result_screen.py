"""The settlement of a hand, told so that a beginner can follow it: boards, pairs, points, chips, what comes next."""

from __future__ import annotations

from discord import ui

from bot.ofc.rows import ROWS
from bot.ofc.scoring import BoardScore, PairScore
from bot.ofc.view import HandView, SeatView
from bot.play.model import HandState, Result
from bot.play.views import ResultView
from bot.text.words import Words
from bot.ui.faces import Faces
from bot.ui.parts import QUIET_COLOUR, RESULT_COLOUR, board_lines, hand_name, player_name, table_title
from bot.ui.widgets import screen


def result_screen(view: ResultView, words: Words, faces: Faces) -> ui.LayoutView:
    """The message after a hand."""
    heading = f"### {words('result.title', hand=view.record.hand_no)}\n-# {table_title(view.table, words)}"
    if view.record.state is not HandState.SETTLED or view.hand is None or view.hand.score is None:
        reason = words(f"closed.{view.record.reason}") if view.record.reason else ""
        return screen(heading, words("result.void", reason=reason), _proof(view, words), colour=QUIET_COLOUR)
    hand, score = view.hand, view.hand.score
    boards = [_board(seat, board, words, faces) for seat, board in zip(hand.seats, score.boards, strict=True)]
    pairs = "\n".join(_pair(hand, pair, words) for pair in score.pairs)
    return screen(
        heading,
        *boards,
        ui.Separator(),
        pairs,
        ui.Separator(),
        "\n".join(_total(view, result, words) for result in view.results),
        *_fantasyland(view, words),
        _proof(view, words),
        colour=RESULT_COLOUR,
    )


def _board(seat: SeatView, board: BoardScore, words: Words, faces: Faces) -> str:
    """A name line and the three rows with their hands and royalties."""
    lines = board_lines(seat.rows, faces)
    head = f"**{player_name(seat.player, words)}**"
    if board.rows is None:
        return "\n".join([f"{head} · {words('result.gave_up')}", *lines])
    if board.foul:
        head = f"{head} · {words('result.foul')}"
    elif board.royalties:
        head = f"{head} · {words('result.royalties', points=words.signed(board.royalties))}"
    told = []
    for cards, row in zip(lines, board.rows, strict=True):
        hand = hand_name(row.strength, words)
        text = words("hand.with_royalty", hand=hand, points=words.signed(row.royalty)) if row.royalty else hand
        told.append(f"{cards} {text}")
    return "\n".join([head, *told])


def _pair(hand: HandView, pair: PairScore, words: Words) -> str:
    """``A – B: front +1, middle −1, back +1 · royalties +6 = +7``."""
    rows = words.list(
        [
            words("result.row", row=words(f"row.{row.key}"), points=words.signed(won * hand.variant.row_point))
            for row, won in zip(ROWS, pair.rows, strict=True)
        ]
    )
    parts = [rows]
    if pair.scoop:
        parts.append(words("result.scoop", points=words.signed(pair.scoop * hand.variant.scoop_bonus)))
    if pair.royalties:
        parts.append(words("result.royalties", points=words.signed(pair.royalties)))
    return words(
        "result.pair",
        first=player_name(hand.seats[pair.first].player, words),
        second=player_name(hand.seats[pair.second].player, words),
        parts=" · ".join(parts),
        points=words.signed(pair.points),
    )


def _total(view: ResultView, result: Result, words: Words) -> str:
    name = player_name(result.player, words)
    points = words.signed(result.points)
    if view.table.practice:
        return words("result.points", player=name, points=points)
    return words("result.points_and_chips", player=name, points=points, chips=words.signed(result.chips))


def _fantasyland(view: ResultView, words: Words) -> list[str]:
    """Who is in Fantasyland next hand."""
    lines = [
        words("result.fantasyland", player=player_name(result.player, words), count=result.fantasyland)
        for result in view.results
        if result.fantasyland
    ]
    return ["\n".join(lines)] if lines else []


def _proof(view: ResultView, words: Words) -> str:
    """The revealed seed, or when it will be revealed."""
    table, hand = view.table.key.table, view.record.hand_no
    if view.seed is None:
        when = "seed_later" if view.hand is not None else "seed_gone"
        return words(f"result.{when}", commitment=view.record.commitment.hex())
    return words("result.seed", seed=view.seed.hex(), table=table, hand=hand)


def closed_screen(title: str, text: str) -> ui.LayoutView:
    """A short last word about a table."""
    return screen(f"### {title}", text, colour=QUIET_COLOUR)
