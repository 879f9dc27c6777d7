"""The gate: whatever happens behind it, the presser is answered, in time, in words, and in private."""

import asyncio
import logging
import re
import sqlite3
from collections.abc import Sequence
from typing import Any

import pytest
from simcord import ResponseMessage
from simcord.http.client import FakeWebhookAdapter

from bot.chat.kit.custom_ids import Press, game_tag
from bot.chat.kit.modals import FormField, modal
from bot.chat.kit.reply import Reply
from bot.chat.table.screens.house.rules import ALL_KEYS
from bot.model.errors import StorageDoubtError
from bot.model.reasons import TableReason
from bot.model.tables import HouseGame
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.refusals import Refused
from bot.text.catalogue import TextError
from tests.discord.club import Club
from tests.discord.forge import Interaction, deliver, forge, forged_command, forged_press
from tests.in_turn import in_turn


async def answered_although_slow(club: Club, *interactions: Interaction) -> None:
    """Deliver while the storage is slow: Discord has its answer in time, and nothing else has been said or shown."""
    public = [screen.components for screen in club.public()]
    private = {name: len(club.private(name)) for name in club.members}
    club.disk.ready.clear()
    await deliver(*interactions)
    for interaction in interactions:
        assert interaction.acknowledged
        assert interaction.record.deferred
    await club.pass_time(20)
    assert [screen.components for screen in club.public()] == public
    assert all(len(club.private(name)) - before <= len(interactions) for name, before in private.items())
    club.disk.ready.set()
    await club.settle()


async def test_a_press_on_the_table_that_waits_for_the_storage_is_answered_privately(club: Club) -> None:
    await club.slash("alice", "ofc play")
    table = club.table_screen()
    press = forged_press(club, "hanako", table, table.find("join")["custom_id"])
    await answered_although_slow(club, press)
    assert press.record.ephemeral
    assert press.said.endswith(club.words("hanako")("lobby.joined_ready", table=1, start=club.words()("button.start")))
    assert club.table_screen() == table
    assert club.shown("hanako") in table.text


async def test_a_confirm_that_waits_for_the_storage_redraws_its_panel(club: Club) -> None:
    await club.open_table("alice", "bob")
    panel = await club.place("bob", await club.open_panel("bob"), "BBBBB")
    press = forged_press(club, "bob", panel, panel.find("confirm")["custom_id"])
    await answered_although_slow(club, press)
    assert club.words("bob")("panel.waiting", players=club.shown("alice")) in panel.text
    assert (await club.look()).waiting == (club.player("alice"),)


async def test_a_refusal_that_waits_for_the_storage_leaves_the_panel_alone(club: Club) -> None:
    await club.open_table("alice", "bob")
    panel = await club.place("alice", await club.open_panel("alice"), "BBBBB")
    before = panel.components
    confirm = panel.find("undo")["custom_id"].replace("undo", "confirm")
    press = forged_press(club, "alice", panel, confirm)
    await answered_although_slow(club, press)
    assert press.answers[-1].text == club.words("alice")("refused.not_your_turn")
    assert press.answers[-1] != panel
    assert panel.components == before


async def test_a_command_that_waits_for_the_storage_is_answered_privately(club: Club) -> None:
    for name in ("alice", "hanako"):
        command = forged_command(club, name, "ofc play", guild=True)
        await answered_although_slow(club, command)
        assert command.record.ephemeral
        assert command.said.startswith(club.words(name)("lobby.opened", table=1, game="@").split("1")[0])
    assert len([screen for screen in club.public() if screen.has("seats")]) == 2


async def test_a_press_of_no_effect_that_waited_leaves_nothing_behind(club: Club) -> None:
    """A computer is seated from an older message: the table shows it, so the promise of an answer is taken back."""
    await club.slash("alice", "ofc play", stakes=0)
    table = club.table_screen()
    adds = table.find("seats")["custom_id"].replace("c1:seats", "s1:add_computer")
    press = forged_press(club, "alice", table, adds, values=["casual"])
    private = len(club.private("alice"))
    await answered_although_slow(club, press)
    assert len(club.private("alice")) == private
    assert club.words()("name.computer_4") in table.text


async def test_somebody_who_presses_twice_because_it_is_slow_acts_once(club: Club) -> None:
    await club.open_table("alice", "bob")
    panel = await club.place("bob", await club.open_panel("bob"), "BBBBB")
    confirm = panel.find("confirm")["custom_id"]
    presses = [forged_press(club, "bob", panel, confirm) for _ in range(3)]
    await answered_although_slow(club, *presses)
    assert await club.count("cards_laid") == 1


async def test_an_answer_that_is_ready_while_its_promise_is_on_the_way_is_not_lost(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord takes one first answer to an interaction, and its network is slow."""
    arrived = asyncio.Event()
    send = FakeWebhookAdapter.request

    async def slowly(adapter: FakeWebhookAdapter, route: Any, session: Any, **parts: Any) -> Any:
        await arrived.wait()
        return await send(adapter, route, session, **parts)

    await club.slash("alice", "ofc play")
    press = forged_press(club, "bob", club.table_screen(), club.table_screen().find("join")["custom_id"])
    monkeypatch.setattr(FakeWebhookAdapter, "request", slowly)
    club.disk.ready.clear()
    await deliver(press)
    club.disk.ready.set()
    for _ in range(1000):
        if await club.count("table.joined"):
            break
    for _ in range(20):
        await club.look()  # The answer sets out.
    assert not press.acknowledged
    arrived.set()
    await club.settle()
    assert press.said.endswith(club.words("bob")("lobby.joined_ready", table=1, start=club.words()("button.start")))


@in_turn("name", "bob", "hanako")
async def test_a_form_that_is_asked_for_late_is_opened_by_a_button(club: Club, name: str) -> None:
    """Discord takes a form as the first answer only."""
    slow = [True]

    async def form(reply: Reply, press: Press, values: Sequence[str]) -> None:
        if slow:
            slow.clear()
            await reply.defer()
        await reply.ask(modal(press.but("written"), "Form", [FormField(label="A")]), again=press.but("form", "x"))

    async def written(reply: Reply, press: Press, values: Sequence[str]) -> None:
        await reply.say(f"written: {values[0]}")

    await club.slash("alice", "ofc play")
    club.bot.services.gate.route("form", form)
    club.bot.services.gate.route("written", written)
    late = await forge(club, name, club.table_screen(), "c1:form:1:0:0:::")
    assert late.said == club.words(name)("gate.late_form")
    member, (shown,) = club.members[name], late.answers
    opened = await member.click(ResponseMessage(club.world.env, shown.message), custom_id="c1:form:1:0:0:::x")
    assert opened.modal is not None
    (label,) = opened.modal["components"]
    answer = await member.submit_modal(opened, {label["component"]["custom_id"]: "here"})
    assert answer.response is not None
    assert "written: here" in str(answer.response.components)


async def test_the_forms_of_house_rules_open_from_a_button_too(club: Club) -> None:
    made = HouseGame(name="Ours", variant=house_variant("pineapple", {}, name="Ours"))
    await club.play.save_game(club.key().guild, made, by=club.player("alice"))
    rules = await club.slash("alice", "setup", topic="house rules")
    number = ALL_KEYS.index("scoop_bonus") + 1
    for asked in ("house_new:0:0:0:::pineapple", f"house_pick:0:{number}:0:::{game_tag('Ours')}"):
        press = forged_press(club, "alice", rules, f"c1:{asked}")
        await deliver(press)
        assert press.record.modal is not None, asked


async def test_an_answer_that_discord_is_not_heard_to_take_is_no_incident(
    club: Club, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await club.slash("alice", "ofc play")
    press = forged_press(club, "bob", club.table_screen(), club.table_screen().find("join")["custom_id"])
    tried = []

    async def unheard(adapter: FakeWebhookAdapter, route: Any, session: Any, **parts: Any) -> Any:
        tried.append(route)
        raise TimeoutError

    monkeypatch.setattr(FakeWebhookAdapter, "request", unheard)
    club.forgiven.append("an answer could not be delivered")
    await deliver(press)
    assert len(tried) == 1
    assert await club.count("table.joined") == 1
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


@in_turn("name", "bob", "hanako")
async def test_a_failure_gives_a_code_that_is_in_the_log(
    club: Club, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    async def broken(reply: Reply, press: Press, values: Sequence[str]) -> None:
        raise RuntimeError("the roof has fallen in")

    await club.slash("alice", "ofc play")
    club.bot.services.gate.route("broken", broken)
    club.forgiven.append("incident")
    press = await forge(club, name, club.table_screen(), "c1:broken:1:0:0:::")
    code = re.search(r"`([0-9a-f]{6})`", press.said)
    assert code is not None
    assert press.said == club.words(name)("gate.incident", code=code[1])
    (logged,) = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert logged.getMessage() == f"incident {code[1]}"
    assert logged.exc_info is not None
    assert "roof" not in press.said
    after = await club.press("bob", club.table_screen(), club.table_screen().find("join"))
    assert after is not None


async def test_a_handler_that_fails_after_it_has_answered_says_so_beside_the_answer(club: Club) -> None:
    async def half(reply: Reply, press: Press, values: Sequence[str]) -> None:
        await reply.say("first")
        raise RuntimeError

    await club.slash("alice", "ofc play")
    club.bot.services.gate.route("half", half)
    club.forgiven.append("incident")
    press = await forge(club, "bob", club.table_screen(), "c1:half:1:0:0:::")
    first, second = press.answers
    assert first.text == "first"
    assert second.text.startswith(club.words("bob")("gate.incident", code="@").split("@")[0])


async def test_while_nothing_can_be_written_looking_at_ones_hand_calls_nobody_again_and_again(club: Club) -> None:
    await club.call_at_once()
    await club.open_table("alice", "bob")
    # The call was posted, and no note of it could be taken.
    await club.disk.write(lambda sql: sql.execute("UPDATE game_table SET call_id = NULL, called = ''"))
    club.troubles.append(sqlite3.SQLITE_FULL)
    club.forgiven += ["storage trouble", "could not be drawn now"]
    before = len(club.calls())
    for _ in range(5):
        await club.slash("alice", "hand")
        await club.settle()
    assert len(club.calls()) == before + 1, "one, of which no note could be taken: it is remembered"
    club.troubles.clear()
    await club.slash("alice", "hand")
    await club.settle()
    assert len(club.calls()) == before + 1


async def test_who_may_have_been_saved_is_not_told_that_nothing_has_changed(club: Club) -> None:
    async def cut_off(reply: Reply, press: Press, values: Sequence[str]) -> None:
        raise StorageDoubtError("it was lost while it wrote")

    await club.slash("alice", "ofc play")
    club.bot.services.gate.route("cut_off", cut_off)
    club.forgiven.append("storage trouble")
    press = await forge(club, "hanako", club.table_screen(), "c1:cut_off:1:0:0:::")
    assert press.said == club.words("hanako")("gate.storage_doubt")


@in_turn("name", "alice", "hanako")
async def test_what_is_on_the_disk_is_said_to_be_done_though_it_cannot_be_shown(club: Club, name: str) -> None:
    await club.open_table("bob", name)
    panel = await club.place(name, await club.open_panel(name), "BBBBB")
    club.forgiven += ["storage trouble", "the clock waits", "could not be drawn now"]
    confirm = panel.find("confirm")["custom_id"]
    with club.blind_after_a_write():
        press = await forge(club, name, panel, confirm)
    assert press.answers[-1].text == club.words(name)("gate.saved_unseen")
    assert await club.count("cards_laid") == 1
    assert club.player(name) not in (await club.look()).waiting


async def test_who_joins_and_leaves_unseen_is_told_that_it_is_done(club: Club) -> None:
    await club.opens("bob", seats=3)
    club.forgiven += ["storage trouble", "the clock waits", "could not be drawn now"]
    words = club.words("alice")
    # What comes back to who leaves is known without a look at the table.
    said = {"join": words("gate.saved_unseen"), "leave": words("lobby.left", table=1, count=1_000, chips="1,000")}
    for verb in said:
        before, custom_id = await club.facts(), club.table_screen().find("join")["custom_id"].replace("join", verb)
        with club.blind_after_a_write():
            press = await forge(club, "alice", club.table_screen(), custom_id)
        assert press.answers[-1].text == said[verb]
        assert await club.facts() != before
        await club.settle()


@in_turn("name", "alice", "hanako")
async def test_a_full_disk_is_admitted_and_the_same_press_works_later(club: Club, name: str) -> None:
    await club.open_table("bob", name)
    panel = await club.place(name, await club.open_panel(name), "BBBBB")
    confirm = panel.find("confirm")["custom_id"]
    club.troubles.append(sqlite3.SQLITE_FULL)
    club.forgiven += ["storage trouble", "the turn clock failed"]
    press = await forge(club, name, panel, confirm)
    assert press.answers[-1].text == club.words(name)("gate.storage_trouble")
    assert (await club.look()).waiting == (club.player(name),)
    await club.pass_time(70)  # The clock cannot act either, and goes on.
    assert (await club.look()).waiting == (club.player(name),)
    club.troubles.clear()
    await forge(club, name, panel, confirm)
    assert await club.count("cards_laid") == 1


@in_turn("name", "bob", "hanako")
async def test_a_refusal_whose_sentence_cannot_be_built_is_answered_as_an_incident(
    club: Club, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    async def lacking(reply: Reply, press: Press, values: Sequence[str]) -> None:
        raise Refused(TableReason.NOT_HOST)  # a test reads the code for those that lack a field

    await club.slash("alice", "ofc play")
    club.bot.services.gate.route("lacking", lacking)
    club.forgiven.append("incident")
    press = await forge(club, name, club.table_screen(), "c1:lacking:1:0:0:::")
    code = re.search(r"`([0-9a-f]{6})`", press.said)
    assert code is not None
    (logged,) = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert logged.getMessage() == f"incident {code[1]}"
    assert logged.exc_info is not None
    assert logged.exc_info[0] is TextError
