"""Skills: the model of a skill, reading skills from files, and the catalog of all loaded skills."""

from metier.skills._catalog import Catalog
from metier.skills._codes import CODES, CodeInfo, Effect, Severity
from metier.skills._convert import Conversion, Refusal, convert
from metier.skills._diagnostics import Diagnostic
from metier.skills._export import skill_summary, skill_to_json
from metier.skills._graph import GraphProblem, SkillEdge, SkillGraph, SkillNode
from metier.skills._library import SkillLibrary
from metier.skills._manifest import manifest_schema_text, to_manifest
from metier.skills._readers import ReadResult
from metier.skills._scaffold import scaffold
from metier.skills._scan import SkillRoot
from metier.skills._skill import (
    Case,
    DataNeeds,
    DeclaredTool,
    DisplayInfo,
    DocumentUse,
    Invocation,
    Layout,
    OutputContract,
    Rule,
    Skill,
    SkillFile,
    Source,
)
from metier.skills._text import Text

__all__ = [
    "CODES",
    "Case",
    "Catalog",
    "CodeInfo",
    "Conversion",
    "DataNeeds",
    "DeclaredTool",
    "Diagnostic",
    "DisplayInfo",
    "DocumentUse",
    "Effect",
    "GraphProblem",
    "Invocation",
    "Layout",
    "OutputContract",
    "ReadResult",
    "Refusal",
    "Rule",
    "Severity",
    "Skill",
    "SkillEdge",
    "SkillFile",
    "SkillGraph",
    "SkillLibrary",
    "SkillNode",
    "SkillRoot",
    "Source",
    "Text",
    "convert",
    "manifest_schema_text",
    "scaffold",
    "skill_summary",
    "skill_to_json",
    "to_manifest",
]
