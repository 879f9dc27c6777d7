"""The forms of `/setup` for tables, roles and pings, language and time zone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from discord import SelectOption

from bot.chat.kit.choice_form import ChoiceForm, FormRow, chosen, picked_all, switch_value
from bot.chat.kit.choice_page import Change, ChoiceError, PageState
from bot.chat.kit.custom_ids import OWN, game_tag
from bot.chat.kit.fragments import MAX_OPTIONS
from bot.chat.kit.modals import AnyField, FormChoice, FormField, FormPick, PickKind, still_known
from bot.chat.kit.presses import first_picked, parse_ids, picked_values
from bot.chat.kit.typed_choice import zone_meant
from bot.model.choices import ServerSettings
from bot.model.clock import DEFAULT_SECONDS, LIMITS
from bot.model.ids import Player
from bot.model.limits import DEFAULT_POINT_VALUE, MAX_POINT_VALUE
from bot.model.reasons import TableReason
from bot.model.refusals import Stale
from bot.model.tables import HouseGame
from bot.play.table.lobby import time_limits
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.variants import Variant
from bot.text.clocks import parse_clock, written_clock
from bot.text.games import preset_name
from bot.text.languages import LANGUAGES
from bot.text.numbers import MAX_NUMBER_LENGTH, whole_number
from bot.text.words import Words, escape_name, words_for

TOLD = "told"
MAX_QUOTED_LENGTH = 60
"""Maximum length of typed text repeated in a refusal. A forged interaction can exceed the form's limit."""
"""Value that means Discord's language."""
MAX_CHANNELS = 25
MAX_ZONE_LENGTH = 60
ON, OFF = "1", "0"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupContext:
    """The server and the manager that the forms are for."""

    game: Variant
    """The default game."""
    manager: Player
    games: Sequence[HouseGame] = ()
    """The server's own games."""
    channels: frozenset[int] = frozenset()
    roles: frozenset[int] = frozenset()
    """All roles except @everyone."""
    everyone: int = 0
    """The role @everyone."""
    may_give: Callable[[int], bool] = lambda role: False
    """True if the manager could assign the role themselves."""


State = PageState[ServerSettings, SetupContext]


def languages(now: str | None, words: Words) -> list[SelectOption]:
    """Return the options for a language: Discord's, which is the default, and each language that the bot speaks."""
    return [
        SelectOption(label=words("setup.language_told"), value=TOLD, default=now is None),
        *(
            SelectOption(label=words_for(code)("setup.own_language"), value=code, default=code == now)
            for code in LANGUAGES
        ),
    ]


# Tables: the default game and terms, and the channels.


def game_value(game: Variant) -> str:
    """Return a game's value in the menu."""
    return OWN + game_tag(game.house_name) if game.house_name else game.key


def _game_of(state: State) -> Variant:
    """Return the chosen game, or the default if none was chosen."""
    return state.record.game or state.context.game


def _game(state: State) -> AnyField:
    now, words = game_value(_game_of(state)), state.words
    own = [
        SelectOption(label=game.name[:100], value=value, default=value == now)
        for game in state.context.games
        for value in [OWN + game_tag(game.name)]
    ]
    presets = [
        SelectOption(label=preset_name(game, words)[:100], value=key, default=key == now)
        for key, game in PRESETS.items()
    ]
    own.sort(key=lambda option: not option.default)
    return FormChoice(label=words("setup.form_game"), options=[*presets, *own][:MAX_OPTIONS])


def _with_game(value: str, state: State) -> Change[ServerSettings]:
    """Choose a game. Raises Stale if it has since been deleted."""
    if value == game_value(_game_of(state)):
        return lambda before: before
    own = {OWN + game_tag(game.name): game.variant for game in state.context.games}
    game = PRESETS.get(value) or own.get(value)
    if game is None:
        raise Stale
    return lambda before: replace(before, game=game)


def _point_value(state: State) -> AnyField:
    value, words = state.record.point_value, state.words
    return FormField(
        label=words("setup.form_point_value"),
        value="" if value is None else str(value),
        hint=words("setup.form_point_value_hint", count=DEFAULT_POINT_VALUE),
        most=MAX_NUMBER_LENGTH,
        optional=True,
    )


def _with_point_value(value: str, state: State) -> Change[ServerSettings]:
    written = value.strip()
    number = whole_number(written)
    if written and (number is None or not 0 <= number <= MAX_POINT_VALUE):
        raise ChoiceError("setup.bad_point_value", most=state.words.number(MAX_POINT_VALUE))
    return lambda before: replace(before, point_value=number)


def _clock(state: State) -> AnyField:
    words = state.words
    return FormField(
        label=words("setup.form_clock"),
        value=written_clock(state.record.clock, words),
        hint=words("setup.form_clock_hint"),
        most=40,
        optional=True,
    )


def _with_clock(value: str, state: State) -> Change[ServerSettings]:
    """Choose a clock, such as ``live 2m``. A pace without a time means the default time.

    Raises ChoiceError or Refused.
    """
    written, words = value.strip(), state.words
    if written == written_clock(state.record.clock, words):
        return lambda before: before
    if not written:
        return lambda before: replace(before, pace=None, turn_seconds=None)
    clock = parse_clock(written)
    if clock is None:
        raise ChoiceError("setup.bad_clock", typed=escape_name(written[:MAX_QUOTED_LENGTH]))
    shortest, longest = LIMITS[clock.pace]
    if not shortest <= clock.seconds <= longest:
        raise Refused(TableReason.BAD_TIME, **time_limits(clock.pace))
    seconds = None if clock.seconds == DEFAULT_SECONDS[clock.pace] else clock.seconds
    return lambda before: replace(before, pace=clock.pace, turn_seconds=seconds)


def _channels(state: State) -> AnyField:
    here = [channel for channel in state.record.channels if channel in state.context.channels]
    return FormPick(
        label=state.words("setup.form_channels"),
        kind=PickKind.CHANNEL,
        chosen=here,
        hint=state.words("setup.form_channels_hint"),
        most=MAX_CHANNELS,
        optional=True,
    )


def _with_channels(value: str, state: State) -> Change[ServerSettings]:
    """Choose the channels where tables can be opened. None chosen means all channels."""
    channels = tuple(one for one in parse_ids(picked_values(value)) if one in state.context.channels)[:MAX_CHANNELS]
    return lambda before: replace(before, channels=channels)


def either(key: str, on: bool, words: Words, *, hint: str = "") -> FormChoice:
    """Return a field with two options, ``key.off`` and ``key.on``."""
    options = [
        SelectOption(label=words(f"{key}.{name}"), value=value, default=(value == ON) is on)
        for name, value in (("off", OFF), ("on", ON))
    ]
    return FormChoice(label=words(f"{key}.label"), options=options, hint=hint)


TABLES: ChoiceForm[ServerSettings, SetupContext] = ChoiceForm(
    of=ServerSettings,
    title="setup.topic.tables",
    ask="su_stakes",
    answer="su_basics",
    rows=[
        FormRow(fields=("game",), draw=_game, read=_with_game, former={"su_game": chosen}),
        FormRow(fields=("point_value",), draw=_point_value, read=_with_point_value),
        FormRow(fields=("pace", "turn_seconds"), draw=_clock, read=_with_clock, former={"su_pace": chosen}),
        FormRow(fields=("channels",), draw=_channels, read=_with_channels, former={"su_channels": picked_all}),
        FormRow(
            fields=("threads",),
            draw=lambda state: either("setup.threads", state.record.threads, state.words),
            read=lambda value, state: lambda before: replace(before, threads=value == ON),
            former={"su_threads": switch_value},
        ),
    ],
)


# The roles for opening tables and organising events, and the roles pinged for new tables and events


def _role(value: str, state: State) -> int | None:
    """Return the chosen role; None for no role or @everyone."""
    return first_picked(value, state.context.roles)


def _pick_role(key: str, role: int | None, state: State) -> FormPick:
    return FormPick(
        label=state.words(f"{key}.label"),
        kind=PickKind.ROLE,
        chosen=still_known(role, state.context.roles),
        hint=state.words(f"{key}.hint"),
        optional=True,
    )


def _with_host_role(value: str, state: State) -> Change[ServerSettings]:
    role = _role(value, state)
    return lambda before: replace(before, host_role=role)


def _with_told_role(value: str, state: State) -> Change[ServerSettings]:
    """Choose the role to ping for new tables.

    Members can take it themselves, so the manager must be allowed to assign it. The current role can be kept, whoever
    sends the form.
    """
    role, by = _role(value, state), state.context.manager

    def change(before: ServerSettings) -> ServerSettings:
        if role is None:
            return replace(before, told_role=None, told_role_by=None)
        if not state.context.may_give(role):
            if role == before.told_role:
                return before
            raise ChoiceError("setup.told_role_not_yours", role=f"<@&{role}>")
        return replace(before, told_role=role, told_role_by=by)

    return change


def _with_organiser_role(value: str, state: State) -> Change[ServerSettings]:
    role = _role(value, state)
    return lambda before: replace(before, organiser_role=role)


def _with_event_role(value: str, state: State) -> Change[ServerSettings]:
    """Choose the role to ping when an event opens. Raises ChoiceError for @everyone and for a deleted role."""
    role = _role(value, state)
    picked = next(iter(parse_ids(picked_values(value))), None)
    if picked is not None and role is None:
        everyone = picked == state.context.everyone
        raise ChoiceError("setup.event_role_everyone" if everyone else "setup.event_role_gone")
    return lambda before: replace(before, event_role=role)


ROLES: ChoiceForm[ServerSettings, SetupContext] = ChoiceForm(
    of=ServerSettings,
    title="setup.topic.roles",
    ask="su_roles",
    answer="su_roled",
    rows=[
        FormRow(
            fields=("host_role",),
            draw=lambda state: _pick_role("setup.form_host", state.record.host_role, state),
            read=_with_host_role,
            former={"su_host": picked_all},
        ),
        FormRow(
            fields=("organiser_role",),
            draw=lambda state: _pick_role("setup.form_organiser", state.record.organiser_role, state),
            read=_with_organiser_role,
        ),
        FormRow(
            fields=("stand_ins",),
            draw=lambda state: either(
                "setup.stand_ins", state.record.stand_ins, state.words, hint=state.words("setup.stand_ins.hint")
            ),
            read=lambda value, state: lambda before: replace(before, stand_ins=value == ON),
        ),
        FormRow(
            fields=("told_role", "told_role_by"),
            draw=lambda state: _pick_role("setup.form_told", state.record.told_role, state),
            read=_with_told_role,
            former={"su_told": picked_all},
        ),
        FormRow(
            fields=("event_role",),
            draw=lambda state: _pick_role("setup.form_event", state.record.event_role, state),
            read=_with_event_role,
        ),
    ],
)


# Language, time zone and card style of public messages.


def _language(state: State) -> AnyField:
    options = languages(state.record.language, state.words)
    return FormChoice(label=state.words("setup.form_language"), options=options)


def _with_language(value: str, state: State) -> Change[ServerSettings]:
    return lambda before: replace(before, language=value if value in LANGUAGES else None)


def _zone(state: State) -> AnyField:
    return FormField(
        label=state.words("hours.zone.form_field"),
        value=state.record.zone,
        hint=state.words("setup.zone_hint"),
        most=MAX_ZONE_LENGTH,
        optional=True,
    )


def _with_zone(value: str, state: State) -> Change[ServerSettings]:
    """Choose a time zone by its name or a town. Empty means the default zone of each reader's language."""
    # A forged form can exceed the field's limit.
    typed = value.strip()[:MAX_ZONE_LENGTH]
    zone = zone_meant(typed, state.words) if typed else ""
    if zone is None:
        raise ChoiceError("hours.zone.unknown", typed=escape_name(typed[:MAX_QUOTED_LENGTH]))
    return lambda before: replace(before, zone=zone)


LANGUAGE: ChoiceForm[ServerSettings, SetupContext] = ChoiceForm(
    of=ServerSettings,
    title="setup.topic.language",
    ask="su_zone",
    answer="su_zoned",
    rows=[
        FormRow(fields=("language",), draw=_language, read=_with_language, former={"su_language": chosen}),
        FormRow(fields=("zone",), draw=_zone, read=_with_zone),
        FormRow(
            fields=("in_words",),
            draw=lambda state: either(
                "setup.cards", state.record.in_words, state.words, hint=state.words("setup.cards.hint")
            ),
            read=lambda value, state: lambda before: replace(before, in_words=value == ON),
            former={"su_words": switch_value},
        ),
    ],
)
FORMS = (TABLES, ROLES, LANGUAGE)
