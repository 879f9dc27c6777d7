"""A server's seasons, as those see them who manage it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import discord

from bot.chat.kit.choice_form import ChoiceForm, FormRow
from bot.chat.kit.choice_page import PageState
from bot.chat.kit.custom_ids import Press, short_id
from bot.chat.kit.fragments import FOUL_COLOUR, QUIET_COLOUR
from bot.chat.kit.modals import AnyField, FormField, modal
from bot.chat.kit.widgets import Part, Screen, apart, button, channel_select, role_select, rows_of, screen
from bot.model.bank import SeasonsPage as Page
from bot.model.bank import SeasonTerms
from bot.model.ids import TableId
from bot.model.limits import LONGEST_SEASON_NAME
from bot.model.standings import Season, Span
from bot.text.words import Words, escape_name

HERE = Press(verb="seasons", table=TableId(0))
SURE = "y"
"""Ends what a button carries that was asked about."""


def season_name(season: Season, words: Words) -> str:
    """``Season 3``, or ``Season 3: Autumn``, as message text prints it."""
    if not season.name:
        return words("season.number", number=season.number)
    return words("season.named", number=season.number, name=escape_name(season.name))


def unescaped_name(season: Season, words: Words) -> str:
    """The same as menus print it."""
    if not season.name:
        return words("season.number", number=season.number)
    return words("season.named", number=season.number, name=season.name)


def champions_line(season: Season, players: str, words: Words, *, count: int) -> str:
    """``👑 Champion: Ann``, or their title in place of the word."""
    if season.title:
        return words("season.titled", title=escape_name(season.title), players=players)
    return words("season.champions", count=count, players=players)


def seasons_screen(page: Page, words: Words, *, problem: str = "") -> Screen:
    """Which season runs, how the next one begins and what its champions get, with the controls.

    ``problem`` says why what was chosen cannot be.
    """
    terms = page.terms
    lines = [
        *([problem] if problem else []),
        *_missed(page.last, words),
        _running(page.running, words),
        words("season.monthly" if terms.monthly else "season.by_hand"),
        words("season.reset", chips=words.number(page.start_chips)) if terms.reset_chips else words("season.kept"),
        words("season.title_is", title=escape_name(terms.title)) if terms.title else words("season.no_title"),
        words("season.hint"),
    ]
    chosen: list[str | Part] = [
        words("season.role"),
        role_select(
            HERE.but("season_role", short_id(terms.role or 0)),
            chosen=terms.role,
            placeholder=words("season.role_choose"),
        ),
        words("season.channel"),
        channel_select(
            HERE.but("season_channel", short_id(terms.channel or 0)),
            chosen=[terms.channel] if terms.channel else [],
            placeholder=words("season.channel_choose"),
        ),
    ]
    controls = [
        button(HERE.but("season_ask"), words("season.start"), style=discord.ButtonStyle.primary),
        button(
            HERE.but("season_terms", _argument(monthly=not terms.monthly, reset=terms.reset_chips)),
            words("season.turn_by_hand" if terms.monthly else "season.turn_monthly"),
        ),
        button(
            HERE.but("season_terms", _argument(monthly=terms.monthly, reset=not terms.reset_chips)),
            words("season.turn_kept" if terms.reset_chips else "season.turn_reset"),
        ),
    ]
    controls.append(button(HERE.but(TITLE.ask), words("season.title_button")))
    if page.running is not None:
        controls.append(
            button(HERE.but("season_end", str(page.newest)), words("season.end"), style=discord.ButtonStyle.danger)
        )
    return screen(f"### {words('season.title')}", "\n".join(lines), *chosen, *rows_of(controls), colour=QUIET_COLOUR)


def season_form(page: Page, words: Words) -> discord.ui.Modal:
    """The form in which the next one is named; it says what becomes of the chips."""
    chips = words.number(page.start_chips)
    hint = words("season.form_reset", chips=chips) if page.terms.reset_chips else words("season.form_kept")
    field = FormField(label=words("season.form_name"), most=LONGEST_SEASON_NAME, hint=hint, optional=True)
    return modal(HERE.but("season_begun", str(page.newest)), words("season.form"), [field])


def _title(state: PageState[SeasonTerms, None]) -> AnyField:
    return FormField(
        label=state.words("season.title_field"),
        value=state.record.title,
        most=LONGEST_SEASON_NAME,
        hint=state.words("season.title_hint"),
        optional=True,
    )


TITLE: ChoiceForm[SeasonTerms, None] = ChoiceForm(
    of=SeasonTerms,
    title="season.title_form",
    ask="season_name",
    answer="season_named",
    rows=[
        FormRow(
            fields=("title",),
            draw=_title,
            read=lambda value, state: lambda before: replace(before, title=value),
        ),
    ],
)


def newest_seen(press: Press) -> int | None:
    """The newest season that the page showed which was pressed; None where it doesn't tell."""
    number = press.argument.removesuffix(SURE)
    return int(number) if number.isdecimal() else None


def asks_first(press: Press, page: Page) -> bool:
    """True for a press that decides for all, before it was asked: seasons of themselves, or chips set back."""
    terms = begun_by(press)(page.terms)
    more = (terms.monthly and not page.terms.monthly) or (terms.reset_chips and not page.terms.reset_chips)
    return more and not press.argument.endswith(SURE)


def terms_question(press: Press, page: Page, words: Words, *, now_ms: int) -> Screen:
    """What shall happen to all, and on which day first."""
    terms, chips = begun_by(press)(page.terms), words.number(page.start_chips)
    asks = ("reset" if terms.reset_chips else "monthly") if terms.monthly else "next"
    if asks == "next":
        when = words("season.next_first", chips=chips)
    else:
        key, first = f"season.{asks}_{'first' if page.running else 'later'}", Span.MONTH.bounds(now_ms)[1] // 1000
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
    return screen(f"### {words(f'season.{asks}_ask')}", *apart(said), *rows_of(buttons), colour=FOUL_COLOUR)


def end_question(season: Season, page: Page, words: Words) -> Screen:
    """Whether a season shall end for all, and what follows."""
    sure = HERE.but("season_end", f"{page.newest}{SURE}")
    keep = HERE.but("season_terms", _argument(monthly=page.terms.monthly, reset=page.terms.reset_chips))
    buttons = [
        button(sure, words("season.end"), style=discord.ButtonStyle.danger),
        button(keep, words("season.reset_not")),
    ]
    asks = words("season.end_ask", season=season_name(season, words), since=season.began_at // 1000)
    return screen(asks, *rows_of(buttons), colour=FOUL_COLOUR)


def begun_by(press: Press) -> Callable[[SeasonTerms], SeasonTerms]:
    """What a button changes in how seasons begin."""
    monthly, reset_chips = press.argument[:1] == "1", press.argument[1:2] == "1"
    return lambda terms: replace(terms, monthly=monthly, reset_chips=reset_chips)


def _argument(*, monthly: bool, reset: bool) -> str:
    return f"{monthly:d}{reset:d}"


def _missed(season: Season | None, words: Words) -> list[str]:
    """What could not be done when a season ended."""
    if season is None:
        return []
    name = season_name(season, words)
    missed = [words("season.role_missed", season=name, role=f"<@&{season.role}>")] if season.role_missed else []
    return missed + (
        [words("season.post_missed", season=name, channel=season.channel or 0)] if season.post_missed else []
    )


def _running(season: Season | None, words: Words) -> str:
    if season is None:
        return words("season.none")
    since, name = season.began_at // 1000, season_name(season, words)
    if season.until is None:
        return words("season.running", season=name, since=since)
    return words("season.running_until", season=name, since=since, until=season.until // 1000)
