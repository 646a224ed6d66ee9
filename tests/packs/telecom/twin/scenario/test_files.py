import json
from collections.abc import Callable
from pathlib import Path

import pytest

from metier.errors import InvalidInput, NotFound, PathNotFound
from metier.packs.telecom.twin import Twin, lint_scenario, load_scenario
from tests.packs.telecom.twin.support import entry, part, small, write

Spoil = Callable[[dict[str, object]], object]


def test_the_five_scenarios_are_there() -> None:
    found = Twin().load_scenarios().values()
    assert [(made.id, made.city + made.district, made.network, made.problem) for made in found] == [
        ("DT20260101", "北京市朝阳区", "4G/5G", "weak_coverage"),
        ("DT20260102", "北京市海淀区", "5G", "overshoot"),
        ("DT20260103", "上海市浦东新区", "4G", "interference"),
        ("DT20260104", "杭州市西湖区", "4G/5G", "weak_coverage"),
        ("DT20260105", "广州市天河区", "5G", "load"),
    ]
    assert all(len(made.cells) >= 60 for made in found)


@pytest.mark.parametrize("id", [f"DT2026010{number}" for number in range(1, 6)])
def test_a_shipped_scenario_has_no_fault_and_forty_thousand_points(id: str) -> None:
    made = load_scenario(id)
    assert made.path is not None
    assert lint_scenario(made.path) == ()
    assert made.path.stat().st_size < 300_000
    assert made.area.points == 40_000
    assert all(cell.id.startswith("460-00-1000") for cell in made.cells)


def test_an_unknown_id_is_answered_with_the_known_ones() -> None:
    with pytest.raises(NotFound, match="'DT1999'") as caught:
        load_scenario("DT1999")
    assert "DT20260101, DT20260102" in caught.value.hint


def test_a_file_of_ones_own_can_be_toml_or_json(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(_TOML, "utf-8")
    made = load_scenario(path)
    assert (made.id, made.cells[0].height_m, made.carriers[0].layers) == ("M1", 20.0, 1.6)
    assert lint_scenario(path) == ()
    assert load_scenario(write(tmp_path)).digest == small().digest


def test_content_names_a_scenario_and_not_its_place(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    assert load_scenario(write(tmp_path / "a", name="b.json")).digest == small().digest
    other = write(tmp_path, lambda made: entry(made, "cell").update(power_dbm=45))
    assert load_scenario(other).digest != small().digest


FAULTS: list[tuple[str, Spoil, str, str]] = [
    (
        "nan is text in JSON",
        lambda made: entry(made, "cell", 3).update(power_dbm="NaN"),
        "cell[3].power_dbm",
        "not_a_number",
    ),
    ("negative height", lambda made: entry(made, "site").update(height_m=-5), "site[0].height_m (S1)", "out_of_range"),
    ("latitude of nowhere", lambda made: entry(made, "site").update(latitude=391), "site[0].latitude", "out_of_range"),
    ("azimuth of 360", lambda made: entry(made, "cell").update(azimuth_deg=360), "cell[0].azimuth_deg", "out_of_range"),
    (
        "tilt upwards",
        lambda made: entry(made, "cell").update(electrical_tilt_deg=-2),
        "electrical_tilt_deg",
        "out_of_range",
    ),
    ("no step", lambda made: part(made, "area").update(step_m=0), "area.step_m", "out_of_range"),
    ("a million points", lambda made: part(made, "area").update(step_m=2, width_m=9000), "area.step_m", "too_large"),
    ("field misspelt", lambda made: entry(made, "cell").update(azimut=3), "cell[0].azimut", "unknown_field"),
    ("field missing", lambda made: entry(made, "cell", 1).pop("power_dbm"), "cell[1].power_dbm", "missing_field"),
    ("a table missing", lambda made: made.pop("traffic"), "traffic", "missing_field"),
    ("no cells", lambda made: made.update(cell=[]), "cell", "out_of_range"),
    ("a word for a number", lambda made: part(made, "area").update(step_m="wide"), "area.step_m", "wrong_type"),
    ("6G", lambda made: part(made, "scenario").update(network="6G"), "scenario.network", "unknown_value"),
    ("id with a path", lambda made: part(made, "scenario").update(id="../up"), "scenario.id", "wrong_type"),
    ("two cells, one id", lambda made: entry(made, "cell", 1).update(id="460-00-100001"), "cell", "duplicate_id"),
    (
        "no such site",
        lambda made: entry(made, "cell").update(site="S9"),
        "cell[0].site (460-00-100001)",
        "unknown_reference",
    ),
    (
        "no such carrier",
        lambda made: entry(made, "cell").update(carrier="LTE900"),
        "cell[0].carrier",
        "unknown_reference",
    ),
    (
        "its own neighbour",
        lambda made: entry(made, "cell").update(neighbours=["460-00-100001"]),
        "neighbours",
        "unknown_reference",
    ),
    (
        "no such clutter",
        lambda made: entry(made, "patches").update(clutter="sea"),
        "patches[0].clutter",
        "unknown_reference",
    ),
    ("no such ground", lambda made: part(made, "model").update(ground="moon"), "model.ground", "unknown_reference"),
    ("patch outside", lambda made: entry(made, "patches").update(x_m=5000), "patches[0]", "outside_area"),
    ("site in another city", lambda made: entry(made, "site").update(longitude=121.5), "site[0] (S1)", "too_far"),
    (
        "too many blocks",
        lambda made: entry(made, "carrier").update(resource_blocks=200),
        "resource_blocks",
        "out_of_range",
    ),
]


@pytest.mark.parametrize(("spoil", "place", "code"), [case[1:] for case in FAULTS], ids=[case[0] for case in FAULTS])
def test_a_fault_is_named_with_its_place_and_a_hint(tmp_path: Path, spoil: Spoil, place: str, code: str) -> None:
    path = write(tmp_path, spoil)
    issues = [issue for issue in lint_scenario(path) if issue.severity == "error"]
    assert any(place in issue.place and issue.code == code for issue in issues), issues
    assert all(issue.hint and issue.message for issue in issues)
    with pytest.raises(InvalidInput, match=r"t1\.json") as caught:
        load_scenario(path)
    assert caught.value.hint


@pytest.mark.parametrize("number", ["nan", "inf", "-inf"])
def test_toml_knows_nan_and_we_refuse_it(tmp_path: Path, number: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(_TOML.replace("power_dbm = 43", f"power_dbm = {number}"), "utf-8")
    assert [(issue.place, issue.code) for issue in lint_scenario(path)] == [
        ("cell[0].power_dbm (460-00-100001)", "not_a_number")
    ]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        pytest.param("x.toml", b"[scenario\n", id="not TOML"),
        pytest.param("x.json", b'{"a": NaN}', id="NaN is not JSON"),
        pytest.param("x.json", b'{"a": 1, "a": 2}', id="a key twice"),
        pytest.param("x.toml", b"\xff\xfe", id="not UTF-8"),
    ],
)
def test_what_cannot_be_parsed_is_said_to_be_so(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert [issue.code for issue in lint_scenario(path)] == ["scenario_unreadable"]
    with pytest.raises(InvalidInput, match="cannot be parsed"):
        load_scenario(path)


def test_a_list_is_not_a_scenario(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("[1]", "utf-8")
    assert [issue.place for issue in lint_scenario(path)] == ["the file"]


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(" " * 2_000_001, "utf-8")
    with pytest.raises(InvalidInput, match="2000001 bytes"):
        lint_scenario(path)


def test_a_missing_file_is_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(PathNotFound, match=r"gone\.toml"):
        lint_scenario(tmp_path / "gone.toml")


def test_what_is_odd_is_warned_of_and_still_works(tmp_path: Path) -> None:
    def spoil(made: dict[str, object]) -> None:
        entry(made, "cell").update(neighbours=[])
        part(made, "scenario").update(network="5G")

    path = write(tmp_path, spoil)
    assert {issue.code for issue in lint_scenario(path)} == {"no_neighbours", "one_way_neighbour", "network_differs"}
    assert load_scenario(path).cells[0].neighbours == ()


def test_an_issue_can_be_printed(tmp_path: Path) -> None:
    issue = lint_scenario(write(tmp_path, lambda made: made.pop("area")))[0]
    assert json.loads(json.dumps(issue.to_json()))["code"] == "missing_field"


_TOML = """
[scenario]
id = "M1"
title_zh = "我的小区"
title_en = "Mine"
city = "成都市"
district = "锦江区"
network = "4G"
problem = "load"

[area]
longitude = 104.08
latitude = 30.65
width_m = 300
height_m = 300
step_m = 30

[traffic]
users = 20
dl_mbps = 1.0
ul_mbps = 0.1

[[carrier]]
name = "LTE2100"
rat = "LTE"
frequency_mhz = 2130
bandwidth_mhz = 20
resource_blocks = 100

[[antenna]]
name = "panel"

[[clutter]]
name = "open"

[[site]]
id = "S1"
name = "春熙路"
longitude = 104.081
latitude = 30.651
height_m = 20

[[cell]]
id = "460-00-100001"
name = "春熙路-1"
site = "S1"
carrier = "LTE2100"
antenna = "panel"
azimuth_deg = 30
electrical_tilt_deg = 6
power_dbm = 43
"""


GUIDE = (Path(__file__).parents[5] / "docs" / "guides" / "telecom-twin.md").read_text("utf-8")


def test_the_code_of_the_guide_works(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, search = GUIDE.split("```python\n")[1].split("```")[0].partition("run = ")
    exec(code, {})
    assert "RSRP均值" in capsys.readouterr().out
    assert search.startswith("optimise(state.scenario)")  # takes seconds, and has tests of its own


def test_the_file_of_the_guide_can_be_loaded(tmp_path: Path) -> None:
    path = tmp_path / "guide.toml"
    path.write_text(GUIDE.split("```toml\n")[1].split("```")[0], "utf-8")
    assert lint_scenario(path) == ()
    assert load_scenario(path).traffic.hotspots[0].name == "商场"
