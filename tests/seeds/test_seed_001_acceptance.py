"""Acceptance list (验收标准) of seed 001, one test a line, on the workspace pack."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from metier.agent import Runtime, TurnRequest
from metier.pack import build_pack_glossary, find_installed_packs, pack_skill_roots
from metier.plans import CheckContext, Constraints, PlanRun, check_milestone, compile_sop, complete_plan, plan_by_rules
from metier.routing import Decision, Router, open_router
from metier.settings import Settings
from metier.skills import Catalog, SkillLibrary
from metier.store import Event
from metier.tasks import TaskAnalyzer, open_analyzer
from metier.testing import FakeModel
from metier.tools import Gate, gate_for, load_task_types
from tests.tools.support import registry

MESSAGE = "分析新能源汽车市场趋势"
TYPES = load_task_types()
NAMED = sorted(TYPES["research"].named_tools)
RESEARCH_TOOLS = {"search_sources", "collect_evidence", "write_findings", "web_search", "fetch_web_content"}
PACKS = find_installed_packs().select(["workspace"])


@pytest.fixture(scope="module")
def router(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Router]:
    settings = Settings(storage_dir=tmp_path_factory.mktemp("storage"), embedder="use-multilingual")
    opened = open_router(settings, glossary=build_pack_glossary(PACKS))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return SkillLibrary(pack_skill_roots(PACKS)).catalog()


@pytest.fixture(scope="module")
def analyzer(router: Router) -> TaskAnalyzer:
    return open_analyzer(TYPES, router)


def _gate(analyzer: TaskAnalyzer, message: str) -> Gate:
    return gate_for([], tools=registry(*NAMED), task_type=analyzer.analyze(message).task_type)


async def _turn(folder: Path, message: str, model: FakeModel) -> list[Event]:
    settings = Settings(model="builtin", skills_dir=(), storage_dir=folder, embedder="none")
    async with Runtime.open(settings, model=model, packs=PACKS) as runtime:
        return [event async for event in runtime.turn(TurnRequest(message))]


def test_1_1_research_forbids_the_pdf_and_slide_tools_by_itself(analyzer: TaskAnalyzer) -> None:
    for message in (
        MESSAGE,
        "想了解下国内人形机器人有哪些公司在做",
        "Find out how other universities handle AI in exams",
    ):
        gate = _gate(analyzer, message)
        assert {"pdf", "pptx"}.isdisjoint(gate.allowed_tools()), message
        assert {"web_search", "fetch_web_content", "memory"} <= set(gate.allowed_tools()), message


def test_1_2_creation_has_the_tools_that_write_documents(analyzer: TaskAnalyzer) -> None:
    for message in ("生成 PPT", "给新同事弄个入职手册，word的就行", "Draft a one-page brochure"):
        assert {"pdf", "pptx", "docx", "write_file"} <= set(_gate(analyzer, message).allowed_tools()), message


def _route(router: Router, catalog: Catalog, message: str) -> Decision:
    return router.route(message, catalog=catalog)


def test_1_3_the_router_matches_the_seeds_sentences_above_0_6(router: Router, catalog: Catalog) -> None:
    wanted = {"生成 PPT": "pptx", "研究报告": "research", "帮我研究一下 AI 发展趋势": "research", MESSAGE: "research"}
    found = {message: _route(router, catalog, message) for message in wanted}
    assert {message: one.skill for message, one in found.items()} == wanted
    assert min(one.candidates[0].score for one in found.values()) > 0.6


async def test_1_4_a_refused_tool_is_recorded_and_told(tmp_path: Path) -> None:
    model = FakeModel().call("pdf", content="x").say("只列结论")
    events = await _turn(tmp_path, f"/research {MESSAGE}", model)
    refused = [event.data for event in events if event.kind == "tool.violation"]
    assert [(one["tool"], one["code"]) for one in refused] == [("pdf", "not_allowed_by_skill")]
    ran = {event.data["tool"] for event in events if event.kind == "tool.result" and event.data.get("ok")}
    assert {"search_sources", "write_findings"} <= ran <= RESEARCH_TOOLS
    assert events[-1].kind == "turn.done"


def test_1_5_milestones_are_checked(tmp_path: Path) -> None:
    specs = {spec.name: spec for spec in registry(*NAMED).specs()}
    gate = gate_for([], tools=registry(*NAMED), task_type=TYPES["creation"])
    plan = plan_by_rules("生成 PPT", ("creation",), tools=specs, constraints=Constraints(), language="zh")
    assert plan is not None
    assert plan.steps[0].call in gate.allowed_tools()
    run = PlanRun.start(plan).record_result("make", {"file": "deck.pptx"})
    (tmp_path / "deck.pptx").write_text("no deck", "utf-8")
    found = check_milestone(plan.milestones[0], run, CheckContext(tmp_path, language="zh"))
    assert (found.passed, found.why.code) == (False, "file_invalid")
    assert run.record_check(plan.milestones[0].name, found).replan is not None


def test_3_1_a_message_that_asks_for_slides_takes_the_pptx_skill(router: Router, catalog: Catalog) -> None:
    decision = _route(router, catalog, "生成 PPT")
    assert (decision.skill, decision.verdict) == ("pptx", "auto")


async def test_3_2_a_refusal_says_what_is_allowed(tmp_path: Path) -> None:
    events = await _turn(tmp_path, f"/research {MESSAGE}", FakeModel().call("pptx", content="x").say("只列结论"))
    (refused,) = [event.data for event in events if event.kind == "tool.violation"]
    assert refused["tool"] == "pptx"
    assert isinstance(refused["allowed"], list)
    assert "write_findings" in refused["allowed"]
    assert set(refused["allowed"]) <= RESEARCH_TOOLS
    assert "pptx" in str(refused["reason"])


def test_3_3_steps_tools_and_checks_of_every_skill_with_steps_can_be_shown(catalog: Catalog) -> None:
    for skill in catalog:
        if skill.sop:
            plan = complete_plan(compile_sop(skill, "zh"), "zh")
            assert all(step.title for step in plan.steps), skill.id
            assert plan.constraints.allowed, skill.id
