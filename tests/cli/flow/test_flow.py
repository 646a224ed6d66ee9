"""`metier flow`: operators are listed, a graph is replayed on other data."""

import json
from pathlib import Path

import numpy as np
import pytest

from metier.cli import run
from metier.cli.flow import _flow
from metier.flow import DagTracker
from tests.flow.operators import record, registry


def test_a_graph_is_replayed_on_other_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_flow, "_load_registry", registry)
    dag = DagTracker(registry())
    dag.add_execution("peak", {}, [dag.add_execution("spectrum", {}, [dag.root(record(), "ch1")])])
    (tmp_path / "dags.json").write_text(json.dumps({"dags": [dag.to_json()]}))
    np.save(tmp_path / "new.npy", record(128, 32.0).array)
    words = ["flow", "replay", str(tmp_path / "dags.json"), "--data", f"ch1={tmp_path / 'new.npy'}"]
    assert run([*words, "--rate", "32", "--picture", str(tmp_path / "dag.svg"), "--json"]) == 0
    nodes = json.loads(capsys.readouterr().out)["nodes"]
    assert nodes[-1]["key_values"] == {"value": 8.0}
    assert (tmp_path / "dag.svg").stat().st_size > 1000
    assert run(words) == 0
    out = capsys.readouterr()
    assert "[2/2] n3 peak done" in out.err
    assert "3 nodes, 0 failed" in out.out
    assert "{" not in out.out
    assert "= 16 Hz" in out.out
    assert "RMS 0.7071 g, min -1 g" in " ".join(out.out.split())
    monkeypatch.setenv("METIER_LANGUAGE", "zh")
    assert run(words) == 0
    assert "有效值 0.7071 g，最小 -1 g" in capsys.readouterr().out
    np.savetxt(tmp_path / "new.csv", record(128, 32.0).array, header="acc", comments="")
    assert run([*words[:3], "--data", f"ch1={tmp_path / 'new.csv'}", "--rate", "32", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["nodes"][-1]["key_values"] == {"value": 8.0}
    assert run([*words[:3], "--data", "ch1"]) == 5
    assert run([*words[:3], "--data", f"ch9={tmp_path / 'new.npy'}"]) == 5
    assert run(["flow", "operators", "--category", "multi", "--json"]) == 0
    assert [one["op_name"] for one in json.loads(capsys.readouterr().out)["operators"]] == ["add"]
