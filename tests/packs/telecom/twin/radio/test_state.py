import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from metier.errors import NotFound, UsageError
from metier.packs.telecom.twin import (
    INDICATORS,
    Level,
    ParameterChange,
    Phase,
    compute,
    find_indicators,
    find_root_causes,
)
from tests.packs.telecom.twin.support import shipped, small, write

NAMES: dict[tuple[Level, Phase], str] = {
    (
        "cell",
        "root_cause",
    ): "RSRP均值 SINR均值 下行PRB利用率 上行PRB利用率 MR覆盖率 RRC连接成功率 切换成功率 下行流量(GB) 用户数",
    ("grid", "root_cause"): "RSRP SINR RSRQ 重叠覆盖度 下行速率 上行速率 覆盖电平",
    ("cell", "simulation"): "仿真RSRP均值 仿真SINR均值 仿真下行速率 仿真上行速率 仿真覆盖率 仿真RRC连接成功率",
    ("grid", "simulation"): "仿真RSRP 仿真SINR 仿真RSRQ 仿真重叠覆盖度 仿真下行速率 仿真上行速率",
}


@pytest.mark.parametrize("key", NAMES, ids="-".join)
def test_the_indicators_have_the_names_people_ask_for(key: tuple[Level, Phase]) -> None:
    assert [indicator.name for indicator in INDICATORS[key]] == NAMES[key].split()


@pytest.mark.parametrize("key", NAMES, ids="-".join)
def test_every_indicator_answers_by_both_names(key: tuple[Level, Phase]) -> None:
    state = compute(small())
    ask = state.build_cell_table if key[0] == "cell" else state.build_grid_table
    for indicator in INDICATORS[key]:
        table = ask([indicator.name], limit=3)
        assert table.headers == ("小区id", "经度", "纬度", indicator.name)
        assert ask([indicator.alias], limit=3) == table
        assert all(isinstance(row[3], int | float) for row in table.rows)


def test_rows_carry_the_cell_and_its_place() -> None:
    state = compute(small())
    assert state.build_cell_table(["RSRP均值"]).rows[0][:3] == ("460-00-100001", 116.45, 39.9052)
    assert len(state.build_cell_table(["RSRP均值"]).rows) == 9
    grid = state.build_grid_table(["RSRP", "SINR"])
    assert len(grid.rows) == 1600
    assert {row[0] for row in grid.rows} <= {cell.id for cell in small().cells}
    assert grid.rows[0][1:3] == pytest.approx((116.445176, 39.902136), abs=1e-6)


def test_the_worst_come_first_when_asked() -> None:
    state = compute(small())
    weak = [row[3] for row in state.build_grid_table(["RSRP"], worst_first=True, limit=5).rows]
    assert weak == sorted(round(float(value), 1) for value in state.grid_values["rsrp"])[:5]
    full = [row[3] for row in state.build_cell_table(["下行PRB利用率"], worst_first=True).rows]
    assert full == sorted(full, key=lambda value: -float(value or 0))


def test_an_unknown_indicator_is_answered_with_the_legal_list() -> None:
    with pytest.raises(UsageError, match="'温度'") as caught:
        compute(small()).build_cell_table(["RSRP均值", "温度"])
    assert caught.value.hint.startswith("choose from: RSRP均值, SINR均值")
    with pytest.raises(UsageError, match="no indicator"):
        find_indicators("grid", [])


def test_a_heat_map_keeps_the_mean_and_the_bounds() -> None:
    state = compute(small())
    whole = state.build_heatmap("RSRP", 40)
    assert np.array_equal(whole.values.ravel(), state.grid_values["rsrp"].astype(np.float64))
    small_map = state.build_heatmap("rsrp", 8)
    assert small_map.values.shape == (8, 8)
    assert small_map.values.mean() == pytest.approx(float(state.grid_values["rsrp"].mean()), abs=1e-4)
    west, south, east, north = small_map.bounds
    assert (west, south) == (116.445, 39.902)
    assert (east, north) == pytest.approx((116.45905, 39.912853), abs=1e-5)
    with pytest.raises(UsageError, match="0 squares"):
        state.build_heatmap("RSRP", 0)


def test_mr_coverage_is_the_share_of_samples_from_minus_110() -> None:
    state = shipped("DT20260104")
    band, users = state.bands[0], state.radio.ground.users
    cell = int(band.rows[4])
    samples = (users + 1e-3 * users.mean())[band.best == 4]
    covered = samples[band.level[band.best == 4] >= -110]
    assert state.cell_values["coverage"][cell] == pytest.approx(100 * covered.sum() / samples.sum())


def test_every_user_is_on_one_cell() -> None:
    for id in ("DT20260104", "DT20260105"):
        state = shipped(id)
        assert state.cell_values["users"].sum() == pytest.approx(state.radio.ground.users.sum())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param(ParameterChange("460-00-999999", "tilt", 5.0, 6.0), "no cell '460-00-999999'", id="no such cell"),
        pytest.param(ParameterChange("460-00-100001", "tilt", 5.0, 45.0), "cannot be 45", id="tilt out of range"),
        pytest.param(ParameterChange("460-00-100001", "power", 46.0, float("nan")), "cannot be nan", id="not a number"),
        pytest.param(
            ParameterChange("460-00-100001", "power", 46.0, "loud"), "needs a number", id="a word for a number"
        ),
        pytest.param(
            ParameterChange("460-00-100001", "neighbour", "", "460-00-100001"), "its own neighbour", id="itself"
        ),
        pytest.param(ParameterChange("460-00-100001", "colour", 1, 2), "cannot be changed", id="no such parameter"),  # type: ignore[arg-type]
    ],
)
def test_a_change_that_cannot_be_made_is_refused(change: ParameterChange, said: str) -> None:
    with pytest.raises((UsageError, NotFound), match=said):
        compute(small(), [change])


def test_the_order_of_steps_does_not_change_what_a_network_is_called() -> None:
    one, two = ParameterChange("460-00-100001", "tilt", 5.0, 7.0), ParameterChange("460-00-100002", "power", 46.0, 44.0)
    first = compute(small(), [one])
    assert compute(first.scenario, [two]).digest == compute(small(), [two, one]).digest
    assert compute(small(), [ParameterChange("460-00-100001", "tilt", 5.0, 5.0)]).digest == small().digest


_PRINT = """
import sys
from hashlib import sha256
from metier.packs.telecom.twin import compute, load_scenario
state = compute(load_scenario(sys.argv[1]))
arrays = [*state.cell_values.values(), *state.grid_values.values()]
print(sha256(b"".join(values.tobytes() for values in arrays)).hexdigest())
"""


def test_another_process_computes_the_same_bits(tmp_path: Path) -> None:
    path = write(tmp_path)
    runs = [
        subprocess.run(
            [sys.executable, "-c", _PRINT, str(path)],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1] != ""


@pytest.mark.parametrize(
    ("id", "rsrp_dbm", "sinr_db", "covered", "dl_prb"),
    [
        ("DT20260101", -86.34, 15.97, 93.49, 17.49),
        ("DT20260102", -82.63, 12.44, 97.67, 18.53),
        ("DT20260103", -79.56, 9.36, 99.3, 41.43),
        ("DT20260104", -91.75, 15.35, 87.91, 21.23),
        ("DT20260105", -78.95, 12.08, 97.91, 38.22),
    ],
)
def test_the_shipped_networks_are_what_they_were(
    id: str, rsrp_dbm: float, sinr_db: float, covered: float, dl_prb: float
) -> None:
    """Means over the ground and over the cells: whoever changes the model sees here by how much."""
    grid, cells = shipped(id).grid_values, shipped(id).cell_values
    found = (grid["rsrp"].mean(), grid["sinr"].mean(), 100 * (grid["rsrp"] >= -110).mean(), cells["dl_prb"].mean())
    assert [float(one) for one in found] == pytest.approx([rsrp_dbm, sinr_db, covered, dl_prb], abs=0.02)


def test_a_state_without_its_powers_reports_the_same_in_less_memory() -> None:
    whole = compute(small())
    kept = whole.drop_powers()
    assert find_root_causes(kept) == find_root_causes(whole)
    assert kept.build_cell_table(["RSRP均值", "SINR均值"]) == whole.build_cell_table(["RSRP均值", "SINR均值"])
    sizes = [sum(band.rsrp.nbytes + band.milliwatts.nbytes for band in state.bands) for state in (kept, whole)]
    assert 2 * sizes[0] == sizes[1]
