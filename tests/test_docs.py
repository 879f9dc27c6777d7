"""The documents say what is there: links, commands, settings, buttons, examples, and the words of the house."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

import discord
import pytest
from discord import app_commands
from discord.ext import commands

from bot.__main__ import main
from bot.app import COGS
from bot.ofc.variants import PRESETS
from bot.settings import ROOT, VARIABLES
from bot.text.catalogue import LANGUAGES, Language
from bot.text.rulebook import games_table
from bot.text.words import words_for
from bot.ui.places import NEEDED, NEEDED_FOR_THREADS, NEEDED_IN_THREAD

Command: TypeAlias = app_commands.Command[Any, ..., Any]
READMES: dict[Language, Path] = {"en": ROOT / "README.md", "ja": ROOT / "README.ja.md"}
PLAYS: dict[Language, Path] = {"en": ROOT / "docs/play.md", "ja": ROOT / "docs/play.ja.md"}
EVENTS: dict[Language, Path] = {"en": ROOT / "docs/events.md", "ja": ROOT / "docs/events.ja.md"}
IMAGES = ROOT / "docs/images"
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
HOSTS = {"discord.com", "keepachangelog.com", "semver.org"}
"""Where the documents may lead."""
BUTTONS = ("join", "leave", "start", "cancel", "my_hand", "undo", "clear", "confirm", "sort_suit", "stay", "computer")

SPAN = re.compile(r"`([^`\n]+)`")
FENCE = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HOST = re.compile(r"https?://([^/\s)>`]+)")
COMMAND = re.compile(r"`/([a-z]+(?: [a-z]+)?)((?: [a-z_]+:\S+)*)`")
CONSOLE = re.compile(r"```console\n\$ ([^\n]+)\n(.*?)```", re.DOTALL)
GAMES = re.compile(r"<!-- games -->\n(.*?)\n<!-- /games -->", re.DOTALL)
UNUSED_WORDS = re.compile(
    r"\b(?:burst|mis-?set|dead hand|quads|trips|dealer)\b"
    r"|バースト|フロント|ボトム|ロイヤリティー|クワッズ|全勝ち|単価|ディーラー|CPU",
    re.IGNORECASE,
)
"""Words that the glossary replaces by others, as far as they have no second meaning."""
UNFINISHED = re.compile(r"\b(?:TODO|FIXME|XXX|TBD)\b")
SOMEBODYS_FOLDER = re.compile(r"(?<![\w.~-])/(?:home|root|tmp|Users)/")


def text_of(path: Path) -> str:
    """A document."""
    return path.read_text(encoding="utf-8")


def name_of(path: Path) -> str:
    """A document's name for a test."""
    return str(path.relative_to(ROOT))


def prose_of(path: Path) -> str:
    """A document without its code."""
    return SPAN.sub("", FENCE.sub("", text_of(path)))


def table_rows(text: str, first: str) -> list[list[str]]:
    """The rows of the Markdown table whose first column has this heading."""
    lines = text.split(f"\n| {first} |", 1)[1].splitlines()[2:]
    rows = lines[: next((n for n, line in enumerate(lines) if not line.startswith("|")), None)]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows]


def near_links(path: Path) -> Iterator[Path]:
    """The files of the project that a document links to."""
    for target in LINK.findall(FENCE.sub("", text_of(path))):
        if not target.startswith("http"):
            yield (path.parent / target.partition("#")[0]).resolve()


def all_commands() -> dict[str, Command]:
    """Every slash command by its whole name."""
    found: dict[str, Command] = {}
    for module in map(import_module, COGS):
        for value in vars(module).values():
            if isinstance(value, type) and issubclass(value, commands.Cog) and value.__module__ == module.__name__:
                group = f"{value.__cog_group_name__} " if value.__cog_is_app_commands_group__ else ""
                found |= {group + command.name: command for command in commands_of(value)}
    return found


def commands_of(cog: type[commands.Cog]) -> list[Command]:
    """The slash commands that a cog declares; none of ours holds a group inside a group."""
    return [command for command in cog.__cog_app_commands__ if isinstance(command, app_commands.Command)]


SLASH = all_commands()


# Links and words


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_every_link_leads_somewhere(path: Path) -> None:
    for target in near_links(path):
        if IMAGES.exists() or target.parent != IMAGES:
            assert target.exists(), f"{name_of(path)} links to {target}"


def test_every_document_is_reached_from_the_readme() -> None:
    reached: set[Path] = set()
    waiting = [READMES["en"]]
    while waiting:
        path = waiting.pop()
        reached.add(path)
        waiting += [link for link in near_links(path) if link.suffix == ".md" and link.exists() and link not in reached]
    assert {name_of(path) for path in DOCUMENTS} - {name_of(path) for path in reached} == set()


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_links_to_the_outside_lead_to_known_places(path: Path) -> None:
    assert set(HOST.findall(text_of(path))) <= HOSTS


@pytest.mark.parametrize("path", [path for path in DOCUMENTS if path.name != "glossary.md"], ids=name_of)
def test_the_words_are_those_of_the_glossary(path: Path) -> None:
    assert UNUSED_WORDS.findall(prose_of(path)) == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_nothing_is_unfinished_and_nothing_names_a_folder_of_somebody(path: Path) -> None:
    assert UNFINISHED.findall(prose_of(path)) == []
    assert SOMEBODYS_FOLDER.findall(text_of(path)) == []


# The two languages


@pytest.mark.parametrize("pair", [READMES, PLAYS, EVENTS], ids=["README", "play", "events"])
def test_both_languages_have_the_same_parts(pair: dict[Language, Path]) -> None:
    shapes = [re.findall(r"^(#+) ", FENCE.sub("", text_of(pair[language])), re.MULTILINE) for language in LANGUAGES]
    assert shapes[0] == shapes[1]


def test_both_readmes_show_the_same_pictures_and_lines_to_type() -> None:
    english, japanese = map(text_of, READMES.values())
    for pattern in (re.compile(r"docs/images/[\w.]+"), FENCE):
        assert pattern.findall(english) == pattern.findall(japanese)


# Commands and buttons


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_readme_lists_every_command_once(language: Language) -> None:
    rows = table_rows(text_of(READMES[language]), {"en": "Command", "ja": "コマンド"}[language])
    assert sorted(row[0].strip("`/") for row in rows) == sorted(SLASH)


def named_commands(text: str) -> Iterator[tuple[str, list[str]]]:
    """Commands written as code, with the names of their options."""
    for name, options in COMMAND.findall(text):
        yield name, [option.partition(":")[0] for option in options.split()]


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_no_document_names_a_command_or_option_that_is_not_there(path: Path) -> None:
    for name, options in named_commands(text_of(path)):
        assert name in SLASH
        assert {*options} <= {parameter.name for parameter in SLASH[name].parameters}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_names_a_command_or_option_that_is_not_there(language: Language) -> None:
    for entry in words_for(language).entries.values():
        for name, options in named_commands(f"{entry.one} {entry.other}"):
            assert name in SLASH, entry.place
            assert {*options} <= {parameter.name for parameter in SLASH[name].parameters}, entry.place


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_options_of_a_new_table_are_explained(language: Language) -> None:
    rows = table_rows(text_of(PLAYS[language]), {"en": "Option", "ja": "オプション"}[language])
    assert [row[0].strip("`") for row in rows] == [parameter.name for parameter in SLASH["ofc play"].parameters]


@pytest.mark.parametrize("language", LANGUAGES)
def test_buttons_are_called_what_is_written_on_them(language: Language) -> None:
    text = text_of(PLAYS[language])
    assert [key for key in BUTTONS if f"**{words_for(language)(f'button.{key}')}**" not in text] == []


# Settings and permissions


def defaults() -> dict[str, str]:
    """Each variable with the default that `.env.example` writes."""
    return dict(re.findall(r"^(\w+)=(.*)$", text_of(ROOT / ".env.example"), re.MULTILINE))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_readme_lists_every_setting_with_its_default(language: Language) -> None:
    rows = table_rows(text_of(READMES[language]), {"en": "Variable", "ja": "変数"}[language])
    listed = {row[0].strip("`"): row[1].strip("`") for row in rows}
    assert list(listed) == list(VARIABLES)
    assert listed == {variable: value or "–" for variable, value in defaults().items()}


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_no_document_names_a_setting_that_is_not_there(path: Path) -> None:
    assert {name for name in re.findall(r"\bCHAIPO_[A-Z_]*[A-Z]", text_of(path)) if name not in VARIABLES} == set()


GOOD_FOR_EVENTS = {*NEEDED_FOR_THREADS, "create_events", "attach_files", "manage_roles"}
"""What the bot uses where it may, and does without where it may not."""


def permissions(names: set[str]) -> discord.Permissions:
    """These and no others."""
    return discord.Permissions(**dict.fromkeys(names, True))


@pytest.mark.parametrize("path", READMES.values(), ids=name_of)
def test_the_invitation_asks_for_what_is_used_and_no_more(path: Path) -> None:
    needed, useful = {*NEEDED, *NEEDED_IN_THREAD}, {*NEEDED, *NEEDED_IN_THREAD, *GOOD_FOR_EVENTS}
    text = text_of(path)
    asked = re.findall(r"oauth2/authorize\?client_id=\w+&scope=bot\+applications\.commands&permissions=(\d+)", text)
    assert [int(number) for number in asked] == [permissions(useful).value]
    told = {int(number) for number in re.findall(r"[(（](\d+)[)）]", text)}
    assert {permissions({name}).value for name in useful} <= told
    assert str(permissions(needed).value) in text.replace(asked[0], "")


def test_what_becomes_of_each_missing_permission_is_told() -> None:
    rows = table_rows(text_of(ROOT / "docs/operations.md"), "Permission")
    assert sorted(row[0].strip("*").lower().replace(" ", "_") for row in rows) == sorted(
        {*NEEDED, *NEEDED_IN_THREAD, *GOOD_FOR_EVENTS}
    )


# Games, examples, dependencies


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_of_games_is_the_rendered_one(language: Language) -> None:
    written = GAMES.findall(text_of(READMES[language]))
    assert written == [games_table(PRESETS.values(), words_for(language))], "run python -m bot.text.rulebook"


@pytest.mark.parametrize("path", READMES.values(), ids=name_of)
def test_the_examples_print_what_the_readme_shows(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    record = re.findall(r"```json\n(.*?)```", text_of(ROOT / "docs/fairness.md"), re.DOTALL)[0]
    (tmp_path / "record.json").write_text(record, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    examples = CONSOLE.findall(text_of(path))
    assert len(examples) == 2
    for line, output in examples:
        python, flag, package, *arguments = shlex.split(line)
        assert (python, flag, package) == ("python", "-m", "bot")
        assert main(arguments) == 0
        assert capsys.readouterr().out == output


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]
    extras = project["optional-dependencies"]
    text = text_of(ROOT / "CONTRIBUTING.md").split("\n## Dependencies\n")[1].split("\n## ")[0]
    named = re.findall(r"^\| ([a-z][\w.,\- ]*) \|", text, re.MULTILINE)
    wanted = [
        re.split(r"[\[<>=]", line)[0] for line in (*project["dependencies"], *extras["playground"], *extras["dev"])
    ]
    assert sorted(name for cell in named for name in cell.split(", ")) == sorted(wanted)


def test_every_refusal_that_is_explained_is_one_that_the_code_gives() -> None:
    source = "".join(text_of(path) for path in sorted((ROOT / "bot").rglob("*.py")))
    source = re.sub(r'"\s*\n\s*f?"', "", source)
    rows = table_rows(text_of(ROOT / "docs/operations.md"), "The line says")
    pieces = [piece.strip(" '") for row in rows for span in SPAN.findall(row[0]) for piece in span.split("...")]
    assert [piece for piece in pieces if piece not in source] == []
