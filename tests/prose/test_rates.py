"""English that reads as translated doesn't become more frequent."""

from pathlib import Path

import pytest

from bot.base.installation import HOME
from tests.prose.baseline import measured, read
from tests.prose.markers import ANYWHERE, LONG, OPENINGS, Tally, markers_in, tally, worse
from tests.prose.texts import texts_of

EXAMPLES = {
    "question word": ("What is drawn.", "The drawing."),
    "fragment": ("Of all tables the newest.", "The newest table."),
    "what is": ("Return the size of what is drawn.", "Return the size of the drawing."),
    "somebody": ("Somebody left.", "A player left."),
    "whom": ("A player whom it concerns.", "The player concerned."),
    "stands": ("The name stands in the first line.", "The name is in the first line."),
    "beside": ("A button beside the name.", "A button next to the name."),
    "alone": ("For organisers alone.", "Only for organisers."),
    "is told": ("The table is told of it.", "The table is notified."),
    "colon for because": ("It waits: it has no thread.", "It waits because it has no thread."),
    "of its own": ("A line of its own.", "A separate line."),
    "one as a person": ("One can undo this.", "You can undo this."),
    "archaic": ("Draw the table anew.", "Redraw the table."),
    "in which": ("The row in which it is.", "The row that it's in."),
    "else": ("True if open, else the other.", "True if open."),
}


@pytest.mark.prose
def test_no_marker_has_become_more_frequent() -> None:
    now, before = measured(), read()
    assert now.keys() == before.keys()
    assert all(one.words > 100 for one in now.values()), "each kind of text was seen"
    found = {kind: risen for kind, one in now.items() if (risen := worse(one, before[kind]))}
    assert found == {}, "python -m tests.prose lists the texts; each marker has its old rate and its new one"


def test_every_marker_is_found_and_leaves_plain_english_alone() -> None:
    assert EXAMPLES.keys() == {*OPENINGS, *ANYWHERE}
    for marker, (bad, good) in EXAMPLES.items():
        assert marker in markers_in("code", bad), bad
        assert markers_in("code", good) == {}, good
    assert markers_in("documents", "What is a foul?") == {}


def test_a_long_sentence_is_found() -> None:
    assert markers_in("documents", "Word " * 28 + "word.") == {LONG: 1}
    assert markers_in("documents", "Word " * 27 + "word. " + "Word " * 27 + "word.") == {}


def test_texts_are_found_without_code_links_and_values(tmp_path: Path) -> None:
    files = {
        "bot/a.py": '"""A module."""\nX = 1\n"""A value."""\n# One\n# comment.\ny = 2  # Another one.\nz = "no text"\n',
        "cogs/b.py": 'def f() -> None:\n    """Call ``what is`` of :func:`x`."""\n',
        "docs/page.md": "# Title\n\nSee [it](what-is.md).\n\n```\nwhom\n```\n\n| A | B |\n| --- | --- |\n| c | d |\n",
        "docs/page.ja.md": "somebody",
        "CHANGELOG.md": "- Added: one.\n- Added: two.\n",
        "data/text/en/a.toml": 'one = "{name} plays."\nmany = { one = "A card", other = "{count} cards" }\n',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = {kind: sorted(texts) for kind, texts in texts_of(tmp_path).items()}
    assert found == {
        "code": ["A module.", "A value.", "Another one.", "Call CODE of CODE.", "One comment."],
        "documents": ["A", "B", "See it.", "c", "d"],
        "changelog": ["Added: one.", "Added: two."],
        "players": ["A card", "VALUE cards", "VALUE plays."],
    }


def test_the_texts_of_this_project_are_all_seen() -> None:
    texts = texts_of(HOME)
    assert any("reads as translated" in text for text in texts["documents"]), "docs/contribute/english.md"
    assert "English texts of the project, by kind, without code, links and values." not in texts["code"], "no tests"
    assert any(text.startswith("The catalogue of sentences") for text in texts["code"])
    assert "Join" in texts["players"]


def test_a_marker_gets_worse_only_with_more_hits_and_a_higher_rate() -> None:
    before = Tally(words=1000, hits={"beside": 2})
    assert worse(Tally(words=1000, hits={"beside": 3}), before) == {"beside": (2.0, 3.0)}
    assert worse(Tally(words=1000, hits={"alone": 1}), before) == {"alone": (0.0, 1.0)}
    assert worse(Tally(words=500, hits={"beside": 2}), before) == {}, "good text was deleted"
    assert worse(Tally(words=2000, hits={"beside": 3}), before) == {}, "good text was added"
    assert tally("code", ["A button beside it.", "What is drawn."]).hits == {"beside": 1, "question word": 1}
