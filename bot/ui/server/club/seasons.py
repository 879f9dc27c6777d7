"""A server's seasons, as those see them who manage it."""

from __future__ import annotations

import discord

from bot.play.bank.model import SeasonsPage as Page
from bot.play.bank.model import SeasonTerms
from bot.play.bank.seasons import LONGEST_NAME
from bot.play.model import TableId
from bot.play.standings import Season
from bot.text.words import Words, escape_name
from bot.ui.custom_ids import Press
from bot.ui.fragments import QUIET_COLOUR
from bot.ui.widgets import FormField, Screen, button, modal, rows_of, screen

HERE = Press(verb="seasons", table=TableId(0))


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


def seasons_screen(page: Page, words: Words) -> Screen:
    """Which season runs and how the next one begins, with the controls."""
    terms = page.terms
    lines = [
        _running(page.running, words),
        words("season.monthly" if terms.monthly else "season.by_hand"),
        words("season.reset", chips=words.number(page.start_chips)) if terms.reset_chips else words("season.kept"),
        words("season.hint"),
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
    if page.running is not None:
        controls.append(button(HERE.but("season_end"), words("season.end"), style=discord.ButtonStyle.danger))
    return screen(f"### {words('season.title')}", "\n".join(lines), *rows_of(controls), colour=QUIET_COLOUR)


def season_form(page: Page, words: Words) -> discord.ui.Modal:
    """The form in which the next one is named; it says what becomes of the chips."""
    chips = words.number(page.start_chips)
    hint = words("season.form_reset", chips=chips) if page.terms.reset_chips else words("season.form_kept")
    field = FormField(label=words("season.form_name"), most=LONGEST_NAME, hint=hint, optional=True)
    return modal(HERE.but("season_begun"), words("season.form"), [field])


def terms_of(press: Press) -> SeasonTerms:
    """The terms that a button sets."""
    return SeasonTerms(monthly=press.argument[:1] == "1", reset_chips=press.argument[1:] == "1")


def _argument(*, monthly: bool, reset: bool) -> str:
    return f"{monthly:d}{reset:d}"


def _running(season: Season | None, words: Words) -> str:
    if season is None:
        return words("season.none")
    since, name = season.began_at // 1000, season_name(season, words)
    if season.until is None:
        return words("season.running", season=name, since=since)
    return words("season.running_until", season=name, since=since, until=season.until // 1000)
