"""Events that count for people: how a series is set to count, its table, the leaderboard, the club's page, profiles."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.chat.club.screens.leaderboard import PICTURE
from bot.chat.club.screens.profile import build_event_facts
from bot.chat.club.screens.profile import in_words as profile_in_words
from bot.chat.club.screens.ranking import Listing
from bot.chat.kit.custom_ids import game_tag
from bot.model.bank import SeasonTerms
from bot.model.clock import Clock, Pace
from bot.model.events import Official, Phase
from bot.model.ids import EventKey, GuildId, Player
from bot.model.standings import LeaderboardOrder
from bot.play.event.office.registration import PlannedEvent
from bot.play.session.session import Session
from bot.pure.event.scoring import Scoring, SeriesRule
from bot.pure.event.structure import PRESETS
from bot.pure.ofc.presets import PRESETS as GAMES
from bot.text.event_structure import counted_text, scoring_example, series_numbers, series_rule
from tests.backstage import transactions_of
from tests.discord.club import Club, Screen, everything_in
from tests.discord.forge import forge
from tests.discord.forms import enter
from tests.discord.test_club_page import choices, pages, set_up
from tests.discord.test_event_form import fields_of, opened, page, publish, rules_of, write
from tests.discord.test_hidden_channels import shut_out, typed
from tests.discord.test_profile import profile_of
from tests.in_turn import in_turn

CHAIPO = PRESETS["chaipo"]


async def played(club: Club, winner: str, loser: str, *, series: str = "Spring", number: int = 1) -> None:
    """An event of two in which the loser is disqualified: the so-manieth of a test."""
    events, manager = club.bot.services.events, Official(player=Player("99"), manager=True)
    plan = PlannedEvent(
        guild=GuildId(club.guild.id),
        channel=club.channel.id,
        organiser=club.player(winner),
        language="en",
        name="Duel",
        variant=GAMES["pineapple"],
        structure=replace(PRESETS["sit_and_go"], table_seats=2, most=2, least=2, threads=False),
        clock=Clock(pace=Pace.PER_TURN, seconds=60),
        starts_at=None,
        series=series,
    )
    event = await events.create(plan, cause=f"created {number}")
    for name in (winner, loser):
        await events.register(event.key, club.player(name), cause=f"{name} registers {number}")
    await club.bot.services.event_publisher.drawn()
    assert (await events.look(event.key)).event.phase is Phase.RUNNING
    await events.disqualify(event.key, manager, club.player(loser), why="no show", cause=f"puts out {number}")
    await club.pass_time(30)
    await club.bot.services.event_publisher.drawn()
    await club.settle()
    assert (await events.look(event.key)).event.phase is Phase.ENDED


def all_of(screen: Screen) -> str:
    """All that a message says."""
    return "\n".join(everything_in(screen))


async def hide(club: Club, name: str) -> None:
    """Make a member's profile private."""
    await club.play.change_member_settings(
        GuildId(club.guild.id),
        club.player(name),
        lambda member_settings: replace(member_settings, profile_visible=False),
    )


async def in_text(club: Club, name: str) -> None:
    """Switch a member to text-only messages."""
    await club.play.change_member_settings(
        GuildId(club.guild.id), club.player(name), lambda member_settings: replace(member_settings, text_only=True)
    )


# scoring of series


async def test_how_a_series_counts_is_chosen_on_the_page_with_an_example_for_each_way(club: Club) -> None:
    words = club.words("alice")
    shown = await page(club, preset="chaipo")
    scored = words("event_form.field.scoring")
    assert scored not in fields_of(await opened(club, shown, "season")), "there is no series yet"
    shown = await write(club, shown, name="Night", when="in 3 hours", series="Fridays")
    ways = fields_of(await opened(club, shown, "season"))[scored]["options"]
    assert [one["value"] for one in ways] == [one.value for one in Scoring]
    assert [one["description"] for one in ways] == [scoring_example(one, CHAIPO, 12, words) for one in Scoring]
    for scoring in Scoring:
        shown = await write(club, shown, scoring=scoring.value)
        rules = await rules_of(club, shown)
        assert series_rule(SeriesRule(scoring), words) in rules
        assert series_numbers(scoring, CHAIPO, 12, words) in rules
    shown = await write(club, shown, counted="5")
    assert counted_text(5, words) in shown.text
    assert series_rule(SeriesRule(Scoring.PERCENTILE, 5), words) in await rules_of(club, shown)
    counted = fields_of(await opened(club, shown, "season"))[words("event_form.field.counted")]
    assert counted_text(5, words) in [one["label"] for one in counted["options"]]
    made = await publish(club, shown)
    assert (made.structure.scoring, made.structure.counted) == (Scoring.PERCENTILE, 5)
    # The next one of the series takes it over, and one of another series doesn't.
    shown = await write(club, await page(club, preset="league"), when="in 4 hours", series="Fridays")
    assert series_rule(SeriesRule(Scoring.PERCENTILE, 5), words) in await rules_of(club, shown)
    shown = await write(club, await page(club, preset="league", like=made.key.number), series="Mondays")
    assert "Mondays" in shown.text


async def test_a_published_event_changes_how_its_series_counts_and_the_log_says_so(club: Club) -> None:
    words = club.words("alice")
    shown = await write(club, await page(club, preset="chaipo"), when="in 3 hours", series="Fridays")
    made = await publish(club, shown)
    shown = await club.slash("alice", "event", do=f"edit {made.key.number}")
    shown = await write(club, shown, scoring="root")
    shown = await write(club, shown, counted="3")
    line = words(
        "event_form.changed.line",
        field=words("event_form.field.scoring"),
        after=words("structure.series.by.root"),
        before=words("structure.series.by.place"),
    )
    counted = words(
        "event_form.changed.line",
        field=words("event_form.field.counted"),
        after=words("structure.series.best", count=3),
        before=words("structure.series.all"),
    )
    assert line in shown.text
    assert counted in shown.text
    before = len(club.public())
    await club.press("alice", shown, shown.find("ev_form_publish"))
    assert len(club.public()) == before, "nobody is told of it apart"
    log = await club.slash("alice", "event", do=f"log {made.key.number}")
    assert line.removeprefix("- ") in log.text


# the table of a series, and the leaderboard


@in_turn("name", "bob", "hanako")
async def test_a_series_and_the_leaderboard_lead_to_each_other(club: Club, name: str) -> None:
    words = club.words(name)
    for somebody in ("alice", "bob"):
        await club.slash(somebody, "ofc profile")  # The picture shows the names that the bot knows.
    await played(club, "alice", "bob")
    table = await club.slash(name, "event", do="series")
    assert words("event.series_table.title", series="Spring") in table.text
    assert series_rule(SeriesRule(), words) in table.text
    assert series_numbers(Scoring.PLACE, PRESETS["sit_and_go"], 2, words) in table.text
    assert words("event.series_table.ties") in table.text
    assert not table.has("ev_season"), "the server has no seasons"
    alice, bob = (f"<@{club.player(one)}>" for one in ("alice", "bob"))
    assert f"{alice} **6" in table.text
    assert f"{bob} **0" in table.text, "disqualified"
    board = await club.tap(name, table, table.find("ranks"))
    assert words("leaderboard.title", by=words("leaderboard.by.event_points")) in board.text
    assert words("leaderboard.means.event_points") in board.text
    assert [file["filename"] for file in board.message.attachments] == [PICTURE]
    assert not board.has("lb_game")
    again = await club.choose(name, board, board.find("lb_by"), [Listing.SERIES.value])
    assert again.text == table.text
    assert not again.has("ev_series"), "there is no other series"
    back = await club.choose(name, again, again.find("lb_by"), [LeaderboardOrder.EVENT_POINTS.value])
    assert back.text == board.text
    for by in ("Spring", "spr", words("leaderboard.listing.series")):
        assert (await club.slash(name, "ofc leaderboard", by=by)).text == table.text


async def test_a_series_in_a_channel_that_one_may_not_see_is_not_offered_nor_shown_to_a_forged_choice(
    club: Club,
) -> None:
    await played(club, "alice", "bob")
    lounge = club.guild.create_text_channel("lounge")
    words, hanako = club.words("hanako"), club.members["hanako"]
    board = await typed(club, "hanako", lounge, "ofc leaderboard", by=LeaderboardOrder.EVENT_POINTS.value)
    offered = [one["name"] for one in await hanako.autocomplete(lounge, "ofc leaderboard", "by", "spr")]
    assert offered == ["Spring"]
    shut_out(club, "hanako")
    assert await hanako.autocomplete(lounge, "ofc leaderboard", "by", "spr") == []
    none = await club.choose("hanako", board, board.find("lb_by"), [Listing.SERIES.value])
    assert none.text == words("event.series_table.none")
    assert none.has("lb_by"), "it is no dead end"
    forged = await forge(club, "hanako", board, "s1:ev_series:0:0:0:::", values=[game_tag("Spring")])
    assert forged.said == words("refused.series_hidden", series="Spring")
    board = await club.slash("alice", "ofc leaderboard", by=LeaderboardOrder.EVENT_WINS.value)
    same = await club.choose("alice", board, board.find("lb_by"), [])
    assert same.text == board.text, "none chosen changes nothing"


async def test_a_series_has_a_table_for_each_season_of_the_server(club: Club) -> None:
    words = club.words("alice")
    await played(club, "alice", "bob")
    guild, manager = GuildId(club.guild.id), club.player("alice")
    bank = club.bot.services.bank
    await bank.start_season(guild, manager, "Autumn", cause="starts")
    table = await club.slash("alice", "event", do="series")
    menu = table.find("ev_season")
    assert [option["value"] for option in menu["options"]] == ["0", "1"]
    empty = await club.choose("alice", table, menu, ["1"])
    assert words("event.series_table.nobody") in empty.text
    await club.pass_time(60)
    await played(club, "bob", "alice", number=2)
    table = await club.choose("alice", table, menu, ["1"])
    assert f"<@{club.player('bob')}> **6" in table.text
    assert "👑" not in table.text, "it still runs"
    await bank.end_season(guild, manager, cause="ends")
    table = await club.choose("alice", table, table.find("ev_season"), ["1"])
    crowned = words("event.series_table.champions", count=1, players=f"<@{club.player('bob')}>")
    assert crowned in table.text
    board = await club.tap("alice", table, table.find("ranks"))
    assert words("season.event_champions", count=1, players=f"<@{club.player('bob')}>") in board.text
    every = await club.choose("alice", table, table.find("ev_season"), ["0"])
    assert "👑" not in every.text


@pytest.mark.parametrize("order", [order for order in LeaderboardOrder if order.of_events])
async def test_every_order_of_events_says_what_it_counts(club: Club, order: LeaderboardOrder) -> None:
    words = club.words("hanako")
    await in_text(club, "hanako")
    empty = await club.slash("hanako", "ofc leaderboard", by=order.value, when="week")
    assert words("leaderboard.empty_events", count=order.min_events) in empty.text
    await played(club, "alice", "bob", series="")
    board = await club.slash("hanako", "ofc leaderboard", by=order.value, when="week")
    assert words(f"leaderboard.means.{order.value}") in board.text
    assert not board.has("ev_series")
    listed = order in (LeaderboardOrder.EVENT_POINTS, LeaderboardOrder.EVENT_WINS)
    assert (f"<@{club.player('alice')}>" in board.text) is listed


async def test_who_keeps_to_themselves_has_a_place_that_nobody_else_reads(club: Club) -> None:
    await played(club, "alice", "bob")
    await hide(club, "alice")
    for name in ("alice", "hanako"):
        await in_text(club, name)
    alice = f"<@{club.player('alice')}>"
    for command, options in (
        ("ofc leaderboard", {"by": LeaderboardOrder.EVENT_POINTS.value}),
        ("event", {"do": "series"}),
    ):
        assert alice not in all_of(await club.slash("hanako", command, **options))
        assert alice in (await club.slash("alice", command, **options)).text
    board = await club.slash("alice", "ofc leaderboard", by=LeaderboardOrder.EVENT_POINTS.value)
    before = len(club.public())
    if board.has("lb_show"):
        await club.tap("alice", board, board.find("lb_show"))
        assert len(club.public()) == before + 1
    assert all(alice not in all_of(one) for one in club.public()[before:])


async def test_the_clubs_page_ranks_by_events(club: Club) -> None:
    words = club.words("alice")
    await played(club, "alice", "bob")
    await set_up(club)
    screen = await choices(club)
    screen = await enter(club, "alice", screen, "page order", [LeaderboardOrder.EVENT_POINTS.value])
    assert words("leaderboard.every_game") not in screen.text, "events have no one game"
    await club.bot.services.club_pages.done()
    (shown,) = pages(club)
    assert words("leaderboard.title", by=words("leaderboard.by.event_points")) in shown.text
    assert "Alice" in all_of(shown)


async def note_hands(club: Club, hands: int, *, number: int = 1) -> None:
    """Set the hands that each player has played in an event."""
    key = EventKey(guild=GuildId(club.guild.id), number=number)

    def note(s: Session) -> None:
        for entrant in s.tx.entrants.of(key):
            s.tx.entrants.save(key, replace(entrant, hands=hands))

    await transactions_of(club.play).write(note)


async def test_a_club_that_mostly_plays_events_starts_with_event_points(club: Club) -> None:
    words = club.words("hanako")
    await in_text(club, "hanako")
    title = {order: words("leaderboard.title", by=words(f"leaderboard.by.{order.value}")) for order in LeaderboardOrder}
    board = await club.slash("hanako", "ofc leaderboard")
    assert title[LeaderboardOrder.CHIPS] in board.text, "nothing has been played"
    await club.open_table("alice", "bob")
    await club.type_hand()
    await played(club, "alice", "bob")
    board = await club.slash("hanako", "ofc leaderboard")
    assert title[LeaderboardOrder.CHIPS] in board.text, "no hand of the event was played"
    await note_hands(club, 2)
    board = await club.slash("hanako", "ofc leaderboard")
    assert title[LeaderboardOrder.EVENT_POINTS] in board.text
    board = await club.slash("hanako", "ofc leaderboard", by=LeaderboardOrder.CHIPS.value)
    assert title[LeaderboardOrder.CHIPS] in board.text, "unless asked otherwise"
    await set_up(club)
    await club.bot.services.club_pages.done()
    (shown,) = pages(club)
    english = club.words("alice")
    by_points = english("leaderboard.title", by=english("leaderboard.by.event_points"))
    assert by_points in shown.text
    screen = await choices(club)
    assert english("club.by_play") in screen.text
    await enter(club, "alice", screen, "page order", [LeaderboardOrder.CHIPS.value])
    await club.bot.services.club_pages.done()
    (shown,) = pages(club)
    assert by_points not in shown.text
    await enter(club, "alice", await choices(club), "page order", ["by_play"])
    await club.bot.services.club_pages.done()
    (shown,) = pages(club)
    assert by_points in shown.text


async def test_a_season_played_in_events_ends_with_their_champion_and_top_ten(club: Club) -> None:
    words, guild, bank = club.words("alice"), GuildId(club.guild.id), club.bot.services.bank
    terms = SeasonTerms(title="King of Events", channel=club.channel.id)
    await bank.change_seasons(guild, club.player("alice"), lambda _: terms, cause="terms")
    await bank.start_season(guild, club.player("alice"), "", cause="starts")
    await played(club, "bob", "hanako")
    await note_hands(club, 3)
    await club.pass_time(60)
    await bank.end_season(guild, club.player("alice"), cause="ends")
    await club.bot.services.season_ends.sweep()
    await club.bot.services.season_ends.done()
    over = words("season.over", season=words("season.number", number=1))
    (post,) = [one for one in club.public() if over in all_of(one)]
    assert "King of Events" in all_of(post)
    assert words("leaderboard.events", events="1") in all_of(post), "not hands for chips"
    board = await club.tap("hanako", post, post.find("ranks"))
    crowned = club.words("hanako")("season.event_champions", count=1, players=f"<@{club.player('bob')}>")
    assert crowned in all_of(board)


# profiles


@in_turn("name", "bob", "hanako")
async def test_a_profile_shows_events_beside_hands_for_chips(club: Club, name: str) -> None:
    words, guild = club.words(name), GuildId(club.guild.id)
    await played(club, "alice", "bob")
    alone = await profile_of(club, name, "alice")
    seen = await club.play.profile(guild, club.player("alice"), club.player(name))
    assert words("profile.empty") in alone.text
    facts = build_event_facts(seen, words)
    assert [fact.value for fact in facts] == ["1", "1", "0", "0", words.decimal(1, decimals=1), "0"]
    for fact in facts:
        assert words("profile.told", label=fact.label, value=f"**{fact.value}**") in alone.text


async def test_the_picture_of_a_profile_has_events_below_the_hands(club: Club) -> None:
    words, guild = club.words("bob"), GuildId(club.guild.id)
    await club.open_table("alice", "bob")
    await club.type_hand()
    await played(club, "alice", "bob")
    drawn = await profile_of(club, "bob", "alice")
    seen = await club.play.profile(guild, club.player("alice"), club.player("bob"))
    told = profile_in_words(seen, "Alice", words)
    assert told[:1024] in all_of(drawn)
    assert words("profile.told", label=words("profile.fact.event_wins"), value="1") in told
    await in_text(club, "bob")
    text = await profile_of(club, "bob", "alice")
    for fact in build_event_facts(seen, words):
        assert words("profile.told", label=fact.label, value=f"**{fact.value}**") in text.text


# the names of series


@in_turn("name", "bob", "hanako")
async def test_a_series_is_looked_up_in_any_case_and_width(club: Club, name: str) -> None:
    words = club.words(name)
    await played(club, "alice", "bob", series="Winter Cup")
    await played(club, "alice", "bob", series="winter  CUP", number=2)
    known = await club.bot.services.events.series(GuildId(club.guild.id))
    assert list(known) == ["Winter Cup"]
    for value in ("winter cup", "ＷＩＮＴＥＲ ＣＵＰ", "wint"):
        table = await club.slash(name, "event", do="series", value=value)
        assert words("event.series_table.title", series="Winter Cup") in table.text


@in_turn("name", "bob", "hanako")
async def test_a_name_that_no_series_has_leads_to_those_there_are(club: Club, name: str) -> None:
    words = club.words(name)
    for number, series in enumerate(("Spring", "Autumn"), start=1):
        await played(club, "alice", "bob", series=series, number=number)
    both = words.list(["Autumn", "Spring"])
    lost = await club.slash(name, "event", do="series", value="Summer")
    assert lost.text.startswith(words("refused.none_fits", typed="Summer", names=both))
    asked = await club.slash(name, "event", do="series")
    assert asked.text.startswith(words("event.series_table.which", series=both))
    for shown in (lost, asked):
        table = await club.choose(name, shown, shown.find("ev_series"), [game_tag("Spring")])
        assert words("event.series_table.title", series="Spring") in table.text


async def test_a_series_without_a_finished_event_gives_its_dates_and_the_other_series(club: Club) -> None:
    words = club.words("alice")
    await played(club, "alice", "bob")
    made = await publish(club, await write(club, await page(club, preset="chaipo"), when="in 3 hours", series="Autumn"))
    early = await club.slash("alice", "event", do="series", value="autumn")
    assert early.text.startswith(words("event.series_table.not_yet", series="Autumn"))
    assert early.has("ev_calendar_of", "series")
    table = await club.choose("alice", early, early.find("ev_series"), [game_tag("Spring")])
    assert words("event.series_table.title", series="Spring") in table.text
    assert made.series == "Autumn"


async def test_the_page_of_a_new_event_takes_a_series_as_it_is_spelt(club: Club) -> None:
    rule = {"scoring": Scoring.ROOT.value}
    shown = await write(club, await page(club, preset="chaipo"), when="in 3 hours", series="Winter Cup")
    first = await publish(club, await write(club, shown, **rule))
    shown = await write(club, await page(club, preset="chaipo"), when="in 4 hours", series="ｗｉｎｔｅｒ cup")
    second = await publish(club, shown)
    assert (second.series, second.structure.scoring) == (first.series, Scoring.ROOT)
