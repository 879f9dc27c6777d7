"""Mentions in free text. A deletion removes them without adding a pseudonym."""

import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

import pytest

from bot.chat.kit.choice_page import ChoiceError
from bot.chat.kit.modals import FormChoice, FormField
from bot.chat.table.screens.new_table import NewTablePage, TableChoices, money_form, table_form, with_money, with_table
from bot.model.bank import Action
from bot.model.clock import DAY
from bot.model.events import Event, Official
from bot.model.ids import Player, TableId, TableKey
from bot.model.mentions import LEFT_OUT, mentioned_in, without_mention
from bot.model.reasons import HandReason
from bot.model.tables import HouseGame, Terms
from bot.play.event.office.registration import PlannedEvent
from bot.play.table.lobby import TableOffer
from bot.pure.event.structure import PRESETS
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import PINEAPPLE
from bot.pure.ofc.refusals import Refused
from bot.store.bank import AUDIT
from bot.store.events import DRAFTS, EVENTS
from bot.store.personal import FREE_TEXT, renamed, unmentioned
from bot.store.seasons import SEASON_TERMS, SEASONS
from bot.text.words import words_for
from tests.play.test_privacy import findings, places_of
from tests.play.world import BOB, CHANNEL, CLEO, DAN, GUILD, PER_TURN, World
from tests.store.test_privacy import CHECKED

ANN = Player("312345678901234567")
FORMS = (
    f"<@{ANN}>",
    f"<@!{ANN}>",
    f"({ANN})",
    f"<\\@{ANN}>",
    f"discord.com/users/{ANN}",
    "３１２３４５６７８９０１２３４５６７",
)
each_form = pytest.mark.parametrize("form", FORMS)


async def written(world: World, form: str) -> Event:
    """Bob mentions Ann in every text of his that is kept for others; returns an event of his."""
    by = Official(player=BOB, manager=True)
    structure = replace(PRESETS["chaipo"], titles=(f"Better than {form}",))
    plan = PlannedEvent(
        guild=GUILD,
        channel=CHANNEL,
        organiser=BOB,
        language="en",
        name=f"Cup of {form}",
        series=form,
        description=f"Beat {form}!",
        variant=PINEAPPLE,
        structure=structure,
        clock=PER_TURN,
        starts_at=world.now + DAY,
    )
    event = await world.events.create(plan, cause=world.cause())
    await world.events.announce(event.key, by, f"Bring cake for {form}", cause=world.cause())
    await world.events.register(event.key, CLEO, cause=world.cause())
    await world.events.disqualify(event.key, by, CLEO, why=f"helped {form}", cause=world.cause())
    change = {"name": (event.name, f"Night of {form}")}
    await world.events.change(event.key, by, change, cause=world.cause())
    await world.events.save_draft(GUILD, BOB, {"name": f"Next for {form}", "titles": [form]})
    await world.bank.freeze(GUILD, BOB, DAN, f"soft play with {form}", cause=world.cause())
    await world.bank.change_chips(GUILD, BOB, CLEO, Action.GIVE, 5, f"found by {form}", cause=world.cause())
    await world.bank.start_season(GUILD, BOB, form, cause=world.cause())
    await world.bank.change_seasons(GUILD, BOB, lambda terms: replace(terms, title=form), cause=world.cause())
    # As if it had ended with a champion.
    world.do(f"UPDATE season SET title = 'Champ {form}'")
    return event


@pytest.mark.on_both
@each_form
async def test_no_column_holds_the_id_and_no_pseudonym_stands_in_free_text(world: World, form: str) -> None:
    await world.play.wallet(GUILD, ANN)
    event = await written(world, form)
    number = ANN if ANN in form else form
    assert places_of(world, number) >= {
        *(free.table for free in FREE_TEXT),
        "event_log",
    }, "the test would see nothing"
    await world.privacy.delete(ANN)
    assert places_of(world, ANN) == set()
    assert places_of(world, ANN if ANN in form else form) == set()
    for free in FREE_TEXT:
        (rows,) = (world.ask(f'SELECT {", ".join(free.columns)} FROM "{free.table}"'),)
        assert rows
        assert "gone-" not in str(rows), "a pseudonym beside what was said about its owner"
        assert LEFT_OUT in str(rows), free.table
    ((details,),) = world.ask("SELECT details FROM event_log WHERE kind = 'changed'")
    ((name,),) = world.ask("SELECT name FROM event")
    assert name == f"Night of {without_mention(form, ANN)}"
    assert json.dumps(name, ensure_ascii=False)[1:-1] in details
    assert "gone-" not in str(world.ask("SELECT details FROM event_log")), "it matches the name of the event"
    assert (await world.events.look(event.key)).event.name == name
    assert await findings(world) == []


@each_form
async def test_who_never_used_the_bot_is_deleted_where_others_mention_them(world: World, form: str) -> None:
    await written(world, form)
    await world.privacy.delete(ANN)
    assert places_of(world, ANN) == set()
    assert places_of(world, ANN if ANN in form else form) == set()
    assert world.ask("SELECT * FROM mentioned WHERE player = ?", ANN) == []


@pytest.mark.on_both
@each_form
async def test_an_export_has_every_text_that_mentions_someone(world: World, form: str) -> None:
    await written(world, form)
    mentions = (await world.privacy.kept_about(ANN)).servers[GUILD]["mentions"]
    parts = {(free.table, column) for free in FREE_TEXT for column in free.columns}
    assert {(row["written_in"], row["part"]) for row in mentions} == parts
    number = ANN if ANN in form else form
    assert all(number in row["text"] for row in mentions), "the words that mention them, and no more"
    assert not any("most" in row["text"] for row in mentions)
    assert "mentions" not in (await world.privacy.kept_about(CLEO)).servers[GUILD]


async def test_an_export_names_nobody_else(world: World) -> None:
    await world.bank.freeze(GUILD, BOB, DAN, f"<@{ANN}> and <@{CLEO}>", cause=world.cause())
    (reason, frozen) = (await world.privacy.kept_about(ANN)).servers[GUILD]["mentions"]
    assert reason["text"] == frozen["text"] == f"<@{ANN}> and {LEFT_OUT}"
    assert not {BOB, CLEO, DAN} & set(re.findall(r"[0-9]+", str((reason, frozen))))


async def test_others_who_are_mentioned_stay(world: World) -> None:
    await world.bank.freeze(GUILD, BOB, DAN, f"<@{ANN}> and <@{CLEO}>, 312345678901234567890", cause=world.cause())
    await world.privacy.delete(ANN)
    assert world.ask('SELECT reason FROM "freeze"') == [(f"{LEFT_OUT} and <@{CLEO}>, 312345678901234567890",)]


async def test_what_cannot_be_rewritten_takes_no_mention(world: World) -> None:
    """Seeds are part of the shuffle, and names of games and templates are stored with tables and hands."""
    table = await world.table(BOB, CLEO)
    game = HouseGame(name=f"For <@{ANN}>", variant=PINEAPPLE)
    with world.refuses(HandReason.NAMES_SOMEONE):
        await world.play.set_entropy(table, BOB, f"<@{ANN}>", cause=world.cause())
    with world.refuses(HandReason.NAMES_SOMEONE):
        await world.play.save_game(GUILD, game, by=BOB)
    with world.refuses(HandReason.NAMES_SOMEONE):
        await world.matchmaking.save_template(table, f"<@{ANN}>", by=BOB, replacing=False)
    await world.play.set_entropy(table, BOB, "7 of hearts", cause=world.cause())
    assert places_of(world, ANN) == set()


async def save_game(world: World, text: str) -> None:
    """Save a custom game under this name."""
    variant = house_variant("pineapple", {"fantasyland.entry": "KK"}, name=text)
    await world.play.save_game(GUILD, HouseGame(name=text, variant=variant), by=BOB)


async def save_template(world: World, text: str) -> None:
    """Save the world's first table as a template with this name."""
    await world.matchmaking.save_template(TableKey(guild=GUILD, table=TableId(1)), text, by=BOB, replacing=False)


async def choose_terms(world: World, text: str, *, form: str, place: int) -> None:
    """Enter a text into a field of the forms of *Open a table*."""
    terms = Terms(variant=PINEAPPLE, point_value=1, buy_in=100, max_seats=3, clock=PER_TURN)
    offer = TableOffer(guild=GUILD, channel=CHANNEL, host=BOB, language="en", terms=terms)
    page = NewTablePage(choices=TableChoices(), offer=offer, default_clock=PER_TURN, games=(), zone="", objection=None)
    shown = (money_form if form == "money" else table_form)(page, words_for("en"))
    assert isinstance(shown.fields[place], FormField)
    values = [
        ",".join(option.value for option in field.options if option.default)
        if isinstance(field, FormChoice)
        else getattr(field, "value", "")
        for field in shown.fields
    ]
    values[place] = text
    entered = replace(shown, values=values)
    choices = (
        with_money(entered, page.choices)
        if form == "money"
        else with_table(entered, page.choices, PINEAPPLE.min_seats, PINEAPPLE.max_seats)
    )
    await world.play.change_member_settings(GUILD, BOB, lambda before: replace(before, new_table=choices.kept))


WRITERS: list[tuple[str, Callable[[World, str], Awaitable[None]], str]] = [
    ("house_game.name", save_game, "Friday"),
    ("house_game.spec", save_game, "Friday"),
    ("table_template.name", save_template, "Friday"),
    ("table_template.folded", save_template, "Friday"),
    ("member.new_table", partial(choose_terms, form="money", place=1), "250"),
    ("member.new_table", partial(choose_terms, form="money", place=2), "50,100 every 4"),
    ("member.new_table", partial(choose_terms, form="table", place=1), "47s"),
    ("member.new_table", partial(choose_terms, form="table", place=2), "2"),
]
"""The ways in which people's words reach a column of ``CHECKED``, each with a text that's stored."""


def test_every_column_without_mentions_has_a_writer() -> None:
    assert {column for column, _, _ in WRITERS} == CHECKED


@pytest.mark.parametrize(("column", "write", "plain"), WRITERS)
async def test_a_column_without_mentions_refuses_each_form_of_one(
    world: World, column: str, write: Callable[[World, str], Awaitable[None]], plain: str
) -> None:
    await world.table(BOB, CLEO)
    table, name = column.split(".")
    for form in FORMS:
        for text in (form, f"{plain} {form}"):
            with pytest.raises((ChoiceError, Refused)):
                await write(world, text)
    assert {place for form in FORMS for place in places_of(world, ANN if ANN in form else form)} == set()
    stored = world.ask(f"SELECT {name} FROM {table}")
    await write(world, plain)
    assert world.ask(f"SELECT {name} FROM {table}") != stored, "the plain text is stored there"


async def test_a_seed_that_mentions_someone_is_left_out_of_the_hands_they_played(world: World) -> None:
    """Hands of older versions have such seeds."""
    table = await world.table(BOB, ANN)
    world.do(f"UPDATE seat SET entropy = 'for <@{ANN}>' WHERE player = '{BOB}'")
    await world.restart()
    await world.play.start(table, BOB, cause=world.cause())
    await world.play_hand(table)
    await world.play.close(table, reason="closed_by_admin")
    assert f"for <@{ANN}>" in str(world.ask("SELECT entropy FROM hand"))
    await world.privacy.delete(ANN)
    assert places_of(world, ANN) == set()
    assert await findings(world) == []


@each_form
def test_every_form_of_a_mention_is_found_and_left_out(form: str) -> None:
    assert mentioned_in(f"soft play with {form}, 3 times") == {ANN}
    assert without_mention(f"soft play with {form}, 3 times", ANN) == f"soft play with {form}, 3 times".replace(
        form, without_mention(form, ANN)
    )
    assert ANN not in without_mention(form, ANN)
    assert LEFT_OUT in without_mention(form, ANN)


def test_longer_numbers_are_nobody() -> None:
    text = f"{ANN}890 and 1{ANN}"
    assert ANN not in mentioned_in(text)
    assert without_mention(text, ANN) == text


def test_free_text_may_look_like_json() -> None:
    assert unmentioned("[Cup] <@42>", "42") == f"[Cup] {LEFT_OUT}"
    assert unmentioned('{"name":"42","most":42}', "42") == f'{{"name":"{LEFT_OUT}","most":42}}'


def test_a_pseudonym_takes_the_place_of_an_id_alone() -> None:
    assert renamed('{"player":"42","text":"42","changes":[["name","42","x <@42>"]]}', "42", "gone-a") == (
        f'{{"player":"gone-a","text":"{LEFT_OUT}","changes":[["name","{LEFT_OUT}","x {LEFT_OUT}"]]}}'
    )


def test_whatever_writes_free_text_notes_whom_it_mentions() -> None:
    noted = {columns.table: columns.words for columns in (AUDIT, EVENTS, DRAFTS, SEASONS, SEASON_TERMS)}
    assert {free.table: free.columns for free in FREE_TEXT} == noted | {"freeze": ("reason",)}
