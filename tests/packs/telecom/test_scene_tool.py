"""Scenarios that come and go while the tools are open."""

from pathlib import Path
from typing import Any

import pytest

from metier.agent import form_for
from metier.tools import gate_for
from tests.packs.telecom.support import SMALL, Toolbox
from tests.packs.telecom.twin.support import part, write

ASKED = {"level": "cell", "indicators": ["RSRP均值"]}


def _drop(storage: Path, id: str) -> Path:
    def own(made: dict[str, object]) -> None:
        part(made, "scenario").update(id=id, title_zh=f"成都市锦江区 {id}", district="锦江区", city="成都市")

    return write(storage / "scenarios", own, name=f"{id}.json")


def _field(box: Toolbox, tool: str = "query_root_cause_analysis") -> Any:
    properties: Any = box.tools[tool].spec.parameters["properties"]
    return properties["digitaltwins_id"]


@pytest.fixture
def storage(tmp_path: Path) -> Path:
    return tmp_path / "storage"


def test_a_file_that_is_dropped_in_is_used_at_once(own_box: Toolbox, storage: Path) -> None:
    assert "MY-1" not in _field(own_box)["enum"]
    assert "must be one of" in own_box.hint("query_root_cause_analysis", digitaltwins_id="MY-1", **ASKED)
    path = _drop(storage, "MY-1")
    assert own_box.data("match_scenario", description="锦江区弱覆盖")["digitaltwins_id"] == "MY-1"
    assert own_box.data("query_root_cause_analysis", digitaltwins_id="MY-1", **ASKED)["digitaltwins_id"] == "MY-1"
    path.unlink()
    assert "MY-1" not in _field(own_box)["enum"]


@pytest.mark.parametrize("tool", ["query_root_cause_analysis", "plan_simulation", "apply_parameters"])
def test_a_form_offers_scenarios_by_their_titles(own_box: Toolbox, storage: Path, tool: str) -> None:
    _drop(storage, "MY-1")
    form = form_for(own_box.tools[tool].spec, {}, language="zh")
    field = next(one for one in form.fields if one["name"] == "digitaltwins_id")
    options: Any = field["options"]
    assert {"value": "MY-1", "label": "成都市锦江区 MY-1"} in options
    assert {one["value"] for one in options} >= {"DT20260101", SMALL}


def test_very_many_scenarios_are_not_listed_and_still_answered(own_box: Toolbox, storage: Path) -> None:
    for number in range(40):
        _drop(storage, f"MY-{number}")
    assert "enum" not in _field(own_box)
    assert "DT20260101" in own_box.hint("query_root_cause_analysis", digitaltwins_id="DT1", **ASKED)
    assert own_box.data("query_root_cause_analysis", digitaltwins_id="my-7", **ASKED)["digitaltwins_id"] == "MY-7"


def test_a_broken_file_is_told_once(own_box: Toolbox, storage: Path, caplog: pytest.LogCaptureFixture) -> None:
    (storage / "scenarios" / "bad.toml").write_text("x = [", "utf-8")
    for _ in range(3):
        assert SMALL in _field(own_box)["enum"]
    assert [record.getMessage() for record in caplog.records].count(caplog.records[0].getMessage()) == 1
    assert "bad.toml" in caplog.text


def test_the_gate_knows_such_a_tool_as_any_other(own_box: Toolbox) -> None:
    from metier.tools import Registry

    gate = gate_for((), tools=Registry(own_box.tools.values()))
    spec = gate.get_spec("apply_parameters")
    assert spec is not None
    assert (spec.name, spec.approval.when) == ("apply_parameters", "always")
