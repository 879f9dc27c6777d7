"""The topics of `/setup`: their names, what their buttons open, and further forms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.chat.club.screens.bank import BANK, CLAIMS
from bot.chat.club.screens.posts.all_posts import ALL_POSTS
from bot.chat.club.screens.setup_forms import LANGUAGE, ROLES, TABLES
from bot.chat.kit.typed_choice import NamedChoice
from bot.text.languages import LANGUAGES
from bot.text.words import Words, words_for


@dataclass(frozen=True, slots=True, kw_only=True)
class FurtherForm:
    """A form or page that no topic's button opens. Managers can open it by typing its name."""

    title: str
    """The key of its title."""
    verb: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A topic, with a line and a button on the page."""

    title: str
    """The key of the topic's title."""
    verb: str
    """Verb of the press that the topic's button sends."""
    verb_apart: str = ""
    """Verb used instead if the posts are in several channels, because the single form would move them all into one."""
    more: FurtherForm | None = None
    """The remaining settings, offered in the reply to the topic's form."""
    further: Sequence[FurtherForm] = ()
    """Other forms that can be opened by typing their names."""
    spelt: Sequence[str] = ()
    """Other names that can be typed for this topic."""

    def opens(self, *, apart: bool) -> str:
        """Return the verb of the topic's button."""
        return self.verb_apart if apart and self.verb_apart else self.verb


TOPICS: Sequence[Topic] = (
    Topic(
        title=TABLES.title,
        verb=TABLES.ask,
        more=FurtherForm(title="setup.templates", verb="su_templates"),
        spelt=(
            *("stakes", "point value", "clock", "channel", "channels", "threads"),
            *("レート", "持ち時間", "チャンネル", "スレッド"),
        ),
    ),
    Topic(title=ROLES.title, verb=ROLES.ask, spelt=("role", "ping", "stand-ins", "ロール", "メンション", "代理")),
    Topic(title=LANGUAGE.title, verb=LANGUAGE.ask),
    Topic(
        title=ALL_POSTS.title,
        verb=ALL_POSTS.ask,
        verb_apart="posts",
        more=FurtherForm(title="posts.apart", verb="posts"),
    ),
    Topic(
        title=BANK.title, verb=BANK.ask, more=FurtherForm(title=CLAIMS.title, verb=CLAIMS.ask), spelt=("bank", "銀行")
    ),
    Topic(
        title="season.title",
        verb="season_page",
        further=(
            FurtherForm(title="season.start", verb="season_ask"),
            FurtherForm(title="season.end", verb="season_end"),
        ),
    ),
    Topic(title="house_rules.title", verb="house", spelt=("house rules", "ハウスルール")),
    Topic(title="setup.topic.look", verb="su_look"),
    Topic(
        title="setup.topic.check",
        verb="su_doctor",
        further=(FurtherForm(title="streams.title", verb="su_streams"),),
    ),
)


def named_topics(words: Words, *, apart: bool) -> list[NamedChoice[str]]:
    """Return everything that can be typed, with its name in all languages and the verb it opens."""
    return [
        NamedChoice(
            name=words(title),
            value=verb,
            others=(*(words_for(code)(title) for code in LANGUAGES), *spelt),
        )
        for title, verb, spelt in _openings(apart=apart)
    ]


def _openings(*, apart: bool) -> Iterator[tuple[str, str, Sequence[str]]]:
    yield from ((topic.title, topic.opens(apart=apart), topic.spelt) for topic in TOPICS)
    for topic in TOPICS:
        yield from ((one.title, one.verb, ()) for one in (*([topic.more] if topic.more else []), *topic.further))
