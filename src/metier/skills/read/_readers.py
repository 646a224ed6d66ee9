"""Readers for the four skill layouts, all of which produce a `Skill`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Final

from metier.errors import MissingExtra
from metier.skills.checks import standard_name_problem
from metier.skills.model import Diagnostic, Layout, Report, Skill, Source, Text
from metier.skills.read._build import AllowedToolsMode, SkillDraft, build_skill
from metier.skills.read._candidate_files import SkillFolder, read_folder
from metier.skills.read._decode import DecodedFile, check_escapes, check_wording, clean_hidden_text, decode
from metier.skills.read._docx import DocxInvalid, read_docx
from metier.skills.read._fields import Values, read_fields
from metier.skills.read._front_matter import (
    NoFrontMatter,
    has_second_front_matter,
    is_text_alone,
    read_front_matter,
    split_front_matter,
)
from metier.skills.read._manifest import read_manifest
from metier.skills.read._scan import PROMPT_SUFFIXES, SkillCandidate
from metier.skills.read._sub_files import resolve_reference

_MAX_SEARCHED_LINES: Final = 40
_MAX_TAKEN_CHARS: Final = 200


@dataclass(frozen=True, slots=True)
class ReadResult:
    """Result of reading one candidate: the skill, or `None` if it was refused, and the diagnostics."""

    candidate: SkillCandidate
    skill: Skill | None
    diagnostics: tuple[Diagnostic, ...]


def read_skill(candidate: SkillCandidate, mode: AllowedToolsMode = "preapprove") -> ReadResult:
    """Read one candidate. An invalid skill gives a result without a skill, never an exception."""
    main = candidate.folder / candidate.main_file
    report = Report(main, candidate.trusted)
    folder = read_folder(candidate, report)
    skill = None
    if candidate.main_file in folder.files:
        draft = _READERS[candidate.layout](candidate, folder, report)
        if draft is not None:
            skill = build_skill(draft, mode, report)
    found_id = skill.id if skill else candidate.path.stem if candidate.layout == "flat" else candidate.path.name
    return ReadResult(candidate, skill, report.diagnostics_for(found_id))


def _build_source(candidate: SkillCandidate) -> Source:
    return Source(candidate.folder / candidate.main_file, candidate.folder, candidate.layout, candidate.trusted)


def _read_agent_skill(candidate: SkillCandidate, folder: SkillFolder, report: Report) -> SkillDraft | None:
    if "skill.json" in folder.files:
        report.add("layout_ambiguous", "skill.json lies beside SKILL.md and was not read", hint="keep one of them")
    draft = _read_markdown(candidate, folder, report)
    if draft is None:
        return None
    name = draft.values.get("name")
    if isinstance(name, str) and name and "id" not in draft.values and (why := standard_name_problem(name)):
        hint = "lower-case letters, digits and single hyphens are safe everywhere"
        report.add("name_not_standard", f"name {name[:80]!r}: {why}", hint=hint, line=draft.lines.get("name"))
    if not draft.values.get("description"):
        taken = _find_description(str(draft.body)) or str(name or candidate.path.name)
        draft.values["description"] = taken
        report.add(
            "description_missing",
            f"no description; {taken[:60]!r} was taken from the text",
            hint="add 'description: what it does and when to use it'",
            line=draft.lines.get("description", 1),
        )
    return draft


def _find_description(body: str) -> str:
    """The first words of the instructions: the first paragraph that is no heading, else the first heading."""
    lines = [line.strip() for line in body.splitlines()[:_MAX_SEARCHED_LINES] if line.strip()]
    plain = next((line for line in lines if line[0] not in "#-*>|`<!="), "")
    found = plain or next((line.lstrip("#").strip() for line in lines), "")
    return found[:_MAX_TAKEN_CHARS]


def _read_flat(candidate: SkillCandidate, folder: SkillFolder, report: Report) -> SkillDraft | None:
    raw = folder.get_bytes(candidate.main_file).removeprefix(b"\xef\xbb\xbf")
    is_text = raw.strip() and not raw.startswith((b"\xff\xfe", b"\xfe\xff")) and b"\0" not in raw
    if is_text and not raw.startswith(b"---"):
        report.add("no_front_matter", "no front matter: not a skill", hint="start the file with '---' to make it one")
        return None
    draft = _read_markdown(candidate, folder, report)
    if draft is not None:
        _advise_description(draft.values, report)
    return draft


def _read_markdown(candidate: SkillCandidate, folder: SkillFolder, report: Report) -> SkillDraft | None:
    prose = decode(folder.get_bytes(candidate.main_file), report.path, report)
    if prose is None:
        return None
    try:
        split = split_front_matter(prose.text)
    except NoFrontMatter as error:
        hint = "start with '---', end the front matter with '---'"
        is_text = candidate.layout == "agent-skill" and is_text_alone(prose.text)
        report.add(error.code, str(error), hint=hint, line=1, part=is_text)
        if not is_text:
            return None
        check_wording(prose, report)
        return SkillDraft({}, {}, Text(prose.text.strip()), candidate.main_file, _build_source(candidate), folder)
    document = read_front_matter(split.front, report)
    if document is None:
        return None
    check_escapes(split.front, document.data, prose.path, report)
    body = prose.text[split.body_offset :]
    if has_second_front_matter(body):
        line = prose.text.count("\n", 0, split.body_offset) + 1
        report.add("front_matter_repeated", "a second front matter is body text", hint="merge the two", line=line)
    check_wording(prose, report)
    values = read_fields(document.data, document.lines, report)
    return SkillDraft(values, document.lines, Text(body.strip()), candidate.main_file, _build_source(candidate), folder)


def _read_manifest_layout(candidate: SkillCandidate, folder: SkillFolder, report: Report) -> SkillDraft | None:
    prose = decode(folder.get_bytes(candidate.main_file), report.path, report)
    values = read_manifest(prose.text, report) if prose else None
    if prose is None or values is None:
        return None
    check_wording(prose, report)
    entry = values.pop("entry", None)
    if isinstance(entry, str):
        prompt = resolve_reference(entry, folder.files, report)
    else:
        prompt = find_system_file(folder)
        _warn_unread(folder, report)
        if prompt is None:
            report.add("prompt_missing", "no SYSTEM.md, .txt or .docx and no entry", hint="add SYSTEM.md")
    body = _read_prompt(folder, prompt, report) if prompt else None
    _advise_description(values, report)
    if prompt is None or body is None:
        return None
    return SkillDraft(values, {}, body, prompt, _build_source(candidate), folder)


def _read_bare(candidate: SkillCandidate, folder: SkillFolder, report: Report) -> SkillDraft | None:
    _warn_unread(folder, report)
    body = _read_prompt(folder, candidate.main_file, report)
    if body is None:
        return None
    values: Values = {}
    _advise_description(values, report)
    return SkillDraft(values, {}, body, candidate.main_file, _build_source(candidate), folder)


def _advise_description(values: Values, report: Report) -> None:
    if not values.get("description"):
        report.add("description_advised", "no description", hint="say what the skill does and when to use it")


def find_system_file(folder: SkillFolder) -> str | None:
    """Name of the default prompt file, SYSTEM.docx, .md or .txt; `None` if there is none."""
    return next(iter(_list_system_files(folder)), None)


def _list_system_files(folder: SkillFolder) -> list[str]:
    by_lower = {name.lower(): name for name in folder.files}
    return [by_lower[f"system{end}"] for end in PROMPT_SUFFIXES if f"system{end}" in by_lower]


def _warn_unread(folder: SkillFolder, report: Report) -> None:
    if unread := _list_system_files(folder)[1:]:
        report.add("layout_ambiguous", f"{', '.join(unread)} was not read", hint="keep one SYSTEM file")


def _read_prompt(folder: SkillFolder, name: str, report: Report) -> Text | None:
    raw, path = folder.get_bytes(name), folder.path / name
    suffix = PurePosixPath(name).suffix.lower()
    if suffix not in PROMPT_SUFFIXES:
        message = f"{name}: a prompt cannot be a {suffix or 'file without suffix'}"
        report.add("prompt_unreadable", message, hint="use .md, .txt or .docx", path=path)
        return None
    if suffix != ".docx":
        prose = decode(raw, path, report)
        if prose is None:
            return None
        check_wording(prose, report)
        return Text(prose.text.strip())
    if report.has_refusal:  # the .docx archive may be unsafe to open
        return None
    try:
        document = read_docx(raw)
    except DocxInvalid as error:
        report.add("prompt_unreadable", f"{name}: {error}", hint="open it in Word and save it again", path=path)
        return None
    except MissingExtra as error:
        report.add("prompt_unreadable", f"{name}: {error.message}", hint=error.hint, path=path)
        return None
    if document.hidden:
        message = f"{name} hides text from its reader: {document.hidden[:120]!r}"
        report.add("hidden_document_text", message, hint="show hidden text in Word, and delete it", path=path)
    prose = DecodedFile(clean_hidden_text(document.text, path, report), path)
    check_wording(prose, report)
    return Text(prose.text)


_READERS: Mapping[Layout, Callable[[SkillCandidate, SkillFolder, Report], SkillDraft | None]] = MappingProxyType(
    {
        "agent-skill": _read_agent_skill,
        "flat": _read_flat,
        "manifest": _read_manifest_layout,
        "bare": _read_bare,
    },
)
