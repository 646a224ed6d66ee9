"""Readers for the four skill layouts, all of which produce a `Skill`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from types import MappingProxyType

from metier.skills._build import AllowedToolsMode, Draft, build_skill
from metier.skills._diagnostics import Diagnostic, Report
from metier.skills._docx import DocxInvalid, read_docx
from metier.skills._fields import Values, read_fields
from metier.skills._folder import Folder, read_folder
from metier.skills._front_matter import NoFrontMatter, looks_repeated, read_front_matter, split_front_matter
from metier.skills._manifest import read_manifest
from metier.skills._names import why_not_standard
from metier.skills._references import resolve_reference
from metier.skills._scan import PROMPT_SUFFIXES, Candidate
from metier.skills._skill import Layout, Skill, Source
from metier.skills._source import Prose, check_escapes, check_wording, decode, reveal
from metier.skills._text import Text


@dataclass(frozen=True, slots=True)
class Reading:
    """Result of reading one candidate: the skill, or `None` if it was refused, and the diagnostics."""

    candidate: Candidate
    skill: Skill | None
    diagnostics: tuple[Diagnostic, ...]


def read_skill(candidate: Candidate, mode: AllowedToolsMode = "preapprove") -> Reading:
    """Read one candidate. An invalid skill gives a result without a skill, never an exception."""
    main = candidate.folder / candidate.main
    report = Report(main, candidate.trusted)
    folder = read_folder(candidate, report)
    skill = None
    if candidate.main in folder.files:
        draft = _LAYOUTS[candidate.layout](candidate, folder, report)
        if draft is not None:
            skill = build_skill(draft, mode, report)
    found_id = skill.id if skill else candidate.path.stem if candidate.layout == "flat" else candidate.path.name
    return Reading(candidate, skill, report.about(found_id))


def _source(candidate: Candidate) -> Source:
    return Source(candidate.folder / candidate.main, candidate.folder, candidate.layout, candidate.trusted)


def _read_agent_skill(candidate: Candidate, folder: Folder, report: Report) -> Draft | None:
    if "skill.json" in folder.files:
        report.add("layout_ambiguous", "skill.json lies beside SKILL.md and was not read", hint="keep one of them")
    draft = _read_markdown(candidate, folder, report)
    if draft is None:
        return None
    name = draft.values.get("name")
    if isinstance(name, str) and name and "id" not in draft.values and (why := why_not_standard(name)):
        hint = "lower-case letters, digits and single hyphens are safe everywhere"
        report.add("name_not_standard", f"name {name[:80]!r}: {why}", hint=hint, line=draft.lines.get("name"))
    if not draft.values.get("description"):
        report.add(
            "description_missing",
            "no description: nobody can tell when to use the skill",
            hint="add 'description: what it does and when to use it'",
            line=draft.lines.get("description", 1),
        )
    return draft


def _read_flat(candidate: Candidate, folder: Folder, report: Report) -> Draft | None:
    raw = folder.raw(candidate.main).removeprefix(b"\xef\xbb\xbf")
    is_text = raw.strip() and not raw.startswith((b"\xff\xfe", b"\xfe\xff")) and b"\0" not in raw
    if is_text and not raw.startswith(b"---"):
        report.add("no_front_matter", "no front matter: not a skill", hint="start the file with '---' to make it one")
        return None
    draft = _read_markdown(candidate, folder, report)
    if draft is not None:
        _advise_description(draft.values, report)
    return draft


def _read_markdown(candidate: Candidate, folder: Folder, report: Report) -> Draft | None:
    prose = decode(folder.raw(candidate.main), report.path, report)
    if prose is None:
        return None
    try:
        split = split_front_matter(prose.text)
    except NoFrontMatter as error:
        hint = "start with '---', end the front matter with '---'"
        report.add(error.code, str(error), hint=hint, line=1)
        return None
    document = read_front_matter(split.front, report)
    if document is None:
        return None
    check_escapes(split.front, document.data, prose.path, report)
    body = prose.text[split.body_at :]
    if looks_repeated(body):
        line = prose.text.count("\n", 0, split.body_at) + 1
        report.add("front_matter_repeated", "a second front matter is body text", hint="merge the two", line=line)
    check_wording(prose, report)
    values = read_fields(document.data, document.lines, report)
    return Draft(values, document.lines, Text(body.strip()), candidate.main, _source(candidate), folder)


def _read_manifest_layout(candidate: Candidate, folder: Folder, report: Report) -> Draft | None:
    prose = decode(folder.raw(candidate.main), report.path, report)
    values = read_manifest(prose.text, report) if prose else None
    if values is None:
        return None
    entry = values.pop("entry", None)
    if isinstance(entry, str):
        prompt = resolve_reference(entry, folder.files, report)
    else:
        prompt = system_file(folder)
        _warn_unread(folder, report)
        if prompt is None:
            report.add("prompt_missing", "no SYSTEM.md, .txt or .docx and no entry", hint="add SYSTEM.md")
    body = _prompt(folder, prompt, report) if prompt else None
    _advise_description(values, report)
    if prompt is None or body is None:
        return None
    return Draft(values, {}, body, prompt, _source(candidate), folder)


def _read_bare(candidate: Candidate, folder: Folder, report: Report) -> Draft | None:
    _warn_unread(folder, report)
    body = _prompt(folder, candidate.main, report)
    if body is None:
        return None
    values: Values = {}
    _advise_description(values, report)
    return Draft(values, {}, body, candidate.main, _source(candidate), folder)


def _advise_description(values: Values, report: Report) -> None:
    if not values.get("description"):
        report.add("description_advised", "no description", hint="say what the skill does and when to use it")


def system_file(folder: Folder) -> str | None:
    """Name of the default prompt file, SYSTEM.docx, .md or .txt; `None` if there is none."""
    return next(iter(_system_files(folder)), None)


def _system_files(folder: Folder) -> list[str]:
    by_lower = {name.lower(): name for name in folder.files}
    return [by_lower[f"system{end}"] for end in PROMPT_SUFFIXES if f"system{end}" in by_lower]


def _warn_unread(folder: Folder, report: Report) -> None:
    if unread := _system_files(folder)[1:]:
        report.add("layout_ambiguous", f"{', '.join(unread)} was not read", hint="keep one SYSTEM file")


def _prompt(folder: Folder, name: str, report: Report) -> Text | None:
    raw, path = folder.raw(name), folder.path / name
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
    if report.refused:  # the .docx archive may be unsafe to open
        return None
    try:
        document = read_docx(raw)
    except DocxInvalid as error:
        report.add("prompt_unreadable", f"{name}: {error}", hint="open it in Word and save it again", path=path)
        return None
    if document.hidden:
        message = f"{name} hides text from its reader: {document.hidden[:120]!r}"
        report.add("hidden_document_text", message, hint="show hidden text in Word, and delete it", path=path)
    prose = Prose(reveal(document.text, path, report), path)
    check_wording(prose, report)
    return Text(prose.text)


_LAYOUTS: Mapping[Layout, Callable[[Candidate, Folder, Report], Draft | None]] = MappingProxyType(
    {
        "agent-skill": _read_agent_skill,
        "flat": _read_flat,
        "manifest": _read_manifest_layout,
        "bare": _read_bare,
    },
)
