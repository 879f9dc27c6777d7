"""The buttons and forms of acts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from discord import ButtonStyle, SelectOption, ui

from bot.chat.kit.acts.act import EVERYTHING, ActField, ActInputs, Confirmation, Option, T, TypedAct
from bot.chat.kit.acts.fields import player_meant, shown, the_one_meant
from bot.chat.kit.acts.matching import MAX_INITIAL_SUGGESTIONS, MAX_LABEL_LENGTH, PossibleAct, likely
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import FOUL_COLOUR, MAX_OPTIONS, QUIET_COLOUR
from bot.chat.kit.modals import AnyField, FormChoice, FormField, FormPick, PickKind, modal
from bot.chat.kit.reply import Reply
from bot.chat.kit.widgets import Part, Screen, button, button_rows, screen, text
from bot.model.ids import TableId
from bot.pure.ofc.refusals import Refused
from bot.text.words import Words, escape_name

MAX_OPTION_LENGTH = 100
MAX_LIST_LENGTH = 3_500
"""Maximum length of the list of all acts. Discord allows 4,000 characters in a message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verbs:
    """The verbs of a command's buttons, derived from the command's own verb."""

    own: str
    """Run an act, or ask for missing values. Buttons carry the act as their argument."""

    @property
    def ask(self) -> str:
        """Open an act's form, even if no value is missing."""
        return f"{self.own}_ask"

    @property
    def form(self) -> str:
        """Submit an act's form."""
        return f"{self.own}_form"

    @property
    def yes(self) -> str:
        """Confirm an act."""
        return f"{self.own}_yes"


def act_press(verb: str, act: TypedAct[T], target: T, *, terms: str = "") -> Press:
    """Return the press for an act's button, with the ``terms`` shown next to it."""
    return Press(verb=verb, table=TableId(target.number), tag=target.tag, argument=act.key, terms=terms)


def offers_screen(said: str, offers: Sequence[PossibleAct[T]], given: ActInputs, verbs: Verbs, words: Words) -> Screen:
    """Return ``said`` with a button per offered act, and the values typed so far."""
    return screen(*_parts(said, given, words), *button_rows(_buttons(offers, verbs)), colour=QUIET_COLOUR)


def everything_screen(offers: Sequence[PossibleAct[T]], verbs: Verbs, words: Words) -> Screen:
    """Return all acts as sentences, with buttons for the likely ones."""
    told = [offer for offer in offers if offer.act.key != EVERYTHING and offer.act.listed(offer.target)]
    lines, room = list[str](), MAX_LIST_LENGTH
    for offer in told:
        line = words("acts.everything.line", act=escape_name(offer.label), says=words(offer.act.says))
        room -= len(line) + 1
        if room < 0:
            lines.append(words("acts.everything.more", count=len(told) - len(lines)))
            break
        lines.append(line)
    if not lines:
        return screen(words("acts.cannot"), colour=QUIET_COLOUR)
    return screen("\n".join(lines), *button_rows(_buttons(likely(told), verbs)), colour=QUIET_COLOUR)


def _buttons(offers: Sequence[PossibleAct[T]], verbs: Verbs) -> list[Part]:
    return [
        button(act_press(verbs.own, one.act, one.target), one.short_label) for one in offers[:MAX_INITIAL_SUGGESTIONS]
    ]


def refused_screen(
    said: str, act: TypedAct[T], target: T, given: ActInputs, verbs: Verbs, words: Words, *, names: Mapping[Option, str]
) -> Screen:
    """Return the reason for a refusal, with the typed values and a button that opens the act's form."""
    parts = _parts(said, given, words, names)
    if act.asks:
        again = button(act_press(verbs.ask, act, target), words("gate.open_form"), style=ButtonStyle.primary)
        parts = [*parts, words("gate.form_kept"), *button_rows([again])]
    return screen(*parts, colour=FOUL_COLOUR)


def sure_screen(means: str, act: TypedAct[T], target: T, verbs: Verbs, words: Words) -> Screen:
    """Return the confirmation question of an act."""
    yes = button(act_press(verbs.yes, act, target), words(act.name), style=ButtonStyle.danger)
    return screen(*filter(None, (means, words("acts.sure"))), *button_rows([yes]), colour=FOUL_COLOUR)


def question_screen(
    question: Confirmation,
    act: TypedAct[T],
    target: T,
    given: ActInputs,
    verbs: Verbs,
    words: Words,
    *,
    names: Mapping[Option, str],
) -> Screen:
    """Return the question that is asked once before an act, with the typed values and the button that runs the act."""
    press = act_press(verbs.yes, act, target, terms=question.terms)
    yes = button(press, (question.label or words(act.name))[:MAX_LABEL_LENGTH], style=question.style)
    colour = FOUL_COLOUR if question.style is ButtonStyle.danger else QUIET_COLOUR
    said = f"{question.said}\n{words('acts.again')}"
    return screen(*_parts(said, given, words, names), *button_rows([yes]), colour=colour)


def _parts(said: str, given: ActInputs, words: Words, names: Mapping[Option, str] | None = None) -> list[str | Part]:
    typed = shown(given, words, names)
    return [said, text(typed)] if typed else [said]


def form(
    act: TypedAct[T], reply: Reply, target: T, given: ActInputs, verbs: Verbs, *, means: str = "", terms: str = ""
) -> ui.Modal:
    """Return the act's form, filled in with the known values. ``terms`` are those that ``means`` describes."""
    fields = [_field(asked, reply, target, given) for asked in act.asks]
    title = reply.words.facts(filter(None, (reply.words(act.name), target.name)))
    return modal(act_press(verbs.form, act, target, terms=terms), title, fields, said=means)


def _field(asked: ActField[T], reply: Reply, target: T, given: ActInputs) -> AnyField:
    words, typed = reply.words, given.of(asked.option)
    label, hint = words(asked.label), words(asked.hint) if asked.hint else ""
    named = [] if asked.choices is None else list(asked.choices(reply, target))
    if asked.option is Option.PLAYER and asked.members:
        chosen = _read(lambda: player_meant(typed, named, words, anyone=True))
        people = [int(chosen)] if chosen.isdecimal() else []
        return FormPick(label=label, kind=PickKind.USER, chosen=people, hint=hint, optional=asked.optional)
    if 0 < len(named) <= MAX_OPTIONS and not (asked.anyone or asked.free):
        chosen = _read(
            lambda: (
                player_meant(typed, named, words)
                if asked.option is Option.PLAYER
                else the_one_meant(typed, named, words)
            )
        )
        options = [
            SelectOption(
                label=one.name[:MAX_OPTION_LENGTH], value=one.value[:MAX_OPTION_LENGTH], default=one.value == chosen
            )
            for one in named
        ]
        return FormChoice(label=label, options=options, hint=hint, optional=asked.optional)
    return FormField(
        label=label,
        value=typed[: asked.max_length],
        most=asked.max_length,
        long=asked.long,
        hint=hint,
        optional=asked.optional,
        required=not asked.optional,
    )


def _read(read: Callable[[], str]) -> str:
    try:
        return read()
    except Refused:
        return ""
