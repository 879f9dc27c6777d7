"""The public page of an event: what it shows, whom it names, and what it never says."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from html.parser import HTMLParser
from random import Random

import pytest
from typing_extensions import override

from bot.chat.kit.faces import DisplayNames
from bot.model.choices import MemberSettings
from bot.model.event_rulings import STRUCK
from bot.model.events import Notice, Phase, RepeatInterval
from bot.model.reasons import EventReason, OrganiserReason
from bot.play.event.office import leaving
from bot.play.event.office.public_page import PublicEvent, public_event
from bot.play.event.organisers import changing, late_rulings, organiser
from bot.play.session.session import Session
from bot.pure.event.pairings import Pairings
from bot.pure.event.structure import Format, Structure
from bot.pure.ofc.house_rules import house_variant
from bot.text.event_structure import place_name
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from bot.web.events.building import PageContext, build
from bot.web.events.csv_file import COLUMNS, as_csv
from bot.web.events.document import DOCUMENT, EventDocument, as_json, schema
from bot.web.events.html_page import html_page
from bot.web.events.pages import chosen_words
from tests.play.event.event_world import ANY, CHANNEL, GUILD, SMALL_GROUPS, STRANGER, Scene, somebody, structure
from tests.play.event.storage import close_what_is_open

PEOPLE = [somebody(number) for number in range(8)]
NAMES = ["Alice <i>", "=SUM(1)", "花子", "たろう", "Eve & Co", "Frank", "Zoë", "Hugo"]
SWISS = structure(Format.LEAGUE, rounds=3, round_hands=1, table_seats=2, pairings=Pairings.SWISS)
NO_FANTASYLAND = house_variant("classic", {"fantasyland": "off"})
PLANS: dict[str, Structure] = {
    "tournament": structure(Format.TOURNAMENT, fee=500, payouts=(50, 30, 20), titles=("Champion",)),
    "single": structure(Format.SINGLE, levels=(50, 1000), level_hands=1, third_place=True),
    "double": structure(Format.DOUBLE, levels=(50, 1000), level_hands=1),
    "groups": SMALL_GROUPS,
    "shootout": structure(Format.SHOOTOUT),
    "swiss": SWISS,
    "duplicate": structure(Format.DUPLICATE, table_seats=2, round_hands=4),
}
BRACKETS = ("single", "double", "groups")


@pytest.fixture(autouse=True)
def _storages() -> Iterator[None]:
    yield
    close_what_is_open()


def all_names() -> DisplayNames:
    names = DisplayNames()
    for player, name in zip(PEOPLE, NAMES, strict=True):
        names.saw(GUILD, player, name, username=f"user{player}")
    return names


def published(scene: Scene) -> str:
    """Switch the event's page on, and return its address."""
    scene.organise(changing.change, {"page": (False, True)})
    return scene.event.page


def public(scene: Scene) -> PublicEvent:
    found = public_event(scene.session(), scene.key, scene.event.page)
    assert found is not None
    return found


def document(
    scene: Scene,
    language: str = "en",
    *,
    seen: Callable[[int], bool] = lambda channel: True,
    names: DisplayNames | None = None,
) -> EventDocument:
    context = PageContext(words=words_for(language), names=names or all_names(), seen_by_all=seen)
    return build(public(scene), context)


def page(made: EventDocument) -> str:
    return html_page(made, words_for(made.language), name="x" * 24, zone="Asia/Tokyo")


def everything(scene: Scene, *, seen: bool) -> str:
    """All that strangers get, in all languages."""
    found = []
    for code in LANGUAGES:
        made = document(scene, code, seen=lambda channel: seen)
        found += [page(made), as_json(made).decode(), as_csv(made, words_for(code)).decode()]
    return "\n".join(found)


def play(scene: Scene, chance: Random, hands: int) -> None:
    """Play up to ``hands`` hands at each table, with random winners."""
    for _ in range(hands):
        for table in scene.playing():
            seated = [seat.player for seat in scene.spot(table).seats if seat.dealt_in]
            winner = chance.choice([player for player in seated if player.isdigit()])
            scene.hand(table, {(winner, other): chance.choice((3, 12, 40)) for other in seated if other != winner})
        scene.go_on()


class Reader(HTMLParser):
    """A strict reader: every element that isn't empty is closed where it was opened."""

    EMPTY = frozenset(("meta", "link", "br"))

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.links: list[str] = []
        self.times: list[str] = []
        self.headings: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        assert not any(name.startswith("on") or name == "style" for name in known), "the policy refuses these"
        if tag == "a":
            self.links.append(known["href"] or "")
        if tag == "time":
            self.times.append(known["datetime"] or "")
        if tag not in self.EMPTY:
            self.open.append(tag)

    @override
    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    @override
    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("style", "script") and data.strip():
            self.text.append(data.strip())
            if self.open[-1] == "h2":
                self.headings.append(data)


@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_format_is_shown_before_the_start_in_play_and_after_the_end(name: str, language: str) -> None:
    scene, words = Scene(3), words_for(language)
    scene.announce(PLANS[name], variant=NO_FANTASYLAND, name="Night <b>1</b>")
    published(scene)
    empty = Reader(page(document(scene, language)))
    assert words("event_page.nobody") in empty.text
    scene.register(*PEOPLE)
    stages = [document(scene, language)]
    scene.start()
    scene.go_on()
    stages.append(document(scene, language))
    play(scene, Random(4), 1)
    stages.append(document(scene, language))
    play(scene, Random(5), 300)
    assert scene.event.phase is Phase.ENDED
    stages.append(document(scene, language))
    for made in stages:
        told = Reader(page(made))
        assert "Night <b>1</b>" in told.text
        assert {NAMES[PEOPLE.index(player)] for player in PEOPLE} <= set(told.text)
        start = made.started_at or made.starts_at
        assert [at for at in told.times if at in (made.starts_at, made.started_at)] == [start], "it began early"
        assert words("event_page.full" if made.full else f"event_page.state.{made.state}") in told.text
        assert not any(line.adjusted for line in made.standings), "all points belong to a round"
        assert not [text for text in told.text if "**" in text or "-#" in text or "<#" in text], "Discord's markup"
        assert DOCUMENT.validate_json(as_json(made)) == made
        rows = list(csv.DictReader(io.StringIO(as_csv(made, words).decode("utf-8-sig"))))
        assert [row["number"] for row in rows] == [str(line.player.number) for line in made.standings]
        assert set(rows[0]) == set(COLUMNS)
    over = stages[-1]
    assert [line.player.name for line in over.standings if line.place == 1] == [
        NAMES[PEOPLE.index(player)] for player in scene.places()[:1]
    ]
    assert (len(over.bracket) > 0) == (name in BRACKETS)
    assert bool(over.groups) == (name == "groups")
    assert bool(over.pairings) == (name in ("shootout", "swiss", "duplicate"))
    headings = Reader(page(over)).headings
    assert words("event_page.results") in headings
    assert (words("event_page.bracket") in headings) == (name in BRACKETS)
    # Places in the document are those of the event, and no prize is lost.
    by_number = {line.player.number: line for line in over.standings}
    for number, player in enumerate(PEOPLE, start=1):
        assert (by_number[number].place, by_number[number].prize) == (
            scene.entrant(player).place,
            scene.entrant(player).prize,
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_struck_player_is_marked_everywhere(language: str) -> None:
    scene = Scene(3)
    scene.announce(SWISS)
    published(scene)
    scene.register(*PEOPLE)
    scene.start()
    scene.go_on()
    play(scene, Random(1), 20)
    assert scene.event.phase is Phase.ENDED
    words, first, cheat = words_for(language), scene.places()[0], scene.places()[1]
    before = as_csv(document(scene, language), words)
    scene.organise(late_rulings.strike, cheat, why="two accounts")
    made = document(scene, language)
    number = {line.player.number for line in made.standings if line.struck}
    assert number == {PEOPLE.index(cheat) + 1}
    rows = list(csv.DictReader(io.StringIO(as_csv(made, words).decode("utf-8-sig"))))
    assert COLUMNS[-2:] == ("struck", "adjusted"), "new columns come last"
    assert {(row["number"], row["state"], row["place"]) for row in rows if row["struck"] == "1"} == {
        (str(*number), "disqualified", "")
    }
    assert {row["struck"] for row in rows if row["number"] not in map(str, number)} == {"0"}
    assert {row["version"] for row in rows} == {"1"}
    assert words("event_page.state_of.struck") in Reader(page(made)).text
    assert first == scene.places()[0]
    ruling = next(fact.number for fact in scene.log(STRUCK))
    scene.organise(late_rulings.undo, number=ruling)
    assert as_csv(document(scene, language), words) == before


def test_pairings_have_every_round_with_its_points() -> None:
    scene = Scene(4)
    scene.announce(SWISS)
    published(scene)
    scene.register(*PEOPLE[:5])
    scene.start()
    scene.go_on()
    play(scene, Random(1), 40)
    made = document(scene)
    assert [one.number for one in made.pairings] == [1, 2, 3]
    total = dict.fromkeys(range(1, 6), 0)
    for one in made.pairings:
        for pairing in one.pairings:
            assert len(pairing.players) == len(pairing.points) == 2
            for person, points in zip(pairing.players, pairing.points, strict=True):
                assert points is not None
                total[person.number] += points
    assert total == {line.player.number: line.points for line in made.standings}


def test_byes_stay_after_their_round_and_after_the_end_and_are_no_missed_rounds() -> None:
    scene = Scene(4)
    scene.announce(SWISS)
    published(scene)
    scene.register(*PEOPLE[:6])
    scene.start()
    scene.go_on()
    scene.write(lambda s: leaving.leave(s, scene.key, PEOPLE[2], terms=None, cause=scene.cause()))
    play(scene, Random(1), 1)
    (bye,) = [line.player for line in document(scene).standings if line.state == "bye"]
    play(scene, Random(1), 1)
    for hands in (0, 40):
        play(scene, Random(1), hands)
        first, second, third = document(scene).pairings
        assert (first.byes, second.byes, len(third.byes)) == ((), (bye,), 1)
        assert "花子" not in [one.name for one in third.byes], "they've left"
    assert scene.event.phase is Phase.ENDED
    posted = [notice["byes"] for notice in scene.notices(Notice.ROUND)]
    names = dict(zip(PEOPLE, NAMES, strict=True))
    assert [[names[player] for player in byes] for byes in posted] == [[bye.name], [third.byes[0].name]]
    for code in LANGUAGES:
        assert words_for(code)("event_page.byes", players=bye.name or "") in Reader(page(document(scene, code))).text


def test_a_disqualified_player_has_no_byes_afterwards() -> None:
    scene = Scene(4)
    scene.announce(SWISS)
    published(scene)
    scene.register(*PEOPLE[:5])
    scene.start()
    scene.go_on()
    play(scene, Random(1), 1)
    gone = next(player for player in PEOPLE[:5] if player in scene.tables()[scene.playing()[0]])
    scene.organise(organiser.disqualify, gone, why="two accounts")
    play(scene, Random(1), 40)
    assert scene.event.phase is Phase.ENDED
    byes = [[one.name for one in round_.byes] for round_ in document(scene).pairings]
    assert NAMES[PEOPLE.index(gone)] not in [*byes[1], *byes[2]]
    assert len(byes[0]) == 1


def test_who_left_is_marked_with_their_last_round() -> None:
    scene = Scene(4)
    scene.announce(SWISS)
    published(scene)
    scene.register(*PEOPLE)
    scene.start()
    scene.go_on()
    scene.write(lambda s: leaving.leave(s, scene.key, PEOPLE[2], terms=None, cause=scene.cause()))
    made = document(scene)
    (line,) = [line for line in made.standings if line.player.name == "花子"]
    assert (line.state, line.left_after, line.table is None) == ("playing", 1, False), "they still play this round"
    assert made.playing == made.players == len(PEOPLE)
    play(scene, Random(1), 1)
    made = document(scene)
    (line,) = [line for line in made.standings if line.player.name == "花子"]
    assert (line.state, line.left_after) == ("left", 1)
    assert made.playing == made.players - 1
    for code in LANGUAGES:
        words, told = words_for(code), page(document(scene, code))
        assert words("event.state.left", round=1) in told
        assert words("event_page.still_in", playing=made.playing, count=made.players) in told


def test_shared_places_prizes_and_odd_chips_are_told() -> None:
    scene = Scene(1)
    scene.announce(structure(Format.SINGLE, fee=500, payouts=(50, 30, 20), levels=(50, 1000), level_hands=1))
    published(scene)
    scene.register(*PEOPLE[:4])
    scene.start()
    scene.go_on()
    play(scene, Random(1), 20)
    made = document(scene)
    third = [line for line in made.standings if line.place == 3]
    assert [line.tied for line in third] == [True, True]
    assert sum(line.prize for line in made.standings) == 2000
    assert words_for("en")("event.rank_tied", place=3) in page(made)


def test_before_the_start_the_page_says_what_the_event_costs_and_how_it_is_decided() -> None:
    scene = Scene(1)
    scene.announce(replace(SWISS, fee=150, payouts=(55, 30, 15)))
    published(scene)
    for code in LANGUAGES:
        made, words = document(scene, code), words_for(code)
        told = Reader(page(made)).text
        places = [place_name(place, words) for place in (1, 2, 3)]
        assert (made.fee, made.rounds, made.payouts, made.prizes) == (150, 3, (55, 30, 15), ())
        assert words("event_page.rules") in told
        for line in (
            words("structure.how.league_swiss"),
            words("structure.rounds", count=3, hands=words("structure.hands", count=1)),
            words("structure.fee", chips=150),
            words("structure.payouts", places=words.facts(map("{} {}".format, places, ("55%", "30%", "15%")))),
            words(f"structure.ties.{SWISS.ties.value}"),
        ):
            assert line in told, line
    scene.register(PEOPLE[0])
    told = Reader(page(document(scene))).text
    assert "1st: 150" in told, "the prizes so far"
    assert words_for("en")("structure.payouts", places="1st 55% · 2nd 30% · 3rd 15%") in told, "the shares stay"


def test_payouts_that_depend_on_the_entries_and_rounds_of_a_round_robin_are_open_before_the_start() -> None:
    scene = Scene(1)
    scene.announce(replace(SWISS, pairings=Pairings.ALL, fee=150))
    published(scene)
    made = document(scene)
    assert (made.rounds, made.payouts) == (None, ())
    assert words_for("en")("structure.usual_payouts") in made.rules
    scene.register(*PEOPLE[:4])
    scene.start()
    assert document(scene).rounds == 3


def test_no_rule_names_a_role_or_a_channel() -> None:
    scene = Scene(1)
    scene.announce(structure(Format.TOURNAMENT, fee=500, payouts=(50, 30, 20), roles=(7, 8), channels=(91, 92)))
    published(scene)
    told = everything(scene, seen=True)
    assert "<@" not in told
    assert "&lt;" not in told.replace(NAMES[0], "")
    assert "91" not in [part for rule in document(scene).rules for part in rule.split()]


def test_a_full_event_leads_to_its_waiting_list() -> None:
    scene = Scene(1)
    scene.announce(structure(Format.TOURNAMENT, most=2))
    published(scene)
    scene.write(lambda s: s.tx.events.note_drawn(scene.key, version=1, message=77))
    scene.register(PEOPLE[0])
    for full in (False, True):
        if full:
            scene.register(PEOPLE[1])
        made = document(scene)
        assert made.full is full
        assert made.register is not None
        for code in LANGUAGES:
            words, told = words_for(code), Reader(page(document(scene, code))).text
            assert (words("event_page.full") in told) is full
            assert (words("event_page.join_list") in told) is full
            assert (words("event_page.register") in told) is not full
            assert (words("event_page.state.registering") in told) is not full
    scene.start()
    assert not document(scene).full, "the list ends at the start"


# Secrecy


@pytest.mark.parametrize("name", PLANS)
def test_hidden_deleted_and_departed_players_have_a_number_and_no_name_anywhere(name: str) -> None:
    scene = Scene(3)
    scene.announce(PLANS[name], variant=NO_FANTASYLAND, series="Fridays" if name == "swiss" else "")
    published(scene)
    scene.register(*PEOPLE)
    scene.start()
    scene.go_on()
    play(scene, Random(4), 1)
    hidden, departed = PEOPLE[3], PEOPLE[6]
    scene.write(lambda s: s.tx.choices.save_member_settings(GUILD, hidden, MemberSettings(profile_visible=False)))
    scene.write(lambda s: s.tx.members.note_departed(GUILD, [departed], at=scene.now))
    told = everything(scene, seen=True)
    assert "花子" in told
    for player in (hidden, departed):
        assert NAMES[PEOPLE.index(player)] not in told
        assert f"user{player}" not in told
    for code in LANGUAGES:
        assert words_for(code)("event_page.unnamed", number=4) in told
        assert words_for(code)("event_page.unnamed", number=7) in told
    play(scene, Random(5), 300)
    told = everything(scene, seen=True)
    assert NAMES[3] not in told
    assert NAMES[6] not in told


@pytest.mark.parametrize("name", PLANS)
def test_no_id_and_no_secret_of_the_event_is_sent(name: str) -> None:
    scene = Scene(3)
    scene.announce(PLANS[name], variant=NO_FANTASYLAND, series="Fridays", name=f"Night <#{CHANNEL}> <@{PEOPLE[0]}>")
    published(scene)
    scene.register(*PEOPLE)
    scene.start()
    scene.go_on()
    for hands in (1, 300):
        play(scene, Random(4), hands)
        told, event = everything(scene, seen=False), scene.event
        for player in PEOPLE:
            assert player not in told
        for secret in (event.seed, event.commitment, event.sealed_seed, event.board_commitment, event.board_sealed):
            assert not secret or secret.hex() not in told
        assert "discord.com" not in told
        assert f"#{CHANNEL}" not in told
        assert event.tag not in told


def test_the_way_to_register_is_told_only_if_everyone_sees_the_channel() -> None:
    scene = Scene(1)
    scene.announce(PLANS["tournament"])
    published(scene)
    scene.write(lambda s: s.tx.events.note_drawn(scene.key, version=1, message=77))
    address = f"https://discord.com/channels/{GUILD}/{CHANNEL}/77"
    assert document(scene).register == address
    assert address in Reader(page(document(scene))).links
    assert document(scene, seen=lambda channel: False).register is None
    scene.register(*PEOPLE[:3])
    scene.start()
    assert document(scene).register is None, "registration is closed"


def test_a_series_is_summed_up_only_from_channels_that_everyone_sees() -> None:
    scene = Scene(1)
    scene.announce(SWISS, series="Fridays", name="Swiss")
    first = scene.key
    scene.register(*PEOPLE[:4])
    scene.start()
    scene.go_on()
    play(scene, Random(1), 20)
    assert scene.event.phase is Phase.ENDED
    winner = scene.places()[0]
    scene.announce(SWISS, series="Fridays", name="Swiss")
    published(scene)
    scene.register(*PEOPLE[3:6])
    for seen in (True, False):
        made = document(scene, seen=lambda channel, seen=seen: seen)  # type: ignore[misc]
        assert made.series is not None
        assert next(line.player.name for line in made.series.lines) == NAMES[PEOPLE.index(winner)]
        assert "Fridays" in page(made)

    def moved(s: Session) -> None:
        event = s.tx.events.get(first)
        assert event is not None
        s.tx.events.save(replace(event, channel=CHANNEL + 1))

    scene.write(moved)
    told = document(scene).series
    assert told is not None
    assert told.lines
    told = document(scene, seen=lambda channel: False).series
    assert told is not None
    assert told.lines == (), "one of its dates was in a hidden channel"


def test_the_next_date_is_told_if_it_is_public_or_everyone_sees_its_channel() -> None:
    scene = Scene(1)
    scene.announce(SWISS, series="Fridays", name="Swiss 1")
    address, key = published(scene), scene.key
    scene.announce(SWISS, series="Fridays", name="Swiss 2", minutes=600)
    following = scene.key
    scene.key = key
    assert scene.event.page == address
    told = document(scene).series
    assert told is not None
    assert told.following is not None
    assert (told.following.title, told.following.register) == ("Swiss 2", None), "it has no message yet"
    hidden = document(scene, seen=lambda channel: False).series
    assert hidden is not None
    assert (hidden.name, hidden.following) == ("Fridays", None)
    scene.key = following
    published(scene)
    scene.key = key
    told = document(scene, seen=lambda channel: False).series
    assert told is not None
    assert told.following is not None
    assert told.following.title == "Swiss 2"


# Switching it on and off


def test_an_address_is_random_and_never_comes_back() -> None:
    scene = Scene(1)
    scene.announce(SWISS)
    assert scene.event.page == ""
    assert public_event(scene.session(), scene.key, "") is None
    first = published(scene)
    assert len(first) == 24
    assert public_event(scene.session(), scene.key, first) is not None
    assert scene.committed.events.pages() == {first: scene.key}
    scene.organise(changing.remove_page)
    assert public_event(scene.session(), scene.key, first) is None
    assert scene.committed.events.pages() == {}
    second = published(scene)
    assert second != first
    assert public_event(scene.session(), scene.key, first) is None
    assert [fact.kind for fact in scene.committed.events.log(scene.key)][-2:] == ["page_removed", "changed"]
    scene.organise(changing.change, {"page": (True, False)})
    assert scene.event.page == ""


def test_a_page_is_removed_by_organisers_only_and_only_once() -> None:
    scene = Scene(1)
    scene.announce(SWISS)
    published(scene)
    scene.refused(OrganiserReason.NOT_ORGANISER, lambda: scene.organise(changing.remove_page, by=STRANGER))
    scene.refused(
        OrganiserReason.NOT_ORGANISER, lambda: scene.organise(changing.change, {"page": (True, False)}, by=STRANGER)
    )
    scene.organise(changing.remove_page)
    scene.refused(OrganiserReason.NO_EVENT_PAGE, lambda: scene.organise(changing.remove_page))


def test_a_page_stays_after_the_end_until_it_is_removed() -> None:
    scene = Scene(1)
    scene.announce(SWISS)
    address = published(scene)
    scene.register(*PEOPLE[:4])
    scene.start()
    scene.go_on()
    play(scene, Random(1), 20)
    assert scene.event.phase is Phase.ENDED
    assert public_event(scene.session(), scene.key, address) is not None
    scene.refused(EventReason.EVENT_OVER, lambda: scene.organise(changing.change, {"page": (True, False)}))
    scene.organise(changing.remove_page)
    assert public_event(scene.session(), scene.key, address) is None


def test_a_cancelled_event_says_so_without_its_reason() -> None:
    scene = Scene(1)
    scene.announce(SWISS)
    published(scene)
    scene.register(*PEOPLE[:2])
    scene.organise(organiser.cancel, why="Alice is ill")
    made = document(scene)
    assert made.state == "cancelled"
    assert "is ill" not in everything(scene, seen=True)


def test_the_next_event_of_a_repetition_gets_a_page_with_another_address() -> None:
    scene = Scene(1)
    scene.announce(SWISS)
    address = published(scene)
    scene.organise(organiser.repeat, every=RepeatInterval.WEEK, zone="Asia/Tokyo", authority=ANY)
    scene.register(*PEOPLE[:4])
    scene.start()
    scene.go_on()
    play(scene, Random(1), 20)
    pages = scene.committed.events.pages()
    assert pages.pop(address) == scene.key
    (following,) = pages.values()
    assert following.number == scene.key.number + 1


# Files and languages


def test_texts_that_a_spreadsheet_would_run_are_only_texts() -> None:
    scene = Scene(1)
    scene.announce(SWISS)
    published(scene)
    scene.register(*PEOPLE)
    told = as_csv(document(scene), words_for("en")).decode("utf-8-sig")
    assert "'=SUM(1)" in told
    assert not any(row["name"].startswith("=") for row in csv.DictReader(io.StringIO(told)))


@pytest.mark.parametrize(
    ("chosen", "accepted", "language", "expected"),
    [
        ("ja", "en", "en", "ja"),
        ("", "ja,en;q=0.8", "en", "ja"),
        ("", "en-GB;q=0.5, ja-JP;q=0.9", "en", "ja"),
        ("", "fr, de;q=0.9", "ja", "ja"),
        ("", "ja;q=0, en", "ja", "en"),
        ("xx", "", "ja", "ja"),
        ("", "en;q=much", "ja", "ja"),
        ("../en", "," * 5_000, "en", "en"),
    ],
)
def test_readers_get_the_language_that_they_ask_for(chosen: str, accepted: str, language: str, expected: str) -> None:
    assert chosen_words(chosen, accepted, language).language.code == expected


def test_the_document_and_its_schema_agree() -> None:
    scene = Scene(1)
    scene.announce(SWISS)
    published(scene)
    described, made = schema(), json.loads(as_json(document(scene)))
    assert set(described["properties"]) == set(made)
    assert described["properties"]["version"]["const"] == made["version"] == 1
