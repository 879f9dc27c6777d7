"""Filling in one field of a form that a button opens. Other fields are submitted unchanged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from tests.discord.club import RADIOS, TEXT_INPUT, Club, Screen
from tests.discord.forge import deliver, forged_press

FIELDS = {
    "game": ("su_stakes", "setup.form_game"),
    "stakes": ("su_stakes", "setup.form_point_value"),
    "clock": ("su_stakes", "setup.form_clock"),
    "channels": ("su_stakes", "setup.form_channels"),
    "threads": ("su_stakes", "setup.threads.label"),
    "host role": ("su_roles", "setup.form_host.label"),
    "organiser role": ("su_roles", "setup.form_organiser.label"),
    "stand-ins": ("su_roles", "setup.stand_ins.label"),
    "told role": ("su_roles", "setup.form_told.label"),
    "event role": ("su_roles", "setup.form_event.label"),
    "language": ("su_zone", "setup.form_language"),
    "champion role": ("season_name", "season.role_field"),
    "season channel": ("season_name", "season.channel_field"),
    "season title": ("season_name", "season.title_field"),
    "season begins": ("season_name", "season.begins"),
    "season chips": ("season_name", "season.chips"),
    "log channel": ("bank_change", "bank.terms.form.audit_channel"),
    "zone": ("su_zone", "hours.zone.form_field"),
    "cards": ("su_zone", "setup.cards.label"),
    "page channel": ("po_page", "posts.channel_choose"),
    "page order": ("po_page", "leaderboard.choose_by"),
    "page span": ("po_page", "leaderboard.choose_span"),
    "page game": ("po_page", "leaderboard.choose_game"),
    "page layout": ("po_page", "club.layout"),
    "post channel": ("po_post", "posts.channel_choose"),
    "post hour": ("po_post", "posts.hour_choose"),
    "post day": ("po_post", "posts.form_day"),
    "post words": ("po_post", "posts.in_words.label"),
    "post puzzle": ("po_post", "posts.puzzle.label"),
}
"""The verb of the button, and the key of the field's label."""


async def enter(
    club: Club, name: str, page: Screen, field: str, things: Sequence[Any] | str, argument: str | None = None
) -> Screen:
    """Open the form behind a button, fill in a field and send it; returns the answer."""
    verb, key = FIELDS[field]
    form = await club.ask(name, page, page.find(verb, argument))
    assert form.modal is not None
    named = {words_for(code)(key) for code in LANGUAGES}
    (label,) = (label for label in form.modal["components"] if label.get("label") in named)
    one = label["component"]["type"] in (RADIOS, TEXT_INPUT)
    return await club.send(name, form, {label["label"]: things[0] if one and not isinstance(things, str) else things})


async def enter_in_setup(club: Club, name: str, field: str, things: Sequence[Any] | str) -> Screen:
    """Fill in a field on the page of `/setup`."""
    return await enter(club, name, await club.slash(name, "setup"), field, things)


async def posts_page(club: Club, name: str = "alice") -> Screen:
    """The page of the club page and the posts, as an answer of the form or an older message leads to it."""
    page = await club.slash(name, "setup")
    press = forged_press(club, name, page, "c1:posts:0:0:0:::")
    await deliver(press)
    return press.answers[0]


async def take_vacation(club: Club, name: str, until: str, begins: str = "") -> Screen:
    """Fill in the form of a vacation."""
    words, page = club.words(name), await settings_page(club, name, "vacation")
    page = await club.tap(name, page, page.find("vacation"))
    form = await club.ask(name, page, page.find("vacation_ask"))
    return await club.send(name, form, {words("vacation.until"): until, words("vacation.begins"): begins})


SETTINGS_OF = {
    "wish_reading": ("wish_language", "wish_cards", "wish_size"),
    "wish_pings": ("calls", "reminders", "news", "wish_series", "hours", "vacation"),
    "wish_playing": ("wish_confirm", "wish_mistakes", "apart_list", "pages_close", "stream_off"),
    "wish_data": ("wish_profile", "wish_shared", "wish_puzzles", "own_export", "own_ask"),
}
"""The controls on the page of each topic of the settings."""


async def settings_page(club: Club, name: str, verb: str = "") -> Screen:
    """The settings, or the page of the topic that has a control."""
    settings = await club.slash(name, "ofc settings")
    topic = next((topic for topic, verbs in SETTINGS_OF.items() if verb in verbs), "")
    return await club.tap(name, settings, settings.find(topic)) if topic else settings
