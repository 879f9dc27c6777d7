"""Screens are pure: they are drawn from values, and neither wait nor query anything."""

import ast
from pathlib import Path

import pytest

ROOM = Path(__file__).parents[2] / "bot" / "chat"
SCREENS = sorted(ROOM.glob("*/screens/**/*.py"))
WAITING = (ast.AsyncFunctionDef, ast.Await, ast.AsyncFor, ast.AsyncWith)
OF_DISCORD = {"Client", "Guild", "HTTPException", "Interaction", "Member", "Message", "TextChannel", "Thread"}
"""Types that would let a screen query Discord."""


def named(tree: ast.AST) -> set[str]:
    """Every name that a file says."""
    nodes = list(ast.walk(tree))
    return (
        {node.id for node in nodes if isinstance(node, ast.Name)}
        | {node.attr for node in nodes if isinstance(node, ast.Attribute)}
        | {alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
    )


@pytest.mark.parametrize("path", SCREENS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_screen_waits_for_nothing_and_asks_nobody(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert [node.lineno for node in ast.walk(tree) if isinstance(node, WAITING)] == []
    assert named(tree) & OF_DISCORD == set()
