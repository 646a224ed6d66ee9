"""What a skill is, how it is read from files, and the catalog of all of them."""

from metier.skills._catalog import Catalog
from metier.skills._codes import CODES, CodeInfo, Effect, Severity
from metier.skills._diagnostics import Diagnostic
from metier.skills._library import SkillLibrary
from metier.skills._readers import Reading
from metier.skills._scan import SkillRoot
from metier.skills._skill import (
    Case,
    DataNeeds,
    DeclaredTool,
    DocumentUse,
    Invocation,
    Layout,
    OutputContract,
    Resource,
    Rule,
    Showing,
    Skill,
    Source,
)
from metier.skills._text import Text

__all__ = [
    "CODES",
    "Case",
    "Catalog",
    "CodeInfo",
    "DataNeeds",
    "DeclaredTool",
    "Diagnostic",
    "DocumentUse",
    "Effect",
    "Invocation",
    "Layout",
    "OutputContract",
    "Reading",
    "Resource",
    "Rule",
    "Severity",
    "Showing",
    "Skill",
    "SkillLibrary",
    "SkillRoot",
    "Source",
    "Text",
]
