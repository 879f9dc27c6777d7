"""Old buttons, menus and forms still answer: one frozen custom id of each kind per verb, as messages have contained it.

``frozen_presses.jsonl`` has what the bot of schema 1 drew in the tests of that version, with an option of each menu and
what each form held. For the few controls that those tests never reached, it has what the bot's code would have drawn.
Lines are added when a version with new verbs is released, and none is ever changed or removed.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from bot.chat.kit.custom_ids import BUTTON_TEMPLATE, MODAL_TEMPLATE, SELECT_TEMPLATE
from bot.model.ids import GuildId
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from tests.discord.club import Club, Screen, sit_and_go_of_two
from tests.discord.forge import Interaction, deliver, forged_form, forged_press

FROZEN = Path(__file__).with_name("frozen_presses.jsonl")
PRESSES: list[dict[str, Any]] = [json.loads(line) for line in FROZEN.read_text(encoding="utf-8").splitlines()]
TEMPLATES = {"c1": BUTTON_TEMPLATE, "s1": SELECT_TEMPLATE, "m1": MODAL_TEMPLATE}
SHARES = 6
"""Evenings over which the presses are distributed, so that none takes long."""
OF_EVENTS = "ev_"


def verb_of(custom_id: str) -> str:
    """The verb of a custom id."""
    return custom_id.split(":")[1]


def press_of(club: Club, screen: Screen, custom_id: str, values: list[str]) -> Interaction:
    """The press of a button, a choice in a menu, or a form that was sent."""
    if custom_id.startswith("m1"):
        return forged_form(club, "alice", screen, custom_id, values)
    return forged_press(club, "alice", screen, custom_id, values=values if custom_id.startswith("s1") else None)


async def in_an_evening(club: Club) -> dict[str, str]:
    """Let a table be between hands, and an event be played; returns their tags by the beginning of their verbs."""
    event = await sit_and_go_of_two(club, "Night", "alice", "bob")
    number = await club.open_table("alice", "bob", "hanako")
    await club.type_hand(number)
    (table,) = [one for one in await club.play.open_tables(GuildId(club.guild.id)) if one.key.table == number]
    return {OF_EVENTS: f"{event.key.number}.{event.tag}", "": f"{number}.{table.tag}"}


def addressed(custom_id: str, places: dict[str, str]) -> str:
    """Return the press with current addresses, because a tag belongs to one table or event."""
    verb = verb_of(custom_id)
    place = next(place for begins, place in places.items() if verb.startswith(begins))
    return re.sub(r"^(..:[a-z_]+:)\d+\.[0-9a-f]{6}", rf"\g<1>{place}", custom_id)


def unknown_answers() -> set[str]:
    """Return the answers to presses that lead nowhere."""
    return {words_for(language)("gate.old_button") for language in LANGUAGES}


@pytest.mark.parametrize("share", range(SHARES))
async def test_every_frozen_press_still_answers(club: Club, share: int) -> None:
    places, unknown = await in_an_evening(club), unknown_answers()
    panel = await club.slash("alice", "ofc help")
    for one in PRESSES[share::SHARES]:
        frozen, values = one["id"], one.get("values", [])
        for custom_id in dict.fromkeys((frozen, addressed(frozen, places))):
            press = press_of(club, panel, custom_id, values)
            await deliver(press)
            assert press.acknowledged, custom_id
            assert not unknown & {answer.text for answer in press.answers}, custom_id
            if panel.gone or not panel.components:
                panel = await club.slash("alice", "ofc help")


async def test_a_verb_that_nothing_answers_is_noticed(club: Club) -> None:
    panel = await club.slash("alice", "ofc help")
    club.bot.services.gate.forget("replay")
    press = press_of(club, panel, next(one["id"] for one in PRESSES if verb_of(one["id"]) == "replay"), [])
    await deliver(press)
    assert unknown_answers() & {answer.text for answer in press.answers}


def test_every_frozen_id_can_be_read_and_stands_once() -> None:
    ids = [one["id"] for one in PRESSES]
    assert [one for one in ids if not TEMPLATES[one[:2]].fullmatch(one)] == []
    kinds = [(one[:2], verb_of(one)) for one in ids]
    assert len(set(kinds)) == len(kinds)
    assert all(one.get("values") for one in PRESSES if one["id"].startswith("s1"))


async def test_every_frozen_verb_is_routed(club: Club) -> None:
    assert {verb_of(one["id"]) for one in PRESSES} - club.bot.services.gate.verbs.keys() == set()


OF_TRAINER = ("pz_", "mi_", "an_")


async def test_every_verb_of_the_trainer_is_frozen(club: Club) -> None:
    frozen = {verb_of(one["id"]) for one in PRESSES}
    assert {verb for verb in club.bot.services.gate.verbs if verb.startswith(OF_TRAINER)} - frozen == set()


async def test_a_frozen_puzzle_and_a_frozen_position_are_still_read(club: Club) -> None:
    panel, words = await club.slash("alice", "ofc help"), club.words("alice")
    for verb, told in {"pz_card": "puzzle.ask", "an_from": "analysis.title", "an_entered": "analysis.title"}.items():
        one = next(one for one in PRESSES if verb_of(one["id"]) == verb)
        press = press_of(club, panel, one["id"], one.get("values", []))
        await deliver(press)
        assert words(told) in press.said, verb
