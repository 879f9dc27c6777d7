"""Attackers generated from a seed: contents, volume, speed and addresses of their messages."""

from __future__ import annotations

import asyncio
import json
import random
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

import pytest
from aiohttp import WSServerHandshakeError, web
from aiohttp.test_utils import make_mocked_request

from bot.ops import visitors
from bot.web import limits, server, serving
from bot.web.addresses import PAGE
from bot.web.limits import Allowances, Proxies, networks
from bot.web.messages import HEARD, MAX_BYTES, InvalidMessageError, heard
from tests.discord.club import Club
from tests.web.open_pages import Open, key_of, link_in, linked

SEEDS = range(2)
LETTERS = 'FMBD.{}[]":,\\u0000\ud83c\u202e\u00e9 0123456789eE+-xnulltruefalse'


@pytest.fixture
def page_url() -> str:
    return "https://cards.example.org"


def bent(chance: random.Random, known: Sequence[Mapping[str, object]]) -> Iterator[str | bytes]:
    """Messages that are nearly right: parts are left out, exchanged, too long, of another kind or no text at all."""
    strange: list[object] = [None, True, -1, 1.5, 1e308, 2**53, 2**70, "", "\x00", "x" * 200, [], {}, [[]], {"a": {}}]
    strange += ["As", "F" * 20, "\ud800", "__proto__", "' OR 1=1 --", "../../etc/passwd", "<script>", "\u202e"]
    while True:
        message = dict(chance.choice(known))
        for _ in range(chance.randint(1, 3)):
            name = chance.choice([*message, "extra", "__proto__", "type"])
            if chance.random() < 0.2:
                message.pop(name, None)
            else:
                message[name] = chance.choice(strange)
        text = json.dumps(message)
        way = chance.random()
        if way < 0.3:
            place = chance.randrange(len(text))
            text = text[:place] + chance.choice(LETTERS) + text[place + chance.randint(0, 2) :]
        elif way < 0.4:
            text = text[: chance.randrange(len(text))]
        elif way < 0.45:
            text *= 60
        yield text.encode("utf-8", "surrogatepass") if chance.random() < 0.15 else text


@pytest.mark.parametrize("seed", SEEDS)
def test_no_text_that_is_bent_is_anything_but_a_message_or_refused(seed: int) -> None:
    chance = random.Random(seed)
    known = [
        {"type": "open", "token": "1." + "a" * 48, "ticket": "", "table": 1, "state": "x"},
        {"type": "draft", "table": 1, "turn": "x", "letters": "FM..."},
        {"type": "intent", "id": "0123456789", "verb": "confirm", "table": 1, "turn": "x", "letters": "FMMBB"},
    ]
    refused = 0
    for text, _ in zip(bent(chance, known), range(400), strict=False):
        try:
            message = heard(text.decode("utf-8", "replace") if isinstance(text, bytes) else text)
        except InvalidMessageError:
            refused += 1
        else:
            assert HEARD.validate_json(HEARD.dump_json(message)) == message
    assert 200 < refused < 400


@pytest.mark.parametrize("seed", SEEDS)
async def test_what_is_bent_changes_nothing_and_other_pages_go_on(club: Club, door: Open, seed: int) -> None:
    await club.open_table("alice", "bob")
    name = await club.on_turn()
    facts, chance = await club.facts(drafts=False), random.Random(seed)
    key = key_of(link_in(await club.open_panel(name)))
    byes = 0
    async with door.socket() as bystander:
        await bystander.say(type="open", **key_of(link_in(await club.open_panel("alice"))))
        await bystander.until(lambda told: told["type"] == "snapshot")
        async with door.socket() as sight:
            await sight.say(type="open", **key)
            await sight.until(lambda told: told["type"] == "snapshot")
        turn = sight.view["mine"]["turn"]
        known: list[dict[str, object]] = [
            {"type": "open", **key},
            {"type": "look", "table": 1},
            {"type": "draft", "table": 1, "turn": turn, "letters": "FM..."},
            # None of these may pass unchanged, because valid messages would take effect.
            {
                "type": "intent",
                "id": "0123456789",
                "verb": "confirm",
                "table": 1,
                "turn": "another",
                "letters": "FMMBB",
            },
        ]
        for text, _ in zip(bent(chance, known), range(40), strict=False):
            async with door.socket() as sight:
                await sight.say(type="open", **key)
                await sight.until(lambda told: told["type"] in ("snapshot", "bye"))
                await (sight.socket.send_bytes(text) if isinstance(text, bytes) else sight.socket.send_str(text))
                try:
                    await sight.say(type="ping")
                    told = await sight.until(lambda told: told["type"] in ("bye", "pong"))
                    byes += told["type"] == "bye"
                except ConnectionError:
                    byes += 1
        await bystander.say(type="ping")
        await bystander.until(lambda told: told["type"] == "pong")
    assert byes > 20
    assert await club.facts(drafts=False) == facts


async def test_what_is_no_http_is_answered_and_forgotten(club: Club, door: Open) -> None:
    chance = random.Random(1)
    head = f"GET {PAGE} HTTP/1.1\r\nHost: cards.example.org\r\n"
    sent = [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/9.9\r\n\r\n",
        f"GET /{'a' * 9_000} HTTP/1.1\r\n\r\n".encode(),
        f"{head}X: {'a' * 9_000}\r\n\r\n".encode(),
        f"{head}{''.join(f'X-{number}: y{chr(13)}{chr(10)}' for number in range(2_000))}\r\n".encode(),
        f"{head}Content-Length: 99999999999\r\n\r\n".encode(),
        f"{head}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n".encode(),
        f"{head}Content-Length: -1\r\n\r\n".encode(),
        f"{head}Host: evil.example\r\n\r\n".encode(),
        f"{head}Origin: https://cards.example.org\r\nUpgrade: websocket\r\n\r\n".encode(),
        bytes(chance.randrange(256) for _ in range(3_000)),
    ]
    for data in sent:
        reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
        writer.write(data)
        writer.write_eof()
        async with asyncio.timeout(60):
            said = await reader.read()
        assert b"500" not in said[:40], data[:60]
        writer.close()
    async with door.http.get(f"{door.origin}{PAGE}", headers=door.headers) as answer:
        assert answer.status == 200


async def test_a_frame_in_many_parts_is_measured_as_a_whole(club: Club, door: Open) -> None:
    await club.open_table("alice", "bob")
    async with door.socket() as sight:
        await sight.say(type="open", **key_of(link_in(await club.open_panel("alice"))))
        await sight.until(lambda told: told["type"] == "snapshot")
        writer = sight.socket._writer  # noqa: SLF001  (aiohttp sends no parts by itself)
        part = b'{"type":"ping","more":"' + b"x" * 1_000
        for number in range(MAX_BYTES // 1_000 + 2):
            frame = bytes([0x01 if number == 0 else 0x00, 0x80 | 126]) + len(part).to_bytes(2, "big") + bytes(4) + part
            writer.transport.write(frame)
        with pytest.raises(ConnectionError):
            await sight.until(lambda told: told["type"] == "pong")


async def test_who_connects_and_asks_for_nothing_is_let_go_of(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    await club.open_table("alice", "bob")
    async with linked(club) as door, door.socket() as sight:
        monkeypatch.setattr(visitors, "QUIET_SECONDS", 0.0)
        for begun in (b"", b"GET /table HTTP/1.1\r\nHost: cards.exam"):
            reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
            writer.write(begun)
            async with asyncio.timeout(60):
                with suppress(ConnectionResetError):
                    assert await reader.read() == b""
            writer.close()
        # The visitor who has made a request stays connected.
        await sight.say(type="open", **key_of(link_in(await club.open_panel("alice"))))
        await sight.until(lambda told: told["type"] == "snapshot")


async def test_one_address_asks_so_often_and_has_so_many_sockets_and_others_are_not_their_match(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "MAX_SOCKETS_PER_ADDRESS", 1)
    monkeypatch.setattr(server, "MAX_REQUESTS", 5)
    headers = {"X-Forwarded-For": "203.0.113.7"}
    async with linked(club) as door:
        async with door.socket(**headers):
            with pytest.raises(WSServerHandshakeError) as refused:
                async with door.socket(**headers):
                    pass
            assert refused.value.status == 503
            async with door.socket(**{"X-Forwarded-For": "203.0.113.8"}):
                pass
        statuses = set()
        for _ in range(50):
            async with door.http.get(f"{door.origin}{PAGE}", headers=door.headers | headers) as answer:
                statuses.add(answer.status)
        assert statuses == {200, 429}
        async with door.http.get(f"{door.origin}{PAGE}", headers=door.headers) as answer:
            assert answer.status == 200


@pytest.mark.parametrize(
    ("trusted", "remote", "told", "who"),
    [
        ("127.0.0.0/8", "127.0.0.1", "203.0.113.7", "203.0.113.7"),
        ("127.0.0.0/8", "127.0.0.1", "198.51.100.1, 203.0.113.7", "203.0.113.7"),  # only the last is the proxy's word
        ("127.0.0.0/8, 10.0.0.0/8", "127.0.0.1", "203.0.113.7, 10.1.2.3", "203.0.113.7"),
        ("127.0.0.0/8", "203.0.113.9", "198.51.100.1", "203.0.113.9"),  # no default trust in proxies
        ("127.0.0.0/8", "127.0.0.1", "nonsense", "127.0.0.1"),
        ("127.0.0.0/8", "127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.0/8", "127.0.0.1", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("127.0.0.0/8", "::ffff:127.0.0.1", "203.0.113.7", "203.0.113.7"),
        ("", "127.0.0.1", "203.0.113.7", "127.0.0.1"),
    ],
)
def test_who_asks_is_told_by_proxies_that_are_believed(trusted: str, remote: str, told: str, who: str) -> None:
    request = make_mocked_request("GET", PAGE, headers={"X-Forwarded-For": told} if told else {})
    asked: web.Request = request.clone(remote=remote)
    assert Proxies(networks(trusted)).who(asked) == who


def test_an_allowance_comes_back_with_time_and_the_oldest_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    allowances = Allowances(60, clock=lambda: now[0])
    assert [allowances.take("a") for _ in range(61)] == [True] * 60 + [False]
    now[0] = 1.0
    assert [allowances.take("a"), allowances.take("a"), allowances.take("b")] == [True, False, True]
    monkeypatch.setattr(limits, "MAX_ADDRESSES", 2)
    assert allowances.take("c")
    assert [*allowances._left] == ["b", "c"]  # noqa: SLF001  (nobody else tells who is known)


async def test_a_port_that_is_taken_is_told_in_one_sentence(club: Club) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(serving.WebError, match=f"cannot use port {port} on 127.0.0.1 .*CHAIPO_WEB_PORT"):
            async with linked(club, port=port):
                pass
