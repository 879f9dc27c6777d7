"""The command that scores the boards of a hand."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.base.command_help import HelpFormatter, examples
from bot.pure.ofc.cards import ROWS, Card, cards_text
from bot.pure.ofc.notation import DECLARED, EXAMPLE, NotationError, board_text, check_cards, parse_board
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.scoring import Board, BoardScore, HandScore, PairScore, RowScore, score_hand
from bot.pure.ofc.settlement import Payment, Stakes, WinCap, settle
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.wild import became, has_joker
from bot.run.cli.games import GAME, add_house, parse_variant
from bot.run.cli.records import RIGHT, Commands, InputError, as_json, print_line, refuse

MAX_CHIPS = 1_000_000_000


def add_commands(subparsers: Commands) -> None:
    """Add the command to the parser, with its function as ``args.run``."""
    score = subparsers.add_parser(
        "score",
        help="score the boards of a hand",
        description="Score complete boards against each other: rows, royalties, points and Fantasyland. With --stacks, "
        "also convert the points to chips.",
        epilog=examples(
            "QcQd6h/8c8d8hKs4s/Ad9d7d5d2d AhKd9c/JhJc3s3hTs/Tc9h8s7s6c",
            "--rate 5 --stacks 100,60 --loss-cap QcQd6h/8c8d8hKs4s/Ad9d7d5d2d AhKd9c/JhJc3s3hTs/Tc9h8s7s6c",
        ),
        formatter_class=HelpFormatter,
    )
    score.add_argument("--variant", default=next(iter(PRESETS)), metavar="GAME", help=GAME)
    add_house(score)
    score.add_argument("--json", action="store_true", help="print the score as JSON")
    chips = score.add_argument_group("chips", "Convert points to chips. The limits on losses and wins need --stacks.")
    chips.add_argument("--rate", metavar="CHIPS", help="chips per point (default: 1)")
    chips.add_argument("--stacks", metavar="CHIPS,CHIPS...", help="each player's stack, in the order of the boards")
    chips.add_argument("--button", metavar="PLAYER", help="player with the button, counted from 0 (default: 0)")
    chips.add_argument("--loss-cap", action="store_true", help="limit each player's loss to their stack")
    chips.add_argument(
        "--win-cap",
        metavar="CAP",
        help="limit each win to a stack: own or opponent (default: none)",
    )
    chips.add_argument("--bust-is-final", action="store_true", help="players who bust collect nothing more in the hand")
    score.add_argument(
        "boards",
        nargs="+",
        metavar="BOARD",
        help=f"front/middle/back, such as {EXAMPLE}; @14 ends a Fantasyland board, ! a declared natural; X1 and X2 are "
        "the jokers",
    )
    score.set_defaults(run=main_score)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipInputs:
    """The players' stacks by seat (empty if chips aren't counted), the button and the stakes."""

    stacks: tuple[int, ...]
    button: int
    stakes: Stakes


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """A scored hand, and its chip results if they were requested."""

    variant: Variant
    boards: Sequence[Board]
    score: HandScore
    stacks: tuple[int, ...]
    payments: Sequence[Payment] | None

    def chips(self, player: int) -> int | None:
        """Return a player's win or loss in chips."""
        if self.payments is None:
            return None
        won = sum(payment.chips for payment in self.payments if payment.payee == player)
        return won - sum(payment.chips for payment in self.payments if payment.payer == player)


def main_score(args: argparse.Namespace) -> int:
    """Score the boards in ``args.boards``."""
    try:
        variant = parse_variant(args)
        boards = _read_boards(args.boards, variant)
        chips = _chips(args, players=len(boards)) if _asks_for_chips(args) else None
    except (InputError, NotationError) as error:
        return refuse(str(error))
    score = score_hand(variant, boards)
    result = Output(
        variant=variant,
        boards=boards,
        score=score,
        stacks=chips.stacks if chips else (),
        payments=_payments(score, chips) if chips else None,
    )
    print_line(as_json(_score_record(result)) if args.json else _score_table(result))
    return RIGHT


def _read_boards(texts: list[str], variant: Variant) -> list[Board]:
    if len(texts) > variant.max_seats:
        raise InputError(f"{variant.key} takes at most {variant.max_seats} boards, not {len(texts)}")
    boards = [parse_board(text, variant) for text in texts]
    check_cards(boards, variant)
    return boards


def _asks_for_chips(args: argparse.Namespace) -> bool:
    written = (args.rate, args.stacks, args.button, args.win_cap)
    return any(text is not None for text in written) or args.loss_cap or args.bust_is_final


def _chips(args: argparse.Namespace, *, players: int) -> ChipInputs:
    """Return the chips that the arguments describe; raises InputError."""
    stakes = Stakes(
        point_value=1 if args.rate is None else _whole("--rate", args.rate, least=1),
        loss_cap=args.loss_cap,
        win_cap=_win_cap(args.win_cap),
        bust_is_final=args.bust_is_final,
    )
    limits = {
        "--loss-cap": stakes.loss_cap,
        "--win-cap": stakes.win_cap is not WinCap.NONE,
        "--bust-is-final": stakes.bust_is_final,
    }
    limit = next((option for option, given in limits.items() if given), None)
    if limit and args.stacks is None:
        raise InputError(f"{limit} needs --stacks. Give each player's stack, such as --stacks 100,100,50")
    return ChipInputs(
        stacks=() if args.stacks is None else _stacks(args.stacks, players=players),
        button=0 if args.button is None else _whole("--button", args.button, most=players - 1),
        stakes=stakes,
    )


def _win_cap(text: str | None) -> WinCap:
    for cap in WinCap:
        if text in (cap.value, None):
            return cap
    raise InputError(f"--win-cap {text!r} is not valid. Choose {' or '.join(cap.value for cap in WinCap)}")


def _stacks(text: str, *, players: int) -> tuple[int, ...]:
    stacks = tuple(_whole("--stacks", part.strip()) for part in text.split(","))
    if len(stacks) != players:
        raise InputError(f"--stacks {text!r} is for {len(stacks)} players, but there are {players} boards")
    return stacks


def _whole(option: str, text: str, *, least: int = 0, most: int = MAX_CHIPS) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 10 or not least <= int(text) <= most:
        raise InputError(f"{option} {text[:20]!r} is not valid. Use a whole number from {least} to {most}")
    return int(text)


def _payments(score: HandScore, chips: ChipInputs) -> list[Payment]:
    stacks = chips.stacks or (0,) * len(score.boards)
    return settle(score, stacks=stacks, button=chips.button, stakes=chips.stakes)


def _format_board(board: Board) -> str:
    """Return the board in notation, with its Fantasyland or its natural."""
    fantasyland = f"@{board.fantasyland}" if board.fantasyland else ""
    return board_text(board.rows) + fantasyland + (DECLARED if board.natural else "")


# Scores as JSON


def _score_record(result: Output) -> dict[str, Any]:
    record: dict[str, Any] = {"variant": result.variant.key}
    if result.variant.house:
        record["house"] = dict(result.variant.house)
    record["players"] = [_player_record(result, player) for player in range(len(result.boards))]
    record["pairs"] = [_pair_record(pair) for pair in result.score.pairs]
    if result.payments is not None:
        record["payments"] = [
            {"from": payment.payer, "to": payment.payee, "chips": payment.chips} for payment in result.payments
        ]
    return record


def _player_record(result: Output, player: int) -> dict[str, Any]:
    board, scored = result.boards[player], result.score.boards[player]
    rows = zip(ROWS, board.rows, scored.rows or (), strict=True)
    record: dict[str, Any] = {
        "board": _format_board(board),
        "foul": scored.foul,
        "natural": scored.natural.key if scored.natural else None,
        "rows": {row.key: _row_record(cards, part) for row, cards, part in rows},
        "royalties": scored.royalties,
        "points": result.score.points[player],
        "fantasyland_cards": scored.next_fantasyland or None,
    }
    chips = result.chips(player)
    if chips is not None:
        record["chips"] = chips
    if chips is not None and result.stacks:
        record["stack"] = result.stacks[player] + chips
    return record


def _row_record(cards: tuple[Card, ...], part: RowScore) -> dict[str, Any]:
    record: dict[str, Any] = {"category": part.category.name.lower(), "royalty": part.royalty}
    if has_joker(cards):
        record["became"] = cards_text(became(cards, part.strength))
    return record


def _pair_record(pair: PairScore) -> dict[str, Any]:
    return {
        "players": [pair.first, pair.second],
        "rows": {row.key: won for row, won in zip(ROWS, pair.rows, strict=True)},
        "row_points": {row.key: points for row, points in zip(ROWS, pair.row_points, strict=True)},
        "scoop": pair.scoop,
        "bonus": pair.bonus,
        "royalties": pair.royalties,
        "natural": pair.natural,
        "points": pair.points,
    }


# Scores as a table


def _score_table(result: Output) -> str:
    parts = [_player_lines(result, player) for player in range(len(result.boards))]
    if result.score.pairs:
        parts.append([_pair_line(result.variant, pair) for pair in result.score.pairs])
    return "\n\n".join("\n".join(part) for part in parts)


def _player_lines(result: Output, player: int) -> list[str]:
    board, scored = result.boards[player], result.score.boards[player]
    lines = [f"Player {player + 1}  {_format_board(board)}{_remark(scored)}"]
    for row, cards, part in zip(ROWS, board.rows, scored.rows or (), strict=True):
        category = part.category.name.replace("_", " ").lower()
        wild = f"  as {cards_text(became(cards, part.strength))}" if has_joker(cards) else ""
        lines.append(f"  {row.key:<6}  {cards_text(cards):<10}  {category:<15}  {part.royalty or '-':>3}{wild}")
    sums = [f"royalties {scored.royalties}", f"points {result.score.points[player]:+}"]
    chips = result.chips(player)
    if chips is not None:
        sums.append(f"chips {chips:+}" + (f" to {result.stacks[player] + chips}" if result.stacks else ""))
    if scored.next_fantasyland:
        sums.append(f"Fantasyland with {scored.next_fantasyland} cards next")
    return [*lines, f"  {', '.join(sums)}"]


def _remark(scored: BoardScore) -> str:
    if scored.natural:
        return f"  {scored.natural.key.replace('_', ' ').upper()}"
    return "  FOUL" if scored.foul else ""


def _pair_line(variant: Variant, pair: PairScore) -> str:
    players = f"{pair.first + 1} v {pair.second + 1}"
    if pair.natural:
        return f"{players}  natural {pair.natural:+}  points {pair.points:+}"
    rows = "  ".join(f"{row.key} {points:+}" for row, points in zip(ROWS, pair.row_points, strict=True))
    others = variant.majority_bonus or variant.two_rows_bonus or variant.total_bonus
    bonus = f"{'bonus' if others else 'scoop'} {pair.bonus:+}  royalties {pair.royalties:+}"
    return f"{players}  {rows}  {bonus}  points {pair.points:+}"
