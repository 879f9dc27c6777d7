"""A bracket is shown whole, as a picture and in words, beginning with the reader's own part of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from io import BytesIO
from random import Random

import pytest
from PIL import Image

from bot.chat.art.bracket import MAX_COLUMNS, SideState, draw_bracket
from bot.chat.event.screens.bracket import (
    MAX_ROWS,
    bracket_screen,
    drawn,
    drawn_names,
    own_lines,
    page_for,
    page_lines,
    pages,
    people_in,
)
from bot.chat.event.screens.bracket import picture_in_words as told_of
from bot.chat.kit.faces import DisplayNames
from bot.chat.kit.fragments import MAX_TEXT_LENGTH, text_length
from bot.chat.kit.widgets import MAX_DESCRIPTION_LENGTH
from bot.model.events import Official, Phase
from bot.model.ids import EventKey, GuildId, Player, TableId
from bot.play.event.formats.brackets import BracketView, MatchLine
from bot.pure.event.bracket import Bye, Seed, Side, double, progress, single, stage_of
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from tests.discord.club import Club, Screen
from tests.discord.messages import walk
from tests.discord.test_event_form import page, publish
from tests.discord.test_event_screen import event_of, player

ENGLISH = words_for("en")
FIELDS = [2, 3, 5, 8, 9, 16, 17, 33, 64, 100, 512]


def view_of(kind: str, players: int, *, matches: int, third: bool = False, seed: int = 0) -> BracketView:
    """A bracket of so many of which so many matches were played."""
    bracket = double(players) if kind == "double" else single(players, third=third)
    chance, wins = Random(seed), dict[int, int]()
    for _ in range(matches):
        ready = progress(bracket, wins).ready
        if not ready:
            break
        match, a, b = ready[0]
        wins[match.number] = chance.choice((a, b))
    made, lines = progress(bracket, wins), []
    for match in bracket.matches:
        sides = made.sides[match.number]
        byes = sum(isinstance(side, Bye) for side in sides)
        if byes == 2 or (byes and match.side is Side.FINAL):
            continue
        here, there = (player(side.number) if isinstance(side, Seed) else None for side in sides)
        winner = made.won.get(match.number)
        plays = winner is None and here is not None and there is not None
        lines.append(
            MatchLine(
                match=match,
                stage=stage_of(bracket, match.number),
                players=(here, there),
                bye=byes > 0,
                winner=None if winner is None else player(winner),
                hands=7 if match.number in wins else 0,
                table=TableId(match.number) if plays else None,
                table_number=match.number if plays else 0,
                channel=1 if plays else None,
                chips=(1200, 800) if plays else (0, 0),
            )
        )
    champion = None if made.champion is None else player(made.champion)
    event = event_of("double" if kind == "double" else "heads_up", Phase.RUNNING)
    return BracketView(event=event, bracket=bracket, lines=tuple(lines), champion=champion)


def names_in(view: BracketView) -> Mapping[Player, str]:
    return {one: f"**N{number}**" for number, one in enumerate(people_in(view))}


@pytest.mark.parametrize("kind", ["single", "third", "double"])
@pytest.mark.parametrize("players", [n if n <= 100 else pytest.param(n, marks=pytest.mark.deep) for n in FIELDS])
def test_every_match_stands_on_one_page_and_no_page_is_too_large_for_a_phone(kind: str, players: int) -> None:
    view = view_of(kind, players, matches=players // 2, third=kind == "third")
    shown = [line.number for one in pages(view) for block in one for line in block.lines]
    assert Counter(shown) == Counter(line.number for line in view.lines)
    for one in pages(view):
        for block in one:
            assert len(block.rounds) <= MAX_COLUMNS
            assert max(len(matches) for matches in block.rounds) <= MAX_ROWS


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["single", "double"])
@pytest.mark.parametrize("players", [2, 5, 16, 33, 64])
def test_every_page_fits_into_a_message_as_text_and_as_a_picture(kind: str, players: int, language: str) -> None:
    words = words_for(language)
    for matches in (0, players):
        view = view_of(kind, players, matches=matches)
        names = dict.fromkeys(people_in(view), f"**{'W' * 40}**")
        for number, one in enumerate(pages(view), start=1):
            plain = bracket_screen(view, words, player(1), page=number, names=names)
            told = told_of(one, view, words, names)
            pictured = bracket_screen(view, words, player(1), page=number, names=names, picture=told)
            assert text_length(plain) <= MAX_TEXT_LENGTH
            assert text_length(pictured) <= MAX_TEXT_LENGTH
            assert told
            assert "*" not in told
            (gallery,) = [part for part in pictured.walk() if "items" in part]
            assert 0 < len(gallery["items"][0]["description"]) <= MAX_DESCRIPTION_LENGTH


@pytest.mark.parametrize("kind", ["single", "double"])
def test_each_opens_at_their_own_part(kind: str) -> None:
    view = view_of(kind, 64, matches=40)
    made = pages(view)
    assert len(made) > 3
    for number in range(1, 65):
        one = player(number)
        mine = [line for line in view.of(one) if line.winner is None] or list(view.of(one))[-1:]
        shown = {line.number for block in made[page_for(view, one) - 1] for line in block.lines}
        assert {line.number for line in mine} <= shown


def test_a_stranger_sees_where_most_is_played_and_the_end_when_it_is_over() -> None:
    assert page_for(view_of("single", 64, matches=0), Player("7")) == 1
    view = view_of("single", 64, matches=63)
    assert page_for(view, Player("7")) == len(pages(view))


def test_the_own_way_tells_what_was_played_what_comes_and_what_a_win_leads_to() -> None:
    view = view_of("single", 8, matches=4)
    names = {one: f"<@{one}>" for one in people_in(view)}
    first = view.lines[0]
    assert first.winner is not None
    assert first.loser is not None
    assert names[first.winner] in (said := "\n".join(own_lines(view, ENGLISH, first.winner)))
    assert f"Round 1: {names[first.winner]} beat {names[first.loser]} in 7 hands" in said
    other = view.lines[1].winner
    assert f"Semi-final: {names[first.winner]} vs <@{other}>" in said
    assert "If you win: Final, against the winner of" in said
    out = own_lines(view, ENGLISH, first.loser)
    assert len(out) == 2
    assert own_lines(view, ENGLISH, Player("7")) == []


@pytest.mark.parametrize(("language", "first"), [("en", "Player 1"), ("ja", "プレイヤー1")])
def test_whose_name_cannot_be_drawn_has_a_number_that_is_no_place(language: str, first: str) -> None:
    names = drawn_names(view_of("double", 5, matches=2), DisplayNames(), words_for(language))
    assert first in names.values()
    assert len(set(names.values())) == 5


def test_a_bye_and_those_who_are_waited_for_are_told_in_words() -> None:
    view = view_of("double", 3, matches=0)
    said = "\n".join(page_lines(pages(view)[-1], view, ENGLISH, names_in(view)))
    assert ": bye" in said
    assert "the loser of **N" in said
    assert "Losers' final" in said
    assert "Grand final" in said
    assert "不戦勝" in "\n".join(page_lines(pages(view)[-1], view, words_for("ja"), names_in(view)))


def test_the_picture_of_the_events_message_changes_when_a_match_has_ended_and_at_no_hand() -> None:
    before, after = view_of("double", 8, matches=3), view_of("double", 8, matches=4)
    names = names_in(before)
    still = BracketView(
        event=before.event,
        bracket=before.bracket,
        champion=None,
        lines=tuple(
            MatchLine(**{name: getattr(line, name) for name in ("match", "stage", "players", "bye", "winner")})
            if line.winner is None
            else line
            for line in before.lines
        ),
    )
    assert drawn(pages(before)[-1], before, ENGLISH, names) == drawn(pages(still)[-1], still, ENGLISH, names)
    assert drawn(pages(before)[-1], before, ENGLISH, names) != drawn(pages(after)[-1], after, ENGLISH, names)


@pytest.mark.parametrize(("kind", "players"), [("single", 2), ("single", 16), ("double", 8), ("double", 64)])
def test_a_picture_is_drawn_as_wide_as_the_others_and_shows_who_won_and_who_looks(kind: str, players: int) -> None:
    view = view_of(kind, players, matches=players)
    names = {one: f"N{one}" for one in people_in(view)}
    plain = drawn(pages(view)[-1], view, ENGLISH, names)
    own = drawn(pages(view)[-1], view, ENGLISH, names, own=pages(view)[-1][0].lines[0].players[0])
    fates = Counter(
        side.fate for block in plain for one in block.rounds for match in one.matches for side in match.sides
    )
    assert fates[SideState.WON] >= fates[SideState.LOST] > 0 or players == 64
    pictures = [draw_bracket(heading="Friday", blocks=blocks) for blocks in (plain, own)]
    assert pictures[0] != pictures[1]
    image = Image.open(BytesIO(pictures[0]))
    assert image.width == 1200
    assert len(pictures[0]) < 400_000


# with the bot


async def _begun(club: Club, people: int, preset: str = "double") -> None:
    await publish(club, await page(club, preset=preset, name="Cup", when="in 30 minutes"))
    for number in range(people):
        name = f"player{number}"
        club.newcomer(name, locale="en-US")
        await club.press(name, _message(club), _message(club).find("ev_register"))
    await club.pass_hours(30 * 60)
    await club.pass_time(60)


def _message(club: Club) -> Screen:
    """The event's own message."""
    return next(screen for screen in club.public()[::-1] if screen.has("ev_details"))


def _pictures(club: Club) -> list[str]:
    """Return the attachment addresses of the event's message. Each upload has a new one."""
    return [part["items"][0]["media"]["url"] for part in walk(_message(club).components) if "items" in part]


async def test_the_events_message_has_the_bracket_and_a_new_picture_after_a_match_alone(club: Club) -> None:
    await _begun(club, 3)
    (first,) = _pictures(club)
    key, events = EventKey(guild=GuildId(club.guild.id), number=1), club.bot.services.events
    hands = 0
    for _ in range(10):
        await club.pass_time(60)
        (line,) = [line for line in (await events.bracket(key)).lines if line.table is not None]
        hands = line.hands
        assert _pictures(club) == [first], "no hand changes it"
        if hands:
            break
    assert hands
    gone = line.players[0]
    assert gone is not None
    boss = Official(player=(await events.look(key)).event.organiser, manager=True)
    await events.disqualify(key, boss, gone, why="rude", cause="test")
    for _ in range(10):
        await club.pass_time(60)
        if (await events.bracket(key)).lines[1].winner is not None:
            break
    await club.pass_time(60)
    (second,) = _pictures(club)
    assert second != first
    await club.pass_time(60)
    assert _pictures(club) == [second]


async def test_everybody_can_ask_for_it_as_a_picture_or_as_text(club: Club) -> None:
    await _begun(club, 4, preset="heads_up")
    shown = await club.slash("player0", "event", do="bracket")
    assert [part for part in walk(shown.components) if "items" in part]
    assert "Your path" in shown.text
    pressed = await club.tap("bob", _message(club), _message(club).find("ev_bracket"))
    assert "Your path" not in pressed.text
    club.forbid("attach_files")
    plain = await club.slash("player1", "event", do="bracket")
    assert not [part for part in walk(plain.components) if "items" in part]
    assert "**Semi-final**" in plain.text
    assert "vs" in plain.text
