"""Files for hosts: compose files, the image's context, the dashboard and the alerts."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from itertools import pairwise
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot.__main__ import parser
from bot.base.installation import HOME
from bot.base.meter import Computation, InteractionOutcome
from bot.base.settings import VARIABLES, load_settings
from bot.ops.metrics import Metrics
from bot.run.cli.upkeep import ANOTHERS_WORK
from bot.workers.worker_pool import BOT_BYTES, MAX_WORKERS, WORKER_BYTES, workers_for

COMPOSED = sorted(HOME.glob("compose*.yaml"))
DASHBOARD = HOME / "deploy/grafana/dashboards/chaipo.json"
ALERTS = HOME / "deploy/alerts.yml"
CAPABILITIES = {"CHOWN", "DAC_OVERRIDE", "FOWNER", "NET_BIND_SERVICE", "SETGID", "SETUID"}
"""Root capabilities that a service may keep."""
OF_PROMETHEUS = {"up": {"job", "instance"}}
"""Prometheus' own metrics of each process, and their labels."""
ALWAYS = {"job", "instance"}
"""Labels that Prometheus gives to whatever it reads."""


def exposed() -> dict[str, set[str]]:
    """Every series that a bot shows once everything has happened to it, and the names of its labels."""
    metrics = Metrics()
    metrics.answered(
        "press", "confirm", InteractionOutcome.DONE, age_seconds=0.1, acknowledged_seconds=0.1, handled_seconds=0.1
    )
    metrics.held("public_rate")
    metrics.committed(jobs=1, seconds=0.1, trouble=None)
    metrics.redrawn(well=True)
    metrics.clock_fired("turn")
    metrics.thought(Computation.WHOLE, seconds=0.1)
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
    """Return the port of the image's health check."""
    return "".join(re.findall(r"127\.0\.0\.1:(\d+)/health", (HOME / "Dockerfile").read_text(encoding="utf-8")))


def by_compose(path: Path) -> dict[str, str]:
    """The settings that a compose file gives the bot, whatever its file of settings says."""
    (bot,) = re.findall(r"^  chaipo:\n((?:(?:    .*)?\n|  #.*\n)+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    return dict(re.findall(r"^      (CHAIPO_\w+): (\S+)$", bot, re.MULTILINE))


def by_hand(line: str) -> dict[str, str]:
    """The settings that a line of `docker run` gives the bot, whatever its file of settings says."""
    return dict(re.findall(r" -e (CHAIPO_\w+)=(\S+)", line))


def for_hosts(language: str) -> list[Path]:
    """The pages for hosts in one language: the index, the tutorial and the guides."""
    docs, end = HOME / "docs", {"en": "", "ja": ".ja"}[language]
    names = [path.name.split(".")[0] for path in sorted((docs / "how-to").glob("*.ja.md"))]
    return [docs / f"{name}{end}.md" for name in ("hosting", "tutorials/first-server", *(f"how-to/{n}" for n in names))]


def text_for_hosts(language: str) -> str:
    """All pages for hosts in one language, one after the other."""
    return "\n".join(path.read_text(encoding="utf-8") for path in for_hosts(language))


in_each_language = pytest.mark.parametrize("language", ["en", "ja"])
STARTS = [pytest.param(by_compose(path), id=path.name) for path in COMPOSED] + [
    pytest.param(by_hand(line), id=f"by hand, {language}")
    for language in ("en", "ja")
    for line in re.findall(r"^docker run -d .*--env-file .*$", text_for_hosts(language), re.MULTILINE)
]


@pytest.mark.parametrize("given", STARTS)
def test_no_file_of_settings_undoes_the_health_check_of_the_image(given: dict[str, str]) -> None:
    assert len(STARTS) >= 4
    example = HOME / ".env.example"
    assert load_settings({}, example).health_port == 0
    given = {name: value for name, value in given.items() if "$" not in value}
    # Docker reads the file into the environment, and variables set next to it take precedence.
    assert load_settings(given, example).health_port == int(asked_port())


DOCKER = re.compile(r"^ *((?:CHAIPO_\w+=\S+ )?docker .+)$|`((?:CHAIPO_\w+=\S+ )?docker [^`]+)`", re.MULTILINE)
"""A line of Docker's to type, in a block or in a sentence."""


def services_of(text: str) -> dict[str, str]:
    """Return the text below each service, network or volume of a compose file."""
    return dict(re.findall(r"^  (\w+):\n((?:(?:    .*)?\n|  #.*\n)+)", text, re.MULTILINE))


@in_each_language
def test_the_lines_for_docker_name_services_places_and_commands_that_are_there(language: str) -> None:
    lines = [" ".join("".join(found).split()) for found in DOCKER.findall(text_for_hosts(language))]
    assert len(lines) > 30
    image = (HOME / "Dockerfile").read_text(encoding="utf-8")
    (volume,) = re.findall(r"^VOLUME (\S+)$", image, re.MULTILINE)
    (home,) = re.findall(r"^WORKDIR (\S+)$", image, re.MULTILINE)
    seen = {"composed": 0, "commands": 0, "places": 0}
    for line in lines:
        composed = re.search(r"docker compose(?: -f (\S+))? (?:exec|logs -f|run --rm(?: -T)?|cp) (\w+)\b", line)
        if composed:
            seen["composed"] += 1
            assert composed[2] in services_of((HOME / (composed[1] or "compose.yaml")).read_text(encoding="utf-8")), (
                line
            )
        for file in re.findall(r"compose -f (\S+)", line):
            assert (HOME / file).exists(), line
        for command in re.findall(r"python -m bot (.+)$", line):
            seen["commands"] += 1
            assert parser().parse_args(command.split()), line
        for place in re.findall(r"-v \S+|/app/[\w./-]+|(?<![\w/])data/[\w./-]+", line):
            seen["places"] += 1
            inside = f"{home}/{place}" if place.startswith("data/") else place.rpartition(":")[2]
            assert inside.startswith(volume), line
        for name, value in re.findall(r"(CHAIPO_\w+)=(\S+)", line):
            assert load_settings({name: value, "CHAIPO_DATABASE": "postgresql://a@b/c"}, HOME / "none"), line
    assert min(seen.values()) > 5, seen


@pytest.mark.parametrize("path", COMPOSED, ids=lambda path: path.name)
def test_what_a_compose_file_names_is_declared_in_it_and_kept_in_a_volume_of_the_image(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    image = (HOME / "Dockerfile").read_text(encoding="utf-8")
    parts = dict(re.findall(r"^(\w+):\n((?:[ #].*\n)+)", text, re.MULTILINE))
    (volume,) = re.findall(r"^VOLUME (\S+)$", image, re.MULTILINE)
    declared = {part: set(re.findall(r"^  (\w+):", parts.get(part, ""), re.MULTILINE)) for part in parts}
    mounted = re.findall(r"^      - (\w+):(/\S+)$", text, re.MULTILINE)
    assert {name for name, _ in mounted} == declared["volumes"]
    assert volume in {to for _, to in mounted}
    used = re.findall(r"^      - (\w+)$|source: (\w+)$", text, re.MULTILINE)
    assert {"".join(each) for each in used} - declared["services"] - {"ALL"} - CAPABILITIES == declared.get(
        "secrets", set()
    )
    given = by_compose(path)
    for name in ("CHAIPO_DATABASE", "CHAIPO_KEY_FILE"):
        assert (Path("/app") / given.get(name, "data/var")).is_relative_to(volume)
    assert int(given["CHAIPO_HEALTH_PORT"]) == int(asked_port())


@in_each_language
def test_hosts_are_told_the_user_the_ports_and_the_secrets_of_the_three_processes(language: str) -> None:
    text = text_for_hosts(language)
    compose = (HOME / "compose.postgres.yaml").read_text(encoding="utf-8")
    assert re.findall(r"chown (\d+) secrets", text) == re.findall(
        r"--uid (\d+)", (HOME / "Dockerfile").read_text(encoding="utf-8")
    )
    assert set(re.findall(r"(?:> |cp \S+ )(secrets/\S+)", text)) == set(re.findall(r"file: \./(secrets/\S+)", compose))
    assert set(re.findall(r"localhost:(3\d+)", text)) <= set(re.findall(r"127\.0\.0\.1:(\d+):", compose))
    assert set(re.findall(r"stop_grace_period: \d+s", text)) <= set(re.findall(r"stop_grace_period: \d+s", compose))
    asked = re.findall(
        r"names: \[(\w+)\]\n.*\n +port: (\d+)", (HOME / "deploy/prometheus.yml").read_text(encoding="utf-8")
    )
    assert asked == [("chaipo", asked_port())]
    assert by_compose(HOME / "compose.postgres.yaml")["CHAIPO_HEALTH_HOST"] == "0.0.0.0"


@pytest.mark.parametrize("language", ["en", "ja"])
def test_hosts_are_told_the_memory_and_the_cores_that_the_code_reckons_with(language: str) -> None:
    text = (HOME / {"en": "docs/hosting.md", "ja": "docs/hosting.ja.md"}[language]).read_text(encoding="utf-8")
    needs = text.split("\n## ")[1]
    assert [int(number) for number in re.findall(r"(\d+) MB", needs)] == [BOT_BYTES >> 20, WORKER_BYTES >> 20]
    assert re.findall(r"(\d+) by itself|(\d+)コアまで", needs) == [
        (str(MAX_WORKERS + 1), "") if language == "en" else ("", str(MAX_WORKERS + 1))
    ]
    assert re.findall(r"(\d+) GB", needs) == ["1"]
    assert workers_for(cores=2, memory_bytes=2**30) == 1


def test_the_compose_file_runs_three_processes_that_share_their_shards() -> None:
    text = (HOME / "compose.postgres.yaml").read_text(encoding="utf-8")
    (shards,) = re.findall(r"CHAIPO_SHARDS:-(\d+)", text)
    (processes,) = re.findall(r"replicas: (\d+)", text)
    assert int(processes) == 3
    # Any two remaining processes get equal shares.
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
    pages = [HOME / "Makefile", HOME / "Dockerfile", *for_hosts("en"), *for_hosts("ja")]
    lines = [
        line for page in pages for line in page.read_text(encoding="utf-8").splitlines() if "--require-hashes" in line
    ]
    assert len(lines) > 5
    assert [line for line in lines if "--only-binary=:all:" not in line] == []


def test_what_builds_a_release_may_only_read_and_what_publishes_runs_no_code_of_ours() -> None:
    text = (HOME / ".github/workflows/release.yml").read_text(encoding="utf-8")
    assert text.index("permissions:\n  contents: read") < text.index("jobs:")
    jobs = dict(re.findall(r"^  (\w+):\n((?:(?:    .*)?\n)+)", text.split("jobs:\n")[1], re.MULTILINE))
    assert {"test", "packages", "started", "attest", "image", "index", "tags", "release"} == set(jobs)
    powerful = {name for name, job in jobs.items() if ": write" in job}
    assert powerful == {"attest", "image", "index", "tags", "release"}
    for name in powerful - {"image"}:
        assert "checkout" not in jobs[name]
        assert "deploy/" not in jobs[name]
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
    own = "./.github/workflows/ci.yml"
    assert [name for name in used if name != own and not re.fullmatch(r"\S+@[0-9a-f]{40} # v[\d.]+", name)] == []


def test_a_plain_value_of_a_workflow_or_form_has_no_colon_that_would_make_it_a_mapping() -> None:
    plain = re.compile(r"^[ -]*[\w-]+: (?![\"'|>\[{]).*?:(?: |$)", re.MULTILINE)
    assert plain.search("      - run: pip install --only-binary=:all: -r requirements.txt")
    assert not plain.search('      - run: "pip install --only-binary=:all: -r requirements.txt"')
    files = sorted((HOME / ".github").rglob("*.yml"))
    assert len(files) > 3
    assert {path.name: found for path in files if (found := plain.findall(path.read_text(encoding="utf-8")))} == {}


def test_nothing_is_published_before_everything_was_built_and_started() -> None:
    text = (HOME / ".github/workflows/release.yml").read_text(encoding="utf-8")
    needs = {
        name: set(re.findall(r"\w+", needed))
        for name, needed in re.findall(r"^  (\w+):\n    needs: \[(.*)\]", text, re.MULTILINE)
    }
    order = ["packages", "started", "image", "index", "tags", "release"]
    for before, after in pairwise(order):
        assert before in needs[after]
    assert "test" in needs["packages"]


def test_a_candidate_never_becomes_the_latest_image() -> None:
    text = (HOME / ".github/workflows/release.yml").read_text(encoding="utf-8")
    (condition,) = re.findall(r'\[\[ "\$GITHUB_REF_NAME" =~ (\S+) \]\] && tags\+=\(--tag "\$IMAGE:latest"\)', text)
    assert text.count(":latest") == 2  # the name of its step, and this line
    assert re.fullmatch(condition, "v1.0.0")
    for tag in ("v1.0.0rc1", "v1.0.0-rc1", "v1.0.0.dev1", "v10"):
        assert not re.fullmatch(condition, tag)


def test_the_published_image_has_the_driver_of_postgresql() -> None:
    for script in ("start-image.sh", "push-image.sh"):
        text = (HOME / "deploy/release" / script).read_text(encoding="utf-8")
        assert "--build-arg REQUIREMENTS=requirements-postgres.txt" in text


def test_the_nightly_copy_does_not_fail_where_postgresql_has_programs_for_it() -> None:
    text = (HOME / "deploy" / "chaipo-backup.service").read_text(encoding="utf-8")
    assert f"SuccessExitStatus={ANOTHERS_WORK}\n" in text


@pytest.mark.parametrize(
    ("page", "heading"),
    [
        ("docs/how-to/move-the-bot.md", "Bring along what you've played"),
        ("docs/how-to/move-the-bot.ja.md", "クローンで遊んだ内容を引き継ぐ"),
    ],
)
def test_an_evening_is_brought_along_in_four_lines_at_most(page: str, heading: str) -> None:
    """Into a service, a container and an installed package, with commands that are there."""
    section = (HOME / page).read_text(encoding="utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    recipes = [block.splitlines() for block in re.findall(r"```\n(.*?)```", section, re.DOTALL)]
    recipes = [lines for lines in recipes if any("move-in" in line for line in lines)]
    assert len(recipes) == 3
    for lines in recipes:
        assert len(lines) <= 4
        (moved,) = (line for line in lines if "move-in" in line)
        commands = re.findall(r"(?:-m bot|chaipo) (move-\w+)", moved)
        assert commands == ["move-out", "move-in"]
        assert all(parser().parse_args([command]) for command in commands)


@pytest.mark.skipif(sys.platform != "linux", reason="the line is for Linux")
@pytest.mark.parametrize("page", ["docs/how-to/move-the-bot.md", "docs/how-to/move-the-bot.ja.md"])
def test_settings_are_brought_along_without_the_places_of_the_clones_files(page: str, tmp_path: Path) -> None:
    """Moving in first and copying `.env` afterwards still leads to a single database."""
    (line,) = (
        line
        for line in (HOME / page).read_text(encoding="utf-8").splitlines()
        if "~/.local/share" in line and "install -D" in line
    )
    example = (HOME / ".env.example").read_text(encoding="utf-8")
    (tmp_path / ".env").write_text(example, encoding="utf-8")
    subprocess.run(["sh", "-c", line], cwd=tmp_path, env={**os.environ, "HOME": str(tmp_path)}, check=True)
    brought = tmp_path / ".local/share/chaipo/.env"
    assert brought.stat().st_mode & 0o777 == 0o600
    places = ("CHAIPO_DATABASE=", "CHAIPO_KEY_FILE=")
    kept = [one for one in example.splitlines() if not one.startswith(places)]
    assert brought.read_text(encoding="utf-8").splitlines() == kept


@pytest.mark.parametrize("status", [0, 1])
def test_an_installation_shows_each_package_and_ends_like_pip(tmp_path: Path, status: int) -> None:
    pip = tmp_path / "python"
    pip.write_text(
        "#!/bin/sh\n"
        """echo "Ignoring colorama: markers 'x' don't match"\n"""
        "echo 'Collecting aiohttp==3.14 (from -r a.txt (line 1))'\n"
        "echo '  Downloading aiohttp-3.14.whl (1 MB)'\n"
        "echo 'Processing /wheels/python_dotenv-1.2-py3-none-any.whl'\n"
        "echo 'Installing collected packages: a, b'\n"
        "echo 'it does not match' >&2\n"
        f"exit {status}\n",
        encoding="utf-8",
    )
    pip.chmod(0o755)
    requirements = tmp_path / "requirements.txt"
    requirements.write_text("aiohttp==3.14\ncolorama==0.4\npython-dotenv==1.2\n", encoding="utf-8")
    done = subprocess.run([HOME / "deploy/install.sh", pip, requirements], capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert done.stdout == "  1 of 2: aiohttp\n  2 of 2: python_dotenv\n  Unpacking 2 packages ...\n"
    assert done.stderr == "it does not match\n"
