"""An event's public page as HTML. It's complete without scripts; the only script shows times in the reader's zone."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from html import escape
from importlib.resources import files
from itertools import groupby
from typing import Final
from zoneinfo import ZoneInfo

from bot.text.event_structure import places_name
from bot.text.languages import LANGUAGES
from bot.text.words import Words, words_for
from bot.text.zones import zone_name
from bot.web.events.building import person_text
from bot.web.events.document import EventDocument, Match, Pairing, Person, Ruling, Series, Standing, TableShown, Time

MANY_STAGES = 5
"""Number of rounds from which those of one side of a bracket are shown in several rows."""
OPEN_ROUNDS = 1
"""Number of rounds whose pairings are open at first, newest first."""
MEDALS: Final = ("🥇", "🥈", "🥉")


@cache
def asset(name: str) -> str:
    """Return the page's style or script."""
    return files("bot.web.events").joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


@cache
def policy() -> str:
    """Return the content security policy: the page's own style and script, and nothing else."""
    style, script = _digest(asset("style.css")), _digest(asset("script.js"))
    return (
        f"default-src 'none'; style-src {style}; script-src {script}; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )


def html_page(document: EventDocument, words: Words, *, name: str, zone: str) -> str:
    """Return the page. ``name`` is the last part of its address, and ``zone`` is used where no script runs."""
    return _Page(document, words, name, zone).whole()


def missing_page(words: Words) -> str:
    """Return the page for every address without an event: a removed one, a wrong one or one that was guessed."""
    title, advice = (escape(words(f"event_page.missing{more}")) for more in ("", "_advice"))
    return "\n".join(
        (
            *_beginning(words, title),
            "<header><div>",
            f'<div class="top"><span></span>{_languages(words)}</div>',
            f"<h1>{title}</h1>",
            f"<p>{advice}</p>",
            "</div></header>",
            "</body>",
            "</html>",
            "",
        )
    )


def _beginning(words: Words, title: str, *links: str) -> Iterator[str]:
    """Yield the page up to its body. ``title`` is escaped."""
    yield "<!doctype html>"
    yield f'<html lang="{words.language.code}">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<meta name="robots" content="noindex, nofollow">'
    yield f"<title>{title}</title>"
    yield from links
    yield f"<style>{asset('style.css')}</style>"
    yield "</head>"
    yield "<body>"


def _languages(words: Words) -> str:
    """Return the links to the page in the other languages."""
    named = {code: escape(words_for(code)("setup.own_language")) for code in LANGUAGES}
    others = " ".join(
        f'<a href="?lang={code}" lang="{code}" hreflang="{code}">{language}</a>'
        for code, language in named.items()
        if code != words.language.code
    )
    return f"<nav>{others}</nav>"


class _Page:
    def __init__(self, document: EventDocument, words: Words, name: str, zone: str) -> None:
        self._of, self._words, self._name, self._zone = document, words, name, zone

    def _say(self, key: str, **values: str | int) -> str:
        return escape(self._words(f"event_page.{key}", **values))

    def whole(self) -> str:
        of = self._of
        results = [*self._standings(), *self._rulings()]
        parts = [*results, *self._tables(), *self._bracket(), *self._groups(), *self._rounds()]
        plan = list(self._plan())
        return "\n".join(
            (
                *_beginning(
                    self._words,
                    escape(of.title),
                    f'<link rel="alternate" type="application/json" href="{self._name}.json">',
                    f'<link rel="alternate" type="text/csv" href="{self._name}.csv">',
                ),
                *self._head(),
                "<main>",
                *self._about(),
                *(plan + parts if self._early else parts + plan),
                *self._series(),
                "</main>",
                *self._foot(),
                f"<script>{asset('script.js')}</script>",
                "</body>",
                "</html>",
                "",
            )
        )

    # above and below

    def _head(self) -> Iterator[str]:
        of = self._of
        yield "<header><div>"
        yield f'<div class="top"><span>{escape(of.kind)} · {escape(of.game)}</span>{_languages(self._words)}</div>'
        yield f"<h1><bdi>{escape(of.title)}</bdi></h1>"
        yield f"<p>{self._state()}</p>"
        if of.started_at is not None:
            yield f"<p>{self._say('started')} {self._time(of.started_at)}</p>"
        elif of.starts_at is not None:
            yield f"<p>{self._time(of.starts_at)}</p>"
        elif of.state == "registering":
            yield f"<p>{self._say('when_full')}</p>"
        yield from self._link(of.register, full=of.full)
        yield "</div></header>"

    @property
    def _early(self) -> bool:
        """True before the start."""
        return self._of.state in ("registering", "check_in")

    def _state(self) -> str:
        of, told = self._of, list[str]()
        if of.state != "registering" or not of.full:
            told.append(self._say(f"state.{of.state}"))
        if of.full:
            told.append(self._say("full"))
        if of.paused:
            told.append(self._say("paused"))
        return " · ".join(told)

    def _link(self, address: str | None, *, full: bool = False) -> Iterator[str]:
        if address is not None:
            label = self._say("join_list" if full else "register")
            yield f'<p><a class="button" href="{escape(address)}" rel="noopener">{label}</a></p>'

    def _foot(self) -> Iterator[str]:
        yield "<footer>"
        yield (f'<p>{self._say("data")} <a href="{self._name}.json">JSON</a> · <a href="{self._name}.csv">CSV</a></p>')
        yield "</footer>"

    def _time(self, at: Time) -> str:
        moment = datetime.fromisoformat(at).astimezone(ZoneInfo(self._zone) if self._zone else UTC)
        zone = zone_name(self._zone, self._words) if self._zone else "UTC"
        return f'<time datetime="{at}">{moment:%Y-%m-%d %H:%M} ({escape(zone)})</time>'

    def _person(self, person: Person) -> str:
        return f"<bdi>{escape(person_text(person, self._words))}</bdi>"

    def _number(self, number: int) -> str:
        return escape(self._words.number(number))

    def _section(self, heading: str, lines: Iterable[str]) -> Iterator[str]:
        """Yield a section with an escaped heading; nothing if it's empty."""
        if made := list(lines):
            yield from ("<section>", f"<h2>{heading}</h2>", *made, "</section>")

    # facts

    def _about(self) -> Iterator[str]:
        of = self._of
        facts: list[tuple[str, str]] = []
        if self._early:
            facts.append(("players", self._say("of", count=of.players, most=of.most)))
        elif of.state == "running" and of.playing != of.players:
            facts.append(("players", self._say("still_in", playing=of.playing, count=of.players)))
        else:
            facts.append(("players", self._number(of.players)))
        if of.waiting:
            facts.append(("waiting", self._number(of.waiting)))
        if of.round is not None and of.rounds is not None and of.state == "running":
            facts.append(("round", self._say("of", count=of.round, most=of.rounds)))
        if of.level is not None and of.point_value is not None:
            facts.append(("level", self._say("level_value", level=of.level, value=self._words.number(of.point_value))))
        if of.pool:
            facts.append(("pool", self._number(of.pool)))
        if of.prizes and of.state != "ended":
            facts.append(("prizes", self._prizes()))
        if of.ended_at is not None:
            facts.append(("ended", self._time(of.ended_at)))
        rows = [f"<dt>{self._say(f'fact.{key}')}</dt><dd>{told}</dd>" for key, told in facts]
        yield from self._section(self._say("about"), ["<dl>", *rows, "</dl>"])

    def _prizes(self) -> str:
        """Return the prizes by place, with equal neighbours together."""
        told, place = [], 1
        for prize, same in groupby(self._of.prizes):
            last = place + len(list(same)) - 1
            told.append(f"{places_name(place, last, self._words)}: {self._words.number(prize)}")
            place = last + 1
        return escape(self._words.facts(told))

    def _plan(self) -> Iterator[str]:
        rules = [f"<li>{escape(rule)}</li>" for rule in self._of.rules]
        yield from self._section(self._say("rules"), ["<ul>", *rules, "</ul>"])

    # standings

    def _standings(self) -> Iterator[str]:
        of = self._of
        if not of.standings:
            yield from self._section(self._say("players"), [f"<p>{self._say('nobody')}</p>"])
            return
        if not of.begun:
            names = [f"<li>{self._person(one.player)}{self._come(one)}</li>" for one in of.standings]
            yield from self._section(self._say("players"), ['<ul class="plain names">', *names, "</ul>"])
            return
        heading = "results" if of.state == "ended" else "standings"
        yield from self._section(self._say(heading), self._standings_table())

    def _come(self, one: Standing) -> str:
        return f' <span class="note">{self._say("state_of.checked_in")}</span>' if one.state == "checked_in" else ""

    def _standings_table(self) -> Iterator[str]:
        of = self._of
        chips = any(one.chips for one in of.standings)
        points = any(one.points is not None for one in of.standings)
        hands, prize = any(one.hands for one in of.standings), any(one.prize for one in of.standings)
        bounties = any(one.bounties for one in of.standings)
        shown = [
            (points, "points"),
            (chips, "chips"),
            (hands, "hands"),
            (prize, "prize"),
            (bounties, "bounties"),
        ]
        heads = [key for on, key in shown if on]
        yield "<table><thead><tr>"
        yield f'<th scope="col" class="rank">{self._say("column.place")}</th>'
        yield f'<th scope="col">{self._say("column.player")}</th>'
        kind = {key: "n wide" if key == "hands" else "n" for key in heads}
        yield from (f'<th scope="col" class="{kind[key]}">{self._say(f"column.{key}")}</th>' for key in heads)
        yield "</tr></thead><tbody>"
        for one in of.standings:
            first = ' class="first"' if one.place == 1 and of.state == "ended" else ""
            yield f'<tr{first}><td class="rank">{self._place(one)}</td>'
            yield f'<th scope="row">{self._person(one.player)}{self._notes(one)}</th>'
            yield from (f'<td class="{kind[key]}">{self._cell(one, key)}</td>' for key in heads)
            yield "</tr>"
        yield "</tbody></table>"

    def _cell(self, one: Standing, key: str) -> str:
        if key == "points":
            if one.per_comparison is not None:
                return escape(self._words.signed_decimal(one.per_comparison, decimals=1))
            return "" if one.points is None else escape(self._words.signed(one.points))
        value: int = getattr(one, key) or 0
        return self._number(value) if value or key == "hands" else ""

    def _place(self, one: Standing) -> str:
        if one.place is None:
            return "–"
        medal = self._of.state == "ended" and one.place <= len(MEDALS)
        sign = f' <span aria-hidden="true">{MEDALS[one.place - 1]}</span>' if medal else ""
        key = "event.rank_tied" if one.tied else "event.rank"
        return escape(self._words(key, place=self._words.number(one.place))) + sign

    def _notes(self, one: Standing) -> str:
        """Return a line with the player's title, state and table."""
        told: list[str] = []
        if one.title:
            told.append(one.title)
        if one.left_after is not None and one.state == "playing":
            told.append(self._words("event_page.leaves", round=one.left_after))
        elif one.left_after is not None:
            told.append(self._words("event.state.left", round=one.left_after))
        elif one.state not in ("playing", "done") and not (one.state == "out" and self._of.state == "ended"):
            told.append(self._words(f"event_page.state_of.{'struck' if one.struck else one.state}"))
        if one.table is not None and len(self._of.tables) > 1:
            told.append(self._words("event.table_name", table=one.table))
        if one.adjusted:
            told.append(self._words("event_page.adjusted", points=self._words.signed(one.adjusted)))
        if one.by_draw:
            told.append(self._words("event_page.by_draw"))
        if one.odd_chip:
            told.append(self._words("event_page.odd_chip"))
        return f'<span class="note">{escape(self._words.facts(told))}</span>' if told else ""

    # rulings

    def _rulings(self) -> Iterator[str]:
        lines = [f"<li>{self._ruling(one)} · {self._time(one.at)}</li>" for one in self._of.rulings]
        if lines:
            yield from self._section(self._say("rulings"), ["<ul>", *lines, "</ul>"])

    def _ruling(self, one: Ruling) -> str:
        if one.player is None:
            return self._say("ruling.series" if self._of.series is not None else "ruling.series_none")
        values: dict[str, str | int] = {"player": person_text(one.player, self._words)}
        if one.kind != "struck":
            values |= {"count": abs(one.amount), "amount": self._words.signed(one.amount)}
        key: str = one.kind
        if one.round is not None:
            key, values["round"] = f"{key}_round", one.round
        if one.against is not None:
            key, values["against"] = f"{key}_match", person_text(one.against, self._words)
            values["opposite"] = self._words.signed(-one.amount)
        return self._say(f"ruling.{key}", **values)

    # tables, rounds and matches

    def _tables(self) -> Iterator[str]:
        if self._of.pairings or self._of.bracket:  # they show the tables
            return
        yield from self._section(self._say("tables"), self._table_cards(self._of.tables))

    def _table_cards(self, tables: Sequence[TableShown]) -> Iterator[str]:
        if not tables:
            return
        yield '<ul class="plain cards">'
        for table in tables:
            yield f'<li><span class="note">{escape(self._words("event.table_name", table=table.number))}</span>'
            yield "".join(f'<span class="side">{self._person(one)}</span>' for one in table.players)
            yield "</li>"
        yield "</ul>"

    def _rounds(self) -> Iterator[str]:
        yield from self._section(self._say("pairings"), self._round_parts())

    def _round_parts(self) -> Iterator[str]:
        newest_first = sorted(self._of.pairings, key=lambda one: -one.number)
        for at, one in enumerate(newest_first):
            heading = self._say("final") if one.final else self._say("round", round=one.number)
            yield f"<details{' open' if at < OPEN_ROUNDS else ''}><summary>{heading}</summary>"
            yield '<ul class="plain cards">'
            yield from map(self._pairing, one.pairings)
            yield "</ul>"
            if one.byes:
                named = self._words.list([person_text(person, self._words) for person in one.byes])
                yield f"<p>{self._say('byes', players=named)}</p>"
            yield "</details>"

    def _pairing(self, one: Pairing) -> str:
        points = one.points or (None,) * len(one.players)
        sides = "".join(
            f'<span class="side"><span{self._won(person == one.winner)}>{self._person(person)}</span>'
            f"<span>{'' if earned is None else escape(self._words.signed(earned))}</span></span>"
            for person, earned in zip(one.players, points, strict=True)
        )
        told = [self._words("event.table_name", table=one.table)]
        told += [self._words("event_page.corrected")] if one.corrected else []
        return f'<li><span class="note">{escape(self._words.facts(told))}</span>{sides}</li>'

    def _won(self, won: bool) -> str:
        return ' class="won"' if won else ""

    def _bracket(self) -> Iterator[str]:
        yield from self._section(self._say("bracket"), self._bracket_parts())

    def _bracket_parts(self) -> Iterator[str]:
        for side in ("winners", "losers", "final", "third"):
            matches = [match for match in self._of.bracket if match.side == side]
            if not matches:
                continue
            stages = [(stage, list(inside)) for stage, inside in groupby(matches, key=lambda match: match.stage)]
            yield f'<div class="rounds{" many" if len(stages) >= MANY_STAGES else ""}">'
            for stage, inside in stages:
                yield f'<div><h3>{escape(stage)}</h3><ul class="plain cards">'
                yield from map(self._match, inside)
                yield "</ul></div>"
            yield "</div>"

    def _match(self, match: Match) -> str:
        passes = match.bye and match.winner is not None
        told = [f"#{match.number}", *([self._words("bracket.bye")] if passes else [])]
        if match.table is not None:
            told.append(self._words("event.table_name", table=match.table))
        elif match.winner is not None and not match.bye:
            told.append(
                self._words("bracket.hands", count=match.hands) if match.hands else self._words("event_page.walkover")
            )
        sides = "".join(
            self._side(match, person, shown)
            for person, shown in zip(match.players, match.sides, strict=True)
            if person is not None or not passes
        )
        playing = ' class="playing"' if match.table is not None else ""
        return f'<li{playing}><span class="note">{escape(self._words.facts(told))}</span>{sides}</li>'

    def _side(self, match: Match, person: Person | None, shown: str) -> str:
        if person is None:
            return f'<span class="side open">{escape(shown)}</span>'
        won = match.winner is not None and person == match.winner
        said = f'<span class="unseen"> {self._say("won")}</span>' if won else ""
        kind = " lost" if match.winner is not None and not won else ""
        return f'<span class="side{kind}"><span{self._won(won)}>{self._person(person)}{said}</span></span>'

    def _groups(self) -> Iterator[str]:
        yield from self._section(self._say("groups"), self._group_parts())

    def _group_parts(self) -> Iterator[str]:
        if not self._of.groups:
            return
        yield '<ul class="plain cards">'
        for group in self._of.groups:
            yield f'<li><table><caption class="unseen">{escape(group.name)}</caption><thead><tr>'
            yield f'<th scope="col">{escape(group.name)}</th>'
            yield f'<th scope="col" class="n">{self._say("column.won")}</th>'
            yield f'<th scope="col" class="n">{self._say("column.lost")}</th></tr></thead><tbody>'
            for line in group.lines:
                mark = f'<span class="unseen"> {self._say("through")}</span>' if line.through else ""
                named = f"<span{self._won(line.through)}>{self._person(line.player)}{mark}</span>"
                yield f'<tr><th scope="row">{named}</th>'
                yield f'<td class="n">{line.won}</td><td class="n">{line.lost}</td></tr>'
            yield "</tbody></table></li>"
        yield "</ul>"

    # series

    def _series(self) -> Iterator[str]:
        series = self._of.series
        if series is not None:
            heading = self._say("series", series=series.name)
            yield from self._section(heading, self._series_parts(series))

    def _series_parts(self, series: Series) -> Iterator[str]:
        yield f"<p>{escape(series.rule)}</p>"
        if series.lines:
            yield "<table><thead><tr>"
            yield f'<th scope="col" class="rank">{self._say("column.place")}</th>'
            yield f'<th scope="col">{self._say("column.player")}</th>'
            for key in ("points", "events", "wins"):
                yield f'<th scope="col" class="n">{self._say(f"column.{key}")}</th>'
            yield "</tr></thead><tbody>"
            for line in series.lines:
                rank = self._words(
                    "event.rank_tied" if line.tied else "event.rank", place=self._words.number(line.place)
                )
                yield f'<tr><td class="rank">{escape(rank)}</td><th scope="row">{self._person(line.player)}</th>'
                for value in (line.points, line.events, line.wins):
                    yield f'<td class="n">{self._number(value)}</td>'
                yield "</tr>"
            yield "</tbody></table>"
        if told := self._dates_left(series):
            yield f"<p>{told}</p>"
        if (following := series.following) is not None:
            when = "" if following.starts_at is None else f" · {self._time(following.starts_at)}"
            yield f"<p>{self._say('next')} <bdi>{escape(following.title)}</bdi>{when}</p>"
            yield from self._link(following.register)

    def _dates_left(self, series: Series) -> str:
        """Return how many dates the series has left, or its champions; empty without a planned end."""
        if series.over:
            named = [person_text(person, self._words) for person in series.champions]
            if not named:
                return self._say("series_over")
            return self._say("series_over_champions", players=self._words.list(named))
        if not series.dates_left:
            return ""
        if self._of.state in ("ended", "cancelled"):
            return self._say("dates_left", count=series.dates_left)
        if series.dates_left == 1:
            return self._say("last_date")
        return self._say("dates_with_this", count=series.dates_left)
