"""Directed graph of skills, from their `next` and `requires` fields, with checks for cycles and types."""

import heapq
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from graphlib import TopologicalSorter
from itertools import islice
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from metier.errors import InvalidSkill, SkillNotFound
from metier.json_values import JsonObject, JsonValue
from metier.limits import get_properties
from metier.names import suggest
from metier.skills.model._skill import Skill

EdgeKind = Literal["next", "requires"]
ProblemCode = Literal["graph_unknown_skill", "graph_cycle", "graph_type_mismatch"]
_Adjacency: TypeAlias = dict[str, dict[str, None]]

# n skills can have more than 2^n cycles, and nobody works through a longer list than this.
MAX_CYCLES: Final = 100
_UNSAFE_IN_LABEL = re.compile(r"[!-'()*;-@\[-^`{-~]")
_LIST_MARK = re.compile(r"^(\d+|)([.+-])(?=\s)")


@dataclass(frozen=True, slots=True)
class SkillNode:
    """A skill in the graph: its input and output schemas and the names of its tools."""

    id: str
    title: str
    description: str = ""
    inputs: JsonObject | None = None
    outputs: JsonObject | None = None
    tools: tuple[str, ...] = ()

    def to_json(self) -> JsonObject:
        """JSON form for the CLI and the API."""
        return {
            "id": self.id,
            "title": self.title,
            "description": self.description,
            "inputs": None if self.inputs is None else dict(self.inputs),
            "outputs": None if self.outputs is None else dict(self.outputs),
            "tools": list(self.tools),
        }


@dataclass(frozen=True, slots=True)
class SkillEdge:
    """`source` precedes `target`: `source` lists it under `next`, or `target` lists `source` under `requires`."""

    source: str
    target: str
    kind: EdgeKind

    def to_json(self) -> JsonObject:
        """JSON form for the CLI and the API."""
        return {"source": self.source, "target": self.target, "kind": self.kind}


@dataclass(frozen=True, slots=True)
class GraphProblem:
    """One problem of the graph; `skill` is the one whose file must change, `other` the skill at the other end."""

    code: ProblemCode
    message: str
    hint: str
    skill: str
    other: str = ""

    def to_json(self) -> JsonObject:
        """JSON form for the CLI and the API."""
        return {
            "code": self.code,
            "message": self.message,
            "hint": self.hint,
            "skill": self.skill,
            "other": self.other,
        }


@dataclass(frozen=True, slots=True)
class SkillGraph:
    """Graph of all skills of a catalog.

    `edges` joins existing skills; `dangling` has the edges to skills that do not exist.
    """

    nodes: Mapping[str, SkillNode] = field(default_factory=lambda: MappingProxyType({}))
    edges: tuple[SkillEdge, ...] = ()
    dangling: tuple[SkillEdge, ...] = ()

    @classmethod
    def from_skills(cls, catalog: Iterable[Skill]) -> "SkillGraph":
        """Build the graph of a catalog; nodes are ordered by descending priority, then by id."""
        skills = sorted(catalog, key=lambda skill: (-skill.priority, skill.id))
        nodes = MappingProxyType({skill.id: _to_node(skill) for skill in skills})
        drawn = tuple(dict.fromkeys(edge for skill in skills for edge in _edges_from(skill)))
        known = tuple(edge for edge in drawn if edge.source in nodes and edge.target in nodes)
        dangling = tuple(edge for edge in drawn if edge.source not in nodes or edge.target not in nodes)
        return cls(nodes, known, dangling)

    def successors(self, skill_id: str) -> tuple[str, ...]:
        """Direct successors of a skill, in node order."""
        self._check_known(skill_id)
        return self._sort_by_node_order({edge.target for edge in self.edges if edge.source == skill_id})

    def predecessors(self, skill_id: str) -> tuple[str, ...]:
        """Direct predecessors of a skill, in node order."""
        self._check_known(skill_id)
        return self._sort_by_node_order({edge.source for edge in self.edges if edge.target == skill_id})

    def reachable(self, skill_id: str) -> frozenset[str]:
        """All skills reachable from this one; includes itself only if it is on a cycle."""
        self._check_known(skill_id)
        links = self._build_adjacency()
        seen: dict[str, None] = {}
        waiting = [skill_id]
        while waiting:
            new = links[waiting.pop()].keys() - seen.keys()
            seen.update(dict.fromkeys(new))
            waiting.extend(new)
        return frozenset(seen)

    def topological_order(self) -> tuple[str, ...]:
        """Topological order, ties broken by descending priority, then by id; `InvalidSkill` if there is a cycle."""
        for cycle in _find_cycles(self._build_adjacency()):
            raise InvalidSkill(f"skills follow each other in a circle: {_format_cycle(cycle)}", hint=_CYCLE_HINT)
        sorter: TopologicalSorter[str] = TopologicalSorter(dict.fromkeys(self.nodes, ()))
        for edge in self.edges:
            sorter.add(edge.target, edge.source)
        sorter.prepare()
        return tuple(_sort_by_rank(sorter, {skill_id: rank for rank, skill_id in enumerate(self.nodes)}))

    def find_problems(self) -> tuple[GraphProblem, ...]:
        """Problems: unknown skills, then cycles, then incompatible inputs and outputs."""
        unknown = (_unknown_skill_problem(edge, self.nodes) for edge in self.dangling)
        cycles = (
            GraphProblem("graph_cycle", f"circle: {_format_cycle(cycle)}", _CYCLE_HINT, cycle[0], (*cycle, cycle[0])[1])
            for cycle in _find_cycles(self._build_adjacency())
        )
        return (*unknown, *cycles, *self._find_mismatches())

    def to_json(self) -> JsonObject:
        """JSON form with nodes, edges and problems."""
        return {
            "nodes": [node.to_json() for node in self.nodes.values()],
            "edges": [edge.to_json() for edge in (*self.edges, *self.dangling)],
            "problems": [problem.to_json() for problem in self.find_problems()],
        }

    def to_mermaid(self) -> str:
        """Mermaid flowchart; `requires` edges are dotted, and titles are escaped so that they cannot inject syntax."""
        names = {skill_id: f"s{number}" for number, skill_id in enumerate(self.nodes)}
        boxes = [f'  {names[node.id]}["{_escape_label(node.title or node.id)}"]' for node in self.nodes.values()]
        arrows = {"next": "-->", "requires": "-.->"}
        lines = [f"  {names[edge.source]} {arrows[edge.kind]} {names[edge.target]}" for edge in self.edges]
        return "\n".join(["flowchart LR", *boxes, *lines]) + "\n"

    def _check_known(self, skill_id: str) -> None:
        if skill_id not in self.nodes:
            raise SkillNotFound(f"no skill {skill_id!r} in the graph", hint=_suggest_id(skill_id, self.nodes))

    def _sort_by_node_order(self, wanted: set[str]) -> tuple[str, ...]:
        return tuple(skill_id for skill_id in self.nodes if skill_id in wanted)

    def _build_adjacency(self) -> _Adjacency:
        links: _Adjacency = {skill_id: {} for skill_id in self.nodes}
        for edge in self.edges:
            links[edge.source][edge.target] = None
        return links

    def _find_mismatches(self) -> Iterator[GraphProblem]:
        for skill_id, sources in _reverse_edges(self._build_adjacency()).items():
            taker = self.nodes[skill_id]
            givers = [self.nodes[source] for source in sources if source != skill_id]
            for giver in givers:
                yield from _find_type_conflicts(giver, taker)
            yield from _find_missing_inputs(givers, taker)


def _to_node(skill: Skill) -> SkillNode:
    names = (*(tool.name for tool in skill.tools), *(skill.allowed_tools or ()))
    return SkillNode(skill.id, skill.title, skill.description, skill.inputs, skill.outputs, tuple(dict.fromkeys(names)))


def _edges_from(skill: Skill) -> Iterator[SkillEdge]:
    for target in skill.next:
        yield SkillEdge(skill.id, target, "next")
    for source in skill.requires:
        yield SkillEdge(source, skill.id, "requires")


def _sort_by_rank(sorter: "TopologicalSorter[str]", rank: Mapping[str, int]) -> Iterator[str]:
    waiting: list[tuple[int, str]] = []
    while sorter.is_active():
        for skill_id in sorter.get_ready():
            heapq.heappush(waiting, (rank[skill_id], skill_id))
        _, first = heapq.heappop(waiting)
        yield first
        sorter.done(first)


def _suggest_id(skill_id: str, known: Iterable[str]) -> str:
    return suggest(skill_id, known, "`metier skills list` shows what is loaded")


def _unknown_skill_problem(edge: SkillEdge, known: Mapping[str, SkillNode]) -> GraphProblem:
    who, missing = (edge.source, edge.target) if edge.kind == "next" else (edge.target, edge.source)
    verb = "leads to" if edge.kind == "next" else "requires"
    message = f"{who!r} {verb} {missing!r}, which is not there"
    return GraphProblem("graph_unknown_skill", message, _suggest_id(missing, known), who, missing)


# Cycles ---------------------------------------------------------------------------------------------------------------

_CYCLE_HINT = "take one of the steps out of 'next' or 'requires'"


def _format_cycle(cycle: tuple[str, ...]) -> str:
    return " → ".join((*cycle, cycle[0]))


def _find_cycles(links: Mapping[str, Mapping[str, None]]) -> Iterator[tuple[str, ...]]:
    """Every elementary cycle once, up to `MAX_CYCLES`, each starting at its first node in the order of `links`."""
    return islice(_iter_cycles(links), MAX_CYCLES)


def _iter_cycles(links: Mapping[str, Mapping[str, None]]) -> Iterator[tuple[str, ...]]:
    ahead: _Adjacency = {source: dict(targets) for source, targets in links.items()}
    behind = _reverse_edges(ahead)
    _remove_acyclic(ahead, behind, [node for node in ahead if not ahead[node] or not behind[node]])
    while ahead:
        start = next(iter(ahead))
        yield from _find_cycles_through(start, ahead)
        _remove_acyclic(ahead, behind, [start])


def _reverse_edges(links: Mapping[str, Mapping[str, None]]) -> _Adjacency:
    turned: _Adjacency = {node: {} for node in links}
    for source, targets in links.items():
        for target in targets:
            turned[target][source] = None
    return turned


def _remove_acyclic(ahead: _Adjacency, behind: _Adjacency, waiting: list[str]) -> None:
    """Remove these nodes, then repeatedly every node without incoming or outgoing edges: it is on no cycle."""
    while waiting:
        gone = waiting.pop()
        if gone not in ahead:
            continue
        for links, turned in ((ahead, behind), (behind, ahead)):
            for neighbour in links.pop(gone):
                turned.get(neighbour, {}).pop(gone, None)
                if not turned.get(neighbour):
                    waiting.append(neighbour)


def _find_cycles_through(start: str, links: _Adjacency) -> Iterator[tuple[str, ...]]:
    """Depth-first search along paths that can still return to `start`, so that every branch yields a cycle."""
    path, barred = [start], {start}
    branches = [_steps_leading_to(start, links[start], links, barred)]
    while branches:
        target = next(branches[-1], None)
        if target is None:
            branches.pop()
            barred.discard(path.pop())
        elif target == start:
            yield tuple(path)
        else:
            path.append(target)
            barred.add(target)
            branches.append(_steps_leading_to(start, links[target], links, barred))


def _steps_leading_to(start: str, targets: Mapping[str, None], links: _Adjacency, barred: set[str]) -> Iterator[str]:
    if start in targets:
        yield start
    open_ = [target for target in targets if target not in barred]
    # The current path is known to lead back, so a single continuation needs no check. Checking it anyway would make a
    # ring of n skills cost n².
    proven = len(open_) == 1 and start not in targets and len(barred) > 1
    yield from (target for target in open_ if proven or _has_path(start, target, links, barred))


def _has_path(goal: str, start: str, links: _Adjacency, barred: set[str]) -> bool:
    seen, waiting = {start}, [start]
    while waiting:
        targets = links[waiting.pop()]
        if goal in targets:
            return True
        new = [target for target in targets if target not in seen and target not in barred]
        seen.update(new)
        waiting.extend(new)
    return False


# Types ----------------------------------------------------------------------------------------------------------------


def _find_type_conflicts(giver: SkillNode, taker: SkillNode) -> Iterator[GraphProblem]:
    given, taken = get_properties(giver.outputs), get_properties(taker.inputs)
    for name in taken:
        if name in given and not _can_agree(given[name], taken[name]):
            said, wanted = _describe_type(given[name]), _describe_type(taken[name])
            message = f"{giver.id!r} gives {name!r} as {said}, {taker.id!r} takes it as {wanted}"
            hint = f"use one type for {name!r} in both, or rename one of them"
            yield GraphProblem("graph_type_mismatch", message, hint, taker.id, giver.id)


def _find_missing_inputs(givers: list[SkillNode], taker: SkillNode) -> Iterator[GraphProblem]:
    """Required inputs of `taker` that no predecessor outputs, if all predecessors declare their outputs."""
    required = (taker.inputs or {}).get("required")
    if not givers or not isinstance(required, list | tuple) or not all(_is_closed(giver.outputs) for giver in givers):
        return
    for name in required:
        if isinstance(name, str) and not any(name in get_properties(giver.outputs) for giver in givers):
            before = ", ".join(repr(giver.id) for giver in givers)
            message = f"{taker.id!r} requires {name!r}, which nothing before it gives ({before})"
            hint = f"add {name!r} to the outputs before it, or do not require it"
            yield GraphProblem("graph_type_mismatch", message, hint, taker.id, givers[0].id)


def _is_closed(schema: JsonObject | None) -> bool:
    return schema is not None and (bool(get_properties(schema)) or schema.get("additionalProperties") is False)


def _can_agree(given: JsonValue, taken: JsonValue) -> bool:
    """Whether some value can match both schemas, judged by `type` and `items` only."""
    gives, takes = _get_types(given), _get_types(taken)
    if gives is None or takes is None:
        return True
    shared = gives & takes
    if shared != {"array"} or not isinstance(given, Mapping) or not isinstance(taken, Mapping):
        return bool(shared)
    return _can_agree(given.get("items"), taken.get("items"))


def _get_types(schema: JsonValue) -> set[str] | None:
    """Types that a schema names, `None` for any; `number` includes `integer`."""
    named = schema.get("type") if isinstance(schema, Mapping) else None
    types = {named} if isinstance(named, str) else {item for item in _as_list(named) if isinstance(item, str)}
    return (types | {"integer"} if "number" in types else types) or None


def _as_list(value: JsonValue) -> list[JsonValue]:
    return list(value) if isinstance(value, list | tuple) else []


def _describe_type(schema: JsonValue) -> str:
    named = schema.get("type") if isinstance(schema, Mapping) else None
    if named == "array" and isinstance(schema, Mapping) and _get_types(schema.get("items")):
        return f"array of {_describe_type(schema.get('items'))}"
    return named if isinstance(named, str) else " or ".join(str(item) for item in _as_list(named)) or "anything"


# Mermaid --------------------------------------------------------------------------------------------------------------


def _escape_label(title: str) -> str:
    """Escape everything that Mermaid or its Markdown could parse as syntax to `#code;`."""
    plain = " ".join("".join(char if char.isprintable() else " " for char in title).split())
    safe = _UNSAFE_IN_LABEL.sub(lambda found: f"#{ord(found[0])};", plain)
    return _LIST_MARK.sub(lambda found: f"{found[1]}#{ord(found[2])};", safe)
