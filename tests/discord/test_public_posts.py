"""Every post of a club with a hidden channel and a private profile. None shows more than all its readers may see."""

from __future__ import annotations

from dataclasses import replace

import pytest
from simcord import ChannelHandle
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.model.bulletins import BulletinKind
from bot.model.careers import Badge, EarnedBadge
from bot.model.clock import Clock, Pace
from bot.model.events import Entrant, EntrantState, Phase
from bot.model.hands import Result
from bot.model.ids import GuildId, Player, TableId
from bot.play.event.office.registration import PlannedEvent
from bot.play.session.session import Session
from bot.play.table.lobby import TableOffer
from bot.pure.event.structure import PRESETS
from bot.pure.ofc.presets import PINEAPPLE
from tests.backstage import transactions_of
from tests.discord import test_bulletins, test_club_page
from tests.discord.club import Club, Screen
from tests.discord.test_bulletins import LUCKY, SEEING, a_game, pass_until, play_daily, posts

SECRET = "Vault Cup"


def show(club: Club, channel: int, *, to_all: bool) -> None:
    """Whether everyone in the server sees a channel."""
    denied = 0 if to_all else SEEING
    club.backend.set_overwrite(
        channel, Overwrite(target_id=club.guild.id, type=OverwriteType.ROLE, allow=0, deny=denied)
    )


async def hidden_club(club: Club) -> ChannelHandle:
    """Alice and Bob, whose profile is private, play where all see it; Hanako and Carol in a hidden channel.

    Theirs are the greatest pot, the best board, new badges, the closest finish and the largest event.
    """
    guild, vault = GuildId(club.guild.id), club.guild.create_text_channel("vault")
    club.newcomer("Carol")
    show(club, vault.id, to_all=False)
    await a_game(club, seed=LUCKY)
    await club.play.change_member_settings(
        guild, club.player("bob"), lambda member_settings: replace(member_settings, profile_visible=False)
    )
    await play_daily(club, "alice", well=True)
    await play_daily(club, "bob", well=True)
    like = await club.look()
    hanako = club.player("hanako")
    offer = TableOffer(guild=guild, channel=vault.id, host=hanako, language="en", terms=like.table.terms)
    table = (await club.play.open_table(offer, cause="in the vault")).key
    now = club.world.now_ms()

    def played(s: Session) -> None:
        s.tx.results.add(club.key(), 2, results(club.player("alice"), club.player("bob"), 50), at=now)
        for number in range(1, 8):
            s.tx.results.add(table, number, results(hanako, club.player("Carol"), 900 if number % 2 else -900), at=now)
        badge = EarnedBadge(badge=Badge.GREAT_BOARD, at=now, table=TableId(table.table), hand_no=1)
        without_hand = replace(badge, badge=Badge.EVENT_WON, table=TableId(0), hand_no=0)
        s.tx.badges.award(guild, [(hanako, badge), (club.player("Carol"), without_hand)])

    await transactions_of(club.play).write(played)
    await secret_event(club, vault)
    return vault


def results(one: Player, other: Player, won: int) -> list[Result]:
    """Return the results of a hand in which a player wins ``won`` chips."""
    return [
        Result(
            player=player,
            points=chips // 10,
            chips=chips,
            fantasyland=0,
            foul=False,
            ranked=True,
            game="pineapple",
            seat=seat,
            royalties=max(0, chips // 15),
        )
        for seat, (player, chips) in enumerate(((one, won), (other, -won)))
    ]


async def secret_event(club: Club, vault: ChannelHandle) -> None:
    """An event of the hidden channel, as it is once Carol has won it against Hanako."""
    hanako = club.player("hanako")
    plan = PlannedEvent(
        guild=GuildId(club.guild.id),
        channel=vault.id,
        organiser=hanako,
        language="en",
        name=SECRET,
        variant=PINEAPPLE,
        structure=PRESETS["sit_and_go"],
        clock=Clock(pace=Pace.PER_TURN, seconds=60),
        starts_at=None,
    )
    key = (await club.bot.services.events.create(plan, cause="created")).key
    now = club.world.now_ms()

    def ended(s: Session) -> None:
        event = s.tx.events.get(key)
        assert event is not None
        s.tx.events.save(replace(event, phase=Phase.ENDED, ended_at=now, alarm_at=None, drawn_version=event.version))
        for place, player in enumerate((club.player("Carol"), hanako), start=1):
            entrant = Entrant(player=player, registered_at=now, cause=f"{place}", place=place, state=EntrantState.OUT)
            s.tx.entrants.save(key, entrant)

    await transactions_of(club.play).write(ended)


async def every_post(club: Club) -> dict[str, Screen]:
    """Return all posts that a server makes automatically or that members share, by name."""
    found: dict[str, Screen] = {}
    for command, show_button in (("records", "rec_show"), ("leaderboard", "lb_show")):
        page = await club.slash("alice", "ofc leaderboard", **({"by": command} if command == "records" else {}))
        await club.press("alice", page, page.find(show_button))
        found[command] = club.public()[-1]
    await test_club_page.set_up(club)
    (found["club page"],) = test_club_page.pages(club)
    recap = await test_bulletins.set_up(club, BulletinKind.RECAP, in_hours=26)
    morning = await test_bulletins.set_up(club, BulletinKind.MORNING, in_hours=26)
    assert recap == morning
    await pass_until(club, recap)
    (found["recap"],) = posts(club, BulletinKind.RECAP)
    (found["morning"],) = posts(club, BulletinKind.MORNING)
    return found


def everything(screen: Screen) -> str:
    """All texts, ids and descriptions of a post."""
    return str(screen.message.components)


async def test_no_post_tells_more_than_all_its_readers_may_see(club: Club) -> None:
    vault = await hidden_club(club)
    found = await every_post(club)
    assert {*found} == {"records", "leaderboard", "club page", "recap", "morning"}
    for name, post in found.items():
        told = everything(post)
        assert "Alice" in told or club.player("alice") in told, f"{name} tells nothing: the test would see nothing"
        assert "Bob" not in told, name
        assert club.player("bob") not in told, name
        assert str(vault.id) not in told, name
        assert SECRET not in told, name
        # Leaderboards count all hands for chips, and everyone sees them.
        if name not in ("leaderboard", "club page"):
            assert club.player("Carol") not in told, name
            assert club.player("hanako") not in told, name
            assert "Hanako" not in told, name
    assert club.words()("recap.played", count=2, players="2") in found["recap"].text
    assert club.words()("recap.events", count=1, hands="0", players="0") not in found["recap"].text


async def test_the_same_is_told_once_everyone_sees_the_channel(club: Club) -> None:
    vault = await hidden_club(club)
    show(club, vault.id, to_all=True)
    found = await every_post(club)
    for name in ("records", "recap"):
        assert "Bob" not in everything(found[name])
        assert "Hanako" in everything(found[name]) or club.player("hanako") in everything(found[name]), name
    assert SECRET in everything(found["recap"])
    assert "**Carol**" in found["recap"].text
    assert club.words()("recap.played", count=9, players="4") in found["recap"].text


@pytest.mark.parametrize("same", [True, False], ids=["same readers", "other readers"])
async def test_a_channel_with_the_same_readers_as_the_posts_is_told_of(club: Club, *, same: bool) -> None:
    vault = await hidden_club(club)
    room, role = club.guild.create_text_channel("members"), club.guild.create_role("Members")
    show(club, room.id, to_all=False)
    assert club.bot.user is not None
    for channel in (room, vault) if same else (room,):
        for target, kind in ((role.id, OverwriteType.ROLE), (club.bot.user.id, OverwriteType.MEMBER)):
            club.backend.set_overwrite(channel.id, Overwrite(target_id=target, type=kind, allow=SEEING, deny=0))
    at = await test_bulletins.set_up(club, BulletinKind.RECAP, channel=room, in_hours=26)
    await pass_until(club, at)
    (post,) = posts(club, BulletinKind.RECAP, room.id)
    assert (SECRET in everything(post)) is same
    assert ("Hanako" in everything(post)) is same


async def test_no_post_names_a_member_who_left_until_they_are_back(club: Club) -> None:
    """Lists show them in grey. Posts about the week and records leave them out."""
    vault = await hidden_club(club)
    show(club, vault.id, to_all=True)
    guild, hanako = GuildId(club.guild.id), club.player("hanako")
    for name in ("hanako", "Carol"):
        club.backend.remove_member(guild, club.members[name].id)
    await club.play.note_departed(guild, [hanako, club.player("Carol")])
    found = await every_post(club)
    for name in ("records", "recap", "morning"):
        told = everything(found[name])
        assert "Alice" in told or club.player("alice") in told, f"{name} tells nothing: the test would see nothing"
        for left in ("Carol", "Hanako", club.player("Carol"), hanako):
            assert left not in told, name
    assert await club.play.departed(guild) == {hanako, club.player("Carol")}
    club.backend.add_member(guild, club.members["hanako"].id)
    await club.slash("hanako", "ofc help")
    await club.settle()
    assert await club.play.departed(guild) == {club.player("Carol")}
    assert f"<@{hanako}>" in (await club.slash("alice", "ofc leaderboard", by="records")).text
