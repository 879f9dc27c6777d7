"""Brackets on screen: as a picture or as text, with the reader's own matches.

A large bracket is split into pages. Each page has a few rounds of one side, so that names are readable on a phone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.chat.art.bracket import MAX_COLUMNS, DrawnBlock, DrawnMatch, DrawnRound, DrawnSide, SideState
from bot.chat.event.screens.screen import BRACKET, about, heading
from bot.chat.event.screens.standings import group_lines
from bot.chat.kit.faces import DisplayNames
from bot.chat.kit.fragments import (
    MAX_TEXT_LENGTH,
    RESULT_COLOUR,
    TABLE_COLOUR,
    next_match_lines,
    next_stage,
    player_name,
)
from bot.chat.kit.picture_names import picture_names
from bot.chat.kit.widgets import Part, Screen, apart, button, button_rows, gallery, screen
from bot.model.events import Event
from bot.model.ids import GuildId, Player
from bot.play.event.formats.brackets import BracketView, MatchLine
from bot.pure.event.bracket import LoserOf, Side, Stage, WinnerOf
from bot.pure.event.limits import MAX_GROUPS
from bot.text.event_structure import stage_text
from bot.text.words import Words

MAX_ROWS = 8
"""Maximum number of first-round matches per page."""
ROOM = MAX_TEXT_LENGTH - 900
"""Characters for a page's matches. The rest is for the heading and the reader's own matches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Rounds of one side with their matches."""

    side: Side
    rounds: tuple[tuple[MatchLine, ...], ...]

    @property
    def lines(self) -> tuple[MatchLine, ...]:
        """All matches of the block."""
        return tuple(line for one in self.rounds for line in one)


Page = tuple[Block, ...]
_SIDES = (Stage.WINNERS, Stage.LOSERS)


def pages(view: BracketView) -> list[Page]:
    """Return the bracket's pages, earlier rounds first. The last page has the final rounds and the finals."""
    early: list[Page] = []
    last: list[Block] = []
    for side in (Side.WINNERS, Side.LOSERS):
        *before, end = _blocks(view, side) or [list[Block]()]
        early += [(block,) for blocks in before for block in blocks]
        last += end
    finals = tuple((line,) for line in view.lines if line.match.side is Side.FINAL)
    third = tuple((line,) for line in view.lines if line.match.side is Side.THIRD)
    if finals:
        last.append(Block(side=Side.FINAL, rounds=finals))
    if third:
        last.append(Block(side=Side.THIRD, rounds=third))
    return [*early, tuple(last)]


def _blocks(view: BracketView, side: Side) -> list[list[Block]]:
    """Return the rounds of a side in groups of four, counted from the end.

    Each group is split into blocks that fit a page.
    """
    rounds: dict[int, list[int]] = {}
    for match in view.bracket.matches:
        if match.side is side:
            rounds.setdefault(match.round, []).append(match.number)
    numbers = sorted(rounds)
    cuts = range(len(numbers) % MAX_COLUMNS, len(numbers) + 1, MAX_COLUMNS)
    groups = [numbers[max(0, cut - MAX_COLUMNS) : cut] for cut in cuts]
    made = [_windows(view, side, [rounds[number] for number in group]) for group in groups if group]
    return [blocks for blocks in made if blocks]


def _windows(view: BracketView, side: Side, rounds: Sequence[Sequence[int]]) -> list[Block]:
    """Return blocks of neighbouring first-round matches and the matches that follow from them.

    Matches that no one plays count as neighbours, but they aren't shown.
    """
    shown, count, made = {line.number: line for line in view.lines}, -(-len(rounds[0]) // MAX_ROWS), []
    for window in range(count):
        parts = [one[len(one) * window // count : len(one) * (window + 1) // count] for one in rounds]
        kept = [tuple(shown[number] for number in part if number in shown) for part in parts]
        if any(kept):
            made.append(Block(side=side, rounds=tuple(one for one in kept if one)))
    return made


def _feeds(line: MatchLine) -> set[int]:
    return {source.match for source in line.sources if isinstance(source, WinnerOf)}


def page_for(view: BracketView, player: Player) -> int:
    """Return the page, from 1, of a player's next or last match.

    For a player without matches, it's the page with the most matches still to be played, or the last page.
    """
    made, own = pages(view), [line for line in view.of(player) if line.match.side is not Side.GROUP]
    if own:
        mine = next((line for line in own if line.winner is None), own[-1])
        return next(number for number, page in enumerate(made, start=1) if mine in _lines(page))
    ready = [sum(line.ready for line in _lines(page)) for page in made]
    return ready.index(max(ready)) + 1 if any(ready) else len(made)


def _lines(page: Page) -> list[MatchLine]:
    return [line for block in page for line in block.lines]


# Text


def _stage(line: MatchLine, words: Words) -> str:
    return stage_text("event.stage", line.stage[0].value, line.stage[1], words)


def _sides(
    line: MatchLine, view: BracketView, words: Words, names: Mapping[Player, str], *, pairs: bool = True
) -> Iterator[str]:
    """Yield both sides by name. An unknown side is described by its possible players or the match's number."""
    for player, source in zip(line.players, line.sources, strict=True):
        before = view.line(source.match) if isinstance(source, WinnerOf | LoserOf) else None
        if player is not None:
            yield names[player]
        elif before is None or before.winner is not None:
            yield words("bracket.bye")
        elif not pairs or None in before.players:
            yield words(f"bracket.{'loser' if isinstance(source, LoserOf) else 'winner'}_of", number=before.number)
        else:
            first, second = (names[one] for one in before.players if one)
            key = "loser_of_pair" if isinstance(source, LoserOf) else "winner_of_pair"
            yield words(f"bracket.{key}", first=first, second=second)


def _match_text(line: MatchLine, view: BracketView, words: Words, names: Mapping[Player, str]) -> str:
    """Return a match as a sentence or a phrase."""
    if line.bye and line.winner is not None:
        return words("bracket.had_bye", player=names[line.winner])
    if line.winner is not None and line.loser is not None:
        values = {"winner": names[line.winner], "loser": names[line.loser]}
        return words("bracket.beat", **values, count=line.hands) if line.hands else words("bracket.walk_over", **values)
    first, second = _sides(line, view, words, names)
    said = words("bracket.meet", first=first, second=second)
    if line.table is None:
        return said
    chips = words("bracket.chips", first=words.number(line.chips[0]), second=words.number(line.chips[1]))
    return words.facts(
        [said, *([chips] if any(line.chips) else []), words("event.table_name", table=line.table_number)]
    )


def page_lines(page: Page, view: BracketView, words: Words, names: Mapping[Player, str]) -> list[str]:
    """Return a page's matches as text, round by round."""
    lines: list[str] = []
    for block in page:
        for one in block.rounds:
            lines.append(f"**{_stage(one[0], words)}**")
            lines += [f"`{line.number}` {_match_text(line, view, words, names)}" for line in one]
    return lines


def own_lines(view: BracketView, words: Words, player: Player) -> list[str]:
    """Return a player's own matches: those played, the next one, and the one that a win would lead to."""
    own, names = view.of(player), _mentions(view, words)
    if not own:
        return []
    lines = [words("bracket.own")]
    for line in own:
        told = _match_text(line, view, words, names)
        if line.table is not None and line.channel is not None:
            first, second = _sides(line, view, words, names)
            housed = line.channel not in view.event.channels
            place = f"<#{line.channel}>" if housed else words("event.table_name", table=line.table_number)
            told = words.facts([words("bracket.meet", first=first, second=second), place])
        lines.append(words("bracket.own_line", stage=_stage(line, words), told=told))
    ahead = view.feeds(own[-1].number) if own[-1].winner is None else None
    if ahead is not None:
        first, second = _sides(ahead, view, words, names)
        mine = next(at for at, source in enumerate(ahead.sources) if source == WinnerOf(own[-1].number))
        other = (second, first)[mine]
        lines.append(words("bracket.own_ahead", stage=_stage(ahead, words), opponent=other))
    elif view.champion == player:
        lines.append(words("bracket.own_won"))
    return lines


def _mentions(view: BracketView, words: Words) -> dict[Player, str]:
    return {player: player_name(player, words) for player in _people(view.lines)}


def _people(lines: Iterable[MatchLine]) -> list[Player]:
    return list(dict.fromkeys(player for line in lines for player in line.players if player is not None))


def people_on(page: Page) -> list[Player]:
    """Return all players named on a page."""
    return _people(_lines(page))


def people_in(view: BracketView) -> list[Player]:
    """Return all players of the bracket."""
    return _people(view.lines)


# Picture


def drawn_names(view: BracketView, names: DisplayNames, words: Words) -> dict[Player, str]:
    """Return the names to draw. A player whose name can't be drawn gets a number."""
    people = _people(view.lines)
    drawn = picture_names(names, GuildId(view.event.key.guild), people, words)
    return {
        player: drawn[player] or words("bracket.somebody", number=number)
        for number, player in enumerate(people, start=1)
    }


def drawn(
    page: Page,
    view: BracketView,
    words: Words,
    names: Mapping[Player, str],
    *,
    own: Player | None = None,
    tables: bool = False,
) -> tuple[DrawnBlock, ...]:
    """Return the content of a page's picture. Without ``tables``, it changes only when a match ends."""
    return tuple(
        DrawnBlock(
            title=words(f"bracket.side.{block.side.value}") if _has_sides(block) else "",
            rounds=tuple(
                DrawnRound(
                    title=_round(one[0], words),
                    matches=tuple(_match(line, view, words, names, own=own, tables=tables) for line in one),
                )
                for one in block.rounds
            ),
        )
        for block in page
    )


def _has_sides(block: Block) -> bool:
    """True for the sides of a double elimination."""
    return block.lines[0].stage[0] in (*_SIDES, Stage.WINNERS_FINAL, Stage.LOSERS_FINAL)


def _round(line: MatchLine, words: Words) -> str:
    """Return a round's name, to go below the name of its side."""
    name, number = line.stage
    return stage_text("event.stage", Stage.ROUND.value, number, words) if name in _SIDES else _stage(line, words)


def _match(
    line: MatchLine, view: BracketView, words: Words, names: Mapping[Player, str], *, own: Player | None, tables: bool
) -> DrawnMatch:
    label = words("bracket.number", number=line.number)
    if line.table is not None and tables:
        label = words.facts([label, words("bracket.at_table", table=line.table_number)])
    elif line.loser is not None:
        label = words.facts([label, words("bracket.hands", count=line.hands) if line.hands else words("bracket.bye")])
    # Lines connect matches on the picture. For other matches, the number is enough.
    told = _sides(line, view, words, names, pairs=False)
    first, second = (
        DrawnSide(name=name, fate=_fate(line, player), own=own is not None and player == own)
        for name, player in zip(told, line.players, strict=True)
    )
    return DrawnMatch(number=line.number, label=label, sides=(first, second), feeds=tuple(sorted(_feeds(line))))


def _fate(line: MatchLine, player: Player | None) -> SideState:
    if player is None:
        return SideState.OPEN
    if line.winner is None:
        return SideState.PLAYS
    return SideState.WON if player == line.winner else SideState.LOST


def picture_in_words(page: Page, view: BracketView, words: Words, names: Mapping[Player, str]) -> str:
    """Return the picture's description for screen readers. Its length is limited, so matches in play come first."""
    lines = [line for line in _lines(page) if not line.bye]
    lines.sort(key=lambda line: (not line.ready, line.winner is None, -line.number))
    told = [
        words("bracket.own_line", stage=_stage(one, words), told=_match_text(one, view, words, names)) for one in lines
    ]
    return words("bracket.described", name=view.event.name, matches="\n".join(told)).replace("**", "").replace("- ", "")


# Private message


def bracket_screen(
    view: BracketView, words: Words, player: Player, *, page: int, names: Mapping[Player, str], picture: str = ""
) -> Screen:
    """Draw a page of the bracket below the reader's own matches. ``picture`` describes the attached picture."""
    made = pages(view)
    page = min(max(page, 1), len(made))
    head = heading(view.event, words)
    own = own_lines(view, words, player)
    groups = group_lines(view.groups, words, most=MAX_GROUPS) if view.groups else []
    shown: list[str | Part] = [*apart(["\n".join(lines) for lines in (head, own, groups) if lines])]
    if not view.drawn:
        shown.append(words("event_groups.then"))
    elif picture:
        shown.append(gallery(BRACKET, description=picture))
    else:
        shown.append("\n".join(_fit_lines(page_lines(made[page - 1], view, words, names), words)))
    if len(made) > 1:
        shown.append(words("bracket.page", page=page, pages=len(made)))
    colour = RESULT_COLOUR if view.event.phase.over else TABLE_COLOUR
    return screen(*shown, *button_rows(_page_buttons(view.event, page, len(made), words)), colour=colour)


def _fit_lines(lines: Sequence[str], words: Words) -> list[str]:
    room, kept = ROOM, list[str]()
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            return [*kept, words("bracket.more")]
        kept.append(line)
    return kept


def _page_buttons(event: Event, page: int, count: int, words: Words) -> list[Part]:
    if count < 2:
        return []
    turn = about(event).but("ev_bracket_page")
    return [
        button(replace(turn, hand=page - 1), words("bracket.earlier"), disabled=page <= 1),
        button(replace(turn, hand=page + 1), words("bracket.later"), disabled=page >= count),
    ]


def match_text(details: Mapping[str, Any], words: Words) -> str:
    """Return a match's winner, the consequence of the loss, and both players' next opponents.

    It pings no one, because tables ping their players. Older notices don't have the number of hands.
    """
    winner, loser = (player_name(details[who], words) for who in ("winner", "loser"))
    name, number = details["stage"]
    values: dict[str, Any] = {"winner": winner, "loser": loser, "stage": stage_text("event.stage", name, number, words)}
    if details.get("gave_up"):
        said = [words("event_notice.match.gave_up", **values)]
    elif hands := details.get("hands"):
        said = [words("event_notice.match.won", **values, count=hands)]
    else:
        said = [words("event_notice.match.won_bare", **values)]
    if name == Stage.GROUP.value:
        for who, player in (("loser", loser), ("winner", winner)):
            if "opponent" in details[f"next_of_{who}"]:
                said += next_match_lines(details[f"next_of_{who}"], words, key="event_notice.match.next", player=player)
        return "\n".join(said)
    if details["out"]:
        said.append(words("event_notice.match.out", player=loser))
    else:
        third = next_stage(details["next_of_loser"]) == Stage.THIRD.value
        key = "event_notice.match.for_third" if third else "event_notice.match.one_life"
        said += next_match_lines(details["next_of_loser"], words, key=key, player=loser)
    if details.get("champion"):
        said.append(words("event_notice.match.champion", player=winner))
    elif name == Stage.THIRD.value:
        said.append(words("event_notice.match.third_won", player=winner))
    if details["next_of_winner"].get("opponent") != details["loser"]:  # otherwise the loser's line names both
        said += next_match_lines(details["next_of_winner"], words, key="event_notice.match.next", player=winner)
    if details["left"] > 1:
        said.append(words("event_notice.left", count=details["left"]))
    return "\n".join(said)
