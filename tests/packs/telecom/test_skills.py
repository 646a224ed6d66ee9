"""The pack's skills: the fixed sentence, labelled queries, and conversations on the small network without a model."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from metier.agent import Runtime, TurnRequest
from metier.bench import read_cases
from metier.language import choose, language_of
from metier.pack import find_installed_packs, pack_skill_roots
from metier.plans import compile_sop
from metier.settings import Settings
from metier.skills import SkillLibrary
from metier.store import Event
from tests.packs.telecom.support import SMALL, storage_with_small

FIXED = "根因分析完成。是否需要对该场景进行优化仿真？"
FIXED_ENGLISH = "Root cause analysis is done. Shall I simulate an optimisation of this scenario?"
PACKS = find_installed_packs().select(["telecom"])
CATALOG = SkillLibrary(pack_skill_roots(PACKS)).catalog()
MAIN = ("network_optimization", "coverage_analysis", "interference_analysis", "capacity_analysis")


@pytest.mark.parametrize("name", MAIN)
def test_the_fixed_sentence_is_asked_word_for_word(name: str) -> None:
    chinese, english = (
        [step.ask for step in compile_sop(CATALOG[name], language).steps if step.ask] for language in ("zh", "en")
    )
    assert chinese[0] == FIXED
    assert english[0] == FIXED_ENGLISH


@pytest.mark.parametrize("name", sorted(CATALOG.skills))
def test_a_skill_has_ten_labelled_queries_of_its_own_and_near_misses(name: str) -> None:
    path = CATALOG[name].source.folder / "evals" / f"{name}.json"
    rows = json.loads(path.read_text("utf-8"))
    own = [row["query"] for row in rows if row["should_trigger"]]
    assert len(own) >= 10
    assert len(rows) - len(own) >= 6
    assert any(query.isascii() for query in own)


def test_there_are_thirty_cases_in_both_languages() -> None:
    cases = read_cases(PACKS[0])
    assert len(cases) == 30
    assert len([one for one in cases if one.id.startswith("en-")]) >= 8


async def _turn(runtime: Runtime, message: str, skill: str, conversation: str | None = None) -> list[Event]:
    request = TurnRequest(message, skill=skill, conversation=conversation)
    return [event async for event in runtime.turn(request)]


def _settings(tmp_path: Path) -> Settings:
    storage_with_small(tmp_path / "packs" / "telecom")
    return Settings(skills_dir=(), storage_dir=tmp_path, embedder="none")


def _texts(events: list[Event]) -> str:
    return "\n".join(str(event.data["text"]) for event in events if event.kind == "text.done")


# Keys whose values people read, in events of any kind. Rows hold ids and numbers, keys of columns are internal names.
SPOKEN = (
    "text",
    "title",
    "goal",
    "milestone",
    "reason",
    "suggestion",
    "why",
    "note",
    "content",
    "name",
    "message",
    "hint",
)
_ENGLISH_SENTENCE = re.compile(r"(?:\b[a-z]{2,}\b[ ,]+){3,}")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")


def _read_spoken(value: Any, key: str = "") -> Iterator[str]:
    if isinstance(value, str) and key in SPOKEN:
        yield value
    elif isinstance(value, Mapping):
        for name, one in value.items():
            if name not in ("rows", "arguments", "data", "schema", "known"):
                yield from _read_spoken(one, name)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _read_spoken(one, key)


def _find_other_language(events: list[Event], message: str) -> list[str]:
    """Texts for people that are not in the language of the message."""
    other = _ENGLISH_SENTENCE if _CHINESE.search(message) else _CHINESE
    shown = [event for event in events if event.kind not in ("tool.called", "tool.result", "skill.routed", "usage")]
    # Pages say why a skill was activated from its `by`.
    datas = [(one.kind, {**one.data, "why": ""} if one.kind == "skill.activated" else one.data) for one in shown]
    texts = {text: kind for kind, data in datas for text in _read_spoken(data)}
    return [f"{kind}: {text[:120]}" for text, kind in texts.items() if other.search(text)]


@pytest.mark.parametrize(
    ("message", "said"),
    [
        pytest.param("分析一下试验区的弱覆盖问题", "优化前后对比", id="Chinese"),
        pytest.param("Analyse weak coverage in Trial", "Before and after", id="English"),
    ],
)
async def test_a_problem_goes_from_tables_to_a_computed_comparison(tmp_path: Path, message: str, said: str) -> None:
    async with Runtime.open(_settings(tmp_path), packs=PACKS) as runtime:
        events = await _turn(runtime, message, "network_optimization")
        pause: Any = events[-1].data
        assert [event.kind for event in events].count("table") >= 3
        assert pause["text"] in (FIXED, FIXED_ENGLISH)
        kinds = [event.kind for event in events]
        assert kinds.index("text.done") < kinds.index("table")  # the findings stand above the tables
        rest = [event async for event in runtime.answer(pause["pause"], True)]
    assert rest[-1].kind == "turn.done"
    charts: list[Any] = [event.data["spec"] for event in rest if event.kind == "chart"]
    assert [chart["kind"] for chart in charts] == ["grouped_bar", "grouped_bar", "heatmap", "heatmap"]
    assert said in _texts(rest)
    assert "–" not in _texts(rest)  # every place of the report was filled
    texts = [str(event.data["text"]) for event in (*events, *rest) if event.kind == "text.done"]
    told = [part.strip() for text in texts for part in text.split("\n\n")]
    assert len(told) == len(set(told))  # what was said before the question is not said again
    assert _find_other_language([*events, *rest], message) == []


@pytest.mark.parametrize(("message", "said"), [("弱覆盖是什么意思", "−110 dBm"), ("What does RSRP mean?", "Source: ")])
async def test_a_question_about_a_term_is_answered_with_its_source(tmp_path: Path, message: str, said: str) -> None:
    async with Runtime.open(_settings(tmp_path), packs=PACKS) as runtime:
        events = await _turn(runtime, message, "telecom_knowledge")
    assert events[-1].kind == "turn.done"
    assert said in _texts(events)
    assert choose(language_of(message), zh="无线网络术语", en="Radio terms") in _texts(events)
    assert _find_other_language(events, message) == []


async def test_no_is_taken_for_an_answer(tmp_path: Path) -> None:
    async with Runtime.open(_settings(tmp_path), packs=PACKS) as runtime:
        events = await _turn(runtime, "试验区覆盖专项分析", "coverage_analysis")
        rest = [event async for event in runtime.answer(str(events[-1].data["pause"]), False)]
    assert [event.data["tool"] for event in rest if event.kind == "tool.called"] == []
    assert ("弱覆盖" in _texts(events), "分析完成，没有仿真" in _texts(rest)) == (True, True)
    assert rest[-1].kind == "turn.done"


async def test_a_scenario_that_is_not_named_is_chosen_in_a_form(tmp_path: Path) -> None:
    async with Runtime.open(_settings(tmp_path), packs=PACKS) as runtime:
        events = await _turn(runtime, "分析弱覆盖问题", "network_optimization")
        pause: Any = events[-1].data
        assert (pause["kind"], pause["missing"]) == ("parameters", ["digitaltwins_id"])
        assert SMALL in pause["schema"]["properties"]["digitaltwins_id"]["enum"]
        rest = [event async for event in runtime.answer(pause["pause"], {"digitaltwins_id": SMALL})]
    assert rest[-1].data["text"] == FIXED


async def test_parameters_are_applied_and_undone_once_a_person_agrees(tmp_path: Path) -> None:
    async with Runtime.open(_settings(tmp_path), packs=PACKS) as runtime:
        events = await _turn(runtime, "把试验区的推荐参数下发", "parameter_delivery")
        assert "还没有仿真" in str(events[-1].data["text"])  # nothing is applied that nobody has simulated and seen
        shown = [event async for event in runtime.answer(str(events[-1].data["pause"]), True)]
        pause: Any = shown[-1].data
        assert (pause["kind"], pause["calls"][0]["title"]) == ("approval", "下发参数")
        (recommended,) = [event.data["rows"] for event in shown if event.data.get("title") == "推荐参数"]
        assert len(pause["calls"][0]["preview"]["rows"]) == len(recommended) > 0  # type: ignore[arg-type]
        rest = [event async for event in runtime.answer(pause["pause"], {"decision": "approve"})]
        assert "写入数字孪生" in _texts(rest)
        again = await _turn(runtime, "下发试验区的推荐参数", "parameter_delivery", rest[-1].conversation)
        assert "已经下发过参数" in str(again[-1].data["text"])  # not that it was never simulated
        left = [event async for event in runtime.answer(str(again[-1].data["pause"]), False)]
        assert "没有改动任何参数" in _texts(left)
        asked = await _turn(runtime, "撤销试验区的参数", "parameter_delivery", rest[-1].conversation)
        assert asked[-1].data["kind"] == "approval"
        back = [event async for event in runtime.answer(str(asked[-1].data["pause"]), {"decision": "approve"})]
    assert "已撤销" in _texts(back)


async def test_a_refused_approval_changes_nothing(tmp_path: Path) -> None:
    async with Runtime.open(_settings(tmp_path), packs=PACKS) as runtime:
        events = await _turn(runtime, "把试验区的推荐参数下发", "parameter_delivery")
        shown = [event async for event in runtime.answer(str(events[-1].data["pause"]), True)]
        rest = [event async for event in runtime.answer(str(shown[-1].data["pause"]), {"decision": "reject"})]
    assert "「下发参数」 未获批准" in _texts(rest)
    assert "apply_parameters" not in " ".join(
        text for event in rest if event.kind != "tool.result" for text in _read_spoken(event.data)
    )
    assert not (tmp_path / "packs" / "telecom" / "applied").exists()


async def test_a_plan_takes_what_the_message_says(tmp_path: Path) -> None:
    async with Runtime.open(_settings(tmp_path), packs=PACKS) as runtime:
        events = await _turn(runtime, "给试验区做一个仿真计划，只调下倾角，最多五处", "simulation_plan")
    pause: Any = events[-1].data
    assert pause["missing"] == ["tilt_range"]
    assert pause["form"]["given"].items() >= {"parameters": ["tilt"], "max_changes": 5}.items()


async def test_a_plan_asks_for_what_only_a_person_knows(tmp_path: Path) -> None:
    async with Runtime.open(_settings(tmp_path), packs=PACKS) as runtime:
        events = await _turn(runtime, "给试验区做一个自定义仿真", "simulation_plan")
        pause: Any = events[-1].data
        assert pause["missing"] == ["parameters", "tilt_range"]
        assert pause["form"]["title"] == "自定义仿真"
        assert pause["form"]["given"].items() >= {"problem": "weak_coverage", "max_changes": 10}.items()
        first = {one["name"]: one.get("default") for one in pause["form"]["fields"] if one["missing"]}
        assert first == {"parameters": ["tilt", "azimuth", "power", "offset", "neighbour"], "tilt_range": [0, 20]}
        filled: Any = {"parameters": ["tilt"], "tilt_range": [0, 12]}
        rest = [event async for event in runtime.answer(pause["pause"], filled)]
    assert "仿真计划" in _texts(rest)
