"""Metrics of a running bot: presses, commands, clocks, drawings and commits."""

import sqlite3
from collections.abc import Sequence

from bot.chat.kit.custom_ids import Press
from bot.chat.kit.reply import Reply
from tests.discord.club import Club
from tests.discord.forge import deliver, forge, forged_command, forged_press
from tests.discord.test_calls import called


def count(club: Club, metric: str, **labels: str) -> float:
    """A number now."""
    return club.bot.metrics.registry.get_sample_value(metric, labels) or 0.0


def ended(club: Club, kind: str, name: str, outcome: str) -> float:
    """Return how many presses or commands had this outcome."""
    return count(club, "chaipo_interactions_total", kind=kind, name=name, outcome=outcome)


async def test_presses_and_commands_are_counted_by_how_they_ended(club: Club) -> None:
    async def broken(reply: Reply, press: Press, values: Sequence[str]) -> None:
        raise RuntimeError

    await club.open_table("alice", "bob")
    assert ended(club, "command", "ofc play", "done") == 1
    assert ended(club, "press", "join", "done") == 1
    start = club.table_screen().find("seats")["custom_id"].replace("seats", "start")
    await forge(club, "bob", club.table_screen(), start)
    assert ended(club, "press", "start", "refused") == 1

    panel = await club.place("bob", await club.open_panel("bob"), "BBBBB")
    confirm = panel.find("confirm")["custom_id"]
    club.troubles.append(sqlite3.SQLITE_FULL)
    club.forgiven += ["storage trouble", "incident"]
    await forge(club, "bob", panel, confirm)
    club.troubles.clear()
    await forge(club, "bob", panel, confirm)
    await forge(club, "bob", panel, confirm)
    outcomes = ("storage_trouble", "done", "stale")
    assert [ended(club, "press", "confirm", outcome) for outcome in outcomes] == [1, 1, 1]

    club.bot.services.gate.route("broken", broken)
    await forge(club, "bob", panel, "c1:broken:1:0:0:::")
    assert ended(club, "press", "broken", "failed") == 1
    command = forged_command(club, "bob", "hand", guild=False)
    await deliver(command)
    assert ended(club, "command", "hand", "refused") == 1


async def test_what_the_bot_may_not_host_is_counted_as_refused(club: Club) -> None:
    club.forbid("send_messages")
    for name, options in (("ofc play", {}), ("event", {"do": "create"})):
        await club.slash("alice", name, **options)
        assert (ended(club, "command", name, "refused"), ended(club, "command", name, "done")) == (1, 0)


async def test_a_custom_id_makes_no_series_of_its_own(club: Club) -> None:
    await club.slash("alice", "ofc play")
    for verb in ("forged", "invented", "x"):
        await forge(club, "bob", club.table_screen(), f"c1:{verb}:1:0:0:::")
    assert ended(club, "press", "unknown", "stale") == 3
    assert b"forged" not in club.bot.metrics.render()


async def test_how_long_answers_took_is_counted_once_each(club: Club) -> None:
    await club.slash("alice", "ofc play")
    press = forged_press(club, "bob", club.table_screen(), club.table_screen().find("join")["custom_id"])
    club.disk.ready.clear()
    await deliver(press)
    await club.pass_time(2)
    # It is promised, but not done.
    assert press.acknowledged
    assert count(club, "chaipo_handle_seconds_count", kind="press") == 0
    club.disk.ready.set()
    await club.settle()
    for name in ("chaipo_handle_seconds_count", "chaipo_acknowledge_seconds_count"):
        assert [count(club, name, kind=kind) for kind in ("press", "command")] == [1, 1]
    assert count(club, "chaipo_interaction_age_seconds_count") == 2


async def test_clocks_commits_and_drawings_are_counted(club: Club) -> None:
    await club.open_table("alice", "bob", clock="30s")
    await club.pass_time(31)
    assert count(club, "chaipo_clocks_fired_total", kind="turn") == 1
    assert count(club, "chaipo_clocks_fired_total", kind="remind") == 1
    commits = count(club, "chaipo_commit_seconds_count")
    assert commits > 5
    assert count(club, "chaipo_commit_jobs_sum") >= commits
    assert count(club, "chaipo_writes_waiting") == 0
    wanted, coalesced = (count(club, f"chaipo_redraws_{what}_total") for what in ("wanted", "coalesced"))
    assert wanted - coalesced == count(club, "chaipo_redraws_total", outcome="made")
    assert count(club, "chaipo_redraws_total", outcome="failed") == 0


async def test_looking_whether_somebody_is_to_be_called_is_no_change_of_a_table(club: Club) -> None:
    await club.open_table("alice", "bob")
    before = count(club, "chaipo_redraws_wanted_total")
    await club.pass_time(22)
    assert called(club, "bob") == 1
    assert count(club, "chaipo_redraws_wanted_total") == before


async def test_changes_that_come_together_are_counted_as_coalesced(club: Club) -> None:
    await club.open_table("alice", "bob")
    before = [count(club, f"chaipo_redraws_{what}_total") for what in ("wanted", "coalesced")]
    with club.world.env.time_context():
        for _ in range(3):
            club.bot.services.publisher.changed(club.key())
    await club.settle()
    after = [count(club, f"chaipo_redraws_{what}_total") for what in ("wanted", "coalesced")]
    assert [now - then for now, then in zip(after, before, strict=True)] == [3, 2]


async def test_time_that_was_given_back_is_counted_by_its_cause(club: Club) -> None:
    await club.open_table("alice", "bob")
    await club.restart(down_seconds=100)
    assert 99 <= count(club, "chaipo_clocks_stood_still_seconds_total", cause="stopped") <= 112
    with club.world.env.time_context():
        await club.bot.on_shard_disconnect(0)
        club.backend.advance_clock(40)
        await club.bot.on_shard_ready(0)
        await club.bot.on_shard_ready(0)
    assert count(club, "chaipo_clocks_stood_still_seconds_total", cause="discord") == 40
