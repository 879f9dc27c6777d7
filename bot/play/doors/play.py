"""The door to play: every use case as one awaitable call."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from functools import partial

from bot.model.choices import Server
from bot.model.errors import HandLostError
from bot.model.ids import GuildId, Player, Shard, TableKey
from bot.model.limits import LONGEST_SHUFFLE_TEXT
from bot.model.mentions import demand_no_mention
from bot.model.reasons import HandReason, TableReason
from bot.model.refusals import Stale
from bot.model.standings import Asked, Leaderboard
from bot.model.tables import Posting, ShownTurn, Standing, Table, TableState
from bot.model.weekends import Week
from bot.play.bank import bulletins
from bot.play.doors.departures import KnownDepartures
from bot.play.doors.transactions import Door, KnownWishes, Transactions, asks, reads, writes
from bot.play.hand import acting, hand_log, moved_clocks, settling, turns
from bot.play.look import replays, results, reviews, views
from bot.play.look.leaderboards import club_board, events_mark, leaderboard, page_for_all, profile, records, shelf
from bot.play.look.replays import PastHand, ToldResult, past_hand
from bot.play.look.reviews import Hint, Review, Reviews, Told, arrangement, quick_arrangement
from bot.play.look.views import Game, TableView
from bot.play.session import chips
from bot.play.session.session import Session
from bot.play.session.thinkers import Thinkers
from bot.play.table import again, homes, hosting, house_games, lobby, pages, seats, vacations
from bot.pure.notation.files import as_toml
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.view import HandView
from bot.store.careers import CareerQueries
from bot.store.choices import ChoiceQueries
from bot.store.ledger import LedgerQueries
from bot.store.tables import OutboxQueries, TableQueries

POSTINGS_AT_ONCE = 50


class Play(Door):
    """Use cases of tables. None of them gives out a card that the one who asks may not see."""

    def __init__(self, transactions: Transactions, thinkers: Thinkers) -> None:
        self._thinkers = thinkers
        self._read, self._write = transactions.read, transactions.write
        self._seen, self._now = transactions.seen, transactions.now
        self._views = views.TableViews()
        self._reviews = Reviews(thinkers, transactions.now)
        known = KnownWishes(transactions)
        self.wishes, self.wish, self.show_hand = known.of, known.change, known.show
        self._forget_wishes = known.forget
        left = KnownDepartures(transactions)
        self.departed, self.note_departed, self.note_returned = left.of, left.note, left.returned
        self._forget_departed = left.forget
        self._club_boards: dict[GuildId, tuple[Hashable, Leaderboard]] = {}

    def forget(self, player: Player | None = None) -> None:
        """Look up again what a player has chosen, because it was deleted, or what all have; and who is ranked where."""
        self._forget_wishes(player)
        self._forget_departed()
        self._club_boards.clear()

    async def club_board(self, guild: GuildId, asked: Asked, *, lines: int) -> Leaderboard:
        """The first page of a leaderboard as everybody may see it, asked for every few minutes.

        One of events is counted again only when an event has ended, a season has, or somebody hides or shows
        themselves: it is counted from all events there were.
        """
        if not asked.order.of_events:
            return await self._read(lambda s: club_board(s, guild, asked, lines=lines))
        mark = await self._read(lambda s: events_mark(s, guild, asked))
        known = self._club_boards.get(guild)
        if known is None or known[0] != mark:
            known = mark, await self._read(lambda s: club_board(s, guild, asked, lines=lines))
            self._club_boards[guild] = known
        return known[1]

    async def arranged(self, guild: GuildId, view: HandView) -> str:
        """The best board of the cards that the viewer holds, as a placement; worked out where nobody waits for it."""
        return await self._thinkers.think(arrangement(view), guild=guild, quickly=quick_arrangement(view))

    async def hint(self, key: TableKey, player: Player, *, hand_no: int, street: int) -> Hint:
        """A master's thought on this street; raises Refused, Stale, or NoThoughtError."""
        view = reviews.asked(await self.look(key, player), hand_no=hand_no, street=street)
        return await self._thinkers.think(reviews.hint(view), guild=key.guild)

    # the lobby

    open_table = writes(lobby.open_table)
    objection = reads(lobby.objection)
    practise = writes(again.practise)
    unfinished_practice = reads(again.unfinished_practice)
    next_hand = writes(again.next_hand)
    stop = writes(again.stop)
    opens_again = reads(again.opens)
    play_again = writes(again.play_again)
    join = writes(lobby.join)
    join_computer = writes(lobby.join_computer)
    leave = writes(lobby.leave)
    stay = writes(seats.stay)
    start = writes(lobby.start)
    start_now = writes(lobby.start_now)
    cancel = writes(lobby.cancel)
    let_watch = writes(hosting.let_watch)

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
        tables = await self._read(lambda s: s.tx.tables.open(guild, channel=channel))
        for table in tables:
            await self.close(table.key, reason=reason)
        return [table.key for table in tables]

    admit = writes(pages.admit)
    admitted = reads(pages.admitted)
    close_pages = writes(pages.close)
    give_stream_link = writes(pages.give_stream_link)
    renew_stream_link = writes(pages.renew_stream_link)
    end_stream_link = writes(pages.end_stream_link)
    stream_link_of = reads(pages.stream_link_of)
    stream_of = reads(pages.stream_of)
    homeless = reads(homes.homeless)
    housed = writes(homes.housed)
    leave_thread = writes(homes.leave_thread)

    # the hand

    async def place_cards(
        self,
        key: TableKey,
        player: Player,
        *,
        hand_no: int,
        street: int,
        rows: str,
        cause: str | None,
        declare: bool = False,
        fallback: bool = False,
    ) -> Table:
        """Place a street or set Fantasyland; raises Refused, or Stale when the press comes too late or twice."""
        return await self._act_in_hand(
            key,
            lambda s: acting.place_cards(
                s,
                key,
                player,
                hand_no=hand_no,
                street=street,
                rows=rows,
                cause=cause,
                declare=declare,
                fallback=fallback,
            ),
        )

    async def confirm_ahead(
        self, key: TableKey, player: Player, *, hand_no: int, street: int, rows: str, cause: str
    ) -> Table:
        """Confirm a street before one's turn: it is placed when that begins; raises Refused, or Stale."""
        return await self._act_in_hand(
            key,
            lambda s: acting.confirm_ahead(s, key, player, hand_no=hand_no, street=street, rows=rows, cause=cause),
        )

    async def take_back(self, key: TableKey, player: Player, *, hand_no: int, street: int) -> Table:
        """Take back what was confirmed ahead; raises Refused, or Stale once it is placed."""
        return await self._act_in_hand(key, lambda s: acting.take_back(s, key, player, hand_no=hand_no, street=street))

    async def sketch(
        self, key: TableKey, player: Player, *, hand_no: int, street: int, rows: str, patient: bool = False
    ) -> None:
        """Keep what a player has placed and not confirmed, in case their time runs out; nothing else follows from it.

        One that is ``patient`` is written with the next thing that somebody waits for, or a moment later.
        """
        job = partial(acting.sketch, key=key, player=player, hand_no=hand_no, street=street, rows=rows)
        await self._write(job, patient=patient, sets_clocks=False)

    async def surrender(self, key: TableKey, player: Player, *, hand_no: int, cause: str) -> Table:
        """Give thirteen cards up for the fixed price; raises Refused or Stale."""
        return await self._act_in_hand(key, lambda s: acting.surrender(s, key, player, hand_no=hand_no, cause=cause))

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
                hand_log.hand_of(s, key, table.hand_no)
            except HandLostError as error:
                settling.lost(s, table, error)

        await self._write(job)

    async def set_entropy(self, key: TableKey, player: Player, text: str, *, cause: str) -> None:
        """Put the player's own text into the next shuffle; raises Refused."""
        # What is stored is what goes into the shuffle. Half of a surrogate pair cannot be written as UTF-8, and so
        # neither stored nor hashed; PostgreSQL keeps no NUL.
        text = text.encode("utf-8", "replace").decode("utf-8").replace("\0", "?")
        if len(text) > LONGEST_SHUFFLE_TEXT:
            raise Refused(HandReason.ENTROPY_TOO_LONG, most=LONGEST_SHUFFLE_TEXT)
        # What went into a shuffle can't be rewritten when someone is deleted.
        demand_no_mention(text)

        def job(s: Session) -> None:
            s.once(cause)
            table = s.open_table(key, player)
            s.note(table, "seeded", actor=player, cause=cause)
            s.tx.tables.save_seat(table.key, replace(s.seat(table, player), entropy=text))

        await self._write(job)

    # looking

    async def look(self, key: TableKey, you: Player | None = None) -> TableView:
        """A table as ``you`` may see it; raises Refused. A hand that cannot be shown, because it is lost, is void."""
        seen = await self._seen(key)
        if seen.table.hidden_from(you):
            raise Refused(TableReason.NO_TABLE)
        if seen.hand is None and seen.table.state is TableState.PLAYING:
            await self._void_lost(key)
            seen = await self._seen(key)
        return self._views.view_of(seen, you, now=self._now())

    async def games_of(self, guild: GuildId, player: Player) -> list[Game]:
        """The open tables of a player in a server, or in all of them for no server, with what is told beside each."""
        if guild:
            tables = await self.tables_of(guild, player)
            seen = [await self.look(table.key, player) for table in tables]
        else:
            # Those of servers that another process keeps are not remembered here: they are read each time.
            found = await self._read(lambda s: views.everywhere(s, player))
            seen = [self._views.view_of(one, player, now=self._now()) for one in found]
        seen = [view for view in seen if view.mine is not None]
        told = await self._read(lambda s: views.beside(s, [view.table.key for view in seen], player))
        return [Game(view=view, beside=beside) for view, beside in zip(seen, told, strict=True)]

    async def standing(self, key: TableKey, player: Player) -> Standing | None:
        """How somebody without a seat at a table stands in its event; None at a table of its own. Raises Refused."""
        return await self._read(lambda s: s.desk.standing(s, s.table(key), player))

    missed = reads(views.missed_by)
    lost_seats = reads(Session.lost_seats)
    result = reads(results.result_of)
    past = reads(past_hand)
    replay = reads(replays.replay_of)
    link_of = reads(replays.link_of)
    hand_of = reads(replays.hand_of)
    demand_postable = reads(replays.demand_postable)

    async def history_file(self, key: TableKey, hand_no: int, you: Player) -> str:
        """A finished hand as a file, as far as ``you`` may know its cards; raises Refused."""
        return as_toml(await self._read(lambda s: replays.history_file(s, key, hand_no, you)))

    async def shared_file(self, key: TableKey, hand_no: int, names: Mapping[str, str]) -> str:
        """A shared hand as its file tells it to guests; raises Refused."""
        return as_toml(await self._read(lambda s: replays.shared_file(s, key, hand_no, names)))

    past_hands = reads(replays.past_page)

    async def review(self, past: PastHand, told: Told) -> Review:
        """The placements that a player might have made instead; raises Refused. ``told`` hears of every decision that
        is judged.
        """
        return await self._reviews.of(past, told)

    closing = reads(results.closing_of)
    proof = reads(results.proof_of)
    listed_hands = reads(results.listed_hands)
    newest_hand_in = reads(results.newest_hand_in)
    newest_tables = asks(TableQueries, TableQueries.newest)
    tables_of = asks(TableQueries, TableQueries.tables_of)
    open_tables = asks(TableQueries, TableQueries.open)
    wallet = writes(chips.wallet)
    history = asks(LedgerQueries, LedgerQueries.history)
    leaderboard = reads(leaderboard)
    page_for_all = reads(page_for_all)
    profile = reads(profile)
    shelf = reads(shelf)
    records = reads(records)

    async def is_cut_off(self, shard: Shard) -> bool:
        """True while the clocks of a shard's servers stand still."""
        return shard in await self._read(lambda s: s.tx.timers.outages())

    # a server's own games

    games = asks(ChoiceQueries, ChoiceQueries.house_games)
    save_game = writes(house_games.save)
    change_game = writes(house_games.change)

    async def remove_game(self, guild: GuildId, name: str) -> None:
        """Forget a game; tables that play it go on with it."""
        await self._write(lambda s: s.tx.choices.remove_house_game(guild, name))

    # messages

    undrawn = asks(TableQueries, TableQueries.undrawn)
    guilds_with_tables = asks(TableQueries, TableQueries.guilds_with_tables)
    played_in = asks(CareerQueries, CareerQueries.played_in)
    all_open = asks(TableQueries, TableQueries.all_open)
    open_states = asks(TableQueries, TableQueries.open_states)

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
        """Note which version of a table, of which hand, its message shows, the players that each message calls, and the
        turn told; what waited for a message begins.

        A message that was drawn while the next hand was dealt is one of the hand before: it is to be cleaned up.
        """

        def job(s: Session) -> None:
            s.tx.tables.note_drawn(key, version=version, hand_no=hand_no, message=message, call=call, called=called)
            table = s.table(key)
            if turn is not None and table.state is TableState.PLAYING:
                turns.told(s, table, turn)
            if table.event is not None:
                s.desk.shown(s, table)

        await self._write(job, patient=True)

    untold_root = reads(views.root_of)

    async def root_told(self, key: TableKey, *, commitment: bytes, message: int) -> None:
        """Note which message tells what the table has committed to."""

        def job(s: Session) -> None:
            table = s.table(key)
            if table.commitment == commitment:
                # No new state: whatever is drawn next links to it.
                s.tx.tables.save(replace(table, root_message=message))

        await self._write(job)

    unposted = asks(OutboxQueries, OutboxQueries.unposted_tables)

    async def postings(self, key: TableKey | None = None) -> list[Posting]:
        """Messages that wait to be posted, of one table or of all, oldest first."""
        if key is not None:
            return list((await self._seen(key)).postings)
        return await self._read(lambda s: s.tx.outbox.postings(limit=POSTINGS_AT_ONCE))

    backlog = asks(OutboxQueries, OutboxQueries.backlog)

    async def posted(self, number: int, told: ToldResult | None = None) -> None:
        """Note that a message was posted, and where it tells a result."""
        await self._write(lambda s: replays.posted(s, number, told), patient=True)

    usual_game = reads(house_games.usual)

    # what servers and players choose

    server = asks(ChoiceQueries, ChoiceQueries.server)
    digests_due = asks(ChoiceQueries, ChoiceQueries.digests_due)

    async def take_vacation(self, guild: GuildId, player: Player, *, begins: int, ends: int) -> list[Table]:
        """Let the clocks of a player's correspondence tables stand meanwhile; returns those tables. Raises Refused."""
        tables = await self._write(lambda s: vacations.take(s, guild, player, begins=begins, ends=ends))
        self.forget(player)
        return tables

    vacation_left = reads(lambda s, guild, player: vacations.left_ms(s, guild, player, at=s.now))

    async def end_vacation(self, guild: GuildId, player: Player) -> list[Table]:
        """End it now, or call it off; returns the tables whose clocks run again."""
        tables = await self._write(lambda s: vacations.end(s, guild, player))
        self.forget(player)
        return tables

    async def choose_for_server(self, guild: GuildId, change: Callable[[Server], Server]) -> Server:
        """Change what a server has chosen; returns all of it."""

        def chosen(s: Session) -> Server:
            before = s.tx.choices.server(guild)
            server = change(before)
            s.tx.choices.save_server(guild, server)
            if server.zone != before.zone:
                moved_clocks.zone_changed(s, guild, Week(before.zone))
                bulletins.zone_changed(s, guild, server.zone)
            return server

        return await self._write(chosen)
