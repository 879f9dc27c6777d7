"""House rules have their words: every override, every value that it may take, and every reason for a refusal."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import bot.pure.ofc
from bot.pure.ofc.house_rules import house_variant, says_something
from bot.pure.ofc.overrides import OVERRIDES, POINTS_OF_HANDS
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.variants import VariantError
from bot.text.house_rules import current_value, house_items, override_name, override_text, problem_text, value_name
from bot.text.languages import LANGUAGES
from bot.text.words import words_for

EN = words_for("en")
JA = words_for("ja")
RULES = Path(bot.pure.ofc.__file__).parent


def problems() -> Iterator[tuple[str, frozenset[str]]]:
    """Every problem that the rules raise, with the names of its details."""
    for path in RULES.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == VariantError.__name__:
                (problem,) = node.args
                assert isinstance(problem, ast.Constant)
                yield str(problem.value), frozenset(detail.arg or "" for detail in node.keywords)


def problem_of(overrides: dict[str, str], preset: str = "pineapple") -> VariantError:
    with pytest.raises(VariantError) as refused:
        house_variant(preset, overrides)
    return refused.value


def choices(key: str) -> list[str]:
    """The words that an override chooses from; none where it takes numbers."""
    details = problem_of({key: "?"}).details
    return str(details["choices"]).split(", ") if "choices" in details else []


CHOICES = {key: choices(key) for key in OVERRIDES}


def test_every_problem_has_a_sentence_and_no_other_has() -> None:
    sentences = {
        (key.removeprefix("house.problem."), entry.fields)
        for key, entry in EN.entries.items()
        if key.startswith("house.problem.")
    }
    assert sentences == set(problems())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_problem_names_what_was_written(language: str) -> None:
    said = problem_text(problem_of({"seats": "*many*"}), words_for(language))
    for part in ("\\*many\\*", "2", "8"):
        assert part in said


def test_a_deck_that_is_too_small_is_counted_out() -> None:
    assert problem_text(problem_of({"seats": "4"}), EN).startswith("4 players may need 68 cards, and the deck has 52.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_override_has_a_name_of_its_own(language: str) -> None:
    names = [override_name(key, words_for(language)) for key in OVERRIDES]
    assert len(set(names)) == len(OVERRIDES)


def test_no_override_is_named_that_there_is_not() -> None:
    named = {key.removeprefix("house.override.") for key in EN.entries if key.startswith("house.override.")}
    assert named == {key.replace(".", "_") for key in OVERRIDES if not key.startswith(POINTS_OF_HANDS)}


@pytest.mark.parametrize(
    ("key", "english", "japanese"),
    [
        ("royalty.front.66", "Royalty: front 66", "上段の66のロイヤリティ"),
        ("royalty.front.AAA", "Royalty: front AAA", "上段のAAAのロイヤリティ"),
        ("royalty.back.royal_flush", "Royalty: back royal flush", "下段のロイヤルフラッシュのロイヤリティ"),
        ("royalty.low.9", "Royalty: middle 9-low", "中段の9ローのロイヤリティ"),
        ("royalty.low.7-5-4-3-2", "Royalty: middle 7-5-4-3-2 low", "中段の7-5-4-3-2ローのロイヤリティ"),
        (
            "row.back.four_of_a_kind",
            "Row points: back four of a kind",
            "下段にフォーカードで勝ったときの点",
        ),
        ("natural.six_pairs", "Natural: six pairs", "特殊役「シックスペア（六対子）」の点"),
    ],
)
def test_royalties_are_named_by_row_and_hand(key: str, english: str, japanese: str) -> None:
    assert override_name(key, EN) == english
    assert override_name(key, JA) == japanese


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", [key for key, words in CHOICES.items() if words])
def test_every_choice_of_an_override_has_words_of_its_own(key: str, language: str) -> None:
    words = words_for(language)
    said = {choice: value_name(key, choice, words) for choice in CHOICES[key]}
    assert len(set(said.values())) == len(said)
    left_as_they_are = {choice for choice, name in said.items() if name == choice}
    assert [choice for choice in left_as_they_are if not words.has(f"house.value.{choice}")] == []


def test_no_value_is_idle() -> None:
    named = {key.removeprefix("house.value.") for key in EN.entries if key.startswith("house.value.")}
    assert named - {choice for words in CHOICES.values() for choice in words} == set()


@pytest.mark.parametrize(
    ("key", "value", "english", "japanese"),
    [
        ("seats", "3", "3", "3"),
        ("row_point", "1", "1 point", "1点"),
        ("royalty.back.flush", "5", "5 points", "5点"),
        ("row.back.flush", "5", "5 points", "5点"),
        ("natural.six_pairs", "5", "5 points", "5点"),
        ("order", "first_together", "first street all at once, then in turn", "ストリート1だけ同時に置く"),
        ("fantasyland.entry", "KK", "KK or better", "KK以上"),
        ("fantasyland.entry", "TT", "10-10 or better", "10-10以上"),
        ("fantasyland.entry", "trips", "three of a kind", "スリーカード"),
        ("fantasyland.cards", "14", "14 cards", "14枚"),
        (
            "fantasyland.cards",
            "14, 15,16,17",
            "QQ 14, KK 15, AA 16 and three of a kind 17",
            "QQ 14、KK 15、AA 16、スリーカード 17",
        ),
        ("fantasyland.stay_middle", "none", "no hand", "なし"),
        ("fantasyland.stay_middle", "full_house", "full house or better", "フルハウス以上"),
        ("fantasyland.cards", "14,15", "14,15", "14,15"),
        ("jokers", "many", "many", "many"),
    ],
)
def test_values_are_said_in_words(key: str, value: str, english: str, japanese: str) -> None:
    assert value_name(key, value, EN) == english
    assert value_name(key, value, JA) == japanese


@pytest.mark.parametrize(
    ("preset", "overrides", "said"),
    [
        ("pineapple", {}, "QQ 14, KK 15, AA 16 and three of a kind 17"),
        ("pineapple", {"fantasyland.entry": "KK"}, "KK 15, AA 16 and three of a kind 17"),
        ("pineapple", {"fantasyland.entry": "trips"}, "three of a kind 17"),
        ("pineapple", {"fantasyland.entry": "22"}, "22–QQ 14, KK 15, AA 16 and three of a kind 17"),
    ],
)
def test_cards_in_fantasyland_are_named_by_what_enters(preset: str, overrides: dict[str, str], said: str) -> None:
    game = house_variant(preset, {**overrides, "fantasyland.cards": "14,15,16,17"})
    assert house_items(game, EN)[-1] == f"**Cards in Fantasyland**: {said}"


def test_a_rule_is_told_whether_it_was_changed_or_not() -> None:
    house = house_variant("pineapple", {"fantasyland.entry": "KK"})
    assert current_value(house, "fantasyland.entry", EN) == "KK or better"
    assert current_value(PRESETS["pineapple"], "fantasyland.entry", EN) == "QQ or better"
    assert current_value(PRESETS["progressive"], "fantasyland.cards", EN).startswith("QQ 14, KK 15")
    assert current_value(house, "scoop_bonus", EN) == "3 points"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_of_every_game_has_a_value_that_fits_a_menu(language: str) -> None:
    words = words_for(language)
    for game in PRESETS.values():
        for key in OVERRIDES:
            if says_something(game, key):
                assert 0 < len(current_value(game, key, words)) <= 100


def test_royalties_that_fall_are_named_by_row_and_hands() -> None:
    error = problem_of({"royalty.back.royal_flush": "60"}, "joker_pineapple")
    assert "royal flush (back) pays 60 and five of a kind only 50" in problem_text(error, EN)
    assert "下段ではロイヤルフラッシュが60点、それより強いファイブカードが50点" in problem_text(error, JA)
    pairs = problem_of({"royalty.front.AA": "30"}, "joker_pineapple")
    assert "AA (front) pays 30 and 222 only 10" in problem_text(pairs, EN)


def test_an_override_is_said_in_one_line() -> None:
    assert override_text("discards", "open", EN) == "**Discards**: face up"
    assert override_text("discards", "open", JA) == "**捨て札**：公開する"
