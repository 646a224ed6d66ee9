"""The skill graph: edges, order, cycles, types, and the two ways to show it."""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.errors import InvalidSkill, SkillNotFound
from metier.json_values import JsonObject, JsonValue
from metier.skills import Catalog, DeclaredTool, GraphProblem, Skill, SkillEdge, SkillGraph, Source
from metier.skills.model._graph import MAX_CYCLES

_NOWHERE = Source(Path("a/SKILL.md"), Path("a"), "agent-skill")
Pairs = list[tuple[int, int]]


def skill(
    skill_id: str,
    *,
    next_: Iterable[str] = (),
    requires: Iterable[str] = (),
    title: str = "",
    priority: int = 0,
    inputs: JsonObject | None = None,
    outputs: JsonObject | None = None,
    tools: tuple[DeclaredTool, ...] = (),
    allowed: tuple[str, ...] | None = None,
) -> Skill:
    return Skill(
        skill_id,
        title or skill_id,
        "",
        _NOWHERE,
        "",
        priority=priority,
        next=tuple(next_),
        requires=tuple(requires),
        inputs=inputs,
        outputs=outputs,
        tools=tools,
        allowed_tools=allowed,
    )


def graph(*skills: Skill) -> SkillGraph:
    return SkillGraph.from_skills(Catalog.from_skills(skills))


def numbered(count: int, pairs: Pairs) -> SkillGraph:
    follows: dict[int, list[str]] = {number: [] for number in range(count)}
    for source, target in pairs:
        follows[source].append(f"n{target}")
    return graph(*(skill(f"n{number}", next_=targets) for number, targets in follows.items()))


def gives(**types: JsonValue) -> JsonObject:
    return {"type": "object", "properties": {name: typed(value) for name, value in types.items()}}


def typed(value: JsonValue) -> JsonValue:
    return {"type": value} if isinstance(value, str | list) else value


def codes(problems: Iterable[GraphProblem]) -> list[str]:
    return [problem.code for problem in problems]


def test_next_and_requires_become_edges_and_a_pair_of_both_kinds_is_kept() -> None:
    drawn = graph(skill("a", next_=["b"]), skill("b", requires=["a"]))
    assert drawn.edges == (SkillEdge("a", "b", "next"), SkillEdge("a", "b", "requires"))
    assert drawn.successors("a") == ("b",)
    assert drawn.predecessors("b") == ("a",)
    assert drawn.find_problems() == ()


def test_a_node_knows_its_schemas_and_every_tool_it_names_once() -> None:
    node = graph(
        skill("a", inputs=gives(x="string"), tools=(DeclaredTool("search"),), allowed=("search", "fetch"))
    ).nodes["a"]
    assert node.inputs == gives(x="string")
    assert node.tools == ("search", "fetch")


@pytest.mark.parametrize(
    ("made", "message"),
    [
        pytest.param(skill("a", next_=["weekly-reprt"]), "'a' leads to 'weekly-reprt', which is not there", id="next"),
        pytest.param(
            skill("a", requires=["weekly-reprt"]), "'a' requires 'weekly-reprt', which is not there", id="requires"
        ),
    ],
)
def test_an_unknown_skill_is_reported_with_the_nearest_and_joins_no_edge(made: Skill, message: str) -> None:
    drawn = graph(made, skill("weekly-report"))
    (problem,) = drawn.find_problems()
    assert problem == GraphProblem("graph_unknown_skill", message, "did you mean 'weekly-report'?", "a", "weekly-reprt")
    assert drawn.edges == ()
    assert len(drawn.dangling) == 1


@pytest.mark.parametrize(
    ("count", "pairs", "paths"),
    [
        pytest.param(1, [(0, 0)], ["n0 → n0"], id="a skill after itself"),
        pytest.param(2, [(0, 1), (1, 0)], ["n0 → n1 → n0"], id="two"),
        pytest.param(3, [(0, 1), (1, 0), (1, 2), (2, 0)], ["n0 → n1 → n0", "n0 → n1 → n2 → n0"], id="sharing a step"),
        pytest.param(4, [(0, 1), (1, 0), (1, 2), (2, 3), (3, 2)], ["n0 → n1 → n0", "n2 → n3 → n2"], id="two apart"),
        pytest.param(3, [(0, 1), (0, 2), (1, 2)], [], id="none"),
        pytest.param(
            3,
            [(0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0)],
            ["n0 → n1 → n0", "n0 → n1 → n2 → n0", "n0 → n2 → n0", "n0 → n2 → n1 → n0", "n1 → n2 → n1"],
            id="all to all",
        ),
    ],
)
def test_every_cycle_is_reported_once_with_its_path(count: int, pairs: Pairs, paths: list[str]) -> None:
    found = [problem.message for problem in numbered(count, pairs).find_problems()]
    assert sorted(found) == sorted(f"circle: {path}" for path in paths)


def test_a_tangle_is_reported_up_to_a_limit() -> None:
    pairs = [(source, target) for source in range(12) for target in range(12)]
    assert len(numbered(12, pairs).find_problems()) == MAX_CYCLES


def test_a_large_ring_and_a_long_chain_need_no_recursion() -> None:
    count = 5000
    chain = [(number, number + 1) for number in range(count - 1)]
    assert len(numbered(count, chain).topological_order()) == count
    assert codes(numbered(count, [*chain, (count - 1, 0)]).find_problems()) == ["graph_cycle"]


def test_the_order_breaks_ties_by_priority_then_id() -> None:
    drawn = graph(skill("b"), skill("a"), skill("first", priority=5), skill("z", priority=9, requires=["b"]))
    assert drawn.topological_order() == ("first", "a", "b", "z")


def test_the_order_of_a_cycle_is_refused_with_its_path() -> None:
    with pytest.raises(InvalidSkill) as caught:
        graph(skill("a", next_=["b"]), skill("b", next_=["a"])).topological_order()
    assert "a → b → a" in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize("ask", ["reachable", "successors", "predecessors"])
def test_asking_for_an_unknown_skill_names_the_nearest(ask: str) -> None:
    with pytest.raises(SkillNotFound) as caught:
        getattr(graph(skill("research")), ask)("reserch")
    assert caught.value.hint == "did you mean 'research'?"


@pytest.mark.parametrize(
    ("given_", "taken", "fits"),
    [
        pytest.param("string", "string", True, id="same"),
        pytest.param("string", "integer", False, id="different"),
        pytest.param("integer", "number", True, id="an integer is a number"),
        pytest.param("number", "integer", True, id="a number may be whole"),
        pytest.param(["string", "null"], ["null", "object"], True, id="unions that meet"),
        pytest.param(["string", "null"], ["integer", "object"], False, id="unions that do not"),
        pytest.param({}, "integer", True, id="no type is anything"),
        pytest.param(True, "integer", True, id="true is anything"),
        pytest.param({"$ref": "#/$defs/x"}, "integer", True, id="a reference may be anything"),
        pytest.param(
            {"type": "array", "items": {"type": "string"}},
            {"type": "array", "items": {"type": "number"}},
            False,
            id="items",
        ),
        pytest.param({"type": "array"}, {"type": "array", "items": {"type": "number"}}, True, id="items unsaid"),
        pytest.param(
            {"type": "array", "items": {"type": "array", "items": {"type": "string"}}},
            {"type": "array", "items": {"type": "array", "items": {"type": "boolean"}}},
            False,
            id="items of items",
        ),
        pytest.param(
            {"type": ["array", "null"], "items": {"type": "string"}},
            {"type": ["array", "null"], "items": {"type": "number"}},
            True,
            id="items differ but null fits both",
        ),
    ],
)
def test_a_shared_property_must_have_types_that_can_agree(given_: JsonValue, taken: JsonValue, fits: bool) -> None:
    drawn = graph(skill("a", next_=["b"], outputs=gives(x=given_)), skill("b", inputs=gives(x=taken)))
    assert codes(drawn.find_problems()) == ([] if fits else ["graph_type_mismatch"])


def test_a_mismatch_names_both_skills_both_types_and_the_property() -> None:
    listed: JsonObject = {"type": "array", "items": {"type": "string"}}
    drawn = graph(
        skill("a", outputs=gives(rows=listed)), skill("b", requires=["a"], inputs=gives(rows=["null", "object"]))
    )
    (problem,) = drawn.find_problems()
    assert problem.message == "'a' gives 'rows' as array of string, 'b' takes it as null or object"
    assert (problem.skill, problem.other) == ("b", "a")


_NEEDY: JsonObject = {**gives(x="string"), "required": ["x"]}


@pytest.mark.parametrize(
    ("outputs", "found"),
    [
        pytest.param([gives(y="string")], 1, id="listed without it"),
        pytest.param([{"type": "object", "additionalProperties": False}], 1, id="closed"),
        pytest.param([gives(y="string"), gives(z="string")], 1, id="two that do not, one finding"),
        pytest.param([gives(y="string"), gives(x="string")], 0, id="another gives it"),
        pytest.param([gives(y="string"), None], 0, id="another does not say what it gives"),
        pytest.param([{"type": "object"}], 0, id="open"),
        pytest.param([None], 0, id="unsaid"),
        pytest.param([], 0, id="nothing before it"),
    ],
)
def test_a_required_input_must_come_from_some_skill_before(outputs: list[JsonObject | None], found: int) -> None:
    before = [skill(f"a{number}", next_=["b"], outputs=given_) for number, given_ in enumerate(outputs)]
    problems = graph(*before, skill("b", inputs=_NEEDY)).find_problems()
    assert codes(problems) == ["graph_type_mismatch"] * found


def test_json_is_plain_and_carries_the_problems() -> None:
    shown = graph(skill("a", next_=["b", "ghost"], outputs=gives(x="string")), skill("b", requires=["a"])).to_json()
    read = json.loads(json.dumps(shown))
    assert [node["id"] for node in read["nodes"]] == ["a", "b"]
    assert read["nodes"][0]["outputs"] == gives(x="string")
    assert {"source": "a", "target": "b", "kind": "requires"} in read["edges"]
    assert [problem["code"] for problem in read["problems"]] == ["graph_unknown_skill"]


@pytest.mark.parametrize(
    ("title", "label"),
    [
        pytest.param('say "hi"', "say #34;hi#34;", id="quotes"),
        pytest.param("a] --> b[x", "a#93; --#62; b#91;x", id="brackets and an arrow"),
        pytest.param("网络优化（5G）", "网络优化（5G）", id="Chinese"),
        pytest.param("one\ntwo\r\n\tthree", "one two three", id="newlines"),
        pytest.param("#quot; `code` | {x}", "#35;quot#59; #96;code#96; #124; #123;x#125;", id="entities and marks"),
        pytest.param("1. first", "1#46; first", id="an ordered list"),
        pytest.param("- first", "#45; first", id="a list"),
        pytest.param("weekly-report v1.2", "weekly-report v1.2", id="plain"),
        pytest.param("a\u2028b\x00c", "a b c", id="unprintable"),
    ],
)
def test_nothing_in_a_title_breaks_out_of_its_mermaid_label(title: str, label: str) -> None:
    assert graph(skill("a", title=title)).to_mermaid() == f'flowchart LR\n  s0["{label}"]\n'


def test_mermaid_draws_requires_dotted() -> None:
    drawn = graph(skill("a", next_=["b"]), skill("b"), skill("c", requires=["a"])).to_mermaid()
    assert drawn.splitlines()[-2:] == ["  s0 --> s1", "  s0 -.-> s2"]


@st.composite
def graphs(draw: st.DrawFn, *, acyclic: bool = False) -> tuple[int, Pairs]:
    count = draw(st.integers(1, 8))
    node = st.integers(0, count - 1)
    pairs = draw(st.lists(st.tuples(node, node), max_size=14, unique=True))
    return count, [(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]] if acyclic else pairs


@given(graphs(acyclic=True))
def test_the_order_respects_every_edge(made: tuple[int, Pairs]) -> None:
    drawn = numbered(*made)
    order = drawn.topological_order()
    assert sorted(order) == sorted(drawn.nodes)
    assert all(order.index(edge.source) < order.index(edge.target) for edge in drawn.edges)


@given(graphs())
def test_there_is_a_cycle_finding_exactly_when_there_is_no_order(made: tuple[int, Pairs]) -> None:
    drawn = numbered(*made)
    cycles = [problem.message for problem in drawn.find_problems() if problem.code == "graph_cycle"]
    assert len(cycles) == len(set(cycles))
    if cycles:
        with pytest.raises(InvalidSkill):
            drawn.topological_order()
    else:
        assert len(drawn.topological_order()) == len(drawn.nodes)


@given(graphs())
def test_cycles_are_those_that_trying_every_path_finds(made: tuple[int, Pairs]) -> None:
    count, pairs = made
    found = {problem.message for problem in numbered(count, pairs).find_problems()}
    expected = {f"circle: {' → '.join(f'n{number}' for number in path)}" for path in _every_cycle(count, pairs)}
    assert found == expected or len(found) == MAX_CYCLES


def _every_cycle(count: int, pairs: Pairs) -> Iterable[tuple[int, ...]]:
    paths: list[tuple[int, ...]] = [(number,) for number in range(count)]
    while paths:
        path = paths.pop()
        for source, target in pairs:
            if source == path[-1] and target == path[0]:
                yield (*path, target)
            elif source == path[-1] and target > path[0] and target not in path:
                paths.append((*path, target))


@given(graphs())
def test_reachable_is_the_fixpoint_of_following_edges(made: tuple[int, Pairs]) -> None:
    drawn = numbered(*made)
    for start in drawn.nodes:
        seen: set[str] = set()
        while (grown := seen | {edge.target for edge in drawn.edges if edge.source in {start, *seen}}) != seen:
            seen = grown
        assert drawn.reachable(start) == seen
