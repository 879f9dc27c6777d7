"""The state of an event: its level or round, its tables, and the standings of every format.

Each line of the standings has the rank, the player, the deciding number, and the state in the format's terms. The
event's message, the private lists, the notices and the pictures all use these lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.chat.kit.fragments import and_more, moment, names, next_match_lines, player_name
from bot.model.clock import DAY
from bot.model.events import Entrant, Event, Phase
from bot.play.event.formats.brackets import GroupRow, GroupTable
from bot.play.event.office.views import EventView, StandingsLine, TableLine
from bot.pure.event.bracket import Stage
from bot.pure.event.rounds import per_comparison
from bot.pure.event.seeding import SeededBy
from bot.pure.event.structure import Family, Format
from bot.text.event_structure import group_name, meeting_lines, stage_text
from bot.text.words import Words, escape_name

MEDALS = ("🥇", "🥈", "🥉")
MAX_ON_PODIUM = 10
"""Maximum number of lines for the first three places. Any number of players can share one."""
MAX_STANDINGS_LINES = 15
MAX_TABLES = 12
MAX_SEEDS = 16
MAX_AWAITED_TABLES = 4
"""Maximum number of awaited tables per line."""


def standing_lines(view: EventView, words: Words, *, most: int) -> list[str]:
    """Return the first ``most`` places. There are no places before the first hand ends, so only names are listed."""
    if view.in_groups:
        return group_lines(view.groups, words, most=most)
    if not view.begun:
        shown = [player_name(line.entrant.player, words) for line in view.fair[:most]]
        named = words("event.between").join([*shown, *and_more(len(view.fair) - most, words)])
        return [words("event.players_title"), named]
    lines = [line_text(view, line, words) for line in view.lines[:most]]
    return [words("event.standings"), *lines, *and_more(len(view.lines) - most, words)]


def rank_text(place: int, words: Words, *, tied: bool) -> str:
    """Return a rank such as ``2``, or ``2=`` if it's shared."""
    return words("event.rank_tied" if tied else "event.rank", place=words.number(place))


def line_text(view: EventView, line: StandingsLine, words: Words) -> str:
    """Return a line of the standings: rank, player, and the deciding number."""
    # Disqualified players have no place.
    place = "–" if line.entrant.disqualified else rank_text(line.place, words, tied=line.tied)
    player = player_name(line.entrant.player, words)
    if view.event.format.family is Family.ROUNDS:
        text = words("event.line", place=place, player=player, amount=points_text(view, line.entrant, words))
    elif line.chips:
        text = words("event.line", place=place, player=player, amount=words.number(line.chips))
    else:
        text = words("event.line_bare", place=place, player=player)
    return words.facts([text, *_marks(view, line, words)])


def points_text(view: EventView, entrant: Entrant, words: Words, *, key: str = "event.compared") -> str:
    """Return a player's points in a league or duplicate event.

    Examples are ``+7 points`` and ``+1.5 points per comparison``.
    """
    if view.event.format is not Format.DUPLICATE:
        return words("event.points", count=abs(entrant.score), points=words.signed(entrant.score))
    return words(key, points=compared_points(view, entrant, words))


def compared_points(view: EventView, entrant: Entrant, words: Words) -> str:
    """Return a player's points per comparison in a duplicate event, such as ``+1.5``."""
    drawn = sum(line.entrant.number > 0 for line in view.lines)
    others = view.event.structure.tables_for(drawn) - 1
    each = per_comparison(entrant.score, entrant.hands * max(0, others))
    # Whole points would hide who is ahead, so it has one decimal.
    rounded = round(float(each), 1)
    return words.signed_decimal(rounded, decimals=1) if rounded else words.signed(0)


def _marks(view: EventView, line: StandingsLine, words: Words) -> list[str]:
    entrant, over = line.entrant, view.event.phase.over
    marks = []
    if entrant.disqualified:
        marks.append(words("event.line_struck" if line.struck else "event.line_disqualified"))
    elif view.event.phase is Phase.RUNNING:
        marks += _state(view, line, words)
    elif line.left_after is not None:
        marks.append(words("event.state.left", round=line.left_after))
    elif line.left_seat or line.gave_up:
        marks.append(words("event.state.gave_up" if line.gave_up else "event.state.left_seat"))
    if line.by_draw:
        marks.append(by_draw_text(view, words))
    if entrant.prize:
        marks.append(words("event.prize", count=entrant.prize, chips=words.number(entrant.prize)))
    if line.odd_chip:
        marks.append(odd_chip_text(view, words))
    if entrant.head and view.event.structure.bounty_grows and entrant.playing:
        marks.append(words("event.head", chips=words.number(entrant.head)))
    if entrant.bounties:
        marks.append(words("event.bounties", count=entrant.bounties, chips=words.number(entrant.bounties)))
    if line.table is not None and len(view.tables) > 1 and not over:
        # The number isn't a link, because two links per line are too many on a phone. The list of tables has the links.
        marks.append(words("event.table_name", table=view.number_of(line.table)))
    if line.away and not line.left_seat and not line.gave_up:
        marks.append(words("event.line_away"))
    return marks


def _state(view: EventView, line: StandingsLine, words: Words) -> list[str]:
    """Return a player's state in the format's terms; empty if their chips or table already show it."""
    form, seated = view.event.format, line.table is not None
    if form.family is Family.ROUNDS:
        if line.left_after is not None:
            return [words("event.state.leaving") if seated else words("event.state.left", round=line.left_after)]
        if not line.entrant.playing:
            return [words("event.state.out")]
        if seated or not view.tables:
            return []
        return [words("event.state.bye" if line.bye else "event.state.round_done")]
    if line.gave_up:
        return [words("event.state.gives_up" if line.entrant.playing else "event.state.gave_up")]
    if not line.entrant.playing:
        return [_lost_round_text(view, line, words) if form is Format.SHOOTOUT else words("event.state.out")]
    if line.left_seat:
        return [words("event.state.left_seat_now")]
    at_stake = "one_life" if line.beaten else "third" if line.for_third else ""
    life = [words(f"event.state.{at_stake}")] if at_stake else []
    if seated:
        return life
    if form.heads_up:
        return [*life, *_waits_for_match(view, line, words)]
    if form is Format.SHOOTOUT:
        return [_through(view, line, words)]
    return [words("event.state.no_seat")]


def _waits_for_match(view: EventView, line: StandingsLine, words: Words) -> list[str]:
    """Return a player's next opponent in a bracket, or the match that decides who it will be."""
    if not line.waits_for:
        return next_match_lines(line.coming, words)
    key = "waits_loser" if line.coming["loses"] else "waits_winner"
    return [words(f"event.state.{key}", table=view.number_of(line.waits_for[0]))]


def _lost_round_text(view: EventView, line: StandingsLine, words: Words) -> str:
    """Return a text for the round of a shoot-out that a player lost."""
    number = line.entrant.score + 1
    if view.ladder and view.ladder[-1].final and view.ladder[-1].round == number:
        return words("event.state.out_in_final")
    return words("event.state.out_in", round=number)


def _through(view: EventView, line: StandingsLine, words: Words) -> str:
    """Return a shoot-out winner's state, and the tables still playing the round."""
    final = "_final" if view.ladder and _leads_to_final(view) else ""
    values: dict[str, Any] = {} if final else {"round": line.entrant.score + 1}
    if not line.waits_for or len(line.waits_for) > MAX_AWAITED_TABLES:
        return words(f"event.state.through{final}", **values)
    tables = words.list([str(view.number_of(table)) for table in line.waits_for])
    return words(f"event.state.through{final}_waits", tables=tables, count=len(line.waits_for), **values)


def _leads_to_final(view: EventView) -> bool:
    """True if the winners of the newest round will fit one table."""
    return view.ladder[-1].left <= view.event.structure.table_seats


def by_draw_text(view: EventView, words: Words) -> str:
    """Return what broke a tie between players: the draw or, in a seeded bracket, their seeds."""
    return words("event.by_seed" if is_seeded(view) else "event.by_draw")


def odd_chip_text(view: EventView, words: Words) -> str:
    """Return what gave a player an odd chip of a shared prize: the draw or, in a seeded bracket, their seed."""
    return words("event.odd_chip_by_seed" if is_seeded(view) else "event.odd_chip")


def is_seeded(view: EventView) -> bool:
    """True for a bracket whose order isn't entirely drawn."""
    event = view.event
    return event.format.heads_up and event.structure.seeded_by(event.series) is not SeededBy.DRAW


def handicap_text(player: str, amount: int, event: Event, words: Words) -> str:
    """Return a handicap such as ``Alice +1,600 chips``."""
    unit = "points" if event.format.family is Family.ROUNDS else "chips"
    return words(f"event.handicap.{unit}", player=player_name(player, words), amount=words.signed(amount))


def seed_text(place: int, player: str, words: Words) -> str:
    """Return a seed such as ``1. Alice``."""
    return words("event_seeds.seed", place=place, player=player_name(player, words))


def missing_lines(view: EventView, words: Words) -> list[str]:
    """Return the players that a round of a league or duplicate event is waiting for right now, by table."""
    if view.event.format.family is not Family.ROUNDS:
        return []
    awaited = [line for line in view.tables if line.acting]
    told = [
        words("event.to_act", table=line.table.number, players=names(list(line.acting), words))
        for line in awaited[:MAX_STANDINGS_LINES]
    ]
    return [*told, *([words("event.more_tables", count=len(awaited) - len(told))] if len(awaited) > len(told) else [])]


# The state of a running event


def now_lines(view: EventView, words: Words, *, ends_at: int | None = None) -> list[str]:
    """Return the level or round, the players left, the expected end, and any pause."""
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


def brief_now_lines(view: EventView, words: Words, *, ends_at: int | None = None) -> list[str]:
    """Return the short form of :func:`now_lines` for everyone."""
    event = view.event
    lines = _round(event, words) if event.format.family is Family.ROUNDS else _level(view, words)
    ends = [] if ends_at is None else [ends_text(ends_at, started_at=event.started_at or ends_at)]
    final = [words("event.final_table")] if event.final_table else []
    lines = [words.facts([*final, *lines])]
    lines.append(words.facts([_left(view, words), *(words("event.ends_at", at=at) for at in ends)]))
    if event.paused:
        lines.append(words("event.paused"))
    if event.break_until is not None:
        lines.append(words("event.break", until=moment(event.break_until)))
    if event.hand_for_hand:
        lines.append(words("event.hand_for_hand", paid=len(view.prizes)))
    if view.registration_open:
        lines.append(words("event.brief.late", level=event.structure.late_levels))
    return list(filter(None, lines))


def _level(view: EventView, words: Words) -> list[str]:
    event = view.event
    if event.format.family is Family.KNOCKOUT:
        # Each match has its own levels.
        return _stages(view, words)
    following = words.number(view.next_point_value)
    if event.level_ends_at is None:
        after = words("event.level_next", value=following)
    else:
        after = words("event.level_next_at", value=following, when=moment(event.level_ends_at))
    return [words.facts([words("event.level", level=event.level + 1, value=words.number(view.point_value)), after])]


def _stages(view: EventView, words: Words) -> list[str]:
    """Return the stages of the current matches.

    Between matches, a shoot-out or a single elimination shows its round.
    """
    names = list(filter(None, (match_name(one, words) for one in view.tables)))
    if not names and view.event.round and view.event.format not in (Format.DOUBLE, Format.GROUPS):
        names = [stage_text("event.stage", Stage.ROUND.value, view.event.round, words)]
    return [words.facts(f"**{name}**" for name in dict.fromkeys(names))] if names else []


def match_name(table: TableLine, words: Words) -> str:
    """Return a match's name; empty if the table isn't a match."""
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
    if view.event.format.family is Family.ROUNDS and view.still_in == len(view.lines):
        return players  # leagues don't eliminate players
    if view.event.format.family is not Family.FREEZEOUT:
        return words("event.people_left", left=view.still_in, players=players)
    left = words("event.left", left=view.playing, entries=view.entries)
    chips = sum(line.chips for line in view.lines)
    if not view.playing or not chips:
        return left
    return words.facts([left, words("event.average", chips=words.number(chips // view.playing))])


def table_place(view: EventView, table: int, channel: int, words: Words) -> str:
    """Return a link to a table's thread, or its number if it's in a channel of the event."""
    event, number = view.event, view.number_of(table)
    if channel == event.channel:
        return words("event.table_name", table=number)
    return (
        words("event.table_in", table=number, channel=f"<#{channel}>") if channel in event.channels else f"<#{channel}>"
    )


def table_lines(view: EventView, words: Words, *, most: int) -> list[str]:
    if not view.tables:
        return []
    head = words("event.matches" if view.event.format.heads_up else "event.tables")
    shown = [_table(view, table, words, match=view.event.format.heads_up) for table in view.tables[:most]]
    left = len(view.tables) - most
    return [head, *shown, *([words("event.more_tables", count=left)] if left > 0 else [])]


def brief_table_lines(view: EventView, words: Words, *, most: int) -> list[str]:
    """Return the current tables, one line each, without a title."""
    return table_lines(view, words, most=most)[1:]


def _table(view: EventView, table: TableLine, words: Words, *, match: bool) -> str:
    channel = table_place(view, table.info.table, table.table.channel, words)
    if match and len(table.players) == 2:
        first, second = (player_name(player, words) for player in table.players)
        told = words("event.match", first=first, second=second, channel=channel)
        alike = len({one.stage for one in view.tables}) == 1
        return told if alike else words.facts([told, match_name(table, words)])
    return words("event.table", channel=channel, players=names(list(table.players), words))


def ends_text(ends_at: int, *, started_at: int) -> str:
    """Return a time such as ``22:40`` in the reader's own zone, with the date if the event lasts a day or longer."""
    step = 300 if ends_at - started_at < DAY else 3_600
    at = round(ends_at / 1000 / step) * step
    return f"<t:{at}:{'t' if ends_at - started_at < DAY else 'f'}>"


# The groups before a bracket, with their players, tables and qualifiers


THROUGH = "✅ "


def group_lines(tables: Sequence[GroupTable], words: Words, *, most: int) -> list[str]:
    """Return up to ``most`` groups, one line each. Qualifiers are marked once they are certain."""
    lines = [words("event_groups.title_over" if tables[0].drawn else "event_groups.title")]
    for table in tables[:most]:
        rows = words.facts(_row(row, words) for row in table.rows)
        lines.append(words("event_groups.table", group=group_name(table.number, words), rows=rows))
    left = len(tables) - most
    return [*lines, *([words("event_groups.more", count=left)] if left > 0 else [])]


def _row(row: GroupRow, words: Words) -> str:
    told = words("event_groups.row", player=player_name(row.player, words), won=row.won, lost=row.lost)
    return f"{THROUGH}{told}" if row.through else told


def told_groups(groups: Sequence[Sequence[list[str]]], words: Words, *, by_seed: bool) -> list[str]:
    """Return a notice's groups with their players. After the group stage, return the qualifiers and any tiebreak."""
    lines = []
    for number, (through, behind, alike) in enumerate(groups, start=1):
        group = group_name(number, words)
        if not through:
            lines.append(words("event_groups.members", group=group, players=names(behind, words)))
            continue
        lines.append(
            words("event_groups.result", group=group, through=names(through, words), behind=names(behind, words))
        )
        if alike:
            key = "event_groups.by_seed" if by_seed else "event_groups.by_draw"
            lines.append(words(key, players=names(alike, words)))
    return lines


# The ladder of a shoot-out


def ladder_lines(
    view: EventView, words: Words, *, rounds: Sequence[int] = (), most: int = MAX_STANDINGS_LINES
) -> list[str]:
    """Return the tables of a shoot-out's rounds with their winners, newest round first. ``rounds`` selects rounds."""
    lines = []
    for rung in sorted(view.ladder, key=lambda rung: -rung.round):
        if rounds and rung.round not in rounds:
            continue
        stage = Stage.FINAL if rung.final else Stage.ROUND
        lines.append(f"**{stage_text('event.stage', stage.value, 0 if rung.final else rung.round, words)}**")
        lines += [
            _rung_line(view.number_of(table), players, winner, words) for table, players, winner in rung.tables[:most]
        ]
        if len(rung.tables) > most:
            lines.append(words("event.more_tables", count=len(rung.tables) - most))
        if rung.byes:
            lines.append(words("event.ladder.byes", players=names(list(rung.byes[:most]), words)))
    return lines


def _rung_line(table: int, players: Sequence[str], winner: str | None, words: Words) -> str:
    """Return a line such as ``Table 2: Bob beat Alice and Carol``, or the current players."""
    name = words("event.table_name", table=table)
    if winner is None:
        return words("event.ladder.playing", table=name, players=names(list(players), words))
    losers = [player for player in players if player != winner]
    if not losers:
        return words("event.ladder.through", table=name, player=player_name(winner, words))
    return words("event.ladder.won", table=name, player=player_name(winner, words), losers=names(losers, words))


def next_draw_line(view: EventView, words: Words) -> list[str]:
    """Return what will be drawn after the current tables end; empty in the final."""
    if not view.ladder or not view.tables or (len(view.tables) == 1 and view.playing == len(view.tables[0].players)):
        return []
    left = view.ladder[-1].left
    tables = words.list([str(table.table.number) for table in view.tables[:MAX_AWAITED_TABLES]])
    key = "next_final" if _leads_to_final(view) else "next_draw"
    if len(view.tables) > MAX_AWAITED_TABLES:
        return [words(f"event.ladder.{key}_many", count=len(view.tables), players=left)]
    return [words(f"event.ladder.{key}", count=len(view.tables), tables=tables, players=left)]


# Over


def podium_lines(view: EventView, words: Words) -> list[str]:
    """Return the first three places with medals, titles and prizes, in up to ``MAX_ON_PODIUM`` lines."""
    lines = [(line, _podium_text(view, line, MEDALS[line.place - 1], words)) for line in podium(view)]
    return [f"### {text}" if line.place == 1 else text for line, text in lines]


def podium(view: EventView) -> list[StandingsLine]:
    """Return the lines of the first three places, which players can share, up to ``MAX_ON_PODIUM``."""
    return [line for line in view.fair if 1 <= line.place <= len(MEDALS)][:MAX_ON_PODIUM]


def disqualified_lines(view: EventView, words: Words, *, most: int) -> list[str]:
    """Return the disqualified and the struck players, at most ``most`` of each by name."""
    lines = []
    for key, gone in (("event.disqualified", view.disqualified), ("event.struck", view.struck)):
        if gone:
            shown = [player_name(player, words) for player in gone[:most]]
            listed = words("event.between").join([*shown, *and_more(len(gone) - most, words)])
            lines.append(words(key, players=listed))
    return lines


def _podium_text(view: EventView, line: StandingsLine, medal: str, words: Words) -> str:
    """Return a place with medal, name, title, role, deciding number and prizes."""
    structure, place = view.event.structure, line.place - 1
    player, medal = player_name(line.entrant.player, words), f"{place + 1}\\." if words.heard else medal
    title = structure.titles[place] if place < len(structure.titles) else ""
    if title:
        text = words("event.podium_title", medal=medal, player=player, title=escape_name(title))
    else:
        text = words("event.podium", medal=medal, player=player)
    role = structure.roles[place] if place < len(structure.roles) else 0
    decided = [points_text(view, line.entrant, words)] if view.event.format.family is Family.ROUNDS else []
    return words.facts([text, *([f"<@&{role}>"] if role else []), *decided, *_marks(view, line, words)])
