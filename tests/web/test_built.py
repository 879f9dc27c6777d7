"""The built page in the wheel: up to date with its sources, small, and without external resources."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from bot.base.installation import HOME
from bot.text.words import words_for
from bot.web.page_words import sent_words
from tests.page import BUILT, FRAMED, IN_DISCORD, MADE, SDK, SOURCES, framed_modules, modules, twice
from tests.sdk import bundle

MAX_GZIPPED_BYTES = 60_000
SDK_NAME = "@discord/embedded-app-sdk"


@pytest.mark.parametrize("path", MADE, ids=lambda path: path.name)
def test_what_is_made_is_what_the_sources_make(path: Path) -> None:
    assert MADE[path]() == path.read_text(encoding="utf-8"), "run make page"


def test_the_page_is_small_and_asks_nobody_else() -> None:
    page = BUILT.read_text(encoding="utf-8")
    assert 10_000 < len(gzip.compress(page.encode())) < MAX_GZIPPED_BYTES
    addresses = set(re.findall(r"""(?:https?:)?//[\w.-]+\.\w+[^\s"'`]*""", page))
    assert addresses == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"\b(eval|Function|innerHTML|insertAdjacentHTML|document\.write)\b", page)
    assert not re.search(r"\(\?<[=!]", page), "Safari reads no page with such a pattern before 16.4"
    assert not re.search(r"\s(on\w+|style)=", re.sub(r"<script.*</script>", "", page, flags=re.DOTALL))


def test_each_module_is_in_it_and_no_name_is_two_things() -> None:
    assert {path.name for path in SOURCES.glob("*.js")} == set(framed_modules())
    assert set(framed_modules()) - set(modules()) == {IN_DISCORD}
    assert twice() == []


def test_the_page_for_discords_frame_is_the_same_with_discords_own_sdk() -> None:
    framed, own = FRAMED.read_text(encoding="utf-8"), BUILT.read_text(encoding="utf-8")
    sdk = SDK.read_text(encoding="utf-8")
    notice = (SDK.parent / "notice.txt").read_text(encoding="utf-8")
    assert sdk in framed
    assert sdk not in own
    assert notice in framed, "its licence goes with it"
    version = json.loads((SDK.parent / "package.json").read_text(encoding="utf-8"))["dependencies"][SDK_NAME]
    assert f"({SDK_NAME} {version}), unchanged" in notice
    assert f'"{version}"' in sdk, "the SDK tells Discord its version"
    lock = json.loads((SDK.parent / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert lock[f"node_modules/{SDK_NAME}"]["version"] == version
    assert all(one.get("integrity", "").startswith("sha512-") for name, one in lock.items() if name)
    assert not [one for one in lock.values() if "resolved" in one], "no address of a registry"
    assert len(gzip.compress(framed.encode())) < MAX_GZIPPED_BYTES + len(gzip.compress(sdk.encode()))


@pytest.mark.deep
def test_the_sdk_is_what_its_lock_file_makes() -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed: it comes with Node, and lets this test bundle the SDK anew")
    assert bundle(npm) == SDK.read_text(encoding="utf-8"), "run make sdk"


@pytest.mark.parametrize("code", ["en", "ja"])
def test_the_page_has_all_the_words_that_it_says(code: str) -> None:
    script = "\n".join((SOURCES / name).read_text(encoding="utf-8") for name in modules())
    said = set(re.findall(r"\bwords\.(\w+)", script))
    told = sent_words(words_for(code))
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
