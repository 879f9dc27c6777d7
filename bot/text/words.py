"""Words: the sentences of one language, with values filled in; lengths of time, refusals, names in the game.

Lengths are written and read as ``90s``, ``2 min``, ``1h30m``, ``1日``. Named are cards, rows, hands, games.
"""

from __future__ import annotations

import re
from base64 import b32encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache, lru_cache

from bot.clean_text import one_line
from bot.model.careers import RULES, Badge, Earned
from bot.ofc.cards import JOKERS, RANKS, Card, Row, rank_of, suit_of
from bot.ofc.naturals import Natural
from bot.ofc.ranks import Category, Strength, category_of, low_ranks, second_rank, top_rank
from bot.ofc.refusals import Refused
from bot.ofc.variants import Variant
from bot.text.catalogue import COUNT, Entries, Entry, TextError, aloud, load_catalogue
from bot.text.languages import ENGLISH, LANGUAGES, Language, language_of
from bot.text.names import isolated

MINUS = "−"
MOST_LOCALES = 256
"""Locales whose words are kept: Discord has three dozen, and a browser may name any."""
_MARKDOWN = re.compile(r"[\\*_~|`<\[\]:]|^[-#>]")
_UNITS = {"days": 86_400, "hours": 3_600, "minutes": 60, "seconds": 1}
_READ = {"weeks": 7 * 86_400, **_UNITS}
_NAMES = {name: unit for language in LANGUAGES.values() for name, unit in language.typed.units.items()}
_ENDS_LATIN = re.compile(r"[A-Za-z][.,!?]?[*)\"']{0,3}$")
_BEGINS_LATIN = re.compile(r"[*(\"']{0,3}[A-Za-z0-9]")
_PART = re.compile(r"\s*(\d{1,6})\s*([^\W\d_]*)\s*", re.UNICODE)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Words:
    """The sentences of one language: ``words("lobby.full", seats=3)``. There is one of each language."""

    language: Language
    entries: Entries = field(repr=False)
    heard: bool = False
    """True for the sentences that readers of *Text only* get."""
    _aloud: Words | None = field(init=False, repr=False, default=None)
    _signs: dict[int, str] = field(init=False, repr=False)
    """What stands for each sign that Python writes into a number."""

    def __post_init__(self) -> None:
        signs = {",": self.language.thousands, ".": self.language.decimals, "-": MINUS}
        object.__setattr__(self, "_signs", {ord(sign): own for sign, own in signs.items()})

    @property
    def aloud(self) -> Words:
        """The same language for readers of *Text only*. There is one of each language too."""
        if self.heard:
            return self
        if self._aloud is None:
            object.__setattr__(self, "_aloud", replace(self, entries=aloud(self.entries), heard=True))
        assert self._aloud is not None
        return self._aloud

    def __call__(self, key: str, /, **values: str | int) -> str:
        """The sentence ``key`` with each value in its place, verbatim.

        A sentence with a plural takes ``count``, which chooses its form and is written as ``number`` writes it.
        Raises TextError for an unknown key and for a value that is missing or too many.
        """
        entry = self.entries.get(key)
        if entry is None:
            raise TextError(f"{self.language.code}: no sentence {key}")
        if values.keys() != entry.fields:
            raise TextError(f"{entry.place}: takes {sorted(entry.fields)}, was given {sorted(values)}")
        return self._plural(entry, values) if entry.plural else entry.other.format_map(values)

    def _plural(self, entry: Entry, values: Mapping[str, str | int]) -> str:
        count = values[COUNT]
        if not isinstance(count, int):
            raise TextError(f"{entry.place}: count is a whole number, not {count!r}")
        sentence = entry.forms.get(self._language(entry).form(count), entry.other)
        return sentence.format_map({**values, COUNT: self.number(count)})

    def language_of(self, key: str) -> Language:
        """Return the language that a sentence is in: English for one that isn't translated."""
        return self._language(self.entries[key])

    def _language(self, entry: Entry) -> Language:
        return ENGLISH if entry.is_fallback else self.language

    def has(self, key: str) -> bool:
        """True when there is a sentence ``key``."""
        return key in self.entries

    def takes(self, key: str, field: str) -> bool:
        """True for a sentence that has this value in it."""
        entry = self.entries.get(key)
        return entry is not None and field in entry.fields

    def number(self, number: int) -> str:
        """``12,345``; below zero with a real minus sign."""
        return f"{number:,}".translate(self._signs)

    def signed(self, number: int) -> str:
        """``+12`` or ``−12``, and zero as the language writes it."""
        if not number:
            return "0" if self.heard else self.language.zero
        return f"{number:+,}".translate(self._signs)

    def signed_decimal(self, number: float, *, decimals: int) -> str:
        """``+1.5``, ``−1.5`` or ``+0.0``, with so many decimals."""
        return f"{number:+,.{decimals}f}".translate(self._signs)

    def decimal(self, number: float, *, decimals: int) -> str:
        """``1.50``, with so many decimals."""
        return f"{number:,.{decimals}f}".translate(self._signs)

    def percent(self, number: int) -> str:
        """``60%``."""
        return self.number(number) + self.language.percent

    def list(self, things: Sequence[str]) -> str:
        """``A, B and C``, or ``A、B、C``; nothing for an empty list."""
        *front, end = things or ("",)
        return f"{self.language.joint.join(front)}{self.language.last_joint}{end}" if front else end

    @property
    def dot(self) -> str:
        """What stands between short facts on one line."""
        return self("aloud.pause") if self.heard else " · "

    def facts(self, things: Iterable[str], *, unbroken: bool = False) -> str:
        """``A · B``: short facts on one line, without the empty ones; readers of *Text only* get pauses between them.

        With ``unbroken`` a line never breaks between a dot and what follows.
        """
        return (" ·\u00a0" if unbroken and not self.heard else self.dot).join(filter(None, things))

    def adorned(self, sign: str, text: str) -> str:
        """``text`` behind a sign that only adorns it, or alone for readers of *Text only*."""
        return text if self.heard else f"{sign} {text}"

    def side_by_side(self, things: Sequence[str]) -> str:
        """``1 hour 30 minutes``, or ``1時間30分``.

        Latin letters are kept apart in every language, because some sentences may not be translated.
        """
        joined = ""
        for number, thing in enumerate(things):
            space = self.language.space
            if not space and _ENDS_LATIN.search(joined) and _BEGINS_LATIN.match(thing):
                space = " "
            joined += (space if number else "") + thing
        return joined


@cache
def _all_words() -> Mapping[str, Words]:
    return {code: Words(language=LANGUAGES[code], entries=entries) for code, entries in load_catalogue().items()}


def words_for(code: str) -> Words:
    """The words of a language by its code, such as a table keeps; English for one that is not spoken here.

    All are loaded and checked at the first call. Raises TextError.
    """
    spoken = _all_words()
    return spoken.get(code, spoken[ENGLISH.code])


def untranslated() -> Mapping[str, int]:
    """Return how many sentences each language shows in English; languages without any are left out."""
    counts = {code: sum(entry.is_fallback for entry in words.entries.values()) for code, words in _all_words().items()}
    return {code: count for code, count in counts.items() if count}


@lru_cache(MOST_LOCALES)
def words_of_locale(locale: str) -> Words:
    """The words for people whose Discord is in this locale; English where no language reads it."""
    return words_for(language_of(locale).code)


def escape_name(text: str) -> str:
    """A display name that Discord prints as it is: no markdown, mention, link or emoji, on one line.

    Right-to-left names are isolated, so that they don't swap places with what follows. For message text only: in a
    code block, a button or a menu the backslashes would be seen.
    """
    # A server reads mentions before any backslash: only a character after the @ breaks them.
    return isolated(_MARKDOWN.sub(r"\\\g<0>", one_line(text)).replace("@", "@\u200b"))


# Lengths of time.


def duration(seconds: int, words: Words) -> str:
    """``1 minute 30 seconds``: the two largest units that are not zero."""
    parts, rest = [], max(0, seconds)
    for unit, size in _UNITS.items():
        if count := rest // size:
            parts.append(words(f"duration.{unit}", count=count))
        rest %= size
    return words.side_by_side(parts[:2]) if parts else words("duration.seconds", count=0)


def short_duration(seconds: int, words: Words) -> str:
    """``90s``, ``2m``, ``3d``: one number, in the largest unit that comes out even."""
    unit, size = next((unit, size) for unit, size in _UNITS.items() if seconds % size == 0)
    return words(f"duration.short_{unit}", number=str(seconds // size))


_HOURS_AND_MINUTES = re.compile(r"(?<=\dh)\s*(\d{1,2})$")
"""The minutes of ``1h30``, which have no unit."""


def parse_duration(text: str) -> int | None:
    """The seconds of a text such as ``90``, ``2m``, ``1h 30min``, ``1日``; None where it is none."""
    rest = text.strip().casefold().translate(str.maketrans("０１２３４５６７８９", "0123456789"))
    if not rest:
        return None
    if rest.isascii() and rest.isdigit() and len(rest) <= 7:
        return int(rest)
    seconds = 0
    rest = _HOURS_AND_MINUTES.sub(r"\1m", rest)
    while rest:
        part = _PART.match(rest)
        unit = part and (_NAMES.get(part[2]) or _NAMES.get(part[2].removesuffix("s")))
        if part is None or not unit:
            return None
        seconds += int(part[1]) * _READ[unit]
        rest = rest[part.end() :]
    return seconds


# Refusals in words.


def refusal(refused: Refused, words: Words) -> str:
    """The sentence ``refused.<reason>``, with numbers written out, rows named and times as durations."""
    return words(f"refused.{refused.reason.value}", **{k: _said(k, v, words) for k, v in refused.details.items()})


PUBLIC_BUTTONS = {"register": "event.button.register", "withdraw": "event.button.withdraw"}
"""Fields of refusals that name a button of a public message. Their value is the language of that message."""


def _said(name: str, value: int | str, words: Words) -> int | str:
    if name in PUBLIC_BUTTONS:
        return words_for(str(value))(PUBLIC_BUTTONS[name])
    if name == "row":
        return words(f"row.{value}")
    if name == "channels":
        return words.list([f"<#{channel}>" for channel in str(value).split(",")])
    if name == "player":
        return f"<@{value}>"
    if name == "role":
        return f"<@&{value}>"
    if name in ("shortest", "longest", "wait") and isinstance(value, int):
        return duration(value, words)
    return words.number(value) if isinstance(value, int) and name != COUNT else value


MOST_NAMES = 4096
"""Names of one kind that are kept: a panel names a dozen things, mostly those of the panel before."""
SUITS = ("♣\ufe0e", "♦\ufe0e", "♥\ufe0e", "♠\ufe0e")
"""With the variation selector that keeps clients from drawing them as emojis."""
JOKER = "🃏"
_BY_HIGHEST = frozenset({Category.HIGH_CARD, Category.STRAIGHT, Category.FLUSH, Category.STRAIGHT_FLUSH})
"""Hands that are named by their highest rank."""
_BY_TWO = frozenset({Category.TWO_PAIR, Category.FULL_HOUSE})
"""Hands that are named by two ranks; all the others are named by the one that they hold several times."""


def preset_name(variant: Variant, words: Words) -> str:
    """``Pineapple OFC``, whatever a house has changed."""
    return words(f"variant.{variant.key}.name")


def variant_name(variant: Variant, words: Words) -> str:
    """``Pineapple OFC``, or the name that a house gave its game, as message text prints it.

    A game without a name that a house has changed says what was changed, where there is a short word for it.
    """
    if variant.house_name:
        return escape_name(variant.house_name)
    preset = preset_name(variant, words)
    if not variant.house:
        return preset
    shorts = [f"house.short.{key}_{value}" for key, value in variant.house.items()]
    if all(map(words.has, shorts)):
        return words("house.changed", game=preset, rules=words.list([words(short) for short in shorts]))
    return words("rules.house.name", game=preset)


def full_name(variant: Variant, words: Words) -> str:
    """``Our evening (Pineapple OFC)`` for a game that a house named, so that everybody knows what is played."""
    name = variant_name(variant, words)
    return words("house.named", name=name, game=preset_name(variant, words)) if variant.house_name else name


def badge_name(badge: Badge, words: Words) -> str:
    """``Royal flush``: what earns it, in a few words."""
    return _of_badge(f"badge.name.{badge.value}", badge, words)


def badge_rule(badge: Badge, words: Words) -> str:
    """``A royal flush on a board that didn't foul``: how it is earned."""
    return _of_badge(f"badge.rule.{badge.value}", badge, words)


def _of_badge(key: str, badge: Badge, words: Words) -> str:
    """What is said of a badge, with its number where the sentence has one."""
    return words(key, **({"least": words.number(RULES[badge].least)} if words.takes(key, "least") else {}))


def earned_name(earned: Earned, words: Words) -> str:
    """The name of a badge, with the month that it is for where it is for one."""
    name = badge_name(earned.badge, words)
    return words("badge.of_month", badge=name, month=month_name(earned.since, words)) if earned.since else name


def month_name(since: int, words: Words) -> str:
    """``November 2026``, of when it began (ms)."""
    began = datetime.fromtimestamp(since // 1000, UTC)
    return words("badge.month", month=words(f"badge.months.{began.month}"), year=str(began.year))


@lru_cache(MOST_NAMES)
def row_name(row: Row, words: Words) -> str:
    """``front``."""
    return words(f"row.{row.key}")


@lru_cache(MOST_NAMES)
def row_label(row: Row, words: Words, *, strict: bool) -> str:
    """``Front``; in the games of 十三張, where rows are strictly in order, with the name that it has there."""
    return capital(words(f"board.strict.{row.key}") if strict else row_name(row, words))


def category_name(category: Category, words: Words) -> str:
    """``full house``."""
    return words(f"category.{category.name.lower()}")


def natural_name(natural: Natural, words: Words) -> str:
    """``six pairs``."""
    return words(f"natural.{natural.name.lower()}")


@lru_cache(MOST_NAMES)
def hand_text(strength: Strength, words: Words) -> str:
    """``pair of queens``, ``fives full of nines``, ``9-high straight``, ``royal flush`` or ``9-8-5-3-2 low``."""
    category, top = category_of(strength), top_rank(strength)
    if category is Category.LOW:
        return low_text(strength, words)
    if category is Category.ROYAL_FLUSH or not top:
        return category_name(category, words)
    sentence = f"hand.{category.name.lower()}"
    if category in _BY_HIGHEST:
        return words(sentence, rank=rank_name(top))
    if category in _BY_TWO:
        return words(sentence, ranks=several_of(top, words), others=several_of(second_rank(strength), words))
    return words(sentence, ranks=several_of(top, words))


def told_apart(one: Strength, other: Strength, words: Words) -> tuple[str, str]:
    """Two hands by their names, and by their ranks too where both have the same name: ``K-high, K-9-4``."""
    first, second = hand_text(one, words), hand_text(other, words)
    if first != second:
        return first, second
    return _with_ranks(one, words), _with_ranks(other, words)


def _with_ranks(strength: Strength, words: Words) -> str:
    ranks = [rank for shift in range(16, -1, -4) if (rank := strength >> shift & 15)]
    return words("hand.with_ranks", hand=hand_text(strength, words), ranks=ranks_text(ranks))


def several_of(rank: int, words: Words) -> str:
    """``queens``, as a hand that holds more than one is named."""
    return words(f"ranks.{rank}")


def low_text(strength: Strength, words: Words) -> str:
    """``9-8-5-3-2 low`` for a qualifying deuce-to-seven low."""
    return words("rules.low", ranks=ranks_text(low_ranks(strength)))


def ranks_text(ranks: Iterable[int]) -> str:
    """``9-8-5-3-2``."""
    return "-".join(map(rank_name, ranks))


def typed_hand(code: str) -> str:
    """``QQ`` and ``AAA`` as house rules write them; tens as the cards show them, ``10-10``."""
    return "-".join(["10"] * len(code)) if set(code) == {"T"} else code


def named_hand(code: str, words: Words) -> str:
    """``QQ``; readers of *Text only* get ``queens``, since ``66`` would be read as a number."""
    if not words.heard:
        return typed_hand(code)
    return words("aloud.pair" if len(code) == 2 else "aloud.trips", ranks=several_of(RANKS.index(code[0]) + 2, words))


def rank_name(rank: int) -> str:
    """``10`` for the rank 10, ``A`` for the ace (14)."""
    return RANKS[rank - 2].replace("T", "10")


@cache
def card_text(card: Card) -> str:
    """``10♠``; a joker is its picture."""
    if card in JOKERS:
        return JOKER
    return rank_name(rank_of(card)) + SUITS[suit_of(card)]


def row_text(cards: Iterable[Card]) -> str:
    """``A♠ 10♥``."""
    return " ".join(map(card_text, cards))


def range_text(least: int, most: int, words: Words) -> str:
    """``2–3``, or ``2`` when that is all."""
    if least == most:
        return words.number(least)
    return words("rules.range", least=words.number(least), most=words.number(most))


def capital(text: str) -> str:
    """``text`` with a capital letter in front, where its script has capitals."""
    return text[:1].upper() + text[1:]


def gone_name(pseudonym: str, words: Words) -> str:
    """The name of somebody whose data were deleted, so that two of them can be told apart."""
    return words("name.gone", code=pseudonym[-4:])


def computer_name(computer: str, words: Words) -> str:
    """The name of a computer player, with the mark of one and its level."""
    return words(f"name.{computer.replace('-', '_')}")


# The fingerprint that people are shown of a commitment, to compare it with a record.

FINGERPRINT = 26
"""Characters of a fingerprint: 130 bits."""


def fingerprint(digest: bytes) -> str:
    """The fingerprint of a commitment: its first 130 bits as 26 lower-case letters and digits (base32 of RFC 4648)."""
    return b32encode(digest).decode().lower()[:FINGERPRINT]
