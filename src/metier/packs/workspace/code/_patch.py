"""Unified diffs: read as people and models write them, applied whole to the lines they name or not at all."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from metier.packs.workspace.code._problems import CodeProblem

_HUNK: Final = re.compile(r"@@(?: -(\d{1,7})(?:,(\d{1,7}))? \+(\d{1,7})(?:,(\d{1,7}))?)? ?@@?.*")
_START: Final = re.compile(r"^(?:diff --git |--- (?=.*\n\+\+\+ ))", re.MULTILINE)
_FENCE_END: Final = re.compile(r"^(?:```|~~~)\s*$", re.MULTILINE)
_QUOTED: Final = re.compile(r'^"(.*)"$')
_OCTAL: Final = re.compile(r"\\([0-7]{3})")
_NO_FILE: Final = "/dev/null"
_NO_NEWLINE: Final = "\\ No newline"
_BINARY: Final = ("Binary files ", "GIT binary patch")
_RENAMES: Final = ("rename from ", "rename to ", "copy from ", "copy to ")
MAX_PATCH_CHARS: Final = 1_000_000


@dataclass(slots=True)
class Hunk:
    """Lines to replace: `lines` with their first character (blank, `-` or `+`); `start` is None if it is not told."""

    start: int | None
    lines: list[str] = field(default_factory=list)
    ends_open: set[str] = field(default_factory=set)  # "-" or "+": that side ends without a newline

    @property
    def old(self) -> list[str]:
        return [line[1:] for line in self.lines if line[0] != "+"]

    @property
    def new(self) -> list[str]:
        return [line[1:] for line in self.lines if line[0] != "-"]


@dataclass(slots=True)
class FilePatch:
    """Changes of one file; `old` is None for a new file, `new` is None for a deleted one."""

    old: str | None
    new: str | None
    hunks: list[Hunk] = field(default_factory=list)

    @property
    def path(self) -> str:
        """Name of the file for people: the new one, or that of the deleted file."""
        return self.new or self.old or ""


def find_patch(text: str) -> str:
    """The unified diff in a message, without the words and the fence around it; empty if there is none."""
    plain = text.replace("\r\n", "\n")
    start = _START.search(plain)
    if start is None:
        return ""
    body = plain[start.start() :]
    end = _FENCE_END.search(body)
    return (body[: end.start()] if end else body).rstrip("\n") + "\n"


def parse_patch(text: str) -> list[FilePatch]:
    """Read a unified diff; raises `CodeProblem` if it is none, or changes what cannot be shown as lines."""
    if len(text) > MAX_PATCH_CHARS:
        raise CodeProblem("patch_too_long", limit=MAX_PATCH_CHARS)
    found: list[FilePatch] = []
    lines = text.replace("\r\n", "\n").split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.startswith((*_BINARY, *_RENAMES)):
            raise CodeProblem("patch_binary" if line.startswith(_BINARY) else "patch_rename", line=line[:120])
        if line.startswith("--- ") and at + 1 < len(lines) and lines[at + 1].startswith("+++ "):
            found.append(_read_names(line[4:], lines[at + 1][4:]))
            at += 2
        elif line.startswith("@@") and found:
            hunk, at = _read_hunk(lines, at)
            found[-1].hunks.append(hunk)
        else:
            at += 1
    kept = [one for one in found if one.hunks]
    if not kept or len(kept) < len(found):
        raise CodeProblem("patch_unreadable")
    return kept


def apply_patch(patch: FilePatch, before: bytes | None, chosen: Collection[int] | None = None) -> bytes | None:
    """Content of the file after the chosen hunks (numbers from 0; None for all); None if it is deleted.

    Line ends stay those of the file: CRLF lines get CRLF lines. Raises `CodeProblem` if a hunk does not fit.
    """
    if before is None and patch.old is not None:
        raise CodeProblem("patch_no_file", path=patch.old)
    if before is not None and patch.old is None:
        raise CodeProblem("patch_exists", path=patch.path)
    text = (before or b"").decode("utf-8", "surrogateescape")
    ending = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
    lines = text.split("\n")
    ends_with_newline = lines[-1] == ""
    if ends_with_newline:
        lines.pop()
    shift = 0
    for number, hunk in enumerate(patch.hunks):
        if chosen is not None and number not in chosen:
            continue
        at = _find_place(lines, hunk, shift, patch.path, number)
        old = hunk.old
        shift += len(hunk.new) - len(old)
        is_last = at + len(old) >= len(lines)
        lines[at : at + len(old)] = _merge_lines(hunk, lines[at : at + len(old)], ending)
        if is_last:
            ends_with_newline = "+" not in hunk.ends_open and (ends_with_newline or "-" in hunk.ends_open or not before)
    if patch.new is None:
        if lines:
            raise CodeProblem("patch_mismatch", path=patch.path, number=1, line=1, found=lines[0][:120])
        return None
    made = "\n".join(lines) + ("\n" if ends_with_newline and lines else "")
    return made.encode("utf-8", "surrogateescape")


def _read_names(old: str, new: str) -> FilePatch:
    names = [_clean_name(one) for one in (old, new)]
    if all(one == _NO_FILE or one.startswith(("a/", "b/")) for one in names):
        names = [one if one == _NO_FILE else one[2:] for one in names]
    before, after = (None if one == _NO_FILE else one for one in names)
    if before is None and after is None:
        raise CodeProblem("patch_unreadable")
    if before is not None and after is not None and before != after:
        raise CodeProblem("patch_rename", line=f"{before} → {after}"[:120])
    return FilePatch(before, after)


def _clean_name(name: str) -> str:
    plain = name.partition("\t")[0].strip()
    if hit := _QUOTED.match(plain):  # git writes names that are not ASCII like this
        raw = _OCTAL.sub(lambda octal: chr(int(octal[1], 8)), hit[1]).replace('\\"', '"')
        try:
            return raw.encode("latin-1").decode("utf-8")
        except UnicodeError:
            return raw
    return plain


def _read_hunk(lines: list[str], at: int) -> tuple[Hunk, int]:
    """One hunk and the place behind it. Wrong counts are forgiven: the old lines have to fit anyway."""
    header = _HUNK.match(lines[at])
    start = int(header[1]) if header and header[1] else None
    hunk = Hunk(start)
    old, new = (int(header[group] or 1) if header and start is not None else 1 << 30 for group in (2, 4))
    at += 1
    while at < len(lines):
        line = lines[at]
        is_header = line.startswith(("diff --git ", "@@")) or (
            line.startswith("--- ") and at + 1 < len(lines) and lines[at + 1].startswith("+++ ") and old <= 0
        )
        if is_header or (not line and (at == len(lines) - 1 or (old <= 0 and new <= 0))):
            break
        if line.startswith(_NO_NEWLINE):
            hunk.ends_open |= {"-", "+"} if hunk.lines and hunk.lines[-1][0] == " " else {hunk.lines[-1][0]}
        elif not line or line[0] in " +-":
            kept = line or " "
            hunk.lines.append(kept)
            old, new = old - (kept[0] != "+"), new - (kept[0] != "-")
        else:
            break
        at += 1
    if not any(line[0] in "+-" for line in hunk.lines):
        raise CodeProblem("patch_unreadable")
    return hunk, at


def _find_place(lines: list[str], hunk: Hunk, shift: int, path: str, number: int) -> int:
    """Index of the first line that a hunk replaces: where it says, or the only other place with the same lines."""
    old = [line.removesuffix("\r") for line in hunk.old]
    plain = [line.removesuffix("\r") for line in lines]
    expected = max(0, (hunk.start or 1) - 1 + shift)
    if not old:
        return min(len(lines), expected + (1 if hunk.start else 0))
    if hunk.start is not None and plain[expected : expected + len(old)] == old:
        return expected
    places = [at for at in range(len(plain) - len(old) + 1) if plain[at] == old[0] and plain[at : at + len(old)] == old]
    if len(places) == 1:
        return places[0]
    if places:
        raise CodeProblem("patch_ambiguous", path=path, number=number + 1, count=len(places))
    wrong = next((at for at, line in enumerate(old) if plain[expected + at : expected + at + 1] != [line]), 0)
    found = plain[expected + wrong] if expected + wrong < len(plain) else ""
    raise CodeProblem("patch_mismatch", path=path, number=number + 1, line=expected + wrong + 1, found=found[:120])


def _merge_lines(hunk: Hunk, replaced: list[str], ending: str) -> Iterator[str]:
    """New lines: kept ones exactly as they are in the file, added ones with its line end."""
    left = iter(replaced)
    for line in hunk.lines:
        if line[0] == "+":
            yield line[1:].removesuffix("\r") + ending.removesuffix("\n")
        elif line[0] == " ":
            yield next(left)
        else:
            next(left)


def list_paths(patches: Collection[FilePatch]) -> Mapping[str, FilePatch]:
    """The file patches by path; raises `CodeProblem` if a file is named twice."""
    found = {one.path: one for one in patches}
    if len(found) < len(patches):
        raise CodeProblem("patch_unreadable")
    return found
