import json
from pathlib import Path
from types import MappingProxyType

import pytest

from benchmarks.routing import _compare, _contest
from benchmarks.routing.__main__ import run
from benchmarks.routing._ours import ONE_VIEW, OURS
from tests.benchmarks.routing.test_data import write_set

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small set, and nothing that takes long."""
    monkeypatch.setenv("METIER_EMBEDDER", "none")
    monkeypatch.setattr(_contest, "OURS", MappingProxyType({ONE_VIEW: OURS[ONE_VIEW]}))
    monkeypatch.setattr(_compare, "measure_routing", lambda: iter(()))
    monkeypatch.setattr(_compare, "measure_scale", lambda _: iter(()))
    monkeypatch.setattr(_compare, "measure_memory", lambda *_, **__: {})
    return write_set(tmp_path / "data")


def test_the_command_writes_page_chart_and_figures(data: Path, tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "out"
    asked = ["--set", "clinc150", "--draws", "1", "--messages", "4", "--own-skills", str(tmp_path / "none")]
    assert run(["--data", str(data), "--out", str(out), "--json", *asked]) == 0
    assert sorted(path.name for path in out.iterdir()) == ["routing.json", "routing.md", "routing.svg"]
    figures = {figure["name"] for figure in json.loads(capsys.readouterr().out)["figures"]}
    assert "clinc150, name and ten examples: first choice right" in figures
    assert json.loads((out / "routing.json").read_text("utf-8"))["messages"] == 4


def test_an_unknown_set_is_answered_with_the_list(data: Path, capsys: Capture) -> None:
    assert run(["--data", str(data), "--set", "banking", "--json"]) == 3
    assert "massive zh" in json.loads(capsys.readouterr().out)["error"]["hint"]
