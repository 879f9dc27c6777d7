"""The page as it lies in the wheel: what its sources make, small, and with nothing from elsewhere."""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from bot.installation import HOME
from bot.text.words import words_for
from bot.web.page_words import words_of
from tests.page import BUILT, MADE, SOURCES, modules, twice

MOST_GZIPPED = 60_000


@pytest.mark.parametrize("path", MADE, ids=lambda path: path.name)
def test_what_is_made_is_what_the_sources_make(path: Path) -> None:
    assert MADE[path]() == path.read_text(encoding="utf-8"), "run make page"


def test_the_page_is_small_and_asks_nobody_else() -> None:
    page = BUILT.read_text(encoding="utf-8")
    assert 10_000 < len(gzip.compress(page.encode())) < MOST_GZIPPED
    addresses = set(re.findall(r"""(?:https?:)?//[\w.-]+\.\w+[^\s"'`]*""", page))
    assert addresses == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"\b(eval|Function|innerHTML|insertAdjacentHTML|document\.write)\b", page)
    assert not re.search(r"\s(on\w+|style)=", re.sub(r"<script.*</script>", "", page, flags=re.DOTALL))


def test_each_module_is_in_it_and_no_name_is_two_things() -> None:
    assert {path.name for path in SOURCES.glob("*.js")} == set(modules())
    assert twice() == []


@pytest.mark.parametrize("code", ["en", "ja"])
def test_the_page_has_all_the_words_that_it_says(code: str) -> None:
    script = "\n".join((SOURCES / name).read_text(encoding="utf-8") for name in modules())
    said = set(re.findall(r"\bwords\.(\w+)", script))
    told = words_of(words_for(code))
    assert said == told.words.keys()
    assert len(set(told.cards.values())) == 54  # jokers are all called alike, and face down is one more
    assert not re.search(
        r">[^<>{}\s][^<>{}]*<",
        re.sub(
            r"<(title|style|script).*?</\1>", "", (SOURCES / "page.html").read_text(encoding="utf-8"), flags=re.DOTALL
        ),
    )


def test_the_types_of_the_page_are_right() -> None:
    compiler = shutil.which("tsc")
    if compiler is None:
        pytest.skip("tsc is not installed: npm install --global typescript lets this test check the page's types")
    done = subprocess.run(
        [compiler, "-p", HOME / "page" / "jsconfig.json"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
