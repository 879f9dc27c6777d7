"""The table of organisers' actions, in the order of the desk's buttons."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

from discord import ButtonStyle

from bot.chat.event.acts.act import (
    MAX_TIME_LENGTH,
    Act,
    ActContext,
    ActUse,
    EventActField,
    Subject,
    UndoneRuling,
    ValueKind,
)
from bot.chat.event.screens.draft.event_choices import ONCE, REPEATS
from bot.chat.event.screens.flight import flight_name, flight_text
from bot.chat.event.screens.screen import stamp
from bot.chat.event.screens.tools import cancel_text, disqualify_text, start_screen
from bot.chat.kit.acts.act import Option
from bot.model.event_rulings import CORRECTED, NEW_SERIES, STRUCK, UNDONE, in_force
from bot.model.events import EntrantState, Event, Official, Phase, RepeatInterval
from bot.model.ids import TableId
from bot.model.limits import (
    MAX_ADJUSTMENT,
    MAX_ANNOUNCEMENT_LENGTH,
    MAX_PENALTY_HANDS,
    MAX_REASON_LENGTH,
    MAX_SERIES_DATES,
    MAX_SERIES_NAME_LENGTH,
)
from bot.model.reasons import OrganiserReason
from bot.play import terms as terms_of
from bot.play.event.office.flights import OPENED
from bot.play.event.office.resettling import Resettled
from bot.play.event.organisers.organiser import fillable
from bot.pure.event.seeding import SeededBy
from bot.pure.event.structure import Family, Format
from bot.pure.ofc.refusals import Refused
from bot.text.event_structure import by_fee, by_refund
from bot.text.numbers import MAX_NUMBER_LENGTH
from bot.text.words import Words, escape_name, words_for
from bot.text.zones import zone_name

MAX_ROUND_NUMBER = 999_999_999

REASON = EventActField(
    option=Option.REASON,
    kind=ValueKind.TEXT,
    of="text",
    max_length=MAX_REASON_LENGTH,
)
MESSAGE = EventActField(
    option=Option.VALUE,
    kind=ValueKind.TEXT,
    of="text",
    max_length=MAX_ANNOUNCEMENT_LENGTH,
    long=True,
    field="say",
)
HANDS = EventActField(
    option=Option.VALUE,
    kind=ValueKind.NUMBER,
    of="number",
    max_length=MAX_NUMBER_LENGTH,
    largest=MAX_PENALTY_HANDS,
    field="penalty",
    wrong=lambda written, reading: Refused(OrganiserReason.BAD_PENALTY, most=MAX_PENALTY_HANDS),
)
AMOUNT = EventActField(
    option=Option.VALUE,
    kind=ValueKind.NUMBER,
    of="number",
    max_length=MAX_NUMBER_LENGTH,
    smallest=-MAX_ADJUSTMENT,
    largest=MAX_ADJUSTMENT,
    field="adjust",
    wrong=lambda written, reading: Refused(OrganiserReason.BAD_AMOUNT, most=MAX_ADJUSTMENT),
)
TO_TABLE = EventActField(
    option=Option.TABLE,
    kind=ValueKind.TABLE,
    of="number",
    max_length=MAX_NUMBER_LENGTH,
    field="move",
    wrong=lambda written, reading: Refused(OrganiserReason.NO_SUCH_TABLE_THERE),
)
START = EventActField(
    option=Option.VALUE,
    kind=ValueKind.TIME,
    of="until",
    max_length=MAX_TIME_LENGTH,
    field="postpone",
    wrong=lambda written, reading: Refused(
        OrganiserReason.UNREADABLE_START, typed=escape_name(written), zone=zone_name(reading.zone, reading.words)
    ),
)
DATES = EventActField(
    option=Option.VALUE,
    kind=ValueKind.NUMBER,
    of="number",
    max_length=MAX_NUMBER_LENGTH,
    largest=MAX_SERIES_DATES,
    field="series_end",
    wrong=lambda written, reading: Refused(OrganiserReason.BAD_DATES, most=MAX_SERIES_DATES),
)
EVERY = EventActField(
    option=Option.VALUE,
    kind=ValueKind.CHOICE,
    of="choice",
    max_length=MAX_TIME_LENGTH,
    choices=tuple((value, f"event_form.option.repeat.{value}") for value in REPEATS),
    chosen=lambda event: ONCE if event.repeat is None else event.repeat.every.value,
    field="repeat",
    wrong=lambda written, reading: Refused(
        OrganiserReason.UNKNOWN_REPEAT,
        choices=reading.words.list([reading.words(f"event_form.option.repeat.{value}") for value in REPEATS]),
    ),
)
FLIGHT_START = replace(START, field="flight", optional=True)
POINTS = replace(AMOUNT, field="points")
ROUND = EventActField(
    option=Option.EXTRA,
    kind=ValueKind.NUMBER,
    of="round",
    max_length=MAX_NUMBER_LENGTH,
    smallest=1,
    largest=MAX_ROUND_NUMBER,
    optional=True,
    field="round",
    wrong=lambda written, reading: Refused(OrganiserReason.NO_MATCH_THEN, rounds=reading.event.round),
)
SERIES = EventActField(
    option=Option.VALUE,
    kind=ValueKind.SERIES,
    of="choice",
    max_length=MAX_SERIES_NAME_LENGTH,
    optional=True,
    field="series",
)


def _postpone(use: ActUse) -> Awaitable[object]:
    until = use.until or (use.event.starts_at or 0) + use.number * 60_000
    return use.events.postpone(*use.where, until=until, cause=use.cause)


def _for_this_date(key: str) -> Callable[[ActUse, object], str]:
    """Return a function for the key of a report that says of a repeating event that later dates stay as they are."""

    def said(use: ActUse, event: object) -> str:
        return key if use.event.repeat is None else f"{key}_once"

    return said


def _repeat(use: ActUse) -> Awaitable[object]:
    every = next((one for one in RepeatInterval if one.value == use.choice), None)
    return use.events.repeat(*use.where, use.authority, every=every, zone=use.zone, cause=use.cause)


def _series_end_said(use: ActUse, event: object) -> str:
    if not use.number:
        return "event_desk.done.series_open"
    key = "event_desk.done.series_left" if use.number > 1 else "event_desk.done.series_last"
    return key if use.event.starts_at is not None else f"{key}_undated"


def _series_end_means(case: ActContext, use: ActUse, words: Words) -> str:
    name, at = escape_name(case.event.name), case.event.starts_at
    if at is None:
        return words("event_desk.means.series_end_undated", name=name)
    return words("event_desk.means.series_end", name=name, at=stamp(at))


def _unregistered_said(use: ActUse, entrant: object) -> str:
    withdrew = use.player == use.by.player
    return by_fee("event.done.withdrawn" if withdrew else "event.done.unregistered", use.event.structure)


def _unregistered_final(case: ActContext, by: Official) -> str:
    if case.player == by.player:
        return "event_desk.final.ruled" if case.desk.ruled else ""
    return "event_desk.final.fee" if case.event.structure.fee else ""


def _resigns(case: ActContext, by: Official) -> bool:
    return case.player == by.player and not by.manager


def _penalty_said(use: ActUse, entrant: object) -> str:
    if not use.number:
        return "event.done.penalty_off"
    return "event.done.penalty" if use.in_hand else "event.done.penalty_next"


def _resettled_said(name: str) -> Callable[[ActUse, Resettled], str]:
    """Return a function for the key of a report on a ruling, which mentions chips that were moved or are missing."""

    def said(use: ActUse, made: Resettled) -> str:
        chips = "_missing" if made.missing else "_chips" if made.taken else ""
        return f"event_desk.done.{name}{chips}"

    return said


async def _undo_ruling(use: ActUse) -> UndoneRuling:
    made = await use.events.undo_ruling(*use.where, number=use.number, cause=use.cause)
    rulings = await use.events.rulings(use.event.key)
    ruling = next(one for one in rulings if one.number == use.number)
    return UndoneRuling(ruling=ruling, in_force=in_force(rulings), made=made)


def _undone_said(use: ActUse, undone: UndoneRuling) -> str:
    rest = "_rest" if undone.in_force else ""
    missing = "_missing" if undone.made is not None and undone.made.missing else ""
    return f"event_desk.done.ruling_undone{rest}{missing}"


def _moved_said(use: ActUse, event: Event) -> str:
    if not event.series:
        return "event_desk.done.series_removed"
    return f"event_desk.done.{'series_changed' if use.event.series else 'series_joined'}"


def _to_series_means(case: ActContext, use: ActUse, words: Words) -> str:
    now = words("event_desk.means.series_now", series=escape_name(case.event.series)) if case.event.series else ""
    return words.side_by_side([*([now] if now else []), words("event_desk.means.to_series")])


def _has_place(case: ActContext) -> bool:
    ruled = case.line is not None and not case.line.entrant.disqualified and case.player.isdecimal()
    return ruled and case.player != case.desk.reader


def _always(case: ActContext) -> bool:
    return True


def _once_started(case: ActContext) -> bool:
    return not case.event.phase.before


def _may_start_with_computers(case: ActContext) -> bool:
    # Other formats would start ahead of schedule, so the *Start now* page offers it instead.
    return case.event.format is Format.SIT_AND_GO and fillable(case.event, len(case.desk.view.lines)) > 0


def _may_register(case: ActContext) -> bool:
    view = case.desk.view
    enters = case.line is None or view.may_enter_again(case.player)
    waits = case.waiting is not None and case.waiting.offered_until is None
    if waits or (case.waiting is None and view.full):
        return False
    return view.registration_open and not case.reinstatable and enters


def _may_go_up(case: ActContext) -> bool:
    others = [waiting.player for waiting in case.desk.view.waiting if waiting.offered_until is None]
    return case.before and case.player in others[1:]


def _may_open_table(case: ActContext) -> bool:
    return case.before and any(waiting.offered_until is None for waiting in case.desk.view.waiting)


def _open_flight(use: ActUse) -> Awaitable[object]:
    return use.events.open_flight(
        *use.where,
        use.authority,
        named=partial(flight_name, words_for(use.event.language)),
        starts_at=use.until,
        shown=use.terms,
        cause=use.cause,
    )


def _flight_terms(case: ActContext) -> str:
    flight = case.desk.flight
    return terms_of.of_flight(case.event, 0, ()) if flight is None else flight.terms


def _flight_means(case: ActContext, use: ActUse, words: Words) -> str:
    offer = case.desk.flight
    if offer is None:
        return ""
    return flight_text(case.desk, offer, words, event_words=words_for(case.event.language), starts_at=use.until)


def _may_attend(case: ActContext) -> bool:
    return case.plays and case.entrant is not None and not case.entrant.penalty


ABOUT_THE_EVENT = (
    Act(
        name="start",
        about=Subject.EVENT,
        when=lambda case: case.before,
        neutral=lambda case: bool(case.event.structure.added),
        verb="ev_start",
        sure=True,
        page=lambda case, words: start_screen(case.desk.view, words),
        confirms="ev_begin",
        may=lambda use: use.events.may_start(*use.where),
        does=lambda use: use.events.start(*use.where, cause=use.cause),
        said="event.done.started",
        logs="started_early",
    ),
    Act(
        name="fill",
        about=Subject.EVENT,
        when=lambda case: case.before and _may_start_with_computers(case),
        verb="ev_fill",
        apart=True,
        in_more=True,
    ),
    Act(
        name="call_missing",
        about=Subject.EVENT,
        when=lambda case: bool(case.desk.missing),
        verb="ev_d_call_all",
        does=lambda use: use.events.call_missing(*use.where, cause=use.cause),
        said="event_desk.done.called",
        logs="called",
        count=lambda case: len(case.desk.missing),
        in_more=True,
    ),
    Act(
        name="pause",
        about=Subject.EVENT,
        when=lambda case: case.runs and not case.event.paused,
        verb="ev_d_pause",
        former=("ev_pause",),
        does=lambda use: use.events.pause(*use.where, cause=use.cause),
        said="event.done.paused",
        logs="paused",
    ),
    Act(
        name="resume",
        about=Subject.EVENT,
        when=lambda case: case.runs and case.event.paused,
        verb="ev_d_resume",
        former=("ev_resume",),
        does=lambda use: use.events.resume(*use.where, cause=use.cause),
        said="event.done.resumed",
        logs="resumed",
        undoes=("paused",),
    ),
    Act(
        name="say",
        about=Subject.EVENT,
        when=lambda case: True,
        verb="ev_d_say",
        former=("ev_announce",),
        does=lambda use: use.events.announce(*use.where, use.text, cause=use.cause),
        said="event.done.said",
        logs="said",
        asks=(MESSAGE,),
    ),
    Act(
        name="open_flight",
        about=Subject.EVENT,
        when=lambda case: case.before and case.desk.flight is not None and case.desk.flight.enough,
        verb="ev_d_flight",
        terms=_flight_terms,
        shows_terms=True,
        meanwhile="event_desk.flight.meanwhile",
        does=_open_flight,
        said="event_desk.done.flight_opened",
        asks=(FLIGHT_START,),
        means=_flight_means,
        may=lambda use: use.events.may_open_flight(*use.where, use.authority),
        logs=OPENED,
        in_more=True,
    ),
    Act(
        name="open_table",
        about=Subject.EVENT,
        when=_may_open_table,
        verb="ev_d_add_table",
        shows=lambda case: case.event.structure.most,
        does=lambda use: use.events.open_table(*use.where, shown=use.number, cause=use.cause),
        said=_for_this_date("event_desk.done.table_opened"),
        logs="changed",
    ),
    Act(
        name="seeds",
        about=Subject.EVENT,
        when=lambda case: case.before and case.event.structure.seeded_by(case.event.series) is SeededBy.HAND,
        verb="ev_seeds",
        in_more=True,
    ),
    Act(
        name="change",
        about=Subject.EVENT,
        when=lambda case: True,
        verb="ev_change",
        apart=True,
        in_more=True,
    ),
    Act(
        name="postpone",
        about=Subject.EVENT,
        when=lambda case: case.before and case.event.starts_at is not None,
        verb="ev_d_postpone",
        former_menu="ev_postpone",
        does=_postpone,
        said=_for_this_date("event.done.postponed"),
        asks=(START,),
        logs="changed",
        in_more=True,
    ),
    Act(
        name="repeat",
        about=Subject.EVENT,
        when=lambda case: case.event.starts_at is not None,
        verb="ev_d_repeat",
        does=_repeat,
        said=lambda use, event: f"event.done.repeat_{use.choice}",
        asks=(EVERY,),
        logs="repeats",
        in_more=True,
    ),
    Act(
        name="series_end",
        about=Subject.EVENT,
        when=lambda case: bool(case.event.series) and not case.event.phase.over,
        neutral=_once_started,
        verb="ev_d_last",
        does=lambda use: use.events.plan_series_end(*use.where, dates=use.number, cause=use.cause),
        said=_series_end_said,
        asks=(DATES,),
        means=_series_end_means,
        logs="series_plan",
        in_more=True,
    ),
    Act(
        name="page_off",
        about=Subject.EVENT,
        at_any_time=True,
        when=lambda case: bool(case.event.page),
        verb="ev_d_page_off",
        does=lambda use: use.events.remove_page(*use.where, cause=use.cause),
        said="event_desk.done.page_removed",
        final=lambda case, by: "event_desk.final.page",
        logs="page_removed",
    ),
    Act(
        name="keep",
        about=Subject.EVENT,
        when=lambda case: case.event.desk_channel is None,
        verb="ev_d_keep",
        in_more=True,
    ),
    Act(
        name="let_go",
        about=Subject.EVENT,
        when=lambda case: case.event.desk_channel is not None,
        verb="ev_d_let_go",
        in_more=True,
    ),
    Act(
        name="rehearse",
        about=Subject.EVENT,
        when=lambda case: case.before,
        verb="ev_rehearse",
        apart=True,
        in_more=True,
    ),
    Act(
        name="show",
        about=Subject.EVENT,
        at_any_time=True,
        when=lambda case: True,
        verb="ev_show",
        apart=True,
        in_more=True,
    ),
    Act(
        name="cancel",
        about=Subject.EVENT,
        when=lambda case: True,
        neutral=_once_started,
        verb="ev_cancel",
        former=("ev_ask_cancel",),
        does=lambda use: use.events.cancel(*use.where, why=use.text, cause=use.cause),
        said=lambda use, event: by_refund(
            "event.done.cancelled", event.structure, started=event.started_at is not None
        ),
        logs="cancelled",
        asks=(REASON,),
        sure=True,
        means=lambda case, use, words: cancel_text(case.event, words),
        may=lambda use: use.events.may_cancel(*use.where),
        style=ButtonStyle.danger,
        in_more=True,
    ),
    Act(
        name="to_series",
        about=Subject.EVENT,
        late=True,
        when=_always,
        verb="ev_d_series",
        terms=lambda case: case.desk.rulings,
        does=lambda use: use.events.to_series(*use.where, use.choice, why=use.text, shown=use.terms, cause=use.cause),
        said=_moved_said,
        asks=(SERIES, REASON),
        means=_to_series_means,
        may=lambda use: use.events.may_rule(*use.where),
        logs=NEW_SERIES,
    ),
)
ABOUT_A_PLAYER = (
    Act(
        name="call",
        about=Subject.PLAYER,
        when=lambda case: case.entrant is not None and case.entrant.state is not EntrantState.OUT,
        verb="ev_d_call",
        does=lambda use: use.events.call_person(*use.whom, cause=use.cause),
        said="event_desk.done.called",
        logs="called",
    ),
    Act(
        name="register",
        about=Subject.PLAYER,
        when=_may_register,
        verb="ev_d_register",
        does=lambda use: use.events.register_for(*use.whom, cause=use.cause),
        said="event_desk.done.registered",
        logs="registered_for",
        members_only=True,
        undoes=("unregistered",),
    ),
    Act(
        name="check_in",
        about=Subject.PLAYER,
        when=lambda case: case.event.phase is Phase.CHECK_IN and case.absent,
        verb="ev_d_check_in",
        does=lambda use: use.events.check_in_for(*use.whom, cause=use.cause),
        said="event_desk.done.checked_in",
        logs="checked_in_for",
    ),
    Act(
        name="unregister",
        about=Subject.PLAYER,
        when=lambda case: case.event.phase.before and case.line is not None,
        neutral=_always,
        verb="ev_d_unlist",
        former=("ev_unregister",),
        does=lambda use: use.events.unregister(*use.whom, cause=use.cause),
        said=_unregistered_said,
        final=_unregistered_final,
        logs="unregistered",
        undoes=("registered_for",),
    ),
    Act(
        name="to_top",
        about=Subject.PLAYER,
        when=_may_go_up,
        neutral=_always,
        verb="ev_d_top",
        does=lambda use: use.events.move_to_top(*use.whom, cause=use.cause),
        said="event_desk.done.moved_up",
        logs="moved_up",
    ),
    Act(
        name="unlist",
        about=Subject.PLAYER,
        when=lambda case: case.before and case.waiting is not None,
        neutral=_always,
        verb="ev_d_unqueue",
        does=lambda use: use.events.remove_waiting(*use.whom, cause=use.cause),
        said="event_desk.done.unlisted",
        logs="unlisted",
    ),
    Act(
        name="back_in_play",
        about=Subject.PLAYER,
        when=lambda case: _may_attend(case) and case.absent,
        neutral=_always,
        verb="ev_d_back",
        does=lambda use: use.events.attend(*use.whom, away=False, cause=use.cause),
        said="event_desk.done.brought_back",
        logs="brought_back",
        undoes=("sat_out",),
    ),
    Act(
        name="sit_out",
        about=Subject.PLAYER,
        when=lambda case: _may_attend(case) and not case.absent,
        neutral=_always,
        verb="ev_d_away",
        does=lambda use: use.events.attend(*use.whom, away=True, cause=use.cause),
        said="event_desk.done.sat_out",
        logs="sat_out",
    ),
    Act(
        name="stay",
        about=Subject.PLAYER,
        when=lambda case: case.entrant is not None and case.entrant.move_to is not None,
        neutral=_always,
        verb="ev_d_stay",
        does=lambda use: use.events.stay(*use.whom, cause=use.cause),
        said="event_desk.done.stays",
        logs="stays",
        undoes=("to_be_moved",),
        in_more=True,
    ),
    Act(
        name="move",
        about=Subject.PLAYER,
        # In other formats the draw decides the tables.
        when=lambda case: case.plays and case.event.format.family is Family.FREEZEOUT and _has_another_table(case),
        neutral=_always,
        verb="ev_move",
        menu="ev_d_to",
        chosen="ev_d_move",
        does=lambda use: use.events.move(*use.whom, table=TableId(use.number), why=use.text, cause=use.cause),
        said="event.done.moving",
        logs="to_be_moved",
        asks=(TO_TABLE, REASON),
    ),
    Act(
        name="penalty",
        about=Subject.PLAYER,
        when=lambda case: case.plays,
        neutral=_always,
        verb="ev_penalty",
        menu="ev_d_penal",
        chosen="ev_d_penalty",
        does=lambda use: use.events.penalty(*use.whom, hands=use.number, why=use.text, cause=use.cause),
        said=_penalty_said,
        logs="penalty",
        asks=(HANDS, REASON),
        means=lambda case, use, words: words("event_desk.penalty_counts") if use.number and case.in_hand else "",
    ),
    Act(
        name="adjust",
        about=Subject.PLAYER,
        # In a league or duplicate event, points can also be adjusted for a player who's out.
        when=lambda case: (
            case.runs and case.line is not None and (case.plays or case.event.format.family is Family.ROUNDS)
        ),
        neutral=_always,
        verb="ev_adjust",
        does=lambda use: use.events.adjust(*use.whom, amount=use.number, why=use.text, cause=use.cause),
        said="event.done.adjusted",
        logs="adjusted",
        asks=(AMOUNT, REASON),
        in_more=True,
    ),
    Act(
        name="help",
        about=Subject.PLAYER,
        when=lambda case: case.player not in {*case.event.helpers, case.event.organiser},
        neutral=_once_started,
        verb="ev_d_help",
        former=("ev_help",),
        does=lambda use: use.events.co_organiser(*use.whom, remove=False, cause=use.cause),
        said="event.done.helper",
        logs="helper",
        members_only=True,
        undoes=("helper_removed",),
        on_desk=True,
        in_more=True,
    ),
    Act(
        name="unhelp",
        about=Subject.PLAYER,
        when=lambda case: case.player in case.event.helpers,
        neutral=_once_started,
        verb="ev_d_unhelp",
        former=("ev_unhelp",),
        does=lambda use: use.events.co_organiser(*use.whom, remove=True, cause=use.cause),
        said="event.done.helper_removed",
        final=lambda case, by: "event_desk.final.resigned" if _resigns(case, by) else "",
        logs="helper_removed",
        undoes=("helper",),
        in_more=True,
    ),
    Act(
        name="reinstate",
        about=Subject.PLAYER,
        when=lambda case: case.reinstatable,
        neutral=_always,
        verb="ev_d_back_in",
        former=("ev_back_in",),
        does=lambda use: use.events.reinstate(*use.whom, cause=use.cause),
        said=lambda use, entrant: "event.done.reinstated" if entrant.playing else "event.done.reinstated_before",
        logs="reinstated",
        undoes=("disqualified",),
    ),
    Act(
        name="out",
        about=Subject.PLAYER,
        when=lambda case: case.line is not None and not case.line.entrant.disqualified and not case.line.eliminated,
        neutral=_always,
        verb="ev_d_out",
        former=("ev_ask_out", "ev_disqualify"),
        does=lambda use: use.events.disqualify(*use.whom, why=use.text, cause=use.cause),
        said="event.done.disqualified",
        logs="disqualified",
        asks=(REASON,),
        sure=True,
        means=lambda case, use, words: disqualify_text(case.desk.view, case.player, words),
        may=lambda use: use.events.may_disqualify(*use.where),
        style=ButtonStyle.danger,
        in_more=True,
    ),
    Act(
        name="lift_penalty",
        about=Subject.PLAYER,
        # It needs the penalty's log entry, so it's only in the menu *Undo an action*.
        when=lambda case: False,
        neutral=_always,
        does=lambda use: use.events.lift_penalty(*use.where, number=use.number, why=use.text, cause=use.cause),
        said="event.done.penalty_off",
        logs="penalty",
        undoes=("penalty",),
    ),
    Act(
        name="correct",
        about=Subject.PLAYER,
        late=True,
        when=lambda case: _has_place(case) and case.event.format.family is Family.ROUNDS,
        verb="ev_d_correct",
        terms=lambda case: case.desk.rulings,
        does=lambda use: use.events.correct(
            *use.whom, amount=use.number, round_no=use.round, why=use.text, shown=use.terms, cause=use.cause
        ),
        said=_resettled_said("corrected"),
        asks=(POINTS, REASON, ROUND),
        means=lambda case, use, words: words("event_desk.means.correct"),
        may=lambda use: use.events.may_rule(*use.where, player=use.player or None),
        logs=CORRECTED,
    ),
    Act(
        name="strike",
        about=Subject.PLAYER,
        late=True,
        when=_has_place,
        verb="ev_d_strike",
        terms=lambda case: case.desk.rulings,
        does=lambda use: use.events.strike(*use.whom, why=use.text, shown=use.terms, cause=use.cause),
        said=_resettled_said("struck"),
        asks=(REASON,),
        means=lambda case, use, words: words("event_desk.means.strike"),
        may=lambda use: use.events.may_rule(*use.where, player=use.player or None),
        logs=STRUCK,
        style=ButtonStyle.danger,
    ),
    Act(
        name="undo_ruling",
        about=Subject.PLAYER,
        late=True,
        # It needs the ruling's log entry, so it has a button on the desk for each ruling.
        when=lambda case: False,
        does=_undo_ruling,
        said=_undone_said,
        logs=UNDONE,
        undoes=(STRUCK, CORRECTED, NEW_SERIES),
    ),
)
ABOUT_A_TABLE = (
    Act(
        name="call_table",
        about=Subject.TABLE,
        when=lambda case: case.seat is not None,
        verb="ev_d_call_at",
        does=lambda use: use.events.call_table(*use.where, table=use.table, cause=use.cause),
        said="event_desk.done.called",
        logs="called",
    ),
    Act(
        name="hold",
        about=Subject.TABLE,
        when=lambda case: case.event.treats_tables_apart and case.seat is not None and not case.seat.line.info.held,
        neutral=_always,
        verb="ev_d_hold",
        does=lambda use: use.events.hold(*use.where, table=use.table, held=True, cause=use.cause),
        said="event_desk.done.held",
        logs="held",
    ),
    Act(
        name="release",
        about=Subject.TABLE,
        when=lambda case: case.event.treats_tables_apart and case.seat is not None and case.seat.line.info.held,
        neutral=_always,
        verb="ev_d_release",
        does=lambda use: use.events.hold(*use.where, table=use.table, held=False, cause=use.cause),
        said="event_desk.done.released",
        logs="released",
        undoes=("held",),
    ),
    Act(
        name="end_hand",
        about=Subject.TABLE,
        when=lambda case: case.event.treats_tables_apart and case.seat is not None and case.seat.line.playing,
        neutral=_always,
        verb="ev_d_void",
        does=lambda use: use.events.end_hand(
            *use.where, table=use.table, hand_no=use.number, why=use.text, cause=use.cause
        ),
        said="event_desk.done.hand_ended",
        logs="hand_ended",
        asks=(REASON,),
        style=ButtonStyle.danger,
        in_more=True,
    ),
)


def _has_another_table(case: ActContext) -> bool:
    return case.line is not None and case.line.table is not None and len(case.desk.view.tables) > 1


ACTS = (*ABOUT_THE_EVENT, *ABOUT_A_PLAYER, *ABOUT_A_TABLE)
BY_NAME = {act.name: act for act in ACTS}
TAKES_BACK = {kind: act for act in ACTS for kind in act.undoes}
"""The action that undoes a log entry, keyed by the entry's kind."""


def undone_by(act: Act) -> Act | None:
    """Return the action that undoes ``act``; None if there is none."""
    return TAKES_BACK.get(act.logs)
