"""The command review."""

import json
import re
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main
from bot.pure.notation.files import as_json
from bot.pure.notation.history import build_history
from bot.pure.ofc.clock_placement import clock_placement
from bot.pure.ofc.deck import Entropy, deal_deck
from bot.pure.ofc.hand import Hand, HandStatus, PlaceCards, decide, evolve, start
from bot.pure.ofc.presets import PINEAPPLE
from bot.pure.solver.comparison import Choice
from bot.pure.solver.luck import LuckResult
from bot.pure.solver.review import Decision
from bot.run.cli.review import result_line, summed

HAND_ID, SEED = "12.7", bytes(range(32))
ENTROPY = (Entropy("111", "hello"), Entropy("222", "おはよう"))


def history() -> str:
    """Return the history of a heads-up hand with automatic placements only, as both players may know it."""
    deck = deal_deck(PINEAPPLE, hand_id=HAND_ID, seed=SEED, entropy=ENTROPY)
    facts = list(start(PINEAPPLE, deck, players=["111", "222"], fantasyland=[0, 0], button=0))
    hand = reduce(evolve, facts, Hand(variant=PINEAPPLE, deck=deck))
    while hand.status is HandStatus.PLAYING:
        seat = hand.waiting[0]
        rows = clock_placement(PINEAPPLE, hand.seats[seat].rows, hand.seats[seat].held, to_place=hand.rule.to_place)
        more = decide(hand, PlaceCards(seat=seat, rows=rows))
        facts, hand = [*facts, *more], reduce(evolve, more, hand)
    return as_json(build_history(hand, facts, hand_id=HAND_ID, to=(0, 1), stacks=(0, 0), chips=(0, 0)))


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "hand.json"
    path.write_text(history(), encoding="utf-8")
    return str(path)


def test_a_hand_is_told_decision_by_decision(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", "--seat", "1", file]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Hand '12.7', pineapple\n\nSeat 1, player 222: ")
    assert next(line for line in out.splitlines() if line.startswith("  ")).startswith("  Street 1: ")
    assert out.count("    placed  ") == 5
    assert "mistakes, which lost" in out.splitlines()[-2]
    assert "luck of all deals" in out.splitlines()[-1]


@pytest.mark.parametrize(
    ("losses", "told"),
    [
        ([0.0], "1 decision, no mistakes"),
        ([1.7, 0.0], "2 decisions, 1 mistake, which lost 1.7 points"),
        ([1.7, 2.0], "2 decisions, 2 mistakes, which lost 3.7 points"),
    ],
)
def test_decisions_and_mistakes_are_counted(losses: list[float], told: str) -> None:
    mine, its = (Choice(letters=letters, facts=None) for letters in ("BBBBB", "FBBBB"))
    found = [Decision(street=1, placed=mine, best=its, loss=lost, error=0.0, real=True) for lost in losses]
    assert summed(found) == told


def test_the_result_of_a_hand_is_told_before_what_fantasyland_is_worth() -> None:
    told = result_line(LuckResult(points=12, worth=(0.0, -8.42), luck=0.4), 0)
    assert told == "+12 points, less 8.4 for seat 1's Fantasyland = +3.6"
    assert result_line(LuckResult(points=-3, worth=(8.9, 0.0), luck=0.4), 0).startswith("-3 points, plus 8.9 for its ")
    assert result_line(LuckResult(points=-3, worth=(0.0, 0.0), luck=0.4), 0) == "-3 points"


def test_all_seats_are_told_in_json(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", "--json", file]) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert told["hand_id"] == "12.7"
    assert [(seat["seat"], seat["player"]) for seat in told["seats"]] == [(0, "111"), (1, "222")]
    assert sum(seat["points"] for seat in told["seats"]) == 0
    assert [seat["luck_of"] for seat in told["seats"]] == ["all_deals", "all_deals"]
    assert told["seats"][0]["luck"] == -told["seats"][1]["luck"]
    assert told["seats"][0]["adjusted"] == pytest.approx(
        told["seats"][0]["result"] - told["seats"][0]["luck"], abs=0.02
    )
    first = told["seats"][0]["decisions"][0]
    assert set(first) == {"street", "cards", "by", "placed", "master", "lost", "error", "real", "mistake"}
    assert set(first["master"]) == {"rows", "board", "foul", "fantasyland", "royalties"}
    assert first["mistake"] == (first["lost"] > max(0.3, 2 * first["error"]))


@pytest.mark.parametrize("seat", ["2", "-1", "one", "9" * 5000, "²"])
def test_a_seat_that_is_none_is_refused(seat: str, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", f"--seat={seat}", file]) == 2
    assert f"--seat {seat!r} is not a seat of this hand. The seats are 0 to 1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{", "contains no hand: it must be TOML, or a JSON object"),
        ("[" * 100_000, "contains no hand: it must be TOML, or a JSON object"),
        ("{}", "contains no hand: its _format is not chaipo/hand/v1"),
        (json.dumps({"algorithm": 1}), "is the record of a deck, which does not show what was placed"),
    ],
)
def test_what_tells_no_played_hand_is_refused(
    content: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hand.json"
    path.write_text(content, encoding="utf-8")
    assert main(["review", str(path)]) == 2
    printed = capsys.readouterr()
    assert sentence in printed.err
    assert printed.err.count("\n") == 1
    assert not printed.out


def test_a_file_in_which_no_seat_is_whole_says_why_nothing_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (Path(__file__).parent.parent / "docs/notation.md").read_text(encoding="utf-8")
    path = tmp_path / "public.toml"
    path.write_text(re.findall(r"```toml\n(.*?)```", page, re.DOTALL)[0], encoding="utf-8")
    assert main(["review", str(path)]) == 2
    printed = capsys.readouterr()
    assert "does not show all cards of any seat, so nothing in it can be reviewed" in printed.err
    assert not printed.out


def test_a_file_that_is_not_there_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", str(tmp_path / "none.json")]) == 2
    assert "cannot be read: No such file" in capsys.readouterr().err
