"""`python -m training`: labelled sets in, the files the router reads out."""

import json
from functools import partial
from pathlib import Path

import pytest

from tests.benchmarks.routing.test_data import write_set
from tests.routing.letters import Letters
from training import CatalogRecipe, MapRecipe, __main__, learn

Capture = pytest.CaptureFixture[str]


def test_what_ships_can_be_learned_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    small = partial(learn, recipe=MapRecipe(steps=2, seeds=(0,)), recipes=(CatalogRecipe(2, (3,)),), messages=10)
    monkeypatch.setattr(__main__, "learn", small)
    monkeypatch.setattr(__main__, "plain_encoders", lambda: {"use": Letters().embed, "mini": Letters().embed})
    data, out = write_set(tmp_path / "data"), tmp_path / "learned"
    assert __main__.run(["--data", str(data), "--out", str(out)]) == 0
    said = capsys.readouterr().err
    for name in ("use-multilingual.map.npz", "all-minilm-l6-v2.map.npz", "calibration.json"):
        assert (out / name).is_file()
        assert f"saved {out / name}" in said
    assert json.loads((out / "calibration.json").read_text("utf-8"))["made from"]["sets"] == "clinc150"


def test_a_folder_without_sets_is_told(tmp_path: Path, capsys: Capture) -> None:
    assert __main__.run(["--data", str(tmp_path)]) == 3
    assert "no labelled set" in capsys.readouterr().err
