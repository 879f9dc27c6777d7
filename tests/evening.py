"""The evenings of which the documents have pictures: the same cards and the same presses each time, in either language.

``make pictures`` shows it to a browser (:mod:`tests.pictures`); ``tests/discord/test_pictures.py`` asks, without one,
whether the screens still say what the pictures show.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.discord.club import Club, Screen, plain_letters
from tests.discord.house_editor import choose_value, new_game
from tests.discord.test_family import deal_a_natural
from tests.discord.test_whole_hands import ALICES_TEXT, SCRIPT, SEED

TAKEN = Path(__file__).resolve().parent.parent / "docs/pictures.json"
"""The digest of what each picture shows, as it was when the picture was taken."""
SEEDS = tuple(hashlib.sha256(f"evening 39 {number}".encode()).digest() for number in range(4))
STREET, MOST_TURNS = 3, 30
"""Where in the hand Alice's pictures are taken, and within how many turns that comes."""
_SAYS_NO_MORE = {"custom_id", "id"}
_MOMENT = re.compile(r"<t:\d+|\d{15,}|(?<=attachment://)[\w.-]+")
"""What differs from evening to evening and is no word: moments, ids, names of files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """What one picture shows: messages, from top to bottom, as somebody sees them on a desk or on a phone."""

    name: str
    viewer: str
    screens: tuple[Screen, ...]
    on_phone: bool = False

    @property
    def digest(self) -> str:
        """Of the words and the layout, not of ids and moments."""
        seen = json.dumps([_said(screen.components) for screen in self.screens], ensure_ascii=False, sort_keys=True)
        return hashlib.sha256(_MOMENT.sub("", seen).encode()).hexdigest()[:16]


def file_of(name: str, language: str) -> str:
    """The picture's file among the documents' images."""
    return f"{name}.png" if language == "en" else f"{name}-{language}.png"


def taken() -> Mapping[str, str]:
    """The digests by file."""
    found: dict[str, str] = json.loads(TAKEN.read_text(encoding="utf-8"))
    return found


def _said(part: Any) -> Any:
    if isinstance(part, dict):
        return {key: _said(value) for key, value in part.items() if key not in _SAYS_NO_MORE}
    return [_said(each) for each in part] if isinstance(part, list) else part


async def _street(club: Club) -> int:
    seen = await club.look(1, "alice")
    assert seen.hand is not None
    return seen.hand.street


async def evening(club: Club) -> AsyncIterator[Shot]:
    """Alice opens a table, three play a hand, and each picture is taken when it is there."""
    await club.slash("alice", "ofc play")
    for guest in ("bob", "hanako"):
        await club.press(guest, club.table_screen(), club.table_screen().find("join"))
    yield Shot(name="lobby", viewer="alice", screens=(club.table_screen(),))
    yield Shot(name="setup", viewer="alice", screens=(await club.slash("alice", "setup"),))
    await club.press("alice", club.table_screen(), club.table_screen().find("start"))
    for _ in range(MOST_TURNS):
        if await club.on_turn() == "alice" and await _street(club) == STREET:
            break
        await club.play_turn(await club.on_turn())
    panel = await club.open_panel("alice")
    yield Shot(name="table", viewer="alice", screens=(club.table_screen(), panel))
    seen = await club.look(1, "alice")
    yield Shot(name="panel", viewer="alice", screens=(panel,))
    seats = await club.slash("alice", "ofc seats")
    yield Shot(name="seats", viewer="alice", screens=(seats,))
    panel = await club.place("alice", await club.open_panel("alice"), plain_letters(seen))
    yield Shot(name="phone", viewer="alice", screens=(club.table_screen(), panel), on_phone=True)
    yield Shot(name="my-games", viewer="alice", screens=(await club.slash("alice", "my-games"),))
    await club.tap("alice", panel, panel.find("confirm"))
    await club.play_hand()
    (result,) = (screen for screen in club.public() if screen.has("replay"))
    yield Shot(name="result", viewer="alice", screens=(result,))
    await new_game(club, "Midnight", "pineapple")
    await choose_value(club, "discards", "open", name="Midnight")
    changed = await choose_value(club, "fantasyland.entry", "KK", name="Midnight")
    yield Shot(name="house-game", viewer="alice", screens=(changed,))


async def lucky_evening(club: Club) -> AsyncIterator[Shot]:
    """Alice makes two aces in front, and is dealt fourteen cards."""
    await club.slash("alice", "ofc play")
    await club.press("bob", club.table_screen(), club.table_screen().find("join"))
    await club.slash("bob", "seed", text="bob's own text")
    await club.slash("alice", "seed", text=ALICES_TEXT)
    await club.press("alice", club.table_screen(), club.table_screen().find("start"))
    await club.play_hand(script=SCRIPT)
    await club.pass_time(13)
    yield Shot(name="fantasyland", viewer="alice", screens=(await club.open_panel("alice"),))


async def thirteen_cards(club: Club) -> AsyncIterator[Shot]:
    """Four people play 十三張, and Alice holds a natural."""
    await deal_a_natural(club)
    yield Shot(name="natural", viewer="alice", screens=(await club.open_panel("alice"),))


@dataclass(frozen=True, slots=True, kw_only=True)
class Evening:
    """What is played in a club of its own, and the pictures, in the order in which it comes to them."""

    play: Callable[[Club], AsyncIterator[Shot]]
    names: tuple[str, ...]
    seeds: tuple[bytes, ...] = ()


EVENINGS = (
    Evening(
        play=evening,
        names=(
            *("lobby", "setup", "table", "panel", "seats", "phone", "my-games", "result"),
            "house-game",
        ),
        seeds=SEEDS,
    ),
    Evening(play=lucky_evening, names=("fantasyland",), seeds=(SEED,)),
    Evening(play=thirteen_cards, names=("natural",)),
)
NAMES = tuple(name for each in EVENINGS for name in each.names)
