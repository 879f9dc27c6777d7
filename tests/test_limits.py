"""Sheets of limits name the files of their rules."""

from __future__ import annotations

import ast
import re

import pytest

from bot.base.installation import HOME

SHEETS = ("bot/model/limits.py", "bot/pure/event/limits.py")


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_limit_names_the_files_that_use_it(sheet: str) -> None:
    body = ast.parse((HOME / sheet).read_text()).body
    limits = [
        node.targets[0].id for node in body if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    ]
    told = [
        node.value.value for node in body[1:] if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    ]
    assert len(told) == len(limits)
    for limit, text in zip(limits, told, strict=True):
        files = re.findall(r"``(bot/[\w/]+\.py)``", str(text))
        assert files, limit
        unused = [file for file in files if not re.search(rf"\b{limit}\b", (HOME / file).read_text())]
        assert not unused, f"{limit} isn't used in {unused}"
