"""Invitations: one message that pings only the chosen guests."""

from collections.abc import Sequence
from typing import Any

from simcord import ResponseMessage

from bot.model.reasons import TableReason
from bot.pure.ofc.refusals import Refused
from bot.text.refusals import refusal
from tests.discord.club import Club, Screen
from tests.discord.forge import deliver, forged_press
from tests.in_turn import in_turn


async def pick(club: Club, name: str, page: Screen, people: Sequence[Any]) -> Screen:
    """Choose people on the private screen; returns the answer."""
    message = ResponseMessage(club.world.env, page.message)
    menu = page.find("invited")["custom_id"]
    answer = await club._answer(await club.members[name].select(message, list(people), custom_id=menu))  # noqa: SLF001
    assert answer is not None
    return answer


@in_turn("name", "bob", "hanako")
async def test_an_invitation_pings_those_who_were_chosen_alone(club: Club, name: str) -> None:
    club.newcomer("ken", locale="ja")
    await club.slash(name, "ofc play")
    before = len(club.public())
    page = await club.tap(name, club.table_screen(), club.table_screen().find("invite"))
    assert page.text == club.words(name)("lobby.invite_whom", table=1)
    assert len(club.public()) == before, "nobody is told before somebody was chosen"
    answer = await pick(club, name, page, [club.members["alice"], club.members["ken"]])
    assert answer.text == club.words(name)("lobby.invite_sent")
    posted = club.public()[-1]
    assert len(club.public()) == before + 1
    wanted = {club.members["alice"].id, club.members["ken"].id}
    assert set(posted.message.ping_user_ids) == wanted
    assert f"<@{club.members[name].id}>" in posted.text
    assert "https://discord.com/channels/" in posted.text


async def test_an_invitation_is_not_sent_twice_to_the_same_person(club: Club) -> None:
    words = club.words("alice")
    club.newcomer("ken")
    await club.slash("alice", "ofc play")
    bob, ken = club.members["bob"], club.members["ken"]
    page = await club.tap("alice", club.table_screen(), club.table_screen().find("invite"))
    assert (await pick(club, "alice", page, [bob])).text == words("lobby.invite_sent")
    assert club.public()[-1].message.ping_user_ids == [bob.id]
    posted = len(club.public())
    again = await pick(club, "alice", page, [bob])
    assert again.text == refusal(Refused(TableReason.INVITED_BEFORE), words)
    assert len(club.public()) == posted
    assert (await pick(club, "alice", page, [bob, ken])).text == words("lobby.invite_sent")
    assert club.public()[-1].message.ping_user_ids == [ken.id]
    assert f"<@{bob.id}>" not in club.public()[-1].text


async def test_a_host_calls_no_crowd_within_a_minute(club: Club) -> None:
    for number in range(20):
        club.newcomer(f"guest{number}")
    people = [club.members[f"guest{number}"] for number in range(20)]
    await club.opens("alice", seats=3)
    page = await club.tap("alice", club.table_screen(), club.table_screen().find("invite"))
    answers = [(await pick(club, "alice", page, people[start : start + 5])).text for start in range(0, 20, 5)]
    sent = [text for text in answers if text == club.words()("lobby.invite_sent")]
    assert len(sent) == 2
    held = club.words()("refused.too_many_invitations", count=60).split("60")[0]
    assert all(text.startswith(held) for text in answers[2:])


async def test_only_those_who_sit_there_invite_and_nobody_who_is_there_already(club: Club) -> None:
    await club.slash("alice", "ofc play")
    table = club.table_screen()
    stranger = forged_press(club, "bob", table, table.find("invite")["custom_id"])
    await deliver(stranger)
    assert stranger.said == refusal(Refused(TableReason.NOT_AT_TABLE), club.words("bob"))
    page = await club.tap("alice", table, table.find("invite"))
    before = len(club.public())
    answer = await pick(club, "alice", page, [club.members["alice"]])
    assert answer.text == club.words("alice")("lobby.invite_nobody")
    forged = forged_press(club, "alice", page, page.find("invited")["custom_id"], values=["9" * 40, "x", "1"])
    await deliver(forged)
    assert forged.said == club.words("alice")("lobby.invite_nobody")
    assert len(club.public()) == before


async def test_a_table_that_has_started_or_is_full_takes_no_invitations(club: Club) -> None:
    await club.opens("alice", seats=3)
    lobby = club.table_screen()
    page = await club.tap("alice", lobby, lobby.find("invite"))
    for name in ("bob", "hanako"):
        await club.tap(name, lobby, lobby.find("join"))
    assert not club.table_screen().has("invite"), "it cannot be pressed"
    late = await pick(club, "alice", page, [club.members["bob"]])
    assert late.text == refusal(Refused(TableReason.TABLE_FULL, seats=3), club.words("alice"))
    await club.tap("alice", lobby, lobby.find("start"))
    later = await pick(club, "alice", page, [club.members["bob"]])
    assert later.text == refusal(Refused(TableReason.ALREADY_STARTED), club.words("alice"))
