"""The real bot on the stand-in: a table from its opening to its result, and requests that fail."""

from pathlib import Path

from bot.play.model import GuildId, HandState, Timer
from bot.text.words import words_for
from tests.standin.rest import MISSING_PERMISSIONS, UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, Fault, Request
from tests.standin.room import Room, make_bot
from tests.standin.standin import custom_ids

WORDS = words_for("en")


async def test_a_whole_hand_is_played_by_presses(room: Room) -> None:
    alice, bob = room.user(1), room.user(2)
    await room.open(alice, bob)
    await room.play_hand()
    result = await room.bot.services.play.result(room.key, 1)
    assert result.record.state is HandState.SETTLED
    title = WORDS("result.title", hand=1)
    assert any(title in message.text for message in room.channel.public())
    assert not any(title in message.text for message in room.channel.private(alice))


async def test_a_press_knows_when_it_was_answered_and_when_its_handler_has_ended(room: Room) -> None:
    sent = await room.discord.slash(room.user(1), room.channel, "ofc play")
    assert sent.acknowledged
    assert sent.seconds >= 0
    assert (await sent.finished()).answer is not None
    assert [request.kind for request in room.discord.requests if request.kind == "callback"] == ["callback"]


async def test_what_is_private_is_seen_by_one(room: Room) -> None:
    sent = await room.discord.slash(room.user(1), room.channel, "chips balance").finished()
    assert room.channel.private(room.user(1)) == [sent.answer]
    assert room.channel.public() == []


async def test_forms_are_shown_and_submitted(room: Room) -> None:
    manager = room.discord.user(9, manager=True)
    answer = (await room.discord.slash(manager, room.channel, "house-rules").finished()).answer
    assert answer is not None
    asked = await room.discord.press(manager, answer, next(iter(custom_ids(answer, "house_new"))), values=["pineapple"])
    assert asked.form is not None
    await room.discord.submit(asked, "Ours").finished()
    assert [game.name for game in await room.bot.services.play.games(GuildId(room.channel.guild.id))] == ["Ours"]


async def test_an_option_that_completes_itself_offers_games(room: Room) -> None:
    sent = await room.discord.suggest(room.user(1), room.channel, "ofc play", "variant", "pine")
    assert "pineapple" in [choice["value"] for choice in sent.choices]


async def test_a_table_whose_message_is_gone_is_posted_anew(room: Room) -> None:
    failed: list[Request] = []

    def gone(request: Request) -> Fault | None:
        if request.kind == "edit" and not failed:
            failed.append(request)
            return Fault(status=404, code=UNKNOWN_MESSAGE)
        return None

    await room.discord.slash(room.user(1), room.channel, "ofc play").finished()
    await room.drawn()
    first = room.table()
    room.discord.hook = gone
    await room.tap(room.user(2), first, "join")
    await room.drawn()
    assert failed[0].status == 404
    assert room.table() is not first
    assert list(custom_ids(room.table(), "start"))


async def test_a_channel_that_may_not_be_written_in_does_not_stop_the_game(room: Room) -> None:
    await room.open(room.user(1), room.user(2))
    room.discord.hook = lambda request: (
        Fault(status=403, code=MISSING_PERMISSIONS) if request.kind in ("send", "edit") else None
    )
    await room.lay(room.user(2))
    room.discord.hook = None
    await room.play_hand()
    assert (await room.bot.services.play.result(room.key, 1)).record.state is HandState.SETTLED


async def test_a_table_in_a_deleted_channel_is_closed(room: Room) -> None:
    await room.discord.slash(room.user(1), room.channel, "ofc play").finished()
    await room.drawn()
    room.discord.hook = lambda request: Fault(status=404, code=UNKNOWN_CHANNEL) if request.kind == "edit" else None
    await room.tap(room.user(2), room.table(), "join")
    await room.drawn()
    assert not (await room.look()).table.open


async def test_a_limit_is_waited_for_by_discord_py_itself(room: Room) -> None:
    answers = iter([Fault(status=429, retry_after=0.0)])
    room.discord.hook = lambda request: next(answers, None) if request.kind == "send" else None
    await room.discord.slash(room.user(1), room.channel, "ofc play").finished()
    await room.drawn()
    assert [request.status for request in room.discord.requests if request.kind == "send"] == [429, 200, 200]


async def test_an_answer_that_is_lost_on_its_way_back_had_its_effect(room: Room) -> None:
    answers = iter([Fault(error=TimeoutError(), done=True)])
    room.discord.hook = lambda request: next(answers, None) if request.kind == "callback" else None
    sent = await room.discord.slash(room.user(1), room.channel, "ofc play").finished()
    assert sent.acknowledged
    assert len(await room.bot.services.play.open_tables(GuildId(room.channel.guild.id))) == 1


async def test_the_world_outlives_the_bot(room: Room, tmp_path: Path) -> None:
    await room.open(room.user(1), room.user(2))
    before = room.table()
    await room.discord.stop()
    room.bot = await make_bot(tmp_path)
    await room.discord.start(room.bot)
    await room.tap(room.user(2), before, "hand")
    await room.lay(room.user(2))
    assert (await room.look()).waiting == (str(room.user(1).id),)


async def test_two_results_within_a_moment_are_two_messages(room: Room) -> None:
    """Discord takes a message with the nonce of a moment ago for that message: no two may share one."""
    await room.open(room.user(1), room.user(2))
    for _ in range(2):
        await room.play_hand()
        await room.bot.services.play.write(lambda s: s.tx.set_timer(room.key, Timer.NEXT_HAND, s.now))
        await room.bot.services.play.tick()
        await room.drawn()
    nonces = [request.json["nonce"] for request in room.discord.requests if '"nonce"' in request.body]
    assert len(nonces) == len(set(nonces))
    titles = [WORDS("result.title", hand=hand) for hand in (1, 2)]
    assert all(any(title in message.text for message in room.channel.public()) for title in titles)
