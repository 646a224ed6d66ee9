"""What another value of a parameter would do is read as cell, parameter and value; what is missing is not guessed."""

import pytest

from metier.packs.telecom._scenes import wants_cells_only
from metier.packs.telecom.changes import WishedChange, asks_for_trial, read_trial
from metier.packs.telecom.twin import Twin

CELL = "460-00-100031"


@pytest.mark.parametrize(
    ("message", "trial"),
    [
        (f"把{CELL}的下倾角改成6度会怎样", WishedChange(CELL, "tilt", 6.0)),
        ("如果把100031的功率提高3dB会怎么样", WishedChange(CELL, "power", None, 3.0)),
        ("100031的发射功率降低2dB有什么影响", WishedChange(CELL, "power", None, -2.0)),
        ("功率提高3dB会怎么样", WishedChange("", "power", None, 3.0)),
        (f"what if I set the downtilt of cell {CELL} to 6 degrees?", WishedChange(CELL, "tilt", 6.0)),
        ("what happens if the azimuth of 100031 is raised by 10 degrees?", WishedChange(CELL, "azimuth", None, 10.0)),
    ],
)
def test_a_trial_is_read(message: str, trial: WishedChange) -> None:
    assert asks_for_trial(message)
    assert read_trial(message, Twin().get_scenario("DT20260101")) == trial


@pytest.mark.parametrize(
    "message", ["下发参数", "下倾角是多少", "PRB利用率怎么算", "what is the downtilt?", "把A改成B会怎样"]
)
def test_other_messages_try_nothing(message: str) -> None:
    assert not asks_for_trial(message)


@pytest.mark.parametrize(
    ("message", "only"),
    [
        ("分析朝阳区弱覆盖，只做小区级", True),
        ("分析朝阳的覆盖，不用看栅格", True),
        ("Analyse weak coverage in Chaoyang, cell level only", True),
        ("分析朝阳区弱覆盖", False),
        ("show me only the cells with RSRP below -104", False),
    ],
)
def test_an_analysis_of_cells_only_is_read(message: str, only: bool) -> None:
    assert wants_cells_only(message) is only
