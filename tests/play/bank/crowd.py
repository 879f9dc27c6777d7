"""Random actions that move a server's chips, by people with and without permission.

After each step, the invariants are checked: only permitted people have created chips. The expected chips are counted
from the requests and their authors, never from the ledger.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from random import Random

from bot.model.bank import Action, Claim
from bot.model.clock import DAY, HOUR, MINUTE, SECOND
from bot.model.events import Notice, Official, Phase, RepeatInterval
from bot.model.ids import EventKey, Player, TableKey
from bot.model.privacy import REMEMBERED_DAYS
from bot.model.refusals import Stale
from bot.play.api.events import OPEN
from bot.play.event.office.permissions import NO_AUTHORITY, MemberPermissions
from bot.play.event.office.registration import PlannedEvent
from bot.play.session.session import Session
from bot.pure.event.structure import Format, Structure
from bot.pure.ofc.presets import CHINESE
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.settlement import WinCap
from tests.play.test_restore import findings
from tests.play.world import ANN, BOB, CHANNEL, CLEO, DAN, EVE, GUILD, PER_TURN, World

PLAYERS = (BOB, CLEO, DAN)
EVERYBODY = (ANN, *PLAYERS, EVE)
"""Ann manages the server as long as she does, and announces events; Eve helps at events, and may do neither."""
CAP, REFILL, BONUS = 700, 2_000, 500
BOARD = "FFFMMMMMBBBBB"
SMALL = Structure(
    format=Format.TOURNAMENT,
    win_cap=WinCap.NONE,
    table_seats=3,
    least=2,
    most=6,
    stack=1000,
    levels=(50, 200),
    level_hands=2,
    threads=False,
)
OFTEN = {
    "wait": 24,
    "place": 20,
    "join": 16,
    "register": 16,
    "open": 10,
    "start": 10,
    "announce": 8,
    "start_event": 8,
    "repeat": 8,
    "vouch": 4,
    "delete": 6,
    "power": 4,
    "rebuy": 6,
    "top_up": 6,
    "organise": 6,
    "unfreeze": 4,
    "freeze": 1,
    "close": 1,
    "cancel": 1,
    "season": 1,
}
"""Relative frequency of each action; the default is two."""
EVERYTHING, ANNOUNCES = MemberPermissions(manager=True, announces=True), MemberPermissions(announces=True)


class Crowd:
    """A crowd and its actions so far. ``done`` counts each kind, with refused ones counted separately."""

    def __init__(self, world: World, seed: int) -> None:
        self.world, self.chance = world, Random(seed)
        self.done: Counter[str] = Counter()
        self.begun = world.now
        self.manages = True
        """Whether Ann still manages the server."""
        self.made = 0
        """Chips created minus those removed by permitted people, without grants and events."""
        self.claims: Counter[tuple[Player, Claim, int]] = Counter()
        self.sent: Counter[tuple[Player, int]] = Counter()
        self.known: set[Player] = set()
        """Those who have ever had chips here."""
        self.added: dict[EventKey, int] = {}
        """Chips that an event may add, approved by a person who managed the server."""
        self.most = 0
        """The most chips that there were at once."""
        self.steps: dict[str, Callable[[], Awaitable[None]]] = {
            name.removeprefix("do_"): getattr(self, name) for name in sorted(dir(self)) if name.startswith("do_")
        }

    async def step(self) -> None:
        """Do a random action, and check all invariants."""
        (name,) = self.chance.choices(list(self.steps), [OFTEN.get(name, 2) for name in self.steps])
        try:
            await self.steps[name]()
        except (Refused, Stale):
            self.done[f"{name}, refused"] += 1
        else:
            self.done[name] += 1
        await self.check()

    # who

    @property
    def _mostly(self) -> bool:
        return self.chance.random() < 0.8

    def _somebody(self) -> Player:
        return self.chance.choice(EVERYBODY)

    def _official(self) -> tuple[Official, MemberPermissions]:
        """Ann or Eve, with what each may do now."""
        if self.chance.random() < 0.5:
            return Official(player=EVE), NO_AUTHORITY
        return Official(player=ANN, manager=self.manages), EVERYTHING if self.manages else ANNOUNCES

    # the bank

    async def do_claim(self) -> None:
        who, kind, day = self._somebody(), self.chance.choice(list(Claim)), self.world.now // DAY
        chips = await self.world.bank.claim(GUILD, who, kind)
        self.claims[who, kind, day] += 1
        assert self.claims[who, kind, day] == 1, "nothing is had twice in a day, deleted or not"
        assert chips <= (REFILL if kind is Claim.REFILL else BONUS)
        self.made += chips

    async def do_send(self) -> None:
        payer, payee, chips, day = self._somebody(), self._somebody(), self.chance.randrange(1, CAP), self._day
        sent = await self.world.bank.send(GUILD, payer, payee, chips, cause=self.world.cause())
        assert sent.chips + sent.fee == chips
        self.made -= sent.fee
        self.sent[payer, day] += chips
        assert self.sent[payer, day] <= CAP

    async def do_freeze(self) -> None:
        await self.world.bank.freeze(GUILD, ANN, self._somebody(), "x", cause=self.world.cause())

    async def do_unfreeze(self) -> None:
        await self.world.bank.unfreeze(GUILD, ANN, self._somebody(), "x", cause=self.world.cause())

    async def do_give(self) -> None:
        chips = self.chance.randrange(1, 50)
        await self.world.bank.change_chips(
            GUILD, ANN, self._somebody(), Action.GIVE, chips, "x", cause=self.world.cause()
        )
        self.made += chips

    async def do_take(self) -> None:
        chips = self.chance.randrange(1, 500)
        await self.world.bank.change_chips(
            GUILD, ANN, self._somebody(), Action.TAKE, chips, "x", cause=self.world.cause()
        )
        self.made -= chips

    async def do_delete(self) -> None:
        """Delete a player, mostly one whose deletion nothing blocks."""
        free = [who for who in EVERYBODY if not await self.world.privacy.blockers(who)]
        await self.world.privacy.delete(self.chance.choice(free or EVERYBODY) if self._mostly else self._somebody())

    async def do_season(self) -> None:
        """Start a season, mostly with a reset. Then all chips are starting chips or were in play."""
        reset = self.chance.random() < 0.8
        world = self.world
        await world.bank.change_seasons(
            GUILD, ANN, lambda before: replace(before, reset_chips=reset), cause=world.cause()
        )
        await world.bank.start_season(GUILD, ANN, "", cause=world.cause())
        if reset:
            for have, in_play in await world.sessions.read(_everything):
                assert have + in_play <= max(world.policy.start_chips, in_play)
            self.made += self._minted - self._allowed()
            self.done["set back"] += 1

    @property
    def _day(self) -> int:
        return self.world.now // DAY

    # tables

    async def _table(self, *states: str) -> TableKey:
        """An open table, in one of these states where they are named; raises Stale where none is."""
        named = " OR ".join(f"state = '{state}'" for state in states) or "state <> 'closed'"
        rows = self.world.ask(f"SELECT table_id FROM game_table WHERE {named} ORDER BY table_id")
        if not rows:
            raise Stale
        return TableKey(guild=GUILD, table=self.chance.choice(rows)[0])

    async def _seat(self) -> tuple[TableKey, Player]:
        """Return a seated player, or occasionally any player; raises Stale if no one is seated."""
        rows = self.world.ask("SELECT table_id, player FROM seat ORDER BY table_id, player")
        if not rows:
            raise Stale
        table, player = self.chance.choice(rows)
        return TableKey(guild=GUILD, table=table), player if self._mostly else self._somebody()

    async def do_open(self) -> None:
        point_value = self.chance.choice((5, 50))
        await self.world.table(self._somebody(), variant=CHINESE, point_value=point_value, buy_in=20 * point_value)

    async def do_join(self) -> None:
        await self.world.join(await self._table(), self._somebody())

    async def do_leave(self) -> None:
        await self.world.leave(*await self._seat())

    async def do_start(self) -> None:
        key = await self._table("lobby")
        if (await self.world.play.look(key)).table.event_no is not None:
            raise Stale
        await self.world.start(key)

    async def do_place(self) -> None:
        """Place for all players to act, in random order of their cards."""
        key = await self._table("playing")
        view = await self.world.play.look(key)
        if not view.waiting:
            raise Stale
        for player in view.waiting:
            board = "".join(self.chance.sample(BOARD, len(BOARD)))
            await self.world.play.place_cards(
                key, player, hand_no=view.table.hand_no, street=1, rows=board, cause=self.world.cause()
            )

    def _stacks(self, which: str) -> list[tuple[TableKey, Player]]:
        """The seats at tables that are no event's whose stacks are such; all seats where there are none."""
        rows = self.world.ask(
            "SELECT s.table_id, s.player FROM seat s JOIN game_table g ON g.table_id = s.table_id "
            "LEFT JOIN account a ON a.kind = 'seat' AND a.table_id = s.table_id AND a.owner = s.player "
            f"WHERE g.event_id IS NULL AND {which} ORDER BY 1, 2"
        )
        return [(TableKey(guild=GUILD, table=table), player) for table, player in rows]

    async def do_rebuy(self) -> None:
        """Rebuy for a player who has lost everything, if there is one."""
        key, who = self.chance.choice(self._stacks("COALESCE(a.balance, 0) = 0") or [await self._seat()])
        await self.world.seating.rebuy(key, who, cause=self.world.cause())

    async def do_top_up(self) -> None:
        """Top up for a player who has lost chips, if there is one."""
        key, who = self.chance.choice(self._stacks("a.balance BETWEEN 1 AND g.buy_in - 1") or [await self._seat()])
        await self.world.seating.top_up(key, who, cause=self.world.cause())

    async def do_close(self) -> None:
        await self.world.play.close(await self._table(), reason="closed_by_admin")

    # events

    async def _event(self, phases: Sequence[Phase] = OPEN) -> EventKey:
        """An event in one of these phases; raises Stale where none is."""
        events = await self.world.events.events(GUILD, phases)
        if not events:
            raise Stale
        return self.chance.choice(events).key

    async def do_announce(self) -> None:
        by, authority = self._official()
        if len(await self.world.events.events(GUILD)) > 2:
            raise Stale
        chips = self.chance.choice((0, 777))
        structure = replace(SMALL, fee=self.chance.choice((0, 300)), added=chips)
        plan = PlannedEvent(
            guild=GUILD,
            channel=CHANNEL,
            organiser=by.player,
            authority=authority,
            language="en",
            name="Friday",
            variant=CHINESE,
            structure=structure,
            clock=PER_TURN,
            starts_at=self.world.now + self.chance.randrange(2, 30) * HOUR,
        )
        key = (await self.world.events.create(plan, cause=self.world.cause())).key
        assert authority.manager or not chips, "who manages nothing adds no chips"
        self.added[key] = chips
        if by.player != EVE:
            await self.world.events.co_organiser(key, by, EVE, remove=False, cause=self.world.cause())

    async def do_repeat(self) -> None:
        by, authority = self._official()
        key = await self._event()
        every = self.chance.choice((RepeatInterval.DAY, RepeatInterval.DAY, RepeatInterval.WEEK, None))
        await self.world.events.repeat(key, by, authority, every=every, zone="UTC", cause=self.world.cause())
        adds = (await self.world.events.look(key)).event.structure.added
        assert every is None or authority.manager or (authority.announces and not adds), "they could not announce it"

    async def do_vouch(self) -> None:
        """Let the bot check the permissions behind its automatic announcements, as far as it gets."""
        for event in await self.world.events.events(GUILD):
            for posting in await self.world.events.postings(event.key):
                if posting.notice is Notice.VOUCH:
                    voucher = await self.world.events.voucher(event.key)
                    may = voucher == ANN and self.manages
                    await self.world.events.vouch(event.key, EVERYTHING if may else ANNOUNCES)
                    await self.world.events.posted(posting.number)
                    self.done["vouched for" if may else "not vouched for"] += 1
                    if may:
                        self.added[event.key] = event.structure.added

    async def do_register(self) -> None:
        await self.world.events.register(await self._event(), self._somebody(), cause=self.world.cause())

    async def do_withdraw(self) -> None:
        await self.world.events.withdraw(await self._event(), self._somebody(), cause=self.world.cause())

    async def do_start_event(self) -> None:
        by, _ = self._official()
        await self.world.events.start(await self._event(), by, cause=self.world.cause())

    async def do_organise(self) -> None:
        """Chips of an event, which are worth nothing outside, are given or taken; players are put out."""
        by, _ = self._official()
        key, who, amount = await self._event([Phase.RUNNING]), self._somebody(), self.chance.choice((500, -500, 10**6))
        if self.chance.random() < 0.8:
            await self.world.events.adjust(key, by, who, amount=amount, why="x", cause=self.world.cause())
        else:
            await self.world.events.disqualify(key, by, who, why="x", cause=self.world.cause())

    async def do_cancel(self) -> None:
        by, _ = self._official()
        await self.world.events.cancel(await self._event(), by, why="Rain", cause=self.world.cause())

    # power and time

    async def do_power(self) -> None:
        """Ann loses the power to manage the server, or gets it back."""
        self.manages = not self.manages

    async def do_wait(self) -> None:
        """Time passes, mostly as much as a pause between hands takes; the clock does what is due."""
        (ms,) = self.chance.choices((15 * SECOND, MINUTE, 20 * MINUTE, 6 * HOUR), (20, 4, 2, 1))
        for _ in range(4):
            await self.world.later(ms // 4)

    # looking

    @property
    def _minted(self) -> int:
        """Return all chips of the server. Events' chips have their own mints, and are worthless outside."""
        return -self.world.balances("mint").get("", 0)

    def _allowed(self) -> int:
        """Return the permitted number of chips: grants, created minus removed, and additions by approved events."""
        self.known |= set(EVERYBODY) & self.world.balances("wallet").keys()
        ((grants, chips),) = self.world.ask("SELECT COUNT(*), SUM(amount) FROM transfer WHERE kind = 'grant'")
        # Each person is new once, and again when what the server remembers of a deletion is forgotten.
        times = 1 + (self.world.now - self.begun) // (REMEMBERED_DAYS * DAY)
        assert grants <= len(self.known) * times, "who is deleted is not new at once"
        begun = self.world.ask("SELECT event_id FROM event WHERE phase IN ('running', 'ended')")
        keys = [EventKey(guild=GUILD, number=number) for (number,) in begun]
        return (chips or 0) + self.made + sum(self.added.get(key, 0) for key in keys)

    async def check(self) -> None:
        """Check that accounts add up to zero, that no one owes chips, and that no more chips exist than permitted."""
        (total, least) = self.world.ask(
            "SELECT SUM(balance), MIN(CASE WHEN kind = 'mint' THEN 0 ELSE balance END) FROM account"
        )[0]
        assert (total or 0, least or 0) == (0, 0)
        minted, allowed = self._minted, self._allowed()
        assert minted <= allowed, f"{minted} chips, and {allowed} may be there"
        self.done["as many as there may be"] += minted == allowed
        self.most = max(self.most, minted)

    def check_books(self) -> None:
        """Run the checks of ``python -m bot check``, and check that no event has added unapproved chips."""
        assert findings(self.world) == []
        rows = self.world.ask(
            "SELECT t.cause, t.amount FROM transfer t JOIN account a ON a.account_id = t.payer "
            "WHERE t.kind = 'added' AND a.kind = 'mint'"
        )
        for cause, _ in rows:
            number = int(cause.split(":")[1])
            assert any(key.number == number for key in self.added), f"event {number} has added chips by itself"
        self.done["chips added to a pool"] = len(rows)
        self.done |= dict.fromkeys(("hands for chips", "hands of events"), 0)
        for of_event, hands in self.world.ask(
            "SELECT g.event_id IS NOT NULL, COUNT(*) FROM hand h JOIN game_table g USING (guild_id, table_id) "
            "WHERE h.state = 'settled' GROUP BY 1"
        ):
            self.done["hands of events" if of_event else "hands for chips"] = hands
        for phase, events in self.world.ask("SELECT phase, COUNT(*) FROM event GROUP BY 1"):
            self.done[f"events that are {phase}"] = events


def _everything(s: Session) -> list[tuple[int, int]]:
    """Return each member's chips in the wallet and in play."""
    tx = s.tx
    return [
        (have, tx.bank.chips_at_tables(GUILD, who) + tx.bank.fees_paid(GUILD, who, out_too=True))
        for who, have in tx.seasons.wallets(GUILD).items()
    ]
