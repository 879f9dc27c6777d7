"""Every refusal of the rules has a sentence in every language."""

import re

import pytest

from bot.model.reasons import PlayReason
from bot.pure.ofc.cards import EMPTY, parse_cards
from bot.pure.ofc.placement import check_placement
from bot.pure.ofc.refusals import Reason, Refused
from bot.text.catalogue import Entry
from bot.text.languages import ENGLISH, LANGUAGES
from bot.text.refusals import refusal
from bot.text.words import Words, words_for

DETAILS: dict[Reason, dict[str, int | str]] = {
    Reason.WRONG_COUNT: {"to_place": 2, "discard": 1},
    Reason.ROW_FULL: {"row": "front", "size": 3},
}


def said(letters: str, words: Words) -> str:
    """The sentence for a placement of five cards that is refused."""
    with pytest.raises(Refused) as refused:
        check_placement(EMPTY, parse_cards("AsKsQsJsTs"), letters, to_place=5)
    return refusal(refused.value, words)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_a_sentence(language: str) -> None:
    words = words_for(language)
    said = {refusal(Refused(reason, **DETAILS.get(reason, {})), words) for reason in Reason}
    assert len(said) == len(Reason)
    assert all(said)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_of_play_has_a_sentence(language: str) -> None:
    words = words_for(language)
    assert [
        reason for kind in PlayReason.__subclasses__() for reason in kind if not words.has(f"refused.{reason.value}")
    ] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_full_row_is_named_in_the_language(language: str) -> None:
    words = words_for(language)
    assert words("row.front") in said("FFFFB", words)
    assert "3" in said("FFFFB", words)


def test_a_wrong_number_of_cards_says_the_right_one() -> None:
    assert said("FFFBD", words_for("en")).endswith("Place 5 and discard 0.")


def test_numbers_in_a_refusal_are_written_out() -> None:
    entry = Entry(place="", other="It costs {need}.", fields=frozenset({"need"}))
    words = Words(language=ENGLISH, entries={"refused.hand_over": entry})
    assert refusal(Refused(Reason.HAND_OVER, need=12345), words) == "It costs 12,345."


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_is_at_no_table_reads_the_same_on_the_page_and_in_discord(language: str) -> None:
    entries = words_for(language).entries
    on_page, refused = (re.split(r"[.。]", entries[key].other)[0] for key in ("page.find_one", "refused.not_at_table"))
    assert on_page == refused


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_names_commands_and_no_button_of_a_message_that_may_be_in_another_language(language: str) -> None:
    """Commands have the same names for everyone, but a table's buttons are in the table's language."""
    words = words_for(language)
    buttons = {entry.other for key, entry in words.entries.items() if re.search(r"(^|\.)button\.", key)}
    private = {key: entry for key, entry in words.entries.items() if key.startswith(("refused.", "gate."))}
    named = {key: set(re.findall(r"\*\*(.+?)\*\*", entry.other)) & buttons for key, entry in private.items()}
    assert {key: found for key, found in named.items() if found} == {}
