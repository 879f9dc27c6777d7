"""The organiser's desk on screen: the whole event on one page, and pages for its players."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import discord
from discord import ButtonStyle

from bot.chat.event.screens.lists import act_line
from bot.chat.event.screens.screen import about, heading, series_facts, when_lines
from bot.chat.event.screens.standings import line_text, match_name, now_lines
from bot.chat.event.screens.waiting import place_in_list, waiting_lines
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.faces import DisplayNames
from bot.chat.kit.fragments import (
    MAX_OPTIONS,
    MAX_TEXT_LENGTH,
    QUIET_COLOUR,
    and_more,
    moment,
    names,
    player_name,
    table_link,
    text_length,
)
from bot.chat.kit.widgets import Part, Screen, apart, button, button_rows, number_in, screen, select, user_select
from bot.model.events import Entrant, EntrantState, Event, EventFact, Phase, WaitingPlayer
from bot.model.ids import GuildId, Player
from bot.model.tables import WaitReason
from bot.play.event.office.views import StandingsLine
from bot.play.event.organisers.organiser_desk import DeskTable, DeskView, misses
from bot.pure.event.structure import Family
from bot.text.event_structure import prize_lines
from bot.text.games import full_name
from bot.text.words import Words

OTHER = "other"
"""The menu option for everything that doesn't fit into the menu."""
SERIES_END = "series_end"
"""The menu option that plans the end of the series."""
UNDO = "undo-"
"""Prefix of an action's number in the menu *More*, for undoing it."""
MAX_UNDO_CHOICES = 6
"""Maximum number of actions that the menu *More* offers to undo, newest first."""
MAX_TABLES = 10
MAX_MISSING = 20
MAX_WAITING = 10
"""Maximum number of players on the waiting list in the menu of players."""
MAX_ACTS = 6
PAGE = 20
"""Players per page of the list."""
LABEL = 100
"""Maximum length of an option's label and of its description."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskContext:
    """Rendering context for the desk's screens."""

    words: Words
    called: Callable[[Player], str]
    """Returns a player's name for menus, which can't contain mentions."""
    mark: int
    """Makes this drawing's menus differ from the previous ones, because a client would keep the choices of equal menus.
    """
    option: Callable[[Player], tuple[str, str]] | None = None
    """Returns a label and, if it's ambiguous, the user name. By default, ``called`` is used."""

    def menu(self, press: Press, options: Sequence[discord.SelectOption], placeholder: str, *, place: int) -> Part:
        """Return a menu. ``place`` distinguishes it from the others in this drawing.

        Discord sends nothing if a user picks the option that a menu already shows, for example after closing a form.
        That's why each drawing has its own menus.
        """
        own = replace(press, street=self.mark % 100)
        return select(own, options, placeholder=self.words(placeholder), number=self.number(place))

    def number(self, place: int) -> int:
        """Return the number of the menu at ``place``."""
        return number_in(self.mark, place)


@dataclass(frozen=True, slots=True, kw_only=True)
class Controls:
    """The controls that an event, a player or a table currently offers to organisers."""

    buttons: Sequence[Part] = ()
    menus: Collection[str] = ()
    """Names of the actions that have a menu instead of a button."""
    more: Sequence[discord.SelectOption] = ()
    """Options of the menu *More*."""


def pen_for(names: DisplayNames, guild: GuildId, words: Words, *, mark: int) -> DeskContext:
    """Return a context that uses the players' names in a server."""
    return DeskContext(
        words=words,
        called=lambda player: names.plain(guild, player, words),
        mark=mark,
        option=lambda player: names.option(guild, player, words),
    )


def desk_screen(
    desk: DeskView, context: DeskContext, controls: Controls, *, said: str = "", kept: bool = False
) -> Screen:
    """Draw the event's state, tables and last actions, then all controls. Lists are shortened to fit into one message.

    ``said`` confirms the last action. ``kept`` is True for the message that all organisers share.
    """
    for share in (1.0, 0.6, 0.3, 0.1):
        shown = _draw(desk, context, controls, said, share=share, kept=kept)
        if text_length(shown) <= MAX_TEXT_LENGTH:
            return shown
    return shown


def kept_screen(desk: DeskView, context: DeskContext, controls: Controls) -> Screen:
    """Draw the desk that stays in the organisers' channel. After the event, it has no controls."""
    return (
        over_screen(desk.event, context.words)
        if desk.event.phase.over
        else desk_screen(desk, context, controls, kept=True)
    )


def over_screen(event: Event, words: Words, *, said: str = "") -> Screen:
    """Draw the desk of an event that is over. ``said`` confirms the last action."""
    lines = [*heading(event, words), *([said] if said else []), words("event_desk.over")]
    return screen("\n".join(lines), colour=QUIET_COLOUR)


def _draw(desk: DeskView, context: DeskContext, controls: Controls, said: str, *, share: float, kept: bool) -> Screen:
    event, words = desk.event, context.words
    whose = words("event_desk.kept", at=moment(desk.at)) if kept else words("event_desk.private")
    name, kind = heading(event, words)
    head = [name, words.facts([kind, full_name(event.variant, words)]), whose, *([said] if said else [])]
    if event.phase is Phase.RUNNING:
        now = now_lines(desk.view, words)
    elif desk.starting:
        now = [words("event_desk.starting")]
    else:
        now = when_lines(event, words, last=desk.view.is_last_date)
    now += _series_lines(desk, controls, words)
    now += _next_break(desk, words)
    now += [*_people_lines(desk, words, share=share), *_queue(desk, words)]
    if desk.view.pool:
        paid = desk.view.prizes[: max(3, round(9 * share))]
        now += prize_lines(event.structure, words, prizes=paid, pool=desk.view.pool)
    blocks = ["\n".join(head), "\n".join(now)]
    if desk.tables:
        most = max(2, round(MAX_TABLES * share))
        lines = [table_text(desk, table, words) for table in desk.tables[:most]]
        left = len(desk.tables) - most
        more = [words("event.more_tables", count=left)] if left > 0 else []
        blocks.append("\n".join([words("event_desk.tables"), *lines, *more]))
    if desk.acts:
        lines = [
            act_line(fact, words, now=desk.at, numbers=desk.view.table_numbers)[:300]
            for fact in desk.acts[: max(2, round(MAX_ACTS * share))]
        ]
        blocks.append("\n".join([words("event_desk.acts"), *lines]))
    menus = [person_menu(desk, context), *_table_menu(desk, context), _more_menu(desk, context, controls)]
    return screen(*apart(blocks), *button_rows(_buttons(desk, controls, words)), *menus, colour=QUIET_COLOUR)


def _series_lines(desk: DeskView, controls: Controls, words: Words) -> list[str]:
    """Return the event's series with its planned end, and where to change that; empty without a series."""
    told = series_facts(desk.view, words)
    if told and desk.view.dates_left is None and not desk.event.phase.over:
        told.append(words("event_series.no_end"))
    if told and any(option.value == SERIES_END for option in controls.more):
        press = words(f"event_desk.button.{SERIES_END}")
        told.append(words("event_desk.series_end_in", more=words("event_desk.more"), press=press))
    return [words.facts(told)] if told else []


def _people_lines(desk: DeskView, words: Words, *, share: float) -> list[str]:
    """Return the number of players registered and present, and the names of those who are away."""
    event, people = desk.event, desk.people
    counted = [words("event_desk.registered", count=len(people), most=event.structure.most)]
    if event.phase is Phase.CHECK_IN:
        counted.append(words("event_desk.came", count=len(people) - len(desk.away)))
    lines = [words.facts(counted)] if event.phase.before else []
    lines += waiting_lines(desk.view, words, most=max(3, round(MAX_MISSING * share)))
    if not desk.away:
        return lines
    most = max(3, round(MAX_MISSING * share))
    shown = [player_name(player, words) for player in desk.away[:most]]
    listed = words("event.between").join([*shown, *and_more(len(desk.away) - most, words)])
    key = "event_desk.not_checked_in" if event.phase is Phase.CHECK_IN else "event_desk.away"
    return [*lines, words(key, players=listed)]


def _next_break(desk: DeskView, words: Words) -> list[str]:
    """Return the level before the next break; empty if there are no more breaks."""
    event, every = desk.event, desk.event.structure.break_levels
    due = event.format.family is Family.FREEZEOUT and event.phase is Phase.RUNNING
    return [words("event_desk.next_break", level=(event.breaks + 1) * every)] if every and due else []


def _queue(desk: DeskView, words: Words) -> list[str]:
    return [words("event_desk.queue", count=desk.waiting)] if desk.waiting else []


def table_text(desk: DeskView, table: DeskTable, words: Words) -> str:
    """Return a table's line.

    An example is ``⚠️ Table 3 · Semi-final · hand 4 · 100 chips per point · last action: 3 minutes ago · waits for
    Bob``.
    """
    line = table.line
    counts_down = line.info.waits in (WaitReason.NOTHING, WaitReason.SHOWING) and not line.playing
    waits = WaitReason.PAUSE if counts_down and desk.event.paused else line.info.waits
    key = "event_desk.slow_table" if table.slow else "event_desk.table"
    link = words(key, table=table.number, link=table_link(line.table))
    match = [name] if (name := match_name(line, words)) else []
    parts = [link, *match, *_hand(desk, table, words)]
    if line.table.hand_no:
        parts.append(words("event_desk.last", ago=moment(table.last_at)))
    elif waits in (WaitReason.NOTHING, WaitReason.SHOWING):  # no one has been able to act there yet
        parts.append(words("event_desk.first_hand"))
    if line.acting:
        parts.append(words("event_desk.waits_for", players=names(list(line.acting), words)))
    elif not line.playing and waits not in (WaitReason.NOTHING, WaitReason.SHOWING):
        parts.append(words(f"event_desk.rests.{waits.value}"))
    if line.info.held and line.info.waits is not WaitReason.HELD:
        parts.append(words("event_desk.rests.held"))
    return words.facts(parts)


def _hand(desk: DeskView, table: DeskTable, words: Words) -> list[str]:
    line, structure = table.line, desk.event.structure
    if not line.table.hand_no:
        return []
    if structure.rounds:
        key = "event_desk.fantasyland_after" if line.info.extra else "event_desk.hand_of"
        return [words(key, hand=line.info.played, hands=structure.round_hands)]
    value = words("event_desk.value", value=words.number(line.table.terms.point_value))
    return [words("event_desk.hand", hand=line.table.hand_no), value]


def _buttons(desk: DeskView, controls: Controls, words: Words) -> list[Part]:
    press = about(desk.event)
    refresh = button(press.but("ev_desk"), words("event_desk.button.refresh"), style=ButtonStyle.primary)
    return [*controls.buttons, refresh]


def _table_menu(desk: DeskView, context: DeskContext) -> Iterator[Part]:
    """Yield the menu of tables, slow ones first."""
    options = [
        discord.SelectOption(
            label=context.words("event.table_name", table=table.number),
            value=str(table.id),
            description=context.words.list([_label(context, player) for player in table.line.players])[:LABEL],
            emoji="⚠️" if table.slow else None,
        )
        for table in desk.tables[:MAX_OPTIONS]
    ]
    if options:
        yield context.menu(about(desk.event).but("ev_d_table"), options, "event_desk.choose_table", place=1)


def _label(context: DeskContext, player: Player) -> str:
    return context.called(player) or context.words("event_desk.unknown", digits=str(player)[-4:])


def person_menu(desk: DeskView, context: DeskContext) -> Part:
    """Return the menu of players by name, with those at a table first. If it's too long, missing players come first."""
    people = [line for line in desk.people if line.entrant.player.isdecimal()]
    people.sort(key=lambda line: (line.table is None, _label(context, line.entrant.player).casefold()))
    if len(people) >= MAX_OPTIONS:
        people.sort(key=lambda line: not misses(desk.event, line))
    waiting = [_waiting_option(desk, one, context) for one in desk.view.waiting][:MAX_WAITING]
    options = [*waiting, *(player_option(desk, line, context) for line in people)][: MAX_OPTIONS - 1]
    options.append(discord.SelectOption(label=context.words("event_desk.anyone"), value=OTHER))
    return context.menu(about(desk.event).but("ev_d_person"), options, "event_desk.choose_person", place=2)


def _more_menu(desk: DeskView, context: DeskContext, controls: Controls) -> Part:
    """Return the menu of actions to undo and of everything without a button."""
    undone = [
        discord.SelectOption(
            label=context.words("event_desk.take_back_of", what=what_undone(desk, fact, context))[:LABEL],
            value=f"{UNDO}{fact.number}",
        )
        for fact in desk.undoable[:MAX_UNDO_CHOICES]
    ]
    return context.menu(about(desk.event).but("ev_d_more"), [*undone, *controls.more], "event_desk.more", place=3)


def player_option(desk: DeskView, line: StandingsLine, context: DeskContext) -> discord.SelectOption:
    """Return a player's menu option, with their state."""
    player = line.entrant.player
    name, username = context.option(player) if context.option else ("", "")
    told = context.words.facts([*([username] if username else []), *state_of(desk, line, context.words)])
    label = (name or _label(context, player))[:LABEL]
    return discord.SelectOption(label=label, value=player, description=told[:LABEL] or None)


def _waiting_option(desk: DeskView, waiting: WaitingPlayer, context: DeskContext) -> discord.SelectOption:
    """Return the menu option of a player on the waiting list, with their place there."""
    name, username = context.option(waiting.player) if context.option else ("", "")
    told = context.words.facts([*([username] if username else []), waiting_state(desk, waiting, context.words)])
    label = (name or _label(context, waiting.player))[:LABEL]
    return discord.SelectOption(label=label, value=waiting.player, description=told[:LABEL])


def waiting_state(desk: DeskView, waiting: WaitingPlayer, words: Words) -> str:
    """Return a player's place on the waiting list, and whether a place is on offer to them."""
    kept = waiting.offered_until is not None
    place = place_in_list(desk.view, waiting.player, words)
    return words("event_desk.state.offered" if kept else "event_desk.state.waiting", place=place)


def _anyone(desk: DeskView, context: DeskContext) -> Part:
    """Return Discord's own user menu, which finds typed names, including guests who aren't in the event."""
    press, placeholder = about(desk.event).but("ev_d_guest"), context.words("event_desk.anyone")
    return user_select(press, placeholder=placeholder, number=context.number(7))


def what_undone(desk: DeskView, fact: EventFact, context: DeskContext) -> str:
    """Return what undoing a log entry would revert."""
    values: dict[str, str | int] = {}
    if "player" in fact.details:
        values["player"] = _label(context, Player(str(fact.details["player"])))
    if "table" in fact.details:
        values["table"] = desk.view.number_of(int(fact.details["table"]))
    return context.words(f"event_desk.undo.{fact.kind}", **values)


# The players


def people_screen(desk: DeskView, context: DeskContext, *, page: int) -> Screen:
    """Draw a page of the participants with each one's details, and a menu to open one."""
    words, people = context.words, desk.people
    pages = max(1, -(-len(people) // PAGE))
    page = min(page, pages - 1)
    some = people[page * PAGE : (page + 1) * PAGE]
    title = words("event_desk.people", page=page + 1, pages=pages)
    lines = [person_line(desk, line, words) for line in some] or [words("event_desk.nobody")]
    parts: list[str | Part] = ["\n".join(heading(desk.event, words)), "\n".join([title, *lines])]
    options = [player_option(desk, line, context) for line in some if line.entrant.player.isdecimal()]
    press = about(desk.event)
    parts.append(_anyone(desk, context))
    if options:
        parts.append(context.menu(press.but("ev_d_person"), options, "event_desk.choose_person", place=1))
    turns = [
        button(replace(press.but("ev_d_people", way), hand=to), words(f"event_desk.button.{way}"))
        for way, to, there in (("before", page - 1, page > 0), ("after", page + 1, page + 1 < pages))
        if there
    ]
    parts += button_rows([*turns, button(press.but("ev_desk"), words("event_desk.button.back"))])
    return screen(*parts, colour=QUIET_COLOUR)


def person_line(desk: DeskView, line: StandingsLine, words: Words) -> str:
    """Return a player's line with place, table, stack, wallet and anything that keeps them from playing."""
    player = line.entrant.player
    if desk.event.phase.before:
        told = [player_name(player, words), *state_of(desk, line, words)]
    else:  # the standings line has the table and marks absent players
        told = [line_text(desk.view, line, words), *_rulings(line.entrant, words)]
    return words.facts([*told, *wallet_of(desk, player, words)])


def wallet_of(desk: DeskView, player: Player, words: Words) -> list[str]:
    """Return a player's chips in the server, if they have any."""
    chips = desk.wallets.get(player)
    return [] if chips is None else [words("event_desk.wallet", count=chips, chips=words.number(chips))]


def state_of(desk: DeskView, line: StandingsLine, words: Words) -> list[str]:
    """Return a player's state, and anything that keeps them from playing."""
    entrant, event = line.entrant, desk.event
    left = line.left_after is not None or line.left_seat or line.gave_up
    told = [words(f"event_desk.state.{'left' if left else _standing(desk, entrant)}")]
    if line.struck:
        told = [words("event_desk.state.struck")]
    if event.phase is Phase.ENDED and not entrant.disqualified:
        told = [words(f"event_desk.state.{'placed_tied' if line.tied else 'placed'}", place=line.place)]
    if line.table is not None:
        told = [
            words("event.table_name", table=desk.view.number_of(line.table)),
            *(told if line.left_seat or line.gave_up else []),
        ]
    if event.phase is Phase.RUNNING and misses(event, line):
        told.append(words("event_desk.state.away"))
    return [*told, *_rulings(entrant, words)]


def _rulings(entrant: Entrant, words: Words) -> list[str]:
    """Return an organiser's rulings about a player that are still in effect."""
    told = []
    if entrant.penalty:
        told.append(words("event_desk.state.penalty", count=entrant.penalty))
    if entrant.move_to is not None:
        told.append(words("event_desk.state.moving", table=entrant.move_to))
    return told


def _standing(desk: DeskView, entrant: Entrant) -> str:
    if entrant.disqualified:
        return "disqualified"
    if entrant.state is EntrantState.REGISTERED:
        return "not_checked_in" if desk.event.phase is Phase.CHECK_IN else "registered"
    return {
        EntrantState.CHECKED_IN: "checked_in",
        EntrantState.PLAYING: "no_table",
        EntrantState.OUT: "out",
        EntrantState.WITHDRAWN: "not_in",
    }[entrant.state]
