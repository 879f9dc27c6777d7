"""Commands that tell: chips, leaderboard, proofs, rules, tables; and closing a table."""

import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import discord
import pytest
from simcord import ResponseMessage, SetupError

from bot.__main__ import main
from bot.chat.club.screens.bank import ChipsPage, chips_screen
from bot.chat.club.screens.leaderboard import PICTURE, PLACES, board_parts, in_words
from bot.chat.kit.fragments import verify_hand
from bot.chat.table.screens.lobby import pace_text, root_link, table_title
from bot.model.bank import Movement
from bot.model.ids import GuildId, Player
from bot.model.standings import Leaderboard, LeaderboardOrder, LeaderboardQuery, Standing, places
from bot.pure.ofc.presets import PRESETS
from bot.text.languages import LANGUAGES
from bot.text.rulebook.book import rules_pages
from bot.text.rulebook.overview import around_board
from bot.text.words import escape_name, words_for
from tests.discord.club import Club, Screen, everything_in
from tests.discord.forge import check_deal, deliver, forge, forged_command
from tests.discord.messages import cards_in, walk
from tests.discord.test_first_hand import in_japanese
from tests.in_turn import in_turn
from tests.play.test_family import FEW

# Chips


async def test_chips_show_wallet_stack_and_where_they_came_from(club: Club) -> None:
    words = club.words()
    await club.open_table("alice", "bob")
    await club.type_hand()
    answer = await club.slash("alice", "ofc profile", show="chips")
    view = await club.look(1, "alice")
    assert view.mine is not None
    assert words("chips.wallet", chips="9,000") in answer.text
    assert words("chips.at_table", table=1, chips=words.number(view.mine.stack)) in answer.text
    lines = answer.text.split("\n")
    history = lines[lines.index(words("chips.history")) + 1 :]
    assert len(history) == 2, "what a hand moves between the stacks is no movement of the wallet"
    assert words("chips.kind.grant") in history[-1]
    assert "−1,000" in history[-2]
    hanako = await club.slash("hanako", "ofc profile", show="chips")
    assert club.words("hanako")("chips.wallet", chips="10,000") in hanako.text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["entry_fee", "refund", "prize", "bounty"])
def test_chips_of_an_event_name_it(kind: str, language: str) -> None:
    words = words_for(language)
    moved = Movement(chips=-200, kind=kind, at=1_800_000_000_000, table=None, event="*Cup*")
    page = ChipsPage(number=0, wallet=9_800, stacks=[], movements=[moved])
    (text,) = [part["content"] for part in chips_screen(page, words).walk() if "content" in part]
    assert words(f"chips.kind.{kind}", event=escape_name("*Cup*")) in text


async def test_chips_have_pages_to_turn(club: Club) -> None:
    words = club.words()
    for _ in range(9):
        await club.slash("alice", "ofc play")
        await club.leave("alice", await _newest(club))
    page = await club.slash("alice", "ofc profile", show="chips")
    assert page.labels()[-2:] == [words("button.newer"), words("button.older")]
    older = await club.click("alice", page, words("button.older"))
    assert older == page
    assert words("chips.kind.grant") in page.text
    await club.click("alice", page, words("button.newer"))
    assert words("chips.kind.grant") not in page.text


async def _newest(club: Club) -> int:
    return (await club.play.open_tables(GuildId(club.guild.id)))[-1].key.table


# Leaderboard


async def board_of(club: Club, order: LeaderboardOrder) -> Leaderboard:
    """Return the leaderboard."""
    guild, alice = GuildId(club.guild.id), club.player("alice")
    return await club.play.leaderboard(guild, LeaderboardQuery(order), alice, page=0, lines=PLACES)


async def choose_on(club: Club, name: str, page: Screen, verb: str, value: str) -> Screen:
    """Choose from a menu of the page."""
    return await club.choose(name, page, page.find(verb), [value])


async def test_the_leaderboard_is_ranked_by_what_is_chosen(club: Club) -> None:
    words = club.words()
    empty = await club.slash("hanako", "ofc leaderboard")
    assert club.words("hanako")("leaderboard.empty", count=1) in empty.text
    await club.open_table("alice", "bob")
    for _ in range(5):
        await club.type_hand()
        await club.pass_time(13)
    for order in LeaderboardOrder:
        answer = await club.slash("alice", "ofc leaderboard", by=order.value)
        assert words("leaderboard.title", by=words(f"leaderboard.by.{order.value}")) in answer.text
        board = await board_of(club, order)
        told = in_words(board, GuildId(club.guild.id), club.bot.services.faces.names, words)
        assert len(board.lines) == board.ranked
        assert told in everything_in(answer) or not board.lines
    await club.play.change_member_settings(
        GuildId(club.guild.id), club.player("hanako"), lambda member_settings: replace(member_settings, text_only=True)
    )
    by_chips = (await club.slash("hanako", "ofc leaderboard")).text
    best = (await board_of(club, LeaderboardOrder.CHIPS)).lines[0]
    assert f"<@{best.player}>" in by_chips.split("\n")[2]
    assert in_japanese(by_chips)


@pytest.mark.parametrize(("own_at", "gap"), [(PLACES, False), (PLACES + 1, True), (0, False)])
def test_an_own_line_below_the_page_follows_a_gap_only_if_lines_are_left_out(own_at: int, gap: bool) -> None:
    ranking = [Standing(player=Player(str(n)), hands=1, points=-n, chips=-n) for n in range(1, PLACES + 3)]
    ranks = places([line.chips for line in ranking])
    board = Leaderboard(
        asked=LeaderboardQuery(LeaderboardOrder.CHIPS),
        page=0,
        lines=ranking[: PLACES + 1],
        places=ranks[: PLACES + 1],
        ranked=len(ranking),
        own=ranking[own_at],
        own_place=ranks[own_at],
        games=[],
    )
    (text,) = board_parts(board, words_for("ja"), "")
    assert isinstance(text, str)
    assert ("\n…\n" in text) is gap


async def test_the_leaderboards_menus_keep_what_was_chosen_before(club: Club) -> None:
    words = club.words("hanako")
    await club.open_table("alice", "bob")
    await club.type_hand()
    page = await club.slash("hanako", "ofc leaderboard")
    page = await choose_on(club, "hanako", page, "lb_span", "week")
    page = await choose_on(club, "hanako", page, "lb_by", "best")
    assert words("leaderboard.title", by=words("leaderboard.by.best")) in page.text
    assert words("leaderboard.span.week") in page.text
    assert "UTC" in words("leaderboard.span.week"), "a day begins at another hour than the reader's"


async def test_a_leaderboard_is_shown_to_everybody_only_when_somebody_wants_it(club: Club) -> None:
    await club.open_table("alice", "bob")
    await club.type_hand()
    before = len(club.public())
    page = await club.slash("hanako", "ofc leaderboard")
    assert len(club.public()) == before
    answer = await club.click("hanako", page, club.words("hanako")("leaderboard.show_all"))
    assert answer is not None
    shown = club.public()[-1]
    assert len(club.public()) == before + 1
    words = club.words("hanako")
    assert words("leaderboard.title", by=words("leaderboard.by.chips")) in shown.text
    assert words("leaderboard.choose_by") not in shown.text
    assert [file["filename"] for file in shown.message.attachments] == [PICTURE]
    assert shown.controls() == []


async def test_who_keeps_to_themselves_is_on_no_leaderboard_that_is_posted(club: Club) -> None:
    await club.open_table("alice", "bob")
    await club.type_hand()
    await club.play.change_member_settings(
        GuildId(club.guild.id), club.player("alice"), lambda member_settings: replace(member_settings, text_only=True)
    )
    alice, bob, words = f"<@{club.player('alice')}>", f"<@{club.player('bob')}>", club.words("alice")
    pages = {name: await club.slash(name, "ofc leaderboard") for name in ("alice", "bob")}
    assert bob in pages["alice"].text
    await club.play.change_member_settings(
        GuildId(club.guild.id),
        club.player("bob"),
        lambda member_settings: replace(member_settings, profile_visible=False),
    )
    for name, page in pages.items():
        await club.click(name, page, words("leaderboard.show_all"))
        shown = "\n".join(everything_in(club.public()[-1]))
        assert words("leaderboard.title", by=words("leaderboard.by.chips")) in shown
        assert alice in shown or "Alice" in shown
        assert bob not in shown
        assert "Bob" not in shown
        await club.pass_time(30)
    await club.play.change_member_settings(
        GuildId(club.guild.id),
        club.player("alice"),
        lambda member_settings: replace(member_settings, profile_visible=False),
    )
    before = len(club.public())
    answer = await club.click("alice", pages["alice"], words("leaderboard.show_all"))
    assert answer is not None
    assert answer.text == words("leaderboard.nobody_to_show")
    assert len(club.public()) == before


async def test_practice_is_not_on_the_leaderboard(club: Club) -> None:
    await club.open_table("alice", "bob", stakes=0)
    await club.type_hand()
    assert club.words()("leaderboard.empty", count=1) in (await club.slash("alice", "ofc leaderboard")).text


# Proofs


def attachment_of(club: Club, screen: Screen) -> bytes:
    """The file of a message."""
    (attachment,) = ResponseMessage(club.world.env, screen.message).attachments
    data: bytes = club.backend.cdn.get(attachment.url)
    return data


async def test_a_pineapple_hand_is_proven_once_the_table_is_closed(
    club: Club, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = club.words()
    await club.open_table("alice", "bob")
    running = await check_deal(club, "alice")
    assert running.text == words("refused.not_revealed_yet", hand=1)
    commitment = (await club.look()).table.commitment
    await club.type_hand()
    early = await check_deal(club, "alice")
    assert early.text == words("refused.not_revealed_before_closing", hand=1, table=1)
    await club.closes("alice", 1)
    for hand in (1, 2):  # The second was committed to and never dealt.
        answer = await check_deal(club, "bob", hand=hand)
        assert answer.text.splitlines()[0] == words("verify.right", table=1, hand=hand)
        file = tmp_path / f"{hand}.json"
        file.write_bytes(attachment_of(club, answer))
        assert main(["verify", str(file)]) == 0
        assert json.loads(file.read_text())["hand_id"] == f"{club.guild.id}/1/{hand}"
    assert commitment.hex() in capsys.readouterr().out
    missing = await check_deal(club, "hanako", hand=3)
    assert missing.text == club.words("hanako")("refused.no_such_hand", last=1)
    nowhere = await check_deal(club, "hanako", table=9, hand=1)
    assert nowhere.text == club.words("hanako")("refused.no_table")


async def test_a_result_leads_to_its_check_and_to_the_rules_of_its_game(club: Club) -> None:
    await club.open_table("alice", "bob", game="classic")
    await club.type_hand()
    await club.settle()
    posted = next(screen for screen in club.public() if club.words()("result.heading", hand=1, table=1) in screen.text)
    words = club.words()
    ways = ("review.button_label", "replay.button", "button.details")
    assert posted.labels() == [words(way) for way in ways]
    details = await club.tap("hanako", posted, posted.find("hand_details"))
    assert posted.labels() == [words(way) for way in ways], "the details are a message of their own"
    checked = await club.tap("hanako", details, details.find("verify"))
    assert club.words("hanako")("verify.right", table=1, hand=1) in checked.text
    rules = await club.tap("hanako", details, details.find("rulebook"))
    assert club.words("hanako")("variant.classic.name") in rules.text


async def test_a_check_is_offered_once_the_deck_is_no_secret_any_more(club: Club) -> None:
    await club.open_table("alice", "bob")
    await club.type_hand()
    await club.settle()
    posted = next(screen for screen in club.public() if club.words()("result.heading", hand=1, table=1) in screen.text)
    details = await club.tap("bob", posted, posted.find("hand_details"))
    (check,) = [control for control in details.controls() if ":verify:" in control["custom_id"]]
    assert check["disabled"]
    deck = root_link((await club.look()).table)
    assert club.words("bob")("result.deck.later", commitment=deck) in details.text
    early = await check_deal(club, "bob")
    assert early.text == club.words("bob")("refused.not_revealed_before_closing", hand=1, table=1)
    assert not (await club.tap("bob", posted, posted.find("replay"))).has("verify")
    await club.play.close(club.key(), reason="closed_by_admin")
    details = await club.tap("bob", posted, posted.find("hand_details"))
    checked = await club.tap("bob", details, details.find("verify"))
    assert club.words("bob")("verify.right", table=1, hand=1) in checked.text


@in_turn("name", "bob", "hanako")
async def test_a_result_is_checked_by_a_button_and_the_answer_says_what_that_proves(club: Club, name: str) -> None:
    words = club.words(name)
    await club.open_table("alice", "bob", game="classic")
    await club.type_hand()
    result = await club.slash(name, "ofc result", table=1)
    pressed = verify_hand((await club.look()).table, 1, words)["custom_id"]
    checked = await forge(club, name, result, pressed)
    (verdict,) = checked.answers
    assert verdict.id != result.id, "the result stays"
    assert words("verify.right", table=1, hand=1) in verdict.text
    assert json.loads(attachment_of(club, verdict))["hand_id"] == f"{club.guild.id}/1/1"
    told = await club.tap(name, verdict, verdict.find("fairness"))
    assert words("fairness.title") in told.text
    assert words("fairness.check") in told.text
    assert (await forge(club, name, result, pressed.replace(":1:0:", ":9:0:"))).said == words(
        "refused.no_such_hand", last=1
    )


@pytest.mark.parametrize("name", ["bob", "hanako"])
async def test_tables_and_hands_that_can_be_looked_up_are_suggested(club: Club, name: str) -> None:
    words, member, command = club.words(name), club.members[name], "ofc result"
    await club.open_table("alice", "bob", game="classic")
    assert await member.autocomplete(club.channel, command, "hand", "", table="1") == [], "no hand has ended yet"
    await club.type_hand()
    await club.pass_time(13)
    await club.type_hand()
    await club.slash("alice", "ofc play")
    tables = await member.autocomplete(club.channel, command, "table", "")
    game = words("variant.classic.name")
    assert tables == [{"name": words("fairness.table", table=1, game=game, count=2), "value": "1"}], "2 dealt nothing"
    hands = await member.autocomplete(club.channel, command, "hand", "", table="1")
    assert [hand["value"] for hand in hands] == ["2", "1"], "newest first"
    day = datetime.fromtimestamp(club.world.now_ms() / 1000, ZoneInfo(words.language.zone))
    assert f"{day:%Y-%m-%d}" in hands[0]["name"]
    assert hands[0]["name"].endswith(words("fairness.hand", hand=2, at="@", count=2).split("@")[1])
    first = await member.autocomplete(club.channel, command, "hand", "1", table=tables[0]["name"])
    assert [hand["value"] for hand in first] == ["1"]
    assert [hand["value"] for hand in await member.autocomplete(club.channel, command, "hand", "")] == ["2", "1"]
    assert await member.autocomplete(club.channel, command, "hand", "", table="7") == []
    other = club.elsewhere("Another club")
    assert await other.members[name].autocomplete(other.channel, command, "table", "") == []


@in_turn("name", "bob", "hanako")
async def test_the_last_hand_here_is_shown_if_none_is_named(club: Club, name: str) -> None:
    words, typed = club.words(name), club.slash
    assert (await typed(name, "ofc result")).text == words("refused.no_hand_here")
    assert (await typed(name, "ofc result", hand="3")).text == words("refused.no_hand_here")
    await club.open_table("alice", "bob", game="classic")
    await club.type_hand()
    await club.pass_time(13)
    elsewhere = replace(club, channel=club.guild.create_text_channel("other"))
    assert (await elsewhere.slash(name, "ofc result")).text == words("refused.no_hand_here")
    await elsewhere.open_table("alice", "bob")
    await elsewhere.type_hand(2)
    newest = await typed(name, "ofc result")
    assert newest.text == (await typed(name, "ofc result", table="1", hand="1")).text, "not that of another channel"
    assert words("refused.not_revealed_yet", hand=2) == (await typed(name, "ofc result", hand="2")).text
    assert (await elsewhere.slash(name, "ofc result")).text != newest.text


async def test_a_table_and_a_hand_are_found_by_what_is_typed(club: Club) -> None:
    words = club.words("bob")
    await club.open_table("alice", "bob", game="classic")
    await club.type_hand()
    await club.pass_time(13)
    shown = await club.slash("bob", "ofc result", table="1", hand="1")
    game = words("variant.classic.name")
    for table, hand in (
        ("１", ""),
        (game.lower(), " 1 "),
        (game[:4], words("fairness.hand", hand=1, at="", count=2)[:6]),
    ):
        assert (await club.slash("bob", "ofc result", table=table, hand=hand)).text == shown.text, (table, hand)
    for table in ("nothing", "0", "9" * 40):
        refused = await club.slash("bob", "ofc result", table=table)
        known = words("fairness.table", table=1, game=game, count=2)
        assert refused.text == words("refused.none_fits", typed=table, names=escape_name(known)), table
    assert (await club.slash("bob", "ofc result", table="9")).text == words("refused.no_table")
    assert (await club.slash("bob", "ofc result", hand="9")).text == words("refused.no_such_hand", last=2)


async def test_my_own_text_goes_into_the_next_shuffle(club: Club) -> None:
    await club.open_table("alice", "bob", game="classic")
    await club.type_hand()
    answer = await club.act("bob", "shuffle", value="幸運 🍀")
    assert answer.text == club.words()("verify.seed_set", table=1, hand=2)
    stranger = await club.act("hanako", "shuffle", value="x")
    assert (
        club.words("hanako")("table_acts.why.not_seated", act=club.words("hanako")("table_acts.name.shuffle"))
        in stranger.text
    )
    await club.pass_time(13)
    await club.type_hand()
    proof = json.loads(attachment_of(club, await check_deal(club, "bob", hand=2)))
    assert "幸運 🍀" in json.dumps(proof, ensure_ascii=False)


async def test_a_result_can_be_read_again_by_anybody(club: Club) -> None:
    await club.open_table("alice", "bob")
    running = await club.slash("hanako", "ofc result", table=1)
    assert running.text == club.words("hanako")("refused.not_revealed_yet", hand=1)
    await club.type_hand()
    again = await club.slash("hanako", "ofc result", table=1)
    assert club.words("hanako")("result.heading", hand=1, table=1) in again.text
    assert len(cards_in(again.components)) == 26
    assert (await club.slash("hanako", "ofc result", table=1, hand=1)).text == again.text


# Rules and tables


@pytest.mark.parametrize("name", ["alice", "hanako"])
@pytest.mark.parametrize("variant", [pytest.param(k, marks=() if k in FEW else pytest.mark.deep) for k in PRESETS])
async def test_the_rules_have_pages_to_turn(club: Club, name: str, variant: str) -> None:
    pages = rules_pages(PRESETS[variant], club.words(name))
    screen = await club.slash(name, "ofc help", about=variant)
    assert screen.text == "\n".join(around_board(pages[0].text))
    for page in pages[1:]:
        turned = await club.click(name, screen, page.title)
        assert turned == screen
        assert screen.text == page.text
    assert in_japanese(screen.text) == (name == "hanako")


@pytest.mark.parametrize("name", ["alice", "hanako"])
async def test_the_rules_begin_with_a_board_that_is_drawn_and_told_in_words(club: Club, name: str) -> None:
    words = club.words(name)
    screen = await club.slash(name, "ofc help", about="rules")
    (picture,) = [item for part in walk(screen.components) for item in part.get("items") or []]
    assert picture["description"].startswith(words("board.legal", rows="@").split("@")[0])
    assert [card for card in ("K♥", "Q♣", "2♦") if card not in picture["description"].replace("\ufe0e", "")] == []
    (file,) = screen.message.attachments
    assert file["filename"] == "board.png"
    await club.click(name, screen, words("rules.page.hands"))
    await club.click(name, screen, words("rules.page.overview"))
    assert [part for part in walk(screen.components) if part.get("items")]


async def test_where_the_bot_may_attach_nothing_the_board_is_written_in_letters(club: Club) -> None:
    club.forbid("attach_files")
    assert (await club.slash("alice", "ofc help", about="rules")).text == rules_pages(
        PRESETS["pineapple"], club.words()
    )[0].text


async def test_the_open_tables_of_this_server_are_listed(club: Club) -> None:
    words = club.words("hanako")
    assert words("games.none") in (await club.slash("hanako", "ofc table", do="tables")).text
    await club.slash("alice", "ofc play", stakes=25)
    await club.open_table("bob", "alice", game="classic", stakes=0)
    other = club.elsewhere("Another club")
    await other.slash("alice", "ofc play")
    text = (await club.slash("hanako", "ofc table", do="tables")).text
    assert text.count(club.channel.mention) == 2
    for number in (1, 2):
        assert table_title((await club.look(number)).table, words) in text
    first, second = (line for line in text.split("\n") if club.channel.mention in line)
    assert words("lobby.seats_taken", taken=1, seats=3) in first
    assert words("lobby.seats_taken", taken=2, seats=4) in second
    assert pace_text((await club.look(1)).table.terms.clock, words) in first
    assert words("lobby.you_sit_here") not in text
    mine = (await club.slash("alice", "ofc table", do="tables")).text
    assert club.words("alice")("games.others") not in mine, "she sits at both"
    assert mine.count(club.channel.mention) == 2


# Closing


async def test_only_who_manages_the_server_closes_a_table(club: Club) -> None:
    await club.open_table("hanako", "bob")
    words = club.words("bob")
    answer = await club.closes("bob", 1)
    assert words("gate.needs_manage_server") in answer.text
    assert (await club.look()).table.open

    manager = club.guild.create_role("manager", permissions=discord.Permissions(manage_guild=True))
    club.backend.add_member_role(club.guild.id, club.members["hanako"].id, manager.id)
    panel = await club.open_panel("bob")
    answer = await club.closes("hanako", 1)
    assert answer.text == club.words("hanako")("lobby.closed", table=1)
    assert club.words("hanako")("closed.closed_by_admin") in club.public()[-1].text
    assert words("closed.closed_by_admin") in panel.text
    assert panel.controls() == []
    assert (await club.play.result(club.key(), 1)).record.reason == "closed_by_admin"
    for name in ("bob", "hanako"):
        assert await club.play.wallet(club.key().guild, club.player(name)) == 10_000
    twice = await club.closes("hanako", 1)
    assert twice.has("tb_act"), "it's closed, so there are other things to do"


# Direct messages


@in_turn("name", "alice", "hanako")
async def test_direct_messages_are_refused_in_words(club: Club, name: str) -> None:
    for command in ("ofc play", "hand", "ofc leaderboard"):
        interaction = forged_command(club, name, command, guild=False)
        await deliver(interaction)
        assert interaction.said == club.words(name)("gate.only_in_servers"), command


async def test_what_needs_no_server_is_offered_in_direct_messages(club: Club) -> None:
    offered = {command.split()[0] for command in club.members["alice"].user.available_commands()}
    assert offered == {"analyse", "daily", "ofc", "place", "puzzle"}
    with pytest.raises(SetupError):
        await club.members["alice"].user.slash("hand")
