"""The managers' page for the club page and the posts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.chat.club.screens.leaderboard import order_name
from bot.chat.club.screens.posts.all_posts import ALL_POSTS
from bot.chat.club.screens.posts.forms import CLUB_PAGE, POST, span_name
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import TABLE_COLOUR, date_mark
from bot.chat.kit.widgets import Part, Screen, button, button_rows, screen, section
from bot.model.bulletins import Bulletin, BulletinKind
from bot.model.ids import TableId
from bot.model.standings import ClubPage, LeaderboardOrder
from bot.pure.ofc.presets import PRESETS
from bot.text.games import preset_name
from bot.text.words import Words
from bot.text.zones import zone_name

HERE = Press(verb="posts", table=TableId(0))
"""The press that shows the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostsPage:
    """Content of the page."""

    page: ClubPage | None
    bulletins: Mapping[BulletinKind, Bulletin]
    now: int
    pins: bool = False
    """True if the bot may pin the club page."""


def posts_screen(page: PostsPage, words: Words, *, told: str = "") -> Screen:
    """Draw the club page and both posts, with a button for each one's form and one for the form of all.

    ``told`` is the result of the last choice.
    """
    parts: list[str | Part] = [
        "\n".join([f"### {words('posts.title')}", words("posts.hint"), *([told] if told else [])]),
        section(_club(page, words), button(HERE.but(CLUB_PAGE.ask), words("club.title"))),
        *(
            section(
                _post(one, words, now=page.now),
                button(HERE.but(POST.ask, kind.value), words(f"posts.{kind.value}.title")),
            )
            for kind, one in page.bulletins.items()
        ),
    ]
    ways = [button(HERE.but(ALL_POSTS.ask), words("posts.form")), button(HERE.but("set_up"), words("setup.back"))]
    return screen(*parts, *button_rows(ways), colour=TABLE_COLOUR)


def _club(shown: PostsPage, words: Words) -> str:
    page = shown.page
    lines = [f"### {words('club.title')}", words("club.hint"), *([] if shown.pins else [words("club.pins")])]
    if page is None:
        return "\n".join([*lines, words("club.nowhere")])
    game = preset_name(PRESETS[page.game], words) if page.game in PRESETS else words("leaderboard.every_game")
    board = [
        words("club.by_play") if page.chosen is None else order_name(page.chosen, words),
        span_name(page.span, words) if page.chosen is not LeaderboardOrder.RATING else "",
        "" if page.chosen is not None and page.chosen.of_events else game,
    ]
    return "\n".join(
        [
            *lines,
            words("club.where", channel=page.channel),
            words("setup.line", topic=words("club.board"), facts=words.facts(board)),
            words(f"club.in_words.{'on' if page.in_words else 'off'}"),
            words(f"club.at_bottom.{'on' if page.at_bottom else 'off'}"),
        ]
    )


def _post(bulletin: Bulletin, words: Words, *, now: int) -> str:
    lines = [words(f"posts.{bulletin.kind.value}.about")]
    if bulletin.channel is None:
        return "\n".join([*lines, words("posts.nowhere")])
    following, zone = bulletin.next_after(now), zone_name(bulletin.zone, words)
    lines.append(words("posts.where", channel=bulletin.channel, next=date_mark(following), zone=zone))
    if bulletin.kind is BulletinKind.RECAP:
        lines.append(words(f"posts.in_words.{'on' if bulletin.in_words else 'off'}"))
    else:
        lines.append(words(f"posts.puzzle.{'on' if bulletin.puzzle else 'off'}"))
    return "\n".join(lines)
