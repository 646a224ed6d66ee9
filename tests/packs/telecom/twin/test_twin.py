from pathlib import Path

import pytest

from metier.errors import NotFound
from metier.packs.telecom.twin import Change, Twin
from tests.packs.telecom.twin.support import entry, part, write


@pytest.fixture
def twin(tmp_path: Path) -> Twin:
    write(tmp_path)
    return Twin([tmp_path])


def test_a_dropped_file_stands_beside_the_shipped_ones(twin: Twin) -> None:
    assert [made.id for made in twin.scenarios()][-2:] == ["DT20260105", "T1"]
    assert twin.scenario("T1").title_zh == "测试区弱覆盖"
    assert not twin.broken


def test_the_same_question_is_computed_once(twin: Twin) -> None:
    change = Change("460-00-100001", "tilt", 5.0, 9.0)
    assert twin.state("T1") is twin.state("T1")
    assert twin.state("T1", [change]) is twin.state("T1", [change])
    assert twin.state("T1", [change]) is not twin.state("T1")
    assert twin.state("T1", [change]).radio is twin.state("T1").radio
    assert twin.root_causes("T1") is twin.root_causes("T1")
    assert twin.optimise("T1") is twin.optimise("T1", "weak_coverage")


def test_only_so_many_states_are_kept(tmp_path: Path) -> None:
    write(tmp_path)
    twin = Twin([tmp_path], states=2)
    first = twin.state("T1")
    for tilt in (6.0, 7.0):
        twin.state("T1", [Change("460-00-100001", "tilt", 5.0, tilt)])
    assert twin.state("T1") is not first


def test_an_edited_file_is_read_again(twin: Twin, tmp_path: Path) -> None:
    before = twin.state("T1")
    write(tmp_path, lambda made: entry(made, "cell").update(power_dbm=40.25))
    assert twin.scenario("T1").cells[0].power_dbm == 40.25
    assert twin.state("T1") is not before


def test_a_broken_file_is_named_and_harms_nobody(twin: Twin, tmp_path: Path) -> None:
    write(tmp_path, lambda made: entry(made, "cell").update(power_dbm=-1), name="bad.json")
    write(tmp_path, lambda made: part(made, "scenario").update(id="DT20260101"), name="taken.json")
    (tmp_path / "dangling.toml").symlink_to(tmp_path / "gone.toml")
    assert [made.id for made in twin.scenarios()][-1] == "T1"
    assert {path.name for path in twin.broken} == {"bad.json", "taken.json", "dangling.toml"}
    assert "cell[0].power_dbm" in str(twin.broken[tmp_path / "bad.json"])
    assert twin.scenario("DT20260101").city == "北京市"


def test_an_unknown_scenario_is_answered_with_the_known_ones(twin: Twin) -> None:
    with pytest.raises(NotFound, match="'DT0'") as caught:
        twin.state("DT0")
    assert caught.value.hint.endswith("DT20260105, T1")
