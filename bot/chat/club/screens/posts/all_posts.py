"""The form that puts the club page and both posts in one channel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from discord import SelectOption

from bot.chat.club.screens.leaderboard import chosen_order, orders_to_choose
from bot.chat.club.screens.posts.forms import HOURS, day_options, hour_options, number_in
from bot.chat.kit.choice_form import ChoiceForm, FormRow
from bot.chat.kit.choice_page import Change, ChoiceError, PageState
from bot.chat.kit.modals import AnyField, FormChoice, FormPick, PickKind, still_known
from bot.chat.kit.presses import first_picked, picked_values
from bot.model.bulletins import WEEK_DAYS, BulletinKind
from bot.model.posts import PAGE, PUZZLE, Posts
from bot.text.zones import zone_name

MORNING, RECAP = BulletinKind.MORNING.value, BulletinKind.RECAP.value
POSTED = (PAGE, MORNING, PUZZLE, RECAP)


@dataclass(frozen=True, slots=True, kw_only=True)
class PostsContext:
    """A server's channels and time zone."""

    zone: str
    known: frozenset[int] = frozenset()
    require: Callable[[int], None] = lambda channel: None
    """Raises ChoiceError or Refused if the bot can't keep a post in the channel."""


State = PageState[Posts, PostsContext]


def _channel(state: State) -> AnyField:
    channel = state.record.channel
    return FormPick(
        label=state.words("posts.form_channel"),
        kind=PickKind.CHANNEL,
        chosen=still_known(channel, state.context.known),
        optional=bool(state.record.standing),
    )


def _with_channel(value: str, state: State) -> Change[Posts]:
    channel = first_picked(value, state.context.known)
    return lambda before: replace(before, channel=channel)


def _posts_field(state: State) -> AnyField:
    """Return the field for the posts to show. If there are none yet, all are ticked but the puzzle."""
    words, standing = state.words, state.record.standing
    options = [
        SelectOption(label=words(f"posts.what.{one}"), value=one, default=one in (standing or {*POSTED} - {PUZZLE}))
        for one in POSTED
    ]
    hint = words("posts.form_what_hint")
    return FormChoice(label=words("posts.form_what"), options=options, hint=hint, several=True)


def _with_what(value: str, state: State) -> Change[Posts]:
    """Choose which posts go into the form's channel. Raises ChoiceError or Refused."""
    standing = frozenset(one for one in picked_values(value) if one in POSTED)
    if PUZZLE in standing and MORNING not in standing:
        raise ChoiceError("posts.puzzle.needs_morning")

    def change(before: Posts) -> Posts:
        if not standing:
            return replace(before, standing=standing, channel=None)
        if before.channel is None:
            raise ChoiceError("posts.no_channel")
        state.context.require(before.channel)
        return replace(before, standing=standing)

    return change


def _hour(state: State) -> AnyField:
    words = state.words
    return FormChoice(
        label=words("posts.form_hour"),
        options=hour_options(state.record.hour, words),
        hint=words("posts.form_hour_hint", zone=zone_name(state.context.zone, words)),
    )


def _with_hour(value: str, state: State) -> Change[Posts]:
    hour = number_in(value, HOURS)
    return lambda before: before if hour is None else replace(before, hour=hour)


def _day(state: State) -> AnyField:
    words = state.words
    return FormChoice(label=words("posts.form_day"), options=day_options(state.record.weekday, words))


def _with_day(value: str, state: State) -> Change[Posts]:
    day = number_in(value, range(WEEK_DAYS))
    return lambda before: before if day is None else replace(before, weekday=day)


def _order(state: State) -> AnyField:
    words = state.words
    return FormChoice(label=words("posts.form_order"), options=orders_to_choose(state.record.order, words))


def _with_order(value: str, state: State) -> Change[Posts]:
    return lambda before: replace(before, order=chosen_order(value, before.order))


ALL_POSTS: ChoiceForm[Posts, PostsContext] = ChoiceForm(
    of=Posts,
    title="posts.title",
    ask="po_form",
    answer="po_formed",
    rows=[
        FormRow(fields=("channel",), draw=_channel, read=_with_channel),
        FormRow(fields=("standing", "channel"), draw=_posts_field, read=_with_what),
        FormRow(fields=("hour",), draw=_hour, read=_with_hour),
        FormRow(fields=("weekday",), draw=_day, read=_with_day),
        FormRow(fields=("order",), draw=_order, read=_with_order),
    ],
)
