"""The figures of every shipped scenario, compared with each other: units, digits, counts, names and thresholds."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from metier.packs.telecom._library import read_synonyms
from metier.packs.telecom._live_scenarios import LiveScenarios
from metier.packs.telecom._scenes import TOPIC_INDICATORS, ScenarioCatalog
from metier.packs.telecom._twin_tools import report_comparison, report_root_causes, report_simulation
from metier.packs.telecom.twin import RootCause, Twin, load_thresholds

SHIPPED = ("DT20260101", "DT20260102", "DT20260103", "DT20260104", "DT20260105")
SETTINGS = {"tilt", "power", "azimuth", "missing_neighbour"}


@pytest.fixture(scope="module")
def scenarios(tmp_path_factory: pytest.TempPathFactory) -> LiveScenarios:
    return LiveScenarios(ScenarioCatalog(Twin(), read_synonyms()), tmp_path_factory.mktemp("telecom"))


def test_the_figures_of_all_scenarios_agree_with_each_other(scenarios: LiveScenarios) -> None:
    problems = [f"{id}: {line}" for id in SHIPPED for line in _find_problems(scenarios, id)]
    assert problems == []


def _find_problems(scenarios: LiveScenarios, id: str) -> Iterator[str]:
    topic = TOPIC_INDICATORS[scenarios.get_scenario(id).problem]
    causes = _json(report_root_causes(scenarios, id, "cell", topic.cell, "zh"))
    grids = _json(report_root_causes(scenarios, id, "grid", topic.grid, "zh"))
    tuned = _json(report_simulation(scenarios, id, "cell", causes["simulated"], "zh"))
    compared = _json(report_comparison(scenarios, id, topic.compare, "grouped_bar_chart", "zh"))
    english = _json(report_simulation(scenarios, id, "cell", causes["simulated"], "en"))
    yield from _check_findings(causes, scenarios.find_causes(id))
    yield from _check_unexplained(causes, scenarios.get_scenario(id).problem)
    yield from _check_counts(scenarios, id, causes, tuned)
    yield from _check_gains(tuned, english)
    yield from _check_charts(compared, len(scenarios.get_scenario(id).cells))
    yield from _check_rates(scenarios, id)
    texts = [report["summary"] for report in (causes, grids, tuned, compared)]
    if not re.search(r"\*\*目标(部分|没有)?达到\*\*：\S+小区 \d+ → \d+ 个", tuned["summary"]):
        yield "nothing says whether the simulation reaches its aim"
    if "增益以目标分计" not in tuned["summary"]:
        yield "nothing says what a point of the gain is"
    yield from (f"unexplained mean in {text[:80]!r}" for text in texts if "RSRP" in text and "平均" not in text)
    if not any("不是现网测量" in text for text in texts):
        yield "nothing says that the figures are simulated"
    for text in texts:
        yield from (f"decimals of a count: {found}" for found in re.findall(r"\d+\.\d+ 个(?!百分点)", text))
        yield from (f"a difference of levels in dBm: {one}" for one in re.findall(r"[（(][+-][\d.]+ dBm", text))


def _json(report: Any) -> dict[str, Any]:
    return dict(report)


def _check_findings(report: dict[str, Any], causes: tuple[RootCause, ...]) -> Iterator[str]:
    findings = report["findings"]
    roles = [one["role"] for one in findings]
    if roles != sorted(roles, key=["cause", "symptom", "other"].index):
        yield f"not causes, symptoms, then the rest: {roles}"
    if len(report["tables"]) != 1 + len(findings):
        yield f"{len(findings)} findings have {len(report['tables']) - 1} tables"
    for finding, cause, table in zip(findings, causes, report["tables"][1:], strict=True):
        cells = {row[0] for row in table["rows"]}
        if not (finding["count"] == len(cells) == len(finding["cells"]) == len(cause.cells)):
            yield f"{finding['kind']}: the counts of cells differ"
        if finding["title"] not in report["summary"] or f"{finding['count']}个" not in report["summary"]:
            yield f"{finding['kind']} is not in the summary"
    explaining = [one["kind"] for one in findings if one["role"] == "cause" and one["explains"]]
    settings = [kind in SETTINGS for kind in explaining]
    if settings != sorted(settings, reverse=True):
        yield f"a setting that explains the problem stands after what it leads to: {explaining}"


def _check_unexplained(report: dict[str, Any], problem: str) -> Iterator[str]:
    """The cells with the problem that have none of its causes, and those with several, are told."""
    main = next(one for one in report["findings"] if one["kind"] == problem)
    roots = [set(one["cells"]) for one in report["findings"] if one["role"] == "cause" and one is not main]
    counts = [sum(cell in cells for cells in roots) for cell in main["cells"]]
    left, several = counts.count(0), sum(count > 1 for count in counts)
    line = next((one for one in report["summary"].splitlines() if one.startswith("合计：")), "")
    told = [int(one) for one in re.findall(r"(\d+) 个", line)]
    expected = [len(counts), len(counts) - left, *([several] if several else []), *([left] if left else [])]
    if roots and told != expected:
        yield f"of the cells with the problem {expected} have causes, several, none; told: {line}"


def _check_counts(scenarios: LiveScenarios, id: str, causes: dict[str, Any], tuned: dict[str, Any]) -> Iterator[str]:
    """Overloaded cells of the causes, of the gains and of the state are the same for the same threshold."""
    state, limits = scenarios.compute_state(id), load_thresholds()
    down, up = state.cell_values["dl_prb"], state.cell_values["ul_prb"]
    busy, high = limits["prb_busy"].value, limits["prb_high"].value
    counted = {f"{one['name']}": one["before"] for one in tuned["gains"]}
    expected = {
        f"下行PRB利用率超过{high:g} %的小区数": int((down > high).sum()),
        f"上行或下行PRB利用率超过{busy:g} %的小区数": int(((down > busy) | (up > busy)).sum()),
    }
    for name, count in expected.items():
        if counted.get(name) != count or not isinstance(counted.get(name), int):
            yield f"{name} is {counted.get(name)!r}, not {count}"
    load = [one["count"] for one in causes["findings"] if one["kind"] == "load"]
    if load and load[0] != counted[f"上行或下行PRB利用率超过{busy:g} %的小区数"]:
        yield "the finding and the gain count busy cells differently"
    weak = [one["count"] for one in causes["findings"] if one["kind"] == "weak_coverage"]
    severe = state.cell_values["coverage"] < limits["mr_coverage"].value
    if int(severe.sum()) > (weak[0] if weak else 0):
        yield "more cells are severely weak than weak"


def _check_gains(tuned: dict[str, Any], english: dict[str, Any]) -> Iterator[str]:
    names = [one["name"] for one in tuned["gains"]]
    if len(set(names)) != len(names):
        yield "two gains have one name"
    for one, other in zip(tuned["gains"], english["gains"], strict=True):
        if one["change"] != pytest.approx(one["after"] - one["before"], abs=1e-9):
            yield f"{one['name']}: {one['before']} → {one['after']} is not {one['change']}"
        wanted = {"dBm": ("dB", "dB"), "%": ("个百分点", "pp")}.get(one["unit"], (one["unit"], one["unit"]))
        if (one["change_unit"], other["change_unit"]) != wanted:
            yield f"{one['name']} changes in {one['change_unit']!r}"
        if one["unit"] in ("dBm", "dB", "%", "Mbps") and len(f"{one['before']}".partition(".")[2]) > 1:
            yield f"{one['name']} has too many digits: {one['before']}"
        if one["unit"] == "%" and not 0 <= one["before"] <= 100:
            yield f"{one['name']} is {one['before']} %"


def _check_charts(compared: dict[str, Any], cells: int) -> Iterator[str]:
    for chart in compared["charts"]:
        values = [row[key] for row in chart["rows"] for key in ("before", "after")]
        units = {column["key"]: column.get("unit", "") for column in chart["columns"]}
        low, high = chart.get("range") or (0.0, float("inf"))
        if not low <= min(values) <= max(values) <= high:
            yield f"{chart['title']}: values beyond the axis"
        if units["before"] == "dBm" and (chart["range"][1] > 0 or units["change"] != "dB"):
            yield f"{chart['title']}: levels hang from 0"
        if len(chart["rows"]) < cells and f"共 {cells} 个小区" not in chart.get("note", ""):
            yield f"{chart['title']} does not say how many cells are drawn"
        if not chart.get("thresholds"):
            yield f"{chart['title']} has no threshold"
        for row in chart["rows"]:
            if row["change"] != pytest.approx(row["after"] - row["before"], abs=1e-9):
                yield f"{chart['title']}: {row}"


def _check_rates(scenarios: LiveScenarios, id: str) -> Iterator[str]:
    """An uplink of one layer on a fifth of the time is slower than the downlink, but not by a hundred times."""
    state = scenarios.compute_state(id)
    users = state.radio.ground.users
    down, up = (float(np.average(state.grid_values[name], weights=users)) for name in ("dl_rate", "ul_rate"))
    if not 1 < down / up < 60:
        yield f"{down:.0f} Mbps down beside {up:.1f} up"
