"""Display names permitted by Discord that have broken programs, in groups."""

from __future__ import annotations

INVISIBLE = [
    *"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u200b\u200c\u200d\u200e\u200f\u202a\u202b",
    *"\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\u206a\u206f\u2800\u3000\u3164\ufe00\ufe0f",
    *"\ufeff\uffa0\ufffc\U00013441\U00013442\U0001d159\U0001d173\U0001bca0\U000e0001\U000e0041\U000e0100\U000e01ef",
    "\u3164\u3164\u3164",
    "\u200b \u200b",
    "\u2800 \u3164\u115f",
    "\u0301\u0302",
    "\u202e\u202d",
]
RIGHT_TO_LEFT = [
    "שרה", "דוד 7", "7 דוד", "(שרה)", "שרה!", "محمد", "ليلى 12", "۱۲۳", "علی‌رضا", "שָׂרָה", "Bob שרה",
    "שרה Bob", "עמיר+9", "آرش ★", "ܐܒܐ", "ދިވެހި", "ߒߞߏ", "ࠀࠁ", "𐤀𐤁", "\u202eboB", "x\u2067y",
    "שרה\u202e", "٣", "ﷺ", "پویا 🃏", "אב-גד", "عمر: +13", "-שרה-", "א", "مريم (2)",
]  # fmt: skip
MARKED = [
    "Z" + "\u0301" * 30, "a" + "\u0489" * 12 + "b" + "\u0316" * 12, "ก" + "\u0e49" * 20,
    "e\u0301le\u0300ve", "o" + "\u200d\u0302" * 20, "Việt", "שָׁלוֹם", "हिन्दी", "བསྒྲུབས", "มิ้ม",
    "к" + "\u0483" * 9, "i" + "\u20dd" * 6, "x" + "\u0336" * 5 + "y" + "\u0336" * 5,
    "é" + "\u0301" * 28, "\u0301a", "မြန်မာ", "ខ្មែរ", "ಕನ್ನಡ", "தமிழ்", "가\u0300\u0301\u0302\u0303\u0304",
]  # fmt: skip
EMOJI = [
    "🔥", "👑", "🃏", "🤖", "⭐⭐", "💤", "🏆🥇", "👨\u200d👩\u200d👧", "♥\ufe0f", "♠♥♦♣", "🏴",
    "✅", "❌", "🇯🇵", "1\ufe0f\u20e3", "→", "▸", "…", "!?", "·", "-", "_", "+", "~", "\\", "🎯🎯🎯",
    "💸", "🚫", "⏰", "😀😀",
]  # fmt: skip
WIDE = ["W" * 32, "運" * 32, "﷽" * 4, "𒐫" * 8, "⸻" * 10, "Ｗ" * 32, "W" * 31 + "A", "MW" * 16, "꧅" * 8, "ௌ" * 8]
MENTIONS = [
    "@everyone", "@here", "<@1>", "<@!1234567890>", "<@&99>", "<#12>", "<:As:1>", "<a:x:2>",
    "<t:0:R>", "</ofc play:1>", "@", "@bob", "<id:customize>", "user@example.org", "<@1><@2>",
]  # fmt: skip
MARKDOWN = [
    "**bold**", "__under__", "*i*", "_i_", "~~s~~", "||spoiler||", "`code`", "```block```",
    "> quote", ">>> all", "# head", "## h2", "-# small", "- item", "1. one",
    "[a](https://example.org)", "https://example.org/x", "****", "**", "*", "`", "\\*", "[", "]",
    "a**b", "**a", "a**", "|", "||", "~", "::", ":smile:", "*(", "_a", "a_", "{player}", "{}", "%s",
    "\\n", "&lt;b&gt;", "<b>x</b>", "<script>alert(1)</script>", "\"quoted\"", "'", "`a", "a`",
    "=1+1", "null",
]  # fmt: skip
ORDINARY = [
    "Alice", "Ann-Marie", "O'Neil", "花子", "はなこ", "ハナコ", "ﾊﾅｺ", "김철수", "Ёлка", "Αλίκη",
    "ქეთი", "Ñandú", "I", "l", "1", "0", "Aｌice", "𝓑𝓸𝓫", "ℬob", "🅑🅞🅑", "Ｂｏｂ", "ᴮᵒᵇ", "Bob 2",
    "Bob (bob)", "B\u200bob", "Bоb",
]  # fmt: skip
SHOWN = [*RIGHT_TO_LEFT, *MARKED, *EMOJI, *WIDE, *MENTIONS, *MARKDOWN, *ORDINARY]
"""Something of each of these can be seen."""
