"""Badges and server records on Discord, as a picture and as text, without the names of hidden members."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.chat.club.screens.honours import PICTURE, in_words, part_screen, shelf_screen
from bot.chat.club.screens.profile_tabs import ProfilePart
from bot.chat.kit.fragments import MAX_TEXT_LENGTH, text_length
from bot.chat.kit.widgets import MAX_DESCRIPTION_LENGTH
from bot.model.careers import RULES, Badge, BadgeCategory, BadgeStat, EarnedBadge, RecordEntry, RecordKind
from bot.model.daily import Streak, day_at
from bot.model.ids import Player
from bot.model.reasons import PrivacyReason
from bot.model.standings import LeaderboardSpan
from bot.play.queries.leaderboards import BadgesView
from bot.play.session.session import Session
from bot.pure.ofc.refusals import Refused
from bot.text.badges import badge_name, badge_rule, month_name
from bot.text.languages import LANGUAGES
from bot.text.refusals import refusal
from bot.text.words import words_for
from tests.backstage import transactions_of
from tests.discord.club import Club, Screen, everything_in, sit_and_go_of_two
from tests.discord.forge import forge
from tests.discord.test_given_roles import put_out

MONTHS = tuple(LeaderboardSpan.MONTH.bounds(1_700_000_000_000 + month * 31 * 86_400_000)[0] for month in range(12))
ALL = tuple(
    EarnedBadge(badge=badge, at=1_800_000_000_000, table=10**6, hand_no=10**6, since=since)
    for badge, rule in RULES.items()
    for since in (sorted(MONTHS, reverse=True) if rule.shelf is BadgeCategory.MONTHS else (0,))
)


async def play_two_hands(club: Club) -> None:
    """Alice and Bob, for chips."""
    await club.open_table("alice", "bob")
    for _ in range(2):
        await club.type_hand()
        await club.pass_time(13)


async def award(club: Club, name: str, *badges: Badge) -> None:
    """Give a member these badges."""
    earned = [(club.player(name), EarnedBadge(badge=badge, at=1_800_000_000_000)) for badge in badges]
    await transactions_of(club.play).write(lambda s: s.tx.badges.award(club.key().guild, earned))


async def opened(club: Club, name: str, other: str) -> Screen:
    """Open a member's badges from their profile."""
    profile = await club.slash(name, "ofc profile", player=club.members[other])
    return await club.choose(name, profile, profile.find("pf_part"), [ProfilePart.BADGES.value])


@pytest.mark.parametrize("name", ["alice", "hanako"])
async def test_a_shelf_is_a_picture_with_how_to_earn_the_others(club: Club, name: str) -> None:
    words = club.words(name)
    await award(club, name, Badge.ROYAL_FLUSH)
    page = await opened(club, name, name)
    assert [file["filename"] for file in page.message.attachments] == [PICTURE]
    royal, scooped = (badge_name(badge, words) for badge in (Badge.ROYAL_FLUSH, Badge.WHOLE_TABLE))
    assert royal in " ".join(everything_in(page)), "the picture says it in words"
    assert royal not in page.text
    assert badge_rule(Badge.WHOLE_TABLE, words) not in page.text, "what is far away is behind the menu"
    skill = await club.choose(name, page, page.find("shelf_part"), [BadgeCategory.SKILL.value])
    assert words("badge.not_yet", badge=scooped, rule=badge_rule(Badge.WHOLE_TABLE, words)) in skill.text
    assert royal in skill.text
    back = await club.tap(name, skill, skill.button(words("badge.back")))
    assert words("badge.reach") not in back.text, "nothing is begun yet"
    assert words("badge.count", have=words.number(1), all=words.number(len(RULES))) in page.text
    await club.play.change_member_settings(
        club.key().guild, club.player(name), lambda member_settings: replace(member_settings, text_only=True)
    )
    page = await opened(club, name, name)
    assert not page.message.attachments
    assert royal in page.text
    heard = await club.choose(name, page, page.find("shelf_part"), [BadgeCategory.SKILL.value])
    assert scooped in heard.text
    assert "▫" not in heard.text, "a screen reader would name the square"


async def test_a_shelf_names_what_is_nearest_and_how_much_is_done(club: Club) -> None:
    words, alice = club.words("alice"), club.player("alice")
    await play_two_hands(club)
    today = day_at(club.world.now_ms())
    await transactions_of(club.play).write(lambda s: s.tx.daily.save_streak(alice, Streak(last=today, days=6, best=6)))
    page = await opened(club, "alice", "alice")
    near = page.text.split(words("badge.reach"))[1].splitlines()[1:4]
    done = [words("badge.done", have=have, least=least) for have, least in (("6", "7"), ("1", "5"), ("1", "10"))]
    assert all(one in line for one, line in zip(done, near, strict=True)), near
    assert badge_name(Badge.HANDS_100, words) not in page.text, "no more than three"
    play = await club.choose("alice", page, page.find("shelf_part"), [BadgeCategory.PLAY.value])
    assert words("badge.done", have="2", least="100") in play.text
    # A broken streak counts for nothing.
    await transactions_of(club.play).write(
        lambda s: s.tx.daily.save_streak(alice, Streak(last=today - 9, days=6, best=6))
    )
    assert done[0] not in (await opened(club, "alice", "alice")).text
    # Other viewers don't see the progress.
    assert words("badge.reach") not in (await opened(club, "bob", "alice")).text


async def test_events_and_seasons_count_towards_badges_as_they_do_when_these_are_earned(club: Club) -> None:
    event = await sit_and_go_of_two(club, "Night", "alice", "bob")
    await put_out(club, event.key, "bob")
    so_far = (await club.play.shelf(club.key().guild, *[club.player("alice")] * 2)).so_far
    given = await transactions_of(club.play).write(lambda s: s.tx.badges.events_of_each(event.key))
    expected = given.get(club.player("alice"), {BadgeStat.EVENTS: 0, BadgeStat.EVENTS_WON: 0})
    assert {counted: so_far[counted] for counted in expected} == expected


async def test_another_ones_shelf_shows_what_they_have_unless_they_keep_it_to_themselves(club: Club) -> None:
    words = club.words("bob")
    await award(club, "alice", Badge.ROYAL_FLUSH)
    page = await opened(club, "bob", "alice")
    assert badge_name(Badge.ROYAL_FLUSH, words) in " ".join(everything_in(page))
    assert badge_rule(Badge.WHOLE_TABLE, words) not in " ".join(everything_in(page))
    profile = await club.slash("bob", "ofc profile", player=club.members["alice"])
    await club.play.change_member_settings(
        club.key().guild, club.player("alice"), lambda w: replace(w, profile_visible=False)
    )
    refused = await club.choose("bob", profile, profile.find("pf_part"), [ProfilePart.BADGES.value])
    assert refused.text == refusal(Refused(PrivacyReason.PROFILE_HIDDEN, player=club.player("alice")), words)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("earned", [ALL, ALL[:1], ()], ids=["all", "one", "none"])
def test_the_fullest_shelf_fits_into_a_message(language: str, earned: tuple[EarnedBadge, ...], *, own: bool) -> None:
    words = words_for(language)
    so_far = {rule.counted: rule.least - 1 for rule in RULES.values()}
    view = BadgesView(player=Player("9" * 19), own=own, earned=earned, so_far=so_far if own else {})
    told = in_words(view, "W" * 32, words)
    assert len(told) <= MAX_DESCRIPTION_LENGTH
    for picture in ("", told):
        pages = [
            shelf_screen(view, words, picture=picture),
            *(part_screen(view, part, words) for part in BadgeCategory),
        ]
        for shown in pages:
            assert text_length(shown) <= MAX_TEXT_LENGTH
            assert sum(1 for _ in shown.walk()) <= 40
    if earned == ALL:
        assert month_name(max(MONTHS), words) in everything_told(shelf_screen(view, words))


def everything_told(shown: Any) -> str:
    return "\n".join(str(part.get("content", "")) for part in shown.walk())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_documents_list_every_badge_and_its_rule(language: str) -> None:
    words = words_for(language)
    page = (Path(__file__).parents[2] / "docs/how-to" / f"leaderboards{words.language.documents}.md").read_text("utf-8")
    for badge in Badge:
        assert f"| {badge_name(badge, words)} | {badge_rule(badge, words)} |" in page


async def test_a_first_hand_for_chips_makes_records_that_open_its_replay(club: Club) -> None:
    words = club.words("bob")
    empty = await club.slash("bob", "ofc leaderboard", by="records")
    assert words("records.none") in empty.text
    await play_two_hands(club)
    page = await club.slash("bob", "ofc leaderboard", by="records")
    best = await club.play.records(club.key().guild, "", [club.channel.id])
    assert {line.feat.kind for line in best.lines} >= {RecordKind.POINTS, RecordKind.CHIPS}
    for line in best.lines:
        value = words(f"records.value.{line.feat.kind.value}", count=line.feat.value)
        told = words("records.line", kind=words(f"records.kind.{line.feat.kind.value}"), value=value)
        assert f"{told} · <@{line.feat.player}>" in page.text
    first = best.lines[0].feat
    replay = await club.choose("bob", page, page.find("hist_open"), [f"{first.table}/{first.hand_no}"])
    assert replay.has("rp_next")


async def test_records_are_shown_to_everyone_without_what_they_may_not_open(club: Club) -> None:
    await play_two_hands(club)
    page, words = await club.slash("bob", "ofc leaderboard", by="records"), club.words("bob")
    before = len(club.public())
    said = await club.press("bob", page, page.find("rec_show"))
    assert said is not None
    assert said.text == words("records.shown")
    shown = club.public()[-1]
    assert len(club.public()) == before + 1
    assert club.words()("records.title") in shown.text
    assert shown.has("hist_open")
    assert not shown.has("rec_show")
    await forge(club, "bob", page, "c1:rec_show:0:0:0:::nothing")
    club.forbid("send_messages")
    await club.press("bob", page, page.find("rec_show"))
    assert len(club.public()) <= before + 2, "where the bot may not write it says so"


async def test_who_hides_or_was_deleted_is_named_in_no_record(club: Club) -> None:
    guild = club.key().guild
    alice, bob, hanako = map(club.player, ("alice", "bob", "hanako"))
    gone = Player("gone-0123456789ab")
    await club.slash("alice", "ofc play")

    def feats(s: Session) -> None:
        for value, player in enumerate((hanako, bob, gone, alice), start=10):
            feat = RecordEntry(
                kind=RecordKind.ROYALTIES, game="pineapple", player=player, value=value, at=value, table=1, hand_no=1
            )
            s.tx.badges.note_feat(guild, feat)

    await transactions_of(club.play).write(feats)
    assert f"<@{alice}>" in (await club.slash("bob", "ofc leaderboard", by="records")).text
    await club.play.change_member_settings(
        guild, alice, lambda member_settings: replace(member_settings, profile_visible=False)
    )
    page = await club.slash("bob", "ofc leaderboard", by="records")
    assert f"<@{alice}>" not in page.text
    assert "gone" not in page.text
    assert f"<@{bob}>" in page.text
    assert not page.has("hist_open"), "the hand isn't there"
