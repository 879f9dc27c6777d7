"""The documents' site: all links lead to pages that will be there, and broken links are found."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

import pytest

from bot.base.installation import HOME
from tests.site import MOUNTED, broken, linked, main, on_config

DOCS = HOME / "docs"
DOCUMENTS = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
PAGES = [
    *((name, name.replace(".md", ".html")) for name in sorted(DOCUMENTS) if ".ja." not in name),
    *((name, f"ja/{name.replace('.ja.md', '.html')}") for name in sorted(DOCUMENTS) if ".ja." in name),
    *((name, name.replace(".md", ".html")) for name in MOUNTED.values()),
]
"""Each document, and its page in its language's part of the site."""
SOURCES = {page: HOME / source for source, page in MOUNTED.items()}
WITHIN = re.compile(r"\]\((?!https?:|#)([^)\s#]+)")


@pytest.mark.parametrize(("document", "page"), PAGES)
def test_a_page_links_to_documents_of_its_language_and_to_pages_of_others(document: str, page: str) -> None:
    source = SOURCES.get(document, DOCS / document)
    text = linked(source.read_text(encoding="utf-8"), document=document, page=page, documents={*DOCUMENTS, *SOURCES})
    pages = {page for _, page in PAGES}
    for link in WITHIN.findall(text):
        if link.endswith(".html"):
            assert posixpath.normpath(posixpath.join(posixpath.dirname(page), link)) in pages
        else:
            target = posixpath.normpath(posixpath.join(posixpath.dirname(document), link))
            assert SOURCES.get(target, DOCS / target).exists()
            assert ".ja." not in link or page.startswith("ja/")


def test_twins_link_to_each_other_and_files_that_are_not_on_the_site_are_words() -> None:
    def shown(text: str, document: str, page: str) -> str:
        return linked(text, document=document, page=page, documents=DOCUMENTS)

    assert shown("[日本語](play.ja.md)", "play.md", "play.html") == "[日本語](ja/play.html)"
    assert shown("[English](players.md)", "players.ja.md", "ja/players.html") == "[English](../players.html)"
    assert shown("[`limits.py`](../tests/limits.py)", "wrong.md", "wrong.html") == "`limits.py`"
    # An untranslated page leads to translated ones, and to a heading where that is.
    assert shown("[here](hosting.md)", "capacity.md", "ja/capacity.html") == "[here](hosting.md)"
    assert shown("[it](hosting.md#x)", "capacity.md", "ja/capacity.html") == "[it](../hosting.html#x)"
    assert shown("[one](../rules.md)", "adr/0001.md", "ja/adr/0001.html") == "[one](../rules.md)"
    # Files of the root have other names on the site.
    assert shown("[it](../CHANGELOG.md)", "releasing.md", "releasing.html") == "[it](changelog.md)"
    assert (
        shown("[it](../../CONTRIBUTING.md#x)", "contribute/a.md", "contribute/a.html") == "[it](../contributing.md#x)"
    )
    assert shown("[it](docs/contribute/a.md)", "contributing.md", "contributing.html") == "[it](contribute/a.md)"
    assert shown("[it](docs/hosting.md#x)", "changelog.md", "ja/changelog.html") == "[it](../hosting.html#x)"
    assert shown("[it](SECURITY.md)", "contributing.md", "ja/contributing.html") == "[it](security.md)"
    assert shown("![a picture](images/a.png)", "play.md", "play.html") == "![a picture](images/a.png)"


def test_files_that_are_not_on_the_site_are_linked_in_the_repository_if_it_is_known() -> None:
    def shown(text: str, document: str) -> str:
        page = document.replace(".md", ".html")
        return linked(text, document=document, page=page, documents=DOCUMENTS, repository="https://example.org/it")

    assert shown("[`a.py`](../tests/a.py)", "wrong.md") == "[`a.py`](https://example.org/it/blob/main/tests/a.py)"
    assert shown("[terms](LICENSE)", "contributing.md") == "[terms](https://example.org/it/blob/main/LICENSE)"
    assert shown("[it](hosting.md)", "wrong.md") == "[it](hosting.md)"


def test_pages_can_be_edited_only_where_the_repository_is_known() -> None:
    assert on_config({"repo_url": "", "edit_uri": "edit/main/docs/"})["edit_uri"] is None
    known = {"repo_url": "https://example.org/it", "edit_uri": "edit/main/docs/"}
    assert on_config(known)["edit_uri"] == "edit/main/docs/"


def test_links_of_a_site_that_is_not_at_the_root_of_its_address_are_found(tmp_path: Path) -> None:
    (tmp_path / "404.html").write_text('<a href="/chaipo/a.html">a</a><a href="/a.html">a</a>', encoding="utf-8")
    (tmp_path / "a.html").write_text("<h1>a</h1>", encoding="utf-8")
    assert broken(tmp_path, root="/chaipo/") == (2, [])
    assert broken(tmp_path) == (2, ["404.html: /chaipo/a.html"])


def test_a_link_of_a_built_site_that_leads_nowhere_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "ja").mkdir()
    (tmp_path / "ja/a.html").write_text('<a href="../b.html#there">b</a>', encoding="utf-8")
    (tmp_path / "b.html").write_text('<h1 id="there">b</h1><a href="https://discord.com">d</a>', encoding="utf-8")
    assert broken(tmp_path) == (1, [])
    assert main([str(tmp_path)]) == 0
    (tmp_path / "b.html").write_text('<a href="gone.html">gone</a> <img src="gone.png">', encoding="utf-8")
    assert main([str(tmp_path)]) == 1
    told = capsys.readouterr().out
    assert "3 links, 3 broken" in told
    assert "b.html: gone.png" in told
    assert "ja/a.html: ../b.html#there" in told
