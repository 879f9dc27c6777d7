"""The built page in the wheel: up to date with its sources, small, and without external resources."""

from __future__ import annotations

import gzip
import io
import json
import re
import shutil
import subprocess
from pathlib import Path
from urllib.parse import urljoin

import pytest
from PIL import Image

from bot.chat.art.app_icon import draw_icon
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from bot.web.addresses import FILES
from bot.web.files import DOCUMENTS, document, manifest, page_files
from bot.web.page_words import sent_words
from tests.page import APP, BUILT, DIGEST, ICONS, MADE, SDK, SOURCES, build, digest
from tests.sdk import bundle

MAX_GZIPPED_BYTES = 30_000
"""What the first card needs: the document, its style and the parts that it names."""
SDK_NAME = "@discord/embedded-app-sdk"
SCRIPTS = [path for path in SOURCES.rglob("*.js") if not {"node_modules", "sdk"} & set(path.relative_to(SOURCES).parts)]


@pytest.mark.parametrize("path", MADE, ids=lambda path: path.name)
def test_what_is_made_is_what_the_sources_make(path: Path) -> None:
    assert MADE[path]() == path.read_text(encoding="utf-8"), "run make page"


def test_the_page_was_built_from_its_sources() -> None:
    assert (BUILT / DIGEST).read_text(encoding="utf-8") == digest(), "run make page"


@pytest.mark.deep
def test_the_build_makes_the_same_page_again(tmp_path: Path) -> None:
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed: it comes with Node, and lets this test build the page anew")
    build(tmp_path)
    made, kept = ({path.name: path.read_bytes() for path in folder.iterdir()} for folder in (tmp_path, BUILT))
    assert made == kept, "run make page"


PAGE_KINDS = (".js", ".css", ".html")


def needed() -> list[str]:
    """The names of the files that the document asks for at once."""
    return [name for name in named_in("table.html") if name.endswith(PAGE_KINDS)]


def named_in(name: str) -> list[str]:
    """The names of all files that a document names."""
    return re.findall(r'(?:href|src)="api/1/files/([^"]+)"', document(name))


def texts() -> dict[str, str]:
    """The text of each file that isn't a picture."""
    return {name: file.text.decode() for name, file in page_files().items() if file.kind != "image/png"}


def test_what_the_first_card_needs_is_small() -> None:
    assert set(needed()) < page_files().keys()
    packed = sum(len(page_files()[name].packed) for name in needed())
    assert 10_000 < packed + len(gzip.compress(document("table.html").encode())) < MAX_GZIPPED_BYTES


def test_the_page_asks_nobody_else() -> None:
    for name, text in (texts() | {"table.html": document("table.html")}).items():
        addresses = set(re.findall(r"""(?:https?:)?//[\w.-]+\.\w+[^\s"'`]*""", text))
        assert addresses <= {"http://www.w3.org/2000/svg"}, name
        assert not re.search(r"\b(eval|Function|insertAdjacentHTML|document\.write)\b", text), name
        assert not re.search(r"\(\?<[=!]", text), "Safari reads no page with such a pattern before 16.4"
    for name in DOCUMENTS:
        assert not re.search(r"\s(on\w+|style)=", re.sub(r"<script.*?</script>", "", document(name), flags=re.DOTALL))


def test_files_are_named_by_what_is_in_them() -> None:
    """A name that stays while its file changes would keep browsers at the old one."""
    for name in page_files():
        assert re.fullmatch(r"\w+-[0-9a-f]{12}\.(?:js|css|html|png|webmanifest)", name)


def test_the_page_can_be_installed_and_nothing_else_can() -> None:
    """A phone keeps no login and no copy of the page, so a manifest and its icons are all that it needs."""
    shown = named_in("table.html")
    assert "{{manifest}}" in shown
    assert 'name="theme-color"' in document("table.html")
    saved = next(text for name, text in texts().items() if name.startswith("saved-"))
    for text in (document("activity.html"), saved):
        assert not re.search(r'rel="manifest"|apple-touch-icon', text)
    assert not any("serviceWorker" in text for text in texts().values())


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_manifest_is_in_the_readers_language_and_names_only_files_of_the_page(code: str) -> None:
    told = json.loads(page_files()[manifest(code)].text)
    words = words_for(code)
    assert (told["lang"], told["name"], told["short_name"]) == (code, words("page.app.name"), "Chaipo")
    at = urljoin("https://example.org/cards/table", FILES.removeprefix("/") + manifest(code))
    assert {urljoin(at, told[name]) for name in ("start_url", "scope")} == {"https://example.org/cards/table"}
    assert {urljoin(at, icon["src"]).rpartition("/")[2] for icon in told["icons"]} < page_files().keys()
    sizes = {(icon["sizes"], icon["purpose"]) for icon in told["icons"]}
    assert sizes == {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}


@pytest.mark.parametrize("name", ICONS)
def test_the_icons_are_drawn_by_the_bots_own_art(name: str) -> None:
    side, full = ICONS[name]
    drawn = Image.open(io.BytesIO(draw_icon(side, full=full)))
    kept = Image.open(APP / f"{name}.png")
    assert drawn.size == kept.size == (side, side)
    assert drawn.tobytes() == kept.tobytes(), "run make page"
    assert (kept.getchannel("A").getpixel((0, 0)) == 255) is full
    (built,) = (file for built, file in page_files().items() if built.startswith(f"{name}-"))
    assert built.text == (APP / f"{name}.png").read_bytes()


def test_the_page_for_discords_frame_is_the_same_with_discords_own_sdk() -> None:
    framed = document("activity.html")
    sdk = SDK.read_text(encoding="utf-8")
    notice = (SDK.parent / "notice.txt").read_text(encoding="utf-8")
    assert sdk in framed
    assert not any(sdk in text for text in texts().values())
    assert notice in framed, "its licence goes with it"
    assert "api/1/files" not in framed, "a frame without an origin loads no modules"
    version = json.loads((SDK.parent / "package.json").read_text(encoding="utf-8"))["dependencies"][SDK_NAME]
    assert f"({SDK_NAME} {version}), unchanged" in notice
    assert f'"{version}"' in sdk, "the SDK tells Discord its version"


def test_lit_htmls_licence_goes_with_it() -> None:
    notice = (BUILT / "notice.txt").read_text(encoding="utf-8")
    version = json.loads((SOURCES / "package.json").read_text(encoding="utf-8"))["dependencies"]["lit-html"]
    assert notice.startswith(f"The page's scripts contain lit-html {version}, unchanged")
    assert "BSD 3-Clause License\n\nCopyright (c) 2017 Google LLC." in notice
    told = [document("activity.html"), *texts().values()]
    assert sum("With lit-html, (c) 2017 Google LLC, BSD-3-Clause" in text for text in told) >= 3


@pytest.mark.parametrize("folder", [SOURCES, SDK.parent], ids=lambda folder: folder.name)
def test_what_the_page_is_built_with_is_pinned_and_names_no_registry(folder: Path) -> None:
    asked = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    lock = (folder / "package-lock.json").read_text(encoding="utf-8")
    packages = json.loads(lock)["packages"]
    for name, version in (asked["dependencies"] | asked["devDependencies"]).items():
        assert packages[f"node_modules/{name}"]["version"] == version
    assert all(one.get("integrity", "").startswith("sha512-") for name, one in packages.items() if name)
    assert not re.search(r'"resolved"|https?://(?!opencollective|github)', lock), "no address of a registry"


@pytest.mark.deep
def test_the_sdk_is_what_its_lock_file_makes() -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed: it comes with Node, and lets this test bundle the SDK anew")
    assert bundle(npm) == SDK.read_text(encoding="utf-8"), "run make sdk"


@pytest.mark.parametrize("code", ["en", "ja"])
def test_the_page_has_all_the_words_that_it_says(code: str) -> None:
    script = "\n".join(path.read_text(encoding="utf-8") for path in SCRIPTS)
    said = set(re.findall(r"\bwords\.(\w+)", script))
    told = sent_words(words_for(code))
    assert said == told.words.keys()
    assert len(set(told.cards.values())) == 54  # jokers are all called alike, and face down is one more
    shell = (SOURCES / "page.html").read_text(encoding="utf-8")
    assert not re.search(r">[^<>{}\s][^<>{}]*<", re.sub(r"<title.*?</title>", "", shell))
    assert not re.search(r">[A-Za-z][a-z]+ ?[a-z]*<", re.sub(r"//.*|/\*.*?\*/", "", script)), "a template has no words"


def test_the_types_of_the_page_are_right() -> None:
    compiler = SOURCES / "node_modules" / ".bin" / "tsc"
    if not compiler.exists():
        pytest.skip("the page's packages are not installed: npm ci in page/ lets this test check the page's types")
    done = subprocess.run([compiler, "-p", SOURCES / "jsconfig.json"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
