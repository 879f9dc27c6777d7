"""A whole tournament on the real bot, every press a real interaction: from the page where it is prepared to its end."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.chat.event.screens.lists import standings_screen
from bot.chat.table.screens.panel import standing_text
from bot.model.events import EntrantState, Official, Phase
from bot.model.ids import EventKey, GuildId, Player, TableKey
from bot.model.tables import EventStatus, Role
from bot.play.event.office.views import EventView
from bot.play.session.policy import Policy
from bot.pure.ofc.placement import automatic_placement
from bot.text.event_structure import place_name
from tests.discord.club import Club, Screen, fantasyland_letters, open_club, sit_and_go_of_two
from tests.discord.test_event_form import page, publish, write

POLICY = Policy(next_hand_ms=2_000, seating_ms=3_000)


class Night:
    """An event in a club."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self.restarted = False

    @property
    def key(self) -> EventKey:
        """The first event of the server."""
        return EventKey(guild=GuildId(self.club.guild.id), number=1)

    async def look(self) -> EventView:
        """Return the event's current view."""
        return await self.club.bot.services.events.look(self.key)

    async def shown(self) -> Screen:
        """The event's message."""
        await self.club.bot.services.event_publisher.drawn()
        message = (await self.look()).event.message
        assert message is not None
        return Screen(self.club, self.club.channel.id, message)

    async def prepare(self) -> None:
        """Announce a tournament of short levels by the page."""
        shown = await page(self.club, preset="chaipo", name="OFC Night", when="in 1 hour")
        shown = await write(self.club, shown, levels="200,800,3200", level_length="1 hand")
        await publish(self.club, shown)

    async def everybody_places(self) -> None:
        """All whose turn it is at a table place once, by typing; then time passes."""
        club = self.club
        for line in (await self.look()).tables:
            key = TableKey(guild=self.key.guild, table=line.table.key.table)
            for player in (await club.play.look(key)).waiting:
                await self.place_cards(key, player)

    async def place_cards(self, key: TableKey, player: Player) -> None:
        """Place a street as it comes, or Fantasyland at its best."""
        name = self.club.name_of(player)
        seen = await self.club.play.look(key, player)
        if seen.hand is None or seen.hand.mine is None or player not in seen.waiting:
            return
        mine = seen.hand.mine
        if mine.fantasyland:
            letters = fantasyland_letters(seen)
        else:
            front, middle, back = (tuple(c for c in row if c is not None) for row in mine.rows)
            held = [card for card in mine.held if card is not None]
            letters = automatic_placement((front, middle, back), held, to_place=seen.hand.to_place)
        await self.club.type(name, letters, int(key.table))


async def steep(club: Club) -> Screen:
    """The page of a Sit & Go whose levels rise with each hand, so that it takes few."""
    return await write(club, await page(club), levels="200,800,3200", level_length="1 hand")


async def night(tmp_path: Path, locale: str, *, players: int) -> None:
    async with open_club(tmp_path, locale=locale, policy=POLICY) as club:
        names = [f"player{number}" for number in range(players)]
        for number, name in enumerate(names):
            club.newcomer(name, locale="ja" if number % 2 else "en-US")
        made = Night(club)
        await made.prepare()
        for name in names:
            screen = await made.shown()
            await club.press(name, screen, screen.find("ev_register"))
        await club.pass_hours(46 * 60)
        assert (await made.look()).event.phase is Phase.CHECK_IN
        for name in names:
            screen = await made.shown()
            await club.press(name, screen, screen.find("ev_checkin"))
        await club.pass_hours(15 * 60)
        view = await made.look()
        assert view.event.phase is Phase.RUNNING
        assert len(view.tables) == players // 3
        for _ in range(2_000):
            view = await made.look()
            if view.event.phase.over:
                break
            if view.playing <= players // 2 and not made.restarted:
                await club.restart(down_seconds=120)
                made.restarted = True
            await made.everybody_places()
            await club.pass_time(1)
        assert made.restarted
        assert view.event.phase is Phase.ENDED
        places = sorted(line.entrant.place for line in view.lines)
        assert len(places) == players
        assert places == [1 + places.index(place) for place in places], "equal players share a place"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("locale", "players"),
    [("ja", 6), *(pytest.param(*case, marks=pytest.mark.deep) for case in (("ja", 9), ("ja", 27), ("en-US", 27)))],
)
async def test_people_play_a_tournament_with_a_restart_in_the_middle(tmp_path: Path, locale: str, players: int) -> None:
    await night(tmp_path, locale, players=players)


async def test_an_event_that_the_clock_plays_posts_one_message_for_each_thing_that_matters(club: Club) -> None:
    """In a Sit & Go of three who leave after a hand, only results are posted: no levels, closings or repetitions."""
    await publish(club, await steep(club))
    for name in ("alice", "bob", "hanako"):
        await club.press(name, club.public()[-1], club.public()[-1].find("ev_register"))
    await club.pass_time(40)
    await club.type_hand()
    while (await club.bot.services.events.look(Night(club).key)).event.phase is not Phase.ENDED:
        await club.pass_hours(600)
    await club.pass_time(30)
    assert (await club.look()).table.hand_no >= 3, "each hand began a level"
    words = club.words()
    posted = [screen.text for screen in club.public() if screen.components]
    assert len(posted) <= 5, "its announcement, the event, its seats, who is out, the winner"
    assert len([text for text in posted if words("event_notice.ended", player="@").split("@")[0] in text]) == 1
    assert not any("level" in text for text in posted[2:])
    seen = await club.look()
    assert seen.event is not None
    won, second = (EventStatus(part=Role.OUT, tag="", over=True, place=place) for place in (1, 2))
    assert standing_text(seen, won, words) == words("event_table.standing.won", event=seen.event.name)
    told = words("event_table.standing.finished", event=seen.event.name, place=place_name(2, words))
    assert standing_text(seen, second, words) == told


async def test_a_sit_and_go_of_three_who_are_not_there_is_cancelled_after_a_hand(club: Club) -> None:
    await publish(club, await page(club))
    for name in ("alice", "bob", "hanako"):
        await club.press(name, club.public()[-1], club.public()[-1].find("ev_register"))
    await club.pass_hours(60 * 60)
    event = (await club.bot.services.events.look(Night(club).key)).event
    assert (event.phase, event.reason) == (Phase.CANCELLED, "nobody_played")
    assert (await club.look()).table.hand_no == 1
    assert club.words()("event_notice.cancelled.nobody_played") in club.said()
    assert club.words()("event.cancelled.nobody_played") in club.said()


@pytest.mark.parametrize("name", ["alice", "hanako"])
async def test_a_cancelled_event_gives_nobody_a_place(club: Club, name: str) -> None:
    night, words = await sit_and_go_of_two(club, "Night", "alice", "hanako"), club.words(name)
    await club.pass_time(30)
    before = await club.slash(name, "event", do="standings")
    assert all(f"<@{club.player(one)}>" in before.text for one in ("alice", "hanako"))
    hand = await club.slash(name, "hand", table=1)
    by = Official(player=club.player("alice"), manager=True)
    await club.bot.services.events.cancel(night.key, by, why="rain", cause="cancels")
    await club.pass_time(30)
    hand = next(screen for screen in club.private(name) if screen.id == hand.id)
    assert words("event_table.standing.cancelled", event="Night") in hand.text
    # A message drawn before it was cancelled still has the button.
    view = await club.bot.services.events.look(night.key)
    standings = str(standings_screen(view, words, club.player(name)).to_components())
    assert words("event.cancelled.organiser") in standings
    assert not any(f"<@{club.player(one)}>" in standings for one in ("alice", "hanako"))


async def test_an_events_table_opens_the_hand_where_its_player_has_registered(club: Club) -> None:
    """This is the same as at a cash table. A player at a cash table learns that both will be played."""
    words = club.words("hanako")
    await club.open_table("bob", "hanako")
    night = await sit_and_go_of_two(club, "Night", "alice")
    events, alice = club.bot.services.events, club.player("alice")
    # With the last who registers the table takes the answer's place at once: Hanako is the first.
    await events.withdraw(night.key, alice, cause="withdraws")
    event = await Night(club).shown()
    registered = await club.tap("hanako", event, event.find("ev_register"))
    assert words("event.done.also_at", tables="1", seats="**卓1の席**", count=1) in registered.text
    assert registered.has("seats")
    await events.register(night.key, alice, cause="registers again")
    await club.bot.services.event_publisher.drawn()
    await club.pass_time(30)
    panel = club.private("hanako")[-1]
    assert panel.id > club.table_screen(2).id, "below the table's own message"
    while club.name_of((await club.look(2)).waiting[0]) != "hanako":
        await club.type_turn("alice", 2)
    # The street appeared without any press.
    assert panel.has("row")


async def test_hand_tells_a_player_who_is_out_their_place_and_where_to_watch(club: Club) -> None:
    """It said that they were at no table, which they knew."""
    await publish(club, await steep(club))
    for name in ("alice", "bob", "hanako"):
        await club.press(name, club.public()[-1], club.public()[-1].find("ev_register"))
    await club.pass_time(40)
    await club.type_hand()
    night = Night(club)
    while (view := await night.look()).playing == 3:
        await club.pass_hours(20)
    assert view.event.phase is Phase.RUNNING
    (out,) = (line for line in view.lines if line.entrant.state is EntrantState.OUT)
    assert out.place == 3
    name = club.name_of(out.entrant.player)
    words = club.words(name)
    for options in ({}, {"table": 1}):
        shown = await club.slash(name, "hand", **options)
        assert words("event_table.standing.out_at", event=view.event.name, place=place_name(3, words)) in shown.text
        link = f"https://discord.com/channels/{club.guild.id}/{view.tables[0].table.channel}"
        assert link in shown.text, "the table that still plays"
        assert shown.has("ev_standings")
    club.newcomer("stranger")
    told = await club.slash("stranger", "hand")
    assert told.text == club.words("stranger")("refused.not_at_table")
