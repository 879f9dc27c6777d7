"""What a server sets up: one page with a menu for each choice, the form of stakes and time, and what a check found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import discord
from discord import SelectOption

from bot.model.choices import Server, Template
from bot.model.clock import Pace
from bot.model.ids import TableId
from bot.model.tables import HouseGame, Table
from bot.ofc.presets import PRESETS
from bot.ofc.variants import Variant
from bot.play.table.lobby import USUAL_POINT_VALUE
from bot.text.event_structure import clock_text
from bot.text.games import full_name, preset_name
from bot.text.languages import LANGUAGES
from bot.text.words import Words, escape_name, words_for
from bot.text.zones import zone_name
from bot.ui.bot_permissions import (
    NEEDED,
    NEEDED_FOR_THREADS,
    NEEDED_IN_THREAD,
    OF_SERVER,
    Permission,
    labels_of,
    missing,
)
from bot.ui.custom_ids import OWN, Press, game_tag
from bot.ui.fragments import FOUL_COLOUR, MOST_OPTIONS, QUIET_COLOUR, TABLE_COLOUR
from bot.ui.modals import AnyField, FormChoice, FormField, FormFile
from bot.ui.table.lobby import table_title
from bot.ui.widgets import Part, Screen, apart, button, channel_select, role_select, rows_of, screen, section, select

HOME = Press(verb="set_up", table=TableId(0))
"""The page."""
TOLD = "told"
"""The value of the language that Discord tells."""
MOST_CHANNELS = 25
MOST_POINT_VALUE = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupPage:
    """What stands on the page."""

    server: Server
    """Without channels and roles that are gone."""
    game: Variant
    """The usual one."""
    games: Sequence[HouseGame]
    """The server's own."""
    silent: bool = False
    """True where the role that is to be told of new tables cannot be mentioned."""
    kept: bool = False
    """True where members cannot take that role by themselves."""
    not_yours: int | None = None
    """The role that was chosen for it by somebody who could not give it."""


def setup_screen(page: SetupPage, words: Words) -> Screen:
    """Each choice with what holds now, and its menu."""
    server = page.server
    return screen(
        f"### {words('setup.title')}\n{words('setup.hint')}",
        words("setup.language"),
        select(HOME.but("su_language"), languages(server.language, words), placeholder=words("setup.language_choose")),
        words("setup.zone", zone=_zone(server, words)),
        _channels(server, words),
        channel_select(
            HOME.but("su_channels"),
            chosen=server.channels,
            placeholder=words("setup.channels_choose"),
            most=MOST_CHANNELS,
        ),
        words("setup.game", game=full_name(page.game, words)),
        *_games(page, words),
        words("setup.stakes", stakes=_stakes(server, words), pace=clock_text(server.clock, words)),
        select(HOME.but("su_pace"), _paces(server, words), placeholder=words("setup.pace_choose")),
        _threads(server, words),
        _in_words(server, words),
        _role(server.host_role, "host_role", words),
        role_select(HOME.but("su_host"), chosen=server.host_role, placeholder=words("setup.host_role_choose")),
        _told(page, words),
        role_select(HOME.but("su_told"), chosen=server.told_role, placeholder=words("setup.told_role_choose")),
        *rows_of(
            [
                button(HOME.but("su_stakes"), words("setup.write_stakes")),
                button(HOME.but("su_zone"), words("setup.zone_change")),
                button(HOME.but("po_form"), words("posts.form")),
                button(HOME.but("club"), words("club.title")),
                button(HOME.but("posts"), words("posts.title")),
                button(HOME.but("house"), words("house_rules.title")),
                button(HOME.but("su_look"), words("setup.look")),
                button(HOME.but("su_doctor"), words("setup.check"), style=discord.ButtonStyle.primary),
            ]
        ),
        colour=TABLE_COLOUR,
    )


def basics_fields(page: SetupPage, words: Words) -> list[AnyField]:
    """What tables are like where nothing else is chosen: language, game, point value, clock and its time."""
    server = page.server
    value, seconds = server.point_value, server.turn_seconds
    presets, own = _game_options(page, words)
    own.sort(key=lambda option: not option.default)
    return [
        FormChoice(label=words("setup.form_language"), options=languages(server.language, words)),
        FormChoice(label=words("setup.form_game"), options=[*presets, *own][:MOST_OPTIONS]),
        FormField(
            label=words("setup.form_point_value"),
            value="" if value is None else str(value),
            hint=words("setup.form_point_value_hint", count=USUAL_POINT_VALUE),
            most=len(str(MOST_POINT_VALUE)),
            optional=True,
        ),
        FormChoice(label=words("setup.form_pace"), options=_paces(server, words)),
        FormField(
            label=words("setup.form_time"),
            value=time_written(seconds),
            hint=words("setup.form_time_hint"),
            most=40,
            optional=True,
        ),
    ]


def zone_fields(server: Server, words: Words) -> list[AnyField]:
    """The server's time zone; nothing typed is that of each reader's language."""
    field = FormField(
        label=words("hours.zone.form_field"),
        value=server.zone,
        hint=words("setup.zone_hint"),
        most=LONGEST_ZONE,
        optional=True,
    )
    return [field]


LONGEST_ZONE = 60
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


def game_value(game: Variant) -> str:
    """A game as its menu names it."""
    return OWN + game_tag(game.house_name) if game.house_name else game.key


def time_written(seconds: int | None) -> str:
    """The time of the usual clock as its field shows it; nothing for the usual one of its pace."""
    return "" if seconds is None else f"{seconds}s"


def languages(chosen: str | None, words: Words) -> list[SelectOption]:
    """The language that Discord tells, which is meant where none is chosen, and all that the bot speaks."""
    told = SelectOption(label=words("setup.language_told"), value=TOLD, default=chosen is None)
    return [
        told,
        *(
            SelectOption(label=words_for(code)("setup.own_language"), value=code, default=code == chosen)
            for code in LANGUAGES
        ),
    ]


def _zone(server: Server, words: Words) -> str:
    return zone_name(server.zone, words) if server.zone else words("setup.zone_usual")


def _channels(server: Server, words: Words) -> str:
    named = words.list([f"<#{channel}>" for channel in server.channels])
    return words("setup.channels", channels=named or words("setup.channels_all"))


def _games(page: SetupPage, words: Words) -> list[Part]:
    """The presets, and the server's own games where there are some."""
    presets, own = _game_options(page, words)
    menus = [select(HOME.but("su_game"), presets, placeholder=words("setup.game_choose"))]
    if own:
        menus.append(select(HOME.but("su_game", "own"), own, placeholder=words("setup.own_game_choose")))
    return menus


def _game_options(page: SetupPage, words: Words) -> tuple[list[SelectOption], list[SelectOption]]:
    own = page.game.house_name
    presets = [
        SelectOption(label=preset_name(game, words)[:100], value=key, default=not own and key == page.game.key)
        for key, game in PRESETS.items()
    ]
    return presets, [
        SelectOption(label=game.name[:100], value=OWN + game_tag(game.name), default=game.name == own)
        for game in page.games
    ]


def _stakes(server: Server, words: Words) -> str:
    value = USUAL_POINT_VALUE if server.point_value is None else server.point_value
    return words("table.stakes", count=value) if value else words("setup.no_chips")


def _paces(server: Server, words: Words) -> list[SelectOption]:
    now = server.clock.pace
    return [
        SelectOption(label=words(f"lobby.pace_choice.{pace.value}")[:100], value=pace.value, default=pace is now)
        for pace in Pace
    ]


def _threads(server: Server, words: Words) -> Part:
    label, text = ("no_threads", "threads_on") if server.threads else ("use_threads", "threads_off")
    press = replace(HOME.but("su_threads"), hand=int(not server.threads))
    return section(words(f"setup.{text}"), button(press, words(f"setup.{label}")))


def _in_words(server: Server, words: Words) -> Part:
    label, text = ("use_pictures", "in_words") if server.in_words else ("use_words", "in_pictures")
    press = replace(HOME.but("su_words"), hand=int(not server.in_words))
    return section(words(f"setup.{text}"), button(press, words(f"setup.{label}")))


def _role(role: int | None, what: str, words: Words) -> str:
    """What a role means here, or what holds where none is chosen."""
    return words(f"setup.{what}_none") if role is None else words(f"setup.{what}", role=f"<@&{role}>")


def _told(page: SetupPage, words: Words) -> str:
    """The role that is told of new tables, and what to know of it."""
    role = page.server.told_role
    notes = {"silent": page.silent, "kept": page.kept}
    lines = [words(f"setup.told_role_{note}", role=f"<@&{role}>") for note, true in notes.items() if true]
    if page.not_yours is not None:
        lines.append(words("setup.told_role_not_yours", role=f"<@&{page.not_yours}>"))
    return "\n".join([_role(role, "told_role", words), *lines])


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
    again = channel_select(HOME.but("su_check"), chosen=[checkup.channel], placeholder=words("doctor.another"))
    return [again, *rows_of([button(HOME, words("setup.back"))])]


# The templates of a server.


def templates_text(known: Sequence[tuple[Template, Table]], words: Words) -> str:
    """A line for each template with the table that it names; or that there is none."""
    lines = [
        words("template.line", name=escape_name(template.name), table=table_title(table, words))
        for template, table in known
    ]
    return "\n".join(lines) or words("template.none")
