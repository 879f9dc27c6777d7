"""Every page of the organiser's desk fits into one message, however large the event and long the names."""

from __future__ import annotations

from dataclasses import replace

import discord
import pytest

from bot.chat.event.acts.act import NO_PLAYER, ActContext, Subject
from bot.chat.event.acts.drawing import act_press, controls
from bot.chat.event.acts.organisers import ACTS
from bot.chat.event.screens.desk.details import person_screen, table_screen
from bot.chat.event.screens.desk.page import OTHER, Controls, DeskContext, desk_screen, people_screen, table_text
from bot.chat.kit.widgets import ACTION_ROW, button
from bot.chat.kit.widgets import Screen as UiScreen
from bot.model.events import EntrantState, EventFact, Phase
from bot.model.ids import Player, TableId
from bot.play.event.organisers.organiser_desk import DeskTable, DeskView
from bot.pure.event.bracket import Stage
from bot.pure.event.structure import PRESETS
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from tests.discord.test_event_screen import NOW, assert_fits, entrant, event_of, player, view_of


def large(phase: Phase, people: int) -> DeskView:
    """Return a desk with the longest possible contents."""
    state = EntrantState.PLAYING if phase is Phase.RUNNING else EntrantState.REGISTERED
    structure = replace(PRESETS["chaipo"], most=512)
    event = replace(
        event_of(phase=phase, structure=structure, paused=True, hand_for_hand=True, final_table=True), name="*" * 60
    )
    everybody = [entrant(number, state, penalty=20, move_to=TableId(7)) for number in range(1, people + 1)]
    view = view_of(event, everybody, pool=10**9, prizes=(10**8,) * 50)
    view = replace(view, lines=tuple(replace(line, away=True) for line in view.lines))
    tables = [
        DeskTable(
            line=replace(line, acting=line.players),
            stacks=dict.fromkeys(line.players, 10**9),
            last_at=NOW,
            slow=True,
        )
        for line in view.tables
    ]
    rulings = [
        EventFact(
            number=number,
            kind="penalty",
            details={"player": player(number), "hands": 20, "why": "*" * 200},
            actor=player(999),
            at=NOW,
        )
        for number in range(1, 26)
    ]
    return DeskView(
        view=view,
        tables=tuple(tables),
        wallets={line.entrant.player: 10**9 for line in view.lines},
        acts=tuple(rulings),
        undoable=tuple(rulings),
        waiting=10_000,
    )


def all_of(desk: DeskView, context: DeskContext, player: Player = NO_PLAYER) -> Controls:
    """Everything that could be offered at once, which is more than ever is."""
    case = ActContext(desk=desk, player=player)
    acts = [act for act in ACTS if act.about is (Subject.PLAYER if player else Subject.EVENT) or act.on_desk]
    labels = {
        act.name: context.words(f"event_desk.button.{act.name}", **({"count": 512} if act.count else {}))
        for act in acts
    }
    return Controls(
        buttons=[
            button(act_press(act, case), labels[act.name])
            for act in acts
            if act.verb and not act.menu and not act.in_more
        ],
        menus=[act.name for act in acts if act.menu],
        more=[discord.SelectOption(label=labels[act.name], value=act.name) for act in acts if act.in_more],
    )


def assert_screen_fits(shown: UiScreen) -> None:
    assert_fits(shown)
    parts = list(shown.walk())
    for part in parts:
        options = part.get("options", ())
        assert len(options) <= 25
        assert len({option["value"] for option in options}) == len(options)
        for option in options:
            assert 0 < len(option["label"]) <= 100
            assert len(option.get("description") or "") <= 100
        if part["type"] == ACTION_ROW:
            assert len(part["components"]) <= 4
    ids = [part["custom_id"] for part in parts if "custom_id" in part]
    assert len(set(ids)) == len(ids)
    assert max(map(len, ids)) <= 100


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("extra", [False, True])
def test_a_tables_line_says_if_it_plays_on_because_of_fantasyland(language: str, *, extra: bool) -> None:
    words = words_for(language)
    desk = large(Phase.RUNNING, 3)
    league = replace(PRESETS["league"], rounds=3, round_hands=2)
    desk = replace(desk, view=replace(desk.view, event=replace(desk.event, structure=league)))
    line = desk.tables[0].line
    info, table = replace(line.info, played=2, extra=extra), replace(line.table, hand_no=7)
    told = table_text(desk, replace(desk.tables[0], line=replace(line, info=info, table=table)), words)
    assert (words("event_desk.fantasyland_after", hand=2, hands=2) in told) is extra
    assert extra or words("event_desk.hand_of", hand=2, hands=2) in told


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("people", [1, 40, 50, 512])
@pytest.mark.parametrize("phase", [Phase.REGISTERING, Phase.CHECK_IN, Phase.RUNNING])
def test_every_page_of_the_desk_fits_with_the_longest_names(phase: Phase, people: int, language: str) -> None:
    desk = large(phase, people)
    context = DeskContext(words=words_for(language), called=lambda one: f"{one} {'W' * 80}", mark=10**13)
    assert_screen_fits(desk_screen(desk, context, all_of(desk, context), said="*" * 300))
    for page in range(27):
        assert_screen_fits(people_screen(desk, context, page=page))
    for line in desk.view.lines[:3]:
        assert_screen_fits(
            person_screen(desk, line.entrant.player, context, all_of(desk, context, line.entrant.player))
        )
    for table in desk.tables[:3]:
        offered = controls(ActContext(desk=desk, table=table.id), Subject.TABLE, context.words)
        assert_screen_fits(table_screen(desk, table, context, offered))


def test_a_large_event_offers_those_who_miss_first_and_everybody_page_by_page() -> None:
    desk = large(Phase.CHECK_IN, 60)
    here = replace(desk.view.lines[5].entrant, state=EntrantState.CHECKED_IN)
    lines = [replace(line, entrant=here) if at == 5 else line for at, line in enumerate(desk.view.lines)]
    desk = replace(desk, view=replace(desk.view, lines=tuple(lines)))
    context = DeskContext(words=words_for("en"), called=str, mark=1)

    def offered(shown: UiScreen) -> list[str]:
        menus = [part for part in shown.walk() if ":ev_d_person:" in str(part.get("custom_id", ""))]
        return [option["value"] for menu in menus for option in menu["options"]]

    *first, other = offered(desk_screen(desk, context, Controls()))
    assert len(first) == 24
    assert here.player not in first
    assert other == OTHER
    pages = [one for page in range(3) for one in offered(people_screen(desk, context, page=page))]
    assert pages == [line.entrant.player for line in desk.people]


def test_the_next_break_is_told_at_the_final_table_too() -> None:
    words = words_for("en")
    desk = large(Phase.RUNNING, 3)
    structure = replace(desk.event.structure, break_levels=3, break_minutes=10)
    for final in (False, True):
        event = replace(desk.event, structure=structure, final_table=final, breaks=1)
        context = DeskContext(words=words, called=str, mark=1)
        shown = desk_screen(replace(desk, view=replace(desk.view, event=event)), context, Controls())
        assert words("event_desk.next_break", level=6) in str(shown)


def test_a_player_whom_no_other_table_has_room_for_is_told_so_instead_of_a_menu() -> None:
    words = words_for("en")
    desk = large(Phase.RUNNING, 12)
    seats = desk.event.structure.table_seats
    people = [line.entrant.player for line in desk.view.lines]
    full = [
        replace(table, line=replace(table.line, players=tuple(people[at * seats : at * seats + seats])))
        for at, table in enumerate(desk.tables)
    ]
    assert len(full) > 1
    mover = next(line.entrant.player for line in desk.view.lines if line.table is not None)
    for tables, told in ((full, True), ([full[0], replace(full[1], line=replace(full[1].line, players=()))], False)):
        context, moves = DeskContext(words=words, called=str, mark=1), Controls(menus=["move"])
        shown = str(person_screen(replace(desk, tables=tuple(tables)), mover, context, moves))
        assert (words("event_desk.no_seat") in shown) is told
        assert ("ev_d_to" in shown) is not told


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_that_was_not_dealt_yet_has_no_last_action(language: str) -> None:
    words, desk = words_for(language), large(Phase.RUNNING, 6)
    opened, dealt = desk.tables[:2]
    opened = replace(opened, line=replace(opened.line, acting=(), table=replace(opened.line.table, hand_no=0)))
    last = words("event_desk.last", ago=f"<t:{NOW // 1000}:R>")
    assert last in table_text(desk, dealt, words)
    match = replace(dealt, line=replace(dealt.line, stage=(Stage.SEMIFINAL, 0)))
    assert words("event.stage.semifinal") in table_text(desk, match, words)
    assert words("event.stage.semifinal") not in table_text(desk, dealt, words)
    assert last not in table_text(desk, opened, words)
    assert words("event_desk.first_hand") in table_text(desk, opened, words)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_done_takes_a_short_line_each(language: str) -> None:
    words, hour = words_for(language), 3_600_000
    acts = [
        EventFact(
            number=number,
            kind="changed",
            details={"changes": [["starts_at", NOW + number * hour, NOW + (number + 1) * hour]]},
            actor=player(999),
            at=at,
        )
        for number, at in ((1, NOW - 30 * hour), (2, NOW - hour))
    ]
    desk = replace(large(Phase.REGISTERING, 3), acts=tuple(acts), at=NOW)
    parts = desk_screen(desk, DeskContext(words=words, called=str, mark=1), Controls()).walk()
    shown = "\n".join(str(part["content"]) for part in parts if "content" in part)
    for number, at, style in ((1, NOW - 30 * hour, "d"), (2, NOW - hour, "t")):
        starts = f"<t:{(NOW + (number + 1) * hour) // 1000}:F>"
        what = words("event_form.changed.brief", field=words("event_form.field.when"), after=starts)
        by = words("event.log.by", what=what, player=f"<@{player(999)}>")
        assert words("event.log.line", when=f"<t:{at // 1000}:{style}>", what=by) in shown
    assert f"<t:{(NOW + hour) // 1000}:F>" not in shown, "what it was before stands in the log"
