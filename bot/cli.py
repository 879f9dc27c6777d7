"""The commands that need no Discord: ``score`` boards, ``verify`` the public record of a hand.

Each command is a function from its arguments to an exit code: 0 done, 1 the record is wrong, 2 the input cannot be
used (one sentence on stderr says why).
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from pathlib import Path
from typing import Any, Protocol, TextIO

from bot.ofc.cards import cards_text
from bot.ofc.notation import EXAMPLE, NotationError, board_text, check_cards, parse_board
from bot.ofc.proof import Problem, Verdict, check_proof
from bot.ofc.rows import ROWS
from bot.ofc.scoring import Board, BoardScore, HandScore, PairScore, score_hand
from bot.ofc.variants import PRESETS, Variant

RIGHT, WRONG, UNUSABLE = 0, 1, 2
STDIN = "-"
RECORD_BYTES = 1_000_000
"""The largest record that ``verify`` reads; a real one has about one thousand."""
_UNREADABLE = (Problem.BAD_FORMAT, Problem.UNKNOWN_ALGORITHM)


class Commands(Protocol):
    """What ``ArgumentParser.add_subparsers`` returns."""

    def add_parser(self, name: str, *, help: str, description: str) -> argparse.ArgumentParser:
        """A new command."""
        ...


def add_commands(subparsers: Commands) -> None:
    """Declare ``score`` and ``verify``; the chosen one stands in ``args.run``."""
    score = subparsers.add_parser(
        "score", help="score the boards of a hand", description="Score complete boards against each other."
    )
    score.add_argument("--variant", default=next(iter(PRESETS)), help=f"the game: {_games()} (default: %(default)s)")
    score.add_argument("--json", action="store_true", help="print JSON")
    score.add_argument(
        "boards", nargs="+", metavar="BOARD", help=f"front/middle/back, such as {EXAMPLE}; @14 ends a Fantasyland board"
    )
    score.set_defaults(run=main_score)
    verify = subparsers.add_parser(
        "verify", help="check the public record of a hand", description="Recompute the deck of a hand from its record."
    )
    verify.add_argument("--json", action="store_true", help="print JSON")
    verify.add_argument("file", metavar="FILE", help="the record (JSON), or - for standard input")
    verify.set_defaults(run=main_verify)


def main_score(args: argparse.Namespace) -> int:
    """Score the boards that ``args.boards`` writes."""
    variant = PRESETS.get(args.variant)
    if variant is None:
        return _refuse(f"{args.variant!r} is not a game that can be scored: choose {_games()}")
    try:
        boards = _read_boards(args.boards, variant)
    except NotationError as error:
        return _refuse(str(error))
    score = score_hand(variant, boards)
    _say(_json(_score_record(variant, boards, score)) if args.json else _score_table(variant, boards, score))
    return RIGHT


def _games() -> str:
    return " or ".join(PRESETS)


def _read_boards(texts: list[str], variant: Variant) -> list[Board]:
    if len(texts) > variant.max_seats:
        raise NotationError(f"{variant.key} takes at most {variant.max_seats} boards, not {len(texts)}")
    boards = [parse_board(text, variant) for text in texts]
    check_cards(boards, variant)
    return boards


def _written(board: Board) -> str:
    """The board in notation, with its Fantasyland."""
    return board_text(board.rows) + (f"@{board.fantasyland}" if board.fantasyland else "")


def _score_record(variant: Variant, boards: list[Board], score: HandScore) -> dict[str, Any]:
    players = [
        _player_record(board, scored, points)
        for board, scored, points in zip(boards, score.boards, score.points, strict=True)
    ]
    return {"variant": variant.key, "players": players, "pairs": [_pair_record(pair) for pair in score.pairs]}


def _player_record(board: Board, scored: BoardScore, points: int) -> dict[str, Any]:
    return {
        "board": _written(board),
        "foul": scored.foul,
        "rows": {
            row.key: {"category": part.category.name.lower(), "royalty": part.royalty}
            for row, part in zip(ROWS, scored.rows or (), strict=True)
        },
        "royalties": scored.royalties,
        "points": points,
        "fantasyland_cards": scored.next_fantasyland or None,
    }


def _pair_record(pair: PairScore) -> dict[str, Any]:
    return {
        "players": [pair.first, pair.second],
        "rows": {row.key: won for row, won in zip(ROWS, pair.rows, strict=True)},
        "scoop": pair.scoop,
        "royalties": pair.royalties,
        "points": pair.points,
    }


def _score_table(variant: Variant, boards: list[Board], score: HandScore) -> str:
    players = zip(boards, score.boards, score.points, strict=True)
    parts = [_player_lines(number, *player) for number, player in enumerate(players, start=1)]
    if score.pairs:
        parts.append([_pair_line(variant, pair) for pair in score.pairs])
    return "\n\n".join("\n".join(part) for part in parts)


def _player_lines(number: int, board: Board, scored: BoardScore, points: int) -> list[str]:
    lines = [f"Player {number}  {_written(board)}{'  FOUL' if scored.foul else ''}"]
    for row, cards, part in zip(ROWS, board.rows, scored.rows or (), strict=True):
        category = part.category.name.replace("_", " ").lower()
        lines.append(f"  {row.key:<6}  {cards_text(cards):<10}  {category:<15}  {part.royalty or '-':>3}")
    lines.append(f"  royalties {scored.royalties}, points {points:+}{_next_hand(scored)}")
    return lines


def _next_hand(scored: BoardScore) -> str:
    cards = scored.next_fantasyland
    return f", Fantasyland with {cards} cards next" if cards else ""


def _pair_line(variant: Variant, pair: PairScore) -> str:
    rows = "  ".join(f"{row.key} {won * variant.row_point:+}" for row, won in zip(ROWS, pair.rows, strict=True))
    bonus = f"scoop {pair.scoop * variant.scoop_bonus:+}  royalties {pair.royalties:+}"
    return f"{pair.first + 1} v {pair.second + 1}  {rows}  {bonus}  points {pair.points:+}"


def main_verify(args: argparse.Namespace) -> int:
    """Check the record in ``args.file``."""
    name = "standard input" if args.file == STDIN else args.file
    try:
        record = json.loads(_read(args.file))
    except OSError as error:
        return _unreadable(args, f"{name} cannot be read: {error.strerror}")
    except (ValueError, RecursionError):
        return _unreadable(args, f"{name} is not a record: it must be a JSON object of at most one megabyte")
    verdict = check_proof(record)
    if verdict.problem in _UNREADABLE:
        return _unreadable(args, f"{name} cannot be checked: {verdict.text}", verdict)
    _say(_json(_verdict_record(verdict)) if args.json else _verdict_words(verdict, record))
    return RIGHT if verdict.ok else WRONG


def _read(file: str) -> bytes:
    """What ``file`` holds; raises OSError, and ValueError for more than a record."""
    with open(0, "rb", closefd=False) if file == STDIN else Path(file).open("rb") as source:
        content = source.read(RECORD_BYTES + 1)
    if len(content) > RECORD_BYTES:
        raise ValueError("too long")
    return content


def _unreadable(args: argparse.Namespace, text: str, verdict: Verdict | None = None) -> int:
    if args.json:
        _say(_json(_verdict_record(verdict or Verdict(problem=Problem.BAD_FORMAT, text=text))))
    return _refuse(text)


def _verdict_record(verdict: Verdict) -> dict[str, Any]:
    return {
        "ok": verdict.ok,
        "hand_id": verdict.hand_id,
        "problem": verdict.problem.value if verdict.problem else None,
        "deck": cards_text(verdict.deck) or None,
    }


def _verdict_words(verdict: Verdict, record: dict[str, Any]) -> str:
    # A record comes from anywhere: `!r` keeps its control characters out of the terminal.
    lines = [
        f"Hand {verdict.hand_id!r}: {'RIGHT' if verdict.ok else 'WRONG'}, {verdict.text}.",
        f"Deck: {cards_text(verdict.deck)}",
    ]
    if verdict.ok:
        lines.append(f"Now compare this commitment with the one posted before the hand: {record['commitment']}")
    return "\n".join(lines)


def _json(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, indent=2)


def _say(text: str) -> None:
    """Print for whoever reads; that he has stopped reading is no error."""
    _use_utf8(sys.stdout)
    try:
        print(text, flush=True)
    except BrokenPipeError:
        # What is left in the buffer goes nowhere, or the interpreter would complain at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _refuse(text: str) -> int:
    _use_utf8(sys.stderr)
    print(text, file=sys.stderr)
    return UNUSABLE


def _use_utf8(stream: TextIO) -> None:
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
