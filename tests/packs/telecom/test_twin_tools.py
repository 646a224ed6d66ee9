"""The tools that ask the twin: tables, causes, charts, and numbers that are the twin's own."""

from collections.abc import Mapping

import pytest

from metier.agent import CHART_KINDS, read_chart
from metier.agent.results import read_map
from metier.language import Language
from metier.packs.telecom._labels import tell_absent
from metier.packs.telecom.twin import Problem, compute, load_scenario, optimise
from tests.packs.telecom.support import SMALL, Toolbox, storage_with_small


def test_root_causes_come_with_a_table_and_evidence(box: Toolbox) -> None:
    found = box.data(
        "query_root_cause_analysis", digitaltwins_id=SMALL, level="cell", indicators=["RSRP均值", "MR覆盖率"]
    )
    first = found["tables"][0]
    assert [column["key"] for column in first["columns"]] == ["小区id", "经度", "纬度", "RSRP均值", "MR覆盖率"]
    assert len(first["rows"]) == 9
    kinds = [one["kind"] for one in found["findings"]]
    assert (kinds[0], "weak_coverage" in kinds) == ("tilt", True)
    assert found["tables"][1]["title"] == "根因：下倾角过大（6 个小区）"
    assert found["simulated"] == ["仿真RSRP均值", "仿真覆盖率"]


def test_the_worst_squares_are_listed_and_all_are_counted(box: Toolbox) -> None:
    found = box.data("query_root_cause_analysis", digitaltwins_id=SMALL, level="grid", indicators=["RSRP", "覆盖电平"])
    levels = [row[3] for row in found["tables"][0]["rows"]]
    assert (len(levels), levels) == (100, sorted(levels))
    assert found["statistics"]["RSRP"]["count"] == 1600


def test_the_improvement_is_that_of_the_twin(box: Toolbox, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = storage_with_small(tmp_path_factory.mktemp("again") / "s")
    scenario = load_scenario(folder / "scenarios" / f"{SMALL}.json")
    tuned = optimise(scenario)
    after = compute(scenario, tuned.changes)
    found = box.data("compare_simulation_data", digitaltwins_id=SMALL, indicators=["MR覆盖率"], chart_type="table")
    (made,) = found["improvement"]
    assert tuned.changes  # there was something to mend
    assert made["before"] == pytest.approx(float(tuned.before.cell_values["coverage"].mean()), abs=0.01)
    assert made["after"] == pytest.approx(float(after.cell_values["coverage"].mean()), abs=0.01)
    assert made["change"] == pytest.approx(made["after"] - made["before"], abs=0.002)
    assert made["better"] is (made["change"] > 0)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_cell_that_got_worse_is_named_in_the_comparison(box: Toolbox, language: str) -> None:
    found = box.data("compare_simulation_data", digitaltwins_id=SMALL, indicators=["上行PRB利用率"], language=language)
    rows = {table["title"]: table["rows"] for table in found["tables"]}
    worse = rows[{"zh": "指标变差的小区", "en": "Cells that got worse"}[language]]
    assert len(worse) == found["improvement"][0]["cells_worse"] > 0
    assert all(row["change"] > 0 for row in worse)  # more load is worse
    assert all(row["cell"] in found["summary"] for row in worse[:6])
    fresh = [
        row["cell"]
        for row in rows.get({"zh": "优化后新出现的问题", "en": "Troubles that are new afterwards"}[language], [])
    ]
    assert sorted(fresh) == sorted(id for one in found["new_troubles"] for id in one["cells"])


@pytest.mark.parametrize(
    ("chart_type", "kind"),
    [
        ("grouped_bar_chart", "grouped_bar"),
        ("line_chart", "line"),
        ("stacked_bar_chart", "stacked_bar"),
        ("scatter_plot", "scatter"),
        ("heatmap", "heatmap"),
        ("table", "table"),
    ],
)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_kind_of_chart_can_be_drawn(box: Toolbox, chart_type: str, kind: str, language: str) -> None:
    found = box.data(
        "compare_simulation_data",
        digitaltwins_id=SMALL,
        indicators=["RSRP均值", "MR覆盖率"],
        chart_type=chart_type,
        language=language,
    )
    charts = [read_chart(one) for one in found["charts"]]
    assert {one.kind for one in charts} == {kind}
    assert kind in CHART_KINDS


def test_simulated_indicators_and_parameters_are_tables(box: Toolbox) -> None:
    found = box.data("query_simulation_results", digitaltwins_id=SMALL, level="cell", indicators=["仿真RSRP均值"])
    assert [table["title"] for table in found["tables"]] == ["小区级 · 仿真结果", "推荐参数"]
    assert found["changes"] == len(found["tables"][1]["rows"]) > 0


@pytest.mark.parametrize(("language", "words"), [("zh", "逐个试探小区"), ("en", "probing every cell")])
def test_a_search_says_how_far_it_is(own_box: Toolbox, language: str, words: str) -> None:
    told: list[tuple[float, str]] = []
    asked = {"digitaltwins_id": SMALL, "level": "cell", "indicators": ["仿真RSRP均值"], "language": language}
    own_box.outcome("query_simulation_results", asked, progress=lambda share, text: told.append((share, text)))
    assert [share for share, _ in told] == sorted(share for share, _ in told)
    assert (told[0][0], told[-1][0]) == (0.0, 1.0)
    assert words in [text for _, text in told]
    told.clear()
    own_box.outcome("query_simulation_results", asked, progress=lambda share, text: told.append((share, text)))
    assert told == []


def test_maps_before_and_after_share_their_squares(box: Toolbox) -> None:
    found = box.data("show_coverage_map", digitaltwins_id=SMALL)
    before, after = found["charts"]
    assert read_chart(before).kind == read_chart(after).kind == "heatmap"
    places = [[row[:2] for row in one["rows"]] for one in (before, after)]
    assert places[0] == places[1]
    assert len(places[0]) == 1600
    assert before["rows"] != after["rows"]


def test_maps_before_and_after_share_their_colours(box: Toolbox) -> None:
    first, second = box.data("show_coverage_map", digitaltwins_id=SMALL)["charts"]
    values = [row[2] for chart in (first, second) for row in chart["rows"]]
    assert first["range"] == second["range"] == [min(values), max(values)]


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        pytest.param(
            "query_root_cause_analysis",
            {"digitaltwins_id": "DT1", "level": "cell", "indicators": ["RSRP均值"]},
            "DT20260101",
            id="an unknown id is answered with the ids",
        ),
        pytest.param(
            "query_root_cause_analysis",
            {"digitaltwins_id": SMALL, "level": "site", "indicators": ["RSRP均值"]},
            "grid",
            id="an unknown level is answered with the levels",
        ),
        pytest.param(
            "query_root_cause_analysis",
            {"digitaltwins_id": SMALL, "level": "grid", "indicators": ["RSRP均值"]},
            "RSRP, SINR, RSRQ, 重叠覆盖度, 下行速率, 上行速率, 覆盖电平",
            id="an indicator of the other level is answered with the list",
        ),
        pytest.param(
            "query_simulation_results",
            {"digitaltwins_id": SMALL, "level": "cell", "indicators": ["RSRP均值"]},
            "仿真RSRP均值",
            id="the simulation has names of its own",
        ),
        pytest.param(
            "compare_simulation_data",
            {"digitaltwins_id": SMALL, "indicators": ["RSRP均值"], "chart_type": "pie"},
            "grouped_bar_chart",
            id="an unknown chart is answered with the kinds",
        ),
        pytest.param(
            "compare_simulation_data", {"digitaltwins_id": SMALL, "indicators": []}, "indicators", id="no indicator"
        ),
        pytest.param(
            "show_coverage_map", {"digitaltwins_id": SMALL, "indicator": "用户数"}, "覆盖电平", id="no grid indicator"
        ),
    ],
)
def test_what_cannot_be_asked_is_answered_with_what_can(
    box: Toolbox, tool: str, arguments: Mapping[str, object], said: str
) -> None:
    assert said in box.hint(tool, **arguments)


@pytest.mark.parametrize("name", ["RSRP均值", "rsrp_mean", "RSRP Mean", "RSRP均值(dBm)"])
def test_an_indicator_may_be_written_in_several_ways(box: Toolbox, name: str) -> None:
    found = box.data("query_root_cause_analysis", digitaltwins_id=SMALL, level="cell", indicators=[name])
    assert found["indicators"] == ["RSRP均值"]


def test_english_tables_have_english_heads(box: Toolbox) -> None:
    found = box.data(
        "query_root_cause_analysis", digitaltwins_id=SMALL, level="cell", indicators=["MR覆盖率"], language="en"
    )
    assert [column["title"] for column in found["tables"][0]["columns"]] == [
        "Cell",
        "Longitude",
        "Latitude",
        "MR coverage",
    ]


def test_a_map_has_both_stages_their_difference_and_one_scale(box: Toolbox) -> None:
    spec = read_map(box.data("show_coverage_map", digitaltwins_id=SMALL)["map"])
    before, after, difference = (stage.values for stage in spec.layers[0].stages)
    assert [stage.stage for stage in spec.layers[0].stages] == ["before", "after", "difference"]
    assert len(before) == spec.rows * spec.columns
    assert difference[0] == pytest.approx((after[0] or 0) - (before[0] or 0), abs=0.01)
    assert (spec.threshold, spec.bands[0].high, spec.difference_unit) == (-110, -110, "dB")
    assert {sector.site for sector in spec.sectors} <= {site.id for site in spec.sites}
    assert [sector.id for sector in spec.sectors if sector.changes]
    only = read_map(box.data("show_coverage_map", digitaltwins_id=SMALL, stage="before")["map"])
    assert ([stage.stage for stage in only.layers[0].stages], only.difference_bands) == (["before"], [])


@pytest.mark.parametrize(
    ("problem", "indicator"), [("interference", "SINR"), ("load", "下行速率"), ("weak_coverage", "RSRP")]
)
def test_the_map_of_a_problem_shows_its_own_quantity(box: Toolbox, problem: str, indicator: str) -> None:
    found = box.data("match_scenario", description=SMALL, known=SMALL, known_problem=problem)
    assert found["indicators"]["map"] == indicator
    drawn = box.data("show_coverage_map", digitaltwins_id=SMALL, indicator=indicator, stage="before")
    assert indicator in str(drawn)


@pytest.mark.parametrize(
    ("asked", "aim", "language", "told"),
    [
        (
            "weak_coverage",
            "interference",
            "zh",
            ["**没有小区超过「弱覆盖」的门限；仿真会按该场景的「干扰」优化。**", ""],
        ),
        ("load", "load", "en", ["**No cell is beyond the limits of load.**", ""]),
        ("handover", "load", "zh", []),
        ("", "load", "zh", []),
    ],
)
def test_a_problem_that_no_cell_has_is_told_with_what_a_simulation_would_aim_at(
    asked: str, aim: Problem, language: Language, told: list[str]
) -> None:
    assert tell_absent(asked, aim, language) == told
