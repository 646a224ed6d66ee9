"""What a skill is: one frozen model for all layouts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from metier.jsons import JsonObject, JsonValue
from metier.skills._text import EMPTY, Text

Layout = Literal["agent-skill", "flat", "manifest", "bare"]
Mode = Literal["chat", "deep"]
ToolOrigin = Literal["script", "builtin", "declared"]


def _nothing() -> JsonObject:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Source:
    """Where a skill was read from: its main file, its folder (or the flat file's folder), and the layout."""

    path: Path
    folder: Path
    layout: Layout
    trusted: bool = False


@dataclass(frozen=True, slots=True)
class DeclaredTool:
    """A tool as a skill declares it; whether it may run is the gate's business."""

    name: str
    description: str = ""
    parameters: JsonObject | None = None
    origin: ToolOrigin = "declared"
    script: str | None = None
    hints: JsonObject = field(default_factory=_nothing)

    @property
    def described(self) -> bool:
        """Whether the skill says what the tool takes, and not only its name."""
        return self.parameters is not None


@dataclass(frozen=True, slots=True)
class Rule:
    """A sub-document of a skill, loaded by name when the work needs it."""

    id: str
    title: str
    text: Text
    impact: str = ""
    impact_description: str = ""
    tags: tuple[str, ...] = ()
    triggers: tuple[str, ...] = ()
    total_steps: int | None = None
    estimated_time: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """A worked example, found by its tags and by the rule it belongs to."""

    id: str
    title: str
    text: Text
    tags: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OutputContract:
    """What an answer of this skill must look like."""

    schema: str = ""
    markers: tuple[str, ...] = ()
    max_chars: int | None = None
    style_hints: JsonValue = None


@dataclass(frozen=True, slots=True)
class DataNeeds:
    """User data the skill must have before it can work."""

    birth_info: bool = False
    compute: bool = False
    compute_type: str = ""
    compute_tool: str = ""
    auto_collect: bool = False


@dataclass(frozen=True, slots=True)
class Invocation:
    """Who may start the skill, and how."""

    by_model: bool = True
    by_user: bool = True
    automatic: bool = True
    argument_hint: str = ""
    context: Literal["inline", "fork"] = "inline"


@dataclass(frozen=True, slots=True)
class DocumentUse:
    """What an office skill reads from the open document and how it writes back."""

    active_text: bool = False
    active_max_chars: int | None = None
    writeback: Literal["", "direct", "compare_table"] = ""
    anchor: Literal["", "cursor", "end"] = ""
    missing_library_hint: JsonValue = None


@dataclass(frozen=True, slots=True)
class Showing:
    """How a skill store shows the skill; nothing here changes what it does."""

    category: str = ""
    icon: str = ""
    color: str = ""
    theme: JsonObject = field(default_factory=_nothing)
    pricing: JsonObject = field(default_factory=_nothing)
    features: tuple[JsonObject, ...] = ()
    showcase: JsonObject = field(default_factory=_nothing)


@dataclass(frozen=True, slots=True)
class SkillFile:
    """A file of the skill as it was when it was read. `extra`: it is neither prompt, rule nor case."""

    path: str
    size_bytes: int
    sha256: str
    extra: bool = True


@dataclass(frozen=True, slots=True)
class Skill:
    """Business know-how as data: who it is for, what it says, which tools it may use, what comes next."""

    id: str
    title: str
    description: str
    source: Source
    digest: str
    version: str = ""
    priority: int = 0
    enabled: bool = True
    group: str = ""
    hosts: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    intents: tuple[str, ...] = ()
    triggers: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    when_to_use: str = ""
    body: Text = EMPTY
    rules: Mapping[str, Rule] = field(default_factory=lambda: MappingProxyType({}))
    tools: tuple[DeclaredTool, ...] = ()
    allowed_tools: tuple[str, ...] | None = None
    forbidden_tools: tuple[str, ...] = ()
    preapproved_tools: tuple[str, ...] = ()
    profile_fields: tuple[str, ...] = ()
    needs: DataNeeds = DataNeeds()
    requires: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    inputs: JsonObject | None = None
    outputs: JsonObject | None = None
    sop: tuple[JsonObject, ...] = ()
    milestones: tuple[JsonObject, ...] = ()
    output: OutputContract = OutputContract()
    cases: tuple[Case, ...] = ()
    mode: Mode = "chat"
    default_scenario: str = ""
    invocation: Invocation = Invocation()
    document: DocumentUse = DocumentUse()
    showing: Showing = Showing()
    license: str = ""
    compatibility: str = ""
    metadata: JsonObject = field(default_factory=_nothing)
    files: tuple[SkillFile, ...] = ()

    @property
    def resources(self) -> tuple[SkillFile, ...]:
        """The files that are neither prompt, rule nor case."""
        return tuple(file for file in self.files if file.extra)

    @property
    def instructions(self) -> str:
        """The body the model reads, unpacked at each use."""
        return str(self.body)

    def tool(self, name: str) -> DeclaredTool | None:
        """The declared tool of this name, if there is one."""
        return next((tool for tool in self.tools if tool.name == name), None)
