"""The evenings of which the documents have pictures: the same cards and the same presses each time, in either language.

``make pictures`` shows it to a browser (:mod:`tests.pictures`); ``tests/discord/test_pictures.py`` asks, without one,
whether the screens still say what the pictures show.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from simcord import ResponseMessage

from bot.base.installation import HOME
from bot.chat.art.result_picture import BOARD, GAP, MARGIN, WIDTH, DrawnBoard, DrawnRow, draw_result
from bot.chat.table.screens.boards import sorted_row
from bot.chat.table.screens.picture import drawn_hand
from bot.model.bulletins import BulletinKind
from bot.model.clock import DAY
from bot.model.events import Phase
from bot.model.ids import EventKey, TableKey
from bot.model.puzzles import PuzzleName, Solver
from bot.play.trainer.known_puzzles import known_puzzles
from bot.pure.ofc.cards import DISCARD, ROWS, Card, card_name
from bot.pure.ofc.presets import PINEAPPLE
from bot.pure.ofc.ranks import partial_strength, row_strength
from bot.pure.ofc.scoring import score_hand
from bot.pure.trainer.themes import Theme
from bot.text.cards import hand_text
from bot.text.words import words_for
from tests.backstage import transactions_of
from tests.discord.club import Club, Screen, plain_letters
from tests.discord.house_editor import choose_value, new_game
from tests.discord.test_daily import begin, place, view_of
from tests.discord.test_event_form import page, publish, write
from tests.discord.test_family import deal_a_natural
from tests.play.world import quickly
from tests.test_pineapple_page import RESULT, STREETS, boards, cards, tables
from tests.web.open_pages import kept

TAKEN = Path(__file__).resolve().parent.parent / "docs/pictures.json"
"""The digest of what each picture shows, as it was when the picture was taken."""
SEEDS = tuple(hashlib.sha256(f"evening 4 {number}".encode()).digest() for number in range(4))
LUCKY_SEEDS = tuple(hashlib.sha256(f"lucky 34 {number}".encode()).digest() for number in range(4))
EVENT_SEEDS = tuple(hashlib.sha256(f"event 0 {number}".encode()).digest() for number in range(4))
DAY_SEEDS = (hashlib.sha256(b"day 4 0").digest(),)
WEEK_SEED = hashlib.sha256(b"week 34").digest()
PLAIN_STREET = 4
"""The street of the daily hand that Alice places as at a timeout, so that her board differs from the master's."""
STREET, LUCKY_STREET, MAX_TURNS = 3, 4, 30
"""Streets of Alice's pictures, and the maximum turns per hand."""
ENTRANTS = ("alice", "bob", "Carol", "Dave")
EVENT_NAMES = {"en": ("Friday Night OFC", "Champion", "Runner-up"), "ja": ("金曜OFCナイト", "チャンピオン", "準優勝")}
"""Names of an event, and the titles of its first places."""
MAX_HANDS, SEASON_HANDS, WEEK_HANDS = 30, 18, 6
NEIGHBOURS = ("alice", "bob", "hanako")
PLAIN_STREETS = {"alice": (), "bob": (2, 4), "hanako": (4,)}
"""The streets of the daily hand that each player of the week places as at a timeout, so that they rank apart."""
MINUTES_BEFORE = 5
"""Minutes between a hand and the posts of the morning."""
LONE_BOARD = ((WIDTH - WIDTH // 2) // 2, MARGIN - GAP, (WIDTH + WIDTH // 2) // 2, MARGIN + BOARD + GAP)
"""The area of a result's picture that shows a single board."""
STREET_MS, SCORED_MS = 1_500, 4_000
"""Time for which the animation shows a street, and the scored board."""
_SAYS_NO_MORE = {"custom_id", "id"}
_MOMENT = re.compile(r"<t:\d+|\d{15,}|(?<=attachment://)[\w.-]+")
"""Differences between evenings that aren't words: times, ids and file names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """The content of a picture: messages in order, as a viewer sees them on a desktop or on a phone.

    With ``table``, it's the table as a page, which the playground shows next to the channel.
    """

    name: str
    viewer: str
    screens: tuple[Screen, ...]
    on_phone: bool = False
    table: str = ""
    """The messages to the table's page, and its layout, as JSON."""
    solve: Callable[[], Awaitable[None]] | None = None
    """Answers the viewer's puzzle, whose page is shown in place of the table's."""

    @property
    def digest(self) -> str:
        """Digest of the words, the layout and the bot's drawings, without ids and times."""
        seen = json.dumps([_said(screen.components) for screen in self.screens], ensure_ascii=False, sort_keys=True)
        digest = hashlib.sha256(_MOMENT.sub("", seen).encode())
        digest.update(self.table.encode())
        for screen in self.screens:
            for attached in ResponseMessage(screen.club.world.env, screen.message).attachments:
                drawn = Image.open(BytesIO(screen.club.backend.cdn.get(attached.url)))
                digest.update(drawn.convert("RGB").tobytes())
        return digest.hexdigest()[:16]


def file_of(name: str, language: str) -> str:
    """The picture's file among the documents' images."""
    return f"{name}.png" if language == "en" else f"{name}-{language}.png"


def taken() -> Mapping[str, str]:
    """The digests by file."""
    found: dict[str, str] = json.loads(TAKEN.read_text(encoding="utf-8"))
    return found


def drawn_board(language: str) -> Image.Image:
    """Return the finished board of *Pineapple in two minutes*, drawn by the bot."""
    board, scored = boards(language)[0], score_hand(PINEAPPLE, boards(language)).boards[0]
    assert scored.rows is not None
    hands = [(drawn_hand(each, words_for(language)), each.royalty) for each in scored.rows]
    return _drawn(language, rows=board.rows, hands=hands, royalties=scored.royalties)


def drawn_streets(language: str) -> list[Image.Image]:
    """That board after each street of the page, and when it's scored."""
    words, streets = words_for(language), tables(language)[STREETS][1:]
    pictures = []
    rows: list[tuple[Card, ...]] = [(), (), ()]
    for number, street in enumerate(streets, start=1):
        rows = [(*row, *cards(cell)) for row, cell in zip(rows, street[2:5], strict=True)]
        hands = [(hand_text(row_strength(row) if len(row) == 5 else partial_strength(row), words), 0) for row in rows]
        note = words("panel.street", street=number, streets=len(streets))
        pictures.append(_drawn(language, rows=rows, hands=hands, note=note))
    return [*pictures, drawn_board(language)]


def save_moving(pictures: Sequence[Image.Image], path: Path) -> None:
    """Save pictures as one that moves, and that shows the last of them where nothing moves."""
    still = pictures[-1].quantize(64)
    # One palette for all, since a file has only one.
    frames = [picture.quantize(palette=still, dither=Image.Dither.NONE) for picture in pictures]
    durations = [STREET_MS] * (len(pictures) - 1) + [SCORED_MS]
    still.save(path, save_all=True, append_images=frames, default_image=True, duration=durations, loop=0, optimize=True)


def _drawn(
    language: str,
    *,
    rows: Sequence[tuple[Card, ...]],
    hands: Sequence[tuple[str, int]],
    note: str = "",
    royalties: int = 0,
) -> Image.Image:
    """A board as the bot draws it: the cards, hand and royalty of each row."""
    words = words_for(language)
    front, middle, back = (
        DrawnRow(
            letter=words(f"board.mark.{row.key}"),
            cards=tuple(map(card_name, sorted_row(row_cards))),
            hand=hand if row_cards else "",
            royalty=words.signed(royalty) if royalty else "",
        )
        for row, row_cards, (hand, royalty) in zip(ROWS, rows, hands, strict=True)
    )
    name = tables(language)[RESULT][0][1]
    points = words.signed(royalties) if royalties else ""
    drawn = DrawnBoard(name=name, note=note, points=points, won=True, rows=(front, middle, back))
    return Image.open(BytesIO(draw_result([drawn]))).convert("RGB").crop(LONE_BOARD)


def _said(part: Any) -> Any:
    if isinstance(part, dict):
        return {key: _said(value) for key, value in part.items() if key not in _SAYS_NO_MORE}
    return [_said(each) for each in part] if isinstance(part, list) else part


async def _as_page(club: Club, name: str) -> str:
    """Return a table's page for a member without times and random names, and its layout."""
    locale = club.world.locale_of(club.members[name].id)
    async with kept(club.bot.pages, club.player(name), locale=locale, guild=club.key().guild) as shown:
        view = shown.view | {"until": 0, "mine": shown.view["mine"] | {"turn": ""}}
        offers = [offer | {"turn": ""} for offer in view.pop("offers")]
    layout = "".join((HOME / "page" / name).read_text(encoding="utf-8") for name in ("page.html", "style.css"))
    return _MOMENT.sub("", json.dumps([view, offers, shown.words, layout], ensure_ascii=False, sort_keys=True))


async def _as_solution(club: Club, name: str, puzzle: PuzzleName, letters: str) -> str:
    """Return the page of a member who answers a puzzle, and its layout."""
    await given(club, name, puzzle)
    locale, guild = club.world.locale_of(club.members[name].id), club.key().guild
    async with kept(club.bot.pages, club.player(name), locale=locale, guild=guild, puzzle=True) as shown:
        answer = await shown.ask("confirm", letters.replace(DISCARD, "."))
        assert answer["outcome"] == "done"
        view = shown.view
    layout = (HOME / "page/puzzle/puzzle.css").read_text(encoding="utf-8")
    return _MOMENT.sub("", json.dumps([view, layout], ensure_ascii=False, sort_keys=True))


async def given(club: Club, name: str, puzzle: PuzzleName) -> None:
    """Give a member this puzzle."""
    player = club.player(name)
    await transactions_of(club.play).write(lambda s: s.tx.puzzles.save_solver(player, Solver(shown=puzzle)))


async def training(club: Club) -> AsyncIterator[Shot]:
    """Alice misses a puzzle that Bob has solved."""
    names = (name for name, one in known_puzzles().items() if one.theme is Theme.FANTASYLAND)
    puzzle = next(name for name in names if known_puzzles()[name].variant == PINEAPPLE)
    best, second = (one.letters for one in known_puzzles()[puzzle].placements[:2])
    solved = await _as_solution(club, "bob", puzzle, best)
    await given(club, "alice", puzzle)

    async def answer() -> None:
        await club.bot.services.trainer.answer(club.player("alice"), puzzle, second, cause="picture")

    yield Shot(
        name="puzzle", viewer="alice", screens=(await club.slash("alice", "puzzle"),), table=solved, solve=answer
    )


async def _street(club: Club) -> int:
    seen = await club.look(1, "alice")
    assert seen.hand is not None
    return seen.hand.street


async def play_well(club: Club) -> None:
    """Place a street for the player on turn, as a good computer player would."""
    name = await club.on_turn()
    seen = await club.look(1, name)
    assert seen.hand is not None
    await club.place_cards(name, await quickly(seen.hand))


async def unfouled(club: Club, table: int = 1, hand_no: int = 1) -> None:
    """Refuse to show a hand with a foul, which would teach newcomers how not to play."""
    result = await club.play.result(club.key(table), hand_no)
    assert result.hand is not None
    assert result.hand.score is not None
    assert [board.foul for board in result.hand.score.boards] == [False] * len(result.hand.seats)


async def evening(club: Club) -> AsyncIterator[Shot]:
    """Alice opens a table, three play a hand, and each picture is taken when it is there."""
    await club.slash("alice", "ofc play")
    for guest in ("bob", "hanako"):
        await club.press(guest, club.table_screen(), club.table_screen().find("join"))
    yield Shot(name="lobby", viewer="alice", screens=(club.table_screen(),))
    yield Shot(name="setup", viewer="alice", screens=(await club.slash("alice", "setup"),))
    await club.press("alice", club.table_screen(), club.table_screen().find("start"))
    for _ in range(MAX_TURNS):
        if await club.on_turn() == "alice" and await _street(club) == STREET:
            break
        await play_well(club)
    panel = await club.open_panel("alice")
    yield Shot(name="table", viewer="alice", screens=(club.table_screen(), panel))
    seen = await club.look(1, "alice")
    yield Shot(name="panel", viewer="alice", screens=(panel,))
    seats = await club.slash("alice", "ofc table", do="seats")
    yield Shot(name="seats", viewer="alice", screens=(seats,))
    assert seen.hand is not None
    panel = await club.place("alice", await club.open_panel("alice"), await quickly(seen.hand))
    yield Shot(name="phone", viewer="alice", screens=(club.table_screen(), panel), on_phone=True)
    yield Shot(name="my-games", viewer="alice", screens=(await club.slash("alice", "ofc table", do="mine"),))
    await club.tap("alice", panel, panel.find("confirm"))
    for _ in range(MAX_TURNS):
        if not (await club.look(1)).waiting:
            break
        await play_well(club)
    await unfouled(club)
    (result,) = (screen for screen in club.public() if screen.has("replay"))
    yield Shot(name="result", viewer="alice", screens=(result,))
    await new_game(club, "Midnight", "pineapple")
    await choose_value(club, "discards", "open", name="Midnight")
    changed = await choose_value(club, "fantasyland.entry", "KK", name="Midnight")
    yield Shot(name="house-game", viewer="alice", screens=(changed,))


async def lucky_evening(club: Club) -> AsyncIterator[Shot]:
    """Alice pairs queens or better in front, which the page is seen before, and is dealt fourteen cards."""
    await club.slash("alice", "ofc play")
    await club.press("bob", club.table_screen(), club.table_screen().find("join"))
    await club.press("alice", club.table_screen(), club.table_screen().find("start"))
    while await club.on_turn() != "alice" or await _street(club) != LUCKY_STREET:
        await play_well(club)
    yield Shot(name="page", viewer="alice", screens=(club.table_screen(),), table=await _as_page(club, "alice"))
    while (await club.look(1)).waiting:
        await play_well(club)
    await unfouled(club)
    await club.pass_time(13)
    seen = await club.look(1, "alice")
    assert seen.hand is not None
    assert seen.hand.mine is not None
    assert seen.hand.mine.fantasyland, "LUCKY_SEEDS are seeds of such a hand"
    yield Shot(name="fantasyland", viewer="alice", screens=(await club.open_panel("alice"),))


async def thirteen_cards(club: Club) -> AsyncIterator[Shot]:
    """Four people play 十三張, and Alice holds a natural."""
    await deal_a_natural(club)
    yield Shot(name="natural", viewer="alice", screens=(await club.open_panel("alice"),))


async def event_night(club: Club) -> AsyncIterator[Shot]:
    """Alice prepares an event for four whose levels rise each hand, and it is played to its end."""
    yield Shot(name="event-page", viewer="alice", screens=(await page(club),))
    name, *titles = EVENT_NAMES[club.words("alice").language.code]
    shown = await page(club, preset="chaipo", name=name, when="in 10 minutes")
    shown = await write(club, shown, stack="2000", levels="100,400,1600", level_length="1 hand")
    shown = await write(club, shown, fee="500", titles="\n".join(titles))
    key = (await publish(club, shown)).key
    for guest in ENTRANTS[2:]:
        club.newcomer(guest)
    await club.pass_time(60)
    for entrant in ENTRANTS:
        await club.press(entrant, await _event(club, key), (await _event(club, key)).find("ev_register"))
    await club.pass_hours(10 * 60)
    await _all_tables_play(club, key)
    await club.pass_time(20)
    running = (await _event(club, key),)
    yield Shot(name="event", viewer="alice", screens=running)
    yield Shot(name="event-phone", viewer="alice", screens=running, on_phone=True)
    table, hand_no = 0, 0
    for _ in range(MAX_HANDS):
        event = await club.bot.services.events.look(key)
        if event.event.phase is Phase.ENDED:
            break
        table = int(event.tables[0].table.key.table)
        hand_no = (await club.look(table)).table.hand_no
        await _all_tables_play(club, key)
        await club.pass_time(30)
    await unfouled(club, table, hand_no)
    await club.pass_time(30)
    *_, champion = (screen for screen in club.public() if screen.message.attachments)
    yield Shot(name="event-champion", viewer="alice", screens=(champion,))


async def _event(club: Club, key: EventKey) -> Screen:
    message = (await club.bot.services.events.look(key)).event.message
    assert message is not None
    return Screen(club, club.channel.id, message)


async def _all_tables_play(club: Club, key: EventKey) -> None:
    for line in (await club.bot.services.events.look(key)).tables:
        table = int(line.table.key.table)
        hand_no = (await club.look(table)).table.hand_no
        while (view := await club.look(table)).table.hand_no == hand_no and view.waiting:
            name = club.name_of(view.waiting[0])
            seen = await club.look(table, name)
            assert seen.hand is not None
            await club.type(name, await quickly(seen.hand), table)


async def _play(club: Club, key: TableKey) -> None:
    """Play a hand without presses. Alice plays well, and the others place as at a timeout."""
    while (view := await club.play.look(key)).waiting:
        player = view.waiting[0]
        seen = await club.play.look(key, player)
        assert seen.hand is not None
        assert seen.hand.mine is not None
        thinks = player == club.player("alice") or seen.hand.mine.fantasyland
        cards = await quickly(seen.hand) if thinks else plain_letters(seen)
        hand_no, street = view.table.hand_no, seen.hand.street
        cause = f"{key.table} {player} {hand_no} {street}"
        with club.world.env.time_context():  # redraws happen in the evening's time
            await club.play.place_cards(key, player, hand_no=hand_no, street=street, rows=cards, cause=cause)


async def day(club: Club) -> AsyncIterator[Shot]:
    """Alice plays the daily hand and shares the result."""
    panel = await begin(club, "alice")
    while (view := await view_of(club, "alice")).standing is None:
        assert view.hand is not None
        letters = plain_letters(view) if view.hand.street == PLAIN_STREET else await quickly(view.hand)
        panel = await place(club, "alice", panel, letters)
    await club.press("alice", panel, panel.find("day_share"))
    yield Shot(name="daily", viewer="alice", screens=(panel, club.public()[-1]), on_phone=True)


async def season(club: Club) -> AsyncIterator[Shot]:
    """Alice plays many hands for chips, first heads-up with Bob, then three-handed."""
    await club.slash("alice", "ofc play")
    await club.play.join(club.key(), club.player("bob"), cause="bob joins")
    await club.settle()
    await club.press("alice", club.table_screen(), club.table_screen().find("start"))
    for hand in range(SEASON_HANDS):
        if hand == 2 * SEASON_HANDS // 3:
            await club.play.join(club.key(), club.player("hanako"), cause="hanako joins")
        await _play(club, club.key())
        await club.pass_time(13)
    yield Shot(name="profile", viewer="alice", screens=(await club.slash("alice", "ofc profile"),))


async def week(club: Club) -> AsyncIterator[Shot]:
    """Three play on one day, the daily hand too; an owner has all of it posted, and the next morning it is."""
    words, play = club.words("alice"), club.play
    await _table(club, WEEK_HANDS)
    club.seeds.append(WEEK_SEED)
    for name in NEIGHBOURS:
        await _play_daily(club, name)
    await club.slash("bob", "ofc play")
    name, *_ = EVENT_NAMES[words.language.code]
    await publish(club, await page(club, preset="chaipo", name=name, when="in 2 days"))
    now = club.world.now_ms()
    shown = await club.slash("alice", "setup")
    form = await club.ask("alice", shown, shown.find("po_form"))
    tomorrow = datetime.fromtimestamp((now + DAY) / 1000, UTC).weekday()
    chosen = {words("posts.form_channel"): [club.channel], words("posts.form_day"): str(tomorrow)}
    await club.send("alice", form, chosen)
    await club.bot.services.club_pages.done()
    (standing,) = (screen for screen in club.public() if screen.has("ranks") and screen.has("daily"))
    yield Shot(name="club-page", viewer="alice", screens=(standing,))
    yield Shot(name="club-phone", viewer="alice", screens=(standing,), on_phone=True)
    bulletins = club.bot.services.bulletins
    at = (await bulletins.of(club.key().guild, BulletinKind.MORNING)).next_after(now + DAY // 2)
    await play.close(club.key(2), reason="closed_by_admin")
    club.backend.advance_clock((at - club.world.now_ms()) / 1000 - MINUTES_BEFORE * 60)
    await club.pass_time(10)
    await _table(club, 1)
    await club.pass_hours((at - club.world.now_ms()) / 1000 + 60)
    await club.bot.services.bulletin_posts.done()
    titles = tuple(f"### {words(f'{kind}.title')}" for kind in ("morning", "recap"))
    posts = tuple(screen for screen in club.public() if screen.text.startswith(titles))
    assert len(posts) == len(BulletinKind)
    yield Shot(name="posts", viewer="alice", screens=posts)
    yield Shot(name="posts-phone", viewer="alice", screens=posts, on_phone=True)


async def _play_daily(club: Club, name: str) -> None:
    """Play today's daily hand without presses."""
    screen = await club.slash(name, "daily")
    await club.tap(name, screen, screen.find("day_begin"))
    daily = club.bot.services.daily
    while (view := await view_of(club, name)).standing is None:
        assert view.hand is not None
        street = view.hand.street
        rows = plain_letters(view) if street in PLAIN_STREETS[name] else await quickly(view.hand)
        await daily.place(view.of.number, club.player(name), street=street, rows=rows, cause=f"{name}{street}")
    await daily.done()


async def _table(club: Club, hands: int) -> None:
    """Alice opens a table for three, where so many hands are played, and which is closed."""
    table = await club.open_table(*NEIGHBOURS)
    for _ in range(hands):
        await _play(club, club.key(table))
        await club.pass_time(13)
    await club.play.close(club.key(table), reason="closed_by_admin")


@dataclass(frozen=True, slots=True, kw_only=True)
class Evening:
    """An evening in a separate club, with its pictures in order."""

    play: Callable[[Club], AsyncIterator[Shot]]
    names: tuple[str, ...]
    undated: tuple[str, ...] = ()
    """Pictures after these that have no digest: two tables are dealt at once, and either may get the other's deck, or
    a day passes on the way."""
    seeds: tuple[bytes, ...] = ()


EVENINGS = (
    Evening(
        play=evening,
        names=(
            *("lobby", "setup", "table", "panel", "seats", "phone", "my-games", "result"),
            "house-game",
        ),
        seeds=SEEDS,
    ),
    Evening(play=lucky_evening, names=("page", "fantasyland"), seeds=LUCKY_SEEDS),
    Evening(play=thirteen_cards, names=("natural",)),
    Evening(
        play=event_night,
        names=("event-page", "event", "event-phone"),
        undated=("event-champion",),
        seeds=EVENT_SEEDS,
    ),
    Evening(play=day, names=("daily",), seeds=DAY_SEEDS),
    Evening(play=season, names=("profile",)),
    Evening(play=training, names=("puzzle",)),
    Evening(play=week, names=("club-page", "club-phone"), undated=("posts", "posts-phone")),
)
NAMES = tuple(name for each in EVENINGS for name in each.names)
UNDATED = ("board", "hand", *(name for each in EVENINGS for name in each.undated))
