from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metier.errors import SkillNotFound
from metier.json_values import JsonObject, JsonValue
from metier.skills import DeclaredTool
from metier.tools import (
    ALWAYS,
    CONTROL_TOOLS,
    Approval,
    Gate,
    Layer,
    Registry,
    Rules,
    TaskType,
    ToolSpec,
    Verdict,
    gate_for,
)
from tests.tools.support import FakeTool, call, registry, skill

NAMES = ("web_search", "fetch_web_content", "memory", "pdf", "pptx", "write_file", "run_in_terminal")
TOOLS = {name: ToolSpec(name, "") for name in NAMES}
RUNTIME = registry(*NAMES)
LAYERS: tuple[Layer, ...] = ("operator", "skill", "plan", "task_type", "default")


def says(gate: Gate, name: str) -> tuple[str, str]:
    verdict = gate.check(call(name))
    return verdict.answer, verdict.code


def open_to(gate: Gate) -> frozenset[str]:
    return frozenset(name for name in NAMES if gate.check(call(name)).answer != "deny")


def test_without_rules_everything_may_run() -> None:
    assert gate_for((), tools=RUNTIME).allowed_tools() == tuple(sorted(NAMES))


@pytest.mark.parametrize(
    ("layer", "not_listed", "forbidden"),
    [
        ("operator", "denied_by_policy", "denied_by_policy"),
        ("skill", "not_allowed_by_skill", "forbidden_by_skill"),
        ("plan", "not_in_plan", "forbidden_by_plan"),
        ("task_type", "forbidden_for_task_type", "forbidden_for_task_type"),
        ("default", "skill_not_active", "skill_not_active"),
    ],
)
def test_each_layer_has_its_own_word_for_no(layer: Layer, not_listed: str, forbidden: str) -> None:
    gate = Gate([Rules(layer, "somebody", frozenset({"memory", "pdf"}), frozenset({"pdf"}))], TOOLS)
    assert says(gate, "memory") == ("allow", "allowed")
    assert says(gate, "pptx") == ("deny", not_listed)
    assert says(gate, "pdf") == ("deny", forbidden)
    assert gate.check(call("pdf")).layer == layer


def test_the_highest_no_is_the_one_that_is_told() -> None:
    rules = [Rules(layer, f"the {layer}", forbidden=frozenset({"pdf"})) for layer in reversed(LAYERS)]
    verdict = Gate(rules, TOOLS).check(call("pdf"))
    assert (verdict.layer, verdict.source, verdict.is_final) == ("operator", "the operator", True)


def test_a_lower_list_cannot_give_back_what_a_higher_one_took() -> None:
    skills = Rules("skill", "skill research", frozenset({"web_search"}))
    plan = Rules("plan", "plan", frozenset({"web_search", "pdf"}))
    assert says(Gate([plan, skills], TOOLS), "pdf") == ("deny", "not_allowed_by_skill")


def test_a_refusal_says_what_is_allowed_and_which_layer_said_what() -> None:
    rules = [Rules("skill", "skill research", frozenset({"web_search", "memory"})), Rules("plan", "plan")]
    verdict = Gate(rules, TOOLS).check(call("pdf"))
    assert verdict.allowed == ("memory", "web_search")
    assert verdict.explain() == (
        "deny: pdf [not_allowed_by_skill], skill research does not list 'pdf' among its tools",
        "  skill (skill research): does not list it",
        "  plan (plan): does not object",
        "  may run: memory, web_search",
    )
    assert verdict.to_json()["layers"] == [
        {"layer": "skill", "source": "skill research", "answer": "deny", "text": "does not list it"},
        {"layer": "plan", "source": "plan", "answer": "allow", "text": "does not object"},
    ]


@pytest.mark.parametrize(
    ("written", "meant"),
    [("Web_Search", "web_search"), ("functions.web_search", "web_search"), ("web-serch", "web_search"), ("天气", "")],
)
def test_an_unknown_tool_is_refused_with_the_nearest_name(written: str, meant: str) -> None:
    verdict = Gate([], TOOLS).check(call(written))
    assert (verdict.answer, verdict.code, verdict.nearest, verdict.is_final) == ("deny", "unknown_tool", meant, True)


@pytest.mark.parametrize("name", sorted(CONTROL_TOOLS))
def test_a_control_tool_is_always_allowed(name: str) -> None:
    nothing = [Rules(layer, "nobody", frozenset(), frozenset({name})) for layer in LAYERS]
    assert says(Gate(nothing, TOOLS), name) == ("allow", "control_tool")
    assert says(Gate(nothing, {**TOOLS, name: ToolSpec(name, "")}), name) == ("allow", "control_tool")


# What skills say together


def test_a_skill_governs_its_tools() -> None:
    gate = gate_for([skill("research", allowed=["web_search", "memory"])], tools=RUNTIME)
    assert gate.allowed_tools() == ("memory", "web_search")
    assert gate.skills == ("research",)


def test_a_skill_that_lists_no_tools_restricts_nothing() -> None:
    assert gate_for([skill("lifecoach")], tools=RUNTIME).allowed_tools() == tuple(sorted(NAMES))


def test_an_empty_list_is_a_list() -> None:
    assert gate_for([skill("tarot", allowed=[])], tools=RUNTIME).allowed_tools() == ()


def test_a_skill_may_use_its_own_tools_without_listing_them() -> None:
    minutes = skill("meeting-minutes", scripts=["speaker_extractor"], allowed=["write_file"])
    gate = gate_for([minutes], tools=RUNTIME.with_skills([minutes]))
    assert gate.allowed_tools() == ("speaker_extractor", "write_file")


def test_declared_tools_are_a_list_too() -> None:
    assert gate_for([skill("net", tools=["web_search"])], tools=RUNTIME).allowed_tools() == ("web_search",)


def test_several_skills_allow_together_and_each_may_forbid() -> None:
    both = [
        skill("research", allowed=["web_search", "pdf"]),
        skill("deck", allowed=["pptx", "write_file"], forbidden=["pdf"]),
    ]
    gate = gate_for(both, tools=RUNTIME)
    assert gate.allowed_tools() == ("pptx", "web_search", "write_file")
    denied = gate.check(call("pdf"))
    assert (denied.code, denied.source) == ("forbidden_by_skill", "skill deck")
    assert gate.check(call("memory")).source == "skills research, deck"


def test_one_unrestricted_skill_leaves_the_layer_open_but_not_what_another_forbids() -> None:
    gate = gate_for([skill("open"), skill("deck", allowed=["pptx"], forbidden=["memory"])], tools=RUNTIME)
    assert gate.allowed_tools() == tuple(sorted(set(NAMES) - {"memory"}))


def test_a_skill_named_outright_speaks_alone() -> None:
    both = [skill("research", allowed=["web_search"]), skill("pptx", allowed=["pptx"])]
    gate = gate_for(both, tools=RUNTIME, explicit="pptx")
    assert gate.allowed_tools() == ("pptx",)
    assert gate.skills == ("pptx",)


def test_a_skill_named_outright_must_be_in_use() -> None:
    with pytest.raises(SkillNotFound, match="'pdf' was named"):
        gate_for([skill("pptx")], tools=RUNTIME, explicit="pdf")


def test_two_skills_with_a_tool_of_the_same_name_get_neither() -> None:
    both = [skill("exam", scripts=["parse"]), skill("contract", scripts=["parse"])]
    tools = RUNTIME.with_skills(both)
    gate = gate_for(both, tools=tools)
    verdict = gate.check(call("parse"))
    assert (verdict.answer, verdict.code) == ("deny", "ambiguous_tool")
    assert "skill contract and skill exam" in verdict.reason
    assert gate.get_spec("parse") is None
    assert says(gate.with_grant("parse"), "parse") == ("deny", "ambiguous_tool")
    assert says(gate_for(both, tools=tools, explicit="exam"), "parse") == ("allow", "allowed")


def test_a_script_of_a_skill_that_waits_for_approval_is_not_called_unknown() -> None:
    waiting = replace(skill("exam", tools=(DeclaredTool("parse", "", origin="script"),)), untrusted="wording")
    verdict = gate_for([waiting], tools=RUNTIME).check(call("parse"))
    assert (verdict.code, verdict.layer, verdict.is_final) == ("skill_waits", "skill", True)
    assert "waits for approval" in verdict.reason


def test_a_skill_cannot_take_the_place_of_a_runtime_tool() -> None:
    shadow = skill("shadow", scripts=["web_search"])
    assert says(gate_for([shadow], tools=RUNTIME.with_skills([shadow])), "web_search") == ("deny", "ambiguous_tool")
    assert says(gate_for([], tools=RUNTIME.with_skills([shadow])), "web_search") == ("allow", "allowed")


def test_a_tool_of_a_skill_that_is_not_in_use_is_refused() -> None:
    minutes = skill("meeting-minutes", scripts=["speaker_extractor"])
    verdict = gate_for([], tools=RUNTIME.with_skills([minutes])).check(call("speaker_extractor"))
    assert (verdict.code, verdict.layer) == ("skill_not_active", "default")
    assert "meeting-minutes" in verdict.reason


def test_a_list_with_a_condition_asks_a_person() -> None:
    gate = gate_for([skill("git", allowed=["run_in_terminal(git:*)", "memory"])], tools=RUNTIME)
    assert says(gate, "run_in_terminal") == ("confirm", "approval_needed")
    assert gate.allowed_tools() == ("memory", "run_in_terminal")
    forbidding = gate_for([skill("git", forbidden=["run_in_terminal(rm:*)"])], tools=RUNTIME)
    assert says(forbidding, "run_in_terminal") == ("deny", "forbidden_by_skill")


# Task types


RESEARCH = TaskType("research", "Research", frozenset({"web_search"}), frozenset({"pdf"}), named_tools=frozenset(NAMES))


def test_a_task_type_narrows_when_no_skill_has_spoken() -> None:
    assert gate_for([], tools=RUNTIME, task_type=RESEARCH).allowed_tools() == ("web_search",)


@pytest.mark.parametrize(
    ("skills", "plan", "allowed"),
    [
        ([skill("pdf", allowed=["pdf"])], None, {"pdf"}),
        ([skill("open")], None, {"web_search"}),
        ([], Rules("plan", "plan", frozenset({"pdf", "memory"})), {"pdf", "memory"}),
        ([skill("pdf", allowed=["pdf", "memory"])], Rules("plan", "plan", frozenset({"memory"})), {"memory"}),
        ([skill("pdf", allowed=["pdf"], forbidden=["pdf"])], None, set()),
    ],
    ids=[
        "a skill lists it",
        "a skill without a list",
        "a plan lists it",
        "a plan narrows a skill",
        "a skill forbids it",
    ],
)
def test_a_task_type_is_silent_about_what_is_listed_above_it(
    skills: list[object], plan: Rules | None, allowed: set[str]
) -> None:
    gate = gate_for(skills, tools=RUNTIME, plan=plan, task_type=RESEARCH)  # type: ignore[arg-type]
    assert set(gate.allowed_tools()) == allowed


def test_a_silenced_task_type_says_so() -> None:
    gate = gate_for([skill("pdf", allowed=["pdf"])], tools=RUNTIME, task_type=RESEARCH)
    assert (
        gate.check(call("pdf")).explain()[2]
        == "  task_type (task type research): silent about pdf: listed by skill pdf"
    )


def test_the_operators_list_does_not_silence_a_task_type() -> None:
    policy = Rules("operator", "policy", frozenset(NAMES))
    assert gate_for([], tools=RUNTIME, task_type=RESEARCH, policy=policy).allowed_tools() == ("web_search",)


# The operator, approval, exceptions


def test_the_operators_names_may_be_globs() -> None:
    tools = {name: ToolSpec(name, "") for name in ("mcp__git__push", "mcp__git__log", "memory")}
    policy = Rules("operator", "policy", forbidden=frozenset({"mcp__*__push"}), confirm=frozenset({"mcp__*"}))
    gate = Gate([policy], tools)
    assert [says(gate, name)[0] for name in tools] == ["deny", "confirm", "allow"]


def test_a_glob_of_a_skill_is_only_a_name() -> None:
    assert open_to(Gate([Rules("skill", "skill x", frozenset({"*"}))], TOOLS)) == frozenset()


def test_approval_may_depend_on_the_arguments() -> None:
    pay = ToolSpec("pay", "", approval=Approval("expression", "amount > `1000` || currency == 'BTC'"))
    gate = Gate([], {"pay": pay})
    assert gate.check(call("pay", amount=10, currency="EUR")).answer == "allow"
    large = gate.check(call("pay", amount=5000, currency="EUR"))
    assert (large.answer, large.code, large.source) == ("confirm", "approval_needed", "tool pay")
    assert gate.check(call("pay", amount=1, currency="BTC")).answer == "confirm"


@pytest.mark.parametrize("order", [{"amount": 5}, '{"amount": 5}'], ids=["object", "JSON in a text"])
def test_a_call_is_resolved_to_the_arguments_that_the_tool_gets(order: JsonValue) -> None:
    schema: JsonObject = {"type": "object", "properties": {"order": {"type": "object"}}}
    resolved = Gate([], {"pay": ToolSpec("pay", "", schema)}).resolve_call(call("pay", order=order))
    assert resolved.arguments == {"order": {"amount": 5}}


def test_a_call_that_changed_after_its_approval_is_denied_for_good() -> None:
    denied = Gate([], {"pay": ToolSpec("pay", "", approval=ALWAYS)}).check(call("pay")).deny_changed_arguments()
    assert (denied.answer, denied.code, denied.is_final) == ("deny", "arguments_changed", True)


def test_an_expression_that_fails_asks() -> None:
    gate = Gate([], {"pay": ToolSpec("pay", "", approval=Approval("expression", "length(note) > `3`"))})
    assert gate.check(call("pay", note=7)).answer == "confirm"


def test_preapproval_lifts_a_tools_own_approval_and_no_more() -> None:
    tools = {"pay": ToolSpec("pay", "", approval=ALWAYS)}
    yes = Rules("skill", "skill shop", preapproved=frozenset({"pay"}))
    assert says(Gate([], tools), "pay") == ("confirm", "approval_needed")
    assert says(Gate([yes], tools), "pay") == ("allow", "allowed")
    assert says(Gate([yes, Rules("operator", "policy", confirm=frozenset({"pay"}))], tools), "pay")[0] == "confirm"
    assert says(Gate([yes, Rules("plan", "plan", frozenset())], tools), "pay")[0] == "deny"


@pytest.mark.parametrize("layer", ["plan", "task_type", "default"])
def test_a_plan_or_a_guess_does_not_agree_in_a_persons_place(layer: Layer) -> None:
    gate = Gate([Rules(layer, "x", preapproved=frozenset({"pay"}))], {"pay": ToolSpec("pay", "", approval=ALWAYS)})
    assert says(gate, "pay") == ("confirm", "approval_needed")


def test_only_a_trusted_skill_approves_tools_that_are_not_its_own() -> None:
    tools = Registry([FakeTool(ToolSpec("shell", "", approval=ALWAYS))])
    sly = skill("sly", preapproved=["shell"])
    assert says(gate_for([sly], tools=tools), "shell")[0] == "confirm"
    vouched = replace(sly, source=replace(sly.source, trusted=True))
    assert says(gate_for([vouched], tools=tools), "shell")[0] == "allow"
    own = skill(
        "own",
        tools=[DeclaredTool("send", origin="script", script="scripts/send.py", hints={"approval": "always"})],
        preapproved=["send"],
    )
    assert says(gate_for([own], tools=tools.with_skills([own])), "send")[0] == "allow"


@pytest.mark.parametrize("layer", LAYERS)
def test_an_exception_lifts_every_no_but_the_operators(layer: Layer) -> None:
    gate = Gate([Rules(layer, "somebody", forbidden=frozenset({"pdf", "pptx"}))], TOOLS)
    granted = gate.with_grant("pdf")
    assert says(granted, "pdf") == (("deny", "denied_by_policy") if layer == "operator" else ("allow", "granted"))
    assert granted.check(call("pptx")).answer == "deny"
    assert gate.check(call("pdf")).answer == "deny"


def test_an_exception_does_not_replace_approval() -> None:
    tools = {"pay": ToolSpec("pay", "", approval=ALWAYS)}
    gate = Gate([Rules("skill", "skill x", frozenset())], tools).with_grant("pay")
    assert says(gate, "pay") == ("confirm", "approval_needed")


# Adding a rule never opens a door

names = st.frozensets(st.sampled_from(NAMES))
some_rules = st.builds(
    Rules,
    layer=st.sampled_from(LAYERS),
    source=st.just("x"),
    allowed=st.none() | names,
    forbidden=names,
    confirm=names,
    preapproved=names,
)
layers = st.lists(some_rules, max_size=5)


@settings(deadline=None)
@given(layers, some_rules, names)
def test_another_rule_never_widens(rules: list[Rules], one_more: Rules, granted: frozenset[str]) -> None:
    before, after = Gate(rules, TOOLS, granted=granted), Gate([*rules, one_more], TOOLS, granted=granted)
    assert open_to(after) <= open_to(before)


@settings(deadline=None)
@given(st.lists(some_rules, min_size=1, max_size=5), st.data())
def test_a_stricter_rule_never_widens(rules: list[Rules], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(rules) - 1))
    old = rules[at]
    fewer = data.draw(names) if old.allowed is None else old.allowed - data.draw(names)
    stricter = replace(old, allowed=fewer, forbidden=old.forbidden | data.draw(names))
    tightened = [*rules[:at], stricter, *rules[at + 1 :]]
    assert open_to(Gate(tightened, TOOLS)) <= open_to(Gate(rules, TOOLS))


@settings(deadline=None)
@given(layers, st.data())
def test_the_order_of_rules_does_not_matter(rules: list[Rules], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(rules))
    assert open_to(Gate(shuffled, TOOLS)) == open_to(Gate(rules, TOOLS))


@settings(deadline=None)
@given(layers, st.sampled_from(NAMES))
def test_an_exception_opens_one_tool_at_most_and_never_the_operators(rules: list[Rules], tool: str) -> None:
    gate = Gate(rules, TOOLS)
    opened = open_to(gate.with_grant(tool)) - open_to(gate)
    assert opened <= {tool}
    assert open_to(gate.with_grant(tool)) <= open_to(Gate([one for one in rules if one.layer == "operator"], TOOLS))


@settings(deadline=None)
@given(layers)
def test_what_the_gate_lists_is_what_it_lets_through(rules: list[Rules]) -> None:
    gate = Gate(rules, TOOLS)
    assert frozenset(gate.allowed_tools()) == open_to(gate)


@settings(deadline=None)
@given(names, names, names, names)
def test_a_task_type_never_widens_what_skill_and_plan_leave(
    listed: frozenset[str], planned: frozenset[str], allowed: frozenset[str], forbidden: frozenset[str]
) -> None:
    skills, plan = [skill("s", allowed=listed)], Rules("plan", "plan", planned)
    task_type = TaskType("t", "t", allowed - forbidden, forbidden, named_tools=frozenset(NAMES))
    without = gate_for(skills, tools=RUNTIME, plan=plan)
    assert open_to(gate_for(skills, tools=RUNTIME, plan=plan, task_type=task_type)) <= open_to(without)


def test_a_verdict_does_not_change_between_calls() -> None:
    gate = Gate([Rules("skill", "skill x", frozenset({"memory"}))], TOOLS)
    first: Verdict = gate.check(call("memory"))
    assert gate.check(call("memory", a=1)) == first


@pytest.mark.parametrize(
    ("approval", "rules", "answer"),
    [
        (ALWAYS, [], "confirm"),
        (Approval("expression", "amount > `10`"), [], "confirm"),
        (Approval(), [], "allow"),
        (Approval(), [Rules("operator", "policy", confirm=frozenset({"apply"}))], "confirm"),
        (ALWAYS, [Rules("operator", "policy", preapproved=frozenset({"apply"}))], "allow"),
        (ALWAYS, [Rules("operator", "policy", preapproved=frozenset({"undo"}))], "allow"),
        (ALWAYS, [Rules("operator", "policy", forbidden=frozenset({"apply"}))], "confirm"),
    ],
    ids=["always", "sometimes", "never", "by policy", "effect preapproved", "undo preapproved", "effect forbidden"],
)
def test_undoing_needs_the_approval_that_the_effect_needs(approval: Approval, rules: list[Rules], answer: str) -> None:
    tools = {"apply": ToolSpec("apply", "", approval=approval), "undo": ToolSpec("undo", "", undoes="apply")}
    assert Gate(rules, tools).check(call("undo")).answer == answer


def test_undoing_an_effect_of_a_tool_that_is_not_there_needs_approval() -> None:
    assert Gate([], {"undo": ToolSpec("undo", "", undoes="apply")}).check(call("undo")).answer == "confirm"
