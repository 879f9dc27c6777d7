"""Use cases of tables."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from functools import partial

from bot.model.choices import ServerSettings
from bot.model.errors import HandLostError
from bot.model.ids import GuildId, Player, Shard, TableKey
from bot.model.limits import MAX_SHUFFLE_TEXT_LENGTH
from bot.model.mentions import require_no_mention
from bot.model.reasons import HandReason, TableReason
from bot.model.refusals import Stale
from bot.model.standings import Leaderboard, LeaderboardQuery
from bot.model.tables import AnnouncedTurn, EventStatus, Posting, Table, TableState
from bot.model.weekends import LocalWeek
from bot.play.api.departures import DepartureCache
from bot.play.api.transactions import SettingsCache, Transactions, UseCases, asks, reads, writes
from bot.play.bank import bulletins
from bot.play.hand import acting, hand_log, moved_clocks, settling, turns
from bot.play.queries import delayed, replays, results, reviews, views
from bot.play.queries.delayed import LateView
from bot.play.queries.leaderboards import (
    club_board,
    events_mark,
    first_order,
    leaderboard,
    page_for_all,
    profile,
    records,
    shelf,
)
from bot.play.queries.replays import PastHand, PostedResult, past_hand
from bot.play.queries.reviews import Hint, Review, Reviews, Told, arrangement, quick_arrangement
from bot.play.queries.views import Game, TableView
from bot.play.session import chips
from bot.play.session.session import Session
from bot.play.session.workers import Workers
from bot.play.table import hosting, house_games, lobby, pages, rematch, seats, table_location, vacations
from bot.pure.notation.files import as_toml
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.view import HandView
from bot.store.careers import CareerQueries
from bot.store.choices import ChoiceQueries
from bot.store.ledger import LedgerQueries
from bot.store.tables import OutboxQueries, TableQueries

POSTINGS_AT_ONCE = 50


class Play(UseCases):
    """Use cases of tables. None of them reveals a card that the caller may not see."""

    def __init__(self, transactions: Transactions, workers: Workers) -> None:
        self._workers = workers
        self._read, self._write = transactions.read, transactions.write
        self._seen, self._now = transactions.seen, transactions.now
        self._views = views.TableViews()
        self._reviews = Reviews(workers, transactions.now)
        known = SettingsCache(transactions)
        self.member_settings, self.change_member_settings, self.show_hand = known.of, known.change, known.show
        self._forget_member_settings = known.forget
        left = DepartureCache(transactions)
        self.departed, self.note_departed, self.note_returned = left.of, left.note, left.returned
        self._forget_departed = left.forget
        self._club_boards: dict[GuildId, tuple[Hashable, Leaderboard]] = {}

    def forget(self, player: Player | None = None) -> None:
        """Clear the caches of leaderboards, departures and settings.

        ``player`` limits this to one player's settings.
        """
        self._forget_member_settings(player)
        self._forget_departed()
        self._club_boards.clear()

    first_order = reads(first_order)

    async def club_board(self, guild: GuildId, asked: LeaderboardQuery, *, lines: int) -> Leaderboard:
        """Return the first page of a public leaderboard, which is requested every few minutes.

        Leaderboards of events are computed from all events ever held, so they are cached. They are recomputed only
        after an event or season has ended, or a player has changed their visibility.
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
        """Return the best placement of the viewer's cards, computed by a worker."""
        return await self._workers.think(arrangement(view), guild=guild, quickly=quick_arrangement(view))

    async def hint(self, key: TableKey, player: Player, *, hand_no: int, street: int) -> Hint:
        """Return a master's hint for this street; raises Refused, Stale, or ComputationFailedError."""
        view = reviews.asked(await self.look(key, player), hand_no=hand_no, street=street)
        return await self._workers.think(reviews.hint(view), guild=key.guild)

    # the lobby

    open_table = writes(lobby.open_table)
    objection = reads(lobby.objection)
    practise = writes(rematch.practise)
    unfinished_practice = reads(rematch.unfinished_practice)
    next_hand = writes(rematch.next_hand)
    stop = writes(rematch.stop)
    opens_again = reads(rematch.opens)
    play_again = writes(rematch.play_again)
    join = writes(lobby.join)
    join_computer = writes(lobby.join_computer)
    leave = writes(lobby.leave)
    stay = writes(seats.stay)
    start = writes(lobby.start)
    start_now = writes(lobby.start_now)
    cancel = writes(lobby.cancel)
    let_watch = writes(hosting.let_watch)

    async def close(self, key: TableKey, *, reason: str) -> Table:
        """Close a table in any state, unless it can continue in another place. Closing it again changes nothing.

        Raises Refused.
        """

        def job(s: Session) -> Table:
            table = s.table(key)
            if table.event is not None:
                return s.desk.without_place(s, table, reason=reason)
            return table_location.without_place(s, table, reason=reason)

        return await self._write(job)

    async def close_all(self, guild: GuildId, *, channel: int | None = None, reason: str) -> list[TableKey]:
        """Close all open tables of a server, or of one channel."""
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
    end_stream_link_named = writes(pages.end_stream_link_named)
    stream_link_of = reads(pages.stream_link_of)
    stream_links = reads(pages.stream_links)
    stream_of = reads(pages.stream_of)
    table_needing_thread = reads(table_location.table_needing_thread)
    set_thread = writes(table_location.set_thread)
    leave_thread = writes(table_location.leave_thread)

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
        """Place a street or set Fantasyland; raises Refused, or Stale if the press is late or repeated."""
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
        """Confirm a street ahead of the player's turn. It's placed when the turn begins. Raises Refused or Stale."""
        return await self._act_in_hand(
            key,
            lambda s: acting.confirm_ahead(s, key, player, hand_no=hand_no, street=street, rows=rows, cause=cause),
        )

    async def take_back(self, key: TableKey, player: Player, *, hand_no: int, street: int) -> Table:
        """Take back a placement confirmed ahead; raises Refused, or Stale if it has been placed."""
        return await self._act_in_hand(key, lambda s: acting.take_back(s, key, player, hand_no=hand_no, street=street))

    async def save_draft(
        self, key: TableKey, player: Player, *, hand_no: int, street: int, rows: str, patient: bool = False
    ) -> None:
        """Save a player's unconfirmed placement in case they time out.

        A ``patient`` write waits for another write's commit, up to a short timeout.
        """
        job = partial(acting.save_draft, key=key, player=player, hand_no=hand_no, street=street, rows=rows)
        await self._write(job, patient=patient, sets_clocks=False)

    async def surrender(self, key: TableKey, player: Player, *, hand_no: int, cause: str) -> Table:
        """Surrender a hand of thirteen cards for the fixed price; raises Refused or Stale."""
        return await self._act_in_hand(key, lambda s: acting.surrender(s, key, player, hand_no=hand_no, cause=cause))

    async def _act_in_hand(self, key: TableKey, job: Callable[[Session], Table]) -> Table:
        """Act in the running hand. If its seed or log is lost, void the hand and raise Stale."""
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
                settling.void_lost_hand(s, table, error)

        await self._write(job)

    async def set_entropy(self, key: TableKey, player: Player, text: str, *, cause: str) -> None:
        """Add the player's text to the next shuffle; raises Refused."""
        # The stored text must equal the shuffled one. Unpaired surrogates can't be encoded as UTF-8, and PostgreSQL
        # doesn't accept NUL.
        text = text.encode("utf-8", "replace").decode("utf-8").replace("\0", "?")
        if len(text) > MAX_SHUFFLE_TEXT_LENGTH:
            raise Refused(HandReason.ENTROPY_TOO_LONG, most=MAX_SHUFFLE_TEXT_LENGTH)
        # A shuffle's input can't be rewritten when a player is deleted, so it can't contain mentions.
        require_no_mention(text)

        def job(s: Session) -> None:
            s.check_not_repeated(cause)
            table = s.open_table(key, player)
            s.note(table, "seeded", actor=player, cause=cause)
            s.tx.tables.save_seat(table.key, replace(s.seat(table, player), entropy=text))

        await self._write(job)

    # queries

    async def look(self, key: TableKey, you: Player | None = None) -> TableView:
        """Return a table as ``you`` may see it; raises Refused. If the running hand is lost, it's voided first."""
        seen = await self._seen(key)
        if seen.table.hidden_from(you):
            raise Refused(TableReason.NO_TABLE)
        if seen.hand is None and seen.table.state is TableState.PLAYING:
            await self._void_lost(key)
            seen = await self._seen(key)
        return self._views.view_of(seen, you, now=self._now())

    async def look_late(self, key: TableKey) -> LateView:
        """Return a table as everyone may see it a whole street late; raises Refused."""
        late = await self._read(lambda s: delayed.look_late(s, key))
        view = None if late.table is None else self._views.view_of(late.table, None, now=self._now())
        return LateView(view=view, due=late.due)

    async def games_of(self, guild: GuildId, player: Player) -> list[Game]:
        """Return the player's open tables with their extras, in one server, or in all servers if ``guild`` is 0."""
        if guild:
            tables = await self.tables_of(guild, player)
            seen = [await self.look(table.key, player) for table in tables]
        else:
            # Tables of servers owned by other processes aren't cached here, so they are read each time.
            found = await self._read(lambda s: views.everywhere(s, player))
            seen = [self._views.view_of(one, player, now=self._now()) for one in found]
        seen = [view for view in seen if view.mine is not None]
        told = await self._read(lambda s: views.beside(s, [view.table.key for view in seen], player))
        return [Game(view=view, beside=beside) for view, beside in zip(seen, told, strict=True)]

    async def standing(self, key: TableKey, player: Player) -> EventStatus | None:
        """Return the event standing of a player without a seat at the table; None if the table isn't an event's.

        Raises Refused.
        """
        return await self._read(lambda s: s.desk.standing(s, s.table(key), player))

    missed = reads(views.missed_by)
    lost_seats = reads(Session.lost_seats)
    result = reads(results.result_of)
    past = reads(past_hand)
    replay = reads(replays.build_replay)
    hand_link = reads(replays.hand_link)
    hand_of = reads(replays.hand_of)
    require_postable = reads(replays.require_postable)

    async def history_file(self, key: TableKey, hand_no: int, you: Player) -> str:
        """Return a finished hand as a file with the cards that ``you`` may know; raises Refused."""
        return as_toml(await self._read(lambda s: replays.history_file(s, key, hand_no, you)))

    async def shared_file(self, key: TableKey, hand_no: int, names: Mapping[str, str]) -> str:
        """Return a shared hand as a file for guests; raises Refused."""
        return as_toml(await self._read(lambda s: replays.shared_file(s, key, hand_no, names)))

    past_hands = reads(replays.past_page)

    async def review(self, past: PastHand, told: Told) -> Review:
        """Return a player's decisions with better alternatives; raises Refused.

        ``told`` is called after each evaluated decision.
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
    wallet_seen = reads(chips.wallet_seen)
    history = asks(LedgerQueries, LedgerQueries.history)
    leaderboard = reads(leaderboard)
    page_for_all = reads(page_for_all)
    profile = reads(profile)
    shelf = reads(shelf)
    records = reads(records)

    async def is_cut_off(self, shard: Shard) -> bool:
        """True while the clocks of the shard's servers are stopped."""
        return shard in await self._read(lambda s: s.tx.timers.outages())

    # custom games

    games = asks(ChoiceQueries, ChoiceQueries.house_games)
    save_game = writes(house_games.save)
    change_game = writes(house_games.change)

    async def remove_game(self, guild: GuildId, name: str) -> None:
        """Delete a custom game. Tables that already use it keep it."""
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
        turn: AnnouncedTurn | None = None,
    ) -> None:
        """Record the hand and version that a table's message shows, and the players that each message pings.

        ``turn`` is the announced turn; clocks that waited for it start. If the next hand was dealt while the message
        was being drawn, the message belongs to the previous hand and must be cleaned up.
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
        """Record the message that shows the table's commitment."""

        def job(s: Session) -> None:
            table = s.table(key)
            if table.commitment == commitment:
                # The version stays the same, because the next drawing links to the message anyway.
                s.tx.tables.save(replace(table, root_message=message))

        await self._write(job)

    unposted = asks(OutboxQueries, OutboxQueries.unposted_tables)

    async def postings(self, key: TableKey | None = None) -> list[Posting]:
        """Return the messages to post, oldest first, of one table or of all."""
        if key is not None:
            return list((await self._seen(key)).postings)
        return await self._read(lambda s: s.tx.outbox.postings(limit=POSTINGS_AT_ONCE))

    backlog = asks(OutboxQueries, OutboxQueries.backlog)

    async def posted(self, number: int, told: PostedResult | None = None) -> None:
        """Record that a message was posted, and which result it shows."""
        await self._write(lambda s: replays.posted(s, number, told), patient=True)

    default_game = reads(house_games.default_game)

    # settings of servers and players

    server = asks(ChoiceQueries, ChoiceQueries.server)
    digests_due = asks(ChoiceQueries, ChoiceQueries.digests_due)

    async def take_vacation(self, guild: GuildId, player: Player, *, begins: int, ends: int) -> list[Table]:
        """Stop the clocks of a player's correspondence tables during a vacation, and return those tables.

        Raises Refused.
        """
        tables = await self._write(lambda s: vacations.take(s, guild, player, begins=begins, ends=ends))
        self.forget(player)
        return tables

    vacation_left = reads(lambda s, guild, player: vacations.left_ms(s, guild, player, at=s.now))

    async def end_vacation(self, guild: GuildId, player: Player) -> list[Table]:
        """End or cancel the vacation, and return the tables whose clocks run again."""
        tables = await self._write(lambda s: vacations.end(s, guild, player))
        self.forget(player)
        return tables

    async def choose_for_server(
        self, guild: GuildId, change: Callable[[ServerSettings], ServerSettings]
    ) -> ServerSettings:
        """Change the server's settings, and return all of them."""

        def chosen(s: Session) -> ServerSettings:
            before = s.tx.choices.server(guild)
            server = change(before)
            s.tx.choices.save_server(guild, server)
            if server.zone != before.zone:
                moved_clocks.zone_changed(s, guild, LocalWeek(before.zone))
                bulletins.zone_changed(s, guild, server.zone)
            return server

        return await self._write(chosen)
