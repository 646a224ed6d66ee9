"""Checks of what work leaves behind: a file that opens, sources that hold, a run after the last write."""

from pathlib import Path
from zipfile import ZipFile

import pytest

from metier.json_values import JsonObject, JsonValue
from metier.plans import CallRecord, CheckContext, CheckResult, PlanRun, check_milestone, read_plan, record_call
from tests.plans.support import plan

PLACE: JsonObject = {"source": "电池.md", "line": "3"}
REPORT: JsonObject = {
    "findings": [
        {"text": "销量为 120 万辆。", "ids": [1]},
        {"text": "“渗透率达到 31%”。", "ids": [2]},
    ],
    "evidence": [
        {"id": 1, "text": "全年销量为 120 万辆。", "place": PLACE},
        {"id": 2, "text": "渗透率达到 31%", "place": {"source": "市场.md", "line": "9"}},
    ],
}


def _check(check: JsonObject, result: JsonValue, context: CheckContext, message: str = "") -> CheckResult:
    made = plan({"id": "a", "call": "look"}, milestones=({"name": "m", "check": check},))
    run = PlanRun.start(made, {"message": message}).record_result("a", result)
    return check_milestone(made.milestones[0], run, context)


def _pack(path: Path, *names: str) -> None:
    with ZipFile(path, "w") as packed:
        for name in names:
            packed.writestr(name, "<x/>")


def test_a_file_is_valid_if_it_opens_and_is_long_enough(tmp_path: Path) -> None:
    _pack(tmp_path / "deck.pptx", "ppt/presentation.xml", "ppt/slides/slide1.xml", "ppt/slides/slide2.xml")
    (tmp_path / "rows.csv").write_text("a,b\n1,2\n3,4\n", "utf-8")
    (tmp_path / "gbk.csv").write_bytes("甲,乙\n1,2\n".encode("gb18030"))
    (tmp_path / "fake.pptx").write_text("not a deck", "utf-8")
    (tmp_path / "cut.pptx").write_bytes((tmp_path / "deck.pptx").read_bytes()[:80])
    (tmp_path / "cut.pdf").write_bytes(b"%PDF-1.7\n...")
    (tmp_path / "empty.md").write_bytes(b"")
    expected = {
        ("deck.pptx", 2): "check_passed",
        ("deck.pptx", 3): "file_too_short",
        ("rows.csv", 2): "check_passed",
        ("gbk.csv", 1): "check_passed",
        ("fake.pptx", 1): "file_invalid",
        ("cut.pptx", 1): "file_invalid",
        ("cut.pdf", 1): "file_invalid",
        ("empty.md", 1): "file_invalid",
        ("none.pdf", 1): "file_missing",
    }
    context = CheckContext(tmp_path, language="zh")
    found = {
        (name, least): _check({"kind": "file_valid", "path": name, "min": least}, {}, context)
        for name, least in expected
    }
    assert {key: one.why.code for key, one in found.items()} == expected
    assert found["deck.pptx", 3].reason == "文件 'deck.pptx' 只有 2 张幻灯片，至少需要 3"
    assert found["fake.pptx", 1].reason == "文件 'fake.pptx' 打不开：内容与文件类型不符"


def test_sources_count_only_if_the_ledger_bears_them_out() -> None:
    context = CheckContext()
    findings = REPORT["findings"]
    assert isinstance(findings, list)
    invented: JsonObject = {**REPORT, "findings": [*findings, {"text": "明年将达 500 万辆。", "ids": [1]}]}
    unknown: JsonObject = {**REPORT, "findings": [{"text": "如此。", "ids": [9]}]}
    cases: list[tuple[JsonValue, int, str]] = [
        (REPORT, 2, "check_passed"),
        ({"research_report": REPORT}, 2, "check_passed"),
        (REPORT, 3, "sources_too_few"),
        (invented, 1, "sources_unverified"),
        (unknown, 1, "sources_unverified"),
        ({"text": "no evidence"}, 1, "sources_unreadable"),
    ]
    found = [_check({"kind": "sources", "min": least}, value, context).why.code for value, least, _ in cases]
    assert found == [code for _, _, code in cases]


def test_the_exit_code_is_that_of_a_run_after_the_last_write_with_the_tests_untouched() -> None:
    def write(path: str) -> CallRecord | None:
        return record_call("write_file", {"path": path}, {}, writes=True)

    def run(code: int) -> CallRecord | None:
        return record_call("run_tests", {}, {"exit_code": code}, writes=True)

    mend = "修好它，别动测试"
    cases = {
        "run_missing": ([write("a.py")], mend),
        "run_before_write": ([run(0), write("a.py")], mend),
        "exit_code_wrong": ([write("a.py"), run(1)], mend),
        "tests_changed": ([write("tests/test_a.py"), run(0)], mend),
        "check_passed": ([run(1), write("a.py"), run(0)], mend),
    }
    asked = ([write("tests/test_a.py"), run(0)], "给 a.py 补几个测试")
    told = {}
    for code, (calls, message) in {**cases, "asked": asked}.items():
        context = CheckContext(calls=[one for one in calls if one is not None])
        told[code] = _check({"kind": "exit_code"}, {}, context, message).why.code
    assert told == {**{code: code for code in cases}, "asked": "check_passed"}
    assert record_call("read_file", {"path": "a.py"}, {}, writes=False) is None


@pytest.mark.parametrize(
    "check",
    [
        {"kind": "file_valid"},
        {"kind": "file_valid", "path": "../a.pdf"},
        {"kind": "file_valid", "path": "a.pdf", "min": -1},
        {"kind": "sources", "min": "two"},
        {"kind": "exit_code", "tests": "no"},
    ],
)
def test_options_that_mean_nothing_are_refused_at_load(check: JsonObject) -> None:
    step: JsonObject = {"id": "a", "call": "look"}
    milestone: JsonObject = {"name": "m", "after": "a", "check": check}
    found = read_plan({"goal": "g", "steps": [step], "milestones": [milestone]})
    assert found.plan is None or found.problems
