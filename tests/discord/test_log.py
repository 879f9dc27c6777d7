"""A whole game at DEBUG: every line about a table names it, and no player's card is in the log."""

from __future__ import annotations

import io
import logging
import re
import sqlite3
from collections.abc import Iterator, Sequence

import pytest

from bot.base import logs
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.reply import Reply
from bot.pure.ofc.cards import card_name
from tests.discord.club import Club
from tests.discord.forge import forge
from tests.discord.messages import cards_in

OF_A_TABLE = ("bot.chat.kit", "bot.play", "cogs")


@pytest.fixture
def written() -> Iterator[dict[str, io.StringIO]]:
    """Record the output of the bot's loggers at DEBUG in each format."""
    streams = {form: io.StringIO() for form in logs.FORMATTERS}
    handlers = [logs.handler(stream, form=form) for form, stream in streams.items()]
    loggers = [logging.getLogger(name) for name in logs.OWN]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.DEBUG)
        for handler in handlers:
            logger.addHandler(handler)
    yield streams
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)
        for handler in handlers:
            logger.removeHandler(handler)


async def test_a_whole_hand_writes_no_card_no_draft_and_no_token(club: Club, written: dict[str, io.StringIO]) -> None:
    async def broken(reply: Reply, press: Press, values: Sequence[str]) -> None:
        # Discord's error for a refused panel names the disputed button and the address.
        raise RuntimeError(f"{press} c1:{press} at /webhooks/1/{reply.interaction.token}/messages/@original")

    await club.open_table("alice", "bob", "hanako")
    club.forgiven += ["storage trouble", "incident", "could not be"]
    club.bot.services.gate.route("broken", broken)
    draft = await club.place("bob", await club.open_panel("bob"), "BBMMF")
    confirm = draft.find("confirm")["custom_id"]
    await forge(club, "bob", draft, confirm.replace("confirm", "broken"))
    club.troubles.append(sqlite3.SQLITE_FULL)
    await forge(club, "bob", draft, confirm)
    club.troubles.clear()
    await forge(club, "bob", draft, confirm)
    await forge(club, "bob", draft, confirm)
    club.forbid("send_messages")
    await club.play_turn(await club.on_turn())
    club.forbid()
    await club.play_hand()
    await club.pass_time(13)
    await club.play_turn(await club.on_turn())

    result = await club.play.result(club.key(), 1)
    assert result.hand is not None
    seen = [card for seat in result.hand.seats for row in (*seat.rows, seat.discards) for card in row]
    hand = {card_name(card) for card in seen if card is not None}
    assert len(hand) >= 39
    for text in (stream.getvalue() for stream in written.values()):
        assert len(text.splitlines()) > 40
        assert not cards_in(text) & hand
        assert not set(re.findall(r"\b[2-9TJQKA][cdhs]\b", text)) & hand
        assert not re.search(r"[csm]1:\w+:\d+:[\w:]", text)
        assert not re.search(r"(?:[0-9a-z][FMBD]){2}", text)
        for token in club.backend.interaction_tokens:
            assert token not in text


async def test_every_line_about_a_table_says_which(
    club: Club, written: dict[str, io.StringIO], caplog: pytest.LogCaptureFixture
) -> None:
    await club.open_table("alice", "bob", clock="30s")
    club.forgiven += ["could not be", "the turn clock failed"]
    club.forbid("send_messages", "view_channel")
    await club.pass_time(31)
    query = "UPDATE seat SET player = 'nobody of ours' WHERE seat_no = 0"
    await club.disk.write(lambda connection: connection.execute(query).rowcount)
    await club.pass_time(31)
    lines = written["text"].getvalue().splitlines()
    about_tables = [line for line in lines if re.search(r"table \d+[/ ]|could not be|cannot be shown|press ", line)]
    assert any("cannot be shown" in line for line in about_tables)
    for line in about_tables:
        assert f"guild={club.guild.id} table=1" in line
        assert "hand=" in line or "press join" in line or "press start" in line
