"""The stored draft of an event, which can be read and drawn whatever has changed since."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any

import pytest
from discord import ui
from hypothesis import given
from hypothesis import strategies as st

from bot.chat.event.screens.draft.event_choices import (
    AS_KEPT,
    FORMS,
    KINDS,
    MANY_PLAYERS,
    START,
    TOPICS,
    EventChoices,
    choices_from_json,
    chosen_value,
    clamp_seats,
    form_fields,
    forms,
    longest,
    means_something,
    topic_fields,
    topics,
    with_channels,
    with_choice,
    with_game,
    with_hour,
    with_preset,
    with_role,
    with_written,
    written_value,
)
from bot.chat.event.screens.draft.form import form_screen, is_chosen, opens_at_once, rules_screen, section_form
from bot.chat.event.screens.draft.plan import build_plan, copied, played_game
from bot.chat.event.screens.draft.summary import FormPage, problem_sentence, section_name
from bot.chat.kit.bot_permissions import NEEDED_FOR_THREADS
from bot.chat.kit.fragments import MAX_TEXT_LENGTH, text_length
from bot.model.clock import LIMITS, Pace
from bot.model.ids import GuildId, Player
from bot.model.limits import MAX_EVENT_NAME_LENGTH
from bot.model.reasons import PlanReason, PlayReason, TableReason
from bot.model.tables import HouseGame
from bot.play.event.office.registration import Problem, problems
from bot.pure.event.pairings import Pairings
from bot.pure.event.scoring import Scoring
from bot.pure.event.structure import PRESETS, Family, Format, NoShow, Structure, StructureError, check
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import PRESETS as GAMES
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.settlement import WinCap
from bot.pure.ofc.variants import Variant, VariantError
from bot.text.event_structure import place_name, scoring_example
from bot.text.hours import ParsedTime, TimeDoubt
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from tests.discord.test_event_screen import event_of

NOW = 1_800_000_000_000
MAX_LABEL_LENGTH = 80
"""Characters of a button, as Discord takes them."""
LATE = [key for key, one in PRESETS.items() if one.format is Format.TOURNAMENT]
HOUR = ParsedTime(at_ms=NOW + 3_600_000)
PINEAPPLE = GAMES["pineapple"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def named(preset: str = "chaipo") -> EventChoices:
    """A sheet that can be published."""
    return with_hour(with_preset(EventChoices(name="Night"), preset), "in 1 hour", HOUR)


def found(choices: EventChoices, game: Variant = PINEAPPLE) -> list[Problem]:
    """Return the problems that keep a draft from being published."""
    plan = build_plan(choices, game, guild=GuildId(1), channel=2, organiser=Player("1096"), language="en", zone="UTC")
    return problems(plan, now=NOW)


def page_of(choices: EventChoices, **changes: Any) -> FormPage:
    usual: dict[str, Any] = {
        "choices": choices,
        "guild": GuildId(1),
        "organiser": Player("1096000000000000001"),
        "games": (),
        "game": played_game(choices, PINEAPPLE),
        "problems": found(choices),
        "zone": "America/Argentina/ComodRivadavia",
        "now": NOW,
    }
    return FormPage(**{**usual, **changes})


def written(choices: EventChoices, **values: str) -> EventChoices:
    """The sheet with these fields written; every one of them can be read."""
    changed = with_written(choices, list(values), list(values.values()))
    assert not changed.typed
    return changed


# kept and read again


@pytest.mark.parametrize("preset", PRESETS)
def test_a_sheet_is_read_again_as_it_was(preset: str) -> None:
    choices = written(named(preset), fee="500", payouts="50,30,20", titles="Champion\nSecond", series="Fridays")
    choices = with_role(with_choice(choices, "pace", "relaxed"), 1, 77)
    assert choices_from_json(choices.to_json()) == choices


@given(JSON)
def test_any_plain_values_are_a_sheet_or_none(values: Any) -> None:
    found = choices_from_json(values if isinstance(values, dict) else {"version": values})
    assert found is None


@given(st.data())
def test_a_sheet_with_one_value_damaged_begins_afresh_or_can_be_drawn(data: st.DataObject) -> None:
    values = named().to_json()
    where = data.draw(st.sampled_from(["sheet", "structure"]))
    target = values if where == "sheet" else values["structure"]
    target[data.draw(st.sampled_from(sorted(target)))] = data.draw(JSON)
    found = choices_from_json(values)
    if found is not None:
        assert choices_from_json(found.to_json()) == found
        assert form_screen(page_of(found), words_for("en"))


# changing it


def test_another_preset_keeps_the_prizes_and_the_place() -> None:
    choices = with_choice(written(named(), fee="500", added="100", titles="Champion"), "threads", "no")
    changed = with_preset(choices, "league")
    assert changed.form is Format.LEAGUE
    kept = changed.structure
    assert (kept.fee, kept.added, kept.titles, kept.threads) == (500, 100, ("Champion",), False)
    assert (changed.name, changed.starts_at) == ("Night", HOUR.at_ms)


@pytest.mark.parametrize(("game", "seats"), [("pineapple", 3), ("thirteen", 4), ("double_classic", 3)])
def test_tables_get_the_seats_that_the_game_allows(game: str, seats: int) -> None:
    changed = with_game(named("league"), game, GAMES[game])
    assert (changed.game, changed.structure.table_seats) == (game, seats)
    assert with_game(named("heads_up"), game, GAMES[game]).structure.table_seats == 2
    check(clamp_seats(changed, GAMES[game]).structure, GAMES[game])


@pytest.mark.parametrize(
    ("text", "number"), [("500", 500), ("10,000", 10_000), ("１０，０００", 10_000), ("1 000", 1000), ("", 0)]
)
def test_numbers_are_read_as_people_write_them(text: str, number: int) -> None:
    assert written(named(), stack=text).structure.stack == number


@pytest.mark.parametrize("text", ["50,100,200", "50 100 200", "50、100、200", "50 → 100 → 200", "５０, １００,２００"])
def test_lists_are_read_as_people_write_them(text: str) -> None:
    assert written(named(), levels=text).structure.levels == (50, 100, 200)


@pytest.mark.parametrize("text", ["many", "-5", "1.5", "1e9", "٣"])
def test_what_is_no_number_stays_as_it_was_and_is_named(text: str) -> None:
    before = named()
    after = with_written(before, ["stack", "levels", "fee"], [text, text, "5"])
    assert after == replace(written(before, fee="5"), typed={"stack": text, "levels": text})
    assert choices_from_json(json.loads(json.dumps(after.to_json()))) == after
    assert [written_value(after, name, words_for("en")) for name in ("stack", "levels", "fee")] == [text, text, "5"]
    assert with_written(after, ["stack", "levels"], ["500", "50"]) == written(before, fee="5", stack="500", levels="50")


def test_a_time_that_the_pace_does_not_have_chooses_the_pace_that_has_it() -> None:
    assert written(named(), time="2日").clock.pace is Pace.CORRESPONDENCE
    assert written(named(), time="30s").clock.pace is Pace.PER_TURN
    live = with_choice(named(), "pace", "live")
    assert written(live, time="3m").clock.pace is Pace.LIVE
    too_long = written(live, time="2h")
    (problem,) = found(too_long)
    assert isinstance(problem, Refused)
    assert problem.reason is TableReason.BAD_TIME
    assert problem.details["longest"] == LIMITS[Pace.LIVE][1]


def test_a_sit_and_go_starts_with_as_many_as_it_takes() -> None:
    structure = written(named("sit_and_go"), most="6").structure
    assert (structure.least, structure.most) == (6, 6)


def test_roles_of_places_that_have_none_are_left_out() -> None:
    choices = with_role(with_role(named(), 2, 30), 0, 10)
    assert choices.structure.roles == (10, 0, 30)
    assert with_role(choices, 2, 0).structure.roles == (10,)
    assert with_role(with_role(choices, 2, 0), 0, 0).structure.roles == ()


def test_a_value_that_no_menu_offers_is_refused() -> None:
    for name, value in (("pace", "hurried"), ("win_cap", "all"), ("no_show", "wait"), ("name", "yes")):
        with pytest.raises(ValueError, match=value if name != "name" else name):
            with_choice(named(), name, value)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("preset", PRESETS)
def test_what_a_form_shows_is_read_again_as_the_same(preset: str, language: str) -> None:
    choices = written(named(preset), payouts="60,40", titles="A\nB")
    for topic in topics(choices):
        fields = topic_fields(topic, choices)
        names = [name for name in fields if name != "when" and not is_chosen(name)]
        assert (
            written(choices, **{name: written_value(choices, name, words_for(language)) for name in names}) == choices
        )
        for name in filter(is_chosen, fields):
            if name not in ("preset", "game", "channels") and not name.startswith("role_"):
                assert with_choice(choices, name, chosen_value(choices, name)).structure == choices.structure


@pytest.mark.parametrize(
    ("seconds", "shown"), [(45, "45s"), (90, "90s"), (120, "2m"), (43_200, "12h"), (259_200, "3d")]
)
def test_a_time_is_shown_in_its_largest_unit(seconds: int, shown: str) -> None:
    assert written_value(EventChoices(seconds=seconds), "time", words_for("en")) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"), [(60, "1分"), (90, "90秒"), (43_200, "12時間"), (259_200, "3日"), (5_401, "5401秒")]
)
def test_japanese_readers_are_shown_a_time_as_they_write_it(seconds: int, shown: str) -> None:
    words = words_for("ja")
    assert written_value(EventChoices(seconds=seconds), "time", words) == shown
    assert written(EventChoices(), time=shown).seconds == seconds


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("preset", PRESETS)
def test_a_topic_is_named_in_one_line_of_a_phone_and_all_of_them_fit_above_their_menu(
    preset: str, language: str
) -> None:
    words, choices = words_for(language), named(preset)
    names = [section_name(topic, choices, words) for topic in topics(choices)]
    assert all(len(name) <= 40 for name in names)
    assert len(set(names)) == len(names) <= 7
    parts = list(form_screen(page_of(choices), words).walk())
    (menu,) = (part for part in parts if part.get("placeholder"))
    assert menu["placeholder"] == words("event_form.section", topics=words.facts(names[1:])), "nothing is cut off"
    assert [option["label"] for option in menu["options"]] == [*names[1:], words("event_form.all_rules")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_topic_is_not_named_after_a_field_that_the_format_does_not_have(language: str) -> None:
    words = words_for(language)
    for preset, topic, name in (
        ("sit_and_go", "levels", "levels_only"),
        ("chaipo", "levels", "levels"),
        ("league", "levels", "rounds"),
        ("heads_up", "limits", "limits_only"),
        ("league", "limits", "fantasyland"),
        ("sit_and_go", "tables", "tables_only"),
        ("sit_and_go", "season", "season_only"),
    ):
        assert section_name(topic, named(preset), words) == words(f"event_form.sections.{name}")
    form = section_form(page_of(named("sit_and_go")), "tables", words)
    assert form.title == words("event_form.sections.tables_only")


@pytest.mark.parametrize(("text", "stack"), [("10k", 10_000), ("１万", 10_000), ("5千", 5_000), ("10,000", 10_000)])
def test_large_numbers_may_be_written_short(text: str, stack: int) -> None:
    assert written(named(), stack=text).structure.stack == stack


@pytest.mark.parametrize(
    ("text", "hands", "minutes"),
    [
        *(("6", 6, 0), ("6 hands", 6, 0), ("6hands", 6, 0), ("1 hand", 1, 0), ("６ハンド", 6, 0)),
        *(("10 minutes", 0, 10), ("10m", 0, 10), ("10 min", 0, 10), ("10分", 0, 10), ("１０ 分", 0, 10), ("1h", 0, 60)),
    ],
)
def test_the_length_of_a_level_is_hands_or_minutes(text: str, hands: int, minutes: int) -> None:
    changed = written(named(), level_length=text)
    assert (changed.structure.level_hands, changed.structure.level_minutes) == (hands, minutes)
    assert found(changed) == []
    for words in map(words_for, LANGUAGES):
        assert written(changed, level_length=written_value(changed, "level_length", words)) == changed


def test_a_plain_number_keeps_the_unit_of_a_level() -> None:
    timed = written(named(), level_length="10 minutes")
    assert written(timed, level_length="15").structure.level_minutes == 15
    assert written(timed, level_length="4 hands").structure.level_minutes == 0


@pytest.mark.parametrize("text", ["", "hands", "4 cards", "90s", "4 hands 10 minutes", "-4 hands", "4.5 hands"])
def test_a_length_that_is_neither_is_kept_as_typed(text: str) -> None:
    choices = with_written(named(), ["level_length"], [text])
    assert choices.typed == {"level_length": text}
    assert choices.structure == named().structure


@pytest.mark.parametrize(
    ("text", "bounty", "grows"),
    [
        *(("100", 100, False), ("1,000", 1000, False), ("1k", 1000, False), ("", 0, False), ("progressive", 0, False)),
        *(("100 progressive", 100, True), ("100PKO", 100, True), ("１００プログレッシブ", 100, True)),
        *(("1k progressive", 1000, True), ("0 progressive", 0, False)),
    ],
)
def test_a_bounty_says_whether_it_is_progressive(text: str, bounty: int, grows: bool) -> None:
    changed = written(named(), fee="2000", bounty=text)
    assert (changed.structure.bounty, changed.structure.bounty_grows) == (bounty, grows)
    for words in map(words_for, LANGUAGES):
        assert written(changed, bounty=written_value(changed, "bounty", words)) == changed


def test_a_bounty_that_is_no_number_is_kept_as_typed() -> None:
    before = written(named(), fee="2000", bounty="100 progressive")
    changed = with_written(before, ["bounty"], ["100 regressive"])
    assert (changed.typed, changed.structure) == ({"bounty": "100 regressive"}, before.structure)


@pytest.mark.parametrize("cap", WinCap)
def test_what_a_busted_player_can_win_follows_from_the_max_win(cap: WinCap) -> None:
    structure = with_choice(named(), "win_cap", cap.value).structure
    assert structure.bust_is_final == (cap is not WinCap.NONE)


def test_a_league_takes_the_seats_of_its_pairings_unless_others_were_chosen() -> None:
    league = named("league")
    swiss = with_choice(league, "pairings", "swiss")
    assert (swiss.structure.table_seats, swiss.structure.most) == (2, 60)
    everyone = with_choice(swiss, "pairings", "all")
    assert (everyone.structure.table_seats, everyone.structure.most) == (2, 20)
    assert found(everyone) == []
    assert with_choice(everyone, "pairings", "draw") == league
    chosen = with_choice(written(league, most="12"), "pairings", "all")
    assert chosen.structure.most == 12


def test_a_kind_is_offered_once_and_a_draft_of_another_kind_keeps_it() -> None:
    words = words_for("en")
    for preset in PRESETS:
        form = section_form(page_of(named(preset)), START, words)
        kind = next(one for one in form.walk_children() if isinstance(one, ui.RadioGroup | ui.Select))
        values = [option.value for option in kind.options]
        assert [option.value for option in kind.options if option.default] == [preset]
        assert {*values} == {*KINDS, preset}
        labels = [option.label for option in kind.options]
        assert len(labels) == len({*labels})


def test_a_handicap_is_for_leagues_and_brackets_but_can_always_be_removed() -> None:
    for preset in KINDS:
        choices = named(preset)
        offered = {name for topic in topics(choices) for name in topic_fields(topic, choices)}
        assert ("handicap" in offered) == (choices.form.family is not Family.FREEZEOUT and preset != "duplicate")
    kept = named("chaipo")
    kept = replace(kept, structure=replace(kept.structure, handicap=True))
    assert "handicap" in {name for topic in topics(kept) for name in topic_fields(topic, kept)}


def test_more_channels_are_offered_to_large_events_and_where_some_are_chosen() -> None:
    small = written(named(), most=str(MANY_PLAYERS - 1))
    assert "channels" not in topic_fields("tables", small)
    assert "channels" in topic_fields("tables", written(named(), most=str(MANY_PLAYERS)))
    assert "channels" in topic_fields("tables", with_channels(small, [7]))


# fields with a meaning


def test_every_field_of_a_structure_can_be_changed_on_the_page() -> None:
    shown = {one for names in FORMS.values() for name in names for one in AS_KEPT.get(name, (name,))}
    hidden = {one.name for one in fields(Structure)} - shown
    assert hidden == {"format", "bust_is_final"}, "the preset chooses the format, and a bust follows from the max win"


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("series", ["", "Fridays"])
@pytest.mark.parametrize("pages", [True, False])
def test_each_field_that_means_something_is_in_one_form_of_five_fields_at_most(
    preset: str, series: str, pages: bool
) -> None:
    choices = replace(named(preset), series=series, pages=pages)
    seen = []
    for topic in topics(choices):
        for form in forms(topic, choices, roles=True):
            names = form_fields(form, choices, roles=True)
            assert 0 < len(names) <= 5
            seen += names
    assert len(seen) == len(set(seen))
    known = {name for names in FORMS.values() for name in names if means_something(name, choices.form)}
    missing = {"rounds"} if choices.structure.pairings is Pairings.ALL else set()
    missing |= set() if series else {"scoring", "counted"}
    missing |= {"channels"} if choices.structure.most < MANY_PLAYERS else set()
    missing |= set() if pages else {"page"}
    assert set(seen) == known - missing | set(FORMS[START])
    late = {"late_levels", "reentries"}
    assert late & set(form_fields("levels", choices, roles=True)) == (late if preset in LATE else set())
    assert not set(form_fields("honours", choices, roles=False)) & {"role_1", "role_2", "role_3"}


def test_a_form_that_no_sheet_has_asks_for_nothing() -> None:
    assert form_fields("clock", named(), roles=True) == []
    assert not opens_at_once(page_of(named()), "clock")
    assert set(TOPICS) == {topic for topic, parts in TOPICS.items() if parts[0] == topic}


# judging


@pytest.mark.parametrize("preset", PRESETS)
def test_a_named_preset_with_an_hour_is_possible(preset: str) -> None:
    choices = named(preset)
    assert found(choices, played_game(choices, PINEAPPLE)) == []


def test_everything_that_stands_in_the_way_is_told_at_once() -> None:
    choices = written(with_preset(EventChoices(), "chaipo"), payouts="50", level_length="0")
    page, words = page_of(choices), words_for("en")
    told = [problem_sentence(problem, page.choices, words, zone=page.zone, now=page.now) for problem in page.problems]
    hour = words("event_form.problem.hour", form=words("event_form.sections.start"))
    assert told[:2] == [words("refused.bad_event_name", most=MAX_EVENT_NAME_LENGTH), hour]
    changed = problem_sentence(
        page.problems[1], replace(page.choices, of=7, open=["name", "starts_at"]), words, zone=page.zone, now=page.now
    )
    assert changed == words("event_form.problem.hour", form=words("event_form.sections.start_change"))
    assert isinstance(page.problems[2], StructureError)


@pytest.mark.parametrize(("language", "shown"), [("ja", "日本時間"), ("en", "Asia/Tokyo")])
@pytest.mark.parametrize("hour", [None, ParsedTime(at_ms=NOW + 86_400_000)])
def test_the_zone_of_a_start_is_called_what_its_readers_call_it(
    hour: ParsedTime | None, language: str, shown: str
) -> None:
    words = words_for(language)
    page = page_of(with_hour(named(), "then", hour), zone="Asia/Tokyo")
    key = "event_form.hour" if hour else "event_form.problem.unread_hour"
    texts = [part.get("content", "") for part in form_screen(page, words).walk()]
    assert any(words(key, when="then", zone=shown) in text for text in texts)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_sheet_of_an_event_made_like_another_names_what_that_was(preset: str) -> None:
    former = replace(event_of(preset), structure=replace(PRESETS[preset], fee=100, most=9))
    choices = copied(former, zone="Asia/Tokyo", now=NOW)
    assert choices.preset == preset
    told = "\n".join(
        part.get("content", "") for part in form_screen(page_of(choices, zone="Asia/Tokyo"), words_for("en")).walk()
    )
    assert "You entered" not in told, "nobody has entered anything"
    assert ("in the time zone Asia/Tokyo" in told) == (choices.form is not Format.SIT_AND_GO)


@pytest.mark.parametrize(
    ("hour", "reason"),
    [
        (ParsedTime(at_ms=NOW - 1), PlanReason.START_PASSED),
        (ParsedTime(at_ms=NOW), PlanReason.START_TOO_EARLY),
        (ParsedTime(at_ms=NOW + 400 * 86_400_000), PlanReason.START_TOO_LATE),
    ],
)
def test_an_hour_that_cannot_be_is_refused(hour: ParsedTime, reason: PlayReason) -> None:
    (problem,) = found(with_hour(named(), "then", hour))
    assert isinstance(problem, Refused)
    assert problem.reason is reason


def test_fantasyland_is_off_in_a_duplicate_event_and_where_it_was_switched_off() -> None:
    assert played_game(named(), PINEAPPLE) is PINEAPPLE
    for choices in (named("duplicate"), with_choice(named(), "fantasyland", "no")):
        for game in GAMES.values():
            played = played_game(choices, game)
            assert played.fantasyland is None
            assert played.key == game.key
    house = house_variant("pineapple", {"fantasyland.entry": "KK", "button": "rotate", "jokers": "2"}, name="Ours")
    played = played_game(named("duplicate"), house)
    assert (played.house_name, played.jokers, played.fantasyland) == ("Ours", 2, None)


# the page


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("preset", PRESETS)
def test_the_fullest_page_fits_into_a_message(preset: str, language: str) -> None:
    words = words_for(language)
    choices = replace(named(preset), name="*" * 60, series="_" * 40, when="~" * 60, doubt=TimeDoubt.TWICE)
    choices = written(choices, titles="\n".join(["*" * 40] * 10), levels=",".join(["9999999"] * 37), fee="1000000")
    choices = replace(
        choices, structure=replace(choices.structure, roles=(2**63,) * 3, no_show=NoShow.BLIND, payouts=(99,))
    )
    games = [HouseGame(name=f"Game {n}", variant=PINEAPPLE) for n in range(25)]
    for section in ("", *topics(choices)):
        written_there = [name for name in topic_fields(section, choices) if not is_chosen(name)] if section else []
        typed = {name: "~" * longest(name) for name in written_there}
        page = page_of(
            replace(choices, typed=typed),
            games=games,
            section=section,
            no_threads=NEEDED_FOR_THREADS,
            may_give_roles=True,
            leaving=True,
        )
        drawn = form_screen(page, words)
        assert text_length(drawn) <= MAX_TEXT_LENGTH
        parts = list(drawn.walk())
        assert len(parts) <= 40
        ids = [part["custom_id"] for part in parts if "custom_id" in part]
        assert len(ids) == len(set(ids))
        for form in forms(section, choices, roles=True) if section else []:
            assert section_form(page, form, words).custom_id.startswith("m1:ev_form_text")
        assert text_length(rules_screen(page, words)) <= MAX_TEXT_LENGTH


def test_a_game_that_is_gone_is_explained_and_cannot_be_published() -> None:
    page = page_of(named(), game=VariantError("no_such_game", value="own-1", choices="pineapple"))
    assert not page.possible
    texts = [part["content"] for part in form_screen(page, words_for("en")).walk() if "content" in part]
    assert any(words_for("en")("typed_choice.game_gone", choices="…").split("…")[0] in text for text in texts)
    assert not any("own-1" in text for text in texts), "tags are the bot's own"


def test_the_page_of_an_event_in_a_series_prints_its_points_by_place() -> None:
    choices = replace(named("sit_and_go"), series="Fridays")
    texts = [part["content"] for part in rules_screen(page_of(choices), words_for("en")).walk() if "content" in part]
    assert any("with 3 players: 1st 10 · 2nd 4 · 3rd 1" in text for text in texts)


def test_many_places_are_shown_by_the_first_and_the_last() -> None:
    words, structure = words_for("en"), PRESETS["chaipo"]
    assert scoring_example(Scoring.ROOT, structure, 12, words) == (
        "With 12 players: 1st 346 · 2nd 244 · 3rd 200 · 4th 173 · 5th 154 … 12th 100"
    )
    assert "1位 346" in scoring_example(Scoring.ROOT, structure, 12, words_for("ja"))
    assert "1st 700 · 2nd 300 … 12th 0" in scoring_example(
        Scoring.PRIZE, replace(structure, payouts=(70, 30)), 12, words
    )


# the parts of a topic


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("preset", "roles", "named"),
    [
        ("heads_up", True, "honours_without_ties"),
        ("groups", True, "honours_without_ties"),
        ("chaipo", True, "honours"),
        ("chaipo", False, "honours_without_roles"),
    ],
)
def test_each_form_for_prizes_is_named_after_its_fields_and_explained(
    language: str, preset: str, roles: bool, named: str
) -> None:
    words = words_for(language)
    page = replace(page_of(with_preset(EventChoices(), preset)), section="prizes", may_give_roles=roles)
    drawn = form_screen(page, words)
    labels = [part["label"] for part in drawn.walk() if "label" in part]
    name = words(f"event_form.part.{named}")
    assert name in labels
    assert words("event_form.part.prizes") in labels
    (told,) = [line for part in drawn.walk() for line in str(part.get("content", "")).split("\n") if name in line]
    assert words("event_form.field.titles") in told
    assert (words("event_form.field.ties") in told) == (preset == "chaipo")
    second, third = place_name(2, words), place_name(3, words)
    for_others = words("event_form.part.roles_for", count=2, places=words.list([second, third]))
    assert (for_others in told) is roles


@pytest.mark.parametrize("preset", ["heads_up", "league"])
def test_a_single_form_for_prizes_needs_no_explanation(preset: str) -> None:
    words = words_for("en")
    page = replace(page_of(with_preset(EventChoices(), preset)), section="prizes", may_give_roles=False)
    drawn = form_screen(page, words)
    assert not any(words("event_form.part.prizes") in str(part) for part in drawn.walk())
