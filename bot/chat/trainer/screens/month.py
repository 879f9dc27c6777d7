"""The month of *My mistakes*: points lost per decision by street, theme and month, as a picture and in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from discord import ButtonStyle

from bot.chat.art.mistake_month import DrawnBar, DrawnBars, DrawnMonth
from bot.chat.kit.fragments import NOWHERE, QUIET_COLOUR, RESULT_COLOUR
from bot.chat.kit.widgets import Part, Screen, apart, button, button_rows, gallery, screen
from bot.chat.trainer.screens.mistakes import about_mistake
from bot.model.mistakes import NO_MISTAKE, LossCount
from bot.play.trainer.mistake_views import MonthView
from bot.pure.trainer.themes import Theme
from bot.text.badges import month_name
from bot.text.words import Words

PICTURE: Final = "mistakes.png"


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthLoss:
    """Points lost per decision: of a street, a theme or a month."""

    label: str
    points: float
    before: float | None = None
    """In the months before, on average; None if there is nothing to compare with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthSummary:
    """Content of the picture."""

    month: int
    """Start of the month (ms)."""
    decisions: int
    points: float
    before: float | None
    streets: Sequence[MonthLoss]
    themes: Sequence[MonthLoss]
    """The most expensive first."""
    months: Sequence[MonthLoss]
    """The oldest first. Months without decisions are left out."""
    worst: Theme | None
    """The theme to train; None if no points were lost to one."""


def month_summary(view: MonthView, words: Words) -> MonthSummary | None:
    """Return the newest month with decisions, compared with those before; None if there is none."""
    newest = min((one.month for one in view.losses), default=None)
    if newest is None:
        return None
    now = [one for one in view.losses if one.month == newest]
    then = [one for one in view.losses if one.month > newest]
    themes = {theme: _lost(one for one in now if one.theme is theme) for theme in Theme}
    whole = _lost(one for one in now if not one.street)
    losses = [(words(f"puzzle.theme.{theme.value}"), lost) for theme, lost in themes.items() if lost]
    losses += [(words("mistakes.month.whole"), whole)] if whole else []
    decisions = sum(one.decisions for one in now)
    months = {month: [one for one in view.losses if one.month == month] for month in range(len(view.starts))}
    worst = max(themes, key=lambda theme: themes[theme])
    return MonthSummary(
        month=view.starts[newest],
        decisions=decisions,
        points=_each(now) or 0.0,
        before=_each(then),
        streets=[
            MonthLoss(
                label=words("review.street", street=street) if street else words("mistakes.month.whole"),
                points=_each(one for one in now if one.street == street) or 0.0,
                before=_each(one for one in then if one.street == street),
            )
            for street in sorted({one.street for one in now}, key=lambda street: street or 99)
        ],
        themes=[
            MonthLoss(label=label, points=lost / decisions)
            for label, lost in sorted(losses, key=lambda loss: -loss[1])
            if round(100 * lost / decisions)
        ],
        months=[
            MonthLoss(label=month_name(view.starts[month], words), points=points)
            for month in sorted(months, reverse=True)
            if (points := _each(months[month])) is not None
        ],
        worst=worst if themes[worst] else None,
    )


def _lost(losses: Iterable[LossCount]) -> float:
    return sum(one.lost for one in losses) / 100


def _each(losses: Iterable[LossCount]) -> float | None:
    """Return the points lost per decision; None if there are no decisions."""
    found = list(losses)
    decisions = sum(one.decisions for one in found)
    return _lost(found) / decisions if decisions else None


def month_screen(found: MonthSummary | None, words: Words, *, picture: str = "") -> Screen:
    """Draw the month. ``picture`` describes the attached picture, which replaces the text."""
    back = button(NOWHERE.but("mi_open"), words("ways.button.mistakes"))
    if found is None:
        return screen(words("mistakes.month.nothing"), *button_rows([back]), colour=QUIET_COLOUR)
    head = f"### {_title(found, words)}"
    told: list[str | Part] = [head, gallery(PICTURE, description=picture)] if picture else _in_parts(found, words)
    if found.worst is not None:
        told.append(words("mistakes.month.advice", theme=words(f"puzzle.theme.{found.worst.value}")))
    return screen(*told, *button_rows([*_training(found.worst, words), back]), colour=RESULT_COLOUR)


def _training(theme: Theme | None, words: Words) -> list[Part]:
    """Return the button that limits puzzles to a theme and gives one."""
    if theme is None:
        return []
    label = words("mistakes.month.train", theme=words(f"puzzle.theme.{theme.value}"))
    return [button(about_mistake(NO_MISTAKE, "theme", theme.value), label, style=ButtonStyle.success)]


def _title(found: MonthSummary, words: Words) -> str:
    return words("mistakes.month.title", month=month_name(found.month, words))


def _points(points: float, words: Words) -> str:
    return words.decimal(points, decimals=2)


def _total(found: MonthSummary, words: Words) -> list[str]:
    """Return the points per decision, and how they compare with the months before."""
    told = [words("mistakes.month.total", points=_points(found.points, words), count=found.decisions)]
    if found.before is not None:
        change = round(100 * found.points) - round(100 * found.before)
        key = "same" if not change else "less" if change < 0 else "more"
        told.append(words(f"mistakes.month.{key}", points=_points(abs(change) / 100, words)))
    return told


def _sections(found: MonthSummary, words: Words) -> list[tuple[str, Sequence[MonthLoss], str]]:
    """Return the heading, the losses and the note of each section."""
    months = found.months if len(found.months) > 1 else ()
    note = words("mistakes.month.streets_note")
    sections = {"streets": (found.streets, note), "themes": (found.themes, ""), "months": (months, "")}
    return [(words(f"mistakes.month.{name}"), losses, note) for name, (losses, note) in sections.items() if losses]


def _line(loss: MonthLoss, words: Words) -> str:
    if loss.before is None:
        return words("mistakes.month.line", label=loss.label, points=_points(loss.points, words))
    before = _points(loss.before, words)
    return words("mistakes.month.line_before", label=loss.label, points=_points(loss.points, words), before=before)


def _in_parts(found: MonthSummary, words: Words) -> list[str | Part]:
    blocks = ["\n".join([f"### {_title(found, words)}", *_total(found, words)])]
    blocks += [
        "\n".join([f"**{heading}**", *(_line(loss, words) for loss in losses), *([f"-# {note}"] if note else [])])
        for heading, losses, note in _sections(found, words)
    ]
    return apart(blocks)


# The picture


def drawn_on(found: MonthSummary, words: Words) -> DrawnMonth:
    """Return the picture's content."""
    sections = [
        DrawnBars(
            heading=heading,
            bars=tuple(
                DrawnBar(
                    label=loss.label,
                    value=loss.points,
                    shown=_points(loss.points, words),
                    before=loss.before,
                    pale=losses is found.months and loss is not found.months[-1],
                )
                for loss in losses
            ),
            key=words("mistakes.month.key") if any(loss.before is not None for loss in losses) else "",
            note=note,
        )
        for heading, losses, note in _sections(found, words)
    ]
    return DrawnMonth(title=_title(found, words), lines=tuple(_total(found, words)), sections=tuple(sections))


def in_words(found: MonthSummary, words: Words) -> str:
    """Return the picture as plain text for screen readers."""
    told = [*_total(found, words)]
    for heading, losses, note in _sections(found, words):
        lines = words.facts([_line(loss, words) for loss in losses])
        told += [words("mistakes.month.section", heading=heading, lines=lines), *([note] if note else [])]
    return words.side_by_side(told)
