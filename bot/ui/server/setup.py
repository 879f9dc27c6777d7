"""What a server sets up: one page with a menu for each choice, and the form of stakes and time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import discord
from discord import SelectOption

from bot.model.choices import Server
from bot.model.clock import Pace
from bot.model.ids import TableId
from bot.model.tables import HouseGame
from bot.ofc.presets import PRESETS
from bot.ofc.variants import Variant
from bot.play.table.lobby import USUAL_POINT_VALUE
from bot.text.event_structure import clock_text
from bot.text.languages import LANGUAGES
from bot.text.names import full_name, preset_name
from bot.text.words import Words, words_for
from bot.ui.custom_ids import OWN, Press, game_tag
from bot.ui.fragments import TABLE_COLOUR
from bot.ui.widgets import (
    FormField,
    Part,
    Screen,
    button,
    channel_select,
    modal,
    role_select,
    rows_of,
    screen,
    section,
    select,
)

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
        select(HOME.but("su_language"), _languages(server, words), placeholder=words("setup.language_choose")),
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
        _role(server.host_role, "host_role", words),
        role_select(HOME.but("su_host"), chosen=server.host_role, placeholder=words("setup.host_role_choose")),
        _told(page, words),
        role_select(HOME.but("su_told"), chosen=server.told_role, placeholder=words("setup.told_role_choose")),
        *rows_of(
            [
                button(HOME.but("su_stakes"), words("setup.write_stakes")),
                button(HOME.but("su_doctor"), words("setup.check"), style=discord.ButtonStyle.primary),
            ]
        ),
        colour=TABLE_COLOUR,
    )


def stakes_form(server: Server, words: Words) -> discord.ui.Modal:
    """The form in which the point value and the time of the usual clock are written."""
    value, seconds = server.point_value, server.turn_seconds
    fields = [
        FormField(
            label=words("setup.form_point_value"),
            value="" if value is None else str(value),
            hint=words("setup.form_point_value_hint", count=USUAL_POINT_VALUE),
            most=len(str(MOST_POINT_VALUE)),
            optional=True,
        ),
        FormField(
            label=words("setup.form_time"),
            value="" if seconds is None else f"{seconds}s",
            hint=words("setup.form_time_hint"),
            most=40,
            optional=True,
        ),
    ]
    return modal(HOME.but("su_written"), words("setup.form_title"), fields)


def _languages(server: Server, words: Words) -> list[SelectOption]:
    told = SelectOption(label=words("setup.language_told"), value=TOLD, default=server.language is None)
    return [
        told,
        *(
            SelectOption(label=words_for(code)("setup.own_language"), value=code, default=code == server.language)
            for code in LANGUAGES
        ),
    ]


def _channels(server: Server, words: Words) -> str:
    named = words.list([f"<#{channel}>" for channel in server.channels])
    return words("setup.channels", channels=named or words("setup.channels_all"))


def _games(page: SetupPage, words: Words) -> list[Part]:
    """The presets, and the server's own games where there are some."""
    own = page.game.house_name
    presets = [
        SelectOption(label=preset_name(game, words)[:100], value=key, default=not own and key == page.game.key)
        for key, game in PRESETS.items()
    ]
    menus = [select(HOME.but("su_game"), presets, placeholder=words("setup.game_choose"))]
    if page.games:
        options = [
            SelectOption(label=game.name[:100], value=OWN + game_tag(game.name), default=game.name == own)
            for game in page.games
        ]
        menus.append(select(HOME.but("su_game", "own"), options, placeholder=words("setup.own_game_choose")))
    return menus


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
