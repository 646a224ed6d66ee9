"""A machine that is named and has no data is asked about; a sample says so before its finding."""

from pathlib import Path

import pytest

from metier.pack import pack_skill_roots, select_packs
from metier.packs.phm.conversation._tools import analyse_gear, describe_gear_record, follow_trend
from metier.settings import Settings
from metier.skills import open_skill_library
from metier.tools import ToolContext

READS_A_RECORD = {"find_record", "describe_gear_record"}
TAKES_EVERY_MACHINE = {"fleet_screening"}


def test_every_skill_that_looks_for_a_record_asks_about_a_machine_without_one() -> None:
    settings = Settings(skills_dir=(), packs=("phm",))
    catalog = open_skill_library(settings, pack_skill_roots(select_packs(settings).found)).catalog()
    looking = [one for one in catalog if any(step.get("call") in READS_A_RECORD for step in one.sop)]
    asking = {
        one.id
        for one in looking
        if any("unknown_machine" in str(step.get("when")) and "ask" in step for step in one.sop)
    }
    assert {one.id for one in looking} - asking == TAKES_EVERY_MACHINE


@pytest.mark.parametrize("message", ["诊断3号泵的齿轮", "9号齿轮箱有没有断齿", "gear of pump 7", "check gearbox 4"])
def test_a_gear_of_a_named_machine_is_not_replaced_by_the_sample(tmp_path: Path, message: str) -> None:
    found = describe_gear_record(ToolContext(tmp_path, "c"), message)
    assert (found.data or {})["unknown_machine"]


@pytest.mark.parametrize("message", ["齿轮有没有断齿", "23齿，1200转", "check the gear with 23 teeth at 1200 rpm"])
def test_a_gear_without_a_machine_is_the_sample(tmp_path: Path, message: str) -> None:
    found = describe_gear_record(ToolContext(tmp_path, "c"), message)
    assert (found.data or {})["unknown_machine"] is None


def test_a_file_of_the_user_stands_for_the_machine_that_is_named(tmp_path: Path) -> None:
    (tmp_path / "gear.csv").write_text("\n".join(f"{n % 7}.5" for n in range(4000)), "utf-8")
    found = describe_gear_record(ToolContext(tmp_path, "c"), "诊断3号泵的齿轮")
    assert (found.data or {})["unknown_machine"] is None


def test_a_sample_says_so_before_its_finding(tmp_path: Path) -> None:
    context = ToolContext(tmp_path, "c")
    gear = analyse_gear(context, "gearbox", rpm=1200.0, fs=12000.0, teeth=23, language="en")
    trend = follow_trend(context, "", language="zh")
    assert str((gear.data or {})["summary"]).startswith("Sample gearbox (simulated")
    assert str((trend.data or {})["summary"]).startswith("示例趋势（仿真")
