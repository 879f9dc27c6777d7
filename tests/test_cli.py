"""The commands that need no Discord."""

import argparse
import io
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bot import cli
from bot.ofc.deck import Entropy
from bot.ofc.proof import make_proof
from bot.ofc.variants import CLASSIC, PINEAPPLE

ROOT = Path(__file__).resolve().parent.parent
FIRST = "QsQd2c/5c5d5h9s9c/AhKhQhJhTh"
SECOND = "AsAd2d/3c3d4s4d9d/5s6s7s8s9h"
FOUL = "KsKc2h/3h3s4h4c6c/2s6d7c8cJd"
PROGRAM = (
    "import argparse, sys; from bot import cli; p = argparse.ArgumentParser(); cli.add_commands(p.add_subparsers());"
)
PROGRAM += " args = p.parse_args(); sys.exit(args.run(args))"

Capture = pytest.CaptureFixture[str]


def run(*arguments: str) -> int:
    """The exit code of a command line, as the program gives it."""
    parser = argparse.ArgumentParser()
    cli.add_commands(parser.add_subparsers(required=True))
    args = parser.parse_args(arguments)
    code: int = args.run(args)
    return code


def outside(
    arguments: Sequence[str], *, given: bytes = b"", encoding: str = "ascii"
) -> subprocess.CompletedProcess[bytes]:
    """The command line in a process of its own, whose standard streams speak ``encoding``."""
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        input=given,
        capture_output=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
    )


def scored(capsys: Capture, *arguments: str) -> dict[str, Any]:
    """The JSON of a score."""
    assert run("score", "--json", *arguments) == 0
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


def refusal(capsys: Capture, *arguments: str) -> str:
    """The one sentence of a command that cannot do its work."""
    assert run(*arguments) == 2
    answer = capsys.readouterr()
    assert answer.out == ""
    assert answer.err.count("\n") == 1
    return answer.err.removesuffix("\n")


def record(hand_id: str = "12.7") -> dict[str, Any]:
    """A right record."""
    entropy = [Entropy("111", "hello"), Entropy("222", "おはよう")]
    return make_proof(PINEAPPLE, hand_id=hand_id, seed=bytes(range(32)), entropy=entropy).to_json()


@pytest.fixture
def right(tmp_path: Path) -> Path:
    """A file with a right record."""
    path = tmp_path / "right.json"
    path.write_text(json.dumps(record()), encoding="utf-8")
    return path


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """A file with a record whose seed is another one."""
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(record() | {"seed": bytes(32).hex()}), encoding="utf-8")
    return path


def test_score_answers_in_json(capsys: Capture) -> None:
    assert scored(capsys, "--variant", "pineapple", f"{FIRST}@14", SECOND) == {
        "variant": "pineapple",
        "players": [
            {
                "board": f"{FIRST}@14",
                "foul": False,
                "rows": {
                    "front": {"category": "pair", "royalty": 7},
                    "middle": {"category": "full_house", "royalty": 12},
                    "back": {"category": "royal_flush", "royalty": 25},
                },
                "royalties": 44,
                "points": 34,
                "fantasyland_cards": 14,
            },
            {
                "board": SECOND,
                "foul": False,
                "rows": {
                    "front": {"category": "pair", "royalty": 9},
                    "middle": {"category": "two_pair", "royalty": 0},
                    "back": {"category": "straight", "royalty": 2},
                },
                "royalties": 11,
                "points": -34,
                "fantasyland_cards": 14,
            },
        ],
        "pairs": [
            {
                "players": [0, 1],
                "rows": {"front": -1, "middle": 1, "back": 1},
                "scoop": 0,
                "royalties": 33,
                "points": 34,
            }
        ],
    }


def test_score_takes_one_board_alone(capsys: Capture) -> None:
    answer = scored(capsys, "--variant", "classic", FIRST)
    assert (answer["variant"], answer["pairs"], answer["players"][0]["points"]) == ("classic", [], 0)
    assert answer["players"][0]["fantasyland_cards"] == 13


def test_score_shows_a_foul_with_its_categories_and_no_royalties(capsys: Capture) -> None:
    answer = scored(capsys, FOUL, FIRST)
    player = answer["players"][0]
    assert (player["foul"], player["royalties"], player["fantasyland_cards"]) == (True, 0, None)
    assert player["rows"]["middle"] == {"category": "two_pair", "royalty": 0}
    assert answer["pairs"][0] == {
        "players": [0, 1],
        "rows": {"front": -1, "middle": -1, "back": -1},
        "scoop": -1,
        "royalties": -44,
        "points": -50,
    }


def test_score_lists_every_pair_of_three(capsys: Capture) -> None:
    answer = scored(capsys, FIRST, SECOND, FOUL)
    assert [pair["players"] for pair in answer["pairs"]] == [[0, 1], [0, 2], [1, 2]]
    assert [player["points"] for player in answer["players"]] == [34 + 50, -34 + 17, -50 - 17]


def test_score_writes_boards_in_plain_notation(capsys: Capture) -> None:
    answer = scored(capsys, "qs qd 2c/5c5d5h9s9c/ahkhqhjh10h@14")
    assert answer["players"][0]["board"] == f"{FIRST}@14"


def test_score_prints_a_table(capsys: Capture) -> None:
    assert run("score", f"{FIRST}@14", FOUL) == 0
    assert capsys.readouterr().out == (
        "Player 1  QsQd2c/5c5d5h9s9c/AhKhQhJhTh@14\n"
        "  front   QsQd2c      pair               7\n"
        "  middle  5c5d5h9s9c  full house        12\n"
        "  back    AhKhQhJhTh  royal flush       25\n"
        "  royalties 44, points +50, Fantasyland with 14 cards next\n"
        "\n"
        "Player 2  KsKc2h/3h3s4h4c6c/2s6d7c8cJd  FOUL\n"
        "  front   KsKc2h      pair               -\n"
        "  middle  3h3s4h4c6c  two pair           -\n"
        "  back    2s6d7c8cJd  high card          -\n"
        "  royalties 0, points -50\n"
        "\n"
        "1 v 2  front +1  middle +1  back +1  scoop +3  royalties +44  points +50\n"
    )


def test_score_prints_one_board_without_pairs(capsys: Capture) -> None:
    assert run("score", SECOND) == 0
    assert capsys.readouterr().out.endswith("points +0, Fantasyland with 14 cards next\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--variant", "holdem", FIRST], "'holdem' is not a game that can be scored: choose pineapple or classic"),
        ([FIRST, SECOND, FOUL, FIRST], "pineapple takes at most 3 boards, not 4"),
        ([FIRST, FIRST.replace("2c", "2d")], "Qs is used 2 times, the deck holds 1"),
        ([FIRST.replace("2c", "1c")], "'1c' is not a card: write rank and suit, for example As, Td or 7h"),
        ([FIRST.replace("2c", "")], "the front QsQd has 2 cards, it takes 3"),
        ([FIRST.replace("2c", "X1")], "X1 is not in the deck of pineapple"),
        ([f"{FIRST}@13"], "@13 is not a Fantasyland of pineapple: write @14"),
        (["QsQd2c"], f"'QsQd2c' has 1 rows: write front/middle/back, such as {FIRST}"),
    ],
)
def test_score_refuses_with_one_sentence(capsys: Capture, arguments: list[str], sentence: str) -> None:
    assert refusal(capsys, "score", *arguments) == sentence
    assert refusal(capsys, "score", "--json", *arguments) == sentence


def test_score_takes_four_boards_where_four_may_play(capsys: Capture) -> None:
    boards = [FIRST, SECOND, FOUL, "8h8d6h/TdTcTsKd7h/JcJsQc7dAc"]
    answer = scored(capsys, "--variant", "classic", *boards)
    assert (len(answer["players"]), len(answer["pairs"])) == (4, 6)


def test_score_without_a_board_is_a_wrong_command_line(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as exited:
        run("score")
    assert exited.value.code == 2
    assert "BOARD" in capsys.readouterr().err


def test_verify_says_that_a_right_record_is_right(capsys: Capture, right: Path) -> None:
    assert run("verify", str(right)) == 0
    answer = capsys.readouterr()
    assert answer.out.startswith("Hand '12.7': RIGHT, the seed is the one that was committed to")
    assert record()["deck_order"] in answer.out
    assert answer.out.endswith(
        f"compare this commitment with the one posted before the hand: {record()['commitment']}\n"
    )
    assert answer.err == ""


def test_verify_says_that_a_wrong_record_is_wrong(capsys: Capture, wrong: Path) -> None:
    assert run("verify", str(wrong)) == 1
    answer = capsys.readouterr()
    assert answer.out.startswith("Hand '12.7': WRONG, the seed is not the one that was committed to before the hand.\n")
    assert "compare" not in answer.out


def test_verify_answers_in_json(capsys: Capture, right: Path, wrong: Path) -> None:
    assert run("verify", "--json", str(right)) == 0
    assert json.loads(capsys.readouterr().out) == {
        "ok": True,
        "hand_id": "12.7",
        "problem": None,
        "deck": record()["deck_order"],
    }
    assert run("verify", "--json", str(wrong)) == 1
    answer = json.loads(capsys.readouterr().out)
    assert (answer["ok"], answer["hand_id"], answer["problem"]) == (False, "12.7", "commitment_does_not_match")
    assert len(answer["deck"]) == 104


NO_RECORDS: list[tuple[str, bytes, str]] = [
    ("empty", b"", "is not a record"),
    ("text", b"hello", "is not a record"),
    ("latin", b'{"hand_id": "\xe9"}', "is not a record"),
    ("deep", b"[" * 500_000, "is not a record"),
    ("huge", b" " * 1_000_001, "is not a record"),
    ("number", b"9" * 5000, "is not a record"),
    ("list", b"[]", "cannot be checked: the record must be a JSON object"),
    ("bare", b"{}", "cannot be checked: the record has no algorithm"),
    ("later", b'{"algorithm": "chaipo/deal/v9"}', "cannot be checked: the algorithm is not chaipo/deal/v1"),
]


@pytest.mark.parametrize(("name", "content", "sentence"), NO_RECORDS, ids=[name for name, _, _ in NO_RECORDS])
def test_verify_refuses_what_is_no_record(
    capsys: Capture, tmp_path: Path, name: str, content: bytes, sentence: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert refusal(capsys, "verify", str(path)).startswith(f"{path} {sentence}")
    assert run("verify", "--json", str(path)) == 2
    answer = capsys.readouterr()
    problem = "unknown_algorithm" if name == "later" else "bad_format"
    assert json.loads(answer.out) == {"ok": False, "hand_id": None, "problem": problem, "deck": None}
    assert answer.err.startswith(f"{path} {sentence}")


def test_verify_refuses_what_is_no_file(capsys: Capture, tmp_path: Path) -> None:
    missing = tmp_path / "missing.json"
    assert refusal(capsys, "verify", str(missing)) == f"{missing} cannot be read: No such file or directory"
    assert refusal(capsys, "verify", str(tmp_path)) == f"{tmp_path} cannot be read: Is a directory"
    assert "is not a record" in refusal(capsys, "verify", "a\0b")


def test_verify_reads_standard_input(right: Path, wrong: Path) -> None:
    done = outside(["verify", "--json", "-"], given=right.read_bytes())
    assert (json.loads(done.stdout)["ok"], done.stderr, done.returncode) == (True, b"", 0)
    done = outside(["verify", "-"], given=wrong.read_bytes())
    assert (done.stdout[:19], done.stderr, done.returncode) == (b"Hand '12.7': WRONG,", b"", 1)
    done = outside(["verify", "-"], given=b"{")
    assert (done.stdout, done.returncode) == (b"", 2)
    assert done.stderr.startswith(b"standard input is not a record")


@pytest.mark.parametrize("encoding", ["ascii", "cp932", "utf-8"])
def test_what_is_printed_is_utf_8_everywhere(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "卓.json"
    path.write_text(json.dumps(record("卓.1")), encoding="utf-8")
    done = outside(["verify", "--json", str(path)], encoding=encoding)
    assert json.loads(done.stdout.decode("utf-8"))["hand_id"] == "卓.1"
    done = outside(["score", "お/茶/漬"], encoding=encoding)
    assert (done.returncode, done.stderr.decode("utf-8").startswith("'お' is not a card")) == (2, True)


def test_a_record_cannot_write_to_the_terminal(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record("\x1b[2Jgone")), encoding="utf-8")
    assert run("verify", str(path)) == 0
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["score", FIRST], ["score", "--json", FIRST]])
def test_a_reader_that_goes_away_is_no_error(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, *arguments], stdout=pipe, stderr=subprocess.PIPE, check=False, cwd=ROOT
        )
    assert (done.returncode, done.stderr) == (0, b"")


def test_output_that_is_no_file_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    assert run("score", FIRST) == 0
    assert out.getvalue().startswith("Player 1")


def test_the_offered_games_are_the_choices(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as exited:
        run("score", "--help")
    assert exited.value.code == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert f"the game: {PINEAPPLE.key} or {CLASSIC.key} (default: pineapple)" in shown
