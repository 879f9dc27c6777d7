"""A rehearsal's pages for the organiser: problems, the course of the event, and each message that would be posted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import discord

from bot.chat.event.screens.notice import NoticePage, notice_pages
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import QUIET_COLOUR
from bot.chat.kit.widgets import Part, Screen, button, button_rows, screen, select, separator, text, walk
from bot.model.clock import MINUTE
from bot.model.events import Notice
from bot.model.ids import TableId
from bot.play.event.trials.faults import Fault, faults
from bot.play.event.trials.rehearsal import Rehearsal, RehearsedPost, guest_number, max_rehearsed
from bot.pure.event.structure import Family, Format
from bot.text.durations import duration
from bot.text.event_structure import place_name
from bot.text.words import Words, escape_name

ROOM = 3000
"""Characters per page, excluding its heading and controls."""
MAX_BLOCKS = 24
"""Maximum number of blocks per page. Discord's limit of 40 components includes the buttons and containers."""
MAX_STAGES = 24
MAX_PLACES = 12
SIZES = (2, 3, 4, 5, 6, 8, 9, 10, 12, 15, 16, 18, 20, 24, 27, 30, 32, 36, 40)
"""Numbers of players offered for a rehearsal."""
_PERSON = re.compile(r"<@(\d+)>")
_COUNTS_DOWN = re.compile(r"<t:(\d+):R>")


def about_rehearsal(number: int, people: int, page: int = 0) -> Press:
    """Return the press that shows a page of a rehearsal. ``number`` is an announced event's, or 0 for the draft."""
    return Press(verb="ev_rehearse", table=TableId(number), hand=page, argument=str(people or ""))


def going_on_screen(name: str, people: int, words: Words) -> Screen:
    """Draw the message shown while the rehearsal is computed."""
    return screen(
        f"### {words('rehearsal.title', name=escape_name(name))}",
        words("rehearsal.runs", count=people),
        colour=QUIET_COLOUR,
    )


def rehearsal_screen(played: Rehearsal, number: int, page: int, words: Words) -> Screen:
    """Draw a page. The first shows the course of the event, and the others the messages in order."""
    question = played.question
    pages = rehearsal_pages(played, words)
    page = max(0, min(page, len(pages) - 1))
    title = f"### {words('rehearsal.title', name=escape_name(question.plan.name))}"
    heading = [title, words("rehearsal.private", count=question.people)]
    if len(pages) > 1:
        heading.append(words("rehearsal.page", page=page + 1, pages=len(pages)))
    parts: list[str | Part] = ["\n".join(heading), separator(line=True), *map(text, pages[page])]
    return screen(*parts, *_controls(played, number, page, len(pages), words), colour=QUIET_COLOUR)


def rehearsal_pages(played: Rehearsal, words: Words) -> list[list[str]]:
    """Return the pages, each in blocks."""
    shown = [(post, _notice(post, words)) for post in played.posts]
    shown = [(post, pages) for post, pages in shown if pages]
    first = [_amiss(played, words), _evening_text(played, [pages for _, pages in shown], words), _stages(played, words)]
    first += [_prizes(played, words)]
    made, room = [[block for block in first if block]], 0
    for post, pages in shown:
        block = _post_text(post, pages, words)
        if len(made) == 1 or room + len(block) > ROOM or len(made[-1]) >= MAX_BLOCKS:
            made.append([])
            room = 0
        made[-1].append(block)
        room += len(block)
    return made


# the first page


def _amiss(played: Rehearsal, words: Words) -> str:
    found = faults(played)
    if not found:
        return words("rehearsal.no_fault")
    told = (words.adorned("⚠️", fault_text(fault, words)) for fault in found)
    return "\n".join([words("rehearsal.faults"), *(f"- {one}" for one in told)])


def fault_text(fault: Fault, words: Words) -> str:
    """Return a problem in a sentence. Some problems include a length of time."""
    time = {"time": duration(fault.minutes * 60, words)} if fault.minutes else {}
    return words(f"rehearsal.fault.{fault.key}", **time, **fault.counts)


def _evening_text(played: Rehearsal, shown: Sequence[list[NoticePage]], words: Words) -> str:
    """Return the event's length, and the number of messages per place."""
    structure = played.question.plan.structure
    posts, calls = sum(map(len, shown)), sum(len(page.calls) for pages in shown for page in pages)
    lines = [words("rehearsal.evening")]
    if played.ended:
        lines.append(words("rehearsal.lasts", time=_minutes_text(played.lasts, words)))
    lines.append(words("rehearsal.posts", count=posts + 1))
    lines.append(words("rehearsal.calls", count=calls))
    where = "threads" if structure.threads else "channel"
    lines.append(words(f"rehearsal.tables_{where}", count=played.tables, hands=words.number(played.hands)))
    if played.entries > played.question.people:
        lines.append(words("rehearsal.again", count=played.entries - played.question.people))
    return "\n".join(lines)


def _stages(played: Rehearsal, words: Words) -> str:
    """Return when players would go out, by level or round, with the breaks in between."""
    structure = played.question.plan.structure
    by_level = structure.format.family is Family.FREEZEOUT
    kind = {Family.FREEZEOUT: "level", Family.KNOCKOUT: "stage", Family.ROUNDS: "round"}[structure.format.family]
    moments: list[tuple[int, str]] = []
    for stage in played.stages[:MAX_STAGES]:
        name = words(f"rehearsal.{kind}", number=stage.number)
        parts = [words("rehearsal.at", time=_minutes_text(stage.begins, words), what=name)]
        if by_level:
            parts.append(words("rehearsal.value", count=structure.point_value(stage.number - 1)))
        parts.append(words("rehearsal.playing", count=stage.people))
        if stage.out:
            parts.append(words("rehearsal.out", count=stage.out))
        moments.append((stage.begins, f"- {words.facts(parts)}"))
    for begins, ends in played.breaks:
        what = words("rehearsal.break", time=_minutes_text(ends - begins, words))
        moments.append((begins, f"- {words('rehearsal.at', time=_minutes_text(begins, words), what=what)}"))
    moments.sort(key=lambda moment: moment[0])
    lines = [line for _, line in moments]
    if played.ended:
        ends_at = words("rehearsal.at", time=_minutes_text(played.lasts, words), what=words("rehearsal.end"))
        lines.append(f"- {ends_at}")
    return "\n".join([words(f"rehearsal.{kind}s"), *lines])


def _prizes(played: Rehearsal, words: Words) -> str:
    structure = played.question.plan.structure
    lines = []
    for place in played.places[:MAX_PLACES]:
        title = structure.titles[place.place - 1] if place.place <= len(structure.titles) else ""
        won = [words("rehearsal.prize", count=place.prize)] if place.prize else []
        won += [_bounties(place.bounties, words)] if place.bounties else []
        won += [escape_name(title)] if title else []
        if won:
            key = "rehearsal.place_shared" if place.tied else "rehearsal.place"
            lines.append(f"- {words(key, place=place_name(place.place, words), prize=words.facts(won))}")
    heads = sum(place.bounties for place in played.places)
    head = [words("rehearsal.prizes", count=played.pool), *([_bounties(heads, words)] if heads else [])]
    return "\n".join([words.facts(head), *lines]) if lines else ""


def _bounties(chips: int, words: Words) -> str:
    return words("event.bounties", count=chips, chips=words.number(chips))


# the messages


def _notice(post: RehearsedPost, words: Words) -> list[NoticePage]:
    if post.posting.notice is Notice.SHEET:
        shown = screen(words("rehearsal.sheet", deck=post.posting.details["board"]), colour=QUIET_COLOUR)
        return [NoticePage(screen=shown)]
    return [] if post.posting.notice is Notice.VOUCH else notice_pages(post.posting, post.view, words)


def _post_text(post: RehearsedPost, pages: Sequence[NoticePage], words: Words) -> str:
    """Return when a message would be posted and the players it would ping, followed by its text as a quotation."""
    calls = sum(len(page.calls) for page in pages)
    if abs(post.after) < MINUTE // 2:
        heading = [words("rehearsal.at_start")]
    else:
        side = "before_start" if post.after < 0 else "after_start"
        heading = [words(f"rehearsal.{side}", time=_minutes_text(abs(post.after), words))]
    heading += [words("rehearsal.called", count=calls)] if calls else []
    heading += [words("rehearsal.messages", count=len(pages))] if len(pages) > 1 else []
    said = [line for page in pages for line in _lines(page.screen, words)]
    return "\n".join([f"**{words.facts(heading)}**", *(f"> {line}" for line in said)])


def _lines(shown: Screen, words: Words) -> Iterator[str]:
    """Yield a message's lines below its heading. Players of the rehearsal are shown as numbers.

    Relative times would count from when the page is read, so they're replaced with dates.
    """
    for part in walk(shown.parts):
        if "content" in part and not part["content"].startswith("### "):
            said = _COUNTS_DOWN.sub(r"<t:\1:f>", part["content"])
            yield from _PERSON.sub(lambda found: _named(found, words), said).splitlines()


def _named(found: re.Match[str], words: Words) -> str:
    number = guest_number(found[1])
    return words("rehearsal.player", number=number) if number else found[0]


def _minutes_text(ms: int, words: Words) -> str:
    """Return a length of time in whole minutes."""
    return duration(round(ms / MINUTE) * 60, words) if ms >= MINUTE // 2 else words("rehearsal.no_time")


# turning pages, and rehearsing with other numbers of players


def _controls(played: Rehearsal, number: int, page: int, pages: int, words: Words) -> list[Part]:
    people, structure = played.question.people, played.question.plan.structure
    turns = []
    if pages > 1:
        back, on = (about_rehearsal(number, people, to) for to in (page - 1, page + 1))
        turns.append(button(back, words("rehearsal.back"), disabled=page == 0))
        turns.append(button(on, words("rehearsal.next" if page else "rehearsal.see_posts"), disabled=page + 1 == pages))
    rows = button_rows(turns)
    if structure.format is not Format.SIT_AND_GO:
        fewest, most = structure.fewest, max_rehearsed(structure)
        sizes = sorted({size for size in SIZES if fewest <= size <= most} | {people})
        options = [
            discord.SelectOption(label=words("rehearsal.with", count=size), value=str(size), default=size == people)
            for size in sizes
        ]
        press = Press(verb="ev_rehearse", table=TableId(number), argument="with")
        rows.append(select(press, options, placeholder=words("rehearsal.how_many")))
    return rows
