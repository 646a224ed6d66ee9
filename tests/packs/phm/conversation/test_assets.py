"""Which record a message means."""

from metier.packs.phm.conversation import match_asset


def test_a_machine_without_a_record_is_told_and_never_another_one_is_taken() -> None:
    known = {
        "诊断1号泵的轴承": "pump",
        "4号鼓风机的轴承正常吗": "blower",
        "五号输送机": "conveyor",
        "motor no. 3": "motor",
        "pump 1 at 1797 rpm": "pump",
        "泵 1797 rpm": "pump",
        "fan 2 sampled at 12 khz": "fan",
        "再诊断一次": "rig",
    }
    unknown = {
        "诊断5号泵的轴承": "5号泵",
        "7号风机轴承坏了吗": "7号风机",
        "三号泵响": "三号泵",
        "fan 9, please": "fan 9",
        "is motor 1 ok?": "motor 1",
        "pump 3 is making a noise": "pump 3",
    }
    found = {text: match_asset(text, None, "rig") for text in (*known, *unknown)}
    assert {text: found[text].asset for text in known} == known
    assert {text: found[text].unknown for text in unknown} == unknown
    assert {found[text].asset for text in unknown} == {""}
