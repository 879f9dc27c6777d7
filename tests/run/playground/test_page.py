import asyncio
import json
import logging
import time
from base64 import b64encode
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from copy import deepcopy
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession
from discord import TextChannel
from PIL import Image
from simcord import preview
from simcord.backend.ops import messages
from typing_extensions import override

from bot.play.trainer.judging import Judging
from bot.run.playground.browser import REWORDED
from bot.run.playground.page import ANSWER_SECONDS, ChannelPage, around, open_page
from bot.run.playground.simulated_server import ROLES, START_MS
from bot.text.languages import ENGLISH, JAPANESE, Language
from bot.text.words import words_for
from bot.workers.worker_pool import WorkerPool
from tests.play.trainer.short import becomes_short
from tests.play.world import World
from tests.run.playground.browser import Browser, browsers
from tests.run.playground.small_bot import THOUGHT, TURN_MS, SmallBot

EVERYBODY = ("alice", "bob", "hanako")


@dataclass(slots=True)
class Wall:
    """A clock on the wall that the test turns."""

    ms: int = START_MS

    def now_ms(self) -> int:
        return self.ms


def png(colour: str) -> bytes:
    file = BytesIO()
    Image.new("RGB", (8, 8), colour).save(file, "PNG")
    return file.getvalue()


FACES = {"c1_As": png("black"), "c1_Kh": png("red")}


@asynccontextmanager
async def opened(
    wall: Wall, *, settle_seconds: float = 5.0, language: Language = ENGLISH
) -> AsyncIterator[ChannelPage]:
    async with open_page(
        lambda now_ms: SmallBot(now_ms, FACES),
        port=0,
        faces=FACES,
        language=language,
        wall_ms=wall.now_ms,
        settle_seconds=settle_seconds,
    ) as page:
        yield page


def bot_of(page: ChannelPage) -> SmallBot:
    assert isinstance(page.world.env.bot, SmallBot)
    return page.world.env.bot


def settled(*receipts: dict[str, Any]) -> bool:
    return all(receipt["settlement"] == "settled" and not receipt["rejected"] for receipt in receipts)


async def table_for(*seats: Browser) -> None:
    assert settled(await seats[0].command("table"))
    for seat in seats:
        await seat.look()


async def test_the_clock_follows_the_wall_clock() -> None:
    wall = Wall()
    async with opened(wall) as page:
        wall.ms += 12_345
        await page.catch_up()
        assert page.world.now_ms() == wall.ms


async def test_a_press_happens_when_it_is_made() -> None:
    wall = Wall()
    async with opened(wall) as page, browsers(page, "alice") as (alice,):
        wall.ms += 700
        await table_for(alice)
        assert bot_of(page).deadline_ms == wall.ms + TURN_MS


async def test_a_clock_that_was_set_back_waits() -> None:
    wall = Wall()
    async with opened(wall) as page:
        wall.ms -= 3_600_000
        await page.catch_up()
        assert page.world.now_ms() == START_MS


async def test_the_time_that_a_laptop_slept_is_skipped() -> None:
    wall = Wall()
    async with opened(wall) as page, browsers(page, "alice") as (alice,):
        await table_for(alice)
        wall.ms += 8 * 3_600_000
        await page.catch_up()
        assert page.world.now_ms() == wall.ms
        assert len(bot_of(page).ended_ms) == 1


async def test_no_id_comes_twice_in_two_runs() -> None:
    wall = Wall()
    ids: list[int] = []
    for _ in range(2):
        async with opened(wall) as page, browsers(page, "alice") as (alice,):
            for _ in range(3):
                await table_for(alice)
                wall.ms += 1
            ids += bot_of(page).ids
    assert len(ids) == 12
    assert len(set(ids)) == 12


async def test_the_club_has_roles_that_the_bot_can_assign() -> None:
    runs = []
    for ms in (START_MS, START_MS + 86_400_000):
        async with opened(Wall(ms)) as page:
            guild = bot_of(page).get_guild(page.world.guild.id)
            assert guild is not None
            given = [guild.get_role(role.id) for role in ROLES]
            assert all(role is not None and role < guild.me.top_role for role in given)
            bob = page.world.env.backend.get_member(guild.id, page.world.members["bob"].id)
            assert [role.name for role in given if role and role.id in bob.role_ids] == ["Organisers"]
            runs.append([role.id for role in given if role])
    assert runs[0] == runs[1], "the bot's data names them after a restart"


async def test_everybody_sees_what_one_of_them_does() -> None:
    async with opened(Wall()) as page, browsers(page, *EVERYBODY) as seats:
        await table_for(*seats)
        await seats[2].press("Press")
        for seat in seats:
            await seat.look()
            assert "Table 1" in seat.words()


async def test_everybody_sees_what_the_clock_does() -> None:
    wall = Wall()
    async with opened(wall) as page, browsers(page, *EVERYBODY) as seats:
        await table_for(*seats)
        wall.ms += TURN_MS + 1_000
        await page.catch_up()
        for seat in seats:
            await seat.look()
            assert "Time is up" in seat.words()


async def test_a_page_stays_as_it_is_while_nothing_happens() -> None:
    wall = Wall()
    async with opened(wall) as page, browsers(page, "alice") as (alice,):
        await table_for(alice)
        before = alice.sight["publishedRevision"]
        wall.ms += 2_000
        await page.catch_up()
        assert (await alice.look())["publishedRevision"] == before


async def test_everybody_is_answered_and_shown_dates_in_their_own_language() -> None:
    async with opened(Wall()) as page, browsers(page, *EVERYBODY) as seats:
        await table_for(*seats)
        for seat, hello in zip(seats, ("Hello", "Good day", "こんにちは"), strict=True):
            assert settled(await seat.press("My hand"))
            await seat.look()
            assert hello in seat.words()
        assert [seat.sight["profile"]["locale"] for seat in seats] == ["en-US", "en-GB", "ja"]


async def test_a_private_panel_is_seen_by_its_owner_alone() -> None:
    async with opened(Wall()) as page, browsers(page, "alice", "bob") as (alice, bob):
        await table_for(alice, bob)
        await alice.press("My hand")
        await bob.look()
        assert "Hello" not in bob.words()


async def test_presses_at_the_same_time_wait_for_each_other_and_for_the_clock() -> None:
    wall = Wall()
    async with opened(wall) as page, browsers(page, *EVERYBODY) as seats:
        await table_for(*seats)

        async def tick() -> None:
            for _ in range(30):
                wall.ms += 100
                await page.catch_up()
                await asyncio.sleep(0)

        async def play(seat: Browser) -> list[dict[str, Any]]:
            return [await seat.press("Press") for _ in range(8)]  # Without looking in between.

        _, *played = await asyncio.gather(tick(), *(play(seat) for seat in seats))
        assert settled(*(receipt for receipts in played for receipt in receipts))
        assert len(bot_of(page).presses) == 24
        assert page.world.now_ms() == wall.ms


async def test_a_press_on_an_older_drawing_says_what_was_on_the_button() -> None:
    async with opened(Wall()) as page, browsers(page, "alice", "bob") as (alice, bob):
        await table_for(alice, bob)
        assert settled(await alice.press("Place 0"))
        late = await bob.press("Place 0")
        # discord.py no longer finds this button on the message, so it calls no handler, as on Discord.
        assert bot_of(page).heard[-2:] == ["place:0", "place:0"]
        assert bot_of(page).street == 1
        assert late["acknowledgement"] == "unacknowledged"


async def test_a_press_on_a_drawing_that_nobody_remembers_is_refused() -> None:
    async with opened(Wall()) as page, browsers(page, "alice", "bob") as (alice, bob):
        await table_for(alice, bob)
        bob.sight["publishedRevision"] = 0
        await alice.press("Place 0")
        assert (await bob.press("Place 0"))["rejected"]
        await bob.look()
        assert settled(await bob.press("Place 1"))


async def test_a_menu_and_a_dialog_outlast_what_others_do() -> None:
    async with opened(Wall()) as page, browsers(page, "alice", "bob") as (alice, bob):
        await table_for(alice, bob)
        await alice.press("My hand")
        await alice.look()
        await bob.press("Press")
        assert settled(await alice.choose("Row", "Front", "Back"))
        await alice.press("Seed")
        await alice.look()
        await bob.press("Press")
        assert settled(await alice.submit("lucky horse"))
        await alice.look()
        assert "Chosen: Front, Back" in alice.words()
        assert "Seed: lucky horse" in alice.words()


async def test_a_choice_in_an_older_drawing_says_what_was_on_the_menu() -> None:
    async with opened(Wall()) as page, browsers(page, "alice", "bob") as (alice, bob):
        await table_for(alice, bob)
        await alice.press("My hand")
        await alice.look()
        panel = _messages(page)[-1]
        panel.components = deepcopy(panel.components)
        panel.components[1]["components"][0]["custom_id"] = "another"
        await bob.press("Press")
        assert settled(await alice.choose("Row", "Middle"))
        assert bot_of(page).heard[-1] == "choose"


@pytest.fixture
def set_zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Sets the machine's time zone."""

    def set_to(zone: str) -> None:
        monkeypatch.setenv("TZ", zone)
        time.tzset()

    yield set_to
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(("zone", "shown"), [("Asia/Tokyo", "Etc/GMT-9"), ("UTC", "UTC"), ("Asia/Kolkata", "UTC")])
async def test_captures_show_times_as_on_the_clock_of_the_machine(
    zone: str, shown: str, set_zone: Callable[[str], None]
) -> None:
    set_zone(zone)
    async with opened(Wall()) as page, browsers(page, "alice") as (alice,):
        assert alice.sight["profile"]["timezone"] == shown


async def test_the_pictures_are_those_of_the_bot() -> None:
    async with opened(Wall()) as page, browsers(page, "alice") as (alice,):
        await table_for(alice)
        emoji = alice.emojis()[0]
        assert emoji["name"] == "c1_As"
        with Image.open(BytesIO(await alice.picture(emoji["asset_id"]))) as picture:
            assert picture.size == (8, 8)


async def test_an_error_in_the_bot_ends_nothing() -> None:
    async with opened(Wall()) as page, browsers(page, "alice") as (alice,):
        assert (await alice.command("crash"))["settlement"] == "failed"
        await alice.look()
        await table_for(alice)


async def test_a_task_that_hangs_is_waited_for_once(caplog: pytest.LogCaptureFixture) -> None:
    async with opened(Wall(), settle_seconds=0.1) as page, browsers(page, "alice") as (alice,):
        with caplog.at_level(logging.DEBUG, logger="bot.run.playground.page"):
            assert settled(await alice.command("stuck"))
            await alice.look()
            await table_for(alice)
            await page.catch_up()
        assert [record.levelname for record in caplog.records if record.name.startswith("bot.")] == ["DEBUG"]


async def test_who_waits_for_long_sees_meanwhile_that_the_bot_is_at_it_and_then_what_came_of_it() -> None:
    assert ANSWER_SECONDS <= 3, "so long a press may stay unanswered"
    async with opened(Wall(), settle_seconds=0.1) as page, browsers(page, "alice") as (alice,):
        assert settled(await alice.command("stuck")), "it has its answer, however long the bot is busy"
        await alice.look()
        assert "Working" in alice.words()
        let_go(page)
        while "Done" not in alice.words():
            await page.catch_up()
            await alice.look()


def let_go(page: ChannelPage) -> None:
    """Let the bot answer what it holds back."""
    free = bot_of(page).free
    assert free is not None
    free.set_result(None)


@pytest.mark.parametrize("word", ["horse", "form"])
async def test_an_answer_that_comes_too_late_is_no_longer_called_uncertain(word: str) -> None:
    async with opened(Wall(), settle_seconds=0.1) as page, browsers(page, "alice") as (alice,):
        receipt = await alice.command("late", word=word)
        assert (receipt["settlement"], receipt["uncertain"]) == ("timeout", True)
        await alice.look()
        assert alice.sight["lastAction"]["uncertain"]
        let_go(page)
        while alice.sight["lastAction"]["uncertain"]:
            await page.catch_up()
            await alice.look()
        for receipt in (alice.sight["lastAction"], alice.sight["activity"][-1]):
            assert settled(receipt)
            assert (receipt["acknowledgement"], receipt["diagnostics"]) == ("acknowledged", [])
        if word == "form":
            assert settled(await alice.submit("lucky horse"))
        else:
            assert "Late horse" in alice.words()


async def test_an_error_is_not_taken_for_a_late_answer() -> None:
    async with opened(Wall()) as page, browsers(page, "alice") as (alice,):
        await alice.command("crash")
        await alice.look()
        assert alice.sight["lastAction"]["settlement"] == "failed"


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page hardly waits for the bot to come to rest while time is hastened."""
    monkeypatch.setattr("bot.run.playground.page.ANSWER_SECONDS_LIVELY", 0.01)
    monkeypatch.setattr("bot.run.playground.page.LIVELY_SECONDS", 0.01)


@pytest.mark.usefixtures("hasty")
async def test_an_answer_is_waited_for_while_time_is_hastened() -> None:
    async with opened(Wall(), settle_seconds=300.0) as page, browsers(page, "alice") as (alice,):
        await page.ask({"times": 10})
        asked, is_answered = [], page.world.env.is_answered
        assert is_answered is not None

        def once_more() -> bool:
            """The time for an answer is over for the first time: now the bot answers."""
            asked.append(is_answered())
            if asked == [False]:
                let_go(page)
            return asked[-1]

        page.world.env.is_answered = once_more
        assert settled(await alice.command("late", word="horse"))
        assert asked[0] is False
        asked.clear()
        suggested = await alice.suggested("late", "word", "XYZ")
        assert asked[0] is False
        assert settled(suggested)
        assert suggested["result"]["answered"]
        assert suggested["result"]["choices"] == [{"name": "XYZ!", "value": "XYZ"}]


async def test_a_clock_that_hangs_is_waited_for_once(caplog: pytest.LogCaptureFixture) -> None:
    wall = Wall()
    async with opened(wall, settle_seconds=0.1) as page, browsers(page, "alice") as (alice,):
        bot_of(page).hangs = True
        with caplog.at_level(logging.DEBUG, logger="bot.run.playground.page"):
            for _ in range(3):
                wall.ms += 1_500
                await page.catch_up()
        await table_for(alice)
        assert page.world.now_ms() == wall.ms
        warnings = [record.getMessage() for record in caplog.records if record.name.startswith("bot.")]
        assert len(warnings) == 1
        assert "Loop._loop" in warnings[0]


async def test_what_nobody_can_ask_for_any_more_is_forgotten() -> None:
    wall = Wall()
    async with opened(wall) as page, browsers(page, "alice") as (alice,):
        backend = page.world.env.backend
        await table_for(alice)
        await page.world.members["alice"].send(page.world.channel, "look", attachments=[("a.txt", b"a")])
        await page.tidy()
        assert len(backend.interactions) == 1
        (attachment,) = (message.attachments[0] for message in _messages(page) if message.attachments)
        assert backend.cdn.get(attachment["url"]) == b"a"
        wall.ms += 16 * 60_000
        await page.catch_up()
        next(message for message in _messages(page) if message.attachments).attachments.clear()
        await page.tidy()
        assert not backend.interactions
        assert backend.cdn.get(attachment["url"]) is None


def _messages(page: ChannelPage) -> list[Any]:
    return list(page.world.env.backend.messages[page.world.channel.id].values())


async def test_the_plain_address_lets_you_in() -> None:
    async with opened(Wall()) as page, ClientSession() as http:
        assert page.address.startswith("http://127.0.0.1:")
        async with http.get(page.address) as response:
            assert '<script src="/door.js">' in await response.text()
        async with http.get(f"{page.address}door.js") as response:
            assert page.capability in await response.text()
            assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin"


async def test_another_site_is_not_let_in() -> None:
    async with opened(Wall()) as page, ClientSession(headers={"Host": "evil.example"}) as http:
        for path in ("", "door.js"):
            async with http.get(f"{page.address}{path}") as response:
                assert response.status == 403


@pytest.mark.parametrize(
    ("begun", "accepted", "spoken"),
    [
        (ENGLISH, "ja,en-US;q=0.9", JAPANESE),
        (ENGLISH, "xx, ja-JP;q=0.8", JAPANESE),
        (ENGLISH, "en-US,en;q=0.9,ja;q=0.8", ENGLISH),
        (ENGLISH, "", JAPANESE),  # a program that looks whether it is there; then a browser
        (JAPANESE, "en-US,en;q=0.9", JAPANESE),
    ],
)
async def test_the_first_browser_is_spoken_to_in_its_language(begun: Language, accepted: str, spoken: Language) -> None:
    async with opened(Wall(), language=begun) as page, ClientSession() as http, browsers(page, "alice") as (alice,):
        for header in (accepted, "ja", "en"):
            async with http.get(page.address, headers={"Accept-Language": header}) as response:
                assert response.status == 200
        await table_for(alice)
        await alice.press("Press")
        locale = "ja" if spoken is JAPANESE else "en-US"
        assert set(bot_of(page).languages) == {(locale, locale)}
        async with http.get(f"{page.address}door.js") as response:
            assert json.dumps(words_for(spoken.code)("playground.thinking")) in await response.text()


def test_every_sentence_that_is_replaced_stands_on_the_page() -> None:
    """A newer SimCord that words something otherwise would leave it in English."""
    static = Path(preview.__file__).parent / "static"
    page = "\n".join(path.read_text() for path in static.iterdir() if path.suffix in {".js", ".html"})
    english = words_for(ENGLISH.code)
    page += Path(messages.__file__).read_text()  # This is the playground's own text in messages.
    replaced = {around(key, english) for key in english.entries if key.startswith("playground.page.")}
    assert len(replaced) > 130
    parts = {part.strip() for said in replaced for part in said.split("{n}")}
    assert {part for part in parts if part not in page} == set()


def test_everything_that_is_worded_otherwise_stands_on_the_page_once() -> None:
    static = Path(preview.__file__).parent / "static"
    for path, changes in REWORDED.items():
        served = (static / (path.removeprefix("/") or "index.html")).read_text()
        assert [served.count(old) for old, _ in changes] == [1] * len(changes), path


async def test_a_channel_goes_on_to_what_its_readers_own_press_brings() -> None:
    async with opened(Wall()) as page, ClientSession() as http:
        async with http.get(f"{page.address}timeline.js") as response:
            assert (await response.text()).count("globalThis.asked?.()") == 2
        async with http.get(f"{page.address}door.js") as response:
            assert "globalThis.asked = " in await response.text()


async def test_commands_are_listed_in_the_readers_language() -> None:
    async with opened(Wall()) as page, browsers(page, "alice", "hanako") as (alice, hanako):
        (english,), (japanese,) = [
            [entry for entry in (await one.commands())["entries"] if entry["invocation"] == "table"]
            for one in (alice, hanako)
        ]
        assert (english["description"], japanese["description"]) == ("Open a table", "卓を立てる")
        assert [option["label"] for option in english["options"]] == ["game"]
        assert [option["label"] for option in japanese["options"]] == ["ゲーム"]
        assert [choice["name"] for choice in japanese["options"][0]["choices"]] == ["パイナップル"]
        assert settled(await hanako.command("table"))


async def test_all_cards_come_with_the_page() -> None:
    async with opened(Wall()) as page, ClientSession() as http:
        async with http.get(f"{page.address}door.js") as response:
            script = await response.text()
        assert all(json.dumps(b64encode(face).decode()) in script for face in FACES.values())
        async with http.get(f"{page.address}text.js") as response:
            assert "face.src = globalThis.faces[emoji.name]" in await response.text()


async def test_a_page_is_drawn_only_when_somebody_looks_at_it() -> None:
    wall = Wall()
    async with opened(wall) as page, browsers(page, "alice", "bob") as (alice, bob):
        await table_for(alice)
        seen = bob.sight["publishedRevision"]
        drawings = page._pages[bob.sight["context"]["id"]].revision  # noqa: SLF001
        for _ in range(3):
            wall.ms += TURN_MS
            await alice.press("Press")
            await page.catch_up()
        assert page._pages[bob.sight["context"]["id"]].revision == drawings  # noqa: SLF001
        assert (await bob.look())["publishedRevision"] > seen
        assert "Table 3" in bob.words()


async def test_nobody_waits_while_a_computer_thinks(caplog: pytest.LogCaptureFixture) -> None:
    wall = Wall()
    async with opened(wall) as page, browsers(page, "alice") as (alice,):
        with caplog.at_level(logging.DEBUG, logger="bot.run.playground.page"):
            bot_of(page).thought = asyncio.get_running_loop().create_future()
            wall.ms += 1_500
            await page.catch_up()
            assert bot_of(page).thoughts.alarms == {THOUGHT}
            await table_for(alice)
            assert bot_of(page).thoughts.alarms == {THOUGHT}
        assert [record.getMessage() for record in caplog.records if record.name.startswith("bot.")] == []


class Endless(WorkerPool):
    """Workers that never end a computation."""

    @override
    async def think(self, *args: Any, **how: Any) -> Any:
        return await asyncio.get_running_loop().create_future()


class Busy(SmallBot):
    """A bot that has something to compute in the background as soon as it starts."""

    judging: Judging

    @override
    async def setup_hook(self) -> None:
        await super().setup_hook()
        self.judging.work()


async def test_a_start_and_a_press_wait_for_nothing_that_is_computed_in_the_background(tmp_path: Path) -> None:
    house = World(tmp_path)
    await house.open()
    await becomes_short(house, left=0)
    pool = Endless()

    def built(now_ms: Callable[[], int]) -> Busy:
        bot = Busy(now_ms, FACES)
        bot.judging = Judging(house.sessions, pool, house.core.bus, serves=lambda _: True)
        return bot

    async with (
        open_page(built, port=0, faces=FACES, wall_ms=Wall().now_ms) as page,
        browsers(page, "alice") as (alice,),
    ):
        bot = bot_of(page)
        assert isinstance(bot, Busy)
        await table_for(alice)
        await bot.judging.stop()
    await house.close()


@pytest.mark.parametrize(
    ("written", "bold"),
    [
        ("**ピップ（カジュアル）**が勝ち、**ドット**は負け", ["ピップ（カジュアル）", "ドット"]),
        ("勝ったのは**🤖ピップ**です。**席**をどうぞ", ["🤖ピップ", "席"]),
        ("**+3点**、*2 * 3*", ["+3点"]),
        ("2 ** 3 and **open", []),
        ("`**code**` and **bold**", ["bold"]),
    ],
)
async def test_bold_words_end_where_discord_ends_them(written: str, bold: list[str]) -> None:
    async with opened(Wall()) as page, browsers(page, "alice") as (alice,):
        channel = bot_of(page).get_channel(page.world.channel.id)
        assert isinstance(channel, TextChannel)
        await channel.send(written)
        (message,) = (await alice.look())["messages"].values()
        ((line,),) = (paragraph["children"] for paragraph in message["content_tokens"])
        said = [token.get("content", token["type"]) for token in line["children"]]
        assert [said[at + 1] for at, one in enumerate(said) if one == "strong_open"] == bold


async def test_countdowns_are_drawn_so_that_they_can_move() -> None:
    async with opened(Wall()) as page, ClientSession() as http, http.get(f"{page.address}text.js") as response:
        assert "time.dataset, { style, locale" in await response.text()


@pytest.mark.parametrize("language", [ENGLISH, JAPANESE])
async def test_time_is_hastened_from_the_pages_own_menu(language: Language) -> None:
    wall, words = Wall(), words_for(language.code)
    async with opened(wall, language=language) as page, ClientSession() as http:
        address, own = f"{page.address}api/pages", {"X-Simcord-Capability": page.capability, "X-Chaipo-Evening": "1"}
        async with http.get(f"{page.address}door.js") as response:
            door = await response.text()
        for said in ("menu", "fill", "many", "time"):
            assert words(f"playground.evening.{said}") in door.encode().decode("unicode_escape", "ignore") + door
        async with http.post(address, json={"times": 10}, headers=own) as response:
            told = await response.json()
        assert told == {"said": words("playground.evening.hastened", count=10), "ahead": 0, "times": 10}
        wall.ms += 3_000
        await page.entertain()
        assert page.world.now_ms() == START_MS + 30_000
        member_settings: list[Any] = [{"times": 7}, {"guests": "many"}, [], {"times": [1]}, {"times": True}]
        for nonsense in member_settings:
            async with http.post(address, json=nonsense, headers=own) as response:
                assert (await response.json())["said"] == ""
        async with http.post(address, json={"times": 1}, headers=own | {"X-Simcord-Capability": "x"}) as response:
            assert response.status == 401
        wall.ms += 1_000
        await page.catch_up()
        assert page.world.now_ms() == START_MS + 40_000, "nothing else has changed how it goes"
