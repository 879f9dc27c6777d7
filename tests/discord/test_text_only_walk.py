"""Every screen in *Text only*, in both languages: walked from button to button, and read as a screen reader would."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from simcord import ResponseMessage

from bot import __version__
from bot.base.installation import version_text
from bot.chat.club.screens.profile_tabs import ProfilePart
from bot.chat.club.screens.ranking import Listing
from bot.model.choices import DeckColours
from bot.model.ids import GuildId
from bot.model.tables import TableState
from bot.pure.event.pairings import Pairings
from bot.text.words import words_for
from tests.discord.club import Club, Control, Screen, sit_and_go_of_two
from tests.discord.messages import walk
from tests.discord.test_event_rounds import LEAGUE, begun, ended
from tests.text.test_aloud import signs

READERS = ("bob", "hanako")
_NOT_PROSE = re.compile(rf"<[^<>]*>|https?://\S+|`[^`]*`|\(https?[^)]*\)|{re.escape(version_text(__version__))}")
_FAULTS = {
    "a doubled pause": re.compile(r"[,、;，]\s*[,、，。;]|[:：]\s*[,、.。]|(?<!\.)\.\.(?!\.)|。。"),
    "a space before a sign": re.compile(r"\w [,.;:](?:\s|$)"),
    "nothing in bold": re.compile(r"\*\*\s*\*\*(?!\*)(?<!\*\*\*)"),
    "glued words": re.compile(
        r"(?:clubs|diamonds|hearts|spades|joker)(?=[A-Za-z0-9])|[a-z](?=[A-Z])|\d(?=[A-Za-z]{3})"
    ),
    "empty brackets": re.compile(r"\(\s*\)|（\s*）"),
    "a line of nothing but signs": re.compile(r"^\W+$", re.MULTILINE),
}


def heard(screen: Screen) -> list[str]:
    """All texts and labels of a screen."""
    found = []
    for part in walk(screen.components):
        found += [str(part[name]) for name in ("content", "label", "placeholder") if part.get(name)]
        for option in part.get("options") or []:
            found += [str(option[name]) for name in ("label", "description") if option.get(name)]
    return found


def faults(text: str) -> list[str]:
    """Return the parts of a text that would confuse a listener."""
    if text.startswith("```"):
        return []  # text to copy or type
    plain = _NOT_PROSE.sub("x", text)
    found = [f"sign {one}" for one in signs(plain)]
    return found + [name for name, pattern in _FAULTS.items() if pattern.search(plain)]


def test_the_check_hears_what_was_garbled() -> None:
    assert faults("four of heartsnew: seven of spades")
    assert faults("1 same rowsame row, , x")
    assert faults("Street 1 →")
    assert faults("Alice , 100 chips")
    assert not faults("**Front**: ace of spades, +3.")


class Walker:
    """Goes from screen to screen by every button that only shows something, and keeps what it has read."""

    def __init__(self, club: Club, name: str) -> None:
        self.club, self.name = club, name
        self.verbs: set[str] = set()
        self.found: dict[str, list[str]] = {}

    def read(self, screen: Screen, where: str) -> None:
        for text in heard(screen):
            if bad := faults(text):
                self.found.setdefault(f"{where}: {text!r}", bad)

    async def walk(self, command: str, depth: int = 3, **options: Any) -> None:
        """Read the screen of a command and those behind its buttons, each verb once."""
        ahead: list[tuple[str, ...]] = [()]
        while ahead:
            path = ahead.pop(0)
            if (screen := await self._at(command, options, path)) is None:
                continue
            self.read(screen, " > ".join((command, *path)))
            for control in screen.controls() if len(path) < depth else ():
                verb = str(control["custom_id"]).split(":")[1]
                shown = not control.get("disabled") and verb not in CHANGES and control["type"] in (2, 3)
                if shown and verb not in self.verbs:
                    self.verbs.add(verb)
                    ahead.append((*path, verb))

    async def _at(self, command: str, options: dict[str, Any], path: tuple[str, ...]) -> Screen | None:
        """The screen behind these buttons of a command; None where one of them opens a form."""
        screen = await self.club.slash(self.name, command, **options)
        for verb in path:
            if not screen.has(verb):
                return None
            if (shown := await self._pressed(screen, screen.find(verb))) is None:
                return None
            screen = shown
        return screen

    async def _pressed(self, screen: Screen, control: Control) -> Screen | None:
        message = ResponseMessage(self.club.world.env, screen.message)
        member, verb = self.club.members[self.name], control["custom_id"]
        if control["type"] == 3:
            result = await member.select(message, [control["options"][-1]["value"]], custom_id=verb)
        else:
            result = await member.click(message, custom_id=verb)
        if result.modal is not None:
            return None
        shown = (
            result.followups[-1]
            if result.followups
            else result.response or ResponseMessage(self.club.world.env, screen.message)
        )
        return Screen(self.club, shown.channel_id, shown.id)


CHANGES = frozenset(
    (
        *("wish_text", "wish_cards", "wish_language", "leave", "seat", "sit", "start", "cancel", "stop", "own_delete"),
        *(
            "confirm",
            "ahead",
            "day_confirm",
            "give_up",
            "pages_close",
            "stream_off",
            "su_stream_off",
            "out_everywhere",
            "rp_show",
            "lb_show",
            "pf_show",
        ),
        *("rec_show", "day_share", "bank_channel", "launch", "rp_file"),
        *("own_export", "day_record", "verify", "ev_fairness", "again", "new_open", "invite", "practise", "join"),
    )
)
"""Presses that would change how the walker reads, end what it reads, or answer with a file."""
LOOKED_UP = (
    *(("ofc profile", {"show": part.value}) for part in ProfilePart),
    *(("ofc leaderboard", {"by": listing.value}) for listing in Listing),
)
COMMANDS: dict[str, dict[str, Any]] = {
    "ofc help": {},
    "ofc settings": {},
    "ofc table": {"do": "seats 1"},
    "hand": {"table": 1},
    "ofc leaderboard": {},
    "daily": {},
    "ofc result": {"table": 1},
}
MANAGERS: dict[str, dict[str, Any]] = {
    "event": {"do": "create"},
    "setup": {},
    "manage": {"do": "Audit log"},
}


async def walker_of(club: Club, name: str) -> Walker:
    await club.play.choose_for_server(club.key().guild, lambda server: replace(server, in_words=True))
    await club.play.change_member_settings(
        GuildId(club.guild.id),
        club.player(name),
        lambda member_settings: replace(member_settings, text_only=True, deck=DeckColours.WORDS),
    )
    return Walker(club, name)


@pytest.mark.parametrize("name", READERS)
async def test_every_screen_of_a_player_is_heard_without_a_fault(club: Club, name: str) -> None:
    walker = await walker_of(club, name)
    await club.open_table("alice", name, clock="relaxed")
    for _ in range(40):
        if (await club.look()).table.state is not TableState.PLAYING:
            break
        turn = await club.on_turn()
        if turn == name:
            walker.read(await club.slash(name, "hand", table=1), "hand")
        shown = await club.type_turn(turn)
        if turn == name:
            walker.read(shown, "place")
    assert (await club.look()).table.state is TableState.BETWEEN
    for command, options in (*COMMANDS.items(), *LOOKED_UP):
        await walker.walk(command, **options)
    await walker.walk("event", do="list")
    await walker.walk("ofc help", about="rules")
    await walker.walk("ofc table", do=club.words(name)("table_acts.name.list"))
    await walker.walk("ofc table", do=club.words(name)("acts.everything.name"))
    for screen in club.public():
        walker.read(screen, "public")
    assert walker.found == {}
    assert walker.verbs >= {"replay", "review", "hours", "rp_next", "reviewed"}
    assert len(walker.verbs) > 40, sorted(walker.verbs)


@pytest.mark.parametrize("name", READERS)
async def test_practice_and_the_daily_hand_are_heard_without_a_fault(club: Club, name: str) -> None:
    walker = await walker_of(club, name)
    await walker.walk("ofc practice", depth=1)
    daily = await club.slash(name, "daily")
    panel = await club.tap(name, daily, daily.find("day_begin"))
    for _ in range(8):
        walker.read(panel, "daily")
        if panel.has("day_share"):
            break
        while panel.has("day_row") and not panel.has("day_confirm"):
            row = next(c for c in panel.controls() if ":day_row:" in c["custom_id"] and not c.get("disabled"))
            panel = await club.tap(name, panel, row)
            walker.read(panel, "daily")
        panel = await club.tap(name, panel, panel.find("day_confirm"))
    assert panel.has("day_share")
    await walker.walk("daily")
    assert walker.found == {}
    assert "day_review" in walker.verbs


@pytest.mark.parametrize("name", READERS)
async def test_an_event_is_heard_without_a_fault(club: Club, name: str) -> None:
    walker = await walker_of(club, name)
    event = await sit_and_go_of_two(club, "Night", "alice")
    number = event.key.number
    for act in ("show", "register", "show", "standings", "log"):
        await walker.walk("event", depth=1, do=f"{act} {number}")
    (table,) = await club.play.tables_of(GuildId(club.guild.id), club.player(name))
    await walker.walk("ofc table", depth=1, do=f"seats {table.key.table}")
    await walker.walk("ofc table", depth=1, do="mine")
    await walker.walk("event", depth=1, do="list")
    await walker.walk("event", depth=1, do="what can I do")
    assert walker.found == {}


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("pairings", list(Pairings))
async def test_the_rounds_of_a_league_are_heard_without_a_fault(club: Club, language: str, pairings: Pairings) -> None:
    walker = await walker_of(club, "alice")
    key = await begun(club, replace(LEAGUE, pairings=pairings, rounds=2), 5, language=language)
    await ended(club, key)
    words = words_for(language).aloud
    rounds = (await club.bot.services.events.look(key)).event.structure.rounds
    over, cross = words("event_round.over", round=1, rounds=rounds), words("event_round.heard_cross")
    told = [text for screen in club.public() for text in heard(screen) if over in text or cross in text]
    assert len(told) == 2, "after the first round, and at the end"
    for text in told:
        assert text.count("<@") >= 5
        assert not [sign for sign in "`·▲▼■" if sign in text]
        assert faults(text) == []
    assert walker.found == {}


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_every_screen_of_a_manager_is_heard_without_a_fault(club: Club, language: str) -> None:
    walker = await walker_of(club, "alice")
    await club.play.change_member_settings(
        GuildId(club.guild.id),
        club.player("alice"),
        lambda member_settings: replace(member_settings, language=language),
    )
    for command, options in (*MANAGERS.items(), ("event", {"do": "create"})):
        await walker.walk(command, **options)
    assert walker.found == {}
    assert {"bank_change", "house", "season_page", "su_doctor", "su_look"} <= walker.verbs
