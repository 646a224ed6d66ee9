"""Milestones: every kind passes, fails with a sentence in two languages, or is refused at load."""

from pathlib import Path

import pytest

from metier.json_values import JsonObject, JsonValue
from metier.plans import CheckContext, CheckResult, PlanRun, check_milestone, read_plan
from tests.plans.support import plan

RESULT: JsonObject = {
    "summary": "RSRP 偏低，主因是下倾角过大",
    "rows": [{"cell": "A-1", "rsrp": -118}],
    "url": "https://example.org/report?id=7",
    "file": "out/报告.md",
}


def _checked(check: JsonObject, context: CheckContext | None = None, result: JsonValue = RESULT) -> CheckResult:
    made = plan({"id": "a", "call": "look"}, milestones=({"name": "m", "check": check},))
    run = PlanRun.start(made).record_result("a", result)
    return check_milestone(made.milestones[0], run, context or CheckContext())


PASSES: dict[str, JsonObject] = {
    "contains, whole result": {"kind": "contains", "text": "下倾角"},
    "contains, all of a list, any case and width": {
        "kind": "contains",
        "text": ["rsrp", "ＲＳＲＰ"],
        "of": "$.a.summary",
    },
    "regex": {"kind": "regex", "pattern": r"-1\d\d\b"},
    "json_schema": {"kind": "json_schema", "schema": {"required": ["rows"]}},
    "json_schema of a part": {"kind": "json_schema", "schema": {"type": "array", "minItems": 1}, "of": "$.a.rows"},
    "expr": {"kind": "expr", "expr": "$.a.rows[0].rsrp < `-110`"},
    "url_contains": {"kind": "url_contains", "text": "example.org"},
    "url_contains of a part": {"kind": "url_contains", "text": "id=7", "of": "$.a.url"},
    "tool_output": {"kind": "tool_output", "tool": "look"},
    "tool_output with words": {"kind": "tool_output", "tool": "look", "text": "下倾角"},
    "tool_output with an expression": {"kind": "tool_output", "tool": "look", "expr": "$.output.rows"},
}


@pytest.mark.parametrize("check", PASSES.values(), ids=PASSES.keys())
def test_a_check_passes(check: JsonObject) -> None:
    found = _checked(check)
    assert (found.passed, found.reason, found.suggestion) == (True, "as required", "")


FAILS: dict[str, tuple[JsonObject, str]] = {
    "contains": ({"kind": "contains", "text": ["RSRP", "天线"]}, "text_missing"),
    "contains in nothing": ({"kind": "contains", "text": "x", "of": "$.a.none"}, "nothing_to_check"),
    "regex": ({"kind": "regex", "pattern": "^SINR"}, "pattern_missing"),
    "regex in nothing": ({"kind": "regex", "pattern": "x", "of": "$.a.none"}, "nothing_to_check"),
    "json_schema": ({"kind": "json_schema", "schema": {"required": ["conclusion"]}}, "schema_misfit"),
    "expr": ({"kind": "expr", "expr": "$.a.rows[5]"}, "expression_false"),
    "file_exists without a workspace": ({"kind": "file_exists", "path": "out/a.md"}, "no_workspace"),
    "file_exists of nothing": ({"kind": "file_exists", "path": "$.a.none"}, "nothing_to_check"),
    "url_contains": ({"kind": "url_contains", "text": "example.com"}, "url_missing"),
    "tool_output of a tool that did not run": ({"kind": "tool_output", "tool": "other"}, "output_missing"),
    "tool_output with words": ({"kind": "tool_output", "tool": "look", "text": "天线"}, "text_missing"),
    "tool_output with an expression": (
        {"kind": "tool_output", "tool": "look", "expr": "$.output.x"},
        "expression_false",
    ),
}


@pytest.mark.parametrize(("check", "code"), FAILS.values(), ids=FAILS.keys())
def test_a_check_fails_with_a_reason_and_a_suggestion_in_both_languages(check: JsonObject, code: str) -> None:
    english, chinese = _checked(check), _checked(check, CheckContext(language="zh"))
    assert not english.passed
    assert english.why.code == chinese.why.code == code
    assert english.reason != chinese.reason
    assert english.suggestion
    assert chinese.suggestion
    assert "…" not in english.reason + english.suggestion + chinese.reason + chinese.suggestion


def test_a_failure_names_what_is_missing() -> None:
    found = _checked(FAILS["contains"][0], CheckContext(language="zh"))
    assert found.reason == '在$.a中没有找到 "天线"'
    assert found.suggestion == "请重新执行步骤 'a'，使结果包含 \"天线\""


def test_a_pattern_cannot_run_away() -> None:
    assert not _checked({"kind": "regex", "pattern": "^(a+)+$"}, result="a" * 50_000 + "b").passed


@pytest.mark.parametrize(
    ("path", "passed"),
    [("out/报告.md", True), ("$.a.file", True), ("out", False), ("out/none.md", False), ("link/secret.txt", False)],
    ids=["a path", "a path in the data", "a folder", "nothing there", "a link out of the workspace"],
)
def test_a_file_is_looked_for_in_the_workspace_only(tmp_path: Path, path: str, passed: bool) -> None:
    inside, outside = tmp_path / "in", tmp_path / "outside"
    (inside / "out").mkdir(parents=True)
    outside.mkdir()
    (inside / "out" / "报告.md").write_text("ok", "utf-8")
    (outside / "secret.txt").write_text("s", "utf-8")
    (inside / "link").symlink_to(outside)
    assert _checked({"kind": "file_exists", "path": path}, CheckContext(workspace=inside)).passed is passed


@pytest.mark.parametrize("path", ["/etc/passwd", "../x", "a/../../x", "C:/x", "a\\b", "\0", "", "x" * 5000, 5])
def test_a_path_from_the_data_that_leads_out_does_not_pass(tmp_path: Path, path: JsonValue) -> None:
    found = _checked({"kind": "file_exists", "path": "$.a.file"}, CheckContext(workspace=tmp_path), {"file": path})
    assert not found.passed


def test_outputs_and_the_open_address_come_from_the_context() -> None:
    context = CheckContext(url="https://example.net/", outputs={"other": {"n": 1}})
    assert _checked({"kind": "tool_output", "tool": "other", "expr": "$.output.n"}, context).passed
    assert _checked({"kind": "url_contains", "text": "example.net"}, context, {"rows": []}).passed
    assert not _checked({"kind": "url_contains", "text": "example.net", "of": "$.a.url"}, context, {}).passed


REFUSED: dict[str, tuple[JsonObject, str, str]] = {
    "no kind": ({"text": "a"}, "value_missing", ""),
    "an unknown kind": ({"kind": "contain", "text": "a"}, "check_unknown", "/kind"),
    "a custom kind": ({"kind": "custom"}, "check_unknown", "/kind"),
    "contains nothing": ({"kind": "contains"}, "value_missing", ""),
    "a pattern of nothing": ({"kind": "regex"}, "value_missing", ""),
    "contains a number": ({"kind": "contains", "text": 5}, "value_invalid", "/text"),
    "a key of another kind": ({"kind": "contains", "text": "a", "pattern": "b"}, "unknown_key", "/pattern"),
    "a broken pattern": ({"kind": "regex", "pattern": "("}, "pattern_unsafe", "/pattern"),
    "a pattern that looks around": ({"kind": "regex", "pattern": r"(?=a)(a)\1"}, "pattern_unsafe", "/pattern"),
    "a schema that is none": ({"kind": "json_schema", "schema": {"type": 5}}, "schema_invalid", "/schema"),
    "a schema with a wild pattern": (
        {"kind": "json_schema", "schema": {"pattern": r"(a)\1"}},
        "schema_invalid",
        "/schema",
    ),
    "an expression without a dollar": ({"kind": "expr", "expr": "a.b"}, "expression_invalid", "/expr"),
    "a subject that is none": ({"kind": "contains", "text": "a", "of": "a"}, "expression_invalid", "/of"),
    "a file without a path": ({"kind": "file_exists"}, "value_missing", ""),
    "a file elsewhere": ({"kind": "file_exists", "path": "/etc/passwd"}, "path_unsafe", "/path"),
    "a file above": ({"kind": "file_exists", "path": "a/../../b"}, "path_unsafe", "/path"),
    "a file on a drive": ({"kind": "file_exists", "path": "C:/a"}, "path_unsafe", "/path"),
    "an output of no tool": ({"kind": "tool_output"}, "value_missing", ""),
    "an output looked up elsewhere": ({"kind": "tool_output", "tool": "x", "expr": "$.a"}, "unknown_name", "/expr"),
}


@pytest.mark.parametrize(("check", "code", "path"), REFUSED.values(), ids=REFUSED.keys())
def test_a_check_that_could_not_work_is_refused_at_load(check: JsonObject, code: str, path: str) -> None:
    reading = read_plan({"steps": [{"id": "a"}], "milestones": [{"name": "m", "check": check}]})
    assert reading.plan is None
    assert [(problem.code, problem.path) for problem in reading.problems] == [(code, f"/milestones/0/check{path}")]
