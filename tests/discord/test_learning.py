"""The guided hand in Discord: one private message in the reader's language, unseen by others."""

from bot.chat.table.screens.tutorial import LESSONS
from tests.discord.club import CHOSEN, Club, Screen
from tests.in_turn import in_turn


async def begun(club: Club, name: str) -> Screen:
    """Return the first step, opened by a button of a new table."""
    await club.slash("alice", "ofc play")
    details = await club.details(name)
    page = await club.tap(name, details, details.find("howto"))
    return await club.tap(name, page, page.find("learn"))


async def answer(club: Club, name: str, panel: Screen, letters: str) -> Screen:
    """Place the cards of a step, and confirm."""
    for number, letter in enumerate(letters):
        if letter == "D":
            continue
        card = panel.find("learn", f"card_{number}")
        if card["style"] != CHOSEN:
            panel = await club.tap(name, panel, card)
        panel = await club.tap(name, panel, panel.find("learn", f"row_{letter}"))
    return await club.tap(name, panel, panel.find("learn", "check"))


@in_turn("name", "bob", "hanako")
async def test_a_newcomer_is_led_through_a_hand_in_one_private_message(club: Club, name: str) -> None:
    words = club.words(name)
    panel = first = await begun(club, name)
    before = club.said()
    for number, lesson in enumerate(LESSONS, start=1):
        title = words("tutorial.title", step=number, steps=len(LESSONS), lesson=words(f"tutorial.{lesson.key}.name"))
        assert title in panel.text
        panel = await answer(club, name, panel, lesson.answers[0])
    assert words("tutorial.end.text", royalties=11) in panel.text
    assert panel.id == first.id
    assert len(club.private(name)) == 2, "the details of the table, and the lesson"
    assert club.said() == before
    assert await club.play.tables_of(club.key().guild, club.player(name)) == []


@in_turn("name", "bob", "hanako")
async def test_practice_has_the_game_in_a_minute_beside_it_and_keeps_its_hand(club: Club, name: str) -> None:
    panel = await club.slash(name, "ofc practice")
    page = await club.tap(name, panel, panel.find("howto"))
    assert club.words(name)("how_to_play.title") in page.text
    assert page.id != panel.id
    assert panel.has("card")


@in_turn("name", "bob", "hanako")
async def test_a_wrong_placement_is_explained_and_put_right(club: Club, name: str) -> None:
    words = club.words(name)
    panel = await answer(club, name, await begun(club, name), "BMBBF")
    assert words("tutorial.some_astray", cards=2) in panel.text
    assert words("tutorial.rows.why.queen") in panel.text
    assert words("tutorial.rows.why.seven") not in panel.text
    panel = await club.tap(name, panel, panel.find("learn", "show"))
    assert words("tutorial.answer") in panel.text
    panel = await club.tap(name, panel, panel.find("learn", "next"))
    assert words("tutorial.foul.text") in panel.text


async def test_a_step_outlives_a_restart(club: Club) -> None:
    panel = await begun(club, "bob")
    panel = await club.tap("bob", panel, panel.find("learn", "row_B"))
    await club.restart()
    panel = await club.tap("bob", panel, panel.find("learn", "card_1"))
    panel = await club.tap("bob", panel, panel.find("learn", "row_M"))
    words = club.words("bob")
    assert words("button.row", row="Middle", filled=1, size=5) in panel.labels()
    assert words("button.row", row="Back", filled=1, size=5) in panel.labels()
