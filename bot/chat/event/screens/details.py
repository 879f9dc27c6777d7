"""The private details of an event: all rules, all players, the current state, and the reader's options."""

from __future__ import annotations

from bot.chat.event.screens.screen import (
    about,
    all_about_button,
    bracket_button,
    calendar_ways,
    cancelled_lines,
    check_in_button,
    entrant_name,
    heading,
    leave_button,
    missing_players,
    register_button,
    results_button,
    rounded_length,
    standings_button,
    when_lines,
    withdraw_button,
)
from bot.chat.event.screens.standings import (
    MAX_SEEDS,
    MAX_STANDINGS_LINES,
    MAX_TABLES,
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
from bot.chat.event.screens.waiting import waiting_buttons, waiting_lines
from bot.chat.kit.fragments import (
    QUIET_COLOUR,
    and_more,
    first_fitting,
    game_line,
    moment,
    names,
    short_fingerprint,
)
from bot.chat.kit.widgets import Part, Screen, apart, button, button_rows, screen
from bot.model.events import EntrantState, Event, Phase
from bot.play.event.office.views import EventView
from bot.play.event.trials.forecast import Forecast
from bot.pure.event.structure import NoShow, Structure
from bot.text.durations import duration
from bot.text.event_structure import (
    clock_text,
    computer_lines,
    how_played,
    meeting_lines,
    prize_lines,
    register_label,
    structure_lines,
)
from bot.text.games import full_name
from bot.text.house_rules import house_items
from bot.text.words import Words, escape_name

MAX_NAMES = 40
MAX_RULE_CHANGES = 6
THREADS_AT_ONCE = 50
"""Number of threads created within ``FIRST_SECONDS``. Discord then allows none for five minutes (docs/reliability.md).

The other tables share the channels, each of which takes one message a second. That determines when the last table is
shown.
"""
FIRST_SECONDS = 8
"""Time until the draw is posted and those threads are created."""
UNNOTICED_SECONDS = 30
"""Normal time between the start and the first deal. A shorter wait isn't noticed."""
STEP_SECONDS = 10
"""Times are rounded up to multiples of this."""


def details_screen(
    view: EventView,
    words: Words,
    you: str,
    *,
    told: str = "",
    organises: bool = False,
    rules: bool = False,
    lasts: Forecast | None = None,
    ends_at: int | None = None,
) -> Screen:
    """Draw everything about an event, and the reader's options. Lists are shortened to fit into one message.

    ``told`` is the reader's own place. ``rules`` is True if they may rule on the finished event. ``lasts`` is the
    expected length with the current registrations, and ``ends_at`` is the expected end of a running event.
    """
    ways = button_rows(_detail_buttons(view, words, you, organises=organises, rules=rules))

    def drawn(share: float) -> Screen:
        blocks = [
            "\n".join(part) for part in [[told] if told else [], *all_lines(view, words, share, lasts, ends_at)] if part
        ]
        return screen(*apart(blocks), *ways, colour=QUIET_COLOUR)

    return first_fitting(map(drawn, (1.0, 0.6, 0.3, 0.1)))


def all_lines(
    view: EventView, words: Words, share: float = 1.0, lasts: Forecast | None = None, ends_at: int | None = None
) -> list[list[str]]:
    """Return everything about an event in blocks, with only a ``share`` of its lists."""
    event = view.event
    if event.phase.before:
        parts = _blocks_before_start(view, words, share=share, lasts=lasts)
    elif event.phase is Phase.RUNNING:
        parts = _blocks_while_running(view, words, share=share, ends_at=ends_at)
    elif event.phase is Phase.ENDED:
        parts = _blocks_after_end(view, words, share=share)
    else:
        parts = [cancelled_lines(view, words), _people(event, words)]
    return [heading(event, words), *parts]


def _detail_buttons(view: EventView, words: Words, you: str, *, organises: bool, rules: bool) -> list[Part]:
    """Return the buttons for the reader's options and for more pages."""
    event, line, made = view.event, view.line_of(you), list[Part]()
    if waiting := view.waiting_of(you):
        made += waiting_buttons(view, waiting, words)
    elif view.registration_open and not event.phase.over and (line is None or view.may_enter_again(you)):
        made.append(register_button(view, words))
    if line is not None and line.entrant.registered and event.phase.before:
        if event.phase is Phase.CHECK_IN and line.entrant.state is EntrantState.REGISTERED:
            made.append(check_in_button(event, words))
        made.append(withdraw_button(event, words))
    made += leave_button(view, you, words)
    made += calendar_ways(event, words)
    if event.phase.before and len(view.lines) > MAX_NAMES:
        made.append(button(about(event).but("ev_standings"), words("event.button.players")))
    if event.phase is Phase.RUNNING:
        made.append(standings_button(event, words))
    if event.phase is Phase.ENDED:
        made.append(results_button(event, words))
    if event.format.heads_up and event.phase in (Phase.RUNNING, Phase.ENDED):
        made.append(bracket_button(event, words))
    if organises or line is not None:
        made.append(button(about(event).but("ev_log"), words("event.button.log")))
    made.append(button(about(event).but("ev_fairness"), words("fairness.open")))
    if organises and not event.phase.over:
        made.append(button(about(event).but("ev_desk"), words("event.button.desk")))
    if rules:
        made.append(button(about(event).but("ev_desk"), words("event.button.rulings")))
    elif organises and event.phase.over and event.page:
        made.append(button(about(event).but("ev_d_page_off"), words("event_desk.button.page_off")))
    return made


def with_details(shown: Screen, event: Event, words: Words) -> Screen:
    """Return the screen with a button for the event's details."""
    return shown.and_below(*button_rows([all_about_button(event, words)]))


def description_lines(event: Event) -> list[str]:
    """Return the organiser's description."""
    return [escape_name(line) for line in event.description.splitlines()]


# Before the start


def _blocks_before_start(view: EventView, words: Words, *, share: float, lasts: Forecast | None) -> list[list[str]]:
    event = view.event
    length = [lasts_text(lasts, words)] if lasts is not None else []
    return [
        description_lines(event),
        [
            *when_lines(event, words, last=view.is_last_date),
            *length,
            *meeting_lines(event.structure, len(view.lines), words),
            *_check_in(view, words),
            *_slow_start(view, words),
        ],
        plan_lines(event, words),
        prize_lines(event.structure, words, prizes=view.prizes, pool=view.pool, growing=True),
        _people(event, words),
        # A draft has neither yet.
        registered_lines(view, words, most=max(5, round(MAX_NAMES * share))) if event.key.number else [],
        waiting_lines(view, words, most=max(5, round(MAX_NAMES * share))),
        draw_lines(event, words) if event.commitment else [],
    ]


def start_seconds(structure: Structure, players: int) -> int:
    """Return the approximate number of seconds from the start until the last table is shown."""
    in_channel = -(-structure.tables_for(players) // (1 + len(structure.channels)))
    seconds = FIRST_SECONDS + max(0, in_channel - (THREADS_AT_ONCE if structure.threads else 0))
    return -(-seconds // STEP_SECONDS) * STEP_SECONDS


def lasts_text(lasts: Forecast, words: Words) -> str:
    """Return a length such as ``About 1 hour 20 minutes with 12 players (1 hour to 1 hour 50 minutes)``."""
    shown = {name: duration(rounded_length(getattr(lasts, name) // 1000), words) for name in ("low", "middle", "high")}
    if shown["low"] == shown["high"]:
        return words("event.lasts_about", middle=shown["middle"], count=lasts.people)
    return words("event.lasts", **shown, count=lasts.people)


def _slow_start(view: EventView, words: Words) -> list[str]:
    """Return the wait for the last table with the current registrations; empty if it's too short to notice."""
    seconds = start_seconds(view.event.structure, len(view.lines))
    return [words("event.slow_start", time=duration(seconds, words))] if seconds > UNNOTICED_SECONDS else []


def _check_in(view: EventView, words: Words) -> list[str]:
    event = view.event
    if event.phase is not Phase.CHECK_IN:
        return []
    blind = event.structure.no_show is NoShow.BLIND
    away = missing_players(view)
    here = len(view.lines) - away
    lines = [words("event.check_in_now")]
    if away:
        lines.append(words("event.check_in_open_blind" if blind else "event.check_in_open"))
    return [*lines, *([words("event.came", count=here)] if here else [])]


def plan_lines(event: Event, words: Words) -> list[str]:
    """Return the game and how it's played."""
    computers = computer_lines(event.structure, words, min_seats=event.variant.min_seats, series=event.series)
    fantasyland = event.variant.fantasyland is not None
    return [
        words("event.game", game=full_name(event.variant, words)),
        f"-# {game_line(event.variant, words)}",
        how_played(event.structure, words, series=event.series),
        # A list absorbs a plain line after it, so everything goes into one list.
        *_house(event, words),
        *(f"- {line}" for line in structure_lines(event.structure, words, fantasyland=fantasyland)),
        *(f"- {line}" for line in computers),
        f"- {clock_text(event.clock, words)}",
    ]


def _house(event: Event, words: Words) -> list[str]:
    """Return the rules changed in a custom game."""
    if not event.variant.house:
        return []
    changed = house_items(event.variant, words)
    left_out = len(changed) - MAX_RULE_CHANGES
    more = [words("event.more", count=left_out)] if left_out > 0 else []
    return [f"- {line}" for line in [*changed[:MAX_RULE_CHANGES], *more]]


def _people(event: Event, words: Words) -> list[str]:
    lines = [words("event.series", series=escape_name(event.series))] if event.series else []
    organisers = names([event.organiser, *event.helpers], words)
    return [*lines, words("event.organiser", people=organisers)]


def registered_lines(view: EventView, words: Words, *, most: int) -> list[str]:
    """Return the registered players, at most ``most`` of them by name."""
    if not view.lines:
        return [words("event.registered_none", press=register_label(view.event.structure.fee, words))]
    head = words("event.registered", count=len(view.lines), most=view.event.structure.most)
    shown = [entrant_name(line, words) for line in view.lines[:most]]
    return [
        head,
        words("event.between").join([*shown, *and_more(len(view.lines) - most, words)]),
        *_seeds(view, words),
        *_handicaps(view, words),
    ]


def _seeds(view: EventView, words: Words) -> list[str]:
    """Return the seeds that an organiser has set so far."""
    seeded = view.seeded_by_hand
    shown = [seed_text(place, line.entrant.player, words) for place, line in enumerate(seeded[:MAX_SEEDS], start=1)]
    told = words("event.between").join([*shown, *and_more(len(seeded) - MAX_SEEDS, words)])
    return [words("event.seeds", seeds=told)] if seeded else []


def _handicaps(view: EventView, words: Words) -> list[str]:
    """Return the handicaps that the current ratings would give."""
    if not view.handicaps:
        return []
    shown = [handicap_text(one.player, one.amount, view.event, words) for one in view.handicaps[:MAX_SEEDS]]
    told = words("event.between").join([*shown, *and_more(len(view.handicaps) - MAX_SEEDS, words)])
    return [words("event.handicaps", handicaps=told)]


# Running


def _blocks_while_running(view: EventView, words: Words, *, share: float, ends_at: int | None) -> list[list[str]]:
    event = view.event
    tables = table_lines(view, words, most=max(2, round(MAX_TABLES * share)))
    most = max(3, round(MAX_STANDINGS_LINES * share))
    # Until the first hand ends, the list of tables already names all players.
    standings = standing_lines(view, words, most=most) if view.begun or view.in_groups or not tables else []
    matches = event.format.heads_up
    if view.ladder:  # includes the current tables
        most = max(3, round(MAX_TABLES * share))
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
    """Return the draw's commitment and, after the draw, its seed."""
    if event.seed is None:
        return [words("event.commitment", commitment=short_fingerprint(event.commitment))]
    key = "event.seed" if event.phase.over else "event.seed_later"
    return [words(key, commitment=short_fingerprint(event.commitment), number=event.key.number)]


# Over


def _blocks_after_end(view: EventView, words: Words, *, share: float) -> list[list[str]]:
    event = view.event
    most = max(len(podium(view)), round(MAX_STANDINGS_LINES * share))
    rest = [line_text(view, line, words) for line in view.fair[len(podium(view)) : most]]
    more = and_more(len(view.fair) - most, words)
    entries = words("event.entries_were", count=view.entries)
    when = words("event.ended", when=moment(event.ended_at or event.created_at))
    return [
        podium_lines(view, words) or [words("event.nobody_listed")],
        [*rest, *more],
        disqualified_lines(view, words, most=most),
        ladder_lines(view, words, most=max(3, round(MAX_TABLES * share))),
        [
            words.facts([entries, when]),
            words("event.game", game=full_name(event.variant, words)),
            *_people(event, words),
        ],
        draw_lines(event, words),
    ]
