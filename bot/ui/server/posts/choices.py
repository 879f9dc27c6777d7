"""Where those who manage a server choose its morning post and its weekly recap."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace

from discord import ButtonStyle, SelectOption

from bot.model.bulletins import WEEK_DAYS, Bulletin, Kind
from bot.model.ids import TableId
from bot.model.standings import ClubPage
from bot.text.words import Words
from bot.text.zones import zone_name
from bot.ui.custom_ids import Press
from bot.ui.fragments import NOWHERE, TABLE_COLOUR, day_of
from bot.ui.modals import AnyField, FormChoice, FormPick, Named
from bot.ui.server.settings import hour_text
from bot.ui.server.setup import languages
from bot.ui.widgets import Part, Screen, button, channel_select, rows_of, screen, section, select, separator

HERE = Press(verb="posts", table=TableId(0))
"""The page of choices."""
HOURS = range(24)


def choices_screen(
    bulletins: Mapping[Kind, Bulletin], words: Words, *, now: int, stands: Mapping[Kind, bool], told: str = ""
) -> Screen:
    """Both posts with a menu for each choice. ``told`` says what came of what was chosen.

    ``stands`` is False for one whose channel is gone: a menu that names it is refused by Discord.
    """
    parts: list[str | Part] = [
        "\n".join([f"### {words('posts.title')}", words("posts.hint"), *([told] if told else [])])
    ]
    ways = [button(NOWHERE.but("set_up"), words("setup.back"))]
    for kind, bulletin in bulletins.items():
        parts += [separator(line=True), *_choices(bulletin, words, now=now, stands=stands[kind])]
        if bulletin.channel is not None:
            off = button(HERE.but("po_off", kind.value), words(f"posts.{kind.value}.off"), style=ButtonStyle.danger)
            ways.insert(-1, off)
    return screen(*parts, *rows_of(ways), colour=TABLE_COLOUR)


# All of it in one channel, by one form.

PAGE = "page"
"""The club page, among what is posted; beside it the kinds of posts."""


def form_fields(
    page: ClubPage | None,
    bulletins: Mapping[Kind, Bulletin],
    words: Words,
    *,
    known: Container[int],
    zone: str,
    language: str | None,
) -> list[AnyField]:
    """The channel, what is posted there, the hour of both posts, the day of the recap, and the language of all.

    What is posted already is ticked; where nothing is, all of it, and a channel has to be chosen. A channel that is
    gone is not ``known``. The hours are those of a ``zone``. Without a ``language`` it is the one that Discord tells.
    """
    held = {PAGE: None if page is None else page.channel}
    held |= {kind.value: bulletins[kind].channel for kind in Kind}
    places = [channel for channel in held.values() if channel is not None]
    morning, recap = bulletins[Kind.MORNING], bulletins[Kind.RECAP]
    what = [
        SelectOption(label=words(f"posts.what.{one}"), value=one, default=not places or channel is not None)
        for one, channel in held.items()
    ]
    return [
        FormPick(
            label=words("posts.form_channel"),
            kind=Named.CHANNEL,
            chosen=[one for one in places if one in known][:1],
            optional=bool(places),
        ),
        FormChoice(label=words("posts.form_what"), options=what, hint=words("posts.form_what_hint"), several=True),
        FormChoice(
            label=words("posts.form_hour"),
            options=_hours(morning.hour, words),
            hint=words("posts.form_hour_hint", zone=zone_name(zone, words)),
        ),
        FormChoice(label=words("posts.form_day"), options=_days(recap.weekday, words)),
        FormChoice(label=words("setup.form_language"), options=languages(language, words)),
    ]


def _hours(now: int, words: Words) -> list[SelectOption]:
    return [
        SelectOption(label=words("posts.hour", time=hour_text(hour, words)), value=str(hour), default=hour == now)
        for hour in HOURS
    ]


def _days(now: int, words: Words) -> list[SelectOption]:
    return [
        SelectOption(label=words(f"posts.weekday.{day}"), value=str(day), default=day == now)
        for day in range(WEEK_DAYS)
    ]


def _choices(bulletin: Bulletin, words: Words, *, now: int, stands: bool) -> list[str | Part]:
    kind, channel = bulletin.kind.value, bulletin.channel
    lines = [words(f"posts.{kind}.about")]
    if channel is None:
        lines.append(words("posts.nowhere"))
    else:
        following, zone = bulletin.next_after(now), zone_name(bulletin.zone, words)
        lines.append(words("posts.where", channel=channel, next=day_of(following), zone=zone))
    parts: list[str | Part] = [
        "\n".join(lines),
        channel_select(
            HERE.but("po_channel", kind),
            chosen=[channel] if channel is not None and stands else [],
            placeholder=words("posts.channel_choose"),
        ),
    ]
    if channel is None:
        return parts
    hours = _hours(bulletin.hour, words)
    parts.append(select(HERE.but("po_hour", kind), hours, placeholder=words("posts.hour_choose")))
    if bulletin.kind is Kind.RECAP:
        days = _days(bulletin.weekday, words)
        parts += [select(HERE.but("po_day"), days, placeholder=words("posts.day_choose")), _in_words(bulletin, words)]
    return parts


def _in_words(bulletin: Bulletin, words: Words) -> Part:
    state = "on" if bulletin.in_words else "off"
    press = replace(HERE.but("po_words"), hand=int(not bulletin.in_words))
    return section(words(f"posts.in_words.{state}"), button(press, words(f"posts.in_words.turn_{state}")))
