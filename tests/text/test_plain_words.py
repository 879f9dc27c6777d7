"""English is said as players say it: words that are not used, short sentences, and one idea in each."""

import re
from collections.abc import Iterator

import pytest

from bot.text.catalogue import TEXTS
from bot.text.languages import LANGUAGES
from bot.text.words import words_for

pytestmark = pytest.mark.prose

ROOT = TEXTS.parents[1]

MAX_WORDS = 25
"""Words of one sentence."""

RETIRED = {
    "place, set or discard": r"\b(?:lays?|laid|laying)\b",
    "anyone who, players who, if you": r"\bwho(?:so)?ever\b",
    "players who, if you, no-shows": r"(?:^|[.:;!?]\s+|\*\*)Who\b",
    "everyone": r"\beverybody\b",
    "someone": r"\bsomebody\b",
    "no one": r"\bnobody\b",
    "anyone": r"\banybody\b",
    "they, them, their": r"\b(?:he|him|his|himself)\b",
    "you": r"\b(?:(?<!no )one (?:can|may|must)|in one's|on one's)\b",
    "per": r"\b(?:chips?|points?|hands?|seats?|minutes?|levels?|time|rounds?) an? "
    r"(?:point|hand|level|table|turn|player|round|break|minute|comparison)\b",
    "a number": r"\bso (?:many|long|much)\b",
    "time, start time": r"\b(?:the|its|that|what|which|no) hour\b",
    "again": r"\banew\b",
    "cancel": r"\bcall(?:s|ed|ing)? (?:\w+ )?off\b|\bcalled off\b",
    "refund": r"\b(?:paid|pays?|gets?) (?:\w+ )?(?:the fee )?back\b",
    "the dealer button, the player who acts last": r"\bdealer\b(?![\s\u00a0]button)",
    "can't, isn't, don't": r"\b(?:cannot|does not|do not|is not|are not|did not|has not|have not|was not|will not)\b",
    # "Whose turn it is at table 3" cannot be contracted.
    "you're, you've, it's, there's": r"\b(?:you are|you have (?:already|been)|there is|"
    r"(?<!turn )(?<!what )(?<!where )(?<!how )it is(?!\.|$))\b",
    "practice, which is a button, a command and what one plays": r"\bpractis\w*",
    "to act": r"\bto lay\b",
    "10": r"(?-i:(?<!')\bTT?\b)",
}
"""Words that the bot's sentences don't use, with their replacements."""

EXCEPTIONS: dict[str, str] = {
    "playground.page.rejected": "SimCord's own words, by which the translation finds them",
    "playground.page.uncertain": "the same",
    "playground.page.secrets": "the same",
    "playground.page.interrupted": "the same",
    "playground.page.commands_hidden": "the same",
    "playground.page.file_type": "the same",
    "playground.page.sure_to_delete": "the same",
}
"""Sentences that may use a retired word, by key, with the reason."""

LONG: dict[str, str] = {}
"""Sentences that may be longer, by key, with the reason."""

DOCS = TEXTS.parents[1] / "docs"
GUIDES = ("how-to", "tutorials")
DOCUMENTS = (
    "README.md",
    *(
        f"docs/{name}.md"
        for name in (
            "pineapple",
            "rules",
            "players",
            "tables",
            "wrong",
            "words",
            "servers",
            "events",
            "hosting",
            "tutorials/first-server",
            "how-to/back-up-and-restore",
            "how-to/change-the-key",
            "how-to/grow-past-100-servers",
            "how-to/host-as-a-service",
            "how-to/host-with-docker",
            "how-to/install-a-package",
            "how-to/monitor",
            "how-to/move-the-bot",
            "how-to/postgresql",
            "how-to/several-processes",
            "how-to/tables-in-the-browser",
            "how-to/upgrade",
            "reference",
        )
    ),
    "docs/glossary.md",
    *(
        f"docs/{folder}/{path.name}"
        for folder in GUIDES
        for path in sorted((DOCS / folder).glob("*.md"))
        if ".ja." not in path.name
    ),
)
"""Documents whose English prose follows the same rules."""
WORD_LIST = "## Words that are not used"
"""The end of the glossary, which names these words."""


def sentences() -> Iterator[tuple[str, str]]:
    """The key and the text of every sentence, each plural form separately.

    Everyday words that people may type are left out, because they are never shown.
    """
    for key, entry in words_for("en").entries.items():
        if "also" in key.split("."):
            continue
        for text in (entry.other, *entry.forms.values()):
            yield key, text


def plain(text: str) -> str:
    """The text without code and values, which are not its own words."""
    return re.sub(r"`[^`]*`", "`", re.sub(r"\{\w+\}", "X", text))


def test_every_exception_is_still_a_sentence() -> None:
    keys = {key for key, _ in sentences()}
    assert {*EXCEPTIONS, *LONG} - keys == set()


@pytest.mark.parametrize(
    ("text", "is_found"),
    [("It is your turn.", True), ("Shows whose turn it is at table 3.", False), ("See where it is now.", False)],
)
def test_what_cannot_be_contracted_is_left_as_it_is(text: str, *, is_found: bool) -> None:
    retired = re.compile(RETIRED["you're, you've, it's, there's"], re.IGNORECASE)
    assert bool(retired.search(text)) is is_found


@pytest.mark.parametrize("instead", RETIRED)
def test_a_word_that_is_not_used_stands_in_no_sentence(instead: str) -> None:
    retired = re.compile(RETIRED[instead], re.IGNORECASE | re.MULTILINE)
    found = {key: text for key, text in sentences() if key not in EXCEPTIONS and retired.search(plain(text))}
    assert found == {}, f"say: {instead}"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_word_that_is_not_used_stands_in_no_document(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    prose = re.sub(r"<!--.*?-->|```.*?```|`[^`]*`", "", text.split(WORD_LIST)[0], flags=re.DOTALL)
    assert prose.strip()
    for instead, pattern in RETIRED.items():
        retired = re.compile(pattern, re.IGNORECASE | re.MULTILINE)
        assert [line for line in prose.splitlines() if retired.search(line)] == [], f"say: {instead}"


def test_no_sentence_is_long() -> None:
    found = {}
    for key, text in sentences():
        for sentence in re.split(r"(?<=[.!?:])\s+|\n", plain(text)):
            if len(sentence.split()) > MAX_WORDS and key not in LONG:
                found[key] = sentence
    assert found == {}


def test_ideas_are_not_chained_with_semicolons() -> None:
    assert {key: text for key, text in sentences() if ";" in text and key not in EXCEPTIONS} == {}


COUNTDOWNS = frozenset({"when", "until", "from_now"})
"""Values that Discord shows as *in 5 seconds*, and as *5 seconds ago* once they have passed."""
TRUE_AFTERWARDS = re.compile(r"(?:[:：(（]\s?|⏳\s?|· |^|ended |time-out )\{(?:when|until|from_now)\}", re.MULTILINE)
"""Permitted positions of a time: after a colon, dot or hourglass, in brackets, at the start of a line, or after a
fitting noun."""
NOT_COUNTING = frozenset(
    {
        "event_form.hour",
        "event_form.hour_exact",
        "event_form.hour_from_now",
        "event_form.problem.unread_hour",
        "event_form.problem.no_clock",
        "root.restored",
    }
)
"""Sentences whose ``when`` is typed text or a past time."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_countdown_stands_where_it_is_true_once_it_has_passed(language: str) -> None:
    entries = {key: entry for key, entry in words_for(language).entries.items() if key not in NOT_COUNTING}
    told = {key: entry for key, entry in entries.items() if COUNTDOWNS & entry.fields}
    counting = {(key, text) for key, entry in told.items() for text in (entry.other, *entry.forms.values())}
    assert len(counting) > 10
    assert [(key, text) for key, text in counting if not TRUE_AFTERWARDS.search(text)] == []
