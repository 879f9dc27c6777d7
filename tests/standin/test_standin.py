"""The real bot on the stand-in: a table from its opening to its result, and requests that fail."""

from pathlib import Path

from bot.model.hands import HandState
from bot.model.ids import GuildId
from bot.model.tables import Timer
from bot.text.words import words_for
from tests.backstage import transactions_of
from tests.standin.rest import MISSING_PERMISSIONS, UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, Fault, Request
from tests.standin.standin import custom_ids
from tests.standin.wired_bot import WiredBot, make_bot

WORDS = words_for("en")


async def test_a_whole_hand_is_played_by_presses(wired: WiredBot) -> None:
    alice, bob = wired.user(1), wired.user(2)
    await wired.open(alice, bob)
    await wired.play_hand()
    result = await wired.bot.services.play.result(wired.key, 1)
    assert result.record.state is HandState.SETTLED
    title = WORDS("result.heading", hand=1, table=1)
    assert any(title in message.text for message in wired.channel.public())
    assert not any(title in message.text for message in wired.channel.private(alice))


async def test_a_press_knows_when_it_was_answered_and_when_its_handler_has_ended(wired: WiredBot) -> None:
    sent = await wired.discord.slash(wired.user(1), wired.channel, "ofc play")
    assert sent.acknowledged
    assert sent.seconds >= 0
    assert (await sent.finished()).answer is not None
    assert [request.kind for request in wired.discord.requests if request.kind == "callback"] == ["callback"]


async def test_what_is_private_is_seen_by_one(wired: WiredBot) -> None:
    sent = await wired.discord.slash(wired.user(1), wired.channel, "ofc profile").finished()
    assert wired.channel.private(wired.user(1)) == [sent.answer]
    assert wired.channel.public() == []


async def test_forms_are_shown_and_submitted(wired: WiredBot) -> None:
    manager = wired.discord.user(9, manager=True)
    answer = (await wired.discord.slash(manager, wired.channel, "setup", topic="house rules").finished()).answer
    assert answer is not None
    asked = await wired.discord.press(
        manager, answer, next(iter(custom_ids(answer, "house_new"))), values=["pineapple"]
    )
    assert asked.form is not None
    await wired.discord.submit(asked, "Ours").finished()
    assert [game.name for game in await wired.bot.services.play.games(GuildId(wired.channel.guild.id))] == ["Ours"]


async def test_an_option_that_completes_itself_offers_games(wired: WiredBot) -> None:
    sent = await wired.discord.suggest(wired.user(1), wired.channel, "ofc play", "game", "pine")
    assert "pineapple" in [choice["value"] for choice in sent.choices]


async def test_a_table_whose_message_is_gone_is_posted_anew(wired: WiredBot) -> None:
    failed: list[Request] = []

    def gone(request: Request) -> Fault | None:
        if request.kind == "edit" and not failed:
            failed.append(request)
            return Fault(status=404, code=UNKNOWN_MESSAGE)
        return None

    await wired.discord.slash(wired.user(1), wired.channel, "ofc play").finished()
    await wired.drawn()
    first = wired.table()
    wired.discord.hook = gone
    await wired.tap(wired.user(2), first, "join")
    await wired.drawn()
    assert failed[0].status == 404
    assert wired.table() is not first
    assert list(custom_ids(wired.table(), "start"))


async def test_a_channel_that_may_not_be_written_in_does_not_stop_the_game(wired: WiredBot) -> None:
    await wired.open(wired.user(1), wired.user(2))
    wired.discord.hook = lambda request: (
        Fault(status=403, code=MISSING_PERMISSIONS) if request.kind in ("send", "edit") else None
    )
    await wired.place_cards(wired.user(2))
    wired.discord.hook = None
    await wired.play_hand()
    assert (await wired.bot.services.play.result(wired.key, 1)).record.state is HandState.SETTLED


async def test_a_table_in_a_deleted_channel_is_closed(wired: WiredBot) -> None:
    await wired.discord.slash(wired.user(1), wired.channel, "ofc play").finished()
    await wired.drawn()
    wired.discord.hook = lambda request: Fault(status=404, code=UNKNOWN_CHANNEL) if request.kind == "edit" else None
    await wired.tap(wired.user(2), wired.table(), "join")
    await wired.drawn()
    assert not (await wired.look()).table.open


async def test_a_limit_is_waited_for_by_discord_py_itself(wired: WiredBot) -> None:
    answers = iter([Fault(status=429, retry_after=0.0)])
    wired.discord.hook = lambda request: next(answers, None) if request.kind == "send" else None
    await wired.discord.slash(wired.user(1), wired.channel, "ofc play").finished()
    await wired.drawn()
    assert [request.status for request in wired.discord.requests if request.kind == "send"] == [429, 200, 200]


async def test_an_answer_that_is_lost_on_its_way_back_had_its_effect(wired: WiredBot) -> None:
    answers = iter([Fault(error=TimeoutError(), done=True)])
    wired.discord.hook = lambda request: next(answers, None) if request.kind == "callback" else None
    sent = await wired.discord.slash(wired.user(1), wired.channel, "ofc play").finished()
    assert sent.acknowledged
    assert len(await wired.bot.services.play.open_tables(GuildId(wired.channel.guild.id))) == 1


async def test_the_world_outlives_the_bot(wired: WiredBot, tmp_path: Path) -> None:
    await wired.open(wired.user(1), wired.user(2))
    before = wired.table()
    await wired.discord.stop()
    wired.bot = await make_bot(wired.discord, tmp_path)
    await wired.discord.start(wired.bot)
    await wired.tap(wired.user(2), before, "hand")
    await wired.place_cards(wired.user(2))
    assert (await wired.look()).waiting == (str(wired.user(1).id),)


async def test_two_results_within_a_moment_are_two_messages(wired: WiredBot) -> None:
    """Discord takes a message with the nonce of a moment ago for that message: no two may share one."""
    await wired.open(wired.user(1), wired.user(2))
    for _ in range(2):
        await wired.play_hand()
        sessions = transactions_of(wired.bot.services.play)
        await sessions.write(lambda s: s.tx.timers.set_timer(wired.key, Timer.NEXT_HAND, s.now))
        await wired.bot.clockwork.timekeeper.tick()
        await wired.drawn()
    nonces = [request.json["nonce"] for request in wired.discord.requests if '"nonce"' in request.body]
    assert len(nonces) == len(set(nonces))
    titles = [WORDS("result.heading", hand=hand, table=1) for hand in (1, 2)]
    assert all(any(title in message.text for message in wired.channel.public()) for title in titles)
