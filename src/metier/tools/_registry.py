"""Registry of all tools by name: built-in, from packs, from MCP servers, and from skills.

A registry is immutable: registering returns a new one, so a turn keeps the tools it started with.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final, Protocol, get_args

from metier.errors import InvalidTool, MetierError, Refused, ToolNotFound
from metier.json_values import JsonObject, JsonValue
from metier.skills import DeclaredTool, Skill
from metier.tools._approval import check_approval, parse_approval
from metier.tools._calls import Tool, ToolContext, ToolResult
from metier.tools._names import CONTROL_TOOLS, find_nearest_name, tool_name_problem
from metier.tools._plugins import replace_spec
from metier.tools._spec import DEFAULT_TIMEOUT_S, Retrieval, SideEffect, ToolExample, ToolSpec
from metier.tools.schema import check_parameters

RUNTIME: Final = "the runtime"
_MAX_NAME_CHARS: Final = 64
# A tool that declares no parameters accepts any arguments.
_ANY_OBJECT: Final[JsonObject] = MappingProxyType({"type": "object"})
_MAX_TIMEOUT_S: Final = 600.0
_MAX_EXAMPLE_CHARS: Final = 500
_MAX_NOTE_CHARS: Final = 200


class ScriptRunner(Protocol):
    """Builds the tool for a script that a skill declares."""

    def build_tool(self, skill: Skill, declared: DeclaredTool) -> Tool: ...


@dataclass(frozen=True, slots=True)
class ToolProblem:
    """Tool of a skill or an MCP server that cannot be called, and why."""

    owner: str
    tool: str
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Scope:
    """Tools visible in one turn; `inactive` maps a tool to the skill that would have to be active.

    A name that two owners bring is ambiguous; each of the tools has a name of its own, `owner__tool`. `qualified` maps
    such a name to the ambiguous one.
    """

    specs: Mapping[str, ToolSpec]
    ambiguous: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    inactive: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    qualified: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


class Registry:
    """Immutable set of tools. A runtime tool's name is unique; two skills may declare the same name."""

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        self._tools: dict[tuple[str | None, str], Tool] = {}
        self.problems: tuple[ToolProblem, ...] = ()
        for tool in tools:
            self._add(tool)

    def register(self, *tools: Tool, namespace: str = "") -> "Registry":
        """Return a registry with these tools added.

        If a name is taken, the tool becomes `namespace__name`; without a namespace, `InvalidTool` is raised.
        """
        made = self._copy()
        for tool in tools:
            taken = (tool.spec.skill, tool.spec.name) in made._tools or tool.spec.name in CONTROL_TOOLS
            name = f"{namespace}__{tool.spec.name}"[:_MAX_NAME_CHARS]
            made._add(replace_spec(tool, replace(tool.spec, name=name)) if taken and namespace else tool)
        return made

    def with_skills(self, skills: Iterable[Skill], runner: ScriptRunner | None = None) -> "Registry":
        """Return a registry with the scripts these skills declare; those that cannot be called are in `problems`.

        Only declared tools are added: a file in `scripts/` without a declaration is not a tool. Earlier tools of these
        skills are replaced. Without a runner the gate knows the tools, but they cannot run.
        """
        brought = tuple(skills)
        made = self._remove_skills({skill.id for skill in brought})
        problems = list(made.problems)
        for skill in brought:
            for declared in skill.tools:
                try:
                    made._declare(skill, declared, runner)
                except MetierError as error:
                    problems.append(ToolProblem(_format_owner(skill.id), declared.name, error.code, error.message))
        made.problems = tuple(problems)
        return made

    def with_problems(self, problems: Iterable[ToolProblem]) -> "Registry":
        """Return a registry that also reports these problems."""
        made = self._copy()
        made.problems = (*made.problems, *problems)
        return made

    def with_server(self, server: str, tools: Iterable[Tool]) -> "Registry":
        """Return a registry with the tools of an MCP server; a tool that cannot be added becomes a problem."""
        made = self._copy()
        for tool in tools:
            try:
                made = made.register(tool, namespace=server)
            except MetierError as error:
                problem = ToolProblem(f"server {server}", tool.spec.name, error.code, error.message)
                made.problems = (*made.problems, problem)
        return made

    def get(self, name: str, *, skill: str | None = None) -> Tool:
        """Return the skill's tool of this name, else the runtime's; `ToolNotFound` suggests the closest name."""
        plain = name.removeprefix(_qualify(skill, ""))
        found = self._tools.get((skill, name)) or self._tools.get((skill, plain)) or self._tools.get((None, name))
        if found is None:
            near = find_nearest_name(name, {key[1] for key in self._tools})
            hint = f"did you mean {near!r}?" if near else "`metier tools list` shows what there is"
            raise ToolNotFound(f"no tool {name[:80]!r}", hint=hint)
        return found

    def __contains__(self, name: object) -> bool:
        return any(key[1] == name for key in self._tools)

    def __len__(self) -> int:
        return len(self._tools)

    def specs(self) -> tuple[ToolSpec, ...]:
        """Specs of all tools, sorted by name, those of the runtime before those of skills."""
        return tuple(
            tool.spec for _, tool in sorted(self._tools.items(), key=lambda item: (item[0][1], item[0][0] or ""))
        )

    @property
    def collisions(self) -> Mapping[str, tuple[str, ...]]:
        """Names with more than one owner; a problem only if two of them are active in one turn."""
        owners: dict[str, list[str]] = {}
        for skill, name in self._tools:
            owners.setdefault(name, []).append(_format_owner(skill))
        return MappingProxyType({name: tuple(sorted(who)) for name, who in owners.items() if len(who) > 1})

    def scope(self, skills: Iterable[str]) -> Scope:
        """Return the tools of a turn in which these skills are active."""
        active = frozenset(skills)
        here: dict[str, list[ToolSpec]] = {}
        absent: dict[str, ToolSpec] = {}
        for (skill, name), tool in self._tools.items():
            if skill is None or skill in active:
                here.setdefault(name, []).append(tool.spec)
            else:
                absent.setdefault(name, tool.spec)
        inactive = {name: spec for name, spec in absent.items() if name not in here}
        clashes = {name: tuple(sorted(_format_owner(spec.skill) for spec in specs)) for name, specs in here.items()}
        shared = {name: specs for name, specs in here.items() if len(specs) > 1}
        own = {_qualify(spec.skill, name): (name, spec) for name, specs in shared.items() for spec in specs}
        plain = {**inactive, **{name: specs[0] for name, specs in here.items()}}
        qualified = {full: (name, spec) for full, (name, spec) in own.items() if full not in plain}
        renamed = {full: replace(spec, name=full) for full, (_, spec) in qualified.items()}
        return Scope(
            specs=MappingProxyType({**plain, **renamed}),
            qualified=MappingProxyType({full: name for full, (name, _) in qualified.items()}),
            ambiguous=MappingProxyType({name: owners for name, owners in clashes.items() if len(owners) > 1}),
            inactive=MappingProxyType({name: spec.skill or "" for name, spec in inactive.items()}),
        )

    def _remove_skills(self, skills: set[str]) -> "Registry":
        made = self._copy()
        made._tools = {key: tool for key, tool in self._tools.items() if key[0] not in skills}
        gone = frozenset(map(_format_owner, skills))
        made.problems = tuple(problem for problem in self.problems if problem.owner not in gone)
        return made

    def _copy(self) -> "Registry":
        made = Registry()
        made._tools = dict(self._tools)
        made.problems = self.problems
        return made

    def _add(self, tool: Tool) -> None:
        spec = tool.spec
        if why := tool_name_problem(spec.name):
            raise InvalidTool(f"{spec.name[:80]!r} cannot be a tool's name", hint=why)
        if spec.name in CONTROL_TOOLS and spec.origin in ("script", "mcp"):
            raise InvalidTool(f"{spec.name!r} is a name of the runtime", hint="give the tool another name")
        if (spec.skill, spec.name) in self._tools:
            raise InvalidTool(
                f"{_format_owner(spec.skill)} has a tool {spec.name!r} already", hint="give one another name"
            )
        check_approval(spec.approval)
        if spec.skill is None:
            check_parameters(spec.parameters)  # schemas of skills were checked when the skill was read
        self._tools[spec.skill, spec.name] = tool

    def _declare(self, skill: Skill, declared: DeclaredTool, runner: ScriptRunner | None) -> None:
        if declared.origin != "script":
            if (None, declared.name) not in self._tools and declared.name not in CONTROL_TOOLS:
                hint = "install the pack or the MCP server that provides it, or take it out of the skill"
                raise ToolNotFound(f"nothing here provides {declared.name!r}", hint=hint)
            return
        if skill.untrusted:
            raise Refused(f"skill {skill.id!r} waits for approval", hint=f"`metier skills approve {skill.id}`")
        spec = spec_from_declaration(skill, declared)
        self._add(_ScriptWithoutRunner(spec) if runner is None else runner.build_tool(skill, declared))


@dataclass(frozen=True, slots=True)
class _ScriptWithoutRunner:
    """Script tool without a runner: the gate can judge it, but it cannot run."""

    spec: ToolSpec

    async def run(self, arguments: JsonObject, context: ToolContext) -> ToolResult:
        return ToolResult.fail("no_script_runner", "scripts cannot run here", hint="give the registry a runner")


def _qualify(skill: str | None, tool: str) -> str:
    """Name of a tool that says whose it is."""
    return f"{skill or 'runtime'}__{tool}"


def _format_owner(skill: str | None) -> str:
    return RUNTIME if skill is None else f"skill {skill}"


def spec_from_declaration(skill: Skill, declared: DeclaredTool) -> ToolSpec:
    """Build the spec of a skill's script from its declaration.

    `approval`, `timeout` (seconds), `idempotent`, `effects`, `undoes`, `preview` and `retrieves` are read from the keys
    beside the parameters. A script executes whatever else it declares.
    """
    hints = declared.hints
    return ToolSpec(
        name=declared.name,
        description=declared.description,
        parameters=_ANY_OBJECT if declared.parameters is None else declared.parameters,
        origin="script",
        skill=skill.id,
        idempotent=hints.get("idempotent") is True,
        approval=parse_approval(hints.get("approval")),
        timeout_s=_parse_timeout(hints.get("timeout_s", hints.get("timeout"))),
        effects=frozenset({"executes", *_parse_words(hints.get("effects"), SideEffect)}),
        undoes=str(hints.get("undoes") or ""),
        preview=str(hints.get("preview") or ""),
        retrieves=next(iter(_parse_words(hints.get("retrieves"), Retrieval)), None),
        examples=tuple(_iter_examples(hints.get("examples"))),
        edge_cases=tuple(str(one)[:_MAX_NOTE_CHARS] for one in _as_list(hints.get("edge_cases"))),
    )


def _as_list(value: JsonValue) -> Sequence[JsonValue]:
    return value if isinstance(value, list | tuple) else ()


def _iter_examples(value: JsonValue) -> Iterator[ToolExample]:
    """Calls as written in a skill: the arguments under `arguments`, or alone."""
    for one in _as_list(value):
        if isinstance(one, Mapping):
            given = one.get("arguments", one)
            if isinstance(given, Mapping) and len(json.dumps(given, default=dict)) <= _MAX_EXAMPLE_CHARS:
                yield ToolExample(given, str(one.get("note") or "")[:_MAX_NOTE_CHARS] if "arguments" in one else "")


def _parse_words(value: JsonValue, kind: Any) -> tuple[Any, ...]:
    """Words of a `Literal` type, written as one text or as a list; `InvalidTool` for any other."""
    given = [value] if isinstance(value, str) else value if isinstance(value, list | tuple) else ()
    known = get_args(kind)
    for word in given:
        if word not in known:
            raise InvalidTool(f"{str(word)[:40]!r} is not one of {', '.join(known)}", hint="see the tool's keys")
    return tuple(given)


def _parse_timeout(value: JsonValue) -> float:
    if value is None:
        return DEFAULT_TIMEOUT_S
    try:
        seconds = float(value) if isinstance(value, int | float | str) and not isinstance(value, bool) else 0.0
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= _MAX_TIMEOUT_S:
        hint = f"a number of seconds up to {_MAX_TIMEOUT_S:g}"
        raise InvalidTool(f"timeout cannot be {str(value)[:40]!r}", hint=hint)
    return seconds
