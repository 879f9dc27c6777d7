"""English texts of the project, by kind, without code, links and values."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import tomllib
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path

_NOTE = re.compile(r"^#\s*(?:!|noqa|type:|pragma|fmt:|ruff:|\W*$)|\s*#\s*noqa.*$")
_FENCE = re.compile(r"^ *(```|~~~).*?^ *\1 *$", re.MULTILINE | re.DOTALL)
_HTML = re.compile(r"<!--.*?-->", re.DOTALL)
_CODE = (
    (re.compile(r"!\[[^\]]*\]\([^)]*\)"), ""),
    (re.compile(r"\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r":\w+(?::\w+)*:`~?([^`]*)`"), "CODE"),
    (re.compile(r"``?[^`]+``?"), "CODE"),
    (re.compile(r"https?://\S+"), "LINK"),
    (re.compile(r"\{[^{}]*\}|<[^<>\s]+>"), "VALUE"),
    (re.compile(r"\*\*?|(?<!\w)_|_(?!\w)|^#+ |^-# ", re.MULTILINE), ""),
)


def texts_of(root: Path) -> Mapping[str, list[str]]:
    """Return the texts of a checkout by kind: ``code``, ``documents``, ``changelog`` and ``players``."""
    found = {
        "code": [text for path in _modules(root) for text in _of_module(path.read_text(encoding="utf-8"))],
        "documents": [text for path in _documents(root) for text in _paragraphs(path.read_text(encoding="utf-8"))],
        "changelog": [*_paragraphs((root / "CHANGELOG.md").read_text(encoding="utf-8"))],
        "players": [text for path in sorted((root / "data/text/en").glob("*.toml")) for text in _sentences(path)],
    }
    return {kind: [text for text in map(plain, texts) if text] for kind, texts in found.items()}


def plain(text: str) -> str:
    """Return a text on one line, with placeholders for its code, links and values."""
    for pattern, instead in _CODE:
        text = pattern.sub(instead, text)
    return " ".join(text.split())


def _modules(root: Path) -> Iterator[Path]:
    for package in ("bot", "cogs"):
        yield from sorted((root / package).rglob("*.py"))


def _documents(root: Path) -> Iterator[Path]:
    """Documents for people, without translations, decision records and the changelog."""
    for path in sorted([*root.glob("*.md"), *root.glob("docs/**/*.md")]):
        other = path.name in ("CHANGELOG.md", "CODE_OF_CONDUCT.md") or path.parent.name == "adr"
        if ".ja." not in path.name and not other:
            yield path


def _of_module(source: str) -> Iterator[str]:
    """Yield the docstrings and the comments of a module."""
    for node in ast.walk(ast.parse(source)):
        body = getattr(node, "body", None)
        if not isinstance(body, list):
            continue
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and body:
            yield from _docstring(body[0])
        for before, after in pairwise(body):
            if isinstance(before, ast.Assign | ast.AnnAssign):
                yield from _docstring(after)
    yield from _comments(source)


def _docstring(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        yield node.value.value


def _comments(source: str) -> Iterator[str]:
    """Yield each comment, with the lines that belong together as one."""
    block: list[str] = []
    last = (-2, -1)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            continue
        row, column = token.start
        if block and (row - 1, column) != last:
            yield "\n".join(block)
            block = []
        last = (row, column)
        if words := _NOTE.sub("", token.string).lstrip("#: ").strip():
            block.append(words)
    if block:
        yield "\n".join(block)


def _paragraphs(document: str) -> Iterator[str]:
    """Yield the paragraphs, list items and table cells of a document."""
    text = _HTML.sub("", _FENCE.sub("", document))
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) |\s*\|)|(?<=\|)\n", text):
        if re.match(r"\s*(?:#|\[[^\]]*\]: )", block):
            continue
        if block.lstrip().startswith("|"):
            yield from (cell for cell in block.strip().strip("|").split("|") if cell.strip(" -:"))
        else:
            yield re.sub(r"^\s*(?:[-*]|\d+\.) ", "", block)


def _sentences(path: Path) -> Iterator[str]:
    """Yield the sentences of a file for players, each plural form on its own."""
    values: list[object] = [tomllib.loads(path.read_text(encoding="utf-8"))]
    while values:
        value = values.pop()
        if isinstance(value, dict):
            values += value.values()
        else:
            yield str(value)
