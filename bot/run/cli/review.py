"""The command that reviews a hand from its file: placements, a master's placements and the cost of the difference."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

from bot.base.command_help import HelpFormatter, examples
from bot.base.solver_data import load_arrays
from bot.pure.ofc.cards import Card, cards_text
from bot.pure.ofc.log import PlacedBy
from bot.pure.ofc.placement import place
from bot.pure.solver.comparison import Choice
from bot.pure.solver.levels import Computers
from bot.pure.solver.luck import LuckResult, account, in_sight, iter_deals
from bot.pure.solver.review import Decision, DecisionPoint, decision, moments
from bot.pure.solver.visible_cards import known
from bot.run.cli.records import (
    RIGHT,
    Commands,
    FinishedHand,
    InputError,
    PlayedFile,
    as_json,
    print_line,
    read_played,
    refuse,
)


def add_commands(subparsers: Commands) -> None:
    """Add the command to the parser, with its function as ``args.run``."""
    review = subparsers.add_parser(
        "review",
        help="compare each decision in a hand with the master's",
        description="Review the hand in a hand history. For each decision, show the placement that the strongest "
        "computer player (the master) prefers and how many points the player lost. Decisions are judged by the "
        "cards that the player could see, not by the cards that came later.",
        epilog=examples("hand.phh", "--seat 0 --json hand.phh"),
        formatter_class=HelpFormatter,
    )
    review.add_argument(
        "--seat", metavar="N", help="seat to review, counted from 0 (default: all seats whose cards are in the file)"
    )
    review.add_argument("--json", action="store_true", help="print the review as JSON")
    review.add_argument("file", metavar="FILE", help="hand history (.phh or .json), or - for standard input")
    review.set_defaults(run=main_review)


def main_review(args: argparse.Namespace) -> int:
    """Review the hand in ``args.file``."""
    try:
        file = read_played(args.file)
        seats = _seats(file, args.seat)
    except InputError as error:
        return refuse(str(error))
    played, computers = file.played, Computers(load_arrays)
    if args.json:
        told = [_record(file, seat, computers) for seat in seats]
        print_line(as_json({"hand_id": played.hand_id, "seats": told}))
        return RIGHT
    print_line(f"Hand {played.hand_id!r}, {played.variant.key}")
    for seat in seats:
        _tell(file, seat, computers)
    return RIGHT


def _seats(file: PlayedFile, text: str | None) -> list[int]:
    count = len(file.played.hand.seats)
    if text is None:
        known_seats = [seat for seat in range(count) if file.knows(seat)]
        if not known_seats:
            raise InputError("the file does not show all cards of any seat, so nothing in it can be reviewed")
        return known_seats
    if not (text.isascii() and text.isdigit() and int(text[:3]) < count):
        raise InputError(f"--seat {text!r} is not a seat of this hand. The seats are 0 to {count - 1}")
    if not file.knows(int(text)):
        raise InputError(f"--seat {text} cannot be reviewed, because the file does not show all cards of that seat")
    return [int(text)]


def _decisions(played: FinishedHand, seat: int, computers: Computers) -> Iterator[tuple[DecisionPoint, Decision]]:
    for moment in moments(played.variant, played.deck, played.facts, seat):
        yield moment, decision(computers, moment)


def _tell(file: PlayedFile, seat: int, computers: Computers) -> None:
    """Print each decision as soon as it has been computed, because computing them all may take a while."""
    played = file.played
    print_line(f"\nSeat {seat}, player {played.hand.seats[seat].player}: {played.hand.score.points[seat]:+} points")
    found = []
    for moment, judged in _decisions(played, seat, computers):
        print_line("\n".join(_lines(moment, judged)))
        if moment.by is not PlacedBy.CLOCK and not judged.arranged:
            found.append(judged)
    print_line(f"  {summed(found)}")
    told = _account(file, seat, computers)
    if told.luck is not None:
        whose = "all deals" if file.whole else "its own deals, by what it saw"
        print_line(f"  {result_line(told, seat)}; luck of {whose} {told.luck:+.1f}, without it {told.adjusted:+.1f}")


def result_line(told: LuckResult, seat: int) -> str:
    """Return a line such as ``+12 points, less 8.4 for seat 1's Fantasyland = +3.6``."""
    whole = 10 * told.points
    line = f"{told.points:+} points"
    for number, worth in enumerate(told.worth):
        if tenths := round(10 * worth):
            whose = "its" if number == seat else f"seat {number}'s"
            line += f", {'plus' if tenths > 0 else 'less'} {abs(tenths) / 10:.1f} for {whose} Fantasyland"
            whole += tenths
    return line if whole == 10 * told.points else f"{line} = {whole / 10:+.1f}"


def summed(found: Sequence[Decision]) -> str:
    """Return a summary such as ``5 decisions, 1 mistake, which lost 1.7 points``."""
    decisions = _counted(sum(judged.real for judged in found), "decision")
    lost = [judged.lost for judged in found if judged.mistake]
    if not lost:
        return f"{decisions}, no mistakes"
    return f"{decisions}, {_counted(len(lost), 'mistake')}, which lost {sum(lost):.1f} points"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _account(file: PlayedFile, seat: int, computers: Computers) -> LuckResult:
    played = file.played
    deals = list(iter_deals(played.variant, played.deck, played.facts))
    if not file.whole:
        # Opponents' discards aren't known, so the seat's own deals are judged by the cards that its player could see.
        deals = [in_sight(deal) for deal in deals if deal.view.you == seat]
    return account(computers, played.variant, played.hand.score, deals, seat)


def _lines(moment: DecisionPoint, judged: Decision) -> Iterator[str]:
    name = f"Street {judged.street}" if judged.street else "Whole board"
    by = "" if moment.by is PlacedBy.PLAYER else f", placed by the {moment.by.value}"
    yield f"  {name}: {cards_text(_held(moment))}{by}"
    yield f"    placed  {_board(moment, judged.placed)}{_facts(judged.placed)}"
    if judged.arranged:
        yield "    as Arrange for me sets it"
    if judged.placed.letters == judged.best.letters:
        yield "    as a master would"
        return
    yield f"    master  {_board(moment, judged.best)}{_facts(judged.best)}"
    told = f"{judged.loss:.2f} ± {max(judged.error, 0.01):.2f} points" if judged.error else f"{judged.loss:.2f} points"
    yield f"    a mistake: it loses {told}" if judged.mistake else f"    no mistake: it loses only {told}"


def _held(moment: DecisionPoint) -> tuple[Card, ...]:
    assert moment.view.mine
    return known(moment.view.mine.held)


def _board(moment: DecisionPoint, choice: Choice) -> str:
    """Return the board after a placement as front/middle/back."""
    assert moment.view.mine
    front, middle, back = (known(row) for row in moment.view.mine.rows)
    rows, _ = place((front, middle, back), _held(moment), choice.letters)
    return "/".join(map(cards_text, rows))


def _facts(choice: Choice) -> str:
    if choice.facts is None:
        return ""
    shares = f"foul {choice.facts.foul:.0%}, Fantasyland {choice.facts.fantasyland:.0%}"
    return f"  ({shares}, royalties {choice.facts.royalties:.1f})"


def _record(file: PlayedFile, seat: int, computers: Computers) -> dict[str, Any]:
    played, told = file.played, _account(file, seat, computers)
    return {
        "seat": seat,
        "player": played.hand.seats[seat].player,
        "points": told.points,
        "fantasyland": round(told.fantasyland, 2),
        "result": round(told.result, 2),
        "luck": _rounded(told.luck),
        "luck_of": "all_deals" if file.whole else "own_deals_in_sight",
        "adjusted": _rounded(told.adjusted),
        "decisions": [_decision(*each) for each in _decisions(played, seat, computers)],
    }


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 2)


def _decision(moment: DecisionPoint, judged: Decision) -> dict[str, Any]:
    return {
        "street": judged.street,
        "cards": cards_text(_held(moment)),
        "by": moment.by.value,
        "placed": _placement(moment, judged.placed),
        "master": _placement(moment, judged.best),
        "lost": round(judged.loss, 3),
        "error": round(judged.error, 3),
        "real": judged.real,
        "mistake": judged.mistake,
    }


def _placement(moment: DecisionPoint, choice: Choice) -> dict[str, Any]:
    placed = {"rows": choice.letters, "board": _board(moment, choice)}
    if choice.facts is None:
        return placed
    facts = choice.facts
    return {
        **placed,
        "foul": round(facts.foul, 4),
        "fantasyland": round(facts.fantasyland, 4),
        "royalties": round(facts.royalties, 3),
    }
