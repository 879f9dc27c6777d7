"""The picture of a profile: all of it fits, and what there is not takes no room."""

from dataclasses import replace
from io import BytesIO

from PIL import Image, ImageChops

from bot.chat.art.felt import NamedRow
from bot.chat.art.profile import HEAD, TILE, WIDTH, DrawnProfile, Plot, Tile, draw_profile, whole_games

LONG = "第12回 金曜夜のオープンフェイス・チャイニーズポーカー選手権大会"
PROFILE = DrawnProfile(
    name="Ann",
    games=["Pineapple OFC: 812"],
    tiles=[Tile(value="+0.8 ± 0.3", label="Rating")] * 9,
    plot=Plot(title="Last 3 hands", points=(5, -12, 20), end="+13", high="+13", low="−7"),
    best_title="Best board: 25 royalties",
    best=[NamedRow(name="back", cards=("As", "Ks", "Qs", "Js", "Ts"), hand="royal flush +25")],
    badges=("Royal flush", "Event winner"),
)


def picture(profile: DrawnProfile) -> Image.Image:
    return Image.open(BytesIO(draw_profile(profile))).convert("RGB")


def test_what_there_is_not_takes_no_room() -> None:
    heights = [
        picture(profile).height
        for profile in (
            PROFILE,
            replace(PROFILE, badges=()),
            replace(PROFILE, badges=(), best=()),
            replace(PROFILE, badges=(), best=(), plot=None),
        )
    ]
    assert heights == sorted(heights, reverse=True)
    assert len({*heights}) == 4


def test_a_long_name_moves_nothing_else() -> None:
    short, long = picture(PROFILE), picture(replace(PROFILE, name=LONG))
    assert short.size == long.size
    below = (0, HEAD, WIDTH, short.height)
    assert ImageChops.difference(short.crop(below), long.crop(below)).getbbox() is None


def test_games_that_do_not_fit_on_the_line_are_left_out_whole() -> None:
    games = [
        "プログレッシブ・パイナップルOFC 812ハンド",
        "ダブルデッキ・パイナップルOFC 40ハンド",
        "クラシックOFC 3ハンド",
    ]
    assert whole_games(games[:1], 100) == games[0], "the first stands there in any case"
    assert whole_games(games, 1120) == games[0]
    assert whole_games(games, 1500) == " · ".join(games[:2])
    assert whole_games(games, 3000) == " · ".join(games)


def test_a_player_who_has_neither_won_nor_lost_has_a_level_line() -> None:
    assert PROFILE.plot is not None
    level = replace(PROFILE, plot=replace(PROFILE.plot, points=(0, 0), end="±0", high="±0", low="±0"))
    assert picture(level).size == picture(PROFILE).size


def test_badges_that_do_not_fit_beside_each_other_begin_a_line() -> None:
    few, many = picture(PROFILE), picture(replace(PROFILE, badges=("Three Fantasylands in a row",) * 6))
    assert few.height < many.height


def test_it_is_small_enough_to_be_sent_whenever_somebody_asks() -> None:
    points = [(-1) ** number * number % 37 - 15 for number in range(200)]
    assert PROFILE.plot is not None
    full = replace(PROFILE, plot=replace(PROFILE.plot, points=points), best=list(PROFILE.best) * 3)
    assert len(draw_profile(full)) < 256 * 1024
    assert picture(full).height > HEAD + 3 * TILE
