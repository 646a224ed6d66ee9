"""Automatic fixes that do not change the skill: it reads the same before and after."""

import json
import os
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from metier.skills.checks import find_hidden_text, find_suspicious_wording, remove_zero_width
from metier.skills.lint._front_edits import move_under_metadata, quote_bare_words
from metier.skills.lint._inputs import find_candidates, resolve_path
from metier.skills.model import MAX_FILE_BYTES, Report
from metier.skills.read import (
    NoFrontMatter,
    ReadResult,
    Values,
    YamlRefused,
    load_yaml,
    quote_values,
    read_bytes,
    read_fields,
    read_front_matter,
    read_skill,
    split_front_matter,
)

_TEXT_SUFFIXES = (".md", ".txt", ".json", ".yaml", ".yml")
_BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class Fix:
    """One fix in one file; `code` is the diagnostic that it resolves."""

    path: Path
    code: str
    description: str


@dataclass(slots=True)
class _FileRepair:
    """Text of a file with the fixes applied so far."""

    path: Path
    text: str
    fixes: list[Fix] = field(default_factory=list)

    @property
    def front(self) -> str:
        return split_front_matter(self.text).front

    def replace_front(self, front: str) -> str:
        """The text with another front matter; the `---` lines and the body are unchanged."""
        start = self.text.index("\n") + 1
        return self.text[:start] + front + self.text[start + len(self.front) :]

    def keeps_meaning(self, front: str) -> bool:
        return _canonicalize(self.replace_front(front)) == _canonicalize(self.text)

    def apply(self, text: str, code: str, description: str) -> None:
        if text != self.text:
            self.text = text
            self.fixes.append(Fix(self.path, code, description))


def fix(path: Path, *, dry_run: bool = False, trusted: bool = False) -> tuple[Fix, ...]:
    """Apply all safe fixes below `path`; running it again changes nothing.

    Files are replaced atomically; nothing is renamed or deleted. In a refused skill only line ends, the byte order
    mark and isolated invisible characters are fixed.
    """
    done: list[Fix] = []
    for candidate in find_candidates(resolve_path(path), trusted=trusted):
        for mending in _repair_files(read_skill(candidate)):
            done += mending.fixes
            if not dry_run:
                _replace_file(mending.path, mending.text)
    return tuple(done)


def _repair_files(reading: ReadResult) -> Iterator[_FileRepair]:
    codes: dict[Path, set[str]] = {}
    for found in reading.diagnostics:
        codes.setdefault(found.path, set()).add(found.code)
    source = reading.skill.source if reading.skill else None
    main = source.path if source and source.layout in ("agent-skill", "flat") else None
    if main:
        codes.setdefault(main, set())
    for path in sorted(codes):
        mending = _open_repair(path) if path.suffix.lower() in _TEXT_SUFFIXES else None
        if mending is None:
            continue
        _repair_bytes(mending, codes[path])
        if source and path == main and "front_matter_missing" not in codes[path]:
            _repair_front_matter(mending, standard=source.layout == "agent-skill")
        if mending.fixes:
            yield mending


def _open_repair(path: Path) -> _FileRepair | None:
    try:
        return _FileRepair(path, read_bytes(path, MAX_FILE_BYTES).decode())
    except (OSError, UnicodeDecodeError):
        return None


def _repair_bytes(mending: _FileRepair, codes: set[str]) -> None:
    """Apply the repairs that the reader reported, in the reader's order."""
    if "bom_removed" in codes:
        mending.apply(mending.text.removeprefix(_BOM), "bom_removed", "removed the byte order mark")
    if "line_ends_normalised" in codes:
        plain = mending.text.replace("\r\n", "\n").replace("\r", "\n")
        mending.apply(plain, "line_ends_normalised", "changed the line ends to LF")
    if "zero_width_removed" in codes:
        mending.apply(remove_zero_width(mending.text), "zero_width_removed", "removed a lone invisible character")


def _repair_front_matter(mending: _FileRepair, *, standard: bool) -> None:
    """Fix the front matter; the reader has already accepted it."""
    try:
        load_yaml(mending.front)
    except YamlRefused:
        front, _ = quote_values(mending.front)
        if mending.keeps_meaning(front):
            mending.apply(mending.replace_front(front), "yaml_colon_quoted", "quoted a value")
    front, keys = quote_bare_words(mending.front)
    if mending.keeps_meaning(front):
        text = mending.replace_front(front)
        mending.apply(text, "yaml_scalar_ambiguous", f"quoted the bare words of {_join_quoted(keys)}")
    if standard:
        front, keys = move_under_metadata(mending.front, mending.keeps_meaning)
        mending.apply(mending.replace_front(front), "standard_field", f"moved {_join_quoted(keys)} under 'metadata'")


def _join_quoted(keys: list[str]) -> str:
    return ", ".join(map(repr, keys))


def _replace_file(path: Path, text: str) -> None:
    """Replace the file atomically, keeping its permissions."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".metier")
    try:
        with os.fdopen(handle, "wb") as file:
            os.fchmod(file.fileno(), stat.S_IMODE(path.stat().st_mode))
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class _CanonicalContent:
    """Front-matter values as canonical JSON, the body, and the number of hidden-text and injection findings."""

    values: str
    body: str
    suspicions: int


def _canonicalize(text: str) -> _CanonicalContent | None:
    """Canonical content of a decoded file; `None` if the reader refuses it."""
    report = Report(Path())
    try:
        split = split_front_matter(text)
    except NoFrontMatter:
        return None
    document = read_front_matter(split.front, report)
    if document is None:
        return None
    values = read_fields(document.data, document.lines, report)
    suspicions = len(find_hidden_text(text)) + len(find_suspicious_wording(text))
    return (
        None
        if report.has_refusal
        else _CanonicalContent(_to_canonical_json(values), text[split.body_offset :], suspicions)
    )


def _to_canonical_json(values: Values) -> str:
    return json.dumps({**values, "metadata": values.get("metadata") or {}}, sort_keys=True)
