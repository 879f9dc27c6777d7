"""An event's public message, from registration to the result.

Its lines, buttons and answers to registering are also used by other screens of the event.
"""

from __future__ import annotations

from collections.abc import Sequence

from discord import ButtonStyle

from bot.chat.event.screens.standings import (
    MEDALS,
    MOST_SEEDS,
    MOST_STANDING,
    MOST_TABLES,
    disqualified_lines,
    handicap_text,
    ladder_lines,
    line_text,
    next_draw_line,
    now_lines,
    podium,
    podium_lines,
    seed_text,
    standing_lines,
    table_lines,
)
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import (
    MOST_TEXT,
    QUIET_COLOUR,
    RESULT_COLOUR,
    TABLE_COLOUR,
    and_more,
    game_line,
    moment,
    names,
    player_name,
    short_fingerprint,
    text_length,
)
from bot.chat.kit.widgets import BUTTONS_A_ROW, Part, Screen, apart, button, gallery, rows_of, screen
from bot.model.events import Entrant, EntrantState, Event, Phase
from bot.model.ids import TableId
from bot.model.tables import Table
from bot.play import terms as terms_of
from bot.play.event.office.views import EventView, Line
from bot.play.event.trials.forecast import Forecast
from bot.pure.event.structure import NoShow, Structure
from bot.text.durations import duration
from bot.text.event_structure import (
    by_refund,
    clock_text,
    computer_lines,
    enter_late_label,
    how_played,
    kind_name,
    meeting_lines,
    prize_lines,
    register_label,
    structure_lines,
)
from bot.text.games import full_name
from bot.text.house_rules import house_items
from bot.text.words import Words, escape_name, words_for

MOST_NAMES = 40
MOST_HOUSE = 6
THREADS_AT_ONCE = 50
"""Made within FIRST_SECONDS, and no more for five minutes (docs/reliability.md); the other tables share the channels,
each of which takes one message a second. So that is how long it takes until the last table is shown.
"""
FIRST_SECONDS = 8
"""Until the draw was posted and those threads are made."""
UNNOTICED_SECONDS = 30
"""The first hands are dealt so long after the start in any case."""
STEP_SECONDS = 10
"""It is told no more exactly than that."""
LASTS_STEPS = ((7_200, 300), (86_400, 600), (1 << 62, 3_600))
"""Below so many seconds a length is told in steps of so many."""
BRACKET = "bracket.png"


def about(event: Event) -> Press:
    """A press that speaks of the event; its verb is still to be chosen."""
    return Press(verb="ev_show", table=TableId(event.key.number), tag=event.tag)


def register_press(event: Event) -> Press:
    """Return a press that enters the event under its terms."""
    return about(event).but("ev_register", terms=terms_of.of_event(event))


def check_in_button(event: Event, words: Words) -> Part:
    """Return the button that checks its presser in for the start as it stands."""
    press = about(event).but("ev_checkin", terms=terms_of.of_start(event))
    return button(press, words("event.button.check_in"), style=ButtonStyle.primary)


def terms_screen(event: Event, words: Words, *, said: str, checks_in: bool = False) -> Screen:
    """Show the current terms of an event to somebody who pressed under others, or typed, and ask for the press."""
    asks = button(register_press(event), register_label(event.structure.fee, words), style=ButtonStyle.success)
    parts = [heading(event, words), when_lines(event, words)]
    if not checks_in:
        parts += [plan_lines(event, words), prize_lines(event.structure, words)]
    return screen(
        said,
        *("\n".join(part) for part in parts),
        *rows_of([check_in_button(event, words) if checks_in else asks]),
        colour=TABLE_COLOUR,
    )


def event_screen(
    view: EventView, words: Words, *, bracket: str = "", lasts: Forecast | None = None, ends_at: int | None = None
) -> Screen:
    """The event's public message. Lists are cut so that it fits into one message, whatever their length.

    ``bracket`` describes the picture of one that is attached as ``bracket.png``; empty for none. ``lasts`` is how long
    it will last with those who have registered, ``ends_at`` when one that runs ends.
    """
    for share in (1.0, 0.6, 0.3, 0.1):
        drawn = _drawn(view, words, share=share, bracket=bracket, lasts=lasts, ends_at=ends_at)
        if text_length(drawn) <= MOST_TEXT:
            return drawn
    return drawn


def _drawn(
    view: EventView, words: Words, *, share: float, bracket: str, lasts: Forecast | None, ends_at: int | None
) -> Screen:
    event = view.event
    if event.phase.over:
        parts = _ended(view, words, share=share) if event.phase is Phase.ENDED else cancelled_lines(view, words)
        colour = RESULT_COLOUR if event.phase is Phase.ENDED else QUIET_COLOUR
    else:
        if event.phase.before:
            parts = _before(view, words, share=share, lasts=lasts)
        else:
            parts = _running(view, words, share=share, ends_at=ends_at)
        colour = TABLE_COLOUR
    blocks = ["\n".join(part) for part in (heading(event, words), *parts) if part]
    shown = apart(blocks)
    if bracket:
        # Below the heading and how it stands, or the podium.
        shown[3:3] = [gallery(BRACKET, description=bracket)]
    return screen(*shown, *rows_of(_buttons(view, words)), colour=colour)


def heading(event: Event, words: Words) -> list[str]:
    """The event's name, number and format."""
    kind = words("event.number", number=event.key.number, format=kind_name(event.structure, words))
    return [f"## {escape_name(event.name)}", f"-# {kind}"]


def description_lines(event: Event) -> list[str]:
    """What its organiser says about it."""
    return [escape_name(line) for line in event.description.splitlines()]


def _buttons(view: EventView, words: Words) -> list[Part]:
    event, press = view.event, about(view.event)
    made = []
    if view.registration_open and not event.phase.over:
        labelled = enter_late_label if view.reentry_open and not event.phase.before else register_label
        label = labelled(event.structure.fee, words)
        made.append(button(register_press(event), label, style=ButtonStyle.success))
    if event.phase is Phase.CHECK_IN and _missed(view):
        made.append(check_in_button(event, words))
    if event.phase.before:
        made.append(button(press.but("ev_withdraw"), words("event.button.withdraw")))
    made += calendar_ways(event, words)
    if event.format.heads_up and event.phase in (Phase.RUNNING, Phase.ENDED):
        made.append(button(press.but("ev_bracket"), words("event.button.bracket")))
    if event.phase is Phase.RUNNING:
        made.append(button(press.but("ev_standings"), words("event.button.standings")))
    if event.phase is Phase.ENDED:
        made.append(button(press.but("ev_results"), words("event.button.results")))
    if not event.phase.over:
        made.append(button(press.but("ev_tools"), words("event_tools.button.open")))
    return made


def calendar_ways(event: Event, words: Words) -> list[Part]:
    """The button that gives its date for people's calendars, or takes it out of them; none once it has begun."""
    ahead = event.phase.before or (event.phase is Phase.CANCELLED and event.started_at is None)
    if event.starts_at is None or not ahead:
        return []
    return [button(about(event).but("ev_calendar"), words("event.button.calendar"))]


# Before the start


def _before(view: EventView, words: Words, *, share: float, lasts: Forecast | None) -> list[list[str]]:
    event = view.event
    length = [lasts_text(lasts, words)] if lasts is not None else []
    return [
        description_lines(event),
        [
            *when_lines(event, words),
            *length,
            *meeting_lines(event.structure, len(view.lines), words),
            *_check_in(view, words),
            *_slow_start(view, words),
        ],
        plan_lines(event, words),
        prize_lines(event.structure, words, prizes=view.prizes, pool=view.pool),
        _people(event, words),
        registered_lines(view, words, most=max(5, round(MOST_NAMES * share))),
        draw_lines(event, words),
    ]


def when_lines(event: Event, words: Words) -> list[str]:
    """When it starts, in the reader's own time."""
    if event.starts_at is None:
        return [words("event.when_full")]
    lines = [words("event.when", at=stamp(event.starts_at), from_now=moment(event.starts_at))]
    if event.repeat is not None:
        lines.append(words(f"event.repeat.{event.repeat.every.value}"))
    opens = event.check_in_at
    if event.phase is Phase.REGISTERING and opens is not None and event.starts_at > event.created_at:
        # Where the start is near it opens as soon as the event is announced.
        lines.append(
            words("event.check_in_at_once")
            if opens <= event.created_at
            else words("event.check_in_from", at=stamp(opens), from_now=moment(opens))
        )
    return lines


def stamp(milliseconds: int) -> str:
    """Day and time in the reader's own time zone."""
    return f"<t:{milliseconds // 1000}:F>"


def start_seconds(structure: Structure, players: int) -> int:
    """About so many seconds after the start the last table is shown."""
    in_channel = -(-structure.tables_for(players) // (1 + len(structure.channels)))
    seconds = FIRST_SECONDS + max(0, in_channel - (THREADS_AT_ONCE if structure.threads else 0))
    return -(-seconds // STEP_SECONDS) * STEP_SECONDS


def lasts_text(lasts: Forecast, words: Words) -> str:
    """``About 1 hour 20 minutes with 12 players (1 hour to 1 hour 50 minutes)``."""
    shown = {name: duration(_rounded(getattr(lasts, name) // 1000), words) for name in ("low", "middle", "high")}
    if shown["low"] == shown["high"]:
        return words("event.lasts_about", middle=shown["middle"], count=lasts.people)
    return words("event.lasts", **shown, count=lasts.people)


def _rounded(seconds: int) -> int:
    """As exactly as it can be known: 5 minutes of an hour or two, 10 of an evening, hours of days."""
    step = next(step for until, step in LASTS_STEPS if seconds < until)
    return max(step, round(seconds / step) * step)


def _slow_start(view: EventView, words: Words) -> list[str]:
    """How long those who have registered wait for the last table; nothing where nobody notices."""
    seconds = start_seconds(view.event.structure, len(view.lines))
    return [words("event.slow_start", time=duration(seconds, words))] if seconds > UNNOTICED_SECONDS else []


def _check_in(view: EventView, words: Words) -> list[str]:
    event = view.event
    if event.phase is not Phase.CHECK_IN:
        return []
    blind = event.structure.no_show is NoShow.BLIND
    missed = _missed(view)
    here = len(view.lines) - missed
    lines = [words("event.check_in_now")]
    if missed:
        lines.append(words("event.check_in_open_blind" if blind else "event.check_in_open"))
    return [*lines, *([words("event.came", count=here)] if here else [])]


def _missed(view: EventView) -> int:
    """How many have registered and not checked in."""
    return sum(line.entrant.state is EntrantState.REGISTERED for line in view.lines)


def plan_lines(event: Event, words: Words) -> list[str]:
    """The game and how it is played."""
    computers = computer_lines(event.structure, words, least_seats=event.variant.min_seats, series=event.series)
    fantasyland = event.variant.fantasyland is not None
    return [
        words("event.game", game=full_name(event.variant, words)),
        f"-# {game_line(event.variant, words)}",
        how_played(event.structure, words, series=event.series),
        # A list takes in the plain line that follows it, so there is one list.
        *_house(event, words),
        *(f"- {line}" for line in structure_lines(event.structure, words, fantasyland=fantasyland)),
        *(f"- {line}" for line in computers),
        f"- {clock_text(event.clock, words)}",
    ]


def _house(event: Event, words: Words) -> list[str]:
    """What a house has changed in the game."""
    if not event.variant.house:
        return []
    changed = house_items(event.variant, words)
    return [f"- {line}" for line in [*changed[:MOST_HOUSE], *and_more(len(changed) - MOST_HOUSE, words)]]


def _people(event: Event, words: Words) -> list[str]:
    lines = [words("event.series", series=escape_name(event.series))] if event.series else []
    organisers = names([event.organiser, *event.helpers], words)
    return [*lines, words("event.organiser", people=organisers)]


def registered_lines(view: EventView, words: Words, *, most: int) -> list[str]:
    """The people who have registered, so many of them by name."""
    if not view.lines:
        return [words("event.registered_none", press=register_label(view.event.structure.fee, words))]
    head = words("event.registered", count=len(view.lines), most=view.event.structure.most)
    shown = [_name(line, words) for line in view.lines[:most]]
    return [
        head,
        words("event.between").join([*shown, *and_more(len(view.lines) - most, words)]),
        *_seeds(view, words),
        *_handicaps(view, words),
    ]


def _seeds(view: EventView, words: Words) -> list[str]:
    """The order in which an organiser has put some of them so far."""
    seeded = view.seeded_by_hand
    shown = [seed_text(place, line.entrant.player, words) for place, line in enumerate(seeded[:MOST_SEEDS], start=1)]
    told = words("event.between").join([*shown, *and_more(len(seeded) - MOST_SEEDS, words)])
    return [words("event.seeds", seeds=told)] if seeded else []


def _handicaps(view: EventView, words: Words) -> list[str]:
    """What some of them would start with, as ratings stand."""
    if not view.handicaps:
        return []
    shown = [handicap_text(one.player, one.amount, view.event, words) for one in view.handicaps[:MOST_SEEDS]]
    told = words("event.between").join([*shown, *and_more(len(view.handicaps) - MOST_SEEDS, words)])
    return [words("event.handicaps", handicaps=told)]


def _name(line: Line, words: Words) -> str:
    here = "✅ " if line.entrant.state is EntrantState.CHECKED_IN else ""
    return here + player_name(line.entrant.player, words)


# Running


def _running(view: EventView, words: Words, *, share: float, ends_at: int | None) -> list[list[str]]:
    event = view.event
    tables = table_lines(view, words, most=max(2, round(MOST_TABLES * share)))
    most = max(3, round(MOST_STANDING * share))
    # Before the first hand has ended the tables say who plays.
    standings = standing_lines(view, words, most=most) if view.begun or view.in_groups or not tables else []
    matches = event.format.heads_up
    if view.ladder:  # it has the tables that play, too
        most = max(3, round(MOST_TABLES * share))
        tables = [*next_draw_line(view, words), *ladder_lines(view, words, most=most)]
    return [
        now_lines(view, words, ends_at=ends_at),
        description_lines(event),
        prize_lines(event.structure, words, prizes=view.prizes, pool=view.pool) if view.pool else [],
        tables if matches else standings,
        standings if matches else tables,
        [words("event.game", game=full_name(event.variant, words)), *_people(event, words)],
        draw_lines(event, words),
    ]


def draw_lines(event: Event, words: Words) -> list[str]:
    """What the draw was made of, once it was made."""
    if event.seed is None:
        return [words("event.commitment", commitment=short_fingerprint(event.commitment))]
    key = "event.seed" if event.phase.over else "event.seed_later"
    return [words(key, commitment=short_fingerprint(event.commitment), number=event.key.number)]


# Over


def _ended(view: EventView, words: Words, *, share: float) -> list[list[str]]:
    event = view.event
    most = max(len(MEDALS), round(MOST_STANDING * share))
    rest = [line_text(view, line, words) for line in view.fair[len(podium(view)) : most]]
    more = and_more(len(view.fair) - most, words)
    entries = words("event.entries_were", count=view.entries)
    when = words("event.ended", when=moment(event.ended_at or event.created_at))
    return [
        podium_lines(view, words) or [words("event.nobody_listed")],
        [*rest, *more],
        disqualified_lines(view, words, most=most),
        ladder_lines(view, words, most=max(3, round(MOST_TABLES * share))),
        [
            words.facts([entries, when]),
            words("event.game", game=full_name(event.variant, words)),
            *_people(event, words),
        ],
        draw_lines(event, words),
    ]


def cancelled_lines(view: EventView, words: Words) -> list[list[str]]:
    """That the event was called off and why; then its people."""
    event = view.event
    reason = f"event.cancelled.{event.reason}"
    lines = [words(by_refund("event.cancelled.title", event.structure, started=event.started_at is not None))]
    if words.has(reason):
        lines.append(words(reason))
    if view.why:
        lines.append(words("event_notice.why", why=escape_name(view.why)))
    return [lines, _people(event, words)]


# What is answered to whoever takes part


def registered_text(view: EventView, entrant: Entrant, words: Words, *, wallet: int) -> str:
    """What comes next for somebody who has registered, when and where, what they paid, and what is left to them."""
    event, fee = view.event, view.event.structure.fee
    told = [words.side_by_side([_what_comes_next(view, entrant, words), *_when(event, words)])]
    if fee:
        told.append(words("event.done.fee_paid", count=fee, chips=words.number(fee), left=words.number(wallet)))
    return "\n".join(told)


def _when(event: Event, words: Words) -> list[str]:
    """When it starts, and where the table is; nothing where it has begun."""
    channel = f"<#{event.channel}>"
    if not event.phase.before:
        return []
    if event.starts_at is None:
        return [words("event.done.starts_full", channel=channel)]
    return [words("event.done.starts", at=stamp(event.starts_at), from_now=moment(event.starts_at), channel=channel)]


def _what_comes_next(view: EventView, entrant: Entrant, words: Words) -> str:
    event = view.event
    name = escape_name(event.name)
    if entrant.playing or event.phase is Phase.RUNNING:
        return words("event.done.seated", name=name)
    if entrant.state is EntrantState.CHECKED_IN:
        return words("event.done.registered_checked_in", name=name)
    opens = event.check_in_at
    if event.phase is Phase.REGISTERING and opens is not None:
        press = words_for(event.language)("event.button.check_in")
        return words("event.done.registered_check_in", name=name, at=stamp(opens), from_now=moment(opens), press=press)
    return words("event.done.registered", name=name)


def also_at_text(tables: Sequence[Table], words: Words) -> str:
    """What becomes of the other tables of somebody who takes part, and what they can do; empty where there are none."""
    if not tables:
        return ""
    named = words.list([str(table.key.table) for table in tables])
    seats = words.list([f"**{part['label']}**" for part in also_at_buttons(tables, words)])
    return words("event.done.also_at", tables=named, seats=seats, count=len(tables))


def also_at_buttons(tables: Sequence[Table], words: Words) -> list[Part]:
    """The way to the seats of these tables."""
    return [
        button(
            Press(verb="seats", table=table.key.table, tag=table.tag),
            words("event.button.seats_of", table=table.key.table),
        )
        for table in tables[:BUTTONS_A_ROW]
    ]


def fill_button(event: Event, words: Words) -> Part:
    """Lets computers take the seats that are left."""
    return button(about(event).but("ev_fill"), words("event_desk.button.fill"))
