"""`list_dir` and `search_files`: list the workspace, find files and lines of text."""

import asyncio
import os
import time
import unicodedata
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from functools import cache
from itertools import islice
from typing import Final, NamedTuple

from metier.json_values import JsonObject, JsonValue
from metier.limits import InvalidPattern, Pattern, compile_pattern
from metier.tools._calls import ToolContext, ToolError, ToolResult
from metier.tools._spec import ToolSpec
from metier.tools.builtin._base import (
    BuiltinTool,
    format_bytes,
    get_flag,
    get_integer,
    get_text,
    integer_schema,
    object_schema,
    text_schema,
)
from metier.tools.builtin._decode import decode_file, detect_binary_kind
from metier.tools.builtin._paths import (
    MAX_PATH_CHARS,
    Entry,
    open_file,
    open_folder,
    open_root,
    split_path,
    to_valid_utf8,
    walk,
)

_MAX_ENTRIES = 500
_MAX_SCANNED_ENTRIES = 20_000
_MAX_DEPTH = 32
_MAX_FILE_BYTES = 2 << 20
_MAX_LINE_CHARS = 300
_SEARCH_TIMEOUT_S = 10.0
_MAX_GLOB_CHARS = 256
_PATH: Final = text_schema(
    "folder inside the workspace; the workspace itself when left out", longest=MAX_PATH_CHARS, shortest=0
)


def list_dir_tool() -> BuiltinTool:
    """Build the tool that lists a folder, up to three levels deep."""
    spec = ToolSpec(
        "list_dir",
        "List a folder of the workspace: names, kinds and sizes, up to three levels deep.",
        object_schema({"path": _PATH, "depth": integer_schema("how many levels", least=1, most=3, default=1)}),
        idempotent=True,
        effects=frozenset({"reads"}),
    )

    async def run(arguments: JsonObject, context: ToolContext) -> ToolResult:
        return await asyncio.to_thread(_list, arguments, context)

    return BuiltinTool(spec, run)


def _list(arguments: JsonObject, context: ToolContext) -> ToolResult:
    path, depth = get_text(arguments, "path"), get_integer(arguments, "depth", 1)
    names = split_path(path)
    with open_root(context.workspace) as root, open_folder(root, names) as here:
        found = list(islice(_walk(here, names, depth), _MAX_ENTRIES + 1))
    notes = () if len(found) <= _MAX_ENTRIES else (f"only the first {_MAX_ENTRIES} entries are listed",)
    rows: list[JsonValue] = [_to_row(entry) for entry in found[:_MAX_ENTRIES]]
    return ToolResult({"path": "/".join(names) or ".", "entries": rows}, notes=notes)


def _walk(here: int, names: tuple[str, ...], depth: int) -> Iterator[Entry]:
    try:
        yield from walk(here, "".join(f"{name}/" for name in names), depth)
    except OSError as error:
        raise ToolError(f"the folder cannot be listed: {error.strerror}", code="unreadable") from error


def _to_row(entry: Entry) -> JsonObject:
    row: dict[str, JsonValue] = {"path": to_valid_utf8(entry.path), "kind": entry.kind}
    return {**row, "size_bytes": entry.size_bytes} if entry.kind == "file" else row


def search_files_tool(clock: Callable[[], float] = time.monotonic) -> BuiltinTool:
    """Build the tool that finds files by name and lines by text.

    A regex runs on the linear-time engine of pydantic-core: Python's `re` can run for hours and cannot be stopped.
    """
    spec = ToolSpec(
        "search_files",
        "Find files by `glob` (*.md, notes/**), or lines that hold `text` (literal, or `regex`), or both.",
        {
            **object_schema(
                {
                    "text": text_schema("what a line must hold", longest=500),
                    "glob": text_schema("which files: * ? [a-z], ** for any folders", longest=_MAX_GLOB_CHARS),
                    "path": _PATH,
                    "regex": {"type": "boolean", "description": "text is a regular expression", "default": False},
                    "match_case": {"type": "boolean", "default": False},
                    "limit": integer_schema("how many matches", least=1, most=200, default=50),
                }
            ),
            "anyOf": [{"required": ["text"]}, {"required": ["glob"]}],
        },
        idempotent=True,
        effects=frozenset({"reads"}),
    )

    async def run(arguments: JsonObject, context: ToolContext) -> ToolResult:
        return await asyncio.to_thread(_search, arguments, context, clock)

    return BuiltinTool(spec, run)


class _LineMatcher(NamedTuple):
    """Text to search for, in Unicode NFC; case is ignored unless `match_case`. `pattern` is set for a regex."""

    text: str
    match_case: bool
    pattern: Pattern | None = None

    def find(self, line: str) -> int:
        """Return the position in the line, or -1; for a regex match always 0."""
        if self.pattern is not None:
            return 0 if self.pattern(_normalize(line, match_case=True)) else -1
        return _normalize(line, match_case=self.match_case).find(self.text)


def _build_matcher(arguments: JsonObject) -> _LineMatcher | None:
    text, match_case = get_text(arguments, "text"), get_flag(arguments, "match_case")
    if not text:
        return None
    if not get_flag(arguments, "regex"):
        return _LineMatcher(_normalize(text, match_case=match_case), match_case)
    try:
        compiled = compile_pattern(text, match_case=match_case)
    except InvalidPattern as error:
        raise ToolError(
            f"{text!r} is not a pattern that can be used: {error}",
            code="invalid_pattern",
            hint="no look-around and no back references; or leave regex out to search for the text itself",
        ) from error
    return _LineMatcher(text, match_case, compiled)


def _normalize(text: str, *, match_case: bool) -> str:
    composed = unicodedata.normalize("NFC", text)
    return composed if match_case else composed.lower()


def _search(arguments: JsonObject, context: ToolContext, clock: Callable[[], float]) -> ToolResult:
    names = split_path(get_text(arguments, "path"))
    glob, needle = get_text(arguments, "glob", "**"), _build_matcher(arguments)
    limit = get_integer(arguments, "limit", 50)
    notes: dict[str, None] = {}  # each once
    matches: list[JsonValue] = []
    deadline = clock() + _SEARCH_TIMEOUT_S

    def is_late() -> bool:
        if clock() <= deadline:
            return False
        notes[f"stopped after {_SEARCH_TIMEOUT_S:.0f} seconds; name a folder or a glob to look at less"] = None
        return True

    with open_root(context.workspace) as root, open_folder(root, names) as here:
        for entry in _iter_files(here, names, glob, notes, is_late):
            named: list[JsonObject] = [{"path": to_valid_utf8(entry.path), "size_bytes": entry.size_bytes}]
            matches.extend(named if needle is None else _find_lines(root, entry, needle, notes, is_late))
            if len(matches) > limit:
                notes[f"only the first {limit} matches are shown"] = None
                break
    return ToolResult({"matches": matches[:limit]}, notes=tuple(notes))


def _iter_files(
    here: int, names: tuple[str, ...], glob: str, notes: dict[str, None], is_late: Callable[[], bool]
) -> Iterator[Entry]:
    prefix = "".join(f"{name}/" for name in names)
    wanted = _split_glob(glob)
    for count, entry in enumerate(_walk(here, names, _MAX_DEPTH), 1):
        if count > _MAX_SCANNED_ENTRIES:
            notes[f"only the first {_MAX_SCANNED_ENTRIES} entries were looked at"] = None
            return
        if is_late():
            return
        if entry.kind == "file" and matches_glob(entry.path.removeprefix(prefix), wanted):
            yield entry


def _find_lines(
    root: int, entry: Entry, needle: _LineMatcher, notes: dict[str, None], is_late: Callable[[], bool]
) -> list[JsonObject]:
    try:
        *folders, name = entry.path.split("/")
        with open_folder(root, tuple(folders)) as here, os.fdopen(open_file(here, name, entry.path), "rb") as stream:
            data = stream.read(_MAX_FILE_BYTES)
    except (ToolError, OSError):  # a file with several hard links, or deleted since it was listed
        notes[f"{to_valid_utf8(entry.path)!r} could not be read"] = None
        return []
    decoded = None if detect_binary_kind(data) else decode_file(data, cut=entry.size_bytes > len(data))
    if decoded is None:
        return []
    if entry.size_bytes > _MAX_FILE_BYTES:
        notes[f"only the first {format_bytes(_MAX_FILE_BYTES)} of {to_valid_utf8(entry.path)!r} were searched"] = None
    found: list[JsonObject] = []
    for number, line in enumerate(decoded.text.split("\n"), 1):
        if is_late():
            break
        if needle.pattern is not None and len(line) > needle.pattern.max_chars:
            notes[f"lines of more than {needle.pattern.max_chars} characters are too long for this pattern"] = None
        at = needle.find(line)
        if at >= 0:
            found.append(
                {"path": to_valid_utf8(entry.path), "line": number, "text": _cut_around(line.rstrip("\r"), at)}
            )
    return found


def _cut_around(line: str, at: int) -> str:
    if len(line) <= _MAX_LINE_CHARS:
        return line
    start = max(0, at - _MAX_LINE_CHARS // 3)
    cut = line[start : start + _MAX_LINE_CHARS]
    return f"{'…' if start else ''}{cut}{'…' if start + _MAX_LINE_CHARS < len(line) else ''}"


def _split_glob(glob: str) -> tuple[str, ...]:
    """Split a glob at slashes; one without a slash matches files in any folder."""
    parts = tuple(part for part in unicodedata.normalize("NFC", glob).split("/") if part not in ("", "."))
    return parts if "/" in glob or parts == ("**",) else ("**", *parts)


def matches_glob(path: str, wanted: tuple[str, ...]) -> bool:
    """Return whether a path matches; `**` matches any number of folders, other wildcards stay inside one name."""
    names = tuple(unicodedata.normalize("NFC", path).split("/"))

    @cache
    def matches_from(name: int, part: int) -> bool:
        if part == len(wanted):
            return name == len(names)
        if wanted[part] == "**":
            return matches_from(name, part + 1) or (name < len(names) and matches_from(name + 1, part))
        return name < len(names) and fnmatchcase(names[name], wanted[part]) and matches_from(name + 1, part + 1)

    return matches_from(0, 0)
