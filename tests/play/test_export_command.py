"""The command that writes what was played into files."""

import os
import shutil
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.play.event.office.registration import PlannedEvent
from bot.pure.event.structure import PRESETS
from bot.pure.notation.files import read_history
from bot.pure.ofc.presets import CLASSIC
from tests.play.world import ANN, BOB, CHANNEL, CLEO, GUILD, PER_TURN, World


def settings(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHAIPO_DATABASE", str(world.path))
    monkeypatch.setenv("CHAIPO_KEY_FILE", str(world.key_file))


@pytest.mark.of_sqlite
async def test_export_writes_each_hand_that_is_over(
    real_world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    world = real_world
    first, second = await world.table(ANN, BOB), await world.table(ANN, CLEO)
    for key in (first, second):
        await world.start(key)
        await world.play_hand(key)
        await world.next_hand(key)
    settings(world, monkeypatch)
    assert main(["export", str(tmp_path / "all")]) == 0
    assert "Wrote 2 hands" in capsys.readouterr().out
    files = sorted((tmp_path / "all").iterdir())
    assert [file.name for file in files] == [f"{GUILD}-1-1.phh", f"{GUILD}-2-1.phh"]
    for file in files:
        assert os.name == "nt" or file.stat().st_mode & 0o777 == 0o600
        read = read_history(file.read_text(encoding="utf-8"))
        assert not read.wrong
        assert not read.history.whole
        assert sum(read.history.stacks) == 2000
    assert main(["export", "--json", "--player", BOB, "--since", "2020-01-01", str(tmp_path / "bob")]) == 0
    assert [file.name for file in (tmp_path / "bob").iterdir()] == [f"{GUILD}-1-1.json"]
    capsys.readouterr()
    for nothing in (
        ["--server", "1"],
        ["--until", "2020-01-01"],
        ["--player", "77"],
        ["--player", "gone-0123456789ab"],
    ):
        assert main(["export", *nothing, str(tmp_path / "none")]) == 2
        assert "no finished hand matches, and nothing was written" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


@pytest.mark.of_sqlite
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--since", "yesterday"], "is not a date. Use YYYY-MM-DD, such as 2026-11-22"),
        (["--server", "x"], "Use a whole number"),
        (["--player", "nonsense"], "--player 'nonsense' is not a Discord ID"),
        (["--player", "@Bob"], "Use a number, as Copy User ID gives it"),
        (["--event", "1"], "--event needs --server"),
        (["--event", "1", "--server", "1"], "server 1 has no event 1"),
    ],
)
async def test_export_says_what_does_not_fit(
    options: list[str],
    said: str,
    real_world: World,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    settings(real_world, monkeypatch)
    assert main(["export", *options, str(tmp_path / "out")]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.of_sqlite
async def test_export_without_its_key_says_so(
    real_world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings(real_world, monkeypatch)
    shutil.move(real_world.key_file, tmp_path / "elsewhere")
    assert main(["export", str(tmp_path / "out")]) == 2
    assert "Hands cannot be exported without their key" in capsys.readouterr().err


@pytest.mark.of_sqlite
async def test_a_league_is_written_as_csv(
    real_world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    world = real_world
    plan = PlannedEvent(
        guild=GUILD,
        channel=CHANNEL,
        organiser=ANN,
        language="en",
        name="League",
        variant=CLASSIC,
        structure=PRESETS["league"],
        clock=PER_TURN,
        starts_at=world.now + 3_600_000,
    )
    key = (await world.events.create(plan, cause=world.cause())).key
    for player in (ANN, BOB):
        await world.events.register(key, player, cause=world.cause())
    settings(world, monkeypatch)
    assert main(["export", "--server", str(GUILD), "--event", str(key.number), "-"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "place,player,points,chips,hands,entries,prize,disqualified"
    assert lines[1:] == [f"1,{ANN},0,0,0,1,0,0", f"2,{BOB},0,0,0,1,0,0"]
