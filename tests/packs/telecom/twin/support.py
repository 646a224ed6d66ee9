"""A small network of three sites, written as a scenario file that tests may spoil."""

import copy
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from metier.packs.telecom.twin import NetworkState, Scenario, compute, load_scenario

_PLACES = ((116.4500, 39.9052), (116.4560, 39.9052), (116.4530, 39.9085))


def document() -> dict[str, object]:
    """The file of a sound network: 3 sites, 9 cells, 1,600 points."""
    cells = []
    for number in range(9):
        id = f"460-00-1000{number + 1:02d}"
        others = [f"460-00-1000{other + 1:02d}" for other in range(9) if other != number]
        cells.append(
            {
                "id": id,
                "name": f"三里屯-{number + 1}",
                "site": f"S{number // 3 + 1}",
                "carrier": "LTE1800",
                "antenna": "panel",
                "azimuth_deg": number % 3 * 120,
                "mechanical_tilt_deg": 2,
                "electrical_tilt_deg": 5,
                "power_dbm": 46,
                "neighbours": others,
            }
        )
    sites = [
        {"id": f"S{number + 1}", "name": f"站点{number + 1}", "longitude": at[0], "latitude": at[1], "height_m": 28}
        for number, at in enumerate(_PLACES)
    ]
    return {
        "scenario": {
            "id": "T1",
            "title_zh": "测试区弱覆盖",
            "title_en": "Test area: weak coverage",
            "city": "北京市",
            "district": "测试区",
            "network": "4G",
            "problem": "weak_coverage",
        },
        "area": {"longitude": 116.445, "latitude": 39.902, "width_m": 1200, "height_m": 1200, "step_m": 30},
        "model": {"seed": 7, "ground": "street"},
        "traffic": {"users": 200, "dl_mbps": 0.5, "ul_mbps": 0.05},
        "carrier": [
            {"name": "LTE1800", "rat": "LTE", "frequency_mhz": 1850, "bandwidth_mhz": 20, "resource_blocks": 100}
        ],
        "antenna": [{"name": "panel"}],
        "clutter": [{"name": "street"}, {"name": "house", "indoor": "low_loss", "height_m": 4.5, "density": 3}],
        "patches": [{"clutter": "house", "x_m": 300, "y_m": 300, "width_m": 300, "height_m": 240}],
        "site": sites,
        "cell": cells,
    }


def write(folder: Path, spoil: Callable[[dict[str, object]], object] | None = None, name: str = "t1.json") -> Path:
    """The file, spoiled by a function that changes the document in place."""
    made = copy.deepcopy(document())
    if spoil is not None:
        spoil(made)
    path = folder / name
    path.write_text(json.dumps(made, ensure_ascii=False), "utf-8")
    return path


def entry(made: dict[str, object], group: str, number: int = 0) -> dict[str, object]:
    """One entry of a list of the document."""
    listed = made[group]
    assert isinstance(listed, list)
    found = listed[number]
    assert isinstance(found, dict)
    return found


def part(made: dict[str, object], name: str) -> dict[str, object]:
    """One table of the document."""
    found = made[name]
    assert isinstance(found, dict)
    return found


@cache
def small() -> Scenario:
    """The sound network."""
    with TemporaryDirectory() as folder:
        return load_scenario(write(Path(folder)))


@cache
def shipped(id: str) -> NetworkState:
    """A shipped scenario, computed once per process."""
    return compute(load_scenario(id))
