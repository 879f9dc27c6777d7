"""All presses can be typed: placing ahead of the turn, and any button of a command's screen by its label."""

from __future__ import annotations

from typing import Any

import pytest

from bot.model.choices import DeckColours
from bot.model.ids import GuildId
from tests.discord.club import Club, plain_letters, sit_and_go_of_two

READERS = ("alice", "hanako")
TABLE = "ofc table"


async def offered(club: Club, name: str, command: str, typed: str = "", **options: Any) -> list[str]:
    """The buttons that a command offers in its option ``do``."""
    option = "topic" if command == "ofc settings" else "do"
    choices = await club.members[name].autocomplete(club.channel, command, option, typed, **options)
    return [str(choice["value"]) for choice in choices]


@pytest.mark.parametrize("name", READERS)
async def test_a_placement_before_the_turn_is_confirmed_for_it_and_taken_back_by_typing(club: Club, name: str) -> None:
    await club.open_table(name, "bob")
    words = club.words(name)
    assert await club.on_turn() == "bob"
    answer = await club.slash(name, "place", cards="FMMBB")
    assert words("panel.ahead") in answer.text
    assert words("typed.placed_ahead", where="$", cards="$").split("$")[1] in answer.text
    mine = (await club.look(1, name)).mine
    assert mine is not None
    assert mine.seat.ahead
    undone = await club.slash(name, "place", cards="undo")
    assert words("typed.taken_back", where="$").split("$")[1] in undone.text
    assert undone.has("ahead"), "it's a draft again"
    mine = (await club.look(1, name)).mine
    assert mine is not None
    assert not mine.seat.ahead
    await club.slash(name, "place", cards="FMMBB")
    await club.place_cards("bob", "BBBBM")
    hand = (await club.look(1, name)).hand
    assert hand is not None
    assert hand.mine is not None
    assert [len(row) for row in hand.mine.rows] == [1, 2, 2], "the turn places it"


@pytest.mark.parametrize("name", READERS)
async def test_a_seat_is_taken_left_and_managed_by_typing(club: Club, name: str) -> None:
    words = club.words(name)
    await club.open_table("bob", "carol" if "carol" in club.members else "alice" if name != "alice" else "hanako")
    await club.slash(name, TABLE, do=words("button.join"))
    await club.slash(name, TABLE, do=words("button.join"))
    assert (await club.look(1, name)).mine is not None
    await club.slash(name, TABLE, do=words("seats.button.sit_out"))
    mine = (await club.look(1, name)).mine
    assert mine is not None
    assert mine.seat.sits_out
    await club.slash(name, TABLE, do=words("button.stay"))
    mine = (await club.look(1, name)).mine
    assert mine is not None
    assert not mine.seat.sits_out
    assert words("table_acts.name.sit_out") in await offered(club, name, TABLE)
    left = await club.slash(name, TABLE, do=words("button.leave"))
    assert left.text
    assert (await club.look(1, name)).mine is None or (await club.look(1, name)).mine.seat.leaving  # type: ignore[union-attr]
    removes = [label for label in await offered(club, "bob", TABLE, "remove") if "emove" in label]
    assert removes, "a host removes somebody by name"


async def test_a_label_that_isnt_there_changes_nothing_and_names_those_that_are(club: Club) -> None:
    await club.open_table("alice", "bob")
    before = await club.facts()
    answer = await club.slash("bob", "hand", do="Fly away")
    words = club.words("bob")
    assert words("gate.no_such_button", buttons="$").split("$")[0] in answer.text
    assert "**Front 0/3**" in answer.text
    assert await club.facts() == before
    assert await offered(club, "bob", "hand", "fron", table=1) == ["Front 0/3"]


@pytest.mark.parametrize("name", READERS)
async def test_sitting_out_at_an_events_table_is_typed(club: Club, name: str) -> None:
    words = club.words(name)
    await sit_and_go_of_two(club, "Night", "bob", name)
    (table,) = await club.play.tables_of(GuildId(club.guild.id), club.player(name))
    assert table.event_no is not None
    number = table.key.table
    seats = await club.slash(name, "ofc table", do=f"seats {number}")
    assert words("event_table.button.sit_out") in seats.labels()
    assert not seats.has("sit"), "the event assigns the seats"
    await club.slash(name, TABLE, do=words("event_table.button.sit_out"))
    mine = (await club.look(number, name)).mine
    assert mine is not None
    assert mine.seat.away
    away = await club.slash(name, "ofc table", do=f"seats {number}")
    assert words("away.sitting_out") in away.text
    await club.slash(name, TABLE, do=words("button.stay"))
    mine = (await club.look(number, name)).mine
    assert mine is not None
    assert not mine.seat.away


@pytest.mark.parametrize("name", READERS)
async def test_settings_are_typed(club: Club, name: str) -> None:
    words, key = club.words(name), club.key().guild
    labels = await offered(club, name, "ofc settings", words("settings.confirm.turn_on"))
    assert labels == [words("settings.confirm.turn_on")]
    await club.slash(name, "ofc settings", topic=labels[0])
    assert (await club.play.member_settings(key, club.player(name))).confirm_at_once
    two = await offered(club, name, "ofc settings", words("settings.cards.two_colours"))
    await club.slash(name, "ofc settings", topic=two[0])
    digest = await offered(
        club, name, "ofc settings", words("hours.digest.option_at", time=words("hours.clock", hour=9))
    )
    await club.slash(name, "ofc settings", topic=digest[0])
    member_settings = await club.play.member_settings(key, club.player(name))
    assert member_settings.digest_at is not None
    assert member_settings.deck is DeckColours.TWO


@pytest.mark.parametrize("name", READERS)
async def test_looking_for_buttons_changes_nothing(club: Club, name: str) -> None:
    """Each keystroke looks at the screens, and no more than that."""
    await club.open_table(name, "bob")
    before, sent = await club.facts(), len(club.watch.sent)
    member_settings = await club.play.member_settings(club.key().guild, club.player(name))
    for command in (*COMMANDS, TABLE):
        options: dict[str, Any] = {"table": 1} if command == "hand" else {}
        assert await offered(club, name, command, **options), command
    assert await club.facts() == before
    assert len(club.watch.sent) == sent
    assert await club.play.member_settings(club.key().guild, club.player(name)) == member_settings


async def test_a_daily_hand_is_begun_and_shared_by_typing(club: Club) -> None:
    words = club.words("alice")
    panel = await club.slash("alice", "daily", do=words("daily.button.play"))
    assert panel.has("day_row")
    while not panel.has("day_share"):
        view = await club.bot.services.daily.today(club.player("alice"))
        assert view.hand is not None

        panel = await club.slash("alice", "place", cards=plain_letters(view))
    before = len(club.public())
    await club.members["alice"].slash(club.channel, "daily", do=words("daily.button.share"))
    assert len(club.public()) == before + 1


COMMANDS = ("analyse", "daily", "puzzle", "ofc profile", "hand")

BY_PLACE = "typed with /place, or by its label in /hand do"
SEATS = "/ofc table do"
TYPED_ACTS = "what a typed act answers with, which can be typed again"
HAND = "/hand do"
SETTINGS = "/ofc settings topic"
DAILY = "/daily do, or /place"
PUZZLE = "/puzzle do, or its cards"
ANALYSE = "/analyse do, or its position and game"
MISTAKES = "/puzzle mistakes, with do or cards"
RESULT = "/ofc result do"
HELP = "/ofc help about"
READS = "shows more of what a command shows, and changes nothing"
LEARNS = "a lesson or a second try for oneself, which plays nothing"
MENU = "opens one of Discord's own menus or forms, which are typed into"
TYPED: dict[str, str] = {
    **dict.fromkeys(
        (
            *("card", "row", "undo", "clear", "set_f", "set_m", "set_b", "sort", "arrange", "confirm", "ahead"),
            *("take_back", "declare", "surrender", "give_up", "read_all"),
        ),
        BY_PLACE,
    ),
    **dict.fromkeys(
        (
            *("puzzle", "pz_card", "pz_row", "pz_undo", "pz_confirm", "pz_next", "pz_later", "pz_aim", "pz_choices"),
            *("pz_theme", "pz_games", "pz_day"),
        ),
        PUZZLE,
    ),
    **dict.fromkeys(("an_game", "an_enter", "an_entered", "an_deeper", "an_from"), ANALYSE),
    **dict.fromkeys(
        (
            *(
                "mistakes",
                "mi_card",
                "mi_row",
                "mi_undo",
                "mi_confirm",
                "mi_next",
                "mi_later",
                "mi_open",
                "mi_month",
                "mi_theme",
            ),
        ),
        MISTAKES,
    ),
    **dict.fromkeys(("mi_look", "mi_quiet"), HAND),
    **dict.fromkeys(
        ("come_back", "rebuy", "hint", "level", "next_hand", "stop", "next_game", "launch", "panel", "hand"), HAND
    ),
    **dict.fromkeys(
        (
            *("join", "leave", "stay", "start", "start_now", "add_computer", "seat", "sit", "seat_of", "seats"),
            *("make_host", "remove"),
        ),
        SEATS,
    ),
    **dict.fromkeys(("again", "new_open", "new_company", "new_form", "new_formed", "new_game"), "/ofc play"),
    **dict.fromkeys(("new_own", "new_pace", "new_stakes", "new_weekends", "open"), "/ofc play"),
    **dict.fromkeys(
        ("new_change", "new_table", "new_tabled", "new_money", "new_moneyed"), "/ofc help about, then forms"
    ),
    **dict.fromkeys((f"{of}_act{way}" for of in ("ev", "tb") for way in ("", "_ask", "_form", "_yes")), TYPED_ACTS),
    "practise": "/ofc practice",
    "practise_new": "/hand do, which stops the one that isn't over, and then /ofc practice",
    **dict.fromkeys(
        (
            *(
                "calls",
                "news",
                "pages_close",
                "reminders",
                "settings_back",
                "wish_cards",
                "wish_confirm",
                "wish_mistakes",
            ),
            *(
                "wish_language",
                "wish_profile",
                "wish_puzzles",
                "wish_series",
                "wish_shared",
                "wish_size",
                "wish_text",
                "digest_at",
                "hours",
                "hours_zone",
            ),
            *("quiet_from", "quiet_until", "apart_list", "apart_allow", "settings", "by_ear"),
        ),
        SETTINGS,
    ),
    **dict.fromkeys(
        (
            *("hours_written", "apart", "apart_add", "invite", "invited", "vacation_ask", "vacation_taken"),
            *("hist_filtered", "chips_sent"),
        ),
        MENU,
    ),
    **dict.fromkeys(
        ("stream_off", "vacation", "vacation_over", "wish_data", "wish_pings", "wish_playing", "wish_reading"), SETTINGS
    ),
    **dict.fromkeys(("claim", "chips", "wallet", "chips_send"), "/ofc profile do"),
    **dict.fromkeys(("my_games", "out_everywhere", "games"), SEATS),
    **dict.fromkeys(
        ("replay", "review", "verify", "read_result", "hand_details", "rp_first", "rp_back", "rp_next"), RESULT
    ),
    **dict.fromkeys(("rp_last", "rp_show", "rp_file", "retry_hand"), RESULT),
    **dict.fromkeys(("play", "howto", "lesson", "help", "manage"), HELP),
    **{f"ev_{verb}": f"/event do:{name}" for verb, name in (("bracket", "bracket"), ("calendar", "calendar"))},
    **{f"ev_{verb}": f"/event do:{name}" for verb, name in (("checkin", "check-in"), ("register", "register"))},
    **{f"ev_{verb}": f"/event do:{name}" for verb, name in (("results", "results"), ("show", "show"))},
    **{f"ev_{verb}": f"/event do:{name}" for verb, name in (("standings", "standings"), ("withdraw", "withdraw"))},
    **dict.fromkeys(("watch", "ev_watch"), "/ofc table do:tables, which lists what can be watched"),
    "ev_leave": "/event do:withdraw, a second time",
    "ev_return": "/event do:come back",
    "ev_take": "/event do:take the place",
    "ev_again": "/event do:copy",
    "ev_dates": "/ofc settings",
    "ev_pass": "/event do:pass on the place",
    "ev_details": "/event do:show",
    "ev_log": "/event do:log",
    "ev_series": "/event do:series",
    "events": "/event do:list",
    **dict.fromkeys(("ev_act", "ev_act_ask", "ev_act_form", "ev_act_yes"), "/event itself, which shows them"),
    "daily": "/daily",
    "recaps": "/ofc leaderboard by",
    "records": "/ofc leaderboard by",
    "ranks": "/ofc leaderboard",
    "history": "/ofc profile show",
    "profile": "/ofc profile",
    "rulebook": HELP,
    "fairness": "/ofc result do",
    **dict.fromkeys(("own", "own_export", "own_ask"), SETTINGS),
    **dict.fromkeys(("own_delete", "own_keep"), "asked once more by a button"),
    **dict.fromkeys(
        (
            *(
                "ev_bracket_page",
                "ev_season",
                "ev_calendar_of",
                "ev_fairness",
                "ev_masters",
                "hist_open",
                "hist_page",
                "hist_filter",
            ),
            *(
                "lb_by",
                "lb_game",
                "lb_page",
                "lb_span",
                "pf_part",
                "pf_server",
                "rec_game",
                "recap_page",
                "rules",
                "shelf",
            ),
            *("shelf_part",),
        ),
        READS,
    ),
    **dict.fromkeys(("lb_show", "pf_show", "rec_show"), "posts what /ofc leaderboard or /ofc profile has drawn"),
    **dict.fromkeys(
        (
            *(
                "learn",
                "retry",
                "review_how",
                "reviewed",
                "try_arrange",
                "try_card",
                "try_clear",
                "try_confirm",
                "try_row",
            ),
            *("review_how", "try_set_b", "try_set_f", "try_set_m", "try_sort", "try_undo"),
        ),
        LEARNS,
    ),
}
"""The typed equivalent of each press by a player, or the reason why it needs none."""
OF_ORGANISERS = (
    "ev_d_",
    "ev_form_",
    "ev_seed",
    "audit",
    "bank_",
    "club",
    "house",
    "mg_",
    "po_",
    "posts",
    "season_",
    "su_",
)
ORGANISERS = frozenset(
    (
        *(
            "ev_adjust",
            "ev_announce",
            "ev_back_in",
            "ev_begin",
            "ev_cancel",
            "ev_help",
            "ev_keep",
            "ev_move",
            "ev_pause",
        ),
        *("ev_penalty", "ev_postpone", "ev_repeat", "ev_resume", "ev_unhelp", "ev_unregister", "ev_disqualify"),
        *("ev_ask_cancel", "ev_ask_out", "ev_player", "ev_start", "ev_tools", "ev_desk", "ev_rehearse", "ev_change"),
        *("ev_fill", "ev_poll_open", "set_up"),
    )
)
"""Presses of organisers and managers, whose tools have their own commands and forms."""


async def test_every_press_of_a_player_has_a_typed_way(club: Club) -> None:
    verbs = set(club.bot.services.gate._verbs)  # noqa: SLF001  # the list of all that can be pressed
    players = {
        verb
        for verb in verbs
        if verb not in ORGANISERS and not verb.startswith(OF_ORGANISERS) and not verb.startswith("day_")
    }
    assert len(players) > 120
    assert players - TYPED.keys() == set(), "say how it is typed"
    assert TYPED.keys() - verbs == set()
    options = {
        one["name"] if group is None else f"{group['name']} {one['name']}"
        for group in (None, *club.backend.commands[None].values())
        for one in (club.backend.commands[None].values() if group is None else group.get("options") or ())
        if any(option["name"] == "do" for option in one.get("options") or ())
    }
    assert options == {*COMMANDS, "event", "manage", "ofc table", "ofc result"}
