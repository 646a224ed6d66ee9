"""Gears of the user's own files: teeth by option or sidecar, the speed checked by the mesh line."""

import json
from pathlib import Path

import numpy as np
from typer.testing import CliRunner

from metier.packs.phm import app
from metier.packs.phm.samples import make_gear_record


def test_a_cracked_tooth_of_a_file_is_found_and_what_is_missing_or_wrong_is_told(tmp_path: Path) -> None:
    for name, cracked in (("cracked", True), ("sound", False)):
        record = make_gear_record(cracked=cracked)
        np.savez(tmp_path / f"{name}.npz", acc=record.samples, fs=record.fs or 0.0)
    (tmp_path / "sound.npz.json").write_text(json.dumps({"rpm": 1200, "teeth": 23}), "utf-8")
    cases = {
        ("cracked", "--rpm", "1200", "--teeth", "23"): ("tooth", []),
        ("cracked", "--rpm", "1210", "--teeth", "23"): ("tooth", ["mesh_speed"]),
        ("sound",): ("normal", []),
        ("cracked", "--rpm", "1200"): ("unknown", ["missing_teeth"]),
        ("cracked", "--rpm", "1200", "--teeth", "24"): ("unknown", ["no_mesh_line"]),
    }
    wrong = {}
    for (name, *options), expected in cases.items():
        ran = CliRunner().invoke(app, ["gear", str(tmp_path / f"{name}.npz"), *options, "--json"])
        told = json.loads(ran.stdout)
        found = (told["verdict"], [one["code"] for one in told["findings"]])
        if found != expected or not told["dag"]:
            wrong[name, *options] = found
    assert wrong == {}
