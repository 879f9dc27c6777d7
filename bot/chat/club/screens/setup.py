"""The page of `/setup`, with a form behind each button, and the permission check."""

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
from bot.chat.club.screens.streams import LIST
from bot.chat.kit.bot_permissions import (
    NEEDED,
    NEEDED_FOR_THREADS,
    NEEDED_IN_THREAD,
    OF_SERVER,
    Permission,
    missing,
    permission_list,
)
from bot.chat.kit.custom_ids import Press, short_id
from bot.chat.kit.fragments import FOUL_COLOUR, QUIET_COLOUR, TABLE_COLOUR
from bot.chat.kit.modals import AnyField, FormChoice, FormField, FormFile
from bot.chat.kit.widgets import (
    Part,
    Screen,
    apart,
    button,
    button_rows,
    channel_select,
    rows_in_threes,
    screen,
    section,
)
from bot.chat.table.screens.lobby import table_title
from bot.model.bank import BankTerms, SeasonsPage
from bot.model.choices import ServerSettings, Template
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
"""The press that shows the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupPage:
    """Content of the page."""

    server: ServerSettings
    """The server's settings, without deleted channels and roles."""
    game: Variant
    """The default game."""
    games: Sequence[HouseGame]
    """The server's own games."""
    posts: Posts
    """The club page and the posts."""
    bank: BankTerms
    seasons: SeasonsPage
    apart: bool = False
    """True if the posts are in different channels or come at different hours."""
    silent: bool = False
    """True if the role to ping for new tables can't be mentioned."""
    silent_events: bool = False
    """True if the role to ping for events can't be mentioned."""
    kept: bool = False
    """True if members can't take that role themselves."""
    nick: str = ""
    """The bot's name in this server; empty for the default."""
    lacking: Sequence[Permission] = ()
    """The permissions that the bot lacks in this channel."""


def setup_screen(page: SetupPage, words: Words, *, told: str = "", after: str = "") -> Screen:
    """Draw a line and a button for each topic. The button opens the topic's form or page.

    ``told`` is the result of the last choice. ``after`` is the title of the topic whose form was just submitted, which
    adds a button for the settings that didn't fit into the form.
    """
    facts = {topic.title: words.facts(_facts(topic, page, words)) for topic in TOPICS}
    lines = [words("setup.line", topic=words(title), facts=told) for title, told in facts.items()]
    buttons = [button(HOME.but(topic.opens(apart=page.apart)), words(topic.title)) for topic in TOPICS]
    return screen(
        f"### {words('setup.title')}\n{words('setup.hint')}",
        *([told] if told else []),
        *_more(after, words),
        *_without_stand_ins(page, words),
        "\n".join(lines),
        *rows_in_threes(buttons),
        colour=TABLE_COLOUR,
    )


def _more(after: str, words: Words) -> list[Part]:
    """Return a button for the remaining settings of the topic whose form was just submitted."""
    return [
        section(words("setup.saved", topic=words(topic.title)), button(HOME.but(topic.more.verb), words("setup.more")))
        for topic in TOPICS
        if topic.title == after and topic.more is not None
    ]


def _without_stand_ins(page: SetupPage, words: Words) -> list[str]:
    """Return a warning if stand-ins are allowed without an organisers' role, and how to choose one."""
    if not page.server.stand_ins or page.server.organiser_role is not None:
        return []
    return [words("setup.stand_ins_nobody", press=words("setup.topic.roles"))]


def _facts(topic: Topic, page: SetupPage, words: Words) -> Sequence[str]:
    """Return short facts about a topic's settings."""
    server = page.server
    match topic.title:
        case "setup.topic.tables":
            usual = [full_name(page.game, words), _stakes(server, words), clock_text(server.clock, words)]
            return [*usual, _channels(server, words), _either("setup.threads", server.threads, words)]
        case "setup.topic.roles":
            hosts = _role("setup.hosts", server.host_role, words)
            return [hosts, _organisers(server, words), *_pinged_roles(page, words)]
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
            return [
                words("setup.lacks", names=permission_list(page.lacking, words))
                if page.lacking
                else words("setup.well")
            ]


def _channels(server: ServerSettings, words: Words) -> str:
    return words.list([f"<#{channel}>" for channel in server.channels]) or words("setup.channels_all")


def _stakes(server: ServerSettings, words: Words) -> str:
    value = DEFAULT_POINT_VALUE if server.point_value is None else server.point_value
    return words("table.stakes", value=words.number(value)) if value else words("setup.no_chips")


def _either(key: str, on: bool, words: Words) -> str:
    return words(f"{key}.{'on' if on else 'off'}")


def _role(key: str, role: int | None, words: Words) -> str:
    """Return what a role allows here, or what choosing none does."""
    return words(f"{key}.all") if role is None else words(f"{key}.role", role=f"<@&{role}>")


def _organisers(server: ServerSettings, words: Words) -> str:
    """Return who can organise events, and whether they stand in for other organisers."""
    role = server.organiser_role
    if role is not None and server.stand_ins:
        return words("setup.organisers.stand_in", role=f"<@&{role}>")
    return _role("setup.organisers", role, words)


def _pinged_roles(page: SetupPage, words: Words) -> list[str]:
    """Return the roles that are pinged for new tables and events, with any notes on the lines below."""
    tables, events = page.server.told_role, page.server.event_role
    notes = {("silent", tables): page.silent, ("kept", tables): page.kept}
    if events is None or events == tables:
        told = [words("setup.told.both", role=f"<@&{events}>") if events else _role("setup.told", tables, words)]
    else:
        told = [_role("setup.told", tables, words)] if tables is not None else []
        told.append(words("setup.told.events", role=f"<@&{events}>"))
        notes["silent", events] = page.silent_events
    lines = [words(f"setup.told_role_{note}", role=f"<@&{role}>") for (note, role), holds in notes.items() if holds]
    return [*told[:-1], "\n".join([told[-1], *lines])]


def _language(server: ServerSettings, words: Words) -> str:
    code = server.language
    return words("setup.language_usual") if code is None else words_for(code)("setup.own_language")


def _zone(server: ServerSettings, words: Words) -> str:
    return zone_name(server.zone, words) if server.zone else words("setup.zone_usual")


def _cards(server: ServerSettings, words: Words) -> str:
    return _either("setup.cards", server.in_words, words)


def _posts(page: SetupPage, words: Words) -> list[str]:
    """Return the channel, the posts and their times. If channels or hours differ, return only the posts."""
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


MAX_NICK_LENGTH = 32
DEFAULT_PICTURE = "usual"
MAX_PICTURE_BYTES = 8 * 1024 * 1024
"""Discord's maximum size for a bot's picture."""


def look_fields(nick: str, words: Words) -> list[AnyField]:
    """Return the fields for the bot's name and picture in this server, and for restoring the default picture."""
    back = discord.SelectOption(label=words("setup.look_usual"), value=DEFAULT_PICTURE)
    return [
        FormField(
            label=words("setup.look_name"),
            value=nick,
            most=MAX_NICK_LENGTH,
            hint=words("setup.look_name_hint"),
            optional=True,
        ),
        FormFile(label=words("setup.look_picture"), hint=words("setup.look_picture_hint")),
        FormChoice(label=words("setup.look_back"), options=[back], several=True),
    ]


# The check: which permissions the bot lacks in a channel, what doesn't work without them, and how to grant them


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkup:
    """A checked channel."""

    channel: int
    in_thread: bool
    threads: bool
    """True if the server plays in threads."""
    threadless: bool
    """True if the channel can't have threads."""
    allowed: discord.Permissions | None
    """The bot's permissions there; None if unknown."""
    bot: str
    """The bot's name."""
    invitation: str
    """The address for granting the bot's permissions in the whole server."""
    page_url: str = ""
    """Address of the tables' page for players; empty if there is none."""
    inside: bool = False
    """True if the page also opens inside Discord."""
    status: BotStatus
    """The bot's status."""


def doctor_screen(checkup: Checkup, words: Words) -> Screen:
    """Draw each missing permission, and the granted ones below."""
    title = f"### {words('doctor.title', channel=f'<#{checkup.channel}>')}"
    if checkup.allowed is None:
        fault = words("doctor.unknown", names=permission_list(NEEDED, words), bot=checkup.bot)
        below = [_page(checkup, words), status_text(checkup.status, words)]
        return screen(title, *apart([fault, *below]), *_checkup_buttons(checkup, words), colour=FOUL_COLOUR)
    in_threads = checkup.threads and not checkup.threadless
    needed = NEEDED_IN_THREAD if checkup.in_thread else NEEDED + NEEDED_FOR_THREADS if in_threads else NEEDED
    absent = missing(checkup.allowed)
    # Thread permissions don't matter there.
    idle = NEEDED_FOR_THREADS if checkup.threadless and not checkup.in_thread else ()
    lacking = [permission for permission in absent if permission not in idle]
    given = [permission for permission in Permission if permission not in absent]
    told = [
        title,
        *[_fault(permission, words, needed=permission in needed) for permission in lacking],
        *_grant_lines(lacking, checkup, words),
        *([words("doctor.given", names=permission_list(given, words))] if lacking and given else []),
        *([] if lacking else [words("doctor.well")]),
        *([] if checkup.allowed.read_message_history else [words("doctor.no_history")]),
        _page(checkup, words),
        status_text(checkup.status, words),
    ]
    return screen(
        *apart(told),
        *_checkup_buttons(checkup, words),
        colour=FOUL_COLOUR if {*lacking} & {*needed} else QUIET_COLOUR if lacking else TABLE_COLOUR,
    )


def _page(checkup: Checkup, words: Words) -> str:
    """Return whether hands link to the table's page, in a browser and inside Discord, and if not, why."""
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


def _grant_lines(lacking: Sequence[Permission], checkup: Checkup, words: Words) -> list[str]:
    """Return how to grant the missing permissions in this channel and in the whole server."""
    here = [permission for permission in lacking if permission not in OF_SERVER]
    lines = []
    if here:
        lines.append(words("doctor.in_channel", bot=checkup.bot, names=permission_list(here, words)))
    if lacking:
        names = permission_list(lacking, words)
        lines.append(words("doctor.in_server", bot=checkup.bot, names=names, link=checkup.invitation))
    return lines


def _checkup_buttons(checkup: Checkup, words: Words) -> list[Part]:
    streams = [button(LIST, words("streams.title"))] if checkup.page_url else []
    here = HOME.but("su_check", short_id(checkup.channel))
    again = channel_select(here, chosen=[checkup.channel], placeholder=words("doctor.another"))
    return [again, *button_rows([*streams, button(HOME, words("setup.back"))])]


# The templates of a server.


def templates_screen(known: Sequence[tuple[Template, Table]], words: Words) -> Screen:
    """Draw a line for each template with its table, or a line saying that there are none."""
    lines = [
        words("template.line", name=escape_name(template.name), table=table_title(table, words))
        for template, table in known
    ]
    text = "\n".join([f"### {words('setup.templates')}", *(lines or [words("template.none")])])
    return screen(text, *button_rows([button(HOME, words("setup.back"))]), colour=QUIET_COLOUR)
