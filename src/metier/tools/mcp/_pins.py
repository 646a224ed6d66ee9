"""Approved definitions of MCP tools, kept between runs: a tool that differs from its pin is withheld."""

import contextlib
import fcntl
import hashlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal, Protocol, TypeAlias

from metier.errors import InvalidSettings, Unavailable
from metier.json_values import JsonObject, JsonValue
from metier.visible_text import visible_text

PINS_FILE: Final = "mcp_tools.json"
FIRST_USE: Final = "first use"
_FILE_VERSION: Final = 1

Trust: TypeAlias = Literal["first_use", "approved"]


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """What a server says about a tool and the model or the gate relies on."""

    name: str
    description: str
    parameters: JsonObject
    annotations: JsonObject

    @property
    def digest(self) -> str:
        said = [self.name, self.description, self.parameters, self.annotations]
        text = json.dumps(said, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=dict)
        return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    def to_text(self) -> str:
        """Format the definition for a person who compares two versions line by line.

        Characters that a person does not see but a model reads are written as `<U+200B>`.
        """
        parts = [self.description, "parameters: " + _indent_json(self.parameters)]
        if self.annotations:
            parts.append("annotations: " + _indent_json(self.annotations))
        return visible_text("\n\n".join(parts)) + "\n"


@dataclass(frozen=True, slots=True)
class PinnedTool:
    """Approved definition of a tool, who approved it and when; `first use` was trusted without a person."""

    definition: ToolDefinition
    approved_by: str
    approved_at: str


@dataclass(frozen=True, slots=True)
class PendingTool:
    """Tool that is withheld until a person approves it; `approved` is the earlier version, None for a new tool."""

    server: str
    tool: str
    name: str
    current: ToolDefinition
    approved: PinnedTool | None

    @property
    def code(self) -> Literal["tool_changed", "tool_not_approved"]:
        return "tool_changed" if self.approved else "tool_not_approved"

    @property
    def message(self) -> str:
        if self.approved:
            return f"{self.name} was changed by its server after it was approved"
        return f"{self.name} is new and has not been approved"

    @property
    def hint(self) -> str:
        return f"a person looks at it with `metier tools approve {self.server} {self.tool}` or in the console"

    def diff(self) -> tuple[str, ...]:
        """Compare the approved version with the current one, as lines of a unified diff."""
        before = self.approved.definition.to_text().removesuffix("\n").split("\n") if self.approved else []
        now = self.current.to_text().removesuffix("\n").split("\n")
        return tuple(unified_diff(before, now, "approved", "now", lineterm=""))

    def to_json(self) -> JsonObject:
        """Return the versions side by side; `digest` names the one that would be approved."""
        approved = self.approved
        return {
            "server": self.server,
            "tool": self.tool,
            "name": self.name,
            "code": self.code,
            "message": self.message,
            "digest": self.current.digest,
            "current": self.current.to_text(),
            "diff": self.diff(),
            "approved": approved.definition.to_text() if approved else None,
            "approved_by": approved.approved_by if approved else None,
            "approved_at": approved.approved_at if approved else None,
        }


class ToolPins(Protocol):
    """Storage of approved definitions by `server/tool`."""

    @property
    def revision(self) -> object:
        """Value that differs after any process has saved."""

    def load(self) -> Mapping[str, PinnedTool]: ...

    def save(self, pins: Mapping[str, PinnedTool], *, replace: bool = True) -> None:
        """Add these pins; `replace` also those that another process saved meanwhile. All others stay."""


class MemoryPins:
    """Pins of one process, for programs that keep none between runs."""

    def __init__(self) -> None:
        self._pins: dict[str, PinnedTool] = {}
        self._saves = 0

    @property
    def revision(self) -> object:
        return self._saves

    def load(self) -> Mapping[str, PinnedTool]:
        return MappingProxyType(dict(self._pins))

    def save(self, pins: Mapping[str, PinnedTool], *, replace: bool = True) -> None:
        self._pins = {**self._pins, **pins} if replace else {**pins, **self._pins}
        self._saves += 1


class FilePins:
    """Pins in one JSON file, shared by all processes of an installation.

    A file that cannot be read is an error and not an empty file: otherwise a damaged file would approve every tool.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def revision(self) -> object:
        try:
            found = self._path.stat()
        except FileNotFoundError:
            return None
        except OSError as error:  # `load` says what is wrong
            return error.errno
        return found.st_mtime_ns, found.st_size, found.st_ino

    def load(self) -> Mapping[str, PinnedTool]:
        try:
            text = self._path.read_text("utf-8")
        except FileNotFoundError:
            return MappingProxyType({})
        except (OSError, UnicodeDecodeError) as error:
            raise self._unreadable(str(error)) from error
        try:
            return MappingProxyType(_parse_file(json.loads(text)))
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise self._unreadable(f"{type(error).__name__}: {error}") from error

    def save(self, pins: Mapping[str, PinnedTool], *, replace: bool = True) -> None:
        if not pins:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._lock_file():
                stored = self.load()
                self._write({**stored, **pins} if replace else {**pins, **stored})
        except OSError as error:
            hint = "free some space, or make the storage folder writable"
            raise Unavailable(f"{str(self._path)!r} cannot be written: {error.strerror}", hint=hint) from error

    @contextlib.contextmanager
    def _lock_file(self) -> Iterator[None]:
        with self._path.with_suffix(".lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _write(self, pins: Mapping[str, PinnedTool]) -> None:
        for left in self._path.parent.glob(f".{self._path.name}.*"):  # by a process that was killed: we hold the lock
            left.unlink(missing_ok=True)
        document = {"version": _FILE_VERSION, "tools": {key: _pin_to_json(pins[key]) for key in sorted(pins)}}
        text = json.dumps(document, ensure_ascii=False, indent=1, default=dict)
        made, name = tempfile.mkstemp(dir=self._path.parent, prefix=f".{self._path.name}.")
        try:
            with os.fdopen(made, "w", encoding="utf-8", errors="replace") as file:
                file.write(text + "\n")
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(self._path)
        finally:
            Path(name).unlink(missing_ok=True)

    def _unreadable(self, why: str) -> InvalidSettings:
        hint = "restore it from a backup; or delete it, and every MCP tool is new again"
        return InvalidSettings(f"the approved MCP tools in {str(self._path)!r} cannot be read: {why[:200]}", hint=hint)


def _parse_file(document: JsonValue) -> dict[str, PinnedTool]:
    root = _as_object(document)
    if root["version"] != _FILE_VERSION:
        raise ValueError("written by another version")
    return {key: _parse_pin(_as_object(value)) for key, value in _as_object(root["tools"]).items()}


def _parse_pin(value: JsonObject) -> PinnedTool:
    definition = ToolDefinition(
        _as_text(value["name"]),
        _as_text(value["description"]),
        _as_object(value["parameters"]),
        _as_object(value["annotations"]),
    )
    return PinnedTool(definition, _as_text(value["approved_by"]), _as_text(value["approved_at"]))


def _pin_to_json(pin: PinnedTool) -> JsonObject:
    definition = pin.definition
    return {
        "name": definition.name,
        "description": definition.description,
        "parameters": definition.parameters,
        "annotations": definition.annotations,
        "approved_by": pin.approved_by,
        "approved_at": pin.approved_at,
    }


def _as_object(value: JsonValue) -> JsonObject:
    if not isinstance(value, Mapping):
        raise TypeError("an object is missing")
    return value


def _as_text(value: JsonValue) -> str:
    if not isinstance(value, str):
        raise TypeError("a text is missing")
    return value


def _indent_json(value: JsonObject) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True, default=dict)
