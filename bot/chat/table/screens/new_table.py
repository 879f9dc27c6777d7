"""The table that somebody is about to open: a menu for each choice, and the button that opens it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from discord import ButtonStyle, SelectOption
from discord.ui import Modal

from bot.chat.kit.custom_ids import OWN, Press, game_tag
from bot.chat.kit.fragments import MOST_OPTIONS, NOWHERE, TABLE_COLOUR, game_line
from bot.chat.kit.modals import FormChoice, modal
from bot.chat.kit.widgets import Part, Screen, button, rows_of, screen, select
from bot.chat.table.screens.lobby import weekends_text
from bot.model.clock import Clock, Pace
from bot.model.ids import COMPUTERS, Player
from bot.model.limits import MAX_POINT_VALUE
from bot.model.tables import HouseGame
from bot.play import terms as terms_of
from bot.play.table.lobby import Offer, buy_in_of
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.variants import Variant
from bot.pure.solver.levels import Level
from bot.text.event_structure import clock_text
from bot.text.games import preset_name
from bot.text.refusals import refusal
from bot.text.words import Words

STAKES = (0, 1, 5, 10, 25, 50, 100)
"""The point values that are offered, beside the server's usual one."""
_WEEKENDS = 10_000_000
"""Beside the stakes in a custom id: weekends off."""
CLOCKS = (
    Clock(pace=Pace.PER_TURN, seconds=30),
    Clock(pace=Pace.PER_TURN, seconds=60),
    Clock(pace=Pace.PER_TURN, seconds=120),
    Clock(pace=Pace.LIVE, seconds=120),
    Clock(pace=Pace.LIVE, seconds=300),
    Clock(pace=Pace.RELAXED, seconds=600),
    Clock(pace=Pace.CORRESPONDENCE, seconds=86_400),
    Clock(pace=Pace.NONE, seconds=0),
)
"""The clocks that are offered. Custom ids hold their places, counted from 1: the order stays, and nine is the most."""
LEVELS = (Level.CASUAL, Level.CLUB, Level.MASTER)
MOST_COMPUTERS = 3
COMPANIES = tuple((level, number) for level in LEVELS for number in range(1, MOST_COMPUTERS + 1))
"""Who may sit down with the host. Custom ids hold their places, counted from 1: the order stays."""
_OWN_GAME = re.compile(OWN + "[0-9a-f]{12}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What was chosen so far, as custom ids hold it; whatever was not touched is as it is usual in the server."""

    game: str = ""
    """A preset's key, or the mark of one of the server's own games."""
    point_value: int | None = None
    clock: int = 0
    """A place in ``CLOCKS``, counted from 1."""
    company: int = 0
    """A place in ``COMPANIES``, counted from 1; 0 without computers."""
    weekends_off: bool = False
    """Held while another clock is chosen, and true of a table by correspondence alone."""

    @property
    def computers(self) -> tuple[Player, ...]:
        """The computers that sit down with the host."""
        if not self.company:
            return ()
        level, number = COMPANIES[self.company - 1]
        return COMPUTERS[level][:number]

    def clock_or(self, usual: Clock) -> Clock:
        """The clock that was chosen, or the usual one."""
        return CLOCKS[self.clock - 1] if self.clock else usual

    def point_value_or(self, usual: int) -> int:
        """The stakes that were chosen, or the usual ones; with computers those are no chips."""
        if self.point_value is not None:
            return self.point_value
        return 0 if self.company else usual

    def press(self, verb: str) -> Press:
        """A control that carries all of it."""
        stakes = 0 if self.point_value is None else self.point_value + 1
        stakes += _WEEKENDS * self.weekends_off
        return replace(NOWHERE.but(verb, self.game), hand=stakes, street=10 * self.clock + self.company)


def choices_of(press: Press) -> Choices:
    """What a custom id holds; a part that this bot does not know counts as not touched."""
    clock, company = divmod(press.street, 10)
    weekends, stakes = divmod(press.hand, _WEEKENDS)
    return Choices(
        game=press.argument,
        point_value=stakes - 1 if 0 < stakes <= MAX_POINT_VALUE + 1 else None,
        clock=clock if clock <= len(CLOCKS) else 0,
        company=company,
        weekends_off=weekends == 1,
    )


def chosen(press: Press, values: Sequence[str]) -> Choices:
    """The choices after one in a menu; a value that was not offered changes nothing."""
    before, value = choices_of(press), values[0] if values else ""
    if press.verb == "new_weekends":
        return replace(before, weekends_off=not before.weekends_off)
    number = int(value) if value.isascii() and value.isdigit() and len(value) <= len(str(MAX_POINT_VALUE)) else None
    if press.verb in ("new_game", "new_own"):
        return replace(before, game=value) if value in PRESETS or _OWN_GAME.fullmatch(value) else before
    if number is None:
        return before
    if press.verb == "new_stakes":
        return replace(before, point_value=number) if number <= MAX_POINT_VALUE else before
    if press.verb == "new_pace":
        return replace(before, clock=number) if number <= len(CLOCKS) else before
    assert press.verb == "new_company"
    return replace(before, company=number) if number <= len(COMPANIES) else before


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTable:
    """What the screen is drawn from."""

    choices: Choices
    offer: Offer
    """The table that these choices come to."""
    usual_stakes: int
    usual_clock: Clock
    games: Sequence[HouseGame]
    """The server's own."""
    zone: str
    """The server's time zone; empty for that of the world."""
    objection: Refused | None
    """Why it cannot be opened like this."""


def new_table_screen(new: NewTable, words: Words, *, said: str = "") -> Screen:
    """The table as it would be opened, the menus that change it, and the button that opens it."""
    offer = new.offer
    lines = [f"### {words('new_table.title')}", *filter(None, [said]), game_line(offer.terms.variant, words)]
    if not offer.terms.practice:
        lines.append(words("lobby.buy_in", chips=words.number(offer.terms.buy_in)))
    if offer.terms.weekends_off:
        lines.append(weekends_text("lobby.weekends_off", new.zone, words))
    why = [words.adorned("⚠️", refusal(new.objection, words))] if new.objection else []
    style = ButtonStyle.secondary if new.objection else ButtonStyle.success
    press = replace(new.choices.press("new_open"), terms=terms_of.of_seat(offer.terms))
    opens = button(press, words("new_table.open"), style=style)
    return screen(
        "\n".join(lines),
        *_games(new, words),
        _menu(new, "new_stakes", _stakes_options(new, words), words("new_table.stakes")),
        _menu(new, "new_pace", _paces(new, words), words("new_table.pace")),
        _menu(new, "new_company", _companies(new, words), words("new_table.company")),
        *([words("new_table.no_chips")] if offer.computers and not new.objection else []),
        *why,
        *rows_of([opens, button(new.choices.press("new_form"), words("new_table.form")), *_weekends(new, words)]),
        colour=TABLE_COLOUR,
    )


OF_FORM = ("new_game", "new_stakes", "new_pace", "new_company")
"""The menus that are fields of the form, in their order."""


def new_table_form(new: NewTable, words: Words) -> Modal:
    """All that the menus ask in one form."""
    return modal(new.choices.press("new_formed"), words("new_table.title"), _fields(new, words))


def _fields(new: NewTable, words: Words) -> list[FormChoice]:
    presets, own = _game_options(new, words)
    own.sort(key=lambda option: not option.default)
    return [
        FormChoice(label=words("new_table.game"), options=[*presets, *own][:MOST_OPTIONS]),
        FormChoice(label=words("new_table.stakes"), options=_stakes_options(new, words)),
        FormChoice(label=words("new_table.pace"), options=_paces(new, words)),
        FormChoice(label=words("new_table.company"), options=_companies(new, words)),
    ]


def form_chosen(new: NewTable, values: Sequence[str], words: Words) -> Choices:
    """The choices after the form, as if the menus had been used: what was left as it stood is not chosen by that."""
    choices = new.choices
    for verb, field, value in zip(OF_FORM, _fields(new, words), values, strict=False):
        if value not in [option.value for option in field.options if option.default]:
            choices = chosen(choices.press(verb), [value])
    return choices


def _weekends(new: NewTable, words: Words) -> list[Part]:
    """The button that takes weekends off, or gives them back: by correspondence alone."""
    terms = new.offer.terms
    label = words("new_table.weekends_on" if terms.weekends_off else "new_table.weekends_off")
    return [button(new.choices.press("new_weekends"), label)] if terms.clock.quiet else []


def _menu(new: NewTable, verb: str, options: Sequence[SelectOption], placeholder: str) -> Part:
    return select(new.choices.press(verb), options, placeholder=placeholder)


def _games(new: NewTable, words: Words) -> list[Part]:
    """The presets, and the server's own games where there are some."""
    presets, own = _game_options(new, words)
    menus = [_menu(new, "new_game", presets, words("new_table.game"))]
    if own:
        menus.append(_menu(new, "new_own", own, words("new_table.own_game")))
    return menus


def _game_options(new: NewTable, words: Words) -> tuple[list[SelectOption], list[SelectOption]]:
    game: Variant = new.offer.terms.variant
    presets = [
        SelectOption(
            label=preset_name(preset, words)[:100],
            value=key,
            description=_players(preset, words),
            default=not game.house_name and key == game.key,
        )
        for key, preset in PRESETS.items()
    ]
    return presets, [
        SelectOption(label=own.name[:100], value=OWN + game_tag(own.name), default=own.name == game.house_name)
        for own in new.games
    ]


def _players(game: Variant, words: Words) -> str:
    if game.min_seats == game.max_seats:
        return words("table.players", count=game.max_seats)
    return words("new_table.players", least=game.min_seats, most=game.max_seats)


def _stakes(point_value: int, words: Words) -> str:
    return words("table.stakes", count=point_value) if point_value else words("table.practice")


def _stakes_options(new: NewTable, words: Words) -> list[SelectOption]:
    now, usual = new.offer.terms.point_value, new.usual_stakes
    options = []
    for value in sorted({*STAKES, usual, now}):
        buy_in = buy_in_of(value, chosen=None)
        told = [words("new_table.buy_in", chips=words.number(buy_in))] if value else []
        told += [words("new_table.usual")] if value == usual else []
        label = _stakes(value, words)
        options.append(
            SelectOption(
                label=label[0].upper() + label[1:],
                value=str(value),
                description=words.facts(told) or None,
                default=value == now,
            )
        )
    return options


def _paces(new: NewTable, words: Words) -> list[SelectOption]:
    now, usual = new.offer.terms.clock, new.usual_clock
    offered = dict(enumerate(CLOCKS, start=1))
    if usual not in CLOCKS:
        offered = {0: usual, **offered}
    return [
        SelectOption(
            label=clock_text(clock, words)[:100],
            value=str(number),
            description=words("new_table.usual") if clock == usual else None,
            default=clock == now,
        )
        for number, clock in offered.items()
    ]


def _companies(new: NewTable, words: Words) -> list[SelectOption]:
    """Nobody, or as many computers of a level as the game has seats for; what was chosen stays in sight."""
    chosen_now = new.choices.company
    nobody = SelectOption(label=words("new_table.no_computers"), value="0", default=not chosen_now)
    seats = new.offer.terms.max_seats
    return [
        nobody,
        *(
            SelectOption(
                label=words(f"new_table.computers.{level.value}", count=number),
                value=str(place),
                default=place == chosen_now,
            )
            for place, (level, number) in enumerate(COMPANIES, start=1)
            if number < seats or place == chosen_now
        ),
    ]
