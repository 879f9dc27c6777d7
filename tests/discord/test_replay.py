"""Own hands in Discord: found, replayed by street, shared, verified and saved."""

import json
from dataclasses import replace

import pytest

from bot.model.ids import GuildId
from bot.pure.notation.files import read_history
from bot.pure.ofc.cards import Card
from tests.discord.club import Club, Screen
from tests.discord.forge import check_deal, deliver, forge, forged_press
from tests.discord.test_looking_up import attachment_of
from tests.discord.test_practice import play_to_the_end, practised
from tests.discord.test_review import result_screen, reviewed_hand

PEOPLE = ["alice", "hanako"]


async def opened(club: Club, name: str) -> Screen:
    """The replay of the newest hand, out of the list."""
    page = await club.slash(name, "ofc profile", show="hands")
    shown = await club.pick(name, page, page.find("hist_open"), ["1/1"])
    assert shown is not None
    return shown


@pytest.mark.parametrize("name", PEOPLE)
async def test_a_hand_is_found_and_told_street_by_street_in_one_message(club: Club, name: str) -> None:
    await reviewed_hand(club)
    words = club.words(name)
    page = await club.slash(name, "ofc profile", show="hands")
    result = result_screen(club)
    link = f"https://discord.com/channels/{club.guild.id}/{result.channel_id}/{result.id}"
    assert f"[{words('history.message')}]({link})" in page.text
    shown = await opened(club, name)
    assert shown.message.is_ephemeral
    for street in range(1, 6):
        assert shown.text.startswith(f"### {words('replay.street', hand=1, street=street, count=5)}")
        await club.press(name, shown, shown.find("rp_next"))
    assert shown.text.startswith(f"### {words('replay.end', hand=1)}")
    assert next(control for control in shown.controls() if ":rp_next:" in control["custom_id"])["disabled"]
    await club.press(name, shown, shown.find("rp_first"))
    assert words("replay.street", hand=1, street=1, count=5) in shown.text
    await club.press(name, shown, shown.find("rp_last"))
    await club.press(name, shown, shown.find("rp_back"))
    assert words("replay.street", hand=1, street=5, count=5) in shown.text


async def test_everybody_replays_a_result_without_the_discards(club: Club) -> None:
    result = await reviewed_hand(club)
    hidden = [card for name in PEOPLE for card in await discards_of(club, name)]
    assert len(hidden) == 8
    shown = await club.press("bob", result, result.find("replay"))
    assert shown is not None
    faces, texts = club.bot.services.faces, [shown.text]
    for _ in range(5):
        await club.press("bob", shown, shown.find("rp_next"))
        texts.append(shown.text)
    assert not [card for card in hidden if any(faces.card(card) in text for text in texts)]
    mine = await opened(club, "alice")
    await club.press("alice", mine, mine.find("rp_next"))
    assert faces.card((await discards_of(club, "alice"))[0]) in mine.text


async def discards_of(club: Club, name: str) -> list[Card]:
    hand = (await club.look(1, name)).hand
    assert hand is not None
    assert hand.mine is not None
    return [card for card in hand.mine.discards if card is not None]


async def test_a_step_is_shown_to_everyone_without_the_asker_s_discards_and_the_result_as_a_picture(club: Club) -> None:
    await reviewed_hand(club)
    words, before = club.words("alice"), len(club.public())
    shown = await opened(club, "alice")
    await club.press("alice", shown, shown.find("rp_next"))
    said = await club.press("alice", shown, shown.find("rp_show"))
    assert said is not None
    public = club.public()[-1]
    assert public.text.startswith(f"### {words('replay.street', hand=1, street=2, count=5)}")
    faces = club.bot.services.faces
    assert not [card for card in await discards_of(club, "alice") if faces.card(card) in public.text]
    await club.press("hanako", public, public.find("replay"))
    assert public.text == club.public()[-1].text, "each goes on in a message of their own"
    await club.press("alice", shown, shown.find("rp_last"))
    await club.press("alice", shown, shown.find("rp_show"))
    assert len(club.public()) == before + 2
    picture = club.public()[-1]
    assert words("result.heading", hand=1, table=1) in picture.text
    assert [file["filename"] for file in picture.message.attachments] == ["result.png"]


async def test_a_hand_of_who_keeps_to_themselves_is_carried_to_no_other_channel(club: Club) -> None:
    """This applies to others. The result stays where the hand was played, and players may share their own hands."""
    await reviewed_hand(club)
    lounge = club.guild.create_text_channel("lounge")
    shown = {name: await opened(club, name) for name in PEOPLE}
    guild = GuildId(club.guild.id)
    await club.play.change_member_settings(
        guild, club.player("hanako"), lambda member_settings: replace(member_settings, profile_visible=False)
    )

    async def post(name: str, channel: int) -> str:
        press = forged_press(club, name, shown[name], shown[name].find("rp_show")["custom_id"])
        press.payload["channel_id"] = press.payload["channel"]["id"] = str(channel)
        await deliver(press)
        return press.said

    def posted(channel: int) -> int:
        return len([one for one in club.backend.messages.get(channel, {}).values() if one.visible_to(None)])

    before, words = posted(club.channel.id), club.words("alice")
    said = await post("alice", lounge.id)
    assert said == words("refused.replay_not_shown", channel=f"<#{club.channel.id}>")
    assert posted(lounge.id) == 0
    assert await post("alice", club.channel.id) == words("replay.shown")
    assert posted(club.channel.id) == before + 1
    assert await post("hanako", lounge.id) == club.words("hanako")("replay.shown")
    assert posted(lounge.id) == 1
    await club.play.change_member_settings(
        guild, club.player("hanako"), lambda member_settings: replace(member_settings, profile_visible=True)
    )
    assert await post("alice", lounge.id) == words("replay.shown")
    assert posted(lounge.id) == 2


async def test_a_hand_is_checked_and_saved_from_an_older_replay(club: Club) -> None:
    await reviewed_hand(club, variant="classic")
    shown = await opened(club, "alice")
    verdict = await check_deal(club, "alice")
    assert json.loads(attachment_of(club, verdict))["hand_id"] == f"{club.guild.id}/1/1"
    (saved,) = (await forge(club, "alice", shown, "c1:rp_file:1:1:0:::")).answers
    assert saved.text == club.words("alice")("replay.file", table=1, hand=1)
    read = read_history(attachment_of(club, saved).decode())
    assert not read.wrong
    assert read.history.hand_id == f"{club.guild.id}/1/1"
    assert read.history.whole


async def test_what_is_not_over_is_neither_listed_nor_opened(club: Club) -> None:
    await club.open_table("alice", "hanako")
    await club.call_at_once()
    panel = await club.open_panel("alice")
    words = club.words("alice")
    for verb in ("replay", "rp_next", "rp_file", "rp_show"):
        press = await forge(club, "alice", panel, f"c1:{verb}:1:1:0:::")
        assert press.said == words("refused.not_revealed_yet", hand=1)
    page = await club.slash("alice", "ofc profile", show="hands")
    assert words("history.empty") in page.text
    assert not page.has("hist_filter"), "there is nothing to filter"


async def test_nobody_posts_a_private_hand(club: Club) -> None:
    panel = await practised(club, "alice")
    await play_to_the_end(club, "alice", panel)
    details = await club.press("alice", panel, panel.find("hand_details"))
    assert details is not None
    shown = await club.press("alice", details, details.find("replay"))
    assert shown is not None
    assert not shown.has("rp_show")
    before = len(club.public())
    for name in ("alice", "bob"):
        await forge(club, name, shown, "c1:rp_show:1:1:5:::")
    assert len(club.public()) == before
