"""The managers' forms for the club page, the morning post and the recap."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from discord import SelectOption

from bot.chat.club.screens.leaderboard import EVERY, chosen_order, orders_to_choose
from bot.chat.club.screens.settings import hour_text
from bot.chat.kit.choice_form import ChoiceForm, FormRow, chosen, empty_value, switch_value
from bot.chat.kit.choice_page import Change, PageState
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.modals import AnyField, FormChoice, FormPick, PickKind, still_known
from bot.chat.kit.presses import BETWEEN, first_picked, picked_values
from bot.model.bulletins import WEEK_DAYS, Bulletin, BulletinKind
from bot.model.standings import CALENDAR, EVERY_GAME, ClubPage, LeaderboardSpan
from bot.pure.ofc.presets import PRESETS
from bot.text.games import preset_name
from bot.text.words import Words

HOURS = range(24)
IN_WORDS, AT_BOTTOM, PUZZLE = "in_words", "at_bottom", "puzzle"


@dataclass(frozen=True, slots=True, kw_only=True)
class Channels:
    """A server's channels."""

    known: frozenset[int] = frozenset()
    require: Callable[[int], None] = lambda channel: None
    """Raises ChoiceError or Refused if the bot can't keep a post in the channel."""


def _pick_channel(channel: int | None, channels: Channels, words: Words) -> FormPick:
    return FormPick(
        label=words("posts.channel_choose"),
        kind=PickKind.CHANNEL,
        chosen=still_known(channel, channels.known),
        hint=words("posts.channel_hint"),
        optional=True,
    )


def _channel(value: str, channels: Channels) -> int | None:
    """Return the chosen channel; None if none was chosen. Raises ChoiceError or Refused."""
    channel = first_picked(value, channels.known)
    if channel is not None:
        channels.require(channel)
    return channel


# The club page. Its channel is 0 if it isn't posted.

PageSight = PageState[ClubPage, Channels]


def _with_page_channel(value: str, state: PageSight) -> Change[ClubPage]:
    channel = _channel(value, state.context) or 0
    return lambda before: replace(before, channel=channel)


def _order(state: PageSight) -> AnyField:
    return FormChoice(
        label=state.words("leaderboard.choose_by"), options=orders_to_choose(state.record.chosen, state.words)
    )


def _with_order(value: str, state: PageSight) -> Change[ClubPage]:
    return lambda before: before.ordered_by(chosen_order(value, before.chosen))


def _span(state: PageSight) -> AnyField:
    words = state.words
    options = [
        SelectOption(label=span_name(span, words), value=span.value, default=span is state.record.span)
        for span in (*CALENDAR, LeaderboardSpan.SEASON)
    ]
    return FormChoice(label=words("leaderboard.choose_span"), options=options)


def span_name(span: LeaderboardSpan, words: Words) -> str:
    """Return the name of a leaderboard's time span."""
    return words(f"leaderboard.span.{span.value}")


def _with_span(value: str, state: PageSight) -> Change[ClubPage]:
    span = next((span for span in (*CALENDAR, LeaderboardSpan.SEASON) if span.value == value), None)
    return lambda before: before if span is None else replace(before, span=span)


def _game(state: PageSight) -> AnyField:
    words, now = state.words, state.record.game
    options = [
        SelectOption(label=words("leaderboard.every_game"), value=EVERY, default=not now),
        *(
            SelectOption(label=preset_name(game, words)[:100], value=key, default=key == now)
            for key, game in PRESETS.items()
        ),
    ]
    return FormChoice(label=words("leaderboard.choose_game"), options=options)


def _with_page_game(value: str, state: PageSight) -> Change[ClubPage]:
    game = value if value in PRESETS else EVERY_GAME
    return lambda before: replace(before, game=game)


def _layout(state: PageSight) -> AnyField:
    words, page = state.words, state.record
    holds = {IN_WORDS: page.in_words, AT_BOTTOM: page.at_bottom}
    options = [SelectOption(label=words(f"club.{name}.turn_on"), value=name, default=on) for name, on in holds.items()]
    return FormChoice(label=words("club.layout"), options=options, several=True)


def _with_layout(value: str, state: PageSight) -> Change[ClubPage]:
    ticked = picked_values(value)
    return lambda before: replace(before, in_words=IN_WORDS in ticked, at_bottom=AT_BOTTOM in ticked)


def _layout_turned(press: Press, values: object, state: PageSight) -> str:
    """Return the layout after one of its switches has been pressed."""
    holds = {IN_WORDS: state.record.in_words, AT_BOTTOM: state.record.at_bottom}
    holds[IN_WORDS if press.argument == IN_WORDS else AT_BOTTOM] = bool(press.hand)
    return BETWEEN.join(name for name, on in holds.items() if on)


CLUB_PAGE: ChoiceForm[ClubPage, Channels] = ChoiceForm(
    of=ClubPage,
    title="club.title",
    ask="po_page",
    answer="po_paged",
    rows=[
        FormRow(
            fields=("channel",),
            draw=lambda state: _pick_channel(state.record.channel or None, state.context, state.words),
            read=_with_page_channel,
            former={"club_channel": chosen, "club_off": empty_value},
        ),
        FormRow(fields=("order", "follows_play"), draw=_order, read=_with_order, former={"club_by": chosen}),
        FormRow(fields=("span",), draw=_span, read=_with_span, former={"club_span": chosen}),
        FormRow(fields=("game",), draw=_game, read=_with_page_game, former={"club_game": chosen}),
        FormRow(
            fields=("in_words", "at_bottom"),
            draw=_layout,
            read=_with_layout,
            former={"club_switch": _layout_turned},
        ),
    ],
)


# The morning post and the recap share a form. Each uses only some of its rows.

PostSight = PageState[Bulletin, Channels]


def hour_options(now: int, words: Words) -> list[SelectOption]:
    """Return the options for a post's hour."""
    return [
        SelectOption(label=words("posts.hour", time=hour_text(hour, words)), value=str(hour), default=hour == now)
        for hour in HOURS
    ]


def day_options(now: int, words: Words) -> list[SelectOption]:
    """Return the options for the recap's weekday."""
    return [
        SelectOption(label=words(f"posts.weekday.{day}"), value=str(day), default=day == now)
        for day in range(WEEK_DAYS)
    ]


def number_in(value: str, among: range) -> int | None:
    """Return the chosen number; None if it isn't one of the options."""
    return next((number for number in among if str(number) == value), None)


def _with_channel(value: str, state: PostSight) -> Change[Bulletin]:
    channel = _channel(value, state.context)
    return lambda before: replace(before, channel=channel)


def _with_hour(value: str, state: PostSight) -> Change[Bulletin]:
    hour = number_in(value, HOURS)
    return lambda before: before if hour is None else replace(before, hour=hour)


def _with_day(value: str, state: PostSight) -> Change[Bulletin]:
    day = number_in(value, range(WEEK_DAYS))
    return lambda before: before if day is None else replace(before, weekday=day)


def _in_words(state: PostSight) -> AnyField:
    words, on = state.words, state.record.in_words
    option = SelectOption(label=words("posts.in_words.turn_on"), value=IN_WORDS, default=on)
    return FormChoice(label=words("posts.in_words.label"), options=[option], several=True)


def _with_words(value: str, state: PostSight) -> Change[Bulletin]:
    on = IN_WORDS in picked_values(value) or value == "1"
    return lambda before: replace(before, in_words=on)


def _is_recap(state: PostSight) -> bool:
    return state.record.kind is BulletinKind.RECAP


def _puzzle(state: PostSight) -> AnyField:
    words, on = state.words, state.record.puzzle
    option = SelectOption(label=words("posts.puzzle.turn_on"), value=PUZZLE, default=on)
    return FormChoice(label=words("posts.puzzle.label"), options=[option], several=True)


def _with_puzzle(value: str, state: PostSight) -> Change[Bulletin]:
    on = PUZZLE in picked_values(value)
    return lambda before: replace(before, puzzle=on)


def _is_morning(state: PostSight) -> bool:
    return state.record.kind is BulletinKind.MORNING


POST: ChoiceForm[Bulletin, Channels] = ChoiceForm(
    of=Bulletin,
    title="posts.one",
    ask="po_post",
    answer="po_posted",
    rows=[
        FormRow(
            fields=("channel",),
            draw=lambda state: _pick_channel(state.record.channel, state.context, state.words),
            read=_with_channel,
            former={"po_channel": chosen, "po_off": empty_value},
        ),
        FormRow(
            fields=("hour",),
            draw=lambda state: FormChoice(
                label=state.words("posts.hour_choose"), options=hour_options(state.record.hour, state.words)
            ),
            read=_with_hour,
            former={"po_hour": chosen},
        ),
        FormRow(
            fields=("weekday",),
            draw=lambda state: FormChoice(
                label=state.words("posts.form_day"), options=day_options(state.record.weekday, state.words)
            ),
            read=_with_day,
            is_shown=_is_recap,
            former={"po_day": chosen},
        ),
        FormRow(
            fields=("in_words",),
            draw=_in_words,
            read=_with_words,
            is_shown=_is_recap,
            former={"po_words": switch_value},
        ),
        FormRow(fields=("puzzle",), draw=_puzzle, read=_with_puzzle, is_shown=_is_morning),
    ],
)
