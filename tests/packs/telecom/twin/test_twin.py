from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from metier.errors import NotFound
from metier.packs.telecom.twin import NetworkState, ParameterChange, Scenario, Twin, compute
from tests.packs.telecom.twin.support import entry, part, write


@pytest.fixture
def twin(tmp_path: Path) -> Twin:
    write(tmp_path)
    return Twin([tmp_path])


def test_a_dropped_file_stands_beside_the_shipped_ones(twin: Twin) -> None:
    assert [*twin.load_scenarios()][-2:] == ["DT20260105", "T1"]
    assert twin.get_scenario("T1").title_zh == "测试区弱覆盖"
    assert not twin.broken


def test_the_same_question_is_computed_once(twin: Twin) -> None:
    change = ParameterChange("460-00-100001", "tilt", 5.0, 9.0)
    assert twin.compute_state("T1") is twin.compute_state("T1")
    assert twin.compute_state("T1", [change]) is twin.compute_state("T1", [change])
    assert twin.compute_state("T1", [change]) is not twin.compute_state("T1")
    assert twin.compute_state("T1", [change]).radio is twin.compute_state("T1").radio
    assert twin.find_root_causes("T1") is twin.find_root_causes("T1")


def test_only_so_many_states_are_kept(tmp_path: Path) -> None:
    write(tmp_path)
    twin = Twin([tmp_path], states=2)
    first = twin.compute_state("T1")
    for tilt in (6.0, 7.0):
        twin.compute_state("T1", [ParameterChange("460-00-100001", "tilt", 5.0, tilt)])
    assert twin.compute_state("T1") is not first


def test_an_edited_file_is_read_again(twin: Twin, tmp_path: Path) -> None:
    before = twin.compute_state("T1")
    write(tmp_path, lambda made: entry(made, "cell").update(power_dbm=40.25))
    assert twin.get_scenario("T1").cells[0].power_dbm == 40.25
    assert twin.compute_state("T1") is not before


def test_a_broken_file_is_named_and_harms_nobody(twin: Twin, tmp_path: Path) -> None:
    write(tmp_path, lambda made: entry(made, "cell").update(power_dbm=-1), name="bad.json")
    write(tmp_path, lambda made: part(made, "scenario").update(id="DT20260101"), name="taken.json")
    (tmp_path / "dangling.toml").symlink_to(tmp_path / "gone.toml")
    assert [*twin.load_scenarios()][-1] == "T1"
    assert {path.name for path in twin.broken} == {"bad.json", "taken.json", "dangling.toml"}
    assert "cell[0].power_dbm" in str(twin.broken[tmp_path / "bad.json"])
    assert twin.get_scenario("DT20260101").city == "北京市"


def test_an_id_that_was_taken_is_free_again_when_the_other_file_goes(twin: Twin, tmp_path: Path) -> None:
    other = write(tmp_path, lambda made: part(made, "scenario").update(title_zh="第二个"), name="t2.json")
    assert list(twin.broken) == [other]
    (tmp_path / "t1.json").unlink()
    assert not twin.broken
    assert twin.get_scenario("T1").title_zh == "第二个"


def test_names_can_be_asked_while_a_state_is_computed(twin: Twin, monkeypatch: pytest.MonkeyPatch) -> None:
    """The names stand in the tools' schemas, which are read where nothing may wait."""
    seen: list[str] = []

    def slow(scenario: Scenario, **_: object) -> NetworkState:
        with ThreadPoolExecutor(1) as other:
            seen.extend(other.submit(twin.load_scenarios).result(timeout=30))
        return compute(scenario)

    monkeypatch.setattr("metier.packs.telecom.twin._twin.compute", slow)
    twin.compute_state("T1")
    assert "T1" in seen


def test_an_unknown_scenario_is_answered_with_the_known_ones(twin: Twin) -> None:
    with pytest.raises(NotFound, match="'DT0'") as caught:
        twin.compute_state("DT0")
    assert caught.value.hint.endswith("DT20260105, T1")
