"""Links for watching: where they are, who gets them, and the lists of links for streams."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bot.model.clock import Clock, Pace
from bot.model.events import Official
from bot.model.ids import GuildId
from bot.play.event.office.registration import PlannedEvent
from bot.play.session.policy import Policy
from bot.pure.event.structure import PRESETS
from bot.pure.ofc.presets import PINEAPPLE
from bot.text.words import words_for
from tests.discord.club import Club, Screen, open_club
from tests.discord.forge import forge
from tests.discord.forms import settings_page
from tests.discord.messages import walk
from tests.web.open_pages import Open, key_of, link_in
from tests.web.test_personal_links import URL, opening
from tests.web.test_streams import stream_of

EN = words_for("en")


@pytest.fixture
def page_url() -> str:
    return URL


def links_in(screen: Screen) -> dict[str, str]:
    """Return the addresses of pages in a message, by their labels."""
    parts = [part for part in walk(screen.components) if "/table" in str(part.get("url"))]
    return {str(part["label"]): str(part["url"]) for part in parts}


@pytest.mark.parametrize("name", ["bob", "hanako"])
async def test_a_tables_message_gives_everyone_a_link_of_their_own(club: Club, door: Open, name: str) -> None:
    club.newcomer("carol")
    await club.open_table("alice", "carol")
    table, words = club.table_screen(), club.words(name)
    assert "table#" not in json.dumps(table.components), "what everyone sees opens nobody's page"
    posts = len(club.public())
    answer = await club.tap(name, table, table.find("watch"))
    assert links_in(answer).keys() == {words("button.watch_page", table=1)}
    assert words("watch.links") in answer.text
    assert len(club.public()) == posts
    other = await club.tap("carol", table, table.find("watch"))
    assert link_in(other) != link_in(answer)
    async with door.socket() as sight:
        first = await opening(sight, **key_of(link_in(answer)))
        assert first["view"]["watches"]
        assert not any(seat["you"] for seat in first["view"]["seats"])
    async with door.socket() as sight:
        first = await opening(sight, **key_of(link_in(other)))
        assert not first["view"]["watches"], "a player comes to their own seat"


async def test_no_message_offers_what_may_not_be_watched(club: Club) -> None:
    await club.open_table("alice", "bob")
    before = club.table_screen()
    assert before.has("watch")
    await club.play.let_watch(club.key(), club.player("alice"), watched=False)
    assert "table#" not in json.dumps((answer := await club.tap("hanako", before, before.find("watch"))).components)
    assert club.words("hanako")("watch.none") in answer.text
    # The message isn't edited for that: it loses the button with the next move.
    await club.play_turn(await club.on_turn())
    assert not club.table_screen().has("watch")
    await club.play.let_watch(club.key(), club.player("alice"), watched=True)
    await club.play_turn(await club.on_turn())
    assert club.table_screen().has("watch")


async def test_a_table_that_waits_for_players_has_nothing_to_watch(club: Club) -> None:
    await club.opens("alice")
    assert club.table_screen().has("join")
    assert not club.table_screen().has("watch")


async def test_without_pages_no_message_has_the_button(tmp_path: Path) -> None:
    async with open_club(tmp_path) as club:
        await club.open_table("alice", "bob")
        assert club.table_screen().has("hand")
        assert not club.table_screen().has("watch")


async def test_several_tables_are_watched_together_by_the_first_link(club: Club, door: Open) -> None:
    for name in ("carol", "dave"):
        club.newcomer(name)
    await club.open_table("alice", "bob")
    await club.open_table("carol", "dave")
    listed = await club.slash("hanako", "ofc table", do="tables")
    words = club.words("hanako")
    labels = [words("button.watch_all"), *(words("button.watch_page", table=number) for number in (1, 2))]
    assert list(links_in(listed)) == labels
    both = links_in(listed)[labels[0]]
    assert both.startswith(f"{URL}/table?all#")
    hub = await club.slash("hanako", "ofc help")
    play = await club.tap("hanako", hub, hub.find("play"))
    assert list(links_in(play)) == labels
    async with door.socket() as sight:
        first = await opening(sight, **key_of(both))
        assert (first["view"]["table"], first["view"]["others"]) == (1, 1)
        await sight.say(type="look", table=1, beside=True)
        view = await sight.sees(lambda view: bool(view["beside"]))
        assert [board["table"] for board in view["beside"]] == [2]


async def test_an_events_message_leads_to_its_tables_while_it_runs(club: Club, door: Open) -> None:
    events, people = club.bot.services.events, ("alice", "bob", "carol", "dave")
    for name in ("carol", "dave"):
        club.newcomer(name)
    structure = replace(PRESETS["chaipo"], table_seats=2, most=4, least=2, threads=False, check_in_minutes=0)
    plan = PlannedEvent(
        guild=GuildId(club.guild.id),
        channel=club.channel.id,
        organiser=club.player("alice"),
        language="en",
        name="Friday",
        variant=PINEAPPLE,
        structure=structure,
        clock=Clock(pace=Pace.PER_TURN, seconds=60),
        starts_at=club.world.now_ms() + 3_600_000,
    )
    event = await events.create(plan, cause="created")
    await club.bot.services.event_publisher.drawn()

    def message() -> Screen:
        return next(screen for screen in club.public() if screen.has("ev_details"))

    for name in people:
        await events.register(event.key, club.player(name), cause=f"registers {name}")
    await club.pass_time(1)
    assert not message().has("ev_watch"), "nothing is played yet"
    await events.start(event.key, Official(player=club.player("alice")), cause="starts")
    await club.bot.services.event_publisher.drawn()
    await club.pass_time(Policy().seating_ms / 1000 + 30)
    answer = await club.tap("hanako", message(), message().find("ev_watch"))
    first, *others = links_in(answer).values()
    assert len(others) == 2
    assert first.startswith(f"{URL}/table?all#")
    async with door.socket() as sight:
        shown = (await opening(sight, **key_of(first)))["view"]
        assert shown["watches"]
        assert (shown["event"]["title"], shown["others"]) == ("Friday", 1)


# links for streams


async def test_an_owner_sees_their_stream_link_and_turns_it_off(club: Club, door: Open) -> None:
    await club.open_table("alice", "bob")
    words = club.words("alice")
    assert not (await settings_page(club, "alice", "pages_close")).has("stream_off")
    link = await stream_of(club, door, "alice")
    settings = await settings_page(club, "alice", "stream_off")
    assert words("streams.unused") in settings.text
    assert link not in json.dumps(settings.components), "the list opens nothing"
    async with door.socket() as sight:
        await opening(sight, token=link)
        settings = await settings_page(club, "alice", "stream_off")
        assert words("streams.in_use") in settings.text
        after = await club.tap("alice", settings, settings.find("stream_off"))
        assert not after.has("stream_off")
        assert (await sight.until(lambda told: told["type"] == "bye"))["said"] == EN("page.stream_over")
    async with door.socket() as sight:
        assert (await opening(sight, token=link))["type"] == "bye"


async def managed(club: Club, name: str = "alice") -> Screen:
    """The list of stream links that managers see."""
    checked = await club.slash(name, "setup", topic=club.words(name)("setup.topic.check"))
    return await club.tap(name, checked, checked.find("su_streams"))


async def test_managers_see_all_stream_links_and_turn_one_off(club: Club, door: Open) -> None:
    await club.open_table("alice", "hanako")
    words = club.words("alice")
    assert words("streams.none") in (await managed(club)).text
    first, second = await stream_of(club, door, "alice"), await stream_of(club, door, "hanako")
    async with door.socket() as mine, door.socket() as theirs:
        await opening(mine, token=first)
        await opening(theirs, token=second)
        await theirs.socket.close()
        shown, name = await managed(club), first.split(".")[2]
        assert {f"<@{club.player(name)}>" for name in ("alice", "hanako")} <= set(shown.text.split())
        assert not any(link in json.dumps(shown.components) for link in (first, second))
        pressed = str(shown.find("su_stream_off", argument=name)["custom_id"])
        after = await club.tap("alice", shown, shown.find("su_stream_off", argument=name))
        assert f"<@{club.player('alice')}>" not in after.text
        assert f"<@{club.player('hanako')}>" in after.text
        assert (await mine.until(lambda told: told["type"] == "bye"))["again"] is False
    async with door.socket() as sight:
        assert (await opening(sight, token=first))["said"] == EN("page.stream_over")
    async with door.socket() as sight:
        assert (await opening(sight, token=second))["type"] == "snapshot"
    # An old button names a link that's gone, and leaves its owner's new one alone.
    third = await stream_of(club, door, "alice")
    await forge(club, "alice", shown, pressed)
    async with door.socket() as sight:
        assert (await opening(sight, token=third))["type"] == "snapshot"


async def test_only_managers_turn_off_the_links_of_others(club: Club, door: Open) -> None:
    await club.open_table("alice", "bob")
    link = await stream_of(club, door, "alice")
    pressed = str((await managed(club)).find("su_stream_off")["custom_id"])
    for verb in ("su_streams", "su_stream_off"):
        refused = await forge(club, "bob", club.table_screen(), pressed.replace("su_stream_off", verb))
        assert f"<@{club.player('alice')}>" not in refused.answers[-1].text
    async with door.socket() as sight:
        assert (await opening(sight, token=link))["type"] == "snapshot"
