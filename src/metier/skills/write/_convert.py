"""Converts skills of any layout to the open standard's `<name>/SKILL.md`, with a note for everything that changed."""

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path, PurePosixPath

from metier.errors import InvalidInput, InvalidSkill, PathNotFound, Refused, TargetTaken
from metier.json_values import JsonInvalid, load_json
from metier.skills.checks import fold, is_archive
from metier.skills.model import MAX_FILE_BYTES, Diagnostic, Report, Skill
from metier.skills.read import (
    Node,
    NoFrontMatter,
    ReadResult,
    ScannedFile,
    SkillCandidate,
    SkillFolder,
    SkillRoot,
    decode,
    find_field,
    find_system_file,
    node_to_json,
    read_bytes,
    read_cases,
    read_folder,
    read_front_matter,
    read_skill,
    read_tools,
    resolve_reference,
    scan_root,
    split_front_matter,
    unpack,
)
from metier.skills.write._agent_skill import (
    CASES_FILE,
    TOOLS_FILE,
    InlineParts,
    StandardSkill,
    render_standard_skill,
    to_standard_name,
)

_MAIN_FILE = "SKILL.md"
_FOLDER_FILES = ("skill.md", "skill.json", "system.md", "system.txt", "system.docx")
_DROPPED_CODES = frozenset({"field_unknown", "field_ignored", "bytecode_ignored"})
# The location always differs; changes of the description and of foreign metadata have their own notes.
_MAY_DIFFER = frozenset({"source", "digest", "files", "description", "metadata"})


@dataclass(frozen=True, slots=True)
class Conversion:
    """One converted skill: source, target folder, and notes about what changed."""

    skill: str
    source: Path
    target: Path
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, str | list[str]]:
        """JSON form for the CLI."""
        return {
            "skill": self.skill,
            "source": str(self.source),
            "target": str(self.target),
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class ConversionRefusal:
    """One skill that was not converted, with the reason; nothing of it was written."""

    skill: str
    source: Path
    message: str
    hint: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()

    def to_json(self) -> dict[str, object]:
        """JSON form for the CLI."""
        return {
            "skill": self.skill,
            "source": str(self.source),
            "message": self.message,
            "hint": self.hint,
            "diagnostics": [found.to_json() for found in self.diagnostics],
        }


@dataclass(frozen=True, slots=True)
class _Job:
    """A skill to convert, with its target name and the path to show to the user."""

    reading: ReadResult
    skill: Skill
    name: str
    display_path: Path


def convert(
    source: Path, target: Path, *, overwrite: bool = False
) -> tuple[tuple[Conversion, ...], tuple[ConversionRefusal, ...]]:
    """Convert every skill of `source` to `target/<name>/`; returns the conversions and the refusals.

    `source` is a folder of skills, one skill's folder, one file, or an archive. Each skill is written completely or
    not at all. `InvalidSkill` is raised if there is no skill, or if the only one cannot be converted.
    """
    if not source.exists():
        raise PathNotFound(f"no file or folder {str(source)!r}", hint="check the path")
    if target.exists() and not target.is_dir():
        raise InvalidInput(f"{str(target)!r} is not a folder", hint="name the folder that the skills go into")
    source = source.resolve()  # a bare skill gets the name of its folder, and "." has none
    with _open_source(source) as (candidates, root):
        jobs, refusals = _plan_jobs(candidates, source, root)
        _check_free(jobs, target, overwrite=overwrite)
        done: list[Conversion] = []
        with ensure_target_folder(target):
            for job in jobs:
                try:
                    done.append(_convert(job, target, overwrite=overwrite))
                except InvalidSkill as error:
                    refusals.append(ConversionRefusal(job.skill.id, job.display_path, error.message, error.hint))
    if not done and len(refusals) <= 1:
        raise _no_conversion_error(source, refusals)
    return tuple(done), tuple(refusals)


def _no_conversion_error(source: Path, refusals: list[ConversionRefusal]) -> InvalidSkill:
    for refusal in refusals:
        return InvalidSkill(f"{refusal.skill!r} cannot be converted: {refusal.message}", hint=refusal.hint)
    hint = "a skill is <name>/SKILL.md, <name>/skill.json, <name>/SYSTEM.md or <name>.md with front matter"
    return InvalidSkill(f"no skill in {str(source)!r}", hint=hint)


# Finding skills -------------------------------------------------------------------------------------------------------


@contextmanager
def _open_source(source: Path) -> Iterator[tuple[list[SkillCandidate], Path]]:
    """The candidates of `source` and their root folder; an archive is unpacked to a temporary one."""
    if source.is_dir():
        yield scan_root(SkillRoot(source)).candidates, source
    elif is_archive(source.name):
        with tempfile.TemporaryDirectory(prefix="metier-") as temporary:
            root = unpack(source, Path(temporary))
            yield scan_root(SkillRoot(root)).candidates, root
    elif source.name.lower() in _FOLDER_FILES:
        yield scan_root(SkillRoot(source.parent)).candidates, source.parent
    else:
        yield [_build_flat_candidate(source)], source.parent


def _build_flat_candidate(file: Path) -> SkillCandidate:
    seen = file.lstat()
    known = ScannedFile(
        file.name, seen.st_mode, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino, seen.st_nlink
    )
    return SkillCandidate(str(file), file.name, "flat", trusted=False, files=(known,))


def _plan_jobs(
    candidates: list[SkillCandidate], source: Path, root: Path
) -> tuple[list[_Job], list[ConversionRefusal]]:
    jobs: dict[str, _Job] = {}
    refusals: list[ConversionRefusal] = []
    for candidate in candidates:
        shown = source / candidate.path.relative_to(root) if is_archive(source.name) else candidate.path
        reading = read_skill(candidate)
        if reading.skill is None:
            refusals += _find_refusals(reading, shown, alone=len(candidates) == 1)
            continue
        skill = reading.skill
        try:
            name = to_standard_name(skill.id)
        except InvalidSkill as error:
            refusals.append(ConversionRefusal(skill.id, shown, error.message, error.hint))
            continue
        other = jobs.setdefault(fold(name), _Job(reading, skill, name, shown))
        if other.reading is not reading:
            message = f"{skill.id!r} and {other.skill.id!r} would both be named {name!r}"
            refusals.append(
                ConversionRefusal(skill.id, shown, message, f"rename one of them (the other is {other.display_path})")
            )
    return list(jobs.values()), refusals


def _find_refusals(reading: ReadResult, shown: Path, *, alone: bool) -> Iterator[ConversionRefusal]:
    """The refusal of an unreadable candidate.

    A Markdown file without front matter counts only if it is `alone`, that is, was named by the user.
    """
    worst = [found for found in reading.diagnostics if found.effect == "refused"] or list(reading.diagnostics)
    if worst and (alone or worst[0].effect == "refused"):
        first = worst[0]
        where = f"line {first.line}: " if first.line else ""
        message = f"{where}{first.message} ({first.code})"
        yield ConversionRefusal(first.skill or shown.name, shown, message, first.hint, reading.diagnostics)


def _check_free(jobs: list[_Job], target: Path, *, overwrite: bool) -> None:
    taken = [job.name for job in jobs if os.path.lexists(target / job.name)]
    if taken and not overwrite:
        raise TargetTaken(
            f"{str(target)!r} has {', '.join(map(repr, taken))} already; nothing was written",
            hint="choose another folder, or overwrite (--overwrite)",
        )


@contextmanager
def ensure_target_folder(target: Path) -> Iterator[None]:
    """Create the folder, and remove it again if it was new and is still empty at the end."""
    new = not target.exists()
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refused(f"cannot make {str(target)!r}: {error.strerror}", hint="choose another folder") from error
    try:
        yield
    finally:
        if new and not any(target.iterdir()):
            target.rmdir()


# Writing one skill ----------------------------------------------------------------------------------------------------


def _convert(job: _Job, target: Path, *, overwrite: bool) -> Conversion:
    """Write to a temporary folder, read the result back, and only then move it into place."""
    candidate = job.reading.candidate
    folder = read_folder(candidate, Report(candidate.path))
    parts = _collect_inline_parts(job.skill, candidate, folder)
    made = render_standard_skill(job.skill, job.name, parts)
    moves = _plan_file_moves(candidate, folder, made)
    try:
        with tempfile.TemporaryDirectory(prefix=".metier-", dir=target) as temporary:
            stage = Path(temporary)
            _write_files(candidate, stage / job.name, made, moves)
            lost = _check_written(job, stage)
            _put_in_place(stage / job.name, target / job.name, stage / "replaced", overwrite=overwrite)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Refused(
            f"cannot write {str(target / job.name)!r}: {reason}", hint="check the rights and the space on the disk"
        ) from error
    notes = (*_reader_notes(job.reading), *_metadata_notes(job.skill, parts), *made.notes, *lost)
    return Conversion(job.skill.id, job.display_path, target / job.name, notes)


def _collect_inline_parts(skill: Skill, candidate: SkillCandidate, folder: SkillFolder) -> InlineParts:
    deaf = Report(candidate.path)
    in_files = read_tools(folder, None, deaf)
    cases_in_files = {case.id: case for case in read_cases(folder, None, deaf)}
    used = {fold(name) for name in folder.files}
    return InlineParts(
        tools=tuple(tool.name for tool in skill.tools[: len(skill.tools) - len(in_files)]),
        cases=tuple(case for case in skill.cases if cases_in_files.get(case.id) != case),
        foreign_keys=_read_foreign_keys(skill, candidate, folder),
        unused_files=frozenset(name for name in (TOOLS_FILE, CASES_FILE) if fold(name) not in used),
    )


def _read_foreign_keys(skill: Skill, candidate: SkillCandidate, folder: SkillFolder) -> dict[str, str]:
    """Front-matter keys that are not Metier's, with their values as the author wrote them."""
    if candidate.layout not in ("agent-skill", "flat"):
        return {}
    deaf = Report(candidate.path)
    prose = decode(folder.get_bytes(candidate.main_file), candidate.path, deaf)
    try:
        document = read_front_matter(split_front_matter(prose.text).front, deaf) if prose else None
    except NoFrontMatter:
        return {}
    data = document.data if document else {}
    nested = data.get("metadata")
    unknown = {key: node for key, node in data.items() if _is_foreign(key)}
    inside = nested.items() if isinstance(nested, dict) else ()
    spelt = {key: str(node) for key, node in inside if isinstance(node, str) and key in skill.metadata}
    return {**{key: _to_text(node) for key, node in unknown.items()}, **spelt}


def _is_foreign(key: str) -> bool:
    field = find_field(key)
    return field is None or field.kind == "ignored"


def _to_text(node: Node) -> str:
    if isinstance(node, str):
        return str(node)
    return json.dumps(node_to_json(node), ensure_ascii=False)


def _plan_file_moves(candidate: SkillCandidate, folder: SkillFolder, made: StandardSkill) -> dict[str, str]:
    """Files that change place: name to new name, or to an empty text if their content is now in SKILL.md."""
    moves = {candidate.main_file: ""}
    if candidate.layout == "manifest":
        made.notes.append(f"{candidate.main_file} became the front matter of {_MAIN_FILE}")
    prompt = _find_prompt_file(candidate, folder)
    if prompt is None:
        return moves
    moves[prompt] = ""
    made.notes.append(f"{prompt} became the text of {_MAIN_FILE}")
    if prompt.lower().endswith(".docx"):
        moves[prompt] = prompt if prompt.startswith("assets/") else _choose_asset_name(prompt, folder)
        made.notes.append(f"the document itself is kept as {moves[prompt]}")
    return moves


def _choose_asset_name(prompt: str, folder: SkillFolder) -> str:
    used = {fold(name) for name in folder.files}
    path = PurePosixPath(prompt)
    names = (f"assets/{path.stem}{'-' * bool(number)}{number or ''}{path.suffix}" for number in range(len(used) + 2))
    return next(name for name in names if fold(name) not in used)


def _find_prompt_file(candidate: SkillCandidate, folder: SkillFolder) -> str | None:
    if candidate.layout == "bare":
        return candidate.main_file
    if candidate.layout != "manifest":
        return None
    try:
        data = load_json(folder.get_bytes(candidate.main_file).decode("utf-8-sig"))
    except (JsonInvalid, UnicodeDecodeError):
        return None
    entry = data.get("entry") if isinstance(data, dict) else None
    named = (entry.get("system_prompt") or entry.get("prompt")) if isinstance(entry, dict) else None
    if isinstance(named, str):
        return resolve_reference(named, folder.files, Report(candidate.path))
    return find_system_file(folder)


def _write_files(candidate: SkillCandidate, into: Path, made: StandardSkill, moves: dict[str, str]) -> None:
    _write(into / _MAIN_FILE, made.text.encode(), 0o644)
    for name, extra in made.extra_files.items():
        _write(into / name, extra.encode(), 0o644)
    for seen in candidate.files:
        place = moves.get(seen.name, seen.name)
        if place:
            raw = read_bytes(candidate.folder / seen.name, MAX_FILE_BYTES)
            _write(into / place, raw, 0o755 if seen.mode & 0o111 else 0o644)


def _write(path: Path, raw: bytes, mode: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(raw)
    path.chmod(mode)


def _check_written(job: _Job, stage: Path) -> list[str]:
    """Read the written skill back; `InvalidSkill` if it is refused, otherwise a note per field that differs."""
    (candidate,) = scan_root(SkillRoot(stage)).candidates
    reading = read_skill(candidate)
    if reading.skill is None:
        (refusal,) = _find_refusals(reading, job.display_path, alone=True)
        raise InvalidSkill(f"the converted skill would be refused: {refusal.message}", hint=refusal.hint)
    return [
        f"{field.name!r} does not read back as it was"
        for field in fields(Skill)
        if field.name not in _MAY_DIFFER and getattr(reading.skill, field.name) != getattr(job.skill, field.name)
    ]


def _reader_notes(reading: ReadResult) -> Iterator[str]:
    markdown = reading.candidate.layout in ("agent-skill", "flat")
    for found in reading.diagnostics:
        if found.effect == "repaired":
            yield found.message
        elif found.code in _DROPPED_CODES and not (markdown and found.code.startswith("field_")):
            yield f"{found.message} and was left out"


def _metadata_notes(skill: Skill, parts: InlineParts) -> Iterator[str]:
    moved = [key for key in parts.foreign_keys if key not in skill.metadata]
    if moved:
        yield f"keys that are none of ours went under 'metadata': {', '.join(moved)}"


def _put_in_place(staged: Path, final: Path, aside: Path, *, overwrite: bool) -> None:
    if not os.path.lexists(final):
        staged.replace(final)
        return
    if not overwrite:
        raise TargetTaken(f"{str(final)!r} has come into being meanwhile", hint="look at it and convert again")
    final.rename(aside)
    try:
        staged.replace(final)
    except OSError:
        aside.rename(final)
        raise
