"""The gate and the sandbox are measured on the real thing."""

import pytest

from metier.bench import _tools as suite
from metier.tools.sandbox import SandboxReport, probe


@pytest.mark.skipif(probe().tier == 0, reason=f"no sandbox here: {probe().missing}")
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


def test_without_a_sandbox_the_gate_alone_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "CHECKS", 10)
    monkeypatch.setattr(suite, "probe", lambda: SandboxReport(0, 0, False, ()))
    assert [figure.name for figure in suite.measure_tools()] == ["gate check, 100 tools, 3 layers"]
