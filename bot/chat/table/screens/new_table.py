"""The table that a player is about to open: its terms, the button that opens it, and two forms to change the terms."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from hashlib import sha256
from typing import Any

from discord import ButtonStyle, SelectOption

from bot.chat.kit.custom_ids import OWN, Press, game_tag
from bot.chat.kit.fragments import MAX_OPTIONS, NOWHERE, TABLE_COLOUR
from bot.chat.kit.modals import AnyField, FormChoice, FormField
from bot.chat.kit.presses import picked_values
from bot.chat.kit.widgets import Screen, button, button_rows, screen
from bot.chat.table.screens.lobby import limits_lines, stakes_text, weekends_text
from bot.model.clock import Clock, Pace
from bot.model.ids import COMPUTERS, Player
from bot.model.limits import MAX_BUY_IN, MAX_HANDS_PER_LEVEL, MAX_POINT_VALUE
from bot.model.reasons import TableReason
from bot.model.tables import HouseGame
from bot.play import terms as terms_of
from bot.play.table.lobby import TableOffer
from bot.play.table.rematch import TermChanges
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.settlement import WinCap
from bot.pure.ofc.variants import Variant
from bot.pure.solver.levels import Level
from bot.text.clocks import parse_clock, written_clock
from bot.text.event_structure import clock_text
from bot.text.games import full_name, preset_name
from bot.text.numbers import MAX_NUMBER_LENGTH, whole_number
from bot.text.refusals import refusal
from bot.text.words import Words, capital

_WEEKENDS = 10_000_000
"""Added to the stakes in a custom id if clocks are paused on weekends."""
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
"""Suggested clocks. Custom ids store their positions, counted from 1, so the order is fixed and nine is the maximum."""
LEVELS = (Level.CASUAL, Level.CLUB, Level.MASTER)
MAX_COMPUTERS = 3
COMPANIES = tuple((level, number) for level in LEVELS for number in range(1, MAX_COMPUTERS + 1))
"""Computers that can join the host. Custom ids store their positions, counted from 1, so the order is fixed."""
"""Maximum number of digits in a form's number."""
_OWN_GAME = re.compile(OWN + "[0-9a-f]{12}")
_KEPT = "kept"
"""Prefix of the digest of choices that don't fit into a custom id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableChoices:
    """The choices so far. Untouched fields have the server's defaults.

    A custom id has room for the first five choices, with a suggested clock. If any others were made, all choices are
    stored in the player's settings, and the custom id has only their digest.
    """

    game: str = ""
    """A preset's key, or the tag of one of the server's custom games."""
    point_value: int | None = None
    clock: Clock | None = None
    company: int = 0
    """Position in ``COMPANIES``, counted from 1; 0 without computers."""
    weekends_off: bool = False
    """Kept even if another clock is chosen, but used only for correspondence."""
    buy_in: int | None = None
    seats: int | None = None
    levels: tuple[int, ...] = ()
    level_hands: int | None = None
    win_cap: WinCap | None = None
    bust_is_final: bool = False
    no_top_ups: bool = False
    open_discards: bool = False
    quiet: bool = False

    @property
    def computers(self) -> tuple[Player, ...]:
        """The computers that join the host."""
        if not self.company:
            return ()
        level, number = COMPANIES[self.company - 1]
        return COMPUTERS[level][:number]

    def point_value_or(self, usual: int) -> int:
        """Return the chosen stakes, or the default: ``usual``, or 0 with computers."""
        if self.point_value is not None:
            return self.point_value
        return 0 if self.company else usual

    @property
    def kept(self) -> str:
        """All choices as text; empty if they fit into a custom id."""
        usual = TableChoices()
        chosen = {one.name for one in fields(TableChoices) if getattr(self, one.name) != getattr(usual, one.name)}
        if chosen <= _IN_AN_ID and (self.clock is None or self.clock in CLOCKS):
            return ""
        return json.dumps({name: _plain(getattr(self, name)) for name in sorted(chosen)}, separators=(",", ":"))

    def press(self, verb: str) -> Press:
        """Return a press that carries all choices."""
        if kept := self.kept:
            return NOWHERE.but(verb, _KEPT + _digest(kept))
        stakes = 0 if self.point_value is None else self.point_value + 1
        stakes += _WEEKENDS * self.weekends_off
        clock = 0 if self.clock is None else 1 + CLOCKS.index(self.clock)
        return replace(NOWHERE.but(verb, self.game), hand=stakes, street=10 * clock + self.company)


_IN_AN_ID = {"game", "point_value", "clock", "company", "weekends_off"}


def _plain(value: Any) -> Any:
    if isinstance(value, Clock):
        return [value.pace.value, value.seconds]
    return value.value if isinstance(value, WinCap) else value


def _digest(kept: str) -> str:
    return sha256(kept.encode()).hexdigest()[:12]


def parse_choices(press: Press, kept: str) -> TableChoices | None:
    """Return the choices in a custom id, or the ``kept`` ones if it has their digest; None if they were replaced.

    Unrecognised parts count as not chosen.
    """
    if press.argument.startswith(_KEPT):
        return choices_kept(kept) if press.argument == _KEPT + _digest(kept) else None
    clock, company = divmod(press.street, 10)
    weekends, stakes = divmod(press.hand, _WEEKENDS)
    return TableChoices(
        game=press.argument,
        point_value=stakes - 1 if 0 < stakes <= MAX_POINT_VALUE + 1 else None,
        clock=CLOCKS[clock - 1] if 0 < clock <= len(CLOCKS) else None,
        company=company,
        weekends_off=weekends == 1,
    )


def choices_kept(kept: str) -> TableChoices:
    """Parse :attr:`TableChoices.kept`."""
    read: dict[str, Any] = json.loads(kept) if kept else {}
    if "clock" in read:
        pace, seconds = read["clock"]
        read["clock"] = Clock(pace=Pace(pace), seconds=seconds)
    if "win_cap" in read:
        read["win_cap"] = WinCap(read["win_cap"])
    return TableChoices(**{**read, "levels": tuple(read.get("levels", ()))})


OF_FORM = ("new_game", "new_stakes", "new_pace", "new_company")
"""Verbs of menus on old screens. Their form had fields with the same verbs."""


def chosen(before: TableChoices, verb: str, value: str) -> TableChoices:
    """Return the choices after a selection in an old menu. A value that wasn't offered changes nothing."""
    if verb == "new_weekends":
        return replace(before, weekends_off=not before.weekends_off)
    number = int(value) if value.isascii() and value.isdigit() and len(value) <= len(str(MAX_POINT_VALUE)) else None
    if verb in ("new_game", "new_own"):
        return replace(before, game=value) if value in PRESETS or _OWN_GAME.fullmatch(value) else before
    if number is None:
        return before
    if verb == "new_stakes":
        return replace(before, point_value=number) if number <= MAX_POINT_VALUE else before
    if verb == "new_pace":
        return replace(before, clock=CLOCKS[number - 1] if number else None) if number <= len(CLOCKS) else before
    assert verb == "new_company"
    return replace(before, company=number) if number <= len(COMPANIES) else before


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTablePage:
    """The data that the screen shows."""

    choices: TableChoices
    offer: TableOffer
    """The table's terms, as they result from the choices."""
    default_clock: Clock
    games: Sequence[HouseGame]
    """The server's custom games."""
    zone: str
    """The server's time zone; empty for UTC."""
    objection: Refused | None
    """The reason that the table can't be opened with these choices; None if it can."""


def changes_of(choices: TableChoices, variant: Variant | None) -> TermChanges:
    """Return the choices as changes to the default terms. Without ``variant``, the game stays the same."""
    limits = {
        "win_cap": choices.win_cap,
        "bust_is_final": choices.bust_is_final or None,
        "top_up": False if choices.no_top_ups else None,
    }
    return TermChanges(
        variant=variant,
        seats=choices.seats,
        buy_in=choices.buy_in,
        levels=choices.levels,
        level_hands=choices.level_hands,
        limits=limits,
        others={"quiet": choices.quiet or None},
    )


# The screen


def new_table_screen(new: NewTablePage, words: Words, *, notice: str = "", changes: bool = False) -> Screen:
    """Draw the table's terms and the button that opens it and, with ``changes``, the buttons of both forms."""
    offer = new.offer
    terms = offer.terms
    company = [_company(new.choices.company, words)] if offer.computers else []
    facts = [full_name(terms.variant, words), stakes_text(terms, words), clock_text(terms.clock, words), *company]
    lines = [f"### {words('new_table.title')}", *filter(None, [notice]), words.facts(facts), *_terms(new, words)]
    why = [words.adorned("⚠️", refusal(new.objection, words))] if new.objection else []
    style = ButtonStyle.secondary if new.objection else ButtonStyle.success
    press = replace(new.choices.press("new_open"), terms=terms_of.of_seat(terms))
    opens = button(press, words("new_table.open"), style=style)
    ways = ("new_table", "new_money") if changes else ("new_change",)
    forms = [button(new.choices.press(verb), words(f"new_table.button.{verb}")) for verb in ways]
    return screen("\n".join(lines), *why, *button_rows([opens, *forms]), colour=TABLE_COLOUR)


def _terms(new: NewTablePage, words: Words) -> list[str]:
    """Return the buy-in, and the terms that differ from the defaults."""
    terms = new.offer.terms
    if terms.practice:
        lines = [words("new_table.no_chips")] if new.offer.computers and not new.objection else []
    else:
        lines = [words("lobby.buy_in", chips=words.number(terms.buy_in))]
    if terms.max_seats != terms.variant.max_seats:
        lines.append(words("table.players", count=terms.max_seats))
    lines += limits_lines(terms, words)
    if new.choices.open_discards:
        lines.append(words("new_table.said.open_discards"))
    if terms.quiet:
        lines.append(words("new_table.said.quiet"))
    return [*lines, *([weekends_text("lobby.weekends_off", new.zone, words)] if terms.weekends_off else [])]


def _company(place: int, words: Words) -> str:
    level, number = COMPANIES[place - 1]
    return words(f"new_table.computers.{level.value}", count=number)


# The forms


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTableForm:
    """One of the two forms: the verbs of its button and its submission, its fields, and the values entered."""

    ask: str
    answer: str
    fields: Sequence[AnyField]
    values: Sequence[str] = field(default=())
    """The submitted values, in the order of the fields."""

    def changed(self, place: int) -> str | None:
        """Return the value entered in field ``place``; None if it wasn't changed."""
        value, stood = self.values[place], self.fields[place]
        if isinstance(stood, FormChoice):
            before = [option.value for option in stood.options if option.default]
            return None if picked_values(value) == before else value
        assert isinstance(stood, FormField)
        return None if value.strip() == stood.value else value.strip()


def table_form(new: NewTablePage, words: Words) -> NewTableForm:
    """Return the form for game, clock, seats, computers and other options."""
    terms, choices = new.offer.terms, new.choices
    also = {
        "open_discards": choices.open_discards,
        "quiet": choices.quiet,
        "weekends_off": choices.weekends_off,
    }
    form: list[AnyField] = [
        FormChoice(label=words("new_table.game"), options=_game_options(new, words)),
        FormField(
            label=words("new_table.clock"),
            value=written_clock(terms.clock, words),
            most=40,
            hint=words("new_table.clock_hint"),
        ),
        FormField(
            label=words("new_table.seats"),
            value=str(choices.seats or ""),
            most=MAX_NUMBER_LENGTH,
            hint=words("new_table.seats_hint", least=terms.variant.min_seats, most=terms.variant.max_seats),
            optional=True,
        ),
        FormChoice(label=words("new_table.company"), options=_companies(new, words)),
        FormChoice(label=words("new_table.also"), options=_ticks(also, words), several=True),
    ]
    return NewTableForm(ask="new_table", answer="new_tabled", fields=form)


def money_form(new: NewTablePage, words: Words) -> NewTableForm:
    """Return the form for stakes, buy-in and limits on wins."""
    terms, choices = new.offer.terms, new.choices
    levels, cap = terms.limits.levels, terms.limits.win_cap
    typed = ",".join(map(str, levels))
    form: list[AnyField] = [
        FormField(
            label=words("new_table.stakes"),
            value=str(terms.point_value),
            most=MAX_NUMBER_LENGTH,
            hint=words("new_table.stakes_hint"),
        ),
        FormField(
            label=words("new_table.buy_in"),
            value=str(choices.buy_in or ""),
            most=MAX_NUMBER_LENGTH,
            hint=words("new_table.buy_in_hint"),
            optional=True,
        ),
        FormField(
            label=words("new_table.levels"),
            value=words("new_table.levels_typed", levels=typed, count=terms.limits.level_hands) if levels else "",
            most=100,
            hint=words("new_table.levels_hint"),
            optional=True,
        ),
        FormChoice(
            label=words("new_table.win_cap"),
            options=[
                SelectOption(label=words(f"lobby.win_cap.{one.value}"), value=one.value, default=one is cap)
                for one in WinCap
            ],
        ),
        FormChoice(
            label=words("new_table.also"),
            options=_ticks({"bust_is_final": choices.bust_is_final, "no_top_ups": choices.no_top_ups}, words),
            several=True,
        ),
    ]
    return NewTableForm(ask="new_money", answer="new_moneyed", fields=form)


def with_table(form: NewTableForm, before: TableChoices, least: int, most: int) -> TableChoices:
    """Return the choices after the form *Table* was submitted; raises Refused for invalid values.

    ``least`` and ``most`` limit the number of seats.
    """
    now = before
    if (game := form.changed(0)) is not None:
        now = chosen(now, "new_game", game)
    if (clock := form.changed(1)) is not None:
        now = replace(now, clock=clock_typed(clock))
    if (seats := form.changed(2)) is not None:
        now = replace(now, seats=_seats_typed(seats, least, most) if seats else None)
    if (company := form.changed(3)) is not None:
        now = chosen(now, "new_company", company)
    ticked = picked_values(form.values[4])
    return replace(
        now,
        open_discards="open_discards" in ticked,
        quiet="quiet" in ticked,
        weekends_off="weekends_off" in ticked,
    )


def with_money(form: NewTableForm, before: TableChoices) -> TableChoices:
    """Return the choices after the form *Stakes and chips* was submitted; raises Refused for invalid values."""
    now = before
    if (stakes := form.changed(0)) is not None:
        now = replace(now, point_value=stakes_typed(stakes), levels=(), level_hands=None)
    if (buy_in := form.changed(1)) is not None:
        now = replace(now, buy_in=_buy_in_typed(buy_in) if buy_in else None)
    if (levels := form.changed(2)) is not None:
        values, hands = levels_typed(levels) if levels else ((), None)
        now = replace(now, levels=values, level_hands=hands)
    if (cap := form.changed(3)) is not None:
        now = replace(now, win_cap=WinCap(cap))
    ticked = picked_values(form.values[4])
    return replace(now, bust_is_final="bust_is_final" in ticked, no_top_ups="no_top_ups" in ticked)


def clock_typed(text: str) -> Clock:
    """Parse ``30s``, ``live 2m``, ``12h`` or ``none`` as a clock; raises Refused."""
    clock = parse_clock(text)
    if clock is None:
        raise Refused(TableReason.BAD_CLOCK)
    return clock


def stakes_typed(text: str) -> int:
    """Parse chips per point; raises Refused."""
    stakes = _number(text)
    if stakes is None or stakes > MAX_POINT_VALUE:
        raise Refused(TableReason.BAD_STAKES, least=0, most=MAX_POINT_VALUE)
    return stakes


def _buy_in_typed(text: str) -> int:
    buy_in = _number(text)
    if buy_in is None or not 1 <= buy_in <= MAX_BUY_IN:
        raise Refused(TableReason.BAD_BUY_IN, least=1, most=MAX_BUY_IN)
    return buy_in


def _seats_typed(text: str, least: int, most: int) -> int:
    seats = _number(text)
    if seats is None or not least <= seats <= most:
        raise Refused(TableReason.TOO_MANY_SEATS, least=least, most=most)
    return seats


_LEVELS = re.compile(r"(\d+\w?(?:\s*[,、]\s*\d+\w?)*)\s*(?:\D*?(\d{1,3})\D*)?")
"""Point values separated by commas, then optionally the number of hands per level, with any words around it."""


def levels_typed(text: str) -> tuple[tuple[int, ...], int | None]:
    """Parse ``50,100,200 every 4`` as point values and hands per level (None if omitted); raises Refused."""
    match = _LEVELS.fullmatch(unicodedata.normalize("NFKC", text).strip())
    hands = int(match[2]) if match and match[2] else None
    if match is None or (hands is not None and not 1 <= hands <= MAX_HANDS_PER_LEVEL):
        raise Refused(TableReason.BAD_LEVELS)
    values = [_number(part) for part in re.split(r"\s*[,、]\s*", match[1])]
    if not all(value is not None and 1 <= value <= MAX_POINT_VALUE for value in values):
        raise Refused(TableReason.BAD_LEVELS)
    return tuple(value for value in values if value is not None), hands


def _number(text: str) -> int | None:
    """Parse a number as people write it; None if it isn't one or if it's negative."""
    number = whole_number(text)
    return None if number is None or number < 0 else number


def _ticks(ticked: dict[str, bool], words: Words) -> list[SelectOption]:
    return [
        SelectOption(label=words(f"new_table.tick.{name}"), value=name, default=now) for name, now in ticked.items()
    ]


def _game_options(new: NewTablePage, words: Words) -> list[SelectOption]:
    """Return the presets and the server's games, up to a menu's limit. The table's own game is always included."""
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
    own = [
        SelectOption(label=own.name[:100], value=OWN + game_tag(own.name), default=own.name == game.house_name)
        for own in new.games
    ]
    own.sort(key=lambda option: not option.default)
    return [*presets, *own][:MAX_OPTIONS]


def _players(game: Variant, words: Words) -> str:
    if game.min_seats == game.max_seats:
        return words("table.players", count=game.max_seats)
    return words("new_table.players", least=game.min_seats, most=game.max_seats)


def _companies(new: NewTablePage, words: Words) -> list[SelectOption]:
    """Return the option without computers, then each level with every number that leaves the host a seat.

    The current choice is always included.
    """
    chosen_now = new.choices.company
    nobody = SelectOption(label=words("new_table.no_computers"), value="0", default=not chosen_now)
    seats = new.offer.terms.max_seats
    return [
        nobody,
        *(
            SelectOption(label=capital(_company(place, words)), value=str(place), default=place == chosen_now)
            for place, (_, number) in enumerate(COMPANIES, start=1)
            if number < seats or place == chosen_now
        ),
    ]
