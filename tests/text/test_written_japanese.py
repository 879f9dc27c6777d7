"""The Japanese sentences are written Japanese: one word for one idea, short sentences, no English in between."""

import re

import pytest

from bot.text.catalogue import TEXTS
from bot.text.words import words_for

pytestmark = pytest.mark.prose

JA = words_for("ja")
SENTENCES = {
    key: entry.other
    for key, entry in JA.entries.items()
    if not entry.is_fallback and "also" not in key.split(".")  # words that people may type are never shown
}
BUTTONS = {key: words for key, words in words_for("en").entries.items() if ".button." in f".{key}"}

RETIRED = {
    "財布": "所持チップ",
    "持ち込み": "バイイン",
    "持ちチップ": "スタック",
    "返却": "キャッシュアウト",
    "通信対局": "じっくり",
    "長考": "じっくり",
    "ゆっくり": "のんびり",
    "対局": "対戦、プレイ",
    "出来役": "特殊役",
    "だれ": "誰",
    "大会": "イベント",
    "時間の数え方": "持ち時間の方式",
    "様子": "状態、詳細",
    "コンマ": "カンマ",
    "打つ": "置く",
    "置き終わり": "配置済み",
    "並べ終わり": "セット済み",
    "呼ぶ": "メンションでお知らせする",
    "ふたつ": "1つ、2つ",
    "ひとつ": "1つ、2つ",
    "告知": "公開、お知らせ",
    "デッキ": "山札",
    "ランキング": "順位表",
    "指紋": "フィンガープリント",
}
"""Words that are not used any more, and what the glossary says in their place."""

DOCS = TEXTS.parents[1] / "docs"
GUIDES = ("how-to", "tutorials")
DOCUMENTS = (
    "README.ja.md",
    *(
        f"docs/{name}.ja.md"
        for name in (
            "pineapple",
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
    *(f"docs/{folder}/{path.name}" for folder in GUIDES for path in sorted((DOCS / folder).glob("*.ja.md"))),
)
"""Documents that keep to the same words."""

MAX_SENTENCE_LENGTH = 60
"""Maximum characters per sentence, with placeholders as written in the file."""
LONG_SENTENCES: set[str] = set()
"""Keys of longer sentences, which show a whole command to type."""

LATIN_APART = re.compile(r"[ぁ-んァ-ヶ一-龠々ー、。）」] [A-Za-z0-9]|[A-Za-z0-9] [ぁ-んァ-ヶ一-龠（「]")
SPACED = {
    "option_cards",
    "bad_placement",
    "how_letters",
    "royalty_lines",
    "royalty_hint",
    "royalty_hint-aloud",
    "line_example",
}
"""Last parts of keys whose sentences show what is typed, spaces included."""


def sentences_of(text: str) -> list[str]:
    """A text cut where a sentence or a line ends."""
    return [part for part in re.split(r"(?<=[。！？])|\n", text) if part]


@pytest.mark.parametrize(("word", "instead"), RETIRED.items())
def test_words_that_were_retired_stand_nowhere(word: str, instead: str) -> None:
    assert [key for key, text in SENTENCES.items() if word in text] == [], instead


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_documents_are_written_in_the_same_words(document: str) -> None:
    text = (TEXTS.parents[1] / document).read_text(encoding="utf-8")
    prose = re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)", "", text, flags=re.DOTALL)
    assert [line for line in prose.splitlines() if LATIN_APART.search(line) or any(map(line.count, RETIRED))] == []


def test_the_glossary_lists_what_was_retired() -> None:
    lines = (TEXTS.parents[1] / "docs/glossary.md").read_text(encoding="utf-8").splitlines()
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("|")]
    listed = [row[2:] for row in rows if len(row) == 4]
    told = {word: {but for old, but in listed if word in old} for word in RETIRED}
    assert [word for word, instead in RETIRED.items() if not any(instead in but for but in told[word])] == []


def test_no_sentence_is_too_long_to_be_read_at_once() -> None:
    long = {
        key for key, text in SENTENCES.items() if any(len(part) > MAX_SENTENCE_LENGTH for part in sentences_of(text))
    }
    assert long == LONG_SENTENCES


def test_letters_and_figures_stand_without_spaces_between_japanese() -> None:
    prose = {key: re.sub(r"`/[^`]*`|/event 操作:", "`", text) for key, text in SENTENCES.items()}
    apart = {key for key, text in prose.items() if LATIN_APART.search(text) and key.split(".")[-1] not in SPACED}
    assert apart == set()


def test_no_sentence_names_a_button_in_english() -> None:
    labels = {entry.other for entry in BUTTONS.values() if "{" not in entry.other}
    assert len(labels) > 20
    named = {key: name for key, text in SENTENCES.items() for name in re.findall(r"\*\*([^*{]+)\*\*", text)}
    assert {key: name for key, name in named.items() if name in labels} == {}


def test_every_button_that_is_named_is_there() -> None:
    labels = {JA.entries[key].other for key in BUTTONS} | {JA.entries["gate.open_form"].other}
    sections = {text for key, text in SENTENCES.items() if key.startswith("event_form.sections.")}
    pressed = {
        name: key
        for key, text in SENTENCES.items()
        for name in re.findall(r"\*\*([^*{]+)\*\*(?:を押|で確認|で入力)", text)
    }
    assert {name for name in pressed if name not in labels | sections} == set()
    assert len(pressed) > 8


def test_nothing_stands_apart_behind_a_japanese_sign() -> None:
    apart = re.compile(r"[。、：！？）」](?:\*\*)? \S")
    assert apart.search("**得点：** 4点")
    assert [key for key, text in SENTENCES.items() if apart.search(text)] == []


def left_standing(text: str) -> list[str]:
    """Bold words that end in a sign before a letter: many readers of Markdown leave their stars standing."""
    plain = text.split("**")
    return [bold for bold, after in zip(plain[1::2], plain[2::2], strict=False) if after and ends_apart(bold, after)]


def ends_apart(bold: str, after: str) -> bool:
    return bold.endswith(tuple("。、：！？）」")) and after[0].isalnum()


def test_bold_words_end_before_their_sign() -> None:
    assert left_standing("**得点：**ロイヤリティ") == ["得点："]
    assert left_standing("**得点**：ロイヤリティ") == []
    assert {key: text for key, text in SENTENCES.items() if left_standing(text)} == {}


@pytest.mark.parametrize("key", ["bank.terms.form_hours", "season.monthly"])
def test_what_turns_by_utc_is_told_by_the_clock_of_japan(key: str) -> None:
    assert "日本時間" in SENTENCES[key]
