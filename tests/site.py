"""MkDocs hooks for the site that ``make site`` builds, and a check of the built site's links.

``python -m tests.site FOLDER`` lists the broken links of a built site.

Documents are written for the repository. On the site, translations are in another folder, and only the documents and
``MOUNTED`` are there.
"""

from __future__ import annotations

import os
import posixpath
import re
import sys
from collections.abc import Collection, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

from typing_extensions import override

MOUNTED = {
    "CHANGELOG.md": "changelog.md",
    "CODE_OF_CONDUCT.md": "code-of-conduct.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}
"""Files of the repository's root that are pages of the site, and their names there."""
_SOURCES = {page: source for source, page in MOUNTED.items()}
_LINK = re.compile(r"(?<!!)\[((?:`[^`]*`|[^\]\[`])*)\]\(([^)\s]+)\)")
_TWIN = re.compile(r"^(.+?)(?:\.([a-z]{2}))?\.md$")


class File(Protocol):
    """A page's file in MkDocs: the document, and the page's place on the site."""

    src_uri: str
    dest_uri: str


class Page(Protocol):
    """A page of MkDocs."""

    file: File
    edit_url: str | None


def on_config(config: Any) -> Any:
    """Hook: leave out links for editing if the repository's address isn't known."""
    if not config["repo_url"]:
        config["edit_uri"] = None
    return config


def on_files(files: Any, config: Any) -> Any:
    """Hook: add the pages of ``MOUNTED``, whose text ``on_page_read_source`` reads."""
    from mkdocs.structure.files import File as MkDocsFile

    for name in _SOURCES:
        files.append(MkDocsFile(name, config.docs_dir, config.site_dir, config.use_directory_urls))
    return files


def on_page_read_source(page: Page, config: Mapping[str, Any]) -> str | None:
    """Hook: return the text of a page of ``MOUNTED``; None for pages that MkDocs reads."""
    source = _SOURCES.get(page.file.src_uri)
    return None if source is None else (Path(config["docs_dir"]).parent / source).read_text(encoding="utf-8")


def on_page_markdown(markdown: str, page: Page, config: Mapping[str, Any], files: object) -> str:
    """Hook: return a page's text with the links that it needs on the site."""
    document = page.file.src_uri
    if page.edit_url and document in _SOURCES:
        page.edit_url = page.edit_url.removesuffix(f"docs/{document}") + _SOURCES[document]
    docs = Path(config["docs_dir"])
    documents = {path.relative_to(docs).as_posix() for path in docs.rglob("*.md")} | {*_SOURCES}
    repository = (config["repo_url"] or "").rstrip("/")
    return linked(markdown, document=document, page=page.file.dest_uri, documents=documents, repository=repository)


def linked(text: str, *, document: str, page: str, documents: Collection[str], repository: str = "") -> str:
    """Return a document with the links of its page.

    Links to files that aren't on the site lead to ``repository``, or become plain text if it's empty.
    """

    def replaced(found: re.Match[str]) -> str:
        words, link = found.groups()
        to = _target(link, document=document, page=page, documents=documents, repository=repository)
        return words if to is None else f"[{words}]({to})"

    return _LINK.sub(replaced, text)


def _target(link: str, *, document: str, page: str, documents: Collection[str], repository: str) -> str | None:
    """The link on the site; None if its file isn't there and there's no repository."""
    path, mark, anchor = link.partition("#")
    if not path or urlsplit(link).scheme:
        return link
    source = _SOURCES.get(document, f"docs/{document}")
    file = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
    if file not in MOUNTED and not file.startswith("docs/"):
        return f"{repository}/blob/main/{file}{mark}{anchor}" if repository else None
    uri = MOUNTED.get(file, file.removeprefix("docs/"))
    link = posixpath.relpath(uri, posixpath.dirname(document) or ".") + mark + anchor
    found = _TWIN.match(uri)
    if found is None:
        return link
    stem, language = found[1], found[2] or ""
    own, shown = (_TWIN.match(document) or found)[2] or "", _folder(page, document)
    is_there = f"{stem}.{shown}.md" in documents if shown else True
    # MkDocs links to the page in the language being built, which is right for untranslated pages.
    if language == shown or not is_there or (own == language and not anchor and own != shown):
        return link
    target = posixpath.join(language, f"{stem}.html")
    return posixpath.relpath(target, posixpath.dirname(page) or ".") + mark + anchor


def _folder(page: str, document: str) -> str:
    """The page's language folder on the site; empty for English."""
    found = _TWIN.match(document)
    assert found is not None
    return page.removesuffix(f"{found[1]}.html").rstrip("/")


class _Reader(HTMLParser):
    """Collects the ids and the links of a page."""

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


def broken(folder: Path, *, root: str = "/") -> tuple[int, list[str]]:
    """Return the number of links within a built site, and the broken ones. ``root`` is the path of its address."""
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
            to = (base / unquote(parts.path).removeprefix(root).lstrip("/")).resolve() if parts.path else path
            to = to / "index.html" if to.is_dir() else to
            if not to.exists() or (parts.fragment and to in pages and unquote(parts.fragment) not in pages[to].places):
                found.append(f"{path.relative_to(folder).as_posix()}: {link}")
    return count, found


def main(arguments: list[str]) -> int:
    """Print the broken links of a built site."""
    (folder,) = arguments
    count, found = broken(Path(folder), root=urlsplit(os.environ.get("SITE_URL", "")).path or "/")
    print(f"{count} links, {len(found)} broken", *found, sep="\n  ")
    return 1 if found or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
