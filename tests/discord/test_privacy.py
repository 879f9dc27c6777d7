"""Stored personal data as people see it: export, question and deletion, in both languages."""

import gzip
import json
from typing import Any

import pytest
from simcord import ResponseMessage

from bot.chat.club.screens import privacy as screens
from bot.chat.club.screens.privacy import ask_screen, data_file, done_screen, exported_screen, privacy_screen
from bot.chat.kit.widgets import Screen as MessageRecord
from bot.model.ids import GuildId
from bot.model.privacy import BlockerKind, DeletionBlocker, StoredData
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from tests.discord.club import Club, Screen
from tests.discord.forge import Interaction, check_deal, deliver, forged_command, forged_press
from tests.in_turn import in_turn

HERE, ELSEWHERE = GuildId(1), GuildId(2)
TIES = (
    DeletionBlocker(kind=BlockerKind.TABLE, guild=HERE, number=4),
    DeletionBlocker(kind=BlockerKind.EVENT, guild=ELSEWHERE, number=7),
    DeletionBlocker(kind=BlockerKind.DAILY, guild=None, number=9),
)
each_language = pytest.mark.parametrize("code", LANGUAGES)


def said(drawn: MessageRecord) -> str:
    """All texts of a screen."""
    return "\n".join(part["content"] for part in drawn.walk() if "content" in part)


async def exported(club: Club, name: str) -> dict[str, Any]:
    """Return the file that a member gets."""
    answer = await club.slash(name, "ofc settings", topic=club.words(name)("privacy.button.export"))
    (attached,) = ResponseMessage(club.world.env, answer.message).attachments
    document: dict[str, Any] = json.loads(club.backend.cdn.get(attached.url))
    return document


@in_turn("name", "bob", "hanako")
async def test_who_asks_gets_all_that_is_kept_and_after_deletion_nothing_is(club: Club, name: str) -> None:
    words, player = club.words(name), club.player(name)
    await club.open_table("alice", name)
    ask = await club.slash(name, "ofc settings", topic=club.words(name)("privacy.button.ask"))
    assert words("privacy.first") in ask.text
    assert words("privacy.not_yet_title") in ask.text
    assert words("privacy.tie.table", number=1) in ask.text
    assert not ask.has("own_delete")
    await club.type_hand()
    await club.play.close(club.key(), reason="closed_by_admin")
    ask = await club.tap(name, ask, ask.find("own_ask"))
    assert words("privacy.goes") in ask.text
    document = await exported(club, name)
    assert document["player"] == player
    assert {"chips", "hands", "actions", "results"} <= {*document["servers"][str(club.guild.id)]}
    kept = await club.tap(name, ask, ask.find("own_keep"))
    assert kept.text == words("privacy.unchanged")
    assert (await exported(club, name))["servers"], "nothing was deleted"
    ask = await club.slash(name, "ofc settings", topic=club.words(name)("privacy.button.ask"))
    done = await club.tap(name, ask, ask.find("own_delete"))
    assert done.text == words("privacy.deleted")
    document = await exported(club, name)
    (kept_still,) = document["servers"].values()
    assert ([*kept_still], document["everywhere"]) == (["remembered"], {})
    assert document["explained"] == {"remembered": words("privacy.told.remembered")}
    result = await club.slash("alice", "ofc result", table=1, hand=1)
    assert f"<@{player}>" not in result.text
    assert club.words("alice")("name.gone", code="").strip() in result.text
    verified = await check_deal(club, "alice")
    assert verified.text.startswith(club.words("alice")("verify.right", table=1, hand=1))
    await club.restart(down_seconds=31 * 86_400)
    await club.bot.services.privacy.go_on()
    verified = await check_deal(club, "alice")
    assert verified.text.startswith(club.words("alice")("verify.withheld", table=1, hand=1))


@pytest.mark.parametrize("name", ["alice", "hanako"])
async def test_the_refusal_to_delete_names_a_topic_that_lists_what_is_open(club: Club, name: str) -> None:
    await club.open_table("alice", "hanako")
    words = club.words(name)
    option, _, rest = words("refused.still_playing").partition("`/ofc settings ")[2].partition(":")
    assert option == {"alice": "topic", "hanako": "項目"}[name]
    shown = await club.slash(name, "ofc settings", topic=rest.partition("`")[0])
    assert words("privacy.not_yet_title") in shown.text


async def test_help_leads_to_what_is_kept(club: Club) -> None:
    shown = await club.slash("bob", "ofc help", about=club.words("bob")("hub.topic.own"))
    assert club.words("bob")("privacy.chips") in shown.text
    assert shown.has("own_export")
    assert shown.has("own_ask")


@pytest.mark.parametrize("context", [0, 1, 2], ids=["a server without the bot", "direct messages", "a group of people"])
async def test_who_plays_only_where_the_bot_is_no_member_gets_their_data_and_deletes_it(
    club: Club, context: int
) -> None:
    owner = {"1": str(club.members["hanako"].id)}
    words, player = club.words("hanako"), club.player("hanako")

    async def answered(made: Interaction) -> Screen:
        made.payload |= {"authorizing_integration_owners": owner, "context": context}
        await deliver(made)
        assert made.acknowledged
        (answer,) = made.answers
        return answer

    async def typed(command: str, topic: str = "") -> Screen:
        given = [{"name": "topic", "type": 3, "value": topic}] if topic else []
        return await answered(forged_command(club, "hanako", command, guild=context == 0, given=given))

    async def pressed(screen: Screen, custom_id: str) -> Screen:
        return await answered(forged_press(club, "hanako", screen, custom_id, guild=context == 0))

    day = await typed("daily")
    await pressed(day, day.find("day_begin")["custom_id"])
    menu = await typed("ofc help")
    assert words("hub.alone") in menu.text
    assert {"daily", "games", "history", "howto", "own", "practise", "puzzle"} == {
        control["custom_id"].split(":")[1] for control in menu.controls()
    }
    for verb, told in {"howto": words("how_to_play.deal"), "own": words("privacy.chips")}.items():
        assert told in (await pressed(menu, menu.find(verb)["custom_id"])).text
    file = await typed("ofc settings", words("privacy.button.export"))
    (attached,) = ResponseMessage(club.world.env, file.message).attachments
    assert "daily_tries" in json.loads(club.backend.cdn.get(attached.url))["everywhere"]
    # A running hand is finished first; here its day ends.
    ask = await typed("ofc settings", words("privacy.button.ask"))
    assert words("privacy.tie.daily") in ask.text
    await club.restart(down_seconds=2 * 86_400)
    ask = await pressed(ask, ask.find("own_ask")["custom_id"])
    done = await pressed(ask, ask.find("own_delete")["custom_id"])
    assert done.text == words("privacy.deleted")
    kept = await club.bot.services.privacy.kept_about(player)
    assert (kept.servers, kept.everywhere) == ({}, {})


@each_language
def test_what_has_to_be_finished_is_listed_with_where_and_the_rest_is_counted(code: str) -> None:
    words = words_for(code)
    text = said(ask_screen(TIES, HERE, words))
    assert words("privacy.tie.table", number=4) in text
    assert words("privacy.tie.elsewhere", tie=words("privacy.tie.event", number=7)) in text
    assert words("privacy.tie.daily") in text
    many = said(ask_screen(TIES * 5, HERE, words))
    assert words("privacy.more_ties", count=5) in many


@each_language
def test_every_screen_fits_a_message(code: str) -> None:
    words = words_for(code)
    for drawn in (
        privacy_screen(words),
        ask_screen((), HERE, words),
        ask_screen(TIES * 20, HERE, words),
        exported_screen("a.json", words, empty=True),
        done_screen(words, deleted=True),
    ):
        assert len(said(drawn)) < 4_000


@each_language
def test_the_file_explains_what_is_in_it_and_writes_numbers_that_nobody_rounds(code: str) -> None:
    words = words_for(code)
    rows = {"results": [{"at": 1_800_000_000_000, "points": -3, "channel_id": 2**60}]}
    name, data = data_file(StoredData(servers={HERE: rows}, everywhere={}), "42", words, now_ms=0)
    document = json.loads(data)
    assert name == "chaipo-my-data.json"
    assert document["explained"] == {"results": words("privacy.told.results")}
    assert document["servers"]["1"]["results"] == [
        {"at": "2027-01-15T08:00:00+00:00", "points": -3, "channel_id": str(2**60)}
    ]


def test_a_file_that_discord_would_not_take_is_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screens, "MAX_BYTES", 100)
    name, data = data_file(StoredData(servers={}, everywhere={}), "42", words_for("en"), now_ms=0)
    assert name.endswith(".json.gz")
    assert json.loads(gzip.decompress(data))["servers"] == {}


@each_language
def test_every_kind_of_row_is_explained(code: str) -> None:
    from bot.store.export_queries import TOLD

    assert all(words_for(code).has(f"privacy.told.{told.name}") for told in TOLD)


async def test_deleting_somebody_of_whom_nothing_is_kept_writes_nothing(club: Club) -> None:
    ask = await club.slash("hanako", "ofc settings", topic=club.words("hanako")("privacy.button.ask"))
    press = ask.find("own_delete")
    club.disk.ready.clear()
    done = await club.tap("hanako", ask, press)
    assert done.text == club.words("hanako")("privacy.deleted")
    assert club.disk.waiting == 0
    club.disk.ready.set()
