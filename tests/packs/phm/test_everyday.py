"""Everyday words about a machine lead to the skill that answers them."""

from pathlib import Path

import pytest

from metier.packs.phm import claim, fallback_claim

MACHINES = ("1号泵", "3#电机", "风机2", "4号鼓风机", "pump 1", "Motor no. 3")
NOT_ABOUT_A_MACHINE = """
哪一年最差|哪一个选项有问题|哪几个小区有问题|哪台服务器坏了|哪台设备的销售额最差|这几台的销售情况有问题
应该先看哪一本书|先去哪一家餐厅|哪一个方案先做|我的牙哪一颗坏了|哪一天去办签证不急
which machine at the gym is the worst|所有机器人电影里先看哪个|哪台电脑先修|哪台车最差|哪台设备先买
what machine learning model is worst|which machine gun came first|哪几台手机有问题|全部设备的发票有问题
检查一下1号电机的会议纪要有没有问题|总结这份关于2号电机故障的文档|把表里3号泵那行删掉，检查一下
把文档里的‘2号风机故障’改成‘2号风机正常’|replace 'pump 1 broken' with 'pump 1 fine' in the document
提醒我明天检查3号泵|remind me to check pump 3 tomorrow|Check the invoice for motor 2|统计2号风机的故障次数
search the web for motor 3 noise standards|停掉3号泵看看|昨天梦见1号泵坏了|Is my fan 1 club fine?
2号风机的齿轮油多少钱|1号泵的轴承是什么型号|3号电机的操作工张师傅最近情况如何|check the paint colour of pump 1
1号泵房的情况怎么样|3号电机厂怎么样|Stefan 3 looks fine|这个水泵3年质保怎么样|电机3千瓦的噪声大不大
这个泵5万块，情况如何|泵2台的库存情况如何|fan 5 years how long does it last|电机3kW噪声大不大|motor 5 kW noise
pump 3 units broken|风机2个坏了|pump 3in1 sounds fine|马达5%的故障|我的牙齿坏了怎么办|齿科诊所怎么样，正常吗
how is the arms race going|race results look fine|check my camping gear
给1号泵拍张照看看|3号泵是谁负责检修的|帮我查3号电机的供应商|预约3号泵检查|1号泵的颜色正常吗|哪台跑步机先换|哪个机器人坏了
how is the pump 1 project going|which machine has the best coffee, first|画一张2号风机振动的图|1号泵的振动是什么意思
bearing in mind the state of things
"""


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
        ("1号泵还好吗", "bearing_diagnosis"),
        ("does fan 2 have a damaged outer race?", "bearing_diagnosis"),
        ("4号鼓风机的齿轮断齿了吗", "gear_diagnosis"),
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


@pytest.mark.parametrize("message", NOT_ABOUT_A_MACHINE.strip().replace("\n", "|").split("|"))
def test_what_is_not_about_the_condition_of_a_machine_is_left_to_others(message: str, tmp_path: Path) -> None:
    (tmp_path / "notes.csv").write_text("0.1\n", "utf-8")
    assert fallback_claim(message, tmp_path) == ""


@pytest.mark.parametrize("machine", MACHINES)
def test_other_work_about_a_named_machine_is_left_to_others(machine: str, tmp_path: Path) -> None:
    assert fallback_claim(f"{machine} 怎么样", tmp_path) == "bearing_diagnosis"
    assert fallback_claim(f"how is {machine}?", tmp_path) == "bearing_diagnosis"
    others = ("{}的发票有问题", "明天提醒我检查{}", "search the web for {} faults", "delete the row of {}, check it")
    assert [other for other in others if fallback_claim(other.format(machine), tmp_path)] == []


@pytest.mark.parametrize("message", ["哪台设备最差", "先修哪台", "哪一台机器最该关注", "which machine is worst"])
def test_a_question_about_all_machines_is_for_the_fleet(message: str, tmp_path: Path) -> None:
    assert fallback_claim(message, tmp_path) == "fleet_screening"


@pytest.mark.parametrize(
    "message", ["转速是1480", "不对，转速是1480转", "转速30Hz", "the speed is 1480 rpm", "转速改成1500"]
)
def test_a_message_with_nothing_but_a_speed_is_a_diagnosis_with_it(message: str, tmp_path: Path) -> None:
    assert claim(message, tmp_path) == "bearing_diagnosis"


@pytest.mark.parametrize("message", ["转速是多少", "转速高于1500的有哪些", "the speed is too high", "把转速写进表里"])
def test_a_question_about_a_speed_is_none(message: str, tmp_path: Path) -> None:
    assert claim(message, tmp_path) == ""


def test_a_velocity_without_a_machine_is_looked_up(tmp_path: Path) -> None:
    assert fallback_claim("振动4.5mm/s正常吗", tmp_path) == "vibration_value"
    assert fallback_claim("what does 7.1 mm/s mean for a motor?", tmp_path) == "vibration_value"
    assert fallback_claim("风速 3 m/s 的天气怎么样", tmp_path) == ""
