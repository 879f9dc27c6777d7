"""An event's public message in every phase, and the lines that private lists share with it."""

from __future__ import annotations

from discord import ButtonStyle

from bot.event.bracket import Stage
from bot.event.structure import Family, Format, NoShow
from bot.model.events import EntrantState, Event, Phase
from bot.model.ids import TableId
from bot.play.event.forecast import Forecast
from bot.play.event.views import EventView, Line, TableLine
from bot.text.durations import duration
from bot.text.event_structure import (
    DOT,
    by_refund,
    clock_text,
    computer_lines,
    how_played,
    kind_name,
    meeting_lines,
    prize_lines,
    stage_text,
    structure_lines,
)
from bot.text.house_rules import house_items
from bot.text.names import full_name
from bot.text.words import Words, escape_name
from bot.ui.custom_ids import Press
from bot.ui.event.draft.start import UNNOTICED_SECONDS, ends_text, lasts_text, start_seconds, when_lines
from bot.ui.event.standings import (
    MEDALS,
    MOST_SEEDS,
    MOST_STANDING,
    and_more,
    disqualified_lines,
    handicap_text,
    ladder_lines,
    line_text,
    next_draw_line,
    podium_lines,
    seed_text,
    seeds_by_hand,
    standing_lines,
)
from bot.ui.fragments import (
    MOST_TEXT,
    QUIET_COLOUR,
    RESULT_COLOUR,
    TABLE_COLOUR,
    game_line,
    moment,
    names,
    player_name,
    short_fingerprint,
    text_length,
)
from bot.ui.widgets import Part, Screen, apart, button, gallery, rows_of, screen

MOST_NAMES = 40
MOST_TABLES = 12
MOST_HOUSE = 6
BRACKET = "bracket.png"


def about(event: Event) -> Press:
    """A press that speaks of the event; its verb is still to be chosen."""
    return Press(verb="ev_show", table=TableId(event.key.number), tag=event.tag)


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
        label = "register" if event.phase.before else "enter_again" if view.reentry_open else "register"
        made.append(button(press.but("ev_register"), words(f"event.button.{label}"), style=ButtonStyle.success))
    if event.phase is Phase.CHECK_IN and _missed(view):
        made.append(button(press.but("ev_checkin"), words("event.button.check_in"), style=ButtonStyle.primary))
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
    length = [lasts_text(lasts, len(view.lines), words)] if lasts is not None else []
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
    return [
        words("event.game", game=full_name(event.variant, words)),
        f"-# {game_line(event.variant, words)}",
        how_played(event.structure, words, series=event.series),
        # A list takes in the plain line that follows it, so there is one list.
        *_house(event, words),
        *(f"- {line}" for line in structure_lines(event.structure, words)),
        *(f"- {line}" for line in computers),
        f"- {clock_text(event.clock, words)}",
    ]


def _house(event: Event, words: Words) -> list[str]:
    """What a house has changed in the game."""
    changed = house_items(event.variant, words)
    return [f"- {line}" for line in [*changed[:MOST_HOUSE], *and_more(len(changed) - MOST_HOUSE, words)]]


def _people(event: Event, words: Words) -> list[str]:
    lines = [words("event.series", series=escape_name(event.series))] if event.series else []
    organisers = names([event.organiser, *event.helpers], words)
    return [*lines, words("event.organiser", people=organisers)]


def registered_lines(view: EventView, words: Words, *, most: int) -> list[str]:
    """The people who have registered, so many of them by name."""
    if not view.lines:
        return [words("event.registered_none")]
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
    seeded = seeds_by_hand(view)
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
    tables = _tables(view, words, most=max(2, round(MOST_TABLES * share)))
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


def now_lines(view: EventView, words: Words, *, ends_at: int | None = None) -> list[str]:
    """Level or round, who is left, when it ends, and what holds everybody up."""
    event = view.event
    lines = _round(event, words) if event.format.family is Family.ROUNDS else _level(view, words)
    if event.phase is Phase.RUNNING:
        drawn = sum(line.entrant.number > 0 for line in view.lines)
        lines += meeting_lines(event.structure, drawn, words)
    lines.append(_left(view, words))
    if ends_at is not None:
        lines.append(words("event.ends", at=ends_text(ends_at, started_at=event.started_at or ends_at)))
    if event.paused:
        lines.append(words("event.paused"))
    if event.break_until is not None:
        lines.append(words("event.break", until=moment(event.break_until)))
    if event.hand_for_hand:
        lines.append(words("event.hand_for_hand", paid=len(view.prizes)))
    if event.final_table:
        lines.append(words("event.final_table"))
    if view.registration_open:
        lines.append(words("event.late_open", level=event.structure.late_levels))
    return lines


def _level(view: EventView, words: Words) -> list[str]:
    event = view.event
    if event.format.family is Family.KNOCKOUT:
        # Each match counts its own levels.
        return _stages(view, words)
    following = words.number(view.next_point_value)
    if event.level_ends_at is None:
        after = words("event.level_next", value=following)
    else:
        after = words("event.level_next_at", value=following, when=moment(event.level_ends_at))
    return [DOT.join([words("event.level", level=event.level + 1, value=words.number(view.point_value)), after])]


def _stages(view: EventView, words: Words) -> list[str]:
    """The stages of the matches that are played; the round of a shoot-out, and of a bracket between two matches."""
    names = list(filter(None, (match_name(one, words) for one in view.tables)))
    if not names and view.event.round and view.event.format not in (Format.DOUBLE, Format.GROUPS):
        names = [stage_text("event.stage", Stage.ROUND.value, view.event.round, words)]
    return [DOT.join(f"**{name}**" for name in dict.fromkeys(names))] if names else []


def match_name(table: TableLine, words: Words) -> str:
    """What a match is called; nothing where a table is none."""
    return stage_text("event.stage", table.stage[0].value, table.stage[1], words) if table.stage else ""


def _round(event: Event, words: Words) -> list[str]:
    if not event.round:
        return [words("event.round_first")]
    lines = [words("event.round", round=event.round, rounds=event.structure.rounds)]
    if event.structure.round_hours and event.round < event.structure.rounds and event.round_began_at is not None:
        following = event.round_began_at + event.structure.round_hours * 3_600_000
        lines.append(words("event.round_next", when=moment(following)))
    return lines


def _left(view: EventView, words: Words) -> str:
    players = words("event.players", count=len(view.lines))
    if view.event.format.family is Family.ROUNDS and view.playing == len(view.lines):
        return players  # nobody goes out in a league
    if view.event.format.family is not Family.FREEZEOUT:
        return words("event.people_left", left=view.playing, players=players)
    left = words("event.left", left=view.playing, entries=view.entries)
    chips = sum(line.chips for line in view.lines)
    if not view.playing or not chips:
        return left
    return DOT.join([left, words("event.average", chips=words.number(chips // view.playing))])


def table_place(view: EventView, table: int, channel: int, words: Words) -> str:
    """A way to a table: its thread, which bears its number, or its number where it is in a channel of the event."""
    event = view.event
    if channel == event.channel:
        return words("event.table_name", table=table)
    return (
        words("event.table_in", table=table, channel=f"<#{channel}>") if channel in event.channels else f"<#{channel}>"
    )


def _tables(view: EventView, words: Words, *, most: int) -> list[str]:
    if not view.tables:
        return []
    head = words("event.matches" if view.event.format.heads_up else "event.tables")
    shown = [_table(view, table, words, match=view.event.format.heads_up) for table in view.tables[:most]]
    left = len(view.tables) - most
    return [head, *shown, *([words("event.more_tables", count=left)] if left > 0 else [])]


def _table(view: EventView, table: TableLine, words: Words, *, match: bool) -> str:
    channel = table_place(view, table.info.table, table.table.channel, words)
    if match and len(table.players) == 2:
        first, second = (player_name(player, words) for player in table.players)
        told = words("event.match", first=first, second=second, channel=channel)
        alike = len({one.stage for one in view.tables}) == 1
        return told if alike else DOT.join([told, match_name(table, words)])
    return words("event.table", channel=channel, players=names(list(table.players), words))


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
    rest = [line_text(view, line, words) for line in view.fair[len(MEDALS) : most]]
    more = and_more(len(view.fair) - most, words)
    entries = words("event.entries_were", count=view.entries)
    when = words("event.ended", when=moment(event.ended_at or event.created_at))
    return [
        podium_lines(view, words) or [words("event.nobody_listed")],
        [*rest, *more],
        disqualified_lines(view, words, most=most),
        ladder_lines(view, words, most=max(3, round(MOST_TABLES * share))),
        [DOT.join([entries, when]), words("event.game", game=full_name(event.variant, words)), *_people(event, words)],
        draw_lines(event, words),
    ]


def cancelled_lines(view: EventView, words: Words) -> list[list[str]]:
    """That the event was called off and why; then its people."""
    event = view.event
    reason = f"event.cancelled.{event.reason}"
    lines = [words(by_refund("event.cancelled.title", event.structure))]
    if words.has(reason):
        lines.append(words(reason))
    if view.why:
        lines.append(words("event_notice.why", why=escape_name(view.why)))
    return [lines, _people(event, words)]
