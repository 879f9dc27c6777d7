"""The tutorial hand: its cards, its lessons, and every way through it."""

from itertools import product

import pytest

from bot.chat.kit.custom_ids import BUTTON_TEMPLATE, Draft, Press, decode
from bot.chat.kit.faces import Faces
from bot.chat.kit.fragments import text_length
from bot.chat.kit.widgets import Part
from bot.chat.table.screens.tutorial import (
    END,
    GAME,
    LESSONS,
    Remark,
    TutorialStep,
    board_before,
    parse_step,
    tutorial_screen,
)
from bot.model.ids import TableId
from bot.pure.ofc.cards import ROWS, card_name
from bot.pure.ofc.placement import RowOrder, check_placement, place, preview
from bot.pure.ofc.refusals import Refused
from bot.text.languages import LANGUAGES
from bot.text.words import words_for


def draft_of(letters: str) -> Draft:
    """A placement as a draft."""
    return tuple((number, letter) for number, letter in enumerate(letters) if letter != "D")


def check(street: int, letters: str) -> TutorialStep:
    """Return the step after Confirm with this placement."""
    return parse_step(Press(verb="learn", table=TableId(0), street=street, draft=draft_of(letters), argument="check"))


def placements(street: int) -> list[str]:
    """Every placement that the rules allow on a street."""
    lesson, deal = LESSONS[street - 1], GAME.streets[street - 1]
    found = []
    for letters in map("".join, product("FMBD", repeat=deal.deal)):
        try:
            check_placement(board_before(lesson), lesson.cards, letters, to_place=deal.to_place)
        except Refused:
            continue
        found.append(letters)
    return found


def buttons(step: TutorialStep, language: str = "en") -> list[Part]:
    """The enabled buttons of a step."""
    view = tutorial_screen(step, words_for(language), Faces())
    return [part for part in view.walk() if "custom_id" in part and not part["disabled"]]


def press_of(button: Part) -> Press:
    """The press of a button, as it comes back from Discord."""
    match = BUTTON_TEMPLATE.fullmatch(button["custom_id"])
    assert match
    return decode(match)


def text(step: TutorialStep, language: str = "en") -> str:
    """Return a step's text."""
    view = tutorial_screen(step, words_for(language), Faces())
    return "\n".join(part["content"] for part in view.walk() if "content" in part)


def test_the_hand_is_one_of_pineapple_and_deals_no_card_twice() -> None:
    dealt = [card for lesson in LESSONS for card in lesson.cards]
    assert len(set(dealt)) == len(dealt)
    assert [len(lesson.cards) for lesson in LESSONS] == [street.deal for street in GAME.streets]
    assert all(len(lesson.reasons) == len(lesson.cards) for lesson in LESSONS)


@pytest.mark.parametrize("last", LESSONS[-1].answers)
def test_whoever_follows_the_lessons_fouls_nothing_and_goes_to_fantasyland(last: str) -> None:
    rows, _ = place(board_before(LESSONS[-1]), LESSONS[-1].cards, last)
    end = preview(GAME, rows, fantasyland=0)
    assert end.order is RowOrder.LEGAL
    assert end.royalties == (7, 0, 4)
    assert end.next_fantasyland == 14


def test_what_the_lesson_on_discards_says_of_the_third_king_is_true() -> None:
    lesson = next(lesson for lesson in LESSONS if lesson.key == "discard")
    rows, _ = place(board_before(lesson), lesson.cards, "MBD")
    assert preview(GAME, rows, fantasyland=0).order is RowOrder.FOUL


@pytest.mark.parametrize("street", range(1, END))
def test_every_placement_goes_on_or_is_explained_and_loses_nothing(street: int) -> None:
    lesson = LESSONS[street - 1]
    for letters in placements(street):
        step = check(street, letters)
        if letters in lesson.answers:
            assert (step.street, step.remark) == (street + 1, Remark.WELL if street < END else Remark.NOTHING)
            continue
        assert (step.street, step.remark) == (street, Remark.ASTRAY)
        assert step.draft == draft_of(letters)
        for language in LANGUAGES:
            words = words_for(language)
            reasons = {lesson.reasons[number] for number in step.astray}
            assert reasons
            assert all(words(f"tutorial.{lesson.key}.why.{reason}") in text(step, language) for reason in reasons)
            assert text_length(tutorial_screen(step, words, Faces())) < 2000


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_hand_can_be_tapped_through_in_few_taps(language: str) -> None:
    step, taps = TutorialStep(), 0
    for lesson in LESSONS:
        for number, letter in enumerate(lesson.answers[0]):
            if letter == "D":
                continue
            if step.placement_draft.next_card != number:
                step, taps = parse_step(tapped(step, f"card_{number}")), taps + 1
            step, taps = parse_step(tapped(step, f"row_{letter}")), taps + 1
        step, taps = parse_step(tapped(step, "check")), taps + 1
    assert step.street == END
    assert taps <= 20
    assert {press_of(button).verb for button in buttons(step, language)} == {"practise", "open", "learn"}


def tapped(step: TutorialStep, does: str) -> Press:
    """The press of the enabled button that does this."""
    return next(press for press in map(press_of, buttons(step)) if press.argument == does)


def test_a_card_that_lies_astray_is_picked_up_and_placed_again() -> None:
    step = check(2, "FDM")
    step = parse_step(tapped(step, "card_0"))
    assert card_name(step.lesson.cards[step.placement_draft.next_card or 0]) == "Kc"
    step = parse_step(tapped(step, "row_M"))
    assert parse_step(tapped(step, "check")).remark is Remark.WELL


def test_each_step_can_be_skipped_and_so_can_the_whole_hand() -> None:
    step = TutorialStep()
    for street in range(2, END + 1):
        assert parse_step(tapped(step, "end")).street == END
        step = parse_step(tapped(step, "show"))
        assert (step.street, step.remark) == (street - 1, Remark.SHOWN)
        step = parse_step(tapped(step, "next"))
        assert (step.street, step.remark) == (street, Remark.NOTHING)
    assert sum(len(row) for row in step.rows) == sum(row.size for row in ROWS)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("street", range(1, END))
def test_the_answer_is_shown_with_its_reasons_and_without_praise(street: int, language: str) -> None:
    words, lesson = words_for(language), LESSONS[street - 1]
    shown = parse_step(tapped(TutorialStep(street=street), "show"))
    assert shown.placement_draft.letters == lesson.answers[0]
    told = text(shown, language)
    assert all(words(f"tutorial.{lesson.key}.why.{reason}") in told for reason in lesson.reasons)
    assert {press_of(button).argument for button in buttons(shown, language)} & {"check", "card_0", "row_B"} == set()
    after = text(parse_step(tapped(shown, "next")), language)
    assert "✅" not in after
    assert not any(words(f"tutorial.{one.key}.well") in after for one in LESSONS[:-1])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("letters", "key", "values"),
    [("BMBBB", "one_astray", {}), ("BMMMB", "some_astray", {"cards": 2}), ("FFMMM", "all_astray", {})],
)
def test_what_is_said_of_a_wrong_placement_fits_how_far_off_it_is(
    letters: str, key: str, values: dict[str, int], language: str
) -> None:
    words = words_for(language)
    told = text(check(1, letters), language)
    assert words(f"tutorial.{key}", **values) in told
    assert words("tutorial.confirm") not in told


def test_all_cards_of_a_street_are_taken_back_with_one_tap() -> None:
    step = parse_step(tapped(check(1, "FFMMM"), "clear"))
    assert (step.street, step.draft, step.remark) == (1, (), Remark.NOTHING)


@pytest.mark.parametrize(
    "press",
    [
        Press(verb="learn", table=TableId(0)),
        Press(verb="learn", table=TableId(7), street=99, argument="check"),
        Press(verb="learn", table=TableId(0), street=3, draft=((9, "F"), (9, "F")), chosen=30, argument="check"),
        Press(verb="learn", table=TableId(0), street=1, draft=((0, "F"), (1, "F"), (2, "F"), (3, "F"), (4, "F"))),
        Press(verb="learn", table=TableId(0), street=6, draft=((0, "D"), (1, "D"), (2, "D"))),
        Press(verb="learn", table=TableId(0), street=2, argument="card_9"),
    ],
)
def test_a_press_that_no_button_carries_leads_to_some_step(press: Press) -> None:
    step = parse_step(press)
    assert 1 <= step.street <= END
    for language in LANGUAGES:
        ids = [button["custom_id"] for button in buttons(step, language)]
        assert ids
        assert len(ids) == len(set(ids))
        assert all(len(one) <= 100 for one in ids)


def test_undo_stands_beside_the_rows_and_confirm_below_them_as_at_a_table() -> None:
    words = words_for("en")
    parts = tutorial_screen(TutorialStep(), words, Faces()).walk()
    labels = [part.get("label", "") for part in parts if "custom_id" in part]
    last_row = max(number for number, label in enumerate(labels) if label.endswith(" 0/5"))
    after = [words(f"button.{key}") for key in ("undo", "confirm", "clear")]
    assert labels[last_row + 1 : last_row + 4] == after
