"""The summary printed after the benchmarks."""

import pytest

Rates = dict[str, dict[str, float]]
RATES = pytest.StashKey[Rates]()
"""Calls per second by group and name."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the rates of the best rounds, and their ratio to the first in the group."""
    for group, rates in config.stash.get(RATES, {}).items():
        terminalreporter.section(group)
        first = next(iter(rates.values()))
        for name, rate in rates.items():
            terminalreporter.write_line(f"{name:<32} {rate:>12,.1f}  x{rate / first:.2f}")
