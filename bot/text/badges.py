"""Names of badges and months."""

from __future__ import annotations

from datetime import UTC, datetime

from bot.model.careers import RULES, Badge, EarnedBadge
from bot.text.words import Words


def badge_name(badge: Badge, words: Words) -> str:
    """Return the name of a badge, such as ``Royal flush``."""
    return _of_badge(f"badge.name.{badge.value}", badge, words)


def badge_rule(badge: Badge, words: Words) -> str:
    """Return the rule for earning a badge, such as ``A royal flush on a board that didn't foul``."""
    return _of_badge(f"badge.rule.{badge.value}", badge, words)


def _of_badge(key: str, badge: Badge, words: Words) -> str:
    """Return a sentence about a badge, with its number if the sentence has one."""
    return words(key, **({"least": words.number(RULES[badge].least)} if words.takes(key, "least") else {}))


def earned_name(earned: EarnedBadge, words: Words) -> str:
    """Return the name of an earned badge, including the month for a monthly badge."""
    name = badge_name(earned.badge, words)
    return words("badge.of_month", badge=name, month=month_name(earned.since, words)) if earned.since else name


def month_name(since: int, words: Words) -> str:
    """Return the name of the month that began at ``since`` (ms), such as ``November 2026``."""
    began = datetime.fromtimestamp(since // 1000, UTC)
    return words("badge.month", month=words(f"badge.months.{began.month}"), year=str(began.year))
