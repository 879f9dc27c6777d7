"""The log's format: one line per entry, separate fields, no secrets."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import sys
from typing import Any

import pytest

from bot.base import logs
from bot.base.installation import HOME
from bot.base.logs import about, note

INTERACTION = "aW50ZXJhY3Rpb246MTIzNDU2Nzg5.a-very_long.token"
# In parts and fake, so that scanners for tokens in the repository find none.
BOT_TOKEN = ".".join(("TheBotsId" * 3, "b2_c-3", "3fV0" * 10))


class Log:
    """A separate logger, and its output."""

    def __init__(self, form: str) -> None:
        self._stream = io.StringIO()
        self.logger = logging.Logger("bot.test", logging.DEBUG)
        self.logger.addHandler(logs.handler(self._stream, form=form))

    @property
    def text(self) -> str:
        """All of it."""
        return self._stream.getvalue()

    def entries(self) -> list[dict[str, Any]]:
        """Its lines as JSON."""
        return [json.loads(line) for line in self.text.splitlines()]


def failing() -> None:
    """Fail as Discord fails: over several lines, with a custom id and a path in it."""
    raise ValueError(f"c1:confirm:7:3:2:0B1B2M:4:\nPOST /webhooks/12/{INTERACTION}?wait=true")


def test_a_line_of_text_ends_with_its_fields() -> None:
    log = Log("text")
    with about(guild=900_000_000_000_000_009, table=12, hand=7):
        log.logger.warning("late by %s s", 3)
    log.logger.warning("nothing about a table")
    first, second = log.text.splitlines()
    assert first.endswith("WARNING bot.test: late by 3 s guild=900000000000000009 table=12 hand=7")
    assert second.endswith("bot.test: nothing about a table")


def test_a_line_of_json_has_them_as_text() -> None:
    log = Log("json")
    with about(guild=900_000_000_000_000_009, table=12):
        log.logger.error("incident %s", "a1b2c3", extra={"incident": "a1b2c3"})
    log.logger.info("日本語")
    first, second = log.entries()
    assert first.pop("time").endswith("+00:00")
    assert first == {
        "level": "ERROR",
        "logger": "bot.test",
        "message": "incident a1b2c3",
        "guild": "900000000000000009",
        "table": "12",
        "incident": "a1b2c3",
    }
    assert second["message"] == "日本語"


def test_a_message_of_several_lines_is_one_entry() -> None:
    for form in ("text", "json"):
        log = Log(form)
        log.logger.info("first\r\nsecond")
        assert len(log.text.splitlines()) == 1
    assert "first\\nsecond" in Log_text("first\r\nsecond")


def Log_text(message: str) -> str:  # noqa: N802
    log = Log("text")
    log.logger.info(message)
    return log.text


@pytest.mark.parametrize("form", ["text", "json"])
def test_what_an_error_quotes_is_struck_out_of_message_and_traceback(form: str) -> None:
    log = Log(form)
    try:
        failing()
    except ValueError as error:
        log.logger.exception("it failed: %s", error, stack_info=True)
    log.logger.info("the token is %s", BOT_TOKEN)
    for secret in ("0B1B2M", INTERACTION, "very_long", BOT_TOKEN, "3fV0"):
        assert secret not in log.text
    assert "c1:confirm:7:…" in log.text
    assert "/webhooks/12/…?wait=true" in log.text
    assert "Traceback" in log.text


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize(
    "line",
    [
        "We are being rate limited. PUT https://discord.com/api/v10/guilds/7/members/234567890123456789/roles/3 ...",
        "GET https://discord.com/api/v10/users/234567890123456789 has received 403",
        "duplicate key value violates a key\nDETAIL:  Key (guild_id, player)=(1, 234567890123456789) already exists.",
        "new row violates a check\nDETAIL:  Failing row contains (1, 234567890123456789, x).\nCONTEXT: here",
    ],
)
def test_no_line_tells_who_somebody_is(form: str, line: str) -> None:
    log = Log(form)
    with about(guild=900_000_000_000_000_009):
        log.logger.warning(line)
        try:
            raise ValueError(line)
        except ValueError:
            log.logger.exception("incident")
    assert "234567890123456789" not in log.text
    assert "900000000000000009" in log.text, "what it is about stays"
    assert log.text.count("…") >= 2


async def test_a_task_has_fields_of_its_own() -> None:
    log = Log("text")

    async def work(table: int) -> None:
        note(guild=1, table=table)
        await asyncio.sleep(0)
        log.logger.info("working")

    with about(guild=1, table=9):
        await asyncio.gather(work(1), work(2))
        log.logger.info("waiting")
    assert [line.split("bot.test: ")[1] for line in log.text.splitlines()] == [
        "working guild=1 table=1",
        "working guild=1 table=2",
        "waiting guild=1 table=9",
    ]


def test_debug_is_for_the_bots_own_rooms_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    root = logging.getLogger()
    levels = {name: logging.getLogger(name).level for name in ("", *logs.OWN)}
    handlers = root.handlers[:]
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    try:
        root.handlers = []
        logs.set_up(level="DEBUG", form="json")
        logging.getLogger("bot.chat.kit.gate").debug("ours")
        logging.getLogger("discord.gateway").debug("theirs")
        logging.getLogger("discord.gateway").info("news")
    finally:
        root.handlers = handlers
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)
    assert [json.loads(line)["message"] for line in stream.getvalue().splitlines()] == ["ours", "news"]


def test_no_file_holds_what_looks_like_a_token() -> None:
    shape = logs.SECRETS[-1][0]
    files = [
        file
        for folder in ("benchmarks", "bot", "cogs", "data", "docs", "study", "tests")
        for file in (HOME / folder).rglob("*")
    ]
    texts = [file for file in files if file.suffix in {".py", ".md", ".toml", ".sql", ".json"}]
    assert [str(file) for file in texts if shape.search(file.read_text(encoding="utf-8"))] == []
