"""The bot's metrics in their own Prometheus registry. docs/reference.md lists their names and meanings."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Mapping

import discord
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from typing_extensions import override

from bot import __version__
from bot.base.meter import Computation, InteractionOutcome, Meter

CONTENT_TYPE = CONTENT_TYPE_LATEST
ANSWER_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 15.0)
"""Seconds. Discord's limit is three. After one and a half, the gate defers the response."""
COMMIT_BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
THOUGHT_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
JOB_BUCKETS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
LAG_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
ANSWERS_AT_ONCE = 64
"""Number of answers to count in one batch, which takes less than half the time. Reading the metrics counts the rest."""
SCOPES = ("user", "global", "shared")
"""The limit named by a 429."""

# Without this, each series would have a second one for its creation time, which isn't used.
disable_created_metrics()  # type: ignore[no-untyped-call]


class _BeforeAll(Collector):
    """The first collector of a registry. It performs pending work before the others are read."""

    def __init__(self, do: Callable[[], None]) -> None:
        self._do = do

    def describe(self) -> Iterable[Metric]:
        """Return no metrics."""
        return ()

    @override
    def collect(self) -> Iterable[Metric]:
        """Perform the pending work, and return no metrics."""
        self._do()
        return ()


class Metrics(Meter):
    """Counts, and keeps the data for /health and /status: the result of the last write and the clocks' last tick."""

    def __init__(self) -> None:
        self.storage_trouble: str | None = None
        """Reason why the last write failed; None if it succeeded."""
        self.beat_at: int | None = None
        """When the clocks last ticked without an error (ms, by the bot's clock)."""
        self.registry = CollectorRegistry(auto_describe=True)
        self.registry.register(_BeforeAll(self._count_answers))
        ProcessCollector(registry=self.registry)
        self._presses = self._answers()
        self._storage()
        self._drawing_and_clocks()
        self._discord()
        self._uncounted: list[tuple[tuple[str, str, InteractionOutcome], float, float | None, float]] = []
        """Answers not yet counted: kind, name and outcome; age; seconds until acknowledged; seconds until handled."""
        self._answered: dict[tuple[str, str, InteractionOutcome], tuple[Counter, Histogram, Histogram]] = {}
        """Cache of the metrics per kind of answer, because looking them up by label takes longer than counting."""
        self._responses: dict[int, Counter] = {}

    def render(self) -> bytes:
        """Return all metrics in Prometheus's format."""
        return generate_latest(self.registry)

    # declarations

    def _answers(self) -> Counter:
        self._acknowledged = self._histogram(
            "chaipo_acknowledge_seconds",
            "Time from an interaction's arrival to its first answer.",
            ANSWER_BUCKETS,
            "kind",
        )
        self._handled = self._histogram(
            "chaipo_handle_seconds",
            "Time from an interaction's arrival to the end of its handler.",
            ANSWER_BUCKETS,
            "kind",
        )
        self._age = self._histogram(
            "chaipo_interaction_age_seconds",
            "Time from an interaction's ID to its arrival, by both clocks.",
            ANSWER_BUCKETS,
        )
        self._held = self._counter("chaipo_held", "Presses and commands that hit a limit.", "brake")
        return self._counter("chaipo_interactions", "Presses and commands.", "kind", "name", "outcome")

    def _storage(self) -> None:
        self._waiting = self._gauge("chaipo_writes_waiting", "Writes waiting for the writer.")
        self._jobs = self._histogram("chaipo_commit_jobs", "Writes per commit.", JOB_BUCKETS)
        self._commits = self._histogram(
            "chaipo_commit_seconds", "Duration of a commit, including the wait for the disk.", COMMIT_BUCKETS
        )
        self._failed_writes = self._counter("chaipo_commits_failed", "Groups of writes that failed.")
        self._writable = self._gauge("chaipo_storage_ok", "1 if the last write succeeded.")
        self._writable.set(1)
        self._tables = self._gauge("chaipo_tables", "Open tables.", "state")
        self._thinking = self._gauge("chaipo_thinking", "Boards waiting to be computed.")
        self._workers = self._gauge("chaipo_workers", "Running worker processes.")
        self._thoughts = self._histogram(
            "chaipo_thought_seconds", "Duration of a computation, without its wait.", THOUGHT_BUCKETS, "kind"
        )
        self._behind = self._gauge("chaipo_messages_behind", "Messages that are out of date or waiting to be posted.")

    def _drawing_and_clocks(self) -> None:
        self._behind_seconds = self._gauge(
            "chaipo_messages_behind_seconds", "Age of the oldest message that is out of date or waiting."
        )
        self._wanted = self._counter("chaipo_redraws_wanted", "Changes to show in a table's message.")
        self._coalesced = self._counter(
            "chaipo_redraws_coalesced", "Changes shown by a redraw that was already waiting."
        )
        self._redraws = self._counter("chaipo_redraws", "Redraws.", "outcome")
        self._drawn = {well: self._redraws.labels(word) for well, word in ((True, "made"), (False, "failed"))}
        self._fired = self._counter("chaipo_clocks_fired", "Deadlines acted on.", "kind")
        self._still = self._counter("chaipo_clocks_stood_still_seconds", "Time given back to the clocks.", "cause")
        self._beat = self._gauge("chaipo_clock_beat_timestamp_seconds", "Time of the clocks' last successful run.")
        self._lag = self._histogram("chaipo_event_loop_lag_seconds", "Delay of the event loop.", LAG_BUCKETS)

    def _discord(self) -> None:
        self._rest = self._counter("chaipo_rest_responses", "Answers of Discord's HTTP API.", "status")
        self._limited = self._counter(
            "chaipo_rest_rate_limited", "Answers of Discord's HTTP API with status 429.", "scope"
        )
        self._unanswered = self._counter("chaipo_rest_failures", "Requests to Discord's HTTP API without an answer.")
        self._latency = self._gauge(
            "chaipo_gateway_latency_seconds", "Time from a heartbeat to its acknowledgement.", "shard"
        )
        self._shards = self._gauge("chaipo_shards", "Expected connections to Discord.")
        self._connected = self._gauge("chaipo_shards_connected", "Open connections to Discord.")
        self._servers = self._gauge("chaipo_servers", "Servers that the bot is in.")
        self._probes = self._counter("chaipo_shard_probes", "Probes of silent connections.", "outcome")
        self._reconnects = self._counter("chaipo_shard_reconnects", "Silent connections that were reopened.", "shard")
        self._gauge("chaipo_build_info", "Running versions.", "version", "python", "discord_py").labels(
            __version__, platform.python_version(), discord.__version__
        ).set(1)

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(name, text, labels, registry=self.registry)

    def _gauge(self, name: str, text: str, *labels: str) -> Gauge:
        return Gauge(name, text, labels, registry=self.registry)

    def _histogram(self, name: str, text: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
        return Histogram(name, text, labels, registry=self.registry, buckets=buckets)

    # reported by the bot's packages

    @override
    def answered(
        self,
        kind: str,
        name: str,
        outcome: InteractionOutcome,
        *,
        age_seconds: float,
        acknowledged_seconds: float | None,
        handled_seconds: float,
    ) -> None:
        """Count an interaction. ``name`` must come from a small set and never from user input."""
        self._uncounted.append(((kind, name, outcome), age_seconds, acknowledged_seconds, handled_seconds))
        if len(self._uncounted) >= ANSWERS_AT_ONCE:
            self._count_answers()

    def _count_answers(self) -> None:
        answers, self._uncounted = self._uncounted, []
        for key, age_seconds, acknowledged_seconds, handled_seconds in answers:
            if key not in self._answered:
                kind, name, outcome = key
                count = self._presses.labels(kind, name, outcome.value)
                self._answered[key] = count, self._handled.labels(kind), self._acknowledged.labels(kind)
            count, handled, acknowledged = self._answered[key]
            count.inc()
            self._age.observe(age_seconds)
            handled.observe(handled_seconds)
            if acknowledged_seconds is not None:
                acknowledged.observe(acknowledged_seconds)

    @override
    def held(self, brake: str) -> None:
        """Count a rate-limited request. ``brake`` must come from a small set."""
        self._held.labels(brake).inc()

    @override
    def writes_waiting(self, count: int) -> None:
        """Set the length of the write queue."""
        self._waiting.set(count)

    @override
    def committed(self, *, jobs: int, seconds: float, trouble: str | None) -> None:
        """Count a commit."""
        self.storage_trouble = trouble
        self._writable.set(trouble is None)
        self._jobs.observe(jobs)
        if trouble is None:
            self._commits.observe(seconds)
        else:
            self._failed_writes.inc()

    @override
    def redraw_wanted(self, *, coalesced: bool) -> None:
        """Count a requested redraw."""
        self._wanted.inc()
        if coalesced:
            self._coalesced.inc()

    @override
    def redrawn(self, *, well: bool) -> None:
        """Count a redraw."""
        self._drawn[well].inc()

    @override
    def clock_fired(self, kind: str) -> None:
        """Count a deadline."""
        self._fired.labels(kind).inc()

    @override
    def thought(self, kind: Computation, *, seconds: float) -> None:
        """Count a computation."""
        self._thoughts.labels(kind.value).observe(seconds)

    @override
    def stood_still(self, seconds: float, *, why: str) -> None:
        """Add time for which clocks were stopped. Negative times (a clock set back) count as zero."""
        self._still.labels(why).inc(max(0.0, seconds))

    # reported by monitoring

    def beat(self, now_ms: int) -> None:
        """Record a tick of the clocks without an error."""
        self.beat_at = now_ms
        self._beat.set(now_ms / 1000)

    def loop_lag(self, seconds: float) -> None:
        """Set the event loop's lag."""
        self._lag.observe(max(0.0, seconds))

    def responded(self, status: int, scope: str | None) -> None:
        """Count a response from Discord. ``scope`` is the limit named by a 429."""
        if status not in self._responses:
            self._responses[status] = self._rest.labels(str(status))
        self._responses[status].inc()
        if status == 429:
            self._limited.labels(scope if scope in SCOPES else "unknown").inc()

    def unanswered(self) -> None:
        """Count a request without a response from Discord."""
        self._unanswered.inc()

    def probed(self, *, well: bool) -> None:
        """Count a query over a silent connection; ``well`` if it was answered."""
        self._probes.labels("answered" if well else "silent").inc()

    def reconnected(self, shard: int) -> None:
        """Count a reconnect of a connection that received no events."""
        self._reconnects.labels(str(shard)).inc()

    # queried when the metrics are read

    def connections(self, *, wanted: int, latencies: Mapping[int, float], connected: int, servers: int) -> None:
        """Set the state of the connections."""
        self._shards.set(wanted)
        self._connected.set(connected)
        self._servers.set(servers)
        for shard, seconds in latencies.items():
            self._latency.labels(str(shard)).set(seconds)

    def tables(self, states: Mapping[str, int], *, behind: int, thinking: int, workers: int) -> None:
        """Set the number of open tables by state, late messages, boards being computed and worker processes."""
        for state, count in states.items():
            self._tables.labels(state).set(count)
        self._behind.set(behind)
        self._thinking.set(thinking)
        self._workers.set(workers)

    def lag(self, seconds: float) -> None:
        """Set the age of the oldest late or waiting message."""
        self._behind_seconds.set(seconds)
