"""A player's profile, with their hands for chips, events, best board, badges and the players they have met."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final

from discord import SelectOption

from bot.chat.art.felt import NamedRow, drawable
from bot.chat.art.profile import DrawnProfile, Plot, Tile
from bot.chat.club.screens.honours import newest
from bot.chat.club.screens.profile_tabs import ProfilePart, profile_tabs
from bot.chat.kit.custom_ids import Press, long_id, short_id
from bot.chat.kit.faces import Faces
from bot.chat.kit.fragments import (
    NOWHERE,
    QUIET_COLOUR,
    RESULT_COLOUR,
    my_mistakes,
    open_table,
    player_name,
    rating_text,
)
from bot.chat.kit.widgets import Part, Screen, apart, button, button_rows, gallery, screen, select
from bot.chat.table.screens.boards import seat_rows
from bot.chat.table.screens.result import result_board
from bot.model.careers import Versus
from bot.model.ids import GuildId, Player, TableId
from bot.model.standings import Standing
from bot.play.queries.leaderboards import Profile
from bot.pure.ofc.cards import ROWS, card_name
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.scoring import BoardScore, RowScore
from bot.pure.ofc.view import SeatView
from bot.pure.rating.model import Rating
from bot.text.cards import hand_text, row_name, row_text
from bot.text.games import preset_name
from bot.text.words import Words, escape_name

PICTURE: Final = "profile.png"
MIN_PLOTTED_HANDS: Final = 2
"""Minimum number of hands for a plot."""
MAX_GAMES: Final = 3
MAX_BADGES: Final = 6
"""Maximum number of badges shown here. The badges tab shows them all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileFigure:
    """A number with its label."""

    label: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotSummary:
    """The plot of the last hands in words: its end, highest and lowest value."""

    title: str
    end: str
    high: str
    low: str


def build_facts(profile: Profile, words: Words) -> list[ProfileFigure]:
    """Return nine numbers; empty if the player hasn't played."""
    total, career = profile.total, profile.career
    if total is None:
        return []
    values = {
        "hands": words.number(total.hands),
        "points": words.signed_decimal(total.points / total.hands, decimals=2),
        "rating": _rating(profile.rating, words),
        "chips": words.signed(total.chips),
        "royalties": words.decimal(total.royalties / total.hands, decimals=2),
        "best": words.signed(total.best),
        "fantasyland": _share(total.visits, total.hands, words),
        "fouls": _share(total.fouls, total.hands, words),
        "scoops": _share(career.scoops, career.met, words),
    }
    return [ProfileFigure(label=words(f"profile.fact.{name}"), value=value) for name, value in values.items()]


def build_event_facts(profile: Profile, words: Words) -> list[ProfileFigure]:
    """Return six numbers about finished events; empty if there are none."""
    events = profile.events
    if events is None:
        return []
    values = {
        "events": words.number(events.events),
        "event_wins": words.number(events.wins),
        "final_tables": words.number(events.finals),
        "titles": words.number(events.titles),
        "average_place": words.decimal(events.average_place, decimals=1),
        "event_chips": words.number(events.chips),
    }
    return [ProfileFigure(label=words(f"profile.fact.{name}"), value=value) for name, value in values.items()]


def _share(part: int, whole: int, words: Words) -> str:
    return words.percent(round(100 * part / whole)) if whole else words("profile.unknown")


def _rating(rating: Rating | None, words: Words) -> str:
    return words("profile.unknown") if rating is None else rating_text(rating, words)


def games_of(profile: Profile, words: Words) -> list[str]:
    """Return the games that the player plays most, such as ``Pineapple OFC: 812``."""
    return [
        words("profile.game", game=preset_name(PRESETS[key], words), hands=words.number(hands))
        for key, hands in profile.games[:MAX_GAMES]
    ]


def build_form(profile: Profile, words: Words) -> PlotSummary | None:
    """Return the content of the plot; None if there are too few hands."""
    if len(profile.form) < MIN_PLOTTED_HANDS:
        return None
    line = [0, *accumulate(profile.form)]
    return PlotSummary(
        title=words("profile.form", count=len(profile.form)),
        end=words.signed(line[-1]),
        high=words.signed(max(line)),
        low=words.signed(min(line)),
    )


def best_board(profile: Profile) -> tuple[SeatView, BoardScore] | None:
    """Return the player's own board from their best hand."""
    view = profile.best
    if view is None or view.hand is None or view.hand.score is None:
        return None
    seats = zip(view.hand.seats, view.hand.score.boards, strict=True)
    return next(((seat, board) for seat, board in seats if seat.player == profile.player), None)


def for_everybody(profile: Profile) -> Profile:
    """Return the profile without the results against other players, for everyone to see."""
    return replace(profile, own=False, versus=())


def parse_player(press: Press) -> Player | None:
    """Return the player whose profile ``press`` is about."""
    number = long_id(press.argument)
    return Player(str(number)) if number else None


def profile_screen(profile: Profile, words: Words, faces: Faces, *, picture: str = "") -> Screen:
    """Draw a profile for the reader. ``picture`` describes the attached picture, which replaces the text."""
    tabs = profile_tabs(profile.player, ProfilePart.RESULTS, words, own=profile.own)
    ways = button_rows(_profile_buttons(profile, words))
    parts = [*_profile_parts(profile, words, faces, picture), *_private_lines(profile, words), tabs, *ways]
    return screen(*parts, colour=RESULT_COLOUR if profile.total else QUIET_COLOUR)


def profile_for_all(profile: Profile, words: Words, faces: Faces, *, picture: str = "") -> Screen:
    """Draw a profile for everyone, with a button to replay the best hand."""
    ways = button_rows(_replay(profile, words))
    return screen(*_profile_parts(profile, words, faces, picture), *ways, colour=RESULT_COLOUR)


MAX_SERVERS: Final = 25
"""Maximum number of servers in the menu. Those with the most hands come first."""


def profile_elsewhere(
    profile: Profile, servers: Mapping[GuildId, str], guild: GuildId, words: Words, faces: Faces, *, picture: str = ""
) -> Screen:
    """Draw the reader's own profile in ``guild`` when it's opened outside servers. Its menu lists ``servers``."""
    options = [
        SelectOption(label=name[:100], value=str(one), default=one == guild)
        for one, name in list(servers.items())[:MAX_SERVERS]
    ]
    menu = select(NOWHERE.but("pf_server"), options, placeholder=words("profile.choose_server"))
    where = f"-# {words('profile.in_server', server=escape_name(servers[guild]))}"
    tabs = profile_tabs(profile.player, ProfilePart.RESULTS, words, own=True, outside=True)
    ways = button_rows([my_mistakes(words)])
    return screen(where, *_profile_parts(profile, words, faces, picture), tabs, menu, *ways, colour=RESULT_COLOUR)


def profile_nowhere(player: Player, words: Words) -> Screen:
    """Draw the profile of a reader outside servers who hasn't played in any. It leads to their practice hands."""
    tabs = profile_tabs(player, ProfilePart.RESULTS, words, own=True, outside=True)
    return screen(words("profile.nowhere"), tabs, *button_rows([my_mistakes(words)]), colour=QUIET_COLOUR)


def _profile_parts(profile: Profile, words: Words, faces: Faces, picture: str) -> list[str | Part]:
    head = f"### {words('profile.title', player=player_name(profile.player, words))}"
    if profile.total is None:
        empty = words("profile.empty_own" if profile.own else "profile.empty")
        told = _fact_lines(build_event_facts(profile, words), words)
        return apart(["\n".join([head, empty]), *(["\n".join(told)] if told else []), *_badges(profile, words)])
    if profile.group:
        head += f"\n-# {words('profile.rated_in', games=words(f'leaderboard.group.{profile.group}'))}"
    if picture:
        return [head, gallery(PICTURE, description=picture)]
    numbers = _numbers(profile, profile.total, words)
    return apart([f"{head}\n{numbers}", *_best(profile, words, faces), *_badges(profile, words)])


def _numbers(profile: Profile, total: Standing, words: Words) -> str:
    """Return the numbers, three per line, and the last hands."""
    lines = [words.facts(games_of(profile, words)), *_fact_lines(build_facts(profile, words), words)]
    if form := build_form(profile, words):
        lines.append(form_told(form, words, end=f"**{form.end}**"))
    return "\n".join([*lines, *_fact_lines(build_event_facts(profile, words), words)])


def _fact_lines(facts: Sequence[ProfileFigure], words: Words) -> list[str]:
    """Return numbers, three per line."""
    told = [words("profile.told", label=fact.label, value=f"**{fact.value}**") for fact in facts]
    return [words.facts(told[start : start + 3]) for start in range(0, len(told), 3)]


def form_told(form: PlotSummary, words: Words, *, end: str) -> str:
    """Return the last hands in words, such as ``Last 200 hands: +123 points, between −40 and +150``."""
    return words("profile.form_told", title=form.title, end=end, high=form.high, low=form.low)


def best_title(profile: Profile, words: Words) -> str:
    """Return a title such as ``Best board: 32 royalties``."""
    return words("profile.best", count=profile.career.best_royalties)


def _best(profile: Profile, words: Words, faces: Faces) -> list[str]:
    found, view = best_board(profile), profile.best
    if found is None or view is None:
        return []
    _, *rows = result_board(view, *found, words, faces).splitlines()
    return ["\n".join([f"**{best_title(profile, words)}**", *rows])]


def _badges(profile: Profile, words: Words) -> list[str]:
    badges = newest(profile.badges, words, most=MAX_BADGES)
    return ["\n".join(words.adorned("🏅", badge) for badge in badges)] if badges else []


def _private_lines(profile: Profile, words: Words) -> list[str | Part]:
    """Return the reader's private lines: the players they have met, and a note if the profile is hidden."""
    told = []
    if profile.own and profile.versus:
        lines = [_met_line(versus, player_name(versus.other, words), words) for versus in profile.versus]
        told.append("\n".join([f"**{words('profile.met_most')}**", *lines]))
    elif not profile.own and profile.versus:
        told += [_met_line(versus, player_name(profile.player, words), words) for versus in profile.versus]
    elif not profile.own and profile.total:
        told.append(words("profile.never_met", player=player_name(profile.player, words)))
    if not profile.visible:
        told.append(f"-# {words('profile.hidden')}")
    return apart(told)


def _met_line(versus: Versus, other: str, words: Words) -> str:
    return words(
        "profile.versus",
        player=other,
        count=versus.hands,
        ahead=words.number(versus.ahead),
        behind=words.number(versus.behind),
        chips=words.signed(versus.chips),
    )


def _profile_buttons(profile: Profile, words: Words) -> list[Part]:
    press = Press(verb="pf_show", table=TableId(0), argument=short_id(int(profile.player)))
    show = [button(press, words("profile.show_all"))] if profile.visible and (profile.total or profile.events) else []
    begin = [open_table(words)] if profile.own and profile.total is None else []
    mistakes = [my_mistakes(words)] if profile.own else []
    return [*_replay(profile, words), *show, *begin, *mistakes]


def _replay(profile: Profile, words: Words) -> list[Part]:
    """Return the button for the hand of the best board."""
    view = profile.best
    if view is None or best_board(profile) is None:
        return []
    press = Press(verb="replay", table=view.table.key.table, tag=view.table.tag, hand=view.record.hand_no)
    return [button(press, words("profile.replay_best"))]


# A profile as a picture, with a description for screen readers.


def can_draw(profile: Profile, name: str) -> bool:
    """True if there are hands to draw, and the picture can name the player."""
    return profile.total is not None and bool(drawable(name))


def drawn_on(profile: Profile, name: str, words: Words) -> DrawnProfile:
    """Return the picture's content."""
    return DrawnProfile(
        name=name,
        games=tuple(games_of(profile, words)),
        tiles=tuple(
            Tile(value=fact.value, label=fact.label)
            for fact in [*build_facts(profile, words), *build_event_facts(profile, words)]
        ),
        plot=_plot(profile, words),
        best_title=best_title(profile, words),
        best=tuple(_rows(profile, words)),
        badges=tuple(newest(profile.badges, words, most=MAX_BADGES)),
    )


def _plot(profile: Profile, words: Words) -> Plot | None:
    form = build_form(profile, words)
    if form is None:
        return None
    return Plot(title=form.title, points=tuple(profile.form), end=form.end, high=form.high, low=form.low)


def in_words(profile: Profile, name: str, words: Words) -> str:
    """Return the profile as plain text for screen readers."""
    facts = [*build_facts(profile, words), *build_event_facts(profile, words)]
    told = [words("profile.told", label=fact.label, value=fact.value) for fact in facts]
    if form := build_form(profile, words):
        told.append(form_told(form, words, end=form.end))
    if rows := _row_lines(profile, words):
        told.append(words("profile.told", label=best_title(profile, words), value=words.list(rows)))
    if profile.badges:
        badges = words.list(newest(profile.badges, words, most=MAX_BADGES))
        told.append(words("profile.told", label=words("profile.badges"), value=badges))
    games, said = words.facts(games_of(profile, words)), words("profile.stop").join(told)
    return words("profile.picture", player=name, games=games, told=said)


def _rows(profile: Profile, words: Words) -> list[NamedRow]:
    """Return the best board row by row. A natural's rows only have cards, because they aren't scored separately."""
    found, view = best_board(profile), profile.best
    if found is None or view is None:
        return []
    seat, board = found
    scored = (None, None, None) if board.natural is not None or board.rows is None else board.rows
    return [
        NamedRow(
            name=row_name(row, words),
            cards=tuple(card_name(card) for card in cards if card is not None),
            hand=_hand(shown, words) if shown else "",
        )
        for row, cards, shown in zip(ROWS, seat_rows(seat, view.record.variant), scored, strict=True)
    ]


def _hand(scored: RowScore, words: Words) -> str:
    """Return a hand with its royalties, such as ``PlayerPair of queens +7``."""
    royalty = words.signed(scored.royalty) if scored.royalty else ""
    return " ".join(filter(None, (hand_text(scored.strength, words), royalty)))


def _row_lines(profile: Profile, words: Words) -> list[str]:
    """Return lines such as ``front Q♠ Q♥ 4♣ (pair of queens +7)``."""
    found, view = best_board(profile), profile.best
    if found is None or view is None:
        return []
    seat, _ = found
    cards = [row_text(card for card in row if card is not None) for row in seat_rows(seat, view.record.variant)]
    return [
        words("board.row", row=row.name, cards=told, hand=row.hand)
        for row, told in zip(_rows(profile, words), cards, strict=True)
    ]
