"""`read_file` and `write_file`: text files in the conversation's workspace."""

import asyncio
import fcntl
import os
import secrets
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Literal, cast

from metier.clock import awake_time
from metier.json_values import JsonObject, JsonValue
from metier.tools._calls import ToolContext, ToolError, ToolResult
from metier.tools._spec import ToolSpec
from metier.tools.builtin._base import (
    BuiltinTool,
    format_bytes,
    get_integer,
    get_text,
    integer_schema,
    object_schema,
    text_schema,
)
from metier.tools.builtin._decode import DecodedText, decode_file, detect_binary_kind
from metier.tools.builtin._paths import (
    MAX_PATH_CHARS,
    check_regular_file,
    find_real_name,
    open_file,
    open_folder,
    open_root,
    split_path,
    stat_name,
    walk,
)
from metier.workspaces import WorkspaceQuota

Mode = Literal["create", "overwrite", "append"]

MAX_READ_BYTES: Final = 16 << 20
_MAX_RESULT_CHARS = 150_000  # a result is limited to 1 MiB, and JSON may take six bytes per character
_MAX_WRITE_BYTES = 4 << 20
_DEFAULT_LINES = 2_000
_MAX_LINES = 20_000
_DEFAULT_MAX_FILES = 10_000
_MAX_DEPTH = 32
_LOCK_TIMEOUT_S = 5.0
_CREATE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_PATH = text_schema("path inside the workspace, such as notes/report.md", longest=MAX_PATH_CHARS)


def read_file_tool() -> BuiltinTool:
    """Build the tool that reads a text file by lines."""
    spec = ToolSpec(
        "read_file",
        "Read a text file of the workspace, whole or from line `offset` on, at most `limit` lines.",
        object_schema(
            {
                "path": _PATH,
                "offset": integer_schema("first line to read, from 1", least=1, most=10**9, default=1),
                "limit": integer_schema("how many lines", least=1, most=_MAX_LINES, default=_DEFAULT_LINES),
            },
            ["path"],
        ),
        idempotent=True,
        effects=frozenset({"reads"}),
    )

    async def run(arguments: JsonObject, context: ToolContext) -> ToolResult:
        return await asyncio.to_thread(_read, arguments, context)

    return BuiltinTool(spec, run)


def _read(arguments: JsonObject, context: ToolContext) -> ToolResult:
    path = get_text(arguments, "path")
    data, size_bytes = _read_bytes(path, context)
    notes = (
        [] if size_bytes <= MAX_READ_BYTES else [f"only the first {format_bytes(MAX_READ_BYTES)} of the file were read"]
    )
    decoded = _decode_text(path, data, size_bytes)
    if decoded.encoding != "utf-8":
        notes.append(f"the file is not UTF-8; it was read as {decoded.encoding}")
    lines = decoded.text.split("\n")
    first, limit = get_integer(arguments, "offset", 1), get_integer(arguments, "limit", _DEFAULT_LINES)
    wanted = lines[first - 1 : first - 1 + limit]
    whole = first - 1 + len(wanted) >= len(lines)
    content = "\n".join(wanted) + ("" if whole or not wanted else "\n")
    if len(content) > _MAX_RESULT_CHARS:
        content = content[:_MAX_RESULT_CHARS]
        wanted = content.split("\n")
        notes.append(f"cut after {_MAX_RESULT_CHARS} characters, inside line {first + len(wanted) - 1}")
    elif not whole:
        notes.append(f"there is more; go on with offset {first + len(wanted)}")
    answer: dict[str, JsonValue] = {"path": path, "content": content, "size_bytes": size_bytes}
    answer |= {"first_line": first, "last_line": first + len(wanted) - 1, "lines": len(lines), "bom": decoded.bom}
    return ToolResult(answer, notes=tuple(notes))


def _read_bytes(path: str, context: ToolContext) -> tuple[bytes, int]:
    *folders, name = _split_file_path(path)
    with open_root(context.workspace) as root, open_folder(root, tuple(folders)) as here:
        file = open_file(here, find_real_name(here, name), path)
        with os.fdopen(file, "rb") as stream:
            try:
                return stream.read(MAX_READ_BYTES), os.fstat(file).st_size
            except OSError as error:
                raise ToolError(f"cannot read {path!r}: {error.strerror}", code="unreadable") from error


def _split_file_path(path: str) -> tuple[str, ...]:
    names = split_path(path)
    if not names:
        raise ToolError(f"{path!r} is the workspace itself", code="is_a_folder", hint="name a file in it")
    return names


def _decode_text(path: str, data: bytes, size_bytes: int) -> DecodedText:
    kind = detect_binary_kind(data)
    decoded = None if kind else decode_file(data, cut=size_bytes > len(data))
    if decoded is None:
        raise ToolError(
            f"{path!r} is {kind or 'in an unknown encoding'} of {format_bytes(size_bytes)}, not text",
            code="not_text",
            hint="use a tool made for this kind of file",
        )
    return decoded


def write_file_tool(max_bytes: int, max_files: int = _DEFAULT_MAX_FILES) -> BuiltinTool:
    """Build the tool that writes or appends to a text file; `max_bytes` and `max_files` limit the whole workspace."""
    spec = ToolSpec(
        "write_file",
        "Write a text file of the workspace: create (must not exist), overwrite, or append; folders are made.",
        object_schema(
            {
                "path": _PATH,
                "content": text_schema("the text", longest=_MAX_WRITE_BYTES, shortest=0),
                "mode": {"type": "string", "enum": ["create", "overwrite", "append"], "default": "create"},
            },
            ["path", "content"],
        ),
        effects=frozenset({"writes"}),
    )

    async def run(arguments: JsonObject, context: ToolContext) -> ToolResult:
        return await asyncio.to_thread(_write, arguments, context, WorkspaceQuota(max_bytes, max_files))

    return BuiltinTool(spec, run)


def _write(arguments: JsonObject, context: ToolContext, quota: WorkspaceQuota) -> ToolResult:
    path, mode = get_text(arguments, "path"), cast("Mode", get_text(arguments, "mode", "create"))
    *folders, name = _split_file_path(path)
    data = _encode(get_text(arguments, "content"))
    with (
        open_root(context.workspace) as root,
        _lock_workspace(root),
        open_folder(root, tuple(folders), make=True) as here,
    ):
        name = find_real_name(here, name)
        old = stat_name(here, name)
        if old is not None:
            _check_existing(old, path, mode)
            data = _read_whole(here, name, path) + data if mode == "append" else data
        _check_quota(root, len(data) - (old.st_size if old else 0), quota, new=old is None)
        try:
            _write_atomically(here, name, data, mode, old)
        except FileExistsError as error:
            raise _file_exists_error(path) from error
        except OSError as error:
            raise ToolError(f"cannot write {path!r}: {error.strerror}", code="write_failed") from error
    return ToolResult({"path": path, "size_bytes": len(data), "created": old is None})


def write_in_workspace(workspace: Path, path: str, data: bytes, quota: WorkspaceQuota) -> None:
    """Write a new file of a workspace within its quota; `ToolError` if it exists or does not fit."""
    *folders, name = _split_file_path(path)
    with open_root(workspace) as root, _lock_workspace(root), open_folder(root, tuple(folders), make=True) as here:
        _check_quota(root, len(data), quota, new=True)
        _create_file(here, find_real_name(here, name), data, path)


def add_to_workspace(
    workspace: Path, folder: str, choose_name: Callable[[Sequence[str]], str], data: bytes, quota: WorkspaceQuota
) -> str:
    """Write a new file whose name depends on those in its folder, and return its path; nobody writes in between."""
    with open_root(workspace) as root, _lock_workspace(root), open_folder(root, split_path(folder), make=True) as here:
        name = choose_name(os.listdir(here))  # noqa: PTH208 - of a descriptor
        _check_quota(root, len(data), quota, new=True)
        _create_file(here, name, data, f"{folder}/{name}")
        return f"{folder}/{name}"


def remove_in_workspace(workspace: Path, path: str) -> None:
    """Remove a file of a workspace; one that is not there is left alone."""
    *folders, name = _split_file_path(path)
    with open_root(workspace) as root, open_folder(root, tuple(folders)) as here, suppress(FileNotFoundError):
        os.unlink(find_real_name(here, name), dir_fd=here)


def _create_file(here: int, name: str, data: bytes, path: str) -> None:
    try:
        _write_atomically(here, name, data, "create", None)
    except FileExistsError as error:
        raise _file_exists_error(path) from error
    except OSError as error:
        raise ToolError(f"cannot write {path!r}: {error.strerror}", code="write_failed") from error


def _encode(text: str) -> bytes:
    if "\x00" in text:
        raise ToolError("the content holds a NUL character, which no text file does", code="invalid_text")
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ToolError(
            f"character {error.start + 1} of the content is half a character", code="invalid_text"
        ) from error
    if len(data) > _MAX_WRITE_BYTES:
        raise ToolError(
            f"the content is {format_bytes(len(data))}, a file takes {format_bytes(_MAX_WRITE_BYTES)} at once",
            code="too_large",
            hint="write the first part, then append the others",
        )
    return data


def _check_existing(old: os.stat_result, path: str, mode: Mode) -> None:
    if mode == "create" and stat.S_ISREG(old.st_mode):
        raise _file_exists_error(path)
    check_regular_file(old, path)


def _file_exists_error(path: str) -> ToolError:
    return ToolError(f"{path!r} is there already", code="file_exists", hint="use mode overwrite or append")


def _read_whole(here: int, name: str, path: str) -> bytes:
    with os.fdopen(open_file(here, name, path), "rb") as stream:
        data = stream.read(MAX_READ_BYTES + 1)
    if len(data) > MAX_READ_BYTES:
        raise ToolError(
            f"{path!r} is over {format_bytes(MAX_READ_BYTES)} and takes no more",
            code="too_large",
            hint="begin a new file",
        )
    return data


def _check_quota(root: int, more_bytes: int, quota: WorkspaceQuota, *, new: bool) -> None:
    used_bytes = files = 0
    for entry in walk(root, "", _MAX_DEPTH):
        used_bytes += entry.size_bytes
        files += 1
    if used_bytes + more_bytes > quota.max_bytes:
        raise ToolError(
            f"the workspace holds {format_bytes(used_bytes)} of {format_bytes(quota.max_bytes)}; "
            f"{format_bytes(more_bytes)} more do not fit",
            code="workspace_full",
            hint="write less, or ask the operator to raise METIER_WORKSPACE_MAX_BYTES",
        )
    if new and files >= quota.max_files:
        message = f"the workspace holds {files} of {quota.max_files} files and folders"
        raise ToolError(message, code="workspace_full", hint="remove some first")


@contextmanager
def _lock_workspace(root: int) -> Iterator[None]:
    """Lock the workspace across processes, because an append reads, adds and replaces."""
    deadline = awake_time() + _LOCK_TIMEOUT_S
    while True:
        try:
            fcntl.flock(root, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError as error:
            if awake_time() > deadline:
                raise ToolError(
                    "somebody else is writing in the workspace", code="workspace_busy", hint="try again"
                ) from error
            time.sleep(0.01)
    try:
        yield
    finally:
        fcntl.flock(root, fcntl.LOCK_UN)


def _write_atomically(here: int, name: str, data: bytes, mode: Mode, old: os.stat_result | None) -> None:
    """Write a temporary file and rename it, so that readers see the old text or the new one.

    For `create`, an empty file is created first, so that of two concurrent writers only one succeeds.
    """
    beside = f".metier-{secrets.token_hex(8)}.tmp"
    if mode == "create":
        os.close(os.open(name, _CREATE_FLAGS, 0o644, dir_fd=here))
    file = os.open(beside, _CREATE_FLAGS, 0o644, dir_fd=here)
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
