"""Whole evenings by text and keyboard only, from opening a table to the last place of an event.

Members type commands with names of acts in their own language, and submit forms that commands open.
:mod:`tests.discord.test_table_acts` and :mod:`tests.discord.test_event_typed` test the acts one by one. This is one
evening.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import discord
import pytest

from bot.chat.table.posts.calls import SILENT_MS
from bot.model.events import Phase
from bot.model.ids import EventKey
from bot.pure.ofc.cards import card_name
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from tests.discord.club import Club, Screen, everything_in
from tests.discord.messages import cards_in, text_of
from tests.discord.test_event_form import label_of, open_events, shaped
from tests.discord.watch import EVERYBODY, Sent
from tests.in_turn import in_turn

PLAYERS = {"en": ("alice", "bob", "carol"), "ja": ("alice", "hanako", "ken")}
GUESTS = tuple(f"guest{number}" for number in range(9))
HANDS = [6, pytest.param(20, marks=pytest.mark.deep)]
"""The hands of an evening: a short one, and a whole one."""
CALLED_IN = 2
"""The hand in which a player stays silent until pinged."""
REVIEWED = 3
"""The hand that is looked at again."""
BUY_IN, FEE = 2_000, 500
BOARDS = 3 * 13
"""Cards of three finished boards."""
MAX_ROUNDS, MAX_TURNS = 40, 40
TYPED = {"game": {"en": "Pineapple", "ja": "パイナップル"}, "clock": {"en": "1m", "ja": "1分"}}
"""A table's options as typed without choosing from the list."""
WHEN = {"en": "in 1 hour", "ja": "1時間後"}
SAYS = {"en": "Break after this level", "ja": "このレベルのあと休憩です"}
CALLED = {"en": "Friday Night OFC", "ja": "金曜OFCナイト"}


def gathered(club: Club, language: str, *guests: str) -> tuple[str, ...]:
    """Let the server and three people in it speak this language, and ``guests``; returns who is there."""
    club.world.speak(language)
    there = (*PLAYERS[language], *guests)
    for name in there:
        if name not in club.members:
            club.newcomer(name, locale=language)
        assert club.words(name).language.code == language
    return there


def interactions(club: Club) -> Counter[discord.InteractionType]:
    """Return the number of interactions by type."""
    return Counter(discord.InteractionType(one.type) for one in club.backend.interactions.values())


def nobody_pressed(club: Club, *, forms: int = 0) -> None:
    """Only commands were typed, and as many forms sent."""
    made = interactions(club)
    assert made.pop(discord.InteractionType.modal_submit, 0) == forms
    assert made.pop(discord.InteractionType.application_command)
    assert not made, f"more than typing: {made}"


def posts(club: Club) -> list[Sent]:
    """The public messages that were posted, in the order in which they were."""
    return [one for one in club.watch.sent if one.viewer is EVERYBODY and one.what.startswith("POST")]


def result_posts(club: Club, table: int) -> Iterator[tuple[int, Sent]]:
    """The results of a table with their hands, in the order in which they were posted."""
    headings = {
        words_for(language)("result.heading", hand=hand, table=table): hand
        for language in LANGUAGES
        for hand in range(1, 100)
    }
    for post in posts(club):
        first = text_of(post.components).partition("\n")[0].removeprefix("### ")
        if first in headings:
            yield headings[first], post


def boards_of(post: Sent) -> set[str]:
    """The cards that a post shows or describes."""
    return cards_in(post.body)


def cards_of(screen: Screen) -> set[str]:
    """The cards that a screen shows or describes."""
    return cards_in(list(everything_in(screen)))


# A table


async def table_act(club: Club, name: str, key: str, **options: Any) -> Screen:
    """Type an act of a table by its name."""
    return await club.act(name, key, **options)


async def result(club: Club, name: str, hand: int, key: str = "") -> Screen:
    """Type for a finished hand, and for what its button with this label shows."""
    return await club.slash(name, "ofc result", hand=hand, **({"do": club.words(name)(key)} if key else {}))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("hands", HANDS)
async def test_an_evening_at_a_table_is_typed(club: Club, language: str, hands: int) -> None:
    people = gathered(club, language)
    host, reader, third = people
    guild, words, silent = club.key().guild, club.words(host), ""
    options = {option: typed[language] for option, typed in TYPED.items()}
    opened = await club.slash(host, "ofc play", stakes=20, **options)
    assert words("variant.pineapple.name") in opened.text
    for guest in (reader, third):
        terms = await table_act(club, guest, "join")
        assert words.number(BUY_IN) in terms.text
        assert (await club.look(1, guest)).mine is None, "the terms are shown first"
        await table_act(club, guest, "join")
    await table_act(club, host, "start")

    for hand in range(1, hands + 1):
        assert (await club.look()).table.hand_no == hand
        name = await club.on_turn()
        seen = await club.look(1, name)
        assert seen.hand is not None
        assert seen.hand.mine is not None
        panel = await club.slash(name, "hand")
        held = {card_name(card) for card in seen.hand.mine.held if card is not None}
        assert held
        assert cards_of(panel) == held, "their own cards, and nobody else has placed any"
        if hand == CALLED_IN:
            silent = name
            await club.pass_time(SILENT_MS / 1000 + 2)
        await club.type_hand()
        await club.pass_time(13)
    for name in people:
        await table_act(club, name, "leave")
    await club.type_hand()  # A player who leaves still plays the current hand.
    await club.pass_time(13)
    while (await club.look()).table.open:
        await club.type_hand()
        await club.pass_time(13)

    played = (await club.look()).table.hand_no
    posted = dict(result_posts(club, 1))
    assert list(posted) == list(range(1, played + 1)), "each hand's result is posted once, in order"
    assert played >= hands
    for number, post in posted.items():
        settled = await club.play.result(club.key(), number)
        assert sum(each.points for each in settled.results) == 0
        assert len(boards_of(post)) == BOARDS, "each result shows three whole boards"
        assert not post.notified
    called = [post.notified for post in posts(club) if post.notified]
    assert called == [[club.player(silent)]], "only whoever was silent is called, once"

    looked = await result(club, reader, REVIEWED)
    assert words("result.heading", hand=REVIEWED, table=1) in looked.text
    assert cards_of(looked) == boards_of(posted[REVIEWED])
    details = await result(club, reader, REVIEWED, "button.details")
    assert cards_of(details) == boards_of(posted[REVIEWED])
    replay = await result(club, reader, REVIEWED, "replay.button")
    assert 0 < len(cards_of(replay)) < BOARDS, "the first street of each board"
    review = await result(club, reader, REVIEWED, "review.button_label")
    assert words("review.title", hand=REVIEWED) in review.text

    wallets = [await club.play.wallet(guild, club.player(name)) for name in people]
    assert sum(wallets) == 3 * 10_000, "the table gave everything back"
    for name, wallet in zip(people, wallets, strict=True):
        chips = await club.slash(name, "ofc profile", show="chips")
        assert words("chips.wallet", chips=words.number(wallet)) in chips.text
    nobody_pressed(club)


# An event


async def event_act(club: Club, name: str, key: str, **options: Any) -> Screen:
    """Type an act of an event by its name."""
    return await club.slash(name, "event", do=club.words(name)(f"event_acts.name.{key}"), **options)


async def fill_in(club: Club, by: str, topic: str, **written: Any) -> Screen:
    """Type for a form of the draft, and fill these fields in."""
    words = club.words(by)
    form = await club.command_form(
        by, "event", do=words("event_acts.name.draft"), value=words(f"event_form.sections.{topic}")
    )
    given = {label_of(field, words): value for field, value in written.items()}
    return await club.send(by, form, {label: shaped(form, label, value) for label, value in given.items()})


async def hands_at(club: Club, key: EventKey) -> dict[int, int]:
    """By table of the event that's open, the number of its hand."""
    view = await club.bot.services.events.look(key)
    return {int(line.table.key.table): line.table.hand_no for line in view.tables}


async def play_a_round(club: Club, key: EventKey, *, penalised: str = "") -> dict[int, int]:
    """Each table that's open plays the hand in progress; returns their numbers. The clock places for ``penalised``."""
    played = await hands_at(club, key)
    for table, hand in played.items():
        for _ in range(MAX_TURNS):
            view = await club.look(table)
            if view.table.hand_no != hand or not view.waiting:
                break
            name = club.name_of(view.waiting[0])
            answer = await club.type_turn(name, table)
            if name == penalised:
                assert club.words(name)("refused.serves_penalty", count=1) in answer.text
                await club.pass_time(5)
        else:
            raise AssertionError(f"hand {hand} of table {table} doesn't end: {answer.text}")
    await club.settle()
    return played


@in_turn("language", "en", "ja")
async def test_an_event_for_twelve_is_typed_from_its_draft_to_its_last_place(club: Club, language: str) -> None:
    people = gathered(club, language, *GUESTS)
    host, player, *_ = people
    assert len(people) == 12
    guild, words, events = club.key().guild, club.words(host), club.bot.services.events
    page = await event_act(club, host, "create", value=WHEN[language])
    assert words("event_form.ready") in page.text
    await fill_in(club, host, "start", name=CALLED[language])
    await fill_in(club, host, "levels", stack="2000", levels="100,400,1600", level_length="1 hand")
    page = await fill_in(club, host, "prizes", fee=str(FEE))
    assert CALLED[language] in page.text
    assert await open_events(club) == [], "nothing is announced yet"
    published = await event_act(club, host, "publish")
    (event,) = await open_events(club)
    key = event.key
    assert published.text == words("event.done.created", name=CALLED[language], number=key.number)

    for name in people:
        terms = await event_act(club, name, "enter")
        assert words("terms.typed") in terms.text, "the fee is shown before it's taken"
        assert await club.play.wallet(guild, club.player(name)) == 10_000
        await event_act(club, name, "enter")
        assert await club.play.wallet(guild, club.player(name)) == 10_000 - FEE
    await club.pass_hours(46 * 60)
    for name in people:
        await event_act(club, name, "come")
    await club.pass_hours(15 * 60)
    hands = await hands_at(club, key)
    assert (await events.look(key)).event.phase is Phase.RUNNING
    assert list(hands.values()) == [1] * 4, "four tables of three"
    pinged = Counter(who for post in posts(club) for who in post.notified)
    assert set(pinged) == {club.player(name) for name in people}, "everybody is called to their table"

    paused = await event_act(club, host, "pause")
    assert words("acts.undo", act=words("event_acts.name.resume")) in paused.text
    played = await play_a_round(club, key)
    await club.pass_time(60)
    assert await hands_at(club, key) == hands, "nothing is dealt during the pause"
    before = len(posts(club))
    await event_act(club, host, "say", value=SAYS[language])
    await club.settle()
    told = {post.what for post in posts(club)[before:] if SAYS[language] in text_of(post.components)}
    assert len(told) == 1 + len(hands), "the message stands in the channel and at each table"
    await event_act(club, host, "penalty", player=club.shown(player).strip("*"), value="1", reason=SAYS[language])
    line = (await events.look(key)).line_of(club.player(player))
    assert line is not None
    assert line.entrant.penalty == 1
    await event_act(club, host, "resume")
    await club.pass_time(30)
    assert list((await hands_at(club, key)).values()) == [2] * 4
    standings = await event_act(club, player, "standings")
    assert CALLED[language] in standings.text
    assert words.number(FEE * 12) not in standings.text, "nobody has won yet"

    played |= await play_a_round(club, key, penalised=player)
    line = (await events.look(key)).line_of(club.player(player))
    assert line is not None
    assert line.entrant.penalty == 0, "it's served"
    await club.pass_time(30)

    for _ in range(MAX_ROUNDS):
        if (await events.look(key)).event.phase is Phase.ENDED:
            break
        played |= await play_a_round(club, key)
        await club.pass_time(30)
    view = await events.look(key)
    assert view.event.phase is Phase.ENDED
    posted = {table: [hand for hand, _ in result_posts(club, table)] for table in played}
    assert posted == {table: list(range(1, hand + 1)) for table, hand in played.items()}, "one result for each hand"
    results = await event_act(club, player, "results")
    places = [club.members[club.name_of(line.entrant.player)].mention for line in view.lines]
    assert len(set(places)) == len(people)
    assert [results.text.index(place) for place in places] == sorted(results.text.index(place) for place in places)
    wallets = [await club.play.wallet(guild, club.player(name)) for name in people]
    assert sum(wallets) == 12 * 10_000, "the fees are paid out as prizes"
    nobody_pressed(club, forms=3)
