"""The managers' page for a server's seasons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import discord

from bot.chat.kit.choice_form import ChoiceForm, FormRow, picked_all
from bot.chat.kit.choice_page import Change, ChoiceError, PageState
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import FOUL_COLOUR, QUIET_COLOUR
from bot.chat.kit.modals import AnyField, FormChoice, FormField, FormPick, PickKind, modal, still_known
from bot.chat.kit.presses import first_picked, parse_ids, picked_values
from bot.chat.kit.widgets import Screen, apart, button, button_rows, screen
from bot.model.bank import SeasonsPage as Page
from bot.model.bank import SeasonTerms
from bot.model.ids import Player, TableId
from bot.model.limits import MAX_SEASON_NAME_LENGTH
from bot.model.standings import LeaderboardSpan, Season
from bot.text.words import Words, escape_name

HERE = Press(verb="seasons", table=TableId(0))
SURE = "y"
"""Suffix of a button's argument once the manager has confirmed."""


def season_name(season: Season, words: Words) -> str:
    """Return a season's name, such as ``Season 3`` or ``Season 3: Autumn``, escaped for message text."""
    if not season.name:
        return words("season.number", number=season.number)
    return words("season.named", number=season.number, name=escape_name(season.name))


def unescaped_name(season: Season, words: Words) -> str:
    """Return a season's name for menus, which don't need escaping."""
    if not season.name:
        return words("season.number", number=season.number)
    return words("season.named", number=season.number, name=season.name)


def champions_line(season: Season, players: str, words: Words, *, count: int) -> str:
    """Return a line such as ``👑 Champion: Ann``, with the season's own title if it has one."""
    if season.title:
        return words("season.titled", title=escape_name(season.title), players=players)
    return words("season.champions", count=count, players=players)


def seasons_screen(page: Page, words: Words, *, problem: str = "") -> Screen:
    """Draw the current season, how the next one starts and what its champions get, with the controls.

    ``problem`` explains why the last choice was refused.
    """
    terms = page.terms
    lines = [
        *([problem] if problem else []),
        *_failure_lines(page.last, words),
        _running_text(page.running, words),
        words("season.monthly" if terms.monthly else "season.by_hand"),
        words("season.reset", chips=words.number(page.start_chips)) if terms.reset_chips else words("season.kept"),
        words("season.title_is", title=escape_name(terms.title)) if terms.title else words("season.no_title"),
        words("season.role_is", role=f"<@&{terms.role}>") if terms.role else words("season.no_role"),
        words("season.channel_is", channel=terms.channel) if terms.channel else words("season.no_channel"),
        words("season.hint"),
    ]
    controls = [
        button(HERE.but("season_ask"), words("season.start"), style=discord.ButtonStyle.primary),
        button(HERE.but(SEASONS.ask), words("season.change")),
    ]
    if page.running is not None:
        controls.append(
            button(HERE.but("season_end", str(page.newest)), words("season.end"), style=discord.ButtonStyle.danger)
        )
    controls.append(button(HERE.but("set_up"), words("setup.back")))
    return screen(f"### {words('season.title')}", "\n".join(lines), *button_rows(controls), colour=QUIET_COLOUR)


def season_facts(page: Page, words: Words) -> list[str]:
    """Return short facts about the current season and the start of the next one."""
    terms, season = page.terms, page.running
    none = words("season.facts.none")
    return [
        none if season is None else words("season.facts.running", season=season_name(season, words)),
        *([words("season.facts.monthly")] if terms.monthly else []),
        *([words("season.facts.reset", chips=words.number(page.start_chips))] if terms.reset_chips else []),
    ]


def season_form(page: Page, words: Words) -> discord.ui.Modal:
    """Return the form to name the next season. It says what will happen to the chips."""
    chips = words.number(page.start_chips)
    hint = words("season.form_reset", chips=chips) if page.terms.reset_chips else words("season.form_kept")
    field = FormField(label=words("season.form_name"), most=MAX_SEASON_NAME_LENGTH, hint=hint, optional=True)
    return modal(HERE.but("season_begun", str(page.newest)), words("season.form"), [field])


# The form for how seasons start and what their champions get


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonContext:
    """The server and the manager that the form is for."""

    manager: Player
    start_chips: int
    """Each player's chips at the start of a season, if chips are reset."""
    channels: frozenset[int] = frozenset()
    roles: frozenset[int] = frozenset()
    require_channel: Callable[[int], None] = lambda channel: None
    """Raises ChoiceError or Refused if the bot can't post in the channel, or the manager may not write there."""
    require_role: Callable[[int], None] = lambda role: None
    """Raises ChoiceError if the bot can't give the role to champions."""


SeasonState = PageState[SeasonTerms, SeasonContext]


def _either(field: str, label: str, off: str, on: str) -> FormRow[SeasonTerms, SeasonContext]:
    """Return the row for a boolean, as two options."""

    def draw(state: SeasonState) -> AnyField:
        words, holds = state.words, bool(getattr(state.record, field))
        chips = words.number(state.context.start_chips)
        options = [
            discord.SelectOption(
                label=words(key, chips=chips) if words.takes(key, "chips") else words(key),
                value=value,
                default=(value == ON) is holds,
            )
            for key, value in ((off, OFF), (on, ON))
        ]
        return FormChoice(label=words(label), options=options)

    return FormRow(
        fields=(field,), draw=draw, read=lambda value, state: lambda before: replace(before, **{field: value == ON})
    )


def _title(state: SeasonState) -> AnyField:
    return FormField(
        label=state.words("season.title_field"),
        value=state.record.title,
        most=MAX_SEASON_NAME_LENGTH,
        hint=state.words("season.title_hint"),
        optional=True,
    )


def _pick_role(state: SeasonState) -> AnyField:
    role = state.record.role
    return FormPick(
        label=state.words("season.role_field"),
        kind=PickKind.ROLE,
        chosen=still_known(role, state.context.roles),
        hint=state.words("season.role_hint"),
        optional=True,
    )


def _with_role(value: str, state: SeasonState) -> Change[SeasonTerms]:
    """Choose the champions' role. The current role can be kept, whoever sends the form."""
    role = next(iter(parse_ids(picked_values(value))), None)

    def change(before: SeasonTerms) -> SeasonTerms:
        if role is None:
            return replace(before, role=None, role_by=None)
        try:
            state.context.require_role(role)
        except ChoiceError:
            if role == before.role:
                return before
            raise
        return replace(before, role=role, role_by=state.context.manager)

    return change


def _pick_channel(state: SeasonState) -> AnyField:
    channel = state.record.channel
    return FormPick(
        label=state.words("season.channel_field"),
        kind=PickKind.CHANNEL,
        chosen=still_known(channel, state.context.channels),
        hint=state.words("season.channel_hint"),
        optional=True,
    )


def _with_channel(value: str, state: SeasonState) -> Change[SeasonTerms]:
    channel = first_picked(value, state.context.channels)
    if channel is not None:
        state.context.require_channel(channel)
    return lambda before: replace(before, channel=channel)


ON, OFF = "1", "0"
SEASONS: ChoiceForm[SeasonTerms, SeasonContext] = ChoiceForm(
    of=SeasonTerms,
    title="season.title",
    ask="season_name",
    answer="season_named",
    rows=[
        _either("monthly", "season.begins", "season.by_hand_option", "season.monthly_option"),
        _either("reset_chips", "season.chips", "season.kept_option", "season.reset_option"),
        FormRow(fields=("title",), draw=_title, read=lambda value, state: lambda before: replace(before, title=value)),
        FormRow(fields=("role", "role_by"), draw=_pick_role, read=_with_role, former={"season_role": picked_all}),
        FormRow(fields=("channel",), draw=_pick_channel, read=_with_channel, former={"season_channel": picked_all}),
    ],
)


def without_asking(before: SeasonTerms, wanted: SeasonTerms) -> SeasonTerms:
    """Return the terms that can be saved without a confirmation.

    Monthly seasons and resetting chips affect everyone, so they can't be turned on until the manager has confirmed.
    """
    return replace(
        wanted,
        monthly=wanted.monthly and before.monthly,
        reset_chips=wanted.reset_chips and before.reset_chips,
    )


def newest_seen(press: Press) -> int | None:
    """Return the newest season on the page when it was pressed; None if the press doesn't say."""
    number = press.argument.removesuffix(SURE)
    return int(number) if number.isdecimal() else None


def asks_first(press: Press, page: Page) -> bool:
    """True if the press would start automatic seasons or reset chips, and the manager hasn't confirmed yet."""
    terms = begun_by(press)(page.terms)
    return without_asking(page.terms, terms) != terms and not press.argument.endswith(SURE)


def terms_question(terms: SeasonTerms, page: Page, words: Words, *, now_ms: int) -> Screen:
    """Ask for confirmation, stating the effect on everyone and the day it first happens."""
    chips = words.number(page.start_chips)
    asks = ("reset" if terms.reset_chips else "monthly") if terms.monthly else "next"
    if asks == "next":
        when = words("season.next_first", chips=chips)
    else:
        key, first = (
            f"season.{asks}_{'first' if page.running else 'later'}",
            LeaderboardSpan.MONTH.bounds(now_ms)[1] // 1000,
        )
        values: dict[str, str | int] = {"chips": chips, "at": first}
        when = words(key, **{name: values[name] for name in words.entries[key].fields})
    keep = _argument(monthly=page.terms.monthly, reset=page.terms.reset_chips)
    buttons = [
        button(
            HERE.but("season_terms", _argument(monthly=terms.monthly, reset=terms.reset_chips) + SURE),
            words(f"season.{asks}_do"),
            style=discord.ButtonStyle.danger,
        ),
        button(HERE.but("season_terms", keep), words("season.reset_not")),
    ]
    said = [when, *([words("season.reset_final")] if terms.reset_chips else [])]
    return screen(f"### {words(f'season.{asks}_ask')}", *apart(said), *button_rows(buttons), colour=FOUL_COLOUR)


def end_question(season: Season, page: Page, words: Words) -> Screen:
    """Ask whether to end the season for everyone, and explain the consequences."""
    sure = HERE.but("season_end", f"{page.newest}{SURE}")
    keep = HERE.but("season_terms", _argument(monthly=page.terms.monthly, reset=page.terms.reset_chips))
    buttons = [
        button(sure, words("season.end"), style=discord.ButtonStyle.danger),
        button(keep, words("season.reset_not")),
    ]
    asks = words("season.end_ask", season=season_name(season, words), since=season.began_at // 1000)
    return screen(asks, *button_rows(buttons), colour=FOUL_COLOUR)


def begun_by(press: Press) -> Callable[[SeasonTerms], SeasonTerms]:
    """Return a button's change to how seasons start."""
    monthly, reset_chips = press.argument[:1] == "1", press.argument[1:2] == "1"
    return lambda terms: replace(terms, monthly=monthly, reset_chips=reset_chips)


def _argument(*, monthly: bool, reset: bool) -> str:
    return f"{monthly:d}{reset:d}"


def _failure_lines(season: Season | None, words: Words) -> list[str]:
    """Return a line for each step that failed at the end of a season."""
    if season is None:
        return []
    name = season_name(season, words)
    missed = [words("season.role_missed", season=name, role=f"<@&{season.role}>")] if season.role_missed else []
    return missed + (
        [words("season.post_missed", season=name, channel=season.channel or 0)] if season.post_missed else []
    )


def _running_text(season: Season | None, words: Words) -> str:
    if season is None:
        return words("season.none")
    since, name = season.began_at // 1000, season_name(season, words)
    if season.until is None:
        return words("season.running", season=name, since=since)
    return words("season.running_until", season=name, since=since, until=season.until // 1000)
