"""Reports without a model."""

from pathlib import Path

import pytest

from metier.agent.models._builtin_report import render_plan_report, render_report, render_stop_report, to_markdown
from metier.json_values import JsonObject, JsonValue
from metier.skills import Skill, Source

STEPS = [{"title": "查根因", "saved": "cause", "ask": ""}, {"title": "确认", "saved": "sure", "ask": "要吗？"}]
DATA: JsonObject = {"message": "m", "inputs": {"region": "海淀"}, "cause": {"rows": [{"cell": "A1"}]}, "sure": True}


def skill(report: str | None = None) -> Skill:
    source = Source(Path("SKILL.md"), Path(), "agent-skill")
    return Skill("s", "S", "d", source, "0", metadata={} if report is None else {"report": report})


def test_the_template_of_the_skill_is_filled_in() -> None:
    made = render_report(skill("{$.inputs.region}：{$.cause.rows[0].cell}"), STEPS, DATA)
    assert made == "海淀：A1"


def test_a_template_that_adds_nothing_neither_denies_what_the_steps_said_nor_claims_success() -> None:
    told = {"goal": "Sheet charts", "data": {}, "said": ["Which column should the chart show?"]}
    assert render_plan_report(told, skill("{$.page.question}"), "en") == "The answer stands above."
    assert "nothing was changed" in render_plan_report({**told, "said": []}, skill("{$.page.question}"), "en")


@pytest.mark.parametrize(
    ("answer", "text"), [(False, "Write: nothing more was done."), (True, "The answer stands above.")]
)
def test_after_a_no_to_its_last_question_nobody_is_sent_to_look_for_a_result(answer: bool, text: str) -> None:
    told = {"goal": "Write", "steps": STEPS, "data": {"sure": answer}, "said": ["That part cannot be done."]}
    assert render_plan_report(told, skill("{$.written.summary}"), "en") == text


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("found: {$.nothing.here}", "found: –"),
        ("{{ 7 * 7 }} {% for x in y %}", "{{ 7 * 7 }} {% for x in y %}"),
        ("{0.__class__} {$inputs}", "{0.__class__} {$inputs}"),
        ("{$.cause.rows}", "| cell |\n|---|\n| A1 |"),
    ],
    ids=["missing", "jinja", "format", "table"],
)
def test_a_template_looks_up_paths_and_does_nothing_else(template: str, text: str) -> None:
    assert render_report(skill(template), STEPS, DATA) == text


def test_a_line_whose_step_was_skipped_is_left_out_and_the_others_stay() -> None:
    made = render_report(skill("{$.inputs.region}\n\n{$.skipped.summary}\n\n{$.cause.rows[0].cell}"), STEPS, DATA)
    assert made == "海淀\n\nA1"


def test_a_template_with_a_broken_path_still_gives_a_report() -> None:
    assert render_report(skill("a {$.[[[}"), STEPS, DATA) == "a –"


def test_without_a_template_the_last_result_is_shown_and_not_an_answer() -> None:
    assert render_report(skill(), STEPS, DATA) == "**查根因**\n\n| cell |\n|---|\n| A1 |"


SEEN: dict[str, tuple[JsonObject, str, str]] = {
    "a table and more": ({"table": {"rows": [{"a": 1}]}, "n": 3}, "- **n**: 3\n\n见上方表格。", "See above: table."),
    "nothing else": ({"tables": [{"rows": []}]}, "见上方表格。", "See above: table."),
    "all of them": (
        {"summary": "好", "charts": [{"x": 1}], "file": {"path": "a.csv"}, "files": [{"path": "b.csv"}]},
        "好\n\n见上方图表、文件。",
        "See above: chart, file.",
    ),
    "a word of that name": ({"file": "a.csv", "n": 3}, "- **file**: a.csv\n- **n**: 3", "- **n**: 3"),
}


@pytest.mark.parametrize(("found", "chinese", "english"), SEEN.values(), ids=SEEN)
def test_what_the_user_has_seen_already_is_only_pointed_to(found: JsonObject, chinese: str, english: str) -> None:
    data: JsonObject = {"cause": found}
    assert render_report(skill(), STEPS, data, "zh") == f"**查根因**\n\n{chinese}"
    assert render_report(skill(), STEPS, data, "en").endswith(english)


def test_a_template_shows_the_table_it_names() -> None:
    assert (
        render_report(skill("{$.cause.table.rows}"), STEPS, {"cause": {"table": {"rows": [{"a": 1}]}}})
        == "| a |\n|---|\n| 1 |"
    )


def test_without_results_there_is_nothing_to_say() -> None:
    assert render_report(None, STEPS, {"cause": {}, "sure": True}) == ""


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("text", "text"),
        (None, "–"),
        (True, "True"),
        ({"state": "ok"}, "ok"),
        ({"a": 1, "b": [1, 2]}, "- **a**: 1\n- **b**:\n\n- 1\n- 2\n"),
        ([{"a": "x|y"}], "| a |\n|---|\n| x\\|y |"),
        ([], ""),
    ],
)
def test_any_json_can_be_read(value: JsonValue, text: str) -> None:
    assert to_markdown(value) == text


def test_a_long_table_says_how_many_rows_there_are() -> None:
    assert to_markdown([{"n": number} for number in range(50)]).endswith("… 50")


@pytest.mark.parametrize(
    ("why", "told"),
    [
        ("not_found: 没有文件 a.csv。 (did you mean 'b.csv'?)", "没有文件 a.csv。是不是 b.csv？"),
        ("not_found: 没有文件 a.csv。 (attach the file)", "没有文件 a.csv。"),
        ("not_found: 没有文件 a.csv。 (请附上)", "没有文件 a.csv。 (请附上)"),
        ("not_found: there is no file a.csv (attach it)", "there is no file a.csv (attach it)"),
    ],
)
def test_a_plan_that_stopped_says_why_in_one_language(why: str, told: str) -> None:
    assert told in render_stop_report({"goal": "数据分析", "why": why}, "zh")
    assert not render_stop_report({"goal": "数据分析", "why": why}, "zh").replace(told, "").endswith(")")
