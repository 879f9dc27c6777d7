"""A third language is a folder of sentences and one entry: everything is drawn in it, and nothing else has to know."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.chat.kit.faces import Faces
from bot.chat.kit.widgets import Screen
from bot.chat.table.screens.panel import Panel, panel_screen
from bot.chat.table.screens.result import result_screens
from bot.chat.table.screens.screen import table_screen
from bot.pure.ofc.presets import PRESETS
from bot.text.catalogue import ALOUD, COUNT, TEXTS, load_catalogue
from bot.text.durations import duration
from bot.text.event_structure import place_name
from bot.text.languages import LANGUAGES
from bot.text.rulebook.book import document, rulebook, rules_pages
from bot.text.words import Words, words_for
from tests.play.world import ANN, BOB, FixedVault, World
from tests.text.french import FRENCH, entry_source, in_french, write_french

ROOT = TEXTS.parents[1]
ENGLISH_WORD = re.compile(r"(?<![\w`/<:])[A-Za-z]*[aeiou][a-z]{2,}(?![\w`:])")
"""A word with an unaccented vowel, which hasn't been translated."""


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Words:
    """The sentences of three languages, and the words of the third."""
    texts = tmp_path_factory.mktemp("three") / "text"
    shutil.copytree(TEXTS, texts)
    write_french(texts)
    catalogue = load_catalogue(texts, {**LANGUAGES, FRENCH.code: FRENCH})
    return Words(language=FRENCH, entries=catalogue[FRENCH.code])


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """A house with a table."""
    world = World(tmp_path, fixed=FixedVault([b"k" * 32]))
    await world.open()
    yield world
    await world.close()


def text_of(*screens: Screen) -> str:
    """All that is written on these screens, buttons too."""
    parts = [part for screen in screens for part in all_parts(screen.to_components())]
    return "\n".join(part[name] for part in parts for name in ("content", "label") if part.get(name))


def all_parts(components: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The components with those inside them."""
    for part in components:
        yield part
        yield from all_parts(part.get("components", ()))


# Drawn in it


def test_every_sentence_is_said_of_any_number(words: Words) -> None:
    for key, entry in words.entries.items():
        for count in (0, 1, 2, 1_000_000):
            values: dict[str, str | int] = dict.fromkeys(entry.fields, "·")
            said = words(key, **(values | {COUNT: count} if COUNT in entry.fields else values))
            assert in_french(said) == said, key


def test_numbers_places_and_lists_are_those_of_the_language(words: Words) -> None:
    assert (words.number(-1_234_567), words.signed(1234)) == ("−1\u202f234\u202f567", "+1\u202f234")
    assert (words.signed_decimal(1.5, decimals=1), words.percent(60)) == ("+1,5", "60\u202f%")
    assert [place_name(place, words) for place in (1, 2, 21)] == ["1er", "2e", "21e"]
    assert words.list(["A", "B", "C"]) == "A, B et C"
    assert duration(5400, words) == in_french("1 hour 30 minutes")


def test_nought_and_one_are_said_alike(words: Words) -> None:
    assert words("unit.cards", count=0) == in_french("0 card")
    assert words("unit.cards", count=1) == in_french("1 card")
    assert words("unit.cards", count=2) == in_french("2 cards")


@pytest.mark.parametrize("key", PRESETS)
def test_the_page_of_every_game_is_drawn(key: str, words: Words) -> None:
    assert ENGLISH_WORD.findall("\n".join(page.text for page in rules_pages(PRESETS[key], words))) == []


def test_the_whole_rule_book_is_drawn(words: Words) -> None:
    book = document(words)
    # The other languages are called what they call themselves.
    assert "[English](rules.md) · [日本語](rules.ja.md)" in book
    assert ENGLISH_WORD.findall(re.sub(r"<!--.*?-->|\[English\]\(.*?\)|\]\(.*?\)", "", book)) == []


async def test_the_lobby_the_table_the_panel_and_the_result_are_drawn(world: World, words: Words) -> None:
    faces = Faces()
    key = await world.table(ANN, BOB, point_value=25)
    lobby = text_of(table_screen(await world.play.look(key), words, faces))
    assert "2\u202f500" in lobby
    await world.start(key)
    table = text_of(table_screen(await world.play.look(key), words, faces))
    view = await world.play.look(key, await world.turn(key))
    panel = text_of(panel_screen(Panel(view=view), words, faces))
    await world.play_hand(key)
    result = text_of(*result_screens(await world.play.result(key, 1), words, faces))
    for shown in (lobby, table, panel, result):
        assert len(shown) > 100
        assert ENGLISH_WORD.findall(shown) == []


def test_places_of_an_untranslated_sentence_have_english_endings(tmp_path: Path) -> None:
    shutil.copytree(TEXTS / "en", tmp_path / "en")
    (tmp_path / FRENCH.code).mkdir()
    (tmp_path / FRENCH.code / "some.toml").write_text('[button]\njoin = "Rejoindre"', encoding="utf-8")
    entries = load_catalogue(tmp_path, {"en": LANGUAGES["en"], FRENCH.code: FRENCH})[FRENCH.code]
    begun = Words(language=FRENCH, entries=entries)
    assert begun("button.join") == "Rejoindre"
    assert [place_name(place, begun) for place in (1, 2, 21)] == ["1st", "2nd", "21st"]
    assert [begun("unit.cards", count=count) for count in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]


# Known to everyone


PROGRAM = """
import asyncio, json
import discord
from bot.pure.ofc.cards import parse_cards
from bot.model.choices import ServerSettings
from bot.text.durations import parse_duration
from bot.text.hours import read_hour
from bot.text.languages import language_of
from bot.text.words import untranslated, words_for, words_of_locale
from bot.chat.kit.command_words import CommandTranslator, description_for
from bot.chat.table.screens.typed_placement import parse_letters
from bot.text.zones import zone_of

def translated(locale):
    return asyncio.run(CommandTranslator().translate(description_for("result"), locale, None))

hour = read_hour("vendredi à 21h", zone="Europe/Paris", now_ms=1_795_500_000_000)
letters = parse_letters("Ah haut, Kd milieu, Ts bas", parse_cards("AhKdTs"), to_place=3)
print(json.dumps({
    "described": [translated(locale) for locale in (discord.Locale.french, discord.Locale.german)],
    "read": [words_of_locale("fr")("button.join"), words_for("machine")("button.join")],
    "zone": zone_of(ServerSettings(zone=""), language_of("fr")),
    "untranslated": untranslated().get("machine", 0),
    "typed": [parse_duration("2 jours"), hour and hour.at_ms, letters],
}))
"""
FRIDAY_NINE_MS = 1_795_809_600_000


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of the bot with the third language added: its folder and its entry."""
    folder = tmp_path / "copy"
    for name in ("bot", "cogs", "data"):
        # This includes compiled files. Python recompiles changed ones.
        shutil.copytree(ROOT / name, folder / name)
    (folder / "docs").mkdir()
    write_french(folder / "data/text")
    path = folder / "bot/text/languages.py"
    above, table, below = path.read_text(encoding="utf-8").partition("LANGUAGES: Mapping")
    below = below.replace(")}", ", FRENCH)}", 1)
    path.write_text(f"{above}{entry_source()}\n\n{table}{below}", encoding="utf-8")
    return folder


def run(copy: Path, *arguments: str) -> str:
    """Return the output of a copy of the bot."""
    done = subprocess.run([sys.executable, *arguments], cwd=copy, stdout=subprocess.PIPE, check=True)
    return done.stdout.decode("utf-8")


def test_a_copy_with_a_third_entry_speaks_it_everywhere(copy: Path, words: Words) -> None:
    rules = run(copy, "-m", "bot", "rules", "pineapple", "--lang", FRENCH.code)
    assert rules == rulebook(PRESETS["pineapple"], words).rstrip() + "\n"
    assert run(copy, "-m", "bot.text.rulebook").split()[-1] == "docs/rules.machine.md"
    assert (copy / "docs/rules.machine.md").read_text(encoding="utf-8") == document(words)
    assert json.loads(run(copy, "-c", PROGRAM)) == {
        "described": [words("command.result"), None],
        "read": [words("button.join")] * 2,
        "zone": "Europe/Paris",
        "untranslated": 0,
        "typed": [2 * 86_400, FRIDAY_NINE_MS, "FMB"],
    }


def test_a_copy_with_an_unfinished_language_says_the_rest_in_english(copy: Path) -> None:
    shutil.rmtree(copy / "data/text" / FRENCH.code)
    (copy / "data/text" / FRENCH.code).mkdir()
    begun = '[button]\njoin = "Rejoindre"\n[zone]\neurope_paris = "heure de Paris"\n'
    (copy / "data/text" / FRENCH.code / "some.toml").write_text(begun, encoding="utf-8")
    english = words_for("en")
    gaps = run(copy, "-m", "bot.text").splitlines()
    count = sum(not key.endswith(ALOUD) for key in english.entries)
    assert f"{FRENCH.code}: {count - 1} missing, 0 different, 1 unused" in gaps
    assert f"  unused     {FRENCH.code}/some.toml: zone.europe_paris" in gaps
    assert [line.split(":")[0] for line in gaps if not line.startswith(" ")] == ["ja", FRENCH.code]
    rules = run(copy, "-m", "bot", "rules", "pineapple", "--lang", FRENCH.code)
    assert rules == rulebook(PRESETS["pineapple"], english).rstrip() + "\n"
    assert run(copy, "-m", "bot.text.rulebook").split()[-1] == "docs/rules.machine.md"
    told = json.loads(run(copy, "-c", PROGRAM))
    assert told["described"] == [english("command.result"), None]
    assert told["read"] == ["Rejoindre"] * 2
    assert told["untranslated"] == len(english.entries) - 1
