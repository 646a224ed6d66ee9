"""Files of four layouts to a `Skill` with diagnostics."""

from metier.skills.read._build import AllowedToolsMode
from metier.skills.read._candidate_files import SkillFolder, read_bytes, read_folder
from metier.skills.read._decode import decode
from metier.skills.read._fields import STANDARD_KEYS, SkillField, Values, find_field, read_fields, read_json_fields
from metier.skills.read._front_matter import NoFrontMatter, quote_values, read_front_matter, split_front_matter
from metier.skills.read._manifest import SCHEMA_VERSION, manifest_schema_text, to_manifest
from metier.skills.read._readers import ReadResult, find_system_file, read_skill
from metier.skills.read._scan import PROMPT_SUFFIXES, ScannedFile, ScanResult, SkillCandidate, SkillRoot, scan_root
from metier.skills.read._sub_files import read_cases, read_tools, resolve_reference
from metier.skills.read._unpack import unpack
from metier.skills.read._yaml import Node, PlainScalar, YamlRefused, load_yaml, node_to_json

__all__ = [
    "PROMPT_SUFFIXES",
    "SCHEMA_VERSION",
    "STANDARD_KEYS",
    "AllowedToolsMode",
    "NoFrontMatter",
    "Node",
    "PlainScalar",
    "ReadResult",
    "ScanResult",
    "ScannedFile",
    "SkillCandidate",
    "SkillField",
    "SkillFolder",
    "SkillRoot",
    "Values",
    "YamlRefused",
    "decode",
    "find_field",
    "find_system_file",
    "load_yaml",
    "manifest_schema_text",
    "node_to_json",
    "quote_values",
    "read_bytes",
    "read_cases",
    "read_fields",
    "read_folder",
    "read_front_matter",
    "read_json_fields",
    "read_skill",
    "read_tools",
    "resolve_reference",
    "scan_root",
    "split_front_matter",
    "to_manifest",
    "unpack",
]
