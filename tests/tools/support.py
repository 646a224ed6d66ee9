"""What the tests of the gate and the call path share: skills without files, tools that answer as they are told."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from metier.json_values import JsonObject
from metier.skills import DeclaredTool, Skill, Source
from metier.tools import Registry, ToolCall, ToolContext, ToolResult, ToolSpec

HERE = ToolContext(Path(), conversation="c1", turn="t1")


def skill(
    id: str,
    *,
    scripts: Iterable[str] = (),
    tools: Iterable[str | DeclaredTool] = (),
    allowed: Iterable[str] | None = None,
    forbidden: Iterable[str] = (),
    preapproved: Iterable[str] = (),
    trusted: bool = False,
) -> Skill:
    declared = [DeclaredTool(name, origin="script", script=f"scripts/{name}.py") for name in scripts]
    declared += [tool if isinstance(tool, DeclaredTool) else DeclaredTool(tool) for tool in tools]
    return Skill(
        id=id,
        title=id,
        description="",
        source=Source(Path("SKILL.md"), Path(), "agent-skill", trusted=trusted),
        digest="",
        tools=tuple(declared),
        allowed_tools=None if allowed is None else tuple(allowed),
        forbidden_tools=tuple(forbidden),
        preapproved_tools=tuple(preapproved),
    )


def call(name: str, /, **arguments: object) -> ToolCall:
    return ToolCall("call-1", name, arguments)  # type: ignore[arg-type]


async def _fine(_: JsonObject) -> ToolResult:
    return ToolResult(data={"done": True})


@dataclass(slots=True)
class FakeTool:
    """A tool that does what the test says and remembers what it was given."""

    spec: ToolSpec
    does: Callable[[JsonObject], object] = _fine
    seen: list[JsonObject] = field(default_factory=list)

    async def run(self, arguments: JsonObject, context: ToolContext) -> ToolResult:
        self.seen.append(arguments)
        result = await self.does(arguments)  # type: ignore[misc]
        assert isinstance(result, ToolResult)
        return result


@dataclass(slots=True)
class FakeRunner:
    """Runs no script: every tool answers with the skill it came from."""

    def build_tool(self, skill: Skill, declared: DeclaredTool) -> FakeTool:
        async def does(_: JsonObject) -> ToolResult:
            return ToolResult(data={"from": skill.id})

        return FakeTool(ToolSpec(declared.name, "", {"type": "object"}, "script", skill.id), does)


def registry(*names: str) -> Registry:
    """Runtime tools that take anything."""
    return Registry(FakeTool(ToolSpec(name, f"does {name}", {"type": "object"})) for name in names)
