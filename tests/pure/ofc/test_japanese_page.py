"""docs/fairness-spec.ja.md is complete: a verifier written from it judges all of its records correctly."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.pure.ofc import japanese_verifier

PAGES = Path(__file__).parents[3] / "docs"
BLOCKS = re.compile(r"```json\n(.*?)```", re.DOTALL)
JAPANESE, ENGLISH = (
    [json.loads(block) for block in BLOCKS.findall((PAGES / name).read_text(encoding="utf-8"))]
    for name in ("fairness-spec.ja.md", "fairness-spec.md")
)


def changed(record: dict[str, Any]) -> list[dict[str, Any]]:
    """The record with one thing in it another, one after the other."""
    found: list[dict[str, Any]] = []
    for key in ("hand_id", "seed", "root", "commitment", "deck_order", "event", "label"):
        if key in record:
            text = record[key]
            found.append({**record, key: text[:-1] + ("1" if text[-1] != "1" else "2")})
    if record.get("players"):
        first, *others = record["players"]
        found += [{**record, "players": [{**first, "entropy": "another"}, *others]}, {**record, "players": others}]
    if record["algorithm"] == "chaipo/deal/v2":
        found += [{**record, "leaf": record["leaf"] - 1}, {**record, "path": record["path"][::-1]}]
        found += [{**record, "dealt": {**record["dealt"], "button": 7}}, {**record, "variant": "classic"}]
    if "entropy" in record:
        found += [{**record, "entropy": record["entropy"][::-1]}, {**record, "order": record["order"][::-1]}]
    return found


def test_both_pages_have_the_same_records() -> None:
    assert JAPANESE == ENGLISH
    assert len(JAPANESE) == 6


@pytest.mark.parametrize("record", JAPANESE)
def test_a_verifier_from_the_japanese_page_finds_each_record_right_and_each_change_of_it_wrong(
    record: dict[str, Any],
) -> None:
    assert japanese_verifier.problem(record) is None
    changes = changed(record)
    assert len(changes) > 3
    for change in changes:
        assert japanese_verifier.problem(change) is not None


def test_the_values_on_the_way_stand_on_both_pages() -> None:
    hexadecimal = re.compile(r"`([0-9a-f]{32,})`")
    english, japanese = (
        hexadecimal.findall((PAGES / name).read_text(encoding="utf-8"))
        for name in ("fairness-spec.md", "fairness-spec.ja.md")
    )
    assert english == japanese
    assert len(english) > 10
