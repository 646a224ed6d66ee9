"""What a search found outlives the process, and a bad file costs time, never an answer."""

import json
import os
from pathlib import Path

import pytest

from metier.packs.telecom.twin import Gain, ParameterChange, Twin, write_atomically
from metier.packs.telecom.twin.tuning import SearchStore, StoredSearch, build_search_key
from metier.packs.telecom.twin.tuning._result_cache import model_digest
from tests.packs.telecom.twin.support import entry, write

FOUND = StoredSearch(
    (
        ParameterChange("460-00-100001", "tilt", 5.0, 9.0, 0.4),
        ParameterChange("460-00-100001", "neighbour", "", "460-00-100002"),
    ),
    (Gain("MR覆盖率", "MR coverage", "%", 1, 80.0, 90.0, "higher"),),
)


def _twin(folder: Path) -> Twin:
    (folder / "scenarios").mkdir(exist_ok=True)
    write(folder / "scenarios", lambda made: entry(made, "cell").update(electrical_tilt_deg=16, power_dbm=20))
    return Twin([folder / "scenarios"], memory=folder / "optimised")


def _searches(twin: Twin) -> bool:
    told: list[float] = []
    twin.optimise("T1", progress=lambda share, _: told.append(share))
    return bool(told)


def test_what_is_kept_comes_back_as_it_was(tmp_path: Path) -> None:
    memory = SearchStore(tmp_path / "kept")
    memory.put("a", FOUND)
    assert memory.get("a") == FOUND
    assert memory.get("b") is None
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["a.json"]


def test_only_the_newest_are_kept(tmp_path: Path) -> None:
    memory = SearchStore(tmp_path, max_files=2)
    for age, key in enumerate("abc"):
        memory.put(key, FOUND)
        os.utime(tmp_path / f"{key}.json", (age + 1, age + 1))
    memory.put("d", FOUND)
    assert sorted(path.stem for path in tmp_path.iterdir()) == ["c", "d"]


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"changes": [], "gains": 1}', '{"changes": [{"cell": "x"}], "gains": []}', "\ud800"],
    ids=["empty", "cut off", "another shape", "wrong type", "a change without a value", "no UTF-8"],
)
def test_a_bad_file_is_no_file(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_bytes(text.encode("utf-8", "surrogatepass"))
    assert SearchStore(tmp_path).get("a") is None


def test_a_folder_that_cannot_be_written_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    SearchStore(tmp_path / "file").put("a", FOUND)
    assert SearchStore(None).get("a") is None
    SearchStore(None).put("a", FOUND)


def test_a_search_is_done_once_and_found_again_by_the_next_process(tmp_path: Path) -> None:
    first = _twin(tmp_path)
    assert _searches(first)
    assert not _searches(first)
    again = _twin(tmp_path)
    assert not _searches(again)
    assert again.optimise("T1").changes == first.optimise("T1").changes != ()
    assert again.optimise("T1").after.digest == first.optimise("T1").after.digest


def test_a_search_of_cells_that_are_not_there_is_done_anew(tmp_path: Path) -> None:
    twin = _twin(tmp_path)
    foreign = {"changes": [{"cell": "nobody", "parameter": "tilt", "before": 1, "after": 2}], "gains": []}
    write_atomically(
        tmp_path / "optimised" / f"{build_search_key(twin.compute_state('T1').digest, 'weak_coverage')}.json",
        json.dumps(foreign).encode(),
    )
    assert _searches(twin)
    assert twin.optimise("T1").changes


def test_another_model_does_not_answer_for_this_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = build_search_key("d", "load")
    assert before.endswith(model_digest()[:12])
    monkeypatch.setattr("metier.packs.telecom.twin.tuning._result_cache.model_digest", lambda: "another model")
    assert build_search_key("d", "load") != before


def test_what_was_changed_since_is_another_network(tmp_path: Path) -> None:
    twin = _twin(tmp_path)
    assert _searches(twin)
    told: list[float] = []
    change = ParameterChange("460-00-100002", "tilt", 5.0, 6.0)
    run = twin.optimise("T1", [change], progress=lambda share, _: told.append(share))
    assert told
    assert run.before.scenario.get_cell("460-00-100002").electrical_tilt_deg == 6.0
