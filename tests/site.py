"""The links of the site that ``make site`` builds: MkDocs asks for them as a site has them.

``python -m tests.site FOLDER`` says which links of a built one lead nowhere.

A document links to its twin and to files of the repository. On the site the twin is in another folder, and those files
are not there.
"""

from __future__ import annotations

import posixpath
import re
import sys
from collections.abc import Collection, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

from typing_extensions import override

_LINK = re.compile(r"(?<!!)\[((?:`[^`]*`|[^\]\[`])*)\]\(([^)\s]+)\)")
_TWIN = re.compile(r"^(.+?)(?:\.([a-z]{2}))?\.md$")


class File(Protocol):
    """MkDocs' data about a page's file: the document, and the page's place on the site."""

    src_uri: str
    dest_uri: str


class Page(Protocol):
    """A page of MkDocs."""

    file: File


def on_page_markdown(markdown: str, page: Page, config: Mapping[str, Any], files: object) -> str:
    """MkDocs asks for the text of a page before it is drawn."""
    docs = Path(config["docs_dir"])
    documents = {path.relative_to(docs).as_posix() for path in docs.rglob("*.md")}
    return linked(markdown, document=page.file.src_uri, page=page.file.dest_uri, documents=documents)


def linked(text: str, *, document: str, page: str, documents: Collection[str]) -> str:
    """Return a document with its page's links. Links to files that aren't on the site become plain text."""

    def replaced(found: re.Match[str]) -> str:
        words, link = found.groups()
        to = _target(link, document=document, page=page, documents=documents)
        return words if to is None else f"[{words}]({to})"

    return _LINK.sub(replaced, text)


def _target(link: str, *, document: str, page: str, documents: Collection[str]) -> str | None:
    """Return a link's target on the site; None for a file that isn't on it."""
    path, mark, anchor = link.partition("#")
    if not path or urlsplit(link).scheme:
        return link
    uri = posixpath.normpath(posixpath.join(posixpath.dirname(document), path))
    if uri.startswith(".."):
        return None
    found = _TWIN.match(uri)
    if found is None:
        return link
    stem, language = found[1], found[2] or ""
    own, shown = (_TWIN.match(document) or found)[2] or "", _folder(page, document)
    is_there = f"{stem}.{shown}.md" in documents if shown else True
    # MkDocs leads to the page in the language that is being built, which is what an untranslated page wants.
    if language == shown or not is_there or (own == language and not anchor and own != shown):
        return link
    target = posixpath.join(language, f"{stem}.html")
    return posixpath.relpath(target, posixpath.dirname(page) or ".") + mark + anchor


def _folder(page: str, document: str) -> str:
    """Return the language folder of a page on the site; empty for the first language."""
    found = _TWIN.match(document)
    assert found is not None
    return page.removesuffix(f"{found[1]}.html").rstrip("/")


class _Reader(HTMLParser):
    """The places and the links of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.places: set[str] = set()
        self.links: list[str] = []

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value and name == "id":
                self.places.add(value)
            if value and name in ("href", "src"):
                self.links.append(value)


def broken(folder: Path) -> tuple[int, list[str]]:
    """Return the number of links within a built site, and those without a target."""
    folder = folder.resolve()
    pages = {}
    for path in sorted(folder.rglob("*.html")):
        pages[path] = _Reader()
        pages[path].feed(path.read_text(encoding="utf-8"))
    count, found = 0, []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            count += 1
            base = folder if parts.path.startswith("/") else path.parent
            to = (base / unquote(parts.path).lstrip("/")).resolve() if parts.path else path
            to = to / "index.html" if to.is_dir() else to
            if not to.exists() or (parts.fragment and to in pages and unquote(parts.fragment) not in pages[to].places):
                found.append(f"{path.relative_to(folder).as_posix()}: {link}")
    return count, found


def main(arguments: list[str]) -> int:
    """Say which links of a built site lead nowhere."""
    (folder,) = arguments
    count, found = broken(Path(folder))
    print(f"{count} links, {len(found)} of which lead nowhere", *found, sep="\n  ")
    return 1 if found or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
