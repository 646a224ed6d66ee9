"""A pack's own bench: cases are read strictly, and judged by what the conversation showed."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from metier.bench import read_cases, run_cases
from metier.bench._pack_checks import EXPECTATIONS, Transcript, check
from metier.errors import InvalidPack
from metier.pack import BilingualText, Pack, read_pack
from metier.settings import Settings
from metier.store import Event

_TOML = 'id = "bells"\nversion = "1"\ntitle = "钟"\ndescription = "敲钟"\nskills = "skills"\nbench = "bench"\n'
_SKILL = """---
name: ring
title: 敲钟
description: 问几下，然后敲钟
triggers: [敲钟]
examples: [帮我敲钟, 敲钟三下, ring the bell]
allowed_tools: [get_current_time]
sop:
  - {id: times, ask: 敲几下？, answer: {type: integer}}
  - {id: now, title: 看时间, call: get_current_time}
metadata: {report: "敲了 {$.times} 下"}
---

敲钟。
"""
_GOOD = """{"cases": [{"id": "ring", "turns": [{"say": "帮我敲钟"}, {"answer": 3}], "expect": {"skill": "ring",
 "tools": ["get_current_time"], "asked": ["敲几下？"], "said": "敲了 3 下", "pauses": ["question"],
 "ends": "turn.done"}}]}"""


def _pack(folder: Path, cases: str) -> Pack:
    for name in ("skills", "bench"):
        (folder / name).mkdir(parents=True)
    (folder / "pack.toml").write_text(_TOML, "utf-8")
    (folder / "skills" / "ring.md").write_text(_SKILL, "utf-8")
    (folder / "bench" / "cases.json").write_text(cases, "utf-8")
    return read_pack(folder)


async def test_a_case_runs_from_question_to_report(tmp_path: Path) -> None:
    pack = _pack(tmp_path / "bells", _GOOD)
    settings = Settings(skills_dir=(), storage_dir=tmp_path / "storage", embedder="none")
    score = await run_cases([pack], settings)
    assert [one.failed for one in score.cases] == [()]
    assert (score.passed, score.checks, score.model) == (1, 1.0, "builtin")
    assert not (tmp_path / "storage").exists()  # what a bench leaves behind is thrown away


async def test_a_case_that_fails_says_what_and_costs_only_itself(tmp_path: Path) -> None:
    wrong = _GOOD.replace('"敲几下？"', '"敲多久？"').replace('"skill": "ring"', '"skill": "sing"')
    pack = _pack(tmp_path / "bells", wrong)
    settings = Settings(skills_dir=(), storage_dir=tmp_path / "storage", embedder="none")
    score = await run_cases([pack], settings)
    assert score.passed == 0
    assert score.cases[0].failed == (
        "skill: 'ring', not 'sing'",
        "asked: '敲多久？' is not among ['敲几下？']",
    )


@pytest.mark.parametrize(
    ("cases", "said"),
    [
        pytest.param("[", "cannot be read", id="not JSON"),
        pytest.param("[]", "has no cases", id="a list"),
        pytest.param('{"cases": []}', "has no bench cases", id="none"),
        pytest.param('{"cases": [{"id": 1}]}', "is no case", id="no id"),
        pytest.param('{"cases": [{"id": "a", "turns": [], "expect": {"ends": "x"}}]}', "turns is wrong", id="no turns"),
        pytest.param(
            '{"cases": [{"id": "a", "turns": [{"say": 1}], "expect": {"ends": "x"}}]}', "turns", id="odd turn"
        ),
        pytest.param(
            '{"cases": [{"id": "a", "turns": [{"say": "b"}], "expect": {"mood": 1}}]}', "expect", id="unknown"
        ),
        pytest.param(_GOOD[:-2] + ", " + _GOOD[11:], "two cases are called 'ring'", id="twice"),
    ],
)
def test_cases_that_cannot_be_read_are_refused(tmp_path: Path, cases: str, said: str) -> None:
    with pytest.raises(InvalidPack, match=said):
        read_cases(_pack(tmp_path / "bells", cases))


@pytest.mark.parametrize("values", ["no_such_pack:value", "json:no_such_function"])
async def test_values_that_nobody_gives_are_a_fault_of_the_pack(tmp_path: Path, values: str) -> None:
    pack = _pack(tmp_path / "bells", _GOOD.replace("{", f'{{"values": "{values}", ', 1))
    settings = Settings(skills_dir=(), storage_dir=tmp_path / "storage", embedder="none")
    with pytest.raises(InvalidPack, match=values):
        await run_cases([pack], settings)


def _heard(*told: tuple[Any, dict[str, Any]]) -> Transcript:
    heard = Transcript()
    for number, (kind, data) in enumerate(told):
        heard = heard.add(Event("c", "t", number, datetime(2026, 1, 1, tzinfo=UTC), kind, data))
    return heard


CALLS = _heard(
    ("skill.activated", {"skill": "ring"}),
    ("tool.called", {"tool": "use_skill", "arguments": {}}),
    ("tool.called", {"tool": "a", "arguments": {"n": 1}}),
    ("tool.result", {"tool": "a", "ok": True, "data": {"rows": [1.0, 2.0]}}),
    ("tool.called", {"tool": "b", "arguments": {}}),
    ("tool.result", {"tool": "b", "ok": False, "error": {"code": "broken"}}),
    ("table", {"columns": [{"key": "rsrp", "title": "RSRP"}]}),
    ("chart", {"spec": {"kind": "line"}}),
    ("text.done", {"text": "好了"}),
    ("pause.opened", {"kind": "question", "text": "要吗？", "pause": "p"}),
)


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("skill", "ring", "sing"),
        ("tools", ["a", "b"], ["b", "a"]),
        ("not_called", ["c"], ["a"]),
        ("arguments", [{"tool": "a", "path": "n", "is": 1}], [{"tool": "a", "path": "n", "is": 2}]),
        ("asked", ["要吗？"], ["要吗"]),
        ("said", ["好了"], ["坏了"]),
        ("pauses", ["question"], ["approval"]),
        ("columns", ["RSRP", "rsrp"], ["SINR"]),
        ("charts", ["line"], ["heatmap"]),
        ("numbers", [{"tool": "a", "path": "rows[1]", "is": 2}], [{"tool": "a", "path": "rows[1]", "is": 2.1}]),
        ("failed", ["broken"], []),
        ("ends", "pause.opened", "turn.done"),
    ],
)
def test_every_expectation_holds_for_what_is_right_and_only_for_that(name: str, right: Any, wrong: Any) -> None:
    assert check(name, right, CALLS, None) == []
    assert check(name, wrong, CALLS, None) != []


def test_every_expectation_is_tested_above() -> None:
    marks = test_every_expectation_holds_for_what_is_right_and_only_for_that.pytestmark
    assert {row[0] for row in marks[0].args[1]} == set(EXPECTATIONS)


def test_a_number_may_be_left_to_the_pack() -> None:
    wanted: Any = [{"tool": "a", "path": "rows[0]", "value": {"of": "one"}}]
    assert check("numbers", wanted, CALLS, lambda asked: {"one": 1.0}[str(asked["of"])]) == []
    assert check("numbers", wanted, CALLS, lambda asked: 5.0) != []


def test_a_number_that_is_not_there_is_wrong() -> None:
    assert check("numbers", [{"tool": "z", "path": "rows[0]", "is": None}], CALLS, None) != []


def test_a_pack_without_a_bench_says_so(tmp_path: Path) -> None:
    pack = Pack("bare", BilingualText("空", "bare"), BilingualText("空", "bare"), "1", tmp_path)
    with pytest.raises(InvalidPack, match="no bench cases"):
        read_cases(pack)
