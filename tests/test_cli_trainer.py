"""The commands analyse and puzzles."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.model.puzzles import PuzzleName
from bot.play.trainer import judging, training
from bot.play.trainer.finding import Finding
from bot.play.trainer.known_puzzles import puzzle_name
from bot.pure.ofc.cards import parse_cards
from bot.pure.ofc.placement import check_placement
from bot.pure.ofc.presets import PRESETS
from bot.pure.trainer.position import parse_position
from tests.play.world import ANN, BOB, World
from tests.quickly_found import quickly_found
from tests.quickly_judged import quickly_judged

LAST = "Ac9s/5s5dTs7c2h/QdJdTd9d +8d3h4s -3s4d5h vs Kc7h3c/6s6dKs9h8s/QsQhJc6hJs"


def test_an_analysis_prints_the_placements_best_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", LAST]) == 0
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith("BDF  Ac9s4s/5s5dTs7c2h/QdJdTd9d8d  +16.00  (foul 0%, Fantasyland 0%, royalties 15.0)")
    assert "behind" in second


def test_an_analysis_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "--json", "--most", "3", "Kd/7c7d/AsKs +QhQs2c vs Ah/9c9d/JsTs"]) == 0
    found = json.loads(capsys.readouterr().out)["placements"]
    assert len(found) == 3
    assert all(set(one) == {"placement", "value", "error", "foul", "fantasyland", "royalties"} for one in found)
    assert [one["value"] for one in found] == sorted((one["value"] for one in found), reverse=True)
    position = parse_position("Kd/7c7d/AsKs +QhQs2c vs Ah/9c9d/JsTs", PRESETS["pineapple"])
    for one in found:
        check_placement(position.rows, position.held, one["placement"], to_place=2)


def test_a_deeper_analysis_of_the_last_street_is_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    printed = []
    for more in ([], ["--deeper"]):
        assert main(["analyse", *more, LAST]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0]
    assert printed[0] == printed[1]


def test_puzzles_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["puzzles", "--json"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(found) == 500
    for puzzle in found:
        assert list(puzzle) == ["game", "position", "best", "gap", "error", "theme", "difficulty"]
        position = parse_position(puzzle["position"], PRESETS[puzzle["game"]])
        assert len(puzzle["best"]) == len(position.held)
    assert main(["puzzles", "--variant", "classic"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == sum(puzzle["game"] == "classic" for puzzle in found)
    assert all(line.startswith("classic  ") for line in lines)


def test_a_listed_puzzle_is_analysed_to_its_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["puzzles", "--json", "--variant", "pineapple"]) == 0
    puzzles = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    puzzle = next(one for one in puzzles if one["theme"] == "last_card")
    cards = parse_cards(puzzle["position"].split("+")[1].split()[0])
    assert len(cards) == 3
    assert main(["analyse", "--json", puzzle["position"]]) == 0
    first, second, *_ = json.loads(capsys.readouterr().out)["placements"]
    assert first["placement"] == puzzle["best"]
    assert first["value"] - second["value"] == pytest.approx(puzzle["gap"], abs=0.02)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["analyse", "AsKs"], "'AsKs' has 1 rows. Write front/middle/back"),
        (["analyse", "// +AsKs"], "there are 5 cards to place, but 2 after the +"),
        (["analyse", "--variant", "bridge", "//"], "bridge"),
        (["analyse", "--most", "0", LAST], "--most 0 is not a number from 1 to 20"),
        (["analyse", "--variant", "turbo", "--house", "jokers=2", "// +AhAd7c7d2s"], "can't be analysed"),
        (["puzzles", "--variant", "bridge"], "'bridge' is not a game"),
        (["puzzles", "--variant", "chinese"], "there are no puzzles of chinese"),
    ],
)
def test_what_cannot_be_used_is_refused_with_a_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert sentence in printed.err
    assert not printed.out


async def test_puzzles_found_in_hands_are_listed_from_the_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CHAIPO_DATABASE", str(tmp_path / "chaipo.db"))
    monkeypatch.setattr(Finding, "search", quickly_found)
    monkeypatch.setattr(judging, "judged", quickly_judged)
    assert main(["puzzles", "--found"]) == 2
    assert "does not exist" in capsys.readouterr().err
    world = World(tmp_path)
    await world.open()
    key = await world.table(ANN, BOB)
    await world.start(key)
    await world.play_hand(key)
    await world.mistakes.open(ANN)
    assert main(["puzzles", "--found"]) == 2
    assert capsys.readouterr().err == "the bot has found no puzzles yet\n"
    await world.play.close(key, reason="by_manager")
    await world.mistakes.done()
    ((name,),) = world.ask("SELECT puzzle FROM found_puzzle")
    assert main(["puzzles", "--found", "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert list(json.loads(line)) == ["game", "position", "best", "gap", "error", "theme", "difficulty"]
    assert puzzle_name("pineapple", json.loads(line)["position"]) == name
    assert main(["puzzles", "--found", "--variant", "classic"]) == 2
    await world.sessions.write(lambda s: training.withdraw(s, PuzzleName(str(name))))
    capsys.readouterr()
    assert main(["puzzles", "--found"]) == 2
    await world.close()
