"""Looking back at hands: the content of a replay and a file, its readers, and which hands are found."""

from collections import Counter
from random import Random

from bot.model.clock import DAY
from bot.model.hands import HandAge, HandFilter, HandOutcome
from bot.model.ids import Player, TableKey
from bot.model.reasons import HandReason, TableReason
from bot.play.queries.replays import Frame, PostedResult, build_frames
from bot.pure.notation.files import as_toml, read_history
from bot.pure.notation.history import UNKNOWN, HandHistory
from bot.pure.ofc.presets import CLASSIC
from bot.pure.ofc.view import view_for
from tests.play.world import ANN, BOB, CLEO, DAN, GUILD, World
from tests.pure.notation.hands import ended
from tests.pure.ofc.games import VARIANTS, Played


def hands() -> list[tuple[Played, str | None]]:
    """Return hands of all games, each with a viewer, who may be a player or not."""
    chance = Random(5)
    found = []
    for number in range(2 * len(VARIANTS)):
        played = ended(VARIANTS[number % len(VARIANTS)], chance)
        found.append((played, chance.choice([None, *(seat.player for seat in played.hand.seats)])))
    return found


def cards_of(frame: Frame) -> Counter[int]:
    """The places in the deck of all cards on a frame."""
    return Counter(
        card.place  # type: ignore[attr-defined]  # cards of these hands remember their place
        for seat in frame.seats
        for card in (*seat.discards, *(card for rows in (seat.before, seat.placed) for row in rows for card in row))
    )


def test_no_street_shows_a_card_that_its_reader_may_not_know() -> None:
    for played, reader in hands():
        end = view_for(played.hand, reader)
        known = {
            getattr(card, "place", None)
            for seat in end.seats
            for card in (*seat.discards, *(card for row in seat.rows for card in row))
        }
        for frame in build_frames(played.hand, played.log, reader):
            cards = cards_of(frame)
            assert set(cards) <= known, played.hand.variant.key
            assert max(cards.values(), default=0) <= 1


def test_the_last_street_leaves_the_boards_of_the_end() -> None:
    for played, reader in hands():
        for number, seat in enumerate(played.hand.seats if not played.hand.variant.at_once else ()):
            last = build_frames(played.hand, played.log, reader)[-1:]
            for frame in last if not seat.fantasyland else ():
                told = frame.seats[number]
                rows = tuple(before + placed for before, placed in zip(told.before, told.placed, strict=True))
                assert rows == seat.rows


async def file_of(world: World, key: TableKey, hand_no: int, player: Player) -> HandHistory:
    text = await world.play.history_file(key, hand_no, player)
    read = read_history(text)
    assert not read.wrong
    assert as_toml(read.history) == text
    return read.history


async def test_a_hand_that_is_not_over_has_no_replay_and_no_file(world: World) -> None:
    key = await world.started(ANN, BOB)
    for look in (world.play.replay, world.play.history_file):
        with world.refuses(HandReason.NOT_REVEALED_YET, hand=1):
            await look(key, 1, ANN)
        with world.refuses(HandReason.NO_SUCH_HAND, last=1):
            await look(key, 2, ANN)
    await world.play.close(key, reason="by_manager")
    with world.refuses(HandReason.HAND_WAS_VOID, hand=1):
        await world.play.replay(key, 1, ANN)


async def test_the_discards_of_others_stay_hidden_until_the_deck_is_public(world: World) -> None:
    key = await world.started(ANN, BOB)
    await world.play_hand(key)
    ann, cleo = await file_of(world, key, 1, ANN), await file_of(world, key, 1, CLEO)
    assert (ann.cards.count(UNKNOWN), cleo.cards.count(UNKNOWN)) == (4, 8)
    replay = await world.play.replay(key, 1, ANN)
    assert [[len(seat.discards) for seat in frame.seats] for frame in replay.frames] == [[0, 0], *[[1, 0]] * 4]
    await world.play.close(key, reason="by_manager")
    assert not (await world.play.look(key)).table.open
    assert (await file_of(world, key, 1, CLEO)).whole
    assert not (await world.play.replay(key, 1, CLEO)).frames[1].seats[0].discards


async def test_a_file_tells_the_chips_before_and_after(world: World) -> None:
    key = await world.started(ANN, BOB, point_value=10)
    for number in (1, 2):
        before = {place.seat.player: place.stack for place in (await world.play.look(key)).places}
        await world.play_hand(key)
        after = {place.seat.player: place.stack for place in (await world.play.look(key)).places}
        history = await file_of(world, key, number, ANN)
        players = [seat.player for seat in history.hand.seats]
        assert list(history.stacks) == [before[Player(player)] for player in players]
        assert history.point_value == 10
        ends = [stack + won for stack, won in zip(history.stacks, history.chips, strict=True)]
        assert ends == [after[Player(player)] for player in players]
        await world.next_hand(key)


async def found(world: World, player: Player, wanted: HandFilter, page: int = 0) -> list[tuple[int, int]]:
    shown = await world.play.past_hands(GUILD, player, wanted, page=page, lines=2)
    return [(line.table.key.table, line.record.hand_no) for line in shown.lines]


async def test_hands_are_found_by_game_opponent_time_and_outcome(world: World) -> None:
    first = await world.started(ANN, BOB, variant=CLASSIC)
    await world.play_hand(first)
    await world.later(8 * DAY)
    second = await world.started(ANN, CLEO)
    await world.play_hand(second)
    await world.next_hand(second)
    await world.play_hand(second)
    assert await found(world, ANN, HandFilter()) == [(2, 2), (2, 1)]
    assert await found(world, ANN, HandFilter(), page=1) == [(1, 1)]
    assert await found(world, BOB, HandFilter()) == [(1, 1)]
    assert await found(world, DAN, HandFilter()) == []
    assert await found(world, ANN, HandFilter(opponent=BOB)) == [(1, 1)]
    assert await found(world, ANN, HandFilter(game="classic")) == [(1, 1)]
    assert await found(world, ANN, HandFilter(game="classic", within=HandAge.WEEK)) == []
    assert await found(world, ANN, HandFilter(within=HandAge.WEEK)) == [(2, 2), (2, 1)]
    points = {key: (await world.play.result(first if key[0] == 1 else second, key[1])) for key in [(1, 1), (2, 1)]}
    for where, result in points.items():
        mine = next(each for each in result.results if each.player == ANN)
        fits = {
            HandOutcome.ANY: True,
            HandOutcome.WON: mine.points > 0,
            HandOutcome.LOST: mine.points < 0,
            HandOutcome.FOUL: mine.foul,
            HandOutcome.FANTASYLAND: mine.fantasyland > 0,
        }
        for outcome, fit in fits.items():
            shown = [
                *await found(world, ANN, HandFilter(outcome=outcome)),
                *await found(world, ANN, HandFilter(outcome=outcome), 1),
            ]
            assert (where in shown) is fit


async def test_where_a_result_is_told_is_noted_when_it_was_posted(world: World) -> None:
    key = await world.started(ANN, BOB)
    await world.play_hand(key)
    (posting,) = await world.play.postings(key)
    await world.play.posted(posting.number, PostedResult(key=key, hand_no=1, channel=7, message=8))
    assert not await world.play.postings(key)
    shown = await world.play.past_hands(GUILD, ANN, HandFilter(), page=0, lines=8)
    assert [(line.record.told_in, line.record.told_by) for line in shown.lines] == [(7, 8)]


async def test_nobody_else_opens_the_hands_of_a_private_table(world: World) -> None:
    key = await world.started(ANN, BOB)
    await world.play_hand(key)
    world.do("UPDATE game_table SET private = 1")
    assert (await world.play.replay(key, 1, ANN)).frames
    for look in (world.play.replay, world.play.history_file):
        with world.refuses(TableReason.NO_TABLE):
            await look(key, 1, CLEO)
