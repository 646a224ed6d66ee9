"""`read_file` and `write_file`: text files in the conversation's workspace."""

import asyncio
import fcntl
import os
import secrets
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final, Literal, cast

from metier.jsons import JsonObject, JsonValue
from metier.tools._calls import ToolContext, ToolResult
from metier.tools._spec import ToolSpec
from metier.tools.builtin._decode import Decoded, binary_kind, decode_file
from metier.tools.builtin._paths import (
    PATH_CHARS,
    check_plain,
    look,
    open_file,
    open_folder,
    open_root,
    parts_of,
    real_name,
    walk,
)
from metier.tools.builtin._tool import (
    BuiltinTool,
    Stopped,
    human_bytes,
    parameters,
    text_of,
    text_schema,
    whole_of,
    whole_schema,
)

Mode = Literal["create", "overwrite", "append"]

READ_BYTES: Final = 16 << 20
_ANSWER_CHARS = 150_000  # a result is limited to 1 MiB, and JSON may take six bytes per character
_WRITE_BYTES = 4 << 20
_LINES = 2_000
_MOST_LINES = 20_000
_MOST_FILES = 10_000
_DEEPEST = 32
_PATIENCE_S = 5.0
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_PATH = text_schema("path inside the workspace, such as notes/report.md", longest=PATH_CHARS)


def read_file_tool() -> BuiltinTool:
    """Build the tool that reads a text file by lines."""
    spec = ToolSpec(
        "read_file",
        "Read a text file of the workspace, whole or from line `offset` on, at most `limit` lines.",
        parameters(
            {
                "path": _PATH,
                "offset": whole_schema("first line to read, from 1", least=1, most=10**9, default=1),
                "limit": whole_schema("how many lines", least=1, most=_MOST_LINES, default=_LINES),
            },
            ["path"],
        ),
        idempotent=True,
        effects=frozenset({"reads"}),
    )

    async def work(arguments: JsonObject, context: ToolContext) -> ToolResult:
        return await asyncio.to_thread(_read, arguments, context)

    return BuiltinTool(spec, work)


def _read(arguments: JsonObject, context: ToolContext) -> ToolResult:
    path = text_of(arguments, "path")
    data, size_bytes = _bytes_of(path, context)
    notes = [] if size_bytes <= READ_BYTES else [f"only the first {human_bytes(READ_BYTES)} of the file were read"]
    decoded = _text(path, data, size_bytes)
    if decoded.encoding != "utf-8":
        notes.append(f"the file is not UTF-8; it was read as {decoded.encoding}")
    lines = decoded.text.split("\n")
    first, limit = whole_of(arguments, "offset", 1), whole_of(arguments, "limit", _LINES)
    wanted = lines[first - 1 : first - 1 + limit]
    whole = first - 1 + len(wanted) >= len(lines)
    content = "\n".join(wanted) + ("" if whole or not wanted else "\n")
    if len(content) > _ANSWER_CHARS:
        content = content[:_ANSWER_CHARS]
        wanted = content.split("\n")
        notes.append(f"cut after {_ANSWER_CHARS} characters, inside line {first + len(wanted) - 1}")
    elif not whole:
        notes.append(f"there is more; go on with offset {first + len(wanted)}")
    answer: dict[str, JsonValue] = {"path": path, "content": content, "size_bytes": size_bytes}
    answer |= {"first_line": first, "last_line": first + len(wanted) - 1, "lines": len(lines), "bom": decoded.bom}
    return ToolResult(answer, notes=tuple(notes))


def _bytes_of(path: str, context: ToolContext) -> tuple[bytes, int]:
    *folders, name = _file_names(path)
    with open_root(context.workspace) as root, open_folder(root, tuple(folders)) as here:
        file = open_file(here, real_name(here, name), path)
        with os.fdopen(file, "rb") as stream:
            try:
                return stream.read(READ_BYTES), os.fstat(file).st_size
            except OSError as error:
                raise Stopped("unreadable", f"cannot read {path!r}: {error.strerror}") from error


def _file_names(path: str) -> tuple[str, ...]:
    names = parts_of(path)
    if not names:
        raise Stopped("is_a_folder", f"{path!r} is the workspace itself", hint="name a file in it")
    return names


def _text(path: str, data: bytes, size_bytes: int) -> Decoded:
    kind = binary_kind(data)
    decoded = None if kind else decode_file(data, cut=size_bytes > len(data))
    if decoded is None:
        raise Stopped(
            "not_text",
            f"{path!r} is {kind or 'in an unknown encoding'} of {human_bytes(size_bytes)}, not text",
            hint="use a tool made for this kind of file",
        )
    return decoded


def write_file_tool(max_bytes: int) -> BuiltinTool:
    """Build the tool that writes or appends to a text file; `max_bytes` limits the whole workspace."""
    spec = ToolSpec(
        "write_file",
        "Write a text file of the workspace: create (must not exist), overwrite, or append; folders are made.",
        parameters(
            {
                "path": _PATH,
                "content": text_schema("the text", longest=_WRITE_BYTES, shortest=0),
                "mode": {"type": "string", "enum": ["create", "overwrite", "append"], "default": "create"},
            },
            ["path", "content"],
        ),
        effects=frozenset({"writes"}),
    )

    async def work(arguments: JsonObject, context: ToolContext) -> ToolResult:
        return await asyncio.to_thread(_write, arguments, context, max_bytes)

    return BuiltinTool(spec, work)


def _write(arguments: JsonObject, context: ToolContext, max_bytes: int) -> ToolResult:
    path, mode = text_of(arguments, "path"), cast("Mode", text_of(arguments, "mode", "create"))
    *folders, name = _file_names(path)
    data = _encoded(text_of(arguments, "content"))
    with open_root(context.workspace) as root, _held(root), open_folder(root, tuple(folders), make=True) as here:
        name = real_name(here, name)
        old = look(here, name)
        if old is not None:
            _check_old(old, path, mode)
            data = _read_whole(here, name, path) + data if mode == "append" else data
        _check_room(root, len(data) - (old.st_size if old else 0), max_bytes, new=old is None)
        try:
            _put(here, name, data, mode, old)
        except FileExistsError as error:
            raise _there_already(path) from error
        except OSError as error:
            raise Stopped("write_failed", f"cannot write {path!r}: {error.strerror}") from error
    return ToolResult({"path": path, "size_bytes": len(data), "created": old is None})


def _encoded(text: str) -> bytes:
    if "\x00" in text:
        raise Stopped("invalid_text", "the content holds a NUL character, which no text file does")
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise Stopped("invalid_text", f"character {error.start + 1} of the content is half a character") from error
    if len(data) > _WRITE_BYTES:
        raise Stopped(
            "too_large",
            f"the content is {human_bytes(len(data))}, a file takes {human_bytes(_WRITE_BYTES)} at once",
            hint="write the first part, then append the others",
        )
    return data


def _check_old(old: os.stat_result, path: str, mode: Mode) -> None:
    if mode == "create" and stat.S_ISREG(old.st_mode):
        raise _there_already(path)
    check_plain(old, path)


def _there_already(path: str) -> Stopped:
    return Stopped("file_exists", f"{path!r} is there already", hint="use mode overwrite or append")


def _read_whole(here: int, name: str, path: str) -> bytes:
    with os.fdopen(open_file(here, name, path), "rb") as stream:
        data = stream.read(READ_BYTES + 1)
    if len(data) > READ_BYTES:
        raise Stopped(
            "too_large", f"{path!r} is over {human_bytes(READ_BYTES)} and takes no more", hint="begin a new file"
        )
    return data


def _check_room(root: int, more_bytes: int, max_bytes: int, *, new: bool) -> None:
    used_bytes = files = 0
    for entry in walk(root, "", _DEEPEST):
        used_bytes += entry.size_bytes
        files += 1
    if used_bytes + more_bytes > max_bytes:
        raise Stopped(
            "workspace_full",
            f"the workspace holds {human_bytes(used_bytes)} of {human_bytes(max_bytes)}; "
            f"{human_bytes(more_bytes)} more do not fit",
            hint="write less, or ask the operator to raise METIER_WORKSPACE_MAX_BYTES",
        )
    if new and files >= _MOST_FILES:
        raise Stopped("workspace_full", f"the workspace holds {files} files already", hint="remove some first")


@contextmanager
def _held(root: int) -> Iterator[None]:
    """Lock the workspace across processes, because an append reads, adds and replaces."""
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        try:
            fcntl.flock(root, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError as error:
            if time.monotonic() > deadline:
                raise Stopped(
                    "workspace_busy", "somebody else is writing in the workspace", hint="try again"
                ) from error
            time.sleep(0.01)
    try:
        yield
    finally:
        fcntl.flock(root, fcntl.LOCK_UN)


def _put(here: int, name: str, data: bytes, mode: Mode, old: os.stat_result | None) -> None:
    """Write a temporary file and rename it, so that readers see the old text or the new one.

    For `create`, an empty file is created first, so that of two concurrent writers only one succeeds.
    """
    beside = f".metier-{secrets.token_hex(8)}.tmp"
    if mode == "create":
        os.close(os.open(name, _NEW, 0o644, dir_fd=here))
    file = os.open(beside, _NEW, 0o644, dir_fd=here)
    try:
        with os.fdopen(file, "wb") as stream:
            stream.write(data)
            if old is not None:
                os.fchmod(file, stat.S_IMODE(old.st_mode) & 0o777)
            stream.flush()
            os.fsync(file)
        os.rename(beside, name, src_dir_fd=here, dst_dir_fd=here)
    except OSError:
        for left in (beside, name) if mode == "create" else (beside,):
            with suppress(FileNotFoundError):
                os.unlink(left, dir_fd=here)
        raise
