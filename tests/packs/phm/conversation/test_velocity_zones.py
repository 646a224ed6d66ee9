"""A velocity in words has its zone for the class that is said, else for every class that may be meant."""

import pytest

from metier.packs.phm.conversation._unmeasured import describe_unmeasured
from metier.packs.phm.conversation._velocity_zones import report_velocity


@pytest.mark.parametrize(
    ("message", "velocity"),
    [
        ("振动4.5mm/s正常吗", 4.5),
        ("2.8毫米每秒行不行", 2.8),
        ("0.28 in/s", 7.112),
        ("1 cm/s for a pump", 10.0),
        ("那要是11.2呢", 11.2),
        ("15kW电机", 3.0),
        ("II类机器呢", 3.0),
        ("and class 2?", 3.0),
    ],
)
def test_a_velocity_is_read_with_its_unit_and_a_bare_number_only_after_one(message: str, velocity: float) -> None:
    assert report_velocity(message, 3.0, "zh")["velocity"] == velocity


def test_without_a_velocity_one_is_asked_for_and_none_is_made_up() -> None:
    assert report_velocity("那要是11.2呢", None, "zh")["velocity"] is None
    assert report_velocity("加速度 4.5 mm/s²", None, "zh")["velocity"] is None


def test_the_class_that_is_said_is_rated_and_the_others_are_left_out() -> None:
    told = str(report_velocity("7.1 mm/s, class II", None, "en")["summary"])
    assert told.startswith("**7.1 mm/s RMS: zone C** for Class II")
    assert "several" not in told


@pytest.mark.parametrize(("words", "count"), [("", 8), ("15kW", 4), ("刚性", 5), ("400kW 柔性", 2)])
def test_power_and_foundation_leave_the_classes_that_are_for_them(words: str, count: int) -> None:
    tables = report_velocity(f"4.5 mm/s {words}", None, "zh")["tables"]
    assert isinstance(tables, list)
    assert isinstance(tables[0], dict)
    assert isinstance(tables[0]["rows"], list)
    assert len(tables[0]["rows"]) == count


@pytest.mark.parametrize(
    "message", ["哪台设备的销售额最差", "which machine has the highest sales?", "哪台设备能耗最高"]
)
def test_a_quantity_that_no_record_has_is_told(message: str) -> None:
    assert describe_unmeasured(message, "zh")


@pytest.mark.parametrize("message", ["哪台设备最差", "which machine is worst?", "筛查全部设备，最差的排前面"])
def test_a_question_about_the_condition_is_about_the_records(message: str) -> None:
    assert describe_unmeasured(message, "zh") == ""
