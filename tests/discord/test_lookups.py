"""Members' queries: parts of a profile, filters of past hands, rankings by name and chip transfers."""

from __future__ import annotations

from typing import Any

import pytest

from bot.chat.club.screens.profile_tabs import ProfilePart, part_name
from bot.chat.club.screens.ranking import Listing, ranking_name
from bot.model.ids import GuildId
from bot.model.reasons import BankReason
from bot.model.standings import LeaderboardOrder
from bot.pure.ofc.refusals import Refused
from bot.text.refusals import refusal
from tests.discord.club import RADIOS, Club, Screen
from tests.discord.forge import deliver, forge, forged_form
from tests.discord.test_bank import send_chips, write_terms
from tests.discord.test_practice import play_to_the_end, practised
from tests.in_turn import in_turn

PEOPLE = ["alice", "hanako"]
NAMES = pytest.mark.parametrize("name", PEOPLE)
A_WHILE = 30
"""Seconds until pictures may be asked for again."""
MENU_SHARE = 3
"""Controls on the first screen of a profile or a leaderboard."""


def verbs(screen: Screen) -> list[str]:
    return [str(control["custom_id"]).split(":")[1] for control in screen.controls()]


async def part(club: Club, name: str, screen: Screen, chosen: ProfilePart) -> Screen:
    return await club.choose(name, screen, screen.find("pf_part"), [chosen.value])


# A profile


@NAMES
async def test_each_part_of_a_profile_leads_to_every_other_in_one_message(club: Club, name: str) -> None:
    words = club.words(name)
    await club.open_table("alice", "hanako")
    await club.type_hand()
    titles = {
        ProfilePart.RESULTS: words("profile.title", player=f"<@{club.player(name)}>"),
        ProfilePart.HANDS: words("history.title"),
        ProfilePart.CHIPS: words("chips.history"),
        ProfilePart.BADGES: words("badge.title", player=f"<@{club.player(name)}>"),
    }
    first = await club.slash(name, "ofc profile")
    assert len(first.controls()) <= MENU_SHARE
    for one in (*ProfilePart, *reversed(ProfilePart)):
        shown = await part(club, name, first, one)
        assert shown.id == first.id, "it takes the place of the one before"
        assert titles[one] in shown.text
    for one, title in titles.items():
        await club.pass_time(A_WHILE)
        for typed in (one.value, part_name(one, words), part_name(one, club.words("alice")).upper()):
            assert title in (await club.slash(name, "ofc profile", show=typed)).text, typed


@NAMES
async def test_a_part_that_is_not_understood_names_those_there_are(club: Club, name: str) -> None:
    words, facts = club.words(name), await club.facts()
    known = words.list([part_name(one, words) for one in ProfilePart])
    said = await club.slash(name, "ofc profile", show="wings")
    assert said.text == words("refused.none_fits", typed="wings", names=known)
    assert await club.facts() == facts
    offered = await club.members[name].autocomplete(club.channel, "ofc profile", "show", "")
    assert [one["name"] for one in offered] == [part_name(one, words) for one in ProfilePart]


async def test_others_see_neither_somebodys_hands_nor_their_chips(club: Club) -> None:
    words, alice = club.words("bob"), club.members["alice"]
    await club.open_table("alice", "hanako")
    await club.type_hand()
    profile = await club.slash("bob", "ofc profile", player=alice)
    offered = [option["value"] for option in profile.find("pf_part")["options"]]
    assert offered == [ProfilePart.RESULTS.value, ProfilePart.BADGES.value]
    for one in (ProfilePart.HANDS, ProfilePart.CHIPS):
        refused = words("profile.only_own", part=part_name(one, words))
        assert (await club.slash("bob", "ofc profile", player=alice, show=one.value)).text == refused
        forged = await forge(club, "bob", profile, profile.find("pf_part")["custom_id"], values=[one.value])
        assert forged.said == refused
    badges = await part(club, "bob", profile, ProfilePart.BADGES)
    assert words("badge.title", player=f"<@{club.player('alice')}>") in badges.text
    assert "9,000" not in badges.text


async def test_a_button_of_a_part_is_pressed_by_typing(club: Club) -> None:
    words = club.words("alice")
    page = await club.slash("alice", "ofc profile", show="chips")
    bonus = page.find("claim")["label"]
    offered = await club.members["alice"].autocomplete(club.channel, "ofc profile", "do", "bonus", show="chips")
    assert [one["name"] for one in offered] == [bonus]
    had = await club.slash("alice", "ofc profile", show="chips", do=bonus)
    assert had.text.startswith(words("bank.got_bonus", chips="500"))


# Past hands


async def filtered(club: Club, name: str, page: Screen, **chosen: str) -> Screen:
    """Fill in the form of the filters; the others stay as they are."""
    words = club.words(name)
    form = await club.ask(name, page, page.find("hist_filter"))
    assert form.modal is not None
    menus = [label["label"] for label in form.modal["components"] if label["component"]["type"] != RADIOS]
    values: dict[str, Any] = {words(f"history.field.{field}"): value for field, value in chosen.items()}
    return await club.send(name, form, {field: [one] if field in menus else one for field, one in values.items()})


@NAMES
async def test_past_hands_are_filtered_by_one_form_that_keeps_what_was_chosen(club: Club, name: str) -> None:
    words = club.words(name)
    await club.open_table("alice", "hanako", game="classic")
    await club.type_hand()
    await club.play.close(club.key(), reason="closed_by_admin")
    await club.open_table(name, "bob")
    await club.type_hand(2)
    page = await club.slash(name, "ofc profile", show="hands")
    classic, pineapple = (words(f"variant.{key}.name") for key in ("classic", "pineapple"))
    assert page.text.count(classic) == page.text.count(pineapple) == 1
    page = await filtered(club, name, page, game="classic")
    assert (page.text.count(classic), page.text.count(pineapple)) == (2, 0), "once in the heading"
    bob = str(club.player("bob"))
    page = await filtered(club, name, page, opponent=bob)
    assert words("history.empty") in page.text, "the game is still chosen"
    assert page.has("hist_filter"), "the way back to more of them"
    page = await filtered(club, name, page, game="any")
    assert (page.text.count(classic), page.text.count(pineapple)) == (0, 1)
    assert words("history.against", players=f"<@{bob}>") in page.text
    results = (await club.play.result(club.key(2), 1)).results
    mine = next(line for line in results if line.player == club.player(name))
    fits = {"won": mine.points > 0, "lost": mine.points < 0, "foul": mine.foul, "fantasyland": mine.fantasyland > 0}
    assert len({*fits.values()}) == len({True, False})
    for outcome, shown in fits.items():
        page = await filtered(club, name, page, outcome=outcome)
        assert (words("history.empty") not in page.text) is shown, outcome


async def test_hands_of_practice_are_filtered_by_the_computer_they_were_played_against(club: Club) -> None:
    words = club.words("alice")
    panel = await practised(club, "alice")
    await play_to_the_end(club, "alice", panel)
    page = await club.slash("alice", "ofc profile", show="hands")
    form = await club.ask("alice", page, page.find("hist_filter"))
    assert form.modal is not None
    (met,) = [
        option["value"]
        for label in form.modal["components"]
        for option in label["component"]["options"]
        if option["value"].startswith("computer-")
    ]
    page = await filtered(club, "alice", page, opponent=met)
    assert words("history.empty") not in page.text
    assert words("history.against", players=words("name.computer_4")) in page.text.splitlines()[1]


async def test_a_forged_filter_filters_nothing(club: Club) -> None:
    await club.open_table("alice", "bob")
    await club.type_hand()
    page = await club.slash("alice", "ofc profile", show="hands")
    for values in ([], ["x"] * 4, ["pineapple", "1" * 60, "never", ""], ["", "computer-x y", "", "", "more"]):
        form = forged_form(club, "alice", page, "m1:hist_filtered:0:0:0:::", values)
        await deliver(form)
        assert form.said is not None
        assert form.said.startswith(f"### {club.words('alice')('history.title')}"), values


# Rankings


@NAMES
async def test_a_leaderboard_leads_to_everything_else_there_is_to_look_up(club: Club, name: str) -> None:
    words = club.words(name)
    await club.open_table("alice", "hanako")
    await club.type_hand()
    board = await club.slash(name, "ofc leaderboard")
    assert verbs(board) == ["lb_by", "lb_span", "lb_show"]
    assert len(verbs(board)) <= MENU_SHARE
    titles = {
        Listing.RECORDS: words("records.title"),
        Listing.RECAP: words("recap.title"),
        Listing.SERIES: words("event.series_table.none"),
        Listing.SEASON: words("leaderboard.span.season"),
    }
    for listing, title in titles.items():
        shown = await club.choose(name, board, board.find("lb_by"), [listing.value])
        assert shown.id == board.id
        assert title in shown.text
        assert shown.has("lb_by"), "it is no dead end"
        await club.pass_time(A_WHILE)
        for typed in (listing.value, ranking_name(listing, words), ranking_name(listing, words).upper()):
            assert title in (await club.slash(name, "ofc leaderboard", by=typed)).text, typed
    back = await club.choose(name, board, board.find("lb_by"), [LeaderboardOrder.POINTS.value])
    assert words("leaderboard.title", by=words("leaderboard.by.points")) in back.text


@in_turn("name", *PEOPLE)
async def test_a_ranking_is_found_by_a_part_of_its_name_and_a_time_too(club: Club, name: str) -> None:
    words, bank = club.words(name), club.bot.services.bank
    await bank.start_season(GuildId(club.guild.id), club.player("alice"), "Autumn", cause="starts")
    week = words("leaderboard.span.week")
    for by, when in (("rating", ""), (words("leaderboard.by.royalties"), "week"), ("ROYALTIES PER", week)):
        board = await club.slash(name, "ofc leaderboard", by=by, when=when)
        assert (week in board.text) is bool(when), (by, when)
    assert "Autumn" in (await club.slash(name, "ofc leaderboard", when="autu")).text
    several = await club.slash(name, "ofc leaderboard", by=words("leaderboard.by.event_wins")[:4])
    assert words("refused.several_fit", typed="@", names="@").split("@")[-1] in several.text
    none = await club.slash(name, "ofc leaderboard", when="the day after tomorrow")
    assert words("refused.none_fits", typed="the day after tomorrow", names="@").split("@")[0] in none.text
    offered = await club.members[name].autocomplete(club.channel, "ofc leaderboard", "when", "")
    assert "Autumn" in offered[-1]["name"]
    offered = await club.members[name].autocomplete(club.channel, "ofc leaderboard", "by", "")
    assert len(offered) == len(LeaderboardOrder) + len(Listing)


# Chips that are sent


@NAMES
async def test_a_form_of_chips_that_is_refused_keeps_what_was_typed(club: Club, name: str) -> None:
    words, bob = club.words(name), club.members["bob"]
    await write_terms(club, ["500", "2000", "1000", "10"])
    await club.slash(name, "ofc profile", show="chips")  # a first look brings the welcome bonus
    facts = await club.facts()
    for written, why in (
        ("many", words("refused.unread_chips", typed="many")),
        *((typed, refusal(Refused(BankReason.TRANSFER_CAP, most=1000), words)) for typed in ("0", "-5", "9" * 30)),
        ("1,001", refusal(Refused(BankReason.TRANSFER_CAP, most=1000), words)),
    ):
        refused = await send_chips(club, name, bob, written)
        assert why in refused.text
        assert written in refused.text
        again = await club.ask(name, refused, refused.find("chips_send"))
        assert again.modal is not None
        assert written in str(again.modal["components"])
        assert str(bob.id) in str(again.modal["components"])
    assert await club.facts() == facts


async def test_chips_are_not_sent_under_other_terms_than_the_form_showed(club: Club) -> None:
    words, bob = club.words("hanako"), club.members["bob"]
    await write_terms(club, ["500", "2000", "1000", "10"])
    page = await club.slash("hanako", "ofc profile", show="chips")
    form = await club.ask("hanako", page, page.find("chips_send"))
    assert words("chips.send.most_with_fee", chips="1,000", fee=words.percent(10)) in str(form.modal)
    await write_terms(club, ["500", "2000", "1000", "50"])
    facts = await club.facts()
    sent = await club.send("hanako", form, {words("chips.send.player"): [bob], words("chips.send.chips"): "100"})
    told = words("chips.send.most_with_fee", chips="1,000", fee=words.percent(50))
    assert words("chips.send.other_terms", terms=told) in sent.text
    assert await club.facts() == facts
    form = await club.ask("hanako", sent, sent.find("chips_send"))
    sent = await club.send("hanako", form, {words("chips.send.player"): [bob], words("chips.send.chips"): "100"})
    assert words("bank.sent_with_fee", chips="50", player=f"<@{bob.id}>", fee="50") in sent.text
