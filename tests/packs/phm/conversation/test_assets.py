"""Which record a message means."""

from pathlib import Path

from metier.packs.phm.conversation import match_asset
from metier.packs.phm.conversation._assets import ASSET_LABELS, GEAR_SAMPLE, list_options, name_report
from metier.packs.phm.samples import list_samples


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


def test_a_bare_number_after_a_machine_means_the_one_that_has_it() -> None:
    for said, asset in (
        ("1号呢", "pump"),
        ("那三号怎么样？", "motor"),
        ("and number 2?", "fan"),
        ("what about no. 4", "blower"),
    ):
        assert match_asset(said, None, "conveyor").asset == asset, said
    assert match_asset("9号呢", None, "conveyor").unknown == "9号呢"
    assert match_asset("1号呢", None, "").asset == ""  # nothing was on screen before
    assert match_asset("转速1750", None, "conveyor").asset == "conveyor"


def test_an_attached_file_has_the_name_that_its_user_gave_it(tmp_path: Path) -> None:
    (tmp_path / "001-我的泵.csv").write_text("acc\n0.1\n0.2\n", "utf-8")
    labels = [one["label"] for one in list_options(tmp_path, "zh") if isinstance(one, dict)]
    assert labels[0] == "我的泵.csv"
    assert name_report("001-我的泵.csv") == "report-我的泵.html"
    assert name_report("pump") == "report-pump.html"


def test_every_shipped_record_has_a_name_for_people_in_both_languages() -> None:
    codes = {*list_samples(), GEAR_SAMPLE, "trend"}
    assert set(ASSET_LABELS) == codes
    assert not [one for one in ASSET_LABELS.values() if not isinstance(one, dict) or codes & set(one.values())]


def test_of_several_machines_the_first_is_taken_and_the_others_are_told() -> None:
    cases = {
        "诊断1号泵的轴承，顺便看看2号风机": ("pump", ("fan",)),
        "compare conveyor 5 with motor 3 and pump 1": ("conveyor", ("motor", "pump")),
        "4号鼓风机和2号风机哪个坏": ("blower", ("fan",)),
        "不是1号泵，是2号风机": ("fan", ()),
        "1号泵，不对，2号风机": ("fan", ()),
        "not pump 1 but fan 2": ("fan", ()),
        "check pump 1, sorry, motor 3": ("motor", ()),
        "诊断1号泵，再看看9号风机": ("pump", ()),
        "pump 1 at 1560 rpm": ("pump", ()),
        "4号鼓风机": ("blower", ()),
    }
    found = {text: match_asset(text, None) for text in cases}
    assert {text: (one.asset, one.others) for text, one in found.items()} == cases
