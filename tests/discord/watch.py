"""The watch: checks everything that the bot sends, and who can see it.

Three promises hold after every step of every test. No one sees a card that they may not know. An answer to a person is
visible only to them, except a shared daily result, and never replaces a public message. No public message shows an
unconfirmed placement. At the end of a test there's a fourth: every message is within the limits of Discord and of this
project. For example, everything that can be pressed or seen has a name in words for screen readers.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bot.chat.club.screens.settings import SAMPLE
from bot.chat.kit.custom_ids import BUTTON_TEMPLATE, SELECT_TEMPLATE, decode
from bot.chat.table.screens.tutorial import LESSONS
from bot.chat.trainer.screens.mistakes import MISTAKE, mistake_in
from bot.chat.trainer.screens.position_form import shown_position
from bot.chat.trainer.screens.puzzle import VERB, puzzle_in
from bot.model.daily import ChallengeId
from bot.model.ids import GuildId, Player, TableId, TableKey
from bot.model.puzzles import PuzzleName
from bot.model.reasons import DailyReason
from bot.play.trainer.known_puzzles import known_puzzles
from bot.pure.ofc.cards import card_name
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.view import HandView
from tests.backstage import transactions_of
from tests.discord.messages import Json, cards_in, hand_of, notified, notified_roles, text_of, unnamed, walk
from tests.discord.verbs import lacks_terms

if TYPE_CHECKING:
    from tests.discord.club import Club

EVERYBODY = None
EPHEMERAL = 1 << 6
MAX_COMPONENTS = 40
MAX_CHARACTERS = 4000
MAX_BUTTONS_PER_ROW = 4
MENUS = (3, 5, 6, 8)
"""Types of menus: of options, people, roles and channels."""
TAUGHT = {card_name(card) for lesson in LESSONS for card in lesson.cards}
"""Cards of the guided hand, which are the same for everyone."""
SAMPLED = {card_name(card) for card in SAMPLE}
"""Sample cards in the settings."""

Viewer = int | None
"""A user's id, or everyone."""
HandKey = tuple[TableKey, int]


@dataclass(frozen=True)
class Sent:
    """One message or edit as it was sent."""

    viewer: Viewer
    guild: int
    body: Json
    what: str

    @property
    def components(self) -> list[Json]:
        """The message's components."""
        components: list[Json] = self.body.get("components") or []
        return components

    @property
    def notified(self) -> list[str]:
        """The users that the message notifies. Edits notify no one."""
        return notified(self.body) if self.what.startswith("POST") else []

    @property
    def notified_roles(self) -> list[str]:
        """The roles whose members it notifies."""
        return notified_roles(self.body) if self.what.startswith("POST") else []


class Watch:
    """Looks at all that was sent since it looked last."""

    def __init__(self, backend: Any) -> None:
        self.clubs: list[Club] = []
        self.sent: list[Sent] = []
        self.shown: dict[tuple[HandKey, Viewer], set[str]] = defaultdict(set)
        """The cards of a hand that each viewer was shown in messages."""
        self._backend = backend
        self._read = 0
        self._known: dict[tuple[HandKey, Viewer], set[str]] = defaultdict(set)
        self._finished: set[HandKey] = set()
        self._numbered: dict[tuple[GuildId, int], set[TableKey]] = defaultdict(set)
        """The tables with a number for people. Events number theirs from 1."""
        self._viewers: dict[int, Viewer] = {}
        self._days: dict[tuple[int, Viewer], set[str]] = defaultdict(set)
        """Cards of a daily hand that a viewer may know."""
        self._puzzles: dict[Viewer, set[str]] = defaultdict(set)
        """Cards of the puzzles that a viewer was given."""
        self._mistakes: dict[tuple[PuzzleName, Viewer], HandKey] = {}
        """The hands of the mistakes that viewers were shown."""
        self.outside: list[GuildId] = []
        """Servers of players outside the clubs. Direct messages belong to no server."""
        self.rests = False
        """True while it checks nothing, so that tests can count the bot's own work."""

    async def look(self) -> None:
        """Check what is new; raises AssertionError."""
        if self.rests:
            return
        fresh = list(self._fresh())
        self.sent += fresh
        if any(cards_in(sent.body) for sent in fresh):
            await self._learn()
        for sent in fresh:
            if (number := _day_in(sent.components)) and sent.viewer is not EVERYBODY:
                await self._learn_day(number, str(sent.viewer))
            if (name := _mistake_in(sent.components)) and sent.viewer is not EVERYBODY:
                await self._learn_mistake(name, sent.viewer)
            if (number := _over_in(sent.components)) and sent.viewer is EVERYBODY:
                # This is refused while any player can still play the hand.
                solved = await self.clubs[0].bot.services.daily.solved(ChallengeId(number), Player("1"))
                self._days[number, EVERYBODY] |= {card_name(card) for cards, _ in solved.streets for card in cards}
        for sent in fresh:
            self._check_secrets(sent)

    # viewers of a message

    def _fresh(self) -> Iterator[Sent]:
        requests = self._backend.http_requests[self._read :]
        self._read += len(requests)
        for record in self._backend.interactions.values():
            if record.message_id is not None and record.message_id != record.source_message_id:
                self._viewers.setdefault(record.message_id, record.user_id if record.ephemeral else EVERYBODY)
            for followup in record.followup_ids:
                # That each is private is looked at when it is sent.
                self._viewers.setdefault(followup, record.user_id)
        for request in requests:
            if request.method in ("POST", "PATCH") and isinstance(request.json, dict):
                yield from self._sent(f"{request.method} {request.path}", request.path.split("/")[1:], request.json)

    def _sent(self, what: str, path: list[str], body: Json) -> Iterator[Sent]:
        match path:
            case ["channels", channel, "messages", *_]:
                yield Sent(EVERYBODY, self._guild(int(channel)), body, what)
            case ["interactions", number, _, "callback"]:
                yield from self._callback(what, self._backend.interactions[int(number)], body)
            case ["webhooks", _, token, *rest]:
                record = self._backend.interactions[self._backend.interaction_tokens[token]]
                yield self._by_token(what, record, rest, body)

    def _callback(self, what: str, record: Any, body: Json) -> Iterator[Sent]:
        data = body.get("data") or {}
        if body["type"] in (4, 5):
            shared = not int(data.get("flags") or 0) & EPHEMERAL
            assert not shared or _shares(data), f"an answer that everybody sees: {what}"
            yield Sent(EVERYBODY if shared else record.user_id, record.guild_id or 0, data, what)
        elif body["type"] == 7:
            viewer = self._viewer_of(record.source_message_id)
            assert viewer is not EVERYBODY, f"an answer in place of a public message: {what}"
            yield Sent(viewer, record.guild_id or 0, data, what)
        elif body["type"] == 8:
            yield Sent(record.user_id, record.guild_id or 0, data, what)

    def _by_token(self, what: str, record: Any, rest: list[str], body: Json) -> Sent:
        if not rest:
            assert int(body.get("flags") or 0) & EPHEMERAL, f"a followup that everybody sees: {what}"
            return Sent(record.user_id, record.guild_id or 0, body, what)
        viewer = self._viewer_of(record.message_id) if record.message_id else record.user_id
        assert viewer is not EVERYBODY, f"an answer in place of a public message: {what}"
        return Sent(viewer, record.guild_id or 0, body, what)

    def _viewer_of(self, message: int) -> Viewer:
        # A message without an interaction was sent to the channel.
        return self._viewers.get(message, EVERYBODY)

    def _guild(self, channel: int) -> int:
        for club in self.clubs:
            if club.channel.id == channel:
                return club.guild.id
        found = self._backend.channels.get(channel)
        return found.guild_id if found is not None else 0

    # permitted cards

    async def _learn(self) -> None:
        """Record every card that each viewer may see now, because viewers don't forget."""
        for club in self.clubs:
            viewers: list[Viewer] = [EVERYBODY, *(member.id for member in club.members.values())]
            for guild in (club.key().guild, *self.outside):
                for number in range(1, 100):
                    try:
                        await self._learn_table(club, TableKey(guild=guild, table=TableId(number)), viewers)
                    except Refused:
                        break

    async def _learn_table(self, club: Club, key: TableKey, viewers: list[Viewer]) -> None:
        public = await club.play.look(key)
        self._numbered[key.guild, public.table.number].add(key)
        last = public.table.hand_no
        everybody = int(public.table.host) if public.table.private else EVERYBODY
        for hand_no in range(1, last + 1):
            if (key, hand_no) in self._finished:
                continue
            if hand_no < last or not public.table.open:
                over = (await club.play.result(key, hand_no)).hand
                self._note((key, hand_no), everybody, over)
                await self._learn_own(club, key, hand_no, over)
                self._finished.add((key, hand_no))
        if public.hand is not None:
            self._note((key, last), everybody, public.hand)
            players = {seat.player for seat in public.hand.seats}
            for viewer in viewers:
                if str(viewer) in players:
                    look = await club.play.look(key, club.player(club.name_of(str(viewer))))
                    self._note((key, look.table.hand_no), viewer, look.hand)

    async def _learn_own(self, club: Club, key: TableKey, hand_no: int, over: HandView | None) -> None:
        """Note what players have discarded: the clock may have dealt and placed it since the watch looked last."""
        for seat in over.seats if over else ():
            if seat.player in {str(member.id) for member in club.members.values()}:
                with suppress(Refused):  # void
                    past = await club.play.past(key, hand_no, Player(seat.player))
                    self._note((key, hand_no), int(seat.player), past.end)

    async def _learn_day(self, number: int, viewer: str) -> None:
        """Record the cards of a daily hand that a viewer may see. After the day, those are all dealt cards."""
        daily = self.clubs[0].bot.services.daily
        view = await daily.look(ChallengeId(number), Player(viewer))
        known = self._days[number, int(viewer)]
        for seat in view.hand.seats if view.hand else ():
            for cards in (*seat.rows, seat.held, seat.discards):
                known |= {card_name(card) for card in cards if card is not None}
        if view.closed is DailyReason.DAY_OVER:
            solved = await daily.solved(ChallengeId(number), Player(viewer))
            known |= {card_name(card) for cards, _ in solved.streets for card in cards}

    async def _learn_mistake(self, name: PuzzleName, viewer: Viewer) -> None:
        """Note the hand of a viewer's mistake, whose cards they may know."""
        player = Player(str(viewer))
        read = transactions_of(self.clubs[0].play).read
        found = await read(lambda s: s.tx.mistakes.mistake(player, name))
        if found is not None:
            self._mistakes[name, viewer] = (found.key, found.hand_no)

    def _note(self, hand: HandKey, viewer: Viewer, view: HandView | None) -> None:
        for seat in view.seats if view else ():
            for cards in (*seat.rows, seat.held, seat.discards):
                self._known[hand, viewer] |= {card_name(card) for card in cards if card is not None}

    # the promises

    def _check_secrets(self, sent: Sent) -> None:
        if sent.viewer is EVERYBODY:
            self._check_no_draft(sent)
        shown = cards_in(sent.body)
        if not shown or any(":rules:" in str(c.get("custom_id")) for c in walk(sent.components)):
            return
        if self._teaches(sent):
            assert shown <= TAUGHT, f"the tutorial shows {sorted(shown - TAUGHT)}"
            return
        if day := _day_in(sent.components) or (sent.viewer is EVERYBODY and _over_in(sent.components)):
            early = shown - self._days[day, sent.viewer]
            assert not early, f"{sent.viewer} is shown {sorted(early)}: {sent.what}"
            return
        if names := _days_in(sent.components) if sent.viewer is EVERYBODY else ():
            allowed = set().union(*map(_cards_of_puzzle, names))
            assert shown <= allowed, f"a morning post shows {sorted(shown - allowed)}: {sent.what}"
            return
        if name := _puzzle_in(sent.components):
            assert sent.viewer is not EVERYBODY, f"a puzzle for all to see: {sent.what}"
            allowed = _cards_of_puzzle(name)
            self._puzzles[sent.viewer] |= allowed
            assert shown <= allowed, f"a puzzle shows {sorted(shown - allowed)}: {sent.what}"
            return
        if (asked := _asked_in(sent.components)) is not None:
            assert sent.viewer is not EVERYBODY, f"an analysis for all to see: {sent.what}"
            assert shown <= asked, f"an analysis shows {sorted(shown - asked)}: {sent.what}"
            return
        if (name := _mistake_in(sent.components)) and not hand_of(sent.components):
            assert sent.viewer is not EVERYBODY, f"a mistake for all to see: {sent.what}"
            allowed = self._known_of_mistake(name, sent.viewer)
            assert shown <= allowed, f"a mistake shows {sorted(shown - allowed)}: {sent.what}"
            return
        if any(":wish_cards:" in str(c.get("custom_id")) for c in walk(sent.components)):
            assert shown == SAMPLED, f"the settings show {sorted(shown)}"
            return
        if sheet := _sheet_of(sent.components):
            places = [(TableKey(guild=GuildId(sent.guild), table=TableId(table)), hand) for table, hand in sheet]
            allowed = set().union(*(self._known[place, EVERYBODY] for place in places))
            assert shown <= allowed, f"a deck's sheet shows {sorted(shown - allowed)}: {sent.what}"
            return
        hand = hand_of(sent.components)
        table, number = hand or (0, None)
        if number is None:
            self._check_choices(sent, shown)
            return
        # A user's own installation answers in a server's channel, but about hands of no server.
        for key in self._meant(TableId(table), GuildId(sent.guild)):
            place = (key, number)
            allowed = self._known[place, EVERYBODY] | self._known[place, sent.viewer]
            if name := _mistake_in(sent.components):
                allowed = allowed | self._known_of_mistake(name, sent.viewer)
            if shown <= allowed:
                break
        assert shown <= allowed, f"{sent.viewer} is shown {sorted(shown - allowed)}: {sent.what}"
        self.shown[place, sent.viewer] |= shown

    def _known_of_mistake(self, name: PuzzleName, viewer: Viewer) -> set[str]:
        """Return the cards that a viewer may know of the hand with their mistake."""
        hand = self._mistakes[name, viewer]
        return self._known[hand, EVERYBODY] | self._known[hand, viewer]

    def _meant(self, table: TableId, guild: GuildId) -> Iterator[TableKey]:
        """Yield the tables that a message may be about. Without a button, it has only a number for people."""
        for where in (guild, *self.outside):
            yield TableKey(guild=where, table=table)
            yield from self._numbered[where, int(table)]

    def _check_choices(self, sent: Sent, shown: set[str]) -> None:
        """Check suggestions and refusals, which name no hand. They may show cards that their reader sees anywhere."""
        private = "choices" in sent.body or sent.viewer is not EVERYBODY
        assert private, f"cards of no table: {sent.what} {text_of(sent.components)}"
        allowed = set().union(*(cards for (_, viewer), cards in self._known.items() if viewer == sent.viewer))
        allowed |= self._puzzles[sent.viewer]
        assert shown <= allowed, f"{sent.viewer} is offered {sorted(shown - allowed)}"

    @staticmethod
    def _teaches(sent: Sent) -> bool:
        """True for the tutorial, whose cards are no hand's: each of its buttons is one of no table."""
        ids = [str(c["custom_id"]) for c in walk(sent.components) if "custom_id" in c]
        return any(":learn:" in one for one in ids) and all(
            re.match(r"c1:(learn|practise|open|rulebook):0:", one) for one in ids
        )

    @staticmethod
    def _check_no_draft(sent: Sent) -> None:
        for component in walk(sent.components):
            custom_id = str(component.get("custom_id") or "")
            match = BUTTON_TEMPLATE.fullmatch(custom_id) or SELECT_TEMPLATE.fullmatch(custom_id)
            if match is not None:
                assert not match["draft"], f"a draft for all to see: {custom_id}"
                assert not match["chosen"], f"a choice for all to see: {custom_id}"

    def check_limits(self) -> None:
        """Every message within the limits; raises AssertionError."""
        for sent in self.sent:
            for fault in faults_of(sent.body):
                raise AssertionError(f"{fault}: {sent.what}")


def _shares(body: Json) -> bool:
    """True for a shared result of a daily hand, which shows no card and links to the reader's own."""
    ids = [str(part["custom_id"]) for part in walk(body.get("components") or []) if "custom_id" in part]
    return ids == ["c1:daily:0:0:0:::"] and not cards_in(body)


def _sheet_of(components: Any) -> list[tuple[int, int]]:
    """Return the hands on the sheet of a duplicate event's deck; empty for other messages."""
    ids = [str(c["custom_id"]) for c in walk(components) if "custom_id" in c]
    presses = [one.split(":") for one in ids] if any(":ev_masters:" in one for one in ids) else []
    return [(int(one[2].split(".")[0]), int(one[3])) for one in presses if one[1] == "replay"]


def _day_in(components: list[Json]) -> int:
    """The hand of a day that a message shows; 0 for one that shows none."""
    for part in walk(components):
        match = re.match(r"[cs]1:day_(?:card|set_b|confirm|share|record):0:(\d+):", str(part.get("custom_id") or ""))
        if match:
            return int(match[1])
    return 0


def _puzzle_in(components: list[Json]) -> PuzzleName | None:
    """The puzzle that a message shows; None if it shows none."""
    for part in walk(components):
        match = BUTTON_TEMPLATE.fullmatch(str(part.get("custom_id") or ""))
        if match and match["verb"].startswith(VERB) and match["tag"]:
            return puzzle_in(decode(match))
    return None


def _days_in(components: list[Json]) -> set[PuzzleName]:
    """The puzzles of the day in a morning post, which lead to the new one and to the last one's result."""
    matches = [BUTTON_TEMPLATE.fullmatch(str(part.get("custom_id") or "")) for part in walk(components)]
    return {puzzle_in(decode(match)) for match in matches if match and match["verb"] == f"{VERB}day"}


def _mistake_in(components: list[Json]) -> PuzzleName | None:
    """The mistake that a message is about; None if it's about none."""
    for part in walk(components):
        match = BUTTON_TEMPLATE.fullmatch(str(part.get("custom_id") or ""))
        if match and match["verb"].startswith(MISTAKE) and match["tag"]:
            return mistake_in(decode(match))
    return None


def _cards_of_puzzle(name: PuzzleName) -> set[str]:
    """The cards in a puzzle's position, which are all that its reader sees."""
    position = known_puzzles()[name].position
    boards = [position.rows, *(opponent.rows for opponent in position.opponents)]
    cards = [*position.held, *position.discards, *(card for rows in boards for row in rows for card in row)]
    cards += [card for opponent in position.opponents for card in opponent.discards]
    return {card_name(card) for card in cards}


_PACKED = re.compile(r"s1:an_from:")


def _asked_in(components: list[Json]) -> set[str] | None:
    """The cards of the position that an analysis shows as it was typed, or of a file's decisions; None for others."""
    texts = [str(part["content"]) for part in walk(components) if "content" in part]
    controls = [part for part in walk(components) if "custom_id" in part]
    if any(_PACKED.match(str(part["custom_id"])) for part in controls):
        # A file shows all that it has, to one who has it.
        return cards_in([option for part in controls for option in part.get("options", ())])
    if not any(re.match(r"c1:an_enter:", str(part["custom_id"])) for part in controls):
        return None
    return set(re.findall(r"[2-9TJQKA][cdhs]", shown_position(texts)))


def _over_in(components: list[Json]) -> int:
    """Return the finished daily hand whose cards a message links to; 0 if there is none."""
    for part in walk(components):
        match = re.match(r"c1:day_solved:0:(\d+):", str(part.get("custom_id") or ""))
        if match:
            return int(match[1])
    return 0


def faults_of(body: Json) -> Iterator[str]:
    """Yield violations of Discord's limits in a message or in suggestions, and problems on phones."""
    if missed := unnamed(body):
        yield f"a call of {sorted(missed)} that reaches nobody, for the text does not mention them"
    components = body.get("components") or []
    parts = list(walk(components))
    if len(parts) > MAX_COMPONENTS:
        yield f"{len(parts)} components"
    if len(text_of(components)) > MAX_CHARACTERS:
        yield f"{len(text_of(components))} characters of text"
    for custom_id, count in Counter(c["custom_id"] for c in parts if "custom_id" in c).items():
        if count > 1:
            yield f"{custom_id} {count} times"
    for part in parts:
        yield from _part_faults(part)
    choices = body.get("choices") or []
    if len(choices) > 25:
        yield f"{len(choices)} suggestions"
    for choice in choices:
        if not 1 <= len(choice["name"]) <= 100 or not 1 <= len(str(choice["value"])) <= 100:
            yield f"a suggestion that is too long or empty: {choice}"


def _part_faults(part: Json) -> Iterator[str]:
    if not 1 <= len(part.get("custom_id", "c")) <= 100:
        yield f"a custom id of {len(part['custom_id'])} characters"
    if BUTTON_TEMPLATE.fullmatch(part.get("custom_id", "")) and lacks_terms(part["custom_id"]):
        yield f"a button that doesn't carry the terms it is shown with: {part['custom_id']}"
    match part["type"]:
        case 1:
            buttons = sum(child["type"] == 2 for child in part["components"])
            if buttons > MAX_BUTTONS_PER_ROW or not part["components"]:
                yield f"{buttons} buttons in a row"
        case 2:
            # Screen readers read a picture without a label by its machine name.
            if not 1 <= len((part.get("label") or "").strip()) <= 80:
                yield f"a button's label {part.get('label')!r}"
        case 3:
            yield from _select_faults(part)
        case 10:
            if not part["content"].strip():
                yield "an empty text"
        case 12:
            if not all((item.get("description") or "").strip() for item in part["items"]):
                yield "a picture that is not told in words"
    if part["type"] in MENUS and not 1 <= len(part.get("placeholder") or "") <= 150:
        yield f"a menu that says {part.get('placeholder')!r}"


def _select_faults(part: Json) -> Iterator[str]:
    options = part["options"]
    if not 1 <= len(options) <= 25:
        yield f"{len(options)} options"
    if len({option["value"] for option in options}) < len(options):
        yield "two options of one value"
    if any(not 1 <= len(option[name]) <= 100 for option in options for name in ("label", "value")):
        yield "an option that is too long or empty"
    if not 0 <= part.get("min_values", 1) <= part.get("max_values", 1) <= len(options):
        yield "an impossible number of choices"
    if sum(bool(option.get("default")) for option in options) > part.get("max_values", 1):
        yield "more chosen than can be"
