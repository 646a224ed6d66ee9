"""Immutable model of a skill, the same for all file layouts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from metier.json_values import JsonObject, JsonValue
from metier.language import Language
from metier.skills.model._summary import summarize_description
from metier.skills.model._text import EMPTY, Text

Layout = Literal["agent-skill", "flat", "manifest", "bare"]
Mode = Literal["chat", "deep"]
ToolOrigin = Literal["script", "builtin", "declared"]
# Why scripts must not run before a person approves the skill: its wording, or files beside it that cannot be used.
Untrusted = Literal["", "wording", "files"]


def _empty_object() -> JsonObject:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Source:
    """Origin of a skill: its main file, the folder that holds it, the layout, and whether the folder is trusted.

    `approved`: `folder` is the copy that was made when a person approved this version.
    """

    path: Path
    folder: Path
    layout: Layout
    trusted: bool = False
    approved: bool = False


@dataclass(frozen=True, slots=True)
class DeclaredTool:
    """A tool as declared by a skill; whether a call may run is decided by the gate."""

    name: str
    description: str = ""
    parameters: JsonObject | None = None
    origin: ToolOrigin = "declared"
    script: str | None = None
    hints: JsonObject = field(default_factory=_empty_object)

    @property
    def has_parameters(self) -> bool:
        """Whether the skill declares the tool's parameters, not only its name."""
        return self.parameters is not None


@dataclass(frozen=True, slots=True)
class Rule:
    """A sub-document of a skill, added to the context only when it is needed."""

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
    """A worked example, looked up by its tags and by the rules it illustrates.

    A tag may list synonyms: `跳槽|换工作|change jobs`. `weight` multiplies what its tags and title score; `source` says
    where the case comes from.
    """

    id: str
    title: str
    text: Text
    tags: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    weight: float = 1.0
    source: str = ""


@dataclass(frozen=True, slots=True)
class OutputContract:
    """Required form of the skill's answers: `schema` is the name of one, `json_schema` the schema itself.

    `plan` is what the skill demands of document plans; the pack that writes documents reads it.
    """

    schema: str = ""
    markers: tuple[str, ...] = ()
    max_chars: int | None = None
    style_hints: JsonValue = None
    json_schema: JsonObject | None = None
    plan: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class DataNeeds:
    """User data that the skill requires before it can start."""

    birth_info: bool = False
    compute: bool = False
    compute_type: str = ""
    compute_tool: str = ""
    auto_collect: bool = False


@dataclass(frozen=True, slots=True)
class Invocation:
    """Who may activate the skill, and how."""

    by_model: bool = True
    by_user: bool = True
    automatic: bool = True
    argument_hint: str = ""
    context: Literal["inline", "fork"] = "inline"


@dataclass(frozen=True, slots=True)
class DocumentUse:
    """What an office skill reads from the open document, and how it writes back.

    `active_text`: whether its prompt shows the document; None, if the skill does not say, shows it as far as it fits.
    """

    active_text: bool | None = None
    active_max_chars: int | None = None
    writeback: Literal["", "direct", "compare_table"] = ""
    anchor: Literal["", "cursor", "end"] = ""
    missing_library_hint: JsonValue = None


@dataclass(frozen=True, slots=True)
class DisplayInfo:
    """Display data for a skill store; no effect on behaviour."""

    category: str = ""
    icon: str = ""
    color: str = ""
    theme: JsonObject = field(default_factory=_empty_object)
    pricing: JsonObject = field(default_factory=_empty_object)
    features: tuple[JsonObject, ...] = ()
    showcase: JsonObject = field(default_factory=_empty_object)


@dataclass(frozen=True, slots=True)
class SkillFile:
    """Size and hash of one of the skill's files when it was read. `extra`: neither prompt, rule nor case."""

    path: str
    size_bytes: int
    sha256: str
    extra: bool = True


@dataclass(frozen=True, slots=True)
class Skill:
    """One skill: description for routing, instructions for the model, permitted tools, and links to other skills.

    `titles` and `descriptions` are the texts by language if the skill gives both; `title` is then the first of them and
    `description` all of them, because routing reads both languages.
    """

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
    showing: DisplayInfo = DisplayInfo()
    license: str = ""
    compatibility: str = ""
    metadata: JsonObject = field(default_factory=_empty_object)
    files: tuple[SkillFile, ...] = ()
    untrusted: Untrusted = ""
    owner: str = ""
    titles: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    descriptions: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def title_in(self, language: Language) -> str:
        """Title in this language, or the only one there is."""
        return self.titles.get(language) or self.title

    def description_in(self, language: Language) -> str:
        """Description in this language, or the only one there is."""
        return self.descriptions.get(language) or self.description

    def summary_in(self, language: Language) -> str:
        """What it is for, for people who choose: the description without what only helps a model to choose."""
        return summarize_description(self.description_in(language))

    @property
    def resources(self) -> tuple[SkillFile, ...]:
        """Files that are neither prompt, rule nor case."""
        return tuple(file for file in self.files if file.extra)

    @property
    def instructions(self) -> str:
        """Instructions for the model, decompressed at each access."""
        return str(self.body)

    @property
    def kept_tools(self) -> frozenset[str]:
        """Tools whose results are kept whole in the prompt, from `keep_results`."""
        listed = self.metadata.get("keep_results")
        names = listed.replace(",", " ").split() if isinstance(listed, str) else listed
        return frozenset(map(str, names)) if isinstance(names, list | tuple) else frozenset()
