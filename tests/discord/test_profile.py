"""Profiles on Discord: own and others', as a picture and as text, private ones, and badges in results."""

from dataclasses import replace

import pytest

from bot.chat.club.screens.profile import PICTURE, build_facts, in_words
from bot.chat.kit.text_only import spoken
from bot.model.careers import DAILY_DAYS, Badge
from bot.model.choices import MemberSettings
from bot.model.daily import Streak
from bot.model.reasons import PrivacyReason, SeatReason
from bot.play.queries.leaderboards import Profile
from bot.pure.ofc.refusals import Refused
from bot.text.badges import badge_name
from bot.text.refusals import refusal
from bot.text.words import Words
from tests.backstage import transactions_of
from tests.discord.club import Club, Screen, everything_in
from tests.discord.forms import settings_page

SEEDS = [bytes([number]) * 32 for number in (1, 2)]
"""Seeds of two hands."""


async def profile_of(club: Club, name: str, other: str) -> Screen:
    """Open another member's profile."""
    return await club.slash(name, "ofc profile", player=club.members[other])


def beside(seen: Profile, words: Words) -> str:
    """Return the text about the viewer and the viewed member."""
    player = f"<@{seen.player}>"
    if not seen.versus:
        return words("profile.never_met", player=player)
    (met,) = seen.versus
    ahead, behind = words.number(met.ahead), words.number(met.behind)
    return words(
        "profile.versus", player=player, count=met.hands, ahead=ahead, behind=behind, chips=words.signed(met.chips)
    )


async def play_two_hands(club: Club) -> None:
    """Alice and Bob, for chips."""
    club.seeds += SEEDS
    await club.open_table("alice", "bob")
    for _ in range(2):
        await club.type_hand()
        await club.pass_time(13)


@pytest.mark.parametrize("name", ["bob", "hanako"])
async def test_a_profile_is_a_picture_with_the_same_in_words(club: Club, name: str) -> None:
    words, alice = club.words(name), club.player("alice")
    others = await profile_of(club, name, "alice")
    assert words("profile.empty") in others.text
    assert not others.has("open")
    own = await club.slash(name, "ofc profile")
    assert words("profile.empty_own") in own.text
    assert own.has("open")
    await play_two_hands(club)
    page = await profile_of(club, name, "alice")
    seen = await club.play.profile(club.key().guild, alice, club.player(name))
    assert [file["filename"] for file in page.message.attachments] == [PICTURE]
    assert in_words(seen, "Alice", words)[:1024] in everything_in(page)
    assert beside(seen, words) in page.text
    await club.play.change_member_settings(
        club.key().guild, club.player(name), lambda member_settings: replace(member_settings, text_only=True)
    )
    told = await profile_of(club, name, "alice")
    assert not told.message.attachments
    for fact in build_facts(seen, words.aloud):
        line = words.aloud("profile.told", label=fact.label, value=f"**{fact.value}**")
        assert spoken(line, words.aloud, MemberSettings(text_only=True)) in told.text


async def test_a_profile_is_shown_to_everybody_without_who_met_whom(club: Club) -> None:
    await play_two_hands(club)
    before = len(club.public())
    page = await profile_of(club, "bob", "alice")
    await club.click("bob", page, club.words("bob")("profile.show_all"))
    shown = club.public()[-1]
    assert len(club.public()) == before + 1
    assert [file["filename"] for file in shown.message.attachments] == [PICTURE]
    assert f"<@{club.player('alice')}>" in shown.text
    assert f"<@{club.player('bob')}>" not in everything_in(shown)
    assert not shown.message.ping_user_ids


async def test_who_keeps_to_themselves_is_seen_by_nobody_else(club: Club) -> None:
    await play_two_hands(club)
    page = await profile_of(club, "hanako", "alice")
    settings = await settings_page(club, "alice", "wish_profile")
    assert club.words("alice")("settings.profile.on") in settings.text
    settings = await club.tap("alice", settings, settings.find("wish_profile"))
    assert club.words("alice")("settings.profile.off") in settings.text
    hidden = Refused(PrivacyReason.PROFILE_HIDDEN, player=club.player("alice"))
    for name in ("bob", "hanako"):
        assert (await profile_of(club, name, "alice")).text == refusal(hidden, club.words(name))
    before = len(club.public())
    await club.click("hanako", page, club.words("hanako")("profile.show_all"))
    assert len(club.public()) == before, "a page that was open is not posted either"
    own = await club.slash("alice", "ofc profile")
    assert club.words("alice")("profile.hidden") in own.text
    assert not own.has("pf_show")
    assert f"<@{club.player('alice')}>" not in (await club.slash("bob", "ofc profile")).text


async def test_the_menu_of_a_user_shows_their_profile_and_a_bot_has_none(club: Club) -> None:
    entry = club.words()("command.profile_of")
    answer = await club._answer(  # noqa: SLF001
        await club.members["bob"].context_menu(club.channel, entry, club.members["alice"])
    )
    assert answer is not None
    assert club.words("bob")("profile.empty") in answer.text
    robot = club.world.member("robot")
    club.backend.users[robot.id].bot = True
    refused = await club.slash("hanako", "ofc profile", player=robot)
    assert refused.text == refusal(Refused(SeatReason.NOT_A_BOT), club.words("hanako"))


async def test_a_badge_is_told_in_the_result_once_and_pings_nobody(club: Club) -> None:
    week = Streak(last=0, days=1, best=DAILY_DAYS)
    await transactions_of(club.play).write(lambda s: s.tx.daily.save_streak(club.player("alice"), week))
    before = len(club.public())
    await play_two_hands(club)
    told = club.words()("profile.earned", player="**Alice**", badge=badge_name(Badge.DAILY_WEEK, club.words()))
    results = [screen for screen in club.public()[before:] if told in screen.text]
    assert len(results) == 1
    assert club.words()("result.heading", hand=1, table=1) in results[0].text
    assert not results[0].message.ping_user_ids
