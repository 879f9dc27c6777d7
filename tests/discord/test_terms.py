"""Terms travel with the button: what takes chips or commits somebody counts under the terms that it was shown with."""

from __future__ import annotations

from typing import Any

from bot.model.events import Event, Official
from bot.play.event import changing
from tests.discord.club import Club, Screen
from tests.discord.test_event_form import page, publish
from tests.discord.test_event_tools import event_message


async def wallet(club: Club, name: str) -> int:
    return await club.play.wallet(club.key().guild, club.player(name))


async def entrants(club: Club, event: Event) -> list[str]:
    view = await club.bot.services.events.look(event.key)
    return [club.name_of(line.entrant.player) for line in view.lines]


async def change(club: Club, event: Event, **wanted: Any) -> None:
    """Change an event by its use case, as the page does."""
    now = changing.plain((await club.bot.services.events.look(event.key)).event)
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
    """The newest post that asks for a registration, beside the event's own message."""
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
