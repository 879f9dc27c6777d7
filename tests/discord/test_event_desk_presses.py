"""The number of presses per act of the desk, including menus and forms, as docs/how-to/run-an-event.md states it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

from bot.model.events import Official
from tests.discord.club import Club, Screen
from tests.discord.test_event_desk import (
    announced,
    anyone,
    choose_why,
    desk_of,
    open_desk,
    person,
    press_why,
    running,
)

WHO = "bob"
MAX_READS = 3
DOCS = {"en": Path("docs/how-to/run-an-event.md"), "ja": Path("docs/how-to/run-an-event.ja.md")}
JAPANESE = {
    "call all who are missing": "不在の全員を呼び出す",
    "pause all": "全卓を一時停止する",
    "resume all": "全卓を再開する",
    "take back": "操作を取り消す",
    "call": "呼び出す",
    "register": "参加登録する",
    "check in": "チェックインする",
    "sit out": "離席にする",
    "share the desk": "共同主催者にする",
    "pause a table": "卓を一時停止する",
    "message to all": "全員にお知らせする",
    "penalty": "ペナルティ",
    "disqualify": "失格",
    "move": "移動",
    "cancel a hand": "ハンドの無効",
}
"""The acts as both documents call them."""


class Counted:
    """A person at the desk whose presses, choices and submitted forms are counted."""

    def __init__(self, actor: Any) -> None:
        self._actor = actor
        self.presses = 0

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._actor, name)
        if name not in {"click", "select", "submit_modal"}:
            return found

        async def counted(*given: Any, **named: Any) -> Any:
            self.presses += 1
            return await found(*given, **named)

        return counted


Act = Callable[[Screen], Awaitable[object]]


async def counted(club: Club, act: Act) -> int:
    """Return the presses that an act takes from the current desk."""
    desk = await open_desk(club, WHO)
    member, people = club.members[WHO], cast("dict[str, Any]", club.members)
    people[WHO] = seen = Counted(member)
    try:
        await act(desk)
    finally:
        people[WHO] = member
    return seen.presses


def pressed(club: Club, verb: str) -> Act:
    async def act(desk: Screen) -> object:
        return await club.tap(WHO, desk, desk.find(verb))

    return act


def of_person(club: Club, verb: str, who: str, *, found: bool = False) -> Act:
    async def act(desk: Screen) -> object:
        one = await (anyone(club, WHO, desk, club.members[who]) if found else person(club, WHO, desk, who))
        return await club.tap(WHO, one, one.find(verb))

    return act


def ruled(club: Club, verb: str, who: str, value: str = "") -> Act:
    async def act(desk: Screen) -> object:
        one = await person(club, WHO, desk, who)
        if value:
            return await choose_why(club, WHO, one, verb, value, "Why")
        return await press_why(club, WHO, one, verb, "Why")

    return act


def of_table(club: Club, verb: str, table: int, *, why: bool = False) -> Act:
    async def act(desk: Screen) -> object:
        shown = await club.choose(WHO, desk, desk.find("ev_d_table"), [str(table)])
        return await (press_why(club, WHO, shown, verb, "Why") if why else club.tap(WHO, shown, shown.find(verb)))

    return act


async def test_every_act_of_the_desk_takes_as_many_presses_as_the_documents_say(club: Club) -> None:
    took: dict[str, int] = {}

    async def did(name: str, act: Act) -> None:
        took[name] = await counted(club, act)

    async def share(desk: Screen) -> object:
        form = await club.used(WHO, desk, desk.find("ev_d_help"))
        assert form.modal is not None
        (field,) = [part["component"] for part in form.modal["components"] if "component" in part]
        return await club.members[WHO].submit_modal(form, {field["custom_id"]: [club.members["hanako"]]})

    key, people = await running(club, WHO, guests=5, late_levels=5)
    club.newcomer("late")
    tables = {table.id: table.line.players for table in (await desk_of(club, key)).tables}
    full = max(tables, key=lambda number: len(tables[number]))
    (free,) = (number for number in tables if number != full)
    mover, other, third = (club.name_of(player) for player in tables[full])
    # At most one player per table is absent, because a hand of two absent players ends immediately.
    absent = tables[free][0]
    await did("pause all", pressed(club, "ev_d_pause"))
    await did("resume all", pressed(club, "ev_d_resume"))
    await did("call", of_person(club, "ev_d_call", people[0]))
    await did("sit out", of_person(club, "ev_d_away", third))
    # A player whom an organiser sits out isn't pinged.
    (seated,) = [table for table in (await desk_of(club, key)).tables if absent in table.line.players]
    await club.bot.services.play.leave(seated.line.table.key, absent, cause="goes")
    await did("call all who are missing", pressed(club, "ev_d_call_all"))
    await did("move", ruled(club, "ev_d_to", mover, str(free)))
    await did("register", of_person(club, "ev_d_register", "late", found=True))
    await did("share the desk", share)
    await did("pause a table", of_table(club, "ev_d_hold", free))
    await did("cancel a hand", of_table(club, "ev_d_void", free, why=True))
    await did("penalty", ruled(club, "ev_d_penal", other, "3"))
    await did("disqualify", ruled(club, "ev_d_out", other))

    async def undo(desk: Screen) -> object:
        menu = desk.find("ev_d_undo")
        return await club.choose(WHO, desk, menu, [menu["options"][0]["value"]])

    async def say(desk: Screen) -> object:
        return await press_why(club, WHO, desk, "ev_d_say", "Pizza is here")

    await did("take back", undo)
    await did("message to all", say)
    assert not (await desk_of(club, key)).event.paused
    await club.bot.services.events.cancel(key, Official(player=club.player(WHO)), why="Late", cause="the next evening")
    key = await announced(club, WHO, "bicycle", hours=0.2)
    await club.slash(people[0], "event", do="register")
    await did("check in", of_person(club, "ev_d_check_in", people[0]))
    assert max(took.values()) <= MAX_READS
    for language, path in DOCS.items():
        rows = presses_of(path.read_text(encoding="utf-8"))
        assert rows == {JAPANESE[act] if language == "ja" else act: count for act, count in took.items()}, path


def presses_of(text: str) -> dict[str, int]:
    """By act, what the table of a document says."""
    rows = re.findall(r"^\| (\d)(?: press| presses|回) \| (.+) \|$", text, flags=re.MULTILINE)
    return {act: int(count) for count, acts in rows for act in re.split(", |、", acts)}
