"""Table of diagnostic codes with severity, effect on the skill, and meaning.

`refused`: the skill is not loaded. `repaired`: it is loaded with the stated change. `noted`: it is loaded as it is.
A finding about one tool or side file that would refuse the skill costs only that part: it is left out, `repaired`.
`relaxed_if_trusted`: in a trusted folder the finding is only a warning and the skill is loaded.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Severity = Literal["error", "warning", "info"]
Effect = Literal["refused", "repaired", "noted"]


@dataclass(frozen=True, slots=True)
class CodeInfo:
    """Severity, effect and meaning of one diagnostic code."""

    severity: Severity
    effect: Effect
    meaning: str
    relaxed_if_trusted: bool = False


def _refuse(meaning: str, *, relaxes: bool = False) -> CodeInfo:
    return CodeInfo("error", "refused", meaning, relaxes)


def _repair_error(meaning: str) -> CodeInfo:
    return CodeInfo("error", "repaired", meaning)


def _repair_warning(meaning: str) -> CodeInfo:
    return CodeInfo("warning", "repaired", meaning)


def _note_warning(meaning: str) -> CodeInfo:
    return CodeInfo("warning", "noted", meaning)


def _note_info(meaning: str) -> CodeInfo:
    return CodeInfo("info", "noted", meaning)


def _note_error(meaning: str) -> CodeInfo:
    return CodeInfo("error", "noted", meaning)


_FILES: Mapping[str, CodeInfo] = {
    "file_empty": _refuse("The file has no content."),
    "file_too_large": _refuse("The file is larger than its limit and was not read."),
    "file_unreadable": _refuse("The file cannot be opened or vanished while it was read."),
    "encoding_not_utf8": _refuse("The file is not UTF-8 text."),
    "nul_byte": _refuse("The text holds a NUL byte."),
    "bom_removed": CodeInfo("info", "repaired", "A UTF-8 byte order mark was skipped."),
    "line_ends_normalised": CodeInfo("info", "repaired", "CRLF or CR line ends were read as LF."),
    "symlink": _refuse("A symbolic link stands where a file or folder of the skill should be."),
    "hard_link": _refuse("A file has a second name somewhere else on the disk.", relaxes=True),
    "not_regular_file": _refuse("A pipe, socket or device stands where a file should be."),
    "file_name_invalid": _refuse("A file name cannot exist on every system or hides its kind."),
    "file_name_collision": _refuse("Two files have the same name once case, width and Unicode form are ignored."),
    "too_many_files": _refuse("The skill folder holds more files than a skill may; the others are not used."),
    "folder_too_large": _refuse("The skill folder holds more bytes than a skill may; the files beyond are not used."),
    "folder_too_deep": _refuse("The skill folder is nested deeper than a skill may be."),
    "bytecode_ignored": _repair_warning("A __pycache__ folder was ignored."),
    "bytecode_without_source": _refuse("Compiled Python lies in the skill without its source."),
    "content_mismatch": _refuse("The content of a file is not what its suffix says."),
    "path_not_relative": _refuse("A reference is absolute, starts with ~ or is a URL; it must be inside the skill."),
    "path_escapes": _refuse("A reference leads out of the skill folder."),
    "path_missing": _refuse("A referenced file does not exist."),
    "archive_path_escape": _refuse("An archive has an entry that unpacks outside its folder."),
    "archive_link": _refuse("An archive has a link or device entry."),
    "archive_bomb": _refuse("An archive unpacks to far more than it weighs, or its entries overlap."),
    "archive_nested": _refuse("Archives are packed inside archives too deep."),
    "archive_too_large": _refuse("An archive has more entries, or unpacks to more, than is looked through."),
    "archive_unreadable": _refuse("An archive cannot be read."),
}
_FRONT_MATTER: Mapping[str, CodeInfo] = {
    "front_matter_missing": _refuse(
        "The file does not start with a line of three dashes. A `SKILL.md` of text alone is loaded all the same."
    ),
    "front_matter_unclosed": _refuse("The closing line of three dashes is missing."),
    "front_matter_too_large": _refuse("The front matter is larger than 16 KiB."),
    "front_matter_repeated": _note_warning(
        "A second block that looks like front matter follows the first; it is body text."
    ),
    "no_front_matter": _note_info("A Markdown file without front matter is not a skill and was skipped."),
    "yaml_invalid": _refuse("The front matter is not valid YAML."),
    "yaml_colon_quoted": _repair_warning("A value that needs quotes, such as one with a colon, was read as text."),
    "yaml_alias": _refuse("Anchors and aliases are not allowed."),
    "yaml_tag": _refuse("Tags are not allowed."),
    "yaml_merge_key": _refuse("Merge keys are not allowed."),
    "yaml_duplicate_key": _refuse("A key is written twice."),
    "yaml_too_deep": _refuse("The front matter is nested too deep."),
    "yaml_multiple_documents": _refuse("The front matter holds more than one YAML document."),
    "yaml_not_mapping": _refuse("The front matter is not a list of keys and values."),
    "yaml_scalar_ambiguous": _repair_warning(
        "A bare word that other YAML readers take for a number, date or truth value."
    ),
    "json_invalid": _refuse("The file is not valid JSON."),
    "manifest_invalid": _refuse("The manifest breaks its schema where it cannot be mended."),
}
_FIELDS: Mapping[str, CodeInfo] = {
    "field_unknown": _note_warning("The key is not known and was left out."),
    "field_invalid": _repair_error("The value cannot be used and the default was taken."),
    "field_repeated": _repair_error("The same key is written under two names; the first one was read."),
    "field_ignored": _note_info("The key is known from another system and has no effect here."),
    "name_missing": _repair_warning("The skill has no name; its folder or file name was taken."),
    "name_invalid": _refuse("The name cannot be used as an id."),
    "name_not_standard": _note_warning(
        "The name breaks the open standard's rule: lower-case letters, digits, single hyphens."
    ),
    "name_not_folder": _note_warning("The name differs from the folder's name."),
    "name_normalised": _repair_warning("The name was brought to its plain form: Unicode, and hyphens for blanks."),
    "name_homoglyph": _refuse("A name mixes look-alike letters of different scripts."),
    "name_collision": _refuse("Two ids are the same once case, width and Unicode form are ignored."),
    "description_missing": _repair_warning("The skill has no description; the first words of its text were taken."),
    "description_advised": _note_warning("The skill has no description; routing has little to go by."),
    "description_too_long": _note_warning("The description is longer than 1024 characters."),
    "tool_list_invalid": _refuse(
        "A list of allowed or forbidden tools cannot be read; without it too much is allowed."
    ),
    "tools_wildcard": _refuse("The tool list allows everything."),
    "too_many_items": _refuse("A list has far more items than anybody can mean."),
    "tool_refused": _repair_error("A tool cannot be used as it is declared; it alone was left out."),
    "tool_duplicate": _repair_error("The same tool is declared twice; neither is offered."),
    "schema_invalid": _refuse("A JSON Schema in the skill is not one."),
    "schema_remote_ref": _refuse("A JSON Schema refers to an address outside itself."),
    "schema_recursive_ref": _refuse("A JSON Schema refers to itself without end."),
    "schema_too_large": _refuse("A JSON Schema is too large to be used, as it is or with its references written out."),
    "schema_pattern_unsafe": _refuse(
        "A pattern is malformed, or needs look-around or back references, which cannot run in linear time."
    ),
    "prompt_missing": _refuse("The skill has no prompt file."),
    "prompt_unreadable": _refuse("The prompt document cannot be opened."),
    "layout_ambiguous": _note_warning("The folder has the files of two layouts; the first one was read."),
    "part_invalid": _repair_error("A part of the skill (rule, case or tool list) cannot be read and was left out."),
}
_HIDDEN: Mapping[str, CodeInfo] = {
    "hidden_tag_text": _refuse("Invisible tag characters spell out a hidden text."),
    "hidden_bidi": _refuse("A direction override makes the text read differently from what it says."),
    "hidden_zero_width": _refuse("A run of invisible characters hides something."),
    "hidden_variation": _refuse("Variation selectors carry a hidden payload."),
    "hidden_document_text": _refuse("A Word document holds text that its reader does not see."),
    "zero_width_removed": _repair_warning("A single invisible character was removed."),
    "hidden_order": _refuse(
        "The text hides an order: in a comment, from the eye, or in an encoded block.", relaxes=True
    ),
    "suspicious_wording": _note_warning("The text speaks of overriding instructions, or of fetching and running code."),
    "skill_untrusted": _note_warning(
        "The skill can be read, but none of its scripts runs and nothing is pre-approved until a person approves it."
    ),
}
_CATALOG: Mapping[str, CodeInfo] = {
    "folder_missing": _note_warning("A skills folder does not exist."),
    "skill_in_root": _note_warning(
        "A skill file lies beside skill folders: it has only the folders of its parts, the others are skills."
    ),
    "folder_not_a_skill": _note_info("A folder has no skill file and was skipped."),
    "archive_not_unpacked": _note_info("An archive lies in the skills folder; unpack it to use it."),
    "scan_truncated": _note_warning("The skills folder has more folders, or deeper ones, than one scan reads."),
    "skill_duplicate": _refuse("Another skill of the same folder has this id."),
    "skill_shadowed": _refuse(
        "A trusted folder, a pack or an earlier folder has a skill with this id; this one is not loaded."
    ),
    "skill_overridden": _note_warning("Another skill takes the place of this one, as the operator set it up."),
    "skill_quarantined": _refuse(
        "This version waits for approval; the approved version, if there is one, stays in use."
    ),
    "skill_unapproved": _note_warning("The skill is new or differs from the version in the lock file."),
    "skill_copy_lost": _refuse("The copy of the approved version is missing or was changed."),
    "lock_invalid": _note_error("The lock file of skills cannot be read; nothing in it counts as approved."),
    "skill_kept": _note_warning("The edit was refused; the last good version stays in use."),
}
_LINT: Mapping[str, CodeInfo] = {
    "standard_field": _note_error("The open standard knows six keys; every other belongs under 'metadata'."),
    "standard_extension": _note_info(
        "The key is Metier's own; another reader of the open standard may refuse it outside of 'metadata'."
    ),
    "standard_name": _note_error("The open standard would refuse this name."),
    "standard_description": _note_error("The open standard would refuse this description."),
    "standard_compatibility": _note_error("The open standard would refuse this compatibility note."),
    "standard_yaml": _note_error("The open standard's reference reader would refuse this YAML."),
    "standard_file": _note_error("The open standard's reference reader would not find or open the skill's file."),
    "standard_delimiter": _note_warning("Three dashes inside a value cut it short in the standard's reference reader."),
    "body_empty": _note_warning("The skill has no instructions."),
    "body_long": _note_warning("The instructions are longer than the advised 1500 tokens."),
    "body_too_long": _note_error("The instructions are longer than 5000 tokens."),
    "tool_unknown": _note_error("A tool is named that nobody declares."),
    "tool_unknown_in_text": _note_warning("The instructions tell to call a tool that nobody declares."),
    "tool_not_allowed_in_text": _note_warning("The instructions tell to call a tool that the skill's list leaves out."),
    "tool_description_long": _note_warning("A tool description is longer than 120 characters."),
    "tool_examples_missing": _note_info(
        "A tool that takes arguments shows neither an example nor an edge case: models call it better with both."
    ),
    "approval_invalid": _note_error(
        "The approval rule of a tool cannot be read or could grow; the tool is not offered."
    ),
    "trigger_overlap": _note_warning("Two skills have the same trigger."),
    "examples_few": _note_info("Fewer than five example messages: routing is much better with five."),
    "tool_unknown_preapproved": _note_info("The field 'allowed-tools' names a tool that nobody declares."),
    "template_text": _note_info("A field still has the text that a new skill is made with."),
    "script_missing": _note_error("A declared tool has no script."),
    "script_without_function": _note_error("A script does not define the function named after it."),
    "script_invalid": _note_error("A script is not valid Python."),
    "script_undeclared": _note_info("A script belongs to no declared tool."),
    "reference_missing": _note_warning("The instructions point to a file that does not exist."),
    "sop_invalid": _note_error("The steps or milestones cannot be carried out; the skill works without them."),
    "model_invalid": _note_error("`metadata.model` is not the name of a model; the model is chosen without it."),
    "model_unknown": _note_warning("`metadata.model` is no model of the settings; the model is chosen without it."),
    "graph_unknown_skill": _note_error("A skill names another that is not there."),
    "graph_cycle": _note_error("Skills follow each other in a circle."),
    "graph_type_mismatch": _note_error("What one skill gives is not what the next one takes."),
}

CODES: Mapping[str, CodeInfo] = MappingProxyType(
    {**_FILES, **_FRONT_MATTER, **_FIELDS, **_HIDDEN, **_CATALOG, **_LINT},
)
