"""The table of who can do what in the pages for server owners, against the code that asks."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

HOME = Path(__file__).parents[1]
PERMISSIONS = {"manage_guild", "manage_events", "manage_roles"}
REASONS = {
    "CHANNEL_HIDDEN",
    "HAS_RULED",
    "MAY_NOT_HOST",
    "MAY_NOT_WRITE",
    "NOT_HERE",
    "NOT_HOST",
    "NOT_IN_THIS_EVENT",
    "NOT_ORGANISER",
    "NO_ADDED_POWER",
    "NO_REPEAT_POWER",
    "NO_ROLE_POWER",
    "PLAYS_HERE",
    "SERIES_HIDDEN",
}
"""The refusals of somebody for who they are."""
PLAY, OPEN, CREATE, RUN, ENTER, READ, REPEAT, CHIPS, ROLES, HOST, REMOVE, MANAGE = range(12)
"""The rows of the table, in their order."""
ASKED = {
    "bot/live/client.py Services.demand_seen": {PLAY},
    "bot/live/client.py Services.demand_hand_seen": {PLAY},
    "cogs/event/which_event.py WhichEvent.demand_seen": {PLAY},
    "cogs/event/which_event.py WhichEvent.demand_series_seen": {PLAY, CREATE},
    "cogs/replay.py Replays.show_to_all": {PLAY},
    "bot/play/table/lobby.py _check_server": {OPEN},
    "bot/ui/permissions_here.py check_may_write": {OPEN, CREATE},
    "cogs/open_table.py offer_of": {OPEN},
    "cogs/event/which_event.py authority_of": {CREATE, REPEAT, CHIPS},
    "cogs/event/which_event.py official": {RUN},
    "bot/play/event/organiser.py check_organiser": {RUN},
    "bot/play/event/organiser.py _check_neutral": {RUN},
    "bot/play/event/registration.py register": {ENTER},
    "bot/play/event/views.py log": {READ},
    "bot/play/event/vouching.py check_repeats": {REPEAT},
    "bot/live/event/publisher.py EventPublisher._vouched": {REPEAT, CHIPS},
    "bot/play/event/vouching.py check_promises": {CHIPS, ROLES},
    "bot/ui/given_roles.py gives_roles": {ROLES},
    "bot/ui/given_roles.py could_give": {ROLES},
    "bot/ui/given_roles.py still_vouched": {ROLES},
    "bot/play/table/hosting.py hand_over": {HOST},
    "bot/play/table/lobby.py join_computer": {HOST},
    "bot/play/table/lobby.py start": {HOST},
    "bot/play/table/lobby.py cancel": {HOST},
    "bot/play/table/hosting.py remove": {REMOVE},
    "cogs/seats.py Seats.show_person": {REMOVE},
    "cogs/seats.py _manages": {REMOVE},
    "bot/ui/permissions_here.py for_managers.managed": {MANAGE},
    "cogs/admin.py Admin": {MANAGE},
    "cogs/admin.py Admin.interaction_check": {MANAGE},
    "cogs/event/tools.py OrganisersTools.settings": {MANAGE},
    "cogs/event/tools.py OrganisersTools._zones_suggested": {MANAGE},
    "cogs/house_rules.py HouseRules.house_rules": {MANAGE},
    "cogs/hub.py _hub": {MANAGE},
    "cogs/lobby.py Lobby.menu.body": {MANAGE},
    "cogs/rules.py StatusPage.status": {MANAGE},
    "cogs/seats.py CloseTable.close": {MANAGE},
    "cogs/setup.py Setup.setup": {MANAGE},
}
"""Each place of the code that asks who somebody is, and the rows that tell of it."""
OF_THE_BOT = {
    "bot/ui/bot_permissions.py Permission",
    "bot/ui/given_roles.py hands_out",
    "bot/ui/given_roles.py role_problem",
}
"""What the bot itself may, and a sentence for what was refused."""
SHOWN = {"bot/ui/given_roles.py ", "cogs/event/commands.py ", "cogs/open_table.py "}
"""Lists beside the code: offices, the commands that Discord shows, the refusals that another channel would not end."""


def names_of_power(tree: ast.AST, inside: tuple[str, ...] = ()) -> Iterator[str]:
    """The functions in which a permission or such a refusal is named."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            # A decorator asks for the function that it decorates.
            yield from names_of_power(node, (*inside, node.name))
            continue
        named = {
            getattr(node, "attr", None),
            getattr(node, "arg", None) if isinstance(node, ast.keyword) else None,
            node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None,
        }
        if named & (PERMISSIONS | REASONS):
            yield ".".join(inside)
        yield from names_of_power(node, inside)


def asking() -> set[str]:
    """Where the code asks."""
    files = sorted(file for folder in ("bot", "cogs") for file in (HOME / folder).rglob("*.py"))
    trees = {file.relative_to(HOME).as_posix(): ast.parse(file.read_text(encoding="utf-8")) for file in files}
    return {f"{file} {name}" for file, tree in trees.items() for name in names_of_power(tree)}


def rows(page: str) -> list[list[str]]:
    """The cells of the table of who can do what."""
    text = (HOME / "docs" / page).read_text(encoding="utf-8")
    (section,) = re.findall(r"^## (?:Who can do what|誰が何をできるか)\n(.*?)^## ", text, re.MULTILINE | re.DOTALL)
    _, _, *found = re.findall(r"^\| (.+) \|$", section, re.MULTILINE)
    return [row.split(" | ") for row in found]


def test_each_place_that_asks_who_somebody_is_stands_in_a_row_and_each_row_is_asked() -> None:
    assert asking() == ASKED.keys() | OF_THE_BOT | SHOWN
    asked = set[int]().union(*ASKED.values())
    assert asked == set(range(MANAGE + 1))
    for page in ("servers.md", "servers.ja.md"):
        assert len(rows(page)) == len(asked), page


SAID = {
    PLAY: (("channel",), ("チャンネル",)),
    OPEN: (("role", "write"), ("ロール", "書き込")),
    CREATE: (
        ("*Manage Server*", "*Manage Events*", "role", "write"),
        ("「サーバー管理」", "「イベントの管理」", "ロール", "書き込"),
    ),
    RUN: (("organiser", "co-organisers", "*Manage Server*"), ("公開した人", "共同主催者", "「サーバー管理」")),
    ENTER: (
        (
            "view",
            "rulings",
        ),
        ("裁定",),
    ),
    READ: (("organisers", "entrants", "*Manage Server*"), ("主催者", "参加者", "「サーバー管理」")),
    REPEAT: (("could publish",), ("公開できる",)),
    CHIPS: (("*Manage Server*",), ("「サーバー管理」",)),
    ROLES: (("*Manage Roles*", "*Manage Server*"), ("「ロールの管理」", "「サーバー管理」")),
    HOST: (("host",), ("ホスト",)),
    REMOVE: (("host", "*Manage Server*"), ("ホスト", "「サーバー管理」")),
    MANAGE: (("*Manage Server*",), ("「サーバー管理」",)),
}


@pytest.mark.parametrize(("page", "language"), [("servers.md", 0), ("servers.ja.md", 1)])
def test_each_row_names_those_who_are_asked_for(page: str, language: int) -> None:
    for number, (cells, said) in enumerate(zip(rows(page), SAID.values(), strict=True)):
        who = cells[1]
        missing = [word for word in said[language] if word.casefold() not in who.casefold()]
        assert not missing, f"row {number} of {page} does not say {missing}: {who}"


TOOLS = {
    "start_now": ("start it", "開始"),
    "fill": ("fill it with computers", "コンピューターの補充"),
    "cancel": ("cancel it", "中止"),
    "co_organiser": ("name co-organisers", "共同主催者の指名"),
    "repeat": ("set it repeating", "定期開催"),
    "pause": ("pause", "一時停止"),
    "resume": ("resume", "再開"),
    "announce": ("announce", "お知らせ"),
}
"""The organisers' tools that somebody who plays in the event has as well, as the pages call them."""
BEFORE_THE_START = {"cancel": "check_cancel", "co_organiser": "co_organiser"}


def tools_open_to_players() -> dict[str, bool]:
    """The tools of organisers that do not ask whether they play, and those that ask only then; true for the latter."""
    tree = ast.parse((HOME / "bot/play/event/organiser.py").read_text(encoding="utf-8"))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    tools = [name for name, one in functions.items() if any(arg.arg == "cause" for arg in one.args.kwonlyargs)]
    found: dict[str, bool] = {}
    for name in tools:
        if name.startswith("_"):
            continue
        body = [*functions[name].body, *(functions[f"check_{name}"].body if f"check_{name}" in functions else [])]
        if not any("_check_neutral(" in ast.unparse(part) for part in body if isinstance(part, ast.Expr)):
            found[name] = any("_check_neutral(" in ast.unparse(part) for part in body)
    return found


@pytest.mark.parametrize(("page", "language"), [("servers.md", 0), ("servers.ja.md", 1)])
def test_the_row_of_organisers_says_what_is_left_to_those_who_play(page: str, language: int) -> None:
    found = tools_open_to_players()
    assert found.keys() == TOOLS.keys()
    assert {name for name, asks in found.items() if asks} == {"start_now", *BEFORE_THE_START}
    who = rows(page)[RUN][1]
    assert [words[language] for words in TOOLS.values() if words[language] not in who] == []
