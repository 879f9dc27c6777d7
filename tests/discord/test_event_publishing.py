"""Publishing an event is one post. Its fingerprints are in a thread below it before anyone can register."""

from __future__ import annotations

from typing import Any

from bot.model.events import Official
from bot.pure.event.structure import PRESETS
from bot.text.fingerprint import fingerprint
from bot.text.words import words_for
from tests.discord.club import Club
from tests.discord.messages import text_of
from tests.in_turn import in_turn
from tests.traffic import hold


def requests_of(club: Club, *parts: str) -> list[Any]:
    """The bot's posts and edits whose path contains one of these."""
    return [one for one in club.backend.http_requests if any(part in one.path for part in parts)]


@in_turn("language", "en", "ja")
async def test_publishing_is_one_post_with_the_fingerprints_in_a_thread_below(club: Club, language: str) -> None:
    words = words_for(language)
    event = await hold(club, PRESETS["chaipo"], 3, language=language)
    (shown,) = club.public()
    assert shown.has("ev_register")
    view = await club.bot.services.events.look(event.key)
    assert view.event.message == shown.id
    thread = club.backend.get_channel(shown.id)
    assert (thread.name, thread.parent_id) == (words("event_notice.thread", name=event.name), club.channel.id)
    ((number, fixed),) = club.backend.messages[thread.id].items()
    text = text_of(fixed.components)
    assert all(fingerprint(one) in text for one in (event.commitment, event.board_commitment))
    await club.pass_hours(50 * 60)
    assert not requests_of(club, f"/channels/{thread.id}/messages/{number}"), "it's never edited"


async def test_the_button_to_register_comes_after_the_fingerprints(club: Club) -> None:
    event = await hold(club, PRESETS["chaipo"], 0)
    posted = (await club.bot.services.events.look(event.key)).event.message
    here = f"/channels/{club.channel.id}/messages"
    asked = [one for one in club.backend.http_requests if one.method in ("POST", "PATCH") and "/channels/" in one.path]
    order = [(one.method, one.path, ":ev_register:" in str(one.json)) for one in asked]
    assert order[:4] == [
        ("POST", here, False),
        ("POST", f"{here}/{posted}/threads", False),
        ("POST", f"/channels/{posted}/messages", False),
        ("PATCH", f"{here}/{posted}", True),
    ]


async def test_without_the_permission_for_threads_the_fingerprints_are_posted_above_the_event(club: Club) -> None:
    club.forbid("create_public_threads")
    event = await hold(club, PRESETS["chaipo"], 0)
    fixed, shown = club.public()
    assert fingerprint(event.commitment) in fixed.text
    assert not fixed.has("ev_register")
    assert shown.has("ev_register")
    assert club.requests("POST", "/threads") == 0


async def test_a_bot_that_stopped_after_the_first_message_goes_on_with_the_thread(club: Club) -> None:
    await hold(club, PRESETS["chaipo"], 0)
    (shown,) = club.public()
    await club.restart()
    await club.settle()
    assert [one.id for one in club.public()] == [shown.id]
    assert club.requests("POST", "/threads") == 1


async def test_an_event_that_is_cancelled_before_its_message_could_be_posted_still_gets_one(club: Club) -> None:
    here = f"/channels/{club.channel.id}/messages"
    fault = {"method": "POST", "path": here, "status": 503, "code": 0, "message": "", "times": 9}
    club.backend.faults.append(fault)
    club.forgiven.append("could not be drawn")
    event = await hold(club, PRESETS["chaipo"], 0)
    assert club.public() == [], "Discord refuses the message"
    organiser = Official(player=event.organiser)
    await club.bot.services.events.cancel(event.key, organiser, why="rain", cause="cancelled")
    await club.settle()
    club.backend.faults.clear()
    await club.pass_time(31)
    shown, notice = club.public()
    assert shown.has("ev_details")
    assert not shown.has("ev_register")
    assert (await club.bot.services.events.look(event.key)).event.message == shown.id
    (fixed,) = club.backend.messages[shown.id].values()
    assert fingerprint(event.commitment) in text_of(fixed.components), "in the thread below"
    assert notice.has("ev_again")
