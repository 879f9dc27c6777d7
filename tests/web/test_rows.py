"""The boards of ``rows.json``, on which the page and the bot agree, leave nothing out that a page judges.

``test_state.py`` compares the file with the page's rules, and ``test_built.py`` with the bot's.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from typing import Any

import pytest

from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.ranks import Category
from bot.web.row_rules import row_rules
from tests.rows import GOLDEN


@pytest.fixture(scope="module")
def told() -> list[dict[str, Any]]:
    """Return the games of the file."""
    games: list[dict[str, Any]] = json.loads(GOLDEN.read_text(encoding="utf-8"))["games"]
    return games


def test_the_boards_have_everything_that_is_judged(told: list[dict[str, Any]]) -> None:
    boards = [board for game in told for board in game["boards"]]
    made = {(row, strength >> 20) for board in boards for row, strength in enumerate(board["strengths"])}
    front = {Category.HIGH_CARD, Category.PAIR, Category.THREE_OF_A_KIND}
    assert {category for row, category in made if row == 0} == front
    assert {category for row, category in made if row == 1} == set(Category)
    assert {category for row, category in made if row == 2} == set(Category) - {Category.LOW}
    assert {board["order"] for board in boards} == {"legal", "open", "danger", "foul"}
    assert None in {board["clash"] and 0 for board in boards if board["order"] == "foul"}, "no low in the middle"
    earned = Counter((board["held"] > 0, board["fantasyland"]) for board in boards)
    assert all(earned[held, 0] and earned[held, 14] and earned[held, 15] for held in (False, True))
    draws = [draw for game in told for row in game["draws"] for draw in row["draws"]]
    assert {draw["category"] for draw in draws} == {category.name.lower() for category in Category} - {"high_card"}
    assert {draw["needed"] for draw in draws} == {1, 2, 3}
    assert any(draw["entry"] for draw in draws)


def test_every_game_on_offer_is_judged(told: list[dict[str, Any]]) -> None:
    rules = [game["rules"] for game in told]
    for variant in PRESETS.values():
        assert json.loads(json.dumps(asdict(row_rules(variant)))) in rules, variant.key
