"""A series in the results of its dates: table, movement, race, next date, and the champion after the last one."""

from __future__ import annotations

from dataclasses import replace

from bot.model.bank import SeasonTerms
from bot.model.clock import Clock, Pace
from bot.model.events import Event, Official, Phase, RepeatInterval
from bot.model.ids import GuildId, Player
from bot.play.event.office.permissions import MemberPermissions
from bot.play.event.office.registration import PlannedEvent
from bot.pure.event.scoring import series_points
from bot.pure.event.structure import PRESETS
from bot.pure.ofc.presets import PRESETS as GAMES
from tests.discord.club import Club, Screen
from tests.discord.test_event_seasons import all_of, hide, played
from tests.discord.test_given_roles import has
from tests.in_turn import in_turn

MANAGER = Official(player=Player("99"), manager=True)
DUEL = replace(PRESETS["sit_and_go"], table_seats=2, most=2, least=2, threads=False)


async def duel(club: Club, *, series: str = "Spring", cause: str) -> Event:
    """Publish a duel that Alice has entered, and that starts once someone else has."""
    plan = PlannedEvent(
        guild=GuildId(club.guild.id),
        channel=club.channel.id,
        organiser=club.player("bob"),
        language="en",
        name="Duel",
        variant=GAMES["pineapple"],
        structure=DUEL,
        clock=Clock(pace=Pace.PER_TURN, seconds=60),
        starts_at=None,
        series=series,
    )
    events = club.bot.services.events
    event = await events.create(plan, cause=cause)
    await events.register(event.key, club.player("alice"), cause=f"alice enters {cause}")
    await shown(club)
    return event


async def night(club: Club, *, name: str = "Night", cause: str) -> Event:
    """Publish a tournament of the series that starts in three hours."""
    plan = PlannedEvent(
        guild=GuildId(club.guild.id),
        channel=club.channel.id,
        organiser=club.player("bob"),
        language="en",
        name=name,
        variant=GAMES["pineapple"],
        structure=replace(PRESETS["chaipo"], threads=False),
        clock=Clock(pace=Pace.PER_TURN, seconds=60),
        starts_at=club.world.now_ms() + 3 * 3_600_000,
        series="Spring",
    )
    event = await club.bot.services.events.create(plan, cause=cause)
    await shown(club)
    return event


async def shown(club: Club) -> None:
    await club.bot.services.event_publisher.drawn()
    await club.settle()


async def win(club: Club, event: Event, winner: str, loser: str) -> None:
    """Let the missing one of these enter, and the loser be disqualified."""
    events = club.bot.services.events
    if loser != "alice":
        await events.register(event.key, club.player(loser), cause=f"{loser} enters {event.key.number}")
    else:
        await events.register(event.key, club.player(winner), cause=f"{winner} enters {event.key.number}")
    await shown(club)
    await events.disqualify(event.key, MANAGER, club.player(loser), why="no show", cause=f"out {event.key.number}")
    await club.pass_time(30)
    await shown(club)
    assert (await events.look(event.key)).event.phase is Phase.ENDED


def last_report(club: Club) -> Screen:
    """The last post with the table of the series."""
    return [post for post in club.public() if "Spring" in all_of(post) and "`" in all_of(post)][-1]


async def test_the_results_of_a_date_have_the_table_with_movement_and_the_next_date(club: Club) -> None:
    words = club.words("alice")
    await played(club, "alice", "bob")
    await night(club, cause="next")
    before = len(club.public())
    await played(club, "bob", "alice", number=2)
    one, two = series_points(1, 2), 0
    post = last_report(club)
    text = all_of(post)
    assert words("event_series.title", series="Spring") in text
    alice, bob = (f"<@{club.player(name)}>" for name in ("alice", "bob"))
    lines = [line for line in text.splitlines() if line.startswith("`")]
    assert [line.rsplit(" ", 1)[1] for line in lines[-2:]] == [alice, bob]
    assert all(f" {one} " in line for line in lines[-2:]), "both have won once"
    assert f"+{one}`" in lines[-1]
    assert f" {two}`" in lines[-2]
    assert words("event_series.published_next", most=words.number(series_points(1, PRESETS["chaipo"].most))) in text
    assert "📅" in text
    made = len(club.public()) - before
    await played(club, "bob", "alice", series="", number=3)
    assert len(club.public()) - before == 2 * made, "no more posts than an event without a series"
    registered = await club.tap("hanako", post, post.find("ev_register"))
    assert "Night" in registered.text


async def test_a_date_that_filled_up_or_started_is_not_offered(club: Club) -> None:
    other = await night(club, cause="next")
    await club.bot.services.events.cancel(other.key, MANAGER, why="Rain", cause="rain")
    await played(club, "alice", "bob")
    post = last_report(club)
    assert not post.has("ev_register")
    assert "📅" not in all_of(post)


@in_turn("name", "bob", "hanako")
async def test_organisers_plan_the_last_date_and_it_has_a_champion_with_title_and_role(club: Club, name: str) -> None:
    words, guild = club.words(name), GuildId(club.guild.id)
    role = club.guild.create_role("Champion")
    terms = SeasonTerms(title="Queen of Spring", role=role.id, role_by=club.player("alice"))
    await club.bot.services.bank.change_seasons(guild, club.player("alice"), lambda _: terms, cause="terms")
    event = await duel(club, cause="first")
    events = club.bot.services.events
    if name != "bob":
        await events.co_organiser(event.key, MANAGER, club.player(name), remove=False, cause="helps")
    label = words("event_acts.name.series_end")
    wrong = await club.slash(name, "event", do=label, value="100")
    assert words("refused.bad_dates", most=99) in wrong.text
    said = await club.slash(name, "event", do=label, value="2")
    assert words("event_desk.done.series_left_undated", count=2, name=event.name) in said.text
    said = await club.slash(name, "event", do=label, value="1")
    assert words("event_desk.done.series_last_undated", name=event.name) in said.text
    await club.pass_time(10)
    await shown(club)
    assert any(club.words("alice")("event_series.last_date") in all_of(post) for post in club.public())
    await win(club, event, "alice", "bob" if name == "hanako" else "hanako")
    text = all_of(last_report(club))
    english = club.words("alice")
    alice = f"<@{club.player('alice')}>"
    assert english("event_series.over", series="Spring") in text
    assert english("season.titled", title="Queen of Spring", players=alice) in text
    assert f"<@&{role.id}>" in text
    assert has(club, "alice", role)
    table = await club.slash(name, "event", do="series")
    assert words("event.series_table.champions", count=1, players=alice) in table.text
    # The next run has its own champion, who takes over the role.
    event = await duel(club, cause="second")
    await events.plan_series_end(event.key, MANAGER, dates=1, cause="last again")
    await win(club, event, "hanako", "alice")
    assert has(club, "hanako", role)
    assert not has(club, "alice", role)


@in_turn("name", "bob", "hanako")
async def test_the_plan_says_from_which_date_it_counts(club: Club, name: str) -> None:
    words, events = club.words(name), club.bot.services.events
    await played(club, "alice", "bob")
    event = await night(club, name="Duel", cause="next")
    if name != "bob":
        await events.co_organiser(event.key, MANAGER, club.player(name), remove=False, cause="helps")
    label, hour = words("event_acts.name.series_end"), f"<t:{(event.starts_at or 0) // 1000}:F>"
    form = await club.command_form(name, "event", do=label)
    assert words("event_desk.means.series_end", name="Duel", at=hour) in str(form.modal)
    for count, key in ((2, "series_left"), (1, "series_last")):
        said = await club.slash(name, "event", do=label, value=str(count))
        values: dict[str, int] = {"count": count} if count > 1 else {}
        assert words(f"event_desk.done.{key}", name="Duel", hour=hour, **values) in said.text


@in_turn("name", "bob", "hanako")
async def test_the_desk_says_that_a_date_is_the_last_and_where_to_change_it(club: Club, name: str) -> None:
    words, events = club.words(name), club.bot.services.events
    event = await night(club, cause="weekly")
    if name != "bob":
        await events.co_organiser(event.key, MANAGER, club.player(name), remove=False, cause="helps")
    announcer = MemberPermissions(manager=True, announces=True, roles=frozenset())
    await events.repeat(event.key, MANAGER, announcer, every=RepeatInterval.WEEK, zone="UTC", cause="repeats")

    async def desk() -> Screen:
        return await club.slash(name, "event", do=words("event_acts.name.desk"))

    series, repeats = words("event.series", series="Spring"), words("event.repeat.week")
    how = words("event_desk.series_end_in", more=words("event_desk.more"), press=words("event_desk.button.series_end"))
    shown_first = (await desk()).text
    assert words.facts([series, words("event_series.no_end"), how]) in shown_first
    assert repeats in shown_first
    for dates, told in ((2, words("event_series.dates_left", count=2)), (1, words("event_series.last_date"))):
        await events.plan_series_end(event.key, MANAGER, dates=dates, cause=f"{dates} left")
        assert words.facts([series, told, how]) in (await desk()).text
    assert repeats not in (await desk()).text, "the last date isn't repeated"
    await club.pass_time(10)
    await shown(club)
    english = club.words("alice")
    (public,) = [post.text for post in club.public() if english("event_series.last_date") in all_of(post)]
    assert english("event.brief.repeat.week") not in public


async def test_a_hidden_champion_gets_the_role_and_is_not_named(club: Club) -> None:
    role = club.guild.create_role("Champion")
    terms = SeasonTerms(role=role.id, role_by=club.player("alice"))
    guild = GuildId(club.guild.id)
    await club.bot.services.bank.change_seasons(guild, club.player("alice"), lambda _: terms, cause="terms")
    await hide(club, "alice")
    event = await duel(club, cause="first")
    await club.bot.services.events.plan_series_end(event.key, MANAGER, dates=1, cause="last")
    await win(club, event, "alice", "bob")
    text = all_of(last_report(club))
    assert "👑" not in text.split(club.words("alice")("event_series.over", series="Spring"))[1]
    assert has(club, "alice", role)


async def test_without_a_series_there_is_nothing_to_end(club: Club) -> None:
    words = club.words("bob")
    await duel(club, series="", cause="first")
    said = await club.slash("bob", "event", do=words("event_acts.name.series_end"), value="1")
    assert words("refused.not_in_series") in said.text
