"""An event's notices: messages that report something and ping players."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from types import MappingProxyType
from typing import Any

from discord import ButtonStyle

from bot.chat.event.screens.bracket import match_text
from bot.chat.event.screens.doubtful_start import again_button, doubt_buttons, doubt_text
from bot.chat.event.screens.late_ruling import late_ruling_text
from bot.chat.event.screens.round_report import final_table, next_text, report_lines
from bot.chat.event.screens.screen import (
    about,
    calendar_ways,
    check_in_button,
    details_button,
    opened_text,
    register_button,
    register_press,
    series_calls_button,
)
from bot.chat.event.screens.series_report import series_lines
from bot.chat.event.screens.standings import (
    by_draw_text,
    handicap_text,
    is_seeded,
    ladder_lines,
    odd_chip_text,
    points_text,
    told_groups,
)
from bot.chat.event.screens.tools import call_text, plays_text, refunded_text, ruling_text, seeds_told, table_text
from bot.chat.event.screens.waiting import pass_button, take_button
from bot.chat.kit.fragments import (
    QUIET_COLOUR,
    RESULT_COLOUR,
    TABLE_COLOUR,
    TURN_COLOUR,
    and_more,
    date_mark,
    moment,
    names,
    player_name,
)
from bot.chat.kit.widgets import Part, Screen, button, button_rows, gallery, screen
from bot.model.careers import Badge
from bot.model.events import EntrantState, EventPosting, Notice, Phase
from bot.model.ids import Player, is_computer
from bot.play.event.office.role_claims import ROLES_REFUSED
from bot.play.event.office.views import EventView, StandingsLine
from bot.pure.event.structure import Family, Format, NoShow
from bot.text.badges import badge_name
from bot.text.event_structure import (
    by_fee,
    change_lines,
    enter_again_label,
    places_name,
    register_label,
    series_numbers,
    stage_text,
)
from bot.text.fingerprint import fingerprint
from bot.text.words import Words, escape_name

MAX_PINGS = 80
"""Maximum number of players pinged per message. Discord's limit is 100."""
MAX_NAMED = 40
"""Maximum number of players per line."""
ROOM = 3600
"""Characters per page, excluding its heading."""
MIN_RESULTS = 3
MAX_RESULTS = 50
SEMIFINAL_PLACE = 3
"""The place that losing semi-finalists share if there's no match for third place."""
PICTURE = "podium.png"
_OF_PLAY = frozenset((Notice.OUT, Notice.MATCH, Notice.MOVED, Notice.FINAL_TABLE, Notice.LEVEL, Notice.ROUND))
_COLOURS: Mapping[Notice, int] = {
    Notice.CHECK_IN: TURN_COLOUR,
    Notice.SOON: TURN_COLOUR,
    Notice.MISSING: TURN_COLOUR,
    Notice.CALLED: TURN_COLOUR,
    Notice.OFFERED: TURN_COLOUR,
    Notice.MOVED: TURN_COLOUR,
    Notice.OUT: QUIET_COLOUR,
    Notice.LEFT: QUIET_COLOUR,
    Notice.MATCH: RESULT_COLOUR,
    Notice.CANCELLED: QUIET_COLOUR,
    Notice.PAUSED: QUIET_COLOUR,
    Notice.BREAK: QUIET_COLOUR,
    Notice.ENDED: RESULT_COLOUR,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticePage:
    """One message, and the players it pings."""

    screen: Screen
    calls: tuple[str, ...] = ()
    role: int | None = None
    """The role that it pings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _PingLine:
    """A line, and the players it pings."""

    text: str
    calls: tuple[str, ...] = ()
    role: int | None = None


def notice_pages(
    posting: EventPosting,
    view: EventView,
    words: Words,
    *,
    interested: Sequence[str] = (),
    role: int | None = None,
    picture: str = "",
    against: Mapping[Player, Mapping[Player, int]] = MappingProxyType({}),
    following: EventView | None = None,
) -> list[NoticePage]:
    """Return a notice's messages in order.

    Before the start, ``interested`` are pinged too. ``role`` is pinged when the event opens.

    ``picture`` describes the podium attached as ``podium.png``; empty for none. ``against`` is each player's result
    against each other player in a league. ``following`` is the next date of a series, while players can register for
    it.
    """
    lines = [*_opened_for(posting, view, role, words), *_lines(posting, view, words, interested)]
    lines += [_PingLine(text=line) for line in final_table(posting.details, view, against, words)]
    lines += [_PingLine(text=line) for line in series_lines(posting.details.get("series", {}), following, words)]
    colour = _COLOURS.get(posting.notice, TABLE_COLOUR)
    title = words("event_notice.title", name=escape_name(view.event.name))
    if posting.notice is Notice.COMMITTED and not posting.details.get("again"):
        title = words("event_notice.open", title=title)
    pages = _split_pages(lines) if lines else []
    shown = []
    for number, page in enumerate(pages, start=1):
        heading = words("event_notice.page", title=title, page=number, pages=len(pages)) if len(pages) > 1 else title
        parts: list[str | Part] = [f"### {heading}", "\n".join(line.text for line in page)]
        if picture and number == 1:
            parts.insert(1, gallery(PICTURE, description=picture))
        if number == len(pages):
            registers = [register_button(following, words)] if following is not None else []
            more = [details_button(view.event, words)] if posting.notice is Notice.ENDED else []
            parts += button_rows([*_buttons(posting, view, words), *registers, *more])
        calls = dict.fromkeys(player for line in page for player in line.calls)
        pinged = next((line.role for line in page if line.role is not None), None)
        shown.append(NoticePage(screen=screen(*parts, colour=colour), calls=tuple(calls), role=pinged))
    return shown


def shares_note(posting: EventPosting) -> bool:
    """True if a notice reports an organiser's ruling or pause, so that it may share a message with their other ones."""
    return posting.notice in (Notice.RULING, Notice.PAUSED, Notice.RESUMED) and "by" in posting.details


def asks_organiser(posting: EventPosting) -> bool:
    """True if a notice asks an organiser to do something, so that it belongs to their desk's channel."""
    return posting.notice is Notice.MISSING or _is_about_roles(posting.details)


def _is_about_roles(details: Mapping[str, Any]) -> bool:
    return details.get("what") == ROLES_REFUSED


def reports_play(posting: EventPosting) -> bool:
    """True if a notice reports what happens in play, so that it may share a message with others due at once."""
    return posting.notice in _OF_PLAY


def joint_page(postings: Sequence[EventPosting], view: EventView, words: Words) -> NoticePage | None:
    """Return several notices as one message; None if they don't fit into a page or one of them has a button."""
    told = [_lines(posting, view, words, ()) for posting in postings]
    if any(_buttons(posting, view, words) for posting in postings) or len(_split_pages(chain(*told))) != 1:
        return None
    title = words("event_notice.title", name=escape_name(view.event.name))
    parts = ["\n".join(line.text for line in lines) for lines in told if lines]
    colour = _COLOURS.get(postings[-1].notice, TABLE_COLOUR)
    calls = dict.fromkeys(player for lines in told for line in lines for player in line.calls)
    return NoticePage(screen=screen(f"### {title}", *parts, colour=colour), calls=tuple(calls))


def _buttons(posting: EventPosting, view: EventView, words: Words) -> list[Part]:
    """Return the buttons for the action that a notice asks for."""
    if posting.notice is Notice.CANCELLED:
        again = [again_button(view.event, words)] if posting.details.get("again") else []
        return [*again, *calendar_ways(view.event, words)]
    if posting.notice is Notice.COMMITTED and posting.details.get("players"):
        return [series_calls_button(view.event, words, on=False)]
    if posting.notice is Notice.MISSING:
        return doubt_buttons(posting.details, view, words)
    if posting.notice is Notice.OFFERED and view.event.phase.before:
        return [take_button(view.event, words), pass_button(view.event, words)]
    if posting.notice is Notice.OUT and _may_reenter_lines(posting.details, view):
        label = enter_again_label(view.event.structure.fee, words)
        return [button(register_press(view.event), label, style=ButtonStyle.success)]
    if posting.notice is Notice.CHANGED and view.event.phase.before and posting.details.get("asked"):
        # The terms are those of this change, because a later change may have been made before this was posted.
        press = about(view.event).but("ev_register", terms=posting.details.get("terms", ""))
        return [button(press, register_label(view.event.structure.fee, words), style=ButtonStyle.success)]
    if _registers_again(posting, view):
        press = register_press(view.event)
        return [button(press, register_label(view.event.structure.fee, words), style=ButtonStyle.success)]
    if posting.notice is Notice.CHANGED and view.event.phase.before and view.lines:
        asked = _check_in_button(view, words) if posting.details.get("check_in") else []
        return [*asked, button(about(view.event).but("ev_withdraw"), words("event.button.withdraw"))]
    return _check_in_button(view, words) if posting.notice in (Notice.CHECK_IN, Notice.SOON, Notice.CALLED) else []


def _registers_again(posting: EventPosting, view: EventView) -> bool:
    """True if a disqualification was undone before the start and the player hasn't registered again yet."""
    details = posting.details
    taken_back = posting.notice is Notice.RULING and details["what"] == "reinstated"
    return taken_back and view.event.phase.before and view.line_of(details["player"]) is None


def _check_in_button(view: EventView, words: Words) -> list[Part]:
    """Return the check-in button as long as registered players are missing."""
    asks = any(line.entrant.state is EntrantState.REGISTERED for line in view.lines)
    if not asks or view.event.phase is not Phase.CHECK_IN:
        return []
    return [check_in_button(view.event, words)]


def _split_pages(lines: Iterable[_PingLine]) -> list[list[_PingLine]]:
    """Split lines into pages within the limits on characters and pings."""
    pages: list[list[_PingLine]] = [[]]
    length = called = 0
    for line in lines:
        if pages[-1] and (length + len(line.text) + 1 > ROOM or called + len(line.calls) > MAX_PINGS):
            pages.append([])
            length = called = 0
        pages[-1].append(line)
        length += len(line.text) + 1
        called += len(line.calls)
    return pages


def _lines(posting: EventPosting, view: EventView, words: Words, interested: Sequence[str]) -> list[_PingLine]:
    details = posting.details
    match posting.notice:
        case Notice.SOON:
            return _soon(details, view, words, interested)
        case Notice.MISSING:
            return [_PingLine(text=doubt_text(details, view, words), calls=(view.event.organiser,))]
        case Notice.STARTED | Notice.ROUND:
            return _draw(posting.notice, details, view, words)
        case Notice.MOVED:
            return [_PingLine(text=words("event_notice.moved")), *_moves(details, view, words)]
        case Notice.FINAL_TABLE:
            return [_PingLine(text=_sentence(posting.notice, details, view, words)), *_moves(details, view, words)]
        case Notice.OUT:
            return _outs(details, view, words)
        case Notice.MATCH:
            called = (details["winner"],) if details.get("gave_up") else ()  # no table told them
            return [_PingLine(text=match_text(details, words), calls=called)]
        case Notice.ENDED:
            return _results(details, view, words)
        case Notice.CHANGED:
            return _changes(details, view, words)
        case Notice.RULING if details["what"] == "moved":
            # No other message pings the player about their new seat.
            return [_PingLine(text=_sentence(posting.notice, details, view, words), calls=(details["player"],))]
        case Notice.RULING if _is_about_roles(details):
            return [_PingLine(text=_refused_roles_text(details, words), calls=(details["by"],))]
        case Notice.RULING if _registers_again(posting, view):
            said = _sentence(posting.notice, details, view, words)
            press = register_label(view.event.structure.fee, words)
            again = words(by_fee("event_notice.register_again", view.event.structure), press=press)
            return [_PingLine(text=f"{said}\n{again}", calls=(details["player"],))]
        case Notice.LEFT:
            before = by_fee("event_notice.left_server", view.event.structure)
            key = "event_notice.left_between" if details.get("round") else before
            return [*_named_lines(key, details["players"], words), *_ping_lines([view.event.organiser], words)]
        case Notice.OFFERED:
            return _offered(details, view, words)
        case Notice.CALLED:
            return [_PingLine(text=call_text(details, view, words)), *_ping_lines(details["players"], words)]
        case notice:
            key = "called" if notice is Notice.CHECK_IN else "players"
            return [
                _PingLine(text=_sentence(notice, details, view, words)),
                *_ping_lines(_silent_pings(notice, view, details), words, key=key),
                *(_to_organiser(details, view, words) if notice is Notice.CANCELLED else []),
                *(_check_in_waiting(view, words) if notice is Notice.CHECK_IN else []),
                *_waited(details, words),
                *_named_lines("event_notice.back_on_list", details.get("back", ()), words),
            ]


def _check_in_waiting(view: EventView, words: Words) -> list[_PingLine]:
    """Return what players on the waiting list gain by checking in; empty if none wait or check-in is closed."""
    waits = view.event.phase is Phase.CHECK_IN and view.waiting
    return [_PingLine(text=words("event_notice.check_in_waiting"))] if waits else []


def _opened_for(posting: EventPosting, view: EventView, role: int | None, words: Words) -> list[_PingLine]:
    """Return the lines that ping a role and the players of a series' last date, when an event opens.

    The last line has the event's kind and start, and where to register.
    """
    if posting.notice is not Notice.COMMITTED or posting.details.get("again"):
        return []
    told = [_PingLine(text=words("event_notice.opens_for", role=f"<@&{role}>"), role=role)] if role else []
    told += _ping_lines(posting.details.get("players", ()), words, key="last_date")
    return [*told, _PingLine(text=opened_text(view.event, words))] if told else []


def _sentence(notice: Notice, details: Mapping[str, Any], view: EventView, words: Words) -> str:
    """Return the text of a notice that consists of a few sentences."""
    key = f"event_notice.{notice.value}"
    match notice:
        case Notice.CHECK_IN:
            return _check_in_text(details, words)
        case Notice.LEVEL:
            return words(key, level=details["level"], count=details["point_value"], next=words.number(details["next"]))
        case Notice.BREAK:
            return words(key, level=details["level"], when=moment(details["until"]))
        case Notice.HAND_FOR_HAND:
            return words(key, count=details["paid"], left=details["left"])
        case Notice.FINAL_TABLE:
            table = table_text(details["table"], view, words)
            return words(key, table=table, players=names(list(details["players"]), words))
        case Notice.COMMITTED:
            return _hash_text(details, words)
        case Notice.SAID:
            return words(key, player=player_name(details["by"], words), text=details["text"])
        case Notice.PAUSED | Notice.RESUMED if details.get("by"):
            return words(f"{key}_by", player=player_name(details["by"], words))
        case Notice.RULING if details.get("late"):
            return late_ruling_text(f"{key}.{details['what']}", details, words)
        case Notice.RULING:
            return ruling_text(f"{key}.{details['what']}", details, view, words)
        case Notice.CANCELLED if details.get("by"):
            return ruling_text(f"{key}.by_hand", details, view, words)
        case Notice.CANCELLED:
            return words.side_by_side([words(f"{key}.{details['reason']}"), *refunded_text(view, words)])
        case _:
            return words(key)


def _check_in_text(details: Mapping[str, Any], words: Words) -> str:
    at = details["starts_at"]
    return words("event_notice.check_in", at=date_mark(at), when=moment(at))


def _hash_text(details: Mapping[str, Any], words: Words) -> str:
    """Return the full hashes of the draw and the decks. After a restore, also explain why there are new ones."""
    draw, decks = (fingerprint(bytes.fromhex(details[what])) for what in ("draw", "decks"))
    fixed = words("event_notice.fingerprints", draw=draw, decks=decks)
    if details.get("again"):
        return f"{words('event_notice.committed_again')}\n{fixed}"
    return fixed


def _changes(details: Mapping[str, Any], view: EventView, words: Words) -> list[_PingLine]:
    """Return an organiser's changes, and the options for players who no longer agree."""
    changes = change_lines([(name, before, after) for name, before, after in details["changes"]], words)
    rest, asked = [], list(details.get("asked", ()))
    if details.get("check_in") and view.event.phase is Phase.CHECK_IN:
        rest.append(_PingLine(text=_check_in_text(details, words)))
    if view.event.phase.before and asked:
        paid = any(name == "fee" and before for name, before, _ in details["changes"])
        press = register_label(view.event.structure.fee, words)
        rest.append(_PingLine(text=words(f"event_notice.changed_fee{'' if paid else '_free'}", press=press)))
    elif view.event.phase.before and view.lines:
        rest.append(_PingLine(text=words(by_fee("event_notice.changed_withdraw", view.event.structure))))
    if details["plays"]:
        rest.append(_PingLine(text=plays_text(details, view, words)))
    rest += _ping_lines(asked or _silent_pings(Notice.CHANGED, view), words, key="players")
    rest[:1] = [replace(one, text=f"\n{one.text}") for one in rest[:1]]  # a list absorbs a plain line after it
    head = words("event_notice.changed", player=player_name(details["by"], words))
    return [*(_PingLine(text=line) for line in (head, *changes)), *rest]


def _outs(details: Mapping[str, Any], view: EventView, words: Words) -> list[_PingLine]:
    """Return the players who are out, the number left, and whether those who are out can re-enter."""
    told = [tuple(places) for _, *places in details["players"]]
    gone = [_out(player, places, words, tied=told.count(tuple(places)) > 1) for player, *places in details["players"]]
    key = "event_notice.out_gave_up" if details.get("gave_up") else "event_notice.out"
    said = [_PingLine(text=words(key, players=words.list(some))) for some in _portions(gone, MAX_NAMED)]
    for winner, loser, chips, grows in details.get("bounties", ()):
        values = {"player": player_name(winner, words), "loser": player_name(loser, words), "count": chips}
        key = "event_notice.bounty_grows" if grows else "event_notice.bounty"
        said.append(_PingLine(text=words(key, **values, **({"grows": words.number(grows)} if grows else {}))))
    if details["left"] > 1:  # if only one is left, the next message names the winner
        said.append(_PingLine(text=words("event_notice.left", count=details["left"])))
    if invited := _may_reenter_lines(details, view):
        press, level = enter_again_label(view.event.structure.fee, words), view.event.structure.late_levels
        said.append(_PingLine(text=words("event_notice.again", level=level, press=press), calls=tuple(invited)))
    return said


def _may_reenter_lines(details: Mapping[str, Any], view: EventView) -> list[str]:
    """Return the players who have just gone out and may re-enter while others play."""
    gone = [player for player, *_ in details["players"]] if details["left"] > 1 else []
    return [player for player in gone if view.may_enter_again(player)]


def _out(player: str, places: Sequence[int], words: Words, *, tied: bool) -> str:
    """Return a player with their place, or the range of possible places. Older notices use 0 for an open place.

    ``tied`` is True if another player who is out has the same place.
    """
    name = player_name(player, words)
    place = places_name(places[0], places[-1], words) if places[0] else ""
    return (
        words("event_notice.out_at_tied" if tied else "event_notice.out_at", player=name, place=place)
        if place
        else name
    )


def _offered(details: Mapping[str, Any], view: EventView, words: Words) -> list[_PingLine]:
    """Return the players with a place on offer, and until when it's kept."""
    until = details["until"]
    key = "event_notice.offered_until" if view.next_in_line else "event_notice.offered_until_only"
    players, of = list(details["players"]), details.get("flight_of", "")
    kept = _PingLine(text=words(key, at=date_mark(until), when=moment(until), count=len(players)))
    offered = f"event_notice.offered{'_flight' if of else ''}"
    flight = [_PingLine(text=words("event_notice.flight_of", name=escape_name(of)))] if of else []
    return [
        *flight,
        *(
            _PingLine(text=words(offered, players=names(some, words), count=len(some)), calls=tuple(some))
            for some in _portions(players, MAX_NAMED)
        ),
        kept,
    ]


def _refused_roles_text(details: Mapping[str, Any], words: Words) -> str:
    """Return the roles that an organiser has to give and take instead of the bot."""
    lines = [words("event_notice.roles_refused.ask", player=player_name(details["by"], words))]
    for player, role, gives in details["role_changes"][:MAX_NAMED]:
        key = f"event_notice.roles_refused.{'give' if gives else 'take'}"
        lines.append(f"- {words(key, player=player_name(player, words), role=f'<@&{role}>')}")
    return "\n".join([*lines, *and_more(len(details["role_changes"]) - MAX_NAMED, words)])


def _waited(details: Mapping[str, Any], words: Words) -> list[_PingLine]:
    """Return the players who were still on the waiting list when it ended."""
    players = list(details.get("waited", ()))
    return _named_lines("event_notice.waited", players, words, calls=players)


def _soon(details: Mapping[str, Any], view: EventView, words: Words, interested: Sequence[str]) -> list[_PingLine]:
    """Return the start and the open check-ins, then all pinged players in groups.

    Empty if all players have checked in and no one else is interested. Older notices have no count.
    """
    event, players = view.event, list(details["players"])
    if "round" in details:
        values = {"round": details["round"], "rounds": details["rounds"], "when": moment(details["starts_at"])}
        return [_PingLine(text=words("event_notice.soon_round", **values)), *_ping_lines(players, words)]
    if not players and not interested and event.structure.check_in_minutes:
        return []
    count = details.get("count", len(players))
    said = [_PingLine(text=words("event_notice.soon", when=moment(details["starts_at"]), count=count))]
    if players and event.structure.check_in_minutes:
        drop = event.structure.no_show is NoShow.DROP
        said.append(_PingLine(text=words("event_notice.not_yet" if drop else "event_notice.not_yet_blind")))
    here = {line.entrant.player for line in view.lines if line.entrant.state is EntrantState.CHECKED_IN}
    called = [player for player in dict.fromkeys([*players, *interested]) if player not in here]
    return [*said, *_check_in_waiting(view, words), *_ping_lines(called, words)]


def _silent_pings(notice: Notice, view: EventView, details: Mapping[str, Any] = MappingProxyType({})) -> list[str]:
    """Return the players that a notice pings without naming, because they registered for something upcoming.

    During the event, an announcement is shown at the tables instead.
    """
    people = [line for line in view.lines if not is_computer(line.entrant.player)]
    if notice is Notice.CHECK_IN:
        return [line.entrant.player for line in people if line.entrant.state is EntrantState.REGISTERED]
    if notice in (Notice.CANCELLED, Notice.CHANGED) or (notice is Notice.SAID and view.event.phase.before):
        called = [line.entrant.player for line in people if line.entrant.state is not EntrantState.OUT]
        if notice is Notice.CHANGED:
            called += [waiting.player for waiting in view.waiting]
        # No-shows were dropped just before the event was called off.
        called += details.get("missed", [])
        return list(dict.fromkeys(called))
    return []


def _to_organiser(details: Mapping[str, Any], view: EventView, words: Words) -> list[_PingLine]:
    """Return a line that pings the organiser of a cancelled event, unless they play or cancelled it themselves.

    Older notices of a cancellation by hand have no author.
    """
    organiser, by_hand = view.event.organiser, details.get("reason") == "organiser"
    knows = details.get("by", organiser if by_hand else None) == organiser
    if knows or organiser in _silent_pings(Notice.CANCELLED, view, details):
        return []
    return _ping_lines([organiser], words, key="organiser")


def _ping_lines(players: Sequence[str], words: Words, *, key: str = "called") -> list[_PingLine]:
    """Return the players that a message pings (with ``key="players"``, those it's about), in groups."""
    said = []
    for some in _portions(players, MAX_PINGS):
        named = " ".join(player_name(player, words) for player in some)
        said.append(_PingLine(text=words(f"event_notice.{key}", players=named), calls=tuple(some)))
    return said


def _draw(notice: Notice, details: Mapping[str, Any], view: EventView, words: Words) -> list[_PingLine]:
    """Return the tables of a draw, and the players with a bye.

    Table messages ping their players, so only players with a bye are pinged here. Older notices don't have the stages
    of matches.
    """
    stages = [stage_text("event_notice.stage", name, number, words) for name, number in details.get("stages", ())]
    lines = [_PingLine(text=line) for line in report_lines(details, view, words)]
    if notice is Notice.ROUND and view.ladder:
        lines += [_PingLine(text=line) for line in ladder_lines(view, words, rounds=[details["round"] - 1])]
    groups = told_groups(details.get("groups", ()), words, by_seed=is_seeded(view))
    lines += [_PingLine(text=line) for line in groups if notice is Notice.ROUND]
    if notice is Notice.STARTED or not stages:
        lines.append(_PingLine(text=_draw_head(notice, details, view, words)))
    lines += [_PingLine(text=line) for line in groups if notice is Notice.STARTED]
    for at, (table, players) in enumerate(details["tables"]):
        if stages and stages[at] not in stages[:at]:
            lines.append(_PingLine(text=stages[at]))
        if not table:  # pairings of an upcoming round, whose tables will ping
            lines.append(_PingLine(text=words("event_notice.pairing", players=names(list(players), words))))
            continue
        told = words("event_notice.table", table=table_text(table, view, words), players=names(list(players), words))
        lines.append(_PingLine(text=told))
    structure = view.event.structure
    blind = structure.no_show is NoShow.BLIND
    waits = view.event.format.family is Family.ROUNDS or view.event.format is Format.GROUPS
    first = notice is Notice.STARTED and view.event.format.heads_up
    byes = "event_round.byes" if waits else "event_notice.first_byes" if first else "event_notice.byes"
    # The tables of a bracket's second round ping their own players.
    seated = {player for _, players in details["tables"] for player in players}
    uncalled = set() if "starts_at" in details else set(details["byes"]) - seated
    lines += _named_lines(byes, details["byes"], words, calls=uncalled)
    missed = "event_notice.missed_blind" if blind else by_fee("event_notice.missed_drop", structure)
    lines += _named_lines(missed, details.get("missed", ()), words)
    lines += _named_lines("event_notice.stood_by", details.get("stood_by", ()), words)
    lines += _waited(details, words)
    if details.get("waited") and view.registration_open:
        lines.append(_PingLine(text=words("event_notice.waited_late")))
    if details.get("seeds"):
        by = details["seeded_by"]
        lines.append(_PingLine(text=words(f"event_notice.seeds.{by}", seeds=seeds_told(details["seeds"], by, words))))
    if details.get("handicaps"):
        given = [handicap_text(str(player), amount, view.event, words) for player, amount in details["handicaps"]]
        lines += [
            _PingLine(text=words("event_notice.handicaps", handicaps=words("event.between").join(some)))
            for some in _portions(given, MAX_NAMED)
        ]
    if details.get("added"):
        lines.append(_PingLine(text=_added_text(details, view, words)))
    return lines


def _draw_head(notice: Notice, details: Mapping[str, Any], view: EventView, words: Words) -> str:
    if notice is Notice.STARTED:
        return words("event_notice.started")
    if "starts_at" in details:
        return next_text(details["round"], details["starts_at"], view, words)
    if details["rounds"]:
        return words("event_notice.round_of", round=details["round"], rounds=details["rounds"])
    return words("event_notice.round", round=details["round"])


def _added_text(details: Mapping[str, Any], view: EventView, words: Words) -> str:
    """Return the manager who added chips to the prize pool, and whether they play for them."""
    adder = player_name(details["by"], words)
    said = words("event_notice.added", player=adder, chips=words.number(details["added"]))
    return f"{said}\n{plays_text(details, view, words)}" if details["plays"] else said


def _named_lines(key: str, players: Sequence[str], words: Words, *, calls: Collection[str] = ()) -> list[_PingLine]:
    """Return a sentence about ``players``, split into lines for a large event. Only players in ``calls`` are pinged."""
    return [
        _PingLine(text=words(key, players=names(some, words)), calls=tuple(one for one in some if one in calls))
        for some in _portions(players, MAX_NAMED)
    ]


def _portions(people: Sequence[str], most: int) -> list[list[str]]:
    return [list(people[start : start + most]) for start in range(0, len(people), most)]


def _moves(details: Mapping[str, Any], view: EventView, words: Words) -> list[_PingLine]:
    """Return a line for each player with a new or first seat. Older notices of final tables have none."""
    said = []
    for player, before, after in details.get("moves", ()):
        values = {"player": player_name(player, words), "to": table_text(after, view, words)}
        came = {} if before is None else {"from": str(view.number_of(before))}
        text = words("event_notice.move" if came else "event_notice.seat", **values, **came)
        said.append(_PingLine(text=text, calls=(player,)))
    return said


def _results(details: Mapping[str, Any], view: EventView, words: Words) -> list[_PingLine]:
    """Return the winner and all players with a prize or a title, in at least three lines."""
    ranked = [line for line in view.fair if line.entrant.place]
    if not ranked:
        return [_PingLine(text=words("event_notice.ended_without"))]
    won = [line.entrant.player for line in ranked if line.place == 1]
    if len(won) > 1:
        said = _named_lines("event_notice.ended_shared", won, words)
    else:
        said = [_PingLine(text=words("event_notice.ended", player=player_name(ranked[0].entrant.player, words)))]
    if "cut" in details:  # older notices don't say so
        last, rounds = details["cut"]
        said.append(_PingLine(text=words("event_notice.cut", round=last, rounds=rounds)))
    titles = view.event.structure.titles
    last = max(line.entrant.out_moment for line in ranked)
    for line in ranked[:MAX_RESULTS]:
        one, listed = line.entrant, line.place <= max(MIN_RESULTS, len(titles))
        if listed or one.prize or one.bounties or one.out_moment == last > 0:
            said.append(_PingLine(text=_result(line, view, words)))
    if view.event.series and not details.get("series"):
        name, scoring = escape_name(view.event.series), view.series_rule.scoring
        numbers = series_numbers(scoring, view.event.structure, len(view.lines), words, entries=view.entries)
        said.append(_PingLine(text=f"\n{words('event.series', series=name)}\n{numbers}"))
    said += _named_lines("event_notice.disqualified", view.disqualified[:MAX_NAMED], words)
    # Older notices only record a first win.
    first = [[ranked[0].entrant.player, Badge.EVENT_WON.value]] if details.get("first_win") else []
    for number, (player, badge) in enumerate(details.get("badges", first)):
        # The blank line keeps Markdown from adding the line to the last item of the list.
        earned = words("profile.earned", player=player_name(player, words), badge=badge_name(Badge(badge), words))
        said.append(_PingLine(text=earned if number else f"\n{earned}"))
    return said


def _result(line: StandingsLine, view: EventView, words: Words) -> str:
    """Return a line such as ``2. Alice · +7 points · 300 chips · Runner-up``."""
    titles, name = view.event.structure.titles, player_name(line.entrant.player, words)
    parts = [words("event_notice.result_tied" if line.tied else "event_notice.result", place=line.place, player=name)]
    if line.tied and line.place == SEMIFINAL_PLACE and view.event.format.heads_up:
        parts.append(words("event_notice.lost_semifinal"))
    if view.event.format.family is Family.ROUNDS and not line.entrant.disqualified:
        parts.append(points_text(view, line.entrant, words))
    if line.by_draw:
        parts.append(by_draw_text(view, words))
    if line.entrant.prize:
        parts.append(words("event_notice.prize", count=line.entrant.prize))
    if line.odd_chip:
        parts.append(odd_chip_text(view, words))
    if line.entrant.bounties:
        parts.append(words("event.bounties", count=line.entrant.bounties, chips=words.number(line.entrant.bounties)))
    if line.place <= len(titles) and titles[line.place - 1]:
        parts.append(escape_name(titles[line.place - 1]))
    return words.facts(parts)
