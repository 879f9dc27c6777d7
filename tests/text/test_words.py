"""Words fill sentences in, choose plurals, and write numbers, lists and names."""

import pytest

from bot.text.catalogue import Entry, TextError
from bot.text.languages import ENGLISH, JAPANESE, Language
from bot.text.words import Words, escape_name, words_for, words_of_locale


def words_of(language: Language = ENGLISH, **sentences: str | tuple[str, str]) -> Words:
    """Words of these sentences: a pair is one and other, and every field is called name or count."""
    return Words(language=language, entries={key: entry_of(key, said) for key, said in sentences.items()})


def entry_of(key: str, said: str | tuple[str, str]) -> Entry:
    one, other = said if isinstance(said, tuple) else (None, said)
    fields = {name for name in ("name", "count", "key") if f"{{{name}}}" in other} | ({"count"} if one else set())
    forms = {"one": one} if one else {}
    return Entry(place=f"en/x.toml: {key}", other=other, forms=forms, plural=bool(forms), fields=frozenset(fields))


def test_values_are_inserted_verbatim() -> None:
    words = words_of(hello="{{{name}}} has {count}")
    assert words("hello", name="{count} 12,5", count=12345) == "{{count} 12,5} has 12345"


def test_a_field_may_be_called_key() -> None:
    assert words_of(hello="it is {key}")("hello", key="K") == "it is K"


def test_an_unknown_key_is_a_programming_error() -> None:
    with pytest.raises(TextError, match=r"^en: no sentence hallo$"):
        words_of(hello="hello")("hallo")


def test_a_missing_value_is_a_programming_error() -> None:
    with pytest.raises(TextError, match=r"^en/x.toml: hello: takes \['name'\], was given \[\]$"):
        words_of(hello="hello {name}")("hello")


def test_a_value_too_many_is_a_programming_error() -> None:
    with pytest.raises(TextError, match=r"takes \[\], was given \['name'\]$"):
        words_of(hello="hello")("hello", name="Ann")


@pytest.mark.parametrize(
    ("count", "said"), [(1, "a card"), (0, "0 cards"), (2, "2 cards"), (-1, "−1 cards"), (12345, "12,345 cards")]
)
def test_english_tells_one_from_many(count: int, said: str) -> None:
    assert words_of(cards=("a card", "{count} cards"))("cards", count=count) == said


def test_japanese_does_not() -> None:
    words = words_of(JAPANESE, cards=("一枚だけ", "{count}枚"))
    assert words("cards", count=1) == "1枚"


def test_a_count_is_a_whole_number() -> None:
    with pytest.raises(TextError, match="count is a whole number, not '1'"):
        words_of(cards=("a card", "{count} cards"))("cards", count="1")


def test_words_know_what_they_have() -> None:
    words = words_of(hello="hello")
    assert words.has("hello")
    assert not words.has("hallo")


@pytest.mark.parametrize(("number", "written"), [(0, "0"), (999, "999"), (12345, "12,345"), (-12345, "−12,345")])
def test_numbers_are_grouped(number: int, written: str) -> None:
    assert words_of().number(number) == written


@pytest.mark.parametrize(("number", "written"), [(12, "+12"), (-12, "−12"), (0, "0"), (1234, "+1,234")])
def test_signed_numbers_have_a_sign(number: int, written: str) -> None:
    assert words_of().signed(number) == written


def test_each_language_has_its_own_zero_among_signed_numbers() -> None:
    assert [words_for(code).signed(0) for code in ("en", "ja")] == ["0", "±0"]


@pytest.mark.parametrize(("number", "written"), [(1.5, "+1.50"), (-1234.5, "−1,234.50"), (0.0, "+0.00")])
def test_decimals_have_a_sign_and_a_fixed_length(number: float, written: str) -> None:
    assert words_of().signed_decimal(number, decimals=2) == written


@pytest.mark.parametrize(
    ("things", "english", "japanese"),
    [([], "", ""), (["A"], "A", "A"), (["A", "B"], "A and B", "A、B"), (["A", "B", "C"], "A, B and C", "A、B、C")],
)
def test_lists_read_as_lists(things: list[str], english: str, japanese: str) -> None:
    assert words_of(ENGLISH).list(things) == english
    assert words_of(JAPANESE).list(things) == japanese


def test_the_words_of_a_language_are_made_once() -> None:
    assert words_for("ja") is words_for("ja")
    assert (words_for("ja").language, words_for("en").language) == (JAPANESE, ENGLISH)


def test_a_code_that_is_not_spoken_here_any_more_reads_english() -> None:
    assert words_for("tlh") is words_for("en")


def test_people_read_the_language_of_their_discord() -> None:
    assert words_of_locale("ja") is words_for("ja")
    assert words_of_locale("pt-BR") is words_for("en")


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("Ann Lee-Smith (大阪) 山田#1", "Ann Lee-Smith (大阪) 山田#1"),
        ("*_~|`\\", "\\*\\_\\~\\|\\`\\\\"),
        ("[a](https://b.c)", "\\[a\\](https\\://b.c)"),
        ("# big", "\\# big"),
        ("-# small", "\\-# small"),
        ("> quote", "\\> quote"),
        ("@everyone", "@\u200beveryone"),
        ("<@123> <#4> <:a:5>", "\\<@\u200b123> \\<#4> \\<\\:a\\:5>"),
        ("two\nlines\t and  gaps ", "two lines and gaps"),
        ("\u202eevil\u202c", "evil"),
    ],
)
def test_a_name_is_printed_as_it_is(name: str, printed: str) -> None:
    assert escape_name(name) == printed
