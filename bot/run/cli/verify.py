"""The command that checks the record of a hand or a draw."""

from __future__ import annotations

import argparse
from typing import Any

from bot.base.command_help import HelpFormatter, examples
from bot.pure.event.draw import DrawProblem, DrawProof, DrawVerdict, check_draw, find_mismatch
from bot.pure.ofc.cards import cards_text
from bot.pure.ofc.proof import Problem, Verdict, check_proof, read_proof
from bot.run.cli.records import RIGHT, WRONG, Commands, InputError, as_json, name_of, print_line, read_record, refuse
from bot.text.fingerprint import fingerprint

DRAWS = "chaipo/draw/"
"""Prefix of the draw algorithms' names, for all versions."""
_UNREADABLE = (
    Problem.BAD_FORMAT,
    Problem.UNKNOWN_ALGORITHM,
    Problem.WITHHELD,
    DrawProblem.BAD_FORMAT,
    DrawProblem.UNKNOWN_ALGORITHM,
)


def add_commands(subparsers: Commands) -> None:
    """Add the command to the parser, with its function as ``args.run``."""
    verify = subparsers.add_parser(
        "verify",
        help="check the public record of a hand or a draw",
        description="Recompute a hand's deck or an event's draw from its record, and compare it with the commitment "
        "that was posted beforehand. Discord gives out the record under Check the deal, or with `/event do:Results`.",
        epilog=examples("record.json", "--event draw.json record.json"),
        formatter_class=HelpFormatter,
    )
    verify.add_argument("--json", action="store_true", help="print the verdict as JSON")
    verify.add_argument(
        "--event", metavar="DRAW", help="the event's record (JSON): also check that the hand's deck follows from it"
    )
    verify.add_argument("file", metavar="FILE", help="the hand's or the draw's record (JSON), or - for standard input")
    verify.set_defaults(run=main_verify)


def main_verify(args: argparse.Namespace) -> int:
    """Check the record in ``args.file``."""
    try:
        record = read_record(args.file)
    except InputError as error:
        return _unreadable(args, str(error))
    verdict = check_draw(record) if is_draw(record) else check_proof(record)
    if verdict.problem in _UNREADABLE:
        return _unreadable(args, f"{name_of(args.file)} cannot be checked: {verdict.text}", verdict)
    assert isinstance(record, dict)
    if args.event is not None and verdict.ok:
        return _main_of_event(args, record)
    print_line(as_json(_verdict_record(verdict, record)) if args.json else _verdict_words(verdict, record))
    return RIGHT if verdict.ok else WRONG


def _main_of_event(args: argparse.Namespace, record: dict[str, Any]) -> int:
    """Check that the deck in a valid record follows from the event in ``args.event``, and print the result."""
    try:
        event = _event_in(args.event)
        if is_draw(record):
            raise InputError(f"{name_of(args.file)} is a draw, but --event needs the record of a hand")
    except InputError as error:
        return _unreadable(args, str(error))
    problem, hand = find_mismatch(read_proof(record), event), record["hand_id"]
    if args.json:
        print_line(as_json({"ok": not problem, "hand_id": hand, "event": event.event, "problem": problem or None}))
    else:
        print_line("\n".join(_of_event_words(hand, event, problem)))
    return WRONG if problem else RIGHT


def _event_in(file: str) -> DrawProof:
    """Return the record of a finished event; raises InputError."""
    record = read_record(file)
    verdict = check_draw(record)
    if not verdict.ok:
        raise InputError(f"{name_of(file)} is not a valid record of an event: {verdict.text}")
    event = DrawProof.from_json(record)
    if event.decks is None:
        raise InputError(f"{name_of(file)} shows no decks, because the event was not over")
    return event


def _of_event_words(hand: str, event: DrawProof, problem: str) -> list[str]:
    if problem:
        return [f"Hand {hand!r} of event {event.event!r}: WRONG, {problem}."]
    shown = [_in_full(decks.commitment.hex()) for decks in (*event.former_decks, event.decks) if decks]
    return [
        f"Hand {hand!r} of event {event.event!r}: RIGHT, its deck follows from what the event committed to.",
        *(f"Now compare this commitment with the one posted for the event's decks: {each}" for each in shown),
    ]


def _in_full(digest: str) -> str:
    """Return a fingerprint in the posted form, followed by all its digits."""
    return f"{fingerprint(bytes.fromhex(digest))}, in full {digest}"


def is_draw(record: object) -> bool:
    algorithm = record.get("algorithm") if isinstance(record, dict) else None
    return isinstance(algorithm, str) and algorithm.startswith(DRAWS)


def _unreadable(args: argparse.Namespace, text: str, verdict: Verdict | DrawVerdict | None = None) -> int:
    if args.json:
        print_line(as_json(_verdict_record(verdict or Verdict(problem=Problem.BAD_FORMAT, text=text), {})))
    return refuse(text)


def _verdict_record(verdict: Verdict | DrawVerdict, record: dict[str, Any]) -> dict[str, Any]:
    """Return the verdict as a record. The subject is left out if the record can't be checked."""
    problem = verdict.problem.value if verdict.problem else None
    if isinstance(verdict, Verdict):
        deck = cards_text(verdict.deck) or None
        return {"ok": verdict.ok, "hand_id": verdict.hand_id, "problem": problem, "deck": deck}
    about = {"event": record.get("event"), "label": record.get("label")}
    return {"ok": verdict.ok, **about, "problem": problem, "order": list(verdict.order) or None}


def _verdict_words(verdict: Verdict | DrawVerdict, record: dict[str, Any]) -> str:
    # A record can come from anywhere, and `!r` keeps its control characters out of the terminal.
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
        lines.append(f"Now compare this root with the one that the table posted {before}: {_in_full(record['root'])}")
    elif verdict.ok:
        lines.append(f"Now compare this commitment with the one posted {before}: {_in_full(record['commitment'])}")
    return "\n".join(lines)
