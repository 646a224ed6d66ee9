"""The gate and the sandbox are measured on the real thing."""

import pytest

from metier.bench import _tools as suite


def test_the_gate_and_a_sandboxed_script_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "CALLS", 2)
    monkeypatch.setattr(suite, "CHECKS", 10)
    monkeypatch.setattr(suite, "_FLOOD", "def flood():\n    print('x' * 100_000)\n    return {}\n")
    figures = {figure.name: figure for figure in suite.measure_tools()}
    assert set(figures) == {
        "gate check, 100 tools, 3 layers",
        "sandboxed script, first call",
        "sandboxed script, p50",
        "memory after 1 GiB of output",
    }
    assert figures["sandboxed script, p50"].value > 0
    assert figures["sandboxed script, p50"].raw is not None
