"""The commands that need no Discord: score boards, list the games, print their rules, verify a record.

Each command is a function from its arguments to an exit code: 0 done, 1 the record is wrong, 2 the input cannot be
used (one sentence on stderr says why).
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Protocol, TextIO

from bot.event.draw import DrawProblem, DrawVerdict, check_draw
from bot.ofc.cards import Card, cards_text
from bot.ofc.house_rules import house_variant
from bot.ofc.notation import DECLARED, EXAMPLE, NotationError, board_text, check_cards, parse_board
from bot.ofc.presets import PRESETS
from bot.ofc.proof import Problem, Verdict, check_proof
from bot.ofc.rows import ROWS
from bot.ofc.scoring import Board, BoardScore, HandScore, PairScore, RowScore, score_hand
from bot.ofc.settlement import Payment, Stakes, WinCap, settle
from bot.ofc.variants import Fantasyland, Variant, VariantError, entry_name
from bot.ofc.wild import became, has_joker
from bot.text.catalogue import LANGUAGES
from bot.text.names import preset_name
from bot.text.rulebook import rulebook
from bot.text.words import words_for

RIGHT, WRONG, UNUSABLE = 0, 1, 2
STDIN = "-"
RECORD_BYTES = 1_000_000
"""The largest record that ``verify`` reads; that of a hand has about one thousand, the largest draw forty thousand."""
MOST_CHIPS = 1_000_000_000
DRAWS = "chaipo/draw/"
"""What the algorithms of draws begin with, whatever their version."""
_UNREADABLE = (
    Problem.BAD_FORMAT,
    Problem.UNKNOWN_ALGORITHM,
    DrawProblem.BAD_FORMAT,
    DrawProblem.UNKNOWN_ALGORITHM,
)


class InputError(ValueError):
    """Arguments that cannot be used; the text is the sentence that says why."""


class Commands(Protocol):
    """What ``ArgumentParser.add_subparsers`` returns."""

    def add_parser(self, name: str, *, help: str, description: str) -> argparse.ArgumentParser:
        """A new command."""
        ...


def add_commands(subparsers: Commands) -> None:
    """Declare the commands; the chosen one stands in ``args.run``."""
    _add_score(subparsers)
    games = subparsers.add_parser("games", help="list the games", description="List the games that can be played.")
    games.add_argument("--json", action="store_true", help="print JSON")
    games.set_defaults(run=main_games)
    rules = subparsers.add_parser("rules", help="print the rules of a game", description="Print the rules of a game.")
    rules.add_argument("variant", metavar="GAME", help=_games())
    rules.add_argument("--lang", default="en", help=f"the language: {' or '.join(LANGUAGES)} (default: %(default)s)")
    _add_house(rules)
    rules.set_defaults(run=main_rules)
    verify = subparsers.add_parser(
        "verify",
        help="check the public record of a hand or of a draw",
        description="Recompute the deck of a hand, or the draw of an event, from its record.",
    )
    verify.add_argument("--json", action="store_true", help="print JSON")
    verify.add_argument("file", metavar="FILE", help="the record (JSON), or - for standard input")
    verify.set_defaults(run=main_verify)


def _add_score(subparsers: Commands) -> None:
    score = subparsers.add_parser(
        "score", help="score the boards of a hand", description="Score complete boards against each other."
    )
    score.add_argument("--variant", default=next(iter(PRESETS)), help=f"the game: {_games()} (default: %(default)s)")
    _add_house(score)
    score.add_argument("--json", action="store_true", help="print JSON")
    chips = score.add_argument_group("chips", "What the points come to in chips. A limit needs --stacks.")
    chips.add_argument("--rate", metavar="CHIPS", help="what a point is worth (default: 1)")
    chips.add_argument("--stacks", metavar="CHIPS,CHIPS...", help="what each player has in front of him")
    chips.add_argument("--button", metavar="PLAYER", help="who has the button, the first player is 0 (default: 0)")
    chips.add_argument("--loss-cap", action="store_true", help="nobody loses more than he has")
    chips.add_argument("--win-cap", metavar="CAP", help="what limits a win: none (default), own or opponent")
    chips.add_argument("--bust-is-final", action="store_true", help="who has lost his last chip collects nothing more")
    score.add_argument(
        "boards",
        nargs="+",
        metavar="BOARD",
        help=f"front/middle/back, such as {EXAMPLE}; @14 ends a Fantasyland board, ! a declared natural; X1 and X2 are "
        "the jokers",
    )
    score.set_defaults(run=main_score)


def _add_house(command: argparse.ArgumentParser) -> None:
    rule = "a house rule, such as jokers=2; may be repeated"
    command.add_argument("--house", action="append", default=[], metavar="KEY=VALUE", help=rule)


def _games() -> str:
    return " or ".join(PRESETS)


def _variant(args: argparse.Namespace) -> Variant:
    """The game that ``--variant`` and ``--house`` make; raises InputError."""
    overrides: dict[str, str] = {}
    for text in args.house:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise InputError(f"{text!r} is not a house rule: write KEY=VALUE, such as jokers=2")
        if key in overrides:
            raise InputError(f"{key!r} is set twice: write every house rule once")
        overrides[key] = value
    try:
        return house_variant(args.variant, overrides)
    except VariantError as error:
        raise InputError(_problem(error)) from error


def _problem(error: VariantError) -> str:
    """Why a game cannot be played, in the words that players read too."""
    words = words_for("en")
    details = {
        name: words.number(value) if isinstance(value, int) else "".join(filter(str.isprintable, value))
        for name, value in error.details.items()
    }
    where = f"{error.override}: " if error.override else ""
    return where + words(f"house.problem.{error.problem}", **details)


# Scoring boards


@dataclass(frozen=True, slots=True, kw_only=True)
class Chips:
    """What is in front of the players (by seat; empty where nobody counts), who has the button, and the stakes."""

    stacks: tuple[int, ...]
    button: int
    stakes: Stakes


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """A scored hand, and what it came to in chips if that was asked."""

    variant: Variant
    boards: Sequence[Board]
    score: HandScore
    stacks: tuple[int, ...]
    payments: Sequence[Payment] | None

    def chips(self, player: int) -> int | None:
        """What a player won or lost in chips."""
        if self.payments is None:
            return None
        won = sum(payment.chips for payment in self.payments if payment.payee == player)
        return won - sum(payment.chips for payment in self.payments if payment.payer == player)


def main_score(args: argparse.Namespace) -> int:
    """Score the boards that ``args.boards`` writes."""
    try:
        variant = _variant(args)
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
    say(as_json(_score_record(result)) if args.json else _score_table(result))
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


def _chips(args: argparse.Namespace, *, players: int) -> Chips:
    """The chips that the arguments describe; raises InputError."""
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
        raise InputError(f"{limit} needs --stacks: write what each player has, such as --stacks 100,100,50")
    return Chips(
        stacks=() if args.stacks is None else _stacks(args.stacks, players=players),
        button=0 if args.button is None else _whole("--button", args.button, most=players - 1),
        stakes=stakes,
    )


def _win_cap(text: str | None) -> WinCap:
    for cap in WinCap:
        if text in (cap.value, None):
            return cap
    raise InputError(f"--win-cap {text!r} is not known: choose {' or '.join(cap.value for cap in WinCap)}")


def _stacks(text: str, *, players: int) -> tuple[int, ...]:
    stacks = tuple(_whole("--stacks", part.strip()) for part in text.split(","))
    if len(stacks) != players:
        raise InputError(f"--stacks {text!r} is for {len(stacks)} players, but there are {players} boards")
    return stacks


def _whole(option: str, text: str, *, least: int = 0, most: int = MOST_CHIPS) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 10 or not least <= int(text) <= most:
        raise InputError(f"{option} {text[:20]!r} does not fit: write a whole number from {least} to {most}")
    return int(text)


def _payments(score: HandScore, chips: Chips) -> list[Payment]:
    stacks = chips.stacks or (0,) * len(score.boards)
    return settle(score, stacks=stacks, button=chips.button, stakes=chips.stakes)


def _written(board: Board) -> str:
    """The board in notation, with its Fantasyland or its natural."""
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
        "board": _written(board),
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
    lines = [f"Player {player + 1}  {_written(board)}{_remark(scored)}"]
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


# The games and their rules


def main_games(args: argparse.Namespace) -> int:
    """List the games that can be played."""
    say(as_json([_game_record(variant) for variant in PRESETS.values()]) if args.json else _games_table())
    return RIGHT


def _game_record(variant: Variant) -> dict[str, Any]:
    return {
        "variant": variant.key,
        "name": preset_name(variant, words_for("en")),
        "seats": {"min": variant.min_seats, "max": variant.max_seats},
        "deck": {"decks": variant.decks, "jokers": variant.jokers, "cards": variant.deck_cards},
        "streets": [{"deal": street.deal, "lay": street.lay} for street in variant.streets],
        "fantasyland": _fantasyland_record(variant.fantasyland) if variant.fantasyland else None,
    }


def _fantasyland_record(rule: Fantasyland) -> dict[str, Any]:
    """Cards by what enters, and cards of a stay: None is as many as before."""
    entry = {entry_name(rank): cards for rank, cards in rule.entry.items()}
    if rule.wheel_cards:
        entry |= {"7-5-4-3-2": rule.wheel_cards, "both": rule.both_cards or rule.wheel_cards}
    return {"entry": entry, "stay_cards": rule.stay_cards}


def _games_table() -> str:
    rows = [("game", "players", "cards", "streets", "Fantasyland", "name"), *map(_game_row, PRESETS.values())]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(f"{text:<{width}}" for text, width in zip(row, widths, strict=True)) for row in rows]
    return "\n".join(line.rstrip() for line in lines)


def _game_row(variant: Variant) -> tuple[str, ...]:
    runs = [(street, len(list(run))) for street, run in groupby(street.deal for street in variant.streets)]
    numbers = variant.fantasyland.numbers if variant.fantasyland else ()
    return (
        variant.key,
        _span(variant.min_seats, variant.max_seats),
        str(variant.deck_cards),
        " + ".join(f"{times} x {deal}" if times > 1 else str(deal) for deal, times in runs),
        _span(numbers[0], numbers[-1]) if numbers else "-",
        preset_name(variant, words_for("en")),
    )


def _span(least: int, most: int) -> str:
    return str(least) if least == most else f"{least}-{most}"


def main_rules(args: argparse.Namespace) -> int:
    """Print the rules of a game."""
    language = next((language for language in LANGUAGES if language == args.lang), None)
    if language is None:
        return refuse(f"{args.lang!r} is not a language that is spoken here: choose {' or '.join(LANGUAGES)}")
    try:
        variant = _variant(args)
    except InputError as error:
        return refuse(str(error))
    say(rulebook(variant, words_for(language)).rstrip())
    return RIGHT


# The record of a hand or of a draw


def main_verify(args: argparse.Namespace) -> int:
    """Check the record in ``args.file``."""
    name = "standard input" if args.file == STDIN else printable(args.file)
    try:
        record = json.loads(_read(args.file))
    except OSError as error:
        return _unreadable(args, f"{name} cannot be read: {error.strerror}")
    except (ValueError, RecursionError):
        return _unreadable(args, f"{name} is not a record: it must be a JSON object of at most one megabyte")
    verdict = check_draw(record) if _is_draw(record) else check_proof(record)
    if verdict.problem in _UNREADABLE:
        return _unreadable(args, f"{name} cannot be checked: {verdict.text}", verdict)
    say(as_json(_verdict_record(verdict, record)) if args.json else _verdict_words(verdict, record))
    return RIGHT if verdict.ok else WRONG


def _is_draw(record: object) -> bool:
    algorithm = record.get("algorithm") if isinstance(record, dict) else None
    return isinstance(algorithm, str) and algorithm.startswith(DRAWS)


def _read(file: str) -> bytes:
    """What ``file`` holds; raises OSError, and ValueError for more than a record."""
    with open(0, "rb", closefd=False) if file == STDIN else Path(file).open("rb") as source:
        content = source.read(RECORD_BYTES + 1)
    if len(content) > RECORD_BYTES:
        raise ValueError("too long")
    return content


def _unreadable(args: argparse.Namespace, text: str, verdict: Verdict | DrawVerdict | None = None) -> int:
    if args.json:
        say(as_json(_verdict_record(verdict or Verdict(problem=Problem.BAD_FORMAT, text=text), {})))
    return refuse(text)


def _verdict_record(verdict: Verdict | DrawVerdict, record: dict[str, Any]) -> dict[str, Any]:
    """The finding; what it is about is missing where the record cannot be checked."""
    problem = verdict.problem.value if verdict.problem else None
    if isinstance(verdict, Verdict):
        deck = cards_text(verdict.deck) or None
        return {"ok": verdict.ok, "hand_id": verdict.hand_id, "problem": problem, "deck": deck}
    about = {"event": record.get("event"), "label": record.get("label")}
    return {"ok": verdict.ok, **about, "problem": problem, "order": list(verdict.order) or None}


def _verdict_words(verdict: Verdict | DrawVerdict, record: dict[str, Any]) -> str:
    # A record comes from anywhere: `!r` keeps its control characters out of the terminal.
    if isinstance(verdict, Verdict):
        what, before = f"Hand {verdict.hand_id!r}", "before the hand"
        made = f"Deck: {cards_text(verdict.deck)}"
    else:
        what, before = f"Draw {record['label']!r} of event {record['event']!r}", "when the event was announced"
        made = f"Order: {', '.join(map(repr, verdict.order))}"
    lines = [f"{what}: {'RIGHT' if verdict.ok else 'WRONG'}, {verdict.text}.", made]
    if verdict.ok and isinstance(verdict, Verdict) and "root" not in record:
        lines.append("A record of version 1 does not prove the game, the button and Fantasyland.")
    if verdict.ok and "root" in record:
        lines.append(f"Now compare this root with the one that the table posted {before}: {record['root']}")
    elif verdict.ok:
        lines.append(f"Now compare this commitment with the one posted {before}: {record['commitment']}")
    return "\n".join(lines)


def as_json(record: object) -> str:
    """The record as text."""
    return json.dumps(record, ensure_ascii=False, indent=2)


def say(text: str) -> None:
    """Print for whoever reads; that he has stopped reading is no error."""
    use_utf8(sys.stdout)
    try:
        print(text, flush=True)
    except BrokenPipeError:
        # What is left in the buffer goes nowhere, or the interpreter would complain at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def refuse(text: str) -> int:
    """Print why nothing was done; returns the exit code."""
    use_utf8(sys.stderr)
    print(text, file=sys.stderr)
    return UNUSABLE


def printable(text: str) -> str:
    """The text with a ? for each sign that would move the cursor or change the colours of a terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def use_utf8(stream: TextIO) -> None:
    """Let a stream print whatever there is to print."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
