"""Pages of choices: every row is drawn in every language, and each press changes the fields of its row and no other."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields
from typing import Any

import pytest

import bot.ui
from bot.model.choices import Wishes
from bot.ofc.refusals import Refused
from bot.text.languages import LANGUAGES
from bot.text.words import Words, words_for
from bot.ui.choice_page import REFUSED, ChoiceError, ChoicePage, PageState, Row, Switch, TypedRow, press_of
from bot.ui.custom_ids import BUTTON_TEMPLATE, SELECT_TEMPLATE, Press, decode
from bot.ui.faces import Faces
from bot.ui.server.settings import CALL_HOURS, SETTINGS, Beside, LocalTime
from bot.ui.widgets import Part, walk
from tests.discord.club import Club

Page = ChoicePage[Any, Any]
QUIET = Wishes(quiet_from=22, digest_at=9)
BESIDE = Beside(faces=Faces(), hears_of_tables=False, shares_hands=True, pages="text")
PAGES: list[tuple[Page, Any, Callable[[Any], Any]]] = [
    (SETTINGS, Wishes(), lambda wishes: BESIDE),
    (CALL_HOURS, QUIET, lambda wishes: LocalTime(zone=wishes.zone or "Asia/Tokyo", now=0)),
]
"""Each with a record in which all its rows are shown, and the context that follows from a record."""
TYPED = {"hours_written": "Europe/Berlin"}
"""A line for each form of one line."""
OTHERS: dict[str, list[Any]] = {"hours": [Wishes()]}
"""Further records of a page, from which a press changes fields that it leaves as they are in the first."""
each_page = pytest.mark.parametrize(("page", "record", "context"), PAGES, ids=lambda value: getattr(value, "key", ""))
each_language = pytest.mark.parametrize("words", [*map(words_for, LANGUAGES)], ids=LANGUAGES)


def declared(kind: type) -> Iterator[Any]:
    """Everything of a kind that a module of ``bot.ui`` declares."""
    for module in pkgutil.walk_packages(bot.ui.__path__, "bot.ui."):
        yield from (value for value in vars(importlib.import_module(module.name)).values() if isinstance(value, kind))


def drawn_from(record: Any, context: Callable[[Any], Any], words: Words, mark: str = "") -> PageState[Any, Any]:
    """The state of a page."""
    return PageState(record=record, context=context(record), words=words, mark=mark)


def controls(row: Row[Any, Any], state: PageState[Any, Any]) -> Iterator[tuple[Press, list[str]]]:
    """The presses that a row draws, each with the values of its menu."""
    drawn: list[Part] = [part for part in row.parts(state) if not isinstance(part, str)]
    for part in walk(drawn):
        if custom_id := str(part.get("custom_id", "")):
            match = BUTTON_TEMPLATE.fullmatch(custom_id) or SELECT_TEMPLATE.fullmatch(custom_id)
            assert match, custom_id
            yield decode(match), [option["value"] for option in part.get("options", [])]


def choices(row: Row[Any, Any], state: PageState[Any, Any]) -> Iterator[tuple[Press, Sequence[str]]]:
    """Everything that can be chosen in a row."""
    if isinstance(row, TypedRow):
        yield press_of(row.answer), [TYPED[row.answer]]
        return
    for press, options in controls(row, state):
        yield from ((press, [option]) for option in options) if options else iter([(press, ())])


def changed(before: Any, after: Any) -> set[str]:
    """The fields in which two records differ."""
    return {one.name for one in fields(before) if getattr(before, one.name) != getattr(after, one.name)}


def test_every_page_is_tried_here() -> None:
    assert {id(page) for page, _, _ in PAGES} == {id(page) for page in declared(ChoicePage)}


@each_page
@each_language
def test_every_row_is_drawn_and_no_two_controls_carry_the_same(
    page: Page, record: Any, context: Callable[[Any], Any], words: Words
) -> None:
    state = drawn_from(record, context, words)
    assert [row for row in page.rows if not (row.is_shown(state) and row.parts(state))] == []
    ids = [part["custom_id"] for part in page.screen(state).walk() if "custom_id" in part]
    assert len(ids) == len(set(ids)) >= len([row for row in page.rows if row.readers()])


@each_page
@each_language
def test_a_press_changes_the_fields_of_its_row_and_no_other(
    page: Page, record: Any, context: Callable[[Any], Any], words: Words
) -> None:
    routed, answered = page.readers(), 0
    for row in page.rows:
        seen: set[str] = set()
        for before in (record, *OTHERS.get(page.key, ())):
            state = drawn_from(before, context, words)
            for press, values in choices(row, state) if row.readers() and row.is_shown(state) else ():
                reader = routed[press.verb].get(press.argument) or routed[press.verb][""]
                change = reader(press, values, words)
                assert change is not None, (press, values)
                with suppress(ChoiceError):
                    after = change(before)
                    seen |= changed(before, after)
                    assert (after == before) == (row.parts(drawn_from(after, context, words)) == row.parts(state))
        assert seen == ({*row.fields} if row.readers() else set()), row
        answered += bool(row.readers())
    assert answered


@each_page
def test_a_forged_choice_is_none(page: Page, record: Any, context: Callable[[Any], Any]) -> None:
    words = words_for("en")
    state = drawn_from(record, context, words)
    menus = 0
    for row in page.rows:
        for press, options in controls(row, state):
            for reader in row.readers().values() if options else ():
                menus += 1
                assert [reader(press, forged, words) for forged in ((), ("klingon",), ("",))] == [None] * 3
    assert menus


@each_page
def test_a_menu_gets_another_id_with_each_choice_and_with_each_refusal(
    page: Page, record: Any, context: Callable[[Any], Any]
) -> None:
    def ids(record: Any, mark: str = "") -> set[str]:
        state = drawn_from(record, context, words_for("en"), mark)
        return {str(press) for press, options in controls(row, state) if options}

    state = drawn_from(record, context, words_for("en"))
    menus = 0
    for row in page.rows:
        for press, options in controls(row, state):
            for option in options:
                (reader,) = row.readers().values()
                change = reader(press, [option], state.words)
                assert change is not None
                menus += 1
                with suppress(ChoiceError):
                    after = change(record)
                    assert (after == record) == (ids(after) == ids(record))
            assert not options or ids(record).isdisjoint(ids(record, REFUSED))
    assert menus


def test_a_field_that_its_record_does_not_have_is_refused_where_it_is_declared() -> None:
    rows: list[Row[Wishes, None]] = [Switch(verb="x", key="settings.text", fields=("remindes",))]
    with pytest.raises(TypeError, match="remindes"):
        ChoicePage(of=Wishes, key="settings", rows=rows)


def test_a_time_zone_that_fits_none_is_refused_before_anything_is_written() -> None:
    (row,) = (row for row in CALL_HOURS.rows if isinstance(row, TypedRow))
    for typed in ("Atlantis", "new"):
        with pytest.raises((ChoiceError, Refused)):
            row.meant(typed, words_for("en"))


async def test_a_choice_is_judged_by_what_holds_when_it_is_written(club: Club) -> None:
    """The page was drawn before the hours changed elsewhere; its menu offers an hour that is refused by now."""
    guild, bob = club.key().guild, club.player("bob")
    await club.play.wish(guild, bob, lambda before: QUIET)
    settings = await club.slash("bob", "settings")
    hours = await club.tap("bob", settings, settings.find("hours"))
    drawn = [hours.find("quiet_until")["custom_id"]]
    await club.play.wish(guild, bob, lambda before: Wishes(quiet_from=10, quiet_until=8))
    held = await club.play.wishes(guild, bob)
    for _ in range(2):
        hours = await club.choose("bob", hours, hours.find("quiet_until"), ["10"])
        assert club.words("bob")("hours.quiet.same") in hours.text
        assert await club.play.wishes(guild, bob) == held
        drawn.append(hours.find("quiet_until")["custom_id"])
        assert drawn[-1] != drawn[-2], "a client keeps the refused hour in a menu whose id stays"
    await club.choose("bob", hours, hours.find("quiet_until"), ["11"])
    assert (await club.play.wishes(guild, bob)).quiet_until == 11
