"""Rulings on finished events, as organisers and managers press and type them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from simcord import RoleHandle

from bot.chat.event.posts.honours import role_changes
from bot.chat.kit.custom_ids import short_id
from bot.model.bank import SeasonTerms
from bot.model.events import EventPosting, Notice, Official, Phase
from bot.model.ids import EventKey
from bot.play.event.office.permissions import MemberPermissions
from bot.pure.event.structure import Structure
from bot.text.words import Words
from tests.discord.club import Club, Screen, sit_and_go_of_two
from tests.discord.forge import forge
from tests.discord.messages import notified
from tests.discord.test_event_before_start import sent_with
from tests.discord.test_event_desk import mention, person, posted
from tests.discord.test_event_rounds import LEAGUE, begun, ended
from tests.discord.test_given_roles import empower, has, hide, put_out
from tests.in_turn import in_turn

ONE_ROUND = replace(LEAGUE, rounds=1, fee=100, payouts=(60, 40))
WHY = "two accounts"


async def over(club: Club, plan: Structure = ONE_ROUND) -> EventKey:
    """Play a league to its end. Alice, its organiser, plays in it and manages the server."""
    key = await begun(club, plan, 4, authority=MemberPermissions(roles=frozenset(plan.roles)))
    await ended(club, key)
    return key


async def results(club: Club, key: EventKey) -> list[tuple[str, int]]:
    """Return the players with a place, and their prizes."""
    view = await club.bot.services.events.look(key)
    return [(club.name_of(line.entrant.player), line.entrant.prize) for line in view.fair]


async def rulings_page(club: Club, who: str) -> Screen:
    """Open the rulings from the event's message."""
    message = next(screen for screen in reversed(club.public()) if screen.has("ev_details"))
    details = await club.press(who, message, message.find("ev_details"))
    assert details is not None
    words = club.words(who)
    opened = await club.press(who, details, details.button(words("event.button.rulings")))
    assert opened is not None
    return opened


async def written(club: Club, who: str, shown: Screen, verb: str, *values: str) -> Screen:
    """Press a button that opens a form, and write the values into its fields."""
    form: Any = await club.used(who, shown, shown.find(verb))
    assert form.modal is not None
    fields = [part["component"]["custom_id"] for part in form.modal["components"] if "component" in part]
    sent = await club.members[who].submit_modal(form, dict(zip(fields, values, strict=True)))
    answer = await club._answer(sent)  # noqa: SLF001
    assert answer is not None
    return answer


def posts(club: Club, part: str) -> list[Screen]:
    return [screen for screen in club.public() if part in screen.text]


def struck_text(club: Club, words: Words, who: str) -> str:
    """Return the log's text for a struck player."""
    return words("event.log.struck", player=mention(club, who))


def manager(club: Club, who: str) -> None:
    """Add a member who manages the server."""
    club.newcomer(who, locale="ja" if who == "kenji" else "en-US")
    empower(club, who, manage_guild=True)


@in_turn("who", "mary", "kenji")
async def test_a_manager_strikes_a_player_and_undoes_it_with_one_press(club: Club, who: str) -> None:
    key = await over(club)
    manager(club, who)
    words, before = club.words(who), await results(club, key)
    first, second = before[0][0], before[1][0]
    page = await rulings_page(club, who)
    assert words("event_desk.late.always") in page.text
    one = await person(club, who, page, first)
    done = await written(club, who, one, "ev_d_strike", WHY)
    said = words("event_desk.done.struck_chips", player=mention(club, first), taken=words.number(before[0][1]))
    assert said in done.text
    assert words("event.struck", players=mention(club, first)) in done.text
    assert (await results(club, key))[0] == (second, before[0][1])
    await club.settle()
    (post,) = posts(club, WHY)
    english = club.words("bob")
    place = english("event_notice.late.place", place=1, player=mention(club, second))
    won = before[0][1] - before[1][1]
    chips = english("event_notice.late.chips", count=won, chips=english.signed(won))
    assert english("event_notice.late.place_with", told=place, facts=chips) in post.text
    undo = words("event_desk.take_back_of", what=words("event_desk.undo.struck", player=first))
    assert undo in done.labels()
    press = done.button(undo)["custom_id"]
    back = await club.press(who, done, done.button(undo))
    assert back is not None
    assert words("event_desk.done.ruling_undone", what=struck_text(club, words, first)) in back.text
    assert await results(club, key) == before
    twice = await forge(club, who, back, press)
    assert words("refused.ruling_undone") in str(twice.said)
    await club.settle()
    restored = posts(club, english("event_notice.late.places_back", places="$").split("$")[0])
    assert (
        english("event_notice.late.taken_back", count=before[0][1], chips=english.number(before[0][1]))
        in restored[-1].text
    )
    assert (
        len(
            posts(
                club, english("event_notice.ruling.struck_undone", by=mention(club, who), player=mention(club, first))
            )
        )
        == 1
    )


@in_turn("who", "mary", "kenji")
async def test_rulings_are_typed_and_asked_once(club: Club, who: str) -> None:
    key = await over(club)
    manager(club, who)
    words, before = club.words(who), await results(club, key)
    first = before[0][0]
    asked = await club.slash(who, "event", do=words("event_acts.name.strike"), player=mention(club, first), reason=WHY)
    assert words("event_desk.means.strike") in asked.text
    assert await results(club, key) == before, "it asks first"
    done = await club.press(who, asked, asked.find("ev_act_yes"))
    assert done is not None
    assert mention(club, first) in done.text
    assert first not in dict(await results(club, key))
    undone = await club.slash(
        who, "event", do=words("event_acts.name.take_back"), value=words("event_desk.undo.struck", player=first)
    )
    assert words("event_desk.done.ruling_undone", what=struck_text(club, words, first)) in undone.text
    assert await results(club, key) == before
    again = await club.slash(who, "event", do=words("event_acts.name.take_back"))
    name = (await club.bot.services.events.look(key)).event.name
    assert words("event_acts.why.ruling_undone", name=name) in again.text


async def test_points_of_a_match_are_corrected_with_its_round(club: Club) -> None:
    key = await over(club)
    manager(club, "mary")
    last = (await results(club, key))[-1][0]
    one = await person(club, "mary", await rulings_page(club, "mary"), last)
    refused = await written(club, "mary", one, "ev_d_correct", "50", WHY, "9")
    assert club.words("mary")("refused.no_match_then", rounds=1) in refused.text
    done = await written(club, "mary", one, "ev_d_correct", "50", WHY, "1")
    assert (
        club.words("mary")(
            "event_desk.done.corrected_chips", player=mention(club, last), amount="+50", taken="$"
        ).split("$")[0]
        in done.text
    )
    assert (await results(club, key))[0][0] == last
    scores = [line.entrant.score for line in (await club.bot.services.events.look(key)).lines]
    assert sum(scores) == 0, "the opponent got the opposite"


async def test_an_event_is_moved_to_a_series_and_out_of_it(club: Club) -> None:
    key = await over(club)
    manager(club, "mary")
    words, events = club.words("mary"), club.bot.services.events
    done = await written(club, "mary", await rulings_page(club, "mary"), "ev_d_series", "Spring", WHY)
    assert words("event_desk.done.series_joined", series="Spring") in done.text
    assert (await events.look(key)).event.series == "Spring"
    form = await club.used("mary", done, done.find("ev_d_series"))
    assert words("event_desk.means.series_now", series="Spring") in str(form.modal)
    other = await written(club, "mary", done, "ev_d_series", "Autumn", WHY)
    assert words("event_desk.done.series_changed", series="Autumn", before="Spring") in other.text
    left = await written(club, "mary", other, "ev_d_series", "", WHY)
    assert words("event_desk.done.series_removed", before="Autumn") in left.text
    assert (await events.look(key)).event.series == ""
    await club.settle()
    told = "\n".join(screen.text for screen in club.public())
    by = mention(club, "mary")
    assert club.words("bob")("event_notice.ruling.series_changed", by=by, series="Autumn", before="Spring") in told


async def test_undoing_names_the_rulings_in_force_and_each_can_be_undone_for_an_hour(club: Club) -> None:
    key = await over(club)
    manager(club, "mary")
    words, names = club.words("mary"), [name for name, _ in await results(club, key)]
    first, last = names[0], names[-1]
    page = await person(club, "mary", await rulings_page(club, "mary"), first)
    page = await written(club, "mary", page, "ev_d_strike", WHY)
    page = await written(club, "mary", await person(club, "mary", page, last), "ev_d_correct", "50", WHY, "1")
    page = await written(club, "mary", page, "ev_d_series", "Spring", WHY)
    moved = words("event_desk.take_back_of", what=words("event_desk.undo.series_changed"))
    menu = page.find("ev_d_more")
    assert moved in page.labels()
    corrected, struck = (option["label"] for option in menu["options"])
    for label, kind in ((corrected, "corrected"), (struck, "struck")):
        what = words(f"event_desk.undo.{kind}", player="$").split("$")[0]
        assert label.startswith(words("event_desk.take_back_of", what=what))
    facts = await club.bot.services.events.rulings(key)
    against = next(fact.details["against"] for fact in facts if fact.kind == "corrected")
    told = words(
        "event.log.corrected_match", round="1", player=mention(club, last), against=f"<@{against}>", amount="+50"
    )
    assert told in page.text
    rest = words.list([told, words("event.log.series.into", series="Spring")])
    undone = await club.choose("mary", page, menu, [menu["options"][-1]["value"]])
    what = struck_text(club, words, first)
    assert words("event_desk.done.ruling_undone_rest", what=what, rest=rest) in undone.text
    assert {moved, corrected} <= {*undone.labels()}
    assert struck not in undone.labels()


async def test_of_two_managers_the_second_sees_what_the_first_has_decided(club: Club) -> None:
    key = await over(club)
    manager(club, "mary")
    first, second = [name for name, _ in await results(club, key)][:2]
    page = await person(club, "mary", await rulings_page(club, "mary"), first)
    by = Official(player=club.player("alice"), manager=True)
    other = next(name for name in (second, first) if name != "alice")
    await club.bot.services.events.strike(key, by, club.player(other), why=WHY, cause="first")
    seen = await written(club, "mary", page, "ev_d_strike", WHY)
    assert club.words("mary")("event_desk.late.meanwhile") in seen.text
    assert len(await results(club, key)) == 3


@in_turn("who", "mary", "kenji")
async def test_the_post_with_the_results_opens_details_and_rulings_for_those_who_may_rule(club: Club, who: str) -> None:
    key = await over(club)
    manager(club, who)
    (post,) = [one for one in posts(club, club.words()("event_round.cross")) if one.has("ev_details")]
    assert [control["custom_id"].split(":")[1] for control in post.controls()] == ["ev_details"]
    before = len(club.public())
    for name, rules in ((who, True), ("hanako", False)):
        words = club.words(name)
        details = await club.press(name, post, post.find("ev_details"))
        assert details is not None
        assert (words("event.button.rulings") in details.labels()) is rules
        assert details.has("ev_fairness")
    words = club.words(who)
    details = await club.press(who, post, post.find("ev_details"))
    assert details is not None
    rulings = await club.press(who, details, details.button(words("event.button.rulings")))
    assert rulings is not None
    assert words("event_desk.late.always") in rulings.text
    assert len(club.public()) == before, "all of it is private"
    assert len(await results(club, key)) == 4


async def test_players_and_strangers_are_offered_no_rulings(club: Club) -> None:
    key = await over(club)
    event = (await club.bot.services.events.look(key)).event
    assert event.phase is Phase.ENDED
    message = next(screen for screen in reversed(club.public()) if screen.has("ev_details"))
    details = await club.press("bob", message, message.find("ev_details"))
    assert details is not None
    assert club.words("bob")("event.button.rulings") not in details.labels()
    typed = await club.slash("bob", "event", do="Strike a player", player=mention(club, "hanako"), reason=WHY)
    assert typed.text
    assert len(await results(club, key)) == 4


async def test_the_post_of_a_strike_says_who_got_which_points_of_the_series(club: Club) -> None:
    key = await over(club)
    manager(club, "mary")
    by, events, words = Official(player=club.player("mary"), manager=True), club.bot.services.events, club.words()
    await events.to_series(key, by, "Spring", why=WHY, cause="series")
    before = [name for name, _ in await results(club, key)]
    await events.strike(key, by, club.player(before[0]), why="cheated", cause="struck")
    await posted(club)
    (post,) = posts(club, "cheated")
    for place, (name, points) in enumerate(zip(before[1:], (14, 7, 3), strict=True), start=1):
        told = words("event_notice.late.place", place=place, player=mention(club, name))
        assert told in post.text
        line = post.text.split(told)[1].split(")")[0]
        assert line.endswith(words("event_notice.late.points", count=points))
    table = await club.slash("bob", "event", do="series")
    assert mention(club, before[1]) in table.text
    assert mention(club, before[0]) not in table.text, "they have no result any more"


async def test_the_post_of_a_strike_names_the_new_champion_of_a_series_that_is_over(club: Club) -> None:
    key = await begun(club, ONE_ROUND, 4, series="Spring")
    manager(club, "mary")
    by, events = Official(player=club.player("mary"), manager=True), club.bot.services.events
    await events.plan_series_end(key, by, dates=1, cause="last")
    await ended(club, key)
    first, second = [name for name, _ in await results(club, key)][:2]
    await events.strike(key, by, club.player(first), why="cheated", cause="struck")
    await posted(club)
    (post,) = posts(club, "cheated")
    crowned = club.words()("event_notice.late.champions", count=1, series="Spring", players=mention(club, second))
    assert crowned in post.text
    table = await club.slash("bob", "event", do="series")
    assert club.words("bob")("event.series_table.champions", count=1, players=mention(club, second)) in table.text


@in_turn("who", "alice", "kenji")
async def test_nobody_is_offered_a_ruling_on_their_own_result(club: Club, who: str) -> None:
    key = await over(club)
    if who == "kenji":
        who = "hanako"
        empower(club, who, manage_guild=True)
    words, before = club.words(who), await results(club, key)
    own = await person(club, who, await rulings_page(club, who), who)
    assert not own.has("ev_d_strike")
    assert not own.has("ev_d_correct")
    assert words("refused.own_result") in own.text
    assert own.has("ev_desk"), "a way back"
    for act in ("strike", "correct"):
        value = {} if act == "strike" else {"value": "5"}
        typed = await club.slash(
            who, "event", do=words(f"event_acts.name.{act}"), player=mention(club, who), reason=WHY, **value
        )
        assert words("refused.own_result") in typed.text
        assert words("gate.open_form") not in typed.labels()
    other = next(name for name, _ in before if name != who)
    pressed = await person(club, who, await rulings_page(club, who), other)
    press = pressed.find("ev_d_strike")["custom_id"].replace(
        short_id(club.members[other].id), short_id(club.members[who].id)
    )
    assert (await forge(club, who, pressed, press)).said == words("refused.own_result")
    assert await results(club, key) == before


def struck_by_mary(club: Club) -> Official:
    manager(club, "mary")
    return Official(player=club.player("mary"), manager=True)


def owns(club: Club, role: RoleHandle, *names: str) -> list[bool]:
    return [has(club, name, role) for name in names]


async def champions_of_spring(club: Club, role: RoleHandle) -> tuple[EventKey, list[str]]:
    """Play the only date of a series whose champion gets a role. Return it with its players, the best first."""
    terms = SeasonTerms(role=role.id, role_by=club.player("alice"))
    await club.bot.services.bank.change_seasons(club.key().guild, club.player("alice"), lambda _: terms, cause="terms")
    key = await begun(club, ONE_ROUND, 4, series="Spring")
    await club.bot.services.events.plan_series_end(
        key, Official(player=club.player("alice"), manager=True), dates=1, cause="last"
    )
    await ended(club, key)
    return key, [name for name, _ in await results(club, key)]


async def undone(club: Club, key: EventKey, by: Official) -> None:
    """Undo the last ruling."""
    events = club.bot.services.events
    ruling = (await events.log(key, by))[-1]
    await events.undo_ruling(key, by, number=ruling.number, cause=f"undo {ruling.number}")
    await posted(club)


async def test_promised_roles_move_with_the_places_and_back(club: Club) -> None:
    gold, silver = club.guild.create_role("Champion"), club.guild.create_role("Runner-up")
    key = await over(club, replace(ONE_ROUND, roles=(gold.id, silver.id)))
    by, events = struck_by_mary(club), club.bot.services.events
    first, second, third = [name for name, _ in await results(club, key)][:3]
    assert owns(club, gold, first, second, third) == [True, False, False]
    await events.strike(key, by, club.player(first), why=WHY, cause="struck")
    await posted(club)
    assert owns(club, gold, first, second, third) == [False, True, False]
    assert owns(club, silver, first, second, third) == [False, False, True]
    await undone(club, key, by)
    assert owns(club, gold, first, second, third) == [True, False, False]
    assert owns(club, silver, first, second, third) == [False, True, False]
    assert not posts(club, "I couldn't change these roles")


async def test_the_notice_of_an_earlier_version_moves_the_roles_of_its_places(club: Club) -> None:
    gold, silver = club.guild.create_role("Champion"), club.guild.create_role("Runner-up")
    key = await over(club, replace(ONE_ROUND, roles=(gold.id, silver.id)))
    view = await club.bot.services.events.look(key)
    moved = [["1", 1, 0], ["2", 2, 1], ["3", 3, 2], ["4", 4, 3]]
    details = {"what": "struck", "by": "9", "plays": False, "late": True, "moved": moved}
    posting = EventPosting(number=1, key=key, notice=Notice.RULING, details=details, at=0)
    told = [(one.player, one.role, one.gives) for one in role_changes(view, posting)]
    assert told == [
        ("1", gold.id, False),
        ("2", silver.id, False),
        ("2", gold.id, True),
        ("3", silver.id, True),
    ]


async def test_the_role_of_a_series_champion_moves_with_a_ruling_and_back(club: Club) -> None:
    role = club.guild.create_role("Champion")
    key, (first, second, *_) = await champions_of_spring(club, role)
    assert owns(club, role, first, second) == [True, False]
    by, events = struck_by_mary(club), club.bot.services.events
    await events.strike(key, by, club.player(first), why=WHY, cause="struck")
    await posted(club)
    assert owns(club, role, first, second) == [False, True]
    await undone(club, key, by)
    assert owns(club, role, first, second) == [True, False]
    await events.to_series(key, by, "Autumn", why=WHY, cause="moved")
    await posted(club)
    assert owns(club, role, first, second) == [False, False], "the series has no results any more"


async def test_the_role_of_a_season_decided_by_events_moves_with_a_ruling(club: Club) -> None:
    guild, bank, alice = club.key().guild, club.bot.services.bank, club.player("alice")
    role = club.guild.create_role("Champion")
    terms = SeasonTerms(role=role.id, role_by=alice)
    await bank.change_seasons(guild, alice, lambda _: terms, cause="terms")
    await bank.start_season(guild, alice, "", cause="starts")
    key = await over(club)
    await bank.end_season(guild, alice, cause="ends")
    await club.bot.services.season_ends.sweep()
    await club.bot.services.season_ends.done()
    first, second = [name for name, _ in await results(club, key)][:2]
    assert owns(club, role, first, second) == [True, False]
    by = struck_by_mary(club)
    await club.bot.services.events.strike(key, by, club.player(first), why=WHY, cause="struck")
    await posted(club)
    assert owns(club, role, first, second) == [False, True]
    await undone(club, key, by)
    assert owns(club, role, first, second) == [True, False]


async def test_a_role_that_a_player_has_also_won_elsewhere_stays(club: Club) -> None:
    role = club.guild.create_role("Champion")
    other = await sit_and_go_of_two(club, "Night", "alice", "bob", roles=(role.id,))
    await put_out(club, other.key, "alice")
    key = await over(club, replace(ONE_ROUND, roles=(role.id,)))
    by, events = struck_by_mary(club), club.bot.services.events
    for name, amount in (("bob", 900), ("hanako", 800)):
        await events.correct(key, by, club.player(name), amount=amount, why=WHY, cause=f"lifts {name}")
    await events.strike(key, by, club.player("bob"), why=WHY, cause="struck")
    await posted(club)
    assert owns(club, role, "bob", "hanako") == [True, True]
    await undone(club, key, by)
    assert owns(club, role, "bob", "hanako") == [True, False]


@in_turn("leaver", "bob", "hanako")
async def test_a_player_who_left_neither_gets_nor_loses_a_role_and_the_other_does(club: Club, leaver: str) -> None:
    role = club.guild.create_role("Champion")
    key = await over(club, replace(ONE_ROUND, roles=(role.id,)))
    by, events = struck_by_mary(club), club.bot.services.events
    for name, amount in (("bob", 900), ("hanako", 800)):
        await events.correct(key, by, club.player(name), amount=amount, why=WHY, cause=f"lifts {name}")
    await posted(club)
    assert owns(club, role, "alice", "bob", "hanako") == [False, True, False]
    club.guild.remove_member(club.members[leaver])
    await events.strike(key, by, club.player("bob"), why=WHY, cause="struck")
    await posted(club)
    stays = "hanako" if leaver == "bob" else "bob"
    assert has(club, stays, role) is (stays == "hanako")
    assert not posts(club, "I couldn't change these roles")


async def test_whoever_ruled_is_told_which_roles_could_not_be_changed(club: Club) -> None:
    role, words = club.guild.create_role("Champion"), club.words()
    key = await over(club, replace(ONE_ROUND, roles=(role.id,)))
    first, second = [name for name, _ in await results(club, key)][:2]
    hide(club, role)  # now it opens a channel, so the bot doesn't give it any more
    by = struck_by_mary(club)
    await club.bot.services.events.strike(key, by, club.player(first), why=WHY, cause="struck")
    await posted(club)
    assert owns(club, role, first, second) == [True, False]
    (told,) = posts(club, words("event_notice.roles_refused.ask", player=mention(club, "mary")))
    for key_, name in (("take", first), ("give", second)):
        line = words(f"event_notice.roles_refused.{key_}", player=mention(club, name), role=f"<@&{role.id}>")
        assert line in told.text
    (sent,) = sent_with(club, "I couldn't change these roles")
    assert notified(sent) == [str(club.members["mary"].id)], "players aren't pinged"


async def test_an_organiser_is_told_at_the_end_which_roles_winners_did_not_get(club: Club) -> None:
    role, words = club.guild.create_role("Champion"), club.words()
    key = await begun(
        club, replace(ONE_ROUND, roles=(role.id,)), 4, authority=MemberPermissions(roles=frozenset((role.id,)))
    )
    hide(club, role)
    await ended(club, key)
    await posted(club)
    (told,) = posts(club, words("event_notice.roles_refused.ask", player=mention(club, "alice")))
    first = (await results(club, key))[0][0]
    assert words("event_notice.roles_refused.give", player=mention(club, first), role=f"<@&{role.id}>") in told.text
    assert not has(club, first, role)


async def test_after_an_error_of_discord_the_role_is_changed_later_and_the_post_is_not_repeated(club: Club) -> None:
    role = club.guild.create_role("Champion")
    key = await over(club, replace(ONE_ROUND, roles=(role.id,)))
    first, second = [name for name, _ in await results(club, key)][:2]
    route = "/guilds/*/members/*/roles/*"
    fault = {"method": "PUT", "path": route, "status": 503, "code": 0, "message": "", "times": 9}
    club.backend.faults.append(fault)
    club.forgiven.append("could not be drawn")
    by = struck_by_mary(club)
    await club.bot.services.events.strike(key, by, club.player(first), why=WHY, cause="struck")
    await posted(club)
    assert owns(club, role, first, second) == [False, False]
    club.backend.faults.clear()
    await club.pass_time(120)
    await posted(club)
    assert owns(club, role, first, second) == [False, True]
    assert len(posts(club, WHY)) == 1
    assert not posts(club, "I couldn't change these roles")


async def test_the_desk_of_an_event_that_may_not_be_ruled_on_says_that_it_is_over(club: Club) -> None:
    await over(club)
    desk = await club.slash("bob", "event", do="Desk")
    assert desk.text
    assert not desk.has("ev_d_person")


@in_turn("name", "dave", "hanako")
async def test_someone_without_the_right_reads_who_rules_on_finished_events(club: Club, name: str) -> None:
    if name not in club.members:
        club.newcomer(name)
    words = club.words(name)
    act = words("event_acts.name.strike")
    said = await club.slash(name, "event", do=act)
    assert words("event_acts.why.late", act=act) in said.text


@in_turn("who", "mary", "kenji")
async def test_the_log_says_what_a_ruling_moved_or_undid_and_for_whom(club: Club, who: str) -> None:
    key = await over(club)
    manager(club, who)
    words = club.words(who)
    last = (await results(club, key))[-1][0]
    by = mention(club, who)
    page = await rulings_page(club, who)
    moved = await written(club, who, page, "ev_d_series", "Spring", WHY)
    again = await written(club, who, moved, "ev_d_series", "Autumn", "Wrong spelling")
    why = words("event.log.why", what=words("event.log.series.between", before="Spring", series="Autumn"), why="*")
    assert why.replace("*", "Wrong spelling") in again.text
    back = await club.press(who, again, again.find("ev_d_undo"))
    assert back is not None
    one = await person(club, who, back, last)
    struck = await written(club, who, one, "ev_d_strike", WHY)
    done = await club.press(who, struck, struck.find("ev_d_undo"))
    assert done is not None
    log = await club.slash(who, "event", do=f"log {key.number}")
    for what in (
        words("event.log.series.between", before="Spring", series="Autumn"),
        words("event.log.struck", player=mention(club, last)),
    ):
        undone = words("event.log.by", what=words("event.log.ruling_undone", what=what), player=by)
        assert undone in done.text
        assert undone in log.text
    assert words("event.log.series.into", series="Spring") in log.text
