"""Random hands of all games, as the bot writes them down."""

from random import Random

from bot.pure.notation.history import HandHistory, build_history
from bot.pure.ofc.hand import HandStatus
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import FIRST_EDITION, PRESETS
from bot.pure.ofc.variants import Variant, VariantError
from tests.pure.ofc.games import HOUSE_VALUES, Played, any_hand

NAMES = ("", "Friday", '金曜の"ハウス"\x7f')


def any_game(chance: Random, number: int) -> Variant:
    """Each preset in turn, now and then with house rules or of the first edition."""
    key = list(PRESETS)[number % len(PRESETS)]
    if chance.random() < 0.1 and key in FIRST_EDITION:
        return FIRST_EDITION[key]
    rules = chance.sample(list(HOUSE_VALUES), chance.choice([0, 0, 1, 2]))
    house = {rule: chance.choice(HOUSE_VALUES[rule]) for rule in rules}
    try:
        return house_variant(key, house, name=chance.choice(NAMES) if house else "")
    except VariantError:
        return PRESETS[key]


def ended(variant: Variant, chance: Random) -> Played:
    """A hand that was played to its end."""
    while True:
        *_, last = any_hand(variant, chance)
        if last.hand.status is HandStatus.ENDED:
            return last


def any_history(chance: Random, number: int) -> HandHistory:
    """A hand of any game as some of its players may know it together."""
    played = ended(any_game(chance, number), chance)
    hand, value = played.hand, chance.choice([0, 1, 10])
    return build_history(
        hand,
        played.log,
        hand_id=f"{chance.randrange(10**18)}/{number}/1",
        to=[seat for seat in range(len(hand.seats)) if chance.random() < 0.7],
        stacks=[100_000 * bool(value)] * len(hand.seats),
        chips=[points * value for points in hand.score.points],
        point_value=value,
        started=chance.choice(["", "2026-11-22T21:04:05"]),
    )
