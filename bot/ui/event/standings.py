"""The standings of every format: rank, player, what decides, and the state in the format's own words.

The event's message, the private lists, the notices and the pictures all take their lines from here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.event.bracket import Stage
from bot.event.rounds import per_comparison
from bot.event.seating import tables_needed
from bot.event.seeding import SeededBy
from bot.event.structure import Family, Format
from bot.model.events import Entrant, Event, Phase
from bot.play.event.views import EventView, Line
from bot.text.event_structure import DOT, stage_text
from bot.text.words import Words, escape_name
from bot.ui.event.groups import group_lines
from bot.ui.fragments import names, next_match_lines, player_name

MEDALS = ("🥇", "🥈", "🥉")
MOST_STANDING = 15
MOST_SEEDS = 16
MOST_AWAITED = 4
"""Tables that a line names of those for which somebody waits."""


def standing_lines(view: EventView, words: Words, *, most: int) -> list[str]:
    """The first places, so many; before the first hand has ended nobody has one, and all are named."""
    if view.in_groups:
        return group_lines(view.groups, words, most=most)
    if not view.begun:
        shown = [player_name(line.entrant.player, words) for line in view.fair[:most]]
        named = words("event.between").join([*shown, *and_more(len(view.fair) - most, words)])
        return [words("event.players_title"), named]
    lines = [line_text(view, line, words) for line in view.lines[:most]]
    return [words("event.standings"), *lines, *and_more(len(view.lines) - most, words)]


def and_more(count: int, words: Words) -> list[str]:
    """The line below a list that was cut; none where nothing was."""
    return [words("event.more", count=count)] if count > 0 else []


def rank_text(place: int, words: Words, *, tied: bool) -> str:
    """``2``, or ``2=`` for one of several who stand equal."""
    return words("event.rank_tied" if tied else "event.rank", place=words.number(place))


def line_text(view: EventView, line: Line, words: Words) -> str:
    """One line of the standings: rank, player, and what decides."""
    # A player who was disqualified has no place.
    place = "–" if line.entrant.disqualified else rank_text(line.place, words, tied=line.tied)
    player = player_name(line.entrant.player, words)
    if view.event.format.family is Family.ROUNDS:
        text = words("event.line", place=place, player=player, amount=points_text(view, line.entrant, words))
    elif line.chips:
        text = words("event.line", place=place, player=player, amount=words.number(line.chips))
    else:
        text = words("event.line_bare", place=place, player=player)
    return DOT.join([text, *_marks(view, line, words)])


def points_text(view: EventView, entrant: Entrant, words: Words, *, key: str = "event.compared") -> str:
    """What a player has in a league or a duplicate event: ``+7 points``, ``+1.5 points per comparison``."""
    if view.event.format is not Format.DUPLICATE:
        return words("event.points", count=abs(entrant.score), points=words.signed(entrant.score))
    drawn = sum(line.entrant.number > 0 for line in view.lines)
    others = tables_needed(drawn, view.event.structure.table_seats) - 1
    each = per_comparison(entrant.score, entrant.hands * max(0, others))
    # One decimal: whole points hide who is ahead.
    rounded = round(float(each), 1)
    return words(key, points=words.signed_decimal(rounded, decimals=1) if rounded else words.signed(0))


def _marks(view: EventView, line: Line, words: Words) -> list[str]:
    entrant, over = line.entrant, view.event.phase.over
    marks = []
    if entrant.disqualified:
        marks.append(words("event.line_disqualified"))
    elif view.event.phase is Phase.RUNNING:
        marks += _state(view, line, words)
    if line.by_draw:
        marks.append(by_draw_text(view, words))
    if entrant.prize:
        marks.append(words("event.prize", count=entrant.prize, chips=words.number(entrant.prize)))
    if entrant.head and view.event.structure.bounty_grows and entrant.playing:
        marks.append(words("event.head", chips=words.number(entrant.head)))
    if entrant.bounties:
        marks.append(words("event.bounties", count=entrant.bounties, chips=words.number(entrant.bounties)))
    if line.table is not None and len(view.tables) > 1 and not over:
        # By number alone: the way there stands under the tables, and two links a line are too much for a phone.
        marks.append(words("event.table_name", table=line.table))
    if line.away:
        marks.append(words("event.line_away"))
    return marks


def _state(view: EventView, line: Line, words: Words) -> list[str]:
    """Where somebody stands while it is played, in the words of its format; nothing where chips or a table say it."""
    form, seated = view.event.format, line.table is not None
    if form.family is Family.ROUNDS:
        if not line.entrant.playing:
            return [words("event.state.out")]
        if seated or not view.tables:
            return []
        return [words("event.state.bye" if line.bye else "event.state.round_done")]
    if not line.entrant.playing:
        return [_lost_in(view, line, words) if form is Format.SHOOTOUT else words("event.state.out")]
    at_stake = "one_life" if line.beaten else "third" if line.for_third else ""
    life = [words(f"event.state.{at_stake}")] if at_stake else []
    if seated:
        return life
    if form.heads_up:
        return [*life, *_waits_for_match(line, words)]
    if form is Format.SHOOTOUT:
        return [_through(view, line, words)]
    return [words("event.state.no_seat")]


def _waits_for_match(line: Line, words: Words) -> list[str]:
    """Whom somebody meets next in a bracket, and who plays for that."""
    if not line.waits_for:
        return next_match_lines(line.coming, words)
    key = "waits_loser" if line.coming["loses"] else "waits_winner"
    return [words(f"event.state.{key}", table=line.waits_for[0])]


def _lost_in(view: EventView, line: Line, words: Words) -> str:
    """The round in which somebody lost their table of a shoot-out, by its name."""
    number = line.entrant.score + 1
    if view.ladder and view.ladder[-1].final and view.ladder[-1].round == number:
        return words("event.state.out_in_final")
    return words("event.state.out_in", round=number)


def _through(view: EventView, line: Line, words: Words) -> str:
    """A winner of a shoot-out's table, and the tables that still play the round."""
    final = "_final" if view.ladder and _leads_to_final(view) else ""
    values: dict[str, Any] = {} if final else {"round": line.entrant.score + 1}
    if not line.waits_for or len(line.waits_for) > MOST_AWAITED:
        return words(f"event.state.through{final}", **values)
    tables = words.list([str(table) for table in line.waits_for])
    return words(f"event.state.through{final}_waits", tables=tables, count=len(line.waits_for), **values)


def _leads_to_final(view: EventView) -> bool:
    """True while those who come through the newest round fit one table."""
    return view.ladder[-1].left <= view.event.structure.table_seats


def by_draw_text(view: EventView, words: Words) -> str:
    """What decided between players who stood equal: the draw, or in a bracket of a series their seed."""
    return words("event.by_seed" if seeded(view) else "event.by_draw")


def seeded(view: EventView) -> bool:
    """True for a bracket whose order the draw alone has not made."""
    event = view.event
    return event.format.heads_up and event.structure.seeded_by(event.series) is not SeededBy.DRAW


def seeds_by_hand(view: EventView) -> list[Line]:
    """Those whom an organiser has put in order before the start, the first in front."""
    if not view.event.phase.before or view.event.structure.seeded_by(view.event.series) is not SeededBy.HAND:
        return []
    return sorted((line for line in view.lines if line.entrant.seeded), key=lambda line: line.entrant.seeded)


def handicap_text(player: str, amount: int, event: Event, words: Words) -> str:
    """``Alice +1,600 chips``."""
    unit = "points" if event.format.family is Family.ROUNDS else "chips"
    return words(f"event.handicap.{unit}", player=player_name(player, words), amount=words.signed(amount))


def seed_text(place: int, player: str, words: Words) -> str:
    """``1. Alice``."""
    return words("event_seeds.seed", place=place, player=player_name(player, words))


def missing_lines(view: EventView, words: Words) -> list[str]:
    """Whom a round of a league or a duplicate event waits for, by table; true at the moment alone."""
    if view.event.format.family is not Family.ROUNDS:
        return []
    awaited = [line for line in view.tables if line.acting]
    told = [
        words("event.to_act", table=line.info.table, players=names(list(line.acting), words))
        for line in awaited[:MOST_STANDING]
    ]
    return [*told, *([words("event.more_tables", count=len(awaited) - len(told))] if len(awaited) > len(told) else [])]


# The ladder of a shoot-out


def ladder_lines(view: EventView, words: Words, *, rounds: Sequence[int] = (), most: int = MOST_STANDING) -> list[str]:
    """The tables of a shoot-out's rounds with their winners, the newest round first; of these rounds alone if given."""
    lines = []
    for rung in sorted(view.ladder, key=lambda rung: -rung.round):
        if rounds and rung.round not in rounds:
            continue
        stage = Stage.FINAL if rung.final else Stage.ROUND
        lines.append(f"**{stage_text('event.stage', stage.value, 0 if rung.final else rung.round, words)}**")
        lines += [_rung_line(table, players, winner, words) for table, players, winner in rung.tables[:most]]
        if len(rung.tables) > most:
            lines.append(words("event.more_tables", count=len(rung.tables) - most))
        if rung.byes:
            lines.append(words("event.ladder.byes", players=names(list(rung.byes[:most]), words)))
    return lines


def _rung_line(table: int, players: Sequence[str], winner: str | None, words: Words) -> str:
    """``Table 2: Bob beat Alice and Carol``, or who still plays."""
    name = words("event.table_name", table=table)
    if winner is None:
        return words("event.ladder.playing", table=name, players=names(list(players), words))
    losers = [player for player in players if player != winner]
    if not losers:
        return words("event.ladder.through", table=name, player=player_name(winner, words))
    return words("event.ladder.won", table=name, player=player_name(winner, words), losers=names(losers, words))


def next_draw_line(view: EventView, words: Words) -> list[str]:
    """What is drawn when the tables that still play have ended: nothing once the final is played."""
    if not view.ladder or not view.tables or (len(view.tables) == 1 and view.playing == len(view.tables[0].players)):
        return []
    left = view.ladder[-1].left
    tables = words.list([str(table.info.table) for table in view.tables[:MOST_AWAITED]])
    key = "next_final" if _leads_to_final(view) else "next_draw"
    if len(view.tables) > MOST_AWAITED:
        return [words(f"event.ladder.{key}_many", count=len(view.tables), players=left)]
    return [words(f"event.ladder.{key}", count=len(view.tables), tables=tables, players=left)]


# Over


def podium_lines(view: EventView, words: Words) -> list[str]:
    """The first three with their medals, titles and prizes."""
    return [
        f"### {_honoured(view, line, medal, words)}" if line.place == 1 else _honoured(view, line, medal, words)
        for line, medal in zip(view.fair, MEDALS, strict=False)
    ]


def disqualified_lines(view: EventView, words: Words, *, most: int) -> list[str]:
    """Those who were disqualified, so many of them by name, apart from all who have a place."""
    gone = view.disqualified
    if not gone:
        return []
    shown = [player_name(player, words) for player in gone[:most]]
    listed = words("event.between").join([*shown, *and_more(len(gone) - most, words)])
    return [words("event.disqualified", players=listed)]


def _honoured(view: EventView, line: Line, medal: str, words: Words) -> str:
    """Medal, name, title, role, and what decided and was won."""
    structure, place = view.event.structure, line.place - 1
    player = player_name(line.entrant.player, words)
    title = structure.titles[place] if place < len(structure.titles) else ""
    if title:
        text = words("event.podium_title", medal=medal, player=player, title=escape_name(title))
    else:
        text = words("event.podium", medal=medal, player=player)
    role = structure.roles[place] if place < len(structure.roles) else 0
    decided = [points_text(view, line.entrant, words)] if view.event.format.family is Family.ROUNDS else []
    return DOT.join([text, *([f"<@&{role}>"] if role else []), *decided, *_marks(view, line, words)])
