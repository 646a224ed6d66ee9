"""Plans by rule and by model: short, bound by the skill, each step with tool, expected output and check."""

from metier.json_values import JsonObject
from metier.plans import (
    MAX_JOINT_STEPS,
    Constraints,
    choose_max_steps,
    complete_plan,
    find_incomplete_steps,
    plan_by_rules,
    validate_model_plan,
)
from metier.tools import ToolSpec, load_task_types

QUESTION: JsonObject = {"type": "object", "properties": {"question": {"type": "string"}}, "additionalProperties": False}
NAMES = ("search_sources", "collect_evidence", "write_findings", "pptx", "docx", "run_python", "web_search")
TOOLS = {name: ToolSpec(name, "", QUESTION) for name in NAMES}
ANY = Constraints()


def test_research_and_creation_by_rule_is_four_complete_steps() -> None:
    plan = plan_by_rules("调研固态电池，做成PPT", ("research", "creation"), tools=TOOLS, constraints=ANY, language="zh")
    assert plan is not None
    assert [step.call for step in plan.steps] == ["search_sources", "collect_evidence", "write_findings", "pptx"]
    assert len(plan.steps) <= MAX_JOINT_STEPS
    assert find_incomplete_steps(plan) == ()
    assert [one.check.kind for one in plan.milestones] == ["tool_output", "tool_output", "sources", "file_valid"]
    assert {one.on_fail.action for one in plan.milestones} == {"replan"}
    assert plan.steps[0].arguments == {"question": "$.message"}
    assert (plan.source, plan.steps[3].title) == ("rule", "生成文档")


def test_a_rule_uses_only_tools_that_exist_and_are_permitted() -> None:
    only = Constraints(("web_search", "docx"), source="skill")
    plan = plan_by_rules("report", ("research", "creation"), tools=TOOLS, constraints=only, language="en")
    assert plan is not None
    assert [step.call for step in plan.steps] == ["web_search", "docx"]
    assert plan.constraints == only
    assert plan_by_rules("hi", (), tools=TOOLS, constraints=ANY, language="en") is None
    assert plan_by_rules("x", ("web_task",), tools=TOOLS, constraints=ANY, language="en") is None


def test_every_task_type_has_a_rule() -> None:
    specs = {name: ToolSpec(name, "", QUESTION) for one in load_task_types().types.values() for name in one.allowed}
    for name in load_task_types().types:
        plan = plan_by_rules("做一件事", (name,), tools=specs, constraints=ANY, language="zh")
        assert plan is not None, name
        assert find_incomplete_steps(plan) == (), name


def test_a_plan_of_the_model_is_completed_and_bound_by_the_skill() -> None:
    written: JsonObject = {
        "goal": "a deck",
        "steps": [
            {"id": "s", "title": "Search", "call": "search_sources", "with": {"question": "$.message"}},
            {"id": "d", "title": "Deck", "call": "pptx", "needs": ["s"]},
        ],
        "milestones": [{"name": "found", "after": "s", "check": {"kind": "contains", "text": "x"}}],
    }
    skill = Constraints(("pptx", "search_sources"), source="skill")
    made = validate_model_plan(written, tools=TOOLS, constraints=skill)
    assert made.plan is not None
    plan = complete_plan(made.plan, "en")
    assert find_incomplete_steps(made.plan) == ("s", "d")
    assert find_incomplete_steps(plan) == ()
    assert [(one.name, one.after) for one in plan.milestones] == [("found", "s"), ("Deck: the file opens", "d")]
    assert plan.constraints == skill
    wider = validate_model_plan(
        {**written, "constraints": {"allowed": ["web_search", "pptx", "search_sources"]}},
        tools=TOOLS,
        constraints=skill,
    )
    assert wider.plan is None
    assert {one.code for one in wider.problems} == {"tool_not_allowed"}


def test_a_plan_of_the_model_for_research_and_creation_has_at_most_four_steps() -> None:
    steps = [{"id": f"s{at}", "title": "x", "call": "web_search"} for at in range(5)]
    most = choose_max_steps(("creation", "research"))
    made = validate_model_plan({"goal": "g", "steps": list(steps)}, tools=TOOLS, max_steps=most)
    assert [one.code for one in made.problems] == ["plan_too_long"]
    assert choose_max_steps(("research",)) > most
