"""Results add up: the lines of each pair match the movements by row, in points and in chips."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from bot.chat.kit.faces import Faces
from bot.chat.kit.fragments import MAX_TEXT_LENGTH, text_length
from bot.chat.kit.widgets import Screen
from bot.chat.table.screens.picture import why_limited
from bot.chat.table.screens.replay import replay_screen
from bot.chat.table.screens.result import result_screens
from bot.model.ids import Player, TableKey
from bot.model.tables import Limits
from bot.play.queries.results import PaidPair, ResultView
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.settlement import Limit, Stakes, WinCap, settle, settled_pairs, settling_order
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import view_for
from bot.text.languages import LANGUAGES
from bot.text.words import MINUS, words_for
from tests.play.world import ANN, BOB, CLEO, DAN, GUILD, FixedVault, World
from tests.pure.notation.hands import ended

WORDS = words_for("en")
NUMBER = rf"[+{MINUS}]?[\d,]+"
CHIPS = rf"(?P<chips>{NUMBER})(?: of (?P<owed>[\d,]+))? chips?"
WINS = rf"wins (?:{CHIPS}|(?P<won>[\d,]+) points?) from"
PAIR = re.compile(
    rf"^\*\*(?P<first>\w+)\*\* (?:{WINS}|and) \*\*(?P<second>\w+)\*\*"
    rf"(?: \((?P<points>{NUMBER})\)| break even)?(?:: (?P<parts>.+))?$"
)
OF_GROUP = re.compile(
    rf"^(?:{CHIPS} \((?P<points>{NUMBER})\) (?:from|to)|(?P<won>{NUMBER}) points? (?:from|to)|Even with)"
    rf" \*\*(?P<second>\w+)\*\*: (?P<parts>.+)$"
)
HEADING = re.compile(r"^\*\*(\w+)\*\* against the others:$")
TOTAL = re.compile(rf"^\*\*(\w+)\*\* (?:\*\*)?({NUMBER})(?:\*\*)?(?: \(({NUMBER})\))?(?: · .*)?$")
SETTLEMENTS = 2000
PRIZES = ("pineapple", "classic", "two_seven", "thirteen", "progressive", "double_classic")


def number(text: str) -> int:
    return int(text.replace(MINUS, "-").replace(",", ""))


def lines_of(screens: list[Screen]) -> list[str]:
    texts = [part["content"] for shown in screens for part in shown.walk() if "content" in part]
    return [line for text in texts for line in text.split("\n")]


class Told:
    """The contents of a result's lines, parsed by their form only."""

    def __init__(self, lines: list[str]) -> None:
        self.points: Counter[str] = Counter()
        self.chips: Counter[str] = Counter()
        self.owed: Counter[str] = Counter()
        self.order: list[frozenset[str]] = []
        self.totals: dict[str, tuple[int, int]] = {}
        self.rows = 0
        heading = ""
        for line in lines:
            if found := TOTAL.match(line):
                self.totals[found[1]] = number(found[2]), number(found[3] or "0")
            elif found := HEADING.match(line):
                heading = found[1]
            elif found := PAIR.match(line):
                self._pair(found["first"], found)
            elif heading and (found := OF_GROUP.match(line)):
                self._pair(heading, found)

    def _pair(self, first: str, found: re.Match[str]) -> None:
        second, points = found["second"], number(found["points"] or found["won"] or "0")
        chips = abs(number(found["chips"] or "0")) * (1 if points > 0 else -1)
        owed = abs(number(found["owed"] or found["chips"] or "0"))
        self.order.append(frozenset((first, second)))
        for player, side in ((first, 1), (second, -1)):
            self.points[player] += side * points
            self.chips[player] += side * chips
            self.owed[player] += side * owed * (1 if points > 0 else -1)
        if found["parts"]:
            self._add_up(found["parts"], points)

    def _add_up(self, parts: str, points: int) -> None:
        if not re.search(r"\d", parts):
            assert points == 0, parts
            return
        royalties = re.search(r"royalties (\d+)–(\d+)$", parts)
        own, its = map(int, royalties.groups()) if royalties else (0, 0)
        rest = parts[: royalties.start()] if royalties else parts
        assert sum(map(number, re.findall(NUMBER, rest))) + own - its == points, parts
        self.rows += 1


def name(seat: int) -> str:
    return f"P{seat}"


def named(seats: int) -> Faces:
    drawn = Faces()
    for seat in range(seats):
        drawn.names.saw(GUILD, str(seat), name(seat))
    return drawn


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    world = World(tmp_path, fixed=FixedVault([b"k" * 32]))
    await world.open()
    yield world
    await world.close()


@pytest.fixture
async def base(world: World) -> ResultView:
    """Return a result from which others are derived."""
    key = await world.started(ANN, BOB)
    await world.play_hand(key)
    return await world.play.result(key, 1)


def settlements(base: ResultView, chance: Random, count: int) -> Iterator[tuple[ResultView, dict[str, int]]]:
    """Random hands of many games, each settled several times with other stacks and limits; with who wins what."""
    while count > 0:
        variant = PRESETS[chance.choice(PRIZES)]
        if chance.random() < 0.1:
            variant = house_variant("pineapple", {"results": "netted"}, name="Net")
        hand = ended(variant, chance).hand
        hand = replace(hand, seats=tuple(replace(seat, player=str(n)) for n, seat in enumerate(hand.seats)))
        for _ in range(10):
            count -= 1
            seats, value = len(hand.seats), chance.choice([1, 10, 200])
            stacks = [chance.choice([1, 3, 10, 40, 1000]) * value for _ in range(seats)]
            stakes = Stakes(point_value=value, win_cap=chance.choice(list(WinCap)), bust_is_final=chance.random() < 0.3)
            turned = replace(hand, button=chance.randrange(seats))
            paid = settle(turned.score, stacks=stacks, button=turned.button, stakes=stakes)
            won = {name(n): sum(p.chips * ((p.payee == n) - (p.payer == n)) for p in paid) for n in range(seats)}
            pairs = tuple(
                PaidPair(winner=p.payee, loser=p.payer, owed=p.owed, chips=p.chips, limit=p.limit, stack=stacks[0])
                for p in settled_pairs(turned.score, stacks=stacks, button=turned.button, stakes=stakes)
            )
            yield _result(base, variant, view_for(turned, None), pairs, value, won), won


def _result(
    base: ResultView, variant: Variant, hand: object, pairs: tuple[PaidPair, ...], value: int, won: dict[str, int]
) -> ResultView:
    view = replace(base, hand=hand, pairs=pairs, record=replace(base.record, variant=variant, point_value=value))  # type: ignore[arg-type]
    assert view.hand is not None
    assert view.hand.score is not None
    results = [
        replace(base.results[0], player=Player(str(n)), points=points, chips=won[name(n)], fantasyland=0)
        for n, points in enumerate(view.hand.score.points)
    ]
    return replace(view, results=tuple(results))


async def test_the_lines_of_thousands_of_settlements_sum_to_their_totals(base: ResultView) -> None:
    chance, seen = Random(25), Counter[object]()
    for view, won in settlements(base, chance, SETTLEMENTS):
        assert view.hand is not None
        assert view.hand.score is not None
        limited = any(pair.chips != pair.owed for pair in view.pairs)
        told = Told(lines_of(result_screens(view, WORDS, named(len(won)), whole=True)))
        points = {name(n): points for n, points in enumerate(view.hand.score.points)}
        assert told.totals == {player: (points[player], chips) for player, chips in won.items()}
        names = [name(seat) for seat in range(len(won))]
        posted = lines_of(result_screens(view, WORDS, named(len(won)), picture="boards"))
        explained = why_limited(view, [f"**{one}**" for one in names], WORDS) if limited else "-#"
        assert [line for line in posted if line.startswith("-#")] == [explained] * limited, "why chips are missing"
        seen["explained"] += limited
        seen[len(won), limited] += 1
        if view.hand.variant.netted_results and not limited:
            continue
        assert {player: told.points[player] for player in won} == points
        assert {player: told.chips[player] for player in won} == won
        order = settling_order(view.hand.score.pairs, seats=len(won), button=view.hand.button)
        assert told.order == [frozenset((name(pair.first), name(pair.second))) for pair in order]
        seen["rows"] += told.rows
        seen.update(pair.limit for pair in view.pairs)
    assert all(seen[limit] > 30 for limit in Limit), seen
    assert all(seen[seats, limited] for seats in (2, 3, 4) for limited in (False, True)), seen
    assert seen["rows"] > SETTLEMENTS
    assert seen["explained"] > 30


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_result_of_any_settlement_fits_into_messages(base: ResultView, language: str) -> None:
    words = words_for(language)
    for view, won in settlements(base, Random(7), 300):
        pages = result_screens(view, words, named(len(won)), whole=True)
        assert all(text_length(page) <= MAX_TEXT_LENGTH for page in pages)
        told = "\n".join(lines_of(pages))
        for pair in view.pairs:
            assert words.number(pair.chips) in told, "the same numbers in every language"


async def rows_of_ledger(world: World, key: TableKey, hand: int) -> dict[frozenset[Player], int]:
    rows = world.ask(
        "SELECT p.owner, q.owner, t.amount FROM transfer t JOIN account p ON p.account_id = t.payer"
        " JOIN account q ON q.account_id = t.payee WHERE t.table_id = ? AND t.hand_no = ?",
        key.table,
        hand,
    )
    return {frozenset((payer, payee)): amount for payer, payee, amount in rows}


@pytest.mark.parametrize("cap", WinCap)
async def test_the_chips_of_each_line_are_those_of_the_ledger_hand_after_hand(world: World, cap: WinCap) -> None:
    names, limited = {ANN: "P1", BOB: "P2", CLEO: "P3", DAN: "P4"}, 0
    drawn = Faces()
    for player, called in names.items():
        drawn.names.saw(GUILD, player, called)
    limits = Limits(win_cap=cap)
    for players, buy_in in (((ANN, BOB, CLEO), 200), ((ANN, BOB, CLEO, DAN), 200)):
        key = await world.table(*players, variant=PRESETS["classic"], point_value=10, buy_in=buy_in, limits=limits)
        await world.start(key)
        for hand in range(1, 8):
            await world.play_hand(key)
            view = await world.play.result(key, hand)
            told = Told(lines_of(result_screens(view, WORDS, drawn, whole=True)))
            replay = await world.play.replay(key, hand, None)
            assert Told(lines_of([replay_screen(replay, replay.last, WORDS, drawn)])).chips == told.chips
            ledger = await rows_of_ledger(world, key, hand)
            assert {pair: chips for pair, chips in _by_pair(view).items() if chips} == ledger
            moved = {result.player: result.chips for result in view.results}
            assert {player: told.chips[names[player]] for player in moved} == moved
            limited += any(pair.limit is not None for pair in view.pairs)
            assert all(pair.limit is not None for pair in view.pairs if pair.chips < pair.owed), "and it says why"
            if not (await world.next_hand(key)).waiting:
                break
    assert limited, "a stack has limited a hand"


def _by_pair(view: ResultView) -> dict[frozenset[str], int]:
    assert view.hand is not None
    seats = view.hand.seats
    return {frozenset((seats[pair.winner].player, seats[pair.loser].player)): pair.chips for pair in view.pairs}
