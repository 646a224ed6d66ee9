"""Which skill a question about a figure is work for, and which messages only change a parameter."""

import pytest

from metier.packs.phm.requests import find_asked_skill, find_changes, find_follow_up_skill, list_rated

ASKED = {
    "6205 轴承 1797 rpm 的 BPFO 和 BPFI 是多少": "fault_frequencies",
    "fault frequencies of a 22220 bearing at 1480 rpm": "fault_frequencies",
    "2号风机的BPFI是多少": "fault_frequencies",
    "BPFO是什么意思": "",
    "what is BPFO": "",
    "1号泵的峭度是多少": "record_values",
    "峭度的含义": "",
    "峭度 5.2 正常吗": "vibration_value",
    "is a kurtosis of 5.2 normal?": "vibration_value",
    "峰值因子 6 高不高": "vibration_value",
    "诊断轴承，6205，1797转，通道2": "bearing_diagnosis",
    "Diagnose the bearing, 6205, 1797 rpm": "bearing_diagnosis",
    "检查6205号订单": "",
    "检查轴承采购合同 6205": "",
    "销售额的标准差是多少": "",
    "把标题改成 1500": "",
}
CHANGES = {
    "转速改成 1500 呢": {"speed"},
    "按转速1750转": {"speed"},
    "and at 1500 rpm?": {"speed"},
    "换成 6206": {"bearing"},
    "what if the speed is 1480 rpm and the bearing 6203": {"speed", "bearing"},
    "采样率改成 25.6 kHz": {"rate"},
    "齿数改成 25 呢": {"teeth"},
    "只用前2秒": {"part"},
    "without filter": {"part"},
    "对整个数据再来一次": {"part"},
    "谢谢": set(),
    "2号风机呢": set(),
    "转速是多少": set(),
    "把标题改成 1500": set(),
    "今天去超市买1500个": set(),
}


@pytest.mark.parametrize(("message", "skill"), ASKED.items(), ids=list(ASKED))
def test_a_question_about_a_figure_finds_its_skill(message: str, skill: str) -> None:
    assert find_asked_skill(message) == skill


@pytest.mark.parametrize(("message", "kinds"), CHANGES.items(), ids=list(CHANGES))
def test_a_message_that_only_changes_parameters_is_known(message: str, kinds: set[str]) -> None:
    assert find_changes(message) == kinds


@pytest.mark.parametrize(
    ("message", "skill", "found"),
    [
        ("BPFO 是多少 Hz", "bearing_diagnosis", "fault_frequencies"),
        ("峭度是多少", "bearing_diagnosis", "record_values"),
        ("RMS?", "bearing_diagnosis", "record_values"),
        ("what is the crest factor?", "bearing_diagnosis", "record_values"),
        ("峭度的含义", "bearing_diagnosis", ""),
        ("and at 1500 rpm?", "record_values", "bearing_diagnosis"),
        ("只用前2秒", "record_values", "record_values"),
        ("6203 轴承呢", "fault_frequencies", "fault_frequencies"),
    ],
)
def test_after_an_analysis_values_and_changes_are_work_for_steps(message: str, skill: str, found: str) -> None:
    assert find_follow_up_skill(message, skill, has_record=True) == found


def test_an_excess_kurtosis_is_counted_from_three() -> None:
    assert list_rated("超额峭度 0.2 正常吗") == [("kurtosis", 3.2, "")]
    assert list_rated("RMS 2.3 g 正常吗") == [("rms", 2.3, "g")]
