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


# A number in front of a unit in every way that people write it: the value that is rated, None where it is asked about.
_WRITTEN = [
    ("4.5±0.2 mm/s", 4.7),
    ("4.5 mm/s ± 10%", 4.95),
    ("2-4.5 mm/s", 4.5),
    ("2到4.5 mm/s", 4.5),
    ("from 9 to 4.5 mm/s", 9.0),
    ("12,5 mm/s", 12.5),
    ("1,200.5 µm/s", 1.2005),
    ("1,200 mm/s", None),
    ("1,000 mm/s", None),
    ("1.200,5 mm/s", None),
    ("1e9 mm/s", None),
    ("1e-9 mm/s", None),
    ("1e400 mm/s", None),
    ("4.5e0 mm/s", 4.5),
    ("4.5×10^-3 mm/s", None),
    ("-4.5 mm/s", None),
    ("−4.5 mm/s", None),
    ("负4.5 mm/s", None),
    ("±4.5 mm/s", None),
    ("0 mm/s", None),
    (".5 mm/s", 0.5),
    ("４.５ｍｍ／ｓ", 4.5),
    ("4.5 mm/sec", 4.5),
    ("0.3 in/sec", 7.62),
    ("0.3 inch/s", 7.62),
    ("0.0045 m/s", 4.5),
    ("4500 μm/s", 4.5),
    ("0.5 g", None),
    ("4.5 m/s²", None),
    ("50 µm", None),
    ("4.5 mm/s peak", 3.181981),
    ("峰值 4.5 mm/s", 3.181981),
    ("4.5 mm/s pk-pk", 1.59099),
    ("0.3 ips peak", 5.388154),
    ("4.5 mm/s RMS, and the peak?", 4.5),
    ("4.5 mm/s at peak load", 4.5),
    ("pump 11, 4.5 mm/s", 4.5),
]


@pytest.mark.parametrize(("written", "velocity"), _WRITTEN, ids=[one[0] for one in _WRITTEN])
def test_the_whole_number_is_rated_or_nothing_is(written: str, velocity: float | None) -> None:
    told = report_velocity(f"{written}, class II", None, "en")
    assert told["velocity"] == velocity
    assert ("zone" in str(told["summary"])) == (velocity is not None) or "Zones are for a velocity" in str(
        told["summary"]
    )


@pytest.mark.parametrize("sign", ["", "±", "-", "−", "负", "×", "^", "1e", "1,", "2-"])
@pytest.mark.parametrize("unit", ["mm/s", "cm/s", "ips", "毫米/秒"])
def test_what_stands_before_a_number_is_never_cut_off(sign: str, unit: str) -> None:
    alone = report_velocity(f"4 {unit}, class II", None, "en")["velocity"]
    told = report_velocity(f"{sign}4 {unit}, class II", None, "en")
    assert sign in ("", "2-") or told["velocity"] != alone


@pytest.mark.parametrize(
    ("message", "velocity", "named"),
    [
        ("振动水平2.1 mm/s，垂直11.5 mm/s，II类电机正常吗", 11.5, "垂直 11.5 mm/s"),
        ("水平11.5、垂直4.5、轴向2.1 mm/s，II类", 11.5, "水平 11.5 mm/s"),
        ("昨天4.5mm/s今天9mm/s，II类", 9.0, "今天 9mm/s"),
        ("11.5 horizontally, 2.1 mm/s vertically, class II", 11.5, "horizontally 11.5 mm/s"),
        ("2.1 mm/s horizontally and 11.5 mm/s vertically", 11.5, "vertically 11.5 mm/s"),
        ("9 and 4.5 mm/s", 9.0, "9 mm/s"),
        ("2.1,11.5 mm/s", 11.5, "11.5 mm/s"),
        ("not 4.5 mm/s but 9 mm/s", 9.0, "9 mm/s"),
        ("不是9mm/s而是4.5mm/s", 4.5, "4.5 mm/s"),
        ("peak 9 mm/s, RMS 6.5 mm/s", 6.5, "6.5 mm/s"),
    ],
)
def test_of_several_velocities_the_worst_is_rated_and_named(message: str, velocity: float, named: str) -> None:
    told = report_velocity(message, None, "zh")
    assert told["velocity"] == velocity
    assert f"**{named}" in str(told["summary"])


def test_one_number_of_several_that_is_unclear_leaves_none_of_them_rated() -> None:
    assert report_velocity("水平2.1 mm/s，垂直1,200 mm/s", None, "zh")["velocity"] is None


def test_a_question_for_the_zone_leaves_no_doubt_about_the_class() -> None:
    assert "II 类" in str(report_velocity("7.1 mm/s，II类机器，在哪个区", None, "zh")["summary"])


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
