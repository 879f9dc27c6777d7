"""Refills, the bonus and what managers do with chips, as people see it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import discord
import pytest
from discord import app_commands
from simcord import ResponseMessage
from simcord.builders import UserHandle

from bot.chat.club.screens.bank import HERE, audit_line
from bot.chat.kit.widgets import button, button_rows, screen
from bot.model.bank import MAX_CHIPS, Action, AuditEntry, BankTerms, Claim
from bot.model.ids import GuildId, Player
from bot.model.reasons import BankReason
from bot.model.standings import LeaderboardSpan
from bot.pure.ofc.refusals import Refused
from bot.text.languages import LANGUAGES
from bot.text.refusals import refusal
from bot.text.words import escape_name, words_for
from tests.discord.club import Club, Screen
from tests.discord.forge import deliver, forge, forged_command, forged_form, forged_press
from tests.discord.forms import enter, enter_in_setup
from tests.in_turn import in_turn

PLAYERS = ("bob", "hanako")
"""An English and a Japanese reader."""


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_log_tells_in_the_reader_s_language_what_was_done_about_seasons(code: str) -> None:
    words = words_for(code)
    said = {
        "season 2": [words("bank.audit.season_started", season=2)],
        "season 2 *Spring*": [words("bank.audit.season_started", season=2), r"\*Spring\*"],
        "season 2: end": [words("bank.audit.season_ended", season=2)],
        "seasons: monthly true, reset chips false, role <@&7>, title One, two, channel <#8>": [
            words("bank.audit.season_terms"),
            words("bank.audit.season.monthly"),
            words("bank.audit.season.kept"),
            words("bank.audit.season.role", value="<@&7>"),
            words("bank.audit.season.title", value="One"),
            words("bank.audit.season.channel", value="<#8>"),
        ],
        "2000 / 500": [words("bank.audit.terms"), "2000 / 500"],
    }
    for reason, told in said.items():
        entry = AuditEntry(
            number=1, at=0, manager=Player("1"), player=None, action=Action.TERMS, chips=0, reason=reason
        )
        line = audit_line(entry, words)
        assert all(one in line for one in told), line
        assert "true" not in line
        assert line.count("\n") == (len(told) > 1)


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_log_tells_what_was_added_to_a_prize_pool_and_to_which(code: str) -> None:
    words = words_for(code)
    entry = AuditEntry(
        manager=Player("1"), player=None, action=Action.ADD, chips=2_000, reason="Cup *1*", at=0, number=1
    )
    line = audit_line(entry, words)
    assert words.signed(2_000) in line
    assert "<@1>" in line
    assert line.endswith(r"-# Cup \*1\*")


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_log_tells_who_has_won_added_chips_and_that_who_added_them_plays(code: str) -> None:
    words = words_for(code)
    entry = AuditEntry(manager=Player("1"), player=None, action=Action.ADD_PLAYING, chips=2_000, reason="Cup", at=0)
    assert words("bank.audit.add_playing", chips=words.signed(2_000)) in audit_line(entry, words)
    won = audit_line(replace(entry, action=Action.WON, player=Player("2"), chips=900), words)
    assert all(one in won for one in ("<@1>", "<@2>", words.signed(900), "Cup"))


def guild_of(club: Club) -> GuildId:
    """The club's server as play knows it."""
    return GuildId(club.guild.id)


async def write_terms(club: Club, written: Sequence[str], ask: str = "bank_change") -> Screen:
    """The owner fills in a form about chips, field by field; a channel stays as it is."""
    page = await club.slash("alice", "setup")
    form = await club.ask("alice", page, page.find("bank_change"))
    if ask != "bank_change":
        answer = await club.send("alice", form)
        form = await club.ask("alice", answer, answer.find(ask))
    assert form.modal is not None
    labels = [label["label"] for label in form.modal["components"]]
    return await club.send("alice", form, dict(zip(labels, written, strict=False)))


async def wallet(club: Club, name: str) -> int:
    """Return a member's chips outside tables."""
    return await club.play.wallet(guild_of(club), club.player(name))


@pytest.mark.parametrize("name", PLAYERS)
async def test_the_bonus_is_a_button_beside_the_chips_and_is_had_once_a_day(club: Club, name: str) -> None:
    words = club.words(name)
    page = await club.slash(name, "ofc profile", show="chips")
    assert not page.has("claim", Claim.REFILL.value), "they have more than the floor"
    bonus = page.find("claim", Claim.BONUS.value)
    assert bonus["label"] == words("bank.bonus", chips="+500")
    later = await club.tap(name, page, bonus)
    assert later.text.startswith(words("bank.got_bonus", chips="500"))
    assert not later.has("claim")
    assert words("chips.kind.bonus") in later.text
    assert words("bank.next_bonus", at="").split("<t:")[0] in later.text
    forged = forged_press(club, name, page, bonus["custom_id"])
    await deliver(forged)
    assert forged.said is not None
    assert forged.said.startswith(words("refused.claimed_already", when="").split("<t:")[0])
    assert await wallet(club, name) == 10_500


@pytest.mark.parametrize("name", PLAYERS)
async def test_who_has_too_little_is_offered_a_refill(club: Club, name: str) -> None:
    words = club.words(name)
    await club.slash("alice", "manage", do="Set a wallet", player=club.members[name], value="300", reason="Broke")
    page = await club.slash(name, "ofc profile", show="chips")
    refill = page.find("claim", Claim.REFILL.value)
    assert refill["label"] == words("bank.refill", chips="+1,700")
    assert (await club.tap(name, page, refill)).text.startswith(words("bank.refilled", chips="1,700"))
    assert await wallet(club, name) == 2_000


async def send_chips(club: Club, name: str, payee: Any, written: str) -> Screen:
    """Submit the form that sends chips; returns the answer."""
    page, words = await club.slash(name, "ofc profile", show="chips"), club.words(name)
    form = await club.ask(name, page, page.find("chips_send"))
    return await club.send(name, form, {words("chips.send.player"): [payee], words("chips.send.chips"): written})


@pytest.mark.parametrize("name", PLAYERS)
async def test_chips_are_sent_where_the_server_allows_it(club: Club, name: str) -> None:
    words, alice = club.words(name), club.members["alice"]
    page = await club.slash(name, "ofc profile", show="chips")
    assert not page.has("chips_send")
    early = await forge(club, name, page, "c1:chips_send:0:0:0:::")
    assert early.said == refusal(Refused(BankReason.NO_TRANSFERS), words)
    await write_terms(club, ["500", "2000", "1000", "10"])
    sent = await send_chips(club, name, alice, "100")
    told = words("bank.sent_with_fee", chips="90", player=f"<@{alice.id}>", fee="10")
    assert sent.text.startswith(told)
    assert words("chips.kind.sent") in (await club.slash(name, "ofc profile", show="chips")).text
    itself = await send_chips(club, name, club.members[name], "1")
    assert refusal(Refused(BankReason.NOT_TO_ONESELF), words) in itself.text


async def test_only_those_who_manage_the_server_have_power_over_chips(club: Club) -> None:
    assert "manage" in club.members["alice"].available_commands(club.channel)
    do = {"name": "do", "type": 3, "value": "Audit log"}
    command = forged_command(club, "hanako", "manage", guild=True, given=[do])
    await deliver(command)
    assert command.said == club.words("hanako")("gate.needs_manage_server")
    assert [type(error) for error in club.world.env.errors] == [app_commands.MissingPermissions]
    page = await club.slash("alice", "setup")
    press = forged_press(club, "bob", page, "s1:bank_channel:0:0:0:::", values=[str(club.channel.id)])
    await deliver(press)
    assert press.said == club.words("bob")("gate.needs_manage_server")
    assert await club.bot.services.bank.terms(guild_of(club)) == BankTerms()


async def test_each_deed_is_told_with_its_reason_and_posted_where_the_server_wants_it(club: Club) -> None:
    words, bob = club.words("alice"), club.members["bob"]
    room = club.guild.create_text_channel("log")
    page = await enter_in_setup(club, "alice", "log channel", [room])
    assert words("bank.facts.log", channel=room.id) in page.text
    await club.slash("bob", "ofc profile", show="chips")
    given = await club.slash("alice", "manage", do="Give chips", player=bob, value="250", reason="Won *the* quiz")
    assert given.text == words("bank.given", player=f"<@{bob.id}>", chips="250", reason=r"Won \*the\* quiz")
    await club.slash("alice", "manage", do="Freeze a player", player=bob, reason="Two accounts")
    answer = await club.slash("bob", "ofc play")
    assert answer.text == refusal(Refused(BankReason.FROZEN, why="Two accounts"), club.words("bob"))
    await club.slash("alice", "manage", do="Unfreeze a player", player=bob, reason="A mistake")
    log = await club.slash("alice", "manage", do="Audit log")
    for said in ("+250", r"Won \*the\* quiz", "Two accounts", "A mistake", f"<#{room.id}>"):
        assert said in log.text
    assert len(club.backend.messages.get(room.id, {})) == 3
    entries = await club.bot.services.bank.audit_log(guild_of(club), limit=10)
    assert [entry.action for entry in entries] == [Action.UNFREEZE, Action.FREEZE, Action.GIVE, Action.TERMS]


@pytest.mark.parametrize(
    ("ask", "written", "field", "limits"),
    [
        ("bank_needs", ["0", "0", "0", "24"], "bonus_hours", ("1", "8,784")),
        ("bank_needs", ["0", "99999999999999", "24", "24"], "hands", ("0", "10,000")),
        ("bank_change", ["500", "2000", "0", "100"], "transfer_fee", ("0", "99")),
        ("bank_change", ["-1", "2000", "0", "0"], "bonus", ("0", "1,000,000,000")),
        ("bank_change", ["500", "20000000000000", "0", "0"], "refill_to", ("0", "1,000,000,000")),
    ],
)
async def test_terms_that_make_no_sense_change_nothing(
    club: Club, ask: str, written: list[str], field: str, limits: tuple[str, str]
) -> None:
    answer, words = await write_terms(club, written, ask), club.words("alice")
    least, most = limits
    assert words("bank.terms.limits", field=words(f"bank.terms.form.{field}"), least=least, most=most) in answer.text
    assert await club.bot.services.bank.terms(guild_of(club)) == BankTerms()
    again = await club.ask("alice", answer, answer.find(ask))
    assert again.modal is not None
    assert [label["component"]["value"] for label in again.modal["components"][:4]] == written, "nothing is typed twice"


async def test_the_form_of_an_older_audit_log_gives_and_takes_chips(club: Club) -> None:
    words, bob = club.words("alice"), club.player("bob")
    older = screen("Audit log", *button_rows([button(HERE.but("bank_chips"), "Give or take chips")]), colour=0)
    await club.bot.get_partial_messageable(club.channel.id).send(view=older)
    page = club.public()[-1]
    labels = {what: words(f"bank.chips.{what}") for what in ("player", "action", "chips", "reason")}

    async def fill(answer: Screen, *, player: str, action: str, chips: str, reason: str) -> Screen:
        given = ([club.members[player]], action, chips, reason)
        form = await club.ask("alice", answer, answer.find("bank_chips"))
        return await club.send("alice", form, dict(zip(labels.values(), given, strict=True)))

    had = await wallet(club, "bob")
    said = await fill(page, player="bob", action="give", chips="2,500", reason="A prize")
    assert words("bank.given", player=club.members["bob"].mention, chips="2,500", reason="A prize") == said.text
    assert await wallet(club, "bob") == had + 2_500
    unread = await fill(page, player="bob", action="take", chips="some", reason="Too many `chips`")
    assert words("refused.unread_chips", typed="some") in unread.text
    too_much = await fill(page, player="bob", action="take", chips="999999", reason="All")
    assert await wallet(club, "bob") == had + 2_500
    await club.bot.services.play.change_member_settings(
        guild_of(club), club.player("alice"), lambda now: replace(now, text_only=True)
    )
    heard = await fill(page, player="bob", action="take", chips="999999", reason="🔥")
    for answer, chips, reason in (
        (unread, "some", "Too many `chips`"),
        (too_much, "999999", "All"),
        (heard, "999999", "🔥"),
    ):
        _, typed, named = answer.text.split("```")
        assert bob not in typed, "a block shows the number of a player and not their name"
        assert named.split("\n")[1] == club.members["bob"].mention
        form = await club.ask("alice", answer, answer.find("bank_chips"))
        assert form.modal is not None
        whom, done, *written = [label["component"] for label in form.modal["components"]]
        assert [str(one["id"]) for one in whom["default_values"]] == [bob]
        assert [one["value"] for one in done["options"] if one.get("default")] == ["take"]
        assert [one["value"] for one in written] == [chips, reason]
    log = await club.bot.services.bank.audit_log(guild_of(club), player=bob, limit=9, skip=0)
    assert [(entry.action, entry.chips, entry.reason) for entry in log] == [(Action.GIVE, 2_500, "A prize")]


async def test_only_managers_give_chips_whatever_they_send(club: Club) -> None:
    page = await club.slash("alice", "manage", do="Audit log")
    had = await wallet(club, "bob")
    texts = [club.player("bob"), "give", "100", "mine"]
    for name in (
        "bob",
        "alice",
    ):  # without members resolved by Discord
        await deliver(forged_form(club, name, page, "m1:bank_given:0:0:0:::", texts))
    await deliver(forged_form(club, "alice", page, "m1:bank_given:0:0:0:::", texts[:2]))
    assert await wallet(club, "bob") == had


@pytest.mark.parametrize(
    ("written", "field"),
    [
        (["500", "x", "0", "0"], "refill_to"),
        (["1.5", "2000", "0", "0"], "bonus"),
        (["500", "2000", "1000, 5", "0"], "transfer_cap"),
        (["500", "2000", "0", "five"], "transfer_fee"),
    ],
)
async def test_what_cannot_be_read_for_sure_is_asked_back_with_its_field(
    club: Club, written: list[str], field: str
) -> None:
    words = club.words("alice")
    answer = await write_terms(club, written)
    asked = [line for line in answer.text.splitlines() if words(f"bank.terms.form.{field}") in line]
    assert len(asked) == 1
    assert next(value for value in written if value in asked[0])
    assert answer.has("bank_change")
    assert await club.bot.services.bank.terms(guild_of(club)) == BankTerms()


@pytest.mark.parametrize(
    "written",
    [
        ["500", "2,000", "2,000", "5"],
        ["500", "2.000", "2000", "5 %"],
        ["５００", "２，０００", "2000", "5％"],
        ["0500", "2 000", "2'000", "5%"],
    ],
)
async def test_numbers_are_read_as_people_write_them(club: Club, written: list[str]) -> None:
    await write_terms(club, written)
    terms = await club.bot.services.bank.terms(guild_of(club))
    assert terms == BankTerms(refill_to=2_000, transfer_cap=2_000, transfer_fee=5)


async def test_sending_to_a_frozen_player_tells_no_reason_and_the_frozen_are_told_on_their_own_page(club: Club) -> None:
    bob = club.members["bob"]
    await write_terms(club, ["500", "2000", "1000", "10"])
    await club.slash("alice", "manage", do="Freeze a player", player=bob, reason="see ticket 42")
    sent = await send_chips(club, "hanako", bob, "100")
    assert refusal(Refused(BankReason.PAYEE_FROZEN, player=str(bob.id)), club.words("hanako")) in sent.text
    assert f"<@{bob.id}>" in sent.text
    assert "ticket" not in sent.text
    page = await club.slash("bob", "ofc profile", show="chips")
    assert refusal(Refused(BankReason.FROZEN, why="see ticket 42"), club.words("bob")) in page.text
    assert not page.has("claim", Claim.BONUS.value)
    await club.slash("alice", "manage", do="Unfreeze a player", player=bob, reason="solved")
    page = await club.slash("bob", "ofc profile", show="chips")
    assert page.has("claim", Claim.BONUS.value)
    assert "ticket" not in page.text


async def test_managers_see_what_was_sent_one_way(club: Club) -> None:
    bob, hanako = club.members["bob"], club.members["hanako"]
    await write_terms(club, ["500", "2000", "5000", "0"])
    await send_chips(club, "bob", hanako, "4,000")
    log = await club.slash("alice", "manage", do="Audit log")
    told = club.words("alice")("bank.audit.sent", payer=f"<@{bob.id}>", payee=f"<@{hanako.id}>", chips="4,000", count=1)
    assert told in log.text


async def test_setting_back_chips_with_each_month_is_asked_first_with_its_date(club: Club) -> None:
    words, seasons = club.words("alice"), club.bot.services.bank.seasons
    page = await club.slash("alice", "setup", topic="seasons")
    asked = await enter(club, "alice", page, "season chips", "1")
    assert words("season.next_first", chips="10,000") in asked.text
    assert not (await seasons(guild_of(club))).terms.reset_chips
    page = await club.tap("alice", asked, asked.find("season_terms", "01y"))
    asked = await enter(club, "alice", page, "season begins", "1")
    assert words("season.reset_later", chips="10,000") in asked.text
    assert not (await seasons(guild_of(club))).terms.monthly
    page = await club.tap("alice", asked, asked.find("season_terms", "01"))
    assert words("season.by_hand") in page.text
    await club.bot.services.bank.start_season(guild_of(club), club.player("alice"), "", cause="x")
    asked = await enter(club, "alice", page, "season begins", "1")
    month = LeaderboardSpan.MONTH.bounds(club.bot.services.publisher.now())[1] // 1000
    assert words("season.reset_first", chips="10,000", at=month) in asked.text
    done = await club.tap("alice", asked, asked.find("season_terms", "11y"))
    terms = (await seasons(guild_of(club))).terms
    assert (terms.monthly, terms.reset_chips) == (True, True)
    assert words("season.monthly") in done.text


async def test_seasons_of_themselves_are_asked_first_with_their_date(club: Club) -> None:
    words, seasons = club.words("alice"), club.bot.services.bank.seasons
    page = await club.slash("alice", "setup", topic="seasons")
    asked = await enter(club, "alice", page, "season begins", "1")
    assert words("season.monthly_later") in asked.text
    page = await club.tap("alice", asked, asked.find("season_terms", "00"))
    await club.bot.services.bank.start_season(guild_of(club), club.player("alice"), "", cause="x")
    asked = await enter(club, "alice", page, "season begins", "1")
    month = LeaderboardSpan.MONTH.bounds(club.bot.services.publisher.now())[1] // 1000
    assert words("season.monthly_first", at=month) in asked.text
    assert words("season.reset_final") not in asked.text
    assert not (await seasons(guild_of(club))).terms.monthly
    await club.tap("alice", asked, asked.find("season_terms", "10y"))
    assert (await seasons(guild_of(club))).terms.monthly
    # Taking it back needs no confirmation.
    page = await club.slash("alice", "setup", topic="seasons")
    page = await enter(club, "alice", page, "season begins", "0")
    assert words("season.by_hand") in page.text


async def test_a_form_keeps_the_rest_while_it_asks_about_everyones_chips(club: Club) -> None:
    words, page = club.words("alice"), await club.slash("alice", "setup", topic="seasons")
    form = await club.ask("alice", page, page.find("season_name"))
    asked = await club.send("alice", form, {words("season.chips"): "1", words("season.title_field"): "King"})
    assert words("season.next_first", chips="10,000") in asked.text
    terms = (await club.bot.services.bank.seasons(guild_of(club))).terms
    assert (terms.title, terms.reset_chips) == ("King", False)


async def test_buttons_of_an_older_page_of_seasons_ask_first_too(club: Club) -> None:
    words, page = club.words("alice"), await club.slash("alice", "setup", topic="seasons")
    press = forged_press(club, "alice", page, "c1:season_terms:0:0:0:::01")
    await deliver(press)
    assert words("season.next_first", chips="10,000") in press.said
    assert not (await club.bot.services.bank.seasons(guild_of(club))).terms.reset_chips


async def test_two_managers_start_one_season(club: Club) -> None:
    page = await club.slash("alice", "setup", topic="seasons")
    message = ResponseMessage(club.world.env, page.message)
    form = await club.members["alice"].click(message, custom_id=page.find("season_ask")["custom_id"])
    assert form.modal is not None
    await club.bot.services.bank.start_season(guild_of(club), club.player("alice"), "Other", cause="x")
    name = form.modal["components"][0]["component"]["custom_id"]
    answer = await club._answer(await club.members["alice"].submit_modal(form, {name: "Autumn"}))  # noqa: SLF001
    assert answer is not None
    assert answer.text == refusal(Refused(BankReason.OTHER_SEASON, number=1), club.words("alice"))
    running = (await club.bot.services.bank.seasons(guild_of(club))).running
    assert running is not None
    assert running.name == "Other"


async def test_a_bot_has_no_wallet(club: Club) -> None:
    user = club.bot.user
    assert user is not None
    bot = UserHandle(club.world.env, club.backend.users[user.id])
    assert bot.bot
    for act in ("Give chips", "Freeze"):
        shown = await club.slash("alice", "manage", do=act, player=bot, value="5", reason="Prize")
        assert refusal(Refused(BankReason.NO_WALLET), club.words("alice")) in shown.text
    assert not await club.bot.services.bank.audit_log(guild_of(club), player=None, limit=5, skip=0)


async def test_the_log_is_turned_page_by_page(club: Club) -> None:
    for number in range(10):
        await club.slash(
            "alice", "manage", do="Give chips", player=club.members["bob"], value="1", reason=f"No. {number}"
        )
    page = await club.slash("alice", "manage", do="Audit log", player=club.members["bob"])
    assert "No. 9" in page.text
    assert "No. 0" not in page.text
    older = await club.click("alice", page, club.words("alice")("button.older"))
    assert older is not None
    assert "No. 0" in older.text


async def test_a_manager_is_not_told_of_permissions_by_a_role_alone(club: Club) -> None:
    role = club.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    club.backend.add_member_role(club.guild.id, club.members["bob"].id, role.id)
    answer = await club.slash("bob", "manage", do="Audit log")
    assert club.words("bob")("bank.audit.empty") in answer.text


async def test_a_manager_begins_a_season_that_everybody_can_look_at(club: Club) -> None:
    words = club.words("alice")
    page = await club.slash("alice", "setup", topic="seasons")
    assert words("season.none") in page.text
    asked = await enter(club, "alice", page, "season chips", "1")
    page = await club.tap("alice", asked, asked.find("season_terms", "01y"))
    assert words("season.reset", chips="10,000") in page.text
    message = ResponseMessage(club.world.env, page.message)
    form = await club.members["alice"].click(message, custom_id=page.find("season_ask")["custom_id"])
    assert form.modal is not None
    name = form.modal["components"][0]["component"]["custom_id"]
    sent = await club.members["alice"].submit_modal(form, {name: "Autumn *stars*"})
    begun = await club._answer(sent)  # noqa: SLF001
    assert begun is not None
    assert "Autumn \\*stars\\*" in begun.text
    board = await club.slash("hanako", "ofc leaderboard", when="season")
    assert "Autumn \\*stars\\*" in board.text
    assert club.words("hanako")("season.number", number=1) in board.text
    asked = await club.tap("alice", begun, begun.find("season_end"))
    assert (await club.bot.services.bank.seasons(guild_of(club))).running is not None, "it was asked first"
    ended = await club.tap("alice", asked, asked.find("season_end"))
    assert words("season.none") in ended.text


async def test_a_manager_chooses_what_champions_get_and_is_told_what_cannot_be(club: Club) -> None:
    words = club.words("alice")
    role = club.guild.create_role("Champion")
    page = await club.slash("alice", "setup", topic="seasons")
    page = await enter(club, "alice", page, "champion role", [role])
    assert "⚠️" not in page.text
    page = await enter(club, "alice", page, "season channel", [club.channel])
    # The role that all members have can't be given.
    press = forged_press(club, "alice", page, "s1:season_role:0:0:0:::", values=[str(club.guild.id)])
    await deliver(press)
    assert words("given_role.not_yours", role=f"<@&{club.guild.id}>") in press.said
    page = await enter(club, "alice", page, "season title", "King *of* all")
    assert words("season.title_is", title="King \\*of\\* all") in page.text
    terms = (await club.bot.services.bank.seasons(guild_of(club))).terms
    assert (terms.role, terms.channel, terms.title) == (role.id, club.channel.id, "King *of* all")


# /manage


@in_turn("name", "alice", "hanako")
async def test_managers_acts_are_suggested_and_typed_in_any_language(club: Club, name: str) -> None:
    role = club.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    club.backend.add_member_role(club.guild.id, club.members[name].id, role.id)
    words, bob = club.words(name), club.members["bob"]
    offered = [choice["value"] for choice in await club.members[name].autocomplete(club.channel, "manage", "do", "")]
    acts = ("give", "take", "set", "freeze", "unfreeze", "audit", "save")
    assert offered == [*(words(f"manage.name.{act}") for act in acts), words("acts.everything.name")]
    had = await wallet(club, "bob")
    for typed in ("give", "チップを付与", "Give chips"):
        await club.slash(name, "manage", do=typed, player=bob, value="1,000", reason="Prize")
    assert await wallet(club, "bob") == had + 3_000
    unread = await club.slash(name, "manage", do="take", player=bob, value="some", reason="Prize")
    assert words("refused.unread_chips", typed="some") in unread.text
    _, typed, named = unread.text.split("```")
    assert str(bob.id) not in typed, "people are mentioned, which a block of text can't do"
    assert bob.mention in named
    form = await club.ask(name, unread, unread.find("mg_act_ask"))
    taken = await club.send(name, form, {words("bank.chips.chips"): "3000"})
    assert words("bank.taken", player=bob.mention, chips="3,000", reason="Prize") in taken.text
    assert await wallet(club, "bob") == had


@in_turn("name", "alice", "hanako")
async def test_the_audit_log_leads_to_the_same_forms(club: Club, name: str) -> None:
    role = club.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    club.backend.add_member_role(club.guild.id, club.members[name].id, role.id)
    words, bob, had = club.words(name), club.members["bob"], await wallet(club, "bob")
    page = await club.slash(name, "manage", do="audit")
    assert not page.has("bank_chips")
    form = await club.ask(name, page, page.button(words("manage.name.give")))
    filled = zip(("player", "chips", "reason"), ([bob], "２，０００", "Cup"), strict=True)
    given = await club.send(name, form, {words(f"bank.chips.{field}"): value for field, value in filled})
    assert words("bank.given", player=bob.mention, chips="2,000", reason="Cup") in given.text
    assert await wallet(club, "bob") == had + 2_000


@pytest.mark.parametrize("name", ["alice", "hanako"])
async def test_a_number_of_chips_that_is_out_of_reach_is_told_its_limits(club: Club, name: str) -> None:
    role = club.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    club.backend.add_member_role(club.guild.id, club.members[name].id, role.id)
    words, bob, had = club.words(name), club.members["bob"], await wallet(club, "bob")
    for act, least in (("give", 1), ("take", 1), ("set", 0)):
        limits = words("refused.bad_chips", least=least, most=words.number(MAX_CHIPS))
        for typed in ("-5", "－５", "1,000,000,001", "9" * 30, *(["0"] if least else [])):
            refused = await club.slash(name, "manage", do=act, player=bob, value=typed, reason="Prize")
            assert limits in refused.text, typed
            assert typed in refused.text, "what was typed stays"
        unread = await club.slash(name, "manage", do=act, player=bob, value="12.5", reason="Prize")
        assert words("refused.unread_chips", typed=escape_name("12.5")) in unread.text
    assert await wallet(club, "bob") == had


@in_turn("name", "alice", "hanako")
async def test_a_template_is_made_of_a_table_that_was_closed_lately(club: Club, name: str) -> None:
    role = club.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    club.backend.add_member_role(club.guild.id, club.members[name].id, role.id)
    words = club.words(name)
    await club.opens("bob", stakes=7)
    await club.leave("bob")
    table = (await club.look()).table
    assert not table.open
    form = await club.command_form(name, "manage", do="save", value="Friday")
    assert words("manage.closed") in str(form.modal)
    saved = await club.send(name, form, {words("manage.field.table"): ["1"]})
    assert words("template.saved", name="Friday", table=1) in saved.text
    await club.slash("hanako", "ofc play", like="Friday")
    assert (await club.look(2)).table.terms.point_value == 7


async def test_an_act_whose_fields_are_missing_opens_its_form_with_what_was_typed(club: Club) -> None:
    words, bob = club.words("alice"), club.members["bob"]
    form = await club.command_form("alice", "manage", do="freeze", player=bob)
    frozen = await club.send(
        "alice", form, {words("bank.chips.reason"): "Two accounts", words("bank.chips.player"): [bob]}
    )
    assert words("bank.frozen", player=bob.mention) in frozen.text
    back = await club.ask("alice", frozen, frozen.find("mg_act"))
    done = await club.send("alice", back, {words("bank.chips.reason"): "Solved", words("bank.chips.player"): [bob]})
    assert words("bank.unfrozen", player=bob.mention) in done.text


async def test_presses_of_managers_acts_do_nothing_for_anybody_else(club: Club) -> None:
    page, had = await club.slash("alice", "manage", do="what can I do"), await wallet(club, "bob")
    assert all(club.words("alice")(f"manage.says.{act}") in page.text for act in ("give", "freeze", "audit"))
    for custom_id in ("c1:mg_act:0:0:0:::audit", "c1:mg_act_ask:0:0:0:::give"):
        press = forged_press(club, "bob", page, custom_id)
        await deliver(press)
        assert club.words("bob")("gate.needs_manage_server") in press.said
    sent = forged_form(club, "bob", page, "m1:mg_act_form:0:0:0:::give", [club.player("bob"), "500", "mine"])
    await deliver(sent)
    texts = forged_form(club, "alice", page, "m1:mg_act_form:0:0:0:::give", [club.player("bob"), "500", "mine"])
    await deliver(texts)
    assert club.words("alice")("refused.no_wallet") in texts.said, "nobody whom Discord has resolved"
    assert await wallet(club, "bob") == had


@pytest.mark.parametrize(
    ("typed", "act"), [("suspend", "freeze"), ("history", "audit"), ("とうけつ", "freeze"), ("ざんだか", "set")]
)
async def test_managers_find_what_they_do_by_everyday_words(club: Club, typed: str, act: str) -> None:
    found = await club.members["alice"].autocomplete(club.channel, "manage", "do", typed)
    assert club.words("alice")(f"manage.name.{act}") in [one["name"] for one in found]
