"""The door to play: every use case as one awaitable call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.notation.files import as_toml
from bot.ofc.cards import Card
from bot.ofc.refusals import Refused
from bot.ofc.variants import Variant
from bot.play import (
    again,
    chips,
    hands,
    hints,
    homes,
    house_games,
    lobby,
    looking_back,
    practice,
    replays,
    seats,
    settling,
    turns,
    views,
)
from bot.play.choices import Calls, Server, Wishes
from bot.play.counts import Backlog
from bot.play.hints import Hint
from bot.play.known_wishes import KnownWishes
from bot.play.leaderboards import leaderboard
from bot.play.lobby import Offer
from bot.play.looking_back import PastHand, ToldResult, past_hand
from bot.play.model import GuildId, HouseGame, Movement, Player, Posting, ShownTurn, Table, TableKey, TableState
from bot.play.past_hands import Wanted
from bot.play.ports import HandLostError, Thinkers
from bot.play.profiles import Profile, profile
from bot.play.refusals import PlayReason, Stale
from bot.play.replays import PastPage, Replay
from bot.play.reviews import Review, Reviews, Told
from bot.play.session import Session
from bot.play.shards import Shard
from bot.play.standings import Asked, Leaderboard, PlayedHand
from bot.play.thoughts import arrangement
from bot.play.transactions import Transactions
from bot.play.views import ClosingView, ResultView, RootView, TableView
from bot.solver.levels import Level

LONGEST_ENTROPY = 64
POSTINGS_AT_ONCE = 50


class Play:
    """Use cases of tables. None of them gives out a card that the one who asks may not see."""

    def __init__(self, transactions: Transactions, thinkers: Thinkers) -> None:
        self._thinkers = thinkers
        self._read, self._write = transactions.read, transactions.write
        self._seen, self._now = transactions.seen, transactions.now
        self._hand_views = views.HandViews()
        self._reviews = Reviews(thinkers, transactions.now)
        self._wishes = KnownWishes(transactions)

    async def arranged(self, guild: GuildId, variant: Variant, cards: Sequence[Card]) -> str:
        """The best board that these cards make, as a placement; worked out where nobody waits for it."""
        job = arrangement(variant, cards)
        return await self._thinkers.think(job, guild=guild, quickly=job)

    async def hint(self, key: TableKey, player: Player, *, hand_no: int, street: int) -> Hint:
        """What a master thinks of this street; raises Refused, Stale, or NoThoughtError."""
        view = hints.asked(await self.look(key, player), hand_no=hand_no, street=street)
        return await self._thinkers.think(hints.hint(view), guild=key.guild)

    # the lobby

    async def open_table(self, offer: Offer, *, cause: str) -> Table:
        """Open a table with its host seated; raises Refused."""
        return await self._write(lambda s: lobby.open_table(s, offer, cause=cause))

    async def practise(self, offer: Offer, *, cause: str) -> Table:
        """Open a table that its player alone sees, and deal; raises Refused."""
        return await self._write(lambda s: practice.practise(s, offer, cause=cause))

    async def next_hand(self, key: TableKey, player: Player, *, hand_no: int, cause: str) -> Table:
        """Deal the next hand of a private table at once; raises Refused, or Stale."""
        return await self._write(lambda s: practice.next_hand(s, key, player, hand_no=hand_no, cause=cause))

    async def stop(self, key: TableKey, player: Player, *, cause: str) -> Table:
        """Close one's private table; raises Refused."""
        return await self._write(lambda s: practice.stop(s, key, player, cause=cause))

    async def play_again(self, key: TableKey, like: Offer, *, cause: str) -> Table:
        """Open a lobby like a table that has closed, or join the one that was; raises Refused or Stale."""
        return await self._write(lambda s: again.play_again(s, key, like, cause=cause))

    async def join(self, key: TableKey, player: Player, *, number: int | None = None, cause: str) -> Table:
        """Take a seat, that with this number or the first that is free; raises Refused."""
        return await self._write(lambda s: lobby.join(s, key, player, number=number, cause=cause))

    async def join_computer(self, key: TableKey, host: Player, *, level: Level, cause: str) -> Table:
        """Seat a computer at a practice table; raises Refused."""
        return await self._write(lambda s: lobby.join_computer(s, key, host, level=level, cause=cause))

    async def leave(self, key: TableKey, player: Player, *, cause: str) -> Table:
        """Stand up, now or after the hand; raises Refused."""
        return await self._write(lambda s: lobby.leave(s, key, player, cause=cause))

    async def stay(self, key: TableKey, player: Player, *, cause: str) -> Table:
        """Take back the wish to leave, or be back from sitting out; raises Refused."""
        return await self._write(lambda s: seats.stay(s, key, player, cause=cause))

    async def start(self, key: TableKey, player: Player, *, cause: str) -> Table:
        """Deal the first hand; raises Refused."""
        return await self._write(lambda s: lobby.start(s, key, player, cause=cause))

    async def cancel(self, key: TableKey, player: Player, *, cause: str) -> Table:
        """The host closes their table before the start; raises Refused."""
        return await self._write(lambda s: lobby.cancel(s, key, player, cause=cause))

    async def close(self, key: TableKey, *, reason: str) -> Table:
        """Close a table whatever it is doing, unless it can go on elsewhere; closing it twice changes nothing.

        Raises Refused.
        """

        def job(s: Session) -> Table:
            table = s.table(key)
            if table.event is not None:
                return s.desk.without_place(s, table, reason=reason)
            return homes.without_place(s, table, reason=reason)

        return await self._write(job)

    async def close_all(self, guild: GuildId, *, channel: int | None = None, reason: str) -> list[TableKey]:
        """Close every open table of a guild, or of one of its channels."""
        tables = await self._read(lambda s: s.tx.open_tables(guild, channel=channel))
        for table in tables:
            await self.close(table.key, reason=reason)
        return [table.key for table in tables]

    async def homeless(self, key: TableKey) -> Table | None:
        """The table, if it is to have a thread and may be moved into it now."""
        return await self._read(lambda s: homes.homeless(s, key))

    async def housed(self, key: TableKey, *, channel: int | None) -> bool:
        """Note the thread that was made for a table, or that it never will have one; False when it may not move now."""
        return await self._write(lambda s: homes.housed(s, key, channel=channel))

    async def leave_thread(self, key: TableKey) -> bool:
        """Play a table in its channel from now on; False when it is played there."""
        return await self._write(lambda s: homes.leave_thread(s, key))

    # the hand

    async def lay(
        self,
        key: TableKey,
        player: Player,
        *,
        hand_no: int,
        street: int,
        rows: str,
        cause: str | None,
        declare: bool = False,
    ) -> Table:
        """Lay a street or set Fantasyland; raises Refused, or Stale when the press comes too late or twice."""
        return await self._act_in_hand(
            key,
            lambda s: hands.lay(
                s, key, player, hand_no=hand_no, street=street, rows=rows, cause=cause, declare=declare
            ),
        )

    async def surrender(self, key: TableKey, player: Player, *, hand_no: int, cause: str) -> Table:
        """Give thirteen cards up for the fixed price; raises Refused or Stale."""
        return await self._act_in_hand(key, lambda s: hands.surrender(s, key, player, hand_no=hand_no, cause=cause))

    async def _act_in_hand(self, key: TableKey, job: Callable[[Session], Table]) -> Table:
        """Act in the running hand; when its seed or log is lost the hand is void, and the press comes too late."""
        try:
            return await self._write(job)
        except HandLostError:
            await self._void_lost(key)
            raise Stale from None

    async def _void_lost(self, key: TableKey) -> None:
        def job(s: Session) -> None:
            table = s.table(key)
            if table.state is not TableState.PLAYING:
                return
            try:
                s.hand(key, table.hand_no)
            except HandLostError as error:
                settling.lost(s, table, error)

        await self._write(job)

    async def set_entropy(self, key: TableKey, player: Player, text: str, *, cause: str) -> None:
        """Put the player's own text into the next shuffle; raises Refused."""
        # What is stored is what goes into the shuffle. Half of a surrogate pair cannot be written as UTF-8, and so
        # neither stored nor hashed; PostgreSQL keeps no NUL.
        text = text.encode("utf-8", "replace").decode("utf-8").replace("\0", "?")
        if len(text) > LONGEST_ENTROPY:
            raise Refused(PlayReason.ENTROPY_TOO_LONG, most=LONGEST_ENTROPY)

        def job(s: Session) -> None:
            s.once(cause)
            table = s.open_table(key, player)
            s.note(table, "seeded", actor=player, cause=cause)
            s.tx.save_seat(table.key, replace(s.seat(table, player), entropy=text))

        await self._write(job)

    # looking

    async def look(self, key: TableKey, you: Player | None = None) -> TableView:
        """A table as ``you`` may see it; raises Refused. A hand that cannot be shown, because it is lost, is void."""
        seen = await self._seen(key)
        if seen.table.hidden_from(you):
            raise Refused(PlayReason.NO_TABLE)
        if seen.hand is None and seen.table.state is TableState.PLAYING:
            await self._void_lost(key)
            seen = await self._seen(key)
        return views.view_of(seen, you, now=self._now(), known=self._hand_views)

    async def result(self, key: TableKey, hand_no: int, you: Player | None = None) -> ResultView:
        """A finished hand as everybody sees it who may look at the table; raises Refused."""
        return await self._read(lambda s: views.result_of(s, key, hand_no, you))

    async def past(self, key: TableKey, hand_no: int, player: Player) -> PastHand:
        """A finished hand as one of its players saw it; raises Refused."""
        return await self._read(lambda s: past_hand(s, key, hand_no, player))

    async def replay(self, key: TableKey, hand_no: int, you: Player | None) -> Replay:
        """A finished hand street by street, as ``you`` may look back at it; raises Refused."""
        return await self._read(lambda s: replays.replay_of(s, key, hand_no, you))

    async def history_file(self, key: TableKey, hand_no: int, you: Player) -> str:
        """A finished hand as a file, as far as ``you`` may know its cards; raises Refused."""
        return as_toml(await self._read(lambda s: replays.history_file(s, key, hand_no, you)))

    async def past_hands(self, guild: GuildId, player: Player, wanted: Wanted, *, page: int, lines: int) -> PastPage:
        """A page of the hands that a player looks for among their own, newest first."""
        return await self._read(lambda s: replays.past_page(s, guild, player, wanted, page=page, lines=lines))

    async def review(self, past: PastHand, told: Told) -> Review:
        """What a player might have placed instead; raises Refused. ``told`` hears of every decision that is judged."""
        return await self._reviews.of(past, told)

    async def closing(self, key: TableKey) -> ClosingView:
        """A closed table with the sums of its hands; raises Refused."""
        return await self._read(lambda s: views.closing_of(s, key))

    async def proof(self, key: TableKey, hand_no: int, you: Player | None = None) -> Mapping[str, Any]:
        """The public record of a revealed hand; raises Refused."""
        return await self._read(lambda s: views.proof_of(s, key, hand_no, you))

    async def played_hands(self, key: TableKey, *, limit: int) -> list[PlayedHand]:
        """The hands of a table that were settled, newest first."""
        return await self._read(lambda s: s.tx.played_hands(key, limit=limit))

    async def newest_tables(self, guild: GuildId, *, limit: int) -> list[Table]:
        """The tables of a guild that were opened last, open or closed; no private one."""
        return await self._read(lambda s: s.tx.newest_tables(guild, limit=limit))

    async def tables_of(self, guild: GuildId, player: Player) -> list[Table]:
        """The open tables at which a player sits, oldest first."""
        return await self._read(lambda s: s.tx.tables_of(guild, player))

    async def open_tables(self, guild: GuildId, *, channel: int | None = None) -> list[Table]:
        """The open tables of a guild or channel, oldest first."""
        return await self._read(lambda s: s.tx.open_tables(guild, channel=channel))

    async def wallet(self, guild: GuildId, player: Player) -> int:
        """The player's chips outside tables; the first look brings the starting grant."""
        return await self._write(lambda s: chips.wallet(s.tx, guild, player, grant=s.policy.start_chips, now=s.now))

    async def history(self, guild: GuildId, player: Player, *, limit: int, skip: int = 0) -> list[Movement]:
        """Movements of the player's chips, newest first, after ``skip`` of them."""
        return await self._read(lambda s: s.tx.history(guild, player, limit=limit, skip=skip))

    async def leaderboard(self, guild: GuildId, asked: Asked, player: Player, *, page: int, lines: int) -> Leaderboard:
        """A page of ``lines`` players, and where the asker stands."""
        return await self._read(lambda s: leaderboard(s, guild, asked, player, page=page, lines=lines))

    async def profile(self, guild: GuildId, player: Player, asker: Player) -> Profile:
        """A player's profile as the asker may see it; raises Refused."""
        return await self._read(lambda s: profile(s, guild, player, asker))

    async def is_cut_off(self, shard: Shard) -> bool:
        """True while the clocks of a shard's servers stand still."""
        return shard in await self._read(lambda s: s.tx.outages())

    # a server's own games

    async def games(self, guild: GuildId) -> list[HouseGame]:
        """The server's own games, by name."""
        return await self._read(lambda s: s.tx.house_games(guild))

    async def save_game(self, guild: GuildId, game: HouseGame, *, by: Player) -> None:
        """Keep a game under its name; raises Refused when there are too many."""
        await self._write(lambda s: house_games.save(s, guild, game, by=by))

    async def remove_game(self, guild: GuildId, name: str) -> None:
        """Forget a game; tables that play it go on with it."""
        await self._write(lambda s: s.tx.remove_house_game(guild, name))

    # messages

    async def undrawn(self) -> list[TableKey]:
        """The tables whose message does not show their present state."""
        return await self._read(lambda s: s.tx.undrawn_tables())

    async def guilds_with_tables(self) -> list[GuildId]:
        """The guilds in which a table is open."""
        return await self._read(lambda s: s.tx.guilds_with_tables())

    async def all_open(self) -> list[TableKey]:
        """Every open table of every guild."""
        return await self._read(lambda s: s.tx.all_open())

    async def open_states(self) -> Mapping[TableState, int]:
        """How many tables of all guilds are open, by state."""
        return await self._read(lambda s: s.tx.open_states())

    async def drawn(
        self,
        key: TableKey,
        *,
        version: int,
        hand_no: int,
        message: int | None,
        call: int | None,
        called: str = "",
        turn: ShownTurn | None = None,
    ) -> None:
        """Note which version a table's message shows, of which hand, which message calls whom, and the turn told.

        A message that was drawn while the next hand was dealt is one of the hand before: it is to be cleaned up.
        """

        def job(s: Session) -> None:
            s.tx.note_drawn(key, version=version, hand_no=hand_no, message=message, call=call, called=called)
            _shown(s, s.table(key), turn)

        await self._write(job, patient=True)

    async def untold_root(self, key: TableKey) -> RootView | None:
        """What a table has still to tell of its decks; None when there is nothing."""
        return await self._read(lambda s: views.root_of(s, key))

    async def root_told(self, key: TableKey, *, commitment: bytes, message: int) -> None:
        """Note which message tells what the table has committed to."""

        def job(s: Session) -> None:
            table = s.table(key)
            if table.commitment == commitment:
                # No new state: whatever is drawn next links to it.
                s.tx.save_table(replace(table, root_message=message))

        await self._write(job)

    async def unposted(self) -> list[TableKey]:
        """The tables for which messages wait to be posted, those that have waited longest first."""
        return await self._read(lambda s: s.tx.unposted_tables())

    async def postings(self, key: TableKey | None = None) -> list[Posting]:
        """Messages that wait to be posted, of one table or of all, oldest first."""
        if key is not None:
            return list((await self._seen(key)).postings)
        return await self._read(lambda s: s.tx.postings(limit=POSTINGS_AT_ONCE))

    async def backlog(self, guild: GuildId | None = None) -> Backlog:
        """How much Discord does not show yet, of one guild or of all."""
        return await self._read(lambda s: s.tx.backlog(guild))

    async def posted(self, number: int, told: ToldResult | None = None) -> None:
        """Note that a message was posted, and where it tells a result."""
        await self._write(lambda s: looking_back.posted(s, number, told), patient=True)

    async def usual_game(self, guild: GuildId) -> Variant:
        """What is played in a server where no game was chosen."""
        return await self._read(lambda s: house_games.usual(s, guild))

    # what servers and players choose

    async def server(self, guild: GuildId) -> Server:
        """What a server has chosen."""
        return await self._read(lambda s: s.tx.server(guild))

    async def choose_for_server(self, guild: GuildId, change: Callable[[Server], Server]) -> Server:
        """Change what a server has chosen; returns all of it."""

        def chosen(s: Session) -> Server:
            server = change(s.tx.server(guild))
            s.tx.save_server(guild, server)
            return server

        return await self._write(chosen)

    async def wishes(self, guild: GuildId, player: Player) -> Wishes:
        """What a player has chosen in a server."""
        return await self._wishes.of(guild, player)

    async def wish(self, guild: GuildId, player: Player, change: Callable[[Wishes], Wishes]) -> Wishes:
        """Change what a player has chosen in a server, from their next turn on; returns all of it."""
        return await self._wishes.change(guild, player, change)

    def forget(self, player: Player | None = None) -> None:
        """Remember nothing of what a player has chosen, because it was deleted; or of what all have."""
        self._wishes.forget(player)

    async def calls_of(self, guild: GuildId, players: Sequence[Player]) -> Mapping[Player, Calls]:
        """When each of these players wishes to be called."""
        return {player: (await self._wishes.of(guild, player)).calls for player in players}


def _shown(s: Session, table: Table, turn: ShownTurn | None) -> None:
    """What waited for a message begins."""
    if turn is not None and table.state is TableState.PLAYING:
        turns.told(s, table, turn)
    s.desk.shown(s, table)
