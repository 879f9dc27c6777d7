"""The page's two addresses and hostile visitors: foreign origins, forged tokens, invalid messages, slow readers."""

from __future__ import annotations

import asyncio
import json
import re
import secrets

import pytest
from aiohttp import WSServerHandshakeError

from bot.model.ids import Player
from bot.text.words import words_for
from bot.web import connection, server
from bot.web.addresses import PAGE, SOCKET
from bot.web.connection import MAX_QUEUED_MESSAGES
from bot.web.limits import PendingSockets
from bot.web.messages import MAX_BYTES, InvalidMessageError, Pong, heard
from tests.discord.club import Club
from tests.web.open_pages import Open

EN = words_for("en")
HOSTILE = [
    "",
    "null",
    "[]",
    "{}",
    "{" * 2_000,
    "[" * 2_000,
    '{"type":"open"}',
    '{"type":"nothing"}',
    '{"type":"ping","more":1}',
    '{"type":"open","token":1}',
    '{"type":"open","token":"x","table":-1}',
    '{"type":"open","token":"x","table":1.5}',
    '{"type":"open","token":"x","table":"1"}',
    '{"type":"open","token":"x","table":true}',
    '{"type":"open","token":"x","table":1e400}',
    '{"type":"look","table":9007199254740992}',
    '{"type":"draft","table":1,"turn":"x","letters":"FMBX"}',
    '{"type":"draft","table":1,"turn":"x","letters":"' + "F" * 21 + '"}',
    '{"type":"draft","table":1,"turn":"x","letters":["F"]}',
    '{"type":"intent","id":"short","verb":"confirm","table":1,"turn":"x"}',
    '{"type":"intent","id":"with a space","verb":"confirm","table":1,"turn":"x"}',
    '{"type":"intent","id":"0123456789","verb":"cheat","table":1,"turn":"x"}',
    '{"type":"intent","id":"0123456789","verb":"confirm","table":1,"turn":"\\ud800"}',
    '{"type":"ping"}\x00',
    "\ufeff{}",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_no_message_is_told_from_one(text: str) -> None:
    with pytest.raises(InvalidMessageError):
        heard(text)


async def test_the_page_carries_its_nonce_and_a_strict_policy(club: Club, opened: Open) -> None:
    nonces = set()
    for _ in range(2):
        async with opened.http.get(f"{opened.origin}{PAGE}") as answer:
            text, policy = await answer.text(), answer.headers["Content-Security-Policy"]
            assert answer.headers["Cache-Control"] == "no-store"
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
        (nonce,) = set(re.findall(r'nonce="([^"]+)"', text))
        assert policy.startswith("default-src 'none'; ")
        assert f"script-src 'nonce-{nonce}'" in policy
        assert "unsafe" not in policy
        assert "{{nonce" not in text
        nonces.add(nonce)
    assert len(nonces) == 2


async def test_only_its_own_names_lead_to_it(club: Club, opened: Open) -> None:
    for path in (PAGE, SOCKET):
        async with opened.http.get(f"{opened.origin}{path}", headers={"Host": "evil.example"}) as answer:
            assert answer.status == 403


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", ""])
async def test_a_page_of_another_origin_has_no_socket(club: Club, opened: Open, origin: str) -> None:
    with pytest.raises(WSServerHandshakeError) as refused:
        async with opened.socket(Origin=origin):
            pass
    assert refused.value.status == 403


async def test_a_forged_token_opens_nothing(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob")
    real = opened.token(club, "alice")
    for token in ("", secrets.token_urlsafe(32), real[:-1], real + "A", real.swapcase()):
        async with opened.socket() as sight:
            await sight.say(type="open", token=token)
            told = await sight.next()
            assert told == {"type": "bye", "said": EN("page.not_known"), "again": False, "to": ""}
            with pytest.raises(ConnectionError):
                await sight.next()


async def test_a_token_that_was_revoked_opens_nothing(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob")
    token = opened.token(club, "alice")
    opened.pages.tokens.revoke(Player(str(club.members["alice"].id)))
    async with opened.socket() as sight:
        await sight.say(type="open", token=token)
        assert (await sight.next())["type"] == "bye"


@pytest.mark.parametrize("text", ["no JSON", '{"type":"ping"}', '{"type":"intent"}'])
async def test_whoever_does_not_say_who_they_are_hears_nothing(club: Club, opened: Open, text: str) -> None:
    await club.open_table("alice", "bob")
    async with opened.socket() as sight:
        await sight.socket.send_str(text)
        assert (await sight.next())["type"] == "bye"
        assert len(sight.came) == 1


async def test_hostile_words_end_one_page_and_nothing_else(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob")
    facts = await club.facts()
    async with opened.eyes(club, "bob") as bystander:
        for text in HOSTILE[1:]:
            async with opened.eyes(club, "alice") as sight:
                await sight.socket.send_str(text)
                told = await sight.until(lambda told: told["type"] == "bye")
                assert told["said"] == EN("page.not_understood")
        await bystander.say(type="ping")
        await bystander.until(lambda told: told["type"] == "pong")
    assert await club.facts() == facts


@pytest.mark.parametrize("binary", [False, True])
async def test_a_frame_that_is_too_large_ends_the_page(club: Club, opened: Open, binary: bool) -> None:
    await club.open_table("alice", "bob")
    async with opened.eyes(club, "alice") as sight:
        text = json.dumps({"type": "ping", "more": "x" * (MAX_BYTES + 1)})
        if binary:
            await sight.socket.send_bytes(text.encode())
        else:
            await sight.socket.send_str(text)
        with pytest.raises(ConnectionError):
            await sight.next()


class Stuck:
    """A socket that lets nothing out, and says one thing before it is silent."""

    def __init__(self, *said: str) -> None:
        self.said = list(said)
        self.gone = asyncio.Event()

    async def send_str(self, text: str) -> None:
        """Wait for a reader who never comes."""
        await asyncio.Event().wait()

    async def hear(self, until: float) -> str | None:
        """Return the message, then wait until released."""
        if self.said:
            return self.said.pop(0)
        await self.gone.wait()
        return None

    def cut(self) -> None:
        """Let go of it."""
        self.gone.set()


@pytest.mark.parametrize("floods", [False, True])
async def test_who_takes_nothing_is_dropped(
    club: Club, opened: Open, monkeypatch: pytest.MonkeyPatch, floods: bool
) -> None:
    await club.open_table("alice", "bob")
    stuck = Stuck(json.dumps({"type": "open", "token": opened.token(club, "alice")}))
    page = connection.Connection(
        opened.pages,
        stuck,  # type: ignore[arg-type]
        words=EN,
        address="203.0.113.1",
        unopened=PendingSockets(1),
    )
    if floods:
        for _ in range(MAX_QUEUED_MESSAGES):
            page.send(Pong())
        assert not stuck.gone.is_set()
        page.send(Pong())
        assert stuck.gone.is_set()
    else:
        monkeypatch.setattr(connection, "SEND_SECONDS", 0.01)
    await page.run()
    assert stuck.gone.is_set()
    assert opened.pages.count == 0


async def test_a_page_on_which_nothing_happens_falls_asleep(
    club: Club, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    await club.open_table("alice", "bob")
    monkeypatch.setattr(connection, "IDLE_SECONDS", 0.0)
    async with opened.socket() as sight:
        await sight.say(type="open", token=opened.token(club, "alice"))
        told = await sight.until(lambda told: told["type"] == "bye")
        assert told == {"type": "bye", "said": EN("page.idle"), "again": False, "to": ""}
    # No one interacts with a stream's page.
    async with opened.socket() as sight:
        await sight.say(type="open", token=opened.token(club, "alice"), overlay=True)
        told = await sight.until(lambda told: told["type"] == "bye")
        assert told == {"type": "bye", "said": EN("page.idle"), "again": True, "to": ""}


@pytest.mark.parametrize("limit", ["MAX_MESSAGES_PER_MINUTE", "MAX_CONCURRENT_REQUESTS"])
async def test_whoever_talks_without_end_is_cut_off(
    club: Club, opened: Open, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    await club.open_table("alice", "bob")
    async with opened.eyes(club, "alice") as sight:
        monkeypatch.setattr(connection, limit, 3)
        for _ in range(200):
            await sight.say(type="look", table=1)
        told = await sight.until(lambda told: told["type"] == "bye")
        assert told["again"]


async def test_one_address_has_so_many_sockets(club: Club, opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MAX_SOCKETS_PER_ADDRESS", 1)
    async with opened.socket():
        with pytest.raises(WSServerHandshakeError) as refused:
            async with opened.socket():
                pass
        assert refused.value.status == 503


async def test_when_the_process_ends_pages_are_told_to_come_again(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob")
    async with opened.eyes(club, "alice") as sight:
        opened.pages.close()
        told = await sight.until(lambda told: told["type"] == "bye")
        assert told["again"]
        with pytest.raises(ConnectionError):
            await sight.next()


async def test_a_page_that_is_gone_is_forgotten(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob")
    async with opened.eyes(club, "alice"):
        assert opened.pages.count == 1
    async with asyncio.timeout(60):
        while opened.pages.count:  # noqa: ASYNC110  (the server hears of it when it does)
            await asyncio.sleep(0.01)
