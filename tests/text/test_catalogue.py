"""The catalogue is merged from its files, filled up with English, and every mistake in it is named by file and key."""

import tomllib
from pathlib import Path

import pytest

from bot.text.__main__ import report
from bot.text.catalogue import ALOUD, TEXTS, TextError, aloud, find_gaps, load_catalogue
from bot.text.durations import duration
from bot.text.languages import ENGLISH, JAPANESE, LANGUAGES
from bot.text.words import Words

BOTH = {"en": ENGLISH, "ja": JAPANESE}


def write(folder: Path, **files: str) -> Path:
    """A catalogue of two files: ``en`` and ``ja``, and any other named ``en_<file>`` or ``ja_<file>``."""
    for name, text in {"en": 'word = "a"', "ja": 'word = "あ"', **files}.items():
        language, _, file = name.partition("_")
        path = folder / language / f"{file or 'words'}.toml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def refusal(folder: Path) -> str:
    with pytest.raises(TextError) as refused:
        load_catalogue(folder, BOTH)
    return str(refused.value)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_section_stands_in_one_file(language: str) -> None:
    locations: dict[str, set[str]] = {}
    for path in (TEXTS / language).glob("*.toml"):
        for section in tomllib.loads(path.read_text(encoding="utf-8")):
            locations.setdefault(section, set()).add(path.name)
    split = {section: sorted(files) for section, files in locations.items() if len(files) > 1}
    # Reasons may be in the same file as the sentences of their screen.
    assert split.keys() <= {"refused"}


def japanese(folder: Path) -> Words:
    return Words(language=JAPANESE, entries=load_catalogue(folder, BOTH)["ja"])


def gaps(folder: Path) -> list[str]:
    return [f"{gap.kind.value}: {gap.text}" for gap in find_gaps(folder, BOTH)["ja"]]


@pytest.mark.prose
def test_every_language_has_every_sentence_and_no_other() -> None:
    assert [path.name for path in TEXTS.iterdir() if path.name not in LANGUAGES] == []
    found = [f"{code}: {gap.kind.value} {gap.text}" for code, gaps in find_gaps().items() for gap in gaps]
    assert found == [], "make languages lists them all"


def test_every_language_shows_the_same_sentences() -> None:
    shown = [{key for key in entries if not key.endswith(ALOUD)} for entries in load_catalogue().values()]
    assert len(shown[0]) > 2000
    assert all(keys == shown[0] for keys in shown)


def test_nested_tables_are_dotted_keys(tmp_path: Path) -> None:
    write(tmp_path, en='table.turn = "a"', ja='[table]\nturn = "あ"')
    assert list(load_catalogue(tmp_path, BOTH)["ja"]) == ["table.turn"]


def test_the_files_of_a_language_are_merged(tmp_path: Path) -> None:
    write(tmp_path, en_more='more = "b"', ja_other_file='more = "い"')
    assert load_catalogue(tmp_path, BOTH)["en"].keys() == {"word", "more"}


def test_a_key_in_two_files_is_refused(tmp_path: Path) -> None:
    write(tmp_path, en_more='word = "b"')
    assert refusal(tmp_path) == "en/words.toml: word: already defined in en/more.toml: word"


def test_a_sentence_that_japanese_lacks_is_english(tmp_path: Path) -> None:
    write(tmp_path, en='word = "a"\n[table]\nturn = "{name} is next"')
    assert japanese(tmp_path)("table.turn", name="Bob") == "Bob is next"
    assert japanese(tmp_path)("word") == "あ"
    assert gaps(tmp_path) == ["missing: en/words.toml: table.turn"]


def test_a_sentence_that_english_lacks_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, ja='word = "あ"\nmore = "い"\nmore-aloud = "う"')
    assert load_catalogue(tmp_path, BOTH)["ja"].keys() == {"word"}
    assert gaps(tmp_path) == ["unused: ja/words.toml: more", "unused: ja/words.toml: more-aloud"]


def test_a_sentence_that_takes_other_values_than_english_is_english(tmp_path: Path) -> None:
    write(tmp_path, en='word = "{seats} left"\nmore = "b"', ja='word = "あ"\nmore = "{seat}"')
    assert japanese(tmp_path)("word", seats=3) == "3 left"
    assert japanese(tmp_path)("more") == "b"
    assert gaps(tmp_path) == [
        "different: ja/words.toml: more: {seat} is unknown to en/words.toml: more",
        "different: ja/words.toml: word: {seats} of en/words.toml: word is missing",
    ]


def test_an_untranslated_sentence_counts_as_english_does(tmp_path: Path) -> None:
    write(tmp_path, en='word = "a"\ncards = { one = "a card", other = "{count} cards" }')
    assert [japanese(tmp_path)("cards", count=count) for count in (1, 2)] == ["a card", "2 cards"]
    assert japanese(tmp_path).language_of("cards") is ENGLISH
    assert japanese(tmp_path).language_of("word") is JAPANESE


def test_an_untranslated_sentence_brings_its_twin_along(tmp_path: Path) -> None:
    write(
        tmp_path,
        en='word = "a → b"\nword-aloud = "a, then b"\nmore = "c → d"\nmore-aloud = "c, then d"',
        ja='more = "⏳ え"',
    )
    heard = aloud(load_catalogue(tmp_path, BOTH)["ja"])
    assert heard["word"].other == "a, then b"
    assert heard["more"].other == "え", "a translation has the twins that it needs itself"
    assert gaps(tmp_path) == ["missing: en/words.toml: word"]


def test_a_twin_that_takes_other_values_than_its_sentence_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, en='word = "{a} → b"\nword-aloud = "{a}, then b"', ja='word-aloud = "{c}"')
    assert aloud(load_catalogue(tmp_path, BOTH)["ja"])["word"].other == "{a}, then b"
    assert gaps(tmp_path)[-1] == "different: ja/words.toml: word-aloud: {c} is unknown to en/words.toml: word"
    write(tmp_path, en='word = "b"', ja='word = "⏳ あ"\nword-aloud = "{c}"')
    assert aloud(load_catalogue(tmp_path, BOTH)["ja"])["word"].other == "あ"


def test_untranslated_units_are_kept_apart(tmp_path: Path) -> None:
    minutes = 'minutes = { one = "{count} minute", other = "{count} minutes" }'
    english = f'[duration]\n{minutes}\nhours = "{{count}} hours"'
    write(tmp_path, en=english)
    assert duration(9060, japanese(tmp_path)) == "2 hours 31 minutes"
    write(tmp_path, en=english, ja='[duration]\nhours = "{count}時間"')
    assert duration(9060, japanese(tmp_path)) == "2時間31 minutes"
    write(tmp_path, en=english, ja='[duration]\nminutes = "{count}分"\nhours = "{count}時間"')
    assert duration(9060, japanese(tmp_path)) == "2時間31分"


def test_the_report_counts_the_gaps_and_lists_them(tmp_path: Path) -> None:
    write(tmp_path, en='word = "a"\nmore = "b"', ja='word = "{seat}"\nother = "う"')
    assert [*report(find_gaps(tmp_path, BOTH))] == [
        "ja: 1 missing, 1 different, 1 unused",
        "  different  ja/words.toml: word: {seat} is unknown to en/words.toml: word",
        "  missing    en/words.toml: more",
        "  unused     ja/words.toml: other",
    ]


@pytest.mark.parametrize("blank", ["", " ", "\\n"])
def test_an_empty_sentence_is_refused(tmp_path: Path, blank: str) -> None:
    write(tmp_path, en=f'word = "{blank}"')
    assert refusal(tmp_path) == "en/words.toml: word: the sentence is empty"


def test_a_number_is_no_sentence(tmp_path: Path) -> None:
    write(tmp_path, en="word = 5")
    assert refusal(tmp_path) == "en/words.toml: word: 5 is not a sentence"


@pytest.mark.parametrize("field", ["{}", "{0}", "{a.b}", "{a[0]}", "{a!r}", "{a:>5}", "{a b}"])
def test_a_field_is_a_plain_name(tmp_path: Path, field: str) -> None:
    write(tmp_path, en=f'word = "{field}"')
    assert refusal(tmp_path) == "en/words.toml: word: a field is a plain name in braces, such as {name}"


def test_an_open_brace_is_refused(tmp_path: Path) -> None:
    write(tmp_path, en='word = "{a"')
    assert refusal(tmp_path).startswith("en/words.toml: word: ")


def test_a_language_without_files_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path) == f"{tmp_path / 'en'}: there are no sentences"


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    write(tmp_path, ja="word = ")
    assert refusal(tmp_path).startswith("ja/words.toml: ")


def test_a_key_with_a_dot_inside_quotes_is_refused(tmp_path: Path) -> None:
    write(tmp_path, en='"table.turn" = "a"')
    assert refusal(tmp_path) == "en/words.toml: table.turn: a key is made of a-z, 0-9, _ and -"


def test_the_japanese_of_a_plural_may_be_one_sentence(tmp_path: Path) -> None:
    write(tmp_path, en='word = { one = "a card", other = "{count} cards" }', ja='word = "{count}枚"')
    entry = load_catalogue(tmp_path, BOTH)["ja"]["word"]
    assert (entry.plural, entry.fields) == (True, frozenset({"count"}))


def test_a_field_only_in_the_singular_is_refused(tmp_path: Path) -> None:
    write(tmp_path, en='word = { one = "{name}: a card", other = "{count} cards" }', ja='word = "{count}枚"')
    assert refusal(tmp_path) == "en/words.toml: word: {name} is in one, but not in other"


def test_a_plural_where_all_numbers_are_said_alike_is_refused(tmp_path: Path) -> None:
    write(tmp_path, en='word = { one = "a", other = "b" }', ja='word = { one = "あ", other = "い" }')
    assert refusal(tmp_path) == "ja/words.toml: word: the plural forms of ja are other; here are one, other"


def test_one_and_other_with_more_beside_them_are_plain_keys(tmp_path: Path) -> None:
    text = 'way = { one = "a", other = "b", third = "c" }'
    write(tmp_path, en=text, ja=text)
    assert load_catalogue(tmp_path, BOTH)["en"].keys() == {"way.one", "way.other", "way.third"}
