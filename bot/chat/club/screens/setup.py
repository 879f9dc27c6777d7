"""What a server sets up: a short page with a form behind each button, and what a check found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import discord

from bot.chat.club.screens.setup_forms import FORMS
from bot.chat.kit.bot_permissions import (
    NEEDED,
    NEEDED_FOR_THREADS,
    NEEDED_IN_THREAD,
    OF_SERVER,
    Permission,
    labels_of,
    missing,
)
from bot.chat.kit.custom_ids import Press, short_id
from bot.chat.kit.fragments import FOUL_COLOUR, QUIET_COLOUR, TABLE_COLOUR
from bot.chat.kit.modals import AnyField, FormChoice, FormField, FormFile
from bot.chat.kit.widgets import Part, Screen, apart, button, channel_select, rows_of, screen
from bot.chat.table.screens.lobby import table_title
from bot.model.choices import Server, Template
from bot.model.ids import TableId
from bot.model.limits import DEFAULT_POINT_VALUE
from bot.model.tables import HouseGame, Table
from bot.pure.ofc.variants import Variant
from bot.text.event_structure import clock_text
from bot.text.games import full_name
from bot.text.words import Words, escape_name, words_for
from bot.text.zones import zone_name

HOME = Press(verb="set_up", table=TableId(0))
"""The page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupPage:
    """What stands on the page."""

    server: Server
    """Without channels and roles that are gone."""
    game: Variant
    """The usual one."""
    games: Sequence[HouseGame]
    """The server's own."""
    posts: Mapping[str, int]
    """The channels of the club page and the posts, by what stands there."""
    apart: bool = False
    """True if they stand in several channels, or come at several hours."""
    silent: bool = False
    """True where the role that is to be told of new tables cannot be mentioned."""
    kept: bool = False
    """True where members cannot take that role by themselves."""


def setup_screen(page: SetupPage, words: Words, *, problem: str = "") -> Screen:
    """Draw a line for each matter, and a button for each that opens its form or page.

    ``problem`` says why the last choice was refused.
    """
    server = page.server
    games = words.list([escape_name(game.name) for game in page.games])
    facts = {
        "setup.topic.tables": [full_name(page.game, words), _stakes(server, words), clock_text(server.clock, words)],
        "setup.topic.places": [_channels(server, words), _either("setup.threads", server.threads, words)],
        "setup.topic.roles": [_role("setup.hosts", server.host_role, words), _told(page, words)],
        "setup.topic.language": [_language(server, words), _zone(server, words), _cards(server, words)],
        "setup.topic.posts": _posts(page, words) or [words("setup.none")],
        "house_rules.title": [games or words("setup.none")],
    }
    lines = [words("setup.line", topic=words(key), facts=words.facts(one)) for key, one in facts.items()]
    # One form puts all posts into one channel, at one hour: those that stand apart are changed one by one.
    posts = "posts" if page.apart else "po_form"
    buttons = [
        *(button(HOME.but(form.ask), words(form.title)) for form in FORMS),
        button(HOME.but(posts), words("setup.topic.posts")),
        button(HOME.but("house"), words("house_rules.title")),
        button(HOME.but("su_look"), words("setup.look")),
        button(HOME.but("su_doctor"), words("setup.check"), style=discord.ButtonStyle.primary),
    ]
    return screen(
        f"### {words('setup.title')}\n{words('setup.hint')}",
        *([problem] if problem else []),
        "\n".join(lines),
        *rows_of(buttons),
        colour=TABLE_COLOUR,
    )


def _channels(server: Server, words: Words) -> str:
    return words.list([f"<#{channel}>" for channel in server.channels]) or words("setup.channels_all")


def _stakes(server: Server, words: Words) -> str:
    value = DEFAULT_POINT_VALUE if server.point_value is None else server.point_value
    return words("table.stakes", count=value) if value else words("setup.no_chips")


def _either(key: str, on: bool, words: Words) -> str:
    return words(f"{key}.{'on' if on else 'off'}")


def _role(key: str, role: int | None, words: Words) -> str:
    """What a role means here, or what holds where none is chosen."""
    return words(f"{key}.all") if role is None else words(f"{key}.role", role=f"<@&{role}>")


def _told(page: SetupPage, words: Words) -> str:
    """Who is told of new tables, and below that what to know of the role."""
    role, notes = page.server.told_role, {"silent": page.silent, "kept": page.kept}
    told = [words(f"setup.told_role_{note}", role=f"<@&{role}>") for note, holds in notes.items() if holds]
    return "\n".join([_role("setup.told", role, words), *told])


def _language(server: Server, words: Words) -> str:
    code = server.language
    return words("setup.language_usual") if code is None else words_for(code)("setup.own_language")


def _zone(server: Server, words: Words) -> str:
    return zone_name(server.zone, words) if server.zone else words("setup.zone_usual")


def _cards(server: Server, words: Words) -> str:
    return _either("setup.cards", server.in_words, words)


def _posts(page: SetupPage, words: Words) -> list[str]:
    return [words(f"setup.posts.{what}", channel=channel) for what, channel in page.posts.items()]


LONGEST_NICK = 32
USUAL_PICTURE = "usual"
MOST_PICTURE_BYTES = 8 * 1024 * 1024
"""Of a picture for the bot: Discord takes no larger ones."""


def look_fields(nick: str, words: Words) -> list[AnyField]:
    """How the bot looks in this server: its name, its picture, and the way back to its usual picture."""
    back = discord.SelectOption(label=words("setup.look_usual"), value=USUAL_PICTURE)
    return [
        FormField(
            label=words("setup.look_name"),
            value=nick,
            most=LONGEST_NICK,
            hint=words("setup.look_name_hint"),
            optional=True,
        ),
        FormFile(label=words("setup.look_picture"), hint=words("setup.look_picture_hint")),
        FormChoice(label=words("setup.look_back"), options=[back], several=True),
    ]


# The doctor: which permissions the bot lacks in a channel, what that costs, and how it is mended.


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkup:
    """A channel that was looked at."""

    channel: int
    in_thread: bool
    threads: bool
    """True where the server plays in threads."""
    threadless: bool
    """True for a channel that can't have any."""
    allowed: discord.Permissions | None
    """What the bot may do there; None where that is not known."""
    bot: str
    """The bot's name."""
    invitation: str
    """The address at which the bot is given the permissions of the whole server."""
    page_url: str = ""
    """Where players get to the tables' page; empty where nothing leads there."""
    inside: bool = False
    """True where it opens inside Discord too."""


def doctor_screen(checkup: Checkup, words: Words) -> Screen:
    """Each permission that is missing, and below them those that are there."""
    title = f"### {words('doctor.title', channel=f'<#{checkup.channel}>')}"
    if checkup.allowed is None:
        fault = words("doctor.unknown", names=labels_of(NEEDED, words), bot=checkup.bot)
        return screen(title, fault, _page(checkup, words), *_ways(checkup, words), colour=FOUL_COLOUR)
    in_threads = checkup.threads and not checkup.threadless
    needed = NEEDED_IN_THREAD if checkup.in_thread else NEEDED + NEEDED_FOR_THREADS if in_threads else NEEDED
    absent = missing(checkup.allowed)
    # Nobody misses there what is for threads.
    idle = NEEDED_FOR_THREADS if checkup.threadless and not checkup.in_thread else ()
    lacking = [permission for permission in absent if permission not in idle]
    given = [permission for permission in Permission if permission not in absent]
    told = [
        title,
        *[_fault(permission, words, needed=permission in needed) for permission in lacking],
        *_mended(lacking, checkup, words),
        *([words("doctor.given", names=labels_of(given, words))] if lacking and given else []),
        *([] if lacking else [words("doctor.well")]),
        *([] if checkup.allowed.read_message_history else [words("doctor.no_history")]),
        _page(checkup, words),
    ]
    return screen(
        *apart(told),
        *_ways(checkup, words),
        colour=FOUL_COLOUR if {*lacking} & {*needed} else QUIET_COLOUR if lacking else TABLE_COLOUR,
    )


def _page(checkup: Checkup, words: Words) -> str:
    """Whether hands lead to the table's page, in a browser and inside Discord, and why not."""
    if not checkup.page_url:
        return words("doctor.page_off")
    inside = words("doctor.activity_on" if checkup.inside else "doctor.activity_off")
    return f"{words('doctor.page_on', address=checkup.page_url)}\n{inside}"


def _fault(permission: Permission, words: Words, *, needed: bool) -> str:
    name = permission.value
    return words(
        "doctor.needed" if needed else "doctor.useful",
        name=words(f"permission.{name}"),
        use=words(f"permission_use.{name}"),
        cost=words(f"permission_cost.{name}"),
    )


def _mended(lacking: Sequence[Permission], checkup: Checkup, words: Words) -> list[str]:
    """How they are given in this channel, and in the whole server."""
    here = [permission for permission in lacking if permission not in OF_SERVER]
    lines = []
    if here:
        lines.append(words("doctor.in_channel", bot=checkup.bot, names=labels_of(here, words)))
    if lacking:
        names = labels_of(lacking, words)
        lines.append(words("doctor.in_server", bot=checkup.bot, names=names, link=checkup.invitation))
    return lines


def _ways(checkup: Checkup, words: Words) -> list[Part]:
    here = HOME.but("su_check", short_id(checkup.channel))
    again = channel_select(here, chosen=[checkup.channel], placeholder=words("doctor.another"))
    return [again, *rows_of([button(HOME, words("setup.back"))])]


# The templates of a server.


def templates_text(known: Sequence[tuple[Template, Table]], words: Words) -> str:
    """A line for each template with the table that it names; or that there is none."""
    lines = [
        words("template.line", name=escape_name(template.name), table=table_title(table, words))
        for template, table in known
    ]
    return "\n".join(lines) or words("template.none")
