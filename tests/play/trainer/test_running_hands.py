"""No help in running hands: what's refused, and that a refusal reveals nothing hidden."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.model.ids import GuildId, Player, TableKey
from bot.model.reasons import TrainerReason
from bot.play.trainer import running_hands
from bot.play.trainer.known_puzzles import known_puzzles
from bot.pure.ofc.cards import Card, full_deck
from bot.pure.ofc.placement import automatic_placement
from bot.pure.ofc.presets import CLASSIC, PINEAPPLE
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.view import HandView
from bot.pure.trainer.position import Position, position_in
from bot.pure.trainer.suits import RENAMINGS, renamed_position
from tests.play.trainer.test_day_puzzles import Mornings
from tests.play.world import ANN, BOB, CLEO, EVE, World

OTHER_GUILD = GuildId(77)
ALLOWED = None


async def position_of(world: World, key: TableKey, player: Player) -> Position:
    """Return the player's position in the running hand."""
    view = await world.play.look(key, player)
    assert view.hand is not None
    return position_in(view.hand)


async def refused(world: World, player: Player, position: Position) -> TrainerReason | None:
    """Return the reason for which a player's request is refused because of a running hand; None if it isn't.

    The search itself isn't awaited.
    """
    if await world.sessions.read(lambda s: running_hands.is_in_own_hand(s, player, position)):
        return TrainerReason.IN_YOUR_HAND
    tables = await world.sessions.read(running_hands.others_hands)
    if await world.sessions.read(lambda s: running_hands.is_in_hand(s, player, position, tables)):
        return TrainerReason.IN_A_HAND
    return ALLOWED


async def on_street(world: World, street: int, *players: Player) -> tuple[TableKey, Player]:
    """Deal a hand and play it to a street; returns the table and the player on turn."""
    key = await world.started(*(players or (ANN, BOB)))
    for _ in range(street - 1):
        await world.play_street(key)
    return key, await world.turn(key)


def others_cards(position: Position) -> list[Card]:
    """Return the cards that the position doesn't contain."""
    boards = [position.rows, *(one.rows for one in position.opponents)]
    known = {*position.held, *position.discards, *(card for rows in boards for row in rows for card in row)}
    return [card for card in full_deck() if card not in known]


# the asker's own hands


@pytest.mark.parametrize("street", range(1, 6))
async def test_no_position_of_a_hand_may_be_analysed_by_its_player(world: World, street: int) -> None:
    key, player = await on_street(world, street)
    mine = await position_of(world, key, player)
    left = others_cards(mine)
    asked = [
        mine,
        replace(mine, opponents=()),
        replace(mine, discards=()),
        replace(mine, held=(*mine.held[:-1], left[0])),
        replace(mine, held=mine.held[::-1], opponents=()),
    ]
    for one in asked:
        for suits in RENAMINGS:
            assert await refused(world, player, renamed_position(one, suits)) is TrainerReason.IN_YOUR_HAND


async def test_it_is_refused_wherever_and_in_whatever_game_it_is_asked(world: World) -> None:
    key = await world.started(ANN, BOB, guild=OTHER_GUILD)
    player = await world.turn(key)
    mine = await position_of(world, key, player)
    for game in (PINEAPPLE, CLASSIC):
        with pytest.raises(Refused) as error:
            await world.trainer.analyse(player, GuildId(0), game, mine)
        assert error.value.reason is TrainerReason.IN_YOUR_HAND


async def test_looking_ahead_and_back_in_one_s_own_hand_is_refused(world: World) -> None:
    key, player = await on_street(world, 2)
    now = await position_of(world, key, player)
    before = await position_of(world, key, player)
    await world.place_cards(key, player)
    after = await position_of(world, key, player)
    left = others_cards(after)
    ahead = replace(after, held=tuple(left[:3]), opponents=())
    assert await refused(world, player, ahead) is TrainerReason.IN_YOUR_HAND
    for past in (now, before):
        assert await refused(world, player, replace(past, opponents=())) is TrainerReason.IN_YOUR_HAND


async def test_the_opponents_view_of_one_s_own_hand_is_refused(world: World) -> None:
    """The cards to place are guessed. The boards are those on the table, each as anyone's."""
    key, player = await on_street(world, 3)
    mine = await position_of(world, key, player)
    (opponent,) = mine.opponents
    left = others_cards(mine)
    other = Position(rows=opponent.rows, held=tuple(left[:3]))
    assert await refused(world, player, other) is TrainerReason.IN_YOUR_HAND
    changed = Position(rows=((), (), ()), held=tuple(left[:5]), opponents=(opponent,))
    assert await refused(world, player, changed) is TrainerReason.IN_YOUR_HAND


async def test_a_hand_that_is_over_may_be_analysed(world: World) -> None:
    key, player = await on_street(world, 2)
    mine = await position_of(world, key, player)
    await world.play_hand(key)
    assert await refused(world, player, mine) is ALLOWED
    found = await world.trainer.analyse(player, GuildId(0), PINEAPPLE, mine)
    assert len(found.placements) == 5


async def test_where_hints_are_allowed_an_analysis_is_too(world: World) -> None:
    key = await world.started(ANN, point_value=0, computers=1)
    while await world.turn(key) != ANN:
        await world.later(world.policy.computer_ms)
    assert await refused(world, ANN, await position_of(world, key, ANN)) is ALLOWED


async def test_a_correspondence_hand_is_still_running_days_later(world: World) -> None:
    key = await world.started(ANN, BOB)
    player = await world.turn(key)
    mine = await position_of(world, key, player)
    await world.restart(after_ms=60)
    assert await refused(world, player, mine) is TrainerReason.IN_YOUR_HAND


# the hands of others


async def test_the_board_of_a_running_hand_is_refused_to_everybody(world: World) -> None:
    key, player = await on_street(world, 3)
    mine = await position_of(world, key, player)
    left = others_cards(mine)
    for asker in (CLEO, EVE):
        for suits in RENAMINGS:
            assert await refused(world, asker, renamed_position(mine, suits)) is TrainerReason.IN_A_HAND
        without = replace(mine, opponents=(), discards=(), held=tuple(left[:3]))
        assert await refused(world, asker, without) is TrainerReason.IN_A_HAND


@pytest.mark.parametrize("street", range(1, 6))
async def test_a_stranger_does_not_learn_what_a_player_holds(world: World, street: int) -> None:
    """All guesses get the same answer, because it depends only on boards that are face up."""
    key, player = await on_street(world, street)
    mine = await position_of(world, key, player)
    left = others_cards(mine)
    guesses = [mine.held, *(tuple(left[at : at + len(mine.held)]) for at in range(0, 20, 5)), mine.held[::-1]]
    for discards in {(), mine.discards}:
        answers = {await refused(world, CLEO, replace(mine, held=held, discards=discards)) for held in guesses}
        assert answers == {TrainerReason.IN_A_HAND if any(mine.rows) else ALLOWED}


async def test_an_opponent_does_not_learn_what_a_player_holds(world: World) -> None:
    key, player = await on_street(world, 3)
    other = BOB if player == ANN else ANN
    theirs, mine = await position_of(world, key, player), await position_of(world, key, other)
    known = {*mine.held, *mine.discards}
    left = [card for card in others_cards(mine) if card not in known]
    guesses = [theirs.held, tuple(left[:3]), tuple(left[-3:])]
    asked = [replace(theirs, held=held, discards=(), opponents=theirs.opponents) for held in guesses]
    assert {await refused(world, other, one) for one in asked} == {TrainerReason.IN_YOUR_HAND}


async def test_on_the_first_street_an_opponent_does_not_learn_it_either(world: World) -> None:
    key, player = await on_street(world, 1)
    other = BOB if player == ANN else ANN
    theirs, mine = await position_of(world, key, player), await position_of(world, key, other)
    left = [card for card in others_cards(mine) if card not in theirs.held]
    for held in (theirs.held, tuple(left[:5])):
        assert await refused(world, other, Position(rows=((), (), ()), held=held)) is ALLOWED


async def test_another_player_s_practice_and_hand_of_the_day_are_not_looked_at(world: World) -> None:
    key = await world.started(ANN, point_value=0, computers=1)
    while await world.turn(key) != ANN:
        await world.later(world.policy.computer_ms)
    await world.place_cards(key, ANN)
    while await world.turn(key) != ANN:
        await world.later(world.policy.computer_ms)
    assert await refused(world, BOB, await position_of(world, key, ANN)) is ALLOWED


async def test_the_hand_of_the_day_is_refused_until_one_has_finished_it(world: World) -> None:
    day = (await world.daily.today(ANN)).of.number
    await world.daily.begin(day, ANN, cause=world.cause())
    view = (await world.daily.look(day, ANN)).hand
    assert view is not None
    first = position_in(view)
    assert await refused(world, ANN, first) is TrainerReason.IN_YOUR_HAND
    assert await refused(world, BOB, first) is ALLOWED, "Bob's own cards of the day are no secret to him, only to come"
    while not view.over:
        await world.daily.place(day, ANN, street=view.street, rows=_plain(view), cause=world.cause())
        found = (await world.daily.look(day, ANN)).hand
        assert found is not None
        view = found
    assert await refused(world, ANN, first) is ALLOWED


def _plain(view: HandView) -> str:
    position = position_in(view)
    return automatic_placement(position.rows, position.held, to_place=view.to_place)


# puzzles of the day


async def test_a_puzzle_of_the_day_is_refused_in_every_server_until_it_is_over(world: World) -> None:
    mornings = Mornings(world)
    puzzle = known_puzzles()[(await mornings.asked()).name]
    for position in (puzzle.position, replace(puzzle.position, opponents=(), discards=())):
        for guild in (GuildId(0), OTHER_GUILD):
            with pytest.raises(Refused) as error:
                await world.trainer.analyse(CLEO, guild, puzzle.variant, position)
            assert error.value.reason is TrainerReason.IN_A_DAY_PUZZLE
    world.now = mornings.at
    assert (await world.trainer.analyse(CLEO, GuildId(0), puzzle.variant, puzzle.position)).placements
