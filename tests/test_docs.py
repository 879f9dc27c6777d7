"""The documents say what is there: links, commands, settings, buttons, examples, and the words of the house."""

from __future__ import annotations

import ast
import inspect
import json
import posixpath
import re
import shlex
import tomllib
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeAlias

import discord
import pytest
from discord import app_commands
from discord.ext import commands
from PIL import Image

from bot import __version__
from bot.__main__ import EXIT_CONFIGURATION, EXIT_STORAGE_FAILED, main, parser
from bot.base.installation import HOME
from bot.base.meter import Computation, InteractionOutcome
from bot.base.settings import VARIABLES, Settings
from bot.chat.kit.acts.act import Option, TypedAct
from bot.chat.kit.acts.matching import other_names
from bot.chat.kit.bot_permissions import INVITED, NEEDED, NEEDED_IN_THREAD, Permission, invitation
from bot.chat.kit.command_words import option_name
from bot.chat.kit.gate import PressKind
from bot.chat.kit.ofc import NAME, stands_in_ofc
from bot.chat.kit.typed_choice import normalise
from bot.model.reasons import RATE_LIMIT_REASONS
from bot.model.standings import LeaderboardOrder
from bot.model.tables import TableState, Timer
from bot.play.matchmaking import MAX_PINGS_AT_ONCE, MAX_PINGS_PER_GUEST, MAX_PINGS_PER_MINUTE, PINGS_PER_GUEST_MINUTES
from bot.play.session.policy import Policy
from bot.pure.event.scoring import series_points
from bot.pure.ofc.presets import PINEAPPLE, PRESETS
from bot.run.app import COGS
from bot.run.cli.upkeep import ANOTHERS_WORK
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from cogs.club.manage import ManagerActs
from cogs.event.event_command import event_command
from cogs.event.typed_acts import event_acts
from cogs.table.acts import TableActs
from tests.listed import unused_parts
from tests.site import MOUNTED
from tests.translated import translated

Command: TypeAlias = app_commands.Command[Any, ..., Any]


def by_language(name: str) -> dict[str, Path]:
    """Return a document's files by language code."""
    paths = {code: HOME / language.document(name) for code, language in LANGUAGES.items()}
    return {code: path for code, path in paths.items() if path.exists()}


READMES = by_language("README")
PLAYERS = by_language("docs/players")
SERVERS = by_language("docs/servers")
HOSTING = by_language("docs/hosting")
GUIDES = {
    path.relative_to(HOME / "docs").as_posix().removesuffix(".md"): by_language(str(path.relative_to(HOME))[:-3])
    for folder in ("tutorials", "how-to")
    for path in sorted((HOME / "docs" / folder).glob("*.md"))
    if "." not in path.stem
}
"""Tutorials and guides by their names, such as ``how-to/upgrade``."""
OPEN_A_TABLE = GUIDES["how-to/open-a-table"]
LEADERBOARDS, SERIES = GUIDES["how-to/leaderboards"], GUIDES["how-to/series"]
UPGRADING, IN_A_CONTAINER = GUIDES["how-to/upgrade"], GUIDES["how-to/host-with-docker"]
FIRST_SERVER = GUIDES["tutorials/first-server"]
REFERENCE = by_language("docs/reference")
PAPERS = tuple(by_language(f"docs/{name}") for name in ("fairness", "fairness-spec", "privacy", "terms"))
LISTS = by_language("docs/commands")
WRONG = by_language("docs/wrong")
FOR_READERS = (
    READMES,
    by_language("docs/index"),
    by_language("docs/pineapple"),
    PLAYERS,
    by_language("docs/tables"),
    SERVERS,
    by_language("docs/events"),
    by_language("docs/event-rules"),
    HOSTING,
    *GUIDES.values(),
    REFERENCE,
    LISTS,
    WRONG,
    by_language("docs/words"),
    by_language("docs/screen-reader"),
    *PAPERS,
)
POLICY = Policy()
IMAGES = HOME / "docs/images"
WIDEST_IMAGE = 1200
MIN_DESCRIPTION_LENGTH = 20
"""Characters that say what is seen in a picture."""
DOCUMENTS = sorted([*HOME.glob("*.md"), *(HOME / "docs").rglob("*.md")])
EXAMPLES = {"a.example.org", "cards.example.org", "example.org"}
HOSTS = {
    "127.0.0.1",
    "127.0.0.1:8080",
    f"127.0.0.1:{Settings.model_fields['port'].default}",
    "caddyserver.com",
    "discord.com",
    "docs.astral.sh",
    "github.com",
    "keepachangelog.com",
    "semver.org",
    "www.contributor-covenant.org",
    *EXAMPLES,
}
"""Permitted links of the documents."""
BUTTONS = ("join", "leave", "start", "cancel", "my_hand", "undo", "clear", "confirm", "sort_suit", "stay", "computer")

SPAN = re.compile(r"`([^`\n]+)`")
FENCE = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HOST = re.compile(r"https?://([^/\s)>`]+)")
COMMAND = re.compile(r"`/([a-z-]+(?: [a-z-]+)?)((?: [^\s:`]+:[^`\n]*)?)`")
OPTION = re.compile(r" ([^\W\d]\w*):((?:(?! [^\W\d]\w*:).)*)")
MENTION = re.compile(r"(?<![A-Za-z0-9_/.:~<*)}-])/([a-z]+(?:-[a-z]+)*)((?: [a-z]+)?)", re.ASCII)
"""A command anywhere in a sentence, with the word that follows."""
WORD = re.compile(r"[^\W\dA-Z][^\WA-Z]*")
"""A word without capitals. Written as code in a sentence, it's an option, or an order that is typed."""
CONSOLE = re.compile(r"```console\n\$ ([^\n]+)\n(.*?)```", re.DOTALL)
REMARK = re.compile(r"^ *#.*\n", re.MULTILINE)
_OTHERS = "トップ|ミドル|ボトム|バースト|フロント|バック|クワッド"
OTHERS_WORD = re.compile(rf"（(?:{_OTHERS})(?:・(?:{_OTHERS}))?）")
UNUSED_WORDS = re.compile(
    r"\b(?:burst|mis-?set|dead hand|dealer(?! button))\b"
    r"|バースト|フロント|ボトム|ロイヤリティー|クワッズ|全勝ち|単価|ディーラー(?!ボタン)|CPU",
    re.IGNORECASE,
)
"""Words that the glossary replaces by others, as far as they have no second meaning."""
DO = frozenset(("do", "操作"))
"""Names of the option that takes an act."""
UNFINISHED = re.compile(r"\b(?:TODO|FIXME|XXX|TBD)\b")
SOMEBODYS_FOLDER = re.compile(r"(?<![\w.~-])/(?:home|root|tmp|Users)/")


def text_of(path: Path) -> str:
    """A document."""
    return path.read_text(encoding="utf-8")


def name_of(path: Path) -> str:
    """A document's name for a test."""
    return str(path.relative_to(HOME))


def prose_of(path: Path) -> str:
    """Return a document without code and without other programs' terms, which are in brackets after ours."""
    return OTHERS_WORD.sub("", SPAN.sub("", FENCE.sub("", text_of(path))))


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
                for command in commands_of(value):
                    found[f"{NAME} {command.name}" if stands_in_ofc(command) else group + command.name] = command
    # Those of /event are made with the bot; until they are used they only tell the gate of their buttons.
    parts = unused_parts()
    made: list[Command] = [event_command(parts.services, parts)]
    return found | {command.qualified_name: command for command in made}


def commands_of(cog: type[commands.Cog]) -> list[Command]:
    """The slash commands that a cog declares; none of ours holds a group inside a group."""
    return [command for command in cog.__cog_app_commands__ if isinstance(command, app_commands.Command)]


SLASH: dict[str, Command] = all_commands()


# Links and words


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_every_link_leads_somewhere(path: Path) -> None:
    for target in near_links(path):
        if IMAGES.exists() or target.parent != IMAGES:
            assert target.exists(), f"{name_of(path)} links to {target}"


def anchors(path: Path) -> set[str]:
    """Return the anchors of the document's headings."""
    headings = re.findall(r"^#+ (.*)$", text_of(path), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_every_link_into_a_document_leads_to_a_heading(path: Path) -> None:
    for target in LINK.findall(FENCE.sub("", text_of(path))):
        name, mark, heading = target.partition("#")
        if mark and not name.startswith("http"):
            assert heading in anchors((path.parent / name).resolve() if name else path), target


def test_every_document_is_reached_from_the_readme() -> None:
    reached: set[Path] = set()
    waiting = [READMES["en"]]
    while waiting:
        path = waiting.pop()
        reached.add(path)
        waiting += [link for link in near_links(path) if link.suffix == ".md" and link.exists() and link not in reached]
    assert {name_of(path) for path in DOCUMENTS} - {name_of(path) for path in reached} == set()


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_a_link_that_is_called_like_a_document_leads_to_it(path: Path) -> None:
    called = re.findall(r"\[`?([\w.-]+\.md)`?\]\(([^)#\s]+)", text_of(path))
    assert [found for found in called if found[0] != posixpath.basename(found[1])] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_links_to_the_outside_lead_to_known_places(path: Path) -> None:
    assert set(HOST.findall(text_of(path))) <= HOSTS


@pytest.mark.prose
@pytest.mark.parametrize("path", [path for path in DOCUMENTS if path.name != "glossary.md"], ids=name_of)
def test_the_words_are_those_of_the_glossary(path: Path) -> None:
    assert UNUSED_WORDS.findall(prose_of(path)) == []


@pytest.mark.prose
@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_no_row_of_a_table_stands_twice_in_a_row(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = [line for line, following in pairwise(lines) if line.startswith("| ") and line == following]
    assert rows == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_nothing_is_unfinished_and_nothing_names_a_folder_of_somebody(path: Path) -> None:
    assert UNFINISHED.findall(prose_of(path)) == []
    assert "ADDRESS" not in text_of(path), "no line to type asks for an address that the reader has to find"
    assert SOMEBODYS_FOLDER.findall(text_of(path)) == []


# The two languages


each_document = pytest.mark.parametrize("pair", FOR_READERS, ids=lambda pair: name_of(pair["en"]))


@pytest.mark.prose
@each_document
def test_every_language_has_the_same_parts(pair: dict[str, Path]) -> None:
    shapes = [re.findall(r"^(#+) ", FENCE.sub("", text_of(path)), re.MULTILINE) for path in pair.values()]
    assert shapes == shapes[:1] * len(pair)


@pytest.mark.parametrize("language", LISTS)
def test_the_lists_are_those_of_the_code(language: str) -> None:
    # Imported here, because it borrows the commands from this file when it is run.
    from tests.listed import SAID, page

    whole = text_of(LISTS[language])
    assert page(whole, SLASH, language) == whole, "run make lists"
    assert page(whole[: whole.index(SAID[language]["commands"])], SLASH, language) == whole


@pytest.mark.parametrize("language", LISTS)
def test_the_lists_write_a_row_that_is_missing_and_leave_the_others(language: str) -> None:
    from tests.listed import options_of_tables, page

    whole = text_of(LISTS[language])
    listed = re.findall(r"^\| `/([\w -]+)` \|", whole, re.MULTILINE)
    for name in ("event", "ofc result"):
        others = [other for other in listed if other in SLASH and other != name]
        group = [other for other in others if other.split()[0] == name.split()[0]]
        neighbour = group[0] if group else others[-1]
        line = re.search(rf"^\| `/{name}` \|.*\n", whole, re.MULTILINE)
        assert line is not None
        lines = page(whole.replace(line[0], ""), SLASH, language).splitlines()
        place = next(n for n, text in enumerate(lines) if text.startswith(f"| `/{name}` | "))
        assert lines[place - 1].startswith(f"| `/{neighbour}` | ")
        assert words_for(language)(f"command.{name.split()[-1]}") in lines[place]
    whole, play = text_of(OPEN_A_TABLE[language]), SLASH["ofc play"]
    assert options_of_tables(whole, play, language) == whole, "run make lists"
    names = [f"`{name}`" for name in option_names("ofc play", language)]
    for name in (names[0], names[2], names[-1]):
        line = re.search(rf"^\| {name} \|.*\n", whole, re.MULTILINE)
        assert line is not None
        again = options_of_tables(whole.replace(line[0], ""), play, language)
        rows = table_rows(again, {"en": "Option", "ja": "オプション"}[language])
        assert [row[0] for row in rows] == names


@pytest.mark.prose
@each_document
def test_every_language_shows_the_same_lines_to_type(pair: dict[str, Path]) -> None:
    # A formula is written in words, in each language its own.
    typed = [
        [
            fence
            for fence in FENCE.findall(text_of(path))
            if fence.count("\n") < 2 or (" = " not in fence and "n-1" not in fence)
        ]
        for path in pair.values()
    ]
    found = [[REMARK.sub("", fence) for fence in fences] for fences in typed]
    assert found == found[:1] * len(pair)


@pytest.mark.prose
@each_document
def test_the_pictures_are_those_of_the_document_s_language(pair: dict[str, Path]) -> None:
    found = {code: re.findall(r"images/([\w-]+)\.png", text_of(path)) for code, path in pair.items()}
    for code, names in found.items():
        assert names == [name if code == "en" else f"{name}-{code}" for name in found["en"]]


def width_of(picture: Path) -> int:
    """In pixels."""
    with Image.open(picture) as opened:
        return opened.width


def test_every_picture_is_shown_somewhere_and_no_wider_than_a_page() -> None:
    shown = {link for path in DOCUMENTS for link in near_links(path) if link.parent == IMAGES}
    assert {*IMAGES.iterdir()} - shown == set()
    assert [path.name for path in shown if width_of(path) > WIDEST_IMAGE] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_every_picture_is_described(path: Path) -> None:
    described = re.findall(r"!\[([^\]]*)\]\(", text_of(path))
    assert [text for text in described if len(text) < MIN_DESCRIPTION_LENGTH] == []


# Commands and buttons


@pytest.mark.parametrize("language", translated(*LISTS))
def test_the_lists_say_once_what_each_command_is_for(language: str) -> None:
    rows = table_rows(text_of(LISTS[language]), {"en": "Command", "ja": "コマンド"}[language])
    listed = [row[0].strip("`/") for row in rows]
    assert sorted(listed) == sorted(SLASH)


def named_commands(text: str) -> Iterator[tuple[str, list[str]]]:
    """Commands written as code, with the names of their options."""
    for name, options in COMMAND.findall(text):
        yield name, [option for option, _ in OPTION.findall(options)]


def typed_acts(text: str) -> Iterator[tuple[str, str]]:
    """Commands of acts written as code, with the act that is typed."""
    for name, options in COMMAND.findall(text):
        yield from ((name, value) for option, value in OPTION.findall(options) if option in DO)


def acts_of(command: str) -> Sequence[TypedAct[Any]]:
    """The acts of a command."""
    unused: Any = SimpleNamespace(bank=SimpleNamespace(freeze=None, unfreeze=None))
    acts: dict[str, Callable[[], Sequence[TypedAct[Any]]]] = {
        "event": lambda: event_acts(unused_parts()),
        "manage": lambda: ManagerActs(unused, unused).acts,
        "ofc table": lambda: TableActs(unused).all(),
    }
    return acts[command]()


def language_of(path: Path) -> str:
    """The language that a document is written in, by the end of its name."""
    ends = {language.documents: code for code, language in LANGUAGES.items()}
    return ends.get(Path(path.stem).suffix, "en")


def option_names(command: str, language: str) -> list[str]:
    """Return the options' names for readers of this language."""
    return [option_name(option.display_name, words_for(language)) for option in SLASH[command].parameters]


@pytest.mark.parametrize("command", SLASH)
def test_the_options_of_a_command_have_names_of_their_own_in_every_language(command: str) -> None:
    assert option_names(command, "en") == [option.display_name for option in SLASH[command].parameters]
    for language in LANGUAGES:
        names = option_names(command, language)
        assert len({*names}) == len(names)
        assert all(re.fullmatch(r"[-_\w]{1,32}", name) and name == name.lower() for name in names), names


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_no_document_names_a_command_or_option_that_is_not_there(path: Path) -> None:
    groups = {name.partition(" ")[0] for name in SLASH if " " in name}
    for name, options in named_commands(text_of(path)):
        if name in groups and not options:
            continue
        assert name in SLASH
        assert {*options} <= {*option_names(name, language_of(path))}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_names_a_command_or_option_that_is_not_there(language: str) -> None:
    for entry in words_for(language).entries.values():
        if entry.is_fallback:
            continue  # options are called otherwise in English
        text = " ".join((*entry.forms.values(), entry.other))
        for name, options in named_commands(text):
            assert name in SLASH, entry.place
            assert {*options} <= {*option_names(name, language)}, entry.place
        for first, following in MENTION.findall(text):
            assert first in SLASH or first + following in SLASH, entry.place


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_option_that_a_sentence_names_without_its_value_is_there(language: str) -> None:
    orders = {*LANGUAGES[language].typed.orders}
    for entry in words_for(language).entries.values():
        if entry.is_fallback:
            continue
        text = " ".join((*entry.forms.values(), entry.other))
        commands = {name for name, _ in named_commands(text)} or {*SLASH}
        known = {name for command in commands for name in option_names(command, language)} | orders
        assert {word for word in SPAN.findall(text) if WORD.fullmatch(word)} <= known, entry.place


def test_every_name_of_an_option_is_of_one_that_is_there() -> None:
    asked = {option.display_name for command in SLASH.values() for option in command.parameters}
    named = {key.removeprefix("option_name.") for key in words_for("en").entries if key.startswith("option_name.")}
    assert named == asked | {option.value for option in Option}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_act_that_is_named_with_its_command_is_there(language: str) -> None:
    entries = words_for(language).entries.values()
    texts = [" ".join((*entry.forms.values(), entry.other)) for entry in entries if not entry.is_fallback]
    texts += [text_of(path) for path in DOCUMENTS if language_of(path) == language]
    named = {one for text in texts for one in typed_acts(text)}
    assert ("ofc table", {"en": "Next free seat", "ja": "すぐに空席へ着く"}[language]) in named, "it has spaces"
    labels = {words_for(language)(f"puzzle.button.{button}") for button in ("day", "last_day")}
    assert {act for name, act in named if name == "puzzle"} <= labels, "a button of its screens"
    acts = [(name, act) for name, act in named if name != "puzzle"]
    assert [(name, act) for name, act in acts if not any(finds(act, one) for one in acts_of(name))] == []


def finds(typed: str, act: TypedAct[Any]) -> bool:
    """True if the typed text finds an act, with or without the number of a table or an event."""
    wanted = normalise(re.sub(r"\s*(?:\d+|\{\w+\})$", "", typed))
    return any(wanted in normalise(name) for name in other_names(act))


@pytest.mark.parametrize("language", translated(*OPEN_A_TABLE))
def test_the_options_of_a_new_table_are_explained(language: str) -> None:
    rows = table_rows(text_of(OPEN_A_TABLE[language]), {"en": "Option", "ja": "オプション"}[language])
    assert [row[0].strip("`") for row in rows] == option_names("ofc play", language)


@pytest.mark.parametrize("language", translated(*PLAYERS))
def test_buttons_are_called_what_is_written_on_them(language: str) -> None:
    text = "".join(text_of(pages[language]) for pages in (PLAYERS, *GUIDES.values()) if language in pages)
    assert [key for key in BUTTONS if f"**{words_for(language)(f'button.{key}')}**" not in text] == []


def sentences_of(values: object) -> Iterator[str]:
    """Every sentence of a file of sentences."""
    if isinstance(values, str):
        yield values
    elif isinstance(values, dict):
        for value in values.values():
            yield from sentences_of(value)


PRESSED = {
    "en": re.compile(
        r"(?:[Pp]ress(?:es|ed|ing)?|button) \*\*([^*\n]+)\*\*|\*\*([^*\n]+)\*\* (?:button|below|behind|under|in a)"
    ),
    "ja": re.compile(r"\*\*([^*\n]+)\*\*(?:を押|ボタン|のボタン)"),
}
"""Bold texts that name a control."""
VALUE = re.compile(r" ?[·（(]? ?\{[^}]*\}[）)]?")
"""A value in a sentence, including brackets around it."""


@cache
def label_shapes(language: str) -> str:
    """A pattern that matches whatever a button, a field or a choice can say."""
    files = sorted((HOME / "data/text" / language).glob("*.toml"))
    labels = {label for path in files for label in sentences_of(tomllib.loads(text_of(path))) if len(label) < 60}
    parts = [VALUE.split(label) for label in labels]
    return "|".join(".*".join(map(re.escape, each)) for each in parts if any(each))


@pytest.mark.parametrize("language", translated(*PRESSED))
def test_whatever_a_document_says_to_press_is_written_somewhere(language: str) -> None:
    shapes = label_shapes(language)
    pressed = [
        "".join(found)
        for path in DOCUMENTS
        if path.name.endswith(".ja.md") is (language == "ja")
        for found in PRESSED[language].findall(prose_of(path))
    ]
    assert len(pressed) > 30
    assert [name for name in pressed if not re.fullmatch(shapes, name)] == []


NAMED = re.compile(r"\*\*([^*\n]+)\*\*|(?<!\*)\*([^*\n]+)\*(?!\*)")
"""Names of buttons, fields and choices, and emphasised words."""
EMPHASISED = {
    "en": {
        *("Tried so far:", "Not yet:", "Before the start", "D", "A daily digest", "wallet", "stack"),
        *("point value", "Ayabe (ayabe_k)", "Text only"),
        *("Manage Server", "Read Message History", "Apps → Profile"),  # Discord's own
    },
    "ja": {
        *("試した環境：", "まだ試していない環境：", "お試しページ", "スタック", "すぐに確定", "5回", "何枚でも"),
        *("必ずファウルになる置き方", "開始前", "開催中", "文字だけ", "言語"),
    },
}
"""Emphasised words that aren't on a screen of the bot."""


@pytest.mark.parametrize("language", translated(*PRESSED))
def test_names_of_the_screen_are_those_of_the_screen(language: str) -> None:
    shapes = label_shapes(language)
    leading = [*near_links(by_language("docs/tables")[language]), *near_links(by_language("docs/events")[language])]
    guides = [pages[language] for pages in GUIDES.values() if pages.get(language) in leading]
    assert guides
    for page in (READMES[language], PLAYERS[language], *guides):
        text = prose_of(page)
        # Headings of paragraphs end in a full stop, and links lead to pages.
        named = {bold or plain for bold, plain in NAMED.findall(text)} - EMPHASISED[language]
        named = {name for name in named if not name.endswith((".", "。", "?", "？")) and "](" not in name}
        assert [name for name in sorted(named) if not re.fullmatch(shapes, name)] == []


# Settings and permissions


def defaults() -> dict[str, str]:
    """Each variable with the default that `.env.example` writes."""
    return dict(re.findall(r"^(\w+)=(.*)$", text_of(HOME / ".env.example"), re.MULTILINE))


@pytest.mark.parametrize("language", translated(*REFERENCE))
def test_the_reference_lists_every_setting_with_its_default(language: str) -> None:
    rows = table_rows(text_of(REFERENCE[language]), {"en": "Variable", "ja": "変数"}[language])
    listed = {row[0].strip("`"): row[1].strip("`") for row in rows}
    assert list(listed) == list(VARIABLES)
    assert listed == {variable: value or "–" for variable, value in defaults().items()}


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_no_document_names_a_setting_that_is_not_there(path: Path) -> None:
    assert {name for name in re.findall(r"\bCHAIPO_[A-Z_]*[A-Z]", text_of(path)) if name not in VARIABLES} == set()


def number_of(*permissions: Permission) -> int:
    """These and no others, as Discord counts them."""
    return discord.Permissions(**{permission.value: True for permission in permissions}).value


@pytest.mark.parametrize("path", translated(*SERVERS.values(), *FIRST_SERVER.values()), ids=name_of)
def test_the_invitation_asks_for_what_is_used_and_no_more(path: Path) -> None:
    text = text_of(path)
    asked = re.findall(r"oauth2/authorize\?client_id=\w+&scope=bot\+applications\.commands&permissions=(\d+)", text)
    assert [int(number) for number in asked] == [INVITED.value]
    assert f"permissions={INVITED.value}" in invitation(1)


@pytest.mark.parametrize("path", translated(*SERVERS.values()), ids=name_of)
def test_the_smallest_number_of_permissions_is_that_of_the_code(path: Path) -> None:
    assert str(number_of(*NEEDED, *NEEDED_IN_THREAD)) in text_of(path).replace(str(INVITED.value), "")


@pytest.mark.parametrize(("language", "heading"), translated(("en", "Permission"), ("ja", "権限")))
def test_each_permission_is_told_with_its_number(language: str, heading: str) -> None:
    words = words_for(language)
    rows = table_rows(text_of(SERVERS[language]), heading)
    told = [(row[0].strip("*「」"), row[1].strip("()（）")) for row in rows]
    assert told == [(words(f"permission.{one.value}"), str(number_of(one))) for one in Permission]


# Numbers in prose


@pytest.mark.parametrize(("language", "heading"), translated(("en", "Players"), ("ja", "人数")))
def test_the_points_of_a_series_are_those_of_the_code(language: str, heading: str) -> None:
    rows = table_rows(text_of(SERIES[language]), heading)
    assert len(rows) == 3
    for players, told in rows:
        fields = range(1, int(players) + 1)
        assert told == ", ".join(str(series_points(place, int(players))) for place in fields)


NUMBERS = [
    (
        LEADERBOARDS,
        r"at least \*\*(five)\s+hands\*\*",
        r"平均は\*\*(\d+)ハンド\*\*",
        LeaderboardOrder.POINTS.min_hands,
    ),
    (LEADERBOARDS, r"fewest fouls: (\d+)", r"ファウルの少なさは(\d+)ハンド", LeaderboardOrder.FOULS.min_hands),
    (IN_A_CONTAINER, r"on\s+port (\d+)\.", r"ポート(\d+)の", 9464),
    (READMES, r"CHAIPO_PORT=(\d+)", r"CHAIPO_PORT=(\d+)", Settings.model_fields["port"].default + 1),
]
"""Numbers in sentences, in both languages, with their values in the code."""


@pytest.mark.prose
def test_the_page_to_play_from_is_short_and_begins_with_what_may_be_wrong() -> None:
    text = text_of(PLAYERS["en"])
    assert 500 < len(text.split()) <= 1500
    assert text.split("\n## ")[1].startswith("Is something wrong?")


@pytest.mark.parametrize(("pages", "english", "japanese", "number"), NUMBERS)
@pytest.mark.parametrize("language", translated("en", "ja"))
def test_a_number_in_a_sentence_is_that_of_the_code(
    pages: dict[str, Path], english: str, japanese: str, number: int, language: str
) -> None:
    pattern = {"en": english, "ja": japanese}[language]
    told = re.findall(pattern, text_of(pages[language]))
    assert told, f"{name_of(pages[language])} no longer says it as {pattern}"
    assert {WORDS_FOR.get(one, one) for one in told} == {str(number)}


WORDS_FOR = {"five": "5", "ten": "10", "twenty": "20"}


LIMITS = (
    {POLICY.tables_per_player, POLICY.slow_tables_per_player},
    {POLICY.lobbies_per_player},
    {POLICY.lobbies_per_channel},
    {POLICY.tables_per_channel, POLICY.tables_per_server},
    {POLICY.computers_per_host, POLICY.computers_per_server, POLICY.computers},
)
"""Limits of tables and computers, by row."""


@pytest.mark.parametrize(("language", "heading"), translated(("en", "What"), ("ja", "対象")))
def test_the_limits_of_tables_and_of_invitations_are_those_of_the_code(language: str, heading: str) -> None:
    rows = [row[1] for row in table_rows(text_of(OPEN_A_TABLE[language]), heading)]
    told = [{int(number) for number in re.findall(r"\d+", row)} - {1} for row in rows]
    assert tuple(told[: len(LIMITS)]) == LIMITS
    assert told[-1] == {MAX_PINGS_AT_ONCE, MAX_PINGS_PER_MINUTE, MAX_PINGS_PER_GUEST, PINGS_PER_GUEST_MINUTES}


@pytest.mark.parametrize("language", translated(*REFERENCE))
def test_the_commands_that_print_json_are_those_that_are_named(language: str) -> None:
    choices = next(action.choices for action in parser()._actions if isinstance(action.choices, dict))  # noqa: SLF001
    has = {name for name, each in choices.items() if "--json" in each._option_string_actions}  # noqa: SLF001
    (line,) = (line for line in text_of(REFERENCE[language]).split("\n\n") if "`doctor`" in line and "`--json`" in line)
    told = set(re.findall(r"`([a-z-]+)`", re.split(r"`games`, |`games`、", line)[1].split("--json")[0])) | {"games"}
    assert told == has - {"export"}
    assert len(told) == 10


LABELS: dict[str, set[str]] = {
    "chaipo_held_total": {reason.value for reason in RATE_LIMIT_REASONS} | {f"{kind.value}_rate" for kind in PressKind},
    "chaipo_thought_seconds": {thought.value for thought in Computation},
    "chaipo_tables": {state.value for state in TableState} - {"closed"},
    "chaipo_clocks_fired_total": {timer.value for timer in Timer},
}
"""Possible values of metric labels."""


@pytest.mark.parametrize(("language", "heading"), translated(("en", "Metric"), ("ja", "指標")))
def test_what_the_labels_of_metrics_can_be_is_all_told(language: str, heading: str) -> None:
    text = text_of(REFERENCE[language])
    told = {row[0].strip("`"): set(re.findall(r"`([a-z_]+)`", row[1])) for row in table_rows(text, heading)}
    for metric, values in LABELS.items():
        assert told[metric] - {"kind", "state", "brake"} == values, metric
    (outcomes,) = (block for block in text.split("\n\n") if "`storage_trouble`" in block)
    assert set(re.findall(r"`([a-z_]+)`", outcomes)) - {"outcome", "process_"} == {
        each.value for each in InteractionOutcome
    }


@pytest.mark.parametrize(("language", "heading"), translated(("en", "Code"), ("ja", "コード")))
def test_the_commands_that_end_with_1_are_those_that_are_named(language: str, heading: str) -> None:
    choices = next(action.choices for action in parser()._actions if isinstance(action.choices, dict))  # noqa: SLF001
    works = {name: each.get_default("run") for name, each in choices.items()}
    # The maintenance commands share a module, with a function for each.
    sources = {
        name: inspect.getsource(run.keywords["work"] if isinstance(run, partial) else import_module(run.__module__))
        for name, run in works.items()
    }
    (told,) = (row[1] for row in table_rows(text_of(REFERENCE[language]), heading) if row[0] == "1")
    assert set(re.findall(r"`([a-z-]+)`", told)) == {name for name, source in sources.items() if "WRONG" in source}
    own = [code for span, code in explained("The line says", language) if span.endswith("PostgreSQL's own programs")]
    assert own == [str(ANOTHERS_WORK)]


def test_only_the_changelog_and_the_upgrade_notes_have_the_number_of_the_version() -> None:
    naming = {name_of(path) for path in DOCUMENTS if __version__ in text_of(path)}
    assert naming == {"CHANGELOG.md", *map(name_of, UPGRADING.values())}


# Games, examples, dependencies


@pytest.mark.parametrize("path", translated(*READMES.values()), ids=name_of)
def test_the_readme_counts_the_games(path: Path) -> None:
    assert re.findall(r"(\d+)(?: games|種類のゲーム)", text_of(path)) == [str(len(PRESETS))]


@pytest.mark.parametrize("path", translated(*REFERENCE.values()), ids=name_of)
def test_the_examples_print_what_the_reference_shows(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    record = re.findall(r"```json\n(.*?)```", text_of(HOME / "docs/fairness-spec.md"), re.DOTALL)[0]
    (tmp_path / "record.json").write_text(record, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    examples = CONSOLE.findall(text_of(path))
    assert len(examples) == 2
    for line, output in examples:
        python, flag, package, *arguments = shlex.split(line)
        assert (python, flag, package) == ("python", "-m", "bot")
        assert main(arguments) == 0
        assert capsys.readouterr().out == output


@pytest.mark.parametrize(("language", "heading"), translated(("en", "On the command line"), ("ja", "コマンドライン")))
def test_the_reference_lists_every_command_of_the_command_line(language: str, heading: str) -> None:
    listed = [row[0].strip("`").split()[3:] for row in table_rows(text_of(REFERENCE[language]), heading)]
    choices = next(action.choices for action in parser()._actions if isinstance(action.choices, dict))  # noqa: SLF001
    assert sorted({name for name, *_ in filter(None, listed)}) == sorted(choices)


def test_every_document_is_in_the_navigation_of_the_site_once() -> None:
    named = re.findall(r"^ +- ([\w/.-]+\.md)$", text_of(HOME / "mkdocs.yml"), re.MULTILINE)
    docs = HOME / "docs"
    ends = tuple(f"{language.documents}.md" for language in LANGUAGES.values() if language.documents)
    pages = {path.relative_to(docs).as_posix() for path in docs.rglob("*.md") if not path.name.endswith(ends)}
    assert sorted(named) == sorted(pages | {*MOUNTED.values()})


@pytest.mark.parametrize(("language", "heading"), translated(("en", "Version"), ("ja", "版")))
def test_every_version_has_its_row_of_upgrade_notes(language: str, heading: str) -> None:
    released = re.findall(r"^## \[(\d[\w.]+)\]", text_of(HOME / "CHANGELOG.md"), re.MULTILINE)
    rows = table_rows(text_of(UPGRADING[language]), heading)
    assert [row[0] for row in rows if re.fullmatch(r"\d[\w.]+", row[0])] == released
    newest = max(int(path.name[:4]) for path in (HOME / "bot/store/sqlite/migrations").glob("*.sql"))
    assert re.findall(r"\d+", rows[0][1]) == [str(newest)], "the schema of what comes next"


@pytest.mark.parametrize("key", PRESETS)
def test_the_recipe_of_a_game_names_every_file_that_knows_a_game(key: str) -> None:
    recipe = text_of(HOME / "docs/contribute/game.md")
    named = {path.replace("<key>", key) for path in re.findall(r"`((?:bot|data|tests)/[\w/<>.]+)`", recipe)}
    assert {path for path in named if "golden" in path and not (HOME / path).is_file()} == set()
    sources = [*(HOME / "bot").rglob("*.py"), HOME / "data/text/en/variants.toml"]
    sources.remove(HOME / "bot/text/languages.py")  # words that players type, such as a progressive bounty
    word = re.compile(rf'^\[variant\.{key}]|"{key}"(?!:)', re.MULTILINE)
    knowing = {name_of(path) for path in sources if word.search(text_of(path))}
    assert len(knowing) >= 3
    # The game that is meant where none is named.
    assert knowing - named == ({"bot/pure/ofc/house_rules.py"} if key == PINEAPPLE.key else set())


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads(text_of(HOME / "pyproject.toml"))["project"]
    extras = project["optional-dependencies"]
    text = text_of(HOME / "CONTRIBUTING.md").split("\n## Dependencies\n")[1].split("\n## ")[0]
    named = re.findall(r"^\| ([@a-z][\w.,/\- ]*) \|", text, re.MULTILINE)
    from_npm = [json.loads(text_of(HOME / name)) for name in ("page/package.json", "page/sdk/package.json")]
    wanted = [
        *(name for asked in from_npm for kind in ("dependencies", "devDependencies") for name in asked[kind]),
        *(
            re.split(r"[\[<>=]", line)[0]
            for line in (
                *project["dependencies"],
                *extras["playground"],
                *extras["postgres"],
                *extras["dev"],
                *extras["site"],
            )
        ),
    ]
    assert sorted(name for cell in named for name in cell.split(", ")) == sorted(set(wanted))


def test_every_refusal_that_is_explained_is_one_that_the_code_gives() -> None:
    source = "".join(text_of(path) for path in sorted((HOME / "bot").rglob("*.py")))
    source = re.sub(r'"\s*\n\s*f?"', "", source)
    pieces = [piece.strip(" '") for span, _ in explained("The line says") for piece in span.split("...")]
    assert [piece for piece in pieces if piece not in source] == []


# Texts for operators: the log, and refusals


ALARMING = ("warning", "error", "critical", "exception")
REFUSING = re.compile(r"(?:Store|Settings|Start|Input|Playground|Health)\w*|_malformed|_stuck")
NOT_OPERATORS = {"games.py", "records.py", "review.py", "score.py", "solver.py", "trainer.py", "verify.py"}
"""Files whose refusals are read by those who score boards, analyse positions, verify records and let computers play."""
HEADINGS: dict[str, dict[str, str]] = {
    "Entry": {"en": "Entry", "ja": "記録"},
    "The line says": {"en": "The line says", "ja": "表示"},
}


def explained(table: str, language: str = "en") -> list[tuple[str, str]]:
    """The lines that a table of the reference explains, each with the last cell of its row."""
    rows = table_rows(text_of(REFERENCE[language]), HEADINGS[table][language])
    return [(span, row[-1]) for row in rows for span in SPAN.findall(row[0]) if span not in {".env", "restore"}]


def says(span: str, text: str) -> bool:
    """Whether a line that is explained is that of the code; ``...`` stands for a value."""
    return re.search(".*".join(map(re.escape, span.split("..."))), text) is not None


@cache
def calls() -> list[tuple[Path, ast.Call]]:
    """Every call of the bot's code that logs or raises something: reading all of it takes long, and is done once."""
    files = sorted(file for room in ("bot", "cogs") for file in (HOME / room).rglob("*.py"))
    nodes = ((path, node) for path in files for node in ast.walk(ast.parse(text_of(path))))
    return [(path, node) for path, node in nodes if isinstance(node, ast.Call) and (logs(node) or refuses(node))]


def logs(call: ast.Call) -> bool:
    """True for an entry of the log that should make an operator look."""
    named = isinstance(call.func, ast.Attribute) and call.func.attr in ALARMING
    return named and isinstance(call.func.value, ast.Name) and call.func.value.id in {"log", "_log"}  # type: ignore[attr-defined]


def refuses(call: ast.Call) -> bool:
    """True for an error that the start or a command raises as a refusal."""
    return isinstance(call.func, ast.Name) and REFUSING.fullmatch(call.func.id) is not None and bool(call.args)


def literal(node: ast.expr) -> str:
    """A text as the code writes it, with … for its values; empty when it is none."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.sub(r"%[.\d]*[a-z]", "…", node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(literal(part) if isinstance(part, ast.Constant) else "…" for part in node.values)
    return ""


def logged() -> Iterator[str]:
    """Yield log messages that should make an operator check."""
    yield from (literal(call.args[0]) for _, call in calls() if logs(call))


def refusals() -> Iterator[tuple[str, str]]:
    """Yield refusals of the start and the commands, each with its error's name."""
    for path, call in calls():
        if refuses(call) and path.name not in NOT_OPERATORS:
            yield literal(call.args[0]), call.func.id  # type: ignore[attr-defined]


def has_words(text: str) -> bool:
    """False for what only passes on the words of another error."""
    return any(letter.isascii() and letter.isalpha() for letter in text)


@pytest.mark.parametrize("language", translated(*REFERENCE))
def test_every_alarming_log_entry_is_explained_and_no_other(language: str) -> None:
    texts, spans = sorted({text for text in logged() if has_words(text)}), explained("Entry", language)
    assert len(texts) > 30
    assert [text for text in texts if not any(says(span, text) for span, _ in spans)] == []
    assert [span for span, _ in spans if not any(says(span, text) for text in texts)] == []


def test_every_refusal_is_explained() -> None:
    texts = sorted({text for text, _ in refusals() if has_words(text)})
    assert len(texts) > 50
    spans = explained("The line says")
    assert [text for text in texts if not any(says(span, text) for span, _ in spans)] == []


def test_a_start_that_is_refused_ends_with_the_code_that_is_told() -> None:
    codes = {
        "StoreFatalError": "70",
        "StoreDamagedError": "70",
        "LeaseLostError": "1",
        "TemporaryStartError": "1",
        "HealthError": "1",
        "PlaygroundError": "1",
    }
    codes |= dict.fromkeys(("StoreUnavailableError", "StoreBusyError", "StoreFullError"), "1")
    spans = explained("The line says")
    for text, error in refusals():
        told = {code for span, code in spans if says(span, text)} - {"2", "–"}
        assert not has_words(text) or not told or codes.get(error, "78") in told, text


@pytest.mark.prose
def test_both_languages_explain_the_same_lines() -> None:
    for table in HEADINGS:
        english, japanese = explained(table, "en"), explained(table, "ja")
        assert [span for span, _ in english] == [span for span, _ in japanese]
        if table == "The line says":
            assert [code for _, code in english] == [code for _, code in japanese]


def test_the_service_does_not_try_again_what_will_be_refused_again() -> None:
    unit = text_of(HOME / "deploy/chaipo.service")
    assert f"RestartPreventExitStatus={EXIT_STORAGE_FAILED} {EXIT_CONFIGURATION}" in unit


def test_no_server_installs_the_playground() -> None:
    names = {
        name: set(
            re.findall(r"^([a-z][\w.-]*)(?:\[[\w,-]+\])?==", text_of(HOME / f"requirements{name}.txt"), re.MULTILINE)
        )
        for name in ("", "-playground", "-dev")
    }
    assert "simcord" in names["-playground"]
    assert not {"simcord", "av"} & names[""]
    assert names[""] < names["-playground"] < names["-dev"]


def test_the_words_of_the_code_are_where_the_glossary_says() -> None:
    rows = table_rows(text_of(HOME / "docs/glossary.md"), "Word")
    places = [row[-1].strip("` ") for row in rows]
    assert len(places) > 30
    assert [place for place in places if not (HOME / place).is_file()] == []
