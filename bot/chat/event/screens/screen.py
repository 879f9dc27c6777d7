"""An event's public message: a short summary before the start, and the current state while it runs.

Everything else is private, under **Details** (:mod:`bot.chat.event.screens.details`).
"""

from __future__ import annotations

from dataclasses import replace

from discord import ButtonStyle

from bot.chat.event.screens.standings import (
    MEDALS,
    brief_now_lines,
    brief_table_lines,
    ladder_lines,
    next_draw_line,
    podium,
    podium_lines,
)
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import (
    QUIET_COLOUR,
    RESULT_COLOUR,
    TABLE_COLOUR,
    and_more,
    moment,
    names,
    player_name,
    watch_button,
)
from bot.chat.kit.widgets import Part, Screen, button, button_rows, gallery, link, screen
from bot.model.clock import DEFAULT_SECONDS, HOUR, Clock, Pace
from bot.model.events import EntrantState, Event, Phase
from bot.model.ids import TableId
from bot.play import terms as terms_of
from bot.play.event.office.views import EventView, StandingsLine
from bot.play.event.trials.forecast import Forecast
from bot.pure.event.structure import Family, Format, Structure
from bot.pure.ofc.settlement import WinCap
from bot.text.durations import duration
from bot.text.event_structure import (
    adds_fees,
    by_refund,
    clock_text,
    enter_late_label,
    kind_name,
    register_label,
    round_lines,
)
from bot.text.games import full_name
from bot.text.words import Words, escape_name

MAX_NAMES = 12
MAX_TABLES = 8
MAX_SHOWN_DESCRIPTION = 120
"""Maximum length of the organiser's description. The details show all of it."""
DEFAULT_CLOCK = Clock(pace=Pace.PER_TURN, seconds=DEFAULT_SECONDS[Pace.PER_TURN])
SAME_EVENING = 12 * HOUR
"""Times within this distance of the start are shown without the date."""
LASTS_STEPS = ((7_200, 300), (86_400, 600), (1 << 62, 3_600))
"""Pairs of an upper limit and a step, in seconds. A length below the limit is rounded to the step."""
BRACKET = "bracket.png"
SURE = 1
"""The street of a confirmed press."""


def about(event: Event) -> Press:
    """Return a press about the event, with its verb still unset."""
    return Press(verb="ev_show", table=TableId(event.key.number), tag=event.tag)


def register_press(event: Event) -> Press:
    """Return a press that enters the event under its current terms."""
    return about(event).but("ev_register", terms=terms_of.of_event(event))


def register_button(view: EventView, words: Words) -> Part:
    """Return the button to register, or to re-enter later."""
    late = view.reentry_open and not view.event.phase.before
    if view.full:
        return button(register_press(view.event), words("event.waiting.join"), style=ButtonStyle.success)
    label = (enter_late_label if late else register_label)(view.event.structure.fee, words)
    return button(register_press(view.event), label, style=ButtonStyle.success)


def check_in_button(event: Event, words: Words) -> Part:
    """Return the button to check in for the current start."""
    press = about(event).but("ev_checkin", terms=terms_of.of_start(event))
    return button(press, words("event.button.check_in"), style=ButtonStyle.primary)


def leave_button(view: EventView, you: str, words: Words) -> list[Part]:
    """Return the button to leave a running event, or to come back to one; empty if the reader can do neither."""
    event, line = view.event, view.line_of(you)
    if line is None or event.phase is not Phase.RUNNING:
        return []
    if line.may_return:
        return [come_back_button(event, words)]
    by_rounds = event.format.family is Family.ROUNDS
    may = not line.gave_up and (not by_rounds or event.round < event.structure.rounds)
    if not may or not line.entrant.playing or line.entrant.disqualified:
        return []
    label = "give_up" if event.structure.gives_up else "leave_round" if by_rounds and view.tables else "leave"
    return [button(about(event).but("ev_withdraw"), words(f"event.button.{label}"))]


def come_back_button(event: Event, words: Words) -> Part:
    """Return the button to come back to an event that the reader has left."""
    return button(about(event).but("ev_return"), words("event.button.come_back"))


def withdraw_button(event: Event, words: Words) -> Part:
    """Return the button to withdraw."""
    return button(about(event).but("ev_withdraw"), words("event.button.withdraw"))


def details_button(event: Event, words: Words) -> Part:
    """Return the button for all details, which is the last one of each public message."""
    return button(about(event).but("ev_details"), words("event.button.details"))


def all_about_button(event: Event, words: Words) -> Part:
    """Return the button for the members' view, which organisers can open too."""
    return button(about(event), words("event.button.details"))


def series_calls_button(event: Event, words: Words, *, on: bool) -> Part:
    """Return the button that turns pings for a series' next date on or off."""
    press = replace(about(event).but("ev_dates"), hand=int(on))
    return button(press, words(f"event.button.series_calls_{'on' if on else 'off'}"))


def calendar_ways(event: Event, words: Words) -> list[Part]:
    """Return the button for a calendar file, which also removes a cancelled date; empty after the start."""
    ahead = event.phase.before or (event.phase is Phase.CANCELLED and event.started_at is None)
    if event.starts_at is None or not ahead:
        return []
    return [button(about(event).but("ev_calendar"), words("event.button.calendar"))]


def event_screen(
    view: EventView,
    words: Words,
    *,
    bracket: str = "",
    lasts: Forecast | None = None,
    ends_at: int | None = None,
    committed: bool = True,
    page: str = "",
    watched: bool = False,
) -> Screen:
    """Draw the event's public message.

    ``bracket`` describes the picture attached as ``bracket.png``; empty for none. ``lasts`` is the expected length with
    the current registrations, and ``ends_at`` is the expected end of a running event. Until the event is ``committed``
    to its draw and decks by a posted message, there's no button to register. ``page`` is the address of its public
    page; empty for none. ``watched`` is True if there are links for watching its tables.
    """
    event = view.event
    if event.phase.before:
        lines, colour = before_lines(view, words, lasts=lasts), TABLE_COLOUR
    elif event.phase is Phase.RUNNING:
        lines, colour = [*_title(event), *_lines_while_running(view, words, ends_at=ends_at)], TABLE_COLOUR
    elif event.phase is Phase.ENDED:
        lines, colour = [*_title(event), *_lines_after_end(view, words)], RESULT_COLOUR
    else:
        lines, colour = [*_title(event), *cancelled_lines(view, words)], QUIET_COLOUR
    shown: list[str | Part] = ["\n".join(lines)]
    if bracket:
        shown.append(gallery(BRACKET, description=bracket))
    buttons = _buttons(view, words, committed=committed, page=page, watched=watched)
    return screen(*shown, *button_rows(buttons), colour=colour)


def _buttons(view: EventView, words: Words, *, committed: bool, page: str, watched: bool) -> list[Part]:
    event, made = view.event, list[Part]()
    if view.registration_open and not event.phase.over and committed:
        made.append(register_button(view, words))
    if event.phase is Phase.CHECK_IN and missing_players(view):
        made.append(check_in_button(event, words))
    if event.phase is Phase.RUNNING:
        made.append(bracket_button(event, words) if event.format.heads_up else standings_button(event, words))
        made += [watch_button(about(event).but("ev_watch"), words)] if watched else []
    if event.phase is Phase.ENDED:
        made.append(results_button(event, words))
    if event.phase is Phase.CANCELLED:
        made += calendar_ways(event, words)  # for players who have it in their calendar
    on_page = [link(page, words("event.button.page"))] if page else []
    return [*made, *on_page, details_button(event, words)]


def bracket_button(event: Event, words: Words) -> Part:
    """Return the button that shows the bracket."""
    return button(about(event).but("ev_bracket"), words("event.button.bracket"))


def standings_button(event: Event, words: Words) -> Part:
    """Return the button that shows the standings."""
    return button(about(event).but("ev_standings"), words("event.button.standings"))


def results_button(event: Event, words: Words) -> Part:
    """Return the button that shows the results and the record of the draw."""
    return button(about(event).but("ev_results"), words("event.button.results"))


def heading(event: Event, words: Words) -> list[str]:
    """Return the event's name, number and format. A draft has no number yet."""
    number, kind = event.key.number, kind_name(event.structure, words)
    kind = words("event.number", number=number, format=kind) if number else kind
    return [*_title(event), f"-# {kind}"]


def _title(event: Event) -> list[str]:
    return [f"## {escape_name(event.name)}"]


# Before the start


def before_lines(view: EventView, words: Words, *, lasts: Forecast | None) -> list[str]:
    """Return the name, start, game, terms, registered players, description and organisers."""
    event = view.event
    organisers = words("event.brief.by", people=names([event.organiser, *event.helpers], words))
    return [
        *_title(event),
        words.facts(_start_text(view, words)),
        words.facts([full_name(event.variant, words), kind_name(event.structure, words), *_play(event, lasts, words)]),
        words.facts(
            [
                *agreed_terms(event.structure, words),
                *_pool(view, words),
                _registered_text(view, words),
                *_waiting(view, words),
            ]
        ),
        *_description_lines(event),
        f"-# {words.facts([organisers, *series_facts(view, words), words('event.brief.locked')])}",
    ]


def series_facts(view: EventView, words: Words) -> list[str]:
    """Return the event's series, and how many dates are left if its end is planned; empty without a series."""
    if not view.event.series:
        return []
    told = [words("event.series", series=escape_name(view.event.series))]
    if view.is_last_date:
        told.append(words("event_series.last_date"))
    elif view.dates_left:
        told.append(words("event_series.dates_left", count=view.dates_left))
    return told


def _start_text(view: EventView, words: Words) -> list[str]:
    event = view.event
    if event.starts_at is None:
        # Only in a draft can an event that needs a start not have one.
        return [words("event.brief.when_full" if event.format is Format.SIT_AND_GO else "event.brief.no_start")]
    told = [words("event.brief.when", at=stamp(event.starts_at), from_now=moment(event.starts_at))]
    if event.repeat is not None and view.repeats:
        told.append(words(f"event.brief.repeat.{event.repeat.every.value}"))
    if event.phase is Phase.CHECK_IN:
        told.append(words("event.brief.check_in_open"))
        if missing_players(view):
            told.append(words("event.brief.came", count=len(view.lines) - missing_players(view), all=len(view.lines)))
    elif event.phase.before and (opens := event.check_in_at) is not None and event.starts_at > event.created_at:
        # If the start is soon, check-in opens when the event is announced.
        at_once = opens <= event.created_at
        told.append(
            words("event.brief.check_in_at_once")
            if at_once
            else words("event.brief.check_in", at=_time(opens, near=event.starts_at))
        )
    return told


def _time(at: int, *, near: int) -> str:
    """Return a time in the reader's own zone, with the date unless it's close to ``near`` (both ms)."""
    return f"<t:{at // 1000}:{'t' if abs(at - near) < SAME_EVENING else 'f'}>"


def _play(event: Event, lasts: Forecast | None, words: Words) -> list[str]:
    """Return the starting chips or rounds, the clock if it isn't the default, and the expected end."""
    if event.format.family is Family.ROUNDS:
        told = round_lines(event.structure, words)
    else:
        told = [words("event.brief.stack", chips=words.number(event.structure.stack))]
    if event.clock != DEFAULT_CLOCK:
        told.append(clock_text(event.clock, words))
    if lasts is not None and event.starts_at is None:
        told.append(words("event.brief.lasts", time=duration(rounded_length(lasts.middle // 1000), words)))
    elif lasts is not None and event.starts_at is not None:
        ends = event.starts_at + rounded_length(lasts.middle // 1000) * 1000
        told.append(words("event.ends_at", at=_time(ends, near=event.starts_at)))
    return told


def rounded_length(seconds: int) -> int:
    """Round a length to 5 minutes below two hours, to 10 minutes below a day, and to hours above that."""
    step = next(step for until, step in LASTS_STEPS if seconds < until)
    return max(step, round(seconds / step) * step)


def agreed_terms(structure: Structure, words: Words) -> list[str]:
    """Return the terms that a player agrees to: fee, bounty, re-entries, and the win limit if it isn't the default."""
    fee = words.number(structure.fee)
    told = [words("event.brief.fee", chips=fee) if structure.fee else words("event.brief.free")]
    if structure.bounty:
        key = "event.brief.bounty_grows" if structure.bounty_grows else "event.brief.bounty"
        told.append(words(key, chips=words.number(structure.bounty)))
    if structure.late_levels and structure.reentries:
        again = "event.brief.reentries_paid" if structure.fee else "event.brief.reentries"
        told.append(words(again, count=structure.reentries, **({"chips": fee} if structure.fee else {})))
    if structure.format.family is not Family.ROUNDS and structure.win_cap is not WinCap.OWN_STACK:
        told.append(words(f"event.brief.win_cap.{structure.win_cap.value}"))
    return told


def _pool(view: EventView, words: Words) -> list[str]:
    """Return the prize pool before the start, if there is one yet."""
    key = "event.brief.pool_so_far" if adds_fees(view.event.structure) else "event.brief.pool"
    return [words(key, chips=words.number(view.pool))] if view.pool else []


def _registered_text(view: EventView, words: Words) -> str:
    """Return the number of registered players, and the first of them by name."""
    people, most = view.lines, view.event.structure.most
    if not people:
        return words("event.brief.registered_none", most=most)
    shown = [entrant_name(line, words) for line in people[:MAX_NAMES]]
    named = words("event.between").join([*shown, *and_more(len(people) - MAX_NAMES, words)])
    return words("event.brief.registered", count=len(people), most=most, players=named)


def _waiting(view: EventView, words: Words) -> list[str]:
    """Return how many players are on the waiting list, and how many of them have a place on offer."""
    waiting, offered = len(view.waiting), sum(one.offered_until is not None for one in view.waiting)
    if not waiting:
        return []
    key = "event.waiting.brief_offered" if offered else "event.waiting.brief"
    return [words(key, waiting=waiting, **({"count": offered} if offered else {}))]


def entrant_name(line: StandingsLine, words: Words) -> str:
    """Return a registered player's name, marked if they have checked in."""
    here = "✅ " if line.entrant.state is EntrantState.CHECKED_IN else ""
    return here + player_name(line.entrant.player, words)


def _description_lines(event: Event) -> list[str]:
    """Return the beginning of the organiser's description."""
    first, *more = event.description.splitlines() or [""]
    if not first:
        return []
    whole = len(first) <= MAX_SHOWN_DESCRIPTION and not more
    return [
        escape_name(first[:MAX_SHOWN_DESCRIPTION].rstrip() if whole else f"{first[:MAX_SHOWN_DESCRIPTION].rstrip()} …")
    ]


def opened_text(event: Event, words: Words) -> str:
    """Return an open event's kind and start, and the link to its message or, until it's posted, its channel."""
    if event.starts_at is None:
        start = words("event.brief.when_full")
    else:
        start = words("event.brief.when", at=stamp(event.starts_at), from_now=moment(event.starts_at))
    return words.facts([kind_name(event.structure, words), start, message_link(event, words)])


def message_link(event: Event, words: Words) -> str:
    """Return a link to the event's own message or, until it's posted, its channel."""
    if not event.message:
        return f"<#{event.channel}>"
    address = f"https://discord.com/channels/{event.key.guild}/{event.channel}/{event.message}"
    return words("event.link", address=address)


def when_lines(event: Event, words: Words, *, last: bool = False) -> list[str]:
    """Return the start in the reader's own time zone. The ``last`` date of a series doesn't repeat."""
    if event.starts_at is None:
        return [words("event.when_full")]
    lines = [words("event.when", at=stamp(event.starts_at), from_now=moment(event.starts_at))]
    if event.repeat is not None and not last:
        lines.append(words(f"event.repeat.{event.repeat.every.value}"))
    opens = event.check_in_at
    if event.phase is Phase.REGISTERING and opens is not None and event.starts_at > event.created_at:
        # If the start is soon, check-in opens when the event is announced.
        lines.append(
            words("event.check_in_at_once")
            if opens <= event.created_at
            else words("event.check_in_from", at=stamp(opens), from_now=moment(opens))
        )
    return lines


def stamp(milliseconds: int) -> str:
    """Return the date and time in the reader's own time zone."""
    return f"<t:{milliseconds // 1000}:F>"


def missing_players(view: EventView) -> int:
    """Return the number of players who have registered but not checked in."""
    return sum(line.entrant.state is EntrantState.REGISTERED for line in view.lines)


# Running


def _lines_while_running(view: EventView, words: Words, *, ends_at: int | None) -> list[str]:
    lines = brief_now_lines(view, words, ends_at=ends_at)
    if view.ladder:  # includes the current tables
        newest = max(rung.round for rung in view.ladder)
        rungs = ladder_lines(view, words, rounds=[newest], most=MAX_TABLES)
        return [*lines, *next_draw_line(view, words), *rungs]
    return [*lines, *brief_table_lines(view, words, most=MAX_TABLES)]


# Over


def _lines_after_end(view: EventView, words: Words) -> list[str]:
    event = view.event
    entries = words("event.entries_were", count=view.entries)
    when = words("event.ended", when=moment(event.ended_at or event.created_at))
    sharing = sum(line.place <= len(MEDALS) for line in view.fair)
    more = and_more(sharing - len(podium(view)), words)
    return [*(podium_lines(view, words) or [words("event.nobody_listed")]), *more, words.facts([entries, when])]


def cancelled_lines(view: EventView, words: Words) -> list[str]:
    """Return a line saying that the event was cancelled, and why."""
    event = view.event
    reason = f"event.cancelled.{event.reason}"
    lines = [words(by_refund("event.cancelled.title", event.structure, started=event.started_at is not None))]
    if words.has(reason):
        lines.append(words(reason))
    if view.why:
        lines.append(words("event_notice.why", why=escape_name(view.why)))
    return lines
