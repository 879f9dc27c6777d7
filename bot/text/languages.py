"""The supported languages, with all language rules that can't be expressed in sentences.

A language consists of its folder in ``data/text`` and one entry in ``LANGUAGES``. No other code depends on it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

OTHER = "other"
PLURAL_FORMS = ("zero", "one", "two", "few", "many", OTHER)
"""The plural forms, with their CLDR names. Every language has ``other``."""

Patterns: TypeAlias = tuple[tuple[str, str], ...]
"""Regular expressions with their replacements, applied in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedWords:
    """Words that players type in a language, in lower case. They're understood whichever language the player reads.

    Those for hours are regular expressions; an empty one matches nothing.
    """

    units: Mapping[str, str] = field(default_factory=dict)
    """Names of ``weeks``, ``days``, ``hours``, ``minutes`` and ``seconds``, without a plural s."""
    places: Mapping[str, str] = field(default_factory=dict)
    """Names of the rows and discards, each with its letter in a placement (``F``, ``M``, ``B`` or ``D``)."""
    place_words: Mapping[str, str] = field(default_factory=dict)
    """The name from ``places`` used for each letter in examples written in words."""
    jokers: tuple[str, ...] = ()
    """Names of the joker."""
    orders: Mapping[str, str] = field(default_factory=dict)
    """Commands for a draft that are typed instead of a placement: ``undo``, ``arrange`` and ``confirm``."""
    paces: Mapping[str, str] = field(default_factory=dict)
    """Names of a clock's paces, with their values in ``bot/model/clock.py``. A time may follow."""
    multiples: Mapping[str, int] = field(default_factory=dict)
    """Words after a number that multiply it."""
    hands: tuple[str, ...] = ()
    """Words after a number of hands."""
    progressive: tuple[str, ...] = ()
    """Words for a progressive bounty."""
    length_ahead: tuple[str, ...] = ()
    """Patterns for a length of time from now. The group is the length."""
    lengths: Patterns = ()
    """Replacements that turn lengths of time into numbers with units."""
    numbers: Patterns = ()
    """Replacements that turn numbers in words into digits."""
    hours: Patterns = ()
    """Replacements that turn times of day into ``21:00`` or ``9:00pm``, and dates into ``2026-11-27`` or ``11/27``."""
    zones: Patterns = ()
    """Names of time zones, with their common abbreviations."""
    days: Mapping[str, int] = field(default_factory=dict)
    """Words for a day, with the number of days from today."""
    weekdays: tuple[str, ...] = ("",) * 7
    """Names of the weekdays, from Monday."""
    months: tuple[str, ...] = ()
    """Names of the months, from January; empty if dates are written without them."""
    weeks: Mapping[str, int] = field(default_factory=dict)
    """Words for a weekday's week, with the number of weeks from this one. Longer words come before words they contain.
    """
    coming: str = ""
    """Words before a weekday that mean the next one."""
    last: str = ""
    """Words before a weekday that mean the previous one."""
    next_year: str = ""
    """Words before a date that mean next year."""
    day_of_month: str = ""
    """A day of the month, in the group ``day``. The group ``next`` matches if it's in the next month."""
    night: str = ""
    afternoon: str = ""
    morning: str = ""
    fillers: str = ""
    """Words next to a day that can be ignored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A language. Separators include their spaces."""

    code: str
    """The language's folder in ``data/text`` and its permanent code in databases."""
    locales: tuple[str, ...]
    """The Discord locales that use the language. A locale without a region (``fr``) covers all its regions."""
    documents: str
    """Suffix of document names in the language, such as ``.ja`` in ``rules.ja.md``."""
    zone: str
    """Default time zone for servers without one."""
    forms: tuple[str, ...]
    """The plural forms of sentences with a count, taken from PLURAL_FORMS in the same order."""
    form: Callable[[int], str]
    """Returns the plural form of a number, one of ``forms``."""
    ordinal: Callable[[int], str]
    """Returns the suffix of a place's number, such as ``st`` in ``1st``; empty if the sentence already has it."""
    thousands: str
    """Thousands separator, such as the comma in ``12,345``."""
    decimals: str
    """Decimal separator, such as the point in ``1.5``."""
    percent: str
    """Percent sign after a number."""
    zero: str
    """Zero among signed numbers, ``0`` or ``±0``."""
    joint: str
    """Separator in a list."""
    last_joint: str
    """Separator before the last item in a list."""
    space: str
    """Separator between adjacent words, such as the hours and minutes of a duration."""
    typed: TypedWords = field(repr=False)

    def document(self, name: str) -> str:
        """Return the file name of a document, such as ``rules.ja.md`` for ``rules``."""
        return f"{name}{self.documents}.md"


def _english_form(number: int) -> str:
    return "one" if number == 1 else OTHER


def _english_ordinal(number: int) -> str:
    """Return the suffix of an ordinal: ``st`` for 1, 21 and 101, but ``th`` for 11 and 111."""
    if 10 < number % 100 < 14:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


_ENGLISH_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

ENGLISH = Language(
    code="en",
    locales=("en",),
    documents="",
    zone="UTC",
    forms=("one", OTHER),
    form=_english_form,
    ordinal=_english_ordinal,
    thousands=",",
    decimals=".",
    percent="%",
    zero="0",
    joint=", ",
    last_joint=" and ",
    space=" ",
    typed=TypedWords(
        units={
            **dict.fromkeys(("w", "week"), "weeks"),
            **dict.fromkeys(("d", "day"), "days"),
            **dict.fromkeys(("h", "hr", "hour"), "hours"),
            **dict.fromkeys(("m", "min", "minute"), "minutes"),
            **dict.fromkeys(("s", "sec", "second"), "seconds"),
        },
        places={
            **dict.fromkeys(("f", "t", "front", "top"), "F"),
            **dict.fromkeys(("m", "middle"), "M"),
            **dict.fromkeys(("b", "back", "bottom"), "B"),
            **dict.fromkeys(("d", "x", "discard"), "D"),
        },
        place_words={"F": "front", "M": "middle", "B": "back", "D": "discard"},
        jokers=("joker", "jk", "x1", "x2"),
        orders={order: order for order in ("undo", "arrange", "confirm")},
        paces={
            "live": "live",
            "per turn": "per_turn",
            "relaxed": "relaxed",
            "correspondence": "correspondence",
            **dict.fromkeys(("none", "no clock"), "none"),
        },
        multiples={"k": 1_000},
        hands=("hands", "hand"),
        progressive=("progressive", "progressive knockout", "pko"),
        length_ahead=(r"in (.+)", r"(.+?)(?: from now| later)"),
        lengths=(
            ("^half an hour$", "30m"),
            (r"^an hour and a half$", "1h 30m"),
            (" and ", " "),
            (r"^an? (?=[a-z]+$)", "1 "),
        ),
        numbers=tuple((rf"\b{word}\b", str(number)) for number, word in enumerate(_ENGLISH_NUMBERS, start=1)),
        hours=(
            ("tonight", "today night "),
            (r"\bthis (?=morning|afternoon|evening)", "today "),
            (r"\bchristmas eve\b", " 12/24 "),
            (r"\bchristmas(?: day)?\b", " 12/25 "),
            (r"\bnew year['’]?s eve\b", " 12/31 "),
            (r"\bnew year['’]?s(?: day)?\b", " 1/1 "),
            (r"\bnoon\b|midday", " 12:00 "),
            (r"\bmidnight\b", " 24:00 "),
            (r"\bhalf past (\d{1,2})\b", r" \1:30"),
            (r"\b(\d{1,2}) ?o['’]?clock\b", r" \1:00"),
        ),
        days={
            "today": 0,
            "tomorrow|tmrw|tmr|tmw": 1,
            "(?:the )?day after tomorrow": 2,
            "yesterday": -1,
        },
        weekdays=(
            "mon(?:day)?",
            "tues?(?:day)?",
            "wed(?:nes)?(?:day)?",
            "thu(?:rs?)?(?:day)?",
            "fri(?:day)?",
            "sat(?:ur)?(?:day)?",
            "sun(?:day)?",
        ),
        months=(
            "jan(?:uary)?",
            "feb(?:ruary)?",
            "mar(?:ch)?",
            "apr(?:il)?",
            "may",
            "june?",
            "july?",
            "aug(?:ust)?",
            "sept?(?:ember)?",
            "oct(?:ober)?",
            "nov(?:ember)?",
            "dec(?:ember)?",
        ),
        weeks={"(?:the )?week after next": 2, "next week": 1, "last week": -1},
        coming="this|next|coming",
        last="last",
        next_year="next year",
        day_of_month=r"(?P<next>next month)? ?(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)",
        night=r"(?:at |in the )?\b(?:night|evening)\b",
        afternoon=r"(?:in the )?\bafternoon\b",
        morning=r"(?:in the )?\bmorning\b",
        fillers=r"\b(?:at|on)\b|@",
    ),
)


def _in_kanji(number: int) -> str:
    """Return a number from 1 to 99 in kanji, such as ``二十一`` for 21."""
    tens, ones = divmod(number, 10)
    digits = ("", *"一二三四五六七八九")
    return f"{digits[tens] if tens > 1 else ''}{'十' if tens else ''}{digits[ones]}"


JAPANESE = Language(
    code="ja",
    locales=("ja",),
    documents=".ja",
    zone="Asia/Tokyo",
    forms=(OTHER,),
    form=lambda number: OTHER,
    ordinal=lambda number: "",
    thousands=",",
    decimals=".",
    percent="%",
    zero="±0",
    joint="、",
    last_joint="、",
    space="",
    typed=TypedWords(
        units={
            "週間": "weeks",
            **dict.fromkeys(("日", "日間"), "days"),
            "時間": "hours",
            **dict.fromkeys(("分", "分間"), "minutes"),
            **dict.fromkeys(("秒", "秒間"), "seconds"),
        },
        places={
            **dict.fromkeys(("上", "上段", "うえ", "ウエ"), "F"),
            **dict.fromkeys(("フ", "フロント", "ふ", "ふろんと", "ト", "トップ", "とっぷ"), "F"),
            **dict.fromkeys(("中", "中段", "なか", "ナカ", "ミ", "ミドル", "み", "みどる"), "M"),
            **dict.fromkeys(("下", "下段", "した", "シタ"), "B"),
            **dict.fromkeys(("バ", "バック", "ば", "ばっく", "ボ", "ボトム", "ぼ", "ぼとむ"), "B"),
            **dict.fromkeys(("捨", "捨て", "捨てる", "捨て札", "すて", "すてる", "すてふだ"), "D"),
            **dict.fromkeys(("ステ", "ステル", "ステフダ"), "D"),
        },
        place_words={"F": "うえ", "M": "なか", "B": "した", "D": "すて"},
        jokers=("ジョーカー",),
        orders={"1枚戻す": "undo", "戻す": "undo", "おまかせ": "arrange", "確定": "confirm"},
        paces={
            "ライブ": "live",
            **dict.fromkeys(("手番ごと", "1手番"), "per_turn"),
            "のんびり": "relaxed",
            "じっくり": "correspondence",
            **dict.fromkeys(("なし", "時間制限なし", "無制限"), "none"),
        },
        multiples={"千": 1_000, "万": 10_000},
        hands=("ハンド", "回"),
        progressive=("プログレッシブ", "累進"),
        length_ahead=("(.+?)後",),
        lengths=(("時間半", "時間30分"),),
        numbers=(
            *((rf"{_in_kanji(number)}(?=[月日時分週])", str(number)) for number in range(59, 0, -1)),
            ("[〇零](?=時)", "0"),
        ),
        hours=(
            ("今夜|今晩", "今日夜"),
            ("明晩|明夜", "明日夜"),
            ("昨夜|昨晩|ゆうべ", "昨日夜"),
            ("きのう", "昨日"),
            ("今朝|けさ", "今日朝"),
            ("明朝", "明日朝"),
            ("お?正月|元日|元旦", " 1/1 "),
            ("大晦日|大みそか|おおみそか", " 12/31 "),
            ("クリスマス・?イ[ブヴ]", " 12/24 "),
            ("クリスマス", " 12/25 "),
            (r"(\d{4})年\s*(\d{1,2})月\s*(\d{1,2})日", r" \1-\2-\3 "),
            (r"(\d{1,2})月\s*(\d{1,2})日", r" \1/\2 "),
            (r"昼の?(?=\s*1[01](?:時|:))", " "),
            ("正午", " 12:00 "),
            (r"(\d)時半", r"\1:30"),
            (r"(\d)時\s*(\d)分", r"\1:0\2 "),
            (r"(\d)時\s*(\d\d)分?", r"\1:\2 "),
            (r"(\d)時(?!間)", r"\1:00 "),
        ),
        zones=(("日本標準時|日本時間", " jst "),),
        weekdays=tuple(f"{day}(?:曜日?)?" for day in "月火水木金土日"),
        days={
            "今日|本日|きょう": 0,
            "明日|あした|あす": 1,
            "明後日|あさって": 2,
            "明[々明]後日|しあさって": 3,
            "昨日": -1,
            "一昨日|おととい": -2,
        },
        weeks={"再来週": 2, "来週": 1, "先週": -1},
        coming="今週|次|今度",
        last="前|この前",
        next_year="来年",
        day_of_month=r"(?:今月|(?P<next>来月))?\s*(?P<day>\d{1,2})日",
        night="(?:深|真)?夜中?|晩",
        afternoon="午後|夕方|昼",
        morning="午前|朝",
        fillers="[,、のにはごろ頃~]|から|開始|スタート",
    ),
)

LANGUAGES: Mapping[str, Language] = {language.code: language for language in (ENGLISH, JAPANESE)}
"""All languages by code. English comes first, because it's the fallback and the others are checked against it."""

_LOCALES = {locale.lower(): language for language in LANGUAGES.values() for locale in language.locales}


def read_by(locale: str) -> Language | None:
    """Return the language for a locale such as ``en-GB``, in any case; None if there's none."""
    folded = locale.lower()
    return _LOCALES.get(folded) or _LOCALES.get(folded.partition("-")[0])


def language_of(locale: str) -> Language:
    """Return the language for a Discord locale such as ``en-GB``; English if there's none."""
    return read_by(locale) or ENGLISH
