"""Everyday words about a machine lead to the skill that answers them."""

from pathlib import Path

import pytest

from metier.packs.phm import fallback_claim


@pytest.mark.parametrize(
    ("message", "skill"),
    [
        ("1号泵听着不对劲，看看", "bearing_diagnosis"),
        ("What's wrong with pump 1?", "bearing_diagnosis"),
        ("3号电机是外圈坏还是内圈坏", "bearing_diagnosis"),
        ("4号鼓风机最近一个月啥走势", "trend_and_life"),
        ("how long will blower 4 last", "trend_and_life"),
        ("Is pump 1 shaking too much?", "vibration_severity"),
        ("2号风机抖得厉害，看看", "vibration_severity"),
        ("厂里这几台哪个最该修", "fleet_screening"),
        ("which machine do I grease first", "fleet_screening"),
        ("给2号风机写一份采购合同", ""),
        ("write a story about fan 2", ""),
        ("which machine learning course first", ""),
        ("pump up the volume", ""),
        ("诊断这台设备的轴承，6205，1500转", ""),
    ],
)
def test_a_named_machine_in_everyday_words_is_work_for_its_skill(message: str, skill: str, tmp_path: Path) -> None:
    assert fallback_claim(message, tmp_path) == skill


def test_with_an_attached_record_the_part_is_enough(tmp_path: Path) -> None:
    (tmp_path / "attachments").mkdir()
    (tmp_path / "attachments" / "001-pump.csv").write_text("0.1\n", "utf-8")
    assert fallback_claim("诊断这台设备的轴承，6205，1500转", tmp_path) == "bearing_diagnosis"
    assert fallback_claim("check the gear please", tmp_path) == "gear_diagnosis"
    assert fallback_claim("按城市汇总金额", tmp_path) == ""
