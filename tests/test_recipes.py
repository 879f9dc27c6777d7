"""The guides in docs/contribute are followed in a copy: the files that they name are the files that are needed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from typing_extensions import override

from bot.base.installation import HOME
from bot.store.sqlite.database import MIGRATIONS
from bot.store.sqlite.migrate import numbered

COPIED = (
    "bot",
    "cogs",
    "data",
    "docs",
    "tests",
    "pyproject.toml",
    "README.md",
    "README.ja.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "CODE_OF_CONDUCT.md",
)
PATH = re.compile(r"[`(]((?:bot|cogs|data|docs|tests)/[\w/<>.-]+\.\w+|(?:README|CHANGELOG)(?:\.ja)?\.md)[`)]")
FOLDER = re.compile(r"`((?:cogs|data/text/\w+|bot/store/sqlite/migrations))`")
KEY = "brisk"

PRESET = f'{KEY.upper()} = replace(TURBO_PINEAPPLE, key="{KEY}")\n"""Turbo Pineapple by another name."""\n\n'
COMMAND = '''    @app_commands.command(name="brisk", description=description_for("brisk"))
    @app_commands.describe(table=description_for("option_table"))
    async def brisk(self, interaction: Interaction, table: str = "") -> None:
        """Say nothing new."""

        async def body(reply: Reply) -> None:
            await reply.say(reply.words("button.join"))

        await self.services.gate.run(interaction, body)

    @app_commands.command(name="hand",'''

MIGRATION = f"bot/store/sqlite/migrations/{len(numbered(MIGRATIONS)) + 1:04}_brisk.sql"
"""A new migration after the bot's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """A guide: its page and heading, its edits, and the commands that must succeed afterwards.

    ``edits`` has an existing text and its replacement per file. ``written`` are files that a command of the guide
    writes, and ``others`` are mentioned files that this example doesn't need. ``more`` takes longer.
    """

    page: str
    heading: str
    edits: Mapping[str, tuple[str, str]]
    written: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    lines: tuple[str, ...]
    more: tuple[str, ...] = ()

    @override
    def __str__(self) -> str:
        return self.heading.split()[-1]

    def text(self) -> str:
        """Its own section, without those below it."""
        text = (HOME / "docs/contribute" / self.page).read_text(encoding="utf-8")
        return re.split(r"\n##", text.split(f"# {self.heading}\n", 1)[1], maxsplit=1)[0]


RECIPES = (
    Recipe(
        page="game.md",
        heading="Add a preset",
        edits={
            "bot/pure/ofc/presets.py": ("PROGRESSIVE = replace(", PRESET + "PROGRESSIVE = replace("),
            "data/text/en/variants.toml": (
                "[variant.turbo_pineapple]",
                f'[variant.{KEY}]\nname = "Brisk"\nsummary = "Turbo Pineapple."\n\n[variant.turbo_pineapple]',
            ),
            "tests/pure/ofc/family.py": (
                '    Game("turbo_pineapple", seats=',
                f'    Game("{KEY}", seats=(2, 3), streets=BY_SIXES, deck=52, enters=(14, 14, 14, 14), stay=14),\n'
                '    Game("turbo_pineapple", seats=',
            ),
            f"tests/pure/ofc/golden/{KEY}.json": ("", ""),
            "bot/pure/rating/model.py": ('"turbo_pineapple", ', f'"turbo_pineapple", "{KEY}", '),
            "CHANGELOG.md": ("## [Unreleased]\n", "## [Unreleased]\n\n### Added\n\n- Brisk.\n"),
        },
        written=("docs/rules.md", "docs/rules.ja.md", "README.md", "README.ja.md"),
        others=(
            "bot/play/event/trials/simulator.py",
            "bot/pure/ofc/overrides.py",
            "bot/pure/ofc/royalties.py",
            "bot/pure/ofc/variants.py",
            "tests/pure/ofc/games.py",
            "tests/pure/ofc/test_royalties.py",
        ),
        lines=(
            "-m bot.text.rulebook",
            f"-m pytest -q tests/pure/ofc/test_golden.py tests/pure/ofc/test_variants.py -k {KEY}|every_game",
        ),
        more=(
            f"-m bot rules {KEY}",
            f"-m pytest -q tests/pure/rating/test_model.py tests/test_docs.py -k {KEY}|group|counts_the_games",
        ),
    ),
    Recipe(
        page="sentence.md",
        heading="Add a sentence",
        edits={"data/text/en/table.toml": ("[lobby]\n", '[lobby]\nbrisk = "Table {table} is brisk."\n')},
        others=("tests/text/test_fields.py", "bot/model/reasons.py"),
        lines=("-c from%bot.text.words%import%words_for;print(words_for('ja')('lobby.brisk',table=3))",),
    ),
    Recipe(
        page="command.md",
        heading="Add a command",
        edits={
            "cogs/table/hand.py": ('    @app_commands.command(name="hand",', COMMAND),
            "data/text/en/commands.toml": ('hand = "Show', 'brisk = "Say nothing new"\nhand = "Show'),
            "CHANGELOG.md": ("## [Unreleased]\n", "## [Unreleased]\n\n### Added\n\n- `/brisk` says nothing new.\n"),
        },
        written=("docs/commands.md", "docs/commands.ja.md"),
        others=(
            "bot/run/app.py",
            "bot/chat/kit/ofc.py",
            "cogs/table/acts.py",
            "cogs/event/typed_acts.py",
            "cogs/club/manage.py",
            "bot/play/api/play.py",
            "bot/play/api/events.py",
            "tests/discord/test_commands.py",
        ),
        lines=("-m tests.listed",),
        more=(
            "-m pytest -q tests/test_docs.py -k say_once_what_each_command_is_for|lists_are_those",
            "-m pytest -q tests/discord/test_commands.py -k every_description_is_of_a_command",
        ),
    ),
    Recipe(
        page="schema.md",
        heading="Add a column",
        edits={
            MIGRATION: ("", "ALTER TABLE game_table ADD COLUMN brisk INTEGER NOT NULL DEFAULT 0;\n"),
            "bot/model/tables.py": ("    hand_no: int = 0\n", "    brisk: int = 0\n    hand_no: int = 0\n"),
            "tests/store/samples.py": ("    hand_no=4,\n", "    brisk=3,\n    hand_no=4,\n"),
        },
        others=(
            "tests/store/test_columns.py",
            "bot/store/columns.py",
            "bot/store/tables.py",
            "bot/store/export_queries.py",
        ),
        lines=("-m pytest -q tests/store/test_columns.py",),
    ),
)
"""``tests/text/test_third_language.py`` adds a language in a separate copy."""


def copied(folder: Path) -> Path:
    """A copy of the project without pictures, and with what Python has compiled of it: that would take longest."""
    folder.mkdir(exist_ok=True)
    for name in COPIED:
        if (HOME / name).is_dir():
            shutil.copytree(HOME / name, folder / name, ignore=shutil.ignore_patterns("*.pyc.*", "images", "var"))
        else:
            shutil.copy(HOME / name, folder / name)
    return folder


def follow(recipe: Recipe, folder: Path, *, without: str = "") -> None:
    """Write into the copy what the recipe says, but for one file."""
    for name, (there, instead) in recipe.edits.items():
        if name == without:
            continue
        path = folder / name
        if name == MIGRATION:
            text = instead
        elif there:
            text = path.read_text(encoding="utf-8")
            assert there in text, name
            text = text.replace(there, instead, 1)
        else:
            text = (folder / "tests/pure/ofc/golden/turbo_pineapple.json").read_text(encoding="utf-8")
            text = text.replace('"turbo_pineapple"', f'"{KEY}"')
        if name == "bot/pure/ofc/presets.py":
            text = text.replace(
                "            TURBO_PINEAPPLE,\n", f"            {KEY.upper()},\n            TURBO_PINEAPPLE,\n"
            )
        path.write_text(text, encoding="utf-8")


def run_lines(lines: Sequence[str], folder: Path) -> None:
    """Run the lines of a recipe's end in the copy; says which one failed, and how."""
    for line in lines:
        arguments = [word.replace("%", " ").replace("|", " or ") for word in line.split()]
        done = subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, check=False)
        assert done.returncode == 0, (line, done.stdout.decode()[-2000:], done.stderr.decode()[-2000:])
        assert done.stdout, line


def cook(recipe: Recipe, folder: Path, *, lines: Sequence[str], without: str = "") -> None:
    """Follow a guide in the copy and run ``lines``, which must change the files that it says they write."""
    before = {name: (folder / name).read_bytes() for name in recipe.written}
    follow(recipe, folder, without=without)
    run_lines(lines, folder)
    assert [name for name in recipe.written if (folder / name).read_bytes() == before[name]] == []


@pytest.mark.parametrize("recipe", RECIPES, ids=str)
def test_a_recipe_names_the_files_that_are_edited_and_no_other(recipe: Recipe) -> None:
    named = {path.replace("<key>", KEY) for path in PATH.findall(recipe.text())}
    in_folders = {name for name in recipe.edits if name.startswith(tuple(FOLDER.findall(recipe.text())))}
    assert {*recipe.edits} - named - in_folders == set(), "edited, and not named"
    assert named - {*recipe.edits} == {*recipe.written, *recipe.others}, "named, and not edited"


@pytest.fixture(scope="module")
def kitchen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return one copy for all guides, because none edits files that another uses. The test below has a separate one."""
    return copied(tmp_path_factory.mktemp("kitchen"))


@pytest.mark.parametrize("recipe", RECIPES, ids=str)
def test_a_recipe_works_in_a_copy(recipe: Recipe, kitchen: Path) -> None:
    cook(recipe, kitchen, lines=recipe.lines)


@pytest.mark.deep
@pytest.mark.parametrize("recipe", RECIPES, ids=str)
def test_a_recipe_without_one_of_its_files_is_refused(recipe: Recipe, tmp_path: Path) -> None:
    # Nothing asks for a line of the changelog.
    needed = [name for name in recipe.edits if name != "CHANGELOG.md"]
    for number, name in enumerate(["", *needed]):
        folder = copied(tmp_path / str(number))
        lines = [*recipe.lines, *recipe.more]
        if not name:
            cook(recipe, folder, lines=lines)
            continue
        with pytest.raises(AssertionError):
            cook(recipe, folder, lines=lines, without=name)
