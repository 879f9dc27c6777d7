"""Manual seeding by an organiser, using only menus of names and buttons."""

from __future__ import annotations

from bot.model.events import Official
from bot.model.ids import EventKey, Player
from bot.pure.event.seeding import Seeding
from tests.discord.club import Club, Screen
from tests.discord.test_event_form import page, publish, write
from tests.discord.test_event_tools import tools


async def seeded_event(club: Club) -> EventKey:
    """A bracket that Alice publishes and seeds by hand, with four guests."""
    shown = await page(club, name="Cup", preset="heads_up", when="in 2 hours")
    shown = await write(club, shown, seeding=Seeding.HAND.value)
    assert club.words("alice")("event_form.option.seeding.hand") in shown.text
    made = await publish(club, shown)
    for name in ("carol", "dave"):
        club.newcomer(name)
    for name in ("bob", "hanako", "carol", "dave"):
        await club.slash(name, "event", do="register")
    return made.key


def player(club: Club, name: str) -> Player:
    return Player(str(club.members[name].id))


def official_of(club: Club) -> Official:
    return Official(player=player(club, "alice"))


async def seeds(club: Club, key: EventKey) -> list[Player]:
    """Return the seeded players in order."""
    lines = (await club.bot.services.events.look(key)).lines
    found = sorted((line.entrant.seeded, line.entrant.player) for line in lines if line.entrant.seeded)
    return [one for _, one in found]


async def pick(club: Club, shown: Screen, verb: str, name: str) -> Screen:
    """Choose a player by name in a menu of the page."""
    value = player(club, name)
    assert value in {option["value"] for option in shown.find(verb)["options"]}
    return await club.choose("alice", shown, shown.find(verb), [value])


async def test_an_organiser_orders_players_by_choosing_their_names(club: Club) -> None:
    key, words = await seeded_event(club), club.words("alice")
    shown = await tools(club, "alice")
    shown = await club.tap("alice", shown, shown.find("ev_seeds"))
    assert words("event_seeds.none") in shown.text
    for name in ("carol", "bob", "hanako"):
        shown = await pick(club, shown, "ev_seed_next", name)
    carol, bob, hanako, dave = (player(club, name) for name in ("carol", "bob", "hanako", "dave"))
    assert await seeds(club, key) == [carol, bob, hanako]
    shown = await pick(club, shown, "ev_seed_pick", "hanako")
    shown = await club.tap("alice", shown, shown.find("ev_seed_up"))
    assert await seeds(club, key) == [carol, hanako, bob]
    assert words("event_seeds.chosen", player=f"<@{hanako}>", place=2) in shown.text
    shown = await club.tap("alice", shown, shown.find("ev_seed_up"))
    assert not shown.has("ev_seed_up")
    shown = await club.tap("alice", shown, shown.find("ev_seed_down"))
    assert await seeds(club, key) == [carol, hanako, bob]
    shown = await club.tap("alice", shown, shown.find("ev_seed_out"))
    assert await seeds(club, key) == [carol, bob]
    told = words("event.seeds", seeds=f"1. <@{carol}>, 2. <@{bob}>")
    assert told in (await club.slash("bob", "event", do="show")).text
    # The menu offers only unseeded players.
    offered = {option["value"] for option in shown.find("ev_seed_next")["options"]}
    assert offered == {hanako, dave}
    shown = await club.tap("alice", shown, shown.find("ev_seed_clear"))
    assert await seeds(club, key) == []


async def test_old_pages_of_seeds_refuse_in_a_sentence(club: Club) -> None:
    key, words = await seeded_event(club), club.words("alice")
    shown = await tools(club, "alice")
    opened = await club.tap("alice", shown, shown.find("ev_seeds"))
    await club.withdraw("bob")
    refused = await pick(club, opened, "ev_seed_next", "bob")
    assert words("refused.not_in_event") in refused.text
    assert await seeds(club, key) == []
    assert await club.bot.services.events.start(key, official_of(club), cause="starts")
    await club.bot.services.event_publisher.drawn()
    late = await pick(club, opened, "ev_seed_next", "carol")
    assert words("refused.event_runs") in late.text
