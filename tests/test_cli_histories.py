"""The commands that read hand histories: replay, and review."""

import json
from pathlib import Path

import pytest

from bot.__main__ import main
from tests.pure.notation.test_files import EXAMPLE


def written(tmp_path: Path, text: str) -> str:
    path = tmp_path / "hand.phh"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_replay_tells_each_street_and_finds_the_result_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", written(tmp_path, EXAMPLE)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Hand '900000000000000009/12/7', pineapple, 2026-11-22T21:04:05 UTC"
    assert "  p3: seat 1, player '200000000000000002', button" in lines
    assert "  p1 AsKdAcQs2s -> AsAcQs/Kd2s/ (placed by the computer)" in lines
    assert "  p2 3c??5c -> 3c/Qh4c5c/6s7c6h, discards ??" in lines
    assert [line for line in lines if line.startswith("Street ")] == [f"Street {street}" for street in range(1, 6)]
    assert lines[-1].startswith("RIGHT")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_replay_reads_a_file_as_any_editor_saves_it(
    encoding: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hand.phh"
    path.write_bytes(EXAMPLE.encode(encoding))
    assert main(["replay", str(path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("RIGHT")


def test_replay_finds_a_wrong_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", written(tmp_path, EXAMPLE.replace("_points = [31", "_points = [32"))]) == 1
    assert "WRONG: _points in the file" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["replay", "review"])
@pytest.mark.parametrize(
    ("text", "said"), [("", "contains no hand: its _format is not"), ("\x00", "contains no hand: it must be TOML")]
)
def test_what_is_no_hand_history_is_refused(
    command: str, text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, written(tmp_path, text)]) == 2
    printed = capsys.readouterr()
    assert said in printed.err
    assert not printed.out


def test_review_reads_a_seat_whose_cards_the_file_tells(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known = EXAMPLE
    for hidden, told in (("??KcJc", "3hKcJc"), ("2c8c??", "2c8c7d"), ("8d??5d", "8d9h5d"), ("Jd8h??", "Jd8h8s")):
        known = known.replace(hidden, told)
    known = known.replace("9d2dTcTd9h6d", "9d2dTcTdTh6d")
    file = written(tmp_path, known)
    assert main(["review", "--json", "--seat", "2", file]) == 0
    (told_seat,) = json.loads(capsys.readouterr().out)["seats"]
    assert len(told_seat["decisions"]) == 5
    assert main(["review", "--seat", "0", file]) == 2
    assert "the file does not show all cards of that seat" in capsys.readouterr().err
