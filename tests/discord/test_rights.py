"""The table of permissions in the pages for server owners, in both languages, compared with the code.

Each permission check in the code has a row, each row names the people whom the code allows, and every permission is
tried for every row.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from functools import partial

import discord
import pytest

from bot.base.installation import HOME
from bot.chat.kit.given_roles import could_give
from bot.model.clock import Clock, Pace
from bot.model.events import Event, Official
from bot.model.ids import Player
from bot.play.event.office.permissions import check_prizes, check_repeats
from bot.play.event.office.registration import PlannedEvent
from bot.pure.event.structure import PRESETS
from bot.pure.ofc.presets import PINEAPPLE
from bot.pure.ofc.refusals import Refused
from tests.discord.club import Club
from tests.discord.test_event_form import guild_of
from tests.translated import translated

PAGES = ("servers.md", "servers.ja.md")
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
    "OWN_MATCH",
    "OWN_RESULT",
    "PLAYED_HERE",
    "RULED_BY_MANAGER",
    "ONLY_HOST_STARTS",
    "NO_ADDED_POWER",
    "NO_REPEAT_POWER",
    "NO_ROLE_POWER",
    "PLAYS_HERE",
    "SERIES_HIDDEN",
    "STANDS_IN",
}
"""Refusals that depend on the person."""
ROWS = (
    "play",
    "open",
    "create",
    "run",
    "rule on",
    "enter",
    "read the log",
    "repeat",
    "add chips",
    "give roles",
    "hand over",
    "remove",
    "close",
    "manage",
)
"""The rows of the table, from above."""
PLAY, OPEN, CREATE, RUN, RULE, ENTER, READ, REPEAT, CHIPS, ROLES, HOST, REMOVE, CLOSE, MANAGE = ROWS
ASKED = {
    "bot/web/seats.py PageSeats._join": {PLAY},
    "bot/chat/kit/permissions_here.py require_visible": {PLAY},
    "bot/chat/kit/permissions_here.py require_hand_visible": {PLAY},
    "cogs/event/which_event.py EventAccess.require_visible": {PLAY},
    "cogs/event/event_command.py EventSource.target": {PLAY},
    "cogs/event/which_event.py EventAccess.require_series_visible": {PLAY, CREATE},
    "cogs/table/past_hands.py PastHands.show_to_all": {PLAY},
    "bot/web/page_texts.py PageTexts._require_visible": {PLAY},
    "bot/play/table/lobby.py _check_server": {OPEN},
    "bot/chat/kit/permissions_here.py check_may_write": {OPEN, CREATE},
    "cogs/table/open_table.py build_offer": {OPEN},
    "cogs/event/which_event.py authority_of": {CREATE, REPEAT, CHIPS},
    "cogs/event/which_event.py official": {RUN},
    "bot/play/event/organisers/organiser.py check_organiser": {RUN},
    "bot/play/event/organisers/organiser.py check_neutral": {RUN},
    "bot/play/event/organisers/organiser.py co_organiser": {RUN},
    "bot/play/event/organisers/changing.py _problems": {RUN},
    "bot/play/event/organisers/late_rulings.py check_ruler": {RULE},
    "bot/play/event/organisers/late_rulings.py correct": {RULE},
    "bot/play/event/organisers/late_rulings.py undo": {RULE},
    "bot/play/event/organisers/late_rulings.py _entrant": {RULE},
    "bot/play/event/office/registration.py register": {ENTER},
    "bot/play/event/office/registration.py take_place": {ENTER},
    "bot/play/event/office/stand_bys.py check": {ENTER},
    "bot/play/event/office/views.py log": {READ},
    "bot/play/event/office/permissions.py check_repeats": {REPEAT},
    "bot/chat/event/posts/honours.py WinnerRoles.vouched": {REPEAT, CHIPS},
    "bot/play/event/office/permissions.py check_prizes": {CHIPS, ROLES},
    "bot/chat/kit/given_roles.py gives_roles": {ROLES},
    "bot/chat/kit/given_roles.py could_give": {ROLES},
    "bot/chat/kit/given_roles.py role_still_allowed": {ROLES},
    "bot/play/table/hosting.py hand_over": {HOST},
    "bot/play/table/hosting.py let_watch": {HOST},
    "bot/play/table/lobby.py join_computer": {HOST},
    "bot/play/table/lobby.py start": {HOST},
    "bot/play/table/lobby.py cancel": {HOST},
    "bot/play/table/hosting.py remove": {REMOVE},
    "cogs/table/seats.py Seats.show_person": {REMOVE},
    "cogs/table/seats.py _manages": {REMOVE},
    "bot/chat/kit/permissions_here.py for_managers.managed": {MANAGE},
    "cogs/club/manage.py ManagerCommands.manage": {MANAGE},
    "cogs/club/manage.py ManagerActs.targets": {MANAGE},
    "cogs/club/manage.py ManagerActs.target": {MANAGE},
    "cogs/club/manage.py ManagerActs.why_not": {MANAGE},
    "cogs/club/hub.py _hub": {MANAGE},
    "cogs/table/acts.py _still_manages": {CLOSE, MANAGE},
    "cogs/table/table_command.py TableSource._target": {REMOVE, CLOSE, MANAGE},
    "cogs/table/table_command.py TableSource._table": {CLOSE},
    "cogs/table/table_command.py TableSource.why_not": {CLOSE, MANAGE},
    "cogs/club/setup.py Setup.setup": {MANAGE},
}
"""Each permission check in the code, with its rows in the table."""
OF_THE_BOT = {
    "bot/chat/kit/bot_permissions.py Permission",
    "bot/chat/kit/given_roles.py hands_out",
    "bot/chat/kit/given_roles.py role_problem",
}
"""The bot's own permissions, and a sentence for refusals."""
SHOWN = {
    "bot/chat/kit/given_roles.py ",
    "cogs/event/acts.py ",
    "cogs/table/open_table.py ",
}
"""Lists outside the code: offices, commands shown by Discord, and refusals that hold for every channel and value."""
SAID = {
    PLAY: (("channel",), ("チャンネル",)),
    OPEN: (("role", "write"), ("ロール", "書き込")),
    CREATE: (
        ("*Manage Server*", "*Manage Events*", "role", "write"),
        ("「サーバー管理」", "「イベントの管理」", "ロール", "書き込"),
    ),
    RUN: (("organiser", "co-organisers", "*Manage Server*"), ("公開した人", "共同主催者", "「サーバー管理」")),
    RULE: (
        ("organiser", "co-organisers", "*Manage Server*", "day"),
        ("公開した人", "共同主催者", "「サーバー管理」", "1日"),
    ),
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
    CLOSE: (("*Manage Server*",), ("「サーバー管理」",)),
    MANAGE: (("*Manage Server*",), ("「サーバー管理」",)),
}
"""The people named by each row, on each page."""
POWERS = {
    "server": ("*Manage Server*", "「サーバー管理」"),
    "events": ("*Manage Events*", "「イベントの管理」"),
    "roles": ("*Manage Roles*", "「ロールの管理」"),
    "chosen": ("a role", "選んだロール"),
    "organiser": ("Its organiser", "公開した人"),
    "helper": ("co-organisers", "共同主催者"),
    "host": ("The table's host", "卓のホスト"),
}
"""The words for each permission in a cell."""
OF_DISCORD = {"server": "manage_guild", "events": "manage_events", "roles": "manage_roles"}


def cells(page: str) -> dict[str, str]:
    """Return the people named by each row of the table."""
    text = (HOME / "docs" / page).read_text(encoding="utf-8")
    (table,) = re.findall(r"^## (?:Who can do what|誰が何をできるか)\n\n.*\n.*\n((?:\|.*\n)+)", text, re.MULTILINE)
    return dict(zip(ROWS, [row.split("|")[2] for row in table.splitlines()], strict=True))


def names_of_power(tree: ast.AST, inside: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the functions that name a permission or such a refusal."""
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
    """Return the permission checks in the code."""
    files = sorted(file for folder in ("bot", "cogs") for file in (HOME / folder).rglob("*.py"))
    texts = {file.relative_to(HOME).as_posix(): file.read_text(encoding="utf-8") for file in files}
    # A file without any of the words names nothing.
    trees = {
        file: ast.parse(text) for file, text in texts.items() if any(map(text.__contains__, PERMISSIONS | REASONS))
    }
    return {f"{file} {name}" for file, tree in trees.items() for name in names_of_power(tree)}


def test_each_place_that_asks_who_somebody_is_stands_in_a_row_and_each_row_is_asked() -> None:
    assert asking() == ASKED.keys() | OF_THE_BOT | SHOWN
    assert set[str]().union(*ASKED.values()) == set(ROWS) == SAID.keys()


@pytest.mark.parametrize(("page", "language"), translated(*((page, number) for number, page in enumerate(PAGES))))
def test_each_row_names_those_who_are_asked_for(page: str, language: int) -> None:
    for row, who in cells(page).items():
        missing = [word for word in SAID[row][language] if word.casefold() not in who.casefold()]
        assert not missing, f"the row {row} of {page} does not say {missing}: {who}"


TOOLS = {
    "start_now": ("start it", "開始"),
    "fill": ("fill it with computers", "コンピューターの補充"),
    "cancel": ("cancel it", "中止"),
    "co_organiser": ("name co-organisers", "共同主催者の指名"),
    "repeat": ("set it repeating", "定期開催"),
    "pause": ("pause", "一時停止"),
    "resume": ("resume", "再開"),
    "announce": ("send a message to all", "全員へのお知らせ"),
    "register_for": ("register players", "代わりの参加登録"),
    "check_in_for": ("check them in", "チェックイン"),
    "call_person": ("call them", "呼び出し"),
    "call_table": ("call them", "呼び出し"),
    "call_missing": ("call them", "呼び出し"),
    "keep": ("keep the desk", "デスク"),
    "stop_keeping": ("keep the desk", "デスク"),
    "open_table": ("open another table", "卓の追加"),
    "open_flight": ("open another flight", "フライトの追加"),
    "plan_end": ("plan the end of its series", "シリーズの終わり"),
}
"""The organisers' tools that are also open to organisers who play, as the pages call them."""
AT_TIMES = {"start_now", "cancel", "co_organiser", "plan_end"}
"""Those that ask whether they play where chips are added, or once it has started."""


def steps(function: ast.FunctionDef, functions: dict[str, ast.FunctionDef]) -> Iterator[ast.stmt]:
    """The statements of a function, with those of the checks of these modules that it makes whatever happens."""
    for part in function.body:
        called = part.value.func if isinstance(part, ast.Expr) and isinstance(part.value, ast.Call) else None
        name = called.id if isinstance(called, ast.Name) else ""
        if "check_" in name and name != "check_neutral" and name in functions:
            yield from steps(functions[name], functions)
        else:
            yield part


def tools_open_to_players() -> dict[str, bool]:
    """The tools of organisers that do not always ask whether they play; true for those that ask at times."""
    rooms = ("organiser", "desk_acts", "calls", "desk_message", "waiting_acts", "flight_acts", "series_acts")
    files = [f"bot/play/event/organisers/{name}.py" for name in rooms]
    trees = [ast.parse((HOME / file).read_text(encoding="utf-8")) for file in files]
    functions = {node.name: node for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)}
    found: dict[str, bool] = {}
    for name, function in functions.items():
        if name.startswith("_") or not any(arg.arg == "cause" for arg in function.args.kwonlyargs):
            continue
        asking = [part for part in steps(function, functions) if "check_neutral(" in ast.unparse(part)]
        if not any(isinstance(part, ast.Expr) for part in asking):
            found[name] = bool(asking)
    return found


@pytest.mark.parametrize(("page", "language"), translated(*((page, number) for number, page in enumerate(PAGES))))
def test_the_row_of_organisers_says_what_is_left_to_those_who_play(page: str, language: int) -> None:
    found = tools_open_to_players()
    assert found.keys() == TOOLS.keys()
    assert {name for name, asks in found.items() if asks} == AT_TIMES
    who = cells(page)[RUN]
    assert [words[language] for words in TOOLS.values() if words[language] not in who] == []


def passes(check: Callable[[], None]) -> bool:
    """True where a check refuses nothing."""
    try:
        check()
    except Refused:
        return False
    return True


async def works(act: Awaitable[object]) -> bool:
    """True where an act is not refused."""
    try:
        await act
    except Refused:
        return False
    return True


async def event_by(club: Club, player: Player) -> Event:
    """Publish an event as a player who had the permission then."""
    plan = PlannedEvent(
        guild=guild_of(club),
        channel=club.channel.id,
        organiser=player,
        language="en",
        name="Night",
        variant=PINEAPPLE,
        structure=PRESETS["sit_and_go"],
        clock=Clock(pace=Pace.PER_TURN, seconds=60),
        starts_at=None,
    )
    return await club.bot.services.events.create(plan, cause=f"created by {player}")


async def tried(club: Club, power: str) -> dict[str, bool]:
    """Return the acts that Bob may do with only this permission."""
    guild, bob, services = guild_of(club), club.player("bob"), club.bot.services
    wanted = {OF_DISCORD[power]: True} if power in OF_DISCORD else {}
    given = club.guild.create_role("Power", permissions=discord.Permissions(**wanted))
    club.backend.add_member_role(club.guild.id, club.members["bob"].id, given.id)
    prize = club.guild.create_role("Prize")
    hosts = given if power == "chosen" else club.guild.create_role("Hosts")
    await club.open_table("bob" if power == "host" else "alice", "hanako", "bob" if power != "host" else "alice")
    await club.play.choose_for_server(guild, partial(replace, host_role=hosts.id, organiser_role=hosts.id))
    asked = await club.draft("bob")
    theirs, other = await event_by(club, bob), await event_by(club, Player("99"))
    # Discord is asked who Bob is now.
    authority = await services.event_publisher._honours.vouched(await services.events.look(theirs.key))  # noqa: SLF001
    if power == "helper":
        await services.events.co_organiser(other.key, Official(player=Player("99")), bob, remove=False, cause="helps")
    of = theirs if power == "organiser" else (await services.events.look(other.key)).event
    server = club.bot.get_guild(club.guild.id)
    assert server is not None
    member, role = await server.fetch_member(club.members["bob"].id), server.get_role(prize.id)
    assert role is not None
    rich = replace(PRESETS["sit_and_go"], added=1)
    hanako, manager = club.player("hanako"), authority.manager
    # A former host can't remove players, so that comes first.
    removed = await works(services.seating.remove(club.key(), bob, hanako, manager=manager, cause="removes"))
    handed = await works(services.seating.hand_over(club.key(), bob, club.player("alice"), cause="hands over"))
    may = {
        RUN: await works(services.events.require_organiser(of.key, Official(player=bob, manager=manager))),
        REPEAT: passes(lambda: check_repeats(PRESETS["sit_and_go"], authority)),
        CHIPS: passes(lambda: check_prizes(rich, authority)),
        ROLES: could_give(member, role),
        CREATE: asked.has("ev_form_publish"),
        READ: await works(services.events.log(of.key, Official(player=bob, manager=manager))),
        REMOVE: removed,
        HOST: handed,
    }
    before = len(await club.play.open_tables(guild))
    await club.slash("bob", "ofc play")
    return may | {OPEN: len(await club.play.open_tables(guild)) > before}


@pytest.mark.parametrize("power", [*POWERS, "none"])
async def test_each_power_opens_what_the_pages_say_and_nothing_else(club: Club, power: str) -> None:
    may = await tried(club, power)
    assert may.pop(REPEAT) == may[CREATE], "the row says: those who could publish it"
    for number, page in enumerate(PAGES):
        who = cells(page)
        told = {row: power != "none" and POWERS[power][number] in who[row] for row in may}
        if power in ("organiser", "helper"):
            told[READ] = ("organisers", "主催者")[number] in who[READ]
        if power == "server":
            told[ROLES] = False  # The page names it as an additional requirement.
        assert told == may, page
