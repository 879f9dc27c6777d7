"""Games whose pages are looked at: the presets, and some that do not exist yet."""

from dataclasses import dataclass, field, replace

from typing_extensions import override

from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import DOUBLE_PINEAPPLE, JOKER_PINEAPPLE, PINEAPPLE, PRESETS, THIRTEEN, TWO_SEVEN_PINEAPPLE
from bot.pure.ofc.variants import TurnOrder
from bot.text.words import Words, words_for

EN = words_for("en")
JA = words_for("ja")
TOGETHER = replace(DOUBLE_PINEAPPLE, order=TurnOrder.ALL_TOGETHER, freeze_button=False)
OPEN = replace(PINEAPPLE, jokers=1, min_seats=3, open_discards=True, row_point=2, scoop_bonus=0)
STRANGE_JOKERS = replace(JOKER_PINEAPPLE, joker_may_copy=False, double_ace_flush=True)
EVERY_BONUS = replace(THIRTEEN, scoop_bonus=1, majority_bonus=4, two_rows_bonus=1, total_bonus=1, surrender=2)
assert TWO_SEVEN_PINEAPPLE.fantasyland
WHEEL_STAYS = replace(TWO_SEVEN_PINEAPPLE, fantasyland=replace(TWO_SEVEN_PINEAPPLE.fantasyland, wheel_stays=True))
DEAR_FRONTS = house_variant("two_seven", {"fantasyland.cards": "14,15,16,17"})
FRIDAY = house_variant("pineapple", {"jokers": "1", "row_point": "2", "discards": "open"}, name="*Friday*")
NAMELESS = house_variant("chinese", {"surrender": "3"})
DRAWN = house_variant("classic", {"deal": "turn", "fantasyland.clock": "own"})
FIRST_TOGETHER = house_variant("classic", {"order": "first_together"})
GAMES = (
    *PRESETS.values(),
    TOGETHER,
    OPEN,
    STRANGE_JOKERS,
    EVERY_BONUS,
    WHEEL_STAYS,
    DEAR_FRONTS,
    FRIDAY,
    NAMELESS,
    DRAWN,
    FIRST_TOGETHER,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Listening(Words):
    """Words that remember which sentences were asked for."""

    asked: set[str] = field(default_factory=set)

    @override
    def __call__(self, key: str, /, **values: str | int) -> str:
        self.asked.add(key)
        return Words.__call__(self, key, **values)


def section(page: str, title: str) -> str:
    """Return the text below a heading."""
    return page.split(f"## {title}\n")[1].split("\n## ")[0]
