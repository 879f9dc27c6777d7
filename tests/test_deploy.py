"""What is handed to those who run the bot: compose files, the image's context, the dashboard and the alerts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot.cli.upkeep import ANOTHERS_WORK
from bot.installation import HOME
from bot.meter import Outcome, Thought
from bot.ops.metrics import Metrics
from bot.settings import VARIABLES, load_settings
from bot.thinking.thinkers import BOT_BYTES, MOST, WORKER_BYTES, workers_for

COMPOSED = sorted(HOME.glob("compose*.yaml"))
DASHBOARD = HOME / "deploy/grafana/dashboards/chaipo.json"
ALERTS = HOME / "deploy/alerts.yml"
OF_PROMETHEUS = {"up": {"job", "instance"}}
"""What Prometheus itself says of each process, and its labels."""
ALWAYS = {"job", "instance"}
"""Labels that Prometheus gives to whatever it reads."""


def exposed() -> dict[str, set[str]]:
    """Every series that a bot shows once everything has happened to it, and the names of its labels."""
    metrics = Metrics()
    metrics.answered("press", "confirm", Outcome.DONE, age_seconds=0.1, acknowledged_seconds=0.1, handled_seconds=0.1)
    metrics.held("public_rate")
    metrics.committed(jobs=1, seconds=0.1, trouble=None)
    metrics.redrawn(well=True)
    metrics.clock_fired("turn")
    metrics.thought(Thought.WHOLE, seconds=0.1)
    metrics.stood_still(1.0, why="machine")
    metrics.responded(429, "user")
    metrics.probed(well=True)
    metrics.reconnected(0)
    metrics.connections(wanted=1, latencies={0: 0.1}, connected=1, servers=1)
    metrics.tables({"lobby": 1}, behind=0, thinking=0, workers=0)
    found = {name: set(labels) for name, labels in OF_PROMETHEUS.items()}
    for family in text_string_to_metric_families(metrics.render().decode()):
        for sample in family.samples:
            found.setdefault(sample.name, set(ALWAYS)).update(sample.labels)
    return found


def questions() -> Iterator[tuple[str, str]]:
    """Every question of the dashboard and of the alerts, and the legend of its answers."""
    for panel in json.loads(DASHBOARD.read_text(encoding="utf-8"))["panels"]:
        for target in panel["targets"]:
            yield target["expr"], target["legendFormat"]
    for expression in re.findall(r"^ +expr: (.+)$", ALERTS.read_text(encoding="utf-8"), re.MULTILINE):
        yield expression, ""


@pytest.mark.parametrize(("question", "legend"), [*questions()])
def test_what_the_dashboard_and_the_alerts_ask_for_is_there(question: str, legend: str) -> None:
    series = exposed()
    asked = re.findall(r"\b(?:chaipo|process)_[a-z_]+|\bup\b", question)
    assert asked
    assert set(asked) <= set(series)
    labels = set().union(*(series[name] for name in asked))
    grouped = [name.strip() for group in re.findall(r"\bby \(([^)]*)\)", question) for name in group.split(",")]
    selected = re.findall(r"[{,](\w+)[!=]", question)
    shown = re.findall(r"{{(\w+)}}", legend)
    assert {*grouped, *selected, *shown} <= labels


def test_every_alert_says_what_is_wrong_and_how_urgent_that_is() -> None:
    alerts = ALERTS.read_text(encoding="utf-8").split("- alert: ")[1:]
    assert len(alerts) > 10
    for alert in alerts:
        assert re.search(r"severity: (page|ticket)}", alert), alert
        assert re.search(r'summary: "[A-Z].{20,}"}', alert), alert


@pytest.mark.parametrize("path", COMPOSED, ids=lambda path: path.name)
def test_a_compose_file_mounts_what_is_there_and_names_settings(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    mounted = re.findall(r"^ +- \./([^:\s]+):", text, re.MULTILINE)
    assert [name for name in mounted if not (HOME / name).exists()] == []
    named = set(re.findall(r"\bCHAIPO_[A-Z_]+", text))
    assert named
    assert named <= set(VARIABLES)


def asked_port() -> str:
    """Where the image's health check asks."""
    return "".join(re.findall(r"127\.0\.0\.1:(\d+)/health", (HOME / "Dockerfile").read_text(encoding="utf-8")))


def by_compose(path: Path) -> dict[str, str]:
    """The settings that a compose file gives the bot, whatever its file of settings says."""
    (bot,) = re.findall(r"^  chaipo:\n((?:(?:    .*)?\n|  #.*\n)+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    return dict(re.findall(r"^      (CHAIPO_\w+): (\S+)$", bot, re.MULTILINE))


def by_hand(line: str) -> dict[str, str]:
    """The settings that a line of `docker run` gives the bot, whatever its file of settings says."""
    return dict(re.findall(r" -e (CHAIPO_\w+)=(\S+)", line))


STARTS = [pytest.param(by_compose(path), id=path.name) for path in COMPOSED] + [
    pytest.param(by_hand(line), id=f"{path.name} by hand")
    for path in sorted((HOME / "docs").glob("hosting*.md"))
    for line in re.findall(r"^docker run -d .*--env-file .*$", path.read_text(encoding="utf-8"), re.MULTILINE)
]


@pytest.mark.parametrize("given", STARTS)
def test_no_file_of_settings_undoes_the_health_check_of_the_image(given: dict[str, str]) -> None:
    assert len(STARTS) >= 4
    example = HOME / ".env.example"
    assert load_settings({}, example).health_port == 0
    given = {name: value for name, value in given.items() if "$" not in value}
    # Docker reads the file into the environment, and what stands beside it wins.
    assert load_settings(given, example).health_port == int(asked_port())


@pytest.mark.parametrize("language", ["en", "ja"])
def test_hosts_are_told_the_memory_and_the_cores_that_the_code_reckons_with(language: str) -> None:
    text = (HOME / {"en": "docs/hosting.md", "ja": "docs/hosting.ja.md"}[language]).read_text(encoding="utf-8")
    needs = text.split("\n## ")[1]
    assert [int(number) for number in re.findall(r"(\d+) MB", needs)] == [BOT_BYTES >> 20, WORKER_BYTES >> 20]
    assert re.findall(r"(\d+) by itself|(\d+)コアまで", needs) == [
        (str(MOST + 1), "") if language == "en" else ("", str(MOST + 1))
    ]
    assert re.findall(r"(\d+) GB", needs) == ["1"]
    assert workers_for(cores=2, memory_bytes=2**30) == 1


def test_the_compose_file_runs_three_processes_that_share_their_shards() -> None:
    text = (HOME / "compose.postgres.yaml").read_text(encoding="utf-8")
    (shards,) = re.findall(r"CHAIPO_SHARDS:-(\d+)", text)
    (processes,) = re.findall(r"replicas: (\d+)", text)
    assert int(processes) == 3
    # Whichever two are left have work for both.
    assert int(shards) % 3 == int(shards) % 2 == 0


@pytest.mark.parametrize("requirements", ["requirements.txt", "requirements-postgres.txt"])
def test_the_image_is_given_what_it_copies(requirements: str) -> None:
    text = (HOME / "Dockerfile").read_text(encoding="utf-8").replace("${REQUIREMENTS}", requirements)
    rules = (HOME / ".dockerignore").read_text(encoding="utf-8").splitlines()
    for source in re.findall(r"^COPY (?!--)(\S+)", text, re.MULTILINE):
        assert (HOME / source).exists()
        deciding = [rule for rule in rules if rule and not rule.startswith("#") and fnmatch(source, rule.lstrip("!"))]
        assert deciding[-1].startswith("!"), f"{source} is left out of the image's context"


def test_only_the_bots_and_those_who_watch_meet_and_only_the_bots_reach_the_database() -> None:
    text = (HOME / "compose.postgres.yaml").read_text(encoding="utf-8")
    services = re.findall(r"^  (\w+):\n(?:(?:    .*)?\n|  #.*\n)*?    networks: \[([^]]+)\]", text, re.MULTILINE)
    assert dict(services) == {"postgres": "play", "chaipo": "play, watch", "prometheus": "watch", "grafana": "watch"}


def test_only_the_bots_and_the_database_may_use_all_memory_and_nobody_all_processes() -> None:
    for path in COMPOSED:
        services = re.findall(
            r"^  (\w+):\n((?:(?:    .*)?\n|  #.*\n)+)", path.read_text(encoding="utf-8"), re.MULTILINE
        )
        running = {name: text for name, text in services if "build:" in text or "image:" in text}
        assert running
        assert all("pids_limit: " in text for text in running.values()), path
        assert {name for name, text in running.items() if "mem_limit: " not in text} <= {"chaipo", "postgres"}


def test_whatever_is_installed_with_hashes_builds_no_source() -> None:
    pages = [HOME / "Makefile", HOME / "Dockerfile", *sorted((HOME / "docs").glob("hosting*.md"))]
    lines = [
        line for page in pages for line in page.read_text(encoding="utf-8").splitlines() if "--require-hashes" in line
    ]
    assert len(lines) > 5
    assert [line for line in lines if "--only-binary=:all:" not in line] == []


def test_what_builds_a_release_may_only_read_and_what_publishes_runs_no_code_of_ours() -> None:
    text = (HOME / ".github/workflows/release.yml").read_text(encoding="utf-8")
    assert text.index("permissions:\n  contents: read") < text.index("jobs:")
    jobs = dict(re.findall(r"^  (\w+):\n((?:(?:    .*)?\n)+)", text.split("jobs:\n")[1], re.MULTILINE))
    assert {"test", "postgres", "wheel", "index", "notes", "image"} == set(jobs)
    powerful = {name for name, job in jobs.items() if ": write" in job}
    assert powerful == {"index", "notes", "image"}
    for name in ("index", "notes"):
        assert "checkout" not in jobs[name]
        assert "make " not in jobs[name]
    for name, job in jobs.items():
        assert job.count("actions/checkout@") == job.count("persist-credentials: false"), name
        assert ("environment: release" in job) is (name in powerful)


@pytest.mark.parametrize("unit", ["chaipo.service", "chaipo-backup.service"])
def test_both_units_are_shut_in(unit: str) -> None:
    text = (HOME / "deploy" / unit).read_text(encoding="utf-8")
    for line in (
        "SystemCallFilter=@system-service",
        "NoNewPrivileges=yes",
        "ProtectSystem=strict",
        "RestrictNamespaces=yes",
        "ProtectProc=invisible",
        "PrivateUsers=yes",
    ):
        assert f"\n{line}\n" in text


@pytest.mark.parametrize("workflow", ["ci.yml", "release.yml"])
def test_a_workflow_names_what_it_uses_by_its_digest(workflow: str) -> None:
    text = (HOME / ".github" / "workflows" / workflow).read_text(encoding="utf-8")
    used = re.findall(r"uses: (.*)", text)
    assert used
    assert [name for name in used if not re.fullmatch(r"\S+@[0-9a-f]{40} # v[\d.]+", name)] == []


def test_the_published_image_has_the_driver_of_postgresql() -> None:
    text = (HOME / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    assert "build-args: REQUIREMENTS=requirements-postgres.txt" in text


def test_the_nightly_copy_does_not_fail_where_postgresql_has_programs_for_it() -> None:
    text = (HOME / "deploy" / "chaipo-backup.service").read_text(encoding="utf-8")
    assert f"SuccessExitStatus={ANOTHERS_WORK}\n" in text
