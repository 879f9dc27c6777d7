"""The languages that are spoken here: all that a language does in its own way and that no sentence of it can say.

A language is its folder in ``data/text`` and one entry of ``LANGUAGES``. Nothing else asks which language it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

OTHER = "other"
PLURAL_FORMS = ("zero", "one", "two", "few", "many", OTHER)
"""The plural forms, as CLDR calls them. No language has all; each has ``other``."""

Patterns: TypeAlias = tuple[tuple[str, str], ...]
"""Regular expressions, each with what it is replaced by, one after the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """The words typed in a language, in small letters. All are understood, whatever their typist reads.

    Hours are regular expressions; an empty one is nothing that is typed.
    """

    units: Mapping[str, str] = field(default_factory=dict)
    """Names of ``weeks``, ``days``, ``hours``, ``minutes`` and ``seconds``; without the s of a plural."""
    places: Mapping[str, str] = field(default_factory=dict)
    """Names of the rows and of the discards, each with its letter in a placement: ``F``, ``M``, ``B`` or ``D``."""
    place_words: Mapping[str, str] = field(default_factory=dict)
    """The name in ``places`` that stands for each letter in an example written in words."""
    jokers: tuple[str, ...] = ()
    """Names of the joker."""
    orders: Mapping[str, str] = field(default_factory=dict)
    """What is typed in place of a placement for a draft, as ``undo``, ``arrange`` and ``confirm``."""
    paces: Mapping[str, str] = field(default_factory=dict)
    """Names of the paces of a clock, by their values in ``bot/model/clock.py``; they come before a time."""
    multiples: Mapping[str, int] = field(default_factory=dict)
    """The words after a number that multiply it."""
    length_ahead: tuple[str, ...] = ()
    """How a length of time is said to count from now; its group is the length."""
    lengths: Patterns = ()
    """How lengths of time are written as numbers with units."""
    numbers: Patterns = ()
    """How numbers in words become digits."""
    hours: Patterns = ()
    """How times of day become ``21:00`` and ``9:00pm``, and dates ``2026-11-27`` and ``11/27``."""
    zones: Patterns = ()
    """Names of time zones, with their usual abbreviations."""
    days: Mapping[str, int] = field(default_factory=dict)
    """Words for a day, and how many days ahead it is."""
    weekdays: tuple[str, ...] = ("",) * 7
    """From Monday on."""
    months: tuple[str, ...] = ()
    """From January on, where a date is written with the name of its month."""
    weeks: Mapping[str, int] = field(default_factory=dict)
    """Beside a weekday: how many weeks ahead its week is. A name comes before one that is a part of it."""
    coming: str = ""
    """Before a weekday: the next there is."""
    last: str = ""
    """Before a weekday: the one that was."""
    next_year: str = ""
    """Before a date."""
    day_of_month: str = ""
    """A day by its number, the group ``day``; the group ``next`` is there when the next month is meant."""
    night: str = ""
    afternoon: str = ""
    morning: str = ""
    fillers: str = ""
    """The words that may stand around a day and say nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One language. What stands between things brings its spaces along."""

    code: str
    """Its folder in ``data/text``, and what databases hold: permanent."""
    locales: tuple[str, ...]
    """The Discord locales that read it; one without a region (``fr``) stands for all of its regions."""
    documents: str
    """The end of the names of its documents: ``.ja`` of ``rules.ja.md``."""
    zone: str
    """The time zone in which hours are read where a server has chosen none."""
    forms: tuple[str, ...]
    """The plural forms that a sentence with a count is written in; of PLURAL_FORMS, in their order."""
    form: Callable[[int], str]
    """The plural form of a number, one of ``forms``."""
    ordinal: Callable[[int], str]
    """The text written after the number of a place: ``st`` of ``1st``; empty where the sentence says it."""
    thousands: str
    """Between groups of three digits: the comma of ``12,345``."""
    decimals: str
    """Before the decimals: the point of ``1.5``."""
    percent: str
    """Behind a number: ``%``."""
    zero: str
    """A zero among numbers with their signs: ``0`` or ``±0``."""
    joint: str
    """Between the things of a list."""
    last_joint: str
    """Before the last thing of a list."""
    space: str
    """Between words that stand side by side: the hours and the minutes of a time."""
    typed: Typed = field(repr=False)

    def document(self, name: str) -> str:
        """The file name of a document: ``rules.ja.md`` of ``rules``."""
        return f"{name}{self.documents}.md"


def _english_form(number: int) -> str:
    return "one" if number == 1 else OTHER


def _english_ordinal(number: int) -> str:
    """``st`` of 1, 21 and 101, but ``th`` of 11 and 111."""
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
    typed=Typed(
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
    """``二十一`` of 21, from 1 to 99."""
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
    typed=Typed(
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
"""By code. English stands first: the others are checked against it, and it is shown where none of them is read."""

_LOCALES = {locale: language for language in LANGUAGES.values() for locale in language.locales}


def read_by(locale: str) -> Language | None:
    """The language of a locale such as ``en-GB``; nothing where none reads it."""
    return _LOCALES.get(locale) or _LOCALES.get(locale.partition("-")[0])


def language_of(locale: str) -> Language:
    """The language of a Discord locale such as ``en-GB``; English where none reads it."""
    return read_by(locale) or ENGLISH
