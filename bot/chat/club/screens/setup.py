"""What a server sets up: a short page with a form behind each button, and what a check found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import discord

from bot.chat.club.screens.bank import terms_facts
from bot.chat.club.screens.posts.all_posts import POSTED
from bot.chat.club.screens.seasons import season_facts
from bot.chat.club.screens.settings import hour_text
from bot.chat.club.screens.setup_topics import TOPICS, Topic
from bot.chat.club.screens.status import BotStatus, status_text
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
from bot.chat.kit.widgets import Part, Screen, apart, button, channel_select, rows_in_threes, rows_of, screen, section
from bot.chat.table.screens.lobby import table_title
from bot.model.bank import BankTerms, SeasonsPage
from bot.model.choices import Server, Template
from bot.model.ids import TableId
from bot.model.limits import DEFAULT_POINT_VALUE
from bot.model.posts import Posts
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
    posts: Posts
    """The club page and the posts."""
    bank: BankTerms
    seasons: SeasonsPage
    apart: bool = False
    """True if the posts are in several channels, or come at several hours."""
    silent: bool = False
    """True where the role that is to be told of new tables cannot be mentioned."""
    kept: bool = False
    """True where members cannot take that role by themselves."""
    nick: str = ""
    """The bot's name in this server; empty for its usual one."""
    lacking: Sequence[Permission] = ()
    """The permissions that it lacks in this channel."""


def setup_screen(page: SetupPage, words: Words, *, told: str = "", after: str = "") -> Screen:
    """Draw a line and a button for each topic; the button opens the topic's form or page.

    ``told`` says what came of the last choice. ``after`` is the title of the topic whose form was just sent: what
    didn't fit into the form is behind another button.
    """
    facts = {topic.title: words.facts(_facts(topic, page, words)) for topic in TOPICS}
    lines = [words("setup.line", topic=words(title), facts=told) for title, told in facts.items()]
    buttons = [button(HOME.but(topic.opens(apart=page.apart)), words(topic.title)) for topic in TOPICS]
    return screen(
        f"### {words('setup.title')}\n{words('setup.hint')}",
        *([told] if told else []),
        *_more(after, words),
        "\n".join(lines),
        *rows_in_threes(buttons),
        colour=TABLE_COLOUR,
    )


def _more(after: str, words: Words) -> list[Part]:
    """What is left to choose of the topic whose form was just sent."""
    return [
        section(words("setup.saved", topic=words(topic.title)), button(HOME.but(topic.more.verb), words("setup.more")))
        for topic in TOPICS
        if topic.title == after and topic.more is not None
    ]


def _facts(topic: Topic, page: SetupPage, words: Words) -> Sequence[str]:
    """Return what holds of a topic, in a few words each."""
    server = page.server
    match topic.title:
        case "setup.topic.tables":
            usual = [full_name(page.game, words), _stakes(server, words), clock_text(server.clock, words)]
            return [*usual, _channels(server, words), _either("setup.threads", server.threads, words)]
        case "setup.topic.roles":
            roles = {"hosts": server.host_role, "organisers": server.organiser_role}
            return [*(_role(f"setup.{name}", role, words) for name, role in roles.items()), _told(page, words)]
        case "setup.topic.language":
            return [_language(server, words), _zone(server, words), _cards(server, words)]
        case "posts.title":
            return _posts(page, words) or [words("setup.none")]
        case "bank.terms.title":
            return terms_facts(page.bank, words)
        case "season.title":
            return season_facts(page.seasons, words)
        case "house_rules.title":
            return [words.list([escape_name(game.name) for game in page.games]) or words("setup.none")]
        case "setup.topic.look":
            return [escape_name(page.nick) or words("setup.look_everywhere")]
        case _:
            return [words("setup.lacks", names=labels_of(page.lacking, words)) if page.lacking else words("setup.well")]


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
    """Return the channel, what is posted there, and when; without the rest if the posts are apart."""
    posts = page.posts
    if posts.channel is None:
        return []
    if page.apart:
        return [words(f"setup.posts.{name}") for name in POSTED if name in posts.standing]
    time = hour_text(posts.hour, words)
    values = {"time": time, "day": words(f"posts.weekday.{posts.weekday}")}
    told = []
    for name in POSTED:
        key = f"setup.posts.at.{name}"
        if name in posts.standing:
            told.append(words(key, **{one: value for one, value in values.items() if words.takes(key, one)}))
    return [f"<#{posts.channel}>", *told]


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
    status: BotStatus
    """How the bot is doing."""


def doctor_screen(checkup: Checkup, words: Words) -> Screen:
    """Each permission that is missing, and below them those that are there."""
    title = f"### {words('doctor.title', channel=f'<#{checkup.channel}>')}"
    if checkup.allowed is None:
        fault = words("doctor.unknown", names=labels_of(NEEDED, words), bot=checkup.bot)
        below = [_page(checkup, words), status_text(checkup.status, words)]
        return screen(title, *apart([fault, *below]), *_ways(checkup, words), colour=FOUL_COLOUR)
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
        status_text(checkup.status, words),
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


def templates_screen(known: Sequence[tuple[Template, Table]], words: Words) -> Screen:
    """A line for each template with the table that it names; or that there is none."""
    lines = [
        words("template.line", name=escape_name(template.name), table=table_title(table, words))
        for template, table in known
    ]
    text = "\n".join([f"### {words('setup.templates')}", *(lines or [words("template.none")])])
    return screen(text, *rows_of([button(HOME, words("setup.back"))]), colour=QUIET_COLOUR)
