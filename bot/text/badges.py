"""Names of badges and months."""

from __future__ import annotations

from datetime import UTC, datetime

from bot.model.careers import RULES, Badge, Earned
from bot.text.words import Words


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
