"""Buttons carry their terms: anything that takes chips or commits a user uses the terms shown with it."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import count
from typing import Any, get_args

from bot.model.bank import Action
from bot.model.clock import MINUTE
from bot.model.events import EntrantState, Event, Official
from bot.play.event.office.event_fields import plain
from bot.web.messages import Verb
from tests.backstage import transactions_of
from tests.discord.club import Club, Control, Screen
from tests.discord.forge import forge
from tests.discord.test_event_form import open_events, page, publish, write
from tests.discord.test_event_tools import event_message
from tests.discord.verbs import COMMITS, NEITHER, PAGE, SPENDS, TERMS, TOGGLES, carried, lacks_terms

HANDS = count(90)
"""Numbers of hands that don't exist."""


async def wallet(club: Club, name: str) -> int:
    return await club.play.wallet(club.key().guild, club.player(name))


async def move_stack(club: Club, payer: str, payee: str, chips: int) -> None:
    """Chips of a player go to another one, as if in a hand."""
    hand_no = next(HANDS)
    await transactions_of(club.play).write(
        lambda s: s.tx.ledger.pay(
            club.key(), payer=club.player(payer), payee=club.player(payee), chips=chips, hand_no=hand_no, at=s.now
        )
    )


async def entrants(club: Club, event: Event) -> list[str]:
    view = await club.bot.services.events.look(event.key)
    return [club.name_of(line.entrant.player) for line in view.lines]


async def change(club: Club, event: Event, **wanted: Any) -> None:
    """Change an event by its use case, as the page does."""
    now = plain((await club.bot.services.events.look(event.key)).event)
    by = Official(player=club.player("alice"), manager=True)
    changes = {name: (now[name], value) for name, value in wanted.items()}
    await club.bot.services.events.change(event.key, by, changes, cause=f"change {sorted(wanted.items())}")


async def with_fee(club: Club, fee: int) -> Event:
    event = await publish(club, await page(club, name="Night", when="in 3 hours", preset="chaipo"))
    await change(club, event, fee=fee)
    await club.pass_time(60)
    return event


def registers(screen: Screen) -> str:
    return str(screen.find("ev_register")["custom_id"])


def newest(club: Club) -> Screen:
    """Return the newest post that asks for registrations, other than the event's message."""
    own = event_message(club).id
    return next(screen for screen in reversed(club.public()) if screen.id != own and screen.has("ev_register"))


async def test_register_below_an_older_post_takes_no_other_fee_and_shows_the_current_one(club: Club) -> None:
    words = club.words("hanako")
    event = await with_fee(club, 500)
    await club.press("bob", event_message(club), event_message(club).find("ev_register"))
    await change(club, event, fee=800)
    await club.pass_time(60)
    older = newest(club)
    await club.press("bob", older, older.find("ev_register"))
    await change(club, event, fee=990)
    await club.pass_time(60)
    newer = newest(club)
    assert "800" in older.text
    assert registers(older) != registers(newer)
    before = await wallet(club, "hanako")
    shown = await club.tap("hanako", older, older.find("ev_register"))
    assert await wallet(club, "hanako") == before
    assert "hanako" not in await entrants(club, event)
    assert words("terms.changed") in shown.text
    assert words("structure.fee", chips="990") in shown.text
    asked = shown.button(words("terms.register", count=990, chips="990"))
    await club.press("hanako", shown, asked)
    assert await wallet(club, "hanako") == before - 990
    assert "hanako" in await entrants(club, event)


# effect and terms of each verb


def test_each_verb_is_classified_and_says_what_it_carries(club: Club) -> None:
    effects = [carried(SPENDS), carried(COMMITS), carried(TOGGLES), dict.fromkeys(NEITHER.split(), "")]
    known = [verb for effect in effects for verb in effect]
    routed = club.bot.services.gate.verbs
    assert len(routed) > 200, "the bot's verbs are seen"
    assert sorted(known) == sorted(set(known)), "each stands in one place"
    assert set(known) == set(routed)
    assert {verb for effect in effects for verb, what in effect.items() if what == TERMS} == {
        verb for verb, asks in routed.items() if asks
    }, "what is compared can be asked again"


def test_each_verb_of_a_page_is_classified() -> None:
    assert set(PAGE) == set(get_args(Verb))


def test_a_button_without_its_terms_is_noticed() -> None:
    assert lacks_terms("c1:join:1.38f27c:0:0:::")
    assert not lacks_terms("c1:join:1.38f27c~b2154d5e1d2b:0:0:::")
    assert lacks_terms("c1:seat:1.38f27c:0:0:::rebuy")
    assert not lacks_terms("c1:seat:1.38f27c:0:0:::leave")
    assert lacks_terms("c1:tb_act_yes:0:0:0:::quick")
    assert not lacks_terms("c1:tb_act_yes:0~b2154d5e1d2b:0:0:::quick")
    assert not lacks_terms("c1:tb_act_yes:1.38f27c:0:0:::close")


def older(control: Control) -> str:
    """The custom id of a button as a version before terms has posted it."""
    bare = re.sub("~[0-9a-f]{12}", "", str(control["custom_id"]))
    assert bare != control["custom_id"], "it carried terms"
    return bare


async def test_a_button_from_before_counts_until_the_terms_change(club: Club) -> None:
    words = club.words("bob")
    event = await publish(club, await page(club, name="Night", when="in 3 hours", preset="chaipo"))
    await change(club, event, name="Late Night", most=40)
    await forge(club, "bob", event_message(club), older(event_message(club).find("ev_register")))
    assert await entrants(club, event) == ["bob"], "a name is none of the terms"
    await change(club, event, fee=500)
    asked = await forge(club, "bob", event_message(club), older(event_message(club).find("ev_register")))
    assert words("terms.changed") in asked.said
    assert words("structure.fee", chips="500") in asked.said
    assert await entrants(club, event) == []


async def test_typing_agrees_to_no_fee_that_was_not_shown(club: Club) -> None:
    words = club.words("bob")
    event = await publish(club, await page(club, name="Night", when="in 3 hours", preset="chaipo"))
    await club.slash("hanako", "event", do="register")
    assert await entrants(club, event) == ["hanako"], "what costs nothing needs no question"
    await change(club, event, fee=500)
    before = await wallet(club, "bob")
    shown = await club.slash("bob", "event", do="register")
    assert (await wallet(club, "bob"), await entrants(club, event)) == (before, [])
    assert words("terms.typed") in shown.text
    await club.tap("bob", shown, shown.button(words("terms.register", count=500, chips="500")))
    assert (await wallet(club, "bob"), await entrants(club, event)) == (before - 500, ["bob"])
    again = await club.slash("bob", "event", do="register")
    assert words("event.done.place", number=1, most=128) in again.text
    assert await wallet(club, "bob") == before - 500, "nothing is paid twice"


async def test_nobody_is_entered_or_checked_in_for_an_hour_that_they_were_not_shown(club: Club) -> None:
    words = club.words("hanako")
    event = await publish(club, await page(club, name="Night", when="in 3 hours", preset="chaipo"))
    assert event.starts_at is not None
    registering = event_message(club).find("ev_register")["custom_id"]
    await club.slash("hanako", "event", do="register")
    soon = int(club.world.now_ms() + 12 * MINUTE)
    await change(club, event, starts_at=soon)
    await club.pass_time(60)
    shown = await forge(club, "bob", event_message(club), registering)
    assert f"<t:{soon // 1000}:F>" in shown.said
    assert await entrants(club, event) == ["hanako"]
    checking = event_message(club).find("ev_checkin")["custom_id"]
    later = soon + 5 * MINUTE
    await change(club, event, starts_at=later)
    asked = await forge(club, "hanako", event_message(club), checking)
    assert words("terms.changed") in asked.said
    (line,) = (await club.bot.services.events.look(event.key)).lines
    assert line.entrant.state is EntrantState.REGISTERED
    (screen,) = asked.answers
    await club.tap("hanako", screen, screen.find("ev_checkin"))
    (line,) = (await club.bot.services.events.look(event.key)).lines
    assert line.entrant.state is EntrantState.CHECKED_IN


async def test_join_takes_a_seat_at_the_stakes_that_it_was_shown_with(club: Club) -> None:
    words = club.words("hanako")
    await club.opens("alice", levels="10,50 every 1", seats=3)
    lobby = club.table_screen()
    join, bare = lobby.find("join")["custom_id"], older(lobby.find("join"))
    await forge(club, "bob", lobby, bare)
    assert len((await club.look()).places) == 2, "an older button, while the first level is played"
    await club.press("alice", club.table_screen(), club.table_screen().find("start"))
    await club.type_hand()
    await club.pass_time(30)
    assert (await club.look()).table.terms.point_value == 50
    before = await club.facts()
    for custom_id in (join, bare):
        shown = await forge(club, "hanako", club.table_screen(), custom_id)
        assert words("terms.changed") in shown.said
        assert words("table.stakes", value="50") in shown.said
    assert await club.facts() == before
    (screen,) = shown.answers
    await club.tap("hanako", screen, screen.button(words("terms.join", count=1000, chips="1,000")))
    assert len((await club.look()).places) == 3


async def test_a_rebuy_and_a_top_up_take_what_the_button_said(club: Club) -> None:
    words = club.words("alice")
    await club.slash("alice", "ofc play")
    await club.press("bob", club.table_screen(), club.table_screen().find("join"))
    guild, alice, bob = club.key().guild, club.player("alice"), club.player("bob")
    await move_stack(club, "alice", "bob", 400)
    seats = await club.slash("alice", "ofc table", do="seats")
    fills = seats.button(words("seats.button.top_up", chips="400"))
    await move_stack(club, "alice", "bob", 100)
    before = await wallet(club, "alice")
    shown = await club.tap("alice", seats, fills)
    assert words("terms.amount") in shown.text
    assert await wallet(club, "alice") == before
    await club.tap("alice", shown, shown.button(words("seats.button.top_up", chips="500")))
    assert await wallet(club, "alice") == before - 500
    await move_stack(club, "alice", "bob", 1000)
    spare = await wallet(club, "alice") - 300
    await club.bot.services.bank.change_chips(guild, bob, alice, Action.TAKE, spare, "test", cause="1")
    seats = await club.slash("alice", "ofc table", do="seats")
    rebuy = seats.button(words("seats.button.rebuy_of", chips="300"))
    await club.bot.services.bank.change_chips(guild, bob, alice, Action.GIVE, 5000, "test", cause="2")
    shown = await club.tap("alice", seats, rebuy)
    assert words("terms.amount") in shown.text
    assert await wallet(club, "alice") == 5300
    await club.tap("alice", shown, shown.button(words("seats.button.rebuy_of", chips="1,000")))
    assert await wallet(club, "alice") == 4300


async def test_a_table_is_opened_at_the_stakes_that_were_shown(club: Club) -> None:
    words = club.words("bob")
    menu = await club.slash("bob", "ofc help")
    opened = await club.tap("bob", menu, menu.find("play"))
    assert words("lobby.buy_in", chips="1,000") in opened.text
    opens = opened.find("new_open")
    await club.play.choose_for_server(club.key().guild, lambda server: replace(server, point_value=100))
    before = await club.facts()
    shown = await club.tap("bob", opened, opens)
    assert words("terms.changed") in shown.text
    assert words("lobby.buy_in", chips="10,000") in shown.text
    assert await club.facts() == before
    assert shown.has("new_open")


async def test_a_page_announces_what_it_shows_and_not_what_another_one_has_changed(club: Club) -> None:
    words = club.words("alice")
    desk = await page(club, name="Night", when="in 3 hours", preset="chaipo")
    publishes = desk.find("ev_form_publish")
    await write(club, await page(club), fee="500")
    shown = await club.tap("alice", desk, publishes)
    assert words("terms.changed") in shown.text
    assert words("event.brief.fee", chips="500") in shown.text
    assert await open_events(club) == []
    event = await publish(club, shown)
    assert event.structure.fee == 500
    # The page of a published event is used up. The next draft isn't on it.
    again = await forge(club, "alice", shown, publishes["custom_id"])
    assert words("terms.changed") in again.said
    assert len(await open_events(club)) == 1
