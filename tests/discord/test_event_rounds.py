"""Leagues and duplicate events on the real bot: posts after each deck, after each round and at the end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.chat.event.screens.picture import on_podium, pictured
from bot.model.clock import Clock, Pace
from bot.model.errors import ComputationFailedError
from bot.model.events import Official, Phase
from bot.model.ids import EventKey, GuildId
from bot.model.reasons import HandReason
from bot.play.event.office.permissions import NO_AUTHORITY, MemberPermissions
from bot.play.event.office.registration import PlannedEvent
from bot.pure.event.pairings import Pairings
from bot.pure.event.structure import Format, Structure
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.view import HandView
from bot.text.words import words_for
from tests.discord.club import Club, Screen
from tests.discord.test_event_screen import details
from tests.discord.test_event_screen import text_of as screen_text
from tests.in_turn import in_turn

LEAGUE = Structure(format=Format.LEAGUE, table_seats=2, most=8, rounds=3, round_hands=1, threads=False)
DUPLICATE = Structure(format=Format.DUPLICATE, table_seats=2, most=8, least=4, rounds=1, round_hands=2, threads=False)
NO_FANTASYLAND = house_variant("pineapple", {"fantasyland": "off"})


async def begun(
    club: Club,
    plan: Structure,
    people: int,
    *,
    language: str = "en",
    series: str = "",
    authority: MemberPermissions = NO_AUTHORITY,
) -> EventKey:
    """Start an event in which the clock plays for everyone."""
    events, guild = club.bot.services.events, GuildId(club.guild.id)
    organiser = club.player("alice")
    event = await events.create(
        PlannedEvent(
            guild=guild,
            channel=club.channel.id,
            organiser=organiser,
            authority=authority,
            language=language,
            name="Evening",
            series=series,
            variant=NO_FANTASYLAND,
            structure=plan,
            clock=Clock(pace=Pace.LIVE, seconds=30),
            starts_at=club.world.now_ms() + 3_600_000,
        ),
        cause="created",
    )
    for name in ("carol", "dave"):
        club.newcomer(name)
    for player in [*map(club.player, ("alice", "bob", "hanako", "carol", "dave"))][:people]:
        await events.register(event.key, player, cause=f"by {player}")
    await events.start(event.key, Official(player=organiser, manager=True), cause="started")
    await club.bot.services.event_publisher.drawn()
    return event.key


async def ended(club: Club, key: EventKey) -> None:
    """Let time pass until it is over, and said to be."""
    while (await club.bot.services.events.look(key)).event.phase is not Phase.ENDED:
        await club.pass_hours(300)
    await club.pass_time(5)


async def _nobody_thinks(view: HandView) -> str:
    raise ComputationFailedError


def told(club: Club, part: str) -> list[Screen]:
    """The posts that say it."""
    return [screen for screen in club.public() if part in screen.text]


@in_turn("language", "en", "ja")
async def test_the_sheet_of_a_deck_comes_once_every_table_has_played_it_and_masters_are_asked(
    club: Club, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = await begun(club, DUPLICATE, 4, language=language)
    words, events = words_for(language), club.bot.services.events
    first = words("deck_sheet.title", deck=1, decks=2, round=1, count=2)
    assert len((await events.look(key)).tables) == 2
    await club.pass_time(30)
    while not told(club, first):
        seen = (await events.look(key)).event
        if seen.compared < 1:
            with pytest.raises(Refused) as refused:
                await events.deck_view(key, 1)
            assert refused.value.reason is HandReason.NOT_REVEALED_YET
        await club.pass_time(10)
    (sheet,) = told(club, first)
    assert sheet.text.count(words("deck_sheet.seat", seat="#").split("#")[0].strip("*")) >= 2
    assert sheet.text.count("<@") == 4, "each table's board of each seat"
    attached = [one["filename"] for one in sheet.message.attachments]
    assert attached == ["deck.png"]
    with monkeypatch.context() as nobody:
        nobody.setattr(events, "_think", _nobody_thinks)
        refused_now = await club.press("bob", sheet, sheet.find("ev_masters"))
        assert refused_now is not None
        assert refused_now.text == club.words("bob")("refused.masters_busy")
    answer = await club.press("bob", sheet, sheet.find("ev_masters"))
    assert answer is not None
    assert answer.text.count("🎓") == 3, "a line for each seat, and what the sign means"
    assert answer.text.count("<@") == 4
    replay = await club.press("bob", sheet, sheet.find("replay"))
    assert replay is not None
    assert replay.has("rp_next")


async def test_the_end_of_a_small_league_has_the_cross_table_whose_rows_come_to_the_points(club: Club) -> None:
    key = await begun(club, LEAGUE, 3)
    await ended(club, key)
    view = await club.bot.services.events.look(key)
    won = await club.bot.services.events.against(key)
    assert {line.entrant.player: line.entrant.score for line in view.lines} == {
        player: sum(others.values()) for player, others in won.items()
    }
    (over,) = told(club, club.words()("event_round.cross"))
    assert over.text.count("■") == 3


@in_turn("language", "en", "ja")
async def test_a_round_robin_says_how_often_all_meet_and_ends_when_they_have(club: Club, language: str) -> None:
    words = words_for(language)
    key = await begun(club, replace(LEAGUE, pairings=Pairings.ALL), 4, language=language)
    shown = screen_text(details(await club.bot.services.events.look(key), words))
    for said in (
        words("structure.format.league_all"),
        words("event.round", round=1, rounds=3),
        words("structure.meet_once", people=4, count=3),
    ):
        assert said in shown
    await ended(club, key)
    won = await club.bot.services.events.against(key)
    assert {player: len(others) for player, others in won.items()} == dict.fromkeys(won, 3), "everybody met everybody"


@in_turn("language", "en", "ja")
async def test_a_swiss_league_tells_after_each_round_what_the_opponents_have(club: Club, language: str) -> None:
    words = words_for(language)
    key = await begun(club, replace(LEAGUE, pairings=Pairings.SWISS, rounds=2), 5, language=language)
    await ended(club, key)
    (report,) = told(club, words("event_round.over", round=1, rounds=2))
    assert words("event_round.met_what") in report.text
    assert words("event_round.met") in report.text
    byes = words("event_round.byes", players="#").split("#")[0]
    assert "<@" in next(line for line in report.text.splitlines() if line.startswith(byes))
    won = await club.bot.services.events.against(key)
    assert max(len(others) for others in won.values()) == 2, "nobody was met twice"


async def test_a_round_of_another_day_makes_one_post_which_calls_its_players_and_says_when_it_began(club: Club) -> None:
    words = club.words()
    key = await begun(club, replace(LEAGUE, round_hours=24), 4)
    events = club.bot.services.events
    while not told(club, words("event_round.over", round=1, rounds=3)):
        await club.pass_time(60)
    before = {post.id for post in club.public()}
    while (await events.look(key)).event.round < 2:
        await club.pass_time(600)
    await club.pass_time(30)
    new = [post for post in club.public() if post.id not in before]
    of_event = [post for post in new if "Evening" in post.text and not post.has("place")]
    (called,) = [post for post in of_event if words("event_notice.over.round") in post.text]
    assert not told(club, words("event_notice.round_of", round=2, rounds=3)), "the pairings were told before"
    assert called.id > max(before), "the reminder is edited once the round has begun"


async def test_the_picture_at_the_end_names_the_players_of_the_last_hand(club: Club) -> None:
    key = await begun(club, replace(LEAGUE, rounds=1), 4)
    await ended(club, key)
    view, last = await club.bot.services.events.look(key), await club.bot.services.events.last_hand(key)
    assert last is not None
    assert last.hand is not None
    below = replace(view, lines=tuple(replace(line, place=line.place + 3) for line in view.lines))
    assert on_podium(below) == [], "all of them are further down"
    assert pictured(below, last) == [seat.player for seat in last.hand.seats]
    assert {line.entrant.player for line in on_podium(view)} <= {*pictured(view, last)}
