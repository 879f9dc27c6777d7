"""Pages of choices: every row is drawn in every language, and each press changes the fields of its row and no other."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from typing import Any

import pytest

import bot.chat
from bot.chat.club.screens.bank import BANK, CLAIMS, LogChannels
from bot.chat.club.screens.posts.all_posts import ALL_POSTS, PostsContext
from bot.chat.club.screens.posts.forms import CLUB_PAGE, POST, Channels
from bot.chat.club.screens.seasons import SEASONS, SeasonContext
from bot.chat.club.screens.settings import CALL_HOURS, LocalTime, SettingsExtras
from bot.chat.club.screens.settings import PAGES as SETTINGS_PAGES
from bot.chat.club.screens.setup_forms import FORMS as SETUP_FORMS
from bot.chat.club.screens.setup_forms import LANGUAGE, ROLES, TABLES, SetupContext
from bot.chat.club.screens.streams import StreamUse
from bot.chat.kit.choice_form import ChoiceForm, FormRow
from bot.chat.kit.choice_page import (
    REFUSED,
    ChoiceError,
    ChoicePage,
    ChoiceRow,
    Menu,
    PageState,
    Switch,
    TypedRow,
    build_press,
)
from bot.chat.kit.custom_ids import BUTTON_TEMPLATE, SELECT_TEMPLATE, Press, decode
from bot.chat.kit.faces import Faces
from bot.chat.kit.modals import AnyField, FormChoice, FormField, FormPick, PickKind
from bot.chat.kit.widgets import Part, walk
from bot.model.bank import BankTerms, SeasonTerms
from bot.model.bulletins import Bulletin, BulletinKind
from bot.model.choices import MemberSettings, ServerSettings, StreamLink
from bot.model.clock import Pace
from bot.model.ids import Player
from bot.model.posts import Posts
from bot.model.standings import ClubPage
from bot.model.tables import HouseGame
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.refusals import Refused
from bot.text.languages import LANGUAGES
from bot.text.words import Words, words_for
from tests.discord.club import Club
from tests.discord.forms import settings_page

Page = ChoicePage[Any, Any]
QUIET = MemberSettings(quiet_from=22, digest_at=9)
STREAM = StreamUse(link=StreamLink(player=Player("1"), name="a1b2", locale="en-US", made_at=0), used_at=None)
BESIDE = SettingsExtras(faces=Faces(), hears_of_tables=False, shares_hands=True, pages="text", stream=STREAM)
PAGES: list[tuple[Page, Any, Callable[[Any], Any]]] = [
    *((page, MemberSettings(), lambda member_settings: BESIDE) for page in SETTINGS_PAGES),
    (CALL_HOURS, QUIET, lambda member_settings: LocalTime(zone=member_settings.zone or "Asia/Tokyo", now=0)),
]
"""Each page with a record for which all its rows are shown, and the context derived from it."""
CHANNEL, CLOSED, ROLE, FOREIGN_ROLE = 11, 12, 21, 22


def require_open(channel: int) -> None:
    """Refuse the channel that is closed to the bot."""
    if channel == CLOSED:
        raise ChoiceError("posts.no_channel")


Form = ChoiceForm[Any, Any]
HERE = SetupContext(
    game=PRESETS["pineapple"],
    manager=Player("1"),
    games=[HouseGame(name="Friday", variant=house_variant("pineapple", {"fantasyland.entry": "KK"}, name="Friday"))],
    channels=frozenset({CHANNEL}),
    roles=frozenset({ROLE, FOREIGN_ROLE}),
    may_give=lambda role: role == ROLE,
)
CHANNELS = Channels(known=frozenset({CHANNEL, CLOSED}), require=require_open)
SERVER = ServerSettings(
    pace=Pace.LIVE, turn_seconds=120, channels=(CHANNEL,), host_role=ROLE, zone="UTC", language="en"
)
SEASON_CONTEXT = SeasonContext(
    manager=Player("1"),
    start_chips=10_000,
    channels=frozenset({CHANNEL, CLOSED}),
    roles=frozenset({ROLE}),
    require_channel=require_open,
)
POSTS = Posts(channel=CHANNEL, standing=frozenset({"page"}), hour=8, weekday=6)
FORMS: list[tuple[Form, list[Any], Any]] = [
    *((form, [SERVER, replace(SERVER, told_role=ROLE, told_role_by=Player("1"))], HERE) for form in SETUP_FORMS),
    (BANK, [BankTerms()], LogChannels(known=frozenset({CHANNEL, CLOSED}), require=require_open)),
    (CLAIMS, [BankTerms()], LogChannels()),
    (SEASONS, [SeasonTerms(title="Champion")], SEASON_CONTEXT),
    (ALL_POSTS, [POSTS], PostsContext(zone="UTC", known=frozenset({CHANNEL, CLOSED}), require=require_open)),
    (CLUB_PAGE, [ClubPage(channel=CHANNEL)], CHANNELS),
    (POST, [Bulletin(kind=BulletinKind.RECAP, channel=CHANNEL), Bulletin(kind=BulletinKind.MORNING)], CHANNELS),
]
"""Each page with records that cover changes of every field. The first shows all rows."""
each_form = pytest.mark.parametrize(("form", "records", "context"), FORMS, ids=lambda value: getattr(value, "ask", ""))
TYPED_IN_FORMS = {
    words(key): typed
    for words in map(words_for, LANGUAGES)
    for key, typed in {
        "setup.form_point_value": ["", "25"],
        "setup.form_clock": ["", "3m", "live 5m", "ライブ", "none"],
        "hours.zone.form_field": ["", "Tokyo"],
        "bank.terms.form.refill_to": ["0", "2,500"],
        "bank.terms.form.bonus": ["100"],
        "bank.terms.form.transfer_cap": ["1000"],
        "bank.terms.form.transfer_fee": ["5", "5 %"],
        "bank.terms.form.bonus_hours": ["12"],
        "bank.terms.form.refill_hours": ["12"],
        "bank.terms.form.account_days": ["7"],
        "bank.terms.form.hands": ["20"],
        "season.title_field": ["", "Queen of the North"],
    }.items()
}
ONLY_WITH = {"puzzle": "morning,puzzle"}
"""An option that is refused without another one, and both."""
SAMPLE_LINES = {"hours_written": "Europe/Berlin"}
"""A valid line for the form of each ``TypedRow``, by the form's verb."""
OTHERS: dict[str, list[Any]] = {"hours": [MemberSettings()]}
"""Further records of a page, for fields that a press doesn't change in the first one."""
each_page = pytest.mark.parametrize(("page", "record", "context"), PAGES, ids=lambda value: getattr(value, "key", ""))
each_language = pytest.mark.parametrize("words", [*map(words_for, LANGUAGES)], ids=LANGUAGES)


def declared(kind: type) -> Iterator[Any]:
    """Everything of a kind that a module of ``bot.chat`` declares."""
    for module in pkgutil.walk_packages(bot.chat.__path__, "bot.chat."):
        yield from (value for value in vars(importlib.import_module(module.name)).values() if isinstance(value, kind))


def drawn_from(record: Any, context: Callable[[Any], Any], words: Words, mark: str = "") -> PageState[Any, Any]:
    """The state of a page."""
    return PageState(record=record, context=context(record), words=words, mark=mark)


def controls(row: ChoiceRow[Any, Any], state: PageState[Any, Any]) -> Iterator[tuple[Press, list[str]]]:
    """The presses that a row draws, each with the values of its menu."""
    drawn: list[Part] = [part for part in row.parts(state) if not isinstance(part, str)]
    for part in walk(drawn):
        if custom_id := str(part.get("custom_id", "")):
            match = BUTTON_TEMPLATE.fullmatch(custom_id) or SELECT_TEMPLATE.fullmatch(custom_id)
            assert match, custom_id
            yield decode(match), [option["value"] for option in part.get("options", [])]


def choices(row: ChoiceRow[Any, Any], state: PageState[Any, Any]) -> Iterator[tuple[Press, Sequence[str]]]:
    """Everything that can be chosen in a row."""
    if isinstance(row, TypedRow):
        lines = [SAMPLE_LINES[row.answer], *([""] if row.optional else [])]
        yield from ((build_press(row.answer), [line]) for line in lines)
        return
    for press, options in controls(row, state):
        yield from ((press, [option]) for option in options) if options else iter([(press, ())])


def changed(before: Any, after: Any) -> set[str]:
    """Return the fields in which two records differ."""
    return {one.name for one in fields(before) if getattr(before, one.name) != getattr(after, one.name)}


def test_every_page_is_tried_here() -> None:
    assert {id(page) for page, _, _ in PAGES} == {id(page) for page in declared(ChoicePage)}


def test_every_form_is_tried_here() -> None:
    assert {id(form) for form, _, _ in FORMS} == {id(form) for form in declared(ChoiceForm)}


def entries(field: AnyField) -> list[str]:
    """Return the possible entries of a field: each option or pick, none, all, or the lines of TYPED_IN_FORMS."""
    if isinstance(field, FormChoice):
        values = [ONLY_WITH.get(option.value, option.value) for option in field.options]
        return [*values, *(["", ",".join(values)] if field.several else [])]
    if isinstance(field, FormPick):
        return ["", str(ROLE if field.kind is PickKind.ROLE else CHANNEL)]
    return TYPED_IN_FORMS[field.label]


@each_form
@each_language
def test_a_field_of_a_form_changes_the_fields_of_its_row_and_no_other(
    form: Form, records: list[Any], context: Any, words: Words
) -> None:
    for row in form.rows:
        seen: set[str] = set()
        for record in records:
            state: PageState[Any, Any] = PageState(record=record, context=context, words=words)
            if not row.is_shown(state):
                continue
            field = row.draw(state)
            assert field.label
            for value in entries(field):
                after = row.read(value, state)(record)
                seen |= changed(record, after)
                drawn = row.draw(PageState(record=after, context=context, words=words))
                assert held_in(drawn) == held_in(field) or changed(record, after), value
        assert seen == {*row.fields}, row


@each_form
@each_language
def test_what_was_entered_is_in_the_form_the_next_time(
    form: Form, records: list[Any], context: Any, words: Words
) -> None:
    for record in records:
        state: PageState[Any, Any] = PageState(record=record, context=context, words=words)
        for row in form.shown(state):
            for value in entries(row.draw(state)):
                kept = row.read(value, state)(record)
                if kept == replace(POSTS, channel=None, standing=frozenset()):
                    continue  # a server without posts is offered all of them
                # The usual game of a server follows from the one that it has chosen.
                beside = replace(context, game=kept.game or context.game) if form is TABLES else context
                after: PageState[Any, Any] = replace(state, record=kept, context=beside)
                again: PageState[Any, Any] = replace(after, record=row.read(held_in(row.draw(after)), after)(kept))
                assert again.record == kept


@each_form
@each_language
def test_a_form_sent_as_it_is_changes_nothing(form: Form, records: list[Any], context: Any, words: Words) -> None:
    for record in records:
        state: PageState[Any, Any] = PageState(record=record, context=context, words=words)
        held = [held_in(field) for field in form.fields(state)]
        assert form.change(held, state)(record) == record
        sent = form.modal(state, form.fields(state)).to_dict()
        assert len(sent["components"]) == len(held) > 0


def held_in(field: AnyField) -> str:
    """Return a field's initial value."""
    if isinstance(field, FormChoice):
        return ",".join(option.value for option in field.options if option.default)
    if isinstance(field, FormPick):
        return ",".join(map(str, field.chosen))
    assert isinstance(field, FormField)
    return field.value


@pytest.mark.parametrize(
    ("form", "values"),
    [
        (TABLES, ["classic", "ten", "2m", "", "0"]),
        (TABLES, ["classic", "5", "live 3 days", "", "0"]),
        (TABLES, ["classic", "5", "soon", "", "0"]),
        (LANGUAGE, ["ja", "Atlantis", "1"]),
        (ROLES, ["", "", "0", str(FOREIGN_ROLE), ""]),
        (ROLES, ["", "", "1", "", "999"]),
        (BANK, ["500", "2000", "1,000", "five", ""]),
        (BANK, ["500", "2000", "0", "0", str(CLOSED)]),
        (SEASONS, ["1", "0", "", "", str(CLOSED)]),
        (ALL_POSTS, [str(CLOSED), "page", "8", "6", "chips"]),
        (ALL_POSTS, [str(CHANNEL), "puzzle", "8", "6", "chips"]),
        (ALL_POSTS, ["", "page", "8", "6", "chips"]),
        (CLUB_PAGE, [str(CLOSED), "hands", "week", "classic", ""]),
        (POST, [str(CLOSED), "8", "2", ""]),
    ],
    ids=lambda value: getattr(value, "ask", ""),
)
def test_a_form_with_one_bad_field_gives_no_record_to_write(form: Form, values: list[str]) -> None:
    ((records, context),) = ((records, context) for one, records, context in FORMS if one is form)
    state: PageState[Any, Any] = PageState(record=records[0], context=context, words=words_for("en"))
    assert form.change([held_in(field) for field in form.fields(state)], state)(records[0]) == records[0]
    with pytest.raises((ChoiceError, Refused)):
        form.change(values, state)(records[0])


def test_a_form_has_at_most_five_fields() -> None:
    row: FormRow[MemberSettings, None] = FormRow(
        fields=("language",), draw=lambda state: FormField(label="x"), read=lambda value, state: lambda before: before
    )
    assert ChoiceForm(of=MemberSettings, title="t", ask="a", answer="b", rows=[row] * 5)
    with pytest.raises(TypeError, match="5 fields"):
        ChoiceForm(of=MemberSettings, title="t", ask="a", answer="b", rows=[row] * 6)


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


def has_menus(page: Page) -> bool:
    """True if a page declares a menu."""
    return any(isinstance(row, Menu) for row in page.rows)


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
    assert bool(menus) is has_menus(page)


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
    assert bool(menus) is has_menus(page)


def test_a_field_that_its_record_does_not_have_is_refused_where_it_is_declared() -> None:
    rows: list[ChoiceRow[MemberSettings, None]] = [Switch(verb="x", key="settings.text", fields=("remindes",))]
    with pytest.raises(TypeError, match="remindes"):
        ChoicePage(of=MemberSettings, key="settings", rows=rows)


def test_a_time_zone_that_fits_none_is_refused_before_anything_is_written() -> None:
    (row,) = (row for row in CALL_HOURS.rows if isinstance(row, TypedRow))
    for typed in ("Atlantis", "new"):
        with pytest.raises((ChoiceError, Refused)):
            row.meant(typed, words_for("en"))


async def test_a_choice_is_judged_by_what_holds_when_it_is_written(club: Club) -> None:
    """The page was drawn before the hours changed elsewhere; its menu offers an hour that is refused by now."""
    guild, bob = club.key().guild, club.player("bob")
    await club.play.change_member_settings(guild, bob, lambda before: QUIET)
    settings = await settings_page(club, "bob", "hours")
    hours = await club.tap("bob", settings, settings.find("hours"))
    drawn = [hours.find("quiet_until")["custom_id"]]
    await club.play.change_member_settings(guild, bob, lambda before: MemberSettings(quiet_from=10, quiet_until=8))
    held = await club.play.member_settings(guild, bob)
    for _ in range(2):
        hours = await club.choose("bob", hours, hours.find("quiet_until"), ["10"])
        assert club.words("bob")("hours.quiet.same") in hours.text
        assert await club.play.member_settings(guild, bob) == held
        drawn.append(hours.find("quiet_until")["custom_id"])
        assert drawn[-1] != drawn[-2], "a client keeps the refused hour in a menu whose id stays"
    await club.choose("bob", hours, hours.find("quiet_until"), ["11"])
    assert (await club.play.member_settings(guild, bob)).quiet_until == 11
