"""The settlement of a hand, told so that a beginner can follow it: boards, pairs, points, chips, what comes next."""

from __future__ import annotations

from typing import Any

from discord import ui

from bot.ofc.cards import JOKERS
from bot.ofc.rows import ROWS
from bot.ofc.scoring import BoardScore, PairScore, RowScore
from bot.ofc.view import Facing, HandView, SeatView
from bot.ofc.wild import became, has_joker
from bot.play.model import HandState, Result
from bot.play.views import ResultView
from bot.text.names import hand_text, natural_name
from bot.text.words import Words
from bot.ui.faces import Faces
from bot.ui.parts import MOST_TEXT, QUIET_COLOUR, RESULT_COLOUR, board_lines, player_name, table_title
from bot.ui.widgets import screen

MOST_PARTS = 36
"""Texts on one page; with the container that is within Discord's 40 components."""


def result_screens(view: ResultView, words: Words, faces: Faces) -> list[ui.LayoutView]:
    """The messages after a hand: one, or several where eight boards and their pairs do not fit."""
    heading = f"### {words('result.title', hand=view.record.hand_no)}\n-# {table_title(view.table, words)}"
    if view.record.state is not HandState.SETTLED or view.hand is None or view.hand.score is None:
        reason = words(f"closed.{view.record.reason}") if view.record.reason else ""
        text = words("result.void", reason=reason)
        return [screen(heading, text, _proof(view, words), colour=QUIET_COLOUR)]
    hand, score = view.hand, view.hand.score
    boards = [_board(seat, board, words, faces) for seat, board in zip(hand.seats, score.boards, strict=True)]
    pairs = [_pair(hand, pair, words) for pair in score.pairs]
    totals = "\n".join(_total(view, result, words) for result in view.results)
    end = [totals, *_fantasyland(view, words), _proof(view, words)]
    if sum(map(len, (heading, *boards, *pairs, *end))) < MOST_TEXT - len(pairs):
        together: list[str | ui.Item[Any]] = [
            heading,
            *boards,
            ui.Separator[Any](),
            "\n".join(pairs),
            ui.Separator[Any](),
            *end,
        ]
        return [screen(*together, colour=RESULT_COLOUR)]
    return [screen(*page, colour=RESULT_COLOUR) for page in _pages([heading, *boards, *pairs, *end])]


def _pages(parts: list[str]) -> list[list[str]]:
    """The parts in order, as many on a page as a message takes."""
    pages: list[list[str]] = [[]]
    for part in parts:
        used = sum(map(len, pages[-1]))
        if pages[-1] and (used + len(part) > MOST_TEXT or len(pages[-1]) == MOST_PARTS):
            pages.append([])
        pages[-1].append(part)
    return pages


def _board(seat: SeatView, board: BoardScore, words: Words, faces: Faces) -> str:
    """A name line and the three rows with their hands and royalties."""
    lines = board_lines(seat.rows, faces)
    head = f"**{player_name(seat.player, words)}**"
    if board.surrendered:
        return f"{head} · {words('result.surrendered')}"
    if board.rows is None:
        return "\n".join([f"{head} · {words('result.gave_up')}", *lines])
    if board.natural is not None:
        return "\n".join([f"{head} · {words('result.natural', natural=natural_name(board.natural, words))}", *lines])
    if board.foul:
        head = f"{head} · {words('result.foul')}"
    elif board.royalties:
        head = f"{head} · {words('result.royalties', points=words.signed(board.royalties))}"
    told = [
        f"{line} {_row_text(cards, row, words, faces)}"
        for line, cards, row in zip(lines, seat.rows, board.rows, strict=True)
    ]
    return "\n".join([head, *told])


def _row_text(cards: Facing, row: RowScore, words: Words, faces: Faces) -> str:
    """What a row is, what it pays, and what its jokers became."""
    hand = hand_text(row.strength, words)
    text = words("hand.with_royalty", hand=hand, points=words.signed(row.royalty)) if row.royalty else hand
    laid = tuple(card for card in cards if card is not None)
    if has_joker(laid):
        stood_for = [new for old, new in zip(laid, became(laid, row.strength), strict=True) if old != new]
        text += f" ({faces.row(laid_joker for laid_joker in laid if laid_joker in JOKERS)} → {faces.row(stood_for)})"
    return text


def _pair(hand: HandView, pair: PairScore, words: Words) -> str:
    """``A – B: front +1, middle −1, back +1 · royalties +6 = +7``."""
    rows = words.list(
        [
            words("result.row", row=words(f"row.{row.key}"), points=words.signed(points))
            for row, points in zip(ROWS, pair.row_points, strict=True)
        ]
    )
    parts = [rows]
    if pair.natural:
        parts = [words("result.special", points=words.signed(pair.natural))]
    scoop = pair.scoop * hand.variant.scoop_bonus
    if scoop:
        parts.append(words("result.scoop", points=words.signed(scoop)))
    if pair.bonus - scoop:
        parts.append(words("result.bonus", points=words.signed(pair.bonus - scoop)))
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
