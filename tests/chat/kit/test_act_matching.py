"""Finding acts by typed text: names, beginnings and parts, in every language, with or without the target's name."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from bot.chat.kit.acts.act import EVERYTHING, ActField, ActInputs, ActValues, Option, TypedAct, everything
from bot.chat.kit.acts.fields import insists, player_meant, shown, shown_before, the_one_meant, without_insisting
from bot.chat.kit.acts.matching import (
    MAX_INITIAL_SUGGESTIONS,
    PossibleAct,
    best_fit,
    likely,
    matching_acts,
    named_alone,
    possible_acts,
    suggest_acts,
)
from bot.chat.kit.reply import Reply
from bot.chat.kit.typed_choice import NamedChoice
from bot.model.reasons import ActReason, ServerReason
from bot.pure.ofc.refusals import Refused
from bot.text.words import Words, words_for


@dataclass(frozen=True, kw_only=True)
class Night:
    name: str
    number: int = 1
    here: bool = False
    tag: str = ""
    date: str = ""

    def detail(self, words: Words) -> str:
        return self.date

    @property
    def rank(self) -> int:
        return int(not self.here)


async def nothing(reply: Reply, target: Night, values: ActValues) -> str:
    return ""


def never(target: Night) -> bool:
    return False


def act(key: str, *others: str, name: str = "", asks: tuple[ActField[Night], ...] = ()) -> TypedAct[Night]:
    return TypedAct(
        key=key,
        name=f"event_desk.button.{name or key}",
        says="acts.everything.says",
        when=lambda night: True,
        does=nothing,
        others=others,
        asks=asks,
    )


PAUSE, RESUME, OUT, HOLD = act("pause"), act("resume"), act("out", "dq"), act("hold")
ACTS = (PAUSE, RESUME, OUT, HOLD)
WORDS, JAPANESE = words_for("en"), words_for("ja")


def labels(offers: list[PossibleAct[Night]]) -> list[str]:
    return [offer.label for offer in offers]


def test_the_name_of_a_target_follows_only_where_two_can_be_meant() -> None:
    friday, sunday = Night(name="Friday"), Night(name="Sunday", number=2)
    assert labels(possible_acts([PAUSE], [friday], WORDS)) == ["Pause all"]
    assert labels(possible_acts([PAUSE], [friday, sunday], WORDS)) == ["Pause all · Friday", "Pause all · Sunday"]
    here = Night(name="Friday", here=True)
    assert labels(possible_acts([PAUSE], [here, sunday], WORDS)) == ["Pause all", "Pause all · Sunday"]
    both = Night(name="Sunday", number=2, here=True)
    assert labels(possible_acts([PAUSE], [here, both], WORDS)) == ["Pause all · Friday", "Pause all · Sunday"]
    twin = Night(name="Friday", number=2)
    assert labels(possible_acts([PAUSE], [friday, twin], WORDS)) == ["Pause all · Friday · 1", "Pause all · Friday · 2"]
    beside = possible_acts([PAUSE], [here, twin], WORDS)
    assert labels(beside) == ["Pause all · Friday · 1", "Pause all · Friday · 2"], "the channel's own one too"
    assert [offer.target for offer in matching_acts("pause all", beside)] == [here]
    assert [offer.target for offer in matching_acts("pause all friday 2", beside)] == [twin]
    long = [Night(name="F" * 120, number=number) for number in (1, 2)]
    assert len({*labels(possible_acts([PAUSE], long, WORDS))}) == len(long), "the number is never cut off"


@pytest.mark.parametrize("typed", ["pause all", "PAUSE ALL", " pauseall ", "pa", "use a", "全体を一時停止", "pause"])
def test_an_act_is_meant_by_a_part_of_its_name_in_any_language(typed: str) -> None:
    assert JAPANESE(PAUSE.name) != WORDS(PAUSE.name)
    for words in (WORDS, JAPANESE):
        typed = JAPANESE(PAUSE.name) if typed == "全体を一時停止" else typed
        offers = possible_acts([PAUSE, RESUME, OUT], [Night(name="Friday")], words)
        assert [offer.act for offer in matching_acts(typed, offers)] == [PAUSE]


def test_a_whole_name_wins_over_longer_ones_and_a_beginning_over_a_part() -> None:
    call, table = act("call"), act("call_table")
    offers = possible_acts([table, call], [Night(name="Friday")], WORDS)
    assert [offer.act for offer in matching_acts("ping", offers)] == [call]
    assert [offer.act for offer in matching_acts("pin", offers)] == [table, call], "it isn't plain which"
    assert [offer.act for offer in matching_acts("the table", offers)] == [table]
    assert [offer.act for offer in matching_acts("dq", possible_acts(ACTS, [Night(name="Friday")], WORDS))] == [OUT]
    assert matching_acts("bake a cake", offers) == []
    assert matching_acts("", offers) == matching_acts(" ", offers) == matching_acts("🂡", offers) == []


def test_the_channels_event_is_meant_and_another_is_named() -> None:
    here, other = Night(name="Friday", here=True), Night(name="Sunday", number=2)
    offers = possible_acts(ACTS, [here, other], WORDS)
    assert [offer.target for offer in matching_acts("pause all", offers)] == [here]
    assert [offer.target for offer in matching_acts("pause all sunday", offers)] == [other]
    assert [offer.target for offer in matching_acts("Pause all · Sunday", offers)] == [other]
    assert [offer.target for offer in matching_acts("pause all 2", offers)] == [other]
    away = possible_acts(ACTS, [Night(name="Friday"), other], WORDS)
    assert len(matching_acts("pause all", away)) == 2


def test_targets_of_the_same_name_are_told_apart_by_their_dates_or_else_by_their_numbers() -> None:
    words = words_for("en")
    nights = [
        Night(name="Friday", number=1, date="finished 5 November"),
        Night(name="Friday", number=2, date="12 November"),
        Night(name="Friday", number=3, date="12 November"),
        Night(name="Cup", number=4, date="13 November"),
    ]
    offers = possible_acts([PAUSE], nights, words)
    assert [one.label for one in offers] == [
        "Pause all · Friday · finished 5 November",
        "Pause all · Friday · 12 November · 2",
        "Pause all · Friday · 12 November · 3",
        "Pause all · Cup",
    ]
    assert [one.typed for one in offers[:2]] == ["Pause all · Friday · 1", "Pause all · Friday · 2"]
    for one in offers:
        for typed in (one.label, one.short_label, one.typed):
            assert matching_acts(typed, offers) == [one]
    assert matching_acts("pause all friday finished", offers) == [offers[0]]
    later = possible_acts([PAUSE], [replace(nights[0], date="finished 5 November 2026"), *nights[1:]], words)
    assert matching_acts(offers[0].typed, later) == [later[0]], "a suggestion outlives its date"


def test_a_long_name_leaves_room_for_the_date() -> None:
    nights = [Night(name="x" * 100, number=number, date=f"finished {number} November") for number in (1, 2)]
    for one in possible_acts([PAUSE], nights, words_for("en")):
        assert len(one.label) == 100
        assert len(one.short_label) == 80
        assert one.label.endswith(one.target.date)
        assert one.short_label.endswith(one.target.date)


def test_nothing_typed_suggests_the_likely_ones_and_letters_all_that_match() -> None:
    many = [Night(name=f"Night {number}", number=number) for number in range(1, 13)]
    offers = possible_acts(ACTS, many, WORDS)
    assert len(suggest_acts("", offers)) == len(likely(offers)) == MAX_INITIAL_SUGGESTIONS
    assert len(suggest_acts("pause all", offers)) == len(many)
    assert len(suggest_acts("e", offers)) == 25, "no more than Discord takes"
    rare = TypedAct(key="rare", name=HOLD.name, says=HOLD.says, when=HOLD.when, does=nothing, likely=lambda _: False)
    assert [offer.act for offer in likely(possible_acts([rare, PAUSE], [Night(name="Friday")], WORDS))] == [PAUSE, rare]


def test_a_kept_act_is_always_suggested_in_its_place() -> None:
    many = [Night(name=f"Night {number}", number=number, here=True) for number in range(1, 8)]
    rare = TypedAct(
        key="rare", name=HOLD.name, says=HOLD.says, when=lambda n: not n.number, does=nothing, kept=True, likely=never
    )
    server = Night(name="", number=0)
    found = likely(possible_acts([PAUSE, RESUME, rare, everything(lambda n: not n.number)], [*many, server], WORDS))
    assert len(found) == MAX_INITIAL_SUGGESTIONS
    assert [offer.act.key for offer in found[-2:]] == ["rare", EVERYTHING]


@pytest.mark.parametrize("typed", ["status", "STATUS", "stat", "じょうきょう", "ジョウキョウ", "じょう"])
def test_everyday_words_find_an_act_and_its_names_go_first(typed: str) -> None:
    also = TypedAct(
        key="show",
        name="event_acts.name.standings",
        says="acts.everything.says",
        when=lambda night: True,
        does=nothing,
        also="event_acts.also.show",
    )
    offers = possible_acts([HOLD, also], [Night(name="Friday")], WORDS)
    assert [offer.act for offer in suggest_acts(typed, offers)] == [also]
    assert [offer.act for offer in matching_acts("状況", offers)] == [also]
    assert matching_acts("statu", offers) == matching_acts("tatus", offers) == []
    assert labels(offers) == [WORDS(HOLD.name), WORDS(also.name)], "they are never shown"
    start = act("start")
    both = possible_acts([also, start], [Night(name="Friday")], WORDS)
    assert [offer.act for offer in matching_acts("star", both)] == [start]
    assert [offer.act for offer in suggest_acts("start", both)] == [start, also]


@pytest.mark.parametrize("typed", ["取り消し", "取り消したい", "取り消す", "取り消せ"])
def test_a_japanese_word_is_found_in_any_inflection(typed: str) -> None:
    withdraw = replace(PAUSE, key="withdraw", name="event_acts.name.withdraw")
    offers = possible_acts([RESUME, withdraw], [Night(name="Friday")], JAPANESE)
    assert [offer.act for offer in suggest_acts(typed, offers)] == [withdraw]
    assert [offer.act for offer in matching_acts("取り消し", offers)] == [], "it's suggested, and done by its own name"


def test_an_act_that_is_not_possible_is_known_by_its_name() -> None:
    assert named_alone("resume all", ACTS) is RESUME
    assert named_alone("Resume all · Friday", ACTS) is RESUME
    assert named_alone("resu", ACTS) is RESUME
    assert named_alone("e", ACTS) is None
    assert named_alone("", ACTS) is None


PEOPLE = [
    NamedChoice(name="Bob · table 2", value="100000000000000001", others=("Bob",)),
    NamedChoice(name="Bobby", value="100000000000000002"),
    NamedChoice(name="Jimbob", value="100000000000000003"),
]


@pytest.mark.parametrize(
    "typed", ["bob", "BOB", "@Bob", "100000000000000001", "<@100000000000000001>", "Bob · table 2"]
)
def test_a_player_is_a_name_a_mention_or_an_id(typed: str) -> None:
    assert player_meant(typed, PEOPLE, WORDS) == PEOPLE[0].value


def test_a_player_who_can_not_be_meant_is_refused() -> None:
    with pytest.raises(Refused) as several:
        player_meant("bo", PEOPLE, WORDS)
    assert several.value.reason is ServerReason.SEVERAL_FIT
    with pytest.raises(Refused) as nobody:
        player_meant("zed", PEOPLE, WORDS)
    assert nobody.value.reason is ServerReason.NONE_FITS
    stranger = "100000000000000009"
    with pytest.raises(Refused) as other:
        player_meant(f"<@{stranger}>", PEOPLE, WORDS)
    assert other.value.reason is ActReason.NOT_AMONG
    assert player_meant(f"<@{stranger}>", PEOPLE, WORDS, anyone=True) == stranger
    with pytest.raises(Refused) as empty:
        the_one_meant("table 2", [], WORDS)
    assert empty.value.reason is ActReason.NOTHING_TO_CHOOSE
    assert best_fit("mbo", PEOPLE) == [PEOPLE[2]]


@pytest.mark.parametrize("words", [WORDS, JAPANESE])
def test_what_was_typed_is_read_again_from_the_message_that_shows_it(words: Words) -> None:
    given = ActInputs(player="Bob", table="2", value="a: b", reason="too ```slow\nagain")
    read = shown_before(["something else", shown(given, words)])
    assert (read.player, read.table, read.value) == ("Bob", "2", "a: b")
    assert read.reason == "too ```slow again"
    assert shown(ActInputs(), words) == ""
    assert shown_before(["```\nnonsense\n```", ""]) == ActInputs()


def test_two_marks_behind_a_reason_mean_yes() -> None:
    assert insists(ActInputs(reason="slow!!"))
    assert insists(ActInputs(reason="遅い！！"))
    assert not insists(ActInputs(reason="slow!"))
    assert without_insisting(ActInputs(reason="slow !!")).of(Option.REASON) == "slow"
