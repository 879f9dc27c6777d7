"""Members who left the server: no seat in an event, no place in a list, and everything back once they return."""

from __future__ import annotations

import pytest

from bot.model.events import EntrantState, Official, Phase
from bot.model.ids import EventKey, Player
from bot.pure.event.structure import Format
from tests.discord.club import Club, Screen
from tests.discord.messages import notified
from tests.discord.test_event_desk import announced, guests_of, posted


def leave(club: Club, *names: str) -> None:
    """Remove these members from the server. Discord doesn't notify the bot, which lacks the intent."""
    for name in names:
        club.backend.remove_member(club.guild.id, club.members[name].id)


def come_back(club: Club, name: str) -> None:
    """A member joins the server again."""
    club.backend.add_member(club.guild.id, club.members[name].id)


async def start(club: Club, key: EventKey, name: str = "bob") -> None:
    """The organiser starts the event."""
    await club.bot.services.events.start(key, Official(player=club.player(name)), cause="begun")
    await club.bot.services.event_publisher.drawn()


async def states(club: Club, key: EventKey) -> dict[str, EntrantState]:
    """Return the state of everyone who has registered."""
    entrants = await club.disk.read(
        lambda c: c.execute("SELECT player, state FROM entrant WHERE event_id = ?", (key.number,)).fetchall()
    )
    return {club.name_of(player): EntrantState(state) for player, state in entrants}


def naming(screens: list[Screen], text: str) -> list[Screen]:
    """Return the messages that say this."""
    return [screen for screen in screens if text in screen.text]


async def test_members_who_left_get_no_seat_and_their_fee_back(club: Club) -> None:
    key = await announced(club, "bob", fee=50)
    names = await guests_of(club, key, 5)
    chips_before = await chips_of(club)
    leave(club, "guest1", "guest3")
    await start(club, key)
    view = await club.bot.services.events.look(key)
    assert view.event.phase is Phase.RUNNING
    seated = {club.name_of(seat) for line in view.tables for seat in line.players}
    assert seated == {"guest0", "guest2", "guest4"}
    assert {name for name, state in (await states(club, key)).items() if state is EntrantState.WITHDRAWN} == {
        "guest1",
        "guest3",
    }
    after = await chips_of(club)
    for name in names:
        player = club.player(name)
        assert after[player] - chips_before[player] == (50 if name in ("guest1", "guest3") else 0), name
    (said,) = naming(await posted(club), "Left the server before the start")
    for name in ("guest1", "guest3", "bob"):
        assert f"<@{club.members[name].id}>" in said.text, name
    (sent,) = [r.json for r in club.backend.http_requests if "Left the server before" in str(r.json)]
    assert notified(sent) == [str(club.members["bob"].id)], "the organiser is told, and nobody else"
    log = await club.slash("bob", "event", do=f"log {key.number}")
    assert "guest1 left the server" in log.text.replace(f"<@{club.members['guest1'].id}>", "guest1")


async def chips_of(club: Club) -> dict[Player, int]:
    """Return all wallets of the server."""
    rows = await club.disk.read(
        lambda c: c.execute(
            "SELECT owner, balance FROM account WHERE guild_id = ? AND kind = 'wallet'", (club.guild.id,)
        ).fetchall()
    )
    return {Player(owner): balance for owner, balance in rows}


async def test_a_full_sit_and_go_waits_for_another_player_if_one_has_left(club: Club) -> None:
    key = await announced(club, "bob", "sit_and_go", most=3, least=3)
    await guests_of(club, key, 2)
    leave(club, "guest0")
    club.newcomer("late")
    await club.slash("late", "event", do="register")
    view = await club.bot.services.events.look(key)
    assert view.event.format is Format.SIT_AND_GO
    assert view.event.phase is Phase.REGISTERING
    assert {club.name_of(line.entrant.player) for line in view.lines} == {"guest1", "late"}
    club.newcomer("later")
    await club.slash("later", "event", do="register")
    view = await club.bot.services.events.look(key)
    assert view.event.phase is Phase.RUNNING
    assert {club.name_of(line.entrant.player) for line in view.lines} == {"guest1", "late", "later"}


async def test_an_event_is_called_off_if_too_few_members_are_left(club: Club) -> None:
    key = await announced(club, "bob", hours=0.5, check_in_minutes=0)
    await guests_of(club, key, 3)
    leave(club, "guest0", "guest1")
    await club.pass_hours(31 * 60)
    view = await club.bot.services.events.look(key)
    assert (view.event.phase, view.event.reason) == (Phase.CANCELLED, "too_few")
    assert naming(await posted(club), "Left the server before the start")


async def test_a_member_who_is_back_registers_again(club: Club) -> None:
    key = await announced(club, "bob", late_levels=3, levels=(10, 20, 30, 40))
    await guests_of(club, key, 4)
    leave(club, "guest1")
    await start(club, key)
    assert (await states(club, key))["guest1"] is EntrantState.WITHDRAWN
    assert await club.play.departed(key.guild) == {club.player("guest1")}
    come_back(club, "guest1")
    await club.slash("guest1", "event", do="register")
    assert (await states(club, key))["guest1"] is EntrantState.PLAYING
    assert await club.play.departed(key.guild) == frozenset()


async def test_a_large_field_is_asked_about_in_few_requests(club: Club) -> None:
    key = await announced(club, "bob", most=300)
    people = [f"guest{number}" for number in range(120)]
    for name in people:
        club.newcomer(name)
        await club.bot.services.events.register(key, club.player(name), cause=f"registers {name}")
    leave(club, "guest7", "guest110")
    before = club.requests("GET", "/members/")
    await start(club, key)
    view = await club.bot.services.events.look(key)
    assert view.event.phase is Phase.RUNNING
    assert len(view.lines) == 118
    assert club.requests("GET", "/members/") - before == 2, "only the two whom the gateway didn't name"


@pytest.mark.parametrize(("status", "code"), [(403, 50001), (404, 10004)])
async def test_only_an_unknown_member_counts_as_gone(club: Club, status: int, code: int) -> None:
    key = await announced(club, "bob")
    await guests_of(club, key, 4)
    leave(club, "guest1")
    club.world.env.inject_error("GET", "/guilds/*/members/*", status=status, code=code, times=None)
    before = club.requests("GET", "/members/")
    await start(club, key)
    assert club.requests("GET", "/members/") > before, "Discord was asked about the one who left"
    assert len((await club.bot.services.events.look(key)).lines) == 4
