"""The command that replays a hand from its file, street by street, and checks the file's result."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from bot.base.command_help import HelpFormatter, examples
from bot.pure.notation.history import format_cards, number_of
from bot.pure.ofc.hand import Hand, HandSeat, evolve
from bot.pure.ofc.log import CardsPlaced, Fact, FantasylandSet, SeatForfeited, SeatSurrendered
from bot.pure.ofc.notation import board_text
from bot.pure.ofc.scoring import BoardScore
from bot.run.cli.records import RIGHT, WRONG, Commands, InputError, PlayedFile, print_line, read_played, refuse

Act = CardsPlaced | FantasylandSet | SeatForfeited | SeatSurrendered


def add_commands(subparsers: Commands) -> None:
    """Add the command to the parser, with its function as ``args.run``."""
    replay = subparsers.add_parser(
        "replay",
        help="show a hand street by street and check its result",
        description="Show the hand in a hand history street by street. Then score it again and compare the result "
        "with the one in the file.",
        epilog=examples("hand.phh", "hand.json"),
        formatter_class=HelpFormatter,
    )
    replay.add_argument("file", metavar="FILE", help="hand history (.phh or .json), or - for standard input")
    replay.set_defaults(run=main_replay)


def main_replay(args: argparse.Namespace) -> int:
    """Replay the hand in ``args.file``."""
    try:
        file = read_played(args.file)
    except InputError as error:
        return refuse(str(error))
    print_line("\n".join([*_heading(file), *_streets(file), *_result(file)]))
    if file.wrong:
        print_line(
            f"WRONG: {', '.join(file.wrong)} in the file cannot be right, or does not follow from the game "
            "and the actions."
        )
        return WRONG
    print_line("RIGHT: the result follows from the game and the actions.")
    return RIGHT


def _heading(file: PlayedFile) -> Iterator[str]:
    played = file.played
    game = played.variant.key + (f", house rules {dict(played.variant.house)}" if played.variant.house else "")
    yield f"Hand {played.hand_id!r}, {game}" + (f", {file.started} UTC" if file.started else "")
    for seat in played.hand.clockwise:
        button = ", button" if seat == played.hand.button else ""
        yield f"  {_named(played.hand, seat)}: seat {seat}, player {played.hand.seats[seat].player!r}{button}"


def _named(hand: Hand, seat: int) -> str:
    return f"p{number_of(hand, seat)}"


def _streets(file: PlayedFile) -> Iterator[str]:
    """Yield one line per placement, below a line for its street."""
    played = file.played
    hand, shown = Hand(variant=played.variant, deck=played.deck), 0
    for fact in played.facts:
        before, hand = hand, evolve(hand, fact)
        if not isinstance(fact, CardsPlaced | FantasylandSet | SeatForfeited | SeatSurrendered):
            continue
        if before.street > shown:
            shown = before.street
            yield f"\nStreet {shown}"
        yield f"  {_named(hand, fact.seat)} {_done(before.seats[fact.seat], hand.seats[fact.seat], fact)}"


def _done(before: HandSeat, seat: HandSeat, fact: Fact) -> str:
    match fact:
        case CardsPlaced(by=by) | FantasylandSet(by=by):
            left = seat.discards[0 if seat.fantasyland else len(before.discards) :]
            discards = f", discards {format_cards(left)}" if left else ""
            whom = "" if by.value == "player" else f" (placed by the {by.value})"
            return f"{format_cards(before.held)} -> {board_text(seat.rows)}{discards}{whom}"
        case SeatSurrendered():
            return "surrenders"
        case _:
            return "gives up"


def _result(file: PlayedFile) -> Iterator[str]:
    hand = file.played.hand
    yield "\nResult"
    for seat in hand.clockwise:
        board = hand.score.boards[seat]
        yield f"  {_named(hand, seat)} {board_text(hand.seats[seat].rows)}: {_told(board)}{hand.score.points[seat]:+}"


def _told(board: BoardScore) -> str:
    parts = {
        "foul": board.foul,
        "surrendered": board.surrendered,
        f"royalties {board.royalties}": board.royalties,
        f"Fantasyland with {board.next_fantasyland} cards next": board.next_fantasyland,
    }
    told = [*([board.natural.key] if board.natural else []), *(part for part, there in parts.items() if there)]
    return "".join(f"{part}, " for part in told)
