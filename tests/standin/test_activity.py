"""The table inside Discord: launched from hands and by Discord's own command, and who Discord says has opened it."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.model.ids import GuildId, Player, TableId
from bot.play.api.privacy import PersonalData
from bot.text.words import words_for
from bot.web.activity import (
    FRESH_MS,
    MAX_FAILURES,
    MAX_SECONDS,
    PAUSE_SECONDS,
    Activity,
    ActivityUnverifiedError,
)
from bot.web.messages import Open
from tests.discord.messages import walk
from tests.standin.activities import SECRET
from tests.standin.rest import Fault, Request
from tests.standin.standin import LAUNCHED, Standin, Where, custom_ids
from tests.standin.things import BOT_ID, Message, User
from tests.standin.wired_bot import WiredBot, make_bot, now_ms

URL = "https://cards.example.org"
EN, JA = words_for("en"), words_for("ja")
HERE = "203.0.113.1"


@pytest.fixture
async def wired(tmp_path: Path) -> AsyncIterator[WiredBot]:
    """A bot whose pages open inside Discord too."""
    discord = Standin(now_ms=now_ms)
    channel = discord.channel(discord.guild(1), 1)
    bot = await make_bot(discord, tmp_path, page_url=URL, client_secret=SECRET)
    await discord.start(bot)
    yield WiredBot(discord, channel, bot)
    await discord.stop()
    assert not discord.limits.refused, "the bot asked more of Discord than it takes"


def activity_of(wired: WiredBot) -> Activity:
    """The door."""
    inside = wired.bot.links.inside
    assert inside is not None
    return inside


def opening(wired: WiredBot, user: User, inside: str, **other: str) -> Open:
    """Return the first message of a user's page: a new token, a code, and the place."""
    said = {
        "token": f"{wired.channel.guild.id}.{secrets.token_hex(24)}",
        "code": wired.discord.activities.authorize(user),
        "instance": inside,
    }
    return Open(type="open", **(said | other))  # type: ignore[arg-type]


async def came(wired: WiredBot, said: Open, *, address: str = HERE) -> str | tuple[Player, GuildId, TableId]:
    """Return the player and table that the page is let in to, or the sentence of the refusal."""
    try:
        reader, table = await activity_of(wired).came(said, address=address)
    except ActivityUnverifiedError as refused:
        return refused.key
    return reader.player, reader.guild, table


def player(user: User) -> Player:
    return Player(str(user.id))


def launch_of(message: Message) -> str:
    """The button that launches it."""
    (custom_id,) = custom_ids(message, "launch")
    return custom_id


def links(message: Message) -> list[str]:
    """Return the addresses that a message links to."""
    return [str(part["url"]) for part in walk(message.components) if "url" in part]


def asked_for(wired: WiredBot) -> list[str]:
    """Return the requests to Discord about the visitors."""
    asked = [request for request in wired.discord.requests if request.authorization or "oauth2/token" in request.path]
    asked += [request for request in wired.discord.requests if "activity-instances" in request.path]
    return [request.path for request in asked]


async def test_the_hand_and_my_games_launch_it_and_the_page_opens_at_that_table(wired: WiredBot) -> None:
    alice, bob = wired.user(1), wired.user(2)
    await wired.open(alice, bob)
    hand = (await wired.discord.slash(alice, wired.channel, "hand").finished()).answer
    games = (await wired.discord.slash(alice, wired.channel, "ofc table", do="mine").finished()).answer
    for shown, table in ((games, 0), (hand, 1)):
        assert shown is not None
        assert [link.startswith(f"{URL}/table#") for link in links(shown)] == [True], "the way by a browser stays"
        sent = await wired.discord.press(alice, shown, launch_of(shown)).finished()
        assert sent.callback == LAUNCHED
        assert sent.answer is None
        assert str(alice.id) in wired.discord.activities.running[sent.instance]["users"]
        assert await came(wired, opening(wired, alice, sent.instance)) == (player(alice), wired.key.guild, table)
    assert all(not list(custom_ids(message, "launch")) for message in wired.channel.public())


async def test_whoever_joins_it_has_their_own_page_and_no_table_that_another_has_launched(wired: WiredBot) -> None:
    alice, bob = wired.user(1), wired.user(2)
    await wired.open(alice, bob)
    hand = (await wired.discord.slash(alice, wired.channel, "hand").finished()).answer
    assert hand is not None
    instance = (await wired.discord.press(alice, hand, launch_of(hand)).finished()).instance
    assert wired.discord.activities.join(bob, wired.channel) == instance, "one channel has one"
    assert await came(wired, opening(wired, bob, instance)) == (player(bob), wired.key.guild, 0)


async def test_the_table_of_a_launch_is_remembered_for_a_while_and_not_of_somebody_deleted(wired: WiredBot) -> None:
    alice = wired.user(1)
    activity, guild = activity_of(wired), wired.key.guild
    instance = wired.discord.activities.join(alice, wired.channel)
    activity.launched(guild, player(alice), TableId(7))
    assert await came(wired, opening(wired, alice, instance)) == (player(alice), guild, 7)
    wired.bot.links.deleted(player(alice))
    assert await came(wired, opening(wired, alice, instance)) == (player(alice), guild, 0)
    activity.launched(guild, player(alice), TableId(7))
    before = activity._now  # noqa: SLF001
    activity._now = lambda: before() + FRESH_MS  # noqa: SLF001
    assert await came(wired, opening(wired, alice, instance)) == (player(alice), guild, 0)


async def test_discords_own_command_is_answered_where_the_application_handles_it(wired: WiredBot) -> None:
    sent = await wired.discord.launch(wired.user(1), wired.channel).finished()
    assert (sent.callback, bool(sent.instance)) == (LAUNCHED, True)
    wired.discord.where = Where.DIRECT_MESSAGE
    outside = await wired.discord.launch(wired.user(2), wired.channel).finished()
    assert outside.answer is not None
    assert outside.answer.text == EN("gate.only_in_servers")


@pytest.mark.parametrize(("locale", "words"), [("en-US", EN), ("ja", JA)])
async def test_what_discord_does_not_launch_is_answered_by_the_link(
    wired: WiredBot, locale: str, words: object
) -> None:
    alice = wired.discord.user(1, locale=locale)
    wired.discord.hook = lambda request: (
        Fault(status=400, code=50231) if request.kind == "callback" and request.json["type"] == LAUNCHED else None
    )
    sent = await wired.discord.launch(alice, wired.channel).finished()
    assert sent.answer is not None
    assert (JA if locale == "ja" else EN)("activity.refused") in sent.answer.text
    (link,) = links(sent.answer)
    assert link.startswith(f"{URL}/table#{wired.channel.guild.id}.")


async def test_a_press_that_comes_late_is_not_launched_and_told_so(wired: WiredBot) -> None:
    """The response was already deferred, and Discord accepts a launch only as the first response."""
    wired.discord.gateway_delay_seconds = 0.0
    await wired.discord.launch(wired.user(2), wired.channel).finished()
    wired.discord.gateway_delay_seconds = 2.0
    sent = await wired.discord.launch(wired.user(1), wired.channel).finished()
    assert sent.answer is not None
    assert EN("activity.late") in sent.answer.text
    assert sent.instance == ""


async def test_a_button_of_before_leads_to_the_browser_once_it_is_off(wired: WiredBot) -> None:
    await wired.open(wired.user(1), wired.user(2))
    hand = (await wired.discord.slash(wired.user(1), wired.channel, "hand").finished()).answer
    assert hand is not None
    button = launch_of(hand)
    wired.bot.links.inside = None
    sent = await wired.discord.press(wired.user(1), hand, button).finished()
    told = wired.channel.private(wired.user(1))[-1]
    assert EN("activity.off") in told.text
    assert sent.instance == ""
    fresh = (await wired.discord.slash(wired.user(1), wired.channel, "hand").finished()).answer
    assert fresh is not None
    assert not list(custom_ids(fresh, "launch"))


async def test_discord_is_asked_who_it_is_and_where_and_the_page_is_believed_in_nothing(wired: WiredBot) -> None:
    alice, bob, eve = (wired.user(number) for number in (1, 2, 3))
    other = wired.discord.channel(wired.discord.guild(2), 1)
    activities = wired.discord.activities
    own, far = activities.join(alice, wired.channel), activities.join(eve, other)
    talk = activities.join(eve, wired.channel, in_server=False)
    good = opening(wired, alice, own)
    assert await came(wired, good) == (player(alice), wired.key.guild, 0)
    assert asked_for(wired) == [
        "/oauth2/token",
        "/users/@me",
        f"/applications/{BOT_ID}/activity-instances/{own}",
    ]
    refused = {
        "a code that was used": Open(type="open", token=good.token[:-1] + "z", code=good.code, instance=own),
        "a forged code": opening(wired, alice, own, code="forged"),
        "no code": opening(wired, alice, own, code=""),
        "a code that is an address": opening(wired, alice, own, code="../../users/@me"),
        "no instance": opening(wired, alice, own, instance=""),
        "an instance that is an address": opening(wired, alice, own, instance="../../../users/@me"),
        "an instance that isn't there": opening(wired, alice, "i-1-gc-2-3"),
        "somebody else's instance": opening(wired, bob, own),
        "an instance of another server": opening(wired, eve, far),
        "an instance in no server": opening(wired, eve, talk),
        "a token without a server": opening(wired, alice, own, token=secrets.token_hex(24)),
        "a token that is too short": opening(wired, alice, own, token=f"{wired.channel.guild.id}.short"),
    }
    assert {name: await came(wired, said) for name, said in refused.items()} == dict.fromkeys(
        refused, "page.not_vouched"
    )
    for said in refused.values():
        assert await wired.bot.links.came(said) is None, "and no token was kept"
    activities.leave(alice, own)
    assert await came(wired, opening(wired, alice, own)) == "page.not_vouched"


async def test_a_token_of_another_persons_is_not_taken_over(wired: WiredBot) -> None:
    alice, bob = wired.user(1), wired.user(2)
    instance = wired.discord.activities.join(alice, wired.channel)
    wired.discord.activities.join(bob, wired.channel)
    first = opening(wired, alice, instance)
    await came(wired, first)
    assert await came(wired, opening(wired, bob, instance, token=first.token)) == "page.not_vouched"
    kept = await wired.bot.links.came(first)
    assert kept is not None
    assert kept[0].player == player(alice)


async def test_a_token_goes_on_as_with_a_link_and_ends_with_close_my_pages_and_a_deletion(wired: WiredBot) -> None:
    alice = wired.user(1)
    instance = wired.discord.activities.join(alice, wired.channel)
    said = opening(wired, alice, instance)
    await came(wired, said)
    assert await wired.bot.links.came(said) is not None, "a restart loses nothing of it"
    await wired.bot.links.close(wired.key.guild, player(alice))
    assert await wired.bot.links.came(said) is None
    again = opening(wired, alice, instance)
    await came(wired, again)
    privacy: PersonalData = wired.bot.services.privacy
    await privacy.delete(player(alice))
    assert await wired.bot.links.came(again) is None


@pytest.mark.parametrize("path", ["/oauth2/token", "/users/@me", "/activity-instances/"])
@pytest.mark.parametrize(
    "fault", [Fault(status=401), Fault(status=403, code=50001), Fault(error=TimeoutError()), Fault(error=OSError())]
)
async def test_while_discord_cannot_be_asked_the_page_is_asked_to_come_again(
    wired: WiredBot, path: str, fault: Fault
) -> None:
    instance = wired.discord.activities.join(wired.user(1), wired.channel)

    def hook(request: Request) -> Fault | None:
        asks = (
            request.path == "/users/@me" and bool(request.authorization)
            if path == "/users/@me"
            else path in request.path
        )
        return fault if asks else None

    wired.discord.hook = hook
    with pytest.raises(ActivityUnverifiedError) as refused:
        await activity_of(wired).came(opening(wired, wired.user(1), instance), address=HERE)
    assert (refused.value.key, refused.value.again) == ("page.later", True)
    wired.discord.hook = None
    assert await came(wired, opening(wired, wired.user(1), instance)) == (player(wired.user(1)), wired.key.guild, 0)


async def test_neither_codes_nor_the_secret_nor_tokens_stand_in_the_log(
    wired: WiredBot, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    instance = wired.discord.activities.join(wired.user(1), wired.channel)
    said = opening(wired, wired.user(1), instance)
    await came(wired, said)
    wired.discord.hook = lambda request: Fault(status=401) if request.path == "/oauth2/token" else None
    await came(wired, opening(wired, wired.user(1), instance))
    assert "CHAIPO_CLIENT_SECRET" in caplog.text
    assert not [secret for secret in (said.code, said.token, SECRET, "token-of-") if secret in caplog.text]


async def test_an_instance_that_is_tried_again_and_again_costs_discord_no_more_than_its_share(wired: WiredBot) -> None:
    instance = wired.discord.activities.join(wired.user(1), wired.channel)
    forged = [opening(wired, wired.user(1), instance, code="x") for _ in range(MAX_FAILURES + 5)]
    told = await asyncio.gather(*(came(wired, one) for one in forged))
    assert told == ["page.not_vouched"] * MAX_FAILURES + ["page.later"] * 5
    assert len([path for path in asked_for(wired) if path == "/oauth2/token"]) == MAX_FAILURES
    other = wired.discord.activities.join(wired.user(2), wired.discord.channel(wired.channel.guild, 2))
    assert await came(wired, opening(wired, wired.user(2), other)) == (player(wired.user(2)), wired.key.guild, 0)


async def test_many_who_come_at_once_wait_for_their_turn_and_not_for_long(wired: WiredBot) -> None:
    """Discord refuses nothing: the fixture looks."""
    channels = [wired.discord.channel(wired.channel.guild, number) for number in range(2, 62)]
    users = [wired.user(number) for number in range(60)]
    instances = [wired.discord.activities.join(*one) for one in zip(users, channels, strict=True)]
    begun = asyncio.get_running_loop().time()
    comes = [
        came(wired, opening(wired, *one), address=f"203.0.113.{number}")
        for number, one in enumerate(zip(users, instances, strict=True))
    ]
    told = await asyncio.gather(*comes)
    assert asyncio.get_running_loop().time() - begun < 2 * MAX_SECONDS
    let_in = int(MAX_SECONDS / PAUSE_SECONDS)
    assert [one == "page.later" for one in told].count(True) == pytest.approx(60 - let_in, abs=2)
    assert len(set(told) - {"page.later"}) == pytest.approx(let_in, abs=2)
