"""Where those who manage a server choose its club page and its posts."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass

from discord import SelectOption

from bot.chat.club.screens.leaderboard import order_name
from bot.chat.club.screens.posts.forms import CLUB_PAGE, POST, day_options, hour_options, span_name
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import TABLE_COLOUR, day_of
from bot.chat.kit.modals import AnyField, FormChoice, FormPick, Named
from bot.chat.kit.widgets import Part, Screen, button, rows_of, screen, section
from bot.model.bulletins import Bulletin, Kind
from bot.model.ids import TableId
from bot.model.standings import ClubPage, Order
from bot.pure.ofc.presets import PRESETS
from bot.text.games import preset_name
from bot.text.words import Words
from bot.text.zones import zone_name

HERE = Press(verb="posts", table=TableId(0))
"""The page of choices."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostsPage:
    """What stands on the page."""

    page: ClubPage | None
    bulletins: Mapping[Kind, Bulletin]
    now: int
    pins: bool = False
    """True if the bot may pin the club page."""


def posts_screen(page: PostsPage, words: Words, *, told: str = "") -> Screen:
    """Draw the club page and both posts, with a button for the form of each and one for the form of all.

    ``told`` says what came of the last choice.
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
    ways = [button(HERE.but("po_form"), words("posts.form")), button(HERE.but("set_up"), words("setup.back"))]
    return screen(*parts, *rows_of(ways), colour=TABLE_COLOUR)


def _club(shown: PostsPage, words: Words) -> str:
    page = shown.page
    lines = [f"### {words('club.title')}", words("club.hint"), *([] if shown.pins else [words("club.pins")])]
    if page is None:
        return "\n".join([*lines, words("club.nowhere")])
    game = preset_name(PRESETS[page.game], words) if page.game in PRESETS else words("leaderboard.every_game")
    board = [
        order_name(page.order, words),
        span_name(page.span, words) if page.order is not Order.RATING else "",
        "" if page.order.of_events else game,
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
    lines.append(words("posts.where", channel=bulletin.channel, next=day_of(following), zone=zone))
    if bulletin.kind is Kind.RECAP:
        lines.append(words(f"posts.in_words.{'on' if bulletin.in_words else 'off'}"))
    return "\n".join(lines)


# All of it in one channel, by one form.

PAGE = "page"
"""The club page, among what is posted; beside it the kinds of posts."""


def form_fields(
    page: ClubPage | None, bulletins: Mapping[Kind, Bulletin], words: Words, *, known: Container[int], zone: str
) -> list[AnyField]:
    """The channel, what is posted there, the hour of both posts and the day of the recap.

    What is posted already is ticked; where nothing is, all of it, and a channel has to be chosen. A channel that is
    gone is not ``known``. The hours are those of a ``zone``.
    """
    held = {PAGE: None if page is None else page.channel}
    held |= {kind.value: bulletins[kind].channel for kind in Kind}
    places = [channel for channel in held.values() if channel is not None]
    morning, recap = bulletins[Kind.MORNING], bulletins[Kind.RECAP]
    what = [
        SelectOption(label=words(f"posts.what.{one}"), value=one, default=not places or channel is not None)
        for one, channel in held.items()
    ]
    return [
        FormPick(
            label=words("posts.form_channel"),
            kind=Named.CHANNEL,
            chosen=[one for one in places if one in known][:1],
            optional=bool(places),
        ),
        FormChoice(label=words("posts.form_what"), options=what, hint=words("posts.form_what_hint"), several=True),
        FormChoice(
            label=words("posts.form_hour"),
            options=hour_options(morning.hour, words),
            hint=words("posts.form_hour_hint", zone=zone_name(zone, words)),
        ),
        FormChoice(label=words("posts.form_day"), options=day_options(recap.weekday, words)),
    ]
