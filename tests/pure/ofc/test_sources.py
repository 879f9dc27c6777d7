"""Docstrings of the rules, the notation and the solver: their sources exist, and their examples are true."""

import ast
import doctest
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
FILES = [
    path
    for folder in ("bot/pure/ofc", "bot/pure/notation", "bot/pure/solver")
    for path in sorted((ROOT / folder).glob("[a-z]*.py"))
]
CITATION = re.compile(r'docs/[a-z/-]+\.md, "[^"]+"(?:, "[^"]+")*')
WITHOUT_SOURCE = {"bot/pure/ofc/refusals.py"}
"""Modules without rules."""
TRIED = {
    "notation.history.format_actions",
    "notation.history.dealt_in",
    "notation.files.read_history",
    "ofc.cards.full_deck",
    "ofc.cards.parse_card",
    "ofc.cards.parse_cards",
    "ofc.clock_placement.clock_placement",
    "ofc.deck.shuffled",
    "ofc.scoring.next_fantasyland",
    "ofc.scoring.stays",
    "ofc.hand.decide",
    "ofc.house_rules.house_variant",
    "ofc.log.from_json",
    "ofc.log.to_json",
    "ofc.naturals.natural_of",
    "ofc.notation.parse_board",
    "ofc.placement.place",
    "ofc.placement.preview",
    "ofc.ranks.row_strength",
    "ofc.scoring.resolve",
    "ofc.scoring.score_hand",
    "ofc.settlement.settle",
    "ofc.view.unseen",
    "ofc.view.view_for",
    "ofc.wild.became",
}
"""Functions that a reader of the rules as a library would try."""
every_file = pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}.{path.stem}")


def docstrings(path: Path) -> Iterator[str]:
    """Every docstring of a module, also those of values, in one line each."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield " ".join(node.value.value.split())


def cited(path: Path) -> list[tuple[str, str]]:
    """The documents and headings that a module names as its sources."""
    found = []
    for text in docstrings(path):
        for source in re.findall(r"Source: (.*?)\.(?: |$)", text):
            for citation in source.split("; "):
                assert CITATION.fullmatch(citation), f'write Source: docs/rules.md, "heading". instead of {source}'
                document, _, headings = citation.partition(", ")
                found += [(document, heading) for heading in headings.strip('"').split('", "')]
    return found


@every_file
def test_every_source_is_a_heading_of_its_document(path: Path) -> None:
    for document, heading in cited(path):
        text = (ROOT / document).read_text(encoding="utf-8")
        assert re.search(rf"^#+ {re.escape(heading)}$", text, re.MULTILINE), f"{document} has no heading {heading!r}"


@pytest.mark.parametrize("path", [path for path in FILES if path.parent.name == "ofc"], ids=lambda path: path.stem)
def test_every_file_of_the_rules_names_its_source(path: Path) -> None:
    named = bool(cited(path))
    assert named is (path.relative_to(ROOT).as_posix() not in WITHOUT_SOURCE), 'add Source: docs/rules.md, "heading".'


@every_file
def test_a_player_is_they(path: Path) -> None:
    for text in docstrings(path):
        assert not re.search(r"\b([Hh]e|[Hh]is|[Hh]im|[Hh]imself|[Ww]hoever)\b|(?:^|\. )Who\b", text), text


@every_file
def test_the_examples_are_true(path: Path) -> None:
    assert doctest.testmod(importlib.import_module(_name(path))).failed == 0


def _name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def test_what_a_reader_would_try_has_an_example() -> None:
    shown = {
        test.name.removeprefix("bot.pure.")
        for path in FILES
        for test in doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(_name(path)))
        if test.examples
    }
    assert shown >= TRIED, f"without an example: {sorted(TRIED - shown)}"
