"""The entry inside Discord, as its proxy requests it: the page, its socket, and visitors with false credentials."""

from __future__ import annotations

import re
import secrets
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from aiohttp import WSServerHandshakeError

from bot.model.activities import ACTIVITY
from bot.text.words import words_for
from bot.web import server
from bot.web.activity import MAX_DISCORD_ERRORS, MAX_FAILURES, MAX_SECONDS
from bot.web.addresses import PAGE, SOCKET
from bot.web.forwarding import LED
from bot.web.limits import Allowances, FairQueue
from tests.standin.rest import Fault
from tests.standin.things import BOT_ID
from tests.standin.wired_bot import WiredBot
from tests.web.framed import FRAME, URL, another, coming, exchanges, framed, on_turn, opened, wired_bot
from tests.web.network import network
from tests.web.open_pages import Open

EN, JA = words_for("en"), words_for("ja")
STRANGER = {"X-Forwarded-For": "203.0.113.9"}


async def test_the_page_names_the_application_and_lets_discord_alone_frame_it(frame: Open) -> None:
    nonces = []
    for path in (ACTIVITY, f"{ACTIVITY}/", f"{ACTIVITY}/?instance_id=i-1&frame_id=x&platform=desktop"):
        async with frame.http.get(frame.origin + path, headers=frame.headers) as answer:
            assert answer.status == 200
            policy, text = answer.headers["Content-Security-Policy"], await answer.text()
        (nonce,) = set(re.findall(r"'nonce-([\w-]+)'", policy))
        nonces.append(nonce)
        assert text.count(f'nonce="{nonce}"') == 3, "the style, Discord's SDK and the page's own script"
        assert f'data-application="{BOT_ID}"' in text
        assert f'data-home="{URL}{PAGE}"' in text
        assert "{{" not in re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
        assert "frame-ancestors https://discord.com https://*.discord.com" in policy
        assert f"connect-src wss://{BOT_ID}.discordsays.com 'self'" in policy
        assert "Set-Cookie" not in answer.headers
    assert len(set(nonces)) == 3
    async with frame.http.get(frame.origin + PAGE, headers=frame.headers) as answer:
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"], "the other page stays as it was"


async def test_where_it_is_off_there_is_nothing(tmp_path: Path) -> None:
    async with wired_bot(tmp_path, secret="") as wired, framed(wired) as frame:
        for path in (ACTIVITY, f"{ACTIVITY}/", frame.path):
            async with frame.http.get(frame.origin + path, headers=frame.headers) as answer:
                assert answer.status == 404


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (FRAME, 101),
        ("null", 101),  # a frame that is sandboxed, as on some phones
        (URL, 101),
        (f"https://{BOT_ID + 1}.discordsays.com", 403),
        (f"https://{BOT_ID}.discordsays.com.example.org", 403),
        (FRAME.replace("https", "http"), 403),
        ("https://example.org", 403),
    ],
)
async def test_the_socket_is_the_frames_alone(wired: WiredBot, frame: Open, origin: str, status: int) -> None:
    if status == 101:
        async with frame.socket(Origin=origin) as sight:
            assert (await opened(sight, **coming(wired, wired.user(1))))["type"] == "snapshot"
        return
    with pytest.raises(WSServerHandshakeError) as refused:
        async with frame.socket(Origin=origin):
            pass
    assert refused.value.status == status


async def test_the_other_socket_takes_no_code_and_no_frame(wired: WiredBot, frame: Open) -> None:
    frame.path = SOCKET
    with pytest.raises(WSServerHandshakeError):
        async with frame.socket(Origin=FRAME):
            pass
    async with frame.socket() as sight:
        assert (await opened(sight, **coming(wired, wired.user(1))))["said"] == EN("page.link_over")


async def test_whoever_looks_at_the_frame_plays_and_comes_back_without_asking_discord_again(
    wired: WiredBot, frame: Open
) -> None:
    await wired.open(wired.user(1), wired.user(2))
    key = coming(wired, await on_turn(wired))
    async with frame.socket(Origin=FRAME) as sight:
        assert (await opened(sight, **key))["type"] == "snapshot"
        assert sight.view["yours"]
        await sight.draft("FMMBB")
        assert (await sight.ask("confirm", "FMMBB"))["outcome"] == "done"
    async with frame.socket(Origin=FRAME) as again:
        assert (await opened(again, **key, state=sight.state))["type"] == "current"
    assert exchanges(wired) == 1


async def test_a_code_is_good_once_and_for_its_own_instance(wired: WiredBot, frame: Open) -> None:
    alice, bob = wired.user(1), wired.user(2)
    key = coming(wired, alice)
    async with frame.socket(Origin=FRAME) as sight:
        await opened(sight, **key)
    replayed = {**key, "token": f"{wired.channel.guild.id}.{secrets.token_hex(24)}"}
    own = wired.discord.activities.join(bob, wired.discord.channel(wired.discord.guild(2), 1))
    stolen = coming(wired, bob, key["instance"])
    wired.discord.activities.leave(bob, own)
    for said in (replayed, stolen, {**coming(wired, alice), "code": "forged"}, {**key, "token": "0.x"}):
        async with frame.socket(Origin=FRAME, **{"Accept-Language": "ja"}) as sight:
            assert await opened(sight, **said) == {
                "type": "bye",
                "said": JA("page.not_vouched"),
                "again": False,
                "to": "",
            }


async def test_a_frame_in_a_conversation_is_told_where_tables_are(wired: WiredBot, frame: Open) -> None:
    said = coming(wired, wired.user(1)) | {"token": f"0.{secrets.token_hex(24)}"}
    async with frame.socket(Origin=FRAME) as sight:
        assert (await opened(sight, **said))["said"] == EN("page.no_server")
    async with frame.socket(Origin=FRAME) as sight:  # outside a frame, no one gives a code
        assert (await opened(sight, token=f"0.{secrets.token_hex(24)}"))["said"] == EN("page.not_vouched")
    assert exchanges(wired) == 0


@pytest.mark.parametrize("said", [{"code": "x" * 201}, {"instance": "x" * 201}, {"code": 5}, {"secret": "x"}])
async def test_what_is_no_opening_ends_the_connection(wired: WiredBot, frame: Open, said: dict[str, object]) -> None:
    async with frame.socket(Origin=FRAME) as sight:
        await sight.say(type="open", **(coming(wired, wired.user(1)) | said))
        assert (await sight.next())["said"] == EN("page.not_understood")
    assert exchanges(wired) == 0


async def test_forged_codes_without_end_cost_discord_little_and_others_nothing(wired: WiredBot, frame: Open) -> None:
    inside = wired.bot.links.inside
    assert inside is not None
    inside._turns = FairQueue(pause=0.0, max_wait=MAX_SECONDS)  # noqa: SLF001
    # However long this takes: all of them come within the same minute.
    inside._failed = Allowances(MAX_FAILURES, clock=lambda: 0.0)  # noqa: SLF001
    wired.discord.limits.enforced = False
    instance = wired.discord.activities.join(wired.user(1), wired.channel)
    told = []
    for _ in range(MAX_FAILURES + 3):
        async with frame.socket(Origin=FRAME, **STRANGER) as sight:
            told.append((await opened(sight, **coming(wired, wired.user(1), instance) | {"code": "forged"}))["said"])
    assert told[MAX_FAILURES:] == [EN("page.later")] * 3
    assert exchanges(wired) == MAX_FAILURES
    for address in ("198.51.100.1", "198.51.100.2"):
        async with frame.socket(Origin=FRAME, **{"X-Forwarded-For": address}) as sight:
            assert (await opened(sight, **coming(wired, wired.user(1), instance)))["type"] == "snapshot"


async def test_codes_for_servers_and_instances_that_are_not_known_are_never_exchanged(
    wired: WiredBot, frame: Open
) -> None:
    inside = wired.bot.links.inside
    assert inside is not None
    inside._turns = FairQueue(pause=0.0, max_wait=MAX_SECONDS)  # noqa: SLF001
    alice, said = wired.user(1), []
    elsewhere = {"token": f"{wired.channel.guild.id + 99}.{secrets.token_hex(24)}"}
    for forged in (elsewhere, {"instance": "i-made-up"}):
        async with frame.socket(Origin=FRAME, **STRANGER) as sight:
            said.append((await opened(sight, **coming(wired, alice) | forged))["said"])
    assert said == [EN("page.not_vouched")] * 2
    assert exchanges(wired) == 0
    looked_up = [request.path for request in wired.discord.requests if "activity-instances" in request.path]
    assert [path.rpartition("/")[2] for path in looked_up] == ["i-made-up"], "of the unknown server nothing was asked"


async def test_what_discord_refuses_is_not_asked_again_and_again(wired: WiredBot, frame: Open) -> None:
    inside = wired.bot.links.inside
    assert inside is not None
    inside._turns = FairQueue(pause=0.0, max_wait=MAX_SECONDS)  # noqa: SLF001
    inside._failed = Allowances(10 * MAX_DISCORD_ERRORS, clock=lambda: 0.0)  # noqa: SLF001
    inside._troubles = Allowances(MAX_DISCORD_ERRORS, clock=lambda: 0.0)  # noqa: SLF001
    wired.discord.hook = lambda request: Fault(status=401) if request.path == "/oauth2/token" else None
    for _ in range(MAX_DISCORD_ERRORS + 5):
        async with frame.socket(Origin=FRAME) as sight:
            assert (await opened(sight, **coming(wired, wired.user(1))))["said"] == EN("page.later")
    assert exchanges(wired) == MAX_DISCORD_ERRORS
    assert inside._failed.left("127.0.0.1") == 10 * MAX_DISCORD_ERRORS, "it was no fault of whoever came"  # noqa: SLF001


async def test_sockets_that_say_nothing_make_room_and_visitors_come_in(
    wired: WiredBot, frame: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "MAX_UNIDENTIFIED_SOCKETS", 4)
    async with framed(wired) as frame, AsyncExitStack() as stack:
        silent = [await stack.enter_async_context(frame.socket(**STRANGER)) for _ in range(4)]
        async with frame.socket(Origin=FRAME, **{"X-Forwarded-For": "198.51.100.1"}) as waits:
            silent += [await stack.enter_async_context(frame.socket(**STRANGER)) for _ in range(6)]
            for sight in silent[:-3]:
                with pytest.raises(ConnectionError):
                    await sight.next()
            # The stranger has three of ten attempts left. Visitors from other addresses aren't cut off.
            assert (await opened(waits, **coming(wired, wired.user(1))))["type"] == "snapshot"
            assert not any(sight.socket.closed for sight in silent[-3:])


async def test_while_discord_cannot_be_asked_the_page_comes_again_by_itself(wired: WiredBot, frame: Open) -> None:
    wired.discord.hook = lambda request: Fault(status=500) if request.path == "/oauth2/token" else None
    async with frame.socket(Origin=FRAME) as sight:
        told = await opened(sight, **coming(wired, wired.user(1)))
    assert (told["said"], told["again"]) == (EN("page.later"), True)


async def test_of_several_processes_whichever_is_asked_leads_on_to_the_one_that_has_the_server(
    tmp_path: Path,
) -> None:
    async with network() as net, wired_bot(tmp_path, url=f"http://127.0.0.1:{net.port}") as wired:
        await wired.open(wired.user(1), wired.user(2))
        at_another = another(wired.bot.links, url=wired.bot.links.url)
        at_another.url = URL
        async with framed(wired) as there, framed(wired, at_another) as here:
            net.to = there.port
            key = coming(wired, wired.user(1))
            async with here.socket(Origin=FRAME) as sight:
                assert (await opened(sight, **key))["type"] == "snapshot"
                assert sight.own["you"]
                await sight.say(type="ping")
                assert (await sight.until(lambda told: told["type"] == "pong"))["type"] == "pong"
                # Moves at the table arrive over the same connection.
                await wired.place_cards(await on_turn(wired))
                await sight.until(lambda told: told["type"] == "change")
            # It is led on once: two that take each other for the right one say so, and end it.
            async with here.socket(Origin=FRAME, **{LED: "1"}) as sight:
                told = await opened(sight, **key)
                assert (told["type"], told["again"]) == ("bye", True)
            net.to = 0
            async with here.socket(Origin=FRAME) as sight:
                assert (await opened(sight, **key))["said"] == EN("page.later")
