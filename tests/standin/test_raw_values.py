"""Values that no client sends: of each option of each command, each menu and each form. All are answered in words."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

from bot.chat.event.screens.draft.event_choices import FORMS as DRAFT_FORMS
from bot.chat.kit.custom_ids import game_tag
from bot.chat.table.screens.house.rules import ALL_KEYS
from bot.model.ids import GuildId, Player
from bot.model.tables import HouseGame
from bot.pure.ofc.house_rules import house_variant
from tests.discord.watch import faults_of
from tests.standin.sent import Sent
from tests.standin.standin import SUBCOMMANDS
from tests.standin.things import Json, User
from tests.standin.wired_bot import WiredBot

LONG = "9" * 4000
TEXTS = (
    "",
    " ",
    "x" * 4000,
    LONG,
    "*" * 4000,
    "-1",
    "٣",
    "½",
    "1e9",
    "\x00",
    "\u202e",
    "\ud800",
    "'; --",
    "{name}",
    "\n" * 50,
)
NO_TEXTS: tuple[Any, ...] = (None, True, 1.5, [], {}, ["x"])
NUMBERS: tuple[Any, ...] = (
    2**31,
    2**53,
    2**63 - 1,
    2**63,
    -(2**63) - 1,
    2**200,
    -1,
    0,
    True,
    1.5,
    1e300,
    "x",
    "1",
    "",
    None,
    [],
    {},
)
FILES = ("1", "0", str(2**63 - 1))
"""Ids of files that weren't uploaded. Discord sends nothing but ids."""
TEXT, INTEGER, BOOLEAN, USER, ROLE, FILE = 3, 4, 5, 6, 8, 11


def leaves(commands: list[Json], path: str = "") -> Iterator[tuple[str, list[Json]]]:
    """Every command that can be typed, with its options."""
    for command in commands:
        name = f"{path} {command['name']}".strip()
        inner = [option for option in command.get("options", ()) if option["type"] in SUBCOMMANDS]
        if inner:
            yield from leaves(inner, name)
        else:
            yield name, command.get("options", [])


def usual(option: Json) -> Any:
    """A value that a client could send."""
    if option.get("choices"):
        return option["choices"][0]["value"]
    number = max(1, int(option.get("min_value", 1)))
    return {TEXT: "x", INTEGER: number, BOOLEAN: False, USER: "3000000000000000001", ROLE: "77"}[option["type"]]


def hostile(option: Json) -> tuple[Any, ...]:
    if option["type"] == FILE:
        return FILES
    return NUMBERS if option["type"] != TEXT else (*TEXTS, *NO_TEXTS)


def fault(sent: Sent, caplog: pytest.LogCaptureFixture, *, silent: bool = False) -> str:
    """Return the fault of an answer, or nothing if it has a text. ``silent`` answers may be empty."""
    logged = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    caplog.clear()
    shown = [message for message in (sent.answer, *sent.followups) if message is not None]
    logged += [fault for message in shown for fault in faults_of(json.loads(message.body))]
    if logged or not sent.acknowledged:
        return f"acknowledged: {sent.acknowledged}, logged: {logged}"
    return "" if silent or sent.form or any(message.text for message in shown) else "nothing was said"


@pytest.fixture
async def boss(wired: WiredBot) -> User:
    """Return a manager of the server with a running table, a custom game and an event's draft."""
    host = wired.discord.user(1, manager=True)
    await wired.open(host, wired.user(2))
    game = HouseGame(name="Ours", variant=house_variant("pineapple", {}, name="Ours"))
    await wired.bot.services.play.save_game(GuildId(wired.channel.guild.id), game, by=Player(str(host.id)))
    await wired.discord.slash(host, wired.channel, "event", do="create").finished()
    return host


async def test_no_option_of_a_command_takes_what_it_does_not_offer(
    wired: WiredBot, boss: User, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.clear()
    faults, tried = [], 0
    for name, options in leaves(wired.discord.commands):
        needed = {option["name"]: usual(option) for option in options if option.get("required")}
        for option in options:
            for value in hostile(option):
                sent = await wired.discord.slash(
                    boss, wired.channel, name, **{**needed, option["name"]: value}
                ).finished()
                tried += 1
                if wrong := fault(sent, caplog):
                    faults.append((name, option["name"], value, wrong))
    assert not faults
    assert tried > 500


async def test_whatever_is_typed_suggestions_come(
    wired: WiredBot, boss: User, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.clear()
    faults = []
    for name, options in leaves(wired.discord.commands):
        for option in (option for option in options if option.get("autocomplete")):
            for text in TEXTS:
                sent = await wired.discord.suggest(boss, wired.channel, name, option["name"], text).finished()
                wrong = fault(sent, caplog, silent=True) or list(faults_of({"choices": sent.choices}))
                if wrong:
                    faults.append((name, option["name"], text, wrong))
    assert not faults


PLACES = ("0:0:0", "1:1:1", "1:0:0", "1:999999999:99", "999999999:1:1", "1:2:1", "1:30:1")
DRAFTS = ("", "0B1B2B3B4B", "zDzDzD", "0F" * 17)
ARGUMENTS = ("", "pineapple", "9999999999999999", "-", "_", "zzzzzzzzzzzzzz", "F", "99", "1", "name", "preset", "seats")
VALUES: tuple[list[str], ...] = (
    [],
    ["x" * 100],
    [LONG],
    ["-1"],
    ["٣"],
    ["½"],
    ["\x00"],
    ["\ud800"],
    ["\u202e"],
    ["0"],
    ["99"],
    ["x"] * 26,
)


@pytest.mark.parametrize(
    "chance", [1, 4, *(pytest.param(n, marks=pytest.mark.deep) for n in range(20) if n not in (1, 4))]
)
async def test_no_button_or_menu_takes_what_it_does_not_show(
    wired: WiredBot, boss: User, caplog: pytest.LogCaptureFixture, chance: int
) -> None:
    caplog.clear()
    faults = []
    source = Random(chance)
    verbs = [*wired.bot.services.gate._verbs, "none"]  # noqa: SLF001  # nothing else knows every verb
    for _ in range(500):
        values = source.choice((None, *VALUES))
        where = f"{source.choice(PLACES)}:{source.choice(DRAFTS)}:{source.choice(('', '0', 'z'))}"
        press = f"{source.choice(verbs)}:{where}:{source.choice((*ARGUMENTS, game_tag('Ours')))}"
        custom_id = f"{'c1' if values is None else 's1'}:{press}"
        sent = await wired.discord.press(boss, wired.channel.public()[-1], custom_id, values=values).finished()
        await asyncio.sleep(0.5)  # Discord limits the number of separate answers per interaction.
        if wrong := fault(sent, caplog, silent=True):
            faults.append((custom_id, values, wrong))
    assert not faults


FORMS = (
    *(f"house_name:0:0:0:::{preset}" for preset in ("pineapple", "nothing", "")),
    *(
        f"house_number:0:{number}:0:::{game_tag('Ours')}"
        for number in (*range(0, len(ALL_KEYS), 7), len(ALL_KEYS), 999_999_999)
    ),
    f"house_table:0:0:0:::{game_tag('Ours')}",
    *(f"ev_form_text:0:0:0:::{form}" for form in (*DRAFT_FORMS, "basics", "nothing", "")),
    *(f"ev_form_text:0:5:0:::{form}" for form in ("start", "tables", "nothing")),
    *(f"house_rules:0:{number}:0:::{game_tag('Ours')}" for number in (1, 1020304, 99)),
    *(f"{verb}:0:0:0:::" for verb in ("su_looks", "po_paged", "bank_given", "new_formed")),
)
FEWER_FIELDS = {"su_basics": 4, "po_formed": 4, "po_posted": 2, "su_zoned": 3, "su_placed": 2, "su_roled": 2}
"""Forms with fewer than five fields, and how many they have."""


async def test_no_form_takes_what_it_does_not_ask_for(
    wired: WiredBot, boss: User, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.clear()
    faults = []
    asked = await wired.discord.press(boss, wired.channel.public()[-1], "c1:none:0:0:0:::").finished()
    # With five fields each that a form asks for has the text; how many there are matters whatever they hold.
    tries = [*product(TEXTS, FORMS, (5,)), *product(("", LONG), FORMS, (0, 1))]
    tries += [(text, f"{verb}:0:0:0:::", fields) for text in TEXTS for verb, fields in FEWER_FIELDS.items()]
    for text, form, fields in tries:
        field = {"type": 18, "component": {"type": 4, "custom_id": "field"}}
        asked.form = {"custom_id": f"m1:{form}", "components": [field] * fields}
        caplog.clear()
        sent = await wired.discord.submit(asked, *[text] * fields).finished()
        if wrong := fault(sent, caplog):
            faults.append((text, form, fields, wrong))
    assert not faults
    assert len(tries) > 500
