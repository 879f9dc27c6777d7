"""The commands that need no Discord."""

import argparse
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import answered, main
from bot.pure.event.draw import prove
from bot.pure.ofc.deck import Entropy, commitment
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import PINEAPPLE, PRESETS
from bot.pure.ofc.proof import make_proof
from bot.run.cli import games, score, verify
from bot.text.fingerprint import fingerprint
from bot.text.languages import LANGUAGES
from bot.text.rulebook.book import rulebook
from bot.text.words import words_for

ROOT = Path(__file__).resolve().parent.parent
SPOKEN = " or ".join(LANGUAGES)
FIRST = "QsQd2c/5c5d5h9s9c/AhKhQhJhTh"
SECOND = "AsAd2d/3c3d4s4d9d/5s6s7s8s9h"
FOUL = "KsKc2h/3h3s4h4c6c/2s6d7c8cJd"
PROGRAM = (
    "import argparse, sys; from bot.run.cli import games, score, verify; p = argparse.ArgumentParser(); "
    "sub = p.add_subparsers(); [family.add_commands(sub) for family in (score, games, verify)];"
)
PROGRAM += " args = p.parse_args(); sys.exit(args.run(args))"

NEEDS_STACKS = "needs --stacks. Give each player's stack, such as --stacks 100,100,50"
NO_GAME = f"There's no game called “holdem”. Choose one of these: {', '.join(PRESETS)}."
WHOLE = "is not valid. Use a whole number from"

Capture = pytest.CaptureFixture[str]


def run(*arguments: str) -> int:
    """The exit code of a command line, as the program gives it."""
    parser = argparse.ArgumentParser()
    subparsers = parser.add_subparsers(required=True)
    for family in (score, games, verify):
        family.add_commands(subparsers)
    args = parser.parse_args(arguments)
    code: int = args.run(args)
    return code


def outside(
    arguments: Sequence[str], *, given: bytes = b"", encoding: str = "ascii"
) -> subprocess.CompletedProcess[bytes]:
    """Run the command line in a separate process whose standard streams use ``encoding``."""
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
    seed = bytes(range(32))
    committed = commitment(hand_id=hand_id, seed=seed)
    return make_proof(PINEAPPLE, hand_id=hand_id, seed=seed, entropy=entropy, committed=committed).to_json()


def draw_record(event: str = "9/event/1") -> dict[str, Any]:
    """A right record of a draw."""
    entropy = [Entropy(name, f"129000000000000000{number}") for number, name in enumerate(("111", "222", "333"), 1)]
    return prove(["111", "222", "333"], event=event, label="start", seed=bytes(range(32)), entropy=entropy).to_json()


def written(tmp_path: Path, made: object) -> str:
    """The path of a file that holds it as JSON."""
    path = tmp_path / "written.json"
    path.write_text(json.dumps(made), encoding="utf-8")
    return str(path)


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
                "natural": None,
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
                "natural": None,
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
                "row_points": {"front": -1, "middle": 1, "back": 1},
                "scoop": 0,
                "bonus": 0,
                "royalties": 33,
                "natural": 0,
                "points": 34,
            }
        ],
    }


def test_score_takes_cards_as_messages_show_them(capsys: Capture) -> None:
    signs = {"c": "♣\ufe0e", "d": "♦", "h": "♥\ufe0f", "s": "♠\ufe0e"}
    shown = "".join(signs.get(letter, letter) for letter in FIRST).replace("T", "10")
    assert shown != FIRST
    assert scored(capsys, "--variant", "classic", shown) == scored(capsys, "--variant", "classic", FIRST)


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
        "row_points": {"front": -1, "middle": -1, "back": -1},
        "scoop": -1,
        "bonus": -3,
        "royalties": -44,
        "natural": 0,
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
        (["--variant", "holdem", FIRST], NO_GAME),
        (["--variant", "hold\nem", FIRST], NO_GAME),
        (["--house", "jokers", FIRST], "'jokers' is not a house rule. Use KEY=VALUE, such as jokers=2"),
        (["--house", "seats=2", "--house", "seats=3", FIRST], "'seats' is set twice. Set each house rule once"),
        (
            ["--house", "stakes=2", FIRST],
            "There's no house rule called “stakes”. Similar ones: seats, jokers, discards.",
        ),
        (["--house", "seats=9", FIRST], "seats: “9” doesn't work here. Enter a whole number from 2 to 8."),
        (
            ["--house", "row_point=5000", FIRST],
            "row_point: “5000” doesn't work here. Enter a whole number from 0 to 1,000.",
        ),
        (
            ["--house", "order=no", FIRST],
            "order: “no” doesn't work here. Choose one of in_turn, first_together, all_together.",
        ),
        (
            ["--house", "seats=4", FIRST],
            "4 players may need 68 cards, and the deck has 52. Choose fewer seats or two decks.",
        ),
        (["--rate", "0", FIRST], f"--rate '0' {WHOLE} 1 to 1000000000"),
        (["--rate", "-5", FIRST], f"--rate '-5' {WHOLE} 1 to 1000000000"),
        (["--rate", "", FIRST], f"--rate '' {WHOLE} 1 to 1000000000"),
        (["--rate", "１", FIRST], f"--rate '１' {WHOLE} 1 to 1000000000"),
        (["--button", "2", FIRST, SECOND], f"--button '2' {WHOLE} 0 to 1"),
        (["--stacks", "100,100,50", FIRST, SECOND], "--stacks '100,100,50' is for 3 players, but there are 2 boards"),
        (["--stacks", "100,x", FIRST, SECOND], f"--stacks 'x' {WHOLE} 0 to 1000000000"),
        (
            ["--stacks", "100,99999999999", FIRST, SECOND],
            f"--stacks '99999999999' {WHOLE} 0 to 1000000000",
        ),
        (
            ["--win-cap", "double", "--stacks", "1", FIRST],
            "--win-cap 'double' is not valid. Choose none or own or opponent",
        ),
        (["--loss-cap", FIRST], f"--loss-cap {NEEDS_STACKS}"),
        (
            ["--win-cap", "own", FIRST],
            f"--win-cap {NEEDS_STACKS}",
        ),
        (
            ["--bust-is-final", FIRST],
            f"--bust-is-final {NEEDS_STACKS}",
        ),
        ([f"{FIRST}!"], "pineapple has no naturals. Leave out the !"),
        (["--variant", "thirteen", f"{FIRST}!"], f"{FIRST} is not a natural. Leave out the !"),
        ([FIRST, SECOND, FOUL, FIRST], "pineapple takes at most 3 boards, not 4"),
        ([FIRST, FIRST.replace("2c", "2d")], "Qs is used 2 times, but the deck has 1"),
        ([FIRST.replace("2c", "1c")], "'1c' is not a card. Write rank and suit, for example As, Td or 7h"),
        ([FIRST.replace("2c", "")], "the front QsQd has 2 cards, but takes 3"),
        ([FIRST.replace("2c", "X1")], "X1 is not in the deck of pineapple"),
        ([f"{FIRST}@13"], "@13 is not a Fantasyland of pineapple. Write @14"),
        (["QsQd2c"], f"'QsQd2c' has 1 rows. Write front/middle/back, such as {FIRST}"),
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


def in_full(digest: str) -> str:
    """A commitment as it is posted, and all its digits."""
    return f"{fingerprint(bytes.fromhex(digest))}, in full {digest}"


def test_verify_says_that_a_right_record_is_right(capsys: Capture, right: Path) -> None:
    assert run("verify", str(right)) == 0
    answer = capsys.readouterr()
    assert answer.out.startswith("Hand '12.7': RIGHT, the seed is the one that was committed to")
    assert record()["deck_order"] in answer.out
    assert answer.out.endswith(
        f"compare this commitment with the one posted before the hand: {in_full(record()['commitment'])}\n"
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


def test_verify_says_that_a_right_draw_is_right(capsys: Capture, tmp_path: Path) -> None:
    made = draw_record()
    assert run("verify", written(tmp_path, made)) == 0
    first, second, third = capsys.readouterr().out.splitlines()
    assert first.startswith("Draw 'start' of event '9/event/1': RIGHT, the seed is the one that was committed to, and")
    assert second == f"Order: {', '.join(repr(name) for name in made['order'])}"
    assert third == (
        f"Now compare this commitment with the one posted when the event was announced: {in_full(made['commitment'])}"
    )


def test_verify_says_that_a_wrong_draw_is_wrong(capsys: Capture, tmp_path: Path) -> None:
    made = draw_record()
    assert run("verify", written(tmp_path, made | {"order": made["order"][::-1]})) == 1
    answer = capsys.readouterr().out
    assert answer.startswith("Draw 'start' of event '9/event/1': WRONG, the order is not the one that the seed and")
    assert f"Order: {', '.join(repr(name) for name in made['order'])}\n" in answer
    assert "compare" not in answer


def test_verify_answers_in_json_about_a_draw(capsys: Capture, tmp_path: Path) -> None:
    made = draw_record()
    about = {"event": "9/event/1", "label": "start", "order": made["order"]}
    assert run("verify", "--json", written(tmp_path, made)) == 0
    assert json.loads(capsys.readouterr().out) == {"ok": True, "problem": None} | about
    assert run("verify", "--json", written(tmp_path, made | {"seed": bytes(32).hex()})) == 1
    answer = json.loads(capsys.readouterr().out)
    assert (answer["ok"], answer["problem"]) == (False, "commitment_does_not_match")


@pytest.mark.parametrize(
    ("changes", "problem", "sentence"),
    [
        ({"order": "111"}, "bad_format", "order must be a list"),
        ({"algorithm": "chaipo/draw/v9"}, "unknown_algorithm", "the algorithm is not chaipo/draw/v1"),
    ],
)
def test_verify_refuses_a_draw_that_cannot_be_checked(
    capsys: Capture, tmp_path: Path, changes: dict[str, Any], problem: str, sentence: str
) -> None:
    path = written(tmp_path, draw_record() | changes)
    assert refusal(capsys, "verify", path).startswith(f"{path} cannot be checked: {sentence}")
    assert run("verify", "--json", path) == 2
    nothing = {"event": None, "label": None, "order": None}
    assert json.loads(capsys.readouterr().out) == {"ok": False, "problem": problem} | nothing


def test_a_draw_cannot_write_to_the_terminal(capsys: Capture, tmp_path: Path) -> None:
    assert run("verify", written(tmp_path, draw_record("\x1b[2Jgone"))) == 0
    assert "\x1b" not in capsys.readouterr().out


NO_RECORDS: list[tuple[str, bytes, str]] = [
    ("empty", b"", "is not a record"),
    ("text", b"hello", "is not a record"),
    ("latin", b'{"hand_id": "\xe9"}', "is not a record"),
    ("deep", b"[" * 500_000, "is not a record"),
    ("huge", b" " * 1_000_001, "is not a record"),
    ("number", b"9" * 5000, "is not a record"),
    ("no_number", b'{"leaf": NaN}', "is not a record"),
    ("doubled", b'{"a": [{"seed": 1, "se\\u0065d": 2}]}', "has the key 'seed' twice in one object"),
    ("list", b"[]", "cannot be checked: the record must be a JSON object"),
    ("bare", b"{}", "cannot be checked: the record has no algorithm"),
    ("later", b'{"algorithm": "chaipo/deal/v9"}', "cannot be checked: the algorithm is neither chaipo/deal/v1 nor"),
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


def test_a_file_name_cannot_write_to_the_terminal(capsys: Capture, tmp_path: Path) -> None:
    missing = f"{tmp_path}/ü\x1b[2J\u202e\n.json"
    assert refusal(capsys, "verify", missing) == f"{tmp_path}/ü?[2J??.json cannot be read: No such file or directory"


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


@pytest.mark.parametrize("variant", PRESETS)
def test_every_game_can_be_scored(capsys: Capture, variant: str) -> None:
    answer = scored(capsys, "--variant", variant, FIRST, SECOND)
    assert (answer["variant"], sum(player["points"] for player in answer["players"])) == (variant, 0)


def test_score_resolves_jokers_and_says_what_they_became(capsys: Capture) -> None:
    board = "Ad7sX1/8s8hKdQc2s/AsAhAcX2Qd"
    rows = scored(capsys, "--variant", "joker_pineapple", board)["players"][0]["rows"]
    assert rows == {
        "front": {"category": "pair", "royalty": 2, "became": "Ad7s7c"},
        "middle": {"category": "pair", "royalty": 0},
        "back": {"category": "four_of_a_kind", "royalty": 10, "became": "AsAhAcAdQd"},
    }
    assert run("score", "--variant", "joker_pineapple", board) == 0
    assert "  front   Ad7sX1      pair               2  as Ad7s7c\n" in capsys.readouterr().out


def test_score_takes_a_card_twice_where_there_are_two_decks(capsys: Capture) -> None:
    boards = "QsQs2c/AhAhKhQhTh/5c5d5h9s9c", "Qd2d3c/5c5d6h6s7c/AcKdKcQhQd"
    answer = scored(capsys, "--variant", "double_pineapple", *boards)
    assert [player["rows"]["middle"]["category"] for player in answer["players"]] == ["flush", "two_pair"]
    assert "is used 3 times" in refusal(capsys, "score", "--variant", "double_classic", "QsQsQs/5c5d5h9s9c/AhAhKhQhTh")


def test_score_takes_house_rules(capsys: Capture) -> None:
    house = ["--house", "row_point=2", "--house", " scoop_bonus = 0 ", "--house", "royalty.back.royal_flush=50"]
    answer = scored(capsys, *house, FIRST, FOUL)
    assert answer["house"] == {"row_point": "2", "scoop_bonus": "0", "royalty.back.royal_flush": "50"}
    assert answer["pairs"][0]["row_points"] == {"front": 2, "middle": 2, "back": 2}
    assert answer["players"][0]["points"] == 6 + 7 + 12 + 50
    assert "house" not in scored(capsys, FIRST)


DRAGON = "As2d3c/4h5s6d7c8h/9sTdJcQhKs"
TWO_PAIR = "QsJsTs/AcAd7d5d3d/9h9dTh6s6h"


def test_score_takes_a_declared_natural(capsys: Capture) -> None:
    answer = scored(capsys, "--variant", "thirteen", f"{DRAGON}!", TWO_PAIR)
    player, pair = answer["players"][0], answer["pairs"][0]
    assert (player["board"], player["natural"], player["foul"]) == (f"{DRAGON}!", "complete_straight", False)
    assert (pair["natural"], pair["points"], pair["rows"]["back"]) == (13, 13, 0)
    assert scored(capsys, "--variant", "thirteen", DRAGON, TWO_PAIR)["pairs"][0]["natural"] == 0


def test_score_prints_naturals_and_bonuses(capsys: Capture) -> None:
    assert run("score", "--variant", "thirteen", f"{DRAGON}!", TWO_PAIR) == 0
    shown = capsys.readouterr().out
    assert f"Player 1  {DRAGON}!  COMPLETE STRAIGHT\n" in shown
    assert shown.endswith("1 v 2  natural +13  points +13\n")
    assert run("score", "--house", "majority_bonus=1", FIRST, FOUL) == 0
    assert capsys.readouterr().out.endswith("back +1  bonus +4  royalties +44  points +51\n")


def test_score_counts_points_in_chips(capsys: Capture) -> None:
    answer = scored(capsys, "--rate", "10", FIRST, SECOND)
    assert [player["chips"] for player in answer["players"]] == [340, -340]
    assert answer["payments"] == [{"from": 1, "to": 0, "chips": 340}]
    assert "stack" not in answer["players"][0]
    assert "chips" not in scored(capsys, FIRST, SECOND)["players"][0]


@pytest.mark.parametrize(
    ("options", "chips"),
    [
        (["--stacks", "100,100,50"], [840, -170, -670]),
        (["--stacks", "100,100,50", "--loss-cap"], [150, -100, -50]),
        (["--stacks", "100,100,50", "--loss-cap", "--button", "1"], [150, -100, -50]),
        (["--stacks", "100,100,50", "--loss-cap", "--win-cap", "own"], [100, -50, -50]),
        (["--stacks", "100,100,50", "--win-cap", "own"], [100, 0, -100]),
        (["--stacks", "100,100,50", "--win-cap", "opponent"], [150, -50, -100]),
        (["--stacks", "100,100,50", "--win-cap", "none"], [840, -170, -670]),
        (["--stacks", "100,0,50", "--loss-cap", "--bust-is-final", "--button", "2"], [50, 0, -50]),
    ],
)
def test_score_keeps_the_limits_of_the_stakes(capsys: Capture, options: list[str], chips: list[int]) -> None:
    answer = scored(capsys, "--rate", "10", *options, FIRST, SECOND, FOUL)
    assert [player["points"] for player in answer["players"]] == [84, -17, -67]
    assert [player["chips"] for player in answer["players"]] == chips
    stacks = [int(stack) for stack in options[1].split(",")]
    assert [player["stack"] for player in answer["players"]] == [
        stack + won for stack, won in zip(stacks, chips, strict=True)
    ]


def test_score_prints_chips(capsys: Capture) -> None:
    assert run("score", "--stacks", "100, 20", "--loss-cap", FIRST, SECOND) == 0
    shown = capsys.readouterr().out
    assert "points +34, chips +20 to 120, Fantasyland with 14 cards next\n" in shown
    assert "points -34, chips -20 to 0, Fantasyland with 14 cards next\n" in shown
    assert run("score", "--rate", "5", FIRST, SECOND) == 0
    assert "points +34, chips +170, Fantasyland" in capsys.readouterr().out


def test_games_lists_every_game_in_json(capsys: Capture) -> None:
    assert run("games", "--json") == 0
    games = {game["variant"]: game for game in json.loads(capsys.readouterr().out)}
    assert list(games) == list(PRESETS)
    assert games["progressive"] == {
        "variant": "progressive",
        "name": "Progressive Pineapple",
        "seats": {"min": 2, "max": 3},
        "deck": {"decks": 1, "jokers": 0, "cards": 52},
        "streets": [{"deal": 5, "lay": 5}, *[{"deal": 3, "lay": 2}] * 4],
        "fantasyland": {"entry": {"QQ": 14, "KK": 15, "AA": 16, "trips": 17}, "stay_cards": 14},
    }
    assert games["two_seven"]["fantasyland"]["entry"] == {"KK": 14, "AA": 14, "trips": 14, "7-5-4-3-2": 14, "both": 15}
    assert games["joker_ultimate"]["deck"] == {"decks": 1, "jokers": 2, "cards": 54}
    assert games["joker_ultimate"]["fantasyland"]["stay_cards"] is None
    assert games["thirteen"]["seats"] == {"min": 4, "max": 4}
    assert games["thirteen"]["fantasyland"] is None


def test_a_name_that_is_no_setting_is_refused_by_every_command(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHAIPO_START_CHIP", "5")
    for command in (["games"], ["rules", "pineapple"], ["check"]):
        assert main(command) == 2
        answer = capsys.readouterr()
        assert answer.out == ""
        assert "CHAIPO_START_CHIP in the environment is not a setting. Use CHAIPO_START_CHIPS" in answer.err


def test_games_prints_a_table(capsys: Capture) -> None:
    assert run("games") == 0
    lines = capsys.readouterr().out.splitlines()
    # A column is as wide as its longest cell.
    rows = [re.split(r" {2,}", line) for line in lines]
    assert rows[:2] == [
        ["game", "players", "cards", "streets", "Fantasyland", "name"],
        ["pineapple", "2-3", "52", "5 + 4 x 3", "14", "Pineapple OFC"],
    ]
    assert ["progressive", "2-3", "52", "5 + 4 x 3", "14-17", "Progressive Pineapple"] in rows
    assert ["thirteen", "4", "52", "13", "-", "Thirteen Cards (十三張)"] in rows
    assert len({line.index(row[-1]) for line, row in zip(lines, rows, strict=True)}) == 1
    assert len(lines) == 1 + len(PRESETS)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", PRESETS)
def test_rules_prints_the_page_of_a_game(capsys: Capture, variant: str, language: str) -> None:
    assert run("rules", variant, "--lang", language) == 0
    assert capsys.readouterr().out == rulebook(PRESETS[variant], words_for(language)).rstrip() + "\n"


def test_rules_speak_english_and_know_house_rules(capsys: Capture) -> None:
    assert run("rules", "pineapple") == 0
    assert capsys.readouterr().out.startswith("# Pineapple OFC\n")
    assert run("rules", "pineapple", "--house", "jokers=2") == 0
    shown = capsys.readouterr().out
    assert shown == rulebook(house_variant("pineapple", {"jokers": "2"}), words_for("en")).rstrip() + "\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["holdem"], NO_GAME),
        (
            ["pineapple", "--lang", "tlh"],
            f"'tlh' is not an available language. Choose {SPOKEN}",
        ),
        (
            ["chinese", "--house", "fantasyland=on"],
            "fantasyland: This game has no Fantasyland, so there's nothing to change.",
        ),
    ],
)
def test_rules_refuse_with_one_sentence(capsys: Capture, arguments: list[str], sentence: str) -> None:
    assert refusal(capsys, "rules", *arguments) == sentence


def test_an_unexpected_failure_is_one_sentence_with_a_code_that_is_in_the_log(
    capsys: Capture, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> int:
        words_for("en")("refused.not_host")  # a sentence without its field
        return 0

    assert answered(broken) == 1
    (said,) = capsys.readouterr().err.splitlines()
    (logged,) = [record for record in caplog.records if record.levelname == "ERROR"]
    code = logged.incident  # type: ignore[attr-defined]
    assert said == f"chaipo: something went wrong (incident {code}). Report it with the lines above."
    assert logged.exc_info is not None
