"""Several actions by one organiser within a minute share a message, unless one of them pings a player."""

from __future__ import annotations

from dataclasses import replace

from bot.model.events import Official
from bot.model.ids import EventKey
from bot.play.event.office.views import EventView
from bot.text.words import Words, words_for
from tests.discord.club import Club, Screen
from tests.discord.test_event_rounds import LEAGUE, begun
from tests.in_turn import in_turn
from tests.traffic import FIELDS, hold, play_once

PLAN = replace(LEAGUE, round_hands=5)


def by(club: Club, name: str) -> Official:
    """An organiser who manages the server."""
    return Official(player=club.player(name), manager=True)


async def notes(club: Club, words: Words) -> list[Screen]:
    """The messages with a ruling, once all that waits is posted."""
    await club.bot.services.event_publisher.drawn()
    await club.settle()
    reason = words("event_notice.why", why="#").split("#")[0]
    return [screen for screen in club.public() if reason in screen.text]


async def adjusts(club: Club, key: EventKey, *whom: str, name: str = "alice") -> None:
    """Give a point to each of these players, one after the other."""
    events = club.bot.services.events
    for who in whom:
        cause = f"{name} {who} {club.world.now_ms()}"
        await events.adjust(key, by(club, name), club.player(who), amount=1, why=f"for {who}", cause=cause)
        await club.bot.services.event_publisher.drawn()


@in_turn("language", "en", "ja")
async def test_the_actions_of_a_minute_are_one_message_and_later_ones_another(club: Club, language: str) -> None:
    words = words_for(language)
    key = await begun(club, PLAN, 4, language=language)
    await adjusts(club, key, "bob", "hanako", "carol")
    (note,) = await notes(club, words)
    said = [note.text.index(f"for {who}") for who in ("bob", "hanako", "carol")]
    assert said == sorted(said)
    assert note.text.count("###") == 1, "one heading"
    await club.pass_time(61)
    await adjusts(club, key, "bob")
    assert len(await notes(club, words)) == 2


async def test_another_organiser_writes_another_message(club: Club) -> None:
    key = await begun(club, PLAN, 4)
    await adjusts(club, key, "hanako")
    await adjusts(club, key, "carol", name="bob")
    assert len(await notes(club, words_for("en"))) == 2


async def test_a_note_that_was_deleted_or_is_no_longer_the_last_isnt_continued(club: Club) -> None:
    key, words = await begun(club, PLAN, 4), words_for("en")
    await adjusts(club, key, "hanako")
    (note,) = await notes(club, words)
    club.backend.delete_message(club.channel.id, note.id)
    club.forgiven.append("gets its own message")
    await adjusts(club, key, "carol")
    (again,) = await notes(club, words)
    assert "for carol" in again.text
    await club.bot.services.events.announce(key, by(club, "alice"), "A word", cause="says")
    await adjusts(club, key, "bob")
    assert ["for bob" in one.text for one in await notes(club, words)] == [False, True]


async def test_a_message_that_pings_a_player_is_its_own(club: Club) -> None:
    key = await begun(club, PLAN, 4)
    await adjusts(club, key, "hanako")
    await club.bot.services.events.call_person(key, by(club, "alice"), club.player("bob"), cause="calls")
    await adjusts(club, key, "carol")
    await club.bot.services.event_publisher.drawn()
    assert any(
        club.words()("event_notice.call.table", by="@", table="@").split("@")[1] in one.text for one in club.calls()
    )
    assert len(await notes(club, words_for("en"))) == 2


@in_turn("language", "en", "ja")
async def test_what_one_hand_brings_about_is_one_post_that_pings_who_has_to_move(club: Club, language: str) -> None:
    words = words_for(language)
    view = await played_until_a_move(club, language)
    moved = words("event_notice.moved")
    (post,) = (screen for screen in club.public() if moved in screen.text)
    assert words("event_notice.out", players="#").split("#")[0] in post.text
    assert post.text.count("###") == 1, "one heading"
    moves = post.text[post.text.index(moved) :]
    pinged = {str(player) for player in post.message.ping_user_ids}
    assert pinged
    assert all(f"<@{player}>" in moves for player in pinged)
    out = {line.entrant.player for line in view.lines if line.eliminated}
    assert out
    assert not out & pinged


async def played_until_a_move(club: Club, language: str) -> EventView:
    """Play a tournament until a player has changed tables."""
    structure, people = FIELDS["Tournament"]
    event = await hold(club, replace(structure, check_in_minutes=0), people, language=language)
    events = club.bot.services.events
    await events.start(event.key, by(club, "alice"), cause="started")
    while words_for(language)("event_notice.moved") not in club.said():
        await play_once(club, event.key)
    return await events.look(event.key)
