"""The suite of models: right answers score full marks, recorded ones are labelled, and nothing incomplete runs."""

import asyncio
import re
from datetime import date
from pathlib import Path

import pytest

from metier.agent import RecordedReply
from metier.bench import COLUMNS, Figure, pivot
from metier.bench.models import (
    KINDS,
    RECORDED_MODES,
    RecordedAnswers,
    ScriptedAnswers,
    StageOutcome,
    ask_forbidden,
    choose_skills,
    combine_with_router,
    count_router_right,
    fill_arguments,
    hold_conversation,
    list_stale,
    read_recordings,
    run_cut_calls,
    to_figures,
)
from metier.bench.models import _incomplete as incomplete
from metier.bench.models._answers import script_replies
from metier.bench.models._data import read_arguments, read_catalog, read_choices, read_refusals
from metier.bench.models._measure import ColumnResults
from metier.bench.models._page import render_figures, render_without_stale
from metier.bench.models._recordings import Kind
from metier.packs.telecom.twin.tuning import _search

ROOT = Path(__file__).parents[3]
MODES = ("schema", "native", "text")


@pytest.fixture
def _short_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """A network's parameters are searched for in few cells: whether numbers are true does not depend on how many."""
    monkeypatch.setattr(_search, "_MAX_CELLS", 2)
    monkeypatch.setattr(_search, "_PASSES", 1)


def test_there_are_enough_messages_in_both_languages_and_enough_for_no_skill() -> None:
    choices = read_choices()
    assert len(choices) >= 60
    assert {one.lang for one in choices} == {"zh", "en"}
    assert {one.skill for one in choices} == {"", *(skill.id for skill in read_catalog())}
    assert sum(not one.skill for one in choices) >= 15


@pytest.mark.parametrize("mode", MODES)
def test_a_model_without_mistakes_loses_nothing_in_decoding(mode: str) -> None:
    answers = ScriptedAnswers()
    for outcomes in (choose_skills(answers, mode), fill_arguments(answers, mode)):  # type: ignore[arg-type]
        assert [one.id for one in outcomes if not one.is_right] == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_recording_is_labelled_and_answers_a_question(kind: Kind) -> None:
    rows = read_recordings(kind)
    asked = {one.id: one.text for one in read_choices()} | {one.id: one.text for one in read_arguments()}
    asked |= {one.id: one.text for one in read_refusals()}
    assert rows
    for row in rows:
        assert row.model == "qwen2.5-coder-1.5b-instruct-q4_k_m"
        assert date.fromisoformat(row.date) <= date(2100, 1, 1)
        assert row.licence == "Apache-2.0"
        assert row.mode in RECORDED_MODES[row.kind]
        assert row.kind == "conversations" or row.message == asked[row.id]
        assert all(reply.input_tokens and reply.end in {"stop", "length", "tool_calls"} for reply in row.replies)


@pytest.fixture(scope="module")
def recorded() -> ColumnResults:
    """What the recordings of single stages come to today."""
    answers, results = RecordedAnswers(), ColumnResults("recorded")
    for mode in RECORDED_MODES["choice"]:
        results.choices[mode] = tuple(choose_skills(answers, mode))
    for mode in RECORDED_MODES["arguments"]:
        results.arguments[mode] = tuple(fill_arguments(answers, mode))
        results.refusals[mode] = tuple(asyncio.run(ask_forbidden(answers, mode)))
    return results


def test_the_page_names_every_recording_that_answers_another_prompt_than_todays(recorded: ColumnResults) -> None:
    """A prompt that changed makes its recordings stale: record them anew, or let the page say so."""
    page = (ROOT / "docs" / "benchmarks" / "models.md").read_text("utf-8")
    named = set(re.findall(r"`((?:choice|arguments|refusals) \w+ [\w-]+)`", page))
    assert set(list_stale(recorded)) == named, "`metier bench models --page docs/benchmarks/models.md` names them"


def test_the_page_shows_the_figures_with_and_without_answers_to_another_prompt() -> None:
    case = next(one.id for one in read_choices() if one.skill)
    right, wrong = (StageOutcome(case, is_right=ok, is_same_prompt=not ok) for ok in (True, False))
    results = ColumnResults("recorded", choices={"text": (right, wrong), "native": (wrong,)})
    page = render_without_stale([results])
    assert "| skill chosen, text | 1 of 2 | 0 of 1 |" in page
    assert "native" not in page
    results.choices["native"] = (right,)
    assert "| skill chosen, native | 1 of 1 | none of today's prompt |" in render_without_stale([results])
    assert render_without_stale([ColumnResults("recorded", choices={"text": (wrong,)})]) == ""


def test_tokens_are_counted_as_the_recorded_model_counts_them(recorded: ColumnResults) -> None:
    stages = (recorded.choices, recorded.arguments, recorded.refusals)
    asked = [one for stage in stages for outcomes in stage.values() for one in outcomes if one.is_same_prompt]
    off = {one.id: one.counted_tokens / (one.endpoint_tokens or 1) - 1 for one in asked}
    assert {name: share for name, share in off.items() if abs(share) > 0.03} == {}


def test_under_a_schema_the_recorded_model_invented_no_skill(recorded: ColumnResults) -> None:
    outcomes = recorded.choices["schema"]
    assert len(outcomes) == len(read_choices())
    assert [one.id for one in outcomes if one.is_foreign] == []


def test_router_and_recorded_model_together_are_better_than_either(recorded: ColumnResults) -> None:
    outcomes = recorded.choices["schema"]
    model = sum(one.is_right for one in outcomes)
    assert combine_with_router(outcomes, ["suggest"]) > max(model, count_router_right(outcomes))


def test_under_a_schema_the_recorded_model_named_no_forbidden_tool(recorded: ColumnResults) -> None:
    outcomes = recorded.refusals["schema"]
    assert len(outcomes) == len(read_refusals())
    assert [one.id for one in outcomes if one.is_foreign] == []


def test_without_a_schema_the_same_model_named_them(recorded: ColumnResults) -> None:
    outcomes = recorded.refusals["native"]
    assert sum(one.is_foreign for one in outcomes) > len(outcomes) // 2


@pytest.mark.parametrize("mode", MODES)
async def test_no_call_that_broke_off_runs(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(incomplete, "CUTS", 2)
    cut = await run_cut_calls(ScriptedAnswers(), [mode])  # type: ignore[list-item]
    assert (cut.turns, cut.executed) == (2 * len(read_arguments()), 0)


@pytest.mark.parametrize("mode", MODES)
async def test_the_same_call_runs_when_it_is_whole(mode: str) -> None:
    replies = script_replies("arguments", "cells-1", mode)  # type: ignore[arg-type]
    assert await incomplete.count_executed(mode, [*replies]) > 0  # type: ignore[arg-type]


@pytest.mark.usefixtures("_short_search")
async def test_a_recorded_report_shows_no_number_that_is_in_no_result() -> None:
    stage = RecordedAnswers().model_for("conversations", "en-pudong-no", "schema")
    held = await hold_conversation("en-pudong-no", stage)
    assert held.unknown == ()
    assert held.score.failed == ()
    assert held.model_calls == 1


@pytest.mark.usefixtures("_short_search")
async def test_a_right_number_is_shown_even_if_the_template_has_it_with_fewer_digits() -> None:
    held = await hold_conversation(
        "zh-chaoyang-weak", ScriptedAnswers().model_for("conversations", "zh-chaoyang-weak", "schema")
    )
    assert held.refused == ()
    assert "54.65 %" in held.answer


@pytest.mark.usefixtures("_short_search")
async def test_a_false_number_is_found_and_the_report_replaced() -> None:
    answers = ScriptedAnswers().model_for("conversations", "zh-chaoyang-no", "schema")
    assert answers is not None
    answers.recorded.take_replies()
    answers.recorded.add(RecordedReply("朝阳区共 777 个小区弱覆盖。"))
    held = await hold_conversation("zh-chaoyang-no", answers)
    assert held.refused == ("777",)
    assert held.unknown == ()
    assert "777" not in held.answer


def test_recorded_answers_to_other_prompts_are_counted() -> None:
    asked = [StageOutcome("a", True, is_same_prompt=True), StageOutcome("b", True)]
    results = ColumnResults("recorded", arguments={"schema": tuple(asked)})
    first = next(iter(to_figures(results)))
    assert (first.value, first.samples, first.ok) == (1, 2, False)


def test_columns_stand_side_by_side_and_one_that_was_not_run_says_so() -> None:
    figures = [
        Figure("models", "right", 66, 57, 66, unit="of 66", more=True, column="scripted"),
        Figure("models", "right", 50, 57, 66, unit="of 66", more=True, column="recorded"),
        Figure("models", "seen", 3, None, 8, unit="of 8", column="recorded"),
    ]
    assert pivot(figures, COLUMNS) == [
        ("right", "66 of 66 ✓", "50 of 66 ✗", "not run", "> 57 of 66"),
        ("seen", "–", "3 of 8", "not run", ""),
    ]
    assert "| right | 66 of 66 ✓ | 50 of 66 ✗ | not run | > 57 of 66 |" in render_figures(figures)
