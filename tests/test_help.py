"""The help of every command line: complete, and with examples that work."""

import argparse
import re
import shlex
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from bot.__main__ import main, parser
from bot.base.command_help import EXAMPLES, INDENT
from bot.base.installation import HOME

MARKS_A_PARSER = re.compile(r"^def parser\(\) -> ", re.MULTILINE)
BUILDS_A_PARSER = re.compile(r"\bArgumentParser\($", re.MULTILINE)
SHELL = ("|", "<", ">")
"""Signs that end the arguments of an example."""
NEEDS_NO_FILE = ("games", "rules", "score", "arrange")
MAX_LINE_LENGTH = 80


@pytest.fixture(autouse=True)
def _terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Format for a terminal of 80 columns."""
    monkeypatch.setenv("COLUMNS", str(MAX_LINE_LENGTH))


def tools() -> list[str]:
    """Return the modules of the developers' tools that have a command line."""
    paths = [path for folder in ("study", "benchmarks", "tests") for path in (HOME / folder).rglob("*.py")]
    found = [path for path in paths if not path.name.startswith("test_") and _has_a_parser(path)]
    return sorted(".".join(path.relative_to(HOME).with_suffix("").parts) for path in found)


def _has_a_parser(path: Path) -> bool:
    text = path.read_text(encoding="utf-8")
    return bool(MARKS_A_PARSER.search(text) or BUILDS_A_PARSER.search(text))


def commands(top: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield a program's parser and those of its commands."""
    yield top
    for action in top._actions:  # noqa: SLF001
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            yield from action.choices.values()


BOT = {each.prog: each for each in commands(parser())}
TOOLS = {name: import_module(name).parser() for name in tools()}
ALL = {each.prog: each for top in (parser(), *TOOLS.values()) for each in commands(top)}


def examples_in(shown: argparse.ArgumentParser) -> list[str]:
    """Return the examples at the end of a help."""
    _, _, last = shown.format_help().partition(f"\n{EXAMPLES}\n")
    return [line.removeprefix(INDENT) for line in last.splitlines()]


def arguments_of(example: str, program: str) -> list[str]:
    """Return what follows the program's name, up to a pipe or a redirection."""
    before, _, after = example.partition(program)
    assert all("=" in setting for setting in before.split()), "only settings come before the program"
    found = []
    for word in shlex.split(after):
        if word in SHELL:
            break
        found.append(word)
    return found


@pytest.mark.parametrize("prog", ALL)
def test_two_different_examples_end_each_help_and_are_accepted(prog: str) -> None:
    shown = ALL[prog]
    examples = examples_in(shown)
    assert len({*examples}) == len(examples) == 2
    for example in examples:
        shown.parse_args(arguments_of(example, prog))


@pytest.mark.parametrize("prog", ALL)
def test_each_help_explains_itself_and_every_argument(prog: str) -> None:
    shown = ALL[prog]
    assert shown.description, "a summary"
    for action in shown._actions:  # noqa: SLF001
        explained = isinstance(action, argparse._SubParsersAction) or (action.help or "").strip()  # noqa: SLF001
        assert explained, action.dest
    if shown.prog not in BOT:
        first = next(line for line in shown.format_help().split("\n\n")[1].splitlines() if line)
        assert len(first) <= MAX_LINE_LENGTH


@pytest.mark.parametrize("prog", ALL)
def test_choices_are_shown_or_can_be_listed(prog: str) -> None:
    text = " ".join(ALL[prog].format_help().split())
    for action in ALL[prog]._actions:  # noqa: SLF001
        if action.choices is None or isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            continue
        assert "bot games` lists them" in text or all(str(choice) in text for choice in action.choices), action.dest


@pytest.mark.parametrize("prog", ALL)
def test_a_help_names_only_commands_that_exist(prog: str) -> None:
    before = "" if prog in BOT else "python -m bot "
    named = re.findall(rf"`{before}([a-z][a-z-]+)(?: --help)?`", ALL[prog].format_help())
    assert {*named} <= {name.rsplit(maxsplit=1)[-1] for name in BOT}


def test_each_command_has_a_summary_of_one_line() -> None:
    text = parser().format_help()
    for name in (prog.rsplit(maxsplit=1)[-1] for prog in list(BOT)[1:]):
        assert re.search(rf"^    {name} +\S.+\n(?:    \S|\n)", text, re.MULTILINE), name


@pytest.mark.parametrize(
    ("prog", "example"),
    [(prog, each) for prog in BOT if prog.endswith(NEEDS_NO_FILE) for each in examples_in(BOT[prog])],
)
def test_examples_that_need_no_file_work(prog: str, example: str, capsys: pytest.CaptureFixture[str]) -> None:
    program = parser().prog
    assert main(arguments_of(example, program)) == 0
    shown = capsys.readouterr()
    assert shown.out
    assert not shown.err
