"""The welcome: once in each server, in its language, with buttons that begin."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.chat.club.posts.welcomes import WelcomeTime
from bot.chat.kit.found_messages import UNSURE_MS
from bot.model.choices import ServerSettings
from bot.model.ids import GuildId
from bot.model.reasons import TableReason
from bot.model.tables import TableState
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.refusals import Refused
from bot.text.refusals import refusal
from bot.text.words import words_for
from tests.discord.club import Club, Screen, complaints, open_club
from tests.discord.forms import enter_in_setup
from tests.discord.test_powers import silence
from tests.in_turn import in_turn


@pytest.fixture
async def club(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[Club]:
    """A server that the bot has just joined."""
    async with open_club(tmp_path, welcoming=WelcomeTime.ONCE) as opened:
        await opened.settle()
        yield opened
    assert not complaints(caplog.get_records("call"), opened.forgiven)


def welcomes(club: Club) -> list[Screen]:
    """Return the welcomes in the channel."""
    return [screen for screen in club.public() if screen.has("set_up")]


async def server_of(club: Club) -> ServerSettings:
    """Return the stored server."""
    return await club.play.server(GuildId(club.guild.id))


async def test_a_server_is_welcomed_once(club: Club) -> None:
    (welcome,) = welcomes(club)
    words = club.words()
    for key in ("title", "game", "start"):
        assert words(f"welcome.{key}") in welcome.text
    ways = [words(f"ways.button.{key}") for key in ("practise", "open_table", "how_to_play")]
    assert welcome.labels() == [*ways, words("aloud.reader.button"), words("welcome.set_up")]
    noted = await server_of(club)
    assert (noted.welcome_channel, noted.welcome_message) == (club.channel.id, welcome.id)
    await club.restart(down_seconds=3600)
    await club.settle()
    assert [screen.id for screen in welcomes(club)] == [welcome.id]


async def test_a_japanese_server_is_welcomed_in_japanese_when_the_bot_joins_it(club: Club) -> None:
    other = club.elsewhere("麻雀とカードの会", locale="ja")
    await other.settle()
    (welcome,) = welcomes(other)
    assert words_for("ja")("welcome.title") in welcome.text
    assert len(welcomes(club)) == 1


async def test_practise_deals_at_once(club: Club) -> None:
    panel = await club.press("alice", welcomes(club)[0], welcomes(club)[0].find("practise"))
    assert panel is not None
    assert panel.has("card")
    table = (await club.look()).table
    assert table.terms.practice
    assert table.state is TableState.PLAYING


async def test_open_a_table_and_open_make_the_usual_one(club: Club) -> None:
    await club.play.choose_for_server(
        GuildId(club.guild.id), lambda before: replace(before, point_value=25, game=PRESETS["classic"])
    )
    form = await club.tap("bob", welcomes(club)[0], welcomes(club)[0].find("open"))
    await club.tap("bob", form, form.find("new_open"))
    table = (await club.look()).table
    assert (table.host, table.terms.point_value, table.terms.variant.key) == (club.player("bob"), 25, "classic")


@in_turn("name", "bob", "hanako")
async def test_how_to_play_shows_the_game_in_the_readers_language_and_guides_through_a_hand(
    club: Club, name: str
) -> None:
    page = await club.tap(name, welcomes(club)[0], welcomes(club)[0].find("howto"))
    words = club.words(name)
    assert words("how_to_play.title") in page.text
    first = await club.click(name, page, words("ways.button.guided_hand"))
    assert first is not None
    assert words("tutorial.rows.text") in first.text
    assert first.id == page.id, "in the same private message"


@in_turn("name", "bob", "hanako")
async def test_set_up_is_for_those_who_manage_the_server(club: Club, name: str) -> None:
    refused = await club.press(name, welcomes(club)[0], welcomes(club)[0].find("set_up"))
    assert refused is not None
    assert refused.text == club.words(name)("gate.needs_manage_server")
    page = await club.press("alice", welcomes(club)[0], welcomes(club)[0].find("set_up"))
    assert page is not None
    assert page.has("su_stakes")


@in_turn("name", "bob", "hanako")
async def test_where_tables_are_opened_elsewhere_the_welcome_says_where_and_lets_people_practise(
    club: Club, name: str
) -> None:
    room = club.guild.create_text_channel("poker")
    await club.play.choose_for_server(GuildId(club.guild.id), lambda before: replace(before, channels=(room.id,)))
    (welcome,) = welcomes(club)
    refused = await club.tap(name, welcome, welcome.find("open"))
    assert refused.text == refusal(Refused(TableReason.NOT_HERE, channels=str(room.id)), club.words(name))
    assert (await club.tap(name, welcome, welcome.find("practise"))).has("card")


@in_turn("name", "bob", "hanako")
async def test_who_may_not_write_opens_no_table_from_the_welcome_and_practises_all_the_same(
    club: Club, name: str
) -> None:
    silence(club, name, "send_messages")
    (welcome,) = welcomes(club)
    refused = await club.tap(name, welcome, welcome.find("open"))
    assert refused.text == club.words(name)("refused.may_not_write")
    assert (await club.tap(name, welcome, welcome.find("practise"))).has("card")
    assert len(club.public()) == 1


async def test_the_welcome_goes_where_the_bot_may_write(club: Club) -> None:
    other = club.elsewhere("Two rooms")
    other.forbid("send_messages")
    open_door = replace(other, channel=other.guild.create_text_channel("open-door"))
    await other.settle()
    assert (len(welcomes(other)), len(welcomes(open_door))) == (0, 1)


async def test_a_server_in_which_the_bot_may_write_nowhere_is_welcomed_after_a_later_start(club: Club) -> None:
    other = club.elsewhere("No room")
    other.forbid("send_messages")
    await other.settle()
    assert await server_of(other) == ServerSettings()
    other.forbid()
    await club.restart()
    await club.settle()
    assert len(welcomes(other)) == 1


@pytest.mark.parametrize(("ago_ms", "posted"), [(UNSURE_MS - 60_000, 1), (UNSURE_MS + 60_000, 0)])
async def test_a_bot_that_died_while_it_greeted_greets_again_only_while_it_would_be_the_same_message(
    tmp_path: Path, ago_ms: int, posted: int
) -> None:
    async with open_club(tmp_path) as quiet:
        # It was noted that a welcome is sent, and then the bot was killed.
        at = quiet.world.now_ms() - ago_ms
        await quiet.play.choose_for_server(
            GuildId(quiet.guild.id),
            lambda before: replace(before, welcomed_at=at, welcome_channel=quiet.channel.id),
        )
    async with open_club(tmp_path, welcoming=WelcomeTime.ONCE) as opened:
        await opened.settle()
        assert len(welcomes(opened)) == posted


async def test_each_start_of_the_playground_opens_with_the_welcome(tmp_path: Path) -> None:
    for _ in range(2):
        async with open_club(tmp_path, welcoming=WelcomeTime.EACH_START) as opened:
            await opened.settle()
            assert len(welcomes(opened)) == 1


async def test_the_welcome_follows_the_language_that_is_chosen(club: Club) -> None:
    await enter_in_setup(club, "alice", "language", ["ja"])
    (welcome,) = welcomes(club)
    assert words_for("ja")("welcome.title") in welcome.text


@pytest.mark.parametrize(("chosen", "read"), [(None, "ja"), ("en", "en")])
async def test_the_welcome_follows_the_language_of_the_server_in_discord_unless_one_is_chosen(
    club: Club, chosen: str | None, read: str
) -> None:
    await enter_in_setup(club, "alice", "language", [chosen or "told"])
    club.world.speak("ja")
    await club.settle()
    (welcome,) = welcomes(club)
    assert words_for(read)("welcome.title") in welcome.text
