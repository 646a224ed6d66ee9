"""A skill to a folder of the open standard; conversion; scaffolds."""

from metier.skills.write._add import AddedSkill, add_skills
from metier.skills.write._agent_skill import escape_dashes, quote_yaml
from metier.skills.write._convert import Conversion, ConversionRefusal, convert
from metier.skills.write._delete import delete_skill
from metier.skills.write._fetch import fetch_skills, is_git_url
from metier.skills.write._scaffold import find_template_fields, scaffold

__all__ = [
    "AddedSkill",
    "Conversion",
    "ConversionRefusal",
    "add_skills",
    "convert",
    "delete_skill",
    "escape_dashes",
    "fetch_skills",
    "find_template_fields",
    "is_git_url",
    "quote_yaml",
    "scaffold",
]
