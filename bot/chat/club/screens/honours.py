"""A player's badges, including how to earn the others, and a server's records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from discord import SelectOption

from bot.chat.art.profile import DrawnBadges, DrawnPill
from bot.chat.club.screens.profile_tabs import ProfilePart, profile_tabs
from bot.chat.club.screens.ranking import Listing, rank_by
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import (
    MAX_OPTIONS,
    NOWHERE,
    QUIET_COLOUR,
    RESULT_COLOUR,
    and_more,
    names,
    player_name,
)
from bot.chat.kit.widgets import Part, Screen, apart, button, button_rows, gallery, screen, select
from bot.model.careers import RULES, Badge, BadgeCategory, BadgeStat, EarnedBadge, RecordKind
from bot.model.ids import TableId
from bot.model.standings import EVERY_GAME
from bot.play.queries.leaderboards import BadgesView, Record, Records
from bot.pure.ofc.presets import PRESETS
from bot.text.badges import badge_name, badge_rule, earned_name
from bot.text.games import preset_name
from bot.text.words import Words, escape_name

PICTURE: Final = "badges.png"
MAX_WINNERS: Final = 5
"""Maximum number of names of winners who share first place in the largest event."""


def newest(earned: Sequence[EarnedBadge], words: Words, *, most: int) -> list[str]:
    """Return the names of the ``most`` newest badges, and the number of others."""
    latest = sorted(earned, key=lambda one: -one.at)
    names = [earned_name(one, words) for one in latest[:most]]
    more = len(earned) - len(names)
    return [*names, words("badge.more", count=more)] if more else names


BADGES_WITHIN_REACH: Final = 3
"""Number of badges shown as within reach."""


def shelf_screen(view: BadgesView, words: Words, *, picture: str = "") -> Screen:
    """Draw a player's badges and those within reach, with a menu of all sections.

    ``picture`` describes the attached picture, which replaces the list of earned badges.
    """
    player = player_name(view.player, words)
    head = f"### {words('badge.title', player=player)}\n-# {_count(view, words)}"
    parts: list[str | Part] = [head]
    if picture:
        parts.append(gallery(PICTURE, description=picture))
    else:
        told = {part: _earned_lines(view, part, words) for part in BadgeCategory}
        parts += ["\n".join([_title(part, words), *lines]) for part, lines in told.items() if lines]
    if not view.earned and not view.own:
        parts.append(words("badge.none"))
    if near := _nearest(view):
        lines = [_progress(view, badge, words) for badge in near]
        parts.append("\n".join([f"**{words('badge.reach')}**", *lines]))
    colour = RESULT_COLOUR if view.earned else QUIET_COLOUR
    tabs = profile_tabs(view.player, ProfilePart.BADGES, words, own=view.own)
    return screen(*parts, tabs, *_kinds(view, words), *_hands(view, words), colour=colour)


def part_screen(view: BadgesView, part: BadgeCategory, words: Words) -> Screen:
    """Draw one section of the reader's own badges: those earned, and how to earn the others."""
    head = f"### {words(f'badge.shelf.{part.value}')}\n-# {_of_part(view, part, words)}"
    back = button(Press(verb="shelf_part", table=TableId(0)), words("badge.back"))
    lines = _earned_lines(view, part, words) + _not_yet(view, part, words)
    return screen(head, "\n".join(lines), *_kinds(view, words, now=part), *button_rows([back]), colour=RESULT_COLOUR)


def parse_part(values: Sequence[str]) -> BadgeCategory | None:
    """Return the section chosen in the menu; None for the overview."""
    return next((part for part in BadgeCategory if part.value in values), None)


def _title(part: BadgeCategory, words: Words) -> str:
    return f"**{words(f'badge.shelf.{part.value}')}**"


def _kinds(view: BadgesView, words: Words, *, now: BadgeCategory | None = None) -> list[Part]:
    """Return the menu of sections; empty for another player's badges."""
    options = [
        SelectOption(
            label=words(f"badge.shelf.{part.value}"),
            value=part.value,
            description=_of_part(view, part, words),
            default=part is now,
        )
        for part in BadgeCategory
    ]
    press = Press(verb="shelf_part", table=TableId(0))
    return [select(press, options, placeholder=words("badge.rest"))] if view.own else []


def _of_part(view: BadgesView, part: BadgeCategory, words: Words) -> str:
    have = {one.badge for one in _on(view, part)}
    every = [badge for badge, rule in RULES.items() if rule.shelf is part]
    return words("badge.count", have=words.number(len(have)), all=words.number(len(every)))


def _nearest(view: BadgesView) -> list[Badge]:
    """Return the unearned badges that are closest to being earned.

    If several badges count the same thing, only the next one is returned.
    """
    have, found = {one.badge for one in view.earned}, dict[BadgeStat, Badge]()
    for badge, rule in RULES.items():
        if badge not in have and 0 < view.so_far.get(rule.counted, 0) < rule.least:
            found.setdefault(rule.counted, badge)
    return sorted(found.values(), key=lambda badge: -view.so_far[RULES[badge].counted] / RULES[badge].least)[
        :BADGES_WITHIN_REACH
    ]


def _progress(view: BadgesView, badge: Badge, words: Words) -> str:
    """Return a line such as ``▫️ 100 hands: Play 100 hands for chips · 62 of 100``."""
    rule = RULES[badge]
    line = words("badge.not_yet", badge=badge_name(badge, words), rule=badge_rule(badge, words))
    done = view.so_far.get(rule.counted, 0)
    if not 0 < done < rule.least:
        return line
    return words.facts([line, words("badge.done", have=words.number(done), least=words.number(rule.least))])


def _count(view: BadgesView, words: Words) -> str:
    """Return the number of badges earned out of all. A monthly badge counts once."""
    have = {one.badge for one in view.earned}
    return words("badge.count", have=words.number(len(have)), all=words.number(len(RULES)))


def _on(view: BadgesView, part: BadgeCategory) -> list[EarnedBadge]:
    return [one for one in view.earned if RULES[one.badge].shelf is part]


def _earned_lines(view: BadgesView, part: BadgeCategory, words: Words) -> list[str]:
    """Return lines such as ``🏅 Royal flush · 3 May``. A monthly badge has its latest month and a count."""
    lines = []
    for badge, all_of_it in _group_by_badge(_on(view, part)).items():
        several = [words("badge.times", count=len(all_of_it))] if len(all_of_it) > 1 else []
        when = [] if all_of_it[0].since else [f"<t:{all_of_it[0].at // 1000}:d>"]
        name = earned_name(all_of_it[0], words) if all_of_it[0].since else badge_name(badge, words)
        lines.append(words.facts([words.adorned("🏅", name), *several, *when]))
    return lines


def _group_by_badge(earned: Sequence[EarnedBadge]) -> dict[Badge, list[EarnedBadge]]:
    """Group the badges earned by badge, newest first."""
    found: dict[Badge, list[EarnedBadge]] = {}
    for one in earned:
        found.setdefault(one.badge, []).append(one)
    return found


def _not_yet(view: BadgesView, part: BadgeCategory, words: Words) -> list[str]:
    """Return how to earn the badges that are still missing."""
    have = {one.badge for one in view.earned}
    return [_progress(view, badge, words) for badge, rule in RULES.items() if rule.shelf is part and badge not in have]


def _hands(view: BadgesView, words: Words) -> list[Part]:
    """Return the menu of hands that earned a badge. Opening a hand checks that the player may see it."""
    options: dict[str, SelectOption] = {}
    for one in sorted(view.earned, key=lambda one: -one.at):
        if one.table and RULES[one.badge].shelf not in (BadgeCategory.SEASONS, BadgeCategory.MONTHS):
            value = f"{one.table}/{one.hand_no}"
            label, about = badge_name(one.badge, words), words("records.hand", table=one.table, hand=one.hand_no)
            options.setdefault(value, SelectOption(label=label[:100], value=value, description=about[:100]))
    if not options:
        return []
    return [select(NOWHERE.but("hist_open"), list(options.values())[:MAX_OPTIONS], placeholder=words("badge.replay"))]


# The badges as a picture, with a description.


def drawn_on(view: BadgesView, name: str, words: Words) -> DrawnBadges:
    """Return the picture's content, with each badge in its row. Unearned badges are only framed."""
    have = _group_by_badge(view.earned)
    rows = []
    for part in BadgeCategory:
        pills = [
            DrawnPill(text=_pill(badge, have.get(badge, ()), words), earned=badge in have)
            for badge, rule in RULES.items()
            if rule.shelf is part and (view.own or badge in have)
        ]
        if pills:
            rows.append((words(f"badge.shelf.{part.value}"), tuple(pills)))
    return DrawnBadges(name=name, count=_count(view, words), rows=tuple(rows))


def _pill(badge: Badge, earned: Sequence[EarnedBadge], words: Words) -> str:
    name = badge_name(badge, words)
    return words("badge.several", badge=name, count=len(earned)) if len(earned) > 1 else name


def in_words(view: BadgesView, name: str, words: Words) -> str:
    """Return the picture's description for screen readers."""
    pills = [_pill(badge, earned, words) for badge, earned in _group_by_badge(view.earned).items()]
    told = words.list(pills) if pills else words("badge.none")
    return words("badge.picture", player=name, count=_count(view, words), told=told)


EVERY: Final = "every"
"""Value that means all games, because a menu needs one."""


def records_screen(found: Records, words: Words, *, shown_to_all: bool = False) -> Screen:
    """Draw the records set in channels that all readers can see.

    With ``shown_to_all``, the only control is the menu of hands, which answers each player privately.
    """
    game = preset_name(PRESETS[found.game], words) if found.game else words("leaderboard.every_game")
    head = f"### {words('records.title')}\n-# {words('records.what', game=game)}"
    if not found.lines:
        none = () if shown_to_all else (rank_by(Listing.RECORDS, words),)
        return screen(head, words("records.none"), *none, *_games(found, words), colour=QUIET_COLOUR)
    lines = [_line(line, words) for line in found.lines]
    told, hands = apart([head, "\n".join(lines)]), _record_hands(found, words)
    if shown_to_all:
        return screen(*told, *hands, colour=RESULT_COLOUR)
    show = button(NOWHERE.but("rec_show", found.game or EVERY), words("records.show_all"))
    ways = button_rows([*_event(found, words), show])
    menus = [rank_by(Listing.RECORDS, words), *hands, *_games(found, words)]
    return screen(*told, *menus, *ways, colour=RESULT_COLOUR)


def parse_game(value: str) -> str:
    """Return the game that was chosen in the menu."""
    return EVERY_GAME if value == EVERY else value


def _line(line: Record, words: Words) -> str:
    """Return a line such as ``**Best board:** 41 royalties · Alice · 3 May``."""
    feat = line.feat
    told = [words("records.line", kind=words(f"records.kind.{feat.kind.value}"), value=_value(line, words))]
    if feat.kind is not RecordKind.EVENT:
        told.append(player_name(feat.player, words))
    elif line.event is not None:
        told.append(escape_name(line.event.name))
        if line.winners:
            told.append(words("records.won_by", player=names(list(line.winners[:MAX_WINNERS]), words)))
            told += and_more(len(line.winners) - MAX_WINNERS, words)
    return words.facts([*told, f"<t:{feat.at // 1000}:d>"])


def _value(line: Record, words: Words) -> str:
    return words(f"records.value.{line.feat.kind.value}", count=line.feat.value)


def _record_hands(found: Records, words: Words) -> list[Part]:
    """Return the menu of hands that the reader may see. A hand with several records is listed once."""
    options: dict[str, SelectOption] = {}
    for line in found.lines:
        feat = line.feat
        if line.has_hand:
            label = words.facts([words(f"records.kind.{feat.kind.value}"), _value(line, words)])
            about = words("records.hand", table=feat.table, hand=feat.hand_no)
            value = f"{feat.table}/{feat.hand_no}"
            options.setdefault(value, SelectOption(label=label[:100], value=value, description=about[:100]))
    if not options:
        return []
    return [select(NOWHERE.but("hist_open"), list(options.values()), placeholder=words("records.replay"))]


def _games(found: Records, words: Words) -> list[Part]:
    """Return the menu of games; empty if there are fewer than two."""
    if len(found.games) < 2:
        return []
    options = [SelectOption(label=words("leaderboard.every_game"), value=EVERY, default=not found.game)]
    options += [
        SelectOption(label=preset_name(PRESETS[key], words)[:100], value=key, default=key == found.game)
        for key in found.games[:24]
    ]
    return [select(NOWHERE.but("rec_game"), options, placeholder=words("leaderboard.choose_game"))]


def _event(found: Records, words: Words) -> list[Part]:
    """Return the button for the results of the largest event."""
    events = [line.event for line in found.lines if line.event is not None]
    return [
        button(Press(verb="ev_results", table=TableId(event.key.number), tag=event.tag), words("records.event"))
        for event in events
    ]
