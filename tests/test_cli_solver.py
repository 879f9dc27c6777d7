"""The commands duel and arrange."""

import json

import pytest

from bot.__main__ import main

CARDS = "AhKdQcJsTh9d8c7s6h5d4c3s2hAd"


def test_a_duel_prints_points_of_every_level(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["duel", "--hands", "4", "--seed", "7", "casual", "club"]) == 0
    out = capsys.readouterr().out
    assert [line.split()[0] for line in out.splitlines()] == ["casual", "club"]
    assert "points per 100 hands" in out


def test_a_duel_prints_a_line_of_json_for_each_hand(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["duel", "--variant", "chinese", "--hands", "4", "--json", "casual", "club"]
    assert main(arguments) == 0
    first = capsys.readouterr().out
    hands = [json.loads(line) for line in first.splitlines()]
    assert [hand["deck"] for hand in hands] == [0, 0, 1, 1]
    assert {player["level"] for hand in hands for player in hand["players"]} == {"casual", "club"}
    assert all(sum(player["points"] for player in hand["players"]) == 0 for hand in hands)
    assert set(hands[0]["players"][0]) == {"level", "board", "royalties", "foul", "fantasyland_cards", "points"}
    assert main(arguments) == 0
    assert capsys.readouterr().out == first


def test_two_of_a_level_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["duel", "--variant", "chinese", "--hands", "2", "casual", "casual"]) == 0
    assert [line.split("  ")[0] for line in capsys.readouterr().out.splitlines()] == ["casual 1", "casual 2"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["duel", "club", "expert"],
            "'expert' is not a level. Choose casual, club, master, or for comparison completion, greedy",
        ),
        (["duel", "club"], "pineapple is played by 2 to 3 players. Name that many levels"),
        (["duel", "--variant", "bridge", "club", "club"], "bridge"),
        (["duel", "--hands", "0", "club", "club"], "--hands '0' is not a number from 1 to 1000000"),
        (["duel", "--hands", "many", "club", "club"], "--hands 'many'"),
        (["arrange", "AhKd"], "2 cards were given. Write 13 to 17"),
        (["arrange", CARDS + "Ah"], "Ah occurs more often than in the deck of pineapple"),
        (["arrange", CARDS[:-4] + "X1X2"], "X1 occurs more often"),
        (["arrange", "Zh" + CARDS], "'Zh' is not a card"),
    ],
)
def test_what_cannot_be_used_is_refused_with_a_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert sentence in printed.err
    assert not printed.out


def test_a_board_is_arranged(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arrange", "--json", CARDS]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["royalties"] == record["value"] == 15
    assert not record["stays"]
    assert record["proven"]
    assert sorted(len(row) // 2 for row in record["board"].split("/")) == [3, 5, 5]
    assert record["milliseconds"] >= 0


def test_staying_in_fantasyland_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arrange", "AhAdAcKsKh9d9c7s7h7d7c3s2hAs"]) == 0
    assert "stays in Fantasyland" in capsys.readouterr().out


def test_cards_that_make_no_legal_board_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arrange", "--variant", "two_seven", "AhAdAcAsKhKdKcKsQhQdQcQsJh"]) == 0
    assert "a foul: these cards make no legal board" in capsys.readouterr().out
