"""Each act of the organisers' table: offered when it says, the same by any means, and refused without a trace."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

import pytest
from simcord import ResponseMessage

from bot.chat.event.acts.act import NO_PLAYER, NO_TABLE, Act, ActContext, Subject, ValueKind
from bot.chat.event.acts.drawing import act_press
from bot.chat.event.acts.organisers import ACTS, TAKES_BACK, undone_by
from bot.chat.event.screens.desk.page import OTHER, UNDO
from bot.chat.event.screens.screen import about
from bot.chat.kit.custom_ids import short_id
from bot.model.event_rulings import RULINGS as LATE
from bot.model.events import EntrantState, Event, EventFact, Official, Phase
from bot.model.ids import EventKey, TableId
from bot.play.event.floor import event_state as fields
from bot.play.event.organisers.organiser_desk import ACTS as LOGGED
from bot.text.words import words_for
from cogs.event.event_command import NAME
from tests.backstage import transactions_of
from tests.discord.club import Club, Screen
from tests.discord.forge import deliver, forge, forged_command, forged_form
from tests.discord.test_event_desk import (
    ORGANISERS,
    announced,
    anyone,
    desk_of,
    guests_of,
    line,
    meant,
    mention,
    person,
    posted,
    question,
    running,
)
from tests.discord.test_powers import make_host
from tests.in_turn import in_turn

WHY, PENALTY, POSTPONED, LATER, EVERY = "Because I say so", "2", "15", "15m", "week"
LAST_DATE = "1"
REPORTS = {
    "start": ("started_early", "event.done.started"),
    "repeat": ("repeats", "event.done.repeat_week"),
    "call_missing": ("called", "event_desk.done.called"),
    "pause": ("paused", "event.done.paused"),
    "resume": ("resumed", "event.done.resumed"),
    "say": ("said", "event.done.said"),
    "postpone": ("changed", "event.done.postponed"),
    "cancel": ("cancelled", "event.done.cancelled_free"),
    "call": ("called", "event_desk.done.called"),
    "register": ("registered_for", "event_desk.done.registered"),
    "check_in": ("checked_in_for", "event_desk.done.checked_in"),
    "unregister": ("unregistered", "event.done.unregistered_free"),
    "back_in_play": ("brought_back", "event_desk.done.brought_back"),
    "sit_out": ("sat_out", "event_desk.done.sat_out"),
    "stay": ("stays", "event_desk.done.stays"),
    "move": ("to_be_moved", "event.done.moving"),
    "penalty": ("penalty", "event.done.penalty"),
    "lift_penalty": ("penalty", "event.done.penalty_off"),
    "adjust": ("adjusted", "event.done.adjusted"),
    "help": ("helper", "event.done.helper"),
    "unhelp": ("helper_removed", "event.done.helper_removed"),
    "reinstate": ("reinstated", "event.done.reinstated"),
    "out": ("disqualified", "event.done.disqualified"),
    "call_table": ("called", "event_desk.done.called"),
    "hold": ("held", "event_desk.done.held"),
    "release": ("released", "event_desk.done.released"),
    "end_hand": ("hand_ended", "event_desk.done.hand_ended"),
    "open_table": ("changed", "event_desk.done.table_opened"),
    "to_top": ("moved_up", "event_desk.done.moved_up"),
    "unlist": ("unlisted", "event_desk.done.unlisted"),
    "to_series": ("series_changed", "event_desk.done.series_joined"),
    "correct": ("corrected", "event_desk.done.corrected"),
    "strike": ("struck", "event_desk.done.struck"),
    "undo_ruling": ("ruling_undone", "event_desk.done.ruling_undone"),
    "open_flight": ("flight_opened", "event_desk.done.flight_opened"),
    "series_end": ("series_plan", "event_desk.done.series_last"),
    "page_off": ("page_removed", "event_desk.done.page_removed"),
}
"""By act, the line of the log that it writes and the sentence that reports it."""
NOT_OFFERED = {("call", EntrantState.OUT), ("out", EntrantState.OUT)}
"""Acts that aren't offered about such an entrant, but aren't refused either."""
WAITS = {"adjust", "repeat"}
"""Acts that are offered and refused: while a hand runs, or to those who may not announce events."""
BY_HAND = {act.name for act in ACTS if act.does is None}
"""Acts whose press opens a page of a cog."""
FROM_THE_LOG = {"lift_penalty", "undo_ruling"}
"""Acts that only undo a line of the log."""
LAST = ("open_flight", "start", "cancel")
"""Acts after which commands mean another event, or that rule out all others."""
FLIGHTS = {"en": "Night (Flight 2)", "ja": "Night（第2フライト）"}
"""The name of another flight, by the event's language."""


def refusals(language: str) -> Iterator[str]:
    """A pattern for each sentence of a refusal, by its beginning."""
    for key, entry in words_for(language).entries.items():
        for sentence in (entry.other, *entry.forms.values()):
            if key.startswith(("refused.", "event_acts.why.")) and not sentence.startswith("{"):
                yield re.sub(r"\\\{.*?\\\}", ".+", re.escape(sentence))


REFUSED = re.compile("|".join([*refusals("en"), *refusals("ja")]))


def refused(said: str) -> bool:
    """True for the sentence of a refusal, with or without what was typed."""
    return REFUSED.match(said) is not None


class Way(Enum):
    """The way to do an act."""

    PRESSED = "pressed"
    FORMER = "by the button of an earlier version"
    TYPED = "typed"
    TAKEN_BACK = "pressed, then taken back from the log"


@dataclass(slots=True, kw_only=True)
class Evening:
    """An event on which the acts are tried, and the observations."""

    club: Club
    key: EventKey
    name: str
    """The organiser."""
    people: Sequence[str]
    done: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    waiting: set[str] = field(default_factory=set)
    """Acts that were offered, and refused because a hand runs."""
    by_other_ways: set[str] = field(default_factory=set)
    taken_back: set[str] = field(default_factory=set)
    """The lines of the log that were taken back."""

    async def case(self, about: Subject, whom: str | int) -> ActContext:
        """Return the state by which an act is judged now."""
        return ActContext(
            desk=await desk_of(self.club, self.key),
            player=self.club.player(str(whom)) if about is Subject.PLAYER else NO_PLAYER,
            table=TableId(int(whom)) if about is Subject.TABLE else NO_TABLE,
        )

    async def page(self, about: Subject, whom: str | int) -> Screen:
        """The page of the desk that has what is offered."""
        desk = await self.club.slash(self.name, "event", do="desk")
        if about is Subject.TABLE:
            return await self.club.choose(self.name, desk, desk.find("ev_d_table"), [str(whom)])
        if about is Subject.EVENT:
            return desk
        who = self.club.members[str(whom)]
        if str(who.id) in str(desk.find("ev_d_person")["options"]):
            return await person(self.club, self.name, desk, str(whom))
        return await anyone(self.club, self.name, desk, who)

    async def state(self) -> tuple[Any, ...]:
        """Everything that an act can change; the log comes first."""

        def read(s: Any) -> tuple[Any, ...]:
            found = fields.read_field(s, self.key)
            spots = {number: spot.info for number, spot in found.spots.items()}
            event = found.event
            # Its messages and its alarm may follow at any moment.
            state = (event.phase, event.paused, event.helpers, event.starts_at, event.repeat, event.desk_channel)
            about = (state, event.series, event.structure)
            return s.tx.events.log(self.key), about, dict(found.entrants), found.queue, spots

        await self.club.settle()
        return (*await transactions_of(self.club.play).read(read), await self.club.facts())


def shows(page: Screen, act: Act) -> bool:
    """True if the act's button or menu is on a page."""
    verb = act.menu or act.verb
    return page.has(verb) and (not act.argument or page.find(verb)["custom_id"].endswith(f":{act.argument}"))


def full_elsewhere(case: ActContext) -> bool:
    """True if a player could be moved, but there's no free seat."""
    seats = case.event.structure.table_seats
    return all(len(table.line.players) >= seats for table in case.desk.tables if case.player not in table.line.players)


async def use(evening: Evening, act: Act, case: ActContext, page: Screen, whom: str | int, way: Way) -> str:
    """Do an act in some way; returns what was answered. What isn't offered is pressed as on a page drawn earlier."""
    if way is Way.TYPED:
        evening.by_other_ways.add(act.name)
        return await typed(evening, act, case, whom)
    club, name, values = evening.club, evening.name, written(act, case)
    if shows(page, act) and way is not Way.FORMER:
        return await pressed(club, name, page, act, values)
    press = act_press(act, case)
    if not act.verb:
        return (await forge(club, name, page, f"c1:{press.but(act.menu)}", values=values)).said
    if way is Way.FORMER and act.former:
        evening.by_other_ways.add(act.name)
        press = replace(press, verb=act.former[0])
    if not act.asks:
        press = replace(press, verb=act.confirms or press.verb)
        forged = await forge(club, name, page, f"c1:{press}")
        asked = next((one for one in forged.answers if question(one) is not None), None)
        return forged.said if asked is None else (await meant(club, name, asked)).text
    form = forged_form(club, name, page, f"m1:{press}", values)
    await deliver(form)
    return form.said


def written(act: Act, case: ActContext) -> list[str]:
    """Return the texts or options that an act needs."""
    other = [table for table in case.desk.tables if case.player not in table.line.players]
    values = {"penalty": PENALTY, "adjust": "40", "move": str(other[0].number) if other else "1"}
    values |= {
        "postpone": LATER,
        "repeat": EVERY,
        "correct": "40",
        "to_series": "Spring",
        "series_end": LAST_DATE,
        "open_flight": "",
    }
    return [WHY if ask.of == "text" else "" if ask.of == "round" else values[act.name] for ask in act.asks]


async def typed(evening: Evening, act: Act, case: ActContext, whom: str | int) -> str:
    """Type an act with everything it needs. Submit a confirmation form unchanged."""
    club, name = evening.club, evening.name
    given = {ask.option.value: value for ask, value in zip(act.asks, written(act, case), strict=True) if value}
    if act.about is Subject.PLAYER:
        given["player"] = mention(club, str(whom))
    elif act.about is Subject.TABLE:
        given["table"] = str(whom)
    label = club.words(name)(f"event_acts.name.{act.name}")
    shown = await club.members[name].slash(club.channel, NAME, do=label, **given)
    if shown.modal is not None:
        return (await club.send(name, shown)).text
    return await answered(club, name, shown, [], confirms=act.confirms)


async def pressed(club: Club, name: str, page: Screen, act: Act, values: Sequence[str]) -> str:
    """Press an act's button or choose from its menu, and write into the form that opens."""
    member, message = club.members[name], ResponseMessage(club.world.env, page.message)
    if not act.menu:
        shown = await club.used(name, page, page.find(act.verb))
        return await answered(club, name, shown, values, confirms=act.confirms)
    shown = await member.select(message, [values[0]], custom_id=page.find(act.menu)["custom_id"])
    return await answered(club, name, shown, values[1:])


async def answered(club: Club, name: str, shown: Any, values: Sequence[str], *, confirms: str = "") -> str:
    """Return the answer, after submitting a form or confirming a page if one was opened."""
    if shown.modal is not None:
        parts = [part["component"]["custom_id"] for part in shown.modal["components"] if "component" in part]
        shown = await club.members[name].submit_modal(shown, dict(zip(parts, values, strict=True)))
    answer = await club._answer(shown)  # noqa: SLF001
    assert answer is not None
    if confirms and answer.has(confirms):
        answer = await club.tap(name, answer, answer.find(confirms))
    return (await meant(club, name, answer)).text


def report(evening: Evening, act: Act, whom: str | int, case: ActContext, after: Event) -> str:
    """The sentence that must report an act."""
    words, key = evening.club.words(evening.name), REPORTS[act.name][1]
    if act.name == "reinstate" and after.phase.before:
        key = "event.done.reinstated_before"
    counts = {"call_missing": len(case.desk.missing), "penalty": int(PENALTY)}
    if case.seat is not None:
        counts["call_table"] = len(case.seat.line.players)
    values: dict[str, str | int] = {
        "player": mention(evening.club, whom) if isinstance(whom, str) and whom else "",
        "table": whom if isinstance(whom, int) else written(act, case)[0] if act.name == "move" else "",
        "amount": "+40",
        "count": counts.get(act.name, 1),
        "name": FLIGHTS[after.language] if act.name == "open_flight" else "Night",
        "hour": f"<t:{(after.starts_at or 0) // 1000}:F>",
        "series": after.series,
    }
    return words(key, **{name: value for name, value in values.items() if words.takes(key, name)})


def acts_about(about: Subject) -> list[Act]:
    """The acts that are offered on some page."""
    return [act for act in ACTS if act.about is about and act.name not in FROM_THE_LOG]


async def refuse(evening: Evening, about: Subject, whom: str | int, way: Way) -> None:
    """Try all acts that aren't offered for the subject. Each must be refused and change nothing."""
    case, page = await evening.case(about, whom), await evening.page(about, whom)
    for act in acts_about(about):
        offered = act.offered(case)
        assert shows(page, act) == offered or (act.name == "move" and full_elsewhere(case)), act.name
        harmless = (act.name, case.entrant.state if case.entrant else None) in NOT_OFFERED
        if offered or harmless or act.name in BY_HAND:
            continue
        before = await evening.state()
        said = await use(evening, act, case, page, whom, way)
        assert refused(said), f"{act.name} isn't offered, and was answered with: {said}"
        assert await evening.state() == before, f"{act.name} was refused, and changed something"
        evening.refused.add(act.name)


async def walk(evening: Evening, about: Subject, whom: str | int, way: Way) -> None:
    """Do every act about the subject, each as soon as it's offered."""
    acts = sorted(acts_about(about), key=lambda act: LAST.index(act.name) if act.name in LAST else -1)
    tried = evening.waiting | BY_HAND
    for _ in acts:
        if evening.done & {"open_flight", "cancel"}:
            return
        case = await evening.case(about, whom)
        left = (act for act in acts if act.name not in tried and act.offered(case))
        if (wanted := next(left, None)) is None:
            return
        tried.add(wanted.name)
        await do(evening, wanted, about, whom, case, way)


async def do(evening: Evening, act: Act, about: Subject, whom: str | int, case: ActContext, way: Way) -> None:
    """Do an offered act, and check its log line and answer."""
    page, before = await evening.page(about, whom), await evening.state()
    assert shows(page, act) or (act.name == "move" and full_elsewhere(case)), act.name
    said = await use(evening, act, case, page, whom, way)
    after = await evening.state()
    new = [fact for fact in after[0] if fact not in before[0]]
    if refused(said):
        assert act.name in WAITS or full_elsewhere(case), f"{act.name} is offered, and was refused: {said}"
        assert after == before
        evening.waiting.add(act.name)
        return
    kind = REPORTS[act.name][0]
    assert kind in [fact.kind for fact in new], f"{act.name} wrote {[fact.kind for fact in new]}: {said}"
    event = (await evening.club.bot.services.events.look(evening.key)).event
    assert report(evening, act, whom, case, event) in said, act.name
    evening.done.add(act.name)
    line = next(fact for fact in new if fact.kind == kind)
    # Removing a co-organiser comes next, and that is undone.
    if (act.name, whom) == ("help", "late"):
        return
    if way is Way.TAKEN_BACK and act.name != "cancel" and line in (await desk_of(evening.club, evening.key)).undoable:
        await take_back(evening, line)


async def take_back(evening: Evening, fact: EventFact) -> None:
    """Choose a line of the log from the desk's menu."""
    desk, before = await evening.page(Subject.EVENT, ""), (await evening.state())[0]
    if fact.kind in LATE:
        undo = next(
            one for one in desk.controls() if f":{fact.number}:" in one.get("custom_id", "").split("ev_d_undo")[-1]
        )
        chosen = await evening.club.tap(evening.name, desk, undo)
    else:
        chosen = await evening.club.choose(evening.name, desk, desk.find("ev_d_undo"), [f"{UNDO}{fact.number}"])
    shown = await meant(evening.club, evening.name, chosen)
    kinds = [one.kind for one in (await evening.state())[0] if one not in before]
    act = TAKES_BACK[fact.kind]
    assert REPORTS[act.name][0] in kinds, f"{act.name} wrote {kinds}: {shown.text}"
    evening.done.add(act.name)
    evening.taken_back.add(fact.kind)


async def refuses(club: Club, key: EventKey, said: str, want: str) -> None:
    """Check that no one became a co-organiser, and that the reader was told why."""
    assert said == club.words("bob")(want)
    assert (await desk_of(club, key)).event.helpers == ()


@pytest.mark.parametrize("way", ["command", "desk", "former"])
async def test_only_people_of_the_server_become_co_organisers(club: Club, way: str) -> None:
    key = await announced(club, "bob")
    club.newcomer("gone")
    left = club.members["gone"]
    club.guild.remove_member(left)
    itself = club.bot.user
    assert itself is not None
    desk = await club.slash("bob", "event", do="desk")
    for who, want in ((itself, "refused.not_a_bot"), (left, "refused.they_left")):
        if way == "command":
            given = [option("do", "co-organiser"), option("player", str(who.id))]
            press = forged_command(club, "bob", "event", guild=True, given=given)
            await deliver(press)
        else:
            verb = "ev_help" if way == "former" else "ev_d_help"
            event = (await desk_of(club, key)).event
            press = await forge(club, "bob", desk, f"c1:{about(event).but(verb, short_id(who.id))}")
        await refuses(club, key, press.said.split("\n")[0], want)


def option(name: str, value: str) -> dict[str, Any]:
    """An option as Discord sends it."""
    return {"name": name, "type": 3, "value": value}


async def test_organise_opens_the_desk_which_offers_nothing_about_the_organiser_themself(club: Club) -> None:
    key = await announced(club, "bob")
    shown = next(screen for screen in reversed(await posted(club)) if screen.has("ev_details"))
    desk = await club.tap("bob", shown, shown.find("ev_details"))
    assert club.words("bob")("event_desk.private") in desk.text
    own = await anyone(club, "bob", desk, club.members["bob"])
    assert not own.has("ev_d_help"), "they organise it already"
    assert not own.has("ev_help")
    event = (await desk_of(club, key)).event
    old = await forge(club, "bob", desk, f"s1:{about(event).but('ev_player')}", values=[str(club.members["alice"].id)])
    (page,) = old.answers
    assert page.has("ev_d_help"), "a menu of an earlier version leads to the same page"


@in_turn("name", "bob", "hanako")
async def test_a_co_organiser_who_resigns_is_told_so_and_has_no_desk_any_more(club: Club, name: str) -> None:
    key = await announced(club, "alice")
    await club.slash("alice", "event", do="co-organiser", player=str(club.members[name].id))
    own = await anyone(club, name, await club.slash(name, "event", do="desk"), club.members[name])
    asked = await club.tap(name, own, own.find("ev_d_unhelp"))
    assert club.words(name)("event_desk.final.resigned") in asked.text
    assert (await desk_of(club, key)).event.helpers == (club.player(name),)
    resigned = await meant(club, name, asked)
    assert resigned.text == club.words(name)("event.done.helper_removed", player=mention(club, name), name="Night")
    assert (await desk_of(club, key)).event.helpers == ()


@in_turn("name", "bob", "hanako")
async def test_a_penalty_of_any_length_is_chosen_from_the_menu_and_written(club: Club, name: str) -> None:
    key, people = await running(club, name)
    one = await person(club, name, await club.slash(name, "event", do="desk"), people[0])
    message = ResponseMessage(club.world.env, one.message)
    shown = await club.members[name].select(message, [OTHER], custom_id=one.find("ev_d_penal")["custom_id"])
    said = await answered(club, name, shown, ["７", WHY])
    assert club.words(name)("event.done.penalty", player=mention(club, people[0]), count=7) in said
    assert (await line(club, key, people[0])).entrant.penalty == 7


# An event before its start, at its check-in, and while it's played.


async def registering(club: Club, name: str) -> Evening:
    await make_host(club, name)  # only those who may announce events may have them repeat
    key = await announced(club, name, series="Fridays", page=True)
    return Evening(club=club, key=key, name=name, people=await guests_of(club, key, 3))


async def waiting(club: Club, name: str) -> Evening:
    """A full event with more people on its waiting list than another table takes."""
    await make_host(club, name)  # only those who may announce events may open another flight
    key = await announced(club, name, most=2)
    first, second, third, fourth, *others = await guests_of(club, key, 9)
    return Evening(club=club, key=key, name=name, people=[fourth, first, second, third, *others])


async def checking_in(club: Club, name: str) -> Evening:
    key = await announced(club, name, "bicycle", hours=0.3)
    people = await guests_of(club, key, 3)
    await club.pass_time(5 * 60)
    assert (await desk_of(club, key)).event.phase is Phase.CHECK_IN
    return Evening(club=club, key=key, name=name, people=people)


async def playing(club: Club, name: str) -> Evening:
    key, people = await running(club, name, guests=5, late_levels=5)
    return Evening(club=club, key=key, name=name, people=people)


async def in_league(club: Club, name: str) -> Evening:
    key, people = await running(club, name, "league", guests=4)
    return Evening(club=club, key=key, name=name, people=people)


async def finished(club: Club, name: str) -> Evening:
    key, people = await running(club, name, "league", guests=4, rounds=1, round_hands=1, page=True)
    while not (await desk_of(club, key)).event.phase.over:
        await club.pass_hours(1)
    await club.settle()
    return Evening(club=club, key=key, name=name, people=people)


SCENES: dict[Callable[[Club, str], Awaitable[Evening]], set[str]] = {
    registering: {
        *(
            "say",
            "postpone",
            "repeat",
            "series_end",
            "start",
            "cancel",
            "call",
            "register",
            "unregister",
            "help",
            "unhelp",
            "reinstate",
            "out",
            "page_off",
        ),
    },
    waiting: {"open_flight", "open_table", "to_top", "unlist"},
    checking_in: {"call_missing", "check_in"},
    playing: {
        *("pause", "resume", "say", "cancel", "call", "register", "back_in_play", "sit_out", "stay", "move", "penalty"),
        *("help", "unhelp", "reinstate", "out", "call_table", "hold", "release", "end_hand"),
    },
    in_league: {"adjust", "penalty", "out"},
    finished: {"to_series", "correct", "strike", "page_off"},
}
"""By scene, the acts that must have been done in it."""
TAKEN_BACK: dict[Callable[[Club, str], Awaitable[Evening]], set[str]] = {
    registering: {"registered_for", "unregistered", "helper", "helper_removed", "disqualified"},
    playing: {"sat_out", "to_be_moved", "penalty", "paused", "held", "helper", "disqualified"},
    finished: {"struck", "corrected", "series_changed"},
}
"""By scene, the lines of the log that must have been taken back in it."""


def test_every_act_is_done_in_some_scene_and_has_its_line_and_its_sentence() -> None:
    assert set.union(*SCENES.values()) == {act.name for act in ACTS} - BY_HAND - FROM_THE_LOG
    assert REPORTS.keys() == {act.name for act in ACTS} - BY_HAND
    assert len({act.name for act in ACTS}) == len(ACTS)
    verbs = [verb for act in ACTS if act.does for verb in (*act.verbs, act.menu) if verb]
    assert len(set(verbs)) == len(verbs), "each press means one act"
    assert {kind for kind, _ in REPORTS.values()} - {"cancelled"} <= set(LOGGED), "the desk tells what was done"
    assert set.union(*TAKEN_BACK.values()) == TAKES_BACK.keys()
    undo = "event_desk.undo."
    assert TAKES_BACK.keys() == {key.removeprefix(undo) for key in words_for("en").entries if key.startswith(undo)}


@pytest.mark.parametrize(
    ("way", "name"),
    [
        pytest.param(way, name, marks=() if (number + place) % 2 or way is Way.PRESSED else pytest.mark.deep)
        for number, way in enumerate(Way)
        for place, name in enumerate(ORGANISERS)
    ],
)
@pytest.mark.parametrize("scene", SCENES)
async def test_every_act_is_offered_when_it_says_and_does_what_it_says(
    club: Club, scene: Callable[[Club, str], Awaitable[Evening]], way: Way, name: str
) -> None:
    evening = await scene(club, name)
    club.newcomer("late")
    desk, whom, table = await desk_of(club, evening.key), evening.people[0], 0
    if desk.tables:
        # A player from a full table, so that another table has a free seat.
        full = max(desk.tables, key=lambda table: len(table.line.players))
        whom = club.name_of(full.line.players[0])
        table = next(table.id for table in desk.tables if table is not full)
    subjects: list[tuple[Subject, str | int]] = [(Subject.PLAYER, whom), (Subject.PLAYER, "late"), (Subject.EVENT, "")]
    subjects[2:2] = [(Subject.TABLE, table)] if table else []
    await refuse(evening, Subject.PLAYER, name, way)
    for subject, which in subjects:
        await refuse(evening, subject, which, way)
    for subject, which in subjects:
        await walk(evening, subject, which, way)
    assert evening.done >= SCENES[scene]
    assert evening.refused, "something was refused"
    assert "help" in evening.refused, "of the organiser themself"
    assert way is not Way.TAKEN_BACK or evening.taken_back >= TAKEN_BACK.get(scene, set())
    own = {act.name for act in ACTS if act.name in SCENES[scene] and (way is Way.TYPED or act.former)}
    assert way not in (Way.TYPED, Way.FORMER) or evening.by_other_ways >= own


MAX_CONTROLS = {Subject.EVENT: 6, Subject.PLAYER: 6, Subject.TABLE: 4}
"""Buttons and menus of a page, as far as an organiser can take them in at a glance."""


@pytest.mark.parametrize("scene", SCENES)
async def test_no_page_of_the_desk_has_more_controls_than_a_glance_takes_in(
    club: Club, scene: Callable[[Club, str], Awaitable[Evening]]
) -> None:
    evening = await scene(club, "bob")
    club.newcomer("late")
    by, events = Official(player=club.player("alice"), manager=True), club.bot.services.events
    first, second, third = evening.people[:3]
    if (await desk_of(club, evening.key)).event.phase is Phase.RUNNING:
        await events.penalty(evening.key, by, club.player(first), hands=2, why=WHY, cause="penalty")
        await events.attend(evening.key, by, club.player(second), away=True, cause="away")
    if (await desk_of(club, evening.key)).event.phase.over:
        for number, who in enumerate((second, third)):
            await events.strike(evening.key, by, club.player(who), why=WHY, cause=f"struck {number}")
    else:
        await events.disqualify(evening.key, by, club.player(third), why=WHY, cause="out")
    tables = [table.id for table in (await desk_of(club, evening.key)).tables]
    subjects: list[tuple[Subject, str | int]] = [(Subject.EVENT, ""), *((Subject.TABLE, one) for one in tables)]
    for subject, which in [*subjects, *((Subject.PLAYER, one) for one in (*evening.people, "late", "bob"))]:
        shown = await evening.page(subject, which)
        assert len(shown.controls()) <= MAX_CONTROLS[subject], f"{subject} {which}"
        assert shown.has("ev_desk"), "there's a way back"


@in_turn("name", "bob", "hanako")
async def test_a_co_organiser_is_named_in_the_form_that_more_opens(club: Club, name: str) -> None:
    words, key = club.words(name), await announced(club, name)
    desk = await club.slash(name, "event", do="desk")
    form = await club.used(name, desk, desk.find("ev_d_help"))
    done = await club.send(name, form, {words("event_desk.field.player"): [club.members["alice"]]})
    said = words("event.done.helper", player=mention(club, "alice"), name="Night")
    undo = words("event_desk.undo_with", press=words("event_desk.button.unhelp"))
    assert words.side_by_side([said, undo]) in done.text
    assert (await desk_of(club, key)).event.helpers == (club.player("alice"),)
    form = await club.used(name, done, done.find("ev_d_help"))
    twice = await club.send(name, form, {words("event_desk.field.player"): [club.members["alice"]]})
    assert twice.text.startswith(words("refused.already_helper"))
    assert mention(club, "alice") in twice.text, "who was chosen is kept"


@pytest.mark.parametrize("scene", [registering, playing])
async def test_organisers_who_play_may_do_only_what_the_table_says(
    club: Club, scene: Callable[[Club, str], Awaitable[Evening]]
) -> None:
    words, tried = club.words("bob"), set()
    evening = await scene(club, "bob")
    await club.register("bob")
    by = Official(player=club.player("bob"))
    whom, desk = evening.people[0], await desk_of(club, evening.key)
    table = desk.tables[0].id if desk.tables else 0
    subjects: list[tuple[Subject, str | int]] = [(Subject.PLAYER, whom), (Subject.EVENT, "")]
    subjects[1:1] = [(Subject.TABLE, table)] if table else []
    for subject, which in subjects:
        for act in sorted(acts_about(subject), key=lambda act: (act.name in LAST, act.name == "cancel")):
            case = await evening.case(subject, which)
            if act.name in BY_HAND or not act.offered(case):
                continue
            said = await use(evening, act, case, await evening.page(subject, which), which, Way.PRESSED)
            barred = said.startswith(words("refused.plays_here"))
            assert act.open_to(by, case) is not barred, f"{act.name}: {said}"
            assert act.open_to(replace(by, manager=True), case)
            assert not act.open_to(Official(player=club.player("hanako")), case)
            tried.add(barred)
    assert tried == {True, False}


def test_every_act_says_what_it_needs_and_how_it_is_taken_back() -> None:
    assert {act.name: undone_by(act).name for act in ACTS if undone_by(act)} == {  # type: ignore[union-attr]
        "pause": "resume",
        "register": "unregister",
        "unregister": "register",
        "sit_out": "back_in_play",
        "move": "stay",
        "penalty": "lift_penalty",
        "lift_penalty": "lift_penalty",
        "help": "unhelp",
        "unhelp": "help",
        "out": "reinstate",
        "hold": "release",
        **dict.fromkeys(("to_series", "correct", "strike"), "undo_ruling"),
    }
    for act in ACTS:
        assert bool(act.logs) == bool(act.does), f"{act.name} writes a line into the log"
        assert len(set(act.options)) == len(act.options), f"{act.name} needs two values of the same option"
        assert not act.sure or act.means or act.page, f"{act.name} asks once more, so it has to say what it means"
        assert bool(act.page) == bool(act.confirms)
        assert act.does or act.verb, f"nothing answers {act.name}"
        for ask in act.asks:
            free = ask.kind in (ValueKind.TEXT, ValueKind.SERIES)
            assert (ask.wrong is None) == free, f"{act.name} has to refuse what it can't read"
