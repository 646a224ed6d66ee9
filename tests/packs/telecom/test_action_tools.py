"""Tools that change something: with approval, undoable, on disk; and the form of a simulation of one's own."""

import json
import re
from datetime import date
from pathlib import Path

import pytest

from metier.agent import form_for
from metier.language import Language, language_of
from metier.packs.telecom._action_tools import _ChangeFilter
from metier.packs.telecom._reports import judge_aim
from metier.packs.telecom.twin import ParameterChange, TuningResult, compute
from metier.tools import ToolError
from tests.packs.telecom.support import SMALL, Toolbox
from tests.packs.telecom.twin.support import small

PLAN = {
    "digitaltwins_id": SMALL,
    "problem": "weak_coverage",
    "parameters": ["tilt", "power"],
    "tilt_range": [0, 20],
    "start_date": "2026-03-01",
}


def _coverage(box: Toolbox) -> float:
    found = box.data("query_root_cause_analysis", digitaltwins_id=SMALL, level="cell", indicators=["MR覆盖率"])
    return float(found["statistics"]["MR覆盖率"]["mean"])


@pytest.fixture
def simulated(own_box: Toolbox) -> Toolbox:
    """A toolbox in which the small network was simulated."""
    own_box.data("query_simulation_results", digitaltwins_id=SMALL, level="cell", indicators=["仿真RSRP均值"])
    return own_box


def test_only_what_was_simulated_can_be_applied(own_box: Toolbox) -> None:
    assert own_box.hint("apply_parameters", digitaltwins_id=SMALL, language="en").startswith("not_simulated: Trial")
    assert own_box.data("check_simulation", digitaltwins_id=SMALL)["simulated"] is False
    with pytest.raises(ToolError, match="还没有仿真结果"):
        own_box.preview("apply_parameters", digitaltwins_id=SMALL)
    with pytest.raises(ToolError, match="无需撤销"):
        own_box.preview("undo_parameters", digitaltwins_id=SMALL)


def test_the_preview_shows_every_change_and_the_chosen_ones_are_applied(simulated: Toolbox) -> None:
    shown = simulated.preview("apply_parameters", digitaltwins_id=SMALL)
    known = simulated.data("check_simulation", digitaltwins_id=SMALL)
    assert len(shown.rows) == known["changes"] > 2
    first = shown.rows[0]
    assert {"site", "cell", "parameter", "before", "after", "gain", "unit"} == set(first.values)
    editable = next(row for row in shown.rows if row.edit and row is not first)
    rows = [{"id": first.id}, {"id": editable.id, "after": 12}]
    assert shown.find_problems([{"id": editable.id, "after": 900}])
    applied = simulated.data("apply_parameters", digitaltwins_id=SMALL, rows=rows)
    done = {(row["cell"], row["before"]): row["after"] for row in applied["tables"][0]["rows"]}
    assert (len(done), done[editable.values["cell"], editable.values["before"]]) == (2, 12)
    assert simulated.hint("apply_parameters", digitaltwins_id=SMALL).startswith(
        "not_simulated"
    )  # it is another network
    back = simulated.preview("undo_parameters", digitaltwins_id=SMALL)
    assert [(row.values["before"], row.values["after"]) for row in back.rows][1] == (12, editable.values["before"])
    simulated.data("undo_parameters", digitaltwins_id=SMALL)
    assert simulated.preview("apply_parameters", digitaltwins_id=SMALL) == shown


def test_applying_waits_for_a_person(own_box: Toolbox) -> None:
    outcome = own_box.outcome("apply_parameters", {"digitaltwins_id": SMALL}, approved=False)
    assert outcome.needs_approval
    assert _coverage(own_box) == _coverage(own_box)


def test_what_is_applied_changes_the_network_and_can_be_undone(simulated: Toolbox, own_box: Toolbox) -> None:
    before = _coverage(own_box)
    applied = own_box.data("apply_parameters", digitaltwins_id=SMALL)
    assert _coverage(own_box) > before
    undone = own_box.data("undo_parameters", digitaltwins_id=SMALL)
    assert (undone["undone"], undone["left"]) == (applied["applied"], 0)
    assert _coverage(own_box) == before


def test_another_process_sees_what_was_applied(simulated: Toolbox, own_box: Toolbox, tmp_path: Path) -> None:
    own_box.data("apply_parameters", digitaltwins_id=SMALL)
    assert _coverage(Toolbox(tmp_path / "storage")) == _coverage(own_box)


def test_an_analysis_tells_the_parameters_in_force_their_user_and_the_network_without_them(
    simulated: Toolbox,
) -> None:
    def analyse(user: str, language: str) -> str:
        simulated.user = user
        asked = {"digitaltwins_id": SMALL, "level": "cell", "indicators": ["MR覆盖率"], "language": language}
        return str(simulated.data("query_root_cause_analysis", **asked)["summary"])

    before = analyse("ann", "en")
    assert "in force" not in before
    count = simulated.data("apply_parameters", digitaltwins_id=SMALL)["applied"]
    other, own = analyse("ben", "en"), analyse("ann", "zh")
    head, *_ = other.split("\n\n")
    assert f"In force: {count} parameters" in head
    assert "by the user ann)" in head
    mean = next(line for line in before.splitlines() if line.startswith("**Cell level**"))
    assert mean in head  # what it was without them
    assert mean not in other.removeprefix(head)
    assert own.startswith("**注意：这是已下发参数之后的网络。**")
    assert "下发人：你）" in own.split("\n\n")[0]
    planned = simulated.data("plan_simulation", **PLAN, language="en")["summary"]
    assert f"In force: {count} parameters" in planned
    simulated.data("undo_parameters", digitaltwins_id=SMALL)
    assert analyse("ben", "en") == before


def test_a_record_of_applied_parameters_without_a_user_is_still_read(simulated: Toolbox, tmp_path: Path) -> None:
    count = simulated.data("apply_parameters", digitaltwins_id=SMALL)["applied"]
    kept = tmp_path / "storage" / "applied" / f"{SMALL}.json"
    kept.write_text(json.dumps([one["changes"] for one in json.loads(kept.read_text())]))
    asked = {"digitaltwins_id": SMALL, "level": "cell", "indicators": ["MR覆盖率"], "language": "en"}
    told = simulated.data("query_root_cause_analysis", **asked)
    assert told["in_force"] == count
    assert "(last applied earlier)" in told["summary"]


def test_only_the_named_cells_are_changed(own_box: Toolbox) -> None:
    whole = own_box.data("query_simulation_results", digitaltwins_id=SMALL, level="cell", indicators=["仿真RSRP均值"])
    cell = whole["tables"][1]["rows"][0]["cell"]
    applied = own_box.data("apply_parameters", digitaltwins_id=SMALL, cells=[cell])
    rows = applied["tables"][0]["rows"]
    assert {row["cell"] for row in rows} == {cell}


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        pytest.param("undo_parameters", {"digitaltwins_id": SMALL}, "nothing was applied", id="nothing to undo"),
        pytest.param(
            "apply_parameters", {"digitaltwins_id": SMALL, "cells": ["460-9"]}, "no such cells", id="unknown cells"
        ),
        pytest.param("plan_simulation", {**PLAN, "tilt_range": [0, 90]}, "0 to 20 degrees", id="too steep"),
        pytest.param("plan_simulation", {**PLAN, "max_changes": 0}, "max_changes", id="no changes"),
        pytest.param("plan_simulation", {**PLAN, "parameters": ["height"]}, "neighbour", id="an unknown parameter"),
        pytest.param("plan_simulation", {**PLAN, "start_date": "soon"}, "start_date", id="no date"),
    ],
)
def test_what_cannot_be_done_says_why(own_box: Toolbox, tool: str, arguments: dict[str, object], said: str) -> None:
    assert said in own_box.hint(tool, **arguments)


def test_a_plan_keeps_to_its_bounds_and_changes_nothing(own_box: Toolbox) -> None:
    before = _coverage(own_box)
    found = own_box.data("plan_simulation", **PLAN, max_changes=2)
    rows = found["tables"][0]["rows"]
    assert len(rows) == found["changes"] == 2
    assert {row["parameter"] for row in rows} <= {"电子下倾角(度)", "发射功率(dBm)"}
    assert found["start_date"] == date(2026, 3, 1).isoformat()
    assert _coverage(own_box) == before


def test_a_plan_takes_what_serves_its_aim_before_new_neighbours() -> None:
    """The gain of a neighbour is in points of handover success, which are more than the points of the goal."""
    relations = [ParameterChange("1", "neighbour", "", str(at), gain=20.0 + at) for at in range(5)]
    tilts = [ParameterChange(str(at), "tilt", 2.0, 6.0, gain=0.4) for at in range(3)]
    wish = _ChangeFilter("interference", ("tilt", "neighbour"), (0.0, 20.0), 4, frozenset())
    assert wish.select([*relations, *tilts]) == (relations[4], *tilts)


@pytest.mark.parametrize(("language", "missed"), [("zh", "目标没有达到"), ("en", "The aim is missed")])
def test_a_simulation_that_does_not_mend_its_problem_says_so(language: Language, missed: str) -> None:
    before = compute(small(), [ParameterChange(cell.id, "power", 46.0, 20.0) for cell in small().cells])
    told = judge_aim(TuningResult(before, before, (), ()), "weak_coverage", language)
    assert told.startswith(f"**{missed}**")
    reached = judge_aim(TuningResult(before, compute(small()), (), ()), "weak_coverage", language)
    assert missed not in reached


def test_the_figures_of_a_plan_have_units_and_say_which_mean_they_are(own_box: Toolbox) -> None:
    told = own_box.data("plan_simulation", **PLAN)["summary"]
    assert re.search(r"\| 用户加权SINR \| -?\d+\.\d dB \| -?\d+\.\d dB \| [+-]?\d+\.\d dB \|", told)
    assert "用户加权按忙时用户" in told
    assert "; " not in told


@pytest.mark.parametrize("tool", ["plan_simulation", "apply_parameters", "undo_parameters"])
def test_an_english_summary_has_no_chinese_and_names_no_tool(simulated: Toolbox, own_box: Toolbox, tool: str) -> None:
    if tool == "undo_parameters":
        own_box.data("apply_parameters", digitaltwins_id=SMALL)
    given = PLAN if tool == "plan_simulation" else {"digitaltwins_id": SMALL}
    summary = own_box.data(tool, **given, language="en")["summary"]
    assert language_of(summary) == "en"
    assert "_parameters" not in summary


@pytest.mark.parametrize(
    ("language", "labels"),
    [
        ("zh", ["场景", "限定小区", "除外的小区", "允许调整的参数", "只要前几个（0为不限）", "按什么排"]),
        (
            "en",
            [
                *("Scenario", "Only these cells", "Not these cells", "Parameters that may change"),
                *("Only the first (0 for all)", "Ranked by"),
            ],
        ),
    ],
)
def test_the_form_to_apply_parameters_has_labels(box: Toolbox, language: Language, labels: list[str]) -> None:
    fields = {one["name"]: one for one in form_for(box.tools["apply_parameters"].spec, {}, language=language).fields}
    assert [one["title"] for one in fields.values()] == labels


def test_a_spoiled_record_of_what_was_applied_is_not_guessed_at(own_box: Toolbox, tmp_path: Path) -> None:
    file = tmp_path / "storage" / "applied" / f"{SMALL}.json"
    file.parent.mkdir()
    file.write_text('[["tilt"]]', "utf-8")
    said = own_box.hint("query_root_cause_analysis", digitaltwins_id=SMALL, level="cell", indicators=["MR覆盖率"])
    assert "does not hold changes" in said


@pytest.mark.parametrize(("language", "title"), [("zh", "自定义仿真"), ("en", "A simulation of your own")])
def test_the_form_of_a_plan_is_rich(box: Toolbox, language: Language, title: str) -> None:
    form = form_for(box.tools["plan_simulation"].spec, {"digitaltwins_id": SMALL}, language=language)
    fields = {str(field["name"]): field for field in form.fields}
    assert form.title == title
    assert form.missing == ("problem", "parameters", "tilt_range", "start_date")
    assert [
        fields[name]["widget"] for name in ("problem", "parameters", "tilt_range", "max_changes", "start_date")
    ] == [
        "radio",
        "multiselect",
        "range",
        "slider",
        "date",
    ]
    assert fields["max_changes"]["default"] == 10
    assert fields["tilt_range"]["unit"] == "°"
    assert fields["digitaltwins_id"]["widget"] == "select"
